/* SPDX-License-Identifier: MIT */
/* Finds the kernel for a purpose: an index of the rows of shaders/kernels/meson.build. */
#ifndef VKR_KERNELS_H
#define VKR_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "vkreduce/vkreduce.h"

/* The number of kernels. As the index of a kernel it means no kernel. */
extern const uint32_t vkr_kernel_count;

/* Families with a kernel for each class of elements (VKR_CLASS_*). */
typedef enum vkr_family {
    VKR_FAMILY_REDUCE,
    VKR_FAMILY_REDUCE_LINKED, /* by linked functions: words only, and group path SHARED */
    VKR_FAMILY_BLOCKS,        /* the canonical tree: float classes only; one for all group paths */
    VKR_FAMILY_SEGMENT,
    VKR_FAMILY_SEGMENT_LINKED,
    VKR_FAMILY_NEIGHBOURS, /* several segments per invocation; one for all group paths */
    VKR_FAMILY_SCAN,       /* writes partials */
    VKR_FAMILY_SCAN_LINKED,
    VKR_FAMILY_TILES, /* a scan that writes results */
    VKR_FAMILY_TILES_LINKED,
    VKR_FAMILY_KEYED,        /* tiles of runs of equal keys: words, by subgroup arithmetic */
    VKR_FAMILY_SCAN_COLUMNS, /* one for all group paths, and for any number of components */
    VKR_FAMILY_PASSES,       /* one for all group paths; loads by element */
    VKR_FAMILY_COMPACT,      /* integer classes only, which stand for element sizes */
    VKR_FAMILY_COMPACT_TILE, /* likewise; tiles in registers, by subgroup arithmetic */
    VKR_FAMILY_PYRAMID,      /* images only; one for all group paths */
    VKR_FAMILY_PYRAMID_RUNS, /* several texels per invocation */
    VKR_FAMILY_PYRAMID_FEW,  /* the same for several levels: VKR_PYRAMID_FEW or MANY */
    VKR_FAMILY_PYRAMID_MANY,
    VKR_FAMILY_PYRAMID_HALVES,
    VKR_FAMILY_TILE,
    VKR_FAMILY_STAGE,      /* one for all group paths */
    VKR_FAMILY_HISTOGRAM,  /* one for all group paths */
    VKR_FAMILY_EDGES_EVEN, /* likewise; elements of one component: VKR_EVEN_EDGES .. */
    VKR_FAMILY_EDGES_LOG2,
    VKR_FAMILY_EDGES_GIVEN,
    VKR_FAMILY_WRITE, /* writes texels; one for all group paths */
    VKR_FAMILY_COUNT
} vkr_family;

/* Returns the kernel, or vkr_kernel_count if there is none: some loads (VKR_LOADS_*; 0: by element)
 * and some group paths have no kernel, and a build can omit kernels. */
uint32_t vkr_find_kernel(vkr_family family, uint32_t element_class, bool wide, bool vector,
                         uint32_t loads, VkrGroupPath group_path);

/* Whether a kernel loads texels (VKR_LOADS_TEXEL). */
bool vkr_loads_texels(uint32_t kernel);

/* Returns the kernel that does the same with packs of 64-bit words, or `kernel` itself if there is
 * none. It needs VKR_FEATURE_INT64. */
uint32_t vkr_u64_kernel(uint32_t kernel);

/* Return VKR_CLASS_* of a type, and of integers of 1, 2, 4 or 8 bytes. */
uint32_t vkr_class_of(VkrType type);
uint32_t vkr_class_of_size(uint32_t size);

/* Whether the build has a type (option `types`), and whether it has the historical scans and stream
 * reduction (option `documents`). */
bool vkr_has_type(VkrType type);
bool vkr_has_documents(void);

#endif
