/* SPDX-License-Identifier: MIT */
/* Orders of keys, against comparisons of the values: all pairs that are neighbours in a list of
 * each type's edge cases, and all values of 16 bits against some of them. */
#include "unit.h"

#include <math.h>

#include "../../src/plan/order.h"

/* The key of bits, as shaders/vkreduce/order.glsl computes it. */
static uint64_t key_of(const vkr_order *order, const vkr_type_info *type, uint64_t bits)
{
    const uint64_t mask = UINT64_MAX >> (64 - 8 * type->size), sign = mask ^ mask >> 1;
    uint64_t t = bits;
    if ((order->form & VKR_KEY_IS_FLOAT) != 0)
        t ^= (bits & sign) != 0 ? mask : sign;
    else if ((order->form & VKR_KEY_IS_SIGNED) != 0)
        t ^= sign;
    const uint64_t key =
        ((order->form & VKR_KEY_IS_NEGATED) != 0 ? order->bias - t : order->bias + t) & mask;
    if ((order->form & VKR_KEY_IS_CLAMPED) == 0)
        return key;
    return key < order->least ? order->least : key > order->most ? order->most : key;
}

/* The value of a float, from its bits. */
static double value_of(const vkr_type_info *type, uint64_t bits)
{
    const uint32_t size = 8 * type->size;
    const int exponents = (1 << (size - 1 - type->fraction)) - 1;
    const uint64_t fraction = bits & ((UINT64_C(1) << type->fraction) - 1);
    const int exponent = (int)(bits >> type->fraction) & exponents;
    const double sign = (bits >> (size - 1) & 1) != 0 ? -1.0 : 1.0;
    const int scale = 1 - exponents / 2 - (int)type->fraction;
    if (exponent == exponents)
        return fraction != 0 ? NAN : sign * INFINITY;
    const uint64_t whole = exponent == 0 ? fraction : fraction | UINT64_C(1) << type->fraction;
    return sign * ldexp((double)whole, scale + (exponent == 0 ? 0 : exponent - 1));
}

static int compare(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

/* NaN compare as their bits do, and those with the sign, the other way round, come after those
 * without it. */
static int compare_nan(uint64_t sign, uint64_t a, uint64_t b)
{
    const uint64_t x = (a & sign) != 0 ? ~a : a, y = (b & sign) != 0 ? ~b : b;
    if ((a & sign) != (b & sign))
        return (a & sign) != 0 ? 1 : -1;
    return x < y ? -1 : x > y;
}

typedef struct way {
    bool descending, nan_first, nan_equal;
} way;

/* How a and b compare by sort.h: -1 if a comes first. */
static int compare_values(const vkr_type_info *type, way is, uint64_t a, uint64_t b)
{
    const uint64_t sign = UINT64_C(1) << (8 * type->size - 1);
    const int turn = is.descending ? -1 : 1;
    if (!type->is_float && !type->is_signed)
        return turn * (a < b ? -1 : a > b);
    if (!type->is_float)
        return turn * compare((int64_t)((a ^ sign) - sign), (int64_t)((b ^ sign) - sign));
    const double x = value_of(type, a), y = value_of(type, b);
    if (isnan(x) && isnan(y))
        return is.nan_equal ? 0 : turn * compare_nan(sign, a, b);
    if (isnan(x) || isnan(y))
        return (is.nan_first ? -1 : 1) * (isnan(x) - isnan(y));
    if (x == y)
        return turn * ((b & sign) != 0) - turn * ((a & sign) != 0);
    return turn * (x < y ? -1 : 1);
}

/* Bits that differ from `sign`, `infinity` and so on by little. */
static uint64_t edge_of(const vkr_type_info *type, uint32_t i)
{
    const uint64_t mask = UINT64_MAX >> (64 - 8 * type->size), sign = mask ^ mask >> 1;
    const uint64_t infinity = (mask >> 1) & ~((UINT64_C(1) << type->fraction) - 1);
    const uint64_t bases[] = {0,        sign,        mask, mask >> 1, infinity, infinity | sign,
                              mask / 3, mask / 7 * 6};
    return (bases[i / 4] + i % 4 - 1) & mask;
}

#define EDGES 32u

static void check_order(const vkr_type_info *type, way is)
{
    vkr_order order = vkr_order_of(type, is.descending, is.nan_first);
    order.form |= is.nan_equal ? VKR_KEY_IS_CLAMPED : 0;
    const uint32_t all = type->size <= 2 ? 1u << 8 * type->size : EDGES;
    for (uint32_t i = 0; i < all; i++)
        for (uint32_t j = 0; j < EDGES; j++) {
            const uint64_t a = type->size <= 2 ? i : edge_of(type, i), b = edge_of(type, j);
            const uint64_t ka = key_of(&order, type, a), kb = key_of(&order, type, b);
            const int compared = ka < kb ? -1 : ka > kb;
            if (compared != compare_values(type, is, a, b))
                fail_msg("%s%s%s%s: %llx and %llx compare as %d", type->name,
                         is.descending ? ", descending" : "", is.nan_first ? ", NaN first" : "",
                         is.nan_equal ? ", NaN equal" : "", (unsigned long long)a,
                         (unsigned long long)b, compared);
        }
}

TEST(test_orders)
{
    for (uint32_t type = 1; type < VKR_TYPE_COUNT; type++)
        for (uint32_t i = 0; i < 8; i++)
            if (vkr_types[type].size != 0)
                check_order(&vkr_types[type], (way){(i & 1) != 0, (i & 2) != 0, (i & 4) != 0});
}

TEST(test_constants)
{
    const vkr_order order = vkr_order_of(&vkr_types[VKR_TYPE_F64], true, true);
    uint32_t constants[VKR_KEY_CONSTANT_COUNT + 1] = {[VKR_KEY_CONSTANT_COUNT] = 7};
    vkr_set_order(&order, constants);
    assert_int_equal(constants[0], order.form);
    assert_true((constants[1] | (uint64_t)constants[2] << 32) == order.bias);
    assert_true((constants[3] | (uint64_t)constants[4] << 32) == order.least);
    assert_true((constants[5] | (uint64_t)constants[6] << 32) == order.most);
    assert_int_equal(constants[7], 7);
}

TEST_MAIN("order", CASE(test_orders), CASE(test_constants))
