/* SPDX-License-Identifier: MIT */
/* Plants a mistake, which HIZ_MISLED names, in the data that the sample hiz reads back. The linker
 * puts this function in place of the sample's (--wrap), to prove that the sample's checks find each
 * mistake. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "city.h"

bool __real_check_outcome(const outcome *o);
bool __wrap_check_outcome(const outcome *o);

/* Replaces the first verdict of a kind by another one. */
static void change_verdict(uint32_t *verdicts, uint32_t from, uint32_t to)
{
    uint32_t i = 0;
    while (verdicts[i] != from)
        i++;
    verdicts[i] = to;
}

/* Moves the last box from a distant street to the front of all others. */
static void move_last(Box *boxes)
{
    const Box near = {{CAMERA_X + 60, CAMERA_Y - 60, CAMERA_Z + 75},
                      {CAMERA_X + 64, CAMERA_Y - 56, CAMERA_Z + 79}};
    boxes[BOXES - 1] = near;
}

bool __wrap_check_outcome(const outcome *o)
{
    const char *which = getenv("HIZ_MISLED");
    if (which == NULL)
        return __real_check_outcome(o);
    if (strcmp(which, "level") == 0) {
        float *last = (float *)o->levels + 2 * texels_below(LEVELS + 1) - 1;
        *last = nextafterf(*last, 2);
    }
    if (strcmp(which, "verdict") == 0)
        change_verdict((uint32_t *)o->verdicts, OUTSIDE, HIDDEN);
    if (strcmp(which, "lost") == 0)
        ((uint32_t *)o->ids)[0] = 8 * (BOXES - 1) + 1;
    if (strcmp(which, "near") == 0)
        move_last((Box *)o->boxes);
    if (strcmp(which, "count") == 0)
        ++*(uint32_t *)o->count;
    return __real_check_outcome(o);
}
