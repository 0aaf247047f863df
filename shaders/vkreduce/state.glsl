/* SPDX-License-Identifier: MIT */
/* The values that a scan combines: the term of every component, and whether a segment starts among
 * its elements, so that earlier values do not count. Where runs of equal keys are reduced, that is
 * the number of segments that start, and there is the index of the last element that starts one. */
#ifndef VKR_STATE_GLSL
#define VKR_STATE_GLSL

const bool VKR_EXCLUSIVE = (VKR_FLAGS & VKR_FLAG_EXCLUSIVE) != 0u;
const bool VKR_REVERSE = (VKR_FLAGS & VKR_FLAG_REVERSE) != 0u;
#if VKR_KEYED
const bool VKR_GPU_INITIAL = false;
const bool VKR_SEGMENTED = true;
const bool VKR_REDUCES = (VKR_FLAGS & VKR_FLAG_REDUCES) != 0u;
const bool VKR_PLACES = (VKR_FLAGS & VKR_FLAG_LENGTHS) != 0u;
/* Runs have values, of one component, only where these are reduced. */
const bool VKR_VALUED = VKR_OPS != 0u;
#undef VKR_EACH
#define VKR_EACH(c) if (VKR_VALUED)
#else
const bool VKR_GPU_INITIAL = (VKR_FLAGS & VKR_FLAG_GPU_INITIAL) != 0u;
const bool VKR_SEGMENTED = (VKR_FLAGS & (VKR_FLAG_HEADS | VKR_FLAG_ROWS)) != 0u;
const bool VKR_REDUCES = false;
const bool VKR_PLACES = false;
const bool VKR_VALUED = true;
#endif
const bool VKR_INITIAL = (VKR_FLAGS & VKR_FLAG_INITIAL) != 0u || VKR_GPU_INITIAL;

#include "strand.glsl"

#if VKR_LINKED
/* The operands of an application's function keep the order of the elements. */
#define VkrTerm vkr_hook_state
#define vkr_term_identity() vkr_hook_identity()
vkr_hook_state vkr_term_combine(const vkr_hook_state before, const vkr_hook_state after)
{
    if (VKR_REVERSE)
        return vkr_hook_combine(after, before);
    return vkr_hook_combine(before, after);
}
#endif

#if VKR_VECTOR
#define VKR_MAX_STATES 4 /* constant, so that it can be copied */
#else
#define VKR_MAX_STATES 1
#endif
struct VkrScan {
    VkrTerm state[VKR_MAX_STATES];
    uint head;
#if VKR_KEYED
    uint place; /* VKR_PLACES */
#endif
};

VkrScan vkr_scan_identity()
{
    VkrScan s;
    for (uint c = 0u; c < uint(VKR_MAX_STATES); c++)
        s.state[c] = vkr_term_identity();
    s.head = 0u;
#if VKR_KEYED
    s.place = 0u;
#endif
    return s;
}

VkrScan vkr_scan_combine(const VkrScan before, VkrScan after)
{
    if (!VKR_SEGMENTED || after.head == 0u) {
        VKR_EACH(c)
            after.state[VKR_AT(c)] =
                vkr_term_combine(before.state[VKR_AT(c)], after.state[VKR_AT(c)]);
    }
#if VKR_KEYED
    after.place = max(before.place, after.place); /* reductions go forwards */
#endif
    if (VKR_REDUCES)
        after.head += before.head;
    else if (VKR_SEGMENTED)
        after.head |= before.head;
    return after;
}

/* ---- Running values, which many values join one after the other ---- */

#if VKR_IS_FLOAT
/* A prefix. Its sums keep their rounding errors unless the order of additions is fixed. */
const bool VKR_HOLDS = (VKR_OPS & VKR_BIT_SUM) != 0u && !VKR_CANONICAL;
struct VkrRunning {
    VkrScan scan;
    VkrSum lost[VKR_MAX_STATES];
};

VkrRunning vkr_run_from(const VkrScan s)
{
    VkrRunning running;
    running.scan = s;
    for (uint c = 0u; c < uint(VKR_MAX_STATES); c++)
        running.lost[c] = VkrSum(0);
    return running;
}

VkrScan vkr_scan_of(const VkrRunning running)
{
    VkrScan s = running.scan;
    if (VKR_HOLDS) {
        VKR_EACH(c)
            s.state[VKR_AT(c)] = vkr_term_of_sum(vkr_sum_of_held(VkrHeldSum(
                vkr_sum_of_term(s.state[VKR_AT(c)]), running.lost[VKR_AT(c)])));
    }
    return s;
}

