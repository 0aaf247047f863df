/* SPDX-License-Identifier: MIT */
/* The command pyramid: a picture as an image of the device, and the levels above it. */
#include <stdlib.h>
#include <string.h>
#include "pyramid.h"

#define PAIR (VKR_OP_MIN | VKR_OP_MAX)

void list_pyramid_algorithms(void)
{
    for (uint32_t i = 0; i < VKR_PYRAMID_ALGORITHM_COUNT; i++)
        puts(vkrPyramidAlgorithmName((VkrPyramidAlgorithm)i));
}

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

static int open_picture(pyramid_job *j)
{
    const options *opts = j->task.opts;
    int status = input_open(&j->in, opts->operands[1], opts);
    if (status != STATUS_DONE)
        return status;
    if (j->in.columns == 0 || j->in.count == 0 ||
        (j->in.type != VKR_TYPE_U8 && j->in.type != VKR_TYPE_U16))
        return fail(
            STATUS_USAGE,
            "%s: pyramid needs a picture: a .png file, or a .npy file of two dimensions with "
            "values of type u8 or u16",
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
static VkFormat format_of(VkrOpFlags ops, uint32_t lanes)
{
    const bool average = ops == VKR_OP_MEAN;
    return lanes == 1   ? average ? VK_FORMAT_R32_SFLOAT : VK_FORMAT_R32_UINT
           : lanes == 2 ? average ? VK_FORMAT_R32G32_SFLOAT : VK_FORMAT_R32G32_UINT
           : average    ? VK_FORMAT_R32G32B32A32_SFLOAT
                        : VK_FORMAT_R32G32B32A32_UINT;
}

static int bind_memory(const gpu *g, VkImage image, VkDeviceMemory *memory)
{
    const VkPhysicalDeviceMemoryProperties *types = &g->chosen->memory;
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(g->device, image, &needs);
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = needs.size};
    for (uint32_t i = types->memoryTypeCount; i-- > 0;)
        if ((needs.memoryTypeBits >> i & 1u) != 0 &&
            (info.memoryTypeIndex == 0 ||
             (types->memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0))
            info.memoryTypeIndex = i;
    VkResult result = vkAllocateMemory(g->device, &info, NULL, memory);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkAllocateMemory");
    result = vkBindImageMemory(g->device, image, *memory, 0);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkBindImageMemory");
}

static int create_image(const gpu *g, VkFormat format, VkExtent2D size, uint32_t levels,
                        VkImageUsageFlags usage, VkImage *image, VkDeviceMemory *memory)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = format,
                                    .extent = {size.width, size.height, 1},
                                    .mipLevels = levels,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT | usage};
    VkResult result = vkCreateImage(g->device, &info, NULL, image);
    return result == VK_SUCCESS ? bind_memory(g, *image, memory)
                                : gpu_fail(result, "vkCreateImage");
}

/* A view of one level, and the level as the library takes it. */
static int create_level(const gpu *g, VkImage image, VkFormat format, VkExtent2D size,
                        uint32_t level, VkImageView *view, VkrImage *described)
{
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, 1}};
    VkResult result = vkCreateImageView(g->device, &info, NULL, view);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateImageView");
    *described = (VkrImage){.image = image,
                            .view = *view,
                            .viewType = VK_IMAGE_VIEW_TYPE_2D,
                            .format = format,
                            .layout = VK_IMAGE_LAYOUT_GENERAL,
                            .range = info.subresourceRange,
                            .extent = {size.width, size.height, 1}};
    return STATUS_DONE;
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
        if (c->ops == VKR_OP_MEAN)
            memcpy(&word, &number, sizeof word);
        words[i] = word;
    }
    free(values);
    return status;
}

