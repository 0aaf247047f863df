/* SPDX-License-Identifier: MIT */
/* A town: square plots, each with a house between streets, in which trees, balls and crates
 * stand. */
#include <math.h>
#include "chance.h"
#include "town.h"

#define PLOTS 72 /* in each direction */
#define PITCH 22.0f
#define STREET 8.0f /* at the low ends of a plot; the house takes the rest */
#define SIDE 7.0f   /* half of a house's */
#define SLOTS 24    /* of a plot, for small things: at both kerbs of its two streets */
#define SMALL (INSTANCES - 1u - PLOTS * PLOTS)

typedef struct builder {
    vec4 *spheres;
    Shape *shapes;
    uint32_t count;
    uint32_t mesh; /* only instances of this mesh are added */
    uint64_t random;
} builder;

/* ---- Instances ---- */

static uint32_t paint(uint32_t red, uint32_t green, uint32_t blue)
{
    return red << 8 | green << 16 | blue << 24;
}

/* Adds an instance whose base has its middle at x, y and z. The sphere is a little too large, so
 * that rounding does not matter. */
static void add(builder *b, uint32_t mesh, const vec3 base, const vec3 size, uint32_t colour)
{
    if (mesh != b->mesh)
        return;
    const float diagonal = sqrtf(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
    float *sphere = b->spheres[b->count];
    Shape *shape = &b->shapes[b->count++];
    for (int c = 0; c < 3; c++) {
        sphere[c] = base[c] + (c == 1 ? size[1] : 0);
        shape->size[c] = size[c];
    }
    sphere[3] = diagonal * 1.001f + 0.001f;
    shape->look = mesh | colour;
}

static void add_house(builder *b, float x, float z)
{
    static const uint8_t walls[][3] = {
        {214, 196, 160}, {190, 120, 92}, {226, 218, 200}, {150, 164, 150}, {204, 170, 120}};
    const uint8_t *wall = walls[chance(&b->random) % 5];
    const uint32_t shade = chance(&b->random) % 24;
    const float height = (float)between(&b->random, 34, 62) / 10;
    add(b, HOUSE, (vec3){x + STREET + SIDE, 0, z + STREET + SIDE}, (vec3){SIDE, height, SIDE},
        paint(wall[0] - shade, wall[1] - shade, wall[2] - shade));
}

static void add_small(builder *b, float x, float z)
{
    const uint32_t what = chance(&b->random) % 8, shade = chance(&b->random) % 64;
    const float size = (float)between(&b->random, 40, 90) / 100;
    if (what < 4)
        add(b, TREE, (vec3){x, 0, z}, (vec3){size, 2.6f * size, size},
            paint(30 + shade / 2, 84 + shade, 36));
    else if (what < 6)
        add(b, BALL, (vec3){x, 0, z}, (vec3){0.7f * size, 0.7f * size, 0.7f * size},
            what == 4 ? paint(190 + shade, 40 + shade, 40) : paint(230, 150 + shade, 30));
    else
        add(b, CRATE, (vec3){x, 0, z}, (vec3){0.8f * size, 0.6f * size, 0.8f * size},
            paint(110 + shade, 78 + shade, 50 + shade / 2));
}

/* Adds all instances of the builder's mesh. The random numbers are the same for each mesh. */
static void add_all(builder *b)
{
    uint32_t left = SMALL;
    b->random = 11;
    add(b, CRATE, (vec3){PLOTS * PITCH / 2, -1.2f, PLOTS * PITCH / 2},
        (vec3){PLOTS * PITCH / 2 + 40, 0.5f, PLOTS * PITCH / 2 + 40}, paint(104, 108, 104));
    for (uint32_t plot = 0; plot < PLOTS * PLOTS; plot++) {
        const float x = PITCH * (float)(plot % PLOTS), z = PITCH * (float)(plot / PLOTS);
        add_house(b, x, z);
        for (uint32_t slot = 0; slot < SLOTS; slot++) {
            const uint32_t slots = (PLOTS * PLOTS - plot) * SLOTS - slot;
            if (chance(&b->random) % slots >= left)
                continue;
            left--;
            const float across = slot & 1 ? 6.8f : 1.2f;
            const float along = STREET + 1.2f + 2.2f * (float)(slot / 2 % 6);
            add_small(b, x + (slot < 12 ? across : along), z + (slot < 12 ? along : across));
        }
    }
}

void make_town(vec4 *spheres, Shape *shapes, Mesh meshes[MESHES + 1])
{
    builder b = {spheres, shapes, 0, 0, 0};
    for (b.mesh = 0; b.mesh < MESHES; b.mesh++) {
        meshes[b.mesh].first_instance = b.count;
        add_all(&b);
    }
    meshes[MESHES].first_instance = b.count;
}

/* ---- The camera ---- */

#define TURN 26.0f   /* the frame in which the camera begins to turn .. */
#define TURNED 38.0f /* .. and that after which it goes straight on */
#define STEP 0.9f    /* metres of a frame */

static float smooth(float from, float to, float at)
{
    const float t = fminf(fmaxf((at - from) / (to - from), 0), 1);
    return t * t * (3 - 2 * t);
}

/* Goes along a street, looks around, turns into another street at a crossing, and rises. */
void move_camera(View *view, uint32_t frame)
{
    const float at = (float)frame, quarter = 1.5707963f;
    const float yaw = quarter * smooth(TURN, TURNED, at) + 0.35f * sinf(at * 0.13f);
    const float pitch = 0.04f + 0.2f * smooth(TURNED, (float)FRAMES, at);
    const float crossing = 30 * PITCH + STREET / 2;
    const float first = fminf(at - 32, 0) * STEP, second = fmaxf(at - 32, 0) * STEP;
    const float height = 2.4f + 12 * smooth(TURNED, (float)FRAMES, at);
    const vec4 eye = {crossing + second, height, crossing + first};
    const vec4 right = {cosf(yaw), 0, -sinf(yaw)};
    const vec4 ahead = {sinf(yaw) * cosf(pitch), -sinf(pitch), cosf(yaw) * cosf(pitch)};
    for (int c = 0; c < 3; c++) {
        const int d = (c + 1) % 3, e = (c + 2) % 3;
        view->eye[c] = eye[c];
        view->right[c] = right[c];
        view->ahead[c] = ahead[c];
        view->down[c] = right[d] * ahead[e] - right[e] * ahead[d];
    }
}
