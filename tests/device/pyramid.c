/* SPDX-License-Identifier: MIT */
/*
 * vkrCmdPyramid against the oracle, bit by bit: formats, operators, shapes, rules, algorithms and
 * limits pairwise, each with several sizes; every size up to 67 x 67; large sizes; and few storage
 * images. VKR_TEST_AVERAGES is the number of additional random rows with averages, VKR_TEST_MINIMA
 * of those with minima and maxima.
 */
#include <stdio.h>
#include <string.h>

#include "pyramid_request.h"

enum { AXIS_FORMAT, AXIS_OPS, AXIS_SHAPE, AXIS_FIRST, AXIS_ALGORITHM, AXIS_LIMITS };

#define NONE VK_FORMAT_UNDEFINED
#define COLOR VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT

static const VkrOpFlags op_sets[] = {VKR_OP_MEAN, VKR_OP_MIN, PAIR, VKR_OP_MAX};
static const VkImageViewType shapes[] = {VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY};
static const limits_row limits[] = {LIMITS_DEVICE, LIMITS_SMALL, LIMITS_SHARED_SMALL};

/* A source format with its aspect, and the formats of levels with one value and with a pair (NONE:
 * not tested). Two of these make a row: one is chosen at random; if the device does not support it,
 * the other one is used. */
typedef struct format_row {
    VkFormat source;
    VkImageAspectFlagBits aspect;
    VkFormat level, pair;
} format_row;

#define FORMAT_ROWS 16u
static const format_row format_rows[FORMAT_ROWS][2] = {
    {{VK_FORMAT_R8G8B8A8_UNORM, COLOR, VK_FORMAT_R8G8B8A8_UNORM, NONE},
     {VK_FORMAT_B8G8R8A8_UNORM, COLOR, VK_FORMAT_B8G8R8A8_UNORM, NONE}},
    {{VK_FORMAT_D32_SFLOAT, DEPTH, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT},
     {VK_FORMAT_D32_SFLOAT_S8_UINT, DEPTH, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT}},
    {{VK_FORMAT_D16_UNORM, DEPTH, VK_FORMAT_R16_UNORM, VK_FORMAT_R16G16_UNORM},
     {VK_FORMAT_R16_UNORM, COLOR, VK_FORMAT_R8_UNORM, VK_FORMAT_R8G8_UNORM}},
    {{VK_FORMAT_X8_D24_UNORM_PACK32, DEPTH, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT},
     {VK_FORMAT_D24_UNORM_S8_UINT, DEPTH, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT}},
    {{VK_FORMAT_R32_SFLOAT, COLOR, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT},
     {VK_FORMAT_R32G32_SFLOAT, COLOR, VK_FORMAT_R32G32_SFLOAT, VK_FORMAT_R32G32B32A32_SFLOAT}},
    {{VK_FORMAT_R16G16_SFLOAT, COLOR, VK_FORMAT_R16G16_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT},
     {VK_FORMAT_R32_SFLOAT, COLOR, VK_FORMAT_R16_SFLOAT, VK_FORMAT_R16G16_SFLOAT}},
    {{VK_FORMAT_R32G32B32A32_SFLOAT, COLOR, VK_FORMAT_R32G32B32A32_SFLOAT, NONE},
     {VK_FORMAT_R16G16B16A16_SFLOAT, COLOR, VK_FORMAT_R16G16B16A16_SFLOAT, NONE}},
    {{VK_FORMAT_R8_UINT, COLOR, VK_FORMAT_R8_UINT, VK_FORMAT_R8G8_UINT},
     {VK_FORMAT_R32_UINT, COLOR, VK_FORMAT_R8_UINT, VK_FORMAT_R8G8_UINT}},
    {{VK_FORMAT_R32_UINT, COLOR, VK_FORMAT_R32_UINT, VK_FORMAT_R32G32_UINT},
     {VK_FORMAT_R32G32_UINT, COLOR, VK_FORMAT_R32G32_UINT, VK_FORMAT_R32G32B32A32_UINT}},
    {{VK_FORMAT_R32_SINT, COLOR, VK_FORMAT_R32_SINT, VK_FORMAT_R32G32_SINT},
     {VK_FORMAT_R32G32B32A32_SINT, COLOR, VK_FORMAT_R32G32B32A32_SINT, NONE}},
    {{VK_FORMAT_R8G8B8A8_SINT, COLOR, VK_FORMAT_R8G8B8A8_SINT, NONE},
     {VK_FORMAT_R16_SINT, COLOR, VK_FORMAT_R16_SINT, VK_FORMAT_R16G16_SINT}},
    {{VK_FORMAT_R8G8_SNORM, COLOR, VK_FORMAT_R8G8_SNORM, VK_FORMAT_R8G8B8A8_SNORM},
     {VK_FORMAT_R16G16B16A16_SNORM, COLOR, VK_FORMAT_R16G16B16A16_SNORM, NONE}},
    {{VK_FORMAT_A2B10G10R10_UNORM_PACK32, COLOR, VK_FORMAT_A2B10G10R10_UNORM_PACK32, NONE},
     {VK_FORMAT_A2B10G10R10_UINT_PACK32, COLOR, VK_FORMAT_A2B10G10R10_UINT_PACK32, NONE}},
    {{VK_FORMAT_B10G11R11_UFLOAT_PACK32, COLOR, VK_FORMAT_B10G11R11_UFLOAT_PACK32, NONE},
     {VK_FORMAT_R32G32B32_SFLOAT, COLOR, VK_FORMAT_B10G11R11_UFLOAT_PACK32, NONE}},
    {{VK_FORMAT_S8_UINT, STENCIL, VK_FORMAT_R8_UINT, VK_FORMAT_R8G8_UINT},
     {VK_FORMAT_D32_SFLOAT_S8_UINT, STENCIL, VK_FORMAT_R8_UINT, VK_FORMAT_R8G8_UINT}},
    {{VK_FORMAT_R8G8B8A8_SRGB, COLOR, VK_FORMAT_R16G16B16A16_SFLOAT, NONE},
     {VK_FORMAT_R16G16B16A16_UINT, COLOR, VK_FORMAT_R16G16B16A16_UINT, NONE}},
};

