/* SPDX-License-Identifier: MIT */
/*
 * Functions that the kernels of stream reduction share: they move elements. Built with
 * -DVKR_UNIT_BYTES=1|2|4, the size of the units of which elements consist.
 */
#ifndef VKR_STREAM_GLSL
#define VKR_STREAM_GLSL

#include "../vkreduce/unit.glsl"
#include "../cards/stream.h"

const uint VKR_BLOCK = 1u << VKR_SHIFT;

#include "../vkreduce/wide.glsl"

bool vkr_has(const uint flag)
{
    return (VKR_FLAGS & flag) != 0u;
}

uint vkr_group()
{
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

uint vkr_invocation()
{
    return vkr_group() * VKR_WORKGROUP + gl_LocalInvocationIndex;
}

/* The number of elements of a block whose first one is `first`. */
uint vkr_block_length(const uint first)
{
    return min(push.count - first, VKR_BLOCK);
}

/* Stores element j as entry `at` of the compacted blocks. */
void vkr_store_reduced(const uint at, const uint j)
{
    if (vkr_has(VKR_FLAG_VALUES)) {
        for (uint u = 0u; u < VKR_UNITS; u++)
            vkr_blocks[push.blocks_base + at * VKR_UNITS + u] =
                vkr_source[push.source_base + j * push.source_stride + u];
    }
    if (vkr_has(VKR_FLAG_INDICES))
        vkr_block_indices[push.block_indices_base + at] = j;
}

/* The position of the kept element of a rank: below push.kept_count if there is room for it. */
uint vkr_place(const uint rank)
{
    if (!vkr_has(VKR_FLAG_APPEND))
        return rank;
    uint at = push.record_base + VKR_RECORD_APPEND;
    uvec2 place = vkr_add(uvec2(vkr_record[at], vkr_record[at + 1u]), uvec2(rank, 0u));
    return place.y == 0u ? place.x : ~0u;
}

void vkr_store_index(const uint place, const uint j)
{
    uint to = push.indices_base + place * push.indices_stride;
    uvec2 index = vkr_add(uvec2(push.index_low, push.index_high), uvec2(j, 0u));
    vkr_indices[to] = index.x;
    if (vkr_has(VKR_FLAG_INDICES64))
        vkr_indices[to + 1u] = index.y;
}

/* Stores the number of kept elements: all except `rejected` elements. */
void vkr_store_count(const uint rejected)
{
    uint at = push.record_base + VKR_RECORD_KEPT;
    vkr_record[at] = push.count - rejected;
    vkr_record[at + 1u] = 0u;
}

#endif
