/* SPDX-License-Identifier: MIT */
/*
 * Transposes a matrix: element c of row r becomes element r of row c. Loads and stores are both of
 * elements that lie beside each other; in between, shared memory holds a tile, with a gap after
 * every VKR_TRANSPOSE_RUN elements, so that those of a column are in different banks. Built with
 * -DVKR_UNIT_BYTES=1|2|4|8.
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

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    bool to_rows = (VKR_FLAGS & VKR_FLAG_TARGET) != 0u;
    uint all = vkr_all_elements();
    uint high = push.height_log2;
    uint wide = VKR_TRANSPOSE_TILE_LOG2 - high;
    uint height = 1u << high;
    uint width = 1u << wide;
    uint band = group / push.tiles;
    uint tile = group - band * push.tiles;
    uint row = (push.first_band + band) * height;
    uint column = (push.first_tile + tile) * width;
    uint begin = push.first_band * height * push.columns + push.first_tile * push.apart;
    for (uint i = gl_LocalInvocationIndex; i < VKR_TRANSPOSE_TILE;
         i += VKR_TRANSPOSE_BATCH * VKR_WORKGROUP) {
        VkrMoved moved[VKR_TRANSPOSE_BATCH];
        [[unroll]] for (uint b = 0u; b < VKR_TRANSPOSE_BATCH; b++) {
            uint at = i + b * VKR_WORKGROUP;
            uint r = row + (at >> wide);
            uint c = column + (at & width - 1u);
            uint from = r * push.columns + c;
            bool exists = at < VKR_TRANSPOSE_TILE && r < push.rows && c < push.columns;
            exists = exists && (to_rows || from < all);
            uint item = exists ? push.source_base + (from - begin) * push.source_stride : 0u;
            moved[b] = vkr_pad();
            if (exists)
                moved[b] = VkrMoved(vkr_source[item]);
        }
        [[unroll]] for (uint b = 0u; b < VKR_TRANSPOSE_BATCH; b++) {
            uint at = i + b * VKR_WORKGROUP;
            if (at < VKR_TRANSPOSE_TILE)
                vkr_tile[vkr_place_in_tile(at)] = moved[b];
        }
    }
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < VKR_TRANSPOSE_TILE; i += VKR_WORKGROUP) {
        uint r = row + (i & height - 1u);
        uint c = column + (i >> high);
        uint to = c * push.rows + r;
        bool is_stored = r < push.rows && c < push.columns && (!to_rows || to < all);
        uint at = to - push.target_first;
        if (is_stored && at < push.target_count)
            vkr_target[push.target_base + at * push.target_stride] =
                VkrUnit(vkr_tile[vkr_place_in_tile((i & height - 1u) << wide | i >> high)]);
    }
}
