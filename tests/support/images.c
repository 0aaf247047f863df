/* SPDX-License-Identifier: MIT */
#include "images.h"

#include <stdio.h>
#include <string.h>

#include "reduce_case.h"

#define COLOR VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT

/* clang-format off */
const image_format image_formats[IMAGE_FORMATS] = {
    {VK_FORMAT_R8G8B8A8_UNORM, COLOR, 4}, {VK_FORMAT_D32_SFLOAT, DEPTH, 4},
    {VK_FORMAT_R32_SFLOAT, COLOR, 4}, {VK_FORMAT_R32G32B32A32_SFLOAT, COLOR, 16},
    {VK_FORMAT_R8_UINT, COLOR, 1}, {VK_FORMAT_R32G32B32A32_SINT, COLOR, 16},
    {VK_FORMAT_D24_UNORM_S8_UINT, STENCIL, 1}, {VK_FORMAT_R16G16_SFLOAT, COLOR, 4},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, COLOR, 4}, {VK_FORMAT_A2B10G10R10_UNORM_PACK32, COLOR, 4},
    {VK_FORMAT_A2B10G10R10_UINT_PACK32, COLOR, 4}, {VK_FORMAT_D16_UNORM, DEPTH, 2},
    {VK_FORMAT_X8_D24_UNORM_PACK32, DEPTH, 4}, {VK_FORMAT_D24_UNORM_S8_UINT, DEPTH, 4},
    {VK_FORMAT_D32_SFLOAT_S8_UINT, DEPTH, 4}, {VK_FORMAT_D32_SFLOAT_S8_UINT, STENCIL, 1},
    {VK_FORMAT_S8_UINT, STENCIL, 1}, {VK_FORMAT_R8_UNORM, COLOR, 1},
    {VK_FORMAT_R8G8_SNORM, COLOR, 2}, {VK_FORMAT_R8G8B8A8_SRGB, COLOR, 4},
    {VK_FORMAT_B8G8R8A8_UNORM, COLOR, 4}, {VK_FORMAT_B8G8R8A8_SRGB, COLOR, 4},
    {VK_FORMAT_R8G8B8A8_SINT, COLOR, 4}, {VK_FORMAT_R8G8_UINT, COLOR, 2},
    {VK_FORMAT_R16_UNORM, COLOR, 2}, {VK_FORMAT_R16_SINT, COLOR, 2},
    {VK_FORMAT_R16G16B16A16_UINT, COLOR, 8}, {VK_FORMAT_R16G16B16A16_SFLOAT, COLOR, 8},
    {VK_FORMAT_R16G16B16A16_SNORM, COLOR, 8}, {VK_FORMAT_R16_SFLOAT, COLOR, 2},
    {VK_FORMAT_R32_UINT, COLOR, 4}, {VK_FORMAT_R32_SINT, COLOR, 4},
    {VK_FORMAT_R32G32_UINT, COLOR, 8}, {VK_FORMAT_R32G32_SFLOAT, COLOR, 8},
    {VK_FORMAT_R32G32B32_SFLOAT, COLOR, 12}, {VK_FORMAT_R32G32B32A32_UINT, COLOR, 16},
    {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32, COLOR, 4}, {VK_FORMAT_R5G6B5_UNORM_PACK16, COLOR, 2},
    {VK_FORMAT_A1R5G5B5_UNORM_PACK16, COLOR, 2}, {VK_FORMAT_A8B8G8R8_SINT_PACK32, COLOR, 4},
};
/* clang-format on */

/* ---- Images ---- */

static VkImageCreateInfo create_info(const image_request *r)
{
    const bool is_3d = r->view_type == VK_IMAGE_VIEW_TYPE_3D;
    return (VkImageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = is_3d ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
        .format = r->format->format,
        .extent = {r->width << r->level, r->height << r->level, is_3d ? r->layers << r->level : 1},
        .mipLevels = r->level + 1,
        .arrayLayers = is_3d ? 1 : r->layers,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT | r->usage,
    };
}

bool image_supported(const harness *h, const image_request *r)
{
    const VkImageCreateInfo info = create_info(r);
    VkImageFormatProperties limits;
    if (vkGetPhysicalDeviceImageFormatProperties(h->physical_device, info.format, info.imageType,
                                                 info.tiling, info.usage, 0, &limits) != VK_SUCCESS)
        return false;
    return info.extent.width <= limits.maxExtent.width &&
           info.extent.height <= limits.maxExtent.height &&
           info.extent.depth <= limits.maxExtent.depth && info.mipLevels <= limits.maxMipLevels &&
           info.arrayLayers <= limits.maxArrayLayers;
}

