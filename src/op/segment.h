/* SPDX-License-Identifier: MIT */
/*
 * A reduction of segments, as its validation (segment.c) and its planners pass it on: which
 * algorithm takes rows, columns and windows (segment_plan.c), how their passes are cut into windows
 * (segment_windows.c), windows of neighbouring elements (segment_slide.c), segments by offsets
 * (segment_offsets.c), and one dispatch (segment_pass.c).
 *
 * Rows, columns and windows take one pass, or, split into parts, one that leaves partials and one
 * that combines them. Windows of more than a few elements first reduce blocks, blocks of blocks, ..
 * once for all of them. Segments by offsets take one pass that reduces the short ones and lists the
 * others, and one for each list.
 */
#ifndef VKR_SEGMENT_H
#define VKR_SEGMENT_H

#include "reduce.h"

/* ---- Thresholds ---- */

#define VKR_LANES_COMBINE 64u   /* partials up to which one invocation combines them */
#define VKR_LANES_WINDOW 4u     /* windows from which on those of a block are taken together */
#define VKR_MAX_BLOCK 16u       /* elements of such a block */
#define VKR_BLOCK_VALUES 64u    /* values times operators of a block */
#define VKR_MIN_PART 4096u      /* minimum of elements of a part, where a segment is split */
#define VKR_SHORT_VALUES 32u    /* values times operators that an invocation takes without loops */
#define VKR_SHORT_ELEMENTS 16u  /* minimum of elements of an invocation's short rows */
#define VKR_COLUMN_VALUES 128u  /* values times operators of a unit of columns */
#define VKR_COLUMN_GROUPS 8u    /* minimum of workgroups that take whole rows of columns */
#define VKR_MAX_PARTS_TRIED 64u /* numbers of parts among which an even one is looked for */
#define VKR_MAX_TEAM 32u        /* as VKR_MULTI_MOST_MERGES in segment.comp */
#define VKR_MAX_DISPATCHES 16384u /* maximum for a pass: more would take the host too long */
#define VKR_MAX_LISTED 16384u     /* parts of a segment that one invocation lists, below DEVICE */

/* Limits that depend on the kind of device. */
typedef struct vkr_segment_limits {
    uint32_t lane_bytes;  /* the maximum row that an invocation takes */
    uint32_t team_bytes;  /* the maximum row that a team of invocations takes */
    uint32_t group_bytes; /* the maximum row that a workgroup takes */
    uint32_t listed_from; /* from so many elements on, a segment by offsets is listed */
    uint32_t team;        /* the invocations that take a shorter segment together */
    uint32_t row_values;  /* values times operators of an invocation's share of a row of columns */
    uint32_t row_units;   /* the maximum of units of a row of columns that an invocation takes */
} vkr_segment_limits;

static inline const vkr_segment_limits *vkr_segment_limits_of(const vkr_reduce *r)
{
    static const vkr_segment_limits cpu = {256, 4096, 1u << 20, 256, 1, 128, 8};
    static const vkr_segment_limits gpu = {16, 2048, 1u << 16, 256, 8, 0, 1};
    return r->context->caps.device_type == VK_PHYSICAL_DEVICE_TYPE_CPU ? &cpu : &gpu;
}

/* ---- Passes ---- */

/* Where the elements of segments of one length lie: element i of segment k is the input's element
 * k * stride + i * step. */
typedef struct vkr_strided {
    uint64_t count, length;
    uint64_t stride, step;
} vkr_strided;

/* How a kernel takes segments. */
typedef struct vkr_taking {
    uint32_t shape; /* VKR_SHAPE_* */
    uint32_t team;  /* as VKR_SEGMENT_CONST_TEAM */
    uint32_t loads; /* VKR_LOADS_* */
    uint32_t batch; /* units in flight */
    /* Segments that one invocation reduces, in the kernel `neighbours`; 0: the kernel `segment`
     * reduces them. */
    uint32_t neighbours;
    uint32_t grain;        /* the number of segments must be a multiple of it, unless it is 0 */
    bool whole, one_batch; /* VKR_SEGMENT_FLAG_WHOLE, VKR_SEGMENT_FLAG_ONE_BATCH */
    uint64_t part_length;  /* elements of a part: a segment is cut into parts */
} vkr_taking;

