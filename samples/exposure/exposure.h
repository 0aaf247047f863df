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

/* The histogram of log2 of the luminance, and the percentiles that bound the trimmed mean. */
#define BINS 256
#define DARKEST -12
#define BRIGHTEST 12
#define TRIM_DARK 0.10
#define TRIM_BRIGHT 0.95

#define KEY -2.4739312f /* log2 of 0.18, the displayed value of the mean */
#define WHITE 16.0f     /* the light that is shown as white, after exposure */

#define TONE_SIDE 16 /* workgroup width and height of the tone mapping shader */

/* The parameters of a frame, from the host. */
struct Instant {
    uint picture;
    float light;     /* factor for the light of the picture */
    float to_bright; /* share of the way that the exposure moves, towards a .. */
    float to_dark;   /* .. brighter or a darker scene */
    uint frame;
};

/* The library's results for a frame. */
struct Meter {
    uint counts[BINS]; /* sums of weights */
    float edges[BINS + 1];
    float mean;
};

struct Reading {
    float mean;
    float exposure;
};

/* The state kept from frame to frame. The readings are only for the check afterwards. */
struct State {
    float exposure;
    Reading readings[FRAMES];
};

/* The target of the adaptation: the exposure that displays the mean as 0.18. */
RULE float wanted(float mean)
{
    return KEY - mean;
}

/* The next exposure. It stays the same if there was nothing to meter, since the mean is then
 * NaN. */
RULE float adapted(float exposure, float mean, float to_bright, float to_dark)
{
    float way = wanted(mean) - exposure;
    return isnan(mean) ? exposure : exposure + way * (way < 0.0f ? to_bright : to_dark);
}

/* Tone maps one channel of exposed light to sRGB, by Reinhard's curve with a white point. */
RULE float shown(float light)
{
    float x = light * (1.0f + light / (WHITE * WHITE)) / (1.0f + light);
    x = x < 1.0f ? x : 1.0f;
    return x <= 0.0031308f ? 12.92f * x : 1.055f * POWER(x, 1.0f / 2.4f) - 0.055f;
}

#endif
