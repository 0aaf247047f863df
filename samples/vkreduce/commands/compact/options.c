/* SPDX-License-Identifier: MIT */
#include "commands/compact/compact.h"
#include "commands/groups.h"

#define FIELD(name) offsetof(compact_options, name)

static const char *algorithm_word(uint32_t index)
{
    return vkrCompactAlgorithmName((VkrCompactAlgorithm)index);
}

static const char *block_scan_word(uint32_t index)
{
    return vkrBlockScanName((VkrBlockScan)index);
}

static const char *search_word(uint32_t index)
{
    return vkrStreamSearchName((VkrStreamSearch)index);
}

static const char *concatenation_word(uint32_t index)
{
    return vkrConcatenationName((VkrConcatenation)index);
}

static const char *const meanings[VKR_COMPACT_ALGORITHM_COUNT] = {
    [VKR_COMPACT_AUTO] = "the best for the device; supports every valid request",
    [VKR_COMPACT_SCAN_SCATTER] = "counts runs, scans the counts, reads the elements again",
    [VKR_COMPACT_SINGLE_PASS] = "one read; workgroups look back at the totals of earlier ones",
    [VKR_COMPACT_HORN] = "prefix sums in log2 n passes, then a search of the whole stream (2005)",
    [VKR_COMPACT_BLELLOCH_GATHER] = "prefix sums in 2 log2 n passes, then the same search (2006)",
    [VKR_COMPACT_ROGER] = "sums and searches in blocks, which are then joined (2007)",
    [VKR_COMPACT_ROGER_SEQUENTIAL] = "a loop for each block; the blocks are joined as by roger",
};

const topic predicate_topic = {
    .name = "PREDICATE",
    .word = predicate_word,
    .end = PREDICATE_WORDS,
    .explained = true,
    .help = "nonzero, finite, nan, unique (the first of each run of equal elements),\n"
            "flags:FILE.npy, or a comparison such as 'x>0.5', 'x!=7' or '0.2<=x<0.8'; x, y, z\n"
            "and w are an element's components. A leading ! inverts the predicate.",
    .manual =
        "nonzero, finite, nan, or unique, which keeps the first of each run of equal elements.\n"
        "flags:FILE.npy: one value for each element, which is kept where it is not 0.\n"
        "A comparison such as 'x>0.5', 'x!=7' or '0.2<=x<0.8'. x, y, z and w are an element's "
        "components.\n"
        "A leading ! inverts the predicate."};

static const option_row rows[] = {
    ROW("output", "FILE", OPTION_PATH, FIELD(output),
        "the kept elements, as .npy; - is the standard output",
        .manual = "Write the kept elements as .npy." STANDARD_OUTPUT
                  " The same holds for the other outputs, of which only one can be -."),
    ROW("indices", "FILE", OPTION_PATH, FIELD(indices), "the indices of the kept elements"),
    ROW("rejected", "FILE", OPTION_PATH, FIELD(rejected), "the other elements"),
    ROW("rejected-indices", "FILE", OPTION_PATH, FIELD(rejected_indices),
        "the indices of the other elements"),
    ROW("run-lengths", "FILE", OPTION_PATH, FIELD(run_lengths),
        "the distance from each kept element to the next"),
    ROW("predicate", "FILE", OPTION_PATH, FIELD(predicate),
        "call the function keep in FILE.glsl or .spv, in place of PREDICATE", .functions = true,
        .manual =
            "Keep the elements for which the function keep of FILE returns true; there is then no "
            "PREDICATE, only INPUT. See FUNCTIONS. --verify compares with a reference of what the "
            "function returned in the same execution; it cannot tell whether that is right."),
    ROWS_OF(by_value_rows, FIELD(by_value)),
    ROW("capacity", "N", OPTION_NUMBER, FIELD(capacity),
        "keep no more than N elements, but count all", .min = 1, .max = UINT64_MAX),
    ROWS_OF(algorithm_rows, FIELD(data)),
    ROW("block", "S", OPTION_NUMBER, FIELD(block),
        "roger: a block has S elements, 8 to 1024 (default 64)",
        .manual = "With the algorithms roger and roger-sequential: a block has S elements, a power "
                  "of two from 8 to 1024 (default 64).",
        .min = 8, .max = 1024),
    ROW("block-scan", "NAME", OPTION_WORD, FIELD(block_scan),
        "roger: hillis-steele (default), blelloch or hybrid",
        .manual = "With roger: the algorithm for prefix sums inside blocks: hillis-steele "
                  "(default), blelloch or hybrid. The totals of the blocks are summed by the same "
                  "algorithm, except that hybrid uses hillis-steele for them.",
        .max = VKR_BLOCK_SCAN_COUNT, .word = block_scan_word),
    ROW("search", "for|while", OPTION_WORD, FIELD(search),
        "search of horn and blelloch-gather (default for) and roger (while)",
        .manual = "With horn, blelloch-gather and roger: how to search for an element. With for, "
                  "the number of halvings is fixed (the default of horn and blelloch-gather); with "
                  "while, the search stops when the element is found, and its bounds shrink faster "
                  "(the default of roger).",
        .min = VKR_STREAM_SEARCH_FOR, .max = VKR_STREAM_SEARCH_COUNT, .word = search_word),
    ROW("concat", "segments|elements", OPTION_WORD, FIELD(concatenation),
        "how roger copies the kept elements of blocks (default segments)",
        .manual = "With roger and roger-sequential: how to copy the elements that a block keeps. "
                  "With segments, a row of invocations copies them as one segment; with elements, "
                  "each is copied by an invocation of its own.",
        .max = VKR_CONCATENATION_COUNT, .word = concatenation_word),
    ROWS_OF(data_rows, FIELD(data)),
    {0}};

const command compact_command = {
    .name = "compact",
    .operands = "PREDICATE INPUT [-o OUT.npy]",
    .summary = "the elements to keep, in their order",
    .description = "Counts the elements that a predicate keeps, and writes them, or their indices, "
                   "in their order.",
    .examples = {"vkreduce compact '0.2<=x<0.8' data.npy -o kept.npy --indices where.npy",
                 "vkreduce compact unique sorted.npy -o values.npy --run-lengths counts.npy",
                 "vkreduce compact --predicate keep.glsl data.npy -o kept.npy"},
    .topics = {&predicate_topic, &input_topic, &type_topic, &keep_topic},
    .choice = &predicate_topic,
    .min_operands = 2,
    .max_operands = 2,
    .file_option = "predicate",
    .file_field = FIELD(predicate),
    .options_size = sizeof(compact_options),
    .options = rows,
    .algorithms = {algorithm_word, meanings, VKR_COMPACT_ALGORITHM_COUNT, 16},
    .run = compact_run};
