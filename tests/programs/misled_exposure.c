/* SPDX-License-Identifier: MIT */
/* Plants a mistake, which EXPOSURE_MISLED names, in the data that the sample exposure reads back.
 * The linker puts this function in place of the sample's (--wrap), to prove that the sample's
 * checks find each mistake. */
#include <stdlib.h>
#include <string.h>
#include "parts.h"

verdict __real_check_outcome(const outcome *o);
verdict __wrap_check_outcome(const outcome *o);

verdict __wrap_check_outcome(const outcome *o)
{
    const char *which = getenv("EXPOSURE_MISLED");
    Reading *readings = (Reading *)o->state->readings;
    if (which == NULL)
        return __real_check_outcome(o);
    if (strcmp(which, "exposure") == 0)
        readings[50].exposure += 0x1p-14f;
    if (strcmp(which, "nan") == 0)
        readings[51].exposure = NAN;
    if (strcmp(which, "bin") == 0)
        ++((uint32_t *)o->counts[SHOWN - 1])[BINS - 1];
    if (strcmp(which, "pixel") == 0)
        ((uint8_t *)o->rgba[0])[1] ^= 0x80;
    return __real_check_outcome(o);
}
