/* SPDX-License-Identifier: MIT */
/* Chooses workgroups of sorts, which invocations rank keys together, and the shares of rows. */
#include <inttypes.h>

#include "plan.h"

#define SHARED_BYTES 16384u /* that a workgroup may need, unless its size is the caller's choice */
#define MERGED_ITEMS 9u     /* at most, of an invocation that merges: odd numbers use all banks */
#define MAX_ALONE 16u       /* workgroup whose invocations sort alone */
#define MAX_GROUPS 2048u    /* of a table of counts, unless a row needs more */
#define SWEEP_COPIES 12u    /* of 256 counters, for workgroups that count all digits */
#define TILE_TRIPS 96u      /* of an invocation's loops, for one tile */

/* ---- Workgroups ---- */

/* Which invocations rank keys together: a small subgroup, which compares; one of 32, which votes; a
 * subgroup of another size, or a part of it; or 32 invocations that meet at barriers. Votes cost
 * more instructions than a word of shared memory for each digit, but a third of the accesses, and
 * of digits that are equal no more than of others. Subgroups of 64 would need twice as many. */
static void choose_ranks(vkr_sort_plan *p)
{
    const vkr_caps *caps = p->caps;
    const uint32_t sure = caps->sure_subgroup_size, max = caps->max_subgroup_size;
    const bool subgroups = caps->group_path != VKR_GROUP_PATH_SHARED;
    const uint32_t means =
        VKR_SORT_FLAG_COMPARED | VKR_SORT_FLAG_VOTED | VKR_SORT_FLAG_LOCKSTEP | VKR_SORT_FLAG_ALONE;
    p->flags &= ~means;
    p->shared = false;
    if (subgroups && sure >= 2 && sure <= 16 && p->workgroup % sure == 0) {
        p->ranks = sure;
        p->flags |= VKR_SORT_FLAG_COMPARED | VKR_SORT_FLAG_LOCKSTEP;
    } else if (subgroups && caps->full_subgroup_size >= 8 && p->workgroup % max == 0) {
        p->ranks = (uint32_t)vkr_min(caps->full_subgroup_size, 32);
        p->flags |= VKR_SORT_FLAG_LOCKSTEP | (sure == 32 ? VKR_SORT_FLAG_VOTED : 0);
    } else {
        p->ranks = (uint32_t)vkr_min(p->workgroup, 32);
        p->shared = true;
    }
    p->copies = (uint32_t)vkr_clamp(p->workgroup / 32, 1, 8);
}

static uint64_t shared_bytes(const vkr_sort_plan *p)
{
    if ((p->flags & VKR_SORT_FLAG_ALONE) != 0)
        return 4 * ((uint64_t)VKR_SORT_RADIX + p->workgroup + 4);
    const uint64_t rows = p->workgroup / p->ranks;
    const bool compared = (p->flags & VKR_SORT_FLAG_COMPARED) != 0;
    const bool voted = (p->flags & VKR_SORT_FLAG_VOTED) != 0;
    const uint64_t ranking = rows * VKR_SORT_RADIX * (compared ? 2 : voted ? 4 : 6);
    const uint64_t tile = (uint64_t)p->workgroup * p->items * 4;
    const uint64_t scatter = vkr_max(ranking, tile) + 8 * (uint64_t)VKR_SORT_RADIX + 4;
    const uint32_t digits = p->sweeps ? p->sort->keys.type->size : 1;
    const uint64_t count = (uint64_t)p->copies * digits * VKR_SORT_RADIX * 4 + 8;
    return vkr_max(scatter, count) + 4 * (uint64_t)p->workgroup;
}

/* Whether the workgroup fits the device, and this many bytes unless the caller chooses it. */
static bool fits_bytes(const vkr_sort_plan *p, uint32_t bytes)
{
    const bool chosen =
        p->sort->workgroup_size != 0 || p->sort->algorithm == VKR_SORT_ONE_WORKGROUP;
    const uint32_t most = chosen ? UINT32_MAX : bytes;
    return shared_bytes(p) <= vkr_min(most, p->caps->max_shared_memory);
}

