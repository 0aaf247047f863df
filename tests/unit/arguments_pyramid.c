/* SPDX-License-Identifier: MIT */
/* Every field of VkrPyramidInfo wrong in turn: the right code and sentence, nothing recorded,
 * nothing leaked, and the recorder works afterwards. What is right at the edge of being wrong; and
 * how many texels the dispatches of a pyramid read and write. */
#include <stdio.h>
#include <string.h>

#include "arguments_trace.h"

enum { PLAIN, BARE, EXTENDED, GROUPS, DEVICE_COUNT };
static const trace_device devices[DEVICE_COUNT] = {
    [BARE] = {.bare = true},
    [EXTENDED] = {.limits = {.disabledFeatures = VKR_FEATURE_WRITE_WITHOUT_FORMAT}},
    [GROUPS] = {.groups = 2, .rows = 2},
};

#define COLOR VK_IMAGE_ASPECT_COLOR_BIT
#define ALL (~0u)

/* What a row changes: a plain pyramid of 40 x 24 texels, with three levels. */
typedef struct request {
    VkrPyramidInfo info;
    VkrImage levels[VKR_MAX_PYRAMID_LEVELS];
} request;

static VkrImage image_of(char letter, uint32_t level, VkFormat format, uint32_t width,
                         uint32_t height)
{
    return (VkrImage){.image = (VkImage)(uintptr_t)letter,
                      .view = (VkImageView)((uintptr_t)letter + level),
                      .viewType = VK_IMAGE_VIEW_TYPE_2D,
                      .format = format,
                      .layout = VK_IMAGE_LAYOUT_GENERAL,
                      .range = {COLOR, level, 1, 0, 1},
                      .extent = {width, height, 1}};
}

static void make_levels(request *r, VkFormat format, uint32_t count)
{
    VkExtent2D extents[VKR_MAX_PYRAMID_LEVELS];
    const VkExtent3D size = r->info.source.extent;
    (void)vkrGetPyramidExtents((VkExtent2D){size.width, size.height}, r->info.first, count,
                               extents);
    for (uint32_t k = 0; k < count; k++) {
        r->levels[k] = image_of('L', k, format, extents[k].width, extents[k].height);
        r->levels[k].viewType = r->info.source.viewType;
        r->levels[k].range.layerCount = r->info.source.range.layerCount;
    }
    r->info.levels = r->levels;
    r->info.levelCount = count;
}

static void make_plain(request *r)
{
    *r = (request){.info = {.label = "0",
                            .ops = VKR_OP_MEAN,
                            .source = image_of('S', 0, VK_FORMAT_R8G8B8A8_UNORM, 40, 24)}};
    r->info.source.layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    make_levels(r, VK_FORMAT_R8G8B8A8_UNORM, 3);
}

static void make_formats(request *r, VkFormat source, VkFormat level)
{
    r->info.source.format = source;
    make_levels(r, level, 3);
}

static void make_depth(request *r, VkFormat source, VkFormat level)
{
    make_formats(r, source, level);
    r->info.source.range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT;
    r->info.ops = VKR_OP_MIN;
}

static void make_layers(request *r, uint32_t layers)
{
    r->info.source.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    r->info.source.range.layerCount = layers;
    make_levels(r, VK_FORMAT_R8G8B8A8_UNORM, 3);
}

#define OPS(number)                                                                                \
    "ops is " number ", but must be VKR_OP_MIN, VKR_OP_MAX, both of them or VKR_OP_MEAN."
#define ORDINARY                                                                                   \
    ", but must be a colour format that shaders write: neither sRGB nor with a shared exponent, "  \
    "nor depth or stencil."

/* name, device, code, sentence behind "vkrCmdPyramid: ", how a plain request becomes wrong */
/* clang-format off */
#define PYRAMID_ROWS(X)                                                                            \
X(ops_none, PLAIN, INVALID_ARGUMENT, OPS("0x0"), i->ops = 0)                                       \
X(ops_sum, PLAIN, INVALID_ARGUMENT, OPS("0x4"), i->ops = VKR_OP_SUM)                               \
X(ops_more, PLAIN, INVALID_ARGUMENT, OPS("0x11"), i->ops = VKR_OP_MIN | VKR_OP_MEAN)               \
X(first, PLAIN, INVALID_ARGUMENT, "first is 3, but must be 0 to 2.",                               \
  i->first = VKR_PYRAMID_FIRST_COUNT)                                                              \
