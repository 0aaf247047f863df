/* SPDX-License-Identifier: MIT */
/* The corners and the sides of solids. */
#include "../common/box.glsl"

vec3 corner_of(Solid s, int i)
{
    bool top = (i & 2) != 0;
    vec2 share = top ? vec2(s.size.w, s.colour.w) : vec2(1.0);
    vec2 from = vec2((i & 1) != 0 ? 1.0 : -1.0, (i & 4) != 0 ? 1.0 : -1.0) * s.size.xz * share;
    float c = cos(s.place.w), d = sin(s.place.w);
    return s.place.xyz + vec3(c * from.x + d * from.y, top ? s.size.y : 0.0,
                              c * from.y - d * from.x);
}

/* The normal of a side, which points out of the solid. The diagonals are there even if two corners
 * of the side are one. */
vec3 normal_of(Solid s, int side)
{
    vec3 first = corner_of(s, corner_of_side(side, 0));
    vec3 n = cross(corner_of(s, corner_of_side(side, 3)) - first,
                   corner_of(s, corner_of_side(side, 2)) - corner_of(s, corner_of_side(side, 1)));
    vec3 middle = s.place.xyz + vec3(0.0, 0.5 * s.size.y, 0.0);
    return normalize(dot(n, first - middle) < 0.0 ? -n : n);
}
