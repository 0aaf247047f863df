/* SPDX-License-Identifier: MIT */
/*
 * Values are read in blocks and worked on one after another, in the order of their index, by loops
 * that do what vkreduce.h says and nothing clever. Build without -ffast-math and with
 * -ffp-contract=off: the canonical tree relies on strict float arithmetic.
 */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "oracle.h"

#define BLOCK VKR_TREE_BLOCK

__extension__ typedef unsigned __int128 u128;

/* ---- Types ---- */

typedef enum kind { KIND_SIGNED, KIND_UNSIGNED, KIND_FLOAT } kind;

typedef struct type_row {
    uint32_t bits;
    kind kind;
    uint32_t fraction; /* explicit bits of the significand, floats only */
} type_row;

static const type_row types[VKR_TYPE_COUNT] = {
    [VKR_TYPE_I8] = {8, KIND_SIGNED, 0},   [VKR_TYPE_U8] = {8, KIND_UNSIGNED, 0},
    [VKR_TYPE_I16] = {16, KIND_SIGNED, 0}, [VKR_TYPE_U16] = {16, KIND_UNSIGNED, 0},
    [VKR_TYPE_I32] = {32, KIND_SIGNED, 0}, [VKR_TYPE_U32] = {32, KIND_UNSIGNED, 0},
    [VKR_TYPE_I64] = {64, KIND_SIGNED, 0}, [VKR_TYPE_U64] = {64, KIND_UNSIGNED, 0},
    [VKR_TYPE_F16] = {16, KIND_FLOAT, 10}, [VKR_TYPE_F32] = {32, KIND_FLOAT, 23},
    [VKR_TYPE_F64] = {64, KIND_FLOAT, 52},
};

static uint64_t sign_bit(const type_row *t)
{
    return (uint64_t)1 << (t->bits - 1);
}

static uint64_t all_bits(const type_row *t)
{
    return sign_bit(t) | (sign_bit(t) - 1);
}

static uint64_t infinity_bits(const type_row *t)
{
    return (sign_bit(t) - 1) & ~(((uint64_t)1 << t->fraction) - 1);
}

static uint64_t nan_bits(const type_row *t)
{
    return infinity_bits(t) | (uint64_t)1 << (t->fraction - 1);
}

static bool is_nan(const type_row *t, uint64_t bits)
{
    return t->kind == KIND_FLOAT && (bits & ~sign_bit(t)) > infinity_bits(t);
}

static bool is_subnormal(const type_row *t, uint64_t bits)
{
    const uint64_t magnitude = bits & ~sign_bit(t);
    return magnitude != 0 && magnitude >> t->fraction == 0;
}

/* The value of a float of any type: exact, since every type fits into a double. */
static double to_double(VkrType type, uint64_t bits)
{
    double value;
    float single;
    if (type == VKR_TYPE_F64) {
        memcpy(&value, &bits, sizeof(value));
        return value;
    }
    if (type == VKR_TYPE_F32) {
        const uint32_t word = (uint32_t)bits;
        memcpy(&single, &word, sizeof(single));
        return single;
    }
    const int exponent = (int)(bits >> 10 & 31);
    const double fraction = (double)(bits & 1023);
    if (exponent == 31)
        value = fraction > 0 ? (double)NAN : (double)INFINITY;
    else if (exponent == 0)
        value = ldexp(fraction, -24);
    else
        value = ldexp(1024 + fraction, exponent - 25);
    return bits & 0x8000 ? -value : value;
}

static uint64_t from_real(VkrType type, long double value)
{
    const float single = (float)value;
    const double wide = (double)value;
    uint32_t word;
    uint64_t bits;
    if (isnan(value))
        return nan_bits(&types[type]);
    memcpy(&word, &single, sizeof(word));
    memcpy(&bits, &wide, sizeof(bits));
    return type == VKR_TYPE_F32 ? word : bits;
}

/* ---- Reading ---- */

