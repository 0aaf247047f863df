/* SPDX-License-Identifier: MIT */
#include "faults_images.h"

static bool create_image(harness *h, faults_levels *l)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = VK_FORMAT_R32_UINT,
                                    .extent = {IMAGE_COLUMNS, IMAGE_ROWS, 1},
                                    .mipLevels = l->count,
                                    .arrayLayers = 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT |
                                             VK_IMAGE_USAGE_STORAGE_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    VkMemoryRequirements needs;
    if (vkCreateImage(h->device, &info, NULL, &l->image) != VK_SUCCESS)
        return false;
    vkGetImageMemoryRequirements(h->device, l->image, &needs);
    VkMemoryAllocateInfo memory = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
                                   .allocationSize = needs.size};
    while ((needs.memoryTypeBits >> memory.memoryTypeIndex & 1u) == 0)
        memory.memoryTypeIndex++;
    return vkAllocateMemory(h->device, &memory, NULL, &l->memory) == VK_SUCCESS &&
           vkBindImageMemory(h->device, l->image, l->memory, 0) == VK_SUCCESS;
}

static bool create_view(harness *h, faults_levels *l, uint32_t k, VkExtent2D size)
{
    l->levels[k] = (VkrImage){.image = l->image,
                              .viewType = VK_IMAGE_VIEW_TYPE_2D,
                              .format = VK_FORMAT_R32_UINT,
                              .layout = VK_IMAGE_LAYOUT_GENERAL,
                              .range = {VK_IMAGE_ASPECT_COLOR_BIT, k, 1, 0, 1},
                              .extent = {size.width, size.height, 1}};
    const VkImageViewCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
                                        .image = l->image,
                                        .viewType = l->levels[k].viewType,
                                        .format = l->levels[k].format,
                                        .subresourceRange = l->levels[k].range};
    return vkCreateImageView(h->device, &info, NULL, &l->levels[k].view) == VK_SUCCESS;
}

static void become_general(harness *h, const faults_levels *l, VkImageLayout from)
{
    const VkImageMemoryBarrier all = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
        .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
        .oldLayout = from,
        .newLayout = VK_IMAGE_LAYOUT_GENERAL,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = l->image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, l->count, 0, 1}};
    vkCmdPipelineBarrier(h->cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &all);
}

bool faults_open_levels(harness *h, faults_levels *l, VkBuffer texels)
{
    const VkExtent2D size = {IMAGE_COLUMNS, IMAGE_ROWS};
    const VkBufferImageCopy copy = {.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
                                    .imageExtent = {size.width, size.height, 1}};
    VkExtent2D sizes[VKR_MAX_PYRAMID_LEVELS] = {size};
    l->count =
        1 + vkrGetPyramidExtents(size, VKR_PYRAMID_HALF, VKR_MAX_PYRAMID_LEVELS - 1, &sizes[1]);
    bool good = create_image(h, l);
    for (uint32_t k = 0; k < l->count && good; k++)
        good = create_view(h, l, k, sizes[k]);
    if (!good || !harness_begin(h))
        return false;
    become_general(h, l, VK_IMAGE_LAYOUT_UNDEFINED);
    vkCmdCopyBufferToImage(h->cmd, texels, l->image, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
    become_general(h, l, VK_IMAGE_LAYOUT_GENERAL);
    return harness_end(h) && harness_submit(h);
}

void faults_close_levels(harness *h, faults_levels *l)
{
    for (uint32_t k = 0; k < l->count; k++)
        vkDestroyImageView(h->device, l->levels[k].view, NULL);
    vkDestroyImage(h->device, l->image, NULL);
    vkFreeMemory(h->device, l->memory, NULL);
}
