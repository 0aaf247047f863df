/* SPDX-License-Identifier: MIT */
/* A pyramid, as its validation (pyramid.c) passes it to its planner (plan.c). */
#ifndef VKR_PYRAMID_H
#define VKR_PYRAMID_H

#include "../../plan/pass.h"
#include "../../plan/storage_image.h"
#include "../../tables/policies.h"

typedef struct vkr_pyramid {
    const VkrPyramidInfo *info;
    vkr_walk walk;         /* over no elements: passes count texels */
    uint32_t kind;         /* VKR_PYRAMID_MIN, .. */
    uint32_t image_format; /* of the variants */
    vkr_image source;
    vkr_image levels[VKR_MAX_PYRAMID_LEVELS];
} vkr_pyramid;

/* The image that level `k` + 1 is made from. */
static inline const vkr_image *vkr_below(const vkr_pyramid *pyramid, uint32_t k)
{
    return k == 0 ? &pyramid->source : &pyramid->levels[k - 1];
}

/* ---- plan.c ---- */

VkrResult vkr_plan_pyramid(VkrRecorder recorder, const vkr_pyramid *pyramid);

#endif