/* Adds the sums of another value, which is before or after it. */
void vkr_hold(inout VkrRunning running, const VkrScan other)
{
    VKR_EACH(c) {
        VkrHeldSum held = vkr_held_with(
            VkrHeldSum(vkr_sum_of_term(running.scan.state[VKR_AT(c)]), running.lost[VKR_AT(c)]),
            vkr_sum_of_term(other.state[VKR_AT(c)]));
        running.scan.state[VKR_AT(c)] = vkr_term_of_sum(held.total);
        running.lost[VKR_AT(c)] = held.lost;
    }
}

/* The rounded sums, and their rounding errors. */
#define vkr_rounded(running) (running).scan
VkrScan vkr_lost_of(const VkrRunning running)
{
    VkrScan s = vkr_scan_identity();
    VKR_EACH(c)
        s.state[VKR_AT(c)] = vkr_term_of_sum(running.lost[VKR_AT(c)]);
    return s;
}

void vkr_restore_lost(inout VkrRunning running, const VkrScan lost)
{
    VKR_EACH(c)
        running.lost[VKR_AT(c)] = vkr_sum_of_term(lost.state[VKR_AT(c)]);
}

/* Puts a value before another one. The latter is added to it, since it is probably the greater
 * one. */
void vkr_precede(inout VkrRunning running, VkrRunning before)
{
    if (VKR_HOLDS && VKR_SEGMENTED && running.scan.head != 0u) {
        running.scan.head += VKR_REDUCES ? before.scan.head : 0u;
    } else if (VKR_HOLDS) {
        vkr_hold(before, running.scan);
        VKR_EACH(c)
            before.lost[VKR_AT(c)] = vkr_add(before.lost[VKR_AT(c)], running.lost[VKR_AT(c)]);
        running = before;
    } else {
        running.scan = vkr_scan_combine(before.scan, running.scan);
    }
}

void vkr_join(inout VkrRunning running, const VkrScan after)
{
    const uint heads = VKR_REDUCES ? running.scan.head : 0u;
    if (!VKR_HOLDS) {
        running.scan = vkr_scan_combine(running.scan, after);
    } else if (VKR_SEGMENTED && after.head != 0u) {
        running = vkr_run_from(after);
        running.scan.head += heads;
    } else {
        vkr_hold(running, after);
    }
}
#else
const bool VKR_HOLDS = false;
#define VkrRunning VkrScan
#define vkr_run_from(s) (s)
#define vkr_scan_of(running) (running)
#define vkr_rounded(running) (running)
#define vkr_lost_of(running) (running)
#define vkr_restore_lost(running, lost)
#define vkr_precede(running, before) running = vkr_scan_combine(before, running)
#define vkr_join(running, after) running = vkr_scan_combine(running, after)
#endif

#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
VkrScan vkr_scan_shuffle(VkrScan s, const uint lane)
{
    VKR_EACH(c) {
#if VKR_TERM_WORDS == 2
        s.state[VKR_AT(c)] =
            packUint2x32(subgroupShuffle(unpackUint2x32(s.state[VKR_AT(c)]), lane));
#else
        s.state[VKR_AT(c)] = subgroupShuffle(s.state[VKR_AT(c)], lane);
#endif
    }
    if (VKR_SEGMENTED)
        s.head = subgroupShuffle(s.head, lane);
#if VKR_KEYED
    if (VKR_PLACES)
        s.place = subgroupShuffle(s.place, lane);
#endif
    return s;
}
#endif

#if VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC
/* Combine the lanes before this one, and all lanes of the subgroup, by the built-ins of the
 * operator. Such modules are for one component and terms of one word. */