X(algorithm, PLAIN, INVALID_ARGUMENT, "algorithm is -1, but must be 0 to " LAST_ALGORITHM ".",     \
  i->algorithm = (VkrPyramidAlgorithm)-1)                                                          \
X(source_image, PLAIN, INVALID_ARGUMENT,                                                           \
  "source.image is VK_NULL_HANDLE, but must be an image.", i->source.image = VK_NULL_HANDLE)       \
X(source_view, PLAIN, INVALID_ARGUMENT,                                                            \
  "source.view is VK_NULL_HANDLE, but must be a view of the image.",                               \
  i->source.view = VK_NULL_HANDLE)                                                                 \
X(source_format, PLAIN, UNSUPPORTED,                                                               \
  "source.format is 0, but must be a colour, depth or stencil format that vkrFormatType knows.",   \
  i->source.format = VK_FORMAT_UNDEFINED)                                                          \
X(source_aspect, PLAIN, INVALID_ARGUMENT,                                                          \
  "source.range.aspectMask is 0x2, but must be one aspect of R8G8B8A8_UNORM, which has 0x1.",      \
  i->source.range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT)                                          \
X(source_levels, PLAIN, INVALID_ARGUMENT,                                                          \
  "source.range.levelCount is 2, but must be 1, the level that is read.",                          \
  i->source.range.levelCount = 2)                                                                  \
X(source_3d, PLAIN, INVALID_ARGUMENT,                                                              \
  "source.viewType is VK_IMAGE_VIEW_TYPE_3D, but must be 2D or 2D_ARRAY: a pyramid has layers of " \
  "two dimensions.", i->source.viewType = VK_IMAGE_VIEW_TYPE_3D)                                   \
X(source_layout, PLAIN, INVALID_ARGUMENT,                                                          \
  "source.layout is 0, but must be one in which shaders read, such as "                            \
  "VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL (5) or GENERAL (1).",                                  \
  i->source.layout = VK_IMAGE_LAYOUT_UNDEFINED)                                                    \
X(source_rectangle, PLAIN, INVALID_ARGUMENT,                                                       \
  "source.rectangle has 10 from 31 on, but must have some of the 40 that there are.",              \
  i->source.rectangle = ((VkRect2D){{31, 0}, {10, 10}}))                                           \
X(source_large, PLAIN, UNSUPPORTED,                                                                \
  "source has 32769 x 24 texels, but must have at most 32768 in each direction.",                  \
  i->source.extent.width = 32769)                                                                  \
X(pair, PLAIN, INVALID_ARGUMENT,                                                                   \
  "source.format is R8G8B8A8_UNORM, whose minima and maxima are 8 channels, but must have at "     \
  "most 2 channels: make a chain of the minima and one of the maxima.",                            \
  i->ops = VKR_OP_MIN | VKR_OP_MAX)                                                                \
X(levels_null, PLAIN, INVALID_ARGUMENT,                                                            \
  "levels is NULL, but must point to as many VkrImage as levelCount says.", i->levels = NULL)      \
X(levels_none, PLAIN, INVALID_ARGUMENT,                                                            \
  "levelCount is 0, but must be 1 to 5, the last of which has 1 x 1 texels.", i->levelCount = 0)   \
X(levels_many, PLAIN, INVALID_ARGUMENT,                                                            \
  "levelCount is 6, but must be 1 to 5, the last of which has 1 x 1 texels.", i->levelCount = 6)   \
X(level_image, PLAIN, INVALID_ARGUMENT,                                                            \
  "levels[1].image is VK_NULL_HANDLE, but must be an image.", l[1].image = VK_NULL_HANDLE)         \
X(level_view, PLAIN, INVALID_ARGUMENT,                                                             \
  "levels[2].view is VK_NULL_HANDLE, but must be a view of the image.",                            \
  l[2].view = VK_NULL_HANDLE)                                                                      \
X(level_layout, PLAIN, INVALID_ARGUMENT,                                                           \
  "levels[2].layout is 5, but must be VK_IMAGE_LAYOUT_GENERAL (1), in which shaders write.",       \
  l[2].layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL)                                          \