static VkrImage describe(const test_image *image)
{
    const image_request *r = &image->request;
    const bool is_3d = r->view_type == VK_IMAGE_VIEW_TYPE_3D;
    return (VkrImage){.image = image->image,
                      .view = image->view,
                      .viewType = r->view_type,
                      .format = r->format->format,
                      .layout = r->layout,
                      .range = {r->format->aspect, r->level, 1, 0, is_3d ? 1 : r->layers},
                      .lod = r->whole_view ? r->level : 0,
                      .extent = {r->width, r->height, is_3d ? r->layers : 1}};
}

static bool create_view(harness *h, test_image *image)
{
    const image_request *r = &image->request;
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image->image,
        .viewType = r->view_type,
        .format = r->format->format,
        .subresourceRange = {.aspectMask = r->format->aspect,
                             .baseMipLevel = r->whole_view ? 0 : r->level,
                             .levelCount = r->whole_view ? r->level + 1 : 1,
                             .layerCount =
                                 r->view_type == VK_IMAGE_VIEW_TYPE_2D_ARRAY ? r->layers : 1},
    };
    return vkCreateImageView(h->device, &info, NULL, &image->view) == VK_SUCCESS;
}

bool image_bind_memory(const harness *h, VkImage image, VkDeviceMemory *memory)
{
    VkMemoryRequirements needs;
    uint32_t type = 0;
    vkGetImageMemoryRequirements(h->device, image, &needs);
    while ((needs.memoryTypeBits >> type & 1u) == 0)
        type++;
    const VkMemoryAllocateInfo allocation = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                             .allocationSize = needs.size,
                                             .memoryTypeIndex = type};
    return vkAllocateMemory(h->device, &allocation, NULL, memory) == VK_SUCCESS &&
           vkBindImageMemory(h->device, image, *memory, 0) == VK_SUCCESS;
}

bool image_create(harness *h, const image_request *r, test_image *image)
{
    const VkImageCreateInfo info = create_info(r);
    *image = (test_image){.request = *r};
    if (vkCreateImage(h->device, &info, NULL, &image->image) != VK_SUCCESS)
        return false;
    if (image_bind_memory(h, image->image, &image->memory) && create_view(h, image)) {
        image->info = describe(image);
        return true;
    }
    image_destroy(h, image);
    return false;
}

void image_destroy(harness *h, test_image *image)
{
    vkDestroyImageView(h->device, image->view, NULL);
    vkDestroyImage(h->device, image->image, NULL);
    vkFreeMemory(h->device, image->memory, NULL);
    *image = (test_image){0};
}

VkDeviceSize image_bytes(const image_request *r)
{
    return (VkDeviceSize)r->width * r->height * r->layers * r->format->bytes;
}

/* ---- Texels ---- */

void image_fill(const image_request *r, uint64_t *random, void *texels)
{
    unsigned char *at = texels;
    const VkDeviceSize size = image_bytes(r);
    uint32_t channels;
    const bool is_f32 =
        vkrFormatType(r->format->format, r->format->aspect, &channels) == VKR_TYPE_F32 &&
        r->format->bytes == 4 * channels && r->format->aspect == COLOR &&
        (channels != 4 || r->format->bytes == 16);
    const bool depth = r->format->aspect == DEPTH && r->format->bytes == 4 &&
                       r->format->format != VK_FORMAT_X8_D24_UNORM_PACK32 &&
                       r->format->format != VK_FORMAT_D24_UNORM_S8_UINT;
    for (VkDeviceSize i = 0; i < size; i += 8) {
        const uint64_t bits = next_random(random);
        memcpy(at + i, &bits, size - i < 8 ? size - i : 8);
    }
    for (VkDeviceSize i = 0; (depth || is_f32) && i + 4 <= size; i += 4) {
        const uint32_t choice = random_below(random, 2);
        const float value = (float)random_below(random, 1u << 24) / 16777216.f;
        const float moderate = depth ? value : (value - 0.5f) * 100.f;
        if (depth || choice == 0)
            memcpy(at + i, &moderate, 4);
    }
}

