/* SPDX-License-Identifier: MIT */
/* Reductions of some parts of an input by an operator, to compare results with. */
#ifndef RUNNER_SAMPLING_H
#define RUNNER_SAMPLING_H

#include "functions/functions.h"

#define SAMPLES 16u                 /* parts that are compared */
#define MAX_PARTS (2u * SAMPLES)    /* the others give magnitudes */
#define MAX_RESULT (4u * MAX_STATE) /* bytes */

typedef struct sampling {
    const input *in;
    const VkrMonoid *monoid;
    uint64_t size;                /* of a result, in bytes */
    uint32_t count;               /* of the parts; sampling_run adds others */
    uint64_t step;                /* elements from one of a part to the next; 0: 1 */
    uint64_t places[SAMPLES];     /* of the results they are compared with; for the caller */
    uint32_t parts[MAX_PARTS][2]; /* the first element, and the one after the last */
    uint32_t result_count;
    char results[MAX_PARTS * MAX_RESULT];
} sampling;

/* Whether the device holds all elements at once, as sampling_run needs it. */
bool sampling_fits(const sampling *s, const task *t);

/* Reduces the parts. More parts are added after them: single elements and starts of the input. */
int sampling_run(sampling *s, const task *t);

#endif
