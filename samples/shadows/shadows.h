/* SPDX-License-Identifier: MIT */
/*
 * What C and GLSL have in common in the sample shadows. Lengths are in metres, and y is up.
 *
 * The camera sees x to the right, y down and z ahead; a depth is 1 - NEAR / z. The sun's shadow
 * maps have the axes light_x, light_y and light_z, of which light_z points away from the sun.
 */
#ifndef SHADOWS_H
#define SHADOWS_H

#ifdef __STDC_VERSION__
#include <stdint.h>
typedef uint32_t uint;
typedef float vec4[4];
typedef struct Solid Solid;
typedef struct View View;
typedef struct Cascades Cascades;
typedef struct Turn Turn;
#endif

#define CASCADES 4
#define SOLID_VERTICES 36 /* 12 triangles */

/* The picture. */
#define WIDTH 1280
#define HEIGHT 720
#define PIXELS (WIDTH * HEIGHT)
#define FOCAL 900.0f /* pixels: a vertical field of view of about 44 degrees */
#define NEAR 0.25f   /* the near plane */
#define FAR 300.0f   /* where fixed cascades end */

#define MAP_SIDE 640 /* texels of a shadow map, in each direction */
#define MARGIN 2     /* texels at each edge that only filtering reads */

#define NOTHING 1e30f /* in place of a coordinate of what is not seen, or in no cascade */

#define LOCAL_SIDE 8u /* of the shading shader's workgroups */

/* Kinds of cascades. */
#define FIXED 0u
#define FITTED 1u

/* A box or, if its top is smaller, a roof or a pyramid; turned about its vertical axis. */
struct Solid {
    vec4 place;  /* the middle of its base, and an angle */
    vec4 size;   /* half the width, the height, half the depth, and the share of the width .. */
    vec4 colour; /* .. and of the depth (w) that the top has; red, green, blue */
};

struct View {
    vec4 eye, right, down, ahead;
    vec4 light_x, light_y, light_z;
    vec4 light_range; /* the least and the greatest light_z of all solids */
};

/*
 * Cascade k has the pixels from depth splits[k] on, up to splits[k + 1]; the first and the last one
 * are open. Its box has the least x and y of the light, and the negatives of the greatest, of these
 * pixels: one minimum finds all four.
 */
struct Cascades {
    vec4 boxes[CASCADES];
    float splits[CASCADES + 1];
    float seen[2]; /* the least depth, and the negative of the greatest, of all that is seen */
    float unused;
};

/* What a draw or a dispatch works on. */
struct Turn {
    uint kind;
    uint cascade;
};

#endif
