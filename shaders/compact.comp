/* SPDX-License-Identifier: MIT */
/*
 * Stable compaction by runs. A run has one prefix, the number of kept elements before it. With
 * contiguous loads it has the elements of one invocation, with coalesced loads those of a
 * workgroup. Kept and rejected elements of a run go, in their order, to the positions that start at
 * its prefix. VKR_MODE says where prefixes come from. Sources: D. Roger, U. Assarsson, N.
 * Holzschuch, "Efficient Stream Reduction on the GPU" (2007); of tiles: see vkreduce/lookback.glsl.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/stored.glsl"
#include "cards/compact.h"

const uint VKR_VALUES = VKR_COMPONENTS; /* of an element */
#define VKR_INPUTS 1
#define VKR_VECTOR 0
#include "vkreduce/variant.glsl"
const bool VKR_FROM_SOURCE = (VKR_OUTPUTS & VKR_TO_SOURCE) != 0u;
const bool VKR_CONTIGUOUS = VKR_ORDER == VKR_ORDER_CONTIGUOUS;

#include "vkreduce/type.glsl"
#include "vkreduce/kept.glsl"

/* Queues hold words: elements of whole words, or the values to which flags belong. Kernels without
 * shuffles have one for elements of words only, to stay small. */
#define VKR_HAS_QUEUE (VKR_BYTES == 4 || VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED)
#define VKR_HAS_SOURCE (VKR_BYTES == 1 && VKR_HAS_QUEUE)
#if VKR_HAS_SOURCE
#include "vkreduce/source.glsl"
#endif
#include "vkreduce/queue.glsl"

/* Scans are over numbers of kept elements, which fit in a word for the elements that a workgroup
 * walks at once. */
#define VKR_GROUP_T uint
#define VKR_GROUP_IDENTITY 0u
#define VKR_GROUP_COMBINE(a, b) ((a) + (b))
#define VKR_GROUP_COMMUTES
#define VKR_GROUP_ROLLED
#include "vkreduce/lanes.glsl"

#include "vkreduce/counted.glsl"
#include "vkreduce/run_counts.glsl"

#include "vkreduce/take.glsl"

/* The units whose elements are stored one by one together: no more than a word has bits for. */
const uint VKR_UNITS_OF_WORD = VKR_BATCH < 32u / VKR_UNIT ? VKR_BATCH : 32u / VKR_UNIT;

/* Stores the elements of units u to end - 1 of one invocation one by one. */
void vkr_store_run(uint u, const uint end)
{
    VkrUnit loaded[VKR_UNITS_OF_WORD];
    while (u < end) {
        for (; u + VKR_UNITS_OF_WORD <= end && vkr_are_full(u, VKR_UNITS_OF_WORD);
             u += VKR_UNITS_OF_WORD) {
            [[unroll]] for (uint b = 0u; b < VKR_UNITS_OF_WORD; b++)
                loaded[b] = vkr_load_tested(u + b);
            VkrBefore before = vkr_before(u);
            uint kept = 0u;
            [[unroll]] for (uint b = 0u; b < VKR_UNITS_OF_WORD; b++) {
                kept |= vkr_bits_of(vkr_test_loaded(loaded[b], u + b, before)) << b * VKR_UNIT;
                before = vkr_last_of(loaded[b]);
            }
            vkr_store_each(vkr_begin_of(u), ~0u >> (32u - VKR_UNITS_OF_WORD * VKR_UNIT), kept);
        }
        if (u < end) {
            vkr_take_elements(u, VKR_STORE_EACH);
            u++;
        }
    }
}

/* Counts or queues units u to end - 1 of one invocation. */
void vkr_walk_run(uint u, const uint end, const uint what)
{
    VkrUnit loaded[VKR_BATCH];
    while (u < end) {
        for (; u + VKR_BATCH <= end && vkr_are_full(u, VKR_BATCH); u += VKR_BATCH) {
            for (uint b = 0u; b < VKR_BATCH; b++)
                loaded[b] = vkr_load_tested(u + b);
            VkrBefore before = vkr_before(u);
            for (uint b = 0u; b < VKR_BATCH; b++) {
                vkr_take_loaded(loaded[b], before, u + b, what);
                before = vkr_last_of(loaded[b]);
            }
        }
        if (u < end) {
            vkr_take_elements(u, what);
            u++;
        }
    }
}

struct VkrRun {
    uint first; /* units: of this invocation with contiguous loads, else of the workgroup */
    uint end;
};

VkrRun vkr_run_of(const uint group)
{
    uint share = VKR_WORKGROUP * push.items;
    uint first = group * share + (VKR_CONTIGUOUS ? vkr_group_rank() * push.items : 0u);
    uint length = VKR_CONTIGUOUS ? push.items : share;
    uint units = vkr_units();
    first = min(first, units);
    return VkrRun(first, first + min(length, units - first));
}

