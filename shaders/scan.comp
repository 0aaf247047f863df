/* SPDX-License-Identifier: MIT */
/*
 * Scan by runs. A run has one prefix: what the elements before it combine to. With contiguous
 * loads a run is one invocation's, and invocations need each other only where prefixes are made;
 * with coalesced ones it is a workgroup's, which scans it chunk by chunk. VKR_MODE says what becomes
 * of totals and where prefixes come from. Source of reduce-then-scan: G. E. Blelloch, "Prefix Sums
 * and Their Applications" (1990); of tiles: see vkreduce/tiles.glsl.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#define VKR_GLSL
#include "interface.h"
#define VKR_INPUTS 1
#include "vkreduce/variant.glsl"
layout(constant_id = VKR_CONST_MODE) const uint VKR_MODE = 0;
layout(constant_id = VKR_CONST_STORE) const uint VKR_STORE = 0;
layout(constant_id = VKR_CONST_MUTED) const uint VKR_MUTED = 0;
const bool VKR_EXCLUSIVE = (VKR_FLAGS & VKR_FLAG_EXCLUSIVE) != 0u;
const bool VKR_REVERSE = (VKR_FLAGS & VKR_FLAG_REVERSE) != 0u;
const bool VKR_INITIAL = (VKR_FLAGS & (VKR_FLAG_INITIAL | VKR_FLAG_GPU_INITIAL)) != 0u;
const bool VKR_SEGMENTED = (VKR_FLAGS & (VKR_FLAG_HEADS | VKR_FLAG_ROWS)) != 0u;
const bool VKR_CONTIGUOUS = VKR_ORDER == VKR_ORDER_CONTIGUOUS;

#include "vkreduce/type.glsl"
#include "vkreduce/round.glsl"
#include "vkreduce/term.glsl"
#include "vkreduce/binding.glsl"
#include "vkreduce/count.glsl"
#include "vkreduce/load.glsl"
#include "vkreduce/state.glsl"
#include "vkreduce/value.glsl"
#include "vkreduce/segment.glsl"

bool vkr_is_leader()
{
    return vkr_lane() == 0u;
}

/* ---- Partials: the words of all components, and the head where there are segments ---- */

const uint VKR_PARTIAL_WORDS = VKR_COMPONENTS * uint(VKR_TERM_WORDS) + (VKR_SEGMENTED ? 1u : 0u);

#define VKR_PARTIALS_IN(array, load, store)                                                        \
    VkrScan load(uint at)                                                                          \
    {                                                                                              \
        VkrScan s = vkr_scan_identity();                                                           \
        VKR_EACH(c) {                                                                              \
            uint word = at + VKR_AT(c) * uint(VKR_TERM_WORDS);                                     \
            uvec2 words = uvec2(array[word], 0u);                                                  \
            if (VKR_TERM_WORDS == 2)                                                               \
                words.y = array[word + 1u];                                                        \
            s.state[VKR_AT(c)] = VKR_TERM_OF_WORDS(words);                                         \
        }                                                                                          \
        if (VKR_SEGMENTED)                                                                         \
            s.head = array[at + VKR_COMPONENTS * uint(VKR_TERM_WORDS)];                                 \
        return s;                                                                                  \
    }                                                                                              \
                                                                                                   \
    void store(uint at, VkrScan s)                                                                 \
    {                                                                                              \
        VKR_EACH(c) {                                                                              \
            uint word = at + VKR_AT(c) * uint(VKR_TERM_WORDS);                                     \
            uvec2 words = VKR_WORDS_OF_TERM(s.state[VKR_AT(c)]);                                   \
            array[word] = words.x;                                                                 \
            if (VKR_TERM_WORDS == 2)                                                               \
                array[word + 1u] = words.y;                                                        \
        }                                                                                          \
        if (VKR_SEGMENTED)                                                                         \
            array[at + VKR_COMPONENTS * uint(VKR_TERM_WORDS)] = s.head;                                 \
    }

VKR_PARTIALS_IN(vkr_partials, vkr_load_partial, vkr_store_partial)
VKR_PARTIALS_IN(vkr_stored, vkr_load_stored, vkr_store_stored)

uint vkr_partial_at(uint i)
{
    return push.partials_base + i * VKR_PARTIAL_WORDS;
}

uint vkr_stored_at(uint i)
{
    return push.stored_base + i * VKR_PARTIAL_WORDS;
}

/* ---- Elements ---- */

/* Elements of a unit; where it begins may lie before element 0, by `lead` elements. */
const uint VKR_STEP = VKR_PATH == VKR_PATH_WIDE ? VKR_UNIT_ELEMENTS : 1u;

uvec2 vkr_whole;        /* elements of the whole operation */

