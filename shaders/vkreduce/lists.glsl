/* SPDX-License-Identifier: MIT */
/*
 * Segments by offsets, and the lists of segments that are too long for one invocation. Whatever
 * offsets and lists contain, nothing outside the dispatch's elements is read, and nothing outside
 * its results is written.
 */
#ifndef VKR_LISTS_GLSL
#define VKR_LISTS_GLSL

/* Where OFFSETS stores lists, and where later dispatches read them. */
#if VKR_LINKED
#define vkr_new_list vkr_counter
#define vkr_list_words vkr_counter
#define VKR_NEW_LISTS (push.counter_base + 3u)
#define VKR_LISTS VKR_NEW_LISTS
#define vkr_number vkr_stored
#define VKR_NUMBER push.stored_base
#else
#define vkr_new_list vkr_stored
#define vkr_list_words vkr_partials
#define VKR_NEW_LISTS push.stored_base
#define VKR_LISTS push.partials_base
#define vkr_number vkr_partials
#define VKR_NUMBER push.partials_base
#endif

uint vkr_clamp_words(const uint low, const uint high, const uint most)
{
    return high != 0u ? most : min(low, most);
}

/* Whether an invocation reduces four consecutive segments at a time (fours.glsl), and how many it
 * reduces. */
#if VKR_HAS_FOURS
const bool VKR_IN_FOURS = VKR_SHAPE == VKR_SHAPE_OFFSETS && VKR_NEIGHBOURS == 4u;
const uint VKR_AT_ONCE = VKR_IN_FOURS ? 4u : 1u;
#define VKR_OR_IS_REST(part)                                                                       \
    || (VKR_IN_FOURS && part.is_there && (part.segment | 3u) >= vkr_ids)
#else
#define VKR_AT_ONCE 1u
#define VKR_OR_IS_REST(part)
#endif

/* Offset i, clamped to the number of elements. */
uint vkr_offset(const uint i)
{
    if ((VKR_FLAGS & VKR_FLAG_OFFSETS64) == 0u)
        return min(vkr_offsets[uniforms.offsets_base + i], vkr_covered_elements);
    uint at = uniforms.offsets_base + 2u * i;
    return vkr_clamp_words(vkr_offsets[at], vkr_offsets[at + 1u], vkr_covered_elements);
}

VkrPart vkr_segment_by_offsets(const uint s)
{
    VkrPart part = VkrPart(0u, 0u, 0u, 0u, s, s, s < push.segments);
    if (part.is_there) {
        part.first = vkr_offset(s);
        part.total = max(vkr_offset(s + 1u), part.first) - part.first;
    }
    part.count = part.total;
    return part;
}

uint vkr_listed(const uint count, const uint most)
{
    return min(vkr_counter[push.counter_base + count], most);
}

/* The number of segments, or parts of segments, of this dispatch. */
uint vkr_count_ids()
{
    uint ids = push.ids;
    if (VKR_SHAPE == VKR_SHAPE_MEDIUM) {
        ids = vkr_listed(0u, uniforms.max_medium);
    } else if (VKR_SHAPE == VKR_SHAPE_LARGE) {
        ids = vkr_listed(1u, uniforms.max_large);
    } else if (VKR_SHAPE == VKR_SHAPE_PARTS) {
        ids = vkr_listed(2u, push.parts);
    } else if ((VKR_FLAGS & VKR_FLAG_GPU_SEGMENTS) != 0u) {
        uint high = 0u;
        if ((VKR_FLAGS & VKR_FLAG_GPU_SEGMENTS64) != 0u)
            high = vkr_number[VKR_NUMBER + 1u];
        uint number = vkr_clamp_words(vkr_number[VKR_NUMBER], high, ~0u);
        ids = min(number - min(number, push.first_part), ids);
    }
    return ids;
}

uint vkr_large_list(const uint base)
{
    return base + uniforms.max_medium;
}