#define VKR_BUILT_IN(name, form)                                                                   \
    VkrScan name(VkrScan s)                                                                        \
    {                                                                                              \
        VkrSum sum = vkr_sum_of_term(s.state[0]);                                                  \
        if (VKR_HAS(VKR_BIT_SUM))                                                                  \
            s.state[0] = vkr_term_of_sum(form##Add(sum));                                          \
        else if (VKR_HAS(VKR_BIT_PRODUCT))                                                         \
            s.state[0] = vkr_term_of_sum(form##Mul(sum));                                          \
        else if (VKR_HAS(VKR_BIT_AND))                                                             \
            s.state[0] = form##And(s.state[0]);                                                    \
        else if (VKR_HAS(VKR_BIT_OR))                                                              \
            s.state[0] = form##Or(s.state[0]);                                                     \
        else if (VKR_HAS(VKR_BIT_XOR))                                                             \
            s.state[0] = form##Xor(s.state[0]);                                                    \
        else                                                                                       \
            s.state[0] = form##Min(s.state[0]);                                                    \
        return s;                                                                                  \
    }
VKR_BUILT_IN(vkr_scan_before, subgroupExclusive)
VKR_BUILT_IN(vkr_scan_all_lanes, subgroup)

#if !VKR_IS_FLOAT
/* What an operator that has an inverse combines from one of two prefixes to the other. */
VkrTerm vkr_term_between(const VkrTerm first, const VkrTerm last)
{
    if (VKR_HAS(VKR_BIT_XOR))
        return last ^ first;
    return vkr_term_of_sum(vkr_sum_of_term(last) - vkr_sum_of_term(first));
}
const bool VKR_HAS_INVERSE = VKR_HAS(VKR_BIT_SUM | VKR_BIT_XOR);
#else
#define vkr_term_between(first, last) (last)
const bool VKR_HAS_INVERSE = false;
#endif

/* Combines the lanes before this one, back to the last of them in which a segment starts. Operators
 * without an inverse combine lanes that lie 1, 2, 4, .. apart (Hillis and Steele, 1986), unless a
 * segment starts between them. */
VkrScan vkr_segment_before(VkrScan s)
{
    const uint lane = gl_SubgroupInvocationID;
    const uint start = subgroupExclusiveMax(s.head != 0u ? lane + 1u : 0u); /* 1 + it, or 0 */
    VkrScan before = vkr_scan_identity();
    if (VKR_VALUED && VKR_HAS_INVERSE) {
        VkrTerm all = vkr_scan_before(s).state[0];
        before.state[0] = vkr_term_between(subgroupShuffle(all, max(start, 1u) - 1u), all);
    } else if (VKR_VALUED) {
        const uint own = s.head != 0u ? lane : max(start, 1u) - 1u; /* first lane of the segment */
        [[unroll]] for (uint apart = 1u; apart < VKR_ROW_SIZE; apart *= 2u) {
            VkrTerm other = subgroupShuffle(s.state[0], lane >= apart ? lane - apart : lane);
            if (lane >= own + apart)
                s.state[0] = vkr_term_combine(other, s.state[0]);
        }
        VkrTerm last = subgroupShuffle(s.state[0], lane > 0u ? lane - 1u : 0u);
        if (lane > 0u)
            before.state[0] = last;
    }
    before.head = min(start, 1u);
#if VKR_KEYED
    if (VKR_REDUCES)
        before.head = subgroupExclusiveAdd(s.head);
    if (VKR_PLACES)
        before.place = subgroupExclusiveMax(s.place);
#endif
    return before;
}

VkrScan vkr_exclusive_of_lanes(const VkrScan s)
{
    if (VKR_SEGMENTED)
        return vkr_segment_before(s);
    return vkr_scan_before(s);
}

VkrScan vkr_total_of_lanes(const VkrScan s)
{
    if (VKR_SEGMENTED)
        return vkr_scan_shuffle(vkr_scan_combine(vkr_segment_before(s), s), VKR_ROW_SIZE - 1u);
    return vkr_scan_all_lanes(s);
}
#define VKR_GROUP_EXCLUSIVE(s) vkr_exclusive_of_lanes(s)
#define VKR_GROUP_REDUCE(s) vkr_total_of_lanes(s)
#endif

#if !VKR_LINKED /* linked_scan.glsl has its own */
/* The slots of group.glsl, and the additional ones of tiles. */
#if VKR_TILES
#define VKR_ALL_SLOTS (VKR_SLOTS + (VKR_HOLDS ? 2u : 1u))
#else
#define VKR_ALL_SLOTS VKR_SLOTS
#endif
shared VkrTerm vkr_shared_states[VKR_ALL_SLOTS * VKR_COMPONENTS];
shared uint vkr_shared_heads[VKR_ALL_SLOTS];
#if VKR_KEYED
shared uint vkr_shared_places[VKR_ALL_SLOTS];
#endif

void vkr_scan_put(const uint slot, const VkrScan s)
{
    VKR_EACH(c)
        vkr_shared_states[slot * VKR_COMPONENTS + VKR_AT(c)] = s.state[VKR_AT(c)];
    if (VKR_SEGMENTED)
        vkr_shared_heads[slot] = s.head;
#if VKR_KEYED
    if (VKR_PLACES)
        vkr_shared_places[slot] = s.place;
#endif
}

VkrScan vkr_scan_get(const uint slot)
{
    VkrScan s = vkr_scan_identity();
    VKR_EACH(c)
        s.state[VKR_AT(c)] = vkr_shared_states[slot * VKR_COMPONENTS + VKR_AT(c)];
    if (VKR_SEGMENTED)
        s.head = vkr_shared_heads[slot];
#if VKR_KEYED
    if (VKR_PLACES)
        s.place = vkr_shared_places[slot];
#endif
    return s;
}

#define VKR_GROUP_T VkrScan
#define VKR_GROUP_IDENTITY vkr_scan_identity()
#define VKR_GROUP_COMBINE(before, after) vkr_scan_combine(before, after)
#define VKR_GROUP_SHUFFLE(s, lane) vkr_scan_shuffle(s, lane)
#define VKR_GROUP_PUT(slot, s) vkr_scan_put(slot, s)
#define VKR_GROUP_GET(slot) vkr_scan_get(slot)
#include "lanes.glsl"
#endif

#endif
