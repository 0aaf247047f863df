/* SPDX-License-Identifier: MIT */
/* Which kernel serves what: the rows of shaders/meson.build, by an index. */
#ifndef VKR_KERNELS_H
#define VKR_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "vkreduce/vkreduce.h"

/* How many kernels there are. As the number of a kernel, it stands for none. */
extern const uint32_t vkr_kernel_count;

/* Families with a kernel for each class of elements (VKR_CLASS_*). */
typedef enum vkr_family {
    VKR_FAMILY_REDUCE,
    VKR_FAMILY_BLOCKS, /* of the canonical tree: classes of floats; one for all group paths */
    VKR_FAMILY_SEGMENT,
    VKR_FAMILY_NEIGHBOURS,   /* several segments of an invocation; one for all group paths */
    VKR_FAMILY_SCAN,         /* leaves partials */
    VKR_FAMILY_TILES,        /* a scan that writes results */
    VKR_FAMILY_PASSES,       /* one for all group paths, which loads by element */
    VKR_FAMILY_COMPACT,      /* classes of integers only: they stand for sizes */
    VKR_FAMILY_COMPACT_TILE, /* likewise; tiles in registers, by subgroup arithmetic */
    VKR_FAMILY_PYRAMID,      /* of images only; one for all group paths */
    VKR_FAMILY_PYRAMID_RUNS, /* with several texels of an invocation */
    VKR_FAMILY_PYRAMID_FEW,  /* the same of several levels: VKR_PYRAMID_FEW or MANY */
    VKR_FAMILY_PYRAMID_MANY,
    VKR_FAMILY_TILE,
    VKR_FAMILY_STAGE,      /* of whatever path */
    VKR_FAMILY_HISTOGRAM,  /* one for all group paths */
    VKR_FAMILY_EDGES_EVEN, /* likewise, and for elements of one component: VKR_EVEN_EDGES .. */
    VKR_FAMILY_EDGES_LOG2,
    VKR_FAMILY_EDGES_GIVEN,
    VKR_FAMILY_WRITE, /* of texels; one for all group paths */
    VKR_FAMILY_COUNT
} vkr_family;

/* Returns the kernel, or vkr_kernel_count where there is none: not every way of loading
 * (VKR_LOADS_*; 0 is by element) and not every group path has one, and a build can leave kernels
 * out. */
uint32_t vkr_find_kernel(vkr_family family, uint32_t element_class, bool wide, bool vector,
                         uint32_t loads, VkrGroupPath group_path);

/* Whether a kernel loads texels (VKR_LOADS_TEXEL). */
bool vkr_loads_texels(uint32_t kernel);

/* The kernel that does the same as another one by packs of 64-bit words, or that kernel itself
 * where there is none. Devices need VKR_FEATURE_INT64 for it. */
uint32_t vkr_u64_kernel(uint32_t kernel);

/* VKR_CLASS_* of a type, and of integers of 1, 2, 4 or 8 bytes. */
uint32_t vkr_class_of(VkrType type);
uint32_t vkr_class_of_size(uint32_t size);

/* Whether the build has a type, by its option `types`; and scans by passes and stream
 * reduction, by its option `documents`. */
bool vkr_has_type(VkrType type);
bool vkr_has_documents(void);

#endif