static bool fits(const vkr_sort_plan *p)
{
    return fits_bytes(p, SHARED_BYTES);
}

static void set_workgroup(vkr_sort_plan *p, uint32_t workgroup)
{
    p->workgroup = workgroup;
    choose_ranks(p);
}

VkrResult vkr_check_sort_workgroup(const vkr_sort_plan *p)
{
    const uint32_t asked = p->sort->workgroup_size, most = p->caps->max_workgroup_size;
    VKR_MUST(&p->walk, (asked & (asked - 1)) == 0,
             "workgroupSize is %u, but must be 0 or a power of two.", asked);
    VKR_NEED(&p->walk, asked <= most, "workgroupSize is %u, but must be at most %u on this device.",
             asked, most);
    return VKR_SUCCESS;
}

static bool has_small_subgroups(const vkr_caps *caps)
{
    return caps->group_path != VKR_GROUP_PATH_SHARED && caps->sure_subgroup_size >= 2 &&
           caps->sure_subgroup_size <= 16;
}

/* On a CPU each invocation sorts alone, and counts digits in its own memory, where it needs no
 * other invocation and a counter costs a third of one in shared memory: a sort of 2^22 u32 takes
 * 0.67 of the time on lavapipe. On GPUs such memory is slow. */
static void set_passes(vkr_sort_plan *p, uint32_t workgroup)
{
    set_workgroup(p, workgroup);
    if (workgroup > MAX_ALONE || vkr_sort_policy_of(p->walk.context)->workgroup != 0)
        return;
    p->flags |= VKR_SORT_FLAG_ALONE;
    p->shared = true;
}

/* In a sweep invocations sort together everywhere, and count all digits at once. */
static void set_sweep(vkr_sort_plan *p, uint32_t workgroup)
{
    const uint32_t most = SWEEP_COPIES / p->sort->keys.type->size;
    set_workgroup(p, workgroup);
    p->copies = (uint32_t)vkr_clamp(p->copies, 1, most);
}

/* Chooses a workgroup for large tiles. Returns whether rows are sorted by such ones. */
static bool choose_large_tiles(vkr_sort_plan *p)
{
    const vkr_caps *caps = p->caps;
    const vkr_sort_policy *policy = vkr_sort_policy_of(p->walk.context);
    const uint64_t from = policy->large_from;
    const bool large = caps->large_sorts || (from != 0 && p->row >= from);
    if (!large || p->sort->workgroup_size != 0)
        return false;
    p->items = policy->large_items;
    for (uint32_t size = policy->large_workgroup; size >= VKR_SORT_WORKGROUP; size /= 2) {
        set_workgroup(p, size);
        if (size <= caps->max_workgroup_size && shared_bytes(p) <= caps->max_shared_memory)
            return true;
    }
    p->items = VKR_SORT_ITEMS;
    return false;
}

bool vkr_try_sort_workgroup(vkr_sort_plan *p, uint32_t workgroup)
{
    p->items = VKR_SORT_ITEMS;
    set_passes(p, workgroup);
    return workgroup <= p->caps->max_workgroup_size && fits(p);
}

VkrResult vkr_choose_sort_workgroup(vkr_sort_plan *p, bool sweeps)
{
    void (*const set)(vkr_sort_plan * plan, uint32_t workgroup) = sweeps ? set_sweep : set_passes;
    const vkr_caps *caps = p->caps;
    const uint32_t asked = p->sort->workgroup_size;
    const uint64_t lanes = vkr_clamp(caps->subgroup_size, 1, MAX_ALONE);
    const uint64_t tuned = vkr_sort_policy_of(p->walk.context)->workgroup;
    p->sweeps = sweeps;
    p->items = VKR_SORT_ITEMS;
    if (!sweeps && choose_large_tiles(p))
        return VKR_SUCCESS;
    set(p, asked != 0 ? asked
                      : (uint32_t)vkr_min(caps->max_workgroup_size, tuned != 0 ? tuned : lanes));
    while (asked == 0 && !fits(p))
        set(p, p->workgroup / 2);
    VKR_NEED(&p->walk, fits(p),
             "workgroupSize is %u, but must be less to fit the device's %u bytes of shared memory.",
             p->workgroup, caps->max_shared_memory);
    return VKR_SUCCESS;
}

