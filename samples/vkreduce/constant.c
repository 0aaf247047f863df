/* SPDX-License-Identifier: MIT */
/* Numbers on the command line, as values of an element type. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "runner.h"

static bool is_float(VkrType type)
{
    return type >= VKR_TYPE_F16;
}

static bool is_signed(VkrType type)
{
    return type < VKR_TYPE_F16 && type % 2 == 1;
}

/* A whole number in the range of the type, to the last of 64 bits. */
static int parse_integer(const char *what, const char *text, VkrType type, VkrConstant *constant)
{
    const unsigned bits = 8 * vkrTypeSize(type) - (is_signed(type) ? 1 : 0);
    const uint64_t greatest = UINT64_MAX >> (64 - bits);
    const uint64_t below = is_signed(type) ? greatest + 1 : 0;
    const bool negative = text[0] == '-';
    uint64_t magnitude;
    if (!parse_number(text + (negative || text[0] == '+'), 0, negative ? below : greatest,
                      &magnitude))
        return fail(STATUS_USAGE, "%s: '%s' must be a whole number from %s%llu to %llu, for %s",
                    what, text, is_signed(type) ? "-" : "", (unsigned long long)below,
                    (unsigned long long)greatest, vkrTypeName(type));
    constant->u = negative ? 0 - magnitude : magnitude;
    return STATUS_DONE;
}

int parse_constant(const char *what, const char *text, VkrType type, VkrConstant *constant)
{
    char *end;
    if (!is_float(type))
        return parse_integer(what, text, type, constant);
    constant->f = strtod(text, &end);
    if (end == text || *end != '\0')
        return fail(STATUS_USAGE, "%s: '%s' must be a number", what, text);
    return STATUS_DONE;
}

/* The bits of a double rounded to f16, to nearest even. */
static uint16_t half_bits(double value)
{
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    int exponent;
    if (isnan(value))
        return 0x7e00;
    if (fabs(value) >= 65520.0)
        return sign | 0x7c00;
    (void)frexp(value, &exponent);
    /* 2^last is the unit of the last place; frexp has no exponent for 0. */
    int last = fabs(value) < 0x1p-14 ? -24 : exponent - 11;
    return (uint16_t)(sign + ((last + 24) << 10) + (int)nearbyint(ldexp(fabs(value), -last)));
}

void constant_bits(VkrType type, VkrConstant constant, void *value)
{
    float single = (float)constant.f;
    uint16_t half;
    switch (type) {
    case VKR_TYPE_F16:
        half = half_bits(constant.f);
        memcpy(value, &half, sizeof half);
        break;
    case VKR_TYPE_F32:
        memcpy(value, &single, sizeof single);
        break;
    default:
        memcpy(value, &constant, vkrTypeSize(type)); /* little-endian, as the device is */
    }
}
