/* SPDX-License-Identifier: MIT */
#include "requests.h"

VkrImage image_of(char letter, uint32_t level, VkFormat format, uint32_t width, uint32_t height)
{
    return (VkrImage){.image = IMAGE(letter),
                      .view = (VkImageView)((uintptr_t)letter + level),
                      .viewType = VK_IMAGE_VIEW_TYPE_2D,
                      .format = format,
                      .layout = VK_IMAGE_LAYOUT_GENERAL,
                      .range = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, 1},
                      .extent = {width, height, 1}};
}

VkrImage layered_image(void)
{
    VkrImage image = image_of('I', 3, VK_FORMAT_R8G8B8A8_UNORM, 64, 48);
    image.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    image.layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    image.range.baseArrayLayer = 7;
    image.range.layerCount = 4;
    image.rectangle = (VkRect2D){{5, 6}, {30, 20}};
    image.firstLayer = 2;
    return image;
}

VkrImage tiled_image(void)
{
    VkrImage image = image_of('O', 2, VK_FORMAT_R8G8B8A8_UNORM, 8, 5);
    image.viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY;
    image.range.baseArrayLayer = 5;
    image.range.layerCount = 2;
    return image;
}

VkrImage mask_image(void)
{
    return image_of('M', 0, VK_FORMAT_R8_UNORM, 50, 20);
}

VkrHistogramInfo plain_histogram(void)
{
    return (VkrHistogramInfo){
        .label = "0",
        .input = plain_reduce().input,
        .count = VKR_COUNT_ALL,
        .bins = {.kind = VKR_BINS_EVEN, .count = 100, .high = {.value = 10}},
        .weights = {.buffer = BUFFER('W'), .size = 4000, .type = VKR_TYPE_F32},
        .weightFraction = 8,
        .counts = {BUFFER('C'), 0, 400},
        .outside = {BUFFER('S'), 4, 12},
        .edges = {BUFFER('E'), 8, 404},
    };
}

void make_levels(pyramid_request *r, VkFormat format, uint32_t count)
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

void make_pyramid(pyramid_request *r)
{
    *r = (pyramid_request){.info = {.label = "0",
                                    .ops = VKR_OP_MEAN,
                                    .source = image_of('S', 0, VK_FORMAT_R8G8B8A8_UNORM, 40, 24)}};
    r->info.source.layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
    make_levels(r, VK_FORMAT_R8G8B8A8_UNORM, 3);
}

static void end(VkrResult result)
{
    if (result != VKR_SUCCESS || vkrEnd(fixture.recorder, &plain_end) != VKR_SUCCESS)
        fail_msg("%s", fixture.sentence);
    assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
}

void record_reduce(const VkrReduceInfo *info)
{
    trace_clear();
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    end(vkrCmdReduce(fixture.recorder, info));
}

void record_pyramid(const VkrPyramidInfo *info)
{
    trace_clear();
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    end(vkrCmdPyramid(fixture.recorder, info));
}
