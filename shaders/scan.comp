/* SPDX-License-Identifier: MIT */
/*
 * Scan by runs. A run has one prefix: the combined elements before it. With contiguous loads one
 * invocation scans a run, and invocations only exchange data to compute prefixes; with coalesced
 * loads a workgroup scans a run, chunk by chunk. VKR_MODE says where totals are stored and where
 * prefixes come from. Built with -DVKR_TILES=0|1: the modes that write results (TILES, ONE, and
 * APPLY to elements) are in other modules than those that store partials, so that no module with
 * the caller's output at OUTPUT loads from that binding. Built with -DVKR_LINKED, it scans by an
 * application's functions (vkreduce/linked_scan.glsl), without look-back. Built with -DVKR_KEYED,
 * tiles find the starts of runs of equal keys, and can store one result for each run. Source of
 * reduce-then-scan: G. E. Blelloch, "Prefix Sums and Their Applications" (1990); of tiles: see
 * vkreduce/lookback.glsl.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/stored.glsl"
#include "cards/scan.h"

#define VKR_INPUTS 1
#include "vkreduce/variant.glsl"
/* Modules that scan by subgroup arithmetic are for coalesced loads only: for APPLY, and for TILES
 * of one chunk, which stays in registers. Of linked functions, too, a workgroup scans a run. */
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC || VKR_LINKED
const bool VKR_CONTIGUOUS = false;
#else
const bool VKR_CONTIGUOUS = VKR_ORDER == VKR_ORDER_CONTIGUOUS;
#endif

#include "vkreduce/type.glsl"
#if VKR_LINKED
#include "vkreduce/operators/hook.glsl"
#else
#include "vkreduce/round.glsl"
#include "vkreduce/term.glsl"
#endif
#include "vkreduce/count.glsl"
#include "vkreduce/load.glsl"
#include "vkreduce/state.glsl"
#include "vkreduce/segment.glsl"
#if !VKR_LINKED
#include "vkreduce/value.glsl"
#include "vkreduce/partial.glsl"
#include "vkreduce/ticket.glsl"
#endif

/* ---- Elements ---- */

/* The number of elements of a unit. The first unit may begin `lead` elements before element 0. */
const uint VKR_STEP = VKR_PATH == VKR_PATH_WIDE ? VKR_UNIT_ELEMENTS : 1u;

/* The number of units, and the index of the v-th unit in the order of the scan. */
uint vkr_units()
{
    return VKR_PATH == VKR_PATH_WIDE
               ? (push.count + push.lead + VKR_UNIT_ELEMENTS - 1u) / VKR_UNIT_ELEMENTS
               : vkr_covered_count;
}

uint vkr_unit_at(const uint v)
{
    return VKR_REVERSE ? vkr_units() - 1u - v : v;
}

/* The first element of memory unit u, which wraps below 0. */
uint vkr_begin_of(const uint u)
{
    return u * VKR_STEP - push.lead;
}

/* Units `low` to `high` - 1 are full: all their elements exist, so each unit can be loaded as a
 * whole. */
void vkr_full_units(out uint low, out uint high)
{
    low = 0u;
    high = 0u;
    if (VKR_PATH == VKR_PATH_WIDE) {
        low = push.lead > 0u ? 1u : 0u;
        high = max((vkr_covered_count + push.lead) / VKR_UNIT_ELEMENTS, low);
    }
    if (VKR_PATH == VKR_PATH_WIDE && VKR_REVERSE) {
        uint first = vkr_units() - high;
        high = vkr_units() - low;
        low = first;
    }
}

VkrScan vkr_start; /* the initial value of a segment */

/* Float sums of an invocation's run use strands (strand.glsl): while it walks over elements, its
 * state is that of the strand, which vkr_base precedes. */
const bool VKR_HOLDS_RUN = VKR_HOLDS && VKR_CONTIGUOUS;
const uint VKR_STRAND_STEPS = VKR_HOLDS ? VKR_STRAND / VKR_STEP : 0x40000000u;
VkrScan vkr_base;

