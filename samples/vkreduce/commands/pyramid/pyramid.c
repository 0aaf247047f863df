/* SPDX-License-Identifier: MIT */
/* The command pyramid: a picture as an image of the device, and the levels above it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/pyramid/pyramid.h"
#include "commands/report.h"
#include "device/submit.h"
#include "interrupt.h"
#include "status.h"

#define PAIR (VKR_OP_MIN | VKR_OP_MAX)

static int parse_ops(const char *text, VkrOpFlags *ops)
{
    static const struct {
        const char *name;
        VkrOpFlags ops;
    } words[] = {
        {"min", VKR_OP_MIN}, {"max", VKR_OP_MAX}, {"minmax", PAIR}, {"average", VKR_OP_MEAN}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(text, words[i].name) == 0) {
            *ops = words[i].ops;
            return STATUS_DONE;
        }
    }
    return fail(STATUS_USAGE, "'%s' is no OP of pyramid; it must be min, max, minmax or average",
                text);
}

static int open_picture(pyramid_job *j, const char *name)
{
    int status = input_open(&j->in, name, &(input_options){0});
    if (status != STATUS_DONE)
        return status;
    if (j->in.columns == 0 || j->in.count == 0 ||
        (j->in.type != VKR_TYPE_U8 && j->in.type != VKR_TYPE_U16 && j->in.type != VKR_TYPE_F32))
        return fail(STATUS_USAGE,
                    "%s: pyramid needs a picture: a .png or .hdr file, or a .npy file of two "
                    "dimensions with values of type u8, u16 or f32",
                    j->in.name);
    const uint64_t rows = j->in.count / j->in.columns;
    const uint32_t most = j->task.gpu.chosen->properties.limits.maxImageDimension2D;
    if (j->in.columns > most || rows > most)
        return fail(
            STATUS_USAGE,
            "%s: it has %llu x %llu texels; images of '%s' have at most %u in each direction",
            j->in.name, (unsigned long long)j->in.columns, (unsigned long long)rows,
            j->task.gpu.chosen->properties.deviceName, most);
    j->size = (VkExtent2D){(uint32_t)j->in.columns, (uint32_t)rows};
    j->count = vkrGetPyramidExtents(j->size, VKR_PYRAMID_HALF, VKR_MAX_PYRAMID_LEVELS, j->extents);
    return STATUS_DONE;
}

/* ---- Images ---- */

/* Formats that every device can read, and write where they have one channel or four. Values of 32
 * bits hold those of pictures, averages as floats in the same units. */
static VkFormat format_of(const pyramid_job *j, const pyramid_chain *c, uint32_t lanes)
{
    const bool floats = holds_floats(j, c);
    return lanes == 1   ? floats ? VK_FORMAT_R32_SFLOAT : VK_FORMAT_R32_UINT
           : lanes == 2 ? floats ? VK_FORMAT_R32G32_SFLOAT : VK_FORMAT_R32G32_UINT
           : floats     ? VK_FORMAT_R32G32B32A32_SFLOAT
                        : VK_FORMAT_R32G32B32A32_UINT;
}

/* The picture's values as words, and what channels it has more, as 0. */
static int fill_upload(const pyramid_job *j, const pyramid_chain *c)
{
    const uint32_t lanes = source_lanes(c), channels = j->in.components;
    const size_t size = vkrTypeSize(j->in.type);
    unsigned char *values = malloc((size_t)j->in.size + 1);
    uint32_t *words = c->upload.map;
    if (values == NULL)
        return fail(STATUS_VULKAN, "%s: out of memory", j->in.name);
    const int status = input_load(&j->in, 0, j->in.count, values);
    for (uint64_t i = 0; i < j->in.count * lanes && status == STATUS_DONE; i++) {
        uint32_t word = 0;
        if (i % lanes < channels)
            memcpy(&word, values + (i / lanes * channels + i % lanes) * size, size);
        const float number = (float)word;
        if (c->ops == VKR_OP_MEAN && j->in.type != VKR_TYPE_F32)
            memcpy(&word, &number, sizeof word);
        words[i] = word;
    }
    free(values);
    return status;
}

