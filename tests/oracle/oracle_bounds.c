/* SPDX-License-Identifier: MIT */
#include "oracle_bounds.h"

#include <math.h>
#include <string.h>

#include "oracle_histogram.h"

static int order_of_floats(uint32_t flags, double a, double b)
{
    const int nan_last = (flags & VKR_BOUNDS_NAN_FIRST_BIT) != 0 ? -1 : 1;
    const int turned = (flags & VKR_BOUNDS_DESCENDING_BIT) != 0 ? -1 : 1;
    if (isnan(a) || isnan(b))
        return (!!isnan(a) - !!isnan(b)) * nan_last;
    if (a != b)
        return a < b ? -turned : turned;
    return (!!signbit(b) - !!signbit(a)) * turned; /* -0 is below +0 */
}

static int64_t signed_of(VkrType type, const void *value)
{
    int8_t i8;
    int16_t i16;
    int32_t i32;
    int64_t i64;
    switch (type) {
    case VKR_TYPE_I8:
        memcpy(&i8, value, sizeof i8);
        return i8;
    case VKR_TYPE_I16:
        memcpy(&i16, value, sizeof i16);
        return i16;
    case VKR_TYPE_I32:
        memcpy(&i32, value, sizeof i32);
        return i32;
    default:
        memcpy(&i64, value, sizeof i64);
        return i64;
    }
}

static uint64_t unsigned_of(VkrType type, const void *value)
{
    const size_t size = type == VKR_TYPE_U8    ? 1
                        : type == VKR_TYPE_U16 ? 2
                        : type == VKR_TYPE_U32 ? 4
                                               : 8;
    uint64_t bits = 0;
    memcpy(&bits, value, size); /* little-endian */
    return bits;
}

int oracle_order(VkrType type, uint32_t flags, const void *a, const void *b)
{
    int order;
    switch (type) {
    case VKR_TYPE_F16:
    case VKR_TYPE_BF16:
    case VKR_TYPE_F32:
    case VKR_TYPE_F64:
        return order_of_floats(flags, oracle_double(type, a), oracle_double(type, b));
    case VKR_TYPE_I8:
    case VKR_TYPE_I16:
    case VKR_TYPE_I32:
    case VKR_TYPE_I64:
        order =
            (signed_of(type, a) > signed_of(type, b)) - (signed_of(type, a) < signed_of(type, b));
        break;
    default:
        order = (unsigned_of(type, a) > unsigned_of(type, b)) -
                (unsigned_of(type, a) < unsigned_of(type, b));
    }
    return (flags & VKR_BOUNDS_DESCENDING_BIT) != 0 ? -order : order;
}

/* The number of elements, from the first one, whose order relative to the value is below `limit`. */
static uint64_t number_below(const oracle_sorted *s, const void *value, int limit)
{
    uint64_t from = 0, to = s->count;
    while (from < to) {
        const uint64_t middle = from + (to - from) / 2;
        const char *element = (const char *)s->data + middle * s->stride;
        const int order = oracle_order(s->type, s->flags, element, value);
        if (order < limit)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

uint64_t oracle_lower_bound(const oracle_sorted *sorted, const void *value)
{
    return number_below(sorted, value, 0);
}

uint64_t oracle_upper_bound(const oracle_sorted *sorted, const void *value)
{
    return number_below(sorted, value, 1);
}
