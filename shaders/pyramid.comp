/* SPDX-License-Identifier: MIT */
/*
 * One level of a pyramid from the one below it, or from the source: one invocation for each texel
 * or, if built with -DVKR_RUNS, for several texels of a row. These are separate modules, since
 * SwiftShader takes minutes to compile the loop, even if it is never reached.
 *
 * Built with -DVKR_ELEMENT=VKR_CLASS_F32|W32|S32 and -DVKR_LOADS=VKR_LOADS_2D|ARRAY.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/image_type.glsl"
#include "cards/pyramid.h"
#include "vkreduce/footprint.glsl"

VkrTexel vkr_fetch(const uvec3 at)
{
    VkrTexel texel = texelFetch(vkr_source, VKR_POINT(at), VKR_LOD);
    return vkr_choose_channels(texel);
}

uvec4 vkr_below(const uint from, const uvec3 at)
{
    return vkr_codes_of(vkr_fetch(at));
}

VkrTexel vkr_make(const uvec2 at, const uvec3 origin)
{
#if VKR_ELEMENT == VKR_CLASS_F32
    if (VKR_HALVES && VKR_SAME && !VKR_FLOATS) {
        uvec3 first = origin + uvec3(2u * at, 0u);
        return vkr_combine_numbers(vkr_fetch(first), vkr_fetch(first + uvec3(1u, 0u, 0u)),
                                   vkr_fetch(first + uvec3(0u, 1u, 0u)),
                                   vkr_fetch(first + uvec3(1u, 1u, 0u)));
    }
#endif
    return vkr_texel_of(vkr_codes_at(0u, at, uvec2(push.level_width, push.level_height),
                                     uvec2(push.width, push.height), origin));
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint layer = group / push.tiles;
    uint tile = group - layer * push.tiles;
    uint tile_y = tile / push.tiles_x;
    uint lane = gl_LocalInvocationIndex;
    uvec2 at = uvec2((tile - tile_y * push.tiles_x) * (VKR_WIDTH * VKR_RUN) + lane % VKR_WIDTH,
                     tile_y * (VKR_WORKGROUP / VKR_WIDTH) + lane / VKR_WIDTH);
    if (group >= push.groups || at.x >= push.level_width || at.y >= push.level_height)
        return;
    uvec3 origin = uvec3(push.x, push.y, push.layer + layer);
#ifdef VKR_RUNS
    uint end = min(push.level_width, at.x + VKR_WIDTH * VKR_RUN);
    for (; at.x < end; at.x += VKR_WIDTH)
#endif
        imageStore(vkr_level, VKR_POINT(uvec3(at, layer)), vkr_make(at, origin));
}
