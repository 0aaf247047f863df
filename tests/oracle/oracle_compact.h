/* SPDX-License-Identifier: MIT */
/* The scalar reference of vkrCmdCompact. It works on copies ("images") of the caller's buffers in
 * host memory. */
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
    const oracle_image *images; /* one for each buffer that an info names */
    uint32_t image_count;
    uint32_t max_groups; /* maxComputeWorkGroupCount[0] */
    bool wide_indices;   /* as VkrTestHooks::wideIndices */
    /* VkrLimits::maxTaskWorkGroupCount[0], or maxTaskWorkGroupTotalCount if that is less */
    uint32_t max_tasks;
} oracle_device;

/* The counts of a compaction, as VkrCountKind defines them. */
typedef struct oracle_counts {
    uint64_t elements;
    uint64_t kept;
    uint64_t stored;
    uint64_t rejected;
} oracle_counts;

/* Compacts. The info must be valid. Only the bytes that the operation stores are written. */
oracle_counts oracle_compact(const oracle_device *device, const VkrCompactInfo *info);

/* Writes counts, which expansions have too. */
void oracle_put_counts(const oracle_device *device, uint32_t count, const VkrCountOutput *outputs,
                       const oracle_counts *counts);

/* Whether some component of two elements differs: its bits, or the number where floats are compared
 * by value, in which -0 equals +0, and all NaN are equal. */
bool oracle_differs(VkrType type, uint32_t components, bool by_value, const void *a, const void *b);

/* The bits of a constant as a value of a type, sign-extended to 64 bits. */
uint64_t oracle_constant(VkrType type, VkrConstant constant);

/* The type that UNDEFINED selects for indices and run lengths. */
VkrType oracle_index_type(const oracle_device *device, const VkrCompactInfo *info);

#endif