X(level_type, PLAIN, INVALID_ARGUMENT,                                                             \
  "levels[0].viewType is 5, but must be 1 like source.viewType.",                                  \
  l[0].viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY)                                                     \
X(level_rectangle, PLAIN, INVALID_ARGUMENT,                                                        \
  "levels[0].rectangle.extent is 20 x 12, but must be 0 x 0: a level is written as a whole.",      \
  l[0].rectangle.extent = ((VkExtent2D){20, 12}))                                                  \
X(level_layers, PLAIN, INVALID_ARGUMENT,                                                           \
  "levels[1] has 3 layers from 0 on, but its view must have the 2 that are read of the source, "   \
  "with firstLayer and layerCount 0.",                                                             \
  make_layers(r, 2); l[1].range.layerCount = 3)                                                    \
X(level_first_layer, PLAIN, INVALID_ARGUMENT,                                                      \
  "levels[1] has 2 layers from 1 on, but its view must have the 2 that are read of the source, "   \
  "with firstLayer and layerCount 0.",                                                             \
  make_layers(r, 2); l[1].range.layerCount = 3; l[1].firstLayer = 1)                               \
X(level_lod, PLAIN, INVALID_ARGUMENT,                                                              \
  "levels[1].lod is 1, but must be 0: the view has no level but the one that is written.",         \
  l[1].lod = 1)                                                                                    \
X(level_size, PLAIN, INVALID_ARGUMENT,                                                             \
  "levels[1].extent is 11 x 6, but must be 10 x 6 (see vkrGetPyramidExtents).",                    \
  l[1].extent.width = 11)                                                                          \
X(level_size_first, PLAIN, INVALID_ARGUMENT,                                                       \
  "levels[0].extent is 20 x 12, but must be 32 x 16 (see vkrGetPyramidExtents).",                  \
  i->first = VKR_PYRAMID_POWER_OF_TWO)                                                             \
X(level_format, PLAIN, INVALID_ARGUMENT,                                                           \
  "levels[2].format is R8G8B8A8_SNORM, but must be R8G8B8A8_UNORM like that of levels[0].",        \
  l[2].format = VK_FORMAT_R8G8B8A8_SNORM)                                                          \
X(level_unknown, PLAIN, UNSUPPORTED,                                                               \
  "levels[0].format is 0, but must be a colour, depth or stencil format that vkrFormatType "       \
  "knows.", l[0].format = VK_FORMAT_UNDEFINED)                                                     \
X(level_channels, PLAIN, INVALID_ARGUMENT,                                                         \
  "levels[0].format is R8G8_UNORM, which has 2 channels, but must have 4 like source.format.",     \
  make_levels(r, VK_FORMAT_R8G8_UNORM, 3))                                                         \
X(level_pair, PLAIN, INVALID_ARGUMENT,                                                             \
  "levels[0].format is R32_SFLOAT, which has 1 channels, but must have 2, twice as many as "       \
  "source.format.", make_formats(r, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32_SFLOAT);                   \
  i->ops = VKR_OP_MIN | VKR_OP_MAX)                                                                \
X(level_values, PLAIN, INVALID_ARGUMENT,                                                           \
  "levels[0].format is R8G8B8A8_UINT, whose values are u32, but must be one of f32 like "          \
  "source.format.", make_levels(r, VK_FORMAT_R8G8B8A8_UINT, 3))                                    \
X(level_sign, PLAIN, INVALID_ARGUMENT,                                                             \
  "levels[0].format is R8_UINT, whose values are u32, but must be one of i32 like source.format.", \
  make_formats(r, VK_FORMAT_R8_SINT, VK_FORMAT_R8_UINT))                                           \
X(level_normalised, PLAIN, INVALID_ARGUMENT,                                                       \
  "levels[0].format is R8_UNORM, but must be a format of floats, since source.format, which is "   \
  "R32_SFLOAT, is not normalised.",                                                                \
  make_formats(r, VK_FORMAT_R32_SFLOAT, VK_FORMAT_R8_UNORM))                                       \
X(level_srgb, PLAIN, INVALID_ARGUMENT, "levels[0].format is R8G8B8A8_SRGB" ORDINARY,               \
  make_levels(r, VK_FORMAT_R8G8B8A8_SRGB, 3))                                                      \
