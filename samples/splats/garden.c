/* SPDX-License-Identifier: MIT */
/* A garden of splats: surfaces are flat ones that overlap, blades and leaves are thin ones, and
 * mist is round and hardly opaque. */
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include "chance.h"
#include "model.h"

#define SPLATS 200000u
#define KNOT 30000u
#define COLUMN 3600u
#define COLUMNS 8u
#define ROOF 14000u
#define TRUNK 400u
#define LEAVES 3600u
#define TREES 7u
#define BLADES 26000u
#define MIST 3000u

#define TURN 6.2831853f
#define RING 4.5f /* radius of the ring of columns */

typedef struct gardener {
    model m;
    uint64_t random;
    uint32_t spread;
} gardener;

/* A random number from 0 to 1. */
static float some(gardener *g)
{
    return (float)(chance(&g->random) >> 8) / 16777216;
}

/* Stores numbers from 0 to 1 that fill a square more evenly than random ones do, as the multiples
 * of the inverse plastic number and of its square do. */
static void spread(gardener *g, float out[2])
{
    const uint32_t i = g->spread++;
    out[0] = (float)(i * 3242174889u >> 8) / 16777216;
    out[1] = (float)(i * 2447445414u >> 8) / 16777216;
}

static float some_between(gardener *g, float low, float high)
{
    return low + (high - low) * some(g);
}

/* A vector of random numbers from -0.5 to 0.5, before `bend` is added to the second one. */
static void choose(gardener *g, vec3 v, float bend)
{
    for (int c = 0; c < 3; c++)
        v[c] = some(g) - 0.5f;
    v[1] += bend;
}

static void set(vec3 v, float x, float y, float z)
{
    v[0] = x;
    v[1] = y;
    v[2] = z;
}

static void cross(vec3 out, const vec3 a, const vec3 b)
{
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        out[c] = a[d] * b[e] - a[e] * b[d];
    }
}

static void stretch(vec3 v, float length)
{
    const float now = sqrtf(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int c = 0; c < 3; c++)
        v[c] *= length / now;
}

/* Adds a splat with an axis, and two others across that have these lengths. */
static void add_along(gardener *g, const vec3 at, const vec3 axis, float second, float third,
                      const vec4 colour)
{
    const vec3 other = {0.3f - axis[1], 0.1f + axis[2], 0.2f + axis[0]};
    vec3 axes[3];
    memcpy(axes[0], axis, sizeof(vec3));
    cross(axes[1], axis, other);
    cross(axes[2], axis, axes[1]);
    stretch(axes[1], second);
    stretch(axes[2], third);
    add_splat(&g->m, at, (const vec3 *)axes, colour);
}

/* Adds a round piece of a surface, in the light of a sun. */
static void add_piece(gardener *g, const vec3 at, const vec3 normal, float size, const vec4 colour)
{
    static const vec3 sun = {0.48f, 0.75f, -0.46f};
    vec3 axis = {normal[0], normal[1], normal[2]};
    stretch(axis, 1);
    const float facing = axis[0] * sun[0] + axis[1] * sun[1] + axis[2] * sun[2];
    const float light = 0.5f + 0.08f * axis[1] + 0.45f * fmaxf(facing, 0);
    const vec4 lit = {light * colour[0], light * colour[1], light * colour[2], colour[3]};
    stretch(axis, 0.1f * size);
    add_along(g, at, axis, size, size, lit);
}

/* ---- What is in the garden ---- */

/* A point of a trefoil knot. */
static void knot_at(vec3 at, float t)
{
    const float wide = 0.6f * (2 + cosf(3 * t));
    set(at, wide * cosf(2 * t), 1.75f + 0.6f * sinf(3 * t), wide * sinf(2 * t));
}

