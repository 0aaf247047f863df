/* SPDX-License-Identifier: MIT */
/*
 * The rules of the sample hiz, in what C and GLSL have in common: where a corner of a box appears,
 * which pixels a box can touch, and when it is behind all of them. Whole numbers only, so that a
 * CPU and every GPU get the same answer.
 *
 * The city's lengths are in quarters of a metre: x and z along the ground, y up. The camera sees x
 * to the right, y down and z ahead, in units of 1/16 of that. The shaders draw boxes with their
 * corners as they are after this rounding, so that nothing but the drawing itself is inexact: a
 * pixel's depth by less than SLACK steps, its place by less than a quarter of a pixel. The operator
 * >> rounds negative numbers down.
 */
#ifndef HIZ_H
#define HIZ_H

#ifdef __STDC_VERSION__
#include <stdint.h>
typedef uint32_t uint;
typedef struct Box Box;
typedef struct Point Point;
typedef struct Bounds Bounds;
#define INT(x) ((int)(x))
#define UINT(x) ((uint)(x))
#define RULE static inline
static inline int min(int a, int b)
{
    return a < b ? a : b;
}
static inline int max(int a, int b)
{
    return a > b ? a : b;
}
#else
#define INT(x) int(x)
#define UINT(x) uint(x)
#define RULE
#endif

#define LOCAL_SIZE 64u /* of the compute shader */

#define DRAWN 10000u  /* boxes that are drawn: the ground and the buildings */
#define BOXES 100000u /* all boxes: also smaller ones that are only tested */
#define CORNERS 36    /* vertices of a box: 12 triangles */

/* The picture, and the levels above it. */
#define WIDTH 1023
#define HEIGHT 767
#define LEVELS 9
#define FOCAL 822 /* pixels: a vertical field of view of about 50 degrees */

/* The camera: its position, and its axes in units of 1/16384. */
#define CAMERA_X 768
#define CAMERA_Y 420
#define CAMERA_Z 192
#define RIGHT_X 12911
#define RIGHT_Z -10087
#define DOWN_X -2949
#define DOWN_Y -15668
#define DOWN_Z -3775
#define AHEAD_X 9646
#define AHEAD_Y -4790
#define AHEAD_Z 12347

/* The near plane, at one metre. Depth is 1 - NEAR / z: 0 there, and 1 at infinity; its steps are
 * 2^-24. */
#define NEAR 64
#define STEPS 16777216
#define SLACK 24u

#define MOST 4 /* max texels that a test reads, in each direction */

/* Verdicts. */
#define OUTSIDE 0u /* of the picture */
#define HIDDEN 1u  /* behind what is drawn */
#define VISIBLE 2u

struct Box {
    int low[3];
    int high[3];
};

struct Point {
    int x, y, z;
};

/* The pixels, or the texels of a level, that a box covers, and its distances from the camera. */
struct Bounds {
    int left, top, right, bottom;
    int nearest, farthest;
};

RULE Point viewed(int x, int y, int z)
{
    Point p;
    x -= CAMERA_X;
    y -= CAMERA_Y;
    z -= CAMERA_Z;
    p.x = (RIGHT_X * x + RIGHT_Z * z + 512) >> 10;
    p.y = (DOWN_X * x + DOWN_Y * y + DOWN_Z * z + 512) >> 10;
    p.z = (AHEAD_X * x + AHEAD_Y * y + AHEAD_Z * z + 512) >> 10;
    return p;
}

/* Corner i of a box: bit 0 chooses between low and high x, and so on. */
RULE Point corner_of(Box b, int i)
{
    return viewed((i & 1) != 0 ? b.high[0] : b.low[0], (i & 2) != 0 ? b.high[1] : b.low[1],
                  (i & 4) != 0 ? b.high[2] : b.low[2]);
}

/* Twice the coordinate of a point in a picture `pixels` wide or high, rounded down. Points far
 * outside are clamped to a place that is still outside. */
RULE int doubled_place(int along, int z, int pixels)
{
    uint moved = UINT(max(-2 * z, min(along, 2 * z)) + 2 * z);
    return INT(moved * UINT(2 * FOCAL) / UINT(z)) - 4 * FOCAL + pixels;
}

/* The bounds of a box, enlarged by half a pixel on each side. If the box crosses the near plane,
 * only the distances are valid. */
RULE Bounds bounds_of(Box b)
{
    Bounds r;
    r.left = r.top = 0x7fffffff;
    r.right = r.bottom = -0x7fffffff;
    r.nearest = 0x7fffffff;
    r.farthest = -0x7fffffff;
    for (int i = 0; i < 8; i++) {
        Point p = corner_of(b, i);
        r.nearest = min(r.nearest, p.z);
        r.farthest = max(r.farthest, p.z);
        int z = max(p.z, NEAR);
        int x = doubled_place(p.x, z, WIDTH);
        int y = doubled_place(p.y, z, HEIGHT);
        r.left = min(r.left, (x - 1) >> 1);
        r.top = min(r.top, (y - 1) >> 1);
        r.right = max(r.right, (x + 1) >> 1);
        r.bottom = max(r.bottom, (y + 1) >> 1);
    }
    return r;
}

/* Whether the box crosses the near plane; such a box counts as visible. */
RULE bool is_crossing(Bounds b)
{
    return b.nearest < NEAR && b.farthest >= NEAR;
}

RULE bool is_outside(Bounds b)
{
    return b.farthest < NEAR || b.right < 0 || b.bottom < 0 || b.left >= WIDTH || b.top >= HEIGHT;
}

RULE Bounds clipped(Bounds b)
{
    b.left = max(b.left, 0);
    b.top = max(b.top, 0);
    b.right = min(b.right, WIDTH - 1);
    b.bottom = min(b.bottom, HEIGHT - 1);
    return b;
}

/* The side of a level; level 0 is the depth buffer. */
RULE int side_of(int pixels, int level)
{
    return max(pixels >> level, 1);
}

/* The texels of the next level that cover these. Texel j of m lies under texel floor(j n / m) of n;
 * at odd sizes it may also lie under a second one, but one of them is enough. */
RULE Bounds lifted(Bounds b, int level)
{
    int m = side_of(WIDTH, level), n = side_of(WIDTH, level + 1);
    b.left = b.left * n / m;
    b.right = b.right * n / m;
    m = side_of(HEIGHT, level);
    n = side_of(HEIGHT, level + 1);
    b.top = b.top * n / m;
    b.bottom = b.bottom * n / m;
    return b;
}

RULE bool is_small(Bounds b)
{
    return b.right - b.left < MOST && b.bottom - b.top < MOST;
}

/* Whether everything at this distance or farther is behind a depth. The product is exact. */
RULE bool is_behind(int nearest, float depth)
{
    uint least = UINT(STEPS) - (UINT(STEPS) * UINT(NEAR) + UINT(nearest) - 1u) / UINT(nearest);
    return least > UINT(depth * 16777216.0f) + 1u + SLACK;
}

#endif
