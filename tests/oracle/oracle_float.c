/* SPDX-License-Identifier: MIT */
/* The scalar reference of floats below level DEVICE, and of divisions and square roots. */
#include <float.h>

#include "oracle_parts.h"

uint64_t oracle_from_real(VkrType type, long double value)
{
    const float single = (float)value;
    const double wide = (double)value;
    uint32_t word;
    uint64_t bits;
    if (isnan(value))
        return nan_bits(&oracle_types[type]);
    memcpy(&word, &single, sizeof(word));
    memcpy(&bits, &wide, sizeof(bits));
    return type == VKR_TYPE_F32 ? word : bits;
}

/* ---- Division and square root of exact numbers, rounded once ---- */

static int bit_length(u128 value)
{
    int length = 0;
    for (; value != 0; value >>= 1)
        length++;
    return length;
}

uint64_t oracle_round_bits(VkrType type, bool negative, u128 value, bool sticky, int exponent)
{
    const type_row *t = &oracle_types[type];
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

uint64_t oracle_round_ratio(VkrType type, bool negative, u128 numerator, int exponent,
                            uint64_t divisor)
{
    if (divisor == 0)
        return nan_bits(&oracle_types[type]);
    if (numerator == 0)
        return 0;
    const int shift = 128 - bit_length(numerator);
    const u128 wide = numerator << shift;
    return oracle_round_bits(type, negative, wide / divisor, wide % divisor != 0, exponent - shift);
}

uint64_t oracle_round_root(VkrType type, u128 value, bool sticky, int exponent)
{
    int shift = 126 - bit_length(value);
    if ((exponent - shift) % 2 != 0)
        shift--;
    const u128 wide = shift >= 0 ? value << shift : value >> -shift;
    const bool lost = shift < 0 && wide << -shift != value;
    u128 root = 0;
    for (int bit = 63; bit >= 0; bit--) {
        const u128 trial = root | (u128)1 << bit;
        if (trial * trial <= wide)
            root = trial;
    }
    return oracle_round_bits(type, false, root, sticky || lost || root * root != wide,
                             (exponent - shift) / 2);
}

/* The magnitude is significand * 2^exponent. */
static uint64_t significand_of(double value, int *exponent)
{
    const uint64_t significand = (uint64_t)ldexp(frexp(fabs(value), exponent), 53);
    *exponent -= 53;
    return significand;
}

uint64_t oracle_finish_ratio(VkrType type, double sum, int e, uint64_t count)
{
    int exponent;
    if (count == 0 || !isfinite(sum))
        return oracle_from_real(type, count == 0 ? NAN : sum);
    const uint64_t significand = significand_of(sum, &exponent);
    return oracle_round_ratio(type, sum < 0, significand, exponent + e, count);
}

uint64_t oracle_finish_root(VkrType type, double square, int e)
{
    int exponent;
    if (!isfinite(square))
        return oracle_from_real(type, square);
    const uint64_t significand = significand_of(square, &exponent);
    return oracle_round_root(type, significand, false, exponent + 2 * e);
}

uint64_t oracle_finish(VkrType type, VkrOp op, double sum, uint64_t count)
{
    return op == VKR_OP_MEAN ? oracle_finish_ratio(type, sum, 0, count)
           : op == VKR_OP_L2 ? oracle_finish_root(type, sum, 0)
                             : oracle_from_real(type, sum);
}

/* ---- Float sums below level DEVICE ---- */

/* Properties of the accumulator type. */
typedef struct real_row {
    double unit;     /* largest relative error of one rounding */
    double greatest; /* largest finite number */
    double smallest; /* smallest normal number */
    double integers; /* all integers up to this one are exact */
} real_row;

static const real_row narrow_real = {0x1p-24, FLT_MAX, FLT_MIN, 0x1p24};
static const real_row wide_real = {0x1p-53, DBL_MAX, DBL_MIN, 0x1p53};

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

static void start_sum(oracle_fold *fold)
{
    fold->state.sum = (sum_facts){0};
}

static void add_to_sum(oracle_fold *fold, const uint64_t *x, const uint64_t *y, uint32_t count)
{
    const VkrType type = fold->info.type;
    const type_row *row = &oracle_types[type];
    const VkrOp op = fold->op;
    sum_facts *f = &fold->state.sum;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t bits = op == VKR_OP_DOT ? y[i] : 0;
        const long double a = to_double(type, x[i]);
        const long double b = to_double(type, bits);
        const bool subnormal = is_subnormal(row, x[i]) || is_subnormal(row, bits);
        if (op == VKR_OP_L1)
            add_term(f, fabsl(a), subnormal);
        else if (op == VKR_OP_SUMSQ || op == VKR_OP_L2)
            add_term(f, a * a, subnormal);
        else
            add_term(f, op == VKR_OP_DOT ? a * b : a, subnormal);
    }
}

double oracle_roundings(uint64_t count)
{
    return 2 * log2(count > 0 ? (double)count : 1) + 34;
}

/* A double that is an upper bound. */
static double round_up(long double bound)
{
    return bound > 0 ? (double)bound * (1 + DBL_EPSILON) + 0x1p-1074 : 0;
}

