/* SPDX-License-Identifier: MIT */
/* How many segments, or parts of segments, an invocation, a team and a workgroup reduce. */
#include "segments.h"

#include <inttypes.h>

#define MAX_TEAM 32u   /* 2^VKR_MULTI_MOST_MERGES of segment.comp */
#define MAX_LEVELS 32u /* of nodes that windows have (nodes.c) */

/* ---- Trips of an invocation's loops, which are limited ---- */

/* Trips of a division or a root: one for each digit. A quotient under a root has up to 112. */
#define REAL_TRIPS 168u

static uint64_t trips_of_elements(const vkr_reduce *r, uint64_t elements)
{
    const uint64_t trips = vkr_trips_per_element(r);
    if (vkr_calls_rarely(r))
        return elements * trips;
    return elements * (r->walk.loads != 0 ? 2 * trips + 2 : trips);
}

static uint64_t trips_of_results(const vkr_reduce *r)
{
    return 64 + (uint64_t)(vkr_count_ops(r) * 10 + vkr_count_reals(r) * REAL_TRIPS) *
                    r->input.components;
}

/* The number of invocations that share the loops over a segment. Teams of several invocations of a
 * subgroup go over as many segments as they have invocations. */
static uint64_t lanes_of(const vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    return l->how.team == 0 ? r->walk.workgroup_size : r->linked != NULL ? l->how.team : 1;
}

/* The number of ids that a workgroup reduces at once. */
static uint64_t ids_at_once(const vkr_level *l)
{
    const uint32_t lanes = l->reduce->walk.workgroup_size;
    return l->reduce->linked != NULL ? lanes / lanes_of(l) : l->how.team == 0 ? 1 : lanes;
}

uint64_t vkr_max_part(const vkr_reduce *r, uint32_t team)
{
    const uint64_t lanes = team == 0 ? r->walk.workgroup_size : team;
    return (VKR_ELEMENT_TRIPS - trips_of_results(r)) / trips_of_elements(r, 1) * lanes;
}

static uint64_t trips_of_id(const vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const uint64_t lanes = lanes_of(l);
    const uint64_t elements = l->how.shape == VKR_SHAPE_OFFSETS
                                  ? l->of.length * vkr_segments_of_id(&l->how)
                                  : l->how.part_length * vkr_segments_of_id(&l->how);
    if (l->how.shape == VKR_SHAPE_WINDOWS || l->how.shape == VKR_SHAPE_NODES)
        return (4 * (uint64_t)l->how.neighbours + (r->canonical ? MAX_LEVELS : 0)) *
               vkr_trips_per_element(r);
    if (l->partials && !l->squares)
        return vkr_trips_per_element(r) * vkr_divide_up(l->parts, lanes);
    return trips_of_elements(r, vkr_divide_up(elements, lanes));
}

/* Trips for the calls by which the first invocation of a team combines the others' states: eight
 * at a time (shaders/vkreduce/linked.glsl). */
static uint64_t trips_of_team(const vkr_level *l)
{
    uint64_t calls = 0;
    for (uint64_t n = lanes_of(l); n > 1; n = vkr_divide_up(n, 8))
        calls += vkr_min(n, 8) - 1;
    return vkr_calls_rarely(l->reduce) ? calls * vkr_trips_per_element(l->reduce) : 0;
}

/* The maximum number of ids of an invocation, or of a workgroup that works as one team. */
static uint64_t max_ids(const vkr_level *l)
{
    const uint64_t of_id = trips_of_id(l);
    const uint64_t trips = of_id + vkr_segments_of_id(&l->how) * trips_of_results(l->reduce) +
                           (l->how.team > lanes_of(l) ? l->how.team * of_id : 0) + trips_of_team(l);
    return vkr_clamp(VKR_ELEMENT_TRIPS / trips, 1, VKR_ELEMENT_TRIPS);
}