X(level_shared, PLAIN, INVALID_ARGUMENT, "levels[0].format is E5B9G9R9_UFLOAT_PACK32" ORDINARY,    \
  make_formats(r, VK_FORMAT_R32G32B32_SFLOAT, VK_FORMAT_E5B9G9R9_UFLOAT_PACK32))                   \
X(level_depth, PLAIN, INVALID_ARGUMENT, "levels[0].format is D16_UNORM" ORDINARY,                  \
  make_depth(r, VK_FORMAT_D16_UNORM, VK_FORMAT_D16_UNORM);                                         \
  l[0].range.aspectMask = VK_IMAGE_ASPECT_DEPTH_BIT)                                               \
X(level_source, PLAIN, INVALID_ARGUMENT,                                                           \
  "levels[1] shares a subresource with the source, level 0, but must be apart from the source "    \
  "and all other levels.", l[1].image = i->source.image; l[1].range.baseMipLevel = 0)              \
X(level_twice, PLAIN, INVALID_ARGUMENT,                                                            \
  "levels[2] shares a subresource with level 1, but must be apart from the source and all other "  \
  "levels.", l[2].range.baseMipLevel = 0)                                                          \
X(not_named, BARE, UNSUPPORTED,                                                                    \
  "levels[0].format is B8G8R8A8_UNORM, but must be one that the context can write: this one "      \
  "needs shaderStorageImageWriteWithoutFormat.", make_levels(r, VK_FORMAT_B8G8R8A8_UNORM, 3))      \
X(extended, BARE, UNSUPPORTED,                                                                     \
  "levels[0].format is R16G16_SNORM, but must be one that the context can write: this one needs "  \
  "shaderStorageImageExtendedFormats.",                                                            \
  make_formats(r, VK_FORMAT_R8G8_SNORM, VK_FORMAT_R16G16_SNORM))                                   \
X(groups, GROUPS, UNSUPPORTED,                                                                     \
  "a level takes 6 workgroups, but must take at most 4: the source has too many texels or layers.",\
  i->algorithm = VKR_PYRAMID_PINGPONG)
/* clang-format on */

#define LAST_ALGORITHM "3"

#define SPOIL(name, device, code, sentence, ...)                                                   \
    static void spoil_##name(request *r, VkrPyramidInfo *i, VkrImage *l)                           \
    {                                                                                              \
        (void)r;                                                                                   \
        (void)i;                                                                                   \
        (void)l;                                                                                   \
        __VA_ARGS__;                                                                               \
    }
PYRAMID_ROWS(SPOIL)

