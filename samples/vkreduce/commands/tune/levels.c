/* SPDX-License-Identifier: MIT */
/* Images whose pyramids are measured: depths, and a picture of four channels with a quarter as many
 * texels. Their sides are powers of two, as those of depth pyramids for culling usually are. */
#include "commands/tune/tune.h"
#include "status.h"

#define CHECKED_LEVEL 4u   /* its sum is a result, like the last level's */
#define RESULT_SPACING 64u /* bytes between sums */

/* Every device can read and write these formats. */
static const struct {
    VkrOp op;
    VkFormat format;
    uint32_t channels;
} kinds[CHAINS] = {{VKR_OP_MAX, VK_FORMAT_R32_SFLOAT, 1},
                   {VKR_OP_MEAN, VK_FORMAT_R32G32B32A32_SFLOAT, 4}};

/* The width is the height or twice that. */
static VkExtent2D size_of(uint64_t texels)
{
    VkExtent2D size = {1, 1};
    while (2 * (uint64_t)size.width * size.height <= texels)
        if (size.width == size.height)
            size.width *= 2;
        else
            size.height *= 2;
    return size;
}

uint64_t levels_most(const tuner *t)
{
    const uint64_t side = t->gpu.limits.maxImageDimension2D;
    return side * side;
}

/* ---- Images ---- */

static int fill(const tuner *t, const chain *c, VkExtent2D size)
{
    static const gpu_image_use levels = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                         VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT,
                                         VK_IMAGE_LAYOUT_GENERAL};
    const VkrHost host = t->gpu.host;
    const int status = gpu_status(vkrHostBegin(host));
    if (status != STATUS_DONE)
        return status;
    gpu_image_fill(vkrHostCommands(host), &t->data, &c->image, size);
    gpu_image_change(vkrHostCommands(host), &c->image, &image_read, &levels);
    return gpu_status(vkrHostRun(host));
}

static int open_chain(const tuner *t, chain *c, VkFormat format, VkExtent2D size)
{
    VkExtent2D extents[1 + VKR_MAX_PYRAMID_LEVELS] = {size};
    c->count = vkrGetPyramidExtents(size, VKR_PYRAMID_HALF, VKR_MAX_PYRAMID_LEVELS, extents + 1);
    int status = gpu_image_create(&t->gpu, &c->image, format, size, 1 + c->count,
                                  VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    for (uint32_t i = 0; i <= c->count && status == STATUS_DONE; i++)
        status = gpu_image_view(&t->gpu, &c->image, i, extents[i], VK_IMAGE_LAYOUT_GENERAL,
                                &c->levels[i]);
    return status == STATUS_DONE ? fill(t, c, size) : status;
}

int levels_open(tuner *t)
{
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < t->now->count_count; i++)
        for (uint32_t k = 0; k < CHAINS && status == STATUS_DONE; k++)
            status = open_chain(t, &t->chains[i][k], kinds[k].format,
                                size_of(t->now->counts[i] / kinds[k].channels));
    return status;
}

void levels_close(tuner *t)
{
    for (uint32_t i = 0; i < MAX_COUNTS * CHAINS; i++) {
        chain *c = &t->chains[i / CHAINS][i % CHAINS];
        for (uint32_t k = 0; k <= VKR_MAX_PYRAMID_LEVELS; k++)
            vkDestroyImageView(t->gpu.vulkan.device, c->levels[k].view, NULL);
        gpu_image_destroy(&t->gpu, &c->image);
        *c = (chain){0};
    }
}

/* ---- Pyramids ---- */

/* Stores the sum of a level. */
static VkrResult collect_sum(VkrRecorder recorder, const VkrImage *level, VkrBufferRange to)
{
    return vkrCmdReduce(recorder, &(VkrReduceInfo){.ops = VKR_OP_SUM,
                                                   .input = {.image = level},
                                                   .count = VKR_COUNT_ALL,
                                                   .determinism = VKR_DETERMINISM_DEVICE,
                                                   .output = to});
}

VkrResult levels_collect(VkrRecorder recorder, const workload *w)
{
    VkrBufferRange to = {w->results.buffer, w->results.offset, RESULT_SPACING};
    VkrResult result = VKR_SUCCESS;
    for (uint32_t i = 0; i < CHAINS && result == VKR_SUCCESS; i++) {
        const chain *c = &w->chains[i];
        const uint32_t checked[] = {CHECKED_LEVEL < c->count ? CHECKED_LEVEL : c->count, c->count};
        result = vkrCmdPyramid(recorder, &(VkrPyramidInfo){.ops = kinds[i].op,
                                                           .source = c->levels[0],
                                                           .levels = c->levels + 1,
                                                           .levelCount = c->count});
        for (uint32_t k = 0; k < 2 && result == VKR_SUCCESS; k++) {
            result = collect_sum(recorder, &c->levels[checked[k]], to);
            to.offset += RESULT_SPACING;
        }
    }
    return result;
}