static uint64_t max_groups(const vkr_reduce *r)
{
    return vkr_min(vkr_all_groups(&r->context->caps), VKR_MAX_REACH);
}

uint64_t vkr_max_segment_ids(const vkr_level *l)
{
    return vkr_min(max_groups(l->reduce) * ids_at_once(l) * max_ids(l), VKR_MAX_REACH) /
           vkr_invocations_of_id(l);
}

/* ---- Registers ---- */

uint64_t vkr_words_of_states(const vkr_reduce *r)
{
    return (uint64_t)r->state_words * r->input.components;
}

uint64_t vkr_words_with_strands(const vkr_reduce *r)
{
    const bool strands = r->input.type->is_float && !r->canonical;
    const uint32_t held = r->parts & ~(uint32_t)VKR_PART_PRODUCT;
    uint32_t sums = 0;
    for (uint32_t i = 0; i < vkr_part_count && strands; i++)
        sums += (held & vkr_parts[i].bit) != 0 ? vkr_parts[i].sums : 0;
    const uint64_t words = 2 * (uint64_t)sums * (vkr_types[r->accumulator].size / 4);
    return vkr_words_of_states(r) + words * r->input.components;
}

/* ---- Teams ---- */

/* The most invocations of a team: a subgroup's, unless they combine states in shared memory. */
static uint32_t most_of_team(const vkr_reduce *r)
{
    const uint32_t lanes = r->context->caps.max_subgroup_size;
    return r->linked != NULL || lanes == 0 || lanes > r->walk.workgroup_size
               ? r->walk.workgroup_size
               : lanes;
}

/* While 2^n invocations merge, each keeps the states of up to n + 1 segments. */
uint32_t vkr_choose_team(const vkr_reduce *r, uint64_t length)
{
    const uint32_t unit = r->walk.unit, most = most_of_team(r);
    const uint64_t kept = vkr_room_of(r)->team_words / vkr_words_of_states(r);
    uint32_t team = 2, merges = 1;
    while (team < MAX_TEAM && team < most && 2 * team * unit <= length && merges + 2 <= kept) {
        team *= 2;
        merges++;
    }
    return (uint32_t)vkr_min(team, most);
}

bool vkr_has_full_team(const vkr_reduce *r, uint32_t team)
{
    const vkr_caps *caps = &r->context->caps;
    return team > 1 && team <= caps->full_subgroup_size &&
           r->walk.workgroup_size % caps->max_subgroup_size == 0;
}

/* ---- Workgroups ---- */

/* For squares, each workgroup reduces one, as far as the number of workgroups allows. */
VkrResult vkr_choose_groups(const vkr_level *l, uint64_t ids, uint64_t *items, uint64_t *groups)
{
    const vkr_reduce *r = l->reduce;
    const vkr_caps *caps = &r->context->caps;
    const uint64_t lanes = ids_at_once(l);
    const uint64_t busy = l->squares ? UINT64_MAX : 4 * (uint64_t)r->walk.tuning->maxGroups;
    const uint64_t shares =
        vkr_divide_up(ids, vkr_segments_of_id(&l->how)) * vkr_invocations_of_id(l);
    const uint64_t full = vkr_min(busy, max_groups(r));
    VKR_NEED(&r->walk, trips_of_id(l) <= VKR_ELEMENT_TRIPS,
             "workgroupSize is %u, but must be larger for these elements and partials of a "
             "segment.",
             r->walk.workgroup_size);
    *items = vkr_clamp(vkr_divide_up(vkr_divide_up(shares, lanes), full), 1, max_ids(l));
    *groups = vkr_divide_up(shares, lanes * *items);
    VKR_NEED(&r->walk, *groups <= max_groups(r),
             "workgroupSize is %u, but must be larger for %" PRIu64
             " segments, or parts of segments, to need at most %u x %u workgroups.",
             r->walk.workgroup_size, ids, caps->max_groups[0], caps->max_groups[1]);
    return VKR_SUCCESS;
}
