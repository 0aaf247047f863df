/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>
#include "input/value.h"

static double half_value(const void *value)
{
    uint16_t bits;
    memcpy(&bits, value, sizeof bits);
    int exponent = (bits >> 10) & 0x1f;
    int fraction = bits & 0x3ff;
    double magnitude = exponent == 0      ? ldexp(fraction, -24)
                       : exponent != 0x1f ? ldexp(fraction + 0x400, exponent - 25)
                       : fraction == 0    ? (double)INFINITY
                                          : (double)NAN;
    return (bits & 0x8000) != 0 ? -magnitude : magnitude;
}

static double bfloat_value(const void *value)
{
    uint16_t bits;
    float single;
    memcpy(&bits, value, sizeof bits);
    const uint32_t word = (uint32_t)bits << 16;
    memcpy(&single, &word, sizeof single);
    return (double)single;
}

bool value_as_float(VkrType type, const void *value, double *result)
{
    float single;
    switch (type) {
    case VKR_TYPE_F16:
        *result = half_value(value);
        return true;
    case VKR_TYPE_BF16:
        *result = bfloat_value(value);
        return true;
    case VKR_TYPE_F32:
        memcpy(&single, value, sizeof single);
        *result = (double)single;
        return true;
    case VKR_TYPE_F64:
        memcpy(result, value, sizeof *result);
        return true;
    default:
        return false;
    }
}

uint64_t value_as_unsigned(VkrType type, const void *value)
{
    uint64_t result = 0;
    memcpy(&result, value, vkrTypeSize(type)); /* little-endian, like the device */
    return result;
}

int64_t value_as_signed(VkrType type, const void *value)
{
    uint64_t sign = UINT64_C(1) << (8 * vkrTypeSize(type) - 1);
    return (int64_t)((value_as_unsigned(type, value) ^ sign) - sign);
}

double value_as_double(VkrType type, const void *value)
{
    double real;
    if (value_as_float(type, value, &real))
        return real;
    return is_signed(type) ? (double)value_as_signed(type, value)
                           : (double)value_as_unsigned(type, value);
}

uint64_t value_infinity(VkrType type)
{
    static const uint64_t infinities[VKR_TYPE_COUNT] = {[VKR_TYPE_F16] = 0x7c00,
                                                        [VKR_TYPE_BF16] = 0x7f80,
                                                        [VKR_TYPE_F32] = 0x7f800000,
                                                        [VKR_TYPE_F64] = UINT64_C(0x7ff) << 52};
    return infinities[type];
}

uint64_t value_extreme(VkrType type, bool greatest)
{
    const uint64_t sign = UINT64_C(1) << (8 * vkrTypeSize(type) - 1);
    if (is_float(type))
        return value_infinity(type) | (greatest ? 0 : sign);
    if (is_signed(type))
        return greatest ? sign - 1 : sign;
    return greatest ? sign | (sign - 1) : 0;
}

/* The bits that stand for those of a value: by value, of +0 for -0, and of one NaN for all. */
static uint64_t compared_bits(VkrType type, const void *value, bool by_value)
{
    const uint64_t sign = UINT64_C(1) << (8 * vkrTypeSize(type) - 1);
    const uint64_t bits = value_as_unsigned(type, value), magnitude = bits & (sign - 1);
    if (!by_value || !is_float(type))
        return bits;
    return magnitude == 0 ? 0 : magnitude > value_infinity(type) ? sign | (sign - 1) : bits;
}

bool values_differ(VkrType type, uint32_t components, bool by_value, const void *a, const void *b)
{
    const uint32_t size = vkrTypeSize(type);
    bool differs = false;
    for (uint32_t c = 0; c < components && !differs; c++)
        differs = compared_bits(type, (const char *)a + c * size, by_value) !=
                  compared_bits(type, (const char *)b + c * size, by_value);
    return differs;
}

uint64_t value_order(VkrType type, const void *value, bool descending, bool by_value)
{
    const uint64_t sign = UINT64_C(1) << (8 * vkrTypeSize(type) - 1), all = sign | (sign - 1);
    const uint64_t highest = is_float(type) ? value_infinity(type) | sign : all;
    uint64_t bits = compared_bits(type, value, by_value);
    if (is_float(type) && (bits & sign) != 0)
        bits = ~bits & all;
    else if (is_float(type) || is_signed(type))
        bits ^= sign;
    /* The first number becomes 0, and NaN follow the last one, since differences wrap. */
    return (descending ? highest - bits : bits - (highest ^ all)) & all;
}

bool is_no_index(VkrType type, const void *value)
{
    return value_as_unsigned(type, value) == UINT64_MAX >> (64 - 8 * vkrTypeSize(type));
}
