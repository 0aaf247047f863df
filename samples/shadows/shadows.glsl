/* SPDX-License-Identifier: MIT */
/* What the shaders and the library's functions of the sample shadows have in common. */

/* The point that a pixel shows. */
vec3 point_of(View v, uvec2 pixel, float depth)
{
    vec2 across = (vec2(pixel) + 0.5 - 0.5 * vec2(WIDTH, HEIGHT)) / FOCAL;
    vec3 along = v.ahead.xyz + across.x * v.right.xyz + across.y * v.down.xyz;
    return v.eye.xyz + NEAR / (1.0 - depth) * along;
}

vec3 in_light(View v, vec3 p)
{
    return vec3(dot(v.light_x.xyz, p), dot(v.light_y.xyz, p), dot(v.light_z.xyz, p));
}

int cascade_of(Cascades c, float depth)
{
    return int(depth >= c.splits[1]) + int(depth >= c.splits[2]) + int(depth >= c.splits[3]);
}

/* The lengths of a texel of the map that shows a box. */
vec2 texel_of(vec4 box)
{
    return max(-box.zw - box.xy, 0.01) / float(MAP_SIDE - 2 * MARGIN);
}

/* A point in the map that shows a box: texels, and a depth. */
vec3 place_of(View v, vec4 box, vec3 light)
{
    vec2 range = v.light_range.xy;
    return vec3((light.xy - box.xy) / texel_of(box) + float(MARGIN),
                (light.z - range.x) / (range.y - range.x));
}
