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

/* ---- Counts and sizes ---- */

#define MAX_DIGITS 96
#define MAX_EXPONENT 1000

/* A decimal number, exactly: 0.d d d .. times 10^point, where d are the digits. The first and the
 * last digit are not 0; 0 has no digits. */
typedef struct decimal {
    unsigned char digits[MAX_DIGITS];
    int count, point;
} decimal;

static void drop_zeros(decimal *d)
{
    while (d->count > 0 && d->digits[d->count - 1] == 0)
        d->count--;
}

/* Parses digits with or without a decimal point, and moves past them. */
static bool take_decimal(const char **text, decimal *d)
{
    bool any = false, fraction = false;
    for (; (**text >= '0' && **text <= '9') || (**text == '.' && !fraction); ++*text) {
        if (**text == '.') {
            fraction = true;
            continue;
        }
        any = true;
        if (d->count == 0 && **text == '0') {
            d->point -= fraction;
            continue;
        }
        if (d->count == MAX_DIGITS)
            return false;
        d->digits[d->count++] = (unsigned char)(**text - '0');
        d->point += !fraction;
    }
    drop_zeros(d);
    return any;
}

/* Parses an exponent, if there is one, and moves past it. */
static bool take_exponent(const char **text, decimal *d)
{
    int exponent = 0;
    if (**text != 'e' && **text != 'E')
        return true;
    ++*text;
    const bool negative = **text == '-';
    *text += **text == '-' || **text == '+';
    if (**text < '0' || **text > '9')
        return false;
    for (; **text >= '0' && **text <= '9'; ++*text)
        exponent = exponent < MAX_EXPONENT ? 10 * exponent + (**text - '0') : MAX_EXPONENT;
    d->point += negative ? -exponent : exponent;
    return true;
}

static bool double_it(decimal *d)
{
    unsigned carry = 0;
    for (int i = d->count; i-- > 0;) {
        const unsigned twice = 2u * d->digits[i] + carry;
        d->digits[i] = (unsigned char)(twice % 10);
        carry = twice / 10;
    }
    if (carry > 0) {
        if (d->count == MAX_DIGITS)
            return false;
        memmove(d->digits + 1, d->digits, (size_t)d->count++);
        d->digits[0] = (unsigned char)carry;
        d->point++;
    }
    drop_zeros(d);
    return true;
}

/* Returns false if the number is not whole, or is larger than 64 bits. */
static bool take_whole(const decimal *d, uint64_t *number)
{
    uint64_t value = 0;
    if (d->count > 0 && (d->point < d->count || d->point > 20))
        return false;
    for (int i = 0; i < d->point && d->count > 0; i++) {
        const uint64_t digit = i < d->count ? d->digits[i] : 0;
        if (value > (UINT64_MAX - digit) / 10)
            return false;
        value = 10 * value + digit;
    }
    *number = value;
    return true;
}

/* Parses a number, times 2^shift of one of the units; without units there must be none. */
static bool parse_scaled(const char *text, bool units, uint64_t *number)
{
    static const struct {
        const char *name;
        int shift;
    } rows[] = {{"", 0}, {"KiB", 10}, {"MiB", 20}, {"GiB", 30}};
    decimal d = {.count = 0};
    if (!take_decimal(&text, &d) || !take_exponent(&text, &d))
        return false;
    for (size_t i = 0; i < (units ? sizeof rows / sizeof rows[0] : 1); i++) {
        if (strcmp(text, rows[i].name) != 0)
            continue;
        for (int k = 0; k < rows[i].shift; k++)
            if (!double_it(&d))
                return false;
        return take_whole(&d, number);
    }
    return false;
}

bool parse_count(const char *text, uint64_t min, uint64_t max, uint64_t *number)
{
    return parse_scaled(text, false, number) && *number >= min && *number <= max;
}

bool parse_size(const char *text, uint64_t min, uint64_t max, uint64_t *number)
{
    return parse_scaled(text, true, number) && *number >= min && *number <= max;
}

/* ---- Constants ---- */

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
