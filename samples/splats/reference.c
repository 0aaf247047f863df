/* SPDX-License-Identifier: MIT */
#include "reference.h"
#include <math.h>
#include <string.h>
#include "app.h"

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (!memory)
        DIE(FAILED, "there is no memory for what the CPU computes\n");
    return memory;
}

reference create_reference(const model *m)
{
    return (reference){.seen = allocate(m->count, sizeof(uint32_t)),
                       .keys = allocate(m->count, sizeof(uint32_t)),
                       .order = allocate(m->count, sizeof(uint32_t)),
                       .places = allocate(m->count, sizeof(uint32_t)),
                       .pairs = allocate(m->count, sizeof(uint64_t)),
                       .pixels = allocate(WIDTH * HEIGHT, sizeof(vec4)),
                       .cover = allocate(WIDTH * HEIGHT, sizeof(uint32_t))};
}

void free_reference(const reference *r)
{
    free(r->seen);
    free(r->keys);
    free(r->order);
    free(r->places);
    free(r->pairs);
    free(r->pixels);
    free(r->cover);
}

/* ---- The order ---- */

/* As in the shader, with the same roundings. */
static float distance_from(const vec4 plane, const float *p)
{
    return plane[0] * p[0] + plane[1] * p[1] + plane[2] * p[2] + plane[3];
}

static bool is_seen(const View *view, const vec4 sphere)
{
    if (distance_from(view->ahead, sphere) < NEAR)
        return false;
    for (int k = 0; k < 4; k++)
        if (distance_from(view->sides[k], sphere) < -sphere[3])
            return false;
    return true;
}

static uint32_t key_of(const View *view, const vec4 sphere)
{
    const float scaled = KEY_SCALE * distance_from(view->ahead, sphere);
    const float key = scaled < MAX_SCALED ? scaled : MAX_SCALED;
    uint32_t bits;
    memcpy(&bits, &key, sizeof bits);
    return bits;
}

static int compare(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

void order_splats(reference *r, const model *m, const View *view, uint32_t begin, uint32_t end)
{
    const uint32_t mask = (uint32_t)((UINT64_C(1) << end) - (UINT64_C(1) << begin));
    r->count = 0;
    for (uint32_t i = 0; i < m->count; i++)
        if (is_seen(view, m->spheres[i])) {
            r->seen[r->count] = i;
            r->keys[r->count++] = key_of(view, m->spheres[i]);
        }
    /* Greater keys first; of equal ones, those that are listed first. */
    for (uint32_t i = 0; i < r->count; i++)
        r->pairs[i] = (uint64_t)(mask & ~r->keys[i]) << 32 | i;
    qsort(r->pairs, r->count, sizeof r->pairs[0], compare);
    for (uint32_t i = 0; i < r->count; i++) {
        r->order[i] = (uint32_t)r->pairs[i];
        r->places[r->order[i]] = i;
    }
}

/* ---- The picture ---- */

static float dot(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The image of a small vector at a point with these slopes. */
static void flatten(vec2 out, const View *view, const vec4 axis, const vec2 slopes, float scale)
{
    const float ahead = dot(view->ahead, axis);
    out[0] = scale * (dot(view->right, axis) - slopes[0] * ahead);
    out[1] = scale * (dot(view->down, axis) - slopes[1] * ahead);
}

static float clamped(float x, float least, float most)
{
    return fminf(fmaxf(x, least), most);
}

static Outline outline_of(const View *view, const vec4 sphere, const Shape *shape)
{
    const float z = distance_from(view->ahead, sphere);
    const vec2 slopes = {distance_from(view->right, sphere) / z,
                         distance_from(view->down, sphere) / z};
    const vec2 bent = {clamped(slopes[0], -LIMIT_X, LIMIT_X),
                       clamped(slopes[1], -LIMIT_Y, LIMIT_Y)};
    float xx = 0, xy = 0, yy = 0, areas = 0;
    vec2 axes[3];
    for (int k = 0; k < 3; k++)
        flatten(axes[k], view, shape->axes[k], bent, FOCAL / z);
    for (int k = 0; k < 3; k++) {
        const float *a = axes[k], *b = axes[(k + 1) % 3];
        const float area = a[0] * b[1] - a[1] * b[0];
        areas += area * area;
        xx += a[0] * a[0];
        xy += a[0] * a[1];
        yy += a[1] * a[1];
    }
    Outline o = {.middle = {0.5f * WIDTH + FOCAL * slopes[0], 0.5f * HEIGHT + FOCAL * slopes[1]},
                 .width = sqrtf(xx + BLUR)};
    o.shear = xy / o.width;
    o.height = sqrtf(areas + BLUR * (xx + yy + BLUR)) / o.width;
    memcpy(o.colour, shape->colour, sizeof o.colour);
    return o;
}

/* The first pixel, or the one after the last, that a splat of some size around a middle covers. */
static int edge(float at, int size)
{
    return (int)clamped(floorf(at), 0, (float)size);
}

static void blend(reference *r, const Outline *o)
{
    const float wide = REACH * o->width, high = REACH * hypotf(o->shear, o->height);
    const int left = edge(o->middle[0] - wide, WIDTH);
    const int right = edge(o->middle[0] + wide + 1, WIDTH);
    const int bottom = edge(o->middle[1] + high + 1, HEIGHT);
    for (int y = edge(o->middle[1] - high, HEIGHT); y < bottom; y++)
        for (int x = left; x < right; x++) {
            const float u = ((float)x + 0.5f - o->middle[0]) / o->width;
            const float v = ((float)y + 0.5f - o->middle[1] - o->shear * u) / o->height;
            const float squared = u * u + v * v;
            if (squared >= REACH * REACH)
                continue;
            const float weight = fmaxf(expf(-0.5f * squared) - TAIL, 0) / (1 - TAIL);
            const float alpha = o->colour[3] * weight;
            float *pixel = r->pixels[y * WIDTH + x];
            for (int c = 0; c < 3; c++)
                pixel[c] = o->colour[c] * alpha + (1 - alpha) * pixel[c];
            pixel[3] = alpha + (1 - alpha) * pixel[3];
            r->cover[y * WIDTH + x]++;
        }
}

void blend_splats(reference *r, const model *m, const View *view, const uint32_t *order)
{
    memset(r->pixels, 0, WIDTH * HEIGHT * sizeof(vec4));
    memset(r->cover, 0, WIDTH * HEIGHT * sizeof(uint32_t));
    for (uint32_t i = 0; i < r->count; i++) {
        const uint32_t splat = r->seen[order ? order[i] : i];
        const Outline o = outline_of(view, m->spheres[splat], &m->shapes[splat]);
        blend(r, &o);
    }
}
