/* SPDX-License-Identifier: MIT */
/*
 * What C and GLSL have in common in the sample culling. Lengths are in metres, and y is up.
 *
 * The camera sees x to the right, y down and z ahead; a depth is 1 - NEAR / z.
 */
#ifndef CULLING_H
#define CULLING_H

#ifdef __STDC_VERSION__
#include <stdint.h>
typedef uint32_t uint;
typedef float vec3[3];
typedef float vec4[4];
typedef struct Shape Shape;
typedef struct Mesh Mesh;
typedef struct View View;
#endif

#define INSTANCES 100000u
#define MESHES 4u

/* The picture, and the levels above it; each is exactly half as large as the one below. */
#define WIDTH 640
#define HEIGHT 384
#define LEVELS 7
#define NEAR 0.25f
#define FOCAL_X 1.6f /* half the width of the picture at a distance of 1 is 1 / FOCAL_X */
#define FOCAL_Y (FOCAL_X * WIDTH / HEIGHT)

#define LOCAL_SIZE 64u /* of the shader that stores flags */

/* Where the shaders find things; a module of functions has them in set 1. */
#define SPHERES 0
#define SHAPES 1
#define VIEWS 2
#define PYRAMID 3
#define SEEN_BEFORE 4
#define COMMANDS 5
#define NEW_COMMANDS 6
#define BINDINGS 7
#define FLAGS NEW_COMMANDS /* of a measurement */

/* How an instance looks; its middle is that of its bounding sphere. */
struct Shape {
    vec3 size; /* half the extent in each direction */
    uint look; /* the mesh in the lower 8 bits; red, green and blue */
};

/* The part of a draw command that depends on the mesh. */
struct Mesh {
    uint index_count;
    uint first_index;
    int vertex_offset;
    uint first_instance; /* instances are sorted by mesh */
};

struct View {
    vec4 eye, right, down, ahead;
    Mesh meshes[MESHES + 1u]; /* the last one ends the list */
};

#endif