void vkr_begin()
{
    vkr_whole = vkr_total();
    vkr_covered_count = vkr_covered(vkr_whole);
    vkr_origin = ~0u;
    if (VKR_REVERSE) {
        uvec2 end = vkr_add(uvec2(push.first_low, push.first_high), uvec2(vkr_covered_count, 0u));
        if (end == vkr_whole)
            vkr_origin = vkr_covered_count - 1u;
    } else if ((push.first_low | push.first_high) == 0u) {
        vkr_origin = 0u;
    }
}

/* Units there are; the v-th one in the order of the scan. */
uint vkr_units()
{
    return VKR_PATH == VKR_PATH_WIDE
               ? (push.count + push.lead + VKR_UNIT_ELEMENTS - 1u) / VKR_UNIT_ELEMENTS
               : vkr_covered_count;
}

uint vkr_unit_at(uint v)
{
    return VKR_REVERSE ? vkr_units() - 1u - v : v;
}

/* The first element of memory unit u, which wraps below 0. */
uint vkr_begin_of(uint u)
{
    return u * VKR_STEP - push.lead;
}

/* Whether units v .. v + n - 1 consist of elements that there are, and can be loaded at once. */
bool vkr_are_full(uint v, uint n)
{
    if (VKR_PATH != VKR_PATH_WIDE)
        return false;
    uint low = vkr_unit_at(VKR_REVERSE ? v + n - 1u : v);
    return (low > 0u || push.lead == 0u) &&
           (low + n) * VKR_UNIT_ELEMENTS <= vkr_covered_count + push.lead;
}

/* A segment that starts with element i starts anew. Says whether nothing precedes i. */
bool vkr_open(inout VkrScan s, inout uint until, uint i)
{
    bool starts = vkr_starts(until, i);
    if (VKR_SEGMENTED && starts) {
        s = vkr_initial();
        s.head = 1u;
    }
    return starts && !VKR_INITIAL;
}

/* Takes one value of component c in; its result. */
uvec2 vkr_take(inout VkrScan s, uint c, VkrBits bits, bool is_first)
{
    VkrTerm before = s.state[c];
    s.state[c] = vkr_term_combine(before, vkr_term_of(bits));
    if (VKR_EXCLUSIVE)
        return vkr_result_of_term(before, is_first);
    return vkr_result_of_term(s.state[c], false);
}

void vkr_scan_element(inout VkrScan s, inout uint until, uint i, const bool apply)
{
    bool is_first = vkr_open(s, until, i);
    VKR_EACH(c) {
        VkrBits bits = VKR_LOADED(vkr_input[push.input_base + i * push.input_stride + VKR_AT(c)]);
        uvec2 words = vkr_take(s, VKR_AT(c), bits, is_first);
        if (apply)
            vkr_put_output(i, VKR_AT(c), words);
    }
}

/* A full unit that is loaded. */
void vkr_scan_loaded(inout VkrScan s, inout uint until, VkrUnit unit, uint u, const bool apply)
{
    VkrResults results;
    vkr_clear(results);
    for (uint k = 0u; k < VKR_UNIT_ELEMENTS; k++) {
        uint e = VKR_REVERSE ? VKR_UNIT_ELEMENTS - 1u - k : k;
        uint i = vkr_begin_of(u) + e;
        bool is_first = vkr_open(s, until, i);
        VKR_EACH(c) {
            uint v = e * VKR_COMPONENTS + VKR_AT(c);
            uvec2 words = vkr_take(s, VKR_AT(c), vkr_value_of_packs(unit.packs, v), is_first);
            if (apply && VKR_STORE == VKR_STORE_PACKS)
                vkr_put_result(results, v, words);
            if (apply && VKR_STORE == VKR_STORE_ELEMENT)
                vkr_put_output(i, VKR_AT(c), words);
        }
    }
    if (apply && VKR_STORE == VKR_STORE_PACKS)
        vkr_store_results(results, u);
}

/* The cursor before the first element of unit u that the scan meets. */
uint vkr_seek_unit(uint u)
{
    if (VKR_REVERSE)
        return vkr_seek(min(vkr_begin_of(u) + VKR_STEP - 1u, vkr_covered_count - 1u));
    return vkr_seek(u == 0u ? 0u : vkr_begin_of(u));
}

/* Any unit, by element. */
void vkr_scan_elements(inout VkrScan s, inout uint until, uint v, const bool apply)
{
    uint u = vkr_unit_at(v);
    for (uint k = 0u; k < VKR_STEP; k++) {
        uint i = vkr_begin_of(u) + (VKR_REVERSE ? VKR_STEP - 1u - k : k);
        if (i < vkr_covered_count)
            vkr_scan_element(s, until, i, apply);
    }
}

/* Units v, v + 1, .. of one invocation. Loops, not branches, part those that are full from others:
 * some drivers execute both sides of a branch. */
