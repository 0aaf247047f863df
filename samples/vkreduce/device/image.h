/* SPDX-License-Identifier: MIT */
#ifndef RUNNER_DEVICE_IMAGE_H
#define RUNNER_DEVICE_IMAGE_H

#include "device/gpu.h"

typedef struct gpu_image {
    VkImage image;
    VkDeviceMemory memory;
    VkFormat format;
} gpu_image;

/* Creates an image that shaders read; `usage` adds other uses. */
int gpu_image_create(const gpu *g, gpu_image *i, VkFormat format, VkExtent2D size, uint32_t levels,
                     VkImageUsageFlags usage);
void gpu_image_destroy(const gpu *g, gpu_image *i);

/* Describes a level for the library, with a view that the caller destroys. */
int gpu_image_view(const gpu *g, const gpu_image *i, uint32_t level, VkExtent2D size,
                   VkImageLayout layout, VkrImage *described);

/* How an image is used between one barrier and the next. */
typedef struct gpu_image_use {
    VkPipelineStageFlags stages;
    VkAccessFlags access;
    VkImageLayout layout;
} gpu_image_use;

extern const gpu_image_use image_unused;
extern const gpu_image_use image_read; /* by the library */

/* The first records a barrier, the second a copy of tightly packed texels for the library to
 * read. */
void gpu_image_change(VkCommandBuffer commands, const gpu_image *i, const gpu_image_use *from,
                      const gpu_image_use *to);
void gpu_image_fill(VkCommandBuffer commands, const VkrHostMemory *from, const gpu_image *i,
                    VkExtent2D size);

#endif
