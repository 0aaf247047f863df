/* SPDX-License-Identifier: MIT */
/*
 * States: values of a user's type T, which kernels move by 32-bit words without knowing T.
 *
 * T is a scalar, a vector, a matrix, an array or a struct, of up to 64 bytes: 16 words. Its scalars
 * follow each other in the order of its members. One of 64 bits has two words, each other one has
 * one: a boolean is 0 or 1, a 16-bit float is converted to 32 bits.
 */
#ifndef VKR_SPIRV_LAYOUT_H
#define VKR_SPIRV_LAYOUT_H

#include "hooks.h"

enum {
    VKR_MAX_STATE_WORDS = 16,
    VKR_MAX_STATE_DEPTH = 8 /* of nested structs, arrays, matrices and vectors */
};

/* A scalar of a state. */
typedef struct vkr_scalar {
    vkr_hook_type type; /* with one component */
    uint32_t id;        /* of its type */
    uint32_t word;      /* the number of its first word */
    uint32_t depth;     /* the number of indices that lead to it */
    uint32_t path[VKR_MAX_STATE_DEPTH];
} vkr_scalar;

typedef struct vkr_state {
    uint32_t type; /* the id of T */
    uint32_t word_count;
    uint32_t scalar_count;
    vkr_scalar scalars[VKR_MAX_STATE_WORDS];
} vkr_state;

/* Describes a type. Returns false and writes a sentence if it cannot be a state: "a state must have
 * at most 64 bytes". */
bool vkr_state_of(const vkr_hooks *hooks, uint32_t type, vkr_state *state, char *sentence,
                  size_t room);

#endif
