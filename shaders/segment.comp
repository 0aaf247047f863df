/* SPDX-License-Identifier: MIT */
/*
 * Reductions of many segments. A team reduces a segment, or a part of one, at a time. A team is one
 * invocation, or the workgroup, or n invocations of a subgroup, which together reduce n segments
 * and then merge the values of each segment (multi-reduction: Parker, MacKinnon 2017). Parts store
 * partials, from which a further dispatch computes results.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/stored.glsl"
#define VKR_HAS_FOURS (VKR_LOADS == VKR_LOADS_TEXEL && VKR_BYTES == 4 && !VKR_LINKED)
#include "cards/segment.h"

#define VKR_INPUTS 2
#define VKR_SEGMENTS
#include "vkreduce/variant.glsl"
const bool VKR_WHOLE = (VKR_FLAGS & VKR_FLAG_WHOLE) != 0u;
const bool VKR_ONE_BATCH = (VKR_FLAGS & VKR_FLAG_ONE_BATCH) != 0u;

#include "vkreduce/type.glsl"
#include "vkreduce/round.glsl"
#include "vkreduce/operator.glsl"
#include "vkreduce/count.glsl"
#include "vkreduce/load.glsl"
#if VKR_LINKED
#include "vkreduce/accumulate.glsl"
#include "vkreduce/states.glsl"
#include "vkreduce/linked_segments.glsl"
#else
#include "vkreduce/subgroup.glsl"
#include "vkreduce/memory.glsl"
#include "vkreduce/workgroup.glsl"
#include "vkreduce/accumulate.glsl"
#include "vkreduce/result.glsl"
#include "vkreduce/states.glsl"
#include "vkreduce/part.glsl"
#include "vkreduce/lists.glsl"
#include "vkreduce/leave.glsl"
#include "vkreduce/fours.glsl"

#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
VkrStates vkr_shuffle(VkrStates s, const uint mask)
{
    VKR_EACH(c)
        vkr_replace_state(s, VKR_AT(c), vkr_shuffle(vkr_state_of(s, VKR_AT(c)), mask));
    return s;
}

VkrStates vkr_select(const bool first, const VkrStates a, const VkrStates b)
{
    if (first)
        return a;
    return b;
}

/* Subgroups can be smaller than the reported size, unless the workgroup is known to be one subgroup
 * or full subgroups are required. A team of constant size needs no loop over its rounds. */
const bool VKR_FULL_TEAM = VKR_SUBGROUPS == 1u || (VKR_FLAGS & VKR_FLAG_FULL_TEAM) != 0u;
uint vkr_team = VKR_FULL_TEAM ? VKR_TEAM : min(VKR_TEAM, gl_SubgroupSize);

#define VKR_MULTI_T VkrStates
#define VKR_MULTI_COMBINE(a, b) vkr_combine(a, b)
#define VKR_MULTI_SHUFFLE(v, m) vkr_shuffle(v, m)
#define VKR_MULTI_SELECT(c, a, b) vkr_select(c, a, b)
#define VKR_MULTI_LANES vkr_team
#define VKR_MULTI_VALUES vkr_team
#define VKR_MULTI_MOST_MERGES 5
#define VKR_MULTI_MOST_LANES VKR_TEAM
#include "vkreduce/multireduce.glsl"
#endif

/* Modules for several components have no room for merging rows. */
#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED && !VKR_VECTOR
#include "vkreduce/rows.glsl"
#else
const bool VKR_MERGES_ROWS = false;
#define vkr_merge_rows(id, lane)
#endif

/* ---- One invocation's share of a part ---- */

/* Combines the states with element k of a part. */
void vkr_take(inout VkrStates s, const VkrPart part, const uint k)
{
    vkr_accumulate_element(s, part.first + k * vkr_element_stride, uvec2(part.index + k, 0u));
}

/* Combines the states with units, batch by batch; `index` is that of the first element of unit 0.
 * The loop tests its condition at its end, so no body runs needlessly: CPU drivers would only mask
 * its effects. */
