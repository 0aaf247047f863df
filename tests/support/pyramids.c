/* SPDX-License-Identifier: MIT */
#include "pyramids.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce_case.h"

static const level_format level_formats[] = {
    {VK_FORMAT_R8_UNORM, ORACLE_UNORM, {8}, false},
    {VK_FORMAT_R8G8_UNORM, ORACLE_UNORM, {8, 8}, false},
    {VK_FORMAT_R8G8B8A8_UNORM, ORACLE_UNORM, {8, 8, 8, 8}, false},
    {VK_FORMAT_B8G8R8A8_UNORM, ORACLE_UNORM, {8, 8, 8, 8}, true},
    {VK_FORMAT_R8G8_SNORM, ORACLE_SNORM, {8, 8}, false},
    {VK_FORMAT_R8G8B8A8_SNORM, ORACLE_SNORM, {8, 8, 8, 8}, false},
    {VK_FORMAT_R16_UNORM, ORACLE_UNORM, {16}, false},
    {VK_FORMAT_R16G16_UNORM, ORACLE_UNORM, {16, 16}, false},
    {VK_FORMAT_R16G16B16A16_SNORM, ORACLE_SNORM, {16, 16, 16, 16}, false},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, ORACLE_UNORM, {10, 10, 10, 2}, false},
    {VK_FORMAT_A2B10G10R10_UINT_PACK32, ORACLE_UINT, {10, 10, 10, 2}, false},
    {VK_FORMAT_B10G11R11_UFLOAT_PACK32, ORACLE_FLOAT, {11, 11, 10}, false},
    {VK_FORMAT_R16_SFLOAT, ORACLE_FLOAT, {16}, false},
    {VK_FORMAT_R16G16_SFLOAT, ORACLE_FLOAT, {16, 16}, false},
    {VK_FORMAT_R16G16B16A16_SFLOAT, ORACLE_FLOAT, {16, 16, 16, 16}, false},
    {VK_FORMAT_R32_SFLOAT, ORACLE_FLOAT, {32}, false},
    {VK_FORMAT_R32G32_SFLOAT, ORACLE_FLOAT, {32, 32}, false},
    {VK_FORMAT_R32G32B32A32_SFLOAT, ORACLE_FLOAT, {32, 32, 32, 32}, false},
    {VK_FORMAT_R8_UINT, ORACLE_UINT, {8}, false},
    {VK_FORMAT_R8G8_UINT, ORACLE_UINT, {8, 8}, false},
    {VK_FORMAT_R8G8B8A8_UINT, ORACLE_UINT, {8, 8, 8, 8}, false},
    {VK_FORMAT_R16G16B16A16_UINT, ORACLE_UINT, {16, 16, 16, 16}, false},
    {VK_FORMAT_R32_UINT, ORACLE_UINT, {32}, false},
    {VK_FORMAT_R32G32_UINT, ORACLE_UINT, {32, 32}, false},
    {VK_FORMAT_R32G32B32A32_UINT, ORACLE_UINT, {32, 32, 32, 32}, false},
    {VK_FORMAT_R8G8B8A8_SINT, ORACLE_SINT, {8, 8, 8, 8}, false},
    {VK_FORMAT_R16_SINT, ORACLE_SINT, {16}, false},
    {VK_FORMAT_R16G16_SINT, ORACLE_SINT, {16, 16}, false},
    {VK_FORMAT_R32_SINT, ORACLE_SINT, {32}, false},
    {VK_FORMAT_R32G32_SINT, ORACLE_SINT, {32, 32}, false},
    {VK_FORMAT_R32G32B32A32_SINT, ORACLE_SINT, {32, 32, 32, 32}, false},
};

const level_format *find_level_format(VkFormat format)
{
    for (uint32_t i = 0; i < ARRAY_SIZE(level_formats); i++)
        if (level_formats[i].format == format)
            return &level_formats[i];
    return NULL;
}

static uint32_t channels_of(const level_format *format)
{
    uint32_t channels = 0;
    while (channels < 4 && format->bits[channels] != 0)
        channels++;
    return channels;
}

static uint32_t texel_bytes(const level_format *format)
{
    uint32_t bits = 0;
    for (uint32_t c = 0; c < 4; c++)
        bits += format->bits[c];
    return bits / 8;
}

/* ---- Images ---- */

static VkImageCreateInfo create_info(const chain_request *r)
{
    return (VkImageCreateInfo){
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = r->format->format,
        .extent = {r->extent.width, r->extent.height, 1},
        .mipLevels = r->count,
        .arrayLayers = r->layers,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = VK_IMAGE_USAGE_STORAGE_BIT | VK_IMAGE_USAGE_SAMPLED_BIT |
                 VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT,
    };
}

