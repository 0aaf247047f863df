/* SPDX-License-Identifier: MIT */
/*
 * Several levels of a pyramid in one dispatch. A workgroup has a tile of the source of 2^VKR_TILE
 * texels a side, and the texels of all levels above it; the last tile of a row or a column has the
 * rest. At odd sizes, texels at a tile's end cover some texels of the next tile; the workgroup
 * makes these too, without storing them, so workgroups of the first levels are independent. With
 * VKR_LEVELS == VKR_PYRAMID_MANY the workgroup of a layer that finishes last continues with the
 * whole layer.
 *
 * Built with -DVKR_ELEMENT=VKR_CLASS_F32|W32|S32, -DVKR_LOADS=VKR_LOADS_2D|ARRAY and
 * -DVKR_LEVELS=VKR_PYRAMID_FEW|MANY.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/image_type.glsl"
#include "cards/pyramid_tiles.h"
#include "vkreduce/footprint.glsl"

#define VKR_MAKES_ALL_LEVELS (VKR_LEVELS == VKR_PYRAMID_MANY)

/* Sides in shared memory of levels 1, 3, .. and of the other levels: a tile with the additional
 * texels is less than two tiles a side. */
const uint VKR_SIDE = (1u << VKR_TILE) - 1u;
const uint VKR_OTHER_SIDE = (1u << (VKR_TILE - 1u)) - 1u;
const uint VKR_OTHERS = VKR_SIDE * VKR_SIDE * VKR_CHANNELS;
shared uint vkr_shared[VKR_OTHERS + VKR_OTHER_SIDE * VKR_OTHER_SIDE * VKR_CHANNELS];

#include "vkreduce/mips.glsl"

uvec2 vkr_tile;      /* of the layer */
uvec2 vkr_last_tile; /* of a row and of a column */

/* ---- Sizes ---- */

/* The tile's first texel in a level, and the end of its texels. */
uvec2 vkr_begin(const uint level)
{
    return vkr_tile << (VKR_TILE - level);
}

uvec2 vkr_end(const uint level)
{
    return mix((vkr_tile + 1u) << (VKR_TILE - level), vkr_size(level),
               equal(vkr_tile, vkr_last_tile));
}

/* The end of the texels that its texels of higher levels need. */
uvec2 vkr_needed_end(const uint level)
{
    uvec2 end = vkr_end(push.levels);
    for (uint k = push.levels; k > level; k--) {
        uvec2 below = vkr_size(k - 1u);
        end = max(vkr_end(k - 1u), min(below, 2u * end + (below & 1u)));
    }
    return end;
}

/* ---- A tile ---- */

/* Makes the tile's texels of a level, and those of neighbours that it needs. */
void vkr_make_level(const uint level, const uint from, const uvec3 origin)
{
    uvec2 begin = vkr_begin(level);
    uvec2 end = vkr_end(level);
    uvec2 extent = vkr_needed_end(level) - begin;
    uint to = level % 2u == 0u ? VKR_OTHERS : 0u;
    for (uint i = gl_LocalInvocationIndex; i < extent.x * extent.y; i += VKR_WORKGROUP) {
        uvec2 at = begin + uvec2(i % extent.x, i / extent.x);
        uvec4 codes = vkr_codes_at(from, at, vkr_size(level), vkr_size(level - 1u), origin);
        uvec4 settled = vkr_settled(codes);
        bool owned = all(lessThan(at, end));
        for (uint c = 0u; c < VKR_CHANNELS && level < push.levels; c++)
            vkr_shared[to + i * VKR_CHANNELS + c] = settled[c];
        if (owned)
            vkr_store_level(level, from == VKR_FROM_SOURCE ? 1u : 2u, VKR_TILE,
                            uvec3(at, vkr_layer), vkr_texel_of(codes));
#if VKR_MAKES_ALL_LEVELS
        uint word = vkr_base + (at.y * vkr_size(level).x + at.x) * VKR_CHANNELS;
        for (uint c = 0u; c < VKR_CHANNELS && owned && level == push.levels &&
                          push.total > level; c++)
            vkr_scratch[word + c] = settled[c];
#endif
    }
    vkr_row = extent.x;
}

void vkr_make_tile()
{
    vkr_make_level(1u, VKR_FROM_SOURCE, uvec3(push.x, push.y, push.layer + vkr_layer));
    for (uint k = 2u; k <= push.levels; k++) {
        /* Positions in shared memory count from the tile's first texel. */
        uvec3 origin = uvec3(0u - vkr_begin(k - 1u), 0u);
        vkr_shared_base = k % 2u == 0u ? 0u : VKR_OTHERS;
        barrier();
        vkr_make_level(k, VKR_FROM_SHARED, origin);
    }
}

/* ---- The other levels of a layer ---- */

#if VKR_MAKES_ALL_LEVELS
/* Two levels alternate in scratch memory. If there are other levels, a tile has VKR_TILE ones. */
void vkr_make_other_levels()
{
    uint to = vkr_base + vkr_words(push.levels);
    for (uint k = push.levels + 1u; k <= push.total; k++) {
        uvec2 size = vkr_size(k);
        vkr_row = vkr_size(k - 1u).x;
        for (uint i = gl_LocalInvocationIndex; i < size.x * size.y; i += VKR_WORKGROUP) {
            uvec2 at = uvec2(i % size.x, i / size.x);
            uvec4 codes = vkr_codes_at(VKR_FROM_SCRATCH, at, size, vkr_size(k - 1u), uvec3(0u));
            uvec4 settled = vkr_settled(codes);
            for (uint c = 0u; c < VKR_CHANNELS; c++)
                vkr_scratch[to + i * VKR_CHANNELS + c] = settled[c];
            vkr_store_level(k, VKR_TILE + 1u, uint(VKR_PYRAMID_MANY), uvec3(at, vkr_layer),
                            vkr_texel_of(codes));
        }
        uint next = vkr_base;
        vkr_base = to;
        to = next;
        memoryBarrierBuffer();
        barrier();
    }
}
#endif

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    vkr_layer = group / push.tiles;
    uint tile = group - vkr_layer * push.tiles;
    vkr_tile = uvec2(tile % push.tiles_x, tile / push.tiles_x);
    vkr_last_tile = uvec2(push.tiles_x, push.tiles / push.tiles_x) - 1u;
    vkr_base = 0u;
#if VKR_MAKES_ALL_LEVELS
    if (push.total > push.levels)
        vkr_base = push.scratch_base +
                   vkr_layer * (vkr_words(push.levels) + vkr_words(push.levels + 1u));
#endif
    vkr_make_tile();
#if VKR_MAKES_ALL_LEVELS
    if (push.total > push.levels) {
        memoryBarrierBuffer();
        if (vkr_is_last())
            vkr_make_other_levels();
    }
#endif
}
