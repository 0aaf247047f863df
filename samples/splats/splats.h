/* SPDX-License-Identifier: MIT */
/*
 * What C and GLSL have in common in the sample splats. Lengths are in metres, and y is up.
 *
 * The camera sees x to the right, y down and z ahead, and z is the depth of a point. Lengths in the
 * picture are in pixels.
 */
#ifndef SPLATS_H
#define SPLATS_H

#ifdef __STDC_VERSION__
#include <stdint.h>
typedef uint32_t uint;
typedef float vec2[2];
typedef float vec3[3];
typedef float vec4[4];
typedef struct Shape Shape;
typedef struct View View;
typedef struct Outline Outline;
typedef struct Box Box;
typedef struct Numbers Numbers;
#endif

#define FRAMES 60u

/* The picture. */
#define WIDTH 400
#define HEIGHT 225
#define NEAR 0.25f
#define FOCAL 340.0f /* pixels of a metre at a distance of 1 metre */

/* A splat ends at 3 standard deviations, where the exponential function is TAIL. Pictures have no
 * edge there, since TAIL is subtracted. */
#define REACH 3.0f
#define TAIL 0.011108997f
#define BLUR 0.3f /* variance, in square pixels, which no splat is below */

/* The slope at which the projection is still linear enough; the picture ends at 1 / 1.3 of it. */
#define LIMIT_X (1.3f * 0.5f * WIDTH / FOCAL)
#define LIMIT_Y (1.3f * 0.5f * HEIGHT / FOCAL)

/*
 * Keys are the bits of 2 / NEAR times the depth, which is a float from 2 to 2^17. All these have
 * the same 5 highest bits, so that the next 16 are a float of 16 bits, with 12 bits after the
 * point: digits that a sort need not see are below, and none are above.
 */
#define KEY_SCALE (2.0f / NEAR)
#define MAX_SCALED 131071.0f
#define KEY_BEGIN 11u
#define KEY_END 27u

/* Tiles, which are TILE pixels wide and high, are numbered row by row. The key of a pair of a tile
 * and a splat has the tile above DEPTH_BITS of the splat's own key. */
#define TILE 8u
#define TILES_X ((WIDTH + TILE - 1) / TILE)
#define TILES_Y ((HEIGHT + TILE - 1) / TILE)
#define TILES (TILES_X * TILES_Y)
#define TILE_BITS 11u
#define DEPTH_BITS (KEY_END - KEY_BEGIN)
#define DEPTHS ((1u << DEPTH_BITS) - 1u)
#define KEYS_GROUP 64u
#define OPAQUE (4095.0f / 4096) /* nothing behind is blended */

/* Where the shaders find things; a module of functions has them in set 1. */
#define SPHERES 0
#define SHAPES 1
#define VIEWS 2
#define KEYS 3
#define OUTLINES 4
#define ORDER 5
#define BOXES 6
#define BINDINGS 7

/* The same for the shaders of tiles. */
#define TILE_KEYS 0
#define TILE_BOXES 1
#define TILE_SOURCES 2
#define TILE_RANKS 3
#define TILE_NUMBERS 4
#define TILE_PAIRS 5
#define TILE_OUTLINES 6
#define TILE_STARTS 7
#define TILE_LISTED 8
#define TILE_BINDINGS 9

/* A splat; its middle is that of its bounding sphere. */
struct Shape {
    vec4 axes[3]; /* from its middle to one standard deviation; the fourth number is unused */
    vec4 colour;  /* red, green, blue, and opacity */
};

/* Planes: the distance of a point p from one is dot(xyz, p) + w. */
struct View {
    vec4 right, down, ahead; /* through the camera */
    vec4 sides[4];           /* of what the camera sees, which is on their positive sides */
};

/* A splat in the picture. It is the image of the unit circle's normal distribution under
 * (u, v) -> middle + (width u, shear u + height v). */
struct Outline {
    vec4 colour;
    vec2 middle;
    float width, shear, height;
    float unused[3];
};

/* The tiles in which a splat is seen: their number, the first one, and how many there are in a row.
 */
struct Box {
    uint count, first, wide;
};

/* The number of pairs that there are, of those that have room, and a dispatch for these. */
struct Numbers {
    uint found, stored;
    uint groups[3];
};

#endif