/* Reads up to a block of one component's values from index `first`, sign-extended to 64 bits. */
static uint32_t load_block(const oracle_reduce_info *info, bool second, uint32_t component,
                           uint64_t first, uint64_t *out)
{
    const uint64_t left = info->count - first;
    const uint32_t count = left < BLOCK ? (uint32_t)left : BLOCK;
    const size_t stride = second ? info->stride2 : info->stride;
    const unsigned char *at = second ? info->data2 : info->data;
    if (count == 0)
        return 0;
    at += first * stride + component * (types[info->type].bits / 8);

#define LOAD(element)                                                                              \
    for (uint32_t i = 0; i < count; i++) {                                                         \
        element x;                                                                                 \
        memcpy(&x, at + i * stride, sizeof(x));                                                    \
        out[i] = (uint64_t)x;                                                                      \
    }                                                                                              \
    break
    switch (info->type) {
    case VKR_TYPE_I8:
        LOAD(int8_t);
    case VKR_TYPE_U8:
        LOAD(uint8_t);
    case VKR_TYPE_I16:
        LOAD(int16_t);
    case VKR_TYPE_U16:
    case VKR_TYPE_F16:
        LOAD(uint16_t);
    case VKR_TYPE_I32:
        LOAD(int32_t);
    case VKR_TYPE_U32:
    case VKR_TYPE_F32:
        LOAD(uint32_t);
    default:
        LOAD(uint64_t);
    }
#undef LOAD
    return count;
}

/* ---- Order: min, max, absmax, argmin, argmax ---- */

static bool less(const type_row *t, uint64_t a, uint64_t b)
{
    if (t->kind == KIND_SIGNED)
        return (int64_t)a < (int64_t)b;
    if (t->kind == KIND_UNSIGNED)
        return a < b;
    const bool a_negative = (a & sign_bit(t)) != 0, b_negative = (b & sign_bit(t)) != 0;
    if (a_negative != b_negative)
        return a_negative;
    return a_negative ? a > b : a < b;
}

static uint64_t magnitude(const type_row *t, uint64_t bits)
{
    if (t->kind == KIND_FLOAT)
        return bits & ~sign_bit(t);
    return t->kind == KIND_SIGNED && (int64_t)bits < 0 ? 0 - bits : bits;
}

typedef struct extreme {
    uint64_t bits;
    uint64_t index; /* UINT64_MAX: no value */
    uint64_t first_nan;
} extreme;

static extreme find_extreme(const oracle_reduce_info *info, VkrOp op, uint32_t component)
{
    const type_row *t = &types[info->type];
    const type_row magnitudes = {t->bits, t->kind == KIND_FLOAT ? KIND_FLOAT : KIND_UNSIGNED,
                                 t->fraction};
    const type_row *order = op == VKR_OP_ABSMAX ? &magnitudes : t;
    const bool greatest = op != VKR_OP_MIN && op != VKR_OP_ARGMIN;
    extreme best = {0, UINT64_MAX, UINT64_MAX};
    uint64_t block[BLOCK];
    uint32_t count;
    for (uint64_t first = 0; (count = load_block(info, false, component, first, block)) > 0;
         first += count) {
        for (uint32_t i = 0; i < count; i++) {
            const uint64_t x = op == VKR_OP_ABSMAX ? magnitude(t, block[i]) : block[i];
            if (is_nan(t, x)) {
                if (best.first_nan == UINT64_MAX)
                    best.first_nan = first + i;
            } else if (best.index == UINT64_MAX ||
                       (greatest ? less(order, best.bits, x) : less(order, x, best.bits))) {
                best.bits = x;
                best.index = first + i;
            }
        }
    }
    return best;
}

static uint64_t order_identity(const type_row *t, VkrOp op)
{
    if (op == VKR_OP_ABSMAX)
        return 0;
    if (t->kind == KIND_FLOAT)
        return infinity_bits(t) | (op == VKR_OP_MIN ? 0 : sign_bit(t));
    if (t->kind == KIND_SIGNED)
        return op == VKR_OP_MIN ? sign_bit(t) - 1 : sign_bit(t);
    return op == VKR_OP_MIN ? all_bits(t) : 0;
}

static uint64_t reduce_order(const oracle_reduce_info *info, VkrOp op, uint32_t component)
{
    const type_row *t = &types[info->type];
    const extreme best = find_extreme(info, op, component);
    const bool has_nan = best.first_nan != UINT64_MAX;
    const bool propagate = info->nan == VKR_NAN_PROPAGATE && has_nan;
    if (op == VKR_OP_ARGMIN || op == VKR_OP_ARGMAX)
        return propagate ? best.first_nan : best.index;
    if (propagate || (best.index == UINT64_MAX && has_nan))
        return nan_bits(t);
    return best.index == UINT64_MAX ? order_identity(t, op) : best.bits;
}

