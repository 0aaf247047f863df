/* SPDX-License-Identifier: MIT */
/* Views up to the end of a buffer, views of nothing, and views of images of several formats. */
#include "plans.h"

/* Views up to the end of their buffers. */
static const struct {
    VkDeviceSize offset, size, buffer_size;
    uint64_t count;
    uint32_t elements; /* that are reduced */
} open_rows[] = {
    {256, 0, 4256, VKR_COUNT_ALL, 1000},
    {256, VK_WHOLE_SIZE, 4256, VKR_COUNT_ALL, 1000},
    {256, 0, 4259, VKR_COUNT_ALL, 1000},
    {256, 400, 4256, VKR_COUNT_ALL, 100},
    {256, 0, 4256, 10, 10},
    {0, 0, 4000, VKR_COUNT_ALL, 1000},
    {256, 0, 256, VKR_COUNT_ALL, 0},
    {256, 0, 0, 0, 0},
    {256, 0, 4256, 0, 0},
};

EXTERN_TEST(test_open_views)
{
    trace_open(&(trace_device){0});
    for (size_t k = 0; k < ARRAY_SIZE(open_rows); k++) {
        VkrReduceInfo info = plain_reduce();
        VkrReduceLayout layout;
        info.input.offset = open_rows[k].offset;
        info.input.size = open_rows[k].size;
        info.input.bufferSize = open_rows[k].buffer_size;
        info.count = open_rows[k].count;
        assert_int_equal(vkrGetReduceLayout(fixture.context, &info, &layout), VKR_SUCCESS);
        record_reduce(&info);
        assert_int_equal(fixture.dispatch_count, 1);
        assert_int_equal(fixture.dispatches[0].push.count, open_rows[k].elements);
    }
    assert_int_equal(fixture.sentences, 0);
    trace_close();
}

/* A view without a buffer, and a count of 0, are valid for every algorithm of whole reductions, for
 * scans and for compactions. Something is dispatched, since reductions write the results of no
 * elements. */
EXTERN_TEST(test_nothing)
{
    const VkrView none = {.type = VKR_TYPE_F32};
    VkrReduceInfo reduce = plain_reduce();
    VkrScanInfo scan = plain_scan();
    VkrCompactInfo compact = plain_compact();
    trace_open(&(trace_device){0});
    reduce.input = none;
    scan.input = none;
    compact.input = none;
    reduce.count = scan.count = compact.count = 0;
    for (int algorithm = 0; algorithm < VKR_REDUCE_LANES; algorithm++) {
        trace_clear();
        reduce.algorithm = (VkrReduceAlgorithm)algorithm;
        assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
        assert_int_equal(vkrCmdReduce(fixture.recorder, &reduce), VKR_SUCCESS);
        assert_int_equal(vkrCmdScan(fixture.recorder, &scan), VKR_SUCCESS);
        assert_int_equal(vkrCmdCompact(fixture.recorder, &compact), VKR_SUCCESS);
        assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
        assert_true(fixture.dispatch_count > 0);
    }
    trace_close();
}

/* The element type and the components of image formats, with which a whole level can be reduced. */
EXTERN_TEST(test_formats)
{
    static const struct {
        VkFormat format;
        VkImageAspectFlagBits aspect;
        VkrType type;
        uint32_t components;
    } formats[] = {
        {VK_FORMAT_R8_UNORM, VK_IMAGE_ASPECT_COLOR_BIT, VKR_TYPE_F32, 1},
        {VK_FORMAT_R16G16_SINT, VK_IMAGE_ASPECT_COLOR_BIT, VKR_TYPE_I32, 2},
        {VK_FORMAT_B10G11R11_UFLOAT_PACK32, VK_IMAGE_ASPECT_COLOR_BIT, VKR_TYPE_F32, 3},
        {VK_FORMAT_A2B10G10R10_UINT_PACK32, VK_IMAGE_ASPECT_COLOR_BIT, VKR_TYPE_U32, 4},
        {VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_ASPECT_DEPTH_BIT, VKR_TYPE_F32, 1},
        {VK_FORMAT_D24_UNORM_S8_UINT, VK_IMAGE_ASPECT_STENCIL_BIT, VKR_TYPE_U32, 1},
        {VK_FORMAT_D32_SFLOAT, VK_IMAGE_ASPECT_STENCIL_BIT, VKR_TYPE_UNDEFINED, 0},
        {VK_FORMAT_R64_SFLOAT, VK_IMAGE_ASPECT_COLOR_BIT, VKR_TYPE_UNDEFINED, 0},
    };
    VkrReduceInfo info = plain_reduce();
    info.output.size = 4096;
    trace_open(&(trace_device){0});
    for (size_t i = 0; i < ARRAY_SIZE(formats); i++) {
        uint32_t components = 77;
        assert_int_equal(vkrFormatType(formats[i].format, formats[i].aspect, &components),
                         formats[i].type);
        assert_int_equal(components, formats[i].components);
        if (formats[i].type == VKR_TYPE_UNDEFINED)
            continue;
        VkrImage image = layered_image();
        image.format = formats[i].format;
        image.range.aspectMask = formats[i].aspect;
        image.rectangle = (VkRect2D){0};
        image.firstLayer = 0;
        info.input = (VkrView){.type = formats[i].type, .image = &image};
        info.count = 4 * 64 * 48;
        record_reduce(&info);
    }
    trace_close();
}
