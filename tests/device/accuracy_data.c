/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "accuracy.h"

/* The number of infinite elements at the start. It is small enough that finite elements follow in
 * every lane. */
#define FIRST 64u

const data_row data_rows[DATA_ROWS] = {
    {"0.1", EQUAL, 0.1},
    {"1.0000007", EQUAL, 1.0000007},
    {"1.3", EQUAL, 1.3},
    {"1.7", EQUAL, 1.7},
    {"65504", EQUAL, 65504},
    {"of one sign", ONE_SIGN, 0},
    {"that cancel", CANCELLING, 0},
    {"of all magnitudes", MAGNITUDES, 0},
    {"in ascending order", ASCENDING, 0},
    {"close to 1", NEARLY_EQUAL, 0},
    {"infinite at first", INFINITE_FIRST, 0},
    {"infinite of both signs", INFINITE_TWICE, 0},
    {"some NaN", NAN_LATER, 0},
    {"whose sum overflows", OVERFLOWING, 0},
};

/* A random number from 0 to 1. */
static double part_of_1(uint64_t *state)
{
    return (double)(next_random(state) >> 11) * 0x1p-53;
}

static double greatest(VkrType type)
{
    return type == VKR_TYPE_F16 ? 65504 : type == VKR_TYPE_F64 ? 1.7e308 : 3e38;
}

static double of_all_magnitudes(uint64_t *state, VkrType type)
{
    const uint32_t powers = type == VKR_TYPE_F16 ? 13 : 100; /* of two: 2^100 is about 1e30 */
    const int exponent = (int)random_below(state, 2 * powers) - (int)powers;
    return ldexp(2 * part_of_1(state) - 1, exponent);
}

static double element(const data_row *row, uint64_t *state, VkrType type, uint32_t i,
                      uint32_t count)
{
    switch (row->shape) {
    case EQUAL:
        return row->value;
    case CANCELLING:
        return (i % 2 == 0 ? 1 : -1) * (1 + part_of_1(state) / 1000);
    case MAGNITUDES:
        return of_all_magnitudes(state, type);
    case ASCENDING:
        return (i + 1.0) / count;
    case NEARLY_EQUAL:
        return 1 + part_of_1(state) / 100000;
    case INFINITE_FIRST:
        return i < FIRST ? (double)INFINITY : part_of_1(state);
    case INFINITE_TWICE:
        return i / FIRST == 0 ? (double)INFINITY : i / FIRST == 1 ? -(double)INFINITY : 1;
    case NAN_LATER:
        return i / FIRST == 1 ? (double)NAN : 1;
    case OVERFLOWING:
        return greatest(type);
    default:
        return part_of_1(state);
    }
}

/* The bits of an f16 whose low fraction bits are cut off; 0 for a subnormal number. */
static uint16_t half_of(double value)
{
    const uint32_t sign = signbit(value) ? 0x8000 : 0;
    int exponent;
    const double fraction = frexp(fabs(value), &exponent);
    if (!isfinite(value))
        return (uint16_t)(sign | (isnan(value) ? 0x7e00 : 0x7c00));
    if (exponent < -13 || fraction == 0)
        return (uint16_t)sign;
    const uint32_t bits = ((uint32_t)(exponent + 14) << 10) | ((uint32_t)(fraction * 2048) & 0x3ff);
    return (uint16_t)(sign | bits);
}

static void write_number(VkrType type, double value, void *at)
{
    const float single = (float)value;
    const uint16_t half = type == VKR_TYPE_F16 ? half_of(value) : 0;
    if (type == VKR_TYPE_F16)
        memcpy(at, &half, sizeof(half));
    else if (type == VKR_TYPE_BF16) /* low fraction bits cut off too */
        memcpy(at, (const char *)&single + 2, 2);
    else if (type == VKR_TYPE_F32)
        memcpy(at, &single, sizeof(single));
    else
        memcpy(at, &value, sizeof(value));
}

void fill_row(const data_row *row, uint64_t seed, VkrType type, void *at, size_t stride,
              uint32_t count)
{
    uint64_t state = seed;
    for (uint32_t i = 0; i < count; i++)
        write_number(type, element(row, &state, type, i, count), (char *)at + i * stride);
}

double number_of(VkrType type, const void *value)
{
    uint16_t half;
    float single;
    double wide;
    memcpy(&half, value, sizeof(half));
    if (type == VKR_TYPE_F16)
        return ldexp(1024 + (half & 0x3ff), (half >> 10 & 31) - 25);
    if (type == VKR_TYPE_BF16) {
        const uint32_t word = (uint32_t)half << 16;
        memcpy(&single, &word, sizeof(single));
        return (double)single;
    }
    if (type == VKR_TYPE_F64)
        memcpy(&wide, value, sizeof(wide));
    else
        memcpy(&single, value, sizeof(single));
    return type == VKR_TYPE_F64 ? wide : (double)single;
}
