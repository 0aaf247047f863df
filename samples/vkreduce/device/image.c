/* SPDX-License-Identifier: MIT */
/* Images of the device. */
#include "device/image.h"
#include "status.h"

static int bind_memory(const gpu *g, gpu_image *i)
{
    VkPhysicalDeviceMemoryProperties types;
    VkMemoryRequirements needs;
    vkGetPhysicalDeviceMemoryProperties(g->vulkan.physicalDevice, &types);
    vkGetImageMemoryRequirements(g->vulkan.device, i->image, &needs);
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                 .allocationSize = needs.size};
    for (uint32_t k = types.memoryTypeCount; k-- > 0;)
        if ((needs.memoryTypeBits >> k & 1u) != 0 &&
            (info.memoryTypeIndex == 0 ||
             (types.memoryTypes[k].propertyFlags & VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) != 0))
            info.memoryTypeIndex = k;
    VkResult result = vkAllocateMemory(g->vulkan.device, &info, NULL, &i->memory);
    if (result != VK_SUCCESS)
        return gpu_check(result, "vkAllocateMemory");
    return gpu_check(vkBindImageMemory(g->vulkan.device, i->image, i->memory, 0),
                     "vkBindImageMemory");
}

int gpu_image_create(const gpu *g, gpu_image *i, VkFormat format, VkExtent2D size, uint32_t levels,
                     VkImageUsageFlags usage)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = format,
                                    .extent = {size.width, size.height, 1},
                                    .mipLevels = levels,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT | usage};
    *i = (gpu_image){.format = format};
    VkResult result = vkCreateImage(g->vulkan.device, &info, NULL, &i->image);
    return result == VK_SUCCESS ? bind_memory(g, i) : gpu_check(result, "vkCreateImage");
}

int gpu_image_view(const gpu *g, const gpu_image *i, uint32_t level, VkExtent2D size,
                   VkImageLayout layout, VkrImage *described)
{
    const VkImageViewCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = i->image,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = i->format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, level, 1, 0, 1}};
    *described = (VkrImage){.image = i->image,
                            .viewType = info.viewType,
                            .format = i->format,
                            .layout = layout,
                            .range = info.subresourceRange,
                            .extent = {size.width, size.height, 1}};
    return gpu_check(vkCreateImageView(g->vulkan.device, &info, NULL, &described->view),
                     "vkCreateImageView");
}

void gpu_image_destroy(const gpu *g, gpu_image *i)
{
    if (g->vulkan.device != VK_NULL_HANDLE) {
        vkDestroyImage(g->vulkan.device, i->image, NULL);
        vkFreeMemory(g->vulkan.device, i->memory, NULL);
    }
    *i = (gpu_image){0};
}

void gpu_image_change(VkCommandBuffer commands, const gpu_image *i, const gpu_image_use *from,
                      const gpu_image_use *to)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = from->access,
        .dstAccessMask = to->access,
        .oldLayout = from->layout,
        .newLayout = to->layout,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = i->image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0, 1}};
    vkCmdPipelineBarrier(commands, from->stages, to->stages, 0, 0, NULL, 0, NULL, 1, &barrier);
}

const gpu_image_use image_unused = {VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, 0,
                                    VK_IMAGE_LAYOUT_UNDEFINED};
const gpu_image_use image_read = {VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT,
                                  VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};

void gpu_image_fill(VkCommandBuffer commands, const VkrHostMemory *from, const gpu_image *i,
                    VkExtent2D size)
{
    static const gpu_image_use copied = {VK_PIPELINE_STAGE_TRANSFER_BIT,
                                         VK_ACCESS_TRANSFER_WRITE_BIT,
                                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL};
    const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                    .imageExtent = {size.width, size.height, 1}};
    gpu_image_change(commands, i, &image_unused, &copied);
    vkCmdCopyBufferToImage(commands, from->buffer, i->image, copied.layout, 1, &copy);
    gpu_image_change(commands, i, &copied, &image_read);
}
