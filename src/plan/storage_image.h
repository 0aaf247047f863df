/* SPDX-License-Identifier: MIT */
/* Images that kernels write: checked, and as what their kernels must know of the format. */
#ifndef VKR_PLAN_STORAGE_IMAGE_H
#define VKR_PLAN_STORAGE_IMAGE_H

#include "image.h"

/* Checks handles, layout and that the level is written as a whole, of an image that vkr_check_image
 * has checked. `field` is "levels[0]" or the like. */
VkrResult vkr_check_written(const vkr_walk *walk, const char *field, const VkrImage *image);

/* Checks that shaders can write the format, whoever calls them. */
VkrResult vkr_check_storage_format(const vkr_walk *walk, const char *field, const vkr_image *image);

/* A format that the context can write: any, or one that SPIR-V can name. Sets the number of the
 * name, which variants need then, else 0. */
VkrResult vkr_choose_image_format(const vkr_walk *walk, const char *field, const vkr_image *image,
                                  uint32_t *image_format);

/* Whether numbers of the format stand for the range from 0 or -1 to 1. */
bool vkr_is_normalised(const vkr_image *image);

/* How a format's bits are numbers (VKR_STORED_*), and those of its channels: 8 bits for each. */
uint32_t vkr_stored_as(const vkr_image *image);
uint32_t vkr_channel_bits(const vkr_image *image);

/* The class of the kernels that write values of a type (VKR_CLASS_*). */
uint32_t vkr_class_of_texels(VkrType type);

#endif
