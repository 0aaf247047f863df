/* SPDX-License-Identifier: MIT */
/* Plants a mistake, which SHADOWS_MISLED names, in the data that the sample shadows reads back. The
 * linker puts this function in place of the sample's (--wrap), to prove that the sample's checks
 * find each mistake. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "town.h"

bool __real_check_outcome(const outcome *o);
bool __wrap_check_outcome(const outcome *o);

bool __wrap_check_outcome(const outcome *o)
{
    const char *which = getenv("SHADOWS_MISLED");
    Cascades *fixed = (Cascades *)&o->cascades[FIXED], *fitted = (Cascades *)&o->cascades[FITTED];
    if (which == NULL)
        return __real_check_outcome(o);
    if (strcmp(which, "nearest") == 0)
        fitted->seen[0] = nextafterf(fitted->seen[0], 1);
    if (strcmp(which, "farthest") == 0)
        fitted->seen[1] = nextafterf(fitted->seen[1], 0);
    if (strcmp(which, "split") == 0)
        fitted->splits[2] = 1 - (1 - fitted->splits[2]) * 1.001f;
    if (strcmp(which, "nan") == 0)
        fitted->splits[CASCADES] = NAN;
    for (int k = 0; k < CASCADES && strcmp(which, "infinite") == 0; k++)
        fitted->boxes[k][2] = -INFINITY;
    if (strcmp(which, "box") == 0)
        fitted->boxes[1][3] += 0.002f;
    if (strcmp(which, "outside") == 0)
        fixed->boxes[0][0] += 20;
    return __real_check_outcome(o);
}
