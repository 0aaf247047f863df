/* SPDX-License-Identifier: MIT */
/* vkrCmdPyramid: what the caller asks for, checked. */
#include "pyramid.h"

#include <stdio.h>

#include "../../plan/rows.h"
#include "../../tables/names.h"

#define CALL "vkrCmdPyramid"

/* The maximum width or height in texels, for which weights and their sums fit 32 bits. */
#define MAX_SIDE 32768u

/* ---- Sizes ---- */

static uint32_t half_of(uint32_t size)
{
    return size > 1 ? size / 2 : 1;
}

static uint32_t first_size(uint32_t size, VkrPyramidFirst first)
{
    uint32_t power = 1;
    if (first == VKR_PYRAMID_HALF)
        return half_of(size);
    if (first == VKR_PYRAMID_EQUAL)
        return size;
    while (power < size && size - power > power)
        power *= 2;
    return power;
}

uint32_t vkrGetPyramidExtents(VkExtent2D source, VkrPyramidFirst first, uint32_t levelCount,
                              VkExtent2D *extents)
{
    VkExtent2D size = {first_size(source.width, first), first_size(source.height, first)};
    for (uint32_t k = 0;; k++) {
        if (k < levelCount && extents != NULL)
            extents[k] = size;
        if (size.width <= 1 && size.height <= 1)
            return k + 1;
        size = (VkExtent2D){half_of(size.width), half_of(size.height)};
    }
}

/* ---- Checks ---- */

static VkrResult check_choices(vkr_pyramid *p)
{
    const VkrPyramidInfo *info = p->info;
    const vkr_walk *w = &p->walk;
    VKR_MUST(w,
             info->ops == VKR_OP_MIN || info->ops == VKR_OP_MAX ||
                 info->ops == (VKR_OP_MIN | VKR_OP_MAX) || info->ops == VKR_OP_MEAN,
             "ops is %s, but must be VKR_OP_MIN, VKR_OP_MAX, both of them or VKR_OP_MEAN.",
             vkr_op_names(info->ops).text);
    p->kind = info->ops == VKR_OP_MIN    ? VKR_PYRAMID_MIN
              : info->ops == VKR_OP_MAX  ? VKR_PYRAMID_MAX
              : info->ops == VKR_OP_MEAN ? VKR_PYRAMID_AVERAGE
                                         : VKR_PYRAMID_PAIR;
    VKR_TRY(vkr_check_choice(w, "first", (int)info->first, VKR_PYRAMID_FIRST_COUNT));
    return vkr_check_choice(w, "algorithm", (int)info->algorithm, VKR_PYRAMID_ALGORITHM_COUNT);
}

static VkrResult check_source(vkr_pyramid *p)
{
    const VkrImage *source = &p->info->source;
    const vkr_walk *w = &p->walk;
    VKR_TRY(vkr_check_image(w, "source", source, &p->source));
    VKR_TRY(vkr_check_sampled(w, "source", source));
    VKR_MUST(w, p->source.loads != VKR_LOADS_3D,
             "source.viewType is VK_IMAGE_VIEW_TYPE_3D, but must be 2D or 2D_ARRAY: a pyramid has "
             "layers of two dimensions.");
    VKR_NEED(w, p->source.width <= MAX_SIDE && p->source.height <= MAX_SIDE,
             "source has %u x %u texels, but must have at most %u in each direction.",
             p->source.width, p->source.height, MAX_SIDE);
    VKR_MUST(
        w, p->kind != VKR_PYRAMID_PAIR || p->source.channels <= 2,
        "source.format is %s, whose minima and maxima are %u channels, but must have at most 2 "
        "channels: make a chain of the minima and one of the maxima.",
        p->source.format->name, 2 * p->source.channels);
    return VKR_SUCCESS;
}

static VkrResult check_level_format(const vkr_pyramid *p, const char *field, const vkr_image *level)
{
    const vkr_walk *w = &p->walk;
    const uint32_t channels = p->source.channels * (p->kind == VKR_PYRAMID_PAIR ? 2 : 1);
    const char *name = level->format->name;
    VKR_MUST(w, level->channels == channels,
             "%s.format is %s, which has %u channels, but must have %u%s.", field, name,
             level->channels, channels,
             p->kind == VKR_PYRAMID_PAIR ? ", twice as many as source.format"
                                         : " like source.format");
    VKR_MUST(w, level->type == p->source.type,
             "%s.format is %s, whose values are %s, but must be a format of %s like source.format.",
             field, name, vkrTypeName(level->type), vkrTypeName(p->source.type));
    VKR_MUST(
        w, !vkr_is_normalised(level) || vkr_is_normalised(&p->source),
        "%s.format is %s, but must be a format of floats, since source.format, which is %s, is "
        "not normalised.",
        field, name, p->source.format->name);
    return vkr_check_storage_format(w, field, level);
}

