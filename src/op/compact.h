/* SPDX-License-Identifier: MIT */
/*
 * A compaction, as its validation (compact.c), its geometry (compact_geometry.c) and its planners
 * (compact_plan.c; compact_lists.c for what moves by lists of indices) pass it on.
 *
 * The kernel that tests elements also moves their values and indices. All else (payloads, values
 * beside an array of flags, lengths of runs) is moved by a list of the elements' indices: the
 * indices that the caller asks for, where these serve, or a list in scratch.
 */
#ifndef VKR_COMPACT_INTERNAL_H
#define VKR_COMPACT_INTERNAL_H

#include "../plan/pass.h"
#include "../plan/stage.h"

/* One of the two sides of a compaction: what is kept, and what is rejected. */
typedef struct vkr_side {
    vkr_view values; /* a null buffer where there is none, as in all views here */
    vkr_view indices;
    uint64_t capacity; /* positions; on the rejected side, the maximum that any output holds */
    vkr_view list;     /* in scratch; entry e is the index of this side's e-th element */
} vkr_side;

enum { VKR_KEPT, VKR_REJECTED, VKR_SIDES };

typedef struct vkr_compact {
    const struct VkrContext_T *context;
    const VkrCompactInfo *info;
    vkr_view input; /* a null buffer: there are only flags */
    vkr_view tested;
    bool bits;          /* an element of `tested` is one bit */
    bool values_too;    /* what is tested are the input's values */
    bool continued;     /* the predicate looks at an element before the first one */
    vkr_walk walk;      /* over the elements of `tested` */
    uint32_t predicate; /* VKR_PREDICATE_WORD */
    uint32_t constants[4];
    bool wide_index; /* indices can reach 2^32 */
    vkr_side sides[VKR_SIDES];
    vkr_view lengths;
    bool by_list[VKR_SIDES]; /* whether something is moved by a side's list */
    uint64_t partials;       /* the number of all runs' partials */
    vkr_place record;        /* in scratch, with the partials behind it */
} vkr_compact;

static inline bool vkr_is_there(const vkr_view *view)
{
    return view->buffer != VK_NULL_HANDLE;
}

/* Whether the positions of a side start at one that the GPU has. */
static inline bool vkr_is_appended(const vkr_compact *c, uint32_t side)
{
    return side == VKR_KEPT && c->info->append.buffer != VK_NULL_HANDLE;
}

/* The number of positions on a side that an output with room for `held` elements can get. */
static inline uint64_t vkr_side_capacity(const vkr_compact *c, uint32_t side, uint64_t held)
{
    return side == VKR_KEPT ? c->sides[side].capacity : held;
}

/* The size of the units in which entries of a size are moved. */
static inline uint32_t vkr_payload_unit(uint32_t size)
{
    return size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
}

/* The number of entries that the target of a payload holds. */
static inline uint64_t vkr_payload_capacity(const VkrPayload *p)
{
    const VkDeviceSize stride = p->targetStride != 0 ? p->targetStride : p->size;
    return p->target.size < p->size ? 0 : (p->target.size - p->size) / stride + 1;
}

/* ---- compact_predicate.c ---- */

/* Checks the predicate, and sets what is tested and how. */
VkrResult vkr_check_predicate(vkr_compact *compact);

/* ---- compact_geometry.c ---- */

VkrResult vkr_plan_compact_geometry(vkr_compact *compact);

/* ---- compact_plan.c, compact_lists.c ---- */

/* Adds the steps to the recorder. */
VkrResult vkr_plan_compact(VkrRecorder recorder, vkr_compact *compact);

/* Chooses lists, in scratch where the caller's indices do not serve. */
VkrResult vkr_choose_lists(VkrRecorder recorder, vkr_compact *compact);

/* Add the steps of payloads and of lengths; and, last of all, those of counts for the GPU. */
VkrResult vkr_plan_lists(VkrRecorder recorder, const vkr_compact *compact);
VkrResult vkr_plan_counts(VkrRecorder recorder, const vkr_compact *compact);

/* The size of a count in bytes. */
VkDeviceSize vkr_size_of_count(VkrCountKind kind);

#endif
