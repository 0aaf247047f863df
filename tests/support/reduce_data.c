/* SPDX-License-Identifier: MIT */
#include <math.h>
#include <string.h>

#include "reduce_case.h"

uint64_t next_random(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

uint32_t random_below(uint64_t *state, uint32_t bound)
{
    return (uint32_t)((next_random(state) >> 32) * bound >> 32);
}

/* ---- Types ---- */

bool is_float(VkrType type)
{
    return type >= VKR_TYPE_F16;
}

VkrOpFlags operators_of(VkrType type, VkrType accumulator)
{
    const VkrOpFlags all = ((VkrOpFlags)1 << VKR_OP_BITS) - 1;
    const VkrOpFlags bits = VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR;
    if (!is_float(type))
        return all & ~(VkrOpFlags)VKR_OP_LOGSUMEXP;
    if (type == VKR_TYPE_F64 || accumulator == VKR_TYPE_F64)
        return all & ~(bits | VKR_OP_LOGSUMEXP);
    return all & ~bits;
}

static bool is_signed(VkrType type)
{
    return type == VKR_TYPE_I8 || type == VKR_TYPE_I16 || type == VKR_TYPE_I32 ||
           type == VKR_TYPE_I64;
}

VkrType wide_accumulator(VkrType type)
{
    if (vkrTypeSize(type) == 8)
        return VKR_TYPE_UNDEFINED;
    if (is_float(type))
        return VKR_TYPE_F64;
    return is_signed(type) ? VKR_TYPE_I64 : VKR_TYPE_U64;
}

static VkrType unsigned_of(VkrType type)
{
    switch (type) {
    case VKR_TYPE_I8:
        return VKR_TYPE_U8;
    case VKR_TYPE_I16:
        return VKR_TYPE_U16;
    case VKR_TYPE_I32:
        return VKR_TYPE_U32;
    case VKR_TYPE_I64:
        return VKR_TYPE_U64;
    default:
        return type;
    }
}

static VkrType sum_type(VkrType type, VkrType accumulator)
{
    if (accumulator != VKR_TYPE_UNDEFINED)
        return accumulator;
    if (vkrTypeSize(type) >= 4)
        return type;
    if (is_float(type))
        return VKR_TYPE_F32;
    return is_signed(type) ? VKR_TYPE_I32 : VKR_TYPE_U32;
}

VkrType expected_type(VkrType type, VkrType accumulator, VkrOp op)
{
    switch (op) {
    case VKR_OP_MIN:
    case VKR_OP_MAX:
    case VKR_OP_AND:
    case VKR_OP_OR:
    case VKR_OP_XOR:
        return type;
    case VKR_OP_ABSMAX:
        return unsigned_of(type);
    case VKR_OP_L1:
        return unsigned_of(sum_type(type, accumulator));
    case VKR_OP_MEAN:
    case VKR_OP_L2:
    case VKR_OP_VARIANCE:
    case VKR_OP_STDDEV:
        return vkrTypeSize(type) == 8 || accumulator == VKR_TYPE_F64 ? VKR_TYPE_F64 : VKR_TYPE_F32;
    case VKR_OP_LOGSUMEXP:
        return VKR_TYPE_F32;
    case VKR_OP_ARGMIN:
    case VKR_OP_ARGMAX:
        return VKR_TYPE_U32;
    case VKR_OP_COUNT:
    case VKR_OP_NAN:
        return VKR_TYPE_U64;
    default:
        return sum_type(type, accumulator);
    }
}

/* ---- Values, as bits ---- */

typedef struct float_row {
    uint32_t fraction; /* number of bits */
    uint32_t exponent; /* number of bits */
    uint32_t spread;   /* range of the exponents of moderate values */
} float_row;

static float_row float_format(VkrType type)
{
    if (type == VKR_TYPE_F16)
        return (float_row){10, 5, 8};
    if (type == VKR_TYPE_BF16)
        return (float_row){7, 8, 30};
    return type == VKR_TYPE_F32 ? (float_row){23, 8, 30} : (float_row){52, 11, 120};
}

static uint64_t float_bits(VkrType type, bool negative, uint64_t exponent, uint64_t fraction)
{
    const float_row f = float_format(type);
    return (uint64_t)negative << (f.fraction + f.exponent) | exponent << f.fraction |
           (fraction & (((uint64_t)1 << f.fraction) - 1));
}

/* Encodes a number as a value of the type; its low fraction bits are cut off. */
static uint64_t encode(VkrType type, double value)
{
    if (!is_float(type))
        return (uint64_t)(int64_t)value;
    const float_row f = float_format(type);
    const int bias = (1 << (f.exponent - 1)) - 1;
    int exponent;
    const double part = fabs(frexp(value, &exponent));
    if (value == 0)
        return float_bits(type, signbit(value) != 0, 0, 0);
    return float_bits(type, value < 0, (uint64_t)(exponent - 1 + bias),
                      (uint64_t)ldexp(part, (int)f.fraction + 1));
}

static uint64_t moderate(uint64_t *state, VkrType type)
{
    const uint64_t bits = next_random(state);
    if (!is_float(type))
        return bits;
    const float_row f = float_format(type);
    const uint32_t bias = (1u << (f.exponent - 1)) - 1;
    return float_bits(type, bits >> 63, bias - f.spread / 2 + random_below(state, f.spread), bits);
}

static uint64_t infinity_of(VkrType type, bool negative)
{
    return float_bits(type, negative, ((uint64_t)1 << float_format(type).exponent) - 1, 0);
}

/* A quiet or signalling NaN of either sign, often the NaN next to infinity or the last one. */
static uint64_t random_nan(uint64_t *state, VkrType type)
{
    const uint64_t bits = next_random(state),
                   quiet = (uint64_t)1 << (float_format(type).fraction - 1);
    const uint64_t payloads[] = {1, quiet - 1, quiet, quiet + 1, UINT64_MAX, bits | 1};
    return infinity_of(type, bits >> 63) |
           float_bits(type, false, 0, payloads[random_below(state, ARRAY_SIZE(payloads))]);
}

static uint64_t extreme_float(uint64_t *state, VkrType type)
{
    const bool negative = next_random(state) >> 63;
    const uint64_t top = ((uint64_t)1 << float_format(type).exponent) - 2;
    switch (random_below(state, 6)) {
    case 0:
        return float_bits(type, negative, top, UINT64_MAX); /* largest */
    case 1:
        return float_bits(type, negative, 1, 0); /* smallest normal */
    case 2:
        return float_bits(type, negative, 0, UINT64_MAX); /* largest subnormal */
    case 3:
        return float_bits(type, negative, 0, 1);
    case 4:
        return float_bits(type, negative, 0, 0);
    default:
        return encode(type, negative ? -1 : 1);
    }
}

static uint64_t extreme_integer(uint64_t *state, VkrType type)
{
    const uint32_t bits = vkrTypeSize(type) * 8;
    const uint64_t top = (uint64_t)1 << (bits - 1);
    const uint64_t values[] = {0, 1, UINT64_MAX, top, top - 1, top + 1};
    return values[random_below(state, ARRAY_SIZE(values))];
}

/* An integer that lies halfway between two floats of the type that means have. */
static uint64_t tie(uint64_t *state, VkrType type)
{
    const uint32_t bits = vkrTypeSize(type) * 8, digits = bits == 64 ? 54 : 25;
    const uint32_t room = bits - (is_signed(type) ? 1 : 0);
    if (room < digits)
        return moderate(state, type);
    const uint64_t random = next_random(state) | 1;
    const uint64_t odd = random >> (64 - digits) | (uint64_t)1 << (digits - 1) | 1;
    const uint64_t value = odd << random_below(state, room - digits + 1);
    return is_signed(type) && random_below(state, 2) == 0 ? 0 - value : value;
}

/* The value from which all elements of a constant distribution are made. */
static uint64_t constant_of(uint64_t *state, distribution data, VkrType type)
{
    if (data == DATA_EXTREME && !is_float(type))
        return extreme_integer(state, type);
    return data == DATA_TIE && !is_float(type) ? tie(state, type) : moderate(state, type);
}

/* The index of an element that is often the first or last one, or close to them. */
static uint64_t near_an_end(uint64_t *state, uint64_t count)
{
    const uint64_t some = random_below(state, count < 20 ? (uint32_t)count : 20);
    const uint64_t candidates[] = {0, count - 1, some, count - 1 - some};
    return candidates[random_below(state, ARRAY_SIZE(candidates))];
}

/* Value `at` of `count` values in ascending order. */
static uint64_t sorted(VkrType type, uint64_t at, uint64_t count)
{
    const double part = (double)at / (double)count;
    const double span = is_float(type) ? 1000.0 : ldexp(0.99, (int)vkrTypeSize(type) * 8 - 1);
    return encode(type, is_float(type) || is_signed(type) ? span * (2 * part - 1) : span * part);
}

static uint64_t unit(uint64_t *state, VkrType type, uint64_t count)
{
    const uint64_t bits = next_random(state);
    const double sign = bits >> 63 ? -1 : 1;
    if (bits % (count < 24 ? 24 : count) >= 24)
        return encode(type, is_float(type) || is_signed(type) ? sign : 1);
    return is_float(type) ? encode(type, sign * (0.5 + (double)(bits >> 40 & 4095) / 4096))
                          : encode(type, 1 + (double)(bits >> 40 & 6));
}

static uint64_t integral(uint64_t *state, VkrType type)
{
    const double value = (double)random_below(state, 17);
    return encode(type, is_float(type) || is_signed(type) ? value - 8 : value);
}

static uint64_t special_float(uint64_t *state, distribution data, VkrType type)
{
    const uint64_t bits = next_random(state);
    switch (data) {
    case DATA_NAN:
    case DATA_NAN_BUT_ONE:
        return random_nan(state, type);
    case DATA_ONE_NAN:
        return moderate(state, type);
    case DATA_POISON:
        return bits % 3 == 0 ? random_nan(state, type) : infinity_of(type, bits >> 63);
    case DATA_SOME_NAN:
        return bits % 16 == 0 ? random_nan(state, type) : moderate(state, type);
    case DATA_INFINITE:
        return bits % 16 == 0 ? infinity_of(type, bits % 512 == 0) : moderate(state, type);
    default: /* subnormal, or up to twice the smallest normal number */
        return float_bits(type, bits >> 63, (bits >> 62 & 1), bits);
    }
}

static uint64_t make_value(uint64_t *state, distribution data, VkrType type, uint64_t at,
                           uint64_t count)
{
    switch (data) {
    case DATA_RANDOM:
        return moderate(state, type);
    case DATA_INTEGRAL:
        return integral(state, type);
    case DATA_UNIT:
        return unit(state, type, count);
    case DATA_ASCENDING:
        return sorted(type, at, count);
    case DATA_DESCENDING:
        return sorted(type, count - 1 - at, count);
    case DATA_ZEROS:
        return is_float(type) ? float_bits(type, next_random(state) >> 63, 0, 0) : 0;
    case DATA_POISON:
        return is_float(type) ? special_float(state, data, type) : extreme_integer(state, type);
    case DATA_EXTREMES:
        return is_float(type) ? extreme_float(state, type) : extreme_integer(state, type);
    case DATA_BITS:
        return next_random(state);
    default:
        return is_float(type) ? special_float(state, data, type) : moderate(state, type);
    }
}

/* Whether the distribution has one element that differs from all others, and its value. */
static bool has_odd_one(distribution data, VkrType type)
{
    return is_float(type) ? data == DATA_ONE_NAN || data == DATA_NAN_BUT_ONE : data == DATA_TIE;
}

static uint64_t odd_one(uint64_t *state, distribution data, VkrType type, uint64_t constant)
{
    if (data == DATA_TIE)
        return constant + random_below(state, 3) - 1;
    if (data == DATA_ONE_NAN)
        return random_nan(state, type);
    return random_below(state, 2) != 0 ? infinity_of(type, random_below(state, 2) != 0)
                                       : extreme_float(state, type);
}

/* One time in four that whose bits follow infinity. */
static uint64_t any_nan(uint64_t *state, VkrType type)
{
    return random_below(state, 4) == 0 ? infinity_of(type, random_below(state, 2) != 0) + 1
                                       : random_nan(state, type);
}

void vary_floats(uint64_t *state, VkrType type, uint32_t components, bool special, void *element)
{
    const uint32_t size = vkrTypeSize(type);
    const uint64_t sign = UINT64_C(1) << (8 * size - 1);
    for (uint32_t c = 0; c < components; c++) {
        unsigned char *at = (unsigned char *)element + c * size;
        uint64_t bits = 0;
        memcpy(&bits, at, size); /* little-endian */
        if (special && random_below(state, 2) == 0)
            bits = random_below(state, 2) == 0 ? 0 : any_nan(state, type);
        if ((bits & (sign - 1)) == 0)
            bits = random_below(state, 2) == 0 ? 0 : sign;
        else if ((bits & (sign - 1)) > infinity_of(type, false))
            bits = any_nan(state, type);
        memcpy(at, &bits, size);
    }
}

void fill_data(uint64_t *state, distribution data, VkrType type, uint32_t components, void *at,
               size_t stride, uint64_t count)
{
    const uint32_t size = vkrTypeSize(type);
    const bool is_constant = data >= DATA_CONSTANT && data <= DATA_TIE;
    const uint64_t constant = constant_of(state, data, type);
    const uint64_t other = data == DATA_OPPOSITE && !is_float(type) ? ~constant : constant;
    unsigned char *element = at;
    for (uint64_t i = 0; i < count; i++, element += stride) {
        for (uint32_t c = 0; c < components; c++) {
            const uint64_t bits = !is_constant ? make_value(state, data, type, i, count)
                                  : i % 2 != 0 ? other
                                               : constant;
            memcpy(element + c * size, &bits, size); /* little-endian */
        }
    }
    if (count == 0 || !has_odd_one(data, type))
        return;
    const uint64_t one = odd_one(state, data, type, constant);
    element = (unsigned char *)at + near_an_end(state, count) * stride;
    memcpy(element + random_below(state, components) * size, &one, size);
}

uint64_t choose_count(uint64_t *state, VkrType type, uint64_t capacity, void *at)
{
    uint64_t count = random_below(state, (uint32_t)capacity + 1);
    if (random_below(state, 2) == 0)
        count = capacity;
    if (random_below(state, 4) == 0)
        count = capacity + random_below(state, 1000);
    if (type == VKR_TYPE_U64 && random_below(state, 8) == 0)
        count = (uint64_t)3 << 32 | 1;
    memcpy(at, &count, vkrTypeSize(type)); /* little-endian */
    return count < capacity ? count : capacity;
}

void surround(uint64_t *state, VkrType type, uint32_t components, void *at, size_t stride,
              uint64_t count, uint64_t capacity)
{
    const uint32_t size = vkrTypeSize(type), values = GUARD / size;
    unsigned char *first = at;
    unsigned char *end = first + (capacity > 0 ? (capacity - 1) * stride + size * components : 0);
    fill_data(state, DATA_POISON, type, 1, first - GUARD, GUARD / values, values);
    fill_data(state, DATA_POISON, type, components, first + count * stride, stride,
              capacity - count);
    fill_data(state, DATA_POISON, type, 1, end, GUARD / values, values);
}
