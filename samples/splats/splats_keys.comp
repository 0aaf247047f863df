/* SPDX-License-Identifier: MIT */
/* The key of each pair of a tile and a splat that is seen in it: the tile, and the depth so that
 * the farthest splat comes first. The library has found which splat a pair is of, and which number
 * it has among those of the splat. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "splats.h"

layout(local_size_x = KEYS_GROUP) in;
layout(binding = TILE_KEYS) readonly buffer Keys { uint keys[]; };
layout(binding = TILE_BOXES) readonly buffer Boxes { Box boxes[]; };
layout(binding = TILE_SOURCES) readonly buffer Sources { uint sources[]; };
layout(binding = TILE_RANKS) readonly buffer Ranks { uint ranks[]; };
layout(binding = TILE_NUMBERS) readonly buffer Numbers_ { Numbers numbers; };
layout(binding = TILE_PAIRS) writeonly buffer Pairs { uint pairs[]; };

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint i = group * KEYS_GROUP + gl_LocalInvocationIndex;
    if (i >= numbers.stored)
        return;
    Box box = boxes[sources[i]];
    uint rank = ranks[i];
    uint tile = box.first + rank / box.wide * TILES_X + rank % box.wide;
    uint depth = keys[sources[i]] >> KEY_BEGIN & DEPTHS;
    pairs[i] = tile << DEPTH_BITS | (DEPTHS - depth);
}
