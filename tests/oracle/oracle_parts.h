/* SPDX-License-Identifier: MIT */
/* Declarations shared by the parts of the scalar reference. */
#ifndef VKR_TESTS_ORACLE_PARTS_H
#define VKR_TESTS_ORACLE_PARTS_H

#include <math.h>
#include <string.h>

#include "oracle.h"

__extension__ typedef unsigned __int128 u128;

/* ---- Types ---- */

typedef enum kind { KIND_SIGNED, KIND_UNSIGNED, KIND_FLOAT } kind;

typedef struct type_row {
    uint32_t bits;
    kind kind;
    uint32_t fraction; /* explicit bits of the significand, floats only */
} type_row;

extern const type_row oracle_types[VKR_TYPE_COUNT];

static inline uint64_t sign_bit(const type_row *t)
{
    return (uint64_t)1 << (t->bits - 1);
}

static inline uint64_t infinity_bits(const type_row *t)
{
    return (sign_bit(t) - 1) & ~(((uint64_t)1 << t->fraction) - 1);
}

static inline uint64_t nan_bits(const type_row *t)
{
    return infinity_bits(t) | (uint64_t)1 << (t->fraction - 1);
}

/* The bits of the absolute value of a value. */
static inline uint64_t magnitude_of(const type_row *t, uint64_t bits)
{
    if (t->kind == KIND_FLOAT)
        return bits & ~sign_bit(t);
    return t->kind == KIND_SIGNED && (int64_t)bits < 0 ? 0 - bits : bits;
}

static inline bool is_subnormal(const type_row *t, uint64_t bits)
{
    const uint64_t magnitude = bits & ~sign_bit(t);
    return magnitude != 0 && magnitude >> t->fraction == 0;
}

