/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include "commands/scan/options.h"
#include "command_line/topics.h"
#include "commands/groups.h"

#define FIELD(name) offsetof(scan_options, name)

static const char *algorithm_word(uint32_t index)
{
    return vkrScanAlgorithmName((VkrScanAlgorithm)index);
}

static void list_algorithms(void)
{
    static const char *const meanings[VKR_SCAN_ALGORITHM_COUNT] = {
        [VKR_SCAN_AUTO] = "the best for the device; supports every valid request",
        [VKR_SCAN_REDUCE_THEN_SCAN] = "reduces runs, scans the totals, reads the elements again",
        [VKR_SCAN_SINGLE_PASS] = "one read; workgroups look back at what others published",
        [VKR_SCAN_HILLIS_STEELE] = "log n dispatches (Hillis and Steele 1986)",
        [VKR_SCAN_BLELLOCH] = "2 log n dispatches, up and down a tree (Blelloch 1990)",
    };
    for (int i = 0; i < VKR_SCAN_ALGORITHM_COUNT; i++)
        printf("%-17s %s\n", vkrScanAlgorithmName((VkrScanAlgorithm)i), meanings[i]);
}

static const topic op_topic = {.name = "OP",
                               .help = "sum product min max and or xor",
                               .manual = "sum, product, min, max, and, or or xor."};

static const topic segments_topic = {
    .name = "WHERE",
    .help = "rows:LEN             runs of LEN elements\n"
            "offsets:FILE.npy     where segments start\n"
            "flags:FILE.npy       a value for each element, not 0 where a segment starts",
    .manual = "rows:LEN: runs of LEN elements, of which the last one may be shorter.\n"
              "offsets:FILE.npy: the elements where segments start, as integers of 32 or 64 bits.\n"
              "flags:FILE.npy: a value for each element, not 0 where a segment starts."};

static const option_row rows[] = {
    {.name = "output",
     .argument = "FILE",
     .help = "the results, as .npy",
     .kind = OPTION_PATH,
     .field = FIELD(output)},
    {.name = "exclusive",
     .help = "each result is without the element itself",
     .kind = OPTION_FLAG,
     .field = FIELD(exclusive)},
    {.name = "reverse",
     .help = "from the last element to the first",
     .kind = OPTION_FLAG,
     .field = FIELD(reverse)},
    {.name = "initial",
     .argument = "V",
     .help = "start with this value",
     .kind = OPTION_TEXT,
     .field = FIELD(initial)},
    {.name = "segments",
     .argument = "WHERE",
     .help = "start anew in each segment",
     .kind = OPTION_TEXT,
     .field = FIELD(segments)},
    {.name = "algorithm",
     .argument = "NAME|help",
     .help = "how the work is cut into dispatches",
     .manual = "How the work is cut into dispatches; help lists the names.",
     .kind = OPTION_WORD,
     .field = FIELD(algorithm),
     .max = VKR_SCAN_ALGORITHM_COUNT,
     .word = algorithm_word},
    {.name = "determinism",
     .argument = "none|run|device",
     .help = "how repeatable float sums are",
     .kind = OPTION_WORD,
     .field = FIELD(determinism),
     .max = 3,
     .word = determinism_word},
    {.name = "nan",
     .argument = "ignore|propagate|skip",
     .help = "what min, max and the like do with NaN",
     .manual = "What min, max and the like do with NaN.",
     .kind = OPTION_WORD,
     .field = FIELD(nan),
     .max = 3,
     .word = nan_word},
    {.name = "accumulator",
     .argument = "T",
     .help = "the type of sums: i64, u64 or f64",
     .kind = OPTION_WORD,
     .field = FIELD(accumulator),
     .min = 1,
     .max = VKR_TYPE_COUNT,
     .word = type_word},
    {0}};

const command scan_command = {
    .name = "scan",
    .operands = "OP INPUT -o OUT.npy",
    .summary = "prefix sums, and the like with other OPs",
    .description = "Writes the prefix sums of the data, or the same with another operator, in the "
                   "operator's default type.",
    .examples = {"vkreduce scan sum data.npy -o sums.npy --exclusive",
                 "vkreduce scan max data.npy -o maxima.npy --segments rows:300"},
    .topics = {&op_topic, &input_topic, &segments_topic, &type_topic},
    .min_operands = 2,
    .max_operands = 2,
    .options_size = sizeof(scan_options),
    .groups = {{rows, 0},
               {input_rows, FIELD(input)},
               {stream_rows, FIELD(task)},
               {device_rows, FIELD(task.device)},
               {profile_rows, FIELD(task.device)},
               {execution_rows, FIELD(task)},
               {json_rows, FIELD(json)}},
    .list_algorithms = list_algorithms,
    .run = scan_run};
