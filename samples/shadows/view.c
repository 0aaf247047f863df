/* SPDX-License-Identifier: MIT */
/* The camera, the sun, and cascades that know only these. */
#include <math.h>
#include "town.h"

static const double eye[3] = {0.9, 4.4, -7}, target[3] = {0.4, 2.6, 20};
static const double sunlight[3] = {0.44, -0.72, 0.54};
static const double up[3] = {0, 1, 0};

static double dot(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void cross(const double *a, const double *b, double *to)
{
    for (int c = 0; c < 3; c++)
        to[c] = a[(c + 1) % 3] * b[(c + 2) % 3] - a[(c + 2) % 3] * b[(c + 1) % 3];
}

/* Stores a vector at the length 1. */
static void store(double *v, float *to)
{
    const double length = sqrt(dot(v, v));
    for (int c = 0; c < 3; c++)
        to[c] = (float)(v[c] /= length);
}

static float dot_floats(const float *a, const float *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

void make_view(View *view, const Solid *solids, uint32_t count)
{
    double ahead[3], right[3], down[3], x[3], y[3], z[3];
    *view = (View){{(float)eye[0], (float)eye[1], (float)eye[2]}, .light_range = {1e9f, -1e9f}};
    for (int c = 0; c < 3; c++) {
        ahead[c] = target[c] - eye[c];
        z[c] = sunlight[c];
    }
    store(ahead, view->ahead);
    cross(up, ahead, right);
    store(right, view->right);
    cross(right, ahead, down);
    store(down, view->down);

    /* One axis of the maps is along the view, so that boxes are narrow. */
    store(z, view->light_z);
    cross(z, ahead, x);
    store(x, view->light_x);
    cross(z, x, y);
    store(y, view->light_y);
    for (uint32_t i = 0; i < count; i++) {
        const float *size = solids[i].size;
        const float radius =
            sqrtf(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]) * 1.5f;
        const float at = dot_floats(view->light_z, solids[i].place);
        view->light_range[0] = fminf(view->light_range[0], at - radius);
        view->light_range[1] = fmaxf(view->light_range[1], at + radius);
    }
}

/* Where cascade k begins, in metres: half-way between equal steps and equal ratios, which is the
 * practical split scheme of parallel-split shadow maps (Zhang et al. 2006). */
static double split_of(int k)
{
    const double share = (double)k / CASCADES;
    return 0.5 * ((double)NEAR * pow((double)FAR / (double)NEAR, share) + (double)NEAR +
                  ((double)FAR - (double)NEAR) * share);
}

void make_fixed(Cascades *cascades, const View *view)
{
    *cascades = (Cascades){.unused = 0};
    for (int k = 0; k <= CASCADES; k++)
        cascades->splits[k] = (float)(1 - (double)NEAR / split_of(k));
    for (int k = 0; k < CASCADES; k++) {
        float *box = cascades->boxes[k];
        box[0] = box[1] = box[2] = box[3] = NOTHING;
        for (int corner = 0; corner < 8; corner++) {
            const double z = split_of(k + (corner & 1));
            const double across = (corner & 2 ? 0.5 : -0.5) * WIDTH / (double)FOCAL;
            const double along = (corner & 4 ? 0.5 : -0.5) * HEIGHT / (double)FOCAL;
            float p[3];
            for (int c = 0; c < 3; c++)
                p[c] = (float)(view->eye[c] + z * (view->ahead[c] + across * view->right[c] +
                                                   along * view->down[c]));
            const float x = dot_floats(view->light_x, p), y = dot_floats(view->light_y, p);
            box[0] = fminf(box[0], x);
            box[1] = fminf(box[1], y);
            box[2] = fminf(box[2], -x);
            box[3] = fminf(box[3], -y);
        }
    }
}
