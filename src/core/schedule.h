/* SPDX-License-Identifier: MIT */
/* The levels of steps (levels.c), and their commands and barriers (schedule.c). */
#ifndef VKR_SCHEDULE_H
#define VKR_SCHEDULE_H

#include "commands.h"
#include "context.h"
#include "step.h"

/* The order of steps. Two steps conflict if they touch the same bytes or subresources and at least
 * one of them writes. */
typedef struct vkr_schedule {
    uint32_t levels; /* their number */
    uint32_t *order; /* indices of the steps by level, and in collection order within a level; lies
                      * in `memory` */
    uint64_t work;   /* comparisons and visits of nodes: tests check how this grows */
} vkr_schedule;

/* Bytes of memory that vkr_assign_levels needs; UINT64_MAX if there are too many ranges. */
uint64_t vkr_levels_size(const vkr_step *steps, uint32_t count);

/* Puts each step on the level after the last earlier step that it conflicts with. The steps are in
 * the order in which they were collected. */
vkr_schedule vkr_assign_levels(vkr_step *steps, uint32_t count, void *memory);

/* A barrier of global memory. Without source stages there is nothing to wait for, so none is
 * recorded. */
typedef struct vkr_barrier {
    VkPipelineStageFlags src_stages;
    VkAccessFlags src_access;
    VkPipelineStageFlags dst_stages;
    VkAccessFlags dst_access;
} vkr_barrier;

/* The barrier before the level that starts at steps[order[0]]; `left` steps are left in the order.
 * Before `counter_level` it waits for the fill of the counters, too. */
vkr_barrier vkr_barrier_before(const vkr_step *steps, const uint32_t *order, uint32_t left,
                               uint32_t counter_level);

/* The first level that touches a range; UINT32_MAX if none does. */
uint32_t vkr_first_level_of(const vkr_step *steps, uint32_t count, const vkr_access *range);

/* The arguments of vkr_record besides the steps. All handles are valid. */
typedef struct vkr_recording {
    const vkr_commands *vk;
    VkCommandBuffer cmd;
    bool push_descriptors; /* otherwise steps have sets */
    bool debug_utils;
    const vkr_debug *debug;    /* read if debug_utils is set */
    VkrBufferRange scratch;    /* this recording's; a null buffer if it needs none */
    bool scratch_used_before;  /* the recording must then open with a barrier */
    bool tickets_used_before;  /* likewise: an earlier execution may have changed its counters */
    VkDeviceSize counter_size; /* bytes at the start of scratch to fill with zeros; 0: no fill */
    bool leaves_tickets;       /* later dispatches must see counters that this recording changed */
    VkPipelineStageFlags consumer_stages;
    VkAccessFlags consumer_access;
    VkQueryPool timestamps; /* the members below are read if it is not null */
    uint32_t first_query, query_count;
    vkr_operation *operations;
    uint32_t operation_count;
} vkr_recording;

/* Records the opening barrier, the fill, the levels and the closing barrier, and timestamps between
 * them. Nothing else calls vkCmd*. */
void vkr_record(const vkr_recording *recording, const vkr_step *steps, uint32_t count,
                const uint32_t *order);

#endif