static void change_layout(harness *h, const test_image *image, VkImageLayout from, VkImageLayout to,
                          VkAccessFlags before, VkAccessFlags after, VkPipelineStageFlags stages,
                          VkPipelineStageFlags next)
{
    const VkImageAspectFlags both =
        image->request.format->format == VK_FORMAT_D24_UNORM_S8_UINT ||
                image->request.format->format == VK_FORMAT_D32_SFLOAT_S8_UINT
            ? DEPTH | STENCIL
            : image->request.format->aspect;
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = before,
        .dstAccessMask = after,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image->image,
        .subresourceRange = {both, 0, VK_REMAINING_MIP_LEVELS, 0, VK_REMAINING_ARRAY_LAYERS},
    };
    vkCmdPipelineBarrier(h->cmd, stages, next, 0, 0, NULL, 0, NULL, 1, &barrier);
}

void image_upload(harness *h, const test_image *image, VkBuffer buffer, VkDeviceSize offset)
{
    const image_request *r = &image->request;
    const bool is_3d = r->view_type == VK_IMAGE_VIEW_TYPE_3D;
    const VkBufferImageCopy copy = {
        .bufferOffset = offset,
        .imageSubresource = {r->format->aspect, r->level, 0, is_3d ? 1 : r->layers},
        .imageExtent = {r->width, r->height, is_3d ? r->layers : 1},
    };
    change_layout(h, image, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 0,
                  VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                  VK_PIPELINE_STAGE_TRANSFER_BIT);
    vkCmdCopyBufferToImage(h->cmd, buffer, image->image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1,
                           &copy);
    change_layout(h, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, r->layout,
                  VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_SHADER_READ_BIT,
                  VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
}

/* ---- What texelFetch returns ---- */

static const uint32_t fetch_f32_2d[] =
#include "fetch_f32_2d.inc"
    ;
static const uint32_t fetch_f32_array[] =
#include "fetch_f32_array.inc"
    ;
static const uint32_t fetch_f32_3d[] =
#include "fetch_f32_3d.inc"
    ;
static const uint32_t fetch_u32_2d[] =
#include "fetch_u32_2d.inc"
    ;
static const uint32_t fetch_u32_array[] =
#include "fetch_u32_array.inc"
    ;
static const uint32_t fetch_u32_3d[] =
#include "fetch_u32_3d.inc"
    ;
static const uint32_t fetch_i32_2d[] =
#include "fetch_i32_2d.inc"
    ;
static const uint32_t fetch_i32_array[] =
#include "fetch_i32_array.inc"
    ;
static const uint32_t fetch_i32_3d[] =
#include "fetch_i32_3d.inc"
    ;
#define CODE(name)                                                                                 \
    {                                                                                              \
        fetch_##name, sizeof(fetch_##name)                                                         \
    }
static const struct {
    const uint32_t *code;
    size_t size;
} modules[3][3] = {{CODE(f32_2d), CODE(f32_array), CODE(f32_3d)},
                   {CODE(u32_2d), CODE(u32_array), CODE(u32_3d)},
                   {CODE(i32_2d), CODE(i32_array), CODE(i32_3d)}};

struct fetch_push {
    uint32_t origin[4];
    uint32_t extent[4];
};

static bool create_layouts(harness *h, fetcher *f)
{
    const VkDescriptorSetLayoutBinding bindings[] = {
        {0, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL},
        {1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL}};
    const VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
        .bindingCount = 2,
        .pBindings = bindings};
    const VkPushConstantRange range = {VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(struct fetch_push)};
    if (vkCreateDescriptorSetLayout(h->device, &set, NULL, &f->set_layout) != VK_SUCCESS)
        return false;
    const VkPipelineLayoutCreateInfo layout = {.sType =
                                                   VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
                                               .setLayoutCount = 1,
                                               .pSetLayouts = &f->set_layout,
                                               .pushConstantRangeCount = 1,
                                               .pPushConstantRanges = &range};
    return vkCreatePipelineLayout(h->device, &layout, NULL, &f->layout) == VK_SUCCESS;
}

static bool create_sets(harness *h, fetcher *f)
{
    const uint32_t count = ARRAY_SIZE(f->sets);
    const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, count},
                                          {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, count}};
    const VkDescriptorPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = count,
                                             .poolSizeCount = 2,
                                             .pPoolSizes = sizes};
    VkDescriptorSetLayout layouts[ARRAY_SIZE(f->sets)];
    for (uint32_t i = 0; i < count; i++)
        layouts[i] = f->set_layout;
    if (vkCreateDescriptorPool(h->device, &pool, NULL, &f->pool) != VK_SUCCESS)
        return false;
    const VkDescriptorSetAllocateInfo set = {.sType =
                                                 VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                             .descriptorPool = f->pool,
                                             .descriptorSetCount = count,
                                             .pSetLayouts = layouts};
    return vkAllocateDescriptorSets(h->device, &set, f->sets) == VK_SUCCESS;
}

