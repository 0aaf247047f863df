/* SPDX-License-Identifier: MIT */
/*
 * Several levels of a pyramid in one dispatch, each of which has exactly half the size of the one
 * below. A workgroup makes two to six levels from a tile of 64 x 64 texels of the source; tiles
 * depend on no others, but those at the right and bottom edge can be smaller. The workgroup of a
 * layer that finishes last makes the other levels, whose sizes may be odd (after FidelityFX SPD).
 *
 * An invocation loads 16 texels before it uses the first. Invocations with consecutive numbers load
 * neighbouring texels, so each makes one texel of level 1 in each quarter of the tile.
 *
 * Built with -DVKR_ELEMENT=VKR_CLASS_F32|W32|S32 and -DVKR_LOADS=VKR_LOADS_2D|ARRAY.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/image_type.glsl"
#include "cards/pyramid_tiles.h"

/* Shared memory has the texels of two levels of a tile, channel by channel. Level 1 consists of
 * four parts, one for each of the texels that become one of level 2; 8 words between them keep
 * these apart from each other in memory banks. */
const uint VKR_PART = 16u * 16u + 8u;
const uint VKR_PLANE = 4u * VKR_PART;
const uint VKR_OTHERS = VKR_PLANE * VKR_CHANNELS; /* levels 2, 4, .. of a tile follow */
const uint VKR_OTHER_PLANE = 16u * 16u;
const uint VKR_SHARED_WORDS = VKR_OTHERS + VKR_OTHER_PLANE * VKR_CHANNELS;
shared uint vkr_shared[VKR_SHARED_WORDS];

#define VKR_MAKES_ALL_LEVELS 1
#include "vkreduce/mips.glsl"

uvec2 vkr_tile; /* of the layer */

/* ---- Level 1 ---- */

struct VkrFour {
    VkrTexel a, b, c, d; /* a and b are neighbours in a row, and so are c and d */
};

VkrTexel vkr_fetch(const uvec3 at)
{
    VkrTexel texel = texelFetch(vkr_source, VKR_POINT(at), VKR_LOD);
    return vkr_choose_channels(texel);
}

/* Loads the four texels of a texel of level 1; for one beyond the edge, those of the last one. */
VkrFour vkr_fetch_four(const uvec2 at)
{
    uvec2 first = 2u * min(at, vkr_size(1u) - 1u);
    uvec3 from = uvec3(push.x, push.y, push.layer + vkr_layer) + uvec3(first, 0u);
    return VkrFour(vkr_fetch(from), vkr_fetch(from + uvec3(1u, 0u, 0u)),
                   vkr_fetch(from + uvec3(0u, 1u, 0u)), vkr_fetch(from + uvec3(1u, 1u, 0u)));
}

uvec4 vkr_codes_of_four(const VkrFour four)
{
#if VKR_ELEMENT == VKR_CLASS_F32
    if (VKR_SAME && !VKR_FLOATS)
        return vkr_codes_of_numbers(four.a, four.b, four.c, four.d);
#endif
    return vkr_combine_four(vkr_codes_of(four.a), vkr_codes_of(four.b), vkr_codes_of(four.c),
                            vkr_codes_of(four.d));
}

/* The texel's position in the tile is `in_tile`. */
void vkr_make_first(const VkrFour four, const uvec2 in_tile)
{
    uvec2 at = 32u * vkr_tile + in_tile;
    uvec4 codes = vkr_codes_of_four(four);
    uvec4 settled = vkr_settled(codes);
    uint part = (in_tile.y & 1u) * 2u + (in_tile.x & 1u);
    uint word = part * VKR_PART + (in_tile.y >> 1) * 16u + (in_tile.x >> 1);
    for (uint c = 0u; c < VKR_CHANNELS; c++)
        vkr_shared[c * VKR_PLANE + word] = settled[c];
    if (all(lessThan(at, vkr_size(1u))))
        imageStore(vkr_level_1, VKR_POINT(uvec3(at, vkr_layer)), vkr_texel_of(codes));
}

void vkr_make_level_1()
{
    uvec2 in_tile = uvec2(gl_LocalInvocationIndex % 16u, gl_LocalInvocationIndex / 16u);
    uvec2 at = 32u * vkr_tile + in_tile;
    VkrFour first = vkr_fetch_four(at);
    VkrFour second = vkr_fetch_four(at + uvec2(16u, 0u));
    VkrFour third = vkr_fetch_four(at + uvec2(0u, 16u));
    VkrFour fourth = vkr_fetch_four(at + uvec2(16u, 16u));
    vkr_make_first(first, in_tile);
    vkr_make_first(second, in_tile + uvec2(16u, 0u));
    vkr_make_first(third, in_tile + uvec2(0u, 16u));
    vkr_make_first(fourth, in_tile + uvec2(16u, 16u));
}

/* ---- The other levels of a tile ---- */

