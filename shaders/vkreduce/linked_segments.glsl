/* SPDX-License-Identifier: MIT */
/*
 * Segments of states of an application's type (linked.glsl): a team of invocations reduces one at a
 * time. In a team, each invocation has a run of consecutive elements, units or partials where
 * operands must keep their order; otherwise neighbouring invocations read neighbouring ones.
 */
#ifndef VKR_LINKED_SEGMENTS_GLSL
#define VKR_LINKED_SEGMENTS_GLSL

#include "part.glsl"
#include "lists.glsl"

const bool VKR_IN_ORDER = VKR_ORDER == VKR_ORDER_CONTIGUOUS;

/* What an invocation of a team goes over, of `count` items that start with item `first`. */
VkrWalk vkr_walk_of(const uint first, const uint count, const uint lane, const uint team)
{
    if (VKR_IN_ORDER) {
        const uint each = (count + team - 1u) / team, skipped = min(lane * each, count);
        return VkrWalk(first + skipped, min(each, count - skipped), 1u);
    }
    return VkrWalk(first + lane, lane < count ? (count - lane - 1u) / team + 1u : 0u, team);
}

/* Combines the states with elements of a part, of which the walk numbers the elements; `index` is
 * that of the dispatch's first element. */
void vkr_take_items(inout VkrStates s, const VkrPart part, const VkrWalk walk, const uvec2 index)
{
    const uint by = walk.stride * vkr_element_stride;
    uint i = part.first + walk.first * vkr_element_stride;
    uint k = 0u;
    for (; k + VKR_FEW <= walk.count; k += VKR_FEW) {
        vkr_accumulate_few(s, i, by, index);
        i += VKR_FEW * by;
    }
    for (; k < walk.count; k++) {
        vkr_accumulate_element(s, i, vkr_add(index, uvec2(i, 0u)));
        i += by;
    }
}

/* Does the same with the part's elements from `begin` to `end`. */
void vkr_take_few(inout VkrStates s, const VkrPart part, const uint begin, const uint end,
                  const uvec2 index)
{
    for (uint k = begin; k < end; k++)
        vkr_accumulate_element(s, part.first + k, vkr_add(index, uvec2(part.first + k, 0u)));
}

VkrStates vkr_reduce_elements(const VkrPart part, const uint lane, const uint team)
{
    const uvec2 index = uvec2(push.first_low, push.first_high);
    VkrStates s = vkr_identities();
    if (VKR_PATH == VKR_PATH_ELEMENT) {
        vkr_take_items(s, part, vkr_walk_of(0u, part.count, lane, team), index);
        return s;
    }
    const uint first = (part.first + vkr_lead + VKR_UNIT_ELEMENTS - 1u) / VKR_UNIT_ELEMENTS;
    const uint head = min(first * VKR_UNIT_ELEMENTS - vkr_lead - part.first, part.count);
    const uint units = (part.count - head) / VKR_UNIT_ELEMENTS;
    /* Parts need not consist of whole units. The last invocation also has the tail: no run of
     * another one follows its own. */
    if (!VKR_WHOLE && lane == 0u)
        vkr_take_few(s, part, 0u, head, index);
    vkr_accumulate_units(s, vkr_walk_of(first, units, lane, team),
                         vkr_subtract(index, uvec2(vkr_lead, 0u)));
    if (!VKR_WHOLE && lane == team - 1u)
        vkr_take_few(s, part, head + units * VKR_UNIT_ELEMENTS, part.count, index);
    return s;
}

/* Combines the partials of a segment; or, where a segment has too many for a team, an equal share
 * of them, which then is a segment of this dispatch. */
VkrStates vkr_reduce_partials(const VkrPart part, const uint id, const uint lane, const uint team)
{
    VkrStates s = vkr_identities();
    uint first = part.segment * uniforms.all_parts;
    uint count = part.is_there ? uniforms.all_parts : 0u;
    if (VKR_OUTPUT == VKR_OUTPUT_PARTIAL) {
        const uint skipped = part.segment % uniforms.fold * uniforms.all_parts;
        const uint all = uniforms.part_length;
        first = part.segment / uniforms.fold * all + skipped;
        count = min(count, all - min(skipped, all));
    }
    if (VKR_SHAPE == VKR_SHAPE_LARGE && part.is_there) {
        const uint at = vkr_large_list(VKR_LISTS) + 3u * id;
        first = vkr_list_words[at + 1u];
        count = vkr_list_words[at + 2u];
    }
    const VkrWalk walk = vkr_walk_of(first, count, lane, team);
    uint i = walk.first;
    for (uint k = 0u; k < walk.count; k++) {
        s.of[0] = vkr_combine(s.of[0],
                              vkr_load_partial(push.partials_base + i * VKR_LINKED_WORDS));
        i += walk.stride;
    }
    return s;
}

void vkr_store_part(const VkrPart part, const VkrStates s)
{
    if (VKR_OUTPUT == VKR_OUTPUT_PARTIAL)
        vkr_store_partial(push.stored_base + part.partial * VKR_LINKED_WORDS, s);
    else
        vkr_put_result(vkr_result_base + part.segment * vkr_result_stride, s.of[0].linked);
}

/* Reduces the segments of a workgroup; its teams go from one to the next together. */
void vkr_reduce_linked(const uint group)
{
    const uint team = VKR_TEAM == 0u ? VKR_WORKGROUP : VKR_TEAM;
    const uint teams = VKR_WORKGROUP / team;
    const uint lane = gl_LocalInvocationIndex & (team - 1u);
    uint items = push.items;
    vkr_ids = vkr_count_ids();
    /* The host's number of segments can be far above that of the GPU. */
    if (VKR_SHAPE == VKR_SHAPE_OFFSETS && (VKR_FLAGS & VKR_FLAG_GPU_SEGMENTS) != 0u)
        items = (vkr_ids + push.groups * teams - 1u) / (push.groups * teams);
    uint id = group * teams * items + gl_LocalInvocationIndex / team;
    if (VKR_TEAM == 0u) {
        items = (vkr_ids + push.groups - 1u) / push.groups;
        id = group * items;
        items = min(items, vkr_ids - min(id, vkr_ids));
    }
    for (uint k = 0u; k < items; k++) {
        VkrPart part = vkr_part(id);
        const bool is_listed = vkr_is_listed(part);
        VkrStates s;
        if (is_listed)
            part.count = 0u;
        if (VKR_INPUT == VKR_INPUT_PARTIALS)
            s = vkr_reduce_partials(part, id, lane, team);
        else
            s = vkr_reduce_elements(part, lane, team);
        vkr_team_lead(s, team);
        if (lane == 0u && is_listed)
            vkr_list(part);
        else if (lane == 0u && part.is_there)
            vkr_store_part(part, s);
        id += teams;
    }
}

#endif
