/* SPDX-License-Identifier: MIT */
#include "check.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define ALLOWED (1.0f / 255)

/* Whether the list of each tile has its splats in the order of the reference. */
static bool check_tiles(const outcome *o, const reference *r)
{
    if (o->starts[0] != 0 || o->starts[TILES] != o->numbers->stored)
        return false;
    for (uint32_t t = 0; t < TILES; t++) {
        if (o->starts[t] > o->starts[t + 1])
            return false;
        for (uint32_t i = o->starts[t]; i < o->starts[t + 1]; i++)
            if (o->listed[i] >= r->count ||
                (i > o->starts[t] && r->places[o->listed[i - 1]] >= r->places[o->listed[i]]))
                return false;
    }
    return true;
}

void check_frame(const outcome *o, const reference *r, findings *all)
{
    const size_t size = r->count * sizeof(uint32_t);
    const bool listed = o->count == r->count;
    all->frames++;
    all->drawn += r->count;
    all->lists += !listed || memcmp(o->keys, r->keys, size) != 0;
    if (o->numbers) {
        all->orders += !listed || !check_tiles(o, r);
        all->pairs += o->numbers->found;
        all->left_out += o->numbers->found - o->numbers->stored;
    } else {
        all->orders += !listed || memcmp(o->order, r->order, size) != 0;
    }
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        for (int c = 0; c < 4; c++) {
            const float difference = fabsf(o->pixels[i][c] - r->pixels[i][c]);
            if (difference > all->difference || isnan(difference)) /* NaN stays */
                all->difference = difference;
        }
        all->cover = r->cover[i] > all->cover ? r->cover[i] : all->cover;
    }
}

bool check_findings(const findings *all)
{
    printf("%" PRIu64 " of %" PRIu64 " splats are drawn in %" PRIu32 " frames, up to %" PRIu32
           " of them at a pixel\n",
           all->drawn, all->splats, all->frames, all->cover);
    printf("%" PRIu32 " lists of what is seen and %" PRIu32 " orders differ from the CPU's\n",
           all->lists, all->orders);
    printf("colours differ from the CPU's by at most %.6f of 1 / 255\n",
           (double)(all->difference / ALLOWED));
    if (all->pairs > 0)
        printf("tiles list %" PRIu64 " splats, and have no room for %" PRIu64 " of them\n",
               all->pairs, all->left_out);
    return all->lists == 0 && all->orders == 0 && all->left_out == 0 && all->difference <= ALLOWED;
}
