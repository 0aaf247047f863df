/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include "commands/reduce/options.h"
#include "command_line/topics.h"
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

static void list_algorithms(void)
{
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
    for (int i = 0; i < VKR_REDUCE_ALGORITHM_COUNT; i++)
        printf("%-12s %s\n", vkrReduceAlgorithmName((VkrReduceAlgorithm)i), meanings[i]);
}

static const topic op_topic = {.name = "OP",
                               .word = op_word,
                               .end = VKR_OP_BITS,
                               .help = "dot reads INPUT2, of the same type and length as INPUT",
                               .manual = "dot reads a second input of the same type and length."};

static const topic segments_topic = {
    .name = "WHERE",
    .help = "rows:LEN             runs of LEN elements\n"
            "columns:LEN          of rows of LEN elements the i-th of every row\n"
            "windows:LEN          every run of LEN consecutive elements\n"
            "offsets:FILE.npy     offset i to offset i + 1, such as a CSR matrix's row pointers",
    .manual = "rows:LEN: runs of LEN elements. The number of elements must be a multiple of LEN.\n"
              "columns:LEN: of rows of LEN elements the i-th of every row.\n"
              "windows:LEN: every run of LEN consecutive elements.\n"
              "offsets:FILE.npy: from offset i to offset i + 1, such as the row pointers of a "
              "matrix in CSR. Offsets are integers of 32 or 64 bits."};

static const option_row rows[] = {
    {.name = "segments",
     .argument = "WHERE",
     .help = "a result for each segment, in place of one for all",
     .kind = OPTION_TEXT,
     .field = FIELD(segments)},
    {.name = "tiles",
     .argument = "WxH",
     .help = "a result for each W x H elements of a picture or a 2-D array",
     .manual = "Give a result for each W x H elements of a picture or an array of two dimensions, "
               "row by row; tiles at the right and at the bottom have what there is.",
     .kind = OPTION_TEXT,
     .field = FIELD(tiles)},
    {.name = "algorithm",
     .argument = "NAME|help",
     .help = "how the work is cut into dispatches",
     .manual = "How the work is cut into dispatches; help lists the names. pingpong and "
               "recursive-2d take images only.",
     .kind = OPTION_WORD,
     .field = FIELD(algorithm),
     .max = VKR_REDUCE_ALGORITHM_COUNT,
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
     .help = "what min, max and the like do with NaN; skip leaves it out",
     .manual = "What min, max and the like do with NaN; skip leaves NaN out of all operators.",
     .kind = OPTION_WORD,
     .field = FIELD(nan),
     .max = 3,
     .word = nan_word},
    {.name = "sample",
     .help = "variance and stddev divide by one less than the count",
     .kind = OPTION_FLAG,
     .field = FIELD(sample)},
    {.name = "accumulator",
     .argument = "T",
     .help = "of sums: i64 u64 f64, or i32 u32 in place of 64 bits",
     .manual = "The type of sums: i64, u64 or f64, or i32 or u32 in place of the 64 bits of a "
               "reduction, which a device without 64-bit integers cannot give.",
     .kind = OPTION_WORD,
     .field = FIELD(accumulator),
     .min = 1,
     .max = VKR_TYPE_COUNT,
     .word = type_word},
    {0}};

const command reduce_command = {
    .name = "reduce",
    .operands = "OP[,OP...] INPUT [INPUT2]",
    .summary = "all OPs in one read of the data",
    .description =
        "Computes one or more operators in one read of the data, for each component or channel. "
        "Sums, products, sums of squares, L1 norms and dot products of integers are 64 bits wide.",
    .examples = {"vkreduce reduce min,max,mean,argmin data.npy --verify",
                 "vkreduce reduce sum picture.png --segments rows:512 --json",
                 "curl -s https://example.org/data.npy | vkreduce reduce l2 -",
                 "vkreduce reduce mean picture.hdr --map log2-luminance"},
    .topics = {&op_topic, &input_topic, &segments_topic, &type_topic},
    .min_operands = 2,
    .max_operands = 3,
    .options_size = sizeof(reduce_options),
    .groups = {{rows, 0},
               {texel_rows, FIELD(texels)},
               {input_rows, FIELD(input)},
               {stream_rows, FIELD(task)},
               {device_rows, FIELD(task.device)},
               {profile_rows, FIELD(task.device)},
               {execution_rows, FIELD(task)},
               {json_rows, FIELD(json)}},
    .list_algorithms = list_algorithms,
    .run = reduce_run};
