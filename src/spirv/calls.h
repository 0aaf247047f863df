/* SPDX-License-Identifier: MIT */
/* What functions and calls a SPIR-V module has, for inline.c. */
#ifndef VKR_SPIRV_CALLS_H
#define VKR_SPIRV_CALLS_H

#include "module.h"

enum {
    VKR_MAX_PARAMETERS = 16,
    VKR_MAX_RETURNS = 16,
    VKR_MAX_DEPTH = 32 /* of constructs in constructs, and of calls in calls */
};

/* What is known of an id. */
typedef struct vkr_callable {
    uint32_t owner;      /* the function that it is local to, or 0 */
    uint32_t local;      /* its number there */
    uint32_t parameter;  /* 1 + its number among the function's parameters, or 0 */
    uint32_t loop_merge; /* of a loop's header: its OpLoopMerge, or 0 */
    uint32_t locals, blocks, parameters, returns; /* of a function; blocks with those of calls */
    bool wraps;  /* a function: returns elsewhere than at its end, so that it becomes a switch */
    bool splits; /* a block: ends in another one, since it calls functions of several blocks */
} vkr_callable;

/* Ids of a block besides its label: of the block where it ends, and of what follows OpLoopMerge in
 * a loop's header. A function has as many for its switch: for its end and its case. */
enum { VKR_ENDS = 1, VKR_RESTS = 2, VKR_IDS = 3 };

typedef struct vkr_calls {
    vkr_module module;
    vkr_callable *ids; /* by id, zeroed */
    uint32_t main;     /* the entry point's function */
    uint32_t first;    /* the function that comes first */
    uint32_t functions;
    uint32_t number; /* any constant of 32 bits, or 0 */
    bool unknown;    /* has what this does not know */
} vkr_calls;

/* Looks through the module of `calls`, of which the module and ids are set. */
void vkr_look_at_calls(vkr_calls *calls);

#endif
