/* SPDX-License-Identifier: MIT */
/*
 * Finds the elements that a team of invocations takes at a time: a segment, or a part of one.
 * Elements are counted from the first one of the dispatch. Whatever offsets and lists contain,
 * nothing outside the dispatch's elements is read, and nothing outside its results is written.
 */
#ifndef VKR_PART_GLSL
#define VKR_PART_GLSL

/* Segments are cut into parts. */
const bool VKR_SPLIT =
    VKR_INPUT == VKR_INPUT_ELEMENTS && VKR_OUTPUT == VKR_OUTPUT_PARTIAL;

struct VkrPart {
    uint first;   /* number of the first element */
    uint count;   /* elements, which are `push.element_stride` apart */
    uint index;   /* of the first element in its segment */
    uint total;   /* elements of the segment, as far as the dispatch has them */
    uint segment; /* the segment whose results the value becomes */
    uint partial; /* or the partial that it becomes */
    bool is_there;
};

/* Each of these is read once here, since CPU drivers do not move such reads, which cost a load, out
 * of loops. */
uint vkr_segment_stride = push.segment_stride;
uint vkr_element_stride = push.element_stride;
uint vkr_segment_length = push.segment_length;
uint vkr_lead = push.lead;
uint vkr_result_base = push.output_base;
uint vkr_result_stride = push.output_stride;

uint vkr_covered_elements; /* the elements of the dispatch that lie below the GPU's count */
uint vkr_ids;

uint vkr_clamp_words(const uint low, const uint high, const uint most)
{
    return high != 0u ? most : min(low, most);
}

/* Offset i, clamped to the number of elements. */
uint vkr_offset(const uint i)
{
    if ((VKR_FLAGS & VKR_FLAG_OFFSETS64) == 0u)
        return min(vkr_offsets[uniforms.offsets_base + i], vkr_covered_elements);
    uint at = uniforms.offsets_base + 2u * i;
    return vkr_clamp_words(vkr_offsets[at], vkr_offsets[at + 1u], vkr_covered_elements);
}

/* Narrows a segment to its part p. Parts have uniforms.part_length elements; the last one has what
 * is left. */
void vkr_take_part(inout VkrPart part, const uint p)
{
    uint index = p * uniforms.part_length;
    bool within = p < (part.total + uniforms.part_length - 1u) / uniforms.part_length;
    part.count = within ? min(uniforms.part_length, part.total - index) : 0u;
    part.index = within ? index : 0u;
    part.first += part.index * vkr_element_stride;
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

VkrPart vkr_strided_segment(const uint s)
{
    VkrPart part = VkrPart(s * vkr_segment_stride, 0u, 0u, vkr_segment_length, s, s, true);
    if ((VKR_FLAGS & VKR_FLAG_GPU_COUNT) != 0u) {
        uint left = vkr_covered_elements - min(part.first, vkr_covered_elements);
        if (VKR_SHAPE == VKR_SHAPE_COLUMNS && left != 0u) /* the sum of both could pass 2^32 */
            left = (left - 1u) / vkr_element_stride + 1u;
        part.total = min(part.total, left);
    }
    part.count = part.total;
    return part;
}

uint vkr_listed(const uint count, const uint most)
{
    return min(vkr_counter[push.counter_base + count], most);
}

/* The number of ids of this dispatch: of segments, or of parts of segments. */
uint vkr_count_ids()
{
    uint ids = push.ids;
    if (VKR_SHAPE == VKR_SHAPE_MEDIUM) {
        ids = vkr_listed(0u, uniforms.most_medium);
    } else if (VKR_SHAPE == VKR_SHAPE_LARGE) {
        ids = vkr_listed(1u, uniforms.most_large);
    } else if (VKR_SHAPE == VKR_SHAPE_PARTS) {
        ids = vkr_listed(2u, push.parts);
    } else if ((VKR_FLAGS & VKR_FLAG_GPU_SEGMENTS) != 0u) {
        uint high = 0u;
        if ((VKR_FLAGS & VKR_FLAG_GPU_SEGMENTS64) != 0u)
            high = vkr_partials[push.partials_base + 1u];
        ids = vkr_clamp_words(vkr_partials[push.partials_base], high, ids);
    }
    return ids;
}

uint vkr_large_list(const uint base)
{
    return base + uniforms.most_medium;
}

uint vkr_part_list(const uint base)
{
    return vkr_large_list(base) + 3u * uniforms.most_large;
}

/* The place behind the lists, where partials start. */
uint vkr_end_of_lists(const uint base)
{
    return vkr_part_list(base) + 2u * push.parts;
}

VkrPart vkr_part(const uint id)
{
    VkrPart part;
    bool is_there = id < vkr_ids;
    if (VKR_SHAPE == VKR_SHAPE_OFFSETS) {
        part = vkr_segment_by_offsets(is_there ? id : push.segments);
    } else if (VKR_SHAPE >= VKR_SHAPE_MEDIUM && VKR_SHAPE <= VKR_SHAPE_LARGE) {
        uint at = push.partials_base + id;
        if (VKR_SHAPE == VKR_SHAPE_LARGE)
            at = vkr_large_list(push.partials_base) + 3u * id;
        if (VKR_SHAPE == VKR_SHAPE_PARTS)
            at = vkr_part_list(push.partials_base) + 2u * id;
        part = vkr_segment_by_offsets(is_there ? vkr_partials[at] : push.segments);
        part.partial = id;
        if (VKR_SHAPE == VKR_SHAPE_PARTS && is_there)
            vkr_take_part(part, vkr_partials[at + 1u]);
    } else {
        uint s = id;
        uint p = 0u;
        if (VKR_SPLIT) {
            bool columns = VKR_SHAPE == VKR_SHAPE_COLUMNS;
            s = columns ? id % push.segments : id / push.parts;
            p = columns ? id / push.segments : id % push.parts;
        }
        part = vkr_strided_segment(s);
        if (VKR_SPLIT) {
            vkr_take_part(part, p);
            part.index += push.first_part * uniforms.part_length;
            part.partial = s * uniforms.all_parts + push.first_part + p;
        }
    }
    part.is_there = part.is_there && is_there;
    if (!part.is_there)
        part.count = 0u;
    return part;
}

/* Whether a segment is so long that it is listed for later dispatches. */
bool vkr_is_long(const VkrPart part)
{
    return VKR_SHAPE == VKR_SHAPE_OFFSETS && part.total > vkr_segment_length;
}

void vkr_list(const VkrPart part)
{
    if (part.total <= uniforms.part_length) {
        uint at = atomicAdd(vkr_counter[push.counter_base], 1u);
        if (at < uniforms.most_medium)
            vkr_stored[push.stored_base + at] = part.segment;
    } else {
        uint parts = (part.total - 1u) / uniforms.part_length + 1u;
        uint large = atomicAdd(vkr_counter[push.counter_base + 1u], 1u);
        uint first = atomicAdd(vkr_counter[push.counter_base + 2u], parts);
        /* Only offsets that descend can need more parts than the list holds. */
        bool fits = first <= push.parts && parts <= push.parts - first;
        if (large < uniforms.most_large) {
            uint at = vkr_large_list(push.stored_base) + 3u * large;
            vkr_stored[at] = part.segment;
            vkr_stored[at + 1u] = first;
            vkr_stored[at + 2u] = fits ? parts : 0u;
        }
        for (uint p = 0u; p < parts && fits; p++) {
            uint at = vkr_part_list(push.stored_base) + 2u * (first + p);
            vkr_stored[at] = part.segment;
            vkr_stored[at + 1u] = p;
        }
    }
}

#endif
