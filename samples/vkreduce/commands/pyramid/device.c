/* SPDX-License-Identifier: MIT */
/* Uploads a picture as an image, and makes the levels above it. */
#include <stdlib.h>
#include <string.h>
#include "commands/pyramid/pyramid.h"
#include "device/pipe.h"
#include "device/texels.h"
#include "status.h"

#define PAIR (VKR_OP_MIN | VKR_OP_MAX)

/* The images of a chain. */
typedef struct chain_images {
    gpu_image below, image;
    VkrImage source;
    VkrImage levels[VKR_MAX_PYRAMID_LEVELS];
} chain_images;

typedef struct pyramid_device {
    task *task;
    const pyramid_request *request;
    pyramid_results *results;
    chain_images images[2];
    pipe pipe;
} pyramid_device;

/* Every device can read these formats, and can write those with one or four channels. Their 32-bit
 * values hold those of pictures; averages are floats in the same units. */
static VkFormat format_of(const pyramid_chain *c, uint32_t lanes)
{
    return texels_format(c->floats ? VKR_TYPE_F32 : VKR_TYPE_U32, lanes);
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

/* Copies the picture to its image, and prepares the image of the levels for writes. */
static int upload(const gpu *g, const pyramid_request *r, const pyramid_chain *c,
                  const chain_images *i)
{
    static const gpu_image_use written = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                          VK_ACCESS_SHADER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL};
    const int status = gpu_status(vkrHostBegin(g->host));
    if (status != STATUS_DONE)
        return status;
    gpu_image_fill(vkrHostCommands(g->host), &c->upload, &i->below, r->size);
    gpu_image_change(vkrHostCommands(g->host), &i->image, &image_unused, &written);
    return gpu_status(vkrHostRun(g->host));
}

static int open_chain(pyramid_device *d, pyramid_chain *c, chain_images *i)
{
    const gpu *g = &d->task->gpu;
    const pyramid_request *r = d->request;
    const VkFormat below = format_of(c, source_lanes(c)), format = format_of(c, c->lanes);
    uint64_t texels = 0;
    int status = gpu_image_create(g, &i->below, below, r->size, 1, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    if (status == STATUS_DONE)
        status = gpu_image_view(g, &i->below, 0, r->size, image_read.layout, &i->source);
    if (status == STATUS_DONE)
        status = gpu_image_create(g, &i->image, format, r->extents[0], r->count,
                                  VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    for (uint32_t k = 0; k < r->count && status == STATUS_DONE; k++) {
        status =
            gpu_image_view(g, &i->image, k, r->extents[k], VK_IMAGE_LAYOUT_GENERAL, &i->levels[k]);
        texels += pyramid_texels(r->extents[k]);
    }
    if (status == STATUS_DONE)
        status = gpu_status(vkrHostAlloc(g->host, pyramid_texels(r->size) * source_lanes(c) * 4,
                                         VKR_HOST_MEMORY_UPLOAD, &c->upload));
    if (status == STATUS_DONE)
        status = gpu_status(
            vkrHostAlloc(g->host, texels * c->lanes * 4, VKR_HOST_MEMORY_READBACK, &c->download));
    c->source = c->upload.data;
    c->levels = c->download.data;
    if (status == STATUS_DONE)
        status = fill_upload(d, c, c->upload.data);
    return status == STATUS_DONE ? upload(g, r, c, i) : status;
}

static int open_chains(pyramid_device *d)
{
    const pyramid_request *r = d->request;
    const bool pair = r->ops == PAIR && r->in.components <= 2;
    int status = STATUS_DONE;
    d->results->chain_count = r->ops == PAIR && !pair ? 2 : 1;
    for (uint32_t i = 0; i < d->results->chain_count && status == STATUS_DONE; i++) {
        pyramid_chain *c = &d->results->chains[i];
        c->ops = d->results->chain_count == 1 ? r->ops : i == 0 ? VKR_OP_MIN : VKR_OP_MAX;
        c->lanes = r->in.components == 1 && !pair ? 1 : 4;
        c->floats = c->ops == VKR_OP_MEAN || r->in.type == VKR_TYPE_F32;
        status = open_chain(d, c, &d->images[i]);
    }
    return status;
}

static void close_images(const gpu *g, chain_images *i)
{
    for (uint32_t k = 0; k < VKR_MAX_PYRAMID_LEVELS; k++)
        vkDestroyImageView(g->vulkan.device, i->levels[k].view, NULL);
    vkDestroyImageView(g->vulkan.device, i->source.view, NULL);
    gpu_image_destroy(g, &i->below);
    gpu_image_destroy(g, &i->image);
}

/* ---- The work ---- */

static VkrResult collect(void *context, pipe_slot *slot)
{
    const pyramid_device *d = context;
    VkrResult result = VKR_SUCCESS;
    for (uint32_t i = 0; i < d->results->chain_count && result == VKR_SUCCESS; i++) {
        const VkrPyramidInfo info = {.label = "vkreduce pyramid",
                                     .ops = d->results->chains[i].ops,
                                     .source = d->images[i].source,
                                     .levels = d->images[i].levels,
                                     .levelCount = d->request->count,
                                     .algorithm =
                                         (VkrPyramidAlgorithm)d->request->opts->data.algorithm};
        result = vkrCmdPyramid(slot->recorder, &info);
    }
    return result;
}

static void record_download(const pyramid_device *d, const pyramid_chain *c, const chain_images *i)
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
    vkCmdCopyImageToBuffer(vkrHostCommands(d->task->gpu.host), i->image.image,
                           VK_IMAGE_LAYOUT_GENERAL, c->download.buffer, d->request->count, copies);
}

static int store(void *context, pipe_slot *slot)
{
    const pyramid_device *d = context;
    const int status = gpu_status(vkrHostBegin(d->task->gpu.host));
    (void)slot;
    for (uint32_t i = 0; i < d->results->chain_count && status == STATUS_DONE; i++)
        record_download(d, &d->results->chains[i], &d->images[i]);
    return status == STATUS_DONE ? gpu_status(vkrHostRun(d->task->gpu.host)) : status;
}

int pyramid_execute(job *j)
{
    task *t = &j->task;
    pyramid_device d = {.task = t,
                        .request = j->request,
                        .results = j->results,
                        .pipe = {.task = t, .context = &d, .collect = collect, .store = store}};
    (void)pipe_fits(&d.pipe, 1, 0, NULL);
    int status = open_chains(&d);
    if (status == STATUS_DONE)
        status = pipe_run(&d.pipe, "making levels", 0);
    pipe_close(&d.pipe);
    for (uint32_t i = 0; i < 2; i++)
        close_images(&t->gpu, &d.images[i]);
    return status;
}