static VkFormat level_of(const format_row *row, VkrOpFlags ops)
{
    return ops == PAIR ? row->pair : row->level;
}

static bool valid(const abilities *a, const uint32_t axes[MAX_AXES])
{
    const format_row *rows = format_rows[axes[AXIS_FORMAT]];
    const VkrOpFlags ops = op_sets[axes[AXIS_OPS]];
    return has_limits(a, limits[axes[AXIS_LIMITS]]) &&
           (level_of(&rows[0], ops) != NONE || level_of(&rows[1], ops) != NONE);
}

static void context(test_request *t)
{
    t->limits = limits[t->axes[AXIS_LIMITS]];
}

/* ---- A request ---- */

/* SwiftShader stores the infinities of narrow floats as NaN, and rounds floats of 16 bits wrongly
 * when it stores them. */
bool pyramid_stores_narrow(void)
{
    return strstr(rig.h.properties.deviceName, "SwiftShader") == NULL;
}

/* Whether the device has the formats, as far as the tests' images need them. */
static bool is_usable(const test_request *t, const format_row *row, VkrOpFlags ops)
{
    const VkFormat level = level_of(row, ops);
    const level_format *stored = find_level_format(level);
    const VkExtent2D any = {1, 1};
    /* Without this feature the shader must name the format, and SPIR-V has no name for BGRA. */
    const bool named =
        (limits_rows[t->limits].disabledFeatures & VKR_FEATURE_WRITE_WITHOUT_FORMAT) != 0;
    if (level == NONE || (named && level == VK_FORMAT_B8G8R8A8_UNORM) ||
        (stored->stored == ORACLE_FLOAT && stored->bits[0] < 32 && !pyramid_stores_narrow()))
        return false;
    const image_request source = {.format = find_image_format(row->source, row->aspect),
                                  .view_type = shapes[t->axes[AXIS_SHAPE]],
                                  .width = 1,
                                  .height = 1,
                                  .layers = 1,
                                  .level = 1};
    const chain_request chain = {stored, source.view_type, any, 1, 1};
    return image_supported(&rig.h, &source) && chain_supported(&rig.h, &chain);
}

static void make(test_request *t)
{
    static const VkExtent2D sizes[] = {{1, 1},   {1, 37},   {41, 1},   {31, 17},
                                       {64, 32}, {129, 67}, {13, 300}, {0, 0}};
    const uint32_t *axes = t->axes, turn = random_below(&t->structure, 2);
    const VkrOpFlags ops = op_sets[axes[AXIS_OPS]];
    const format_row *row = &format_rows[axes[AXIS_FORMAT]][turn];
    if (!is_usable(t, row, ops))
        row = &format_rows[axes[AXIS_FORMAT]][turn ^ 1];
    t->absent = !is_usable(t, row, ops);
    if (t->absent)
        return;
    pyramid_case c = {.source = row->source,
                      .aspect = row->aspect,
                      .level = level_of(row, ops),
                      .ops = ops,
                      .shape = shapes[axes[AXIS_SHAPE]],
                      .first = (VkrPyramidFirst)axes[AXIS_FIRST],
                      .algorithm = (VkrPyramidAlgorithm)axes[AXIS_ALGORITHM],
                      .size = sizes[t->layout % ARRAY_SIZE(sizes)],
                      .layers = axes[AXIS_SHAPE] == 0 ? 1 : 1 + test_below(t, 3)};
    if (c.size.width == 0)
        c.size = (VkExtent2D){1 + test_below(t, 200), 1 + test_below(t, 200)};
    if (c.size.width > t->most)
        c.size.width = t->most;
    if ((uint64_t)c.size.width * c.size.height * c.layers > t->most)
        c.size.height = c.layers = 1;
    pyramid_place(t, &c);
}

