/* SPDX-License-Identifier: MIT */
/* Images that are measured: their levels, and a bare kernel that fetches all texels. */
#include <stdlib.h>
#include <string.h>
#include "images.h"

static const uint32_t fetch_code[] =
#include "fetch.inc"
    ;

/* ---- Images ---- */

static int bind_memory(const gpu *g, image_levels *levels)
{
    const VkPhysicalDeviceMemoryProperties *types = &g->chosen->memory;
    VkMemoryRequirements needs;
    vkGetImageMemoryRequirements(g->device, levels->image, &needs);
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = needs.size};
    bool local = false;
    for (uint32_t i = types->memoryTypeCount; i-- > 0 && !local;)
        if ((needs.memoryTypeBits >> i & 1u) != 0) {
            info.memoryTypeIndex = i;
            local =
                (types->memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0;
        }
    VkResult result = vkAllocateMemory(g->device, &info, NULL, &levels->memory);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkAllocateMemory");
    result = vkBindImageMemory(g->device, levels->image, levels->memory, 0);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkBindImageMemory");
}

static int create_view(const gpu *g, image_levels *levels, uint32_t k, VkExtent2D size)
{
    const VkImageAspectFlags aspect = levels->format == VK_FORMAT_D32_SFLOAT
                                          ? VK_IMAGE_ASPECT_DEPTH_BIT
                                          : VK_IMAGE_ASPECT_COLOR_BIT;
    VkrImage *level = &levels->levels[k];
    *level = (VkrImage){.image = levels->image,
                        .viewType = VK_IMAGE_VIEW_TYPE_2D,
                        .format = levels->format,
                        .layout = VK_IMAGE_LAYOUT_GENERAL,
                        .range = {aspect, k, 1, 0, 1},
                        .extent = {size.width, size.height, 1}};
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = levels->image,
                                        .viewType = level->viewType,
                                        .format = level->format,
                                        .subresourceRange = level->range};
    const VkResult result = vkCreateImageView(g->device, &info, NULL, &level->view);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkCreateImageView");
}

static int create_levels(const gpu *g, image_levels *levels, const VkExtent2D *sizes,
                         VkImageUsageFlags usage)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = levels->format,
                                    .extent = {sizes[0].width, sizes[0].height, 1},
                                    .mipLevels = levels->count,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_DST_BIT | usage};
    const VkResult result = vkCreateImage(g->device, &info, NULL, &levels->image);
    int status = result == VK_SUCCESS ? bind_memory(g, levels) : gpu_fail(result, "vkCreateImage");
    for (uint32_t k = 0; k < levels->count && status == STATUS_DONE; k++)
        status = create_view(g, levels, k, sizes[k]);
    return status;
}

static void destroy_levels(const gpu *g, image_levels *levels)
{
    for (uint32_t k = 0; k < levels->count; k++)
        vkDestroyImageView(g->device, levels->levels[k].view, NULL);
    vkDestroyImage(g->device, levels->image, NULL);
    vkFreeMemory(g->device, levels->memory, NULL);
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
        .image = levels->image,
        .subresourceRange = {levels->levels[0].range.aspectMask, 0, levels->count, 0, 1}};
    vkCmdPipelineBarrier(b->gpu.commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &all);
}

static int upload(const bench *b, const picture *p)
{
    gpu_buffer staging = {0};
    const VkDeviceSize size = texels_of(p->size) * sizeof *p->texels;
    int status = gpu_buffer_create(&b->gpu, &staging, size, MEMORY_UPLOAD);
    if (status == STATUS_DONE)
        status = gpu_begin(&b->gpu);
    if (status == STATUS_DONE) {
        const VkrImage *source = &p->source.levels[0];
        const VkBufferImageCopy copy = {.imageSubresource = {source->range.aspectMask, 0, 0, 1},
                                        .imageExtent = source->extent};
        memcpy(staging.map, p->texels, (size_t)size);
        become(b, &p->source, VK_IMAGE_LAYOUT_UNDEFINED);
        vkCmdCopyBufferToImage(b->gpu.commands, staging.buffer, source->image, source->layout, 1,
                               &copy);
        become(b, &p->source, VK_IMAGE_LAYOUT_GENERAL);
        for (uint32_t k = 0; k < CHAINS; k++)
            if (p->chains[k].count != 0)
                become(b, &p->chains[k], VK_IMAGE_LAYOUT_UNDEFINED);
        status = gpu_end(&b->gpu);
    }
    if (status == STATUS_DONE)
        status = gpu_submit(&b->gpu);
    gpu_buffer_destroy(&b->gpu, &staging);
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

static int create_layouts(images *s, VkDevice device)
{
    const VkDescriptorType types[] = {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                      VK_DESCRIPTOR_TYPE_STORAGE_BUFFER};
    VkDescriptorSetLayoutBinding bindings[COUNT_OF(types)];
    VkDescriptorPoolSize sizes[COUNT_OF(types)];
    for (uint32_t i = 0; i < COUNT_OF(types); i++) {
        bindings[i] =
            (VkDescriptorSetLayoutBinding){i, types[i], 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL};
        sizes[i] = (VkDescriptorPoolSize){types[i], PICTURES};
    }
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = COUNT_OF(types),
        .pBindings = bindings};
    VkResult result = vkCreateDescriptorSetLayout(device, &set, NULL, &s->set_layout);
    const VkPushConstantRange push = {VK_SHADER_STAGE_COMPUTE_BIT, 0, 3 * sizeof(uint32_t)};
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &s->set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &push};
    if (result == VK_SUCCESS)
        result = vkCreatePipelineLayout(device, &layout, NULL, &s->layout);
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = PICTURES,
                                             .poolSizeCount = COUNT_OF(sizes),
                                             .pPoolSizes = sizes};
    if (result == VK_SUCCESS)
        result = vkCreateDescriptorPool(device, &pool, NULL, &s->pool);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkCreateDescriptorPool");
}

