/* SPDX-License-Identifier: MIT */
/*
 * What the kernels of stream reduction share: constants, bindings, and how an element moves. Built
 * with -DVKR_UNIT_BYTES=1|2|4, the size of the units that elements consist of.
 */
#ifndef VKR_STREAM_GLSL
#define VKR_STREAM_GLSL

layout(local_size_x_id = VKR_CONST_WORKGROUP) in;
layout(constant_id = VKR_CONST_WORKGROUP) const uint VKR_WORKGROUP = 64;
layout(constant_id = VKR_STREAM_UNITS) const uint VKR_UNITS = 1;
layout(constant_id = VKR_STREAM_FLAGS) const uint VKR_FLAGS = 0;
layout(constant_id = VKR_STREAM_SHIFT) const uint VKR_SHIFT = 6;
const uint VKR_BLOCK = 1u << VKR_SHIFT;

#if VKR_UNIT_BYTES == 1
#extension GL_EXT_shader_8bit_storage : require
#define VkrUnit uint8_t
#elif VKR_UNIT_BYTES == 2
#extension GL_EXT_shader_16bit_storage : require
#define VkrUnit uint16_t
#else
#define VkrUnit uint
#endif

layout(set = 0, binding = VKR_STREAM_SOURCE, std430) buffer VkrSource
{
    VkrUnit vkr_source[];
};

layout(set = 0, binding = VKR_STREAM_SUMS, std430) buffer VkrSums
{
    uint vkr_sums[];
};

layout(set = 0, binding = VKR_STREAM_BLOCKS, std430) buffer VkrBlocks
{
    VkrUnit vkr_blocks[];
};

layout(set = 0, binding = VKR_STREAM_BLOCK_INDICES, std430) buffer VkrBlockIndices
{
    uint vkr_block_indices[];
};

layout(set = 0, binding = VKR_STREAM_KEPT, std430) buffer VkrKept
{
    VkrUnit vkr_kept[];
};

layout(set = 0, binding = VKR_STREAM_INDICES, std430) buffer VkrIndices
{
    uint vkr_indices[];
};

layout(set = 0, binding = VKR_STREAM_RECORD, std430) buffer VkrRecord
{
    uint vkr_record[];
};

layout(push_constant) uniform VkrPush
{
    vkr_stream_push push;
};

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

/* Stores element j as entry `at` of the reduced blocks. */
void vkr_store_reduced(const uint at, const uint j)
{
    if (vkr_has(VKR_STREAM_VALUES)) {
        for (uint u = 0u; u < VKR_UNITS; u++)
            vkr_blocks[push.blocks_base + at * VKR_UNITS + u] =
                vkr_source[push.source_base + j * push.source_stride + u];
    }
    if (vkr_has(VKR_STREAM_INDICES_BIT))
        vkr_block_indices[push.block_indices_base + at] = j;
}

/* Where the kept element of a rank goes: below push.kept_count where there is room for it. */
uint vkr_place(const uint rank)
{
    if (!vkr_has(VKR_STREAM_APPEND))
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
    if (vkr_has(VKR_STREAM_INDICES64))
        vkr_indices[to + 1u] = index.y;
}

/* Stores the number of kept elements, of which `rejected` of all elements are not one. */
void vkr_store_count(const uint rejected)
{
    uint at = push.record_base + VKR_RECORD_KEPT;
    vkr_record[at] = push.count - rejected;
    vkr_record[at + 1u] = 0u;
}

#endif
