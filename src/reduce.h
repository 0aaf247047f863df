/* SPDX-License-Identifier: MIT */
/* A reduction between its validation (reduce.c) and its steps (reduce_plan.c). */
#ifndef VKR_REDUCE_H
#define VKR_REDUCE_H

#include "internal.h"

typedef struct vkr_reduce {
    const struct VkrContext_T *context;
    const VkrReduceInfo *info;
    vkr_view input;
    vkr_view input2;
    uint64_t count; /* elements, as far as the host knows: the capacity where the GPU has a count */
    VkrType accumulator;
    bool wide;       /* a 64-bit accumulator for a smaller element */
    bool wide_index; /* indices and counts can pass 2^32 */
    bool canonical;  /* level DEVICE, and an operator whose order matters */
    bool consume;    /* works in place on the input */
    VkrReduceLayout layout;
    /* How the work is cut. */
    VkrReduceAlgorithm algorithm; /* never AUTO */
    VkrRung rung;
    uint32_t workgroup_size;
    uint32_t items;       /* elements per invocation */
    uint32_t state_words; /* of one component in shared memory and partials */
} vkr_reduce;

/* Chooses algorithm and geometry; an algorithm or size that the caller forced and that cannot serve
 * the request is an error. */
VkrResult vkr_plan_geometry(vkr_reduce *reduce);

/* Adds the steps to the recorder. */
VkrResult vkr_plan_reduce(VkrRecorder recorder, const vkr_reduce *reduce);

#endif