static int open_chain(pyramid_job *j, pyramid_chain *c)
{
    const gpu *g = &j->task.gpu;
    const VkFormat below = format_of(j, c, source_lanes(c)), format = format_of(j, c, c->lanes);
    uint64_t texels = 0;
    int status = gpu_image_create(g, &c->below, below, j->size, 1, VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    if (status == STATUS_DONE)
        status = gpu_image_view(g, &c->below, 0, j->size, image_read.layout, &c->source);
    if (status == STATUS_DONE)
        status = gpu_image_create(g, &c->image, format, j->extents[0], j->count,
                                  VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    for (uint32_t k = 0; k < j->count && status == STATUS_DONE; k++) {
        status =
            gpu_image_view(g, &c->image, k, j->extents[k], VK_IMAGE_LAYOUT_GENERAL, &c->levels[k]);
        texels += pyramid_texels(j->extents[k]);
    }
    if (status == STATUS_DONE)
        status = gpu_buffer_create(g, &c->upload, pyramid_texels(j->size) * source_lanes(c) * 4,
                                   MEMORY_UPLOAD);
    if (status == STATUS_DONE)
        status = gpu_buffer_create(g, &c->download, texels * c->lanes * 4, MEMORY_READBACK);
    return status == STATUS_DONE ? fill_upload(j, c) : status;
}

static void close_chain(const gpu *g, pyramid_chain *c)
{
    if (g->device == VK_NULL_HANDLE)
        return;
    for (uint32_t k = 0; k < VKR_MAX_PYRAMID_LEVELS; k++)
        vkDestroyImageView(g->device, c->levels[k].view, NULL);
    vkDestroyImageView(g->device, c->source.view, NULL);
    gpu_image_destroy(g, &c->below);
    gpu_image_destroy(g, &c->image);
    gpu_buffer_destroy(g, &c->upload);
    gpu_buffer_destroy(g, &c->download);
}

/* ---- The work ---- */

static void record_upload(const pyramid_job *j, const pyramid_chain *c)
{
    static const gpu_image_use written = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                          VK_ACCESS_SHADER_WRITE_BIT, VK_IMAGE_LAYOUT_GENERAL};
    gpu_image_fill(&j->task.gpu, &c->upload, &c->below, j->size);
    gpu_image_change(&j->task.gpu, &c->image, &image_unused, &written);
}

static void record_download(const pyramid_job *j, const pyramid_chain *c)
{
    VkBufferImageCopy copies[VKR_MAX_PYRAMID_LEVELS];
    VkDeviceSize offset = 0;
    for (uint32_t k = 0; k < j->count; k++) {
        copies[k] =
            (VkBufferImageCopy){.bufferOffset = offset,
                                .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, k, 0, 1},
                                .imageExtent = {j->extents[k].width, j->extents[k].height, 1}};
        offset += pyramid_texels(j->extents[k]) * c->lanes * 4;
    }
    vkCmdCopyImageToBuffer(j->task.gpu.commands, c->image.image, VK_IMAGE_LAYOUT_GENERAL,
                           c->download.buffer, j->count, copies);
}

static int record_pyramids(pyramid_job *j)
{
    const gpu *g = &j->task.gpu;
    const VkrEndInfo end = {.commandBuffer = g->commands,
                            .consumerStages = VK_PIPELINE_STAGE_TRANSFER_BIT,
                            .consumerAccess = VK_ACCESS_TRANSFER_READ_BIT};
    VkrResult result = vkrReset(j->recorder);
    if (result == VKR_SUCCESS)
        result = vkrBegin(j->recorder);
    for (uint32_t i = 0; i < j->chain_count && result == VKR_SUCCESS; i++) {
        const pyramid_chain *c = &j->chains[i];
        const VkrPyramidInfo info = {.label = "vkreduce pyramid",
                                     .ops = c->ops,
                                     .source = c->source,
                                     .levels = c->levels,
                                     .levelCount = j->count,
                                     .algorithm = (VkrPyramidAlgorithm)j->opts->algorithm};
        result = vkrCmdPyramid(j->recorder, &info);
    }
    gpu_start_clock(g);
    if (result == VKR_SUCCESS)
        result = vkrEnd(j->recorder, &end);
    gpu_stop_clock(g);
    return gpu_status(result);
}

