/* SPDX-License-Identifier: MIT */
/* The table of image formats. */
#ifndef VKR_FORMATS_H
#define VKR_FORMATS_H

#include "../core/base.h"

/* How the bits of a channel encode a number. */
typedef enum vkr_numeric {
    VKR_NUMERIC_UNORM,
    VKR_NUMERIC_SNORM,
    VKR_NUMERIC_SRGB, /* UNORM after a transfer function */
    VKR_NUMERIC_FLOAT,
    VKR_NUMERIC_UINT,
    VKR_NUMERIC_SINT
} vkr_numeric;

typedef struct vkr_format_info {
    VkFormat format;
    const char *name; /* without VK_FORMAT_ */
    VkImageAspectFlags aspects;
    vkr_numeric numeric; /* that of colour or depth; stencil has 8 bits and is UINT */
    uint8_t bits[4];     /* of red or depth, green, blue and alpha; 0: no such channel */
} vkr_format_info;

/* Returns NULL for a format that is not in the table. */
const vkr_format_info *vkr_find_format(VkFormat format);

/* Does what vkrFormatType does. */
VkrType vkr_format_type(const vkr_format_info *format, VkImageAspectFlags aspect,
                        uint32_t *components);

#endif
