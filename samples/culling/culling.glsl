/* SPDX-License-Identifier: MIT */
/* The test of bounding spheres. SET is the descriptor set that has everything. */
#extension GL_EXT_samplerless_texture_functions : require
#include "culling.h"

layout(set = SET, binding = SPHERES) readonly buffer Spheres { vec4 spheres[]; };
layout(set = SET, binding = VIEWS) uniform Views { View view; };
layout(set = SET, binding = PYRAMID) uniform texture2D pyramid; /* minima and maxima; level 1 */

#define SLACK 1e-6 /* of a depth that was rounded when it was drawn */

/* The least and the greatest depth of the texels of a level over some pixels. */
vec2 depths_over(ivec4 pixels, int level)
{
    ivec4 at = pixels >> level;
    vec2 range = vec2(1.0, 0.0);
    for (int y = at.y; y <= at.w; y++)
        for (int x = at.x; x <= at.z; x++) {
            vec2 texel = texelFetch(pyramid, ivec2(x, y), level - 1).xy;
            range = vec2(min(range.x, texel.x), max(range.y, texel.y));
        }
    return range;
}

/* The pixels that a sphere before the near plane can touch: its box, seen from the camera, is
 * between the distances nearest and farthest. */
ivec4 pixels_of(vec2 middle, float radius, float nearest, float farthest)
{
    vec2 low = middle - radius, high = middle + radius;
    low /= vec2(low.x < 0.0 ? nearest : farthest, low.y < 0.0 ? nearest : farthest);
    high /= vec2(high.x > 0.0 ? nearest : farthest, high.y > 0.0 ? nearest : farthest);
    vec4 ends = vec4(low, high) * vec2(FOCAL_X, FOCAL_Y).xyxy;
    vec2 size = vec2(WIDTH, HEIGHT);
    vec4 pixels = (clamp(ends, -1.0, 1.0) * 0.5 + 0.5) * size.xyxy;
    return ivec4(max(ivec2(pixels.xy) - 1, 0), min(ivec2(pixels.zw) + 1, ivec2(size) - 1));
}

bool is_in_frustum(vec3 middle, float radius)
{
    const vec2 slope = vec2(FOCAL_X, FOCAL_Y);
    vec2 outside = (abs(middle.xy) * slope - middle.z) * inversesqrt(slope * slope + 1.0);
    return middle.z + radius > NEAR && max(outside.x, outside.y) < radius;
}

/* Whether a bounding sphere may be seen: a part of it is in the frustum, and not behind everything
 * that has been drawn there. A coarse level decides most cases, and a finer one the others. */
bool may_be_seen(vec4 sphere)
{
    vec3 from_eye = sphere.xyz - view.eye.xyz;
    vec3 middle = vec3(dot(view.right.xyz, from_eye), dot(view.down.xyz, from_eye),
                       dot(view.ahead.xyz, from_eye));
    float radius = sphere.w, nearest = middle.z - radius;
    if (!is_in_frustum(middle, radius))
        return false;
    if (nearest <= NEAR)
        return true;
    ivec4 pixels = pixels_of(middle.xy, radius, nearest, middle.z + radius);
    float depth = 1.0 - NEAR / nearest;
    int coarse = clamp(findMSB(max(pixels.z - pixels.x, pixels.w - pixels.y)) + 1, 1, LEVELS);
    for (int level = coarse; level >= max(coarse - 2, 1); level -= 2) {
        vec2 drawn = depths_over(pixels, level);
        if (depth > drawn.y + SLACK)
            return false;
        if (depth <= drawn.x)
            return true;
    }
    return true;
}
