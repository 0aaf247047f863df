/* SPDX-License-Identifier: MIT */
/*
 * An expansion, as its checks (expand.c) and its planner (expand_plan.c) pass it on. Its record is
 * that of a compaction whose kept elements are the outputs, and whose rejected ones those without
 * room, so that counts.c writes its counts.
 */
#ifndef VKR_EXPAND_INTERNAL_H
#define VKR_EXPAND_INTERNAL_H

#include "compact.h"
#include "vkreduce/expand.h"

typedef struct vkr_expand {
    const VkrExpandInfo *info;
    vkr_walk walk;   /* over the sources */
    vkr_view counts; /* staged, where they are a function's */
    vkr_region read; /* the bytes of the counts */
    vkr_view sources, ranks;
    vkr_view list;        /* entry p is the source of output p: `sources`, or scratch */
    uint32_t per_tile;    /* sources of an invocation in a tile */
    uint64_t blocks;      /* of sources */
    vkr_place table;      /* shaders/cards/expand.h */
    VkrCompactInfo other; /* of the compaction that the record and the counts are those of; */
    vkr_compact compact;  /* its capacity is the room for outputs */
} vkr_expand;

#define VKR_MAX_EXPANDED ((uint64_t)1 << 31) /* outputs */

/* Adds the steps to the recorder. */
VkrResult vkr_plan_expand(VkrRecorder recorder, vkr_expand *expand);

#endif
