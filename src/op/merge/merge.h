/* SPDX-License-Identifier: MIT */
/* A merge, as its checks (merge.c) and its planner (plan.c) pass it on. */
#ifndef VKR_MERGE_INTERNAL_H
#define VKR_MERGE_INTERNAL_H

#include "../../plan/payload.h"
#include "../../plan/rows.h"
#include "vkreduce/merge.h"

enum { VKR_MERGE_A, VKR_MERGE_B, VKR_MERGE_SIDES };

/* One of the two sequences. */
typedef struct vkr_merge_side {
    const VkrMergeInput *info;
    vkr_walk walk;   /* over its elements */
    vkr_view keys;   /* staged, where they are an image's or a map's */
    vkr_region read; /* the bytes of the keys */
} vkr_merge_side;

typedef struct vkr_merge {
    const VkrMergeInfo *info;
    vkr_walk walk; /* over the outputs */
    vkr_merge_side sides[VKR_MERGE_SIDES];
    vkr_view merged, indices;
    /* What the planner chooses: words that are stored for each output, which are indices or those
     * of the only payload, whose sources are `carried`; */
    vkr_view values, carried[VKR_MERGE_SIDES];
    bool is_staged;                   /* a workgroup has a share, rather than an invocation; */
    uint64_t share;                   /* outputs of a share; */
    uint64_t window[VKR_MERGE_SIDES]; /* elements of a window; */
    uint32_t windows[VKR_MERGE_SIDES];
    vkr_place table; /* and where edges start in it (shaders/cards/merge.h) */
    uint64_t edges[VKR_MERGE_SIDES];
} vkr_merge;

/* A payload as one that moves from one side. */
static inline VkrPayload vkr_merge_payload_of(const VkrMergePayload *p, uint32_t side)
{
    return (VkrPayload){.size = p->size,
                        .source = side == VKR_MERGE_A ? p->a : p->b,
                        .sourceStride = side == VKR_MERGE_A ? p->aStride : p->bStride,
                        .target = p->target,
                        .targetStride = p->targetStride};
}

/* Adds the steps to the recorder. */
VkrResult vkr_plan_merge(VkrRecorder recorder, vkr_merge *merge);

#endif
