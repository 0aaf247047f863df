/* SPDX-License-Identifier: MIT */
/*
 * Repeats the computation on the CPU, from the definitions of map.h and histogram.h: the
 * histogram's bins exactly, the trimmed mean in 64 bits, the exposure from frame to frame, and the
 * pixels of the frames that are kept.
 *
 * Must be compiled without contraction of products and sums, so that an element near an edge is on
 * the same side of it as on the device.
 */
#include <stdlib.h>
#include <string.h>
#include "app.h"
#include "parts.h"

/* ---- The map ---- */

/* Returns +0 for magnitudes up to the smallest normal number. */
static float flushed(float value)
{
    return fabsf(value) <= 0x1p-126f ? 0.0f : value;
}

static float log2_of(float x)
{
    static const float coefficients[] = VKR_LOG2_COEFFICIENTS;
    uint32_t bits;
    int exponent;
    if (!(x > 0.0f) || isinf(x))
        return x == 0.0f ? -INFINITY : x > 0.0f ? x : NAN;
    float m = 2 * frexpf(x, &exponent);
    memcpy(&bits, &m, sizeof bits);
    exponent--;
    if (bits > 0x3fb504f3) { /* the square root of 2 */
        m /= 2;
        exponent++;
    }
    const float f = m - 1;
    float p = coefficients[0];
    for (size_t i = 1; i < sizeof coefficients / sizeof coefficients[0]; i++)
        p = p * f + coefficients[i];
    return exponent == 0 ? f * p : (float)exponent + f * p;
}

static float brightness_of(const float *texel, float light)
{
    static const float weights[] = VKR_LUMINANCE_WEIGHTS;
    float sum = 0;
    for (int c = 0; c < 3; c++)
        sum = flushed(sum + flushed(weights[c] * flushed(texel[c] * light)));
    return log2_of(sum);
}

/* ---- The meter ---- */

/* Edge k, which is exact as a float. */
static double edge(int k)
{
    return DARKEST + k * ((double)(BRIGHTEST - DARKEST) / BINS);
}

static void count(const outcome *o, const Instant *now, uint32_t counts[BINS])
{
    const radiance *r = &o->pictures[now->picture];
    memset(counts, 0, BINS * sizeof *counts);
    for (size_t i = 0; i < (size_t)r->width * r->height; i++) {
        const double x = (double)brightness_of(r->rgba + 4 * i, now->light);
        if (x >= DARKEST && x < BRIGHTEST)
            counts[(int)floor((x - DARKEST) * BINS / (BRIGHTEST - DARKEST))] += o->weights[i];
    }
}

/* The mean of the weight between two percentiles; within a bin, the weight is spread evenly. */
static double trimmed_mean(const uint32_t counts[BINS])
{
    double all = 0, below = 0, sum = 0, weight = 0;
    for (int k = 0; k < BINS; k++)
        all += counts[k];
    const double first = all * nearbyint(0x1p32 * TRIM_DARK) * 0x1p-32;
    const double last = all * nearbyint(0x1p32 * TRIM_BRIGHT) * 0x1p-32;
    for (int k = 0; k < BINS; k++) {
        const double from = fmax(first, below), to = fmin(last, below + counts[k]);
        if (from < to) {
            const double middle = ((from + to) / 2 - below) / counts[k];
            sum += (to - from) * (edge(k) + middle * (edge(k + 1) - edge(k)));
            weight += to - from;
        }
        below += counts[k];
    }
    return weight > 0 ? sum / weight : (double)NAN;
}

/* ---- What is shown ---- */

static size_t compare_pixels(const outcome *o, uint32_t kept)
{
    const uint32_t frame = shown_frames[kept];
    const Instant now = instant_of(frame);
    const radiance *r = &o->pictures[now.picture];
    const float factor = exp2f(o->state->readings[frame].exposure);
    size_t different = 0;
    for (size_t i = 0; i < (size_t)r->width * r->height; i++) {
        bool same = o->rgba[kept][4 * i + 3] == 255;
        for (size_t c = 0; c < 3; c++) {
            const float is = shown(r->rgba[4 * i + c] * now.light * factor);
            same = same && fabsf(255 * is - o->rgba[kept][4 * i + c]) <= 1.5f;
        }
        different += !same;
    }
    return different;
}

static size_t compare_counts(const uint32_t *a, const uint32_t *b)
{
    size_t different = 0;
    for (int k = 0; k < BINS; k++)
        different += a[k] != b[k];
    return different;
}

/* ---- Everything ---- */

verdict check_outcome(const outcome *o)
{
    verdict v = {0};
    uint32_t counts[BINS], kept = 0;
    Instant before = {0};
    float exposure = 0;
    for (uint32_t frame = 0; frame < FRAMES; frame++) {
        const Instant now = instant_of(frame);
        if (now.picture != before.picture || now.light != before.light)
            count(o, &now, counts);
        before = now;
        const float mean = (float)trimmed_mean(counts);
        exposure = adapted(exposure, mean, now.to_bright, now.to_dark);
        v.expected[frame] = (Reading){mean, exposure};
        const double error = fabs((double)exposure - (double)o->state->readings[frame].exposure);
        if (!(error <= v.exposure_error)) /* NaN too */
            v.exposure_error = isnan(error) ? (double)INFINITY : error;
        if (kept < SHOWN && shown_frames[kept] == frame) {
            v.bins += compare_counts(counts, o->counts[kept]);
            v.pixels += compare_pixels(o, kept++);
        }
    }
    return v;
}
