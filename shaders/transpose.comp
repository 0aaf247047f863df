/* SPDX-License-Identifier: MIT */
/*
 * Transposes a matrix: element c of row r becomes element r of row c. Loads and stores are both of
 * elements that lie beside each other; in between, shared memory holds a tile, with a gap after
 * every VKR_TRANSPOSE_RUN elements, so that those of a column are in different banks. CPUs, whose
 * caches hold a tile anyway, move elements directly. Built with -DVKR_UNIT_BYTES=1|2|4|8.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/transpose.h"

#include "vkreduce/all.glsl"

#if VKR_UNIT_BYTES <= 4
#define VkrMoved uint /* smaller integers are for storage only */
#else
#define VkrMoved VkrUnit
#endif

const bool VKR_TO_COLUMNS = (VKR_FLAGS & VKR_FLAG_TARGET) != 0u;
const uint VKR_STEP = VKR_TRANSPOSE_BATCH * VKR_WORKGROUP;

shared VkrMoved vkr_tile[VKR_TRANSPOSE_TILE + VKR_TRANSPOSE_TILE / VKR_TRANSPOSE_RUN];

uint vkr_place_in_tile(const uint at)
{
    return at + at / VKR_TRANSPOSE_RUN;
}

VkrMoved vkr_pad()
{
#if VKR_UNIT_BYTES == 8
    return VkrMoved(uvec2(push.pad_low, push.pad_high));
#else
    return push.pad_low;
#endif
}

/* Loads an element of the source, of which the dispatch has those from `begin` on. */
VkrMoved vkr_load(const uvec2 cell, const uint begin, const uint all)
{
    uint from = cell.y * push.columns + cell.x;
    bool exists = cell.y < push.rows && cell.x < push.columns && (VKR_TO_COLUMNS || from < all);
    uint item = exists ? push.source_base + (from - begin) * push.source_stride : 0u;
    VkrMoved moved = vkr_pad();
    if (exists)
        moved = VkrMoved(vkr_source[item]);
    return moved;
}

void vkr_store(const uvec2 cell, const uint all, const VkrMoved moved)
{
    uint to = cell.x * push.rows + cell.y;
    bool exists = cell.y < push.rows && cell.x < push.columns && (!VKR_TO_COLUMNS || to < all);
    uint at = to - push.target_first;
    if (exists && at < push.target_count)
        vkr_target[push.target_base + at * push.target_stride] = VkrUnit(moved);
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    uint all = vkr_all_elements();
    uint high = push.height_log2;
    uint wide = VKR_TRANSPOSE_TILE_LOG2 - high;
    uvec2 mask = uvec2((1u << wide) - 1u, (1u << high) - 1u);
    uint band = group / push.tiles;
    uvec2 tile = uvec2(push.first_tile + group - band * push.tiles, push.first_band + band);
    uvec2 first = uvec2(tile.x << wide, tile.y << high);
    uint begin = (push.first_band << high) * push.columns + push.first_tile * push.apart;
    VkrMoved moved[VKR_TRANSPOSE_BATCH];
    if ((VKR_FLAGS & VKR_FLAG_DIRECT) != 0u) {
        for (uint i = gl_LocalInvocationIndex; i < VKR_TRANSPOSE_TILE; i += VKR_STEP) {
            [[unroll]] for (uint b = 0u; b < VKR_TRANSPOSE_BATCH; b++) {
                uint at = i + b * VKR_WORKGROUP;
                moved[b] = vkr_load(first + uvec2(at >> high, at & mask.y), begin, all);
            }
            [[unroll]] for (uint b = 0u; b < VKR_TRANSPOSE_BATCH; b++) {
                uint at = i + b * VKR_WORKGROUP;
                vkr_store(first + uvec2(at >> high, at & mask.y), all, moved[b]);
            }
        }
        return;
    }
    for (uint i = gl_LocalInvocationIndex; i < VKR_TRANSPOSE_TILE; i += VKR_STEP) {
        [[unroll]] for (uint b = 0u; b < VKR_TRANSPOSE_BATCH; b++) {
            uint at = i + b * VKR_WORKGROUP;
            moved[b] = vkr_load(first + uvec2(at & mask.x, at >> wide), begin, all);
        }
        [[unroll]] for (uint b = 0u; b < VKR_TRANSPOSE_BATCH; b++)
            vkr_tile[vkr_place_in_tile(i + b * VKR_WORKGROUP)] = moved[b];
    }
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < VKR_TRANSPOSE_TILE; i += VKR_WORKGROUP) {
        uvec2 cell = uvec2(i >> high, i & mask.y);
        vkr_store(first + cell, all, vkr_tile[vkr_place_in_tile(cell.y << wide | cell.x)]);
    }
}
