/* SPDX-License-Identifier: MIT */
/* Plants a mistake, which CULLING_MISLED names, in what the sample culling reads back of a frame,
 * and ends after some frames. The linker puts this function in place of the sample's (--wrap), to
 * prove that the sample's checks find each mistake. */
#include <stdlib.h>
#include <string.h>
#include "check.h"
#include "culling.h"

#define LAST 11 /* frame */

void __real_check_frame(const outcome *o, findings *all);
void __wrap_check_frame(const outcome *o, findings *all);

static void plant(const char *which, outcome *o)
{
    if (strcmp(which, "colour") == 0)
        ((uint32_t *)o->colours)[WIDTH * HEIGHT - 1] ^= 1u << 31;
    if (strcmp(which, "depth") == 0)
        ((uint32_t *)o->depths)[0] ^= 1;
    if (strcmp(which, "listed") == 0)
        o->listed--;
    if (strcmp(which, "added") == 0)
        o->added++;
    if (strcmp(which, "all") == 0) {
        memset((void *)o->before, 0xff, INSTANCES / 8);
        o->added = 0;
    }
}

void __wrap_check_frame(const outcome *o, findings *all)
{
    const char *which = getenv("CULLING_MISLED");
    outcome changed = *o;
    if (which && all->frames == LAST)
        plant(which, &changed);
    __real_check_frame(&changed, all);
    if (which && all->frames > LAST)
        exit(check_findings(all) ? 0 : 3);
}