void vkr_reduce_batches(inout VkrStates s, const VkrWalk walk, const uvec2 index)
{
    VkrUnit units[VKR_BATCH];
    uint u = walk.first;
    uint k = 0u;
    uint left = VKR_STRAND_BATCHES; /* remaining batches of the strand */
    do {
        for (uint b = 0u; b < VKR_BATCH; b++)
            units[b] = vkr_load_unit(u + b * walk.stride);
        for (uint b = 0u; b < VKR_BATCH; b++) {
            vkr_accumulate_unit(
                s, units[b],
                vkr_add(index, uvec2((u + b * walk.stride) * VKR_UNIT_ELEMENTS, 0u)));
            VKR_END_STRAND_IN_BATCH(s, b)
        }
        VKR_END_STRAND_OF_BATCHES(s, left)
        u += VKR_BATCH * walk.stride;
        k += VKR_BATCH;
    } while (!VKR_ONE_BATCH && k < walk.count);
}

/* Combines the states with the whole units of a part, and returns the number of their elements;
 * `head` becomes the number of elements before the first unit. */
uint vkr_take_units(inout VkrStates s, const VkrPart part, const uint lane, const uint team,
                    inout uint head)
{
    uint first = (part.first + vkr_lead + VKR_UNIT_ELEMENTS - 1u) / VKR_UNIT_ELEMENTS;
    head = min(first * VKR_UNIT_ELEMENTS - vkr_lead - part.first, part.count);
    uint units = (part.count - head) / VKR_UNIT_ELEMENTS;
    VkrWalk walk = VkrWalk(lane, units / team, team);
    if (VKR_TEAM == 0u)
        walk = vkr_walk(0u, (units + VKR_WORKGROUP - 1u) / VKR_WORKGROUP, units);
    walk.first += VKR_WHOLE && !part.is_there ? 0u : first;
    uvec2 index = vkr_subtract(uvec2(part.index + head, 0u),
                               uvec2(first * VKR_UNIT_ELEMENTS, 0u));
    if (VKR_WHOLE || walk.count != 0u)
        vkr_reduce_batches(s, walk, index);
    return units * VKR_UNIT_ELEMENTS;
}

#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
/* The canonical tree, built by one invocation from at most one element per lane of the tree.
 * Elements come in bit-reversed order, so partners are neighbours. `waiting` has the value of each
 * level that has no partner yet; of two elements one waits at once, so most have few partners. The
 * loop combines in one place, since drivers take long to compile one for each level. */
struct VkrTree {
    VkrStates waiting[7];
};

void vkr_grow(inout VkrTree tree, const uint i, inout VkrStates s)
{
    uint level = 0u;
    for (; (i >> level & 1u) != 0u; level++) {
        VkrStates partner = tree.waiting[0];
        [[unroll]] for (uint k = 1u; k < 7u; k++)
            if (k == level)
                partner = tree.waiting[k];
        s = vkr_combine(partner, s);
    }
    [[unroll]] for (uint k = 0u; k < 7u; k++)
        if (k == level)
            tree.waiting[k] = s;
}
#endif

#if !VKR_VECTOR
/* Combines the states with a part, by all units that have elements of it. Lanes with adjacent
 * segments load about the same number of units, while the number of element loads would be that of
 * the longest segment. */
void vkr_take_span(inout VkrStates s, const VkrPart part)
{
    uint at = part.first + vkr_lead;
    uint u = at / VKR_UNIT_ELEMENTS;
    uint end = part.count == 0u ? u : (at + part.count - 1u) / VKR_UNIT_ELEMENTS + 1u;
    VKR_IN_STRANDS_OF(VKR_STRAND_UNITS, s, u, end, 1u) {
        VkrUnit unit = vkr_load_unit(u);
        [[unroll]] for (uint k = 0u; k < VKR_UNIT_ELEMENTS; k++) {
            uint i = u * VKR_UNIT_ELEMENTS + k - at;
            if (i < part.count)
                vkr_accumulate_loaded(s, unit, k, uvec2(part.index + i, 0u));
        }
    }
}
#endif

