/* SPDX-License-Identifier: MIT */
/* Images that are measured: their levels, and a bare kernel that fetches all texels. */
#include <stdlib.h>
#include <string.h>
#include "array.h"
#include "images.h"
#include "status.h"

static const uint32_t fetch_code[] =
#include "fetch.inc"
    ;

/* ---- Images ---- */

static int create_view(const gpu *g, image_levels *levels, uint32_t k, VkExtent2D size)
{
    const VkImageAspectFlags aspect = levels->format == VK_FORMAT_D32_SFLOAT
                                          ? VK_IMAGE_ASPECT_DEPTH_BIT
                                          : VK_IMAGE_ASPECT_COLOR_BIT;
    VkrImage *level = &levels->levels[k];
    *level = (VkrImage){.image = levels->image.image,
                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                        .format = levels->format,
                        .layout = VK_IMAGE_LAYOUT_GENERAL,
                        .range = {aspect, k, 1, 0, 1},
                        .extent = {size.width, size.height, 1}};
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = levels->image.image,
                                        .viewType = level->viewType,
                                        .format = level->format,
                                        .subresourceRange = level->range};
    const VkResult result = vkCreateImageView(g->vulkan.device, &info, NULL, &level->view);
    return gpu_check(result, "vkCreateImageView");
}

static int create_levels(const gpu *g, image_levels *levels, const VkExtent2D *sizes,
                         VkImageUsageFlags usage)
{
    usage |= VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    int status =
        gpu_image_create(g, &levels->image, levels->format, sizes[0], levels->count, usage);
    for (uint32_t k = 0; k < levels->count && status == STATUS_DONE; k++)
        status = create_view(g, levels, k, sizes[k]);
    return status;
}

static void destroy_levels(const gpu *g, image_levels *levels)
{
    for (uint32_t k = 0; k < levels->count; k++)
        vkDestroyImageView(g->vulkan.device, levels->levels[k].view, NULL);
    gpu_image_destroy(g, &levels->image);
}

static void fill(picture *p)
{
    uint64_t state = 1;
    for (uint64_t i = 0; i < texels_of(p->size); i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        p->texels[i] = (uint32_t)(state >> 32);
        const float depth = (float)(p->texels[i] >> 8) * 0x1p-24f;
        if (p->depth)
            memcpy(&p->texels[i], &depth, sizeof depth);
    }
}

static void become(const bench *b, const image_levels *levels, VkImageLayout from)
{
    const VkImageMemoryBarrier all = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .oldLayout = from,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = levels->image.image,
        .subresourceRange = {levels->levels[0].range.aspectMask, 0, levels->count, 0, 1}};
    vkCmdPipelineBarrier(vkrHostCommands(b->gpu.host), VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &all);
}

static int upload(const bench *b, const picture *p)
{
    VkrHostMemory staging = {0};
    const VkDeviceSize size = texels_of(p->size) * sizeof *p->texels;
    int status = gpu_status(vkrHostAlloc(b->gpu.host, size, VKR_HOST_MEMORY_UPLOAD, &staging));
    if (status == STATUS_DONE)
        status = gpu_status(vkrHostBegin(b->gpu.host));
    if (status == STATUS_DONE) {
        const VkrImage *source = &p->source.levels[0];
        const VkBufferImageCopy copy = {.imageSubresource = {source->range.aspectMask, 0, 0, 1},
                                        .imageExtent = source->extent};
        memcpy(staging.data, p->texels, (size_t)size);
        become(b, &p->source, VK_IMAGE_LAYOUT_UNDEFINED);
        vkCmdCopyBufferToImage(vkrHostCommands(b->gpu.host), staging.buffer, source->image,
                               source->layout, 1, &copy);
        become(b, &p->source, VK_IMAGE_LAYOUT_GENERAL);
        for (uint32_t k = 0; k < CHAINS; k++)
            if (p->chains[k].count != 0)
                become(b, &p->chains[k], VK_IMAGE_LAYOUT_UNDEFINED);
        status = gpu_status(vkrHostRun(b->gpu.host));
    }
    vkrHostFree(b->gpu.host, &staging);
    return status;
}

