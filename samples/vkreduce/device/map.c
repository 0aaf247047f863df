/* SPDX-License-Identifier: MIT */
#include "device/map.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "input/value.h"
#include "status.h"

/* ---- The options ---- */

static int parse_bias(const char *text, float *bias)
{
    char *end;
    if (text == NULL)
        return STATUS_DONE;
    const double given = strtod(text, &end);
    *bias = (float)given;
    /* Devices may treat smaller numbers as 0. */
    const bool vanishes = given != 0 && fabs(*bias) <= FLT_MIN;
    if (end != text && *end == '\0' && isfinite(*bias) && !vanishes)
        return STATUS_DONE;
    return fail(STATUS_USAGE,
                "--bias is '%s'; it must be 0 or a finite number of f32 beyond 1.1754944e-38, such "
                "as 1e-4",
                text);
}

/* Weighs the channels of a picture by their names. */
static int weigh_named(VkrMap *map, const input *in, const float luminance[3])
{
    const char *place[4] = {0}; /* of R, G, B and Y */
    for (int i = 0; i < 4; i++)
        place[i] = memchr(in->letters, "RGBY"[i], in -> components);
    const bool coloured = place[0] != NULL && place[1] != NULL && place[2] != NULL;
    for (int i = 0; i < 3 && coloured; i++)
        map->weights[place[i] - in->letters] = luminance[i];
    if (coloured)
        return STATUS_DONE;
    const char *grey = in->components == 1 ? in->letters : place[3];
    if (grey == NULL)
        return fail(STATUS_USAGE,
                    "%s: --map needs its channels R, G and B, or Y, or any one; --channels chooses "
                    "them",
                    in->name);
    map->weights[grey - in->letters] = 1;
    return STATUS_DONE;
}

int map_open(VkrMap *map, const texel_options *opts, uint64_t chunk, const input *in)
{
    static const float luminance[] = VKR_LUMINANCE_WEIGHTS;
    const bool log2 = opts->map == MAP_LOG2_LUMINANCE;
    *map = (VkrMap){.function = log2 ? VKR_MAP_LOG2 : VKR_MAP_NONE};
    int status = parse_bias(opts->bias, &map->bias);
    if (status != STATUS_DONE)
        return status;
    if (vkrTypeSize(in->type) > sizeof(float))
        return fail(STATUS_USAGE, "%s: its values are %s; --map supports values of at most 32 bits",
                    in->name, vkrTypeName(in->type));
    if (chunk != 0)
        return fail(STATUS_USAGE, "--map needs data that fits the device; leave --chunk out");
    if (in->has_names)
        return weigh_named(map, in, luminance);
    map->weights[in->is_xyz ? 1 : 0] = 1; /* of grey the value itself, of X, Y and Z the Y */
    if (in->components >= 3 && !in->is_xyz)
        memcpy(map->weights, luminance, sizeof luminance);
    return STATUS_DONE;
}

/* ---- What --verify compares with ---- */

/* As map.h defines: +0 for a value that is too small to be normal. */
static float flushed(float value, bool least)
{
    const float normal = 0x1p-126f;
    return fabsf(value) < normal || (least && fabsf(value) == normal) ? 0 : value;
}

static float log2_of(float x)
{
    static const float coefficients[] = VKR_LOG2_COEFFICIENTS;
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (!(x > 0) || isinf(x))
        return x == 0 ? -INFINITY : x > 0 ? x : NAN;
    const int32_t e = (int32_t)(bits - 0x3f3504f4) >> 23;
    const uint32_t reduced = bits - ((uint32_t)e << 23);
    float m, p = coefficients[0];
    memcpy(&m, &reduced, sizeof m);
    const float f = m - 1;
    for (size_t i = 1; i < sizeof coefficients / sizeof coefficients[0]; i++) {
        p = p * f;
        p = p + coefficients[i];
    }
    p = f * p;
    return e == 0 ? p : (float)e + p;
}

float map_element(const VkrMap *map, const input *in, const unsigned char *from)
{
    float sum = 0;
    bool any = false;
    for (uint32_t c = 0; c < in->components; c++) {
        if (map->weights[c] == 0)
            continue;
        const float value =
            flushed((float)value_as_double(in->type, from + c * vkrTypeSize(in->type)), false);
        const float product = flushed(value * map->weights[c], true);
        sum = any ? flushed(sum + product, true) : product;
        any = true;
    }
    if (map->bias != 0)
        sum = flushed(sum + map->bias, true);
    return map->function == VKR_MAP_LOG2 ? log2_of(sum) : sum;
}
