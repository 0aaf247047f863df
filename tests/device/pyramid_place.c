/* SPDX-License-Identifier: MIT */
/* Sources of pyramids and their levels; large ones, exact halves, and few storage images. */
#include "pyramid_request.h"

const image_format *find_image_format(VkFormat format, VkImageAspectFlagBits aspect)
{
    for (uint32_t i = 0; i < IMAGE_FORMATS; i++)
        if (image_formats[i].format == format && image_formats[i].aspect == aspect)
            return &image_formats[i];
    fail_msg("the tests have no image of format %d", (int)format);
    return NULL;
}

/* ---- Images ---- */

/* Returns the length of a part of `size`, at least half of it, which starts at *first. */
static uint32_t draw_part(test_request *t, uint32_t size, int32_t *first)
{
    const uint32_t part = size - test_below(t, size / 2 + 1);
    *first = (int32_t)test_below(t, size - part + 1);
    return part;
}

static void draw_source_part(test_request *t, const pyramid_case *c, VkrImage *source)
{
    if (c->whole || test_below(t, 3) != 0)
        return;
    source->rectangle.extent.width = draw_part(t, c->size.width, &source->rectangle.offset.x);
    source->rectangle.extent.height = draw_part(t, c->size.height, &source->rectangle.offset.y);
    if (c->layers > 1 && source->range.layerCount > 1) {
        source->firstLayer = test_below(t, c->layers);
        source->layerCount = 1 + test_below(t, c->layers - source->firstLayer);
    }
}

/* The source becomes level 0 of the chain. */
static void place_together(test_request *t, const pyramid_case *c, image_request *source)
{
    pyramid_request *p = t->own;
    const chain_request chain = {.format = find_level_format(c->level),
                                 .view_type = c->shape,
                                 .extent = c->size,
                                 .count = vkrGetPyramidExtents(c->size, c->first, 0, NULL) + 1,
                                 .layers = c->layers};
    source->layout = VK_IMAGE_LAYOUT_GENERAL;
    test_write_levels(t, &chain, 1, &p->levels);
    test_source_in_levels(t, source, &p->source);
}

static void place_apart(test_request *t, const pyramid_case *c, image_request *source)
{
    pyramid_request *p = t->own;
    VkExtent2D extents[VKR_MAX_PYRAMID_LEVELS];
    uint32_t channels;
    source->level = c->whole ? 0 : test_below(t, 2);
    source->whole_view = test_below(t, 2) == 0;
    source->layout =
        test_below(t, 2) == 0 ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    (void)vkrFormatType(c->source, c->aspect, &channels);
    test_source(t, source, channels, &p->source);
    VkrImage *part = &p->source.part;
    draw_source_part(t, c, part);
    if (part->rectangle.extent.width != 0)
        p->part = part->rectangle.extent;
    const uint32_t all = vkrGetPyramidExtents(p->part, c->first, VKR_MAX_PYRAMID_LEVELS, extents);
    const chain_request chain = {
        .format = find_level_format(c->level),
        .view_type = c->shape,
        .extent = extents[0],
        .count = c->whole || test_below(t, 3) != 0 ? all : 1 + test_below(t, all),
        .layers =
            part->layerCount != 0 ? part->layerCount : part->range.layerCount - part->firstLayer};
    test_write_levels(t, &chain, 0, &p->levels);
}

void pyramid_place(test_request *t, const pyramid_case *c)
{
    const bool can_share = c->source == c->level && c->first == VKR_PYRAMID_HALF && !c->whole &&
                           c->size.width + c->size.height > 2; /* there is a further level */
    pyramid_request *p = t->own;
    image_request source = {.format = find_image_format(c->source, c->aspect),
                            .view_type = c->shape,
                            .width = c->size.width,
                            .height = c->size.height,
                            .layers = c->layers};
    p->part = c->size;
    if (can_share && test_below(t, 2) == 0)
        place_together(t, c, &source);
    else
        place_apart(t, c, &source);
    p->info = (VkrPyramidInfo){.label = "pyramid",
                               .ops = c->ops,
                               .source = p->source.part,
                               .levels = &p->levels.chain.infos[p->levels.first],
                               .levelCount = p->levels.chain.count - p->levels.first,
                               .first = c->first,
                               .algorithm = c->algorithm};
}

/* ---- Fixed requests ---- */

/* Whole 2D images of these formats and sizes. */
static pyramid_case whole(VkFormat source, VkFormat level, VkrOpFlags ops, VkExtent2D size)
{
    return (pyramid_case){.source = source,
                          .aspect = VK_IMAGE_ASPECT_COLOR_BIT,
                          .level = level,
                          .ops = ops,
                          .shape = VK_IMAGE_VIEW_TYPE_2D,
                          .size = size,
                          .layers = 1,
                          .whole = true};
}