static int open_picture(bench *b, picture *p)
{
    VkExtent2D sizes[VKR_MAX_PYRAMID_LEVELS];
    const uint32_t count =
        vkrGetPyramidExtents(p->size, VKR_PYRAMID_HALF, VKR_MAX_PYRAMID_LEVELS, sizes);
    p->texels = malloc((size_t)texels_of(p->size) * sizeof *p->texels);
    if (p->texels == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    fill(p);
    p->source = (image_levels){.format = p->depth ? VK_FORMAT_D32_SFLOAT : VK_FORMAT_R8G8B8A8_UNORM,
                               .channels = p->depth ? 1 : 4,
                               .count = 1};
    p->chains[0] = p->source;
    p->chains[0].count = count;
    if (p->depth) {
        p->chains[0].format = VK_FORMAT_R32_SFLOAT;
        p->chains[1] =
            (image_levels){.format = VK_FORMAT_R32G32_SFLOAT, .channels = 2, .count = count};
    }
    int status = create_levels(&b->gpu, &p->source, &p->size, 0);
    for (uint32_t k = 0; k < CHAINS && status == STATUS_DONE; k++)
        if (p->chains[k].count != 0)
            status = create_levels(&b->gpu, &p->chains[k], sizes, VK_IMAGE_USAGE_STORAGE_BIT);
    return status == STATUS_DONE ? upload(b, p) : status;
}

/* ---- The bare kernel ---- */

static int create_set(bench *b, picture *p)
{
    const kernel_descriptor descriptors[] = {{.image = {.imageView = p->source.levels[0].view,
                                                        .imageLayout = p->source.levels[0].layout}},
                                             {.buffer = {b->copy.buffer, 0, VK_WHOLE_SIZE}}};
    return kernel_set(&b->images->layout, &b->gpu, descriptors, &p->set);
}

static int create_fetches(const bench *b)
{
    struct images *s = b->images;
    const kernel_code code = {fetch_code, sizeof fetch_code};
    s->layout = (kernel_layout){
        .types = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
        .bindings = 2,
        .push_size = 3 * sizeof(uint32_t)};
    int status = kernel_layout_open(&s->layout, &b->gpu, PICTURES);
    for (uint32_t chunked = 0; chunked < 2 && status == STATUS_DONE; chunked++) {
        const uint32_t values[] = {s->workgroup, chunked};
        status = kernel_pipeline(&s->layout, &b->gpu, code, values, COUNT_OF(values),
                                 &s->fetches[chunked]);
    }
    return status;
}

int images_create(bench *b, const VkExtent2D *sizes)
{
    static const char *const names[] = {"rgba8", "d32"};
    struct images *s = b->images = calloc(1, sizeof *s);
    if (s == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    const bool on_cpu = b->gpu.chosen.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    VkrContextProperties properties;
    vkrGetContextProperties(b->gpu.vulkan.context, &properties);
    s->workgroup = on_cpu ? properties.subgroupSize : 256;
    s->groups = on_cpu ? 64 : FETCH_GROUPS;
    int status = create_fetches(b);
    for (uint32_t i = 0; i < PICTURES && status == STATUS_DONE; i++) {
        s->pictures[i].name = names[i % 2];
        s->pictures[i].depth = i % 2 != 0;
        s->pictures[i].size = sizes[i / 2];
        status = open_picture(b, &s->pictures[i]);
    }
    return status;
}

int images_describe(bench *b)
{
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < PICTURES && status == STATUS_DONE; i++)
        status = create_set(b, &b->images->pictures[i]);
    return status;
}

void images_close(bench *b)
{
    struct images *s = b->images;
    if (s == NULL)
        return;
    for (uint32_t i = 0; i < PICTURES; i++) {
        destroy_levels(&b->gpu, &s->pictures[i].source);
        for (uint32_t k = 0; k < CHAINS; k++)
            destroy_levels(&b->gpu, &s->pictures[i].chains[k]);
        free(s->pictures[i].texels);
    }
    for (uint32_t i = 0; i < COUNT_OF(s->fetches); i++)
        vkDestroyPipeline(b->gpu.vulkan.device, s->fetches[i], NULL);
    kernel_layout_close(&s->layout, &b->gpu);
    free(s);
}