void vkr_scan_run(inout VkrScan s, uint v, uint count, const bool apply)
{
    uint units = vkr_units();
    uint end = v < units ? v + min(count, units - v) : v;
    uint until = v < end ? vkr_seek_unit(vkr_unit_at(v)) : 0u;
    if (VKR_PATH == VKR_PATH_WIDE) {
        for (uint once = 0u; once < 1u && v < end && !vkr_are_full(v, 1u); once++) {
            vkr_scan_elements(s, until, v, apply);
            v++;
        }
        VkrUnit loaded[VKR_BATCH];
        for (; v < end && v + VKR_BATCH <= end && vkr_are_full(v, VKR_BATCH); v += VKR_BATCH) {
            for (uint b = 0u; b < VKR_BATCH; b++)
                loaded[b] = vkr_load_unit(vkr_unit_at(v + b));
            for (uint b = 0u; b < VKR_BATCH; b++)
                vkr_scan_loaded(s, until, loaded[b], vkr_unit_at(v + b), apply);
        }
        for (; v < end && vkr_are_full(v, 1u); v++)
            vkr_scan_loaded(s, until, vkr_load_unit(vkr_unit_at(v)), vkr_unit_at(v), apply);
    }
    for (; v < end; v++)
        vkr_scan_elements(s, until, v, apply);
}

/* ---- Coalesced: a workgroup's share in chunks of VKR_BATCH units per invocation ---- */

#include "vkreduce/tiles.glsl"

/* Rows of lanes lie behind each other; in a row, the lanes' units lie side by side. `prefix` is the
 * share's, and becomes that of the next; the tile's, where it is one, comes from those before. */
void vkr_scan_share(inout VkrScan prefix, uint v, uint items, uint tile, const bool apply)
{
    uint size = vkr_row_size();
    uint first = v + vkr_lane() / size * size * VKR_BATCH + vkr_lane() % size;
    VkrUnit loaded[VKR_BATCH];
    VkrScan before[VKR_BATCH];
    for (uint k = 0u; k < items; k += VKR_BATCH) {
        VkrScan row = vkr_scan_identity();
        for (uint b = 0u; b < VKR_BATCH; b++) {
            uint at = first + b * size;
            VkrScan s = vkr_scan_identity();
            VkrScan sum;
            if (vkr_are_full(at, 1u)) {
                uint until = vkr_seek_unit(vkr_unit_at(at));
                loaded[b] = vkr_load_unit(vkr_unit_at(at));
                vkr_scan_loaded(s, until, loaded[b], vkr_unit_at(at), false);
            } else {
                vkr_scan_run(s, at, 1u, false);
            }
            vkr_row_scan(s, sum);
            before[b] = vkr_scan_combine(row, s);
            row = vkr_scan_combine(row, sum);
        }
        VkrScan sum;
        vkr_rows_scan(row, sum);
        if (VKR_MODE == VKR_MODE_TILES)
            prefix = vkr_look_back(tile, sum);
        for (uint b = 0u; b < (apply ? VKR_BATCH : 0u); b++) {
            uint at = first + b * size;
            VkrScan s = vkr_scan_combine(prefix, vkr_scan_combine(row, before[b]));
            if (vkr_are_full(at, 1u)) {
                uint until = vkr_seek_unit(vkr_unit_at(at));
                vkr_scan_loaded(s, until, loaded[b], vkr_unit_at(at), true);
            } else {
                vkr_scan_run(s, at, 1u, true);
            }
        }
        prefix = vkr_scan_combine(prefix, sum);
        first += VKR_WORKGROUP * VKR_BATCH;
    }
}

/* Contiguous: every invocation has a run, which it reads twice where the prefix is not known. */
void vkr_scan_runs(inout VkrScan prefix, uint v, uint items, uint tile)
{
    VkrScan s = vkr_scan_identity();
    VkrScan sum;
    vkr_scan_run(s, v + vkr_lane() * items, items, false);
    vkr_workgroup_scan(s, sum);
    if (VKR_MODE == VKR_MODE_TILES)
        prefix = vkr_look_back(tile, sum);
    s = vkr_scan_combine(prefix, s);
    vkr_scan_run(s, v + vkr_lane() * items, items, true);
    prefix = vkr_scan_combine(prefix, sum);
}

/* ---- Partials ---- */

void vkr_write_total(VkrScan s)
{
    if (push.total_base == ~0u)
        return;
    if (vkr_whole == uvec2(0u)) /* runs without an element have the identity, but never were */
        s = vkr_initial();
    VKR_EACH(c)
        vkr_put_total(VKR_AT(c), vkr_result_of_term(s.state[VKR_AT(c)],
                                                    vkr_whole == uvec2(0u) && !VKR_INITIAL));
}

