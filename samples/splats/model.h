/* SPDX-License-Identifier: MIT */
/* The splats of a scene, and the camera. */
#ifndef MODEL_H
#define MODEL_H

#include "splats.h"

#define LOOK_AT                                                                                    \
    {                                                                                              \
        0, 1.5f, 0                                                                                 \
    }

typedef struct model {
    uint32_t count;
    vec4 *spheres; /* around each splat, with the radius as fourth number */
    Shape *shapes;
} model;

/* There is memory for `capacity` splats; there are none yet. */
model create_model(uint32_t capacity);
void free_model(const model *m);

/* The axes are perpendicular to each other. */
void add_splat(model *m, const vec3 middle, const vec3 axes[3], const vec4 colour);

/* Makes a garden: a ring of columns around a knot, trees, grass, and mist. */
model make_garden(void);
/* Reads a file as programs that fit splats to photographs write it. Prints one sentence and ends
 * the program if the file is not such a one. */
model read_ply(const char *name);

/* Goes around LOOK_AT, and through the columns of the garden. */
void move_camera(View *view, uint32_t frame);

#endif