static VkrResult check_level_size(const vkr_pyramid *p, const char *field, const VkrImage *image,
                                  const vkr_image *level, VkExtent2D size)
{
    const vkr_walk *w = &p->walk;
    VKR_MUST(w, image->viewType == p->info->source.viewType,
             "%s.viewType is %d, but must be %d like source.viewType.", field, (int)image->viewType,
             (int)p->info->source.viewType);
    VKR_MUST(w, image->firstLayer == 0 && image->layerCount == 0 && level->depth == p->source.depth,
             "%s has %u layers, starting at %u, but its view must have the %u that are read of the "
             "source, with firstLayer and layerCount 0.",
             field, level->depth, image->firstLayer, p->source.depth);
    VKR_MUST(w, level->width == size.width && level->height == size.height,
             "%s.extent is %u x %u, but must be %u x %u (see vkrGetPyramidExtents).", field,
             level->width, level->height, size.width, size.height);
    return VKR_SUCCESS;
}

static vkr_access whole_of(const vkr_image *image)
{
    return (vkr_access){.image = image->image, .subresource = image->range};
}

/* Checks that a level shares no subresource with the source or a lower level. */
static VkrResult check_disjoint(const vkr_pyramid *p, uint32_t level)
{
    const vkr_access written = whole_of(&p->levels[level]);
    for (uint32_t k = 0; k <= level; k++) {
        const vkr_access other = whole_of(vkr_below(p, k));
        VKR_MUST(
            &p->walk, !vkr_overlap(&written, &other),
            "levels[%u] shares a subresource with %s %u, but must be apart from the source and "
            "all other levels.",
            level, k == 0 ? "the source, level" : "level", k);
    }
    return VKR_SUCCESS;
}

static VkrResult check_level(vkr_pyramid *p, uint32_t k, VkExtent2D size)
{
    const VkrImage *image = &p->info->levels[k];
    const vkr_walk *w = &p->walk;
    char field[32];
    (void)snprintf(field, sizeof(field), "levels[%u]", k);
    VKR_TRY(vkr_check_image(w, field, image, &p->levels[k]));
    VKR_TRY(vkr_check_written(w, field, image));
    VKR_TRY(check_level_size(p, field, image, &p->levels[k], size));
    VKR_TRY(check_level_format(p, field, &p->levels[k]));
    VKR_MUST(w, image->format == p->info->levels[0].format,
             "%s.format is %s, but must be %s like that of levels[0].", field,
             p->levels[k].format->name, p->levels[0].format->name);
    return check_disjoint(p, k);
}

static VkrResult check_levels(vkr_pyramid *p)
{
    const VkrPyramidInfo *info = p->info;
    const vkr_walk *w = &p->walk;
    VkExtent2D sizes[VKR_MAX_PYRAMID_LEVELS];
    const uint32_t max = vkrGetPyramidExtents((VkExtent2D){p->source.width, p->source.height},
                                              info->first, VKR_MAX_PYRAMID_LEVELS, sizes);
    VKR_MUST(w, info->levels != NULL,
             "levels is NULL, but must point to an array of levelCount VkrImage.");
    VKR_MUST_BE(w, info->levelCount >= 1 && info->levelCount <= max, "", "levelCount",
                info->levelCount, "be 1 to %u, the last of which has 1 x 1 texels.", max);
    for (uint32_t k = 0; k < info->levelCount; k++)
        VKR_TRY(check_level(p, k, sizes[k]));
    return vkr_choose_image_format(w, "levels[0]", &p->levels[0], &p->image_format);
}

static VkrResult add_pyramid(VkrRecorder recorder, const VkrPyramidInfo *info)
{
    vkr_pyramid p = {.info = info, .walk = vkr_new_groups_walk(recorder, CALL)};
    VKR_MUST(&p.walk, info != NULL, "info is NULL, but must point to a VkrPyramidInfo.");
    VKR_TRY(check_choices(&p));
    VKR_TRY(check_source(&p));
    VKR_TRY(check_levels(&p));
    return vkr_plan_pyramid(recorder, &p);
}

VkrResult vkrCmdPyramid(VkrRecorder recorder, const VkrPyramidInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL, VKR_LABEL_OF(info)));
    return vkr_operation_end(recorder, add_pyramid(recorder, info));
}
