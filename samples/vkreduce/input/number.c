/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "input/number.h"
#include "input/value.h"
#include "status.h"

bool parse_number(const char *text, uint64_t min, uint64_t max, uint64_t *number)
{
    uint64_t value = 0;
    if (*text == '\0')
        return false;
    for (; *text != '\0'; text++) {
        uint64_t digit = (uint64_t)(*text - '0');
        if (*text < '0' || *text > '9' || value > (UINT64_MAX - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    *number = value;
    return value >= min && value <= max;
}

/* Parses a whole number in the range of the type, exactly even with 64 bits. */
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

/* The bits of a double rounded to the nearest 16-bit float, ties to even. */
static uint16_t half_bits(double value, VkrType type)
{
    const bool is_bfloat = type == VKR_TYPE_BF16;
    const int fraction = is_bfloat ? 7 : 10;
    const int infinity = is_bfloat ? 0x7f80 : 0x7c00;
    const int least = is_bfloat ? -133 : -24; /* 2^least is the smallest positive number */
    const uint16_t sign = signbit(value) ? 0x8000 : 0;
    int exponent;
    if (isnan(value))
        return is_bfloat ? 0x7fc0 : 0x7e00;
    if (fabs(value) >= (is_bfloat ? 0x1p128 : 0x1p16))
        return (uint16_t)(sign + infinity);
    (void)frexp(value, &exponent);
    /* 2^last is the unit of the last place; frexp has no exponent for 0. */
    const int last =
        value == 0.0 || exponent - fraction - 1 < least ? least : exponent - fraction - 1;
    const int places = (int)nearbyint(ldexp(fabs(value), -last));
    return (uint16_t)(sign + ((last - least) << fraction) + places);
}

void constant_bits(VkrType type, VkrConstant constant, void *value)
{
    float single = (float)constant.f;
    uint16_t half;
    switch (type) {
    case VKR_TYPE_F16:
    case VKR_TYPE_BF16:
        half = half_bits(constant.f, type);
        memcpy(value, &half, sizeof half);
        break;
    case VKR_TYPE_F32:
        memcpy(value, &single, sizeof single);
        break;
    default:
        memcpy(value, &constant, vkrTypeSize(type)); /* little-endian, like the device */
    }
}