/* ---- Integers: everything modulo 2^64 ---- */

static uint64_t reduce_integers(const oracle_reduce_info *info, VkrOp op, uint32_t component)
{
    const type_row *t = &types[info->type];
    uint64_t total = op == VKR_OP_AND ? UINT64_MAX : op == VKR_OP_PRODUCT ? 1 : 0;
    uint64_t x[BLOCK], y[BLOCK];
    uint32_t count;

#define EACH(statement)                                                                            \
    for (uint32_t i = 0; i < count; i++)                                                           \
        statement;                                                                                 \
    break
    for (uint64_t first = 0; (count = load_block(info, false, component, first, x)) > 0;
         first += count) {
        switch (op) {
        case VKR_OP_PRODUCT:
            EACH(total *= x[i]);
        case VKR_OP_SUMSQ:
        case VKR_OP_L2:
            EACH(total += x[i] * x[i]);
        case VKR_OP_L1:
            EACH(total += magnitude(t, x[i]));
        case VKR_OP_AND:
            EACH(total &= x[i]);
        case VKR_OP_OR:
            EACH(total |= x[i]);
        case VKR_OP_XOR:
            EACH(total ^= x[i]);
        case VKR_OP_DOT:
            load_block(info, true, component, first, y);
            EACH(total += x[i] * y[i]);
        default:
            EACH(total += x[i]);
        }
    }
#undef EACH
    return total;
}

static uint64_t count_nan(const oracle_reduce_info *info, uint32_t component)
{
    uint64_t total = 0, x[BLOCK];
    uint32_t count;
    for (uint64_t first = 0; (count = load_block(info, false, component, first, x)) > 0;
         first += count)
        for (uint32_t i = 0; i < count; i++)
            total += is_nan(&types[info->type], x[i]);
    return total;
}

/* ---- One rounding: division and square root of exact numbers ---- */

static int bit_length(u128 value)
{
    int length = 0;
    for (; value != 0; value >>= 1)
        length++;
    return length;
}

/* The float nearest to (value + less than one, if sticky) * 2^exponent, ties to even; +0 below the
 * smallest normal number. With sticky, value has more bits than a significand needs. */
static uint64_t round_bits(VkrType type, bool negative, u128 value, bool sticky, int exponent)
{
    const type_row *t = &types[type];
    const int precision = (int)t->fraction + 1;
    const int bias = type == VKR_TYPE_F64 ? 1023 : 127;
    const uint64_t sign = negative ? sign_bit(t) : 0;
    int drop = bit_length(value) - precision;
    if (value == 0)
        return 0;
    if (drop > 0) {
        const u128 rest = value & (((u128)1 << drop) - 1), half = (u128)1 << (drop - 1);
        value >>= drop;
        if (rest > half || (rest == half && (sticky || (value & 1) != 0)))
            value++;
    } else {
        value <<= -drop;
    }
    if (value >> precision != 0) {
        value >>= 1;
        drop++;
    }
    const int biased = exponent + drop + precision - 1 + bias;
    if (biased < 1)
        return 0;
    if (biased > 2 * bias)
        return sign | infinity_bits(t);
    return sign | (uint64_t)biased << t->fraction |
           ((uint64_t)value & (((uint64_t)1 << t->fraction) - 1));
}

/* magnitude * 2^exponent / divisor, rounded once. */
static uint64_t round_ratio(VkrType type, bool negative, uint64_t numerator, int exponent,
                            uint64_t divisor)
{
    if (divisor == 0)
        return nan_bits(&types[type]);
    const int shift = 127 - bit_length(numerator);
    const u128 wide = (u128)numerator << shift;
    return round_bits(type, negative, wide / divisor, wide % divisor != 0, exponent - shift);
}

/* sqrt(value * 2^exponent), rounded once. */
static uint64_t round_root(VkrType type, uint64_t value, int exponent)
{
    int shift = 126 - bit_length(value);
    if ((exponent - shift) % 2 != 0)
        shift--;
    const u128 wide = (u128)value << shift;
    u128 root = 0;
    for (int bit = 63; bit >= 0; bit--) {
        const u128 trial = root | (u128)1 << bit;
        if (trial * trial <= wide)
            root = trial;
    }
    return round_bits(type, false, root, root * root != wide, (exponent - shift) / 2);
}