/* Replaces partials of vkr_stored by the combination of those before: `count` from `first` on. */
void vkr_scan_stored(inout VkrScan s, uint first, uint count)
{
    for (uint i = first; i < first + count; i++) {
        VkrScan partial = vkr_load_stored(vkr_stored_at(i));
        vkr_store_stored(vkr_stored_at(i), s);
        s = vkr_scan_combine(s, partial);
    }
}

/* All of them, by one workgroup. */
void vkr_scan_all(uint count)
{
    uint items = (count + VKR_WORKGROUP - 1u) / VKR_WORKGROUP;
    uint first = min(vkr_lane() * items, count);
    uint own = min(items, count - first);
    VkrScan s = vkr_scan_identity();
    VkrScan sum;
    for (uint i = first; i < first + own; i++)
        s = vkr_scan_combine(s, vkr_load_stored(vkr_stored_at(i)));
    vkr_workgroup_scan(s, sum);
    s = vkr_scan_combine(vkr_initial(), s);
    vkr_scan_stored(s, first, own);
    if (vkr_is_leader())
        vkr_write_total(vkr_scan_combine(vkr_initial(), sum));
}

/* A level of partials: each invocation has a run of them. */
void vkr_scan_level(uint group)
{
    uint run = group * VKR_WORKGROUP + vkr_lane();
    if (VKR_MODE == VKR_MODE_PARTIALS) {
        vkr_scan_all(push.count);
        return;
    }
    if (run > (push.count - 1u) / push.items)
        return;
    uint first = run * push.items;
    uint own = min(push.items, push.count - first);
    bool is_top = (VKR_FLAGS & VKR_FLAG_TOP) != 0u;
    if (VKR_MODE == VKR_MODE_TOTALS) {
        VkrScan s = vkr_scan_identity();
        for (uint i = first; i < first + own; i++)
            s = vkr_scan_combine(s, vkr_load_partial(vkr_partial_at(i)));
        vkr_store_stored(vkr_stored_at(run), s);
        return;
    }
    VkrScan s = vkr_initial();
    if (!is_top)
        s = vkr_load_partial(vkr_partial_at(run));
    vkr_scan_stored(s, first, own);
    if (is_top)
        vkr_write_total(s);
}

shared uint vkr_ticket;

/* What an atomic on the counter finds, for the whole workgroup. The leader's stores are made
 * available before, and others' stores are visible behind it. */
uint vkr_draw_ticket()
{
    barrier();
    if (vkr_is_leader()) {
        memoryBarrierBuffer();
        vkr_ticket = atomicAdd(vkr_counter[push.counter_base], 1u);
        memoryBarrierBuffer();
    }
    barrier();
    memoryBarrierBuffer();
    return vkr_ticket;
}

void vkr_make_totals(uint group, uint v)
{
    VkrScan s = vkr_scan_identity();
    uint run = group;
    if (VKR_CONTIGUOUS) {
        run = group * VKR_WORKGROUP + vkr_lane();
        vkr_scan_run(s, v + vkr_lane() * push.items, push.items, false);
    } else {
        vkr_scan_share(s, v, push.items, 0u, false);
    }
    if (VKR_CONTIGUOUS || vkr_is_leader())
        vkr_store_stored(vkr_stored_at(run), s);
    if (VKR_MODE == VKR_MODE_LAST) {
        memoryBarrierBuffer(); /* every invocation's stores */
        if (vkr_draw_ticket() + 1u == push.groups)
            vkr_scan_all(push.groups * (VKR_CONTIGUOUS ? VKR_WORKGROUP : 1u));
    }
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    vkr_begin();
    if (VKR_INPUT == VKR_INPUT_PARTIALS) {
        vkr_scan_level(group);
        return;
    }
    if (VKR_MODE == VKR_MODE_TILES) /* in the order in which workgroups start */
        group = vkr_draw_ticket();
    uint v = group * VKR_WORKGROUP * push.items;
    if (VKR_MODE == VKR_MODE_TOTALS || VKR_MODE == VKR_MODE_LAST) {
        vkr_make_totals(group, v);
        return;
    }
    VkrScan s;
    if (VKR_MODE == VKR_MODE_APPLY)
        s = vkr_load_partial(vkr_partial_at(VKR_CONTIGUOUS ? group * VKR_WORKGROUP + vkr_lane()
                                                            : group));
    else
        s = vkr_initial();
    if (!VKR_CONTIGUOUS)
        vkr_scan_share(s, v, push.items, push.first_tile + group, true);
    else if (VKR_MODE == VKR_MODE_APPLY)
        vkr_scan_run(s, v + vkr_lane() * push.items, push.items, true);
    else
        vkr_scan_runs(s, v, push.items, push.first_tile + group);
    if (VKR_MODE != VKR_MODE_APPLY && group == push.groups - 1u && vkr_is_leader())
        vkr_write_total(s);
}
