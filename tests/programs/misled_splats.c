/* SPDX-License-Identifier: MIT */
/* Plants a mistake, which SPLATS_MISLED names, in what the sample splats reads back of its first
 * frame. The linker puts this function in place of the sample's (--wrap), to prove that the
 * sample's checks find each mistake. */
#include <stdlib.h>
#include <string.h>
#include "check.h"

void __real_check_frame(const outcome *o, const reference *r, findings *all);
void __wrap_check_frame(const outcome *o, const reference *r, findings *all);

static void plant(const char *which, outcome *o)
{
    uint32_t *order = (uint32_t *)o->order, first = order[0];
    float *last = (float *)o->pixels[WIDTH * HEIGHT - 1];
    if (strcmp(which, "count") == 0)
        o->count++;
    if (strcmp(which, "key") == 0)
        ((uint32_t *)o->keys)[o->count - 1] ^= 1;
    if (strcmp(which, "order") == 0) {
        order[0] = order[1];
        order[1] = first;
    }
    if (strcmp(which, "colour") == 0)
        last[0] += 1.1f / 255;
    if (strcmp(which, "opacity") == 0)
        last[3] -= 1.1f / 255;
    if (strcmp(which, "nan") == 0)
        memset(last, 0xff, sizeof *last);
}

void __wrap_check_frame(const outcome *o, const reference *r, findings *all)
{
    const char *which = getenv("SPLATS_MISLED");
    outcome changed = *o;
    if (which && all->frames == 0)
        plant(which, &changed);
    __real_check_frame(&changed, r, all);
}
