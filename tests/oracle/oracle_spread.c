/* SPDX-License-Identifier: MIT */
/*
 * The scalar reference of variance and standard deviation of floats at level DEVICE, as defined in
 * reduce.h. Build with the flags of oracle_float.c.
 */
#include <float.h>

#include "oracle_parts.h"

/* ---- The arithmetic of reduce.h ---- */

#define add oracle_plus
#define multiply oracle_times

typedef struct pair {
    double high, low;
} pair;

static pair two_sum(bool narrow, double a, double b)
{
    const double sum = add(narrow, a, b), of_b = add(narrow, sum, -a);
    const double of_a = add(narrow, sum, -of_b);
    return (pair){sum, add(narrow, add(narrow, a, -of_a), add(narrow, b, -of_b))};
}

/* The first 12 bits of an f32 significand, or the first 26 bits of a double's. */
static double upper(bool narrow, double a)
{
    uint64_t bits;
    memcpy(&bits, &a, sizeof bits);
    const int lower = narrow ? 29 + 12 : 27;
    bits = bits >> lower << lower;
    memcpy(&a, &bits, sizeof a);
    return a;
}

static pair two_product(bool narrow, double a, double b)
{
    const double product = multiply(narrow, a, b), a0 = upper(narrow, a), b0 = upper(narrow, b);
    const double a1 = add(narrow, a, -a0), b1 = add(narrow, b, -b0);
    double lost = add(narrow, multiply(narrow, a0, b0), -product);
    lost = add(narrow, lost, multiply(narrow, a0, b1));
    lost = add(narrow, lost, multiply(narrow, a1, b0));
    return (pair){product, add(narrow, lost, multiply(narrow, a1, b1))};
}

static pair settled(bool narrow, double high, double low)
{
    const double sum = add(narrow, high, low);
    if (!isfinite(high))
        return (pair){high, 0};
    return (pair){sum, add(narrow, low, -add(narrow, sum, -high))};
}

static pair add_pairs(bool narrow, pair a, pair b)
{
    const pair sum = two_sum(narrow, a.high, b.high);
    return settled(narrow, sum.high, add(narrow, sum.low, add(narrow, a.low, b.low)));
}

static pair multiply_pairs(bool narrow, pair a, pair b)
{
    const pair product = two_product(narrow, a.high, b.high);
    const double across =
        add(narrow, multiply(narrow, a.high, b.low), multiply(narrow, a.low, b.high));
    return settled(narrow, product.high, add(narrow, product.low, across));
}

static pair pair_of(bool narrow, uint64_t n)
{
    return settled(narrow, (double)(n >> 16) * 65536, (double)(n & 0xffff));
}

static double inverse(bool narrow, double a)
{
    float single = (float)a, guess;
    uint32_t word;
    uint64_t bits;
    double x;
    if (narrow) {
        memcpy(&word, &single, sizeof word);
        word = 0x7ef311c7 - word;
        memcpy(&guess, &word, sizeof guess);
        x = guess;
    } else {
        memcpy(&bits, &a, sizeof bits);
        bits = (uint64_t)(0x7fde6238 - (uint32_t)(bits >> 32)) << 32;
        memcpy(&x, &bits, sizeof x);
    }
    for (int i = 0; i < (narrow ? 4 : 5); i++)
        x = multiply(narrow, x, add(narrow, 2, -multiply(narrow, a, x)));
    return x;
}

/* ---- Spreads ---- */

/* The exponents of the scales, and those of magnitudes from which on each of them is used. */
typedef struct scale_row {
    int scale, from;
} scale_row;

static const scale_row narrow_scales[] = {{102, -9999}, {38, -62}, {-26, 2}, {-90, 66}};
static const scale_row wide_scales[] = {{600, -9999}, {0, -120}, {-600, 480}};

static int scale_for(bool narrow, double x)
{
    const scale_row *rows = narrow ? narrow_scales : wide_scales;
    int scale = rows[0].scale;
    for (int i = 1; i < (narrow ? 4 : 3); i++)
        if (fabs(x) >= ldexp(1, rows[i].from))
            scale = rows[i].scale;
    return scale;
}

static spread at_scale(bool narrow, const spread *a, int scale)
{
    const int e = scale - a->scale;
    const double ratio = e > (narrow ? -126 : -1022) ? ldexp(1, e) : 0;
    spread b = {a->n, multiply(narrow, a->centre, ratio), {0}, {0}, scale};
    for (int i = 0; i < 2; i++) {
        b.sum[i] = multiply(narrow, a->sum[i], ratio);
        b.squares[i] = multiply(narrow, multiply(narrow, a->squares[i], ratio), ratio);
    }
    return b;
}

