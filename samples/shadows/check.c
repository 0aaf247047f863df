/* SPDX-License-Identifier: MIT */
/* Repeats the fitting on the CPU, in plain loops over the depths that the device has drawn. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "town.h"

static const char *const kinds[] = {"fixed", "fitted"};

typedef struct findings {
    size_t seen, pixels[2][CASCADES], outside[2];
    double nearest, farthest; /* depths */
    double boxes[CASCADES][4];
    double reach[CASCADES]; /* of the camera's distances from the origin and from the pixels */
} findings;

static double dot(const float *a, const double *b)
{
    return (double)a[0] * b[0] + (double)a[1] * b[1] + (double)a[2] * b[2];
}

static double distance_of(double depth)
{
    return (double)NEAR / (1 - depth);
}

/* The coordinates, in the light, of the point that pixel i shows. Returns its reach. */
static double find_point(const View *v, size_t i, double depth, double light[3])
{
    const double x = ((double)(i % WIDTH) + 0.5 - 0.5 * WIDTH) / (double)FOCAL;
    const double y = ((double)(i / WIDTH) + 0.5 - 0.5 * HEIGHT) / (double)FOCAL;
    const double z = distance_of(depth);
    double p[3], square = 0;
    for (int c = 0; c < 3; c++) {
        p[c] = (double)v->eye[c] +
               z * ((double)v->ahead[c] + x * (double)v->right[c] + y * (double)v->down[c]);
        square += (double)v->eye[c] * (double)v->eye[c];
    }
    light[0] = dot(v->light_x, p);
    light[1] = dot(v->light_y, p);
    light[2] = dot(v->light_z, p);
    return sqrt(square) + z * sqrt(1 + x * x + y * y);
}

static int cascade_of(const Cascades *c, float depth)
{
    int k = 0;
    while (k < CASCADES - 1 && depth >= c->splits[k + 1])
        k++;
    return k;
}

/* The length of a texel along x (0) or y (1) of the map that shows a box. */
static double texel_of(const float *box, int along)
{
    return fmax(-(double)box[2 + along] - (double)box[along], 0.01) / (MAP_SIDE - 2 * MARGIN);
}

/* Whether the four texels around a point are in the map, and its depth is, too. */
static bool is_in_map(const View *v, const float *box, const double light[3])
{
    const double depth = (light[2] - (double)v->light_range[0]) /
                         ((double)v->light_range[1] - (double)v->light_range[0]);
    for (int along = 0; along < 2; along++) {
        const double at = (light[along] - (double)box[along]) / texel_of(box, along) + MARGIN;
        if (!(at >= 0.5 && at <= MAP_SIDE - 0.5))
            return false;
    }
    return depth >= 0 && depth <= 1;
}

static findings find(const outcome *o)
{
    findings f = {.nearest = 2, .farthest = -1};
    for (int k = 0; k < CASCADES; k++)
        for (int c = 0; c < 4; c++)
            f.boxes[k][c] = (double)NOTHING;
    for (size_t i = 0; i < PIXELS; i++) {
        const double depth = (double)o->depths[i];
        double light[3];
        if (depth == 1)
            continue;
        f.seen++;
        f.nearest = fmin(f.nearest, depth);
        f.farthest = fmax(f.farthest, depth);
        const double reach = find_point(o->view, i, depth, light);
        for (int kind = 0; kind < 2; kind++) {
            const int k = cascade_of(&o->cascades[kind], o->depths[i]);
            f.pixels[kind][k]++;
            f.outside[kind] += !is_in_map(o->view, o->cascades[kind].boxes[k], light);
        }
        const int k = cascade_of(&o->cascades[FITTED], o->depths[i]);
        f.reach[k] = fmax(f.reach[k], reach);
        for (int c = 0; c < 4; c++)
            f.boxes[k][c] = fmin(f.boxes[k][c], c < 2 ? light[c] : -light[c - 2]);
    }
    return f;
}

/* ---- Bounds ---- */

static bool check_range(const outcome *o, const findings *f)
{
    const float *seen = o->cascades[FITTED].seen;
    const bool right = (double)seen[0] == f->nearest && -(double)seen[1] == f->farthest;
    printf(
        "%zu of %d pixels are seen, %.2f to %.2f metres ahead; the range of depths %s the CPU's\n",
        f->seen, PIXELS, distance_of(f->nearest), distance_of(f->farthest),
        right ? "equals" : "differs from");
    return right;
}

