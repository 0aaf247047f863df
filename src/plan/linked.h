/* SPDX-License-Identifier: MIT */
/*
 * States of an application's type: what kernels, and planners, must know about the functions that
 * are linked into a kernel in place of operators.
 */
#ifndef VKR_PLAN_LINKED_H
#define VKR_PLAN_LINKED_H

#include "call.h"

struct vkr_monoid; /* function.h */

typedef struct vkr_linked {
    const struct vkr_monoid *monoid;
    const VkrHook *hook; /* whose set and uses are those of all functions */
    bool ordered;        /* operands keep the order of the elements */
    bool has_loops;      /* the functions have loops, so an invocation calls them rarely */
    uint32_t words;      /* of a state */
    uint32_t result;     /* components that `finish` returns, or 0 */
    vkr_taken taken;     /* the elements that `load` takes */
} vkr_linked;

/* The elements, as words; where there are none, a view without a buffer.
 * Its size is not set: all have been checked. */
vkr_view vkr_words_of_linked(const vkr_linked *linked);

/* What its kernels have as VKR_CONST_OPS. */
uint32_t vkr_linked_constant(const vkr_linked *linked);

/* Links the functions into a step's kernel, and declares what they access. */
void vkr_link_step(const vkr_linked *linked, vkr_step *step);

#endif