/* mean or l2 of a float sum that is given exactly. */
static uint64_t finish_float(VkrType type, VkrOp op, double sum, uint64_t count)
{
    int exponent;
    if (op == VKR_OP_MEAN && count == 0)
        return nan_bits(&types[type]);
    if (!isfinite(sum) || (op != VKR_OP_MEAN && op != VKR_OP_L2))
        return from_real(type, sum);
    const uint64_t significand = (uint64_t)ldexp(frexp(fabs(sum), &exponent), 53);
    if (op == VKR_OP_MEAN)
        return round_ratio(type, sum < 0, significand, exponent - 53, count);
    return round_root(type, significand, exponent - 53);
}

/* ---- The canonical tree of VKR_DETERMINISM_DEVICE ---- */

static double flush(double value, double smallest, bool inclusive)
{
    const double size = fabs(value);
    return size < smallest || (inclusive && size == smallest) ? 0.0 : value;
}

/* One leaf per value: the element, its absolute value, its square or its product with y. */
#define DEFINE_CANONICAL(name, real, smallest)                                                     \
    static real name##_leaf(VkrOp op, real x, real y)                                              \
    {                                                                                              \
        if (op == VKR_OP_L1)                                                                       \
            return x < 0 ? -x : x;                                                                 \
        if (op == VKR_OP_SUMSQ || op == VKR_OP_L2)                                                 \
            return (real)flush(x * x, smallest, true);                                             \
        return op == VKR_OP_DOT ? (real)flush(x * y, smallest, true) : x;                          \
    }                                                                                              \
                                                                                                   \
    static real name##_combine(VkrOp op, real a, real b)                                           \
    {                                                                                              \
        const real result = op == VKR_OP_PRODUCT ? a * b : a + b;                                  \
        return (real)flush(result, smallest, op == VKR_OP_PRODUCT);                                \
    }                                                                                              \
                                                                                                   \
    static double name##_block(VkrOp op, const double *leaves, uint32_t count)                     \
    {                                                                                              \
        real lanes[VKR_TREE_WIDTH];                                                                \
        for (uint32_t v = 0; v < VKR_TREE_WIDTH; v++)                                              \
            lanes[v] = op == VKR_OP_PRODUCT ? 1 : 0;                                               \
        for (uint32_t i = 0; i < count; i++)                                                       \
            lanes[i % VKR_TREE_WIDTH] =                                                            \
                name##_combine(op, lanes[i % VKR_TREE_WIDTH], (real)leaves[i]);                    \
        for (uint32_t h = VKR_TREE_WIDTH / 2; h > 0; h /= 2)                                       \
            for (uint32_t v = 0; v < h; v++)                                                       \
                lanes[v] = name##_combine(op, lanes[v], lanes[v + h]);                             \
        return (double)lanes[0];                                                                   \
    }

DEFINE_CANONICAL(narrow, float, FLT_MIN)
DEFINE_CANONICAL(wide, double, DBL_MIN)

/* Leaves that wait for their block to fill, level by level: 5 levels hold any 64-bit count. */
#define LEVELS 5
typedef struct tree {
    VkrOp op;
    bool narrow;
    double leaves[LEVELS][BLOCK];
    uint32_t count[LEVELS];
    uint64_t total[LEVELS];
} tree;

static void tree_add(tree *t, int level, double leaf);

static void tree_close_block(tree *t, int level)
{
    const uint32_t count = t->count[level];
    t->count[level] = 0;
    tree_add(t, level + 1,
             t->narrow ? narrow_block(t->op, t->leaves[level], count)
                       : wide_block(t->op, t->leaves[level], count));
}

static void tree_add(tree *t, int level, double leaf)
{
    t->leaves[level][t->count[level]++] = leaf;
    t->total[level]++;
    if (t->count[level] == BLOCK && level + 1 < LEVELS)
        tree_close_block(t, level);
}

static double tree_result(tree *t)
{
    for (int level = 0;; level++) {
        if (level > 0 && t->total[level] == 1)
            return t->leaves[level][0];
        if (t->count[level] > 0 || t->total[level] == 0)
            tree_close_block(t, level);
    }
}

