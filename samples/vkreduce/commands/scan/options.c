/* SPDX-License-Identifier: MIT */
#include "commands/scan/scan.h"
#include "commands/groups.h"

#define FIELD(name) offsetof(scan_options, name)

static const char *algorithm_word(uint32_t index)
{
    return vkrScanAlgorithmName((VkrScanAlgorithm)index);
}

static const char *const meanings[VKR_SCAN_ALGORITHM_COUNT] = {
    [VKR_SCAN_AUTO] = "the best for the device; supports every valid request",
    [VKR_SCAN_REDUCE_THEN_SCAN] = "reduces runs, scans the totals, reads the elements again",
    [VKR_SCAN_SINGLE_PASS] = "one read; workgroups look back at the totals of earlier ones",
    [VKR_SCAN_HILLIS_STEELE] = "log n dispatches (Hillis and Steele 1986)",
    [VKR_SCAN_BLELLOCH] = "2 log n dispatches, up and down a tree (Blelloch 1990)",
};

static const VkrOp ops[SCAN_OPS] = {VKR_OP_SUM, VKR_OP_PRODUCT, VKR_OP_MIN, VKR_OP_MAX,
                                    VKR_OP_AND, VKR_OP_OR,      VKR_OP_XOR};

VkrOp scan_op(uint32_t index)
{
    return ops[index];
}

static const char *op_word(uint32_t index)
{
    return vkrOpName(ops[index]);
}

static const topic op_topic = {.name = "OP", .word = op_word, .end = SCAN_OPS};

static const topic segments_topic = {
    .name = "WHERE",
    .help = "rows:LEN[:PITCH]     runs of LEN elements, PITCH apart; without LEN, the rows of an "
            "array\n"
            "columns:LEN          element i of every LEN; without LEN, the columns of an array\n"
            "offsets:FILE.npy     where segments start\n"
            "flags:FILE.npy       a value for each element, not 0 where a segment starts",
    .manual = "rows:LEN: runs of LEN elements, of which the last one may be shorter.\n"
              "rows:LEN:PITCH: the first LEN of each run of PITCH elements; results between them "
              "are 0. All data must fit the device at once.\n"
              "columns:LEN: column i has element i of every LEN elements; LEN must divide their "
              "number. The total is that of the last column, with --reverse of the first one.\n"
              "offsets:FILE.npy: the elements where segments start, as integers of 32 or 64 bits.\n"
              "flags:FILE.npy: a value for each element, not 0 where a segment starts."};

#define OF_KEYS "scan each key, or each run of equal keys, by itself"

#define OF_VALUES "which values count: see the manual page"

static const option_row rows[] = {
    ROW("output", "FILE", OPTION_PATH, FIELD(output),
        "the results, as .npy; - is the standard output",
        .manual = "Write the results as .npy." STANDARD_OUTPUT),
    ROW("operator", "FILE", OPTION_PATH, FIELD(operator_file),
        "combine states by functions in FILE, which replace OP", .functions = true,
        .manual = OPERATOR_MANUAL
        "Each result is a row of the output, of the values of a state or of what finish returns; "
        "if these have several types, it is an element with fields f0, f1 and so on. The total "
        "that is printed is a state. There is no initial "
        "value. --verify says that it does not know what is right; it computes up to "
        "16 of the results by reductions, and compares: integers must be equal, and floats may "
        "differ by 1e-3 of the largest result."),
    ROW("exclusive", NULL, OPTION_FLAG, FIELD(exclusive), "each result leaves its own element out"),
    ROW("reverse", NULL, OPTION_FLAG, FIELD(reverse), "from the last element to the first"),
    ROW("initial", "V", OPTION_TEXT, FIELD(initial), "start with this value"),
    ROW("segments", "WHERE", OPTION_TEXT, FIELD(segments), "start anew in each segment"),
    ROW("axis", "AXIS", OPTION_TEXT, FIELD(axis),
        "start anew at each position in the other axes of an array",
        .manual = "Scan the elements along an axis, at each position in the other axes, as cumsum "
                  "of NumPy does with axis=AXIS; -o keeps the shape of the array. " AXIS_MANUAL
                      ANY_AXIS_MANUAL),
    ROW("by", "KEYS", OPTION_PATH, FIELD(by), "scan the elements of each key in a file",
        .joint = OF_KEYS,
        .manual =
            "Scan the elements of each key by themselves: a result is that of the element, in the "
            "order of the input, and of those before it with the same key, as OVER (PARTITION BY) "
            "of SQL has it. KEYS is a file with a key for each element: one value of any type, in "
            "any order. " GROUPS_MANUAL
            " The total is that of the last key, with --reverse of the first one. A function of "
            "--operator must not read an index.\n"
            "All data must fit the device at once, beside a copy of it and of the results."),
    ROW("runs", "KEYS", OPTION_PATH, FIELD(runs), "start anew in each run of equal keys of a file",
        .joint = OF_KEYS,
        .manual = "Start anew where the key of an element differs from that of the element before "
                  "it, in its bits. KEYS is a file with a key for each element, of any type, "
                  "which may have several components, as a picture in colour has. For keys in "
                  "order this is --by, at less cost, and data may go through the device in "
                  "chunks."),
    ROWS_OF(algorithm_rows, FIELD(data)),
    ROWS_OF(determinism_rows, FIELD(determinism)),
    ROW("mask", "FILE", OPTION_PATH, FIELD(mask), "a value for each element, which counts if not 0",
        .joint = OF_VALUES,
        .manual = "A file with a value for each element, which counts if the value is not 0. "
                  "Others count as the identity of OP: 0 for a sum, 1 for a product, infinity for "
                  "min. They have results all the same."),
    ROW("nan", "ignore|propagate|skip", OPTION_WORD, FIELD(nan),
        "how min and max treat NaN; skip leaves it out of sums",
        .manual = "How min and max treat NaN; skip leaves NaN out of sums and products.",
        .joint = OF_VALUES, .max = 3, .word = nan_word),
    ROW("by-value", NULL, OPTION_FLAG, FIELD(by_value), BY_VALUE, .joint = OF_VALUES,
        .manual = BY_VALUE_MANUAL),
    ROW("accumulator", "T", OPTION_WORD, FIELD(accumulator), "the type of sums: i64, u64 or f64",
        .min = 1, .max = VKR_TYPE_COUNT, .word = type_word),
    ROWS_OF(data_rows, FIELD(data)),
    {0}};

const command scan_command = {
    .name = "scan",
    .operands = "OP INPUT -o OUT.npy",
    .summary = "prefix sums, or prefix results of other OPs",
    .description = "Writes the prefix sums of the data, or the prefix results of another operator, "
                   "in the operator's default type.",
    .examples = {"vkreduce scan sum data.npy -o sums.npy --exclusive",
                 "vkreduce scan max data.npy -o maxima.npy --segments rows:300",
                 "vkreduce scan sum matrix.npy -o down.npy --axis 0",
                 "vkreduce scan --operator product.glsl data.npy -o products.npy"},
    .topics = {&op_topic, &input_topic, &segments_topic, &type_topic, &lift_topic},
    .choice = &op_topic,
    .min_operands = 2,
    .max_operands = 2,
    .file_option = "operator",
    .file_field = FIELD(operator_file),
    .options_size = sizeof(scan_options),
    .options = rows,
    .algorithms = {algorithm_word, meanings, VKR_SCAN_ALGORITHM_COUNT, 17},
    .run = scan_run};