/* Random rows of choices that some drivers compile wrongly, or take minutes to compile. Averages of
 * integers are often ties. */
static bool make_hard(test_request *t, uint32_t number)
{
    static const struct {
        const char *count; /* the environment variable with the number of rows */
        uint32_t formats[4], ops, op_count, algorithm;
    } kinds[] = {{"VKR_TEST_AVERAGES", {0, 2, 11, 12}, 0, 1, VKR_PYRAMID_AUTO},
                 {"VKR_TEST_MINIMA", {1, 4, 1, 4}, 1, 3, VKR_PYRAMID_RECURSIVE_2D}};
    const uint32_t kind = number % ARRAY_SIZE(kinds);
    if (number / ARRAY_SIZE(kinds) >= environment(kinds[kind].count, 0))
        return false;
    uint64_t *random = &t->structure;
    t->axes[AXIS_FORMAT] = kinds[kind].formats[random_below(random, 4)];
    t->axes[AXIS_OPS] = kinds[kind].ops + random_below(random, kinds[kind].op_count);
    t->axes[AXIS_SHAPE] = random_below(random, ARRAY_SIZE(shapes));
    t->axes[AXIS_FIRST] = random_below(random, VKR_PYRAMID_FIRST_COUNT);
    t->axes[AXIS_ALGORITHM] = kinds[kind].algorithm + random_below(random, 2);
    make(t);
    return true;
}

/* ---- Running ---- */

static void fill(test_request *t)
{
    (void)t; /* the engine has filled the source */
}

static VkrResult record(VkrRecorder recorder, const test_request *t)
{
    return vkrCmdPyramid(recorder, &((const pyramid_request *)t->own)->info);
}

static bool may_refuse(const test_request *t)
{
    (void)t;
    return false;
}

static void expect(test_request *t)
{
    const pyramid_request *p = t->own;
    const VkBuffer written = rig.written.buffer.buffer;
    const uint64_t before = chain_texels();
    char text[160];
    snprintf(text, sizeof text, "formats %d, %d, ops 0x%x, %u x %u, rule %d, %s",
             (int)p->info.source.format, (int)p->levels.chain.format->format, p->info.ops,
             p->part.width, p->part.height, (int)p->info.first,
             vkrPyramidAlgorithmName(p->info.algorithm));
    if (chain_compare(&p->levels.chain, p->levels.first, p->info.ops, p->part,
                      test_texel(&p->source, 0), test_actual(written, p->levels.bytes), text) == 0)
        test_accept(written, p->levels.bytes, chain_bytes(&p->levels.chain, p->levels.first));
    rig.cases += chain_texels() - before;
}

static bool enough(uint32_t rows)
{
    (void)rows;
    return image_bindings() > 0;
}

static void print(const test_request *t)
{
    const VkrPyramidInfo *info = &((const pyramid_request *)t->own)->info;
    test_print_number("ops", info->ops);
    test_print_image("source", &info->source);
    test_print_image("levels[0]", &info->levels[0]);
    test_print_number("levelCount", info->levelCount);
    test_print_number("first", info->first);
    test_print_number("algorithm", info->algorithm);
}

static const struct CMUnitTest others[] = {
    {.name = "test_sizes", .test_func = pyramid_test_sizes},
    {.name = "test_few_images", .test_func = pyramid_test_few_images}};

const test_operation test_pyramid = {
    .name = "pyramid",
    .call = "vkrCmdPyramid",
    .axes = {[AXIS_FORMAT] = {"format", FORMAT_ROWS},
             [AXIS_OPS] = {"ops", ARRAY_SIZE(op_sets)},
             [AXIS_SHAPE] = {"shape", ARRAY_SIZE(shapes)},
             [AXIS_FIRST] = {"first", VKR_PYRAMID_FIRST_COUNT},
             [AXIS_ALGORITHM] = {"algorithm", VKR_PYRAMID_ALGORITHM_COUNT},
             [AXIS_LIMITS] = {"limits", ARRAY_SIZE(limits)}},
    .layouts = 8,
    .alone = true,
    .size = sizeof(pyramid_request),
    .valid = valid,
    .context = context,
    .make = make,
    .fill = fill,
    .record = record,
    .expect = expect,
    .may_refuse = may_refuse,
    .enough = enough,
    .print = print,
    .fixed = {{"test_few_levels", PYRAMID_FEW, pyramid_make_few, 0, 0},
              {"test_pairs_hard", 8, make_hard, .layouts = 8},
              {"test_large", 32, pyramid_make_large, 0, 0},
              {"test_halves", 5, pyramid_make_halves, 0, 0}},
    .others = others,
    .other_count = ARRAY_SIZE(others),
};