bool chain_supported(const harness *h, const chain_request *r)
{
    const VkImageCreateInfo info = create_info(r);
    VkImageFormatProperties limits;
    return vkGetPhysicalDeviceImageFormatProperties(h->physical_device, info.format, info.imageType,
                                                    info.tiling, info.usage, 0,
                                                    &limits) == VK_SUCCESS &&
           info.extent.width <= limits.maxExtent.width &&
           info.extent.height <= limits.maxExtent.height && info.mipLevels <= limits.maxMipLevels &&
           info.arrayLayers <= limits.maxArrayLayers;
}

static bool create_level(harness *h, const chain_request *r, uint32_t k, level_chain *chain)
{
    VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = chain->image,
        .viewType = r->view_type,
        .format = r->format->format,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, k, 1, 0, r->layers},
    };
    VkrImage *level = &chain->infos[k];
    const uint32_t width = r->extent.width >> k, height = r->extent.height >> k;
    chain->extents[k] = (VkExtent2D){width > 0 ? width : 1, height > 0 ? height : 1};
    *level = (VkrImage){.image = chain->image,
                        .viewType = r->view_type,
                        .format = r->format->format,
                        .layout = VK_IMAGE_LAYOUT_GENERAL,
                        .range = view.subresourceRange,
                        .extent = {chain->extents[k].width, chain->extents[k].height, 1}};
    return vkCreateImageView(h->device, &view, NULL, &level->view) == VK_SUCCESS;
}

bool chain_create(harness *h, const chain_request *r, level_chain *chain)
{
    const VkImageCreateInfo info = create_info(r);
    *chain = (level_chain){.format = r->format, .layers = r->layers, .count = r->count};
    if (vkCreateImage(h->device, &info, NULL, &chain->image) != VK_SUCCESS)
        return false;
    bool done = image_bind_memory(h, chain->image, &chain->memory);
    for (uint32_t k = 0; k < r->count && done; k++)
        done = create_level(h, r, k, chain);
    if (!done)
        chain_destroy(h, chain);
    return done;
}

void chain_destroy(harness *h, level_chain *chain)
{
    for (uint32_t k = 0; k < chain->count; k++)
        vkDestroyImageView(h->device, chain->infos[k].view, NULL);
    vkDestroyImage(h->device, chain->image, NULL);
    vkFreeMemory(h->device, chain->memory, NULL);
    *chain = (level_chain){0};
}

static void change_layout(harness *h, const level_chain *chain, VkImageLayout from,
                          VkImageLayout to, VkAccessFlags before, VkAccessFlags after,
                          VkPipelineStageFlags stages, VkPipelineStageFlags next)
{
    const VkImageMemoryBarrier barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
        .srcAccessMask = before,
        .dstAccessMask = after,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = chain->image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                             VK_REMAINING_ARRAY_LAYERS},
    };
    vkCmdPipelineBarrier(h->cmd, stages, next, 0, 0, NULL, 0, NULL, 1, &barrier);
}

void chain_clear(harness *h, const level_chain *chain)
{
    const VkImageSubresourceRange all = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                                         VK_REMAINING_ARRAY_LAYERS};
    const oracle_stored stored = chain->format->stored;
    VkClearColorValue color = {.uint32 = {1, 1, 1, 1}};
    for (uint32_t c = 0; c < 4 && stored != ORACLE_UINT && stored != ORACLE_SINT; c++)
        color.float32[c] = 0.421875f;
    change_layout(h, chain, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_GENERAL, 0,
                  VK_ACCESS_TRANSFER_WRITE_BIT, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT,
                  VK_PIPELINE_STAGE_TRANSFER_BIT);
    vkCmdClearColorImage(h->cmd, chain->image, VK_IMAGE_LAYOUT_GENERAL, &color, 1, &all);
    change_layout(h, chain, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL,
                  VK_ACCESS_TRANSFER_WRITE_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                  VK_PIPELINE_STAGE_TRANSFER_BIT, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
}

static VkDeviceSize layer_bytes(const level_chain *chain, uint32_t k)
{
    return (VkDeviceSize)chain->extents[k].width * chain->extents[k].height *
           texel_bytes(chain->format);
}

static VkDeviceSize level_bytes(const level_chain *chain, uint32_t k)
{
    return (layer_bytes(chain, k) * chain->layers + 15) / 16 * 16;
}

