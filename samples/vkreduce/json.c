/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "runner.h"

/* Bytes of the UTF-8 character at `text`; 0 where there is none, as in names of files there may be.
 * Neither too long forms nor surrogates are characters. */
static int character_size(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    const int size = c[0] < 0x80 ? 1 : c[0] < 0xc2 ? 0 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    for (int i = 1; i < size; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] >= 0xa0) ||
        (c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] >= 0x90) || c[0] > 0xf4)
        return 0;
    return size;
}

void json_string(FILE *out, const char *text)
{
    fputc('"', out);
    while (*text != '\0') {
        const int size = character_size(text);
        if (size == 0)
            fputs("\\ufffd", out);
        else if (*text == '"' || *text == '\\')
            fprintf(out, "\\%c", *text);
        else if (size == 1 && *text < 0x20)
            fprintf(out, "\\u%04x", (unsigned)*text);
        else
            fprintf(out, "%.*s", size, text);
        text += size > 0 ? size : 1;
    }
    fputc('"', out);
}

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

/* Whether the type is a float, and its value if so. */
static bool get_float(VkrType type, const void *value, double *result)
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

static uint64_t get_unsigned(VkrType type, const void *value)
{
    uint64_t result = 0;
    memcpy(&result, value, vkrTypeSize(type)); /* little-endian, as the device is */
    return result;
}

static int64_t get_signed(VkrType type, const void *value)
{
    uint64_t sign = UINT64_C(1) << (8 * vkrTypeSize(type) - 1);
    return (int64_t)((get_unsigned(type, value) ^ sign) - sign);
}

double value_as_double(VkrType type, const void *value)
{
    double real;
    if (get_float(type, value, &real))
        return real;
    return type % 2 == 0 ? (double)get_unsigned(type, value) : (double)get_signed(type, value);
}

/* `digits` for floats; -0 keeps a decimal point, without which a parser would lose its sign. */
static void format(char *text, size_t size, VkrType type, const void *value, int digits)
{
    double real;
    if (!get_float(type, value, &real)) {
        if (type == VKR_TYPE_I8 || type == VKR_TYPE_I16 || type == VKR_TYPE_I32 ||
            type == VKR_TYPE_I64)
            snprintf(text, size, "%" PRId64, get_signed(type, value));
        else
            snprintf(text, size, "%" PRIu64, get_unsigned(type, value));
    } else if (isnan(real)) {
        snprintf(text, size, "nan");
    } else if (isinf(real)) {
        snprintf(text, size, "%s", real < 0.0 ? "-inf" : "inf");
    } else if (real == 0.0) {
        snprintf(text, size, "%s", signbit(real) ? "-0.0" : "0");
    } else {
        snprintf(text, size, "%.*g", digits, real);
    }
}

void json_value(FILE *out, VkrType type, const void *value)
{
    char text[32];
    double real;
    format(text, sizeof text, type, value, 17);
    if (get_float(type, value, &real) && !isfinite(real))
        json_string(out, text);
    else
        fputs(text, out);
}

void text_value(char *text, size_t size, VkrType type, const void *value)
{
    static const int digits[VKR_TYPE_COUNT] = {
        [VKR_TYPE_F16] = 5, [VKR_TYPE_F32] = 9, [VKR_TYPE_F64] = 17, [VKR_TYPE_BF16] = 4};
    format(text, size, type, value, digits[type]);
}

bool is_no_index(VkrType type, const void *value)
{
    return get_unsigned(type, value) == UINT64_MAX >> (64 - 8 * vkrTypeSize(type));
}
