/* SPDX-License-Identifier: MIT */
/* Passes that copy the elements of images and of buffers to scratch, as words. */
#ifndef VKR_PLAN_COPY_H
#define VKR_PLAN_COPY_H

#include "image.h"
#include "map.h"

/* Adds a pass that writes the first `count` elements of a source, mapped as the flags say
 * (vkr_map_flags), to a place. */
VkrResult vkr_copy_mapped(VkrRecorder recorder, const vkr_walk *walk, uint64_t count,
                          const vkr_view *source, uint32_t flags, vkr_place target);

/* Adds a pass that copies the first `count` elements of a view without a map to scratch: a word for
 * each component, whose upper bits are 0. */
VkrResult vkr_copy_elements(VkrRecorder recorder, const vkr_walk *walk, uint64_t count,
                            const vkr_view *view, vkr_place *copies);

/* Adds a pass that makes a bit for each of the first `count` texels of an image. The bit says
 * whether the texel's first channel is not 0. */
VkrResult vkr_copy_bits(VkrRecorder recorder, const vkr_walk *walk, uint64_t count,
                        const vkr_view *image, vkr_place *bits);

#endif