bool fetcher_open(harness *h, fetcher *f)
{
    *f = (fetcher){0};
    if (create_layouts(h, f) && create_sets(h, f))
        return true;
    fetcher_close(h, f);
    return false;
}

void fetcher_close(harness *h, fetcher *f)
{
    for (uint32_t i = 0; i < 9; i++)
        vkDestroyPipeline(h->device, f->pipelines[i / 3][i % 3], NULL);
    vkDestroyDescriptorPool(h->device, f->pool, NULL);
    vkDestroyPipelineLayout(h->device, f->layout, NULL);
    vkDestroyDescriptorSetLayout(h->device, f->set_layout, NULL);
    *f = (fetcher){0};
}

void fetcher_reset(fetcher *f)
{
    f->used = 0;
}

static VkPipeline pipeline_of(harness *h, fetcher *f, uint32_t type, uint32_t shape)
{
    VkPipeline *pipeline = &f->pipelines[type][shape];
    VkShaderModule module;
    if (*pipeline != VK_NULL_HANDLE)
        return *pipeline;
    const VkShaderModuleCreateInfo code = {.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
                                           .codeSize = modules[type][shape].size,
                                           .pCode = modules[type][shape].code};
    assert_int_equal(vkCreateShaderModule(h->device, &code, NULL, &module), VK_SUCCESS);
    const VkComputePipelineCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
        .stage = {.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                  .stage = VK_SHADER_STAGE_COMPUTE_BIT,
                  .module = module,
                  .pName = "main"},
        .layout = f->layout,
    };
    assert_int_equal(vkCreateComputePipelines(h->device, VK_NULL_HANDLE, 1, &info, NULL, pipeline),
                     VK_SUCCESS);
    vkDestroyShaderModule(h->device, module, NULL);
    return *pipeline;
}

void image_fetch(harness *h, fetcher *f, const VkrImage *image, uint32_t components,
                 VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size)
{
    const bool is_3d = image->viewType == VK_IMAGE_VIEW_TYPE_3D;
    const uint32_t shape = is_3d ? 2 : image->viewType == VK_IMAGE_VIEW_TYPE_2D_ARRAY ? 1 : 0;
    const VkrType type =
        vkrFormatType(image->format, (VkImageAspectFlagBits)image->range.aspectMask, NULL);
    const VkRect2D *part = &image->rectangle;
    const bool whole = part->extent.width == 0;
    const uint32_t layers = is_3d ? image->extent.depth : image->range.layerCount;
    const struct fetch_push push = {
        .origin = {(uint32_t)part->offset.x, (uint32_t)part->offset.y, image->firstLayer,
                   image->lod},
        .extent = {whole ? image->extent.width : part->extent.width,
                   whole ? image->extent.height : part->extent.height,
                   image->layerCount != 0 ? image->layerCount : layers - image->firstLayer,
                   components}};
    assert_true(f->used < ARRAY_SIZE(f->sets));
    const VkDescriptorSet set = f->sets[f->used++];
    const VkDescriptorImageInfo texels = {VK_NULL_HANDLE, image->view, image->layout};
    const VkDescriptorBufferInfo values = {buffer, offset, size};
    const VkWriteDescriptorSet writes[] = {{.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = set,
                                            .descriptorCount = 1,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
                                            .pImageInfo = &texels},
                                           {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                            .dstSet = set,
                                            .dstBinding = 1,
                                            .descriptorCount = 1,
                                            .descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
                                            .pBufferInfo = &values}};
    const uint64_t groups = ((uint64_t)push.extent[0] * push.extent[1] * push.extent[2] + 63) / 64;
    vkUpdateDescriptorSets(h->device, 2, writes, 0, NULL);
    vkCmdBindPipeline(h->cmd, VK_PIPELINE_BIND_POINT_COMPUTE,
                      pipeline_of(h, f,
                                  type == VKR_TYPE_F32   ? 0
                                  : type == VKR_TYPE_U32 ? 1
                                                         : 2,
                                  shape));
    vkCmdBindDescriptorSets(h->cmd, VK_PIPELINE_BIND_POINT_COMPUTE, f->layout, 0, 1, &set, 0, NULL);
    vkCmdPushConstants(h->cmd, f->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), &push);
    vkCmdDispatch(h->cmd, groups < 65535 ? (uint32_t)groups : 65535,
                  (uint32_t)((groups + 65534) / 65535), 1);
}
