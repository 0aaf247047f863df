/* SPDX-License-Identifier: MIT */
/*
 * A reduction between its validation (reduce.c), its geometry (reduce_geometry.c) and its steps
 * (reduce_plan.c).
 *
 * A reduction is a chain of levels. A level reads a source (the elements, or the partials of the
 * level before) and leaves one partial per workgroup, until one workgroup is left and writes the
 * results. A level takes one dispatch per window of its source.
 */
#ifndef VKR_REDUCE_H
#define VKR_REDUCE_H

#include "step.h"

typedef struct vkr_reduce {
    const struct VkrContext_T *context;
    const VkrReduceInfo *info;
    vkr_view input;
    vkr_view input2;
    uint64_t count; /* elements, as far as the host knows: the capacity where the GPU has a count */
    uint64_t first; /* index of element 0 in the whole, of which this may be a piece */
    uint64_t whole; /* elements of the whole */
    VkrType accumulator;
    bool wide;            /* a 64-bit accumulator for a smaller element */
    bool wide_index;      /* indices and counts can pass 2^32 */
    bool canonical;       /* level DEVICE, and an operator whose order matters */
    bool consume;         /* works in place on the input */
    bool pieces;          /* leaves partials for later calls */
    uint64_t segments;    /* 1 where the whole is one */
    uint64_t length;      /* elements of a segment at most */
    uint32_t state_words; /* of one component in shared memory and partials */
    VkrReduceLayout layout;
    /* How the work is cut. */
    vkr_family kernels;           /* REDUCE or SEGMENT */
    VkrReduceAlgorithm algorithm; /* never AUTO */
    VkrRung rung;
    uint32_t workgroup_size;
    uint32_t items; /* elements per invocation */
    uint32_t loads; /* VKR_LOADS_*; 0: by element */
    uint32_t order; /* VKR_ORDER_* */
    uint32_t batch; /* units that an invocation loads before it uses the first */
} vkr_reduce;

/* Where a level reads from or stores to. Strides of partials are in words. */
typedef struct vkr_place {
    VkBuffer buffer; /* of partials */
    VkDeviceSize offset;
    uint64_t stride; /* elements: bytes */
} vkr_place;

/* What a level reads, and the partials it leaves. */
typedef struct vkr_level {
    bool elements; /* else partials */
    bool replaced; /* the elements are the values of the level before, in place */
    uint64_t count;
    vkr_place source;
    uint32_t items;  /* reads of an invocation */
    uint64_t groups; /* of all windows */
    vkr_place target;
    uint32_t output; /* VKR_OUTPUT_* */
    VkDeviceSize counter;
} vkr_level;

/* ---- reduce_geometry.c ---- */

/* Words of one component's state. */
uint32_t vkr_count_state_words(const vkr_reduce *reduce);

static inline uint32_t vkr_partial_words(const vkr_reduce *r)
{
    return r->state_words * r->input.components;
}

/* Elements that fill whole loads; 1 where loads are by element. */
static inline uint32_t vkr_unit(const vkr_reduce *r)
{
    return r->loads != 0 ? vkr_load_size(r->loads) / r->input.type->size : 1;
}

/* Most subgroups that a workgroup can have. */
uint32_t vkr_max_subgroups(const vkr_reduce *reduce);

/* Reads that a loop may have. */
uint32_t vkr_max_reads(const vkr_reduce *reduce);

/* As asked or tuned, and such that shared memory suffices. */
VkrResult vkr_choose_reduce_workgroup(vkr_reduce *reduce, const VkrTuning *tuning);

/* Loads, order and batch, as the row says or what comes nearest. */
void vkr_choose_loads(vkr_reduce *reduce, const VkrTuning *tuning);

/* Trips of an invocation through loops for an element, and for elements altogether. */
uint32_t vkr_trips_per_element(const vkr_reduce *reduce);
#define VKR_MAX_ELEMENT_TRIPS 50000u

/* Chooses algorithm, geometry and loads; an algorithm or size that the caller forced and that
 * cannot serve the request is an error. */
VkrResult vkr_plan_geometry(vkr_reduce *reduce);

vkr_level vkr_first_level(const vkr_reduce *reduce);

/* Sets the number of workgroups in all windows. */
VkrResult vkr_cut_level(const vkr_reduce *reduce, vkr_level *level, uint32_t *windows);

/* How much of the level one dispatch from `first` on covers: whole workgroups, except at the end. 0
 * if not even one workgroup's share fits a descriptor. */
uint64_t vkr_window(const vkr_reduce *reduce, const vkr_level *level, uint64_t first);

/* Partials that one descriptor reaches, wherever the first one lies. */
uint64_t vkr_partials_reach(const vkr_reduce *reduce, const vkr_level *level);

/* ---- reduce_plan.c ---- */

/* The kernel's index, or vkr_kernel_count: there is none for every way of loading. */
uint32_t vkr_find_reduce_kernel(const vkr_reduce *reduce, uint32_t loads);

/* Whether there is a kernel with such loads (VKR_LOADS_*) for the type, components and rung. */
bool vkr_has_loads(const vkr_reduce *reduce, uint32_t loads);

/* Adds the steps to the recorder. */
VkrResult vkr_plan_reduce(VkrRecorder recorder, const vkr_reduce *reduce);

/* ---- segment.c ---- */

/* In the words of the command line. */
const char *vkr_segment_kind_name(VkrSegmentKind kind);

/* Kind and sizes: what the layout depends on. Sets segments and length. */
VkrResult vkr_check_segments(vkr_reduce *reduce, const char *call);

/* What is left to check. */
VkrResult vkr_check_segment_buffers(const vkr_reduce *reduce, const char *call);

/* ---- segment_plan.c ---- */

/* Chooses how, and adds the steps. */
VkrResult vkr_plan_segments(VkrRecorder recorder, vkr_reduce *reduce);

/* ---- reduce.c ---- */

/* Checks and plans one reduction. */
VkrResult vkr_add_reduce(VkrRecorder recorder, const VkrReduceInfo *info);

#endif