/* Before the last operation, the result lies within `error` of `sum`. */
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
    /* One rounding to the nearest float, and one in the last operation of a mean or a norm. */
    const int roundings = op == VKR_OP_MEAN || op == VKR_OP_L2 ? 2 : 1;
    bound += roundings * result->unit * (fabsl(center) + bound) + result->smallest;
    set_bits(value, oracle_from_real(type, center), round_up(bound));
}

/* Before the last operation of a norm whose squares are summed at several scales. What is lost is
 * that of plain squares of which the sum is great enough to be used, or that of raised ones. */
static long double error_of_norm(const oracle_fold *fold, long double sum)
{
    const bool narrow = oracle_is_narrow(fold);
    const long double lost = narrow ? 0x1p-61L * sum + 0x1p-316L : 0x1p-221L * sum + 0x1p-2822L;
    return 3 * lost * (long double)fold->count;
}

static void finish_sum(oracle_fold *fold, oracle_value *value)
{
    const real_row *real = oracle_is_narrow(fold) ? &narrow_real : &wide_real;
    const sum_facts f = fold->state.sum;
    const VkrOp op = fold->op;
    const VkrType type = fold->result;
    const uint64_t count = fold->count;
    const bool ranged = op == VKR_OP_L2 && oracle_is_ranged(fold);
    const long double sum = f.sum + f.error;
    const long double lost =
        ranged ? error_of_norm(fold, sum) : 3 * (long double)real->smallest * count;
    const long double error =
        (long double)(oracle_roundings(count) * real->unit) * f.magnitude + f.slack + lost;
    const bool positive = op == VKR_OP_L1 || op == VKR_OP_SUMSQ || op == VKR_OP_L2;
    /* The greatest sum that does not overflow. */
    const long double most =
        ranged ? (long double)real->greatest * real->greatest : (long double)real->greatest;

    if ((op == VKR_OP_MEAN && count == 0) || f.nan || (f.plus && f.minus))
        set_bits(value, nan_bits(&oracle_types[type]), 0);
    else if (f.unclear)
        set_bits(value, nan_bits(&oracle_types[type]), INFINITY);
    else if (positive && (f.plus || f.magnitude - error > most * (1 + 2 * real->unit)))
        set_bits(value, infinity_bits(&oracle_types[type]), 0);
    else if (f.magnitude + error >= most)
        set_bits(value, oracle_from_real(type, op == VKR_OP_L2 ? sqrtl(sum) : sum), INFINITY);
    else if (f.plus || f.minus)
        set_bits(value, oracle_from_real(type, f.plus ? INFINITY : -INFINITY), 0);
    else if (f.fractional || f.slack > 0 || f.magnitude > real->integers)
        finish_near(value, type, op, sum, error, count);
    else /* exact in any order, except for the sign of a zero */
        set_bits(value, oracle_finish(type, op, (double)sum, count), sum == 0 ? 0x1p-1074 : 0);
}
const method oracle_sum = {start_sum, add_to_sum, finish_sum};

/* ---- Float products below level DEVICE ---- */

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

static void start_product(oracle_fold *fold)
{
    fold->state.product = (product_facts){.fraction = 1};
}

static void add_to_product(oracle_fold *fold, const uint64_t *x, const uint64_t *y, uint32_t count)
{
    const VkrType type = fold->info.type;
    product_facts *f = &fold->state.product;
    (void)y;
    for (uint32_t i = 0; i < count; i++) {
        f->subnormal |= is_subnormal(&oracle_types[type], x[i]);
        multiply(f, to_double(type, x[i]));
    }
}

static void finish_product(oracle_fold *fold, oracle_value *value)
{
    const real_row *real = oracle_is_narrow(fold) ? &narrow_real : &wide_real;
    const double top = log2(real->greatest) - 1, bottom = 1 - log2(real->smallest);
    const long double relative = ((long double)fold->count + 2) * real->unit;
    const product_facts f = fold->state.product;
    const VkrType type = fold->result;
    const bool may_overflow = f.up >= top, may_underflow = f.down >= bottom - 2;
    const double size = f.up - f.down, sign = f.negative ? -1 : 1;
    if (f.nan || (f.infinite && f.zero))
        set_bits(value, nan_bits(&oracle_types[type]), 0);
    else if (f.infinite && f.subnormal)
        set_bits(value, nan_bits(&oracle_types[type]), INFINITY);
    else if ((f.infinite && !may_underflow) || (!f.zero && f.down == 0 && size > top + 4))
        set_bits(value, oracle_from_real(type, sign * (double)INFINITY), 0);
    else if ((f.zero && !may_overflow) || (!f.infinite && f.up == 0 && size < -bottom - 4))
        set_bits(value, 0, 2 * real->smallest);
    else if (may_overflow || may_underflow || f.infinite || f.zero || relative > 0.5L)
        set_bits(value, nan_bits(&oracle_types[type]), INFINITY);
    else {
        const long double exact = (long double)sign * ldexpl(f.fraction, (int)f.exponent);
        const long double error = (f.rounded ? 2 * relative : 0) + (f.subnormal ? 1 : 0);
        set_bits(value, oracle_from_real(type, exact), round_up(error * fabsl(exact)));
    }
}

const method oracle_product = {start_product, add_to_product, finish_product};
