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

uvec4 vkr_below(const uint from, const uvec3 at)
{
    VKR_TEXEL texel = texelFetch(vkr_source, VKR_POINT(at), int(push.lod));
    return vkr_codes_of(vkr_choose_channels(texel, push.paired != 0u));
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
    uvec4 codes =
        vkr_codes_at(0u, at, uvec2(push.level_width, push.level_height),
                     uvec2(push.width, push.height), uvec3(push.x, push.y, push.layer + layer));
    imageStore(vkr_level, VKR_POINT(uvec3(at, layer)), vkr_texel_of(codes));
}
