/* SPDX-License-Identifier: MIT */
/* Uploads a picture as an image, and builds the levels above it. */
#include <stdlib.h>
#include <string.h>
#include "commands/pyramid/device.h"
#include "device/submit.h"
#include "status.h"

#define PAIR (VKR_OP_MIN | VKR_OP_MAX)

/* Every device can read these formats, and can write those with one or four channels. Their 32-bit
 * values hold those of pictures; averages are floats in the same units. */
static VkFormat format_of(const pyramid_chain *c, uint32_t lanes)
{
    const bool floats = c->floats;
    return lanes == 1   ? floats ? VK_FORMAT_R32_SFLOAT : VK_FORMAT_R32_UINT
           : lanes == 2 ? floats ? VK_FORMAT_R32G32_SFLOAT : VK_FORMAT_R32G32_UINT
           : floats     ? VK_FORMAT_R32G32B32A32_SFLOAT
                        : VK_FORMAT_R32G32B32A32_UINT;
}

/* Fills the upload with the picture's values as words; channels that the picture lacks become 0. */
static int fill_upload(const pyramid_device *d, const pyramid_chain *c, uint32_t *words)
{
    const uint32_t lanes = source_lanes(c), channels = d->request->in.components;
    const size_t size = vkrTypeSize(d->request->in.type);
    unsigned char *values = malloc((size_t)d->request->in.size + 1);
    if (values == NULL)
        return fail(STATUS_VULKAN, "%s: out of memory", d->request->in.name);
    const int status = input_load(&d->request->in, 0, d->request->in.count, values);
    for (uint64_t i = 0; i < d->request->in.count * lanes && status == STATUS_DONE; i++) {
        uint32_t word = 0;
        if (i % lanes < channels)
            memcpy(&word, values + (i / lanes * channels + i % lanes) * size, size);
        const float number = (float)word;
        if (c->ops == VKR_OP_MEAN && d->request->in.type != VKR_TYPE_F32)
            memcpy(&word, &number, sizeof word);
        words[i] = word;
    }
    free(values);
    return status;
}

static int open_chain(pyramid_device *d, pyramid_chain *c, pyramid_images *i)
{
    const gpu *g = &d->task->gpu;
    const VkFormat below = format_of(c, source_lanes(c)), format = format_of(c, c->lanes);
    uint64_t texels = 0;
    int status =
        gpu_image_create(g, &i->below, below, d->request->size, 1, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    if (status == STATUS_DONE)
        status = gpu_image_view(g, &i->below, 0, d->request->size, image_read.layout, &i->source);
    if (status == STATUS_DONE)
        status = gpu_image_create(g, &i->image, format, d->request->extents[0], d->request->count,
                                  VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    for (uint32_t k = 0; k < d->request->count && status == STATUS_DONE; k++) {
        status = gpu_image_view(g, &i->image, k, d->request->extents[k], VK_IMAGE_LAYOUT_GENERAL,
                                &i->levels[k]);
        texels += pyramid_texels(d->request->extents[k]);
    }
    if (status == STATUS_DONE)
        status = gpu_buffer_create(
            g, &i->upload, pyramid_texels(d->request->size) * source_lanes(c) * 4, MEMORY_UPLOAD);
    if (status == STATUS_DONE)
        status = gpu_buffer_create(g, &i->download, texels * c->lanes * 4, MEMORY_READBACK);
    return status == STATUS_DONE ? fill_upload(d, c, i->upload.map) : status;
}

static void close_images(const gpu *g, pyramid_images *i)
{
    if (g->device == VK_NULL_HANDLE)
        return;
    for (uint32_t k = 0; k < VKR_MAX_PYRAMID_LEVELS; k++)
        vkDestroyImageView(g->device, i->levels[k].view, NULL);
    vkDestroyImageView(g->device, i->source.view, NULL);
    gpu_image_destroy(g, &i->below);
    gpu_image_destroy(g, &i->image);
    gpu_buffer_destroy(g, &i->upload);
    gpu_buffer_destroy(g, &i->download);
}

/* ---- The work ---- */

static void record_upload(const pyramid_device *d, const pyramid_images *i)
{
    static const gpu_image_use written = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                          VK_ACCESS_SHADER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL};
    gpu_image_fill(&d->task->gpu, &i->upload, &i->below, d->request->size);
    gpu_image_change(&d->task->gpu, &i->image, &image_unused, &written);
}

static void record_download(const pyramid_device *d, const pyramid_chain *c,
                            const pyramid_images *i)
{
    VkBufferImageCopy copies[VKR_MAX_PYRAMID_LEVELS];
    VkDeviceSize offset = 0;
    for (uint32_t k = 0; k < d->request->count; k++) {
        copies[k] = (VkBufferImageCopy){
            .bufferOffset = offset,
            .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, k, 0, 1},
            .imageExtent = {d->request->extents[k].width, d->request->extents[k].height, 1}};
        offset += pyramid_texels(d->request->extents[k]) * c->lanes * 4;
    }
    vkCmdCopyImageToBuffer(d->task->gpu.commands, i->image.image, VK_IMAGE_LAYOUT_GENERAL,
                           i->download.buffer, d->request->count, copies);
}

