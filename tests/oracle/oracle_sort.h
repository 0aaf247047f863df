/* SPDX-License-Identifier: MIT */
/* The scalar reference of sorts: a stable merge sort that compares elements as sort.h says. */
#ifndef VKR_ORACLE_SORT_H
#define VKR_ORACLE_SORT_H

#include <stdbool.h>
#include <stdint.h>
#include "vkreduce/core.h"

typedef struct oracle_sort_info {
    const void *data;
    uint64_t stride;
    VkrType type;
    uint64_t count; /* below 2^32 */
    bool descending, nan_first;
    bool nan_equal;      /* as searches compare; a sort compares the bits of NaN */
    bool by_value;       /* all NaN are equal, and -0 equals +0 */
    uint32_t begin, end; /* the bits of integers that are compared; both 0: all */
    /* Segments: runs of `row` elements, which start `pitch` elements apart (0: `row`), and what
     * lies between two of them; or the columns of rows of `columns` elements; or those that start
     * at element 0 and at `offsets`, which ascend; all 0: one segment. */
    uint64_t row, pitch, columns;
    const uint64_t *offsets;
    uint64_t offset_count;
    const struct oracle_sort_info *then; /* decides among equal elements, by other data; or NULL */
} oracle_sort_info;

/* Compares two values of the type, wherever they lie: below 0 if `a` comes first, above 0 if `b`
 * does. */
int oracle_compare_values(const oracle_sort_info *info, const void *a, const void *b);

/* The same for elements a and b. */
int oracle_compare(const oracle_sort_info *info, uint64_t a, uint64_t b);

/* Sets `indices[i]` to the index, in its segment, of the element that comes to position i. Returns
 * whether there was enough memory. */
bool oracle_sort(const oracle_sort_info *info, uint32_t *indices);

/* Sets `order[i]` to the index, in `a` followed by `b`, of the element that comes to position i
 * when these two, which are sorted and of one type, are merged: those of `a` come first where
 * elements are equal. */
void oracle_merge(const oracle_sort_info *a, const oracle_sort_info *b, uint32_t *order);

/* The first element of the segment that element i is in. */
uint64_t oracle_segment_start(const oracle_sort_info *info, uint64_t i);

/* The element that comes to position i, where oracle_sort has found its index. */
uint64_t oracle_sorted_from(const oracle_sort_info *info, uint64_t i, uint32_t index);

/* Whether an element lies between two rows. */
bool oracle_lies_between(const oracle_sort_info *info, uint64_t i);

#endif
