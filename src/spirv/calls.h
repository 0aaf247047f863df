/* SPDX-License-Identifier: MIT */
/* Analyses the functions and calls of a SPIR-V module, for inline.c. */
#ifndef VKR_SPIRV_CALLS_H
#define VKR_SPIRV_CALLS_H

#include "module.h"

enum {
    VKR_MAX_PARAMETERS = 16,
    VKR_MAX_RETURNS = 16,
    VKR_MAX_DEPTH = 32 /* of nested constructs, and of nested calls */
};

/* The known properties of an id. */
typedef struct vkr_callable {
    uint32_t owner;      /* the function to which it is local, or 0 */
    uint32_t local;      /* its number there */
    uint32_t parameter;  /* 1 + its number among the function's parameters, or 0 */
    uint32_t loop_merge; /* of a loop's header: its OpLoopMerge, or 0 */
    uint32_t locals, blocks, parameters, returns; /* of a function; blocks include those of
                                                   * splits */
    bool wraps;  /* a function that also returns before its end, and so becomes a switch */
    bool splits; /* a block that ends in another one, since it calls functions of several blocks */
} vkr_callable;

/* Further ids of a block after its label: of the block where it ends, and of the code after
 * OpLoopMerge in a loop's header. A function has ids for its switch: for its merge block and its
 * case. */
enum { VKR_ENDS = 1, VKR_RESTS = 2, VKR_IDS = 3 };

typedef struct vkr_calls {
    vkr_module module;
    vkr_callable *ids; /* by id, zeroed */
    uint32_t main;     /* the entry point's function */
    uint32_t first;    /* the function that comes first */
    uint32_t functions;
    uint32_t number; /* a 32-bit constant of any value, or 0 */
    bool unknown;    /* the module has something unsupported */
} vkr_calls;

/* Analyses the module of `calls`, whose members `module` and `ids` are set. */
void vkr_analyse_calls(vkr_calls *calls);

#endif