bool pyramid_make_large(test_request *t, uint32_t number)
{
    const uint32_t limit = rig.h.properties.limits.maxImageDimension2D;
    const VkExtent2D sizes[] = {{1080, 1920}, {limit, 1},    {1, limit},   {limit - 1, 3},
                                {4096, 4096}, {limit, 1000}, {4095, 4093}, {8191, 2047}};
    const uint32_t k = number / 4;
    pyramid_case c = whole(VK_FORMAT_R8_UINT, k % 2 == 0 ? VK_FORMAT_R8G8_UINT : VK_FORMAT_R8_UINT,
                           k % 2 == 0 ? PAIR : VKR_OP_MEAN, sizes[k]);
    c.algorithm = (VkrPyramidAlgorithm)(number % 4 + 1);
    if (k >= 4 && !harness_full())
        return false;
    pyramid_place(t, &c);
    return true;
}

/* Exact halves: tiles of 64 x 64 texels, the smaller ones at the edges, and what the last workgroup
 * makes. */
bool pyramid_make_halves(test_request *t, uint32_t number)
{
    const pyramid_case rows[] = {
        whole(VK_FORMAT_R8G8B8A8_UNORM, VK_FORMAT_R8G8B8A8_UNORM, VKR_OP_MEAN,
              (VkExtent2D){320, 192}),
        whole(VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32G32_SFLOAT, PAIR, (VkExtent2D){256, 128}),
        whole(VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_R16G16B16A16_SFLOAT, VKR_OP_MEAN,
              (VkExtent2D){136, 72}),
        whole(VK_FORMAT_R8_UINT, VK_FORMAT_R8_UINT, VKR_OP_MAX, (VkExtent2D){1024, 64}),
        whole(VK_FORMAT_R8_UINT, VK_FORMAT_R8_UINT, VKR_OP_MEAN, (VkExtent2D){260, 300}),
    };
    pyramid_case c = rows[number];
    if (c.source == VK_FORMAT_R16G16B16A16_SFLOAT && !pyramid_stores_narrow())
        return false;
    c.algorithm = VKR_PYRAMID_HYBRID;
    if (number % 2 == 0) {
        c.shape = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
        c.layers = 3;
    }
    pyramid_place(t, &c);
    return true;
}

/* ---- Few storage images ---- */

bool pyramid_make_few(test_request *t, uint32_t number)
{
    const pyramid_case rows[] = {
        whole(VK_FORMAT_R8_UINT, VK_FORMAT_R8_UINT, VKR_OP_MEAN, (VkExtent2D){256, 256}),
        whole(VK_FORMAT_R32_SFLOAT, VK_FORMAT_R32_SFLOAT, VKR_OP_MIN, (VkExtent2D){1000, 77}),
        /* Each level is rounded before the next one. */
        whole(VK_FORMAT_R16_SFLOAT, VK_FORMAT_R16_SFLOAT, VKR_OP_MEAN, (VkExtent2D){300, 211}),
    };
    pyramid_case c = rows[number / VKR_PYRAMID_ALGORITHM_COUNT];
    c.algorithm = (VkrPyramidAlgorithm)(number % VKR_PYRAMID_ALGORITHM_COUNT);
    if (c.source == VK_FORMAT_R16_SFLOAT && !pyramid_stores_narrow())
        return false;
    pyramid_place(t, &c);
    return true;
}

/* If a device can bind only four storage images, several dispatches replace one. */
void pyramid_test_few_images(void **state)
{
    extern const test_operation test_pyramid;
    static test_contexts contexts;
    static test_recording r;
    (void)state;
    contexts = rig.contexts;
    rig.contexts = (test_contexts){.h = &rig.h};
    rig.h.hooks.storageImages = 4;
    watch_storage_images(4);
    for (uint32_t i = 0; i < PYRAMID_FEW; i++) {
        r = (test_recording){.requests = {{.of = &test_pyramid,
                                           .seed = i,
                                           .most = TEST_ANY,
                                           .fixed = 1 + TEST_FIXED * i}},
                             .count = 1,
                             .passes = 1};
        test_check(&r);
    }
    watch_storage_images(UINT32_MAX);
    rig.h.hooks.storageImages = 0;
    close_contexts(&rig.contexts);
    rig.contexts = contexts;
    assert_int_equal(rig.mismatches, 0);
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(rig.h.validation_messages, 0);
}
