/* SPDX-License-Identifier: MIT */
/* What the shaders and the library's functions of the sample shadows have in common. SET is the
 * number of their descriptor set. */
layout(set = SET, binding = 0, std430) readonly buffer Views { View view; };
layout(set = SET, binding = 1, std430) readonly buffer AllCascades { Cascades cascades[2]; };

/* The point that a pixel shows. */
vec3 point_of(uvec2 pixel, float depth)
{
    vec2 across = (vec2(pixel) + 0.5 - 0.5 * vec2(WIDTH, HEIGHT)) / FOCAL;
    vec3 along = view.ahead.xyz + across.x * view.right.xyz + across.y * view.down.xyz;
    return view.eye.xyz + NEAR / (1.0 - depth) * along;
}

vec3 in_light(vec3 p)
{
    return vec3(dot(view.light_x.xyz, p), dot(view.light_y.xyz, p), dot(view.light_z.xyz, p));
}

int cascade_of(uint kind, float depth)
{
    return int(depth >= cascades[kind].splits[1]) + int(depth >= cascades[kind].splits[2]) +
           int(depth >= cascades[kind].splits[3]);
}

/* The lengths of a texel of the map that shows a box. */
vec2 texel_of(vec4 box)
{
    return max(-box.zw - box.xy, 0.01) / float(MAP_SIDE - 2 * MARGIN);
}

/* A point in the map that shows a box: texels, and a depth. */
vec3 place_of(vec4 box, vec3 light)
{
    vec2 range = view.light_range.xy;
    return vec3((light.xy - box.xy) / texel_of(box) + float(MARGIN),
                (light.z - range.x) / (range.y - range.x));
}
