/* SPDX-License-Identifier: MIT */
/*
 * A reduction of segments between its validation (segment.c) and its steps: which algorithm takes
 * rows, columns and windows (segment_plan.c), how their passes are cut into windows
 * (segment_windows.c), segments by offsets (segment_offsets.c), and one dispatch (segment_pass.c).
 *
 * Rows, columns and windows take one pass, or, split into parts, one that leaves partials and one
 * that combines them. Windows of many elements first reduce blocks, blocks of blocks, .. once for
 * all of them. Segments by offsets take one pass that reduces the short ones and lists the others,
 * and one for each list.
 */
#ifndef VKR_SEGMENT_H
#define VKR_SEGMENT_H

#include "reduce.h"

/* ---- Thresholds ---- */

#define VKR_LANES_COMBINE 64u     /* so many partials are for one invocation */
#define VKR_LANES_WINDOW 64u      /* longer windows are made of blocks */
#define VKR_MIN_PART 4096u        /* elements, where a segment is split */
#define VKR_SHORT_VALUES 32u      /* that an invocation takes without loops, times operators */
#define VKR_SHORT_ELEMENTS 16u    /* of short rows, at least */
#define VKR_MAX_PARTS_TRIED 64u   /* numbers of parts */
#define VKR_MAX_TEAM 32u          /* VKR_MULTI_MOST_MERGES in segment.comp */
#define VKR_MAX_DISPATCHES 16384u /* of a pass: more would take the host too long */
#define VKR_MAX_LISTED                                                                             \
    16384u /* parts of a segment, which one invocation lists, below level DEVICE */

/* By the kind of device. */
typedef struct vkr_segment_limits {
    uint32_t lane_bytes;  /* of a row, up to which an invocation takes it */
    uint32_t team_bytes;  /* up to which a team of invocations does */
    uint32_t group_bytes; /* up to which a workgroup does */
    uint32_t listed_from; /* elements of segments by offsets that an invocation or team takes */
    uint32_t team;        /* invocations that take such a segment */
} vkr_segment_limits;

static inline const vkr_segment_limits *vkr_segment_limits_of(const vkr_reduce *r)
{
    static const vkr_segment_limits cpu = {256, 4096, 1u << 20, 256, 1};
    static const vkr_segment_limits gpu = {16, 2048, 1u << 16, 256, 8};
    return r->context->caps.device_type == VK_PHYSICAL_DEVICE_TYPE_CPU ? &cpu : &gpu;
}

/* ---- Passes ---- */

/* All dispatches of one kernel. */
typedef struct vkr_segment_pass {
    uint32_t shape; /* VKR_SHAPE_* */
    uint32_t team;  /* as VKR_CONST_TEAM */
    bool partials;  /* reads them, else elements */
    bool results;   /* leaves them, else partials */
    uint32_t loads; /* VKR_LOADS_* */
    uint64_t segments;
    uint64_t segment_stride; /* elements */
    uint64_t element_stride;
    uint64_t length; /* elements of a segment */
    uint64_t part_length;
    uint64_t all_parts; /* of a segment */
    uint32_t rows;      /* SHORT: of an invocation */
    uint32_t batch;     /* units in flight */
    bool whole;         /* VKR_FLAG_WHOLE */
    vkr_place source, target;
    /* Lists. */
    VkDeviceSize lists, counts;
    uint64_t most_medium, most_large, most_parts;
} vkr_segment_pass;

/* What one dispatch takes of a pass. */
typedef struct vkr_segment_window {
    uint64_t first, count; /* segments */
    uint64_t first_part, parts;
} vkr_segment_window;

/* ---- segment_pass.c ---- */

/* Elements of a part that a team may have at most, and ids of a dispatch: an invocation's trips
 * through loops must stay few. */
uint64_t vkr_most_part(const vkr_reduce *r, uint32_t team);
uint64_t vkr_most_segment_ids(const vkr_reduce *r, const vkr_segment_pass *s);

/* Invocations that share a segment of so many elements: as many as have a load each, if it has
 * whole ones for all. */
uint32_t vkr_choose_team(const vkr_reduce *r, uint64_t length);

/* Words of the three lists together. */
VkDeviceSize vkr_list_words(const vkr_segment_pass *s);

/* Partials of all blocks, blocks of blocks, .. of a tree that has so many blocks. */
uint64_t vkr_tree_partials(uint64_t blocks);

/* Adds one dispatch. */
VkrResult vkr_add_segments(VkrRecorder recorder, const vkr_reduce *r, const vkr_segment_pass *s,
                           const vkr_segment_window *h);

/* ---- segment_windows.c ---- */

/* Elements from `first` on that descriptors reach. */
uint64_t vkr_reach_of_elements(const vkr_reduce *r, uint64_t first);

/* Fails: something, of so many bytes, is out of a descriptor's reach. */
VkrResult vkr_fail_reach(const vkr_reduce *r, const char *what, uint64_t bytes);

/* Fails: an algorithm that was asked for cannot serve. */
VkrResult vkr_fail_algorithm(const vkr_reduce *r, VkrReduceAlgorithm algorithm, const char *why);

/* Fails where too many dispatches would be left to add, each of which takes so many. */
VkrResult vkr_check_dispatches(const vkr_reduce *r, uint64_t left, uint64_t each);

/* Add the passes of rows, columns or windows, each taken one by one; and of windows by blocks. */
VkrResult vkr_add_strided(VkrRecorder recorder, const vkr_reduce *r, vkr_segment_pass *s);
VkrResult vkr_add_tree(VkrRecorder recorder, const vkr_reduce *r, vkr_segment_pass *s);

/* ---- segment_offsets.c ---- */

VkrResult vkr_plan_offsets(VkrRecorder recorder, const vkr_reduce *r);

#endif
