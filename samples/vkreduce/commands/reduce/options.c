/* SPDX-License-Identifier: MIT */
#include "commands/reduce/reduce.h"
#include "commands/groups.h"

#define FIELD(name) offsetof(reduce_options, name)

static const char *op_word(uint32_t index)
{
    return vkrOpName((VkrOp)(1u << index));
}

static const char *algorithm_word(uint32_t index)
{
    return vkrReduceAlgorithmName((VkrReduceAlgorithm)index);
}

static const char *const meanings[VKR_REDUCE_ALGORITHM_COUNT] = {
    [VKR_REDUCE_AUTO] = "the best for the device; supports every valid request",
    [VKR_REDUCE_SINGLE] = "one dispatch; the workgroup that finishes last combines",
    [VKR_REDUCE_SUBGROUP] = "two dispatches, combining in subgroups",
    [VKR_REDUCE_TREE] = "shared-memory trees, level by level (Ramalho 2014)",
    [VKR_REDUCE_RECURSIVE] = "in place with growing strides (OPENRNDR)",
    [VKR_REDUCE_LANES] = "for --segments only: an invocation for each",
    [VKR_REDUCE_MERGE] =
        "for --segments only: parts of a subgroup, merged (Parker, MacKinnon 2017)",
    [VKR_REDUCE_GROUPS] = "for --segments only: a workgroup for each",
    [VKR_REDUCE_SPLIT] = "for --segments only: several workgroups for each",
    [VKR_REDUCE_PINGPONG] = "for images only: 2 x 2 to 1, level by level (Goeddeke 2005)",
    [VKR_REDUCE_RECURSIVE_2D] =
        "for images only: a workgroup of 16 x 16 leaves one value (OPENRNDR)",
};

static const topic op_topic = {.name = "OP",
                               .word = op_word,
                               .end = VKR_OP_BITS,
                               .list = true,
                               .help = "dot reads INPUT2, of the same type and length as INPUT",
                               .manual = "dot reads a second input of the same type and length."};

static const topic segments_topic = {
    .name = "WHERE",
    .help = "rows:LEN[:PITCH]     runs of LEN elements, PITCH apart; without LEN, the rows of an "
            "array\n"
            "columns:LEN          the i-th element of every row of LEN elements, or of an array\n"
            "windows:LEN          every run of LEN consecutive elements\n"
            "offsets:FILE.npy     offset i to offset i + 1, such as a CSR matrix's row pointers",
    .manual = "rows:LEN: runs of LEN elements, of which the last one may be shorter.\n"
              "rows:LEN:PITCH: the first LEN of each run of PITCH elements, such as the pixels of "
              "padded rows.\n"
              "columns:LEN: the i-th element of every row of LEN elements. The number of elements "
              "must be a multiple of LEN.\n"
              "rows or columns without LEN: the rows or columns of an array or a picture, which "
              "are --axis -1 and --axis 0.\n"
              "windows:LEN: every run of LEN consecutive elements.\n"
              "offsets:FILE.npy: from offset i to offset i + 1, such as the row pointers of a CSR "
              "matrix. Offsets are integers of 32 or 64 bits."};

#define OF_OUTPUTS "results as .npy; keys and sizes of groups or runs"
#define OF_PARTS "a result for each segment"

#define OF_VALUES "how NaN and -0 are treated: see the manual page"

