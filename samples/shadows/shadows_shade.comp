/* SPDX-License-Identifier: MIT */
/* Shades the picture: sunlight where no shadow map says otherwise, and light from the sky. */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#include "shadows.h"
#define SET 0
#include "shadows.glsl"
#include "solids.glsl"

layout(local_size_x = LOCAL_SIDE, local_size_y = LOCAL_SIDE) in;
layout(binding = 2) uniform texture2D depths;
layout(binding = 3, std430) readonly buffer Solids { Solid solids[]; };
layout(binding = 4) uniform utexture2D faces;
layout(binding = 5, rgba8) uniform writeonly image2D target;
layout(binding = 6) uniform texture2D map0;
layout(binding = 7) uniform texture2D map1;
layout(binding = 8) uniform texture2D map2;
layout(binding = 9) uniform texture2D map3;
layout(push_constant) uniform Turns { Turn turn; };

#define BIAS 0.03 /* metres */

const vec3 haze_colour = vec3(0.50, 0.62, 0.80);

float in_map(int cascade, ivec2 at)
{
    switch (cascade) {
    case 0: return texelFetch(map0, at, 0).x;
    case 1: return texelFetch(map1, at, 0).x;
    case 2: return texelFetch(map2, at, 0).x;
    default: return texelFetch(map3, at, 0).x;
    }
}

/* The share of the sun's light that reaches a point: the map is compared, at the four nearest
 * texels, with the depths that the point's plane has there. */
float sunlight(vec3 p, vec3 normal, int cascade)
{
    vec4 box = cascades[turn.kind].boxes[cascade];
    vec2 range = view.light_range.xy;
    vec3 place = place_of(box, in_light(p)), n = in_light(normal);
    vec2 slope = -n.xy / n.z * texel_of(box) / (range.y - range.x); /* for each texel */
    vec2 first = floor(place.xy - 0.5), share = place.xy - 0.5 - first;
    float light = 0.0;
    for (int i = 0; i < 4; i++) {
        ivec2 step = ivec2(i & 1, i >> 1);
        ivec2 at = ivec2(first) + step;
        float depth = place.z + dot(slope, vec2(at) + 0.5 - place.xy);
        vec2 weight = mix(1.0 - share, share, vec2(step));
        if (in_map(cascade, at) >= depth - BIAS / (range.y - range.x))
            light += weight.x * weight.y;
    }
    return light;
}

vec3 shade(uvec2 pixel, float depth, uint face)
{
    Solid s = solids[face / 8u];
    vec3 normal = normal_of(s, int(face % 8u)), p = point_of(pixel, depth);
    float facing = -dot(normal, view.light_z.xyz);
    if (facing > 0.0)
        facing *= sunlight(p, normal, cascade_of(turn.kind, depth));
    vec3 light = max(facing, 0.0) * vec3(1.25, 1.1, 0.85);
    light += mix(vec3(0.16, 0.15, 0.15), vec3(0.22, 0.27, 0.36), 0.5 + 0.5 * normal.y);
    float haze = exp(-NEAR / (1.0 - depth) / 900.0);
    return mix(haze_colour, s.colour.rgb * light, haze);
}

void main()
{
    uvec2 pixel = gl_GlobalInvocationID.xy;
    if (pixel.x >= uint(WIDTH) || pixel.y >= uint(HEIGHT))
        return;
    float depth = texelFetch(depths, ivec2(pixel), 0).x;
    vec3 colour = mix(vec3(0.16, 0.33, 0.66), haze_colour, float(pixel.y) / HEIGHT * 1.6);
    if (depth < 1.0)
        colour = shade(pixel, depth, texelFetch(faces, ivec2(pixel), 0).x - 1u);
    imageStore(target, ivec2(pixel), vec4(pow(min(colour, 1.0), vec3(1.0 / 2.2)), 1.0));
}