/* The lists of segments by offsets that are not reduced at once: where they and their counts lie,
 * and the maximum number of entries of each. */
typedef struct vkr_lists {
    VkDeviceSize at, counts;
    uint64_t medium, large, parts;
} vkr_lists;

/* What one pass does with segments. */
typedef struct vkr_segment_work {
    vkr_strided of;
    vkr_taking how;
    vkr_lists lists; /* VKR_SHAPE_OFFSETS and what is listed */
    uint64_t parts;  /* of a segment */
    bool partials;   /* the pass reads partials, else elements */
    bool results;    /* the pass leaves results, else partials */
    vkr_place source, target;
    uint64_t sources; /* VKR_SHAPE_WINDOWS: the number of partials starting at `source` */
} vkr_segment_work;

/* The segments, and the parts of each, that one dispatch of a pass takes. */
typedef struct vkr_segment_window {
    uint64_t first, count; /* segments */
    uint64_t first_part, parts;
} vkr_segment_window;

/* The number of segments that an id stands for. */
static inline uint32_t vkr_segments_of_id(const vkr_taking *how)
{
    return how->neighbours != 0 ? how->neighbours : 1;
}

/* ---- segment_pass.c ---- */

/* The maximum of elements of a part that a team takes, and of ids of a dispatch: an invocation's
 * trips through its loops must stay few. */
uint64_t vkr_max_part(const vkr_reduce *r, uint32_t team);
uint64_t vkr_max_segment_ids(const vkr_reduce *r, const vkr_segment_work *s);

/* The number of invocations that share a segment of `length` elements: each has at least a whole
 * load. */
uint32_t vkr_choose_team(const vkr_reduce *r, uint64_t length);

/* Whether the subgroups of the workgroup, which are full, have room for a team. Elsewhere teams may
 * be smaller than planned, so that an invocation has more units of a row. */
bool vkr_has_full_team(const vkr_reduce *r, uint32_t team);

/* The number of words of all three lists. */
VkDeviceSize vkr_list_words(const vkr_segment_work *s);

/* Adds one dispatch. */
VkrResult vkr_add_segments(VkrRecorder recorder, const vkr_reduce *r, const vkr_segment_work *s,
                           const vkr_segment_window *h);

/* ---- segment_windows.c ---- */

/* The number of elements from `first` on that the descriptors of both inputs reach. */
uint64_t vkr_reach_of_elements(const vkr_reduce *r, uint64_t first);

/* Fails with a sentence that says that `what`, of `bytes` bytes, is out of a descriptor's reach. */
VkrResult vkr_fail_reach(const vkr_reduce *r, const char *what, uint64_t bytes);

/* Fails with a sentence that says why the algorithm that was asked for cannot serve. */
VkrResult vkr_fail_algorithm(const vkr_reduce *r, VkrReduceAlgorithm algorithm, const char *why);

/* Fails where too many dispatches are left to add: `left` items remain, and each dispatch takes
 * `each`. */
VkrResult vkr_check_dispatches(const vkr_reduce *r, uint64_t left, uint64_t each);

/* The number of segments from `first` on, before `end`, that one dispatch of rows or windows takes;
 * 0 where descriptors do not reach one. */
uint64_t vkr_reach_of_segments(const vkr_reduce *r, const vkr_segment_work *s, uint64_t first,
                               uint64_t end);

/* Adds the passes of rows, columns or windows that are taken one by one. */
VkrResult vkr_add_strided(VkrRecorder recorder, const vkr_reduce *r, const vkr_strided *of,
                          const vkr_taking *how);

/* ---- segment_slide.c ---- */

/* Adds the passes of windows of which those that start in a block are taken together. */
VkrResult vkr_add_windows(VkrRecorder recorder, const vkr_reduce *r, const vkr_strided *of);

/* ---- segment_offsets.c ---- */

VkrResult vkr_plan_offsets(VkrRecorder recorder, const vkr_reduce *r);

#endif
