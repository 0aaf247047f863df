/* SPDX-License-Identifier: MIT */
/* What the host learns of a frame, and what it checks. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include <stdint.h>

/* Pictures are arrays of WIDTH * HEIGHT words. */
typedef struct outcome {
    const uint32_t *colours, *depths;
    const uint32_t *all_colours, *all_depths; /* those with every instance */
    const uint32_t *before, *now; /* bits: whether an instance may be seen, one frame ago and now */
    uint32_t listed;              /* the number of draws that the frame leaves for the next one */
    uint64_t added;               /* instances that the draws after the test have in all */
} outcome;

typedef struct findings {
    uint32_t frames, equal, miscounted;
    uint64_t pixels; /* that differ */
    uint64_t drawn;
    uint64_t added; /* those drawn that the frame before did not know */
} findings;

void check_frame(const outcome *o, findings *all);

/* Prints the findings. Returns true if all checks pass. */
bool check_findings(const findings *all);

#endif
