/* SPDX-License-Identifier: MIT */
/* The parts of the sample culling: culling.c records the frames with the objects that scene.c
 * creates on the device, town.c makes the instances and the camera's path, meshes.c the meshes,
 * and plan.c draws a plan of what was drawn; measure.c compares two ways to cull. */
#ifndef TOWN_H
#define TOWN_H

#include <stdbool.h>
#include "culling.h"

#define FRAMES 60u
#define SHOWN_FRAME 55u /* of which there are pictures */

enum { CRATE, HOUSE, TREE, BALL }; /* meshes */

/* Makes the instances, sorted by mesh, and stores where each mesh begins. No two of them touch, so
 * no two have the same depth at a pixel, and it does not matter which one is drawn first. */
void make_town(vec4 *spheres, Shape *shapes, Mesh meshes[MESHES + 1]);

/* Sets the camera of a frame. */
void move_camera(View *view, uint32_t frame);

#define MAX_VERTICES 64u
#define MAX_INDICES 256u

/* Makes the meshes. Returns the number of vertices. */
uint32_t make_meshes(vec3 *vertices, uint16_t *indices, Mesh meshes[MESHES + 1]);

#endif