/* Tests one unit, with coalesced loads, when each invocation has one unit at a time. */
uint vkr_test_unit(const uint u, const bool is_there, out uint present)
{
    uint kept = 0u;
    present = is_there ? vkr_present(u) : 0u;
    if (is_there && vkr_are_full(u, 1u))
        kept = vkr_bits_of(vkr_test_loaded(vkr_load_tested(u), u, vkr_before(u)));
    else if (is_there)
        kept = vkr_test_elements(u, present);
    return kept;
}

/* Counts this invocation's kept elements in units u .. end - 1, in which the units of invocations
 * lie side by side. */
uint vkr_count_share(uint u, const uint end)
{
    const uint chunk = VKR_BATCH * VKR_WORKGROUP;
    VkrUnit loaded[VKR_BATCH];
    vkr_counted = 0u;
    while (u < end) {
        for (; u + chunk <= end && vkr_are_full(u, chunk) && (!VKR_LOOKS_INSIDE || u > 1u);
             u += chunk) {
            uint mine = u + vkr_group_rank();
            for (uint b = 0u; b < VKR_BATCH; b++)
                loaded[b] = vkr_load_tested(mine + b * VKR_WORKGROUP);
            for (uint b = 0u; b < VKR_BATCH; b++)
                vkr_take_loaded(loaded[b], vkr_before_inside(mine + b * VKR_WORKGROUP),
                                mine + b * VKR_WORKGROUP, VKR_COUNT_ONLY);
        }
        if (u + vkr_group_rank() < end)
            vkr_take_elements(u + vkr_group_rank(), VKR_COUNT_ONLY);
        u += VKR_WORKGROUP;
    }
    return vkr_counted;
}

/* Whether all invocations count contiguous runs together, one run after the other, as one stream of
 * loads. That is faster for texels and long runs; storage buffers are faster with many streams. */
#if VKR_LOADS == VKR_LOADS_TEXEL
const bool VKR_ONE_STREAM =
    VKR_ONE_ROW && !VKR_MARKS && (VKR_MODE == VKR_MODE_TOTALS || VKR_MODE == VKR_MODE_LAST);
#else
const bool VKR_ONE_STREAM = false;
#endif

/* Counts the kept elements of this invocation's part of a workgroup's run. */
uint vkr_count_run(const uint group)
{
    VkrRun run = vkr_run_of(group);
    uint count = 0u;
    vkr_open_marks(group);
    if (!VKR_CONTIGUOUS) {
        count = vkr_count_share(run.first, run.end);
        vkr_close_marks();
        return count;
    }
    if (VKR_ONE_STREAM) {
        /* All invocations count run after run. */
        uint units = vkr_units();
        uint first = group * VKR_WORKGROUP * push.items;
        for (uint lane = 0u; lane < VKR_WORKGROUP; lane++) {
            uint total = vkr_group_reduce(
                vkr_count_share(min(first, units), min(first + push.items, units)));
            count = lane == vkr_group_rank() ? total : count;
            first += push.items;
        }
    } else {
        vkr_counted = 0u;
        vkr_walk_run(run.first, run.end, VKR_COUNT_ONLY);
        vkr_close_marks();
        count = vkr_counted;
    }
    return count;
}

/* Whether the run, which has `count` kept elements, stores something in the windows that are bound.
 * Only the GPU knows the positions of elements, so there is a dispatch for every pair of input and
 * output windows. Most pairs have nothing in common, and those must not read the input again. */
bool vkr_has_place(const VkrRun run, const uint kept_at, const uint rejected_at, const uint count)
{
    uint others = vkr_elements_before(run.end) - vkr_elements_before(run.first) - count;
    bool has_place = false;
    if ((VKR_OUTPUTS & (VKR_TO_KEPT | VKR_TO_KEPT_INDICES)) != 0u)
        has_place = vkr_meets(kept_at, count, push.kept_count);
    if ((VKR_OUTPUTS & (VKR_TO_REJECTED | VKR_TO_REJECTED_INDICES)) != 0u)
        has_place = has_place || vkr_meets(rejected_at, others, push.rejected_count);
    return has_place;
}

/* Whether so many elements of a part are stored that queues are worth it: these store a pack after
 * each unit, while elements are stored one by one after as many units as a word has bits for. On
 * lavapipe queues took 1.5 times as long for 1 element in 100, and 0.8 times as long for 1 in 16;
 * where some invocations used them and others did not, both took 4 times as long. */
bool vkr_stores_many(const uint kept, const uint others)
{
    return (VKR_OUTPUTS & (VKR_TO_REJECTED | VKR_TO_REJECTED_INDICES)) != 0u ||
           kept >= (kept + others) / 32u;
}

/* Stores this invocation's part of the run, which `before` kept elements precede. `count` is the
 * number of kept elements of the part with contiguous loads, and in VKR_MODE_MOVE that of the
 * run. */