/* Combines elements lane, lane + team, .. of a part. */
VkrStates vkr_reduce_elements(const VkrPart part, const uint lane, const uint team)
{
    VkrStates s = vkr_identities();
    uint head = part.count;
    uint body = 0u;
    vkr_start_strands();
#if !VKR_VECTOR
    if (VKR_PATH == VKR_PATH_WIDE && VKR_SHAPE == VKR_SHAPE_OFFSETS) {
        vkr_take_span(s, part);
        vkr_settle_strands(s);
        return s;
    }
#endif
    if (VKR_PATH == VKR_PATH_WIDE)
        body = vkr_take_units(s, part, lane, team, head);
    if (VKR_WHOLE) {
        vkr_settle_strands(s);
        return s;
    }
    uint end = part.count - body;
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
    VkrTree tree;
    const bool grows = VKR_CANONICAL && VKR_TEAM == 1u;
    uint levels = part.count > 1u ? uint(findMSB(part.count - 1u)) + 1u : 0u;
    if (grows && part.count > 1u)
        end = 1u << levels;
#endif
    uint i = lane;
    VKR_IN_STRANDS(s, i, end, team) {
        uint k = i < head ? i : i + body;
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
        if (grows) {
            k = levels != 0u ? bitfieldReverse(i) >> (32u - levels) : i;
            s = vkr_identities();
        }
#endif
        if (k < part.count)
            vkr_take(s, part, k);
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
        if (grows && levels != 0u)
            vkr_grow(tree, i, s);
#endif
    }
    vkr_settle_strands(s);
    return s;
}

/* Combines partials lane, lane + team, .. of a segment; at level device, those of block `block` of
 * them. */
VkrStates vkr_reduce_partials(const VkrPart part, const uint id, const uint lane, const uint team,
                              const uint block)
{
    VkrStates s = vkr_identities();
    uint first = part.segment * uniforms.all_parts;
    uint count = part.is_there ? uniforms.all_parts : 0u;
    uint base = push.partials_base;
    if (VKR_SHAPE == VKR_SHAPE_LARGE && part.is_there) {
        uint at = vkr_large_list(VKR_LISTS) + 3u * id;
        first = vkr_list_words[at + 1u];
        count = vkr_list_words[at + 2u];
        base = vkr_end_of_lists(VKR_LISTS);
    }
    uint begin = VKR_CANONICAL ? block * VKR_TREE_BLOCK : 0u;
    uint end = VKR_CANONICAL ? min(begin + VKR_TREE_BLOCK, count) : count;
    vkr_start_strands();
    for (uint k = begin + lane; k < end; k += team)
        vkr_take_partial(s, base, first + k);
    vkr_settle_strands(s);
    return s;
}

/* Reduces the values of a workgroup's invocations to its leader. If the canonical tree has more
 * partials than a block, the value of block b becomes the leaf of lane b in the next level: there
 * are more lanes than blocks, so no third level is needed. */
void vkr_reduce_group(inout VkrStates s, inout VkrStates leaf, const uint round_,
                      const bool is_last)
{
    if (is_last && round_ != 0u)
        s = leaf;
    vkr_group_lead(s);
    if (is_last)
        return;
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
    VKR_EACH(c) {
        barrier();
        if (vkr_is_leader())
            vkr_store_state(0u, true, vkr_state_of(s, VKR_AT(c)));
        barrier();
        if (gl_LocalInvocationIndex == round_)
            vkr_replace_state(leaf, VKR_AT(c), vkr_combine(vkr_state_of(leaf, VKR_AT(c)),
                                                           vkr_load_state(0u, true)));
    }
    barrier();
#endif
}

/* The number of rounds for an id: one for each segment that a team merges, or of four (fours.glsl),
 * or one for each block of the canonical tree and one more for their leaves. */