/* The value of a float of any type: exact, since every type fits into a double. */
static inline double to_double(VkrType type, uint64_t bits)
{
    double value;
    float single;
    if (type == VKR_TYPE_F64) {
        memcpy(&value, &bits, sizeof(value));
        return value;
    }
    if (type == VKR_TYPE_F32 || type == VKR_TYPE_BF16) {
        const uint32_t word = (uint32_t)bits << (type == VKR_TYPE_BF16 ? 16 : 0);
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

/* ---- The state of a reduction, by method ---- */

typedef struct extreme {
    uint64_t bits;
    uint64_t index; /* UINT64_MAX: no value */
    uint64_t first_nan;
} extreme;

/* The sums of a tree: those of squares have one for each scale of the elements. */
#define SUMS 3
typedef struct sums {
    double at[SUMS];
} sums;

/* For each level, the lanes of the block that is not yet full. 5 levels are enough for every 64-bit
 * count. */
#define LEVELS 5
typedef struct tree {
    sums lanes[LEVELS][VKR_TREE_WIDTH];
    uint32_t count[LEVELS];
    uint64_t total[LEVELS];
} tree;

/* The binary tree of sliding windows: the values of left halves, at the levels of set bits. */
typedef struct nodes {
    sums left[64];
    uint64_t waiting;
} nodes;

/* The deviations of n elements, times 2^scale, from a centre: the sums of the differences and of
 * their squares, each as two floats. */
typedef struct spread {
    uint64_t n;
    double centre, sum[2], squares[2];
    int scale;
} spread;

/* The lanes of the incomplete block of each level. */
typedef struct spread_tree {
    spread lanes[LEVELS][VKR_TREE_WIDTH];
    uint32_t count[LEVELS];
    uint64_t total[LEVELS];
} spread_tree;

typedef struct spread_nodes {
    spread left[64];
    uint64_t waiting;
} spread_nodes;

/* The sum of the elements, in units of 2^-1088, and the sum of their squares, in units of 2^-2176,
 * both in two's complement. */
#define VARIANCE_WORDS 138
typedef struct variance {
    uint32_t sum[VARIANCE_WORDS], squares[VARIANCE_WORDS];
    bool special; /* infinite or NaN */
} variance;

/* A sum in twice the precision of long double, and the data for its error bound. */
typedef struct sum_facts {
    long double sum, error;
    long double magnitude; /* sum of the finite terms' absolute values */
    long double slack;     /* the loss if subnormal elements are flushed to zero */
    bool nan, plus, minus, fractional;
    bool unclear; /* an infinity times a subnormal number: infinity or NaN */
} sum_facts;

/* The sum of exp(x - most) of the elements that are neither NaN nor -inf. */
typedef struct exps_facts {
    long double sum;
    double most;
    bool nan;
} exps_facts;

/* The product as fraction * 2^exponent, and bounds of all partial products: 2^-down to 2^up. */
typedef struct product_facts {
    long double fraction;
    int64_t exponent;
    double up, down;
    bool nan, infinite, zero, rounded, negative;
    bool subnormal; /* an element is: devices may treat it as 0 */
} product_facts;

/* The sum is high * 2^128 + low. */
typedef struct sum192 {
    u128 low;
    uint64_t high;
} sum192;

/* How an operator is evaluated. x and y are values of the two inputs, sign-extended, starting at
 * index fold->count; y is used only by dot. */
typedef struct method {
    void (*start)(oracle_fold *fold);
    void (*add)(oracle_fold *fold, const uint64_t *x, const uint64_t *y, uint32_t count);
    void (*finish)(oracle_fold *fold, oracle_value *value);
} method;

struct oracle_fold {
    oracle_reduce_info info; /* its data and count are ignored */
    VkrOp op;
    uint32_t component;
    VkrType result;
    const method *method;
    uint64_t count; /* elements so far */
    uint64_t index; /* of the next element of a window */
    union {
        extreme extreme;
        uint64_t total; /* modulo 2^64 */
        sum192 sum192;
        tree tree;
        nodes nodes;
        sum_facts sum;
        product_facts product;
        spread_tree spread;
        spread_nodes spread_nodes;
        variance variance;
        exps_facts exps;
    } state;
};

static inline void set_bits(oracle_value *value, uint64_t bits, double tolerance)
{
    for (size_t i = 0; i < sizeof(value->bytes); i++)
        value->bytes[i] = (unsigned char)(bits >> 8 * i);
    value->tolerance = tolerance;
}

/* ---- oracle.c ---- */

bool oracle_is_nan(const type_row *t, uint64_t bits);

/* Reads values `stride` bytes apart, sign-extended to 64 bits. */
void oracle_load(VkrType type, const unsigned char *at, size_t stride, uint32_t count,
                 uint64_t *out);

/* Whether sums of floats are accumulated in f32. */
static inline bool oracle_is_narrow(const oracle_fold *fold)
{
    return fold->info.type != VKR_TYPE_F64 && fold->info.accumulator != VKR_TYPE_F64;
}

/* Whether squares of elements can leave the range of the accumulator. */
static inline bool oracle_is_ranged(const oracle_fold *fold)
{
    return fold->info.type == VKR_TYPE_F64 ||
           (oracle_is_narrow(fold) && fold->info.type != VKR_TYPE_F16);
}

/* ---- oracle_tree.c ---- */

extern const method oracle_tree;  /* float sums at level DEVICE */
extern const method oracle_nodes; /* the same of sliding windows */

/* a + b or a * b at level DEVICE; f32 arithmetic if narrow: computed in double and rounded again,
 * which gives the same sums and products. */
double oracle_combine(bool narrow, VkrOp op, double a, double b);

static inline double oracle_plus(bool narrow, double a, double b)
{
    return oracle_combine(narrow, VKR_OP_SUM, a, b);
}

static inline double oracle_times(bool narrow, double a, double b)
{
    return oracle_combine(narrow, VKR_OP_PRODUCT, a, b);
}

/* ---- oracle_float.c ---- */

extern const method oracle_sum;     /* float sums below level DEVICE */
extern const method oracle_product; /* float products below level DEVICE */

/* The nearest f32 or f64; NaN is the canonical one. */
uint64_t oracle_from_real(VkrType type, long double value);

/* Both round once: oracle_round_ratio numerator * 2^exponent / divisor, and oracle_round_root the
 * square root of value * 2^exponent. If sticky, the exact value is slightly larger, by less than 1,
 * and `value` has at least 110 bits. */
uint64_t oracle_round_ratio(VkrType type, bool negative, u128 numerator, int exponent,
                            uint64_t divisor);
uint64_t oracle_round_root(VkrType type, u128 value, bool sticky, int exponent);

/* The float nearest to value * 2^exponent, ties to even; +0 below the smallest normal number. If
 * sticky, the exact value is slightly larger, by less than 1, and `value` has more bits than a
 * significand needs. */
uint64_t oracle_round_bits(VkrType type, bool negative, u128 value, bool sticky, int exponent);

/* The root of a float, times 2^e. */
uint64_t oracle_finish_root(VkrType type, double square, int e);

/* A float times 2^e, divided by the count. */
uint64_t oracle_finish_ratio(VkrType type, double sum, int e, uint64_t count);

/* The mean or the l2 whose float sum is exact. */
uint64_t oracle_finish(VkrType type, VkrOp op, double sum, uint64_t count);

/* ---- oracle_variance.c, oracle_spread.c ---- */

extern const method oracle_variance;     /* exact */
extern const method oracle_spread;       /* of floats at level DEVICE */
extern const method oracle_spread_nodes; /* the same of sliding windows */

/* ---- oracle_exps.c ---- */

extern const method oracle_exps; /* logsumexp below level DEVICE */

/* States of logsumexp at level DEVICE: of no element, of one, with one more, and of two. */
sums oracle_no_exps(void);
sums oracle_exps_of(double x);
sums oracle_take_exps(const sums *a, const sums *x);
sums oracle_join_exps(const sums *a, const sums *b);
uint64_t oracle_finish_exps(const sums *all);

/* ---- oracle_long.c ---- */

extern const method oracle_long; /* mean and l2 of integers */

#endif