void vkr_move_run(const VkrRun run, uvec2 before, const uint count)
{
    uint ahead = vkr_elements_before(run.first);
    uvec2 first = vkr_add(uvec2(push.first_low, push.first_high), uvec2(ahead, 0u));
    uvec2 rejected = vkr_subtract(first, before);
    uint kept_at = vkr_in_window(vkr_kept_position(before),
                                 uvec2(push.kept_low, push.kept_high), push.kept_count);
    uint rejected_at = vkr_in_window(rejected, uvec2(push.rejected_low, push.rejected_high),
                                     push.rejected_count);
    vkr_kept_at = kept_at;
    vkr_rejected_at = rejected_at;
    uint end = run.end;
    if ((VKR_CONTIGUOUS || VKR_MODE == VKR_MODE_MOVE) &&
        !vkr_has_place(run, kept_at, rejected_at, count))
        end = run.first;
    if (VKR_CONTIGUOUS) {
        if ((VKR_OUTPUTS & VKR_TO_QUEUE) != 0u) {
            uint others = vkr_elements_before(run.end) - ahead - count;
            bool queued = vkr_open_queues(kept_at, count, rejected_at, others) &&
                          vkr_stores_many(count, others);
            vkr_walk_run(run.first, queued ? run.end : run.first, VKR_STORE_QUEUED);
            vkr_close_queues(queued);
            end = queued ? run.first : end;
        }
        vkr_store_run(run.first, end);
        return;
    }
    for (uint u = run.first; u < end; u += VKR_WORKGROUP) {
        uint mine = u + vkr_group_rank();
        uint present;
        uint kept = vkr_test_unit(mine, mine < run.end, present);
        uint kept_before = uint(bitCount(kept));
        uint total;
        kept_before = vkr_group_exclusive(kept_before, total);
        uint start = vkr_elements_before(u);
        vkr_kept_at = kept_at + kept_before;
        vkr_rejected_at = rejected_at + (vkr_elements_before(mine) - start) - kept_before;
        vkr_store_each(vkr_begin_of(mine), present, kept);
        uint next = vkr_elements_before(min(u + VKR_WORKGROUP, run.end));
        kept_at += total;
        rejected_at += next - start - total;
    }
}

const bool VKR_HAS_TILES = VKR_MODE == VKR_MODE_TILES || VKR_MODE == VKR_MODE_ONE;

/* The first run of a workgroup, or this invocation's. */
uint vkr_number_of_run(const uint group)
{
    return push.first_run + (VKR_CONTIGUOUS ? group * VKR_WORKGROUP + vkr_group_rank() : group);
}

/* Counts the tile. `before` becomes the number of kept elements before this invocation's part,
 * `count` that in the part, and `total` that in the tile. */
void vkr_count_tile(const uint tile, out uint before, out uint count, out uint total)
{
    count = vkr_count_run(tile);
    total = 0u;
    before = count;
    if (VKR_HAS_TILES || !VKR_CONTIGUOUS)
        before = vkr_group_exclusive(before, total);
    before = VKR_CONTIGUOUS ? before : 0u; /* a run has one prefix */
    if (VKR_MODE == VKR_MODE_TILES)
        before += vkr_number_before(tile, total);
}

void main()
{
    if (VKR_MODE == VKR_MODE_GATHER) {
        if (vkr_is_leader())
            vkr_gather();
        return;
    }
    vkr_whole = vkr_total();
    vkr_covered_count = vkr_covered(vkr_whole);
    vkr_set_ranges();
    uint tile = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint partials = VKR_MODE == VKR_MODE_PARTIALS ? push.count : 0u;
    const uint groups = VKR_MODE == VKR_MODE_PARTIALS ? 1u : vkr_groups();
    if (tile >= groups)
        return;
    if (VKR_MODE == VKR_MODE_TILES)
        tile = vkr_draw_tile(groups);
    uint run = vkr_number_of_run(tile);
    uint before;
    uint count = 0u;
    uint total;
    if (VKR_MODE != VKR_MODE_MOVE && VKR_MODE != VKR_MODE_PARTIALS)
        vkr_count_tile(tile, before, count, total);
    if (VKR_MODE == VKR_MODE_TOTALS || VKR_MODE == VKR_MODE_LAST) {
        if (VKR_CONTIGUOUS || vkr_is_leader())
            vkr_scratch[vkr_partial_at(run)] = VKR_CONTIGUOUS ? count : total;
        if (VKR_MODE == VKR_MODE_LAST && vkr_draw_last(groups))
            partials = groups * (VKR_CONTIGUOUS ? VKR_WORKGROUP : 1u);
    }
    if (partials != 0u)
        vkr_scan_partials(partials);
    if (!VKR_HAS_TILES && VKR_MODE != VKR_MODE_MOVE)
        return;

    uvec2 prefix = uvec2(before, 0u);
    if (VKR_MODE == VKR_MODE_MOVE) {
        prefix = vkr_load_partial(run);
        count = vkr_load_partial(run + 1u).x - prefix.x;
    }
    if (VKR_OUTPUTS != 0u)
        vkr_move_run(vkr_run_of(tile), prefix, count);
    if (VKR_HAS_TILES && tile + 1u == groups && vkr_is_leader())
        vkr_store_record(uvec2(before + total, 0u)); /* the leader's part is the first one */
}
