/* SPDX-License-Identifier: MIT */
#include "check.h"
#include <inttypes.h>
#include <stdio.h>
#include "culling.h"

#define FEWER 10 /* times, at least, by which culling must reduce the draws */

static uint32_t count_bits(uint32_t word)
{
    uint32_t count = 0;
    for (; word; word &= word - 1)
        count++;
    return count;
}

void check_frame(const outcome *o, findings *all)
{
    uint64_t wrong = 0;
    uint32_t known = 0, added = 0, seen = 0;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++)
        wrong += o->colours[i] != o->all_colours[i] || o->depths[i] != o->all_depths[i];
    for (uint32_t i = 0; i < (INSTANCES + 31) / 32; i++) {
        known += count_bits(o->before[i]);
        added += count_bits(o->now[i] & ~o->before[i]);
        seen += count_bits(o->now[i]);
    }
    all->frames++;
    all->equal += wrong == 0;
    all->miscounted += seen != o->listed || added != o->added;
    all->pixels += wrong;
    all->drawn += known + added;
    all->added += added;
}

bool check_findings(const findings *all)
{
    const uint64_t instances = (uint64_t)all->frames * INSTANCES;
    printf("%" PRIu32 " of %" PRIu32 " frames equal those with every instance, pixel by pixel; "
           "%" PRIu64 " pixels differ\n",
           all->equal, all->frames, all->pixels);
    printf("%" PRIu64 " of %" PRIu64 " instances are drawn, which is 1 in %.1f; %" PRIu64
           " of them after the test\n",
           all->drawn, instances, (double)instances / (double)(all->drawn ? all->drawn : 1),
           all->added);
    printf("%" PRIu32 " of %" PRIu32 " lists have a wrong number of draws\n", all->miscounted,
           all->frames);
    return all->equal == all->frames && all->miscounted == 0 && all->drawn * FEWER <= instances;
}
