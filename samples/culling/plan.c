/* SPDX-License-Identifier: MIT */
/* A plan of the town around the camera: what is drawn, what is not, and the edges of the view. */
#include <math.h>
#include <string.h>
#include "plan.h"

#define SCALE 2.0f /* pixels for a metre */

typedef struct place {
    int x, y;
} place;

/* The camera is a quarter from the left and half-way up, and z is up. */
static place place_of(const View *view, float x, float z)
{
    return (place){(int)floorf((x - view->eye[0]) * SCALE) + WIDTH / 4,
                   (int)floorf((view->eye[2] - z) * SCALE) + HEIGHT / 2};
}

static void put(picture *p, int x, int y, uint32_t rgb)
{
    if (x < 0 || y < 0 || x >= WIDTH || y >= HEIGHT)
        return;
    unsigned char *to = p->rgba + 4 * ((size_t)y * WIDTH + (size_t)x);
    to[0] = (unsigned char)(rgb >> 16);
    to[1] = (unsigned char)(rgb >> 8);
    to[2] = (unsigned char)rgb;
    to[3] = 255;
}

static void fill(picture *p, place low, place high, uint32_t rgb)
{
    for (int y = high.y; y <= low.y; y++)
        for (int x = low.x; x <= high.x; x++)
            put(p, x, y, rgb);
}

static void draw_edge(picture *p, const View *view, float side)
{
    const float x = view->ahead[0] + side * view->right[0] / FOCAL_X;
    const float z = view->ahead[2] + side * view->right[2] / FOCAL_X;
    for (float at = 0; at < 200; at += 0.2f) {
        const place dot = place_of(view, view->eye[0] + at * x, view->eye[2] + at * z);
        put(p, dot.x, dot.y, 0xffffff);
    }
}

/* Drawn instances are light: houses blue, other ones orange. */
static uint32_t colour_of(uint32_t mesh, bool is_drawn)
{
    return mesh == HOUSE ? (is_drawn ? 0x5f9fe8 : 0x303640) : (is_drawn ? 0xffb040 : 0x5a5048);
}

void draw_plan(picture *p, const View *view, const vec4 *spheres, const Shape *shapes,
               const uint32_t *seen)
{
    memset(p->rgba, 0x18, 4 * p->pixels);
    for (uint32_t i = 1; i < INSTANCES; i++) { /* 0 is the ground */
        const float *s = spheres[i], *size = shapes[i].size;
        const place low = place_of(view, s[0] - size[0], s[2] - size[2]);
        const place high = place_of(view, s[0] + size[0], s[2] + size[2]);
        fill(p, low, high, colour_of(shapes[i].look & 0xff, seen[i / 32] >> i % 32 & 1));
    }
    draw_edge(p, view, -1);
    draw_edge(p, view, 1);
}
