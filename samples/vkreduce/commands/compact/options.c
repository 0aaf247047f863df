/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include "commands/compact/options.h"
#include "command_line/topics.h"
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

static void list_algorithms(void)
{
    static const char *const meanings[VKR_COMPACT_ALGORITHM_COUNT] = {
        [VKR_COMPACT_AUTO] = "the best for the device; supports every valid request",
        [VKR_COMPACT_SCAN_SCATTER] = "counts runs, scans the counts, reads the elements again",
        [VKR_COMPACT_SINGLE_PASS] = "one read; workgroups look back at what others published",
        [VKR_COMPACT_HORN] = "sums by log2 n passes, a search of the whole stream (2005)",
        [VKR_COMPACT_BLELLOCH_GATHER] = "sums by 2 log2 n passes, the same search (2006)",
        [VKR_COMPACT_ROGER] = "sums and searches in blocks, which are then joined (2007)",
        [VKR_COMPACT_ROGER_SEQUENTIAL] = "a loop for each block, and the same joining",
    };
    for (int i = 0; i < VKR_COMPACT_ALGORITHM_COUNT; i++)
        printf("%-16s %s\n", vkrCompactAlgorithmName((VkrCompactAlgorithm)i), meanings[i]);
}

static const topic predicate_topic = {
    .name = "PREDICATE",
    .help = "nonzero, finite, nan, unique (the first of each run of equal elements),\n"
            "flags:FILE.npy, or a comparison such as 'x>0.5', 'x!=7' or '0.2<=x<0.8'; x is an\n"
            "element's first component, then come y, z and w. A leading ! keeps all others.",
    .manual = "nonzero, finite, nan, or unique, which keeps the first of each run of equal "
              "elements.\n"
              "flags:FILE.npy: one value for each element, which is kept where it is not 0.\n"
              "A comparison such as 'x>0.5', 'x!=7' or '0.2<=x<0.8'. x is an element's first "
              "component; then come y, z and w.\n"
              "A leading ! keeps all others."};

static const option_row rows[] = {
    {.name = "output",
     .argument = "FILE",
     .help = "the kept elements, as .npy",
     .kind = OPTION_PATH,
     .field = FIELD(output)},
    {.name = "indices",
     .argument = "FILE",
     .help = "the indices of the kept elements",
     .kind = OPTION_PATH,
     .field = FIELD(indices)},
    {.name = "rejected",
     .argument = "FILE",
     .help = "the other elements",
     .kind = OPTION_PATH,
     .field = FIELD(rejected)},
    {.name = "rejected-indices",
     .argument = "FILE",
     .help = "the indices of the other elements",
     .kind = OPTION_PATH,
     .field = FIELD(rejected_indices)},
    {.name = "run-lengths",
     .argument = "FILE",
     .help = "the distance from each kept element to the next",
     .kind = OPTION_PATH,
     .field = FIELD(run_lengths)},
    {.name = "capacity",
     .argument = "N",
     .help = "keep no more than N elements, but count all",
     .kind = OPTION_NUMBER,
     .field = FIELD(capacity),
     .min = 1,
     .max = UINT64_MAX},
    {.name = "algorithm",
     .argument = "NAME|help",
     .help = "how the work is cut into dispatches",
     .manual = "How the work is cut into dispatches; help lists the names.",
     .kind = OPTION_WORD,
     .field = FIELD(algorithm),
     .max = VKR_COMPACT_ALGORITHM_COUNT,
     .word = algorithm_word},
    {.name = "block",
     .argument = "S",
     .help = "roger: a block has S elements, 8 to 1024 (default 64)",
     .manual = "With the algorithms roger and roger-sequential: a block has S elements, a power of "
               "two from 8 to 1024 (default 64).",
     .kind = OPTION_NUMBER,
     .field = FIELD(block),
     .min = 8,
     .max = 1024},
    {.name = "block-scan",
     .argument = "NAME",
     .help = "roger: hillis-steele (default), blelloch or hybrid",
     .manual = "With roger: how prefix sums inside blocks are made: hillis-steele (default), "
               "blelloch or hybrid. Those of the totals of blocks are made in the same way, where "
               "hybrid is hillis-steele.",
     .kind = OPTION_WORD,
     .field = FIELD(block_scan),
     .max = VKR_BLOCK_SCAN_COUNT,
     .word = block_scan_word},
    {.name = "search",
     .argument = "for|while",
     .help = "search of horn and blelloch-gather (default for) and roger (while)",
     .manual = "With horn, blelloch-gather and roger: search for elements by a fixed number of "
               "halvings (the default of the first two), or until one is found, with bounds that "
               "shrink faster (the default of roger).",
     .kind = OPTION_WORD,
     .field = FIELD(search),
     .min = VKR_STREAM_SEARCH_FOR,
     .max = VKR_STREAM_SEARCH_COUNT,
     .word = search_word},
    {.name = "concat",
     .argument = "segments|elements",
     .help = "how roger copies the kept elements of blocks (default segments)",
     .manual = "With roger and roger-sequential: what a block keeps is copied by a row of "
               "invocations, as one segment, or each element by an invocation of its own.",
     .kind = OPTION_WORD,
     .field = FIELD(concatenation),
     .max = VKR_CONCATENATION_COUNT,
     .word = concatenation_word},
    {0}};

const command compact_command = {
    .name = "compact",
    .operands = "PREDICATE INPUT [-o OUT.npy]",
    .summary = "the elements to keep, in their order",
    .description = "Counts the elements that a predicate keeps, and writes them, or their indices, "
                   "in their order.",
    .examples = {"vkreduce compact '0.2<=x<0.8' data.npy -o kept.npy --indices where.npy",
                 "vkreduce compact unique sorted.npy -o values.npy --run-lengths counts.npy"},
    .topics = {&predicate_topic, &input_topic, &type_topic},
    .min_operands = 2,
    .max_operands = 2,
    .options_size = sizeof(compact_options),
    .groups = {{rows, 0},
               {input_rows, FIELD(input)},
               {stream_rows, FIELD(task)},
               {device_rows, FIELD(task.device)},
               {profile_rows, FIELD(task.device)},
               {execution_rows, FIELD(task)},
               {json_rows, FIELD(json)}},
    .list_algorithms = list_algorithms,
    .run = compact_run};
