/* SPDX-License-Identifier: MIT */
/* The scalar model of shaders/vkreduce/multireduce.glsl. */
#ifndef VKR_TESTS_MULTIREDUCE_MODEL_H
#define VKR_TESTS_MULTIREDUCE_MODEL_H

#include <stdbool.h>
#include <stdint.h>

#define MAX_LANES 128u
#define KINDS 2

typedef enum form_id {
    NAIVE,
    MERGE,
    SWAP,
    DOUBLED,
    ONLINE,
    FEWER,
    SHARED,
    SHARED_SWAP,
    FORMS
} form_id;

typedef struct value {
    uint32_t words[2]; /* the second word is used by digits only */
} value;

typedef struct value_kind {
    const char *name;
    uint32_t words;
    bool ordered; /* not commutative */
    value (*combine)(value a, value b);
} value_kind;

typedef struct lanes {
    const value_kind *kind;
    uint32_t w, k;
    value v[MAX_LANES][MAX_LANES]; /* v[lane][value] */
} lanes;

extern const value_kind kinds[KINDS];

value random_value(const value_kind *k, uint32_t *state);
/* Runs a form. The result is value 0; for naive all values are results, for doubled also value
 * 1. */
void run_model(lanes *m, form_id form);

#endif
