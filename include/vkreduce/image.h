/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/image.h: images in place of buffers.
 *
 * A texel is an element, and its channels are the element's components. Element i is texel
 * (x, y, layer) of the part that is read, row by row and then layer by layer. Values are those that
 * texelFetch returns, whatever the format stores: f32 for float, normalised, sRGB and depth
 * formats, u32 for unsigned integers and stencil, i32 for signed integers. So a result has the bits
 * that it would have for a buffer with these values.
 *
 * An image is read in the layout that the caller names, and the library changes no layout. On entry
 * it must be available and visible to COMPUTE_SHADER / SHADER_READ in that layout, and have SAMPLED
 * usage; no sampler is used, so formats need no filtering.
 */
#ifndef VKREDUCE_IMAGE_H
#define VKREDUCE_IMAGE_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One mip level of an image, or a part of it. The view must live until execution ends.
 *
 * Views of cubes cannot be fetched from: pass one of type 2D_ARRAY, whose layers are the faces.
 * Multisampled images cannot be read.
 */
typedef struct VkrImage {
    VkImage image; /* for hazards, and for vkrGetUses */
    VkImageView view;
    VkImageViewType viewType; /* 2D, 2D_ARRAY or 3D */
    VkFormat format;          /* of the view */
    VkImageLayout layout;     /* the image's layout when the work executes */
    /* The part of the image that the view covers, with numbers instead of VK_REMAINING_*: one
     * aspect, and the one level that is read. */
    VkImageSubresourceRange range;
    uint32_t lod;      /* the number of that level in the view: 0 if it is the view's only one */
    VkExtent3D extent; /* texels of the level; depth 0 is 1, and only views of type 3D have more */
    VkSampleCountFlagBits samples; /* of the image; 0 is 1 */
    /* The part that is read. An extent of 0 x 0 is the whole level, and a layerCount of 0 is all
     * layers, or slices of 3D, starting at firstLayer. */
    VkRect2D rectangle;
    uint32_t firstLayer;
    uint32_t layerCount;
} VkrImage;

/* Returns the type of an image's elements, and their number of channels, for a format's colour,
 * depth or stencil (one bit of VkImageAspectFlagBits). It is VKR_TYPE_UNDEFINED, with 0 channels,
 * if the library does not read the format or the format lacks the aspect. */
VKR_API VkrType vkrFormatType(VkFormat format, VkImageAspectFlagBits aspect, uint32_t *components);

#ifdef __cplusplus
}
#endif

#endif
