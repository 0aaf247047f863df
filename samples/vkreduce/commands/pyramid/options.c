/* SPDX-License-Identifier: MIT */
#include "commands/pyramid/pyramid.h"
#include "commands/groups.h"

#define FIELD(name) offsetof(pyramid_options, name)

static const char *algorithm_word(uint32_t index)
{
    return vkrPyramidAlgorithmName((VkrPyramidAlgorithm)index);
}

static const char *const meanings[VKR_PYRAMID_ALGORITHM_COUNT] = {
    [VKR_PYRAMID_AUTO] = "the best for the device; supports every valid request",
    [VKR_PYRAMID_PINGPONG] = "a dispatch for each level (Goeddeke 2005)",
    [VKR_PYRAMID_RECURSIVE_2D] = "a dispatch for four levels (OPENRNDR)",
    [VKR_PYRAMID_SINGLE] = "a dispatch for twelve; the workgroup that finishes last continues",
};

static const topic op_topic = {
    .name = "OP", .help = "min max minmax average", .manual = "min, max, minmax or average."};

static const topic image_topic = {
    .name = "IMAGE",
    .help = "a .png or .hdr file, or a .npy file of two dimensions with u8, u16 or f32"};

static const option_row rows[] = {
    ROW("output", "DIRECTORY", OPTION_PATH, FIELD(output),
        "where the levels go: OP-K.npy, and OP-K.png of integers",
        .manual = "The directory of the levels, which may exist: OP-K.npy for level K, and "
                  "OP-K.png where the picture has integers."),
    ROWS_OF(algorithm_rows, FIELD(data)),
    ROWS_OF(device_rows, FIELD(data.task.device)),
    ROWS_OF(execution_rows, FIELD(data.task)),
    ROWS_OF(json_rows, FIELD(data.json)),
    {0}};

const command pyramid_command = {
    .name = "pyramid",
    .operands = "min|max|minmax|average IMAGE -o DIRECTORY",
    .summary = "a picture's levels down to one texel",
    .description =
        "Writes a picture's levels, each half as large as the one before, down to one texel: "
        "minima, maxima or averages of what a texel covers, as a .npy file for each level, and a "
        ".png file where the picture has integers. Levels of the same names that an earlier run "
        "has left in the directory and that this picture lacks are removed.",
    .examples = {"vkreduce pyramid average picture.png -o levels"},
    .topics = {&op_topic, &image_topic},
    .min_operands = 2,
    .max_operands = 2,
    .options_size = sizeof(pyramid_options),
    .options = rows,
    .algorithms = {algorithm_word, meanings, VKR_PYRAMID_ALGORITHM_COUNT, 12},
    .run = pyramid_run};
