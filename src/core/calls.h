/* SPDX-License-Identifier: MIT */
/* What functions and calls a SPIR-V module has, for inline.c. */
#ifndef VKR_CALLS_H
#define VKR_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "spirv.h"

enum {
    VKR_MOST_PARAMETERS = 16,
    VKR_MOST_RETURNS = 16,
    VKR_MOST_DEPTH = 32 /* of loops in loops, and of calls in calls */
};

/* What is known of an id. */
typedef struct vkr_callable {
    uint32_t owner;     /* the function that it is local to, or 0 */
    uint32_t local;     /* its number there */
    uint32_t parameter; /* 1 + its number among the function's parameters, or 0 */
    uint32_t at;        /* of a function its word; of a loop's header its OpLoopMerge; or 0 */
    uint32_t locals, blocks, returns; /* of a function; blocks with those of calls */
    bool wraps;  /* a function: returns elsewhere than at its end, so that it becomes a switch */
    bool splits; /* a block: ends in another one, since it calls functions of several blocks */
    bool is_int; /* a type of 32 bits */
} vkr_callable;

/* Ids of a block besides its label: of the block where it ends, and of what of a loop's header is
 * behind its OpLoopMerge. A function has as many for its switch: for its end and its case. */
enum { VKR_ENDS = 1, VKR_RESTS = 2, VKR_IDS = 3 };

typedef struct vkr_calls {
    const uint32_t *words;
    size_t count;
    vkr_callable *ids; /* by id, zeroed */
    uint32_t main;     /* the entry point's function */
    uint32_t first;    /* the function that comes first */
    uint32_t functions;
    uint32_t no_type; /* OpTypeVoid */
    uint32_t number;  /* any constant of 32 bits, or 0 */
    bool unknown;     /* has what this does not know */
} vkr_calls;

/* Looks through the module of `calls`, of which words, count and ids are set. */
void vkr_look_at_calls(vkr_calls *calls);

#endif
