/* SPDX-License-Identifier: MIT */
/*
 * The rules of the sample exposure, in what C and GLSL have in common: how a picture is metered,
 * how the exposure follows, and how colours are shown.
 *
 * Brightness and exposure are in stops: powers of two. What is shown is the light times 2^exposure.
 */
#ifndef EXPOSURE_H
#define EXPOSURE_H

#ifdef __STDC_VERSION__
#include <math.h>
#include <stdint.h>
typedef uint32_t uint;
typedef struct Instant Instant;
typedef struct Meter Meter;
typedef struct Reading Reading;
typedef struct State State;
#define POWER(x, y) powf(x, y)
#define RULE static inline
#else
#define POWER(x, y) pow(x, y)
#define RULE
#endif

#define FRAMES 120

/* The histogram of log2 of the luminance, and the shares between which the mean counts. */
#define BINS 256
#define DARKEST -12
#define BRIGHTEST 12
#define TRIM_DARK 0.10
#define TRIM_BRIGHT 0.95

#define KEY -2.4739312f /* log2 of 0.18, which the mean is shown as */
#define WHITE 16.0f     /* the light that is shown as white, after exposure */

#define TONE_SIDE 16 /* of a workgroup of the shader that shows a picture */

/* What a frame is told by the host. */
struct Instant {
    uint picture;
    float light;     /* times the picture's */
    float to_bright; /* which share of its way the exposure goes in this frame, towards a .. */
    float to_dark;   /* .. brighter and towards a darker scene */
    uint frame;
};

/* What the library leaves of a frame. */
struct Meter {
    uint counts[BINS]; /* sums of weights */
    float edges[BINS + 1];
    float mean;
};

struct Reading {
    float mean;
    float exposure;
};

/* What stays from frame to frame. The readings are for those who look afterwards. */
struct State {
    float exposure;
    Reading readings[FRAMES];
};

/* The exposure that the eye would like to have. */
RULE float wanted(float mean)
{
    return KEY - mean;
}

/* The next exposure. Nothing changes where there was nothing to meter: the mean is NaN. */
RULE float adapted(float exposure, float mean, float to_bright, float to_dark)
{
    float way = wanted(mean) - exposure;
    return isnan(mean) ? exposure : exposure + way * (way < 0.0f ? to_bright : to_dark);
}

/* One channel of what is shown of exposed light, in sRGB: Reinhard's curve with a white point. */
RULE float shown(float light)
{
    float x = light * (1.0f + light / (WHITE * WHITE)) / (1.0f + light);
    x = x < 1.0f ? x : 1.0f;
    return x <= 0.0031308f ? 12.92f * x : 1.055f * POWER(x, 1.0f / 2.4f) - 0.055f;
}

#endif