static int create_set(bench *b, picture *p)
{
    const VkDescriptorSetAllocateInfo info = {.sType =
                                                  VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = b->images->pool,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &b->images->set_layout};
    const VkResult result = vkAllocateDescriptorSets(b->gpu.device, &info, &p->set);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkAllocateDescriptorSets");
    const VkDescriptorImageInfo image = {.imageView = p->source.levels[0].view,
                                         .imageLayout = p->source.levels[0].layout};
    const VkDescriptorBufferInfo words = {b->copy.buffer, 0, VK_WHOLE_SIZE};
    const VkWriteDescriptorSet writes[] = {{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = p->set,
                                            .dstBinding = 0,
                                            .descriptorCount = 1,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                            .pImageInfo = &image},
                                           {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = p->set,
                                            .dstBinding = 1,
                                            .descriptorCount = 1,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            .pBufferInfo = &words}};
    vkUpdateDescriptorSets(b->gpu.device, COUNT_OF(writes), writes, 0, NULL);
    return STATUS_DONE;
}

static int create_fetch(const bench *b, bool chunked)
{
    const uint32_t values[] = {b->images->workgroup, chunked};
    const VkSpecializationMapEntry entries[] = {{0, 0, 4}, {1, 4, 4}};
    const VkSpecializationInfo constants = {COUNT_OF(entries), entries, sizeof values, values};
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = sizeof fetch_code,
                                           .pCode = fetch_code};
    VkShaderModule module;
    VkResult result = vkCreateShaderModule(b->gpu.device, &code, NULL, &module);
    if (result != VK_SUCCESS)
        return gpu_fail(result, "vkCreateShaderModule");
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main",
                  .pSpecializationInfo = &constants},
        .layout = b->images->layout};
    result = vkCreateComputePipelines(b->gpu.device, VK_NULL_HANDLE, 1, &info, NULL,
                                      &b->images->fetches[chunked]);
    vkDestroyShaderModule(b->gpu.device, module, NULL);
    return result == VK_SUCCESS ? STATUS_DONE : gpu_fail(result, "vkCreateComputePipelines");
}

int images_create(bench *b, const VkExtent2D *sizes)
{
    static const char *const names[] = {"rgba8", "d32"};
    images *s = b->images = calloc(1, sizeof *s);
    if (s == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    const bool on_cpu = b->gpu.chosen->properties.deviceType == VK_PHYSICAL_DEVICE_TYPE_CPU;
    VkrContextProperties properties;
    vkrGetContextProperties(b->gpu.context, &properties);
    s->workgroup = on_cpu ? properties.subgroupSize : 256;
    s->groups = on_cpu ? 64 : FETCH_GROUPS;
    int status = create_layouts(s, b->gpu.device);
    for (uint32_t chunked = 0; chunked < 2 && status == STATUS_DONE; chunked++)
        status = create_fetch(b, chunked != 0);
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
    images *s = b->images;
    for (uint32_t i = 0; s != NULL && i < PICTURES; i++) {
        destroy_levels(&b->gpu, &s->pictures[i].source);
        for (uint32_t k = 0; k < CHAINS; k++)
            destroy_levels(&b->gpu, &s->pictures[i].chains[k]);
        free(s->pictures[i].texels);
    }
    if (s != NULL) {
        for (uint32_t i = 0; i < COUNT_OF(s->fetches); i++)
            vkDestroyPipeline(b->gpu.device, s->fetches[i], NULL);
        vkDestroyDescriptorPool(b->gpu.device, s->pool, NULL);
        vkDestroyPipelineLayout(b->gpu.device, s->layout, NULL);
        vkDestroyDescriptorSetLayout(b->gpu.device, s->set_layout, NULL);
    }
    free(s);
}