static int once(void *context, double *milliseconds)
{
    const VkMemoryBarrier to_host = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    pyramid_job *j = context;
    const gpu *g = &j->task.gpu;
    int status = gpu_begin(g);
    if (status != STATUS_DONE)
        return status;
    for (uint32_t i = 0; i < j->chain_count; i++)
        record_upload(j, &j->chains[i]);
    status = record_pyramids(j);
    for (uint32_t i = 0; i < j->chain_count; i++)
        record_download(j, &j->chains[i]);
    vkCmdPipelineBarrier(g->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                         1, &to_host, 0, NULL, 0, NULL);
    if (status != STATUS_DONE || (status = gpu_end(g)) != STATUS_DONE ||
        (status = gpu_submit(g)) != STATUS_DONE)
        return status;
    return j->task.timed ? gpu_read_clock(g, milliseconds) : STATUS_DONE;
}

const uint32_t *pyramid_words(const pyramid_job *j, const pyramid_chain *c, uint32_t level)
{
    const uint32_t *words = c->download.map;
    for (uint32_t k = 0; k < level; k++)
        words += pyramid_texels(j->extents[k]) * c->lanes;
    return words;
}

static int open_chains(pyramid_job *j)
{
    const VkrRecorderInfo info = {0};
    const bool pair = j->ops == PAIR && j->in.components <= 2;
    j->chain_count = j->ops == PAIR && !pair ? 2 : 1;
    for (uint32_t i = 0; i < j->chain_count; i++) {
        pyramid_chain *c = &j->chains[i];
        c->ops = j->chain_count == 1 ? j->ops : i == 0 ? VKR_OP_MIN : VKR_OP_MAX;
        c->lanes = j->in.components == 1 && !pair ? 1 : 4;
        int status = open_chain(j, c);
        if (status != STATUS_DONE)
            return status;
    }
    return gpu_status(vkrCreateRecorder(j->task.gpu.context, &info, &j->recorder));
}

/* ---- Results ---- */

static void print_json(const pyramid_job *j)
{
    report_start_json(&j->task, "pyramid", &j->in,
                      vkrPyramidAlgorithmName((VkrPyramidAlgorithm)j->opts->algorithm));
    putchar('{');
    printf("\"levels\":[[%u,%u]", j->size.width, j->size.height);
    for (uint32_t k = 0; k < j->count && pyramid_texels(j->size) > 1; k++)
        printf(",[%u,%u]", j->extents[k].width, j->extents[k].height);
    putchar(']');
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++)
        if ((j->ops >> bit & 1u) != 0)
            pyramid_print_value(j, (VkrOp)(1u << bit));
    putchar('}');
    report_end_json(&j->task, &j->in, 1, &(named_output){"output", j->opts->output}, 1);
}

static void print_text(const pyramid_job *j)
{
    report_device(&j->task);
    report_input(&j->in);
    printf("%-8s %s: %u levels from %u x %u to 1 x 1\n", "output", j->opts->output, j->count,
           j->extents[0].width, j->extents[0].height);
    report_end(&j->task, vkrPyramidAlgorithmName((VkrPyramidAlgorithm)j->opts->algorithm));
}

static int run(pyramid_job *j, const operands *given)
{
    const pyramid_options *opts = j->opts;
    int status = parse_ops(given->words[0], &j->ops);
    if (status == STATUS_DONE && opts->output == NULL)
        status = fail(STATUS_USAGE, "pyramid needs a directory to write to: -o DIRECTORY");
    if (status != STATUS_DONE || (status = task_open(&j->task)) != STATUS_DONE ||
        (status = open_picture(j, given->words[1])) != STATUS_DONE ||
        (status = open_chains(j)) != STATUS_DONE ||
        (status = task_execute(&j->task, once, j)) != STATUS_DONE ||
        (opts->task.verify && (status = verify_pyramid(j)) != STATUS_DONE) ||
        (status = check_interrupt()) != STATUS_DONE || (status = pyramid_write(j)) != STATUS_DONE)
        return status;
    (opts->json ? print_json : print_text)(j);
    return j->task.differs ? STATUS_DIFFERENCE : STATUS_DONE;
}

int pyramid_run(const operands *given, const void *options)
{
    const pyramid_options *opts = options;
    pyramid_job j = {.opts = opts, .task = {.opts = &opts->task}, .in = {.file = -1}};
    catch_interrupts();
    int status = run(&j, given);
    vkrDestroyRecorder(j.recorder);
    for (uint32_t i = 0; i < 2; i++)
        close_chain(&j.task.gpu, &j.chains[i]);
    input_close(&j.in);
    task_close(&j.task);
    return status;
}
