/* SPDX-License-Identifier: MIT */
/* A reduction of segments between how it is cut (segment_plan.c) and its dispatches
 * (segment_step.c). */
#ifndef VKR_SEGMENT_H
#define VKR_SEGMENT_H

#include "reduce.h"

#define VKR_MOST_ELEMENTS ((uint64_t)1 << 31) /* of a dispatch, and ids */

/* A chain of dispatches of one kernel. */
typedef struct vkr_stage {
    uint32_t shape; /* VKR_SHAPE_* */
    uint32_t team;  /* as VKR_CONST_TEAM */
    bool partials;  /* reads them, else elements */
    bool results;   /* leaves them, else partials */
    uint32_t loads; /* VKR_LOADS_* */
    uint64_t segments;
    uint64_t segment_stride; /* elements */
    uint64_t element_stride;
    uint64_t length;
    uint64_t part_length;
    uint64_t all_parts;
    uint32_t rows;  /* SHORT: of an invocation */
    uint32_t batch; /* units in flight */
    bool whole;     /* VKR_FLAG_WHOLE */
    vkr_place source, target;
    /* Lists. */
    VkDeviceSize lists, counts;
    uint64_t most_medium, most_large, most_parts;
} vkr_stage;

/* What one dispatch takes of a stage. */
typedef struct vkr_share {
    uint64_t first, count; /* segments */
    uint64_t first_part, parts;
} vkr_share;

static inline uint64_t vkr_least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static inline uint64_t vkr_partial_bytes(const vkr_reduce *r)
{
    return 4 * (uint64_t)vkr_partial_words(r);
}

static inline const VkrTuning *vkr_reduce_tuning(const vkr_reduce *r)
{
    return &r->context->tunings[VKR_OPERATION_REDUCE][vkr_tuning_index(
        r->input.texels.view != VK_NULL_HANDLE, r->input.type->size)];
}

static inline bool vkr_is_listed(const vkr_stage *s)
{
    return s->shape >= VKR_SHAPE_MEDIUM && s->shape <= VKR_SHAPE_LARGE;
}

/* Elements of a part that a team may have at most, and ids of a dispatch: an invocation's trips
 * through loops must stay few. */
uint64_t vkr_most_part(const vkr_reduce *r, uint32_t team);
uint64_t vkr_most_segment_ids(const vkr_reduce *r, const vkr_stage *s);

/* Of the three lists together. */
VkDeviceSize vkr_list_words(const vkr_stage *s);

/* Adds one dispatch. */
VkrResult vkr_add_segments(VkrRecorder recorder, const vkr_reduce *r, const vkr_stage *s,
                           const vkr_share *h);

#endif
