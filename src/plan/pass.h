/* SPDX-License-Identifier: MIT */
/* A pass: all dispatches of one kernel over a walk, and what they bind. */
#ifndef VKR_PLAN_PASS_H
#define VKR_PLAN_PASS_H

#include "interfaces.h"
#include "walk.h"

/* Which items of a place a window has. */
typedef enum vkr_span {
    VKR_SPAN_ALL,      /* the same for every window */
    VKR_SPAN_ELEMENTS, /* one for each element of the window */
    VKR_SPAN_RUNS,     /* one for each run */
    VKR_SPAN_GROUPS,   /* one for each workgroup */
} vkr_span;

typedef struct vkr_bound {
    const vkr_slot *slot;
    vkr_span span;
    vkr_place place;
    uint64_t count; /* VKR_SPAN_ALL: items */
} vkr_bound;

typedef struct vkr_pass {
    const vkr_walk *walk;
    const vkr_interface *interface;
    const char *label;
    vkr_variant variant;
    bool in_order; /* windows depend on those before them */
    uint32_t bound_count;
    vkr_bound bound[VKR_MAX_BINDINGS];
    /* What the operation adds to a step; NULL: nothing. */
    VkrResult (*finish)(const struct vkr_pass *pass, const vkr_window *window, vkr_step *step);
    const void *operation;
    VkrRecorder recorder; /* of vkr_emit, for `finish` */
} vkr_pass;

/* Adds what a slot is filled with. */
void vkr_pass_bind(vkr_pass *pass, const vkr_slot *slot, vkr_span span, vkr_place place,
                   uint64_t count);

/* Adds a step for each window. Windows that need not go in order go in two turns: where what
 * neighbours store shares a granule, their dispatches conflict, and with the odd ones last that
 * costs one barrier. */
VkrResult vkr_emit(VkrRecorder recorder, vkr_pass *pass);

#endif
