/* SPDX-License-Identifier: MIT */
/* Where a compaction stores elements, their indices and their counts. */
#ifndef VKR_KEPT_GLSL
#define VKR_KEPT_GLSL

#include "tested.glsl"

#define VKR_COMPACT_COUNTS_TARGET vkr_rejected_indices /* the same binding */
#include "counts.glsl"
#include "window.glsl"

/* An element is stored in parts, which are as wide as its place allows. A part of one value is
 * stored as such, longer ones as words, pairs of words or packs. */
const uint VKR_PART_VALUES = 1u << (VKR_OUTPUTS >> VKR_TO_PARTS_SHIFT & 7u);
const uint VKR_PART = VKR_PART_VALUES * uint(VKR_BYTES);
const uint VKR_PARTS = VKR_VALUES / VKR_PART_VALUES;
const uint VKR_ELEMENT_BYTES = VKR_VALUES * uint(VKR_BYTES);

uint vkr_low_half(const uint bases)
{
    return bases & 0xffffu;
}

uint vkr_high_half(const uint bases)
{
    return bases >> 16;
}

/* The position of the kept element after `before` others. */
uvec2 vkr_kept_position(const uvec2 before)
{
    if ((VKR_FLAGS & VKR_FLAG_APPEND) == 0u)
        return before;
    uint at = push.scratch_base + VKR_RECORD_APPEND;
    return vkr_add(before, uvec2(vkr_scratch[at], vkr_scratch[at + 1u]));
}

/* Stores the index of element i of this dispatch at word `to`; or as that of a kept or a rejected
 * element, at its position. */
void vkr_put_kept_index(const uint to, const uint i)
{
    uvec2 index = vkr_add(uvec2(push.index_low, push.index_high), uvec2(i, 0u));
    vkr_kept_indices[to] = index.x;
    if ((VKR_OUTPUTS & VKR_TO_KEPT_INDICES64) != 0u)
        vkr_kept_indices[to + 1u] = index.y;
}

void vkr_put_rejected_index(const uint to, const uint i)
{
    uvec2 index = vkr_add(uvec2(push.index_low, push.index_high), uvec2(i, 0u));
    vkr_rejected_indices[to] = index.x;
    if ((VKR_OUTPUTS & VKR_TO_REJECTED_INDICES64) != 0u)
        vkr_rejected_indices[to + 1u] = index.y;
}

void vkr_store_kept_index(const uint at, const uint i)
{
    vkr_put_kept_index(vkr_high_half(push.kept_bases) + at * uniforms.kept_indices_stride, i);
}

void vkr_store_rejected_index(const uint at, const uint i)
{
    vkr_put_rejected_index(
        vkr_high_half(push.rejected_bases) + at * uniforms.rejected_indices_stride, i);
}

/* One invocation stores the record for later dispatches, and counts for the caller. */
void vkr_store_record(const uvec2 kept)
{
    uint at = push.scratch_base;
    if ((VKR_FLAGS & VKR_FLAG_COUNTS) != 0u) {
        uvec2 append = uvec2(0u);
        if ((VKR_FLAGS & VKR_FLAG_GATHERED) != 0u)
            append = uvec2(vkr_scratch[at + VKR_RECORD_APPEND],
                           vkr_scratch[at + VKR_RECORD_APPEND + 1u]);
        vkr_store_counts(kept, append, vkr_whole);
    }
    vkr_scratch[at + VKR_RECORD_KEPT] = kept.x;
    vkr_scratch[at + VKR_RECORD_KEPT + 1u] = kept.y;
    vkr_scratch[at + VKR_RECORD_COUNT] = vkr_whole.x;
    vkr_scratch[at + VKR_RECORD_COUNT + 1u] = vkr_whole.y;
    if ((VKR_FLAGS & VKR_FLAG_GATHERED) == 0u) {
        vkr_scratch[at + VKR_RECORD_APPEND] = 0u;
        vkr_scratch[at + VKR_RECORD_APPEND + 1u] = 0u;
    }
}

#endif
