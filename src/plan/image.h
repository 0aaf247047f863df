/* SPDX-License-Identifier: MIT */
/* Images of the caller's, checked, and as what a step binds. */
#ifndef VKR_PLAN_IMAGE_H
#define VKR_PLAN_IMAGE_H

#include "check.h"
#include "vkreduce/image.h"

/* Checks everything but the handles, since a layout can be asked for before there are images, and
 * fills in defaults. `field` is "input.image" or the like. */
VkrResult vkr_check_image(const vkr_walk *walk, const char *field, const VkrImage *image,
                          vkr_image *out);

/* Checks the handles, and the layout as that of an image that is read. */
VkrResult vkr_check_sampled(const vkr_walk *walk, const char *field, const VkrImage *image);

/* As vkr_check_view and vkr_check_buffer, of an input that may be an image. */
VkrResult vkr_check_input(const vkr_walk *walk, const char *field, const VkrView *view,
                          uint64_t count, vkr_view *out);
VkrResult vkr_check_input_handles(const vkr_walk *walk, const char *field, const VkrView *view,
                                  const vkr_view *checked);

/* Says where a window of the image that a walk goes over starts. The kernel's uniforms are those of
 * images. */
void vkr_place_texels(const vkr_walk *walk, const vkr_window *window, vkr_step *step);

/* Binds an image, sampled or storage, and declares what the step does to it. */
void vkr_fill_image(vkr_step *step, uint32_t binding, vkr_kind kind, const vkr_image *image,
                    VkAccessFlags access);

#endif
