/* SPDX-License-Identifier: MIT */
/* The scalar reference of vkrCmdCompact: it does to images of the caller's buffers, in host memory,
 * what the operation does to the buffers. */
#ifndef VKR_TESTS_ORACLE_COMPACT_H
#define VKR_TESTS_ORACLE_COMPACT_H

#include <stdbool.h>
#include <stdint.h>
#include "vkreduce/vkreduce.h"

typedef struct oracle_image {
    VkBuffer buffer;
    void *data;
} oracle_image;

typedef struct oracle_device {
    const oracle_image *images; /* of every buffer that an info names */
    uint32_t image_count;
    uint32_t max_groups; /* maxComputeWorkGroupCount[0] */
    bool wide_indices;   /* as VkrTestHooks::wideIndices */
} oracle_device;

/* The counts of a compaction, as VkrCountKind defines them. */
typedef struct oracle_counts {
    uint64_t elements;
    uint64_t kept;
    uint64_t stored;
    uint64_t rejected;
} oracle_counts;

/* Compacts. The info must be free of errors. Writes what is stored, and no other byte. */
oracle_counts oracle_compact(const oracle_device *device, const VkrCompactInfo *info);

/* The bits of a constant in a type, sign-extended to 64. */
uint64_t oracle_constant(VkrType type, VkrConstant constant);

/* The type that UNDEFINED stands for in indices and run lengths. */
VkrType oracle_index_type(const oracle_device *device, const VkrCompactInfo *info);

#endif
