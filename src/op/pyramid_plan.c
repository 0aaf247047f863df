/* SPDX-License-Identifier: MIT */
/* The steps of a pyramid. */
#include "pyramid.h"

#define WORKGROUP 64u /* of 8 x 8 texels: every device takes as many */

/* Whether one size is exactly half of the other. */
static bool is_half(const vkr_image *level, const vkr_image *below)
{
    return 2 * level->width == below->width && 2 * level->height == below->height;
}

static uint32_t stored_as(const vkr_image *level)
{
    switch (level->format->numeric) {
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

static vkr_variant variant_of(const vkr_pyramid *p, const vkr_image *level, bool halves)
{
    const uint8_t *bits = level->format->bits;
    const uint32_t element_class =
        level->type == VKR_TYPE_I32 ? VKR_CLASS_S32 : vkr_class_of(level->type);
    return (vkr_variant){
        .kernel = vkr_find_kernel(VKR_FAMILY_PYRAMID, element_class, false, false, level->loads,
                                  p->context->caps.group_path),
        .image_format = p->image_format,
        .constants = {
            [VKR_CONST_WORKGROUP] = WORKGROUP,
            [VKR_PYRAMID_OPERATOR] = p->kind,
            [VKR_PYRAMID_STORED] = stored_as(level),
            [VKR_PYRAMID_BITS] = (uint32_t)bits[0] | (uint32_t)bits[1] << 8 |
                                 (uint32_t)bits[2] << 16 | (uint32_t)bits[3] << 24,
            [VKR_PYRAMID_CHANNELS] = level->channels,
            [VKR_PYRAMID_HALVES] = halves,
            [VKR_PYRAMID_ROLLED] = p->context->caps.device_type == VK_PHYSICAL_DEVICE_TYPE_CPU,
        }};
}

/* Refuses what a dispatch cannot reach. */
static VkrResult check_groups(const vkr_pyramid *p, uint64_t groups)
{
    const uint64_t most = vkr_min(vkr_all_groups(&p->context->caps), VKR_MAX_REACH);
    VKR_NEED(&p->walk, groups <= most,
             "a level takes %llu workgroups, but must take at most %llu: the source has too many "
             "texels or layers.",
             (unsigned long long)groups, (unsigned long long)most);
    return VKR_SUCCESS;
}

/* Adds the dispatch that makes one level from what is below it. */
static VkrResult add_level(VkrRecorder recorder, const vkr_pyramid *p, uint32_t k)
{
    const vkr_image *level = &p->levels[k];
    const vkr_image *below = vkr_below(p, k);
    vkr_step step = vkr_new_step(&vkr_pyramid_interface, p->walk.label,
                                 variant_of(p, level, is_half(level, below)));
    VKR_NEED(&p->walk, step.variant.kernel < vkr_kernel_count,
             "source.format is %s, but this build of the library has no kernels for %s (see its "
             "option types).",
             p->source.format->name, vkrTypeName(level->type));
    const uint32_t tile_height = WORKGROUP / VKR_PYRAMID_TILE_WIDTH;
    const uint64_t tiles_x = vkr_divide_up(level->width, VKR_PYRAMID_TILE_WIDTH);
    const uint64_t tiles = tiles_x * vkr_divide_up(level->height, tile_height);
    VKR_TRY(check_groups(p, tiles * level->depth));
    *VKR_PUSH(&step, vkr_pyramid_push) = (struct vkr_pyramid_push){
        .x = below->x,
        .y = below->y,
        .layer = below->z,
        .lod = below->lod,
        .width = below->width,
        .height = below->height,
        .level_width = level->width,
        .level_height = level->height,
        .tiles_x = (uint32_t)tiles_x,
        .tiles = (uint32_t)tiles,
        .groups = (uint32_t)(tiles * level->depth),
        .paired = k != 0,
    };
    vkr_set_groups(&p->context->caps, &step, tiles * level->depth);
    vkr_fill_image(&step, VKR_PYRAMID_SOURCE, VKR_KIND_SAMPLED_IMAGE, below,
                   VK_ACCESS_SHADER_READ_BIT);
    vkr_fill_image(&step, VKR_PYRAMID_LEVEL, VKR_KIND_STORAGE_IMAGE, level,
                   VK_ACCESS_SHADER_WRITE_BIT);
    return vkr_add_step(recorder, &step);
}

VkrResult vkr_plan_pyramid(VkrRecorder recorder, const vkr_pyramid *p)
{
    for (uint32_t k = 0; k < p->info->levelCount; k++)
        VKR_TRY(add_level(recorder, p, k));
    return VKR_SUCCESS;
}
