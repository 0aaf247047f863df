/* SPDX-License-Identifier: MIT */
/* What vkrGetUses says of requests with images, masks and several buffers. */
#include "plans.h"

#include <string.h>

#define READ VK_ACCESS_SHADER_READ_BIT
#define WRITE VK_ACCESS_SHADER_WRITE_BIT
#define MAX_USES 16u

static VkrUse uses[MAX_USES];
static uint32_t use_count;

/* Asks for the uses of a request that was collected with this result, and ends the recording. */
static void keep_uses(VkrResult result)
{
    if (result != VKR_SUCCESS)
        fail_msg("%s", fixture.sentence);
    use_count = MAX_USES;
    assert_int_equal(vkrGetUses(fixture.recorder, &use_count, uses), VKR_SUCCESS);
    trace_clear();
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    assert_true(fixture.dispatch_count > 0);
}

static void keep_uses_of(const VkrReduceInfo *info)
{
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    keep_uses(vkrCmdReduce(fixture.recorder, info));
}

static VkAccessFlags access_to(VkBuffer buffer, VkImage image)
{
    VkAccessFlags access = 0;
    for (uint32_t k = 0; k < use_count; k++)
        if (uses[k].buffer == buffer && uses[k].image == image)
            access |= uses[k].access;
    return access;
}

/* Checks that an image has exactly one use, with this range and access. */
static void check_image(VkImage image, VkImageSubresourceRange range, VkAccessFlags access)
{
    uint32_t found = 0;
    for (uint32_t k = 0; k < use_count; k++) {
        if (uses[k].image != image)
            continue;
        found++;
        assert_memory_equal(&uses[k].subresource, &range, sizeof(range));
        assert_int_equal(uses[k].access, access);
        assert_int_equal(uses[k].stages, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    }
    assert_int_equal(found, 1);
}

EXTERN_TEST(test_image_uses)
{
    const VkrImage image = layered_image(), shown = tiled_image();
    VkrReduceInfo info = plain_reduce();
    trace_open(&(trace_device){0});
    info.ops = VKR_OP_MAX;
    info.input = (VkrView){.image = &image};
    keep_uses_of(&info);
    check_image(IMAGE('I'), (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 3, 1, 9, 2}, READ);
    info.output = (VkrBufferRange){0};
    info.outputImage = &shown;
    info.segments = (VkrSegments){.kind = VKR_SEGMENTS_TILES, .tileWidth = 4, .tileHeight = 4};
    keep_uses_of(&info);
    check_image(IMAGE('I'), (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 3, 1, 9, 2}, READ);
    check_image(IMAGE('O'), (VkImageSubresourceRange){VK_IMAGE_ASPECT_COLOR_BIT, 2, 1, 5, 2},
                WRITE);
    trace_close();
}

EXTERN_TEST(test_mask_uses)
{
    const VkrImage mask = mask_image(), image = image_of('I', 0, VK_FORMAT_R8_UNORM, 50, 20);
    VkrReduceInfo info = plain_reduce();
    trace_open(&(trace_device){0});
    info.mask.flags = (VkrFlagView){.format = VKR_FLAGS_BITS, .range = {BUFFER('F'), 4, 128}};
    keep_uses_of(&info);
    assert_int_equal(access_to(BUFFER('F'), VK_NULL_HANDLE), READ);
    info.mask = (VkrMask){.image = &mask};
    info.input = (VkrView){.image = &image};
    keep_uses_of(&info);
    assert_int_equal(access_to(VK_NULL_HANDLE, IMAGE('M')), READ);
    assert_int_equal(access_to(VK_NULL_HANDLE, IMAGE('I')), READ);
    trace_close();
}

/* The squares of the last row that is counted extend past the count, but no use extends past the
 * mask. */
EXTERN_TEST(test_mask_ends)
{
    const VkrImage image = layered_image();
    VkrReduceInfo info = plain_reduce();
    trace_open(&(trace_device){0});
    info.ops = VKR_OP_MAX;
    info.input = (VkrView){.image = &image};
    info.algorithm = VKR_REDUCE_PINGPONG;
    info.count = 30 * 20 + 11;
    info.mask.flags = (VkrFlagView){.format = VKR_FLAGS_BITS, .range = {BUFFER('M'), 0, 80}};
    keep_uses_of(&info);
    assert_int_equal(access_to(BUFFER('M'), VK_NULL_HANDLE), READ);
    for (uint32_t k = 0; k < use_count; k++)
        assert_true(uses[k].buffer != BUFFER('M') || uses[k].offset + uses[k].size <= 80);
    trace_close();
}

EXTERN_TEST(test_histogram_uses)
{
    static const struct {
        char buffer;
        VkAccessFlags access;
    } expected[] = {{'A', READ}, {'W', READ}, {'N', READ}, {'G', READ}, {'F', READ}, {'E', WRITE}};
    VkrHistogramInfo info = plain_histogram();
    trace_open(&(trace_device){0});
    info.bins.gpuRange = (VkrGpuRange){BUFFER('G'), 0, 4};
    info.gpuCount = (VkrGpuCount){BUFFER('N'), 0, VKR_TYPE_U32};
    info.mask.flags = (VkrFlagView){.format = VKR_FLAGS_BITS, .range = {BUFFER('F'), 0, 128}};
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    keep_uses(vkrCmdHistogram(fixture.recorder, &info));
    for (size_t k = 0; k < ARRAY_SIZE(expected); k++)
        assert_int_equal(access_to(BUFFER(expected[k].buffer), VK_NULL_HANDLE), expected[k].access);
    assert_true((access_to(BUFFER('C'), VK_NULL_HANDLE) & WRITE) != 0);
    assert_true((access_to(BUFFER('S'), VK_NULL_HANDLE) & WRITE) != 0);
    trace_close();
}
