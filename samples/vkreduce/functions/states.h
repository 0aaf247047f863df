/* SPDX-License-Identifier: MIT */
/* States of operators: their values as text and as files, and comparisons. */
#ifndef RUNNER_STATES_H
#define RUNNER_STATES_H

#include "functions/functions.h"
#include "output/output.h"

/* Prints the values of a state as a JSON array; or one number, if it is what finish returns. */
void state_json(const functions *f, const function_values *values, const void *state);

/* Prints them as a line, which has its label already. */
void state_text(const function_values *values, const void *state);

/* Make an output an array of states: the first is called before the states are written, the second
 * after that. If the values of a state have several types, they are fields of an element; otherwise
 * they are the last dimension, for which `shape`, that of the array of states, has room. */
void states_reserve(const function_values *values, output *o, uint32_t dimensions);
int states_finish(const function_values *values, output *o, uint32_t dimensions, uint64_t *shape);

/* Where two states differ: which value of which state, and what it is. */
typedef struct state_difference {
    uint64_t state;
    uint32_t value;
    char found[32], other[32];
} state_difference;

typedef struct states {
    const void *words;
    uint64_t count;
} states;

/* Compares as many states as `others` has with these: integers must be equal. Floats may differ by
 * 1e-3 of the largest magnitude that this value has in any of the states or of `sizes`, which are
 * states of other parts of the data: sums may cancel. NaN equals NaN. */
bool states_differ(const function_values *values, const void *found, states others, states sizes,
                   state_difference *d);

/* An option that an operator leaves no room for. */
typedef struct excluded_option {
    bool given;
    const char *name; /* without its dashes */
} excluded_option;

/* Fails if one of the options is given beside --operator. */
int states_exclude(const excluded_option *rows, size_t count);

#endif