/* The smallest workgroup that sorts rows: a subgroup, where it is known. */
static uint32_t small_workgroup(const vkr_caps *caps)
{
    const bool wide = caps->full_subgroup_size >= 8 && caps->group_path != VKR_GROUP_PATH_SHARED;
    const uint32_t small = has_small_subgroups(caps) ? caps->sure_subgroup_size
                           : wide                    ? caps->max_subgroup_size
                                                     : 32;
    return (uint32_t)vkr_min(small, caps->max_workgroup_size);
}

/* Whether more than a quarter of a workgroup that merges has no keys. */
static bool is_sparse(const vkr_sort_plan *p)
{
    return 4 * (p->workgroup / p->groups * p->groups) < 3 * (uint64_t)p->workgroup;
}

/* Each doubling of the runs costs a merge sort about half as much as a digit costs a radix sort,
 * which also clears and scans its counters, however short the rows are. */
static bool is_worth_merging(const vkr_sort_plan *p)
{
    const uint32_t bits = p->sort->end - p->sort->begin;
    const uint32_t doublings = vkr_log2_up(vkr_divide_up(p->row, MERGED_ITEMS));
    return p->row != 0 && doublings <= 2 + 2 * vkr_divide_up(bits, VKR_SORT_DIGIT_BITS);
}

/* Words that move together: of a key, and its value. */
static uint32_t words_of_key(const vkr_sort_plan *p)
{
    return (p->sort->keys.type->size == 8 ? 2u : 1u) + (vkr_has_buffer(&p->sort->ranked) ? 1u : 0u);
}

bool vkr_choose_merging_workgroup(vkr_sort_plan *p)
{
    const vkr_sort *s = p->sort;
    const vkr_caps *caps = p->caps;
    const uint32_t asked = s->workgroup_size;
    const uint64_t words = words_of_key(p);
    const uint32_t wanted = asked != 0 ? UINT32_MAX : SHARED_BYTES;
    const uint64_t room = vkr_min(wanted, caps->max_shared_memory) - 16;
    const uint64_t most = vkr_min(caps->max_workgroup_size, VKR_SORT_WORKGROUP);
    if (!is_worth_merging(p))
        return false;
    vkr_sort_plan q = *p;
    q.items = (uint32_t)vkr_divide_up(p->row, vkr_divide_up(p->row, MERGED_ITEMS)) | 1;
    q.groups = vkr_divide_up(p->row, q.items);
    q.ranks = q.copies = 1;
    q.shared = false; /* one kernel serves all group paths */
    q.workgroup = asked != 0 ? asked : small_workgroup(caps);
    const uint64_t lanes = asked != 0 ? asked : vkr_min(most, room / (4 * words * q.items));
    while (is_sparse(&q) && 2 * q.workgroup <= lanes)
        q.workgroup *= 2;
    q.merged = (uint32_t)(q.workgroup / q.groups);
    if (q.merged == 0 || 4 * words * q.workgroup * q.items > room)
        return false;
    *p = q;
    return true;
}

/* Gives invocations as many keys as a row needs, or as fit: registers of NVIDIA's GPUs hold 20 keys
 * of one word, 16 of two words or with a value, and 12 of two words with a value. */
static void add_items(vkr_sort_plan *p, uint32_t bytes)
{
    const uint32_t most = 24 - 4 * words_of_key(p);
    vkr_sort_plan q = *p;
    for (q.items += 4; q.items <= most && fits_bytes(&q, bytes); q.items += 4)
        if ((uint64_t)p->workgroup * p->items < p->row)
            *p = q;
}

