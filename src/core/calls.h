/* SPDX-License-Identifier: MIT */
/* What functions and calls a SPIR-V module has, for inline.c. */
#ifndef VKR_CALLS_H
#define VKR_CALLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    VKR_SPIRV_HEADER = 5, /* words */
    VKR_SPIRV_BOUND = 3,  /* the word of the header that all ids are below */
    VKR_MOST_PARAMETERS = 16,
    VKR_MOST_RETURNS = 16,
    VKR_MOST_DEPTH = 32 /* of loops in loops, and of calls in calls */
};

enum vkr_opcode {
    OP_NAME = 5,
    OP_EXT_INST = 12,
    OP_ENTRY_POINT = 15,
    OP_TYPE_VOID = 19,
    OP_TYPE_INT = 21,
    OP_CONSTANT = 43,
    OP_FUNCTION = 54,
    OP_FUNCTION_PARAMETER = 55,
    OP_FUNCTION_END = 56,
    OP_FUNCTION_CALL = 57,
    OP_VARIABLE = 59,
    OP_DECORATE = 71,
    OP_COPY_OBJECT = 83,
    OP_PHI = 245,
    OP_LOOP_MERGE = 246,
    OP_SELECTION_MERGE = 247,
    OP_LABEL = 248,
    OP_BRANCH = 249,
    OP_BRANCH_CONDITIONAL = 250,
    OP_SWITCH = 251,
    OP_RETURN = 253,
    OP_RETURN_VALUE = 254,
    OP_UNREACHABLE = 255
};

/* What is known of an id. */
typedef struct vkr_callable {
    uint32_t owner;     /* the function that it is local to, or 0 */
    uint32_t local;     /* its number there */
    uint32_t parameter; /* 1 + its number among the function's parameters, or 0 */
    uint32_t at;        /* of a function its word; of a loop's header its OpLoopMerge; or 0 */
    uint32_t locals, blocks, returns; /* of a function; blocks with those of calls */
    bool wraps;  /* a function: its one return does not end it, so that it becomes a switch */
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

static inline uint32_t vkr_opcode_of(const uint32_t *w)
{
    return w[0] & 0xffff;
}

static inline uint32_t vkr_length_of(const uint32_t *w)
{
    return w[0] >> 16;
}

/* Looks through the module of `calls`, of which words, count and ids are set. */
void vkr_look_at_calls(vkr_calls *calls);

#endif