/* Combines four texels in shared memory, whose channels are `plane` words apart. */
uvec4 vkr_combine_shared(const uint first, const uint right, const uint down, const uint plane)
{
    uvec4 a = uvec4(0u), b = uvec4(0u), c = uvec4(0u), d = uvec4(0u);
    for (uint k = 0u; k < VKR_CHANNELS; k++) {
        uint word = first + k * plane;
        a[k] = vkr_shared[word];
        b[k] = vkr_shared[word + right];
        c[k] = vkr_shared[word + down];
        d[k] = vkr_shared[word + down + right];
    }
    return vkr_combine_four(a, b, c, d);
}

/* Keeps the invocation's texel of a level for the next one. Returns whether it is below the
 * edge. */
bool vkr_keep(const uint level, const uvec2 at, const uvec4 codes)
{
    uvec2 size = vkr_size(level);
    bool is_there = all(lessThan(at, size));
    uvec4 settled = vkr_settled(codes);
    uint to = level % 2u == 0u ? VKR_OTHERS : 0u;
    uint plane = level % 2u == 0u ? VKR_OTHER_PLANE : VKR_PLANE;
    for (uint c = 0u; c < VKR_CHANNELS; c++)
        vkr_shared[to + c * plane + gl_LocalInvocationIndex] = settled[c];
    if (is_there && level == push.levels && push.total > level) {
        uint word = vkr_base + (at.y * size.x + at.x) * VKR_CHANNELS;
        for (uint c = 0u; c < VKR_CHANNELS; c++)
            vkr_scratch[word + c] = settled[c];
        memoryBarrierBuffer();
    }
    return is_there;
}

/* Makes level k, which has 2^(6 - k) texels a side of a tile. */
#define VKR_MAKE_LEVEL(k)                                                                          \
    if (push.levels >= uint(k)) {                                                                  \
        const uint side = 64u >> k;                                                                \
        uvec2 in_tile = uvec2(gl_LocalInvocationIndex % side, gl_LocalInvocationIndex / side);     \
        uvec2 at = side * vkr_tile + in_tile;                                                      \
        barrier();                                                                                 \
        if (in_tile.y < side) {                                                                    \
            uvec4 codes = k == 2 ? vkr_combine_shared(gl_LocalInvocationIndex, VKR_PART,           \
                                                      2u * VKR_PART, VKR_PLANE)                    \
                                 : vkr_combine_shared((k % 2 == 0 ? 0u : VKR_OTHERS) +             \
                                                          4u * side * in_tile.y + 2u * in_tile.x,  \
                                                      1u, 2u * side,                               \
                                                      k % 2 == 0 ? VKR_PLANE : VKR_OTHER_PLANE);   \
            if (vkr_keep(uint(k), at, codes))                                                      \
                imageStore(vkr_level_##k, VKR_POINT(uvec3(at, vkr_layer)), vkr_texel_of(codes));   \
        }                                                                                          \
    }

void vkr_make_tile()
{
    vkr_make_level_1();
    VKR_MAKE_LEVEL(2)
    VKR_MAKE_LEVEL(3)
    VKR_MAKE_LEVEL(4)
    VKR_MAKE_LEVEL(5)
    VKR_MAKE_LEVEL(6)
}

/* ---- The other levels of a layer ---- */

void vkr_make_other(const uint level, const uint from, const uint to)
{
    uvec2 size = vkr_size(level);
    uvec2 below = vkr_size(level - 1u);
    vkr_row = below.x;
    for (uint i = gl_LocalInvocationIndex; i < size.x * size.y; i += VKR_WORKGROUP) {
        uvec2 at = uvec2(i % size.x, i / size.x);
        uvec4 codes = vkr_codes_at(from, at, size, below, uvec3(0u));
        uvec4 settled = vkr_settled(codes);
        for (uint c = 0u; c < VKR_CHANNELS; c++)
            vkr_shared[to + i * VKR_CHANNELS + c] = settled[c];
        vkr_store_level(level, 3u, uint(VKR_PYRAMID_MANY), uvec3(at, vkr_layer),
                        vkr_texel_of(codes));
    }
}

/* The tiles' last level is in scratch memory; the others alternate between the start and the end
 * of shared memory, into which two of them fit. */
void vkr_make_other_levels()
{
    uint to = 0u;
    vkr_make_other(push.levels + 1u, VKR_FROM_SCRATCH, to);
    for (uint k = push.levels + 2u; k <= push.total; k++) {
        vkr_shared_base = to;
        to = to == 0u ? VKR_SHARED_WORDS - vkr_words(k) : 0u;
        barrier();
        vkr_make_other(k, VKR_FROM_SHARED, to);
    }
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    vkr_layer = group / push.tiles;
    uint tile = group - vkr_layer * push.tiles;
    vkr_tile = uvec2(tile % push.tiles_x, tile / push.tiles_x);
    vkr_base = push.scratch_base + vkr_layer * vkr_words(push.levels);
    vkr_make_tile();
    if (push.total > push.levels && vkr_is_last())
        vkr_make_other_levels();
}