static void take(bool narrow, bool ranged, spread *a, double x)
{
    if (ranged) {
        if (a->n == 0)
            a->scale = scale_for(narrow, 0);
        if (scale_for(narrow, x) < a->scale)
            *a = at_scale(narrow, a, scale_for(narrow, x));
        x = multiply(narrow, x, ldexp(1, a->scale));
    }
    if (a->n == 0)
        a->centre = x;
    a->n++;
    const pair apart = two_sum(narrow, x, -a->centre);
    const pair sum = two_sum(narrow, a->sum[0], apart.high);
    const pair square = two_product(narrow, apart.high, apart.high);
    const pair squares = two_sum(narrow, a->squares[0], square.high);
    const double across = multiply(narrow, add(narrow, apart.high, apart.high), apart.low);
    a->sum[0] = sum.high;
    a->sum[1] = add(narrow, a->sum[1], add(narrow, sum.low, apart.low));
    a->squares[0] = squares.high;
    a->squares[1] =
        add(narrow, a->squares[1], add(narrow, squares.low, add(narrow, square.low, across)));
}

static spread with_centre(bool narrow, const spread *a, double centre)
{
    const pair moved = two_sum(narrow, a->centre, -centre);
    const pair change = multiply_pairs(narrow, pair_of(narrow, a->n), moved);
    const pair before = {a->sum[0], a->sum[1]};
    const pair sum = add_pairs(narrow, before, change);
    const pair squares = add_pairs(narrow, (pair){a->squares[0], a->squares[1]},
                                   multiply_pairs(narrow, moved, add_pairs(narrow, before, sum)));
    return (spread){a->n, centre, {sum.high, sum.low}, {squares.high, squares.low}, a->scale};
}

static spread combine(bool narrow, const spread *left, const spread *right)
{
    if (right->n == 0)
        return *left;
    if (left->n == 0)
        return *right;
    const int scale = left->scale < right->scale ? left->scale : right->scale;
    const spread first = at_scale(narrow, left, scale), second = at_scale(narrow, right, scale);
    const spread *a = &first, *b = &second;
    const pair of_b = pair_of(narrow, b->n), of_all = pair_of(narrow, a->n + b->n);
    const double of_one = inverse(narrow, of_all.high);
    const double share = multiply(narrow, of_b.high, of_one);
    const double step = add(narrow, multiply(narrow, add(narrow, b->centre, -a->centre), share),
                            multiply(narrow, add(narrow, a->sum[0], b->sum[0]), of_one));
    const double centre = add(narrow, a->centre, step);
    const spread x = with_centre(narrow, a, centre), y = with_centre(narrow, b, centre);
    const pair sum = add_pairs(narrow, (pair){x.sum[0], x.sum[1]}, (pair){y.sum[0], y.sum[1]});
    const pair squares =
        add_pairs(narrow, (pair){x.squares[0], x.squares[1]}, (pair){y.squares[0], y.squares[1]});
    return (spread){a->n + b->n, centre, {sum.high, sum.low}, {squares.high, squares.low}, scale};
}

/* The sum of squared deviations from the mean, which the divisor then divides. */
static double deviations(bool narrow, const spread *a)
{
    const pair n = pair_of(narrow, a->n);
    const double of_one = inverse(narrow, n.high);
    const spread s =
        with_centre(narrow, a, add(narrow, a->centre, multiply(narrow, a->sum[0], of_one)));
    const double mean = multiply(narrow, s.sum[0], of_one);
    const pair sum = {s.sum[0], s.sum[1]};
    const pair rest = add_pairs(narrow, sum, multiply_pairs(narrow, n, (pair){-mean, 0}));
    const pair whole = {mean, multiply(narrow, rest.high, of_one)};
    const pair excess = multiply_pairs(narrow, sum, whole);
    const pair squares =
        add_pairs(narrow, (pair){s.squares[0], s.squares[1]}, (pair){-excess.high, -excess.low});
    if (!isfinite(s.sum[0]))
        return NAN;
    return squares.high > 0 || !isfinite(squares.high) ? squares.high : 0;
}

/* ---- The tree ---- */

static void close_block(bool narrow, spread_tree *t, uint32_t level);

static void add_leaf(bool narrow, spread_tree *t, uint32_t level, const spread *leaf)
{
    spread *lane = &t->lanes[level][t->count[level] % VKR_TREE_WIDTH];
    *lane = combine(narrow, lane, leaf);
    t->count[level]++;
    t->total[level]++;
    if (t->count[level] == VKR_TREE_BLOCK && level + 1 < LEVELS)
        close_block(narrow, t, level);
}

