/* SPDX-License-Identifier: MIT */
/* Plants a mistake, which CULLING_MISLED names, in what the sample culling reads back of a frame.
 * The linker puts this function in place of the sample's (--wrap), to prove that the sample's
 * checks find each mistake. */
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "culling.h"

void __real_check_frame(const outcome *o, findings *all);
void __wrap_check_frame(const outcome *o, findings *all);

void __wrap_check_frame(const outcome *o, findings *all)
{
    const char *which = getenv("CULLING_MISLED");
    outcome changed = *o;
    if (which && all->frames == 30) {
        if (strcmp(which, "colour") == 0)
            ((uint32_t *)o->colours)[WIDTH * HEIGHT - 1] ^= 1u << 31;
        if (strcmp(which, "depth") == 0)
            ((uint32_t *)o->depths)[0] ^= 1;
        if (strcmp(which, "listed") == 0)
            changed.listed--;
    }
    if (which && strcmp(which, "all") == 0)
        memset((void *)o->before, 0xff, INSTANCES / 8);
    __real_check_frame(&changed, all);
}