static void add_knot(gardener *g)
{
    for (uint32_t i = 0; i < KNOT; i++) {
        float place[2];
        spread(g, place);
        const float t = TURN * place[0], around = TURN * place[1];
        vec3 at, next, ahead, normal;
        knot_at(at, t);
        knot_at(next, t + 0.01f);
        for (int c = 0; c < 3; c++)
            ahead[c] = next[c] - at[c];
        cross(normal, ahead, (const vec3){0, 1, 0});
        stretch(normal, 1);
        vec3 other;
        cross(other, ahead, normal);
        stretch(other, 1);
        for (int c = 0; c < 3; c++) {
            normal[c] = cosf(around) * normal[c] + sinf(around) * other[c];
            at[c] += 0.25f * normal[c];
        }
        const float stripe = 0.12f * sinf(6 * around + 24 * t);
        const vec4 colour = {0.72f + 0.28f * cosf(2 * t) + stripe,
                             0.55f + 0.35f * cosf(2 * t + 2.1f) + stripe,
                             0.72f + 0.28f * cosf(2 * t + 4.2f) + stripe, 0.9f};
        add_piece(g, at, normal, 0.022f, colour);
    }
}

static void marble(gardener *g, const vec3 at, vec4 colour)
{
    const float vein = fabsf(sinf(5 * at[0] + 2 * sinf(4 * at[1] + 3 * at[2]) + 3 * at[2]));
    const float light = 0.97f - 0.22f * powf(1 - vein, 4) - 0.06f * some(g);
    const vec4 stone = {light, 0.97f * light, 0.91f * light, 0.9f};
    memcpy(colour, stone, sizeof stone);
}

static void add_column(gardener *g, float x, float z)
{
    for (uint32_t i = 0; i < COLUMN; i++) {
        float place[2];
        spread(g, place);
        const float around = TURN * place[0], y = 2.4f * place[1];
        const float wide =
            0.24f + 0.012f * cosf(12 * around) + 0.1f * powf(fabsf(y / 1.2f - 1), 24);
        const vec3 normal = {cosf(around), 0, sinf(around)};
        const vec3 at = {x + wide * normal[0], y, z + wide * normal[2]};
        vec4 colour;
        marble(g, at, colour);
        add_piece(g, at, normal, 0.026f, colour);
    }
}

/* A ring on the columns. */
static void add_roof(gardener *g)
{
    for (uint32_t i = 0; i < ROOF; i++) {
        float place[2];
        spread(g, place);
        const float around = TURN * place[0], across = TURN * place[1];
        const vec3 normal = {cosf(across) * cosf(around), sinf(across),
                             cosf(across) * sinf(around)};
        const float wide = RING + 0.3f * cosf(across);
        const vec3 at = {wide * cosf(around), 2.6f + 0.22f * sinf(across), wide * sinf(around)};
        vec4 colour;
        marble(g, at, colour);
        add_piece(g, at, normal, 0.042f, colour);
    }
}

static void add_trunk(gardener *g, float x, float z)
{
    for (uint32_t i = 0; i < TRUNK; i++) {
        float place[2];
        spread(g, place);
        const float around = TURN * place[0], y = 1.9f * place[1], wide = 0.17f - 0.04f * y;
        const vec3 normal = {cosf(around), 0, sinf(around)};
        const vec3 at = {x + wide * normal[0], y, z + wide * normal[2]};
        add_piece(g, at, normal, 0.05f, (vec4){0.4f, 0.28f, 0.18f, 0.9f});
    }
}

/* Some trees have warmer colours than others, from 0 to 1. */
static void add_leaves(gardener *g, float x, float z, float warm)
{
    for (uint32_t i = 0; i < LEAVES; i++) {
        vec3 out, axis;
        choose(g, out, 0);
        stretch(out, 1);
        const float bump = 1 + 0.2f * sinf(7 * out[0] + 5 * out[1] + 9 * out[2]);
        const float far = bump * sqrtf(some(g));
        const vec3 at = {x + 1.1f * far * out[0], 2.6f + 1.2f * far * out[1],
                         z + 1.1f * far * out[2]};
        choose(g, axis, -0.1f);
        stretch(axis, 0.07f);
        const float light = (0.45f + 0.4f * far + 0.2f * out[1]) * some_between(g, 0.8f, 1.1f);
        add_along(g, at, axis, 0.035f, 0.006f,
                  (vec4){light * (0.35f + 0.5f * warm), light * 0.72f, light * 0.25f, 0.85f});
    }
}