uint vkr_rounds()
{
    uint rounds = VKR_AT_ONCE;
#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
    if (VKR_TEAM > 1u)
        rounds = vkr_team;
#else
    if (VKR_CANONICAL && VKR_TEAM == 0u && VKR_INPUT == VKR_INPUT_PARTIALS &&
        uniforms.all_parts > VKR_TREE_BLOCK)
        rounds = (uniforms.all_parts - 1u) / VKR_TREE_BLOCK + 2u;
#endif
    return rounds;
}

/* Reduces the segments, starting at `id`, that a team reduces together. A team of several lanes of
 * a subgroup reduces one segment per lane. */
void vkr_reduce_segments(const uint id, const uint lane, const uint team)
{
    VkrStates s;
    VkrStates leaf = vkr_identities();
    VkrPart mine;
    uint rounds = vkr_rounds();
    vkr_open_four(id);
#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
    vkr_multi_Online merged;
#endif
    for (uint r = 0u; r < rounds; r++) {
        uint at = VKR_HAS_SEVERAL ? id + r : id;
        bool is_last = VKR_LEAVES(r + 1u == rounds);
        VkrPart part = vkr_next_part(at);
        if (VKR_TEAM <= 1u || r == lane)
            mine = part;
        if (vkr_is_listed(part))
            part.count = 0u;
        if (VKR_INPUT == VKR_INPUT_PARTIALS)
            s = vkr_reduce_partials(part, at, lane, team, r);
        else
            s = vkr_reduce_elements(part, lane, team);
#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
        if (VKR_TEAM > 1u)
            vkr_multi_push(merged, r, s);
        if (VKR_TEAM > 1u && is_last)
            s = vkr_multi_result(merged);
#endif
        if (VKR_TEAM == 0u)
            vkr_reduce_group(s, leaf, r, is_last);
        if (is_last && (VKR_TEAM != 0u || vkr_is_leader()))
            vkr_leave_segment(mine, s);
    }
    vkr_close_four(id);
}

#endif

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    vkr_covered_elements = vkr_covered(vkr_total());
#if VKR_LINKED
    vkr_reduce_linked(group);
#else
    vkr_ids = vkr_count_ids();
    uint lane = gl_LocalInvocationIndex;
    uint items = push.items;
    /* The host's number of segments can be far above that of the GPU. */
    if (VKR_SHAPE == VKR_SHAPE_OFFSETS && (VKR_FLAGS & VKR_FLAG_GPU_SEGMENTS) != 0u)
        items = (vkr_ids + push.groups * VKR_WORKGROUP - 1u) / (push.groups * VKR_WORKGROUP);
#if VKR_HAS_FOURS
    if ((VKR_FLAGS & VKR_FLAG_GPU_SEGMENTS) != 0u)
        items = (items + VKR_AT_ONCE - 1u) / VKR_AT_ONCE;
#endif
    uint id = lane + group * VKR_WORKGROUP * items;
    uint step_ = VKR_WORKGROUP;
    uint team = 1u;
    if (VKR_TEAM == 0u) {
        items = (vkr_ids + push.groups - 1u) / push.groups;
        id = group * items;
        items = min(items, vkr_ids - min(id, vkr_ids));
        step_ = 1u;
        team = VKR_WORKGROUP;
    }
#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
    if (VKR_TEAM > 1u) {
        team = vkr_team;
        lane = gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
        id = lane - (lane & (team - 1u)) + group * VKR_WORKGROUP * items;
        lane &= team - 1u;
    }
#endif
    if (VKR_TEAM == 1u)
        lane = 0u;
#if VKR_HAS_FOURS
    id *= VKR_AT_ONCE;
    step_ *= VKR_AT_ONCE;
#endif
    for (uint k = 0u; k < items; k++) {
        if (VKR_MERGES_ROWS)
            vkr_merge_rows(id, lane);
        else
            vkr_reduce_segments(id, lane, team);
        id += step_;
    }
    vkr_list_all(id - items * step_, items, step_);
#endif
}
