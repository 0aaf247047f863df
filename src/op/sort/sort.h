/* SPDX-License-Identifier: MIT */
/*
 * A sort inside an operation: vkrCmdSort's own (sort.c), and those of others that need one. Its
 * views are in buffers, without maps, and have one component.
 */
#ifndef VKR_SORT_INTERNAL_H
#define VKR_SORT_INTERNAL_H

#include "../../plan/check.h"
#include "../../plan/order.h"
#include "vkreduce/sort.h"

/* The request. */
typedef struct vkr_sort {
    const vkr_walk *walk; /* the call */
    vkr_order order;
    uint32_t begin, end;          /* the bits of keys that are compared */
    uint64_t count;               /* below 2^32; the views have room for that many */
    const VkrGpuCount *gpu_count; /* or NULL */
    uint64_t row;                 /* runs of this many elements are sorted by themselves; or 0 */
    VkrSortAlgorithm algorithm;
    uint32_t workgroup_size; /* 0: chosen */
    uint32_t limit;          /* 0, or nothing is stored for keys at or above it, which come last */
    vkr_place *totals; /* NULL, or set to the numbers of keys of each digit, as 256 words, where the
                        * keys have one digit and the steps count them; else to a null buffer */
    vkr_view keys;
    /* The keys in order: no buffer where they are not wanted; or `keys` itself, or apart from it.
     * The type has the size of the keys' type. */
    vkr_view sorted;
    /* What moves with the keys, as u32: values, or where it has no buffer, the indices of elements
     * in their rows. `ranked` receives them, unless it has no buffer; it may be `values`. */
    vkr_view values;
    vkr_view ranked;
} vkr_sort;

/* Adds memory for `count` elements. */
VkrResult vkr_add_sort_scratch(VkrRecorder recorder, uint64_t count, VkrType type,
                               uint32_t components, vkr_view *view);

/* Adds the steps of a stable sort. They read `keys` and `values` only before they write the
 * outputs, unless these are the same. */
VkrResult vkr_plan_sort(VkrRecorder recorder, const vkr_sort *sort);

#endif
