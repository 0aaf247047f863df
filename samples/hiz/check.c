/* SPDX-License-Identifier: MIT */
/* Repeats the work on the CPU. Levels and verdicts must be equal, and no box may be called hidden
 * that can be seen, which is tested pixel by pixel in floating point. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "app.h"
#include "city.h"

size_t texels_below(int level)
{
    size_t texels = 0;
    for (int k = 1; k < level; k++)
        texels += (size_t)side_of(WIDTH, k) * (size_t)side_of(HEIGHT, k);
    return texels;
}

static float depth_at(const outcome *o, int level, int x, int y, int which)
{
    const size_t at = (size_t)y * (size_t)side_of(WIDTH, level) + (size_t)x;
    return level == 0 ? o->depths[at] : o->levels[2 * (texels_below(level) + at) + (size_t)which];
}

/* ---- Levels ---- */

/* Counts the texels of a level that differ from those computed from the level below. */
static size_t compare_level(const outcome *o, int level)
{
    const int w = side_of(WIDTH, level), h = side_of(HEIGHT, level);
    const int below_w = side_of(WIDTH, level - 1), below_h = side_of(HEIGHT, level - 1);
    size_t different = 0;
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float least = INFINITY, greatest = -INFINITY;
            for (int j = y * below_h / h; j < ((y + 1) * below_h + h - 1) / h; j++)
                for (int i = x * below_w / w; i < ((x + 1) * below_w + w - 1) / w; i++) {
                    least = fminf(least, depth_at(o, level - 1, i, j, 0));
                    greatest = fmaxf(greatest, depth_at(o, level - 1, i, j, 1));
                }
            different +=
                depth_at(o, level, x, y, 0) != least || depth_at(o, level, x, y, 1) != greatest;
        }
    return different;
}

/* ---- Verdicts ---- */

static uint32_t verdict_on(const outcome *o, const Box *box)
{
    Bounds b = bounds_of(*box);
    float farthest = 0;
    int level = 0;
    if (is_crossing(b))
        return VISIBLE;
    if (is_outside(b))
        return OUTSIDE;
    for (b = clipped(b); !is_small(b); level++)
        b = lifted(b, level);
    for (int y = b.top; y <= b.bottom; y++)
        for (int x = b.left; x <= b.right; x++)
            farthest = fmaxf(farthest, depth_at(o, level, x, y, 1));
    return is_behind(b.nearest, farthest) ? HIDDEN : VISIBLE;
}

/* ---- What can be seen ---- */

/* A corner in the picture, with the inverse of its distance, which is linear in picture space. */
typedef struct vertex {
    double x, y, inverse;
} vertex;

static double side_of_line(const vertex *a, const vertex *b, double x, double y)
{
    return (b->x - a->x) * (y - a->y) - (b->y - a->y) * (x - a->x);
}

/* Whether a pixel's centre is in the triangle, and the triangle is nearer there than the drawn
 * depth. */
static bool is_nearer(const outcome *o, const vertex *v, int x, int y)
{
    const double px = x + 0.5, py = y + 0.5;
    const double a = side_of_line(&v[1], &v[2], px, py), b = side_of_line(&v[2], &v[0], px, py);
    const double c = side_of_line(&v[0], &v[1], px, py), all = a + b + c;
    if (all == 0 || a * all < 0 || b * all < 0 || c * all < 0)
        return false;
    const double inverse = (a * v[0].inverse + b * v[1].inverse + c * v[2].inverse) / all;
    return 1 - NEAR * inverse < (double)o->depths[(size_t)y * WIDTH + (size_t)x];
}

static int limited(double value, int most)
{
    return (int)fmax(0, fmin(value, most));
}

static bool is_triangle_seen(const outcome *o, const vertex *v)
{
    const int left = limited(floor(fmin(v[0].x, fmin(v[1].x, v[2].x))), WIDTH - 1);
    const int right = limited(ceil(fmax(v[0].x, fmax(v[1].x, v[2].x))), WIDTH - 1);
    const int top = limited(floor(fmin(v[0].y, fmin(v[1].y, v[2].y))), HEIGHT - 1);
    const int bottom = limited(ceil(fmax(v[0].y, fmax(v[1].y, v[2].y))), HEIGHT - 1);
    for (int y = top; y <= bottom; y++)
        for (int x = left; x <= right; x++)
            if (is_nearer(o, v, x, y))
                return true;
    return false;
}

/* Whether the box would be visible at some pixel if it were drawn into the depth buffer. */
static bool is_box_seen(const outcome *o, const Box *box)
{
    vertex corners[8];
    for (int i = 0; i < 8; i++) {
        const Point p = corner_of(*box, i);
        corners[i] = (vertex){0.5 * WIDTH + (double)p.x * FOCAL / p.z,
                              0.5 * HEIGHT + (double)p.y * FOCAL / p.z, 1.0 / p.z};
    }
    for (int side = 0; side < 6; side++)
        for (int half = 0; half < 2; half++) {
            vertex v[3];
            for (int k = 0; k < 3; k++) {
                const int along = half + k, axis = side >> 1;
                v[k] = corners[(side & 1) << axis | (along & 1) << (axis + 1) % 3 |
                               (along >> 1) << (axis + 2) % 3];
            }
            if (is_triangle_seen(o, v))
                return true;
        }
    return false;
}

/* ---- Everything ---- */

static bool *find_drawn(const outcome *o)
{
    bool *seen = calloc(BOXES, sizeof *seen);
    if (!seen)
        DIE(FAILED, "out of memory\n");
    for (size_t i = 0; i < PIXELS; i++)
        if (o->ids[i] != 0)
            seen[(o->ids[i] - 1) / 8] = true;
    return seen;
}

bool check_outcome(const outcome *o)
{
    size_t counts[3] = {0}, levels = 0, verdicts = 0, shown = 0, nearer = 0, lost = 0, missed = 0;
    bool *seen = find_drawn(o);
    for (int level = 1; level <= LEVELS; level++)
        levels += compare_level(o, level);
    for (uint32_t i = 0; i < BOXES; i++) {
        const uint32_t verdict = o->verdicts[i];
        const bool visible = verdict == VISIBLE;
        counts[verdict % 3]++;
        verdicts += verdict != verdict_on(o, &o->boxes[i]);
        shown += seen[i];
        lost += seen[i] && !visible;
        if (bounds_of(o->boxes[i]).nearest < NEAR || !is_box_seen(o, &o->boxes[i]))
            continue;
        nearer++;
        missed += !visible;
    }
    free(seen);
    printf("%u boxes are drawn; of %u that are tested %zu are visible, %zu hidden, %zu outside the "
           "picture\n",
           DRAWN, BOXES, counts[VISIBLE], counts[HIDDEN], counts[OUTSIDE]);
    printf("%zu of %zu texels of %d levels differ from those of the CPU\n", levels,
           texels_below(LEVELS + 1), LEVELS);
    printf("%zu of %u verdicts differ from those of the CPU\n", verdicts, BOXES);
    printf("%zu boxes are seen in the picture; %zu of these are not called visible\n", shown, lost);
    printf("%zu boxes are nearer than what is drawn at some pixel; %zu of these are not called "
           "visible\n",
           nearer, missed);
    printf("%u boxes are drawn again; that number is %s\n", *o->count,
           *o->count == counts[VISIBLE] ? "right" : "wrong");
    return levels + verdicts + lost + missed == 0 && *o->count == counts[VISIBLE];
}