VkDeviceSize chain_bytes(const level_chain *chain, uint32_t first)
{
    VkDeviceSize size = 0;
    for (uint32_t k = first; k < chain->count; k++)
        size += level_bytes(chain, k);
    return size;
}

void chain_download(harness *h, const level_chain *chain, uint32_t first, VkBuffer buffer,
                    VkDeviceSize offset)
{
    for (uint32_t k = first; k < chain->count; k++) {
        const VkBufferImageCopy copy = {
            .bufferOffset = offset,
            .imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, k, 0, chain->layers},
            .imageExtent = {chain->extents[k].width, chain->extents[k].height, 1},
        };
        vkCmdCopyImageToBuffer(h->cmd, chain->image, VK_IMAGE_LAYOUT_GENERAL, buffer, 1, &copy);
        offset += level_bytes(chain, k);
    }
}

/* ---- Comparing ---- */

static uint64_t texels_compared;

uint64_t chain_texels(void)
{
    return texels_compared;
}

/* The bits of a channel; channels are packed starting at the lowest bit. */
static uint32_t raw_channel(const level_format *f, const unsigned char *texel, uint32_t channel)
{
    const uint32_t place = f->swapped && channel < 3 ? 2 - channel : channel;
    uint32_t shift = 0, bits = 0;
    for (uint32_t c = 0; c < place; c++)
        shift += f->bits[c];
    for (uint32_t b = 0; b < f->bits[channel]; b++)
        bits |= (uint32_t)(texel[(shift + b) / 8] >> (shift + b) % 8 & 1) << b;
    return bits;
}

static uint64_t compare_level(const oracle_pyramid *p, const level_format *format, uint32_t k,
                              const oracle_level *level, const unsigned char *raw, const char *what)
{
    static uint32_t printed;
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < (uint64_t)level->width * level->height; i++) {
        for (uint32_t c = 0; c < p->channels; c++) {
            const uint32_t bits = raw_channel(format, raw + i * texel_bytes(format), c);
            const uint32_t actual = oracle_pyramid_number(p, c, bits);
            const uint32_t expected = level->texels[i * p->channels + c];
            if (oracle_pyramid_same(p, c, expected, actual))
                continue;
            wrong++;
            if (printed++ < 20)
                printf("# %s: level %u, texel %" PRIu64 ",%" PRIu64 " channel %u is 0x%x, but must "
                       "be 0x%x\n",
                       what, k, i % level->width, i / level->width, c, actual, expected);
        }
    }
    texels_compared += (uint64_t)level->width * level->height;
    return wrong;
}

static oracle_level new_level(const oracle_pyramid *p, VkExtent2D extent)
{
    oracle_level level = {extent.width, extent.height, NULL};
    level.texels = malloc((size_t)extent.width * extent.height * p->channels * sizeof(uint32_t));
    assert_non_null(level.texels);
    return level;
}

static uint64_t compare_layer(const level_chain *chain, uint32_t first, const oracle_pyramid *p,
                              uint32_t layer, oracle_level below, const void *downloaded,
                              const char *what)
{
    const unsigned char *raw = downloaded;
    uint64_t wrong = 0;
    for (uint32_t k = first; k < chain->count; k++) {
        oracle_level level = new_level(p, chain->extents[k]);
        oracle_pyramid_level(p, &below, &level);
        wrong += compare_level(p, chain->format, k + 1 - first, &level,
                               raw + layer * layer_bytes(chain, k), what);
        raw += level_bytes(chain, k);
        free(below.texels);
        below = level;
    }
    free(below.texels);
    return wrong;
}

uint64_t chain_compare(const level_chain *chain, uint32_t first, VkrOpFlags ops, VkExtent2D source,
                       const uint32_t *fetched, const void *downloaded, const char *what)
{
    oracle_pyramid p = {
        .ops = ops, .stored = chain->format->stored, .channels = channels_of(chain->format)};
    const uint32_t channels = ops == (VKR_OP_MIN | VKR_OP_MAX) ? p.channels / 2 : p.channels;
    const size_t texels = (size_t)source.width * source.height;
    uint64_t wrong = 0;
    memcpy(p.bits, chain->format->bits, sizeof(p.bits));
    for (uint32_t layer = 0; layer < chain->layers; layer++) {
        oracle_level below = new_level(&p, source);
        oracle_pyramid_source(&p, fetched + layer * texels * channels, &below);
        wrong += compare_layer(chain, first, &p, layer, below, downloaded, what);
    }
    return wrong;
}
