/* SPDX-License-Identifier: MIT */
/* The caller's images: their checks, and how steps bind them. */
#ifndef VKR_PLAN_IMAGE_H
#define VKR_PLAN_IMAGE_H

#include "check.h"
#include "vkreduce/image.h"

/* Checks everything except the handles, since a layout can be requested before there are images,
 * and fills in defaults. `field` is "input.image" or the like. */
VkrResult vkr_check_image(const vkr_walk *walk, const char *field, const VkrImage *image,
                          vkr_image *out);

/* Checks the handles, and that shaders can read an image in this layout. */
VkrResult vkr_check_sampled(const vkr_walk *walk, const char *field, const VkrImage *image);

/* These do what vkr_check_view and vkr_check_buffer do, for an input that may be an image. */
VkrResult vkr_check_input(const vkr_walk *walk, const char *field, const VkrView *view,
                          uint64_t count, vkr_view *out);
VkrResult vkr_check_input_handles(const vkr_walk *walk, const char *field, const VkrView *view,
                                  const vkr_view *checked);

/* Sets where a window of the walk's image starts. The uniforms must be vkr_image_uniforms. */
void vkr_place_texels(const vkr_walk *walk, const vkr_window *window, vkr_step *step);

/* Binds an image, sampled or storage, and declares what the step does to it. */
void vkr_fill_image(vkr_step *step, uint32_t binding, vkr_kind kind, const vkr_image *image,
                    VkAccessFlags access);

#endif