static void close_block(bool narrow, spread_tree *t, uint32_t level)
{
    spread *lanes = t->lanes[level];
    for (uint32_t h = VKR_TREE_WIDTH / 2; h > 0; h /= 2)
        for (uint32_t v = 0; v < h; v++)
            lanes[v] = combine(narrow, &lanes[v], &lanes[v + h]);
    const spread value = lanes[0];
    memset(lanes, 0, sizeof t->lanes[level]);
    t->count[level] = 0;
    add_leaf(narrow, t, level + 1, &value);
}

/* Adds an element to a spread, unless it is NaN and left out. */
static void take_element(const oracle_fold *fold, spread *to, uint64_t x)
{
    const VkrType type = fold->info.type;
    const type_row *row = &oracle_types[type];
    if (fold->info.nan != VKR_NAN_SKIP || !oracle_is_nan(row, x))
        take(oracle_is_narrow(fold), oracle_is_ranged(fold), to,
             is_subnormal(row, x) ? 0 : to_double(type, x));
}

static void start_spread(oracle_fold *fold)
{
    memset(&fold->state.spread, 0, sizeof fold->state.spread);
}

static void add_to_spread(oracle_fold *fold, const uint64_t *x, const uint64_t *y, uint32_t count)
{
    spread_tree *t = &fold->state.spread;
    (void)y;
    for (uint32_t i = 0; i < count; i++) {
        take_element(fold, &t->lanes[0][t->count[0] % VKR_TREE_WIDTH], x[i]);
        t->count[0]++;
        t->total[0]++;
        if (t->count[0] == VKR_TREE_BLOCK)
            close_block(oracle_is_narrow(fold), t, 0);
    }
}

/* The variance is rounded before its root is; 2^40 then keeps it a normal number. */
static void finish(oracle_fold *fold, const spread *all, oracle_value *value)
{
    const VkrType type = fold->result;
    const uint64_t divisor = fold->info.sample && all->n > 0 ? all->n - 1 : all->n;
    if (divisor == 0) {
        set_bits(value, nan_bits(&oracle_types[type]), 0);
        return;
    }
    const double squares = deviations(oracle_is_narrow(fold), all);
    const bool is_root = fold->op == VKR_OP_STDDEV;
    uint64_t bits = oracle_finish_ratio(type, squares, is_root ? 40 : -2 * all->scale, divisor);
    if (is_root)
        bits = oracle_finish_root(type, to_double(type, bits), -20 - all->scale);
    set_bits(value, bits, 0);
}

static void finish_spread(oracle_fold *fold, oracle_value *value)
{
    spread_tree *t = &fold->state.spread;
    uint32_t level = 0;
    while (level == 0 || t->total[level] != 1) {
        if (t->count[level] > 0 || t->total[level] == 0)
            close_block(oracle_is_narrow(fold), t, level);
        level++;
    }
    finish(fold, &t->lanes[level][0], value);
}

const method oracle_spread = {start_spread, add_to_spread, finish_spread};

/* ---- The binary tree of sliding windows ---- */

static void start_nodes(oracle_fold *fold)
{
    fold->state.spread_nodes.waiting = 0;
}

/* As add_node of oracle_tree.c. */
static void add_node(bool narrow, spread_nodes *t, uint64_t index, spread value)
{
    uint32_t level = 0;
    for (; (index & 1) != 0; level++, index >>= 1) {
        if ((t->waiting >> level & 1) != 0)
            value = combine(narrow, &t->left[level], &value);
        t->waiting &= ~((uint64_t)1 << level);
    }
    t->left[level] = value;
    t->waiting |= (uint64_t)1 << level;
}

static void add_to_nodes(oracle_fold *fold, const uint64_t *x, const uint64_t *y, uint32_t count)
{
    (void)y;
    for (uint32_t i = 0; i < count; i++) {
        spread leaf = {0};
        take_element(fold, &leaf, x[i]);
        add_node(oracle_is_narrow(fold), &fold->state.spread_nodes,
                 fold->info.first + fold->index++, leaf);
    }
}

static void finish_nodes(oracle_fold *fold, oracle_value *value)
{
    const spread_nodes *t = &fold->state.spread_nodes;
    spread all = {0};
    for (uint32_t level = 0; level < 64; level++)
        if ((t->waiting >> level & 1) != 0)
            all = combine(oracle_is_narrow(fold), &t->left[level], &all);
    finish(fold, &all, value);
}

const method oracle_spread_nodes = {start_nodes, add_to_nodes, finish_nodes};