#if VKR_KEYED
#include "vkreduce/keyed.glsl"
#else
#include "vkreduce/starts.glsl"
#endif

/* Restarts the scan if a segment starts with the next element, which is element i. Returns whether
 * nothing precedes that element. */
bool vkr_open(inout VkrScan s, const bool starts, const uint i, const bool apply)
{
    if (VKR_SEGMENTED && starts) {
        const uint heads = VKR_REDUCES ? s.head : 0u;
#if VKR_KEYED
        if (VKR_REDUCES && apply)
            vkr_stage_run(s, i);
#endif
        s = vkr_start;
        s.head = heads + 1u;
#if VKR_KEYED
        s.place = i;
#endif
    }
    return starts && !VKR_INITIAL;
}

#if VKR_LINKED
#include "vkreduce/linked_scan.glsl"
#else
/* Adds one value of component c to the scan, and returns the value's raw result. */
uvec2 vkr_take(inout VkrScan s, const uint c, const VkrBits bits, const bool is_first)
{
    VkrTerm before = s.state[c];
    s.state[c] = vkr_term_combine(before, vkr_term_of(bits));
    VkrTerm prefix = VKR_EXCLUSIVE ? before : s.state[c];
    if (VKR_HOLDS_RUN && (!VKR_SEGMENTED || s.head == 0u))
        prefix = vkr_term_combine(vkr_base.state[c], prefix);
    return vkr_raw_result_of_term(prefix, VKR_EXCLUSIVE && is_first);
}

/* Unrolls loops over the values of loaded units: drivers keep those over bytes as loops that select
 * registers. Only CPU drivers load texels. In the other modules of shuffles the bodies are longer,
 * and unrolled code would be too large for GPUs. */
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC ||                                                \
    (VKR_BYTES == 1 && VKR_LOADS == VKR_LOADS_TEXEL)
#define VKR_UNROLLED [[unroll]]
#else
#define VKR_UNROLLED
#endif

/* Whether NaN among sums of floats becomes the canonical one chunk by chunk (chunk.glsl). */
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC && VKR_IS_FLOAT
const bool VKR_NAN_BY_CHUNK =
    VKR_HAS(VKR_SUM_OPS) && VKR_STORE == VKR_STORE_PACKS && !VKR_SEGMENTED;
#else
const bool VKR_NAN_BY_CHUNK = false;
#endif

/* Scans memory unit u, which is full and has been loaded, and in whose elements segments start as
 * vkr_starts_in_unit says. With `apply` its results are stored one by one, or become packs. */
void vkr_scan_values(inout VkrScan s, const uint starts, const VkrUnit unit, const uint u,
                     const bool apply, inout VkrResults results)
{
    VKR_UNROLLED for (uint k = 0u; k < VKR_STEP; k++) {
        uint e = VKR_REVERSE ? VKR_STEP - 1u - k : k;
        uint i = vkr_begin_of(u) + e;
        bool is_first =
            vkr_open(s, VKR_SEGMENTED ? (starts >> e & 1u) != 0u : i == vkr_origin, i, apply);
        VKR_EACH(c) {
            uint v = e * VKR_COMPONENTS + VKR_AT(c);
            uvec2 words = vkr_take(s, VKR_AT(c), vkr_value_of_packs(unit.packs, v), is_first);
            if (!VKR_NAN_BY_CHUNK)
                words = vkr_result_of_raw(words);
            if (apply && VKR_STORE == VKR_STORE_PACKS)
                vkr_put_result(results, v, words);
            else if (apply && !VKR_REDUCES)
                vkr_put_output(i, VKR_AT(c), words);
        }
    }
}

void vkr_scan_unit(inout VkrScan s, const uint starts, const VkrUnit unit, const uint u,
                   const bool apply)
{
    VkrResults results;
    vkr_clear(results);
    vkr_scan_values(s, starts, unit, u, apply, results);
    if (apply && VKR_STORE == VKR_STORE_PACKS)
        vkr_store_results(results, u);
}
#endif

