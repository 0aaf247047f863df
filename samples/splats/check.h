/* SPDX-License-Identifier: MIT */
/* What the host learns of a frame, and what it checks. */
#ifndef CHECK_H
#define CHECK_H

#include <stdbool.h>
#include "reference.h"

typedef struct outcome {
    uint32_t count;               /* of splats that are seen */
    const uint32_t *keys, *order; /* as in the reference; no order with tiles, .. */
    const vec4 *pixels;
    const Numbers *numbers;          /* .. but pairs, */
    const uint32_t *starts, *listed; /* where the splats of each tile start, and these */
} outcome;

typedef struct findings {
    uint32_t frames, lists, orders; /* in all; with a wrong list, and with a wrong order */
    uint64_t splats, drawn;
    uint64_t pairs, left_out; /* of tiles and splats: all, and those that have no room */
    float difference;         /* the greatest one of a colour */
    uint32_t cover;           /* the greatest number of splats at a pixel */
} findings;

void check_frame(const outcome *o, const reference *r, findings *all);

/* Prints the findings. Returns true if all checks pass. */
bool check_findings(const findings *all);

#endif
