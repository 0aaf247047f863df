/* SPDX-License-Identifier: MIT */
/*
 * A compaction between its validation (compact.c), its geometry (compact_geometry.c) and its steps
 * (compact_plan.c; compact_lists.c for what goes by lists of indices).
 *
 * Values of what is tested and indices are moved by the kernel that tests. All else (payloads,
 * values beside an array of flags, lengths of runs) follows by a list of the elements' indices:
 * those that the caller asks for where they serve, or a list in scratch.
 */
#ifndef VKR_COMPACT_INTERNAL_H
#define VKR_COMPACT_INTERNAL_H

#include "../plan/bind.h"

#define VKR_COMPACT_CALL "vkrCmdCompact"

/* One of two sides: what is kept, and what is rejected. */
typedef struct vkr_side {
    vkr_view values; /* a null buffer where there is none, as in all views here */
    vkr_view indices;
    uint64_t capacity; /* positions; of rejected ones, the most that any output holds */
    vkr_view list;     /* in scratch; entry e is of the e-th element of this side */
} vkr_side;

enum { VKR_KEPT, VKR_REJECTED, VKR_SIDES };

typedef struct vkr_compact {
    const struct VkrContext_T *context;
    const VkrCompactInfo *info;
    vkr_view input; /* a null buffer: there are only flags */
    vkr_view tested;
    bool bits;       /* of tested: an element is one bit */
    bool values_too; /* what is tested are the input's values */
    bool continued;  /* there is an element before the first one, which is looked at */
    uint64_t count; /* elements, as far as the host knows: the capacity where the GPU has a count */
    uint32_t predicate; /* VKR_PREDICATE_WORD */
    uint32_t constants[4];
    bool wide_index; /* indices can reach 2^32 */
    vkr_side sides[VKR_SIDES];
    vkr_view lengths;
    bool by_list[VKR_SIDES]; /* something of a side goes by a list */
    /* How the work is cut. */
    VkrCompactAlgorithm algorithm; /* never AUTO */
    bool one;                      /* one workgroup does all */
    VkrRung rung;
    uint32_t workgroup_size;
    uint32_t items; /* elements per invocation */
    uint32_t loads; /* VKR_LOADS_*; 0: by element */
    uint32_t order; /* VKR_ORDER_* */
    uint32_t batch;
    uint64_t window;     /* elements of the input that a dispatch covers at most */
    VkDeviceSize record; /* in scratch; partials follow */
    uint64_t partials;
} vkr_compact;

static inline bool vkr_is_there(const vkr_view *view)
{
    return view->buffer != VK_NULL_HANDLE;
}

/* ---- compact_geometry.c ---- */

/* The kernel for a way of loading, or vkr_kernel_count. */
uint32_t vkr_compact_kernel(const vkr_compact *compact, uint32_t loads);

/* Elements of a unit; 1 where loads are by element. */
uint32_t vkr_compact_unit(const vkr_compact *compact);

uint32_t vkr_compact_subgroups(const vkr_compact *compact);

/* Workgroups and runs of `count` elements behind `lead`. */
uint64_t vkr_compact_groups(const vkr_compact *compact, uint64_t count, uint32_t lead);
uint64_t vkr_compact_runs(const vkr_compact *compact, uint64_t groups);

VkrResult vkr_plan_compact_geometry(vkr_compact *compact);

/* ---- compact_plan.c, compact_lists.c ---- */

/* Add the steps to the recorder. */
VkrResult vkr_plan_compact(VkrRecorder recorder, vkr_compact *compact);

/* Chooses lists, in scratch where the caller's indices do not serve. */
VkrResult vkr_choose_lists(VkrRecorder recorder, vkr_compact *compact);

/* Payloads, lengths, and counts for the GPU: once all else is done. */
VkrResult vkr_plan_lists(VkrRecorder recorder, const vkr_compact *compact);
VkrResult vkr_plan_counts(VkrRecorder recorder, const vkr_compact *compact);

/* Bytes that a count takes. */
VkDeviceSize vkr_size_of_count(VkrCountKind kind);

/* Binds the record and declares what is done to it; returns its first word. */
uint32_t vkr_bind_record(const vkr_compact *compact, vkr_step *step, uint32_t binding,
                         VkAccessFlags access);

#endif
