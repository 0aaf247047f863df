/* SPDX-License-Identifier: MIT */
/* Plants a mistake, which SPLATS_MISLED names, in what the sample splats reads back of its first
 * frame. The linker puts this function in place of the sample's (--wrap), to prove that the
 * sample's checks find each mistake. */
#include <stdlib.h>
#include <string.h>
#include "check.h"

void __real_check_frame(const outcome *o, const reference *r, findings *all);
void __wrap_check_frame(const outcome *o, const reference *r, findings *all);

static void swap(uint32_t *words, uint32_t i)
{
    const uint32_t first = words[i];
    words[i] = words[i + 1];
    words[i + 1] = first;
}

/* In what is read back of tiles, of which one lists several splats. */
static void plant_in_tiles(const char *which, const outcome *o)
{
    uint32_t *listed = (uint32_t *)o->listed, tile = 0;
    while (tile + 1 < TILES && o->starts[tile + 1] - o->starts[tile] < 2)
        tile++;
    if (strcmp(which, "tile") == 0)
        swap(listed, o->starts[tile]);
    if (strcmp(which, "splat of a tile") == 0)
        listed[o->starts[tile]] = o->count;
    if (strcmp(which, "start of a tile") == 0)
        ((uint32_t *)o->starts)[TILES]--;
    if (strcmp(which, "tiles without room") == 0)
        ((Numbers *)o->numbers)->found++;
}

static void plant(const char *which, outcome *o)
{
    float *last = (float *)o->pixels[WIDTH * HEIGHT - 1];
    if (o->numbers)
        plant_in_tiles(which, o);
    if (strcmp(which, "count") == 0)
        o->count++;
    if (strcmp(which, "key") == 0)
        ((uint32_t *)o->keys)[o->count - 1] ^= 1;
    if (strcmp(which, "order") == 0)
        swap((uint32_t *)o->order, 0);
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