static const option_row rows[] = {
    ROW("output", "FILE", OPTION_PATH, FIELD(output),
        "the results, as .npy; - is the standard output", .joint = OF_OUTPUTS,
        .manual =
            "Write the results as .npy, in the type of the results, with their exact bits. The "
            "array has up to three dimensions, in this order: the segments or tiles, with "
            "--segments or --tiles, or the axes that --axis leaves; the OPs as they were given, if "
            "there are several; the channels "
            "or components, if there are several. So one OP of data with one channel gives an "
            "array of shape (). If the results of the OPs have several types, the array has a "
            "structured type instead: a field for each OP, with its name, in place of the "
            "dimensions of the OPs and the channels; --field reads such a field. The arg results "
            "of a segment without numbers are the largest value of their "
            "type." STANDARD_OUTPUT),
    ROW("keys", "FILE", OPTION_PATH, FIELD(keys), "with --by or --runs: the key of each result",
        .joint = OF_OUTPUTS,
        .manual = "With --by or --runs: write the key of each result as .npy. The table and --json "
                  "print the keys, too."),
    ROW("counts", "FILE", OPTION_PATH, FIELD(counts),
        "with --by or --runs: the number of elements of each", .joint = OF_OUTPUTS,
        .manual = "With --by or --runs: write the number of elements of each group or run as .npy, "
                  "in u32, or in u64 if there are 2^32 elements or more."),
    ROW("operator", "FILE", OPTION_PATH, FIELD(operator_file),
        "combine states by functions in FILE, which replace OP", .functions = true,
        .manual = OPERATOR_MANUAL
        "-o writes an array whose last dimension is that of the values of a state, if there are "
        "several; --json prints them under \"state\", nested by segment. Segments are rows, "
        "columns, windows, offsets, or those of --by and --runs, whose keys and numbers of "
        "elements "
        "--verify compares with the scalar reference. Of the results it says that it does not know "
        "what is right; it "
        "computes them "
        "in other ways, as a window of all elements and, for commutative operators, in the "
        "order of the elements, and compares: integers must be equal, and floats may differ by "
        "1e-3 "
        "of the largest result."),
    ROW("segments", "WHERE", OPTION_TEXT, FIELD(segments),
        "a result for each segment, instead of one for all elements", .joint = OF_PARTS),
    ROW("axis", "AXIS", OPTION_TEXT, FIELD(axis),
        "a result for all positions but those along an axis of an array", .joint = OF_PARTS,
        .manual =
            "Give a result for the elements along an axis, at each position in the other axes, as "
            "axis=AXIS of NumPy does; -o writes an array of these other axes. " AXIS_MANUAL
            "Between other axes it must be without --operator and --algorithm."),
    ROW("tiles", "WxH", OPTION_TEXT, FIELD(tiles),
        "a result for each W x H elements of a picture or a 2-D array", .joint = OF_PARTS,
        .manual = "Give a result for each tile of W x H elements of a picture or a two-dimensional "
                  "array, row by row. Tiles at the right and bottom edges may be smaller."),
    ROW("by", "KEYS", OPTION_PATH, FIELD(by), "a result for each key in a file", .joint = OF_PARTS,
        .manual =
            "Give a result for each distinct key, in the order of the keys, as GROUP BY of SQL "
            "does. KEYS is a file with a key for each element: one value of any type, in any "
            "order. " GROUPS_MANUAL
            " argmin and argmax give indices in INPUT. A function of --map gets the index in "
            "INPUT, too; one of --operator must not read an index.\n"
            "All data must fit the device at once, beside a copy of it."),
    ROW("runs", "KEYS", OPTION_PATH, FIELD(runs), "a result for each run of equal keys in a file",
        .joint = OF_PARTS,
        .manual = "Give a result for each run of consecutive elements whose keys have equal bits, "
                  "in the order of the runs. KEYS is a file with a key for each element, of any "
                  "type, which may have several components, as a picture in colour has. Keys in "
                  "order have one run for each key, which costs less than --by. argmin and argmax "
                  "count inside the run."),
    ROW("algorithm", "NAME|help", OPTION_WORD, FIELD(data.algorithm),
        "how the work is cut into dispatches",
        .manual = "How the work is cut into dispatches; help lists the names. pingpong and "
                  "recursive-2d support only images."),
    ROWS_OF(determinism_rows, FIELD(determinism)),
    ROW("nan", "ignore|propagate|skip", OPTION_WORD, FIELD(nan),
        "how min, max and similar operators treat NaN; skip leaves it out",
        .manual =
            "How min, max and similar operators treat NaN; skip leaves NaN out of all operators.",
        .joint = OF_VALUES, .max = 3, .word = nan_word),
    ROW("by-value", NULL, OPTION_FLAG, FIELD(by_value), BY_VALUE, .joint = OF_VALUES,
        .manual = BY_VALUE_MANUAL),
    ROW("sample", NULL, OPTION_FLAG, FIELD(sample),
        "variance and stddev divide by one less than the count"),
    ROW("accumulator", "T", OPTION_WORD, FIELD(accumulator),
        "type of sums: i64 u64 f64, or i32 u32 instead of 64 bits",
        .manual = "The type of sums: i64, u64 or f64. i32 or u32 replaces the 64-bit integers that "
                  "a reduction uses by default and that some devices lack.",
        .min = 1, .max = VKR_TYPE_COUNT, .word = type_word),
    ROWS_OF(texel_rows, FIELD(texels)),
    ROWS_OF(data_rows, FIELD(data)),
    {0}};

const command reduce_command = {
    .name = "reduce",
    .operands = "OP[,OP...] INPUT [INPUT2]",
    .summary = "all OPs in one read of the data",
    .description =
        "Computes one or more operators in one read of the data, for each component or channel. "
        "Sums, products, sums of squares, L1 norms and dot products of integers are 64 bits wide.",
    .examples = {"vkreduce reduce min,max,mean,argmin data.npy --verify",
                 "vkreduce reduce sum picture.png --segments rows:512 -o sums.npy",
                 "vkreduce reduce sum,max v.npy --by k.npy -o out.npy --keys keys.npy",
                 "vkreduce reduce mean picture.hdr --map log2-luminance"},
    .topics = {&op_topic, &input_topic, &segments_topic, &type_topic, &reduce_topic},
    .choice = &op_topic,
    .min_operands = 2,
    .max_operands = 3,
    .file_option = "operator",
    .file_field = FIELD(operator_file),
    .options_size = sizeof(reduce_options),
    .options = rows,
    .algorithms = {algorithm_word, meanings, VKR_REDUCE_ALGORITHM_COUNT, 12},
    .run = reduce_run};