static double canonical(const oracle_reduce_info *info, VkrOp op, uint32_t component,
                        VkrType accumulator)
{
    const type_row *row = &types[info->type];
    tree t = {.op = op, .narrow = accumulator == VKR_TYPE_F32};
    uint64_t x[BLOCK], y[BLOCK] = {0};
    uint32_t count;
    for (uint64_t first = 0; (count = load_block(info, false, component, first, x)) > 0;
         first += count) {
        if (op == VKR_OP_DOT)
            load_block(info, true, component, first, y);
        for (uint32_t i = 0; i < count; i++) {
            const double a = is_subnormal(row, x[i]) ? 0 : to_double(info->type, x[i]);
            const double b = is_subnormal(row, y[i]) ? 0 : to_double(info->type, y[i]);
            tree_add(&t, 0,
                     t.narrow ? (double)narrow_leaf(op, (float)a, (float)b) : wide_leaf(op, a, b));
        }
    }
    return tree_result(&t);
}

/* ---- Float sums below level DEVICE ---- */

/* What is known of the accumulator. */
typedef struct real_row {
    double unit;     /* largest relative error of one rounding */
    double greatest; /* finite */
    double smallest; /* normal */
    double integers; /* all up to here are exact */
} real_row;

static const real_row narrow_real = {0x1p-24, FLT_MAX, FLT_MIN, 0x1p24};
static const real_row wide_real = {0x1p-53, DBL_MAX, DBL_MIN, 0x1p53};

/* A sum in twice the precision of long double, and what its error bound needs. */
typedef struct sum_facts {
    long double sum, error;
    long double magnitude; /* sum of the finite terms' absolute values */
    long double slack;     /* what is lost where subnormal elements are taken for zero */
    bool nan, plus, minus, fractional;
    bool unclear; /* an infinity times a subnormal number: infinite, or NaN */
} sum_facts;

static void add_term(sum_facts *f, long double term, bool subnormal)
{
    if (!isfinite(term)) {
        f->nan |= isnan(term);
        f->plus |= term > 0;
        f->minus |= term < 0;
        f->unclear |= subnormal;
        return;
    }
    const long double sum = f->sum + term, part = sum - f->sum;
    f->error += (f->sum - (sum - part)) + (term - part);
    f->sum = sum;
    f->magnitude += fabsl(term);
    if (subnormal)
        f->slack += fabsl(term);
    if (!f->fractional && term != truncl(term))
        f->fractional = true;
}

static sum_facts gather_sum(const oracle_reduce_info *info, VkrOp op, uint32_t component)
{
    const type_row *row = &types[info->type];
    sum_facts f = {0};
    uint64_t x[BLOCK], y[BLOCK] = {0};
    uint32_t count;
    for (uint64_t first = 0; (count = load_block(info, false, component, first, x)) > 0;
         first += count) {
        if (op == VKR_OP_DOT)
            load_block(info, true, component, first, y);
        for (uint32_t i = 0; i < count; i++) {
            const long double a = to_double(info->type, x[i]);
            const long double b = to_double(info->type, y[i]);
            const bool subnormal = is_subnormal(row, x[i]) || is_subnormal(row, y[i]);
            if (op == VKR_OP_L1)
                add_term(&f, fabsl(a), subnormal);
            else if (op == VKR_OP_SUMSQ || op == VKR_OP_L2)
                add_term(&f, a * a, subnormal);
            else
                add_term(&f, op == VKR_OP_DOT ? a * b : a, subnormal);
        }
    }
    return f;
}

static void set_bits(oracle_value *value, uint64_t bits, double tolerance)
{
    for (size_t i = 0; i < sizeof(value->bytes); i++)
        value->bytes[i] = (unsigned char)(bits >> 8 * i);
    value->tolerance = tolerance;
}

/* An upper bound as a double. */
static double round_up(long double bound)
{
    return bound > 0 ? (double)bound * (1 + DBL_EPSILON) + 0x1p-1074 : 0;
}