/* Scans `count` units, starting at the v-th one, and loads each existing element by itself. One
 * loop runs over the elements of all units: such units are few, and drivers unroll loops over one
 * unit, which are long for small elements. */
void vkr_scan_elements(inout VkrScan s, inout uint until, const uint v, const uint count,
                       const bool apply)
{
    uint first = vkr_begin_of(vkr_unit_at(v)) + (VKR_REVERSE ? VKR_STEP - 1u : 0u);
    for (uint k = 0u; k < count * VKR_STEP; k++) {
        uint i = VKR_REVERSE ? first - k : first + k;
        if (i >= vkr_covered_count)
            continue;
        bool is_first = vkr_open(s, vkr_starts(until, i), i, apply);
#if VKR_LINKED
        vkr_take_item(s, vkr_element_words(push.input_base + i * push.input_stride), i, apply);
#else
        VKR_EACH(c) {
            VkrBits bits =
                VKR_LOADED(vkr_input[push.input_base + i * push.input_stride + VKR_AT(c)]);
            uvec2 words = vkr_result_of_raw(vkr_take(s, VKR_AT(c), bits, is_first));
            if (apply && !VKR_REDUCES)
                vkr_put_output(i, VKR_AT(c), words);
        }
#endif
    }
}

#if VKR_BUILD_GROUP_PATH != VKR_BUILD_ARITHMETIC
/* Adds a strand of a run to the held value, and starts the next one. */
void vkr_end_strand(inout VkrRunning held, inout VkrScan s)
{
    if (!VKR_HOLDS_RUN)
        return;
    vkr_join(held, s);
    vkr_base = vkr_scan_of(held);
    s = vkr_scan_identity();
}

/* Scans units v, v + 1, .. of one invocation: by element up to the first full unit (many elements,
 * if a reversed scan has fewer than its capacity), then batches of full units, and the rest by
 * element. Loops instead of branches separate these three, since some drivers execute both sides of
 * a branch. */
void vkr_scan_run(inout VkrScan s, uint v, const uint count, const bool apply)
{
    uint units = vkr_units();
    uint end = v < units ? v + min(count, units - v) : v;
    uint low;
    uint high;
    vkr_full_units(low, high);
    uint stop = clamp(low, v, end);
    uint batches = (clamp(high, stop, end) - stop) / VKR_BATCH;
    VkrUnit loaded[VKR_BATCH];
    VkrRunning held = vkr_run_from(s);
    vkr_base = s;
    if (VKR_HOLDS_RUN)
        s = vkr_scan_identity();
    for (uint phase = 0u; phase < 2u; phase++) {
        uint until = v < stop ? vkr_seek_unit(vkr_unit_at(v)) : 0u;
        while (v < stop) {
            uint count = min(stop - v, VKR_STRAND_STEPS);
            vkr_scan_elements(s, until, v, count, apply);
            vkr_end_strand(held, s);
            v += count;
        }
        for (; batches > 0u; batches--) {
            for (uint b = 0u; b < VKR_BATCH; b++)
                loaded[b] = vkr_load_unit(vkr_unit_at(v + b));
            for (uint b = 0u; b < VKR_BATCH; b++) {
                uint u = vkr_unit_at(v + b);
                vkr_scan_unit(s, VKR_SEGMENTED ? vkr_starts_in_unit(u) : 0u, loaded[b], u, apply);
                if (b % VKR_STRAND_STEPS == VKR_STRAND_STEPS - 1u && b != VKR_BATCH - 1u)
                    vkr_end_strand(held, s);
            }
            vkr_end_strand(held, s);
            v += VKR_BATCH;
        }
        stop = end;
    }
    if (VKR_HOLDS_RUN)
        s = vkr_base;
}
#endif

#if !VKR_LINKED
#include "vkreduce/chunk.glsl"
#endif