/* The shader's power of floats may be off by some 2^-20, and a depth by another 2^-24, which is
 * one part in 30,000 of a distance of 500 NEAR. */
#define SPLIT_TOLERANCE 1e-4

static bool check_splits(const outcome *o, const findings *f)
{
    const double near = distance_of(f->nearest), far = distance_of(f->farthest);
    double most = 0;
    bool right = true;
    for (int k = 0; k <= CASCADES; k++) {
        const double wanted = near * pow(far / near, (double)k / CASCADES);
        const double found = distance_of((double)o->cascades[FITTED].splits[k]);
        const double error = fabs(found / wanted - 1);
        right = right && error <= SPLIT_TOLERANCE;
        most = fmax(most, error);
    }
    printf("splits differ from the CPU's by at most %.2g of a distance (%.2g are allowed)\n", most,
           SPLIT_TOLERANCE);
    return right;
}

/* A coordinate is the result of at most 16 operations on floats, each off by at most 2.5 units in
 * the last place (a division; others are off by half a unit) of a number below twice the reach. */
static const double box_tolerance = 16 * 2.5 * 2 / 8388608;

static bool check_boxes(const outcome *o, const findings *f)
{
    double most = 0, allowed = 0;
    bool right = true;
    for (int k = 0; k < CASCADES; k++)
        for (int c = 0; c < 4; c++) {
            const double error = fabs((double)o->cascades[FITTED].boxes[k][c] - f->boxes[k][c]);
            right = right && error <= box_tolerance * f->reach[k];
            most = fmax(most, error);
            allowed = fmax(allowed, box_tolerance * f->reach[k]);
        }
    printf("boxes differ from the CPU's by at most %.2g metres (%.2g are allowed in the last)\n",
           most, allowed);
    return right;
}

/* ---- Texels ---- */

/* The texels of a map for each metre, the geometric mean of both directions. */
static double density_of(const float *box)
{
    return 1 / sqrt(texel_of(box, 0) * texel_of(box, 1));
}

/* The median over all pixels that are seen. A density is 0 if a box has no end. */
static double median_density(const outcome *o, const findings *f, int kind)
{
    size_t below = 0;
    double last = -1;
    while (below <= f->seen / 2) {
        double next = INFINITY;
        size_t pixels = 0;
        for (int k = 0; k < CASCADES; k++) {
            const double density = density_of(o->cascades[kind].boxes[k]);
            if (f->pixels[kind][k] == 0 || density <= last || density > next)
                continue;
            pixels = density == next ? pixels + f->pixels[kind][k] : f->pixels[kind][k];
            next = density;
        }
        last = next;
        below += pixels;
    }
    return last;
}

static void print_cascades(const outcome *o, const findings *f)
{
    for (int kind = 0; kind < 2; kind++)
        for (int k = 0; k < CASCADES; k++) {
            const Cascades *c = &o->cascades[kind];
            printf("%s cascade %d: %.2f to %.2f metres ahead, %zu pixels, ", kinds[kind], k,
                   distance_of((double)c->splits[k]), distance_of((double)c->splits[k + 1]),
                   f->pixels[kind][k]);
            printf("%.1f x %.1f metres, %.2f texels per metre\n",
                   texel_of(c->boxes[k], 0) * MAP_SIDE, texel_of(c->boxes[k], 1) * MAP_SIDE,
                   density_of(c->boxes[k]));
        }
}

bool check_outcome(const outcome *o)
{
    const findings f = find(o);
    bool right = f.seen > 0;
    if (!right) {
        printf("nothing is seen\n");
        return false;
    }
    right = check_range(o, &f) && right;
    right = check_splits(o, &f) && right;
    right = check_boxes(o, &f) && right;
    print_cascades(o, &f);
    for (int kind = 0; kind < 2; kind++)
        printf("%zu of %zu pixels are outside of their %s maps\n", f.outside[kind], f.seen,
               kinds[kind]);
    const double fixed = median_density(o, &f, FIXED), fitted = median_density(o, &f, FITTED);
    printf(
        "median of all pixels: %.2f texels per metre with fixed cascades, %.2f with fitted ones: "
        "%.2f times as many\n",
        fixed, fitted, fitted / fixed);
    return right && f.outside[FIXED] + f.outside[FITTED] == 0 && fitted > fixed;
}
