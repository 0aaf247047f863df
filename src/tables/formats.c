/* SPDX-License-Identifier: MIT */
#include "formats.h"

#include "vkreduce/image.h"

#define COLOR VK_IMAGE_ASPECT_COLOR_BIT
#define DEPTH VK_IMAGE_ASPECT_DEPTH_BIT
#define STENCIL VK_IMAGE_ASPECT_STENCIL_BIT

#define ROW(format, aspects, numeric, r, g, b, a)                                                  \
    {                                                                                              \
        VK_FORMAT_##format, #format, aspects, VKR_NUMERIC_##numeric,                               \
        {                                                                                          \
            r, g, b, a                                                                             \
        }                                                                                          \
    }
/* Rows for one to four channels with the same number of bits. */
#define PLAIN(bits, suffix, numeric)                                                               \
    ROW(R##bits##_##suffix, COLOR, numeric, bits, 0, 0, 0),                                        \
        ROW(R##bits##G##bits##_##suffix, COLOR, numeric, bits, bits, 0, 0),                        \
        ROW(R##bits##G##bits##B##bits##_##suffix, COLOR, numeric, bits, bits, bits, 0),            \
        ROW(R##bits##G##bits##B##bits##A##bits##_##suffix, COLOR, numeric, bits, bits, bits, bits)

static const vkr_format_info formats[] = {
    PLAIN(8, UNORM, UNORM),
    PLAIN(8, SNORM, SNORM),
    PLAIN(8, UINT, UINT),
    PLAIN(8, SINT, SINT),
    PLAIN(8, SRGB, SRGB),
    PLAIN(16, UNORM, UNORM),
    PLAIN(16, SNORM, SNORM),
    PLAIN(16, UINT, UINT),
    PLAIN(16, SINT, SINT),
    PLAIN(16, SFLOAT, FLOAT),
    PLAIN(32, UINT, UINT),
    PLAIN(32, SINT, SINT),
    PLAIN(32, SFLOAT, FLOAT),
    ROW(B8G8R8A8_UNORM, COLOR, UNORM, 8, 8, 8, 8),
    ROW(B8G8R8A8_SRGB, COLOR, SRGB, 8, 8, 8, 8),
    ROW(A8B8G8R8_UNORM_PACK32, COLOR, UNORM, 8, 8, 8, 8),
    ROW(A8B8G8R8_SNORM_PACK32, COLOR, SNORM, 8, 8, 8, 8),
    ROW(A8B8G8R8_UINT_PACK32, COLOR, UINT, 8, 8, 8, 8),
    ROW(A8B8G8R8_SINT_PACK32, COLOR, SINT, 8, 8, 8, 8),
    ROW(A8B8G8R8_SRGB_PACK32, COLOR, SRGB, 8, 8, 8, 8),
    ROW(A2B10G10R10_UNORM_PACK32, COLOR, UNORM, 10, 10, 10, 2),
    ROW(A2B10G10R10_UINT_PACK32, COLOR, UINT, 10, 10, 10, 2),
    ROW(A2R10G10B10_UNORM_PACK32, COLOR, UNORM, 10, 10, 10, 2),
    ROW(A2R10G10B10_UINT_PACK32, COLOR, UINT, 10, 10, 10, 2),
    ROW(B10G11R11_UFLOAT_PACK32, COLOR, FLOAT, 11, 11, 10, 0),
    ROW(E5B9G9R9_UFLOAT_PACK32, COLOR, FLOAT, 9, 9, 9, 0),
    ROW(R5G6B5_UNORM_PACK16, COLOR, UNORM, 5, 6, 5, 0),
    ROW(B5G6R5_UNORM_PACK16, COLOR, UNORM, 5, 6, 5, 0),
    ROW(R5G5B5A1_UNORM_PACK16, COLOR, UNORM, 5, 5, 5, 1),
    ROW(A1R5G5B5_UNORM_PACK16, COLOR, UNORM, 5, 5, 5, 1),
    ROW(R4G4B4A4_UNORM_PACK16, COLOR, UNORM, 4, 4, 4, 4),
    ROW(B4G4R4A4_UNORM_PACK16, COLOR, UNORM, 4, 4, 4, 4),
    ROW(D16_UNORM, DEPTH, UNORM, 16, 0, 0, 0),
    ROW(X8_D24_UNORM_PACK32, DEPTH, UNORM, 24, 0, 0, 0),
    ROW(D32_SFLOAT, DEPTH, FLOAT, 32, 0, 0, 0),
    ROW(S8_UINT, STENCIL, UINT, 0, 0, 0, 0),
    ROW(D16_UNORM_S8_UINT, DEPTH | STENCIL, UNORM, 16, 0, 0, 0),
    ROW(D24_UNORM_S8_UINT, DEPTH | STENCIL, UNORM, 24, 0, 0, 0),
    ROW(D32_SFLOAT_S8_UINT, DEPTH | STENCIL, FLOAT, 32, 0, 0, 0),
};

const vkr_format_info *vkr_find_format(VkFormat format)
{
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(formats); i++)
        if (formats[i].format == format)
            return &formats[i];
    return NULL;
}

VkrType vkr_format_type(const vkr_format_info *format, VkImageAspectFlags aspect,
                        uint32_t *components)
{
    *components = 0;
    if (format == NULL || aspect == 0 || (aspect & (aspect - 1)) != 0 ||
        (aspect & format->aspects) == 0)
        return VKR_TYPE_UNDEFINED;
    while (*components < VKR_MAX_COMPONENTS && format->bits[*components] != 0)
        ++*components;
    if (aspect == STENCIL)
        *components = 1;
    return aspect == STENCIL || format->numeric == VKR_NUMERIC_UINT ? VKR_TYPE_U32
           : format->numeric == VKR_NUMERIC_SINT                    ? VKR_TYPE_I32
                                                                    : VKR_TYPE_F32;
}

VkrType vkrFormatType(VkFormat format, VkImageAspectFlagBits aspect, uint32_t *components)
{
    uint32_t count = 0;
    const VkrType type = vkr_format_type(vkr_find_format(format), aspect, &count);
    if (components != NULL)
        *components = count;
    return type;
}
