/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "commands/pyramid/pyramid.h"
#include "commands/groups.h"
#include "status.h"

#define FIELD(name) offsetof(pyramid_options, name)

static const char *algorithm_word(uint32_t index)
{
    return vkrPyramidAlgorithmName((VkrPyramidAlgorithm)index);
}

static const char *const meanings[VKR_PYRAMID_ALGORITHM_COUNT] = {
    [VKR_PYRAMID_AUTO] = "the best for the device; supports every valid request",
    [VKR_PYRAMID_PINGPONG] = "a dispatch for each level (Goeddeke 2005)",
    [VKR_PYRAMID_RECURSIVE_2D] = "a dispatch for four levels (OPENRNDR)",
    [VKR_PYRAMID_SINGLE] =
        "a dispatch for twelve levels; the workgroup that finishes last continues",
    [VKR_PYRAMID_HYBRID] =
        "single for even sizes, pingpong for large odd ones, single for the rest",
};

static const struct {
    const char *name;
    VkrOpFlags ops;
} words[] = {{"min", VKR_OP_MIN},
             {"max", VKR_OP_MAX},
             {"minmax", VKR_OP_MIN | VKR_OP_MAX},
             {"average", VKR_OP_MEAN}};

enum { WORDS = sizeof words / sizeof words[0] };

static const char *op_word(uint32_t index)
{
    return words[index].name;
}

static const topic op_topic = {.name = "OP", .word = op_word, .end = WORDS};

int pyramid_parse_ops(const char *text, VkrOpFlags *ops)
{
    for (uint32_t i = 0; i < WORDS; i++)
        if (strcmp(text, words[i].name) == 0) {
            *ops = words[i].ops;
            return STATUS_DONE;
        }
    return fail(STATUS_USAGE,
                "'%s' is not an OP of pyramid; it must be min, max, minmax or average", text);
}

static const topic image_topic = {
    .name = "IMAGE",
    .help = "a .png, .hdr or .exr file, or a two-dimensional .npy file, of u8, u16, f16 or f32",
    .manual =
        "A .png, .hdr or .exr picture, or a two-dimensional .npy file, of u8, u16, f16 or f32. "
        "Values of f16 are converted to f32, and so the levels are f32."};

static const option_row rows[] = {
    ROW("output", "DIRECTORY", OPTION_PATH, FIELD(output),
        "the directory for the levels: OP-K.npy, and OP-K.png for integers",
        .manual = "The directory for the levels, which may already exist. Level K becomes "
                  "OP-K.npy, and also OP-K.png if the picture has integers. After success, "
                  "min-K, max-K and average-K with .npy or .png are removed from the directory for "
                  "every K beyond this picture's last level: they are from a larger picture. Other "
                  "files stay."),
    ROWS_OF(channel_rows, FIELD(data.input)),
    ROWS_OF(algorithm_rows, FIELD(data)),
    ROWS_OF(device_rows, FIELD(data.task.device)),
    ROWS_OF(profile_rows, FIELD(data.task.device)),
    ROWS_OF(plan_rows, FIELD(data.task)),
    ROWS_OF(execution_rows, FIELD(data.task)),
    ROWS_OF(json_rows, FIELD(data.json)),
    {0}};

const command pyramid_command = {
    .name = "pyramid",
    .operands = "min|max|minmax|average IMAGE -o DIRECTORY",
    .summary = "a picture's levels down to one texel",
    .description =
        "Writes a picture's levels, each half as large as the one before, down to one texel: "
        "minima, maxima or averages of what a texel covers. Each level becomes a .npy file, and "
        "also a .png file if the picture has integers. Files of levels that this picture "
        "lacks, from a run on a larger one, are removed from the directory.",
    .examples = {"vkreduce pyramid average picture.png -o levels"},
    .topics = {&op_topic, &image_topic},
    .choice = &op_topic,
    .min_operands = 2,
    .max_operands = 2,
    .options_size = sizeof(pyramid_options),
    .options = rows,
    .algorithms = {algorithm_word, meanings, VKR_PYRAMID_ALGORITHM_COUNT, 12},
    .run = pyramid_run};