#if VKR_LINKED
void vkr_scan_units(inout VkrScan s, const uint v, const bool apply)
{
    vkr_scan_run(s, v + vkr_group_rank() * push.items, push.items, apply);
}
#elif VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC
#define vkr_scan_units(s, v, apply) vkr_scan_share(s, v, push.items, apply)
#else
/* Scans a workgroup's share, starting at unit v. s, the prefix of the share, or of the invocation's
 * run with contiguous loads, becomes the combined value up to its end. Without `apply`, a share
 * with coalesced loads leaves a part of its total in each invocation. */
void vkr_scan_units(inout VkrScan s, const uint v, const bool apply)
{
    if (VKR_CONTIGUOUS)
        vkr_scan_run(s, v + vkr_group_rank() * push.items, push.items, apply);
    else if (apply)
        vkr_scan_share(s, v, push.items, apply);
    else
        vkr_total_share(s, v, push.items);
}
#endif

/* The index of the run of a workgroup or, with contiguous loads, of this invocation in it. */
uint vkr_run_of(const uint group)
{
    return VKR_CONTIGUOUS ? group * VKR_WORKGROUP + vkr_group_rank() : group;
}

#if !VKR_TILES
#include "vkreduce/levels.glsl"
#elif !VKR_LINKED
#include "vkreduce/tiles.glsl"
#endif

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    if ((VKR_FLAGS & VKR_FLAG_BACKWARDS) != 0u)
        group = push.groups - 1u - group;
    vkr_begin();
    if (VKR_SEGMENTED)
        vkr_start = vkr_initial();
    VkrScan s = vkr_scan_identity();
    VkrScan sum;
#if VKR_TILES && VKR_LINKED
    const uint v = group * VKR_WORKGROUP * push.items;
    vkr_scan_units(s, v, false);
    s = vkr_scan_combine(vkr_prefix_of_run(push.first_tile + group), vkr_group_exclusive(s, sum));
    vkr_scan_units(s, v, true);
    if (group == push.groups - 1u && vkr_group_rank() == VKR_WORKGROUP - 1u)
        vkr_write_total(s);
#elif VKR_TILES
    if (VKR_MODE == VKR_MODE_TILES) /* tiles are assigned in the order in which workgroups start */
        group = vkr_draw_tile(push.groups);
    VkrScan prefix = vkr_initial();
#if VKR_KEYED
    vkr_scan_tile(push.first_tile + group, prefix, sum);
#else
    if (VKR_MODE == VKR_MODE_APPLY) {
        s = vkr_load_partial(vkr_partial_at(vkr_run_of(group)));
        vkr_scan_units(s, group * VKR_WORKGROUP * push.items, true);
    } else {
        vkr_scan_tile(push.first_tile + group, prefix, sum);
    }
#endif
    if (VKR_MODE != VKR_MODE_APPLY && group == push.groups - 1u && vkr_is_leader()) {
        s = vkr_scan_combine(prefix, sum);
#if VKR_KEYED
        if (VKR_REDUCES)
            vkr_end_runs(s);
        else
#endif
            vkr_write_total(s);
    }
#else
    if (VKR_MODE == VKR_MODE_PARTIALS) {
        vkr_scan_all(push.count);
        return;
    }
    if (VKR_INPUT == VKR_INPUT_PARTIALS) {
        vkr_scan_level(group);
        return;
    }
    vkr_scan_units(s, group * VKR_WORKGROUP * push.items, false);
    if (!VKR_CONTIGUOUS) {
        s = vkr_group_exclusive(s, sum);
        s = sum;
    }
    if (VKR_CONTIGUOUS || vkr_is_leader())
        vkr_store_stored(vkr_stored_at(vkr_run_of(group)), s);
    if (VKR_MODE == VKR_MODE_LAST) {
        if (vkr_draw_last(push.groups))
            vkr_scan_all(push.groups * (VKR_CONTIGUOUS ? VKR_WORKGROUP : 1u));
    }
#endif
}