bool vkr_choose_one_workgroup(vkr_sort_plan *p)
{
    const vkr_caps *caps = p->caps;
    const uint32_t asked = p->sort->workgroup_size;
    const uint32_t wanted = vkr_sort_policy_of(p->walk.context)->one_bytes;
    const uint32_t bytes = wanted <= caps->max_shared_memory ? wanted : SHARED_BYTES;
    set_workgroup(p, asked != 0 ? asked : small_workgroup(caps));
    while (asked == 0 && (uint64_t)p->workgroup * p->items < p->row &&
           p->workgroup < caps->max_workgroup_size && p->workgroup < 2 * VKR_SORT_WORKGROUP &&
           fits_bytes(p, bytes))
        set_workgroup(p, 2 * p->workgroup);
    if (asked == 0 && !fits_bytes(p, bytes))
        set_workgroup(p, p->workgroup / 2);
    if (asked == 0)
        add_items(p, bytes);
    return fits_bytes(p, bytes) && p->row <= (uint64_t)p->workgroup * p->items;
}

/* ---- Windows ---- */

/* The number of items that a descriptor reaches wherever they start; UINT64_MAX if it reaches all
 * of them from the first one. */
static uint64_t reach_of(const vkr_sort_plan *p, const vkr_place *place)
{
    if (place->buffer == VK_NULL_HANDLE || p->sort->count <= vkr_place_window(p->caps, place, 0))
        return UINT64_MAX;
    return vkr_place_reach(p->caps, place);
}

uint64_t vkr_sort_reach(const vkr_sort_plan *p)
{
    const vkr_sort *s = p->sort;
    const uint32_t size = s->keys.type->size;
    const vkr_place places[] = {
        vkr_place_of_view(&s->keys),
        vkr_place_of_view(&s->sorted),
        vkr_place_of_view(&s->values),
        vkr_place_of_view(&s->ranked),
        {VKR_SCRATCH, 0, size, size, size},
        {vkr_has_buffer(&s->ranked) ? VKR_SCRATCH : VK_NULL_HANDLE, 0, 4, 4, 4},
    };
    uint64_t reach = UINT64_MAX;
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(places); i++)
        reach = vkr_min(reach, reach_of(p, &places[i]));
    return reach;
}

/* ---- Rows and groups ---- */

/* The number of shares for which a table fits a descriptor, if each is a row. */
static uint64_t max_table_groups(const vkr_caps *caps)
{
    const uint64_t words = vkr_room(caps) / 4 - VKR_SORT_RECORD;
    return vkr_max(words / (2 + 2 * VKR_SORT_RADIX), 1);
}

void vkr_choose_sort_groups(vkr_sort_plan *p)
{
    const vkr_sort_policy *policy = vkr_sort_policy_of(p->walk.context);
    const bool alone = (p->flags & VKR_SORT_FLAG_ALONE) != 0;
    const uint64_t tile = (uint64_t)(alone ? 1 : p->workgroup) * p->items;
    const uint64_t tiles = vkr_divide_up(p->row, tile);
    const uint64_t trips = alone ? p->items : TILE_TRIPS;
    p->each = alone ? p->workgroup : 1;
    const uint64_t reached = vkr_max(p->reach / (tile * p->each), 1);
    const uint64_t least = vkr_divide_up(tiles, vkr_min(VKR_ELEMENT_TRIPS / trips, reached));
    const uint64_t most = vkr_min(MAX_GROUPS, max_table_groups(p->caps));
    const uint64_t all = vkr_min(most, alone ? policy->alone_shares : policy->shares);
    const uint64_t worth = alone ? vkr_divide_up(p->row, policy->alone_keys) : tiles;
    p->groups = vkr_clamp(vkr_divide_up(all, p->rows), least, vkr_max(worth, least));
    p->groups = vkr_divide_up(p->groups, p->each) * p->each;
    p->tile = tile;
    /* The pass that scans the counts has an invocation or a workgroup for each digit of a row. */
    const uint64_t scanned = vkr_all_groups(p->caps) * p->each / VKR_SORT_RADIX;
    const uint64_t batch = vkr_min(most / p->groups, p->reach / p->row);
    p->batch = vkr_clamp(vkr_min(batch, scanned), 1, p->rows);
}
