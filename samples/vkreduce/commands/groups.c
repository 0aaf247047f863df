/* SPDX-License-Identifier: MIT */
#include "commands/groups.h"
#include "command_line/topics.h"
#include "device/task.h"
#include "device/texels.h"
#include "input/input.h"

const char *determinism_word(uint32_t index)
{
    static const char *const words[] = {"run", "none", "device"};
    return words[index];
}

const char *nan_word(uint32_t index)
{
    static const char *const words[] = {"ignore", "propagate", "skip"};
    return words[index];
}

static const char *map_word(uint32_t index)
{
    static const char *const words[] = {"none", "luminance", "log2-luminance"};
    return words[index];
}

const option_row device_rows[] = {
    {.name = "device",
     .argument = "INDEX|NAME-PART",
     .help = "which device (default: a GPU if there is one)",
     .manual = "Which device: its number in the list of vkreduce devices, or a part of its name "
               "or of its driver's. A GPU, if there is one, where this is not given.",
     .kind = OPTION_TEXT,
     .field = offsetof(device_options, device)},
    {0}};

const option_row profile_rows[] = {{.name = "profile",
                                    .argument = "FILE",
                                    .help = "use the tuning rows in FILE, which tune has written",
                                    .kind = OPTION_PATH,
                                    .field = offsetof(device_options, profile)},
                                   {0}};

const option_row execution_rows[] = {
    {.name = "repeat",
     .argument = "N",
     .help = "the median time of N executions after an untimed one",
     .manual = "Time N executions, of all chunks, after one that is not timed, and print the "
               "median.",
     .kind = OPTION_NUMBER,
     .field = offsetof(task_options, repeat),
     .min = 1,
     .max = 1000000},
    {.name = "verify",
     .help = "compare with a scalar reference on the CPU",
     .kind = OPTION_FLAG,
     .field = offsetof(task_options, verify)},
    {0}};

const option_row stream_rows[] = {
    {.name = "count-on-gpu",
     .help = "the GPU reads the element count from a buffer",
     .kind = OPTION_FLAG,
     .field = offsetof(task_options, count_on_gpu)},
    {.name = "staging",
     .help = "upload by copies even where memory can be written directly",
     .kind = OPTION_FLAG,
     .field = offsetof(task_options, staging)},
    {.name = "chunk",
     .argument = "BYTES",
     .help = "stream in chunks of BYTES of each INPUT; KiB, MiB or GiB may follow",
     .manual = "Stream in chunks of that many bytes of each INPUT; KiB, MiB or GiB may follow the "
               "number.",
     .kind = OPTION_SIZE,
     .field = offsetof(task_options, chunk),
     .min = 1,
     .max = UINT64_MAX},
    {0}};

const option_row input_rows[] = {
    {.name = "type",
     .argument = "T",
     .help = "type of raw and random values",
     .kind = OPTION_WORD,
     .field = offsetof(input_options, type),
     .min = 1,
     .max = VKR_TYPE_COUNT,
     .word = type_word},
    {.name = "components",
     .argument = "N",
     .help = "values per element, each with results of its own (1 to 4)",
     .manual = "The number of values in an element, from 1 to 4, each of which has results of its "
               "own.",
     .kind = OPTION_NUMBER,
     .field = offsetof(input_options, components),
     .min = 1,
     .max = VKR_MAX_COMPONENTS},
    {.name = "offset",
     .argument = "BYTES",
     .help = "where the first element starts, in each INPUT",
     .kind = OPTION_NUMBER,
     .field = offsetof(input_options, offset),
     .max = UINT64_MAX},
    {.name = "stride",
     .argument = "BYTES",
     .help = "from one element to the next",
     .manual = "The distance from one element to the next.",
     .kind = OPTION_NUMBER,
     .field = offsetof(input_options, stride),
     .min = 1,
     .max = UINT64_MAX},
    {0}};

const option_row texel_rows[] = {
    {.name = "as-image",
     .help = "read a picture through an image of the device",
     .manual = "Read a picture, or an array of two dimensions, through an image of the device. "
               "The results are the same.",
     .kind = OPTION_FLAG,
     .field = offsetof(texel_options, as_image)},
    {.name = "map",
     .argument = "NAME",
     .help = "make one number of each pixel first: luminance or log2-luminance",
     .manual = "Make one number of each pixel first: luminance, which is 0.2126 R + 0.7152 G + "
               "0.0722 B of the values as they are, and of one that is grey the value itself, or "
               "log2-luminance, its logarithm to base 2.",
     .kind = OPTION_WORD,
     .field = offsetof(texel_options, map),
     .min = MAP_LUMINANCE,
     .max = MAP_END,
     .word = map_word},
    {0}};

const option_row json_rows[] = {
    {.name = "json", .help = "print one JSON object and nothing else", .kind = OPTION_FLAG}, {0}};
