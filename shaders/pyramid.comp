/* SPDX-License-Identifier: MIT */
/*
 * One level of a pyramid from the one below it, or from the source: an invocation for each texel.
 *
 * Built with -DVKR_ELEMENT=VKR_CLASS_F32|W32|S32 and -DVKR_LOADS=VKR_LOADS_2D|ARRAY.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#define VKR_GLSL
#include "interface.h"
#include "vkreduce/footprint.glsl"

layout(set = 0, binding = VKR_PYRAMID_SOURCE) uniform VKR_IMAGE_OF(VKR_SHAPE) vkr_source;
layout(set = 0, binding = VKR_PYRAMID_LEVEL) writeonly uniform VKR_LEVEL_OF(VKR_SHAPE) vkr_level;

layout(push_constant) uniform VkrPush
{
    vkr_pyramid_push push;
};

uvec4 vkr_load(const uvec3 at)
{
    VKR_TEXEL texel = texelFetch(vkr_source, VKR_POINT(at), int(push.lod));
    return vkr_codes_of(vkr_choose_channels(texel, push.paired != 0u));
}

/* Row by row. CPU drivers have one load in loops that they leave as they are; others have nine, of
 * which those past a count are done in vain, in loops that they unroll. */
uvec4 vkr_load_any(const uvec3 first, const VkrFootprint x, const VkrFootprint y)
{
    VkrSum sum = vkr_nothing();
    for (uint j = 0u; j < (VKR_ROLLED ? y.count : 3u); j++) {
        VkrSum row = vkr_nothing();
        for (uint k = 0u; k < (VKR_ROLLED ? x.count : 3u); k++) {
            uvec3 at = first + uvec3(min(k, x.count - 1u), min(j, y.count - 1u), 0u);
            VkrSum more = vkr_combine(row, vkr_sum_of(vkr_load(at)), x, k);
            if (VKR_ROLLED || k < x.count)
                row = more;
        }
        VkrSum more = vkr_combine(sum, row, y, j);
        if (VKR_ROLLED || j < y.count)
            sum = more;
    }
    return vkr_codes_of_sum(sum, x.total * y.total);
}

uvec4 vkr_codes_at(const uvec2 at, const uvec3 origin)
{
    VkrFootprint x = vkr_footprint(at.x, push.level_width, push.width);
    VkrFootprint y = vkr_footprint(at.y, push.level_height, push.height);
    uvec3 first = origin + uvec3(x.first, y.first, 0u);
    if (!VKR_HALVES)
        return vkr_load_any(first, x, y);
    return vkr_combine_four(vkr_load(first), vkr_load(first + uvec3(1u, 0u, 0u)),
                            vkr_load(first + uvec3(0u, 1u, 0u)),
                            vkr_load(first + uvec3(1u, 1u, 0u)));
}

void main()
{
    const uint tile_height = VKR_WORKGROUP / VKR_PYRAMID_TILE_WIDTH;
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint layer = group / push.tiles;
    uint tile = group - layer * push.tiles;
    uint tile_y = tile / push.tiles_x;
    uint lane = gl_LocalInvocationIndex;
    uvec2 at = uvec2((tile - tile_y * push.tiles_x) * VKR_PYRAMID_TILE_WIDTH +
                         lane % VKR_PYRAMID_TILE_WIDTH,
                     tile_y * tile_height + lane / VKR_PYRAMID_TILE_WIDTH);
    if (group >= push.groups || at.x >= push.level_width || at.y >= push.level_height)
        return;
    uvec4 codes = vkr_codes_at(at, uvec3(push.x, push.y, push.layer + layer));
    imageStore(vkr_level, VKR_POINT(uvec3(at, layer)), vkr_texel_of(codes));
}
