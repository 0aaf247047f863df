/* SPDX-License-Identifier: MIT */
/* The plain scalar reference of searches in sorted elements. */
#ifndef VKR_TESTS_ORACLE_BOUNDS_H
#define VKR_TESTS_ORACLE_BOUNDS_H

#include "oracle.h"

/* Compares two elements in the order of sort.h: < 0 if `a` comes first, 0 if they are equal. The
 * flags are VkrBoundsFlagBits. */
int oracle_order(VkrType type, uint32_t flags, const void *a, const void *b);

/* Sorted elements in host memory, the first of which starts at `data`. */
typedef struct oracle_sorted {
    const void *data;
    size_t stride;
    uint64_t count;
    VkrType type;
    uint32_t flags;
} oracle_sorted;

/* The number of elements that come before a value; and of those that do not come after it. */
uint64_t oracle_lower_bound(const oracle_sorted *sorted, const void *value);
uint64_t oracle_upper_bound(const oracle_sorted *sorted, const void *value);

#endif