uint vkr_part_list(const uint base)
{
    return vkr_large_list(base) + 3u * uniforms.max_large;
}

/* The end of the lists, where partials start. */
uint vkr_end_of_lists(const uint base)
{
    return vkr_part_list(base) + 2u * push.parts;
}

VkrPart vkr_part(const uint id)
{
    bool is_listed = VKR_SHAPE >= VKR_SHAPE_MEDIUM && VKR_SHAPE <= VKR_SHAPE_LARGE;
    if (VKR_SHAPE != VKR_SHAPE_OFFSETS && !is_listed)
        return vkr_strided_part(id);
    VkrPart part;
    bool is_there = id < vkr_ids;
    if (VKR_SHAPE == VKR_SHAPE_OFFSETS) {
        part = vkr_segment_by_offsets(is_there ? id : push.segments);
    } else {
        uint at = VKR_LISTS + id;
        if (VKR_SHAPE == VKR_SHAPE_LARGE)
            at = vkr_large_list(VKR_LISTS) + 3u * id;
        if (VKR_SHAPE == VKR_SHAPE_PARTS)
            at = vkr_part_list(VKR_LISTS) + 2u * id;
        part = vkr_segment_by_offsets(is_there ? vkr_list_words[at] : push.segments);
        part.partial = id;
        if (VKR_SHAPE == VKR_SHAPE_PARTS && is_there)
            vkr_take_part(part, vkr_list_words[at + 1u]);
    }
    part.is_there = part.is_there && is_there;
    if (!part.is_there)
        part.count = 0u;
    return part;
}

#if VKR_LINKED /* these load no unit that is not whole */
#define vkr_is_at_edge(part) false
#else
/* Whether a segment has elements of a unit that lies only partly in the dispatch. */
bool vkr_is_at_edge(const VkrPart part)
{
    uint first = part.first + vkr_lead;
    uint whole = (vkr_covered_elements + vkr_lead) / VKR_UNIT_ELEMENTS * VKR_UNIT_ELEMENTS;
    bool starts = vkr_lead != 0u && first < VKR_UNIT_ELEMENTS;
    return part.total != 0u && (starts || first + part.total > whole);
}
#endif

/* Whether a segment is listed for later dispatches: if it is long or, if invocations read whole
 * units, at an edge; or if invocations reduce four at a time, and it has too few neighbours. */
bool vkr_is_listed(const VkrPart part)
{
    if (VKR_SHAPE != VKR_SHAPE_OFFSETS)
        return false;
    return part.total > vkr_segment_length ||
           (VKR_PATH == VKR_PATH_WIDE && vkr_is_at_edge(part)) VKR_OR_IS_REST(part);
}

void vkr_list(const VkrPart part)
{
    if (part.total <= uniforms.part_length) {
        uint at = atomicAdd(vkr_counter[push.counter_base], 1u);
        if (at < uniforms.max_medium)
            vkr_new_list[VKR_NEW_LISTS + at] = part.segment;
    } else {
        uint parts = (part.total - 1u) / uniforms.part_length + 1u;
        uint large = atomicAdd(vkr_counter[push.counter_base + 1u], 1u);
        uint first = atomicAdd(vkr_counter[push.counter_base + 2u], parts);
        /* Only descending offsets can need more parts than the list holds. */
        bool fits = first <= push.parts && parts <= push.parts - first;
        if (large < uniforms.max_large) {
            uint at = vkr_large_list(VKR_NEW_LISTS) + 3u * large;
            vkr_new_list[at] = part.segment;
            vkr_new_list[at + 1u] = first;
            vkr_new_list[at + 2u] = fits ? parts : 0u;
        }
        for (uint p = 0u; p < parts && fits; p++) {
            uint at = vkr_part_list(VKR_NEW_LISTS) + 2u * (first + p);
            vkr_new_list[at] = part.segment;
            vkr_new_list[at + 1u] = p;
        }
    }
}

#endif
