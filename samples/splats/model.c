/* SPDX-License-Identifier: MIT */
#include "model.h"
#include <math.h>
#include <string.h>
#include "app.h"

model create_model(uint32_t capacity)
{
    model m = {.spheres = malloc(capacity * sizeof(vec4)),
               .shapes = malloc(capacity * sizeof(Shape))};
    if (!m.spheres || !m.shapes)
        DIE(FAILED, "there is no memory for %u splats\n", capacity);
    return m;
}

void free_model(const model *m)
{
    free(m->spheres);
    free(m->shapes);
}

void add_splat(model *m, const vec3 middle, const vec3 axes[3], const vec4 colour)
{
    float *sphere = m->spheres[m->count];
    Shape *shape = &m->shapes[m->count++];
    float longest = 0;
    for (int k = 0; k < 3; k++) {
        const float *a = axes[k];
        longest = fmaxf(longest, sqrtf(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]));
        memcpy(shape->axes[k], a, sizeof(vec3));
        shape->axes[k][3] = 0;
    }
    memcpy(shape->colour, colour, sizeof(vec4));
    memcpy(sphere, middle, sizeof(vec3));
    sphere[3] = REACH * longest;
}

/* ---- The camera ---- */

/* Stores a plane with a normal vector through a point. */
static void set_plane(vec4 plane, const double normal[3], const double point[3])
{
    double w = 0;
    for (int c = 0; c < 3; c++) {
        plane[c] = (float)normal[c];
        w -= normal[c] * point[c];
    }
    plane[3] = (float)w;
}

/* The plane at one side of the picture, `half` pixels from its middle; two more are for BLUR. */
static void set_side(vec4 plane, const double inwards[3], const double ahead[3], double half,
                     const double eye[3])
{
    const double slope = (half + 2) / FOCAL, length = sqrt(1 + slope * slope);
    double normal[3];
    for (int c = 0; c < 3; c++)
        normal[c] = (inwards[c] + slope * ahead[c]) / length;
    set_plane(plane, normal, eye);
}

static void look(View *view, const double eye[3], const double at[3])
{
    double ahead[3], right[3], down[3], left[3], up[3];
    double length = 0;
    for (int c = 0; c < 3; c++)
        length += (at[c] - eye[c]) * (at[c] - eye[c]);
    for (int c = 0; c < 3; c++)
        ahead[c] = (at[c] - eye[c]) / sqrt(length);
    const double level = hypot(ahead[0], ahead[2]);
    right[0] = ahead[2] / level;
    right[1] = 0;
    right[2] = -ahead[0] / level;
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        down[c] = right[d] * ahead[e] - right[e] * ahead[d];
        left[c] = -right[c];
        up[c] = -down[c];
    }
    set_plane(view->right, right, eye);
    set_plane(view->down, down, eye);
    set_plane(view->ahead, ahead, eye);
    set_side(view->sides[0], right, ahead, WIDTH / 2.0, eye);
    set_side(view->sides[1], left, ahead, WIDTH / 2.0, eye);
    set_side(view->sides[2], down, ahead, HEIGHT / 2.0, eye);
    set_side(view->sides[3], up, ahead, HEIGHT / 2.0, eye);
}

void move_camera(View *view, uint32_t frame)
{
    const double turn = 6.283185307179586 * frame / FRAMES, at[3] = LOOK_AT;
    const double distance = 5.8 + 2.7 * cos(turn), height = 1.6 + 2 * cos(turn);
    const double eye[3] = {at[0] + distance * sin(0.8 * turn), at[1] + height,
                           at[2] - distance * cos(0.8 * turn)};
    look(view, eye, at);
}