/* The result lies within `error` of `sum` before the last operation. */
static void finish_near(oracle_value *value, VkrType type, VkrOp op, long double sum,
                        long double error, uint64_t count)
{
    const real_row *result = type == VKR_TYPE_F32 ? &narrow_real : &wide_real;
    long double center = sum, bound = error;
    if (op == VKR_OP_MEAN) {
        center = sum / (long double)count;
        bound = error / (long double)count;
    } else if (op == VKR_OP_L2) {
        const long double low = sum - error;
        center = sqrtl(sum);
        bound = center - sqrtl(low > 0 ? low : 0);
    }
    bound += 4 * result->unit * (fabsl(center) + bound) + result->smallest;
    set_bits(value, from_real(type, center), round_up(bound));
}

static void reduce_float_sum(const oracle_reduce_info *info, VkrOp op, uint32_t component,
                             VkrType accumulator, VkrType type, oracle_value *value)
{
    const real_row *real = accumulator == VKR_TYPE_F32 ? &narrow_real : &wide_real;
    const sum_facts f = gather_sum(info, op, component);
    const long double sum = f.sum + f.error;
    const uint64_t most = info->count < ORACLE_DEPTH_MAX ? info->count : ORACLE_DEPTH_MAX;
    const long double steps = (long double)(info->depth != 0 ? info->depth : most) + 2;
    const long double relative = steps * real->unit / (1 - steps * real->unit);
    const long double error =
        relative * f.magnitude + f.slack + 3 * real->smallest * (double)info->count;
    const bool positive = op == VKR_OP_L1 || op == VKR_OP_SUMSQ || op == VKR_OP_L2;

    if ((op == VKR_OP_MEAN && info->count == 0) || f.nan || (f.plus && f.minus))
        set_bits(value, nan_bits(&types[type]), 0);
    else if (f.unclear)
        set_bits(value, nan_bits(&types[type]), INFINITY);
    else if (positive && (f.plus || f.magnitude - error > real->greatest * (1 + real->unit)))
        set_bits(value, infinity_bits(&types[type]), 0);
    else if (f.magnitude + error >= real->greatest)
        set_bits(value, from_real(type, sum), INFINITY);
    else if (f.plus || f.minus)
        set_bits(value, from_real(type, f.plus ? INFINITY : -INFINITY), 0);
    else if (f.fractional || f.slack > 0 || f.magnitude > real->integers)
        finish_near(value, type, op, sum, error, info->count);
    else /* exact in any order, but for the sign of a zero */
        set_bits(value, finish_float(type, op, (double)sum, info->count), sum == 0 ? 0x1p-1074 : 0);
}

/* ---- Float products below level DEVICE ---- */

/* The product as fraction * 2^exponent, and bounds of every partial product: 2^-down to 2^up. */
typedef struct product_facts {
    long double fraction;
    int64_t exponent;
    double up, down;
    bool nan, infinite, zero, rounded, negative;
} product_facts;

static void multiply(product_facts *f, double x)
{
    int exponent;
    f->nan |= isnan(x);
    f->infinite |= isinf(x);
    f->zero |= x == 0;
    f->negative ^= signbit(x) != 0;
    if (!isfinite(x) || x == 0)
        return;
    const double part = fabs(frexp(x, &exponent));
    f->rounded |= part > 0.5;
    f->exponent += exponent;
    f->fraction = frexpl(f->fraction * part, &exponent);
    f->exponent += exponent;
    const double size = fabs(x) == 1 ? 0 : log2(fabs(x));
    f->up += size > 0 ? size : 0;
    f->down -= size < 0 ? size : 0;
}

static void reduce_float_product(const oracle_reduce_info *info, uint32_t component,
                                 VkrType accumulator, VkrType type, oracle_value *value)
{
    const real_row *real = accumulator == VKR_TYPE_F32 ? &narrow_real : &wide_real;
    const double top = log2(real->greatest) - 1, bottom = 1 - log2(real->smallest);
    const long double relative = ((long double)info->count + 2) * real->unit;
    product_facts f = {.fraction = 1};
    uint64_t x[BLOCK];
    uint32_t count;
    for (uint64_t first = 0; (count = load_block(info, false, component, first, x)) > 0;
         first += count)
        for (uint32_t i = 0; i < count; i++)
            multiply(&f, to_double(info->type, x[i]));

    const bool may_overflow = f.up >= top, may_underflow = f.down >= bottom - 2;
    const double size = f.up - f.down, sign = f.negative ? -1 : 1;
    if (f.nan || (f.infinite && f.zero))
        set_bits(value, nan_bits(&types[type]), 0);
    else if ((f.infinite && !may_underflow) || (!f.zero && f.down == 0 && size > top + 4))
        set_bits(value, from_real(type, sign * (double)INFINITY), 0);
    else if ((f.zero && !may_overflow) || (!f.infinite && f.up == 0 && size < -bottom - 4))
        set_bits(value, 0, 2 * real->smallest);
    else if (may_overflow || may_underflow || f.infinite || f.zero || relative > 0.5L)
        set_bits(value, nan_bits(&types[type]), INFINITY);
    else {
        const long double exact = (long double)sign * ldexpl(f.fraction, (int)f.exponent);
        set_bits(value, from_real(type, exact),
                 f.rounded ? round_up(2 * relative * fabsl(exact)) : 0);
    }
}