#define ROW(name, device, code, sentence, ...)                                                     \
    {#name, device, VKR_ERROR_##code, "vkrCmdPyramid: " sentence, spoil_##name},
static const struct {
    const char *name;
    int device;
    VkrResult result;
    const char *sentence;
    void (*wrong)(request *r, VkrPyramidInfo *info, VkrImage *levels);
} rows[] = {PYRAMID_ROWS(ROW)};

static VkrResult call_pyramid(const void *info)
{
    return vkrCmdPyramid(fixture.recorder, info);
}

static void test_wrong(void **state)
{
    (void)state;
    for (int device = 0; device < DEVICE_COUNT; device++) {
        trace_open(&devices[device]);
        for (size_t k = 0; k < ARRAY_SIZE(rows); k++) {
            request r;
            if (rows[k].device != device)
                continue;
            make_plain(&r);
            rows[k].wrong(&r, &r.info, r.levels);
            assert_refused(call_pyramid, &r.info, rows[k].result, rows[k].sentence);
        }
        trace_close();
    }
    trace_open(&devices[PLAIN]);
    assert_refused(call_pyramid, NULL, VKR_ERROR_INVALID_ARGUMENT,
                   "vkrCmdPyramid: info is NULL, but must point to a VkrPyramidInfo.");
    assert_int_equal(vkrCmdPyramid(NULL, NULL), VKR_ERROR_INVALID_ARGUMENT);
    trace_close();
}

/* ---- Right, though only just ---- */

/* clang-format off */
#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, (void)i)                                                                           \
X(named, BARE, (void)i)                                                                            \
X(named_extended, EXTENDED, make_formats(r, VK_FORMAT_R8G8_SNORM, VK_FORMAT_R16G16_SNORM))         \
X(all_levels, PLAIN, make_levels(r, VK_FORMAT_R8G8B8A8_UNORM, 5))                                  \
X(equal, PLAIN, i->first = VKR_PYRAMID_EQUAL; make_levels(r, VK_FORMAT_R8G8B8A8_UNORM, 6))         \
X(power, PLAIN, i->first = VKR_PYRAMID_POWER_OF_TWO;                                               \
  make_levels(r, VK_FORMAT_R8G8B8A8_UNORM, 6))                                                     \
X(floats, PLAIN, make_levels(r, VK_FORMAT_R16G16B16A16_SFLOAT, 3))                                 \
X(snorm, PLAIN, make_levels(r, VK_FORMAT_R8G8B8A8_SNORM, 3))                                       \
X(linear, PLAIN, make_formats(r, VK_FORMAT_R8G8B8A8_SRGB, VK_FORMAT_R8G8B8A8_UNORM))               \
X(depth, PLAIN, make_depth(r, VK_FORMAT_D32_SFLOAT, VK_FORMAT_R32_SFLOAT))                         \
X(depth_normalised, PLAIN, make_depth(r, VK_FORMAT_D24_UNORM_S8_UINT, VK_FORMAT_R16_UNORM))        \
X(depth_pair, PLAIN, make_depth(r, VK_FORMAT_D16_UNORM, VK_FORMAT_R16G16_UNORM);                   \
  i->ops = VKR_OP_MIN | VKR_OP_MAX)                                                                \
X(stencil, PLAIN, make_depth(r, VK_FORMAT_S8_UINT, VK_FORMAT_R8_UINT);                             \
  i->source.range.aspectMask = VK_IMAGE_ASPECT_STENCIL_BIT)                                        \
X(layers, PLAIN, make_layers(r, 2))                                                                \
X(some_layers, PLAIN, make_layers(r, 2); i->source.range.layerCount = 5;                           \
  i->source.firstLayer = 2; i->source.layerCount = 2)                                              \
X(one_image, PLAIN, for (uint32_t k = 0; k < 3; k++) {                                             \
  l[k].image = i->source.image; l[k].range.baseMipLevel = k + 1; })                                \
X(images, PLAIN, for (uint32_t k = 0; k < 3; k++) {                                                \
  l[k].image = (VkImage)(uintptr_t)('a' + k); l[k].range.baseMipLevel = 0; })                      \
X(one_texel, PLAIN, i->source.extent = ((VkExtent3D){1, 1, 1});                                    \
  make_levels(r, VK_FORMAT_R8G8B8A8_UNORM, 1))                                                     \
X(largest, PLAIN, i->source.extent = ((VkExtent3D){32768, 32768, 1});                              \
  i->first = VKR_PYRAMID_EQUAL; make_levels(r, VK_FORMAT_R8G8B8A8_UNORM, VKR_MAX_PYRAMID_LEVELS))
/* clang-format on */

#define MEND(name, device, ...)                                                                    \
    static void right_##name(request *r, VkrPyramidInfo *i, VkrImage *l)                           \
    {                                                                                              \
        (void)r;                                                                                   \
        (void)i;                                                                                   \
        (void)l;                                                                                   \
        __VA_ARGS__;                                                                               \
    }
RIGHT_ROWS(MEND)

#define RIGHT_ROW(name, device, ...) {#name, device, right_##name},
static const struct {
    const char *name;
    int device;
    void (*change)(request *r, VkrPyramidInfo *info, VkrImage *levels);
} right_rows[] = {RIGHT_ROWS(RIGHT_ROW)};

static void record(const VkrPyramidInfo *info, const char *name)
{
    trace_clear();
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    if (vkrCmdPyramid(fixture.recorder, info) != VKR_SUCCESS ||
        vkrEnd(fixture.recorder, &plain_end) != VKR_SUCCESS)
        fail_msg("%s: %s", name, fixture.sentence);
    assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
}

static void test_right(void **state)
{
    (void)state;
    for (int device = 0; device < DEVICE_COUNT; device++) {
        trace_open(&devices[device]);
        for (size_t k = 0; k < ARRAY_SIZE(right_rows); k++) {
            request r;
            if (right_rows[k].device != device)
                continue;
            make_plain(&r);
            right_rows[k].change(&r, &r.info, r.levels);
            record(&r.info, right_rows[k].name);
            assert_true(fixture.dispatch_count > 0);
        }
        trace_close();
    }
}

/* ---- Sizes ---- */

static void test_extents(void **state)
{
    (void)state;
    static const struct {
        VkExtent2D source;
        VkrPyramidFirst first;
        VkExtent2D level;
        uint32_t count;
    } sizes[] = {
        {{1, 1}, VKR_PYRAMID_HALF, {1, 1}, 1},
        {{1, 1}, VKR_PYRAMID_EQUAL, {1, 1}, 1},
        {{1, 1}, VKR_PYRAMID_POWER_OF_TWO, {1, 1}, 1},
        {{1920, 1080}, VKR_PYRAMID_HALF, {960, 540}, 10},
        {{1920, 1080}, VKR_PYRAMID_EQUAL, {1920, 1080}, 11},
        {{1920, 1080}, VKR_PYRAMID_POWER_OF_TWO, {1024, 1024}, 11},
        {{1024, 3}, VKR_PYRAMID_POWER_OF_TWO, {512, 2}, 10},
        {{2, 1}, VKR_PYRAMID_EQUAL, {2, 1}, 2},
        {{32768, 32768}, VKR_PYRAMID_EQUAL, {32768, 32768}, VKR_MAX_PYRAMID_LEVELS},
    };
    for (size_t k = 0; k < ARRAY_SIZE(sizes); k++) {
        VkExtent2D extents[2] = {{0, 0}, {7, 7}};
        assert_int_equal(vkrGetPyramidExtents(sizes[k].source, sizes[k].first, 1, extents),
                         sizes[k].count);
        assert_int_equal(extents[0].width, sizes[k].level.width);
        assert_int_equal(extents[0].height, sizes[k].level.height);
        assert_int_equal(extents[1].width, 7);
        assert_int_equal(vkrGetPyramidExtents(sizes[k].source, sizes[k].first, 0, NULL),
                         sizes[k].count);
    }
}

/* ---- Counts: Goeddeke's tutorial, for M x M texels ---- */

static void count_pingpong(uint32_t side, uint32_t log)
{
    const uint64_t texels = (uint64_t)side * side;
    uint64_t reads = 0, writes = 0;
    request r;
    make_plain(&r);
    r.info.ops = VKR_OP_MAX;
    r.info.algorithm = VKR_PYRAMID_PINGPONG;
    r.info.source.extent = (VkExtent3D){side, side, 1};
    make_levels(&r, VK_FORMAT_R8G8B8A8_UNORM, log);
    record(&r.info, "pingpong");
    assert_int_equal(fixture.dispatch_count, log);
    for (uint32_t k = 0; k < log; k++) {
        const trace_dispatch *d = &fixture.dispatches[k];
        const struct vkr_pyramid_push *push = (const void *)d->words;
        assert_int_equal(d->epoch, k);
        assert_int_equal(d->images, 2);
        /* Each invocation that has a texel reads two by two and writes one. */
        assert_int_equal(d->constants[VKR_PYRAMID_CONST_HALVES], 1);
        assert_true((uint64_t)d->groups[0] * d->groups[1] * d->constants[VKR_CONST_WORKGROUP] >=
                    (uint64_t)push->level_width * push->level_height);
        writes += (uint64_t)push->level_width * push->level_height;
        reads += UINT64_C(4) * push->level_width * push->level_height;
    }
    assert_int_equal(reads, 4 * (texels - 1) / 3);
    assert_int_equal(writes, (texels - 1) / 3);
}

static void test_counts(void **state)
{
    (void)state;
    trace_open(&devices[PLAIN]);
    for (uint32_t log = 1; log <= 10; log++)
        count_pingpong(1u << log, log);
    trace_close();
}

/* Only sources whose channels have the bits of the levels' are read without being rounded. */
static void test_same(void **state)
{
    (void)state;
    static const VkFormat sources[] = {VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R16G16B16A16_UNORM,
                                       VK_FORMAT_R8G8B8A8_SNORM};
    trace_open(&devices[PLAIN]);
    for (uint32_t k = 0; k < ARRAY_SIZE(sources); k++) {
        request r;
        make_plain(&r);
        r.info.ops = VKR_OP_MEAN;
        r.info.algorithm = VKR_PYRAMID_PINGPONG;
        r.info.source.format = sources[k];
        r.info.source.extent = (VkExtent3D){64, 64, 1};
        make_levels(&r, VK_FORMAT_R8G8B8A8_UNORM, 2);
        record(&r.info, "levels");
        assert_int_equal(fixture.dispatch_count, 2);
        assert_int_equal(fixture.dispatches[0].constants[VKR_PYRAMID_CONST_SAME], k == 0);
        assert_int_equal(fixture.dispatches[1].constants[VKR_PYRAMID_CONST_SAME], true);
    }
    trace_close();
}

/* ---- Several levels in one dispatch ---- */

static void record_side(VkrPyramidAlgorithm algorithm, uint32_t side, uint32_t levels,
                        VkrPyramidFirst first)
{
    request r;
    make_plain(&r);
    r.info.ops = VKR_OP_MAX;
    r.info.algorithm = algorithm;
    r.info.first = first;
    r.info.source.extent = (VkExtent3D){side, side, 1};
    make_levels(&r, VK_FORMAT_R8G8B8A8_UNORM, levels);
    record(&r.info, "levels");
}

/* OPENRNDR's recursion: a workgroup of 16 x 16 leaves one texel of 256. */
static void test_recursive(void **state)
{
    (void)state;
    static const uint32_t groups[] = {256 * 256, 16 * 16, 1};
    trace_open(&devices[PLAIN]);
    record_side(VKR_PYRAMID_RECURSIVE_2D, 4096, 12, VKR_PYRAMID_HALF);
    assert_int_equal(fixture.dispatch_count, ARRAY_SIZE(groups));
    for (uint32_t k = 0; k < ARRAY_SIZE(groups); k++) {
        const trace_dispatch *d = &fixture.dispatches[k];
        const struct vkr_pyramid_tiles_push *push = (const void *)d->words;
        assert_int_equal(d->epoch, k);
        assert_int_equal(d->images, 5);
        assert_int_equal(d->constants[VKR_CONST_WORKGROUP], 256);
        assert_int_equal(push->groups, groups[k]);
        assert_int_equal(push->levels, 4);
        assert_int_equal(push->total, 4);
    }
    trace_close();
}

static void test_single(void **state)
{
    (void)state;
    static const struct {
        uint32_t side, levels;
        VkrPyramidFirst first;
        uint32_t dispatches, few; /* where a device binds 4 storage images */
    } sides[] = {
        {1, 1, VKR_PYRAMID_HALF, 1, 1},
        {1000, 9, VKR_PYRAMID_HALF, 1, 3},
        {4096, 12, VKR_PYRAMID_HALF, 1, 3},
        {4096, 3, VKR_PYRAMID_HALF, 1, 1},
        {4096, 12, VKR_PYRAMID_POWER_OF_TWO, 1, 3},
        {4000, 12, VKR_PYRAMID_POWER_OF_TWO, 2, 4},
        {4096, 13, VKR_PYRAMID_EQUAL, 2, 4},
        {16384, 14, VKR_PYRAMID_HALF, 2, 4},
        {32768, 16, VKR_PYRAMID_EQUAL, 3, 5},
    };
    for (uint32_t few = 0; few < 2; few++) {
        const trace_device device = {.storage_images = few != 0 ? 4 : 12};
        trace_open(&device);
        for (size_t k = 0; k < ARRAY_SIZE(sides); k++) {
            uint32_t levels = 0;
            record_side(VKR_PYRAMID_SINGLE, sides[k].side, sides[k].levels, sides[k].first);
            assert_int_equal(fixture.dispatch_count, few != 0 ? sides[k].few : sides[k].dispatches);
            for (uint32_t i = 0; i < fixture.dispatch_count; i++) {
                const trace_dispatch *d = &fixture.dispatches[i];
                const struct vkr_pyramid_tiles_push *push = (const void *)d->words;
                const bool one =
                    strstr(d->kernel, "few") == NULL && strstr(d->kernel, "many") == NULL;
                levels += one ? 1 : push->total;
                assert_in_range(d->images, 2, 1 + device.storage_images);
            }
            assert_int_equal(levels, sides[k].levels);
        }
        trace_close();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_wrong),   cmocka_unit_test(test_right),
        cmocka_unit_test(test_extents), cmocka_unit_test(test_counts),
        cmocka_unit_test(test_same),    cmocka_unit_test(test_recursive),
        cmocka_unit_test(test_single),
    };
    return cmocka_run_group_tests_name("arguments_pyramid", tests, NULL, NULL);
}