static int open_chain(pyramid_job *j, pyramid_chain *c)
{
    const gpu *g = &j->task.gpu;
    const VkFormat below = format_of(c->ops, source_lanes(c)), format = format_of(c->ops, c->lanes);
    uint64_t texels = 0;
    VkrImage unused;
    int status = create_image(g, below, j->size, 1, VK_IMAGE_USAGE_TRANSFER_DST_BIT, &c->source,
                              &c->source_memory);
    if (status == STATUS_DONE)
        status = create_level(g, c->source, below, j->size, 0, &c->source_view, &unused);
    if (status == STATUS_DONE)
        status = create_image(g, format, j->extents[0], j->count,
                              VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
                              &c->image, &c->memory);
    for (uint32_t k = 0; k < j->count && status == STATUS_DONE; k++) {
        status = create_level(g, c->image, format, j->extents[k], k, &c->views[k], &c->levels[k]);
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
    for (uint32_t k = 0; k < VKR_MAX_PYRAMID_LEVELS && g->device != VK_NULL_HANDLE; k++)
        vkDestroyImageView(g->device, c->views[k], NULL);
    if (g->device == VK_NULL_HANDLE)
        return;
    vkDestroyImageView(g->device, c->source_view, NULL);
    vkDestroyImage(g->device, c->source, NULL);
    vkDestroyImage(g->device, c->image, NULL);
    vkFreeMemory(g->device, c->source_memory, NULL);
    vkFreeMemory(g->device, c->memory, NULL);
    gpu_buffer_destroy(g, &c->upload);
    gpu_buffer_destroy(g, &c->download);
}

/* ---- The work ---- */

static void change_layout(const gpu *g, VkImage image, VkImageLayout from, VkImageLayout to,
                          VkAccessFlags before, VkAccessFlags after, VkPipelineStageFlags stages,
                          VkPipelineStageFlags next)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = before,
        .dstAccessMask = after,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0, 1}};
    vkCmdPipelineBarrier(g->commands, stages, next, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static void record_upload(const pyramid_job *j, const pyramid_chain *c)
{
    const gpu *g = &j->task.gpu;
    const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                    .imageExtent = {j->size.width, j->size.height, 1}};
    change_layout(g, c->source, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                  VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                  VK_PIPELINE_STAGE_TRANSFER_BIT);
    vkCmdCopyBufferToImage(g->commands, c->upload.buffer, c->source,
                           VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &copy);
    change_layout(g, c->source, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                  VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL, VK_ACCESS_TRANSFER_WRITE_BIT,
                  VK_ACCESS_SHADER_READ_BIT, VK_PIPELINE_STAGE_TRANSFER_BIT,
                  VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    change_layout(g, c->image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                  VK_ACCESS_SHADER_WRITE_BIT, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                  VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
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
    vkCmdCopyImageToBuffer(j->task.gpu.commands, c->image, VK_IMAGE_LAYOUT_GENERAL,
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
        VkrPyramidInfo info = {.label = "vkreduce pyramid",
                               .ops = c->ops,
                               .source = c->levels[0],
                               .levels = c->levels,
                               .levelCount = j->count,
                               .algorithm = (VkrPyramidAlgorithm)j->task.opts->algorithm};
        info.source.image = c->source;
        info.source.view = c->source_view;
        info.source.format = format_of(c->ops, source_lanes(c));
        info.source.layout = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
        info.source.range.baseMipLevel = 0;
        info.source.extent = (VkExtent3D){j->size.width, j->size.height, 1};
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
    task_print_json(&j->task, "pyramid", &j->in,
                    vkrPyramidAlgorithmName((VkrPyramidAlgorithm)j->task.opts->algorithm));
    printf("\"levels\":[[%u,%u]", j->size.width, j->size.height);
    for (uint32_t k = 0; k < j->count && pyramid_texels(j->size) > 1; k++)
        printf(",[%u,%u]", j->extents[k].width, j->extents[k].height);
    putchar(']');
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++)
        if ((j->ops >> bit & 1u) != 0)
            pyramid_print_value(j, (VkrOp)(1u << bit));
    task_end_json(&j->task);
}

static void print_text(const pyramid_job *j)
{
    task_print_text(&j->task);
    task_print_input(&j->in);
    printf("%-8s %s: %u levels from %u x %u to 1 x 1\n", "output", j->task.opts->output, j->count,
           j->extents[0].width, j->extents[0].height);
    task_end_text(&j->task, vkrPyramidAlgorithmName((VkrPyramidAlgorithm)j->task.opts->algorithm));
}

static int run(pyramid_job *j)
{
    const options *opts = j->task.opts;
    int status = parse_ops(opts->operands[0], &j->ops);
    if (status == STATUS_DONE && opts->output == NULL)
        status = fail(STATUS_USAGE, "pyramid needs a directory to write to: -o DIRECTORY");
    if (status != STATUS_DONE || (status = task_open(&j->task)) != STATUS_DONE ||
        (status = open_picture(j)) != STATUS_DONE || (status = open_chains(j)) != STATUS_DONE ||
        (status = task_execute(&j->task, once, j)) != STATUS_DONE ||
        (opts->verify && (status = verify_pyramid(j)) != STATUS_DONE) ||
        (status = check_interrupt()) != STATUS_DONE || (status = pyramid_write(j)) != STATUS_DONE)
        return status;
    (opts->json ? print_json : print_text)(j);
    return j->task.differs ? STATUS_DIFFERENCE : STATUS_DONE;
}

int pyramid_command(const options *opts)
{
    pyramid_job j = {.task = {.opts = opts}, .in = {.file = -1}};
    catch_interrupts();
    int status = run(&j);
    vkrDestroyRecorder(j.recorder);
    for (uint32_t i = 0; i < 2; i++)
        close_chain(&j.task.gpu, &j.chains[i]);
    input_close(&j.in);
    task_close(&j.task);
    return status;
}