static int record_pyramids(pyramid_device *d)
{
    const gpu *g = &d->task->gpu;
    const VkrEndInfo end = {.commandBuffer = g->commands,
                            .consumerStages = VK_PIPELINE_STAGE_TRANSFER_BIT,
                            .consumerAccess = VK_ACCESS_TRANSFER_READ_BIT};
    VkrResult result = vkrReset(d->recorder);
    if (result == VKR_SUCCESS)
        result = vkrBegin(d->recorder);
    for (uint32_t i = 0; i < d->results->chain_count && result == VKR_SUCCESS; i++) {
        const pyramid_chain *c = &d->results->chains[i];
        const VkrPyramidInfo info = {.label = "vkreduce pyramid",
                                     .ops = c->ops,
                                     .source = d->images[i].source,
                                     .levels = d->images[i].levels,
                                     .levelCount = d->request->count,
                                     .algorithm = (VkrPyramidAlgorithm)d->request->opts->algorithm};
        result = vkrCmdPyramid(d->recorder, &info);
    }
    gpu_start_clock(g);
    if (result == VKR_SUCCESS)
        result = vkrEnd(d->recorder, &end);
    gpu_stop_clock(g);
    return gpu_status(result);
}

static int once(void *context, double *milliseconds)
{
    const VkMemoryBarrier to_host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    pyramid_device *d = context;
    const gpu *g = &d->task->gpu;
    int status = gpu_begin(g);
    if (status != STATUS_DONE)
        return status;
    for (uint32_t i = 0; i < d->results->chain_count; i++)
        record_upload(d, &d->images[i]);
    status = record_pyramids(d);
    for (uint32_t i = 0; i < d->results->chain_count; i++)
        record_download(d, &d->results->chains[i], &d->images[i]);
    vkCmdPipelineBarrier(g->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                         1, &to_host, 0, NULL, 0, NULL);
    if (status != STATUS_DONE || (status = gpu_end(g)) != STATUS_DONE ||
        (status = gpu_submit(g)) != STATUS_DONE)
        return status;
    return d->task->timed ? gpu_read_clock(g, milliseconds) : STATUS_DONE;
}

static int open_chains(pyramid_device *d)
{
    const VkrRecorderInfo info = {0};
    const bool pair = d->request->ops == PAIR && d->request->in.components <= 2;
    d->results->chain_count = d->request->ops == PAIR && !pair ? 2 : 1;
    for (uint32_t i = 0; i < d->results->chain_count; i++) {
        pyramid_chain *c = &d->results->chains[i];
        c->ops = d->results->chain_count == 1 ? d->request->ops : i == 0 ? VKR_OP_MIN : VKR_OP_MAX;
        c->lanes = d->request->in.components == 1 && !pair ? 1 : 4;
        c->floats = c->ops == VKR_OP_MEAN || d->request->in.type == VKR_TYPE_F32;
        int status = open_chain(d, c, &d->images[i]);
        if (status != STATUS_DONE)
            return status;
        c->source = d->images[i].upload.map;
        c->levels = d->images[i].download.map;
    }
    return gpu_status(vkrCreateRecorder(d->task->gpu.context, &info, &d->recorder));
}

int pyramid_execute(pyramid_device *d, task *t, const pyramid_request *r, pyramid_results *results)
{
    *d = (pyramid_device){.task = t, .request = r, .results = results};
    int status = open_chains(d);
    return status == STATUS_DONE ? task_execute(t, once, d) : status;
}

void pyramid_close(pyramid_device *d)
{
    if (d->task == NULL)
        return;
    vkrDestroyRecorder(d->recorder);
    for (uint32_t i = 0; i < 2; i++)
        close_images(&d->task->gpu, &d->images[i]);
}
