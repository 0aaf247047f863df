/* SPDX-License-Identifier: MIT */
/* Images that kernels write: their checks, and what kernels need to know about the format. */
#ifndef VKR_PLAN_STORAGE_IMAGE_H
#define VKR_PLAN_STORAGE_IMAGE_H

#include "image.h"

/* Checks the handles and the layout of an image that vkr_check_image has checked, and that a whole
 * level is written. `field` is "levels[0]" or the like. */
VkrResult vkr_check_written(const vkr_walk *walk, const char *field, const VkrImage *image);

/* Checks that shaders can write the format at all. */
VkrResult vkr_check_storage_format(const vkr_walk *walk, const char *field, const vkr_image *image);

/* Checks that the context can write the format: any, or only those that SPIR-V can name. In the
 * second case it sets the number of that name, which variants then need; otherwise it sets 0. */
VkrResult vkr_choose_image_format(const vkr_walk *walk, const char *field, const vkr_image *image,
                                  uint32_t *image_format);

/* Whether numbers of the format stand for values from 0 or -1 to 1. */
bool vkr_is_normalised(const vkr_image *image);

/* How a format stores numbers (VKR_STORED_*), and the bits of its channels, in 8 bits for each
 * channel. */
uint32_t vkr_stored_as(const vkr_image *image);
uint32_t vkr_channel_bits(const vkr_image *image);

/* The class of the kernels that write values of a type (VKR_CLASS_*). */
uint32_t vkr_class_of_texels(VkrType type);

#endif