/* ---- The whole ---- */

static VkrType float_accumulator(const oracle_reduce_info *info)
{
    const bool wide = info->type == VKR_TYPE_F64 || info->accumulator == VKR_TYPE_F64;
    return wide ? VKR_TYPE_F64 : VKR_TYPE_F32;
}

static void reduce_floats(const oracle_reduce_info *info, VkrOp op, uint32_t component,
                          VkrType type, oracle_value *value)
{
    const VkrType accumulator = float_accumulator(info);
    if (info->determinism == VKR_DETERMINISM_DEVICE) {
        const double sum = canonical(info, op, component, accumulator);
        set_bits(value, finish_float(type, op, sum, info->count), 0);
    } else if (op == VKR_OP_PRODUCT) {
        reduce_float_product(info, component, accumulator, type, value);
    } else {
        reduce_float_sum(info, op, component, accumulator, type, value);
    }
}

void oracle_reduce(const oracle_reduce_info *info, VkrOp op, uint32_t component,
                   VkrType result_type, oracle_value *value)
{
    const type_row *t = &types[info->type];
    uint64_t bits;
    switch (op) {
    case VKR_OP_MIN:
    case VKR_OP_MAX:
    case VKR_OP_ABSMAX:
    case VKR_OP_ARGMIN:
    case VKR_OP_ARGMAX:
        bits = reduce_order(info, op, component);
        break;
    case VKR_OP_COUNT:
        bits = info->count;
        break;
    case VKR_OP_NAN:
        bits = count_nan(info, component);
        break;
    default:
        if (t->kind == KIND_FLOAT) {
            reduce_floats(info, op, component, result_type, value);
            return;
        }
        bits = reduce_integers(info, op, component);
        if (op == VKR_OP_MEAN) {
            const bool negative = t->kind == KIND_SIGNED && (int64_t)bits < 0;
            bits = round_ratio(result_type, negative, negative ? 0 - bits : bits, 0, info->count);
        } else if (op == VKR_OP_L2) {
            bits = round_root(result_type, bits, 0);
        }
    }
    set_bits(value, bits, 0);
}

static uint64_t get_bits(VkrType type, const void *value)
{
    const unsigned char *bytes = value;
    uint64_t bits = 0;
    for (uint32_t i = 0; i < types[type].bits / 8; i++)
        bits |= (uint64_t)bytes[i] << 8 * i;
    return bits;
}

bool oracle_accepts(const oracle_value *value, VkrType result_type, const void *actual)
{
    const type_row *t = &types[result_type];
    const uint64_t expected = get_bits(result_type, value->bytes);
    const uint64_t got = get_bits(result_type, actual);
    if (is_nan(t, got) && got != nan_bits(t))
        return false;
    if (expected == got || value->tolerance > DBL_MAX)
        return true;
    if (!(value->tolerance > 0))
        return false;
    const long double near = to_double(result_type, expected);
    return fabsl(near - (long double)to_double(result_type, got)) <= value->tolerance;
}

void oracle_format(char *text, size_t size, VkrType type, const void *value)
{
    const type_row *t = &types[type];
    const uint64_t bits = get_bits(type, value);
    const uint64_t extension = t->kind == KIND_SIGNED && (bits & sign_bit(t)) ? ~all_bits(t) : 0;
    if (t->kind == KIND_FLOAT)
        snprintf(text, size, "%.17g", to_double(type, bits));
    else if (t->kind == KIND_SIGNED)
        snprintf(text, size, "%" PRId64, (int64_t)(bits | extension));
    else
        snprintf(text, size, "%" PRIu64, bits);
}
