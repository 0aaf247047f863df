/* SPDX-License-Identifier: MIT */
/* The splats of a tile at a pixel, blended under each other from the nearest one on, until what is
 * behind them hardly shows through. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "splats.h"
#include "splats_colour.glsl"

layout(binding = TILE_OUTLINES) readonly buffer Outlines { Outline outlines[]; };
layout(binding = TILE_STARTS) readonly buffer Starts { uint starts[]; };
layout(binding = TILE_LISTED) readonly buffer Listed { uint listed[]; };
layout(location = 0) out vec4 blended;

void main()
{
    uvec2 tile = uvec2(gl_FragCoord.xy) / TILE;
    uint number = tile.y * TILES_X + tile.x;
    uint first = starts[number];
    vec4 sum = vec4(0.0);
    for (uint i = starts[number + 1u]; i > first && sum.a < OPAQUE; i--) {
        Outline o = outlines[listed[i - 1u]];
        vec4 colour = colour_at(gl_FragCoord.xy, o.colour, o.middle,
                                vec3(1.0 / o.width, o.shear, 1.0 / o.height));
        sum += (1.0 - sum.a) * colour;
    }
    blended = sum;
}
