/* SPDX-License-Identifier: MIT */
/* Which kernel serves what: the rows of shaders/meson.build, by an index. */
#ifndef VKR_KERNELS_H
#define VKR_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "vkreduce/vkreduce.h"

/* How many kernels there are; as a kernel it stands for none. */
extern const uint32_t vkr_kernel_count;

/* Families with a kernel for each class of elements (VKR_CLASS_*). */
typedef enum vkr_family {
    VKR_FAMILY_REDUCE,
    VKR_FAMILY_SEGMENT,
    VKR_FAMILY_SCAN,        /* leaves partials */
    VKR_FAMILY_TILES,       /* a scan that writes results */
    VKR_FAMILY_PASSES,      /* of whatever group path, by element */
    VKR_FAMILY_COMPACT,     /* classes of integers only: they stand for sizes */
    VKR_FAMILY_PYRAMID,     /* of images only; of whatever path */
    VKR_FAMILY_PYRAMID_FEW, /* the same of several levels: VKR_PYRAMID_FEW or MANY */
    VKR_FAMILY_PYRAMID_MANY,
    VKR_FAMILY_TILE,
    VKR_FAMILY_STAGE, /* of whatever path */
    VKR_FAMILY_COUNT
} vkr_family;

/* The kernel, or vkr_kernel_count: there is none for every way of loading (VKR_LOADS_*; 0 is by
 * element) and every group path, and none for what the build leaves out. */
uint32_t vkr_find_kernel(vkr_family family, uint32_t element_class, bool wide, bool vector,
                         uint32_t loads, VkrGroupPath group_path);

/* Whether a kernel has texels to load (VKR_LOADS_TEXEL). */
bool vkr_loads_texels(uint32_t kernel);

/* VKR_CLASS_* of a type; that of integers of a size of 1, 2, 4 or 8 bytes. */
uint32_t vkr_class_of(VkrType type);
uint32_t vkr_class_of_size(uint32_t size);

/* What the build has, by its options `types` and `documents`. */
bool vkr_has_type(VkrType type);
bool vkr_has_documents(void);

#endif
