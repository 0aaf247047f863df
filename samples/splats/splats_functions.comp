/* SPDX-License-Identifier: MIT */
/* The functions of splats.c. `glslc -O0` compiles them, since the library finds them by name. */
#version 450
#extension GL_GOOGLE_include_directive : require
#include "vkreduce/hook.glsl"
#include "splats.h"

layout(set = 1, binding = SPHERES) readonly buffer Spheres { vec4 spheres[]; };
layout(set = 1, binding = SHAPES) readonly buffer Shapes { Shape shapes[]; };
layout(set = 1, binding = VIEWS) uniform Views { View view; };
layout(set = 1, binding = KEYS) writeonly buffer Keys { uint keys[]; };
layout(set = 1, binding = OUTLINES) writeonly buffer Outlines { Outline outlines[]; };
layout(set = 1, binding = BOXES) writeonly buffer Boxes { Box boxes[]; };

/* The distance of a point from a plane. It decides what is seen, and in which order, so the CPU
 * must get the same bits. */
float distance_from(vec4 plane, vec3 p)
{
    precise float sum = plane.x * p.x + plane.y * p.y + plane.z * p.z + plane.w;
    return sum;
}

/* The predicate: a part of the bounding sphere is between the sides, and its middle ahead. */
bool is_seen(uint i)
{
    vec4 sphere = spheres[i];
    if (distance_from(view.ahead, sphere.xyz) < NEAR)
        return false;
    for (int k = 0; k < 4; k++)
        if (distance_from(view.sides[k], sphere.xyz) < -sphere.w)
            return false;
    return true;
}

/* The image of a small vector at a point with these slopes. */
vec2 flatten(vec4 axis, vec2 slopes, float scale)
{
    vec3 seen = vec3(dot(view.right.xyz, axis.xyz), dot(view.down.xyz, axis.xyz),
                     dot(view.ahead.xyz, axis.xyz));
    return scale * (seen.xy - slopes * seen.z);
}

float cross2(vec2 a, vec2 b)
{
    return a.x * b.y - a.y * b.x;
}

/* The outline of a splat at a point in front of the camera. The determinant of its covariance is a
 * sum of squares, as Cauchy and Binet found, so it is exact however thin the splat is. */
Outline outline_of(Shape shape, vec3 seen)
{
    Outline o;
    float scale = FOCAL / seen.z;
    vec2 slopes = seen.xy / seen.z;
    vec2 bent = clamp(slopes, -vec2(LIMIT_X, LIMIT_Y), vec2(LIMIT_X, LIMIT_Y));
    vec2 a = flatten(shape.axes[0], bent, scale);
    vec2 b = flatten(shape.axes[1], bent, scale);
    vec2 c = flatten(shape.axes[2], bent, scale);
    vec3 areas = vec3(cross2(a, b), cross2(b, c), cross2(c, a));
    float xx = a.x * a.x + b.x * b.x + c.x * c.x;
    float xy = a.x * a.y + b.x * b.y + c.x * c.y;
    float yy = a.y * a.y + b.y * b.y + c.y * c.y;
    float determinant = dot(areas, areas) + BLUR * (xx + yy + BLUR);
    o.colour = shape.colour;
    o.middle = 0.5 * vec2(WIDTH, HEIGHT) + FOCAL * slopes;
    o.width = sqrt(xx + BLUR);
    o.shear = xy / o.width;
    o.height = sqrt(determinant) / o.width;
    return o;
}

/* The sink: stores the key and the outline of a splat that is seen, and returns the outline. */
Outline store(uint i, uint position)
{
    vec3 p = spheres[i].xyz;
    vec3 seen = vec3(distance_from(view.right, p), distance_from(view.down, p),
                     distance_from(view.ahead, p));
    Outline o = outline_of(shapes[i], seen);
    keys[position] = floatBitsToUint(min(KEY_SCALE * seen.z, MAX_SCALED));
    outlines[position] = o;
    return o;
}

void project(uint i, uint position)
{
    store(i, position);
}

/* Another sink, which also stores the tiles that the box around the outline meets. A splat that is
 * beside the picture meets none. */
void project_to_tiles(uint i, uint position)
{
    Outline o = store(i, position);
    vec2 reach = REACH * vec2(o.width, length(vec2(o.shear, o.height)));
    vec2 most = vec2(TILES_X, TILES_Y);
    uvec2 low = uvec2(clamp(floor((o.middle - reach) / TILE), vec2(0.0), most));
    uvec2 high = uvec2(clamp(floor((o.middle + reach) / TILE) + 1.0, vec2(0.0), most));
    uvec2 size = max(high, low) - low;
    boxes[position] = Box(size.x * size.y, low.y * TILES_X + low.x, size.x);
}

VKR_HOOKS(is_seen(0u); project(0u, 0u); project_to_tiles(0u, 0u))
