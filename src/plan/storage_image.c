/* SPDX-License-Identifier: MIT */
#include "storage_image.h"

#include "../tables/spirv_formats.h"

VkrResult vkr_check_written(const vkr_walk *w, const char *field, const VkrImage *image)
{
    VKR_TRY(vkr_check_sampled(w, field, image));
    VKR_MUST(w, image->layout == VK_IMAGE_LAYOUT_GENERAL,
             "%s.layout is %d, but must be VK_IMAGE_LAYOUT_GENERAL (%d), in which shaders write.",
             field, (int)image->layout, VK_IMAGE_LAYOUT_GENERAL);
    VKR_MUST(w, image->rectangle.extent.width == 0 && image->rectangle.extent.height == 0,
             "%s.rectangle.extent is %u x %u, but must be 0 x 0: a level is written as a whole.",
             field, image->rectangle.extent.width, image->rectangle.extent.height);
    VKR_MUST_BE(w, image->lod == 0, field, ".lod", image->lod,
                "be 0: the view must have only the level that is written.");
    return VKR_SUCCESS;
}

VkrResult vkr_check_storage_format(const vkr_walk *w, const char *field, const vkr_image *image)
{
    const vkr_format_info *format = image->format;
    VKR_MUST(w,
             format->numeric != VKR_NUMERIC_SRGB &&
                 format->format != VK_FORMAT_E5B9G9R9_UFLOAT_PACK32 &&
                 (format->aspects & VK_IMAGE_ASPECT_COLOR_BIT) != 0,
             "%s.format is %s, but must be a colour format that shaders write: neither sRGB nor "
             "with a shared exponent, nor depth or stencil.",
             field, format->name);
    return VKR_SUCCESS;
}

VkrResult vkr_choose_image_format(const vkr_walk *w, const char *field, const vkr_image *image,
                                  uint32_t *image_format)
{
    const VkrFeatureFlags has = w->context->caps.features;
    VkrFeatureFlags needs = VKR_FEATURE_WRITE_WITHOUT_FORMAT;
    *image_format = 0;
    if ((has & needs) != 0)
        return VKR_SUCCESS;
    *image_format = vkr_spirv_format(image->format->format, &needs);
    VKR_NEED(w, (needs & ~has) == 0,
             "%s.format is %s, but must be one that the context can write: this one needs %s.",
             field, image->format->name, vkr_feature_name(needs));
    return VKR_SUCCESS;
}

bool vkr_is_normalised(const vkr_image *image)
{
    return image->type == VKR_TYPE_F32 && image->format->numeric != VKR_NUMERIC_FLOAT;
}

uint32_t vkr_stored_as(const vkr_image *image)
{
    switch (image->format->numeric) {
    case VKR_NUMERIC_UNORM:
        return VKR_STORED_UNORM;
    case VKR_NUMERIC_SNORM:
        return VKR_STORED_SNORM;
    case VKR_NUMERIC_FLOAT:
        return VKR_STORED_FLOAT;
    default:
        return VKR_STORED_INTEGER;
    }
}

uint32_t vkr_channel_bits(const vkr_image *image)
{
    const uint8_t *bits = image->format->bits;
    return (uint32_t)bits[0] | (uint32_t)bits[1] << 8 | (uint32_t)bits[2] << 16 |
           (uint32_t)bits[3] << 24;
}

uint32_t vkr_class_of_texels(VkrType type)
{
    return type == VKR_TYPE_I32 ? VKR_CLASS_S32 : vkr_class_of(type);
}