/* A point of the ground, more often near the middle than far from it. */
static void choose_ground(gardener *g, vec3 at)
{
    float place[2];
    spread(g, place);
    const float around = TURN * place[0], far = 15 * powf(place[1], 0.7f);
    set(at, far * cosf(around), 0, far * sinf(around));
}

static void add_blades(gardener *g)
{
    for (uint32_t i = 0; i < BLADES; i++) {
        vec3 at, axis;
        choose_ground(g, at);
        const float far = hypotf(at[0], at[2]);
        if (far < RING + 0.8f)
            set(at, at[0] * (RING + 0.8f + far) / far, 0, at[2] * (RING + 0.8f + far) / far);
        at[1] = 0.05f;
        choose(g, axis, 1);
        stretch(axis, 0.06f);
        const float light = some_between(g, 0.5f, 1);
        add_along(g, at, axis, 0.01f, 0.004f,
                  (vec4){0.45f * light, 0.75f * light, 0.22f * light, 0.8f});
    }
}

/* Rises from the middle, and drifts. */
static void add_mist(gardener *g)
{
    for (uint32_t i = 0; i < MIST; i++) {
        const float y = 0.1f + 4.2f * some(g), around = TURN * some(g);
        const float wide = (0.25f + 0.28f * y) * sqrtf(some(g));
        const float size = some_between(g, 0.05f, 0.13f);
        const vec3 at = {wide * cosf(around) + 0.06f * y * y, y, wide * sinf(around)};
        const vec3 axis = {0, size, 0};
        const float light = some_between(g, 0.85f, 1);
        add_along(g, at, axis, size, size,
                  (vec4){light, light, light, some_between(g, 0.02f, 0.09f)});
    }
}

/* Stones inside the ring, earth and moss outside. */
static void add_ground(gardener *g)
{
    static const vec3 up = {0, 1, 0};
    while (g->m.count < SPLATS) {
        vec3 at;
        choose_ground(g, at);
        const float far = hypotf(at[0], at[2]);
        vec4 colour = {0.4f, 0.52f, 0.22f, 0.92f};
        if (far < RING + 0.7f) {
            const bool joint = fabsf(sinf(4 * at[0])) < 0.12f || fabsf(sinf(4 * at[2])) < 0.12f;
            set(colour, joint ? 0.5f : 0.8f, joint ? 0.48f : 0.76f, joint ? 0.44f : 0.68f);
        }
        const float light = some_between(g, 0.85f, 1) * (0.9f + 0.1f * sinf(2 * at[0] + 3 * at[2]));
        set(colour, light * colour[0], light * colour[1], light * colour[2]);
        add_piece(g, at, up, 0.024f + 0.0045f * far, colour);
    }
}

/* Puts the splats into a random order, as no list of splats is sorted for any camera. */
static void shuffle(gardener *g)
{
    for (uint32_t i = g->m.count - 1; i > 0; i--) {
        const uint32_t j = chance(&g->random) % (i + 1);
        const Shape shape = g->m.shapes[i];
        vec4 sphere;
        memcpy(sphere, g->m.spheres[i], sizeof sphere);
        memcpy(g->m.spheres[i], g->m.spheres[j], sizeof sphere);
        memcpy(g->m.spheres[j], sphere, sizeof sphere);
        g->m.shapes[i] = g->m.shapes[j];
        g->m.shapes[j] = shape;
    }
}

model make_garden(void)
{
    gardener g = {create_model(SPLATS), 43, 0};
    add_knot(&g);
    for (uint32_t i = 0; i < COLUMNS; i++) {
        const float at = TURN * ((float)i + 0.5f) / COLUMNS;
        add_column(&g, RING * cosf(at), RING * sinf(at));
    }
    add_roof(&g);
    for (uint32_t i = 0; i < TREES; i++) {
        const float at = TURN * ((float)i + 0.3f * some(&g)) / TREES;
        const float x = (9 + 2 * some(&g)) * cosf(at), z = 10 * sinf(at);
        add_trunk(&g, x, z);
        add_leaves(&g, x, z, some(&g));
    }
    add_blades(&g);
    add_mist(&g);
    add_ground(&g);
    shuffle(&g);
    return g.m;
}
