/* SPDX-License-Identifier: MIT */
/*
 * Finds the elements that a team of invocations reduces at a time: a segment, or a part of one.
 * Elements are counted from the first one of the dispatch.
 */
#ifndef VKR_PART_GLSL
#define VKR_PART_GLSL

/* Segments are cut into parts. */
const bool VKR_SPLIT =
    VKR_INPUT == VKR_INPUT_ELEMENTS && VKR_OUTPUT == VKR_OUTPUT_PARTIAL;

const bool VKR_FOLDED = (VKR_FLAGS & VKR_FLAG_FOLDED) != 0u;
/* The last row of columns can be incomplete. */
const bool VKR_RAGGED = (VKR_FLAGS & (VKR_FLAG_FOLDED | VKR_FLAG_GPU_COUNT)) != 0u;

struct VkrPart {
    uint first;   /* index of the first element */
    uint count;   /* elements, which are `push.element_stride` apart */
    uint index;   /* index of the first element in its segment */
    uint total;   /* elements of the segment in this dispatch */
    uint segment; /* the segment whose results are stored */
    uint partial; /* or the partial that is stored */
    bool is_there;
};

/* Read once: CPU drivers do not hoist such reads, each of which costs a load, out of loops. */
uint vkr_segment_stride = push.segment_stride;
uint vkr_element_stride = push.element_stride;
uint vkr_segment_length = push.segment_length;
uint vkr_lead = push.lead;
uint vkr_result_base = push.output_base;
uint vkr_result_stride = push.output_stride;

uint vkr_covered_elements; /* the elements of the dispatch below the GPU's count */
uint vkr_ids;

/* Narrows a segment to its part p. Parts have uniforms.part_length elements; the last one has the
 * rest. */
void vkr_take_part(inout VkrPart part, const uint p)
{
    uint index = p * uniforms.part_length;
    bool within = p < (part.total + uniforms.part_length - 1u) / uniforms.part_length;
    part.count = within ? min(uniforms.part_length, part.total - index) : 0u;
    part.index = within ? index : 0u;
    part.first += part.index * vkr_element_stride;
}

/* The place of a segment's partials among those of all segments. */
uint vkr_place_of_segment(const uint s)
{
    uint columns = VKR_FOLDED ? push.segments / uniforms.fold : 0u;
    return VKR_FOLDED ? s % columns * uniforms.fold + s / columns : s;
}

VkrPart vkr_strided_segment(const uint s)
{
    VkrPart part = VkrPart(s * vkr_segment_stride, 0u, 0u, vkr_segment_length, s, s, true);
    if (VKR_RAGGED) {
        uint left = vkr_covered_elements - min(part.first, vkr_covered_elements);
        if (VKR_SHAPE == VKR_SHAPE_COLUMNS && left != 0u) /* the sum of both could pass 2^32 */
            left = (left - 1u) / vkr_element_stride + 1u;
        part.total = min(part.total, left);
    }
    part.count = part.total;
    return part;
}

/* A segment, or a part of one, that lies at multiples of a stride. */
VkrPart vkr_strided_part(const uint id)
{
    uint s = id;
    uint p = 0u;
    if (VKR_SPLIT) {
        bool columns = VKR_SHAPE == VKR_SHAPE_COLUMNS;
        s = columns ? id % push.segments : id / push.parts;
        p = columns ? id / push.segments : id % push.parts;
    }
    VkrPart part = vkr_strided_segment(s);
    if (VKR_SPLIT) {
        vkr_take_part(part, p);
        part.index += push.first_part * uniforms.part_length;
        part.partial = vkr_place_of_segment(s) * uniforms.all_parts + push.first_part + p;
    }
    part.is_there = id < vkr_ids;
    if (!part.is_there)
        part.count = 0u;
    return part;
}

#endif
