/* SPDX-License-Identifier: MIT */
/* What fills a slot (vkr_bound), in the rows of a pass. */
#ifndef VKR_PLAN_BOUND_H
#define VKR_PLAN_BOUND_H

#include "pass.h"

/* An item for each element of the window. */
static inline vkr_bound vkr_per_element(vkr_place place)
{
    return (vkr_bound){.place = place, .span = VKR_SPAN_ELEMENTS};
}

/* An item for each run of the window. */
static inline vkr_bound vkr_per_run(vkr_place place)
{
    return (vkr_bound){.place = place, .span = VKR_SPAN_RUNS};
}

/* A bit for each element of the window. */
static inline vkr_bound vkr_per_bit(vkr_place words)
{
    return (vkr_bound){.place = words, .span = VKR_SPAN_BITS};
}

/* The same items, whatever the window. */
static inline vkr_bound vkr_items(vkr_place place, uint64_t first, uint64_t count)
{
    return (vkr_bound){place, VKR_SPAN_ITEMS, first, count};
}

#endif
