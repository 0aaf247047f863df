/* SPDX-License-Identifier: MIT */
/*
 * The scalar reference of float sums at level DEVICE. Build it without -ffast-math and with
 * -ffp-contract=off: it relies on strict float arithmetic.
 */
#include <float.h>

#include "oracle_parts.h"

/* ---- Arithmetic ---- */

double oracle_combine(bool narrow, VkrOp op, double a, double b)
{
    const double exact = op == VKR_OP_PRODUCT ? a * b : a + b,
                 smallest = narrow ? FLT_MIN : DBL_MIN;
    const double result = narrow ? (double)(float)exact : exact, size = fabs(result);
    return size < smallest || (op == VKR_OP_PRODUCT && size == smallest) ? 0 : result;
}

static sums combine(const oracle_fold *fold, const sums *a, const sums *b)
{
    sums all = {{0}};
    if (fold->op == VKR_OP_LOGSUMEXP)
        return oracle_join_exps(a, b);
    for (uint32_t i = 0; i < (oracle_is_ranged(fold) ? SUMS : 1); i++)
        all.at[i] = oracle_combine(oracle_is_narrow(fold), fold->op, a->at[i], b->at[i]);
    return all;
}

/* Adds a leaf, which is an element at level 0. */
static sums take(const oracle_fold *fold, int level, const sums *lane, const sums *leaf)
{
    const bool is_element = level == 0 && fold->op == VKR_OP_LOGSUMEXP;
    return is_element ? oracle_take_exps(lane, leaf) : combine(fold, lane, leaf);
}

static sums identity(const oracle_fold *fold)
{
    if (fold->op == VKR_OP_LOGSUMEXP)
        return oracle_no_exps();
    return (sums){{fold->op == VKR_OP_PRODUCT ? 1 : 0}};
}

/* The logarithms of the scales of squares: of plain sums, raised and lowered ones. */
static const int *scales_of(const oracle_fold *fold)
{
    static const int narrow[SUMS] = {0, 95, -64}, wide[SUMS] = {0, 900, -512};
    return oracle_is_narrow(fold) ? narrow : wide;
}

static sums squares(const oracle_fold *fold, double x)
{
    const bool narrow = oracle_is_narrow(fold);
    sums leaf;
    for (uint32_t i = 0; i < SUMS; i++) {
        const double scaled = oracle_times(narrow, x, ldexp(1, scales_of(fold)[i]));
        leaf.at[i] = oracle_times(narrow, scaled, scaled);
    }
    return leaf;
}

/* The leaf of an element: the element, its absolute value, its squares or its product with y.
 * Returns false if it is NaN and left out. */
static bool find_leaf(const oracle_fold *fold, uint64_t x, uint64_t y, sums *leaf)
{
    const VkrType type = fold->info.type;
    const type_row *row = &oracle_types[type];
    const VkrOp op = fold->op;
    const uint64_t bits = op == VKR_OP_DOT ? y : 0;
    const double a = is_subnormal(row, x) ? 0 : to_double(type, x);
    const double b = is_subnormal(row, bits) ? 0 : to_double(type, bits);
    const bool skipped = fold->info.nan == VKR_NAN_SKIP && (isnan(a) || isnan(b));
    *leaf = skipped                                 ? identity(fold)
            : op == VKR_OP_LOGSUMEXP                ? oracle_exps_of(a)
            : op == VKR_OP_SUMSQ || op == VKR_OP_L2 ? squares(fold, a)
            : op == VKR_OP_L1                       ? (sums){{a < 0 ? -a : a}}
            : op == VKR_OP_DOT ? (sums){{oracle_times(oracle_is_narrow(fold), a, b)}}
                               : (sums){{a}};
    return !skipped;
}

/* A norm is the root of the sum that neither overflows nor loses squares. */
static uint64_t finish(const oracle_fold *fold, const sums *all)
{
    const double plain = all->at[0];
    const int *scales = scales_of(fold);
    uint32_t best = 0;
    if (fold->op == VKR_OP_LOGSUMEXP)
        return oracle_finish_exps(all);
    if (fold->op != VKR_OP_L2 || !oracle_is_ranged(fold))
        return oracle_finish(fold->result, fold->op, plain, fold->count);
    if (plain < ldexp(1, oracle_is_narrow(fold) ? -64 : -800))
        best = 1;
    else if (!isfinite(plain))
        best = 2;
    return oracle_finish_root(fold->result, all->at[best], -scales[best]);
}

/* ---- The tree of blocks ---- */

static void add_leaf(const oracle_fold *fold, tree *t, int level, const sums *leaf);

static void start_lanes(const oracle_fold *fold, tree *t, int level)
{
    for (uint32_t v = 0; v < VKR_TREE_WIDTH; v++)
        t->lanes[level][v] = identity(fold);
    t->count[level] = 0;
}

static void close_block(const oracle_fold *fold, tree *t, int level)
{
    sums *lanes = t->lanes[level];
    for (uint32_t h = VKR_TREE_WIDTH / 2; h > 0; h /= 2)
        for (uint32_t v = 0; v < h; v++)
            lanes[v] = combine(fold, &lanes[v], &lanes[v + h]);
    const sums value = lanes[0];
    start_lanes(fold, t, level);
    add_leaf(fold, t, level + 1, &value);
}

static void add_leaf(const oracle_fold *fold, tree *t, int level, const sums *leaf)
{
    sums *lane = &t->lanes[level][t->count[level]++ % VKR_TREE_WIDTH];
    *lane = take(fold, level, lane, leaf);
    t->total[level]++;
    if (t->count[level] == VKR_TREE_BLOCK && level + 1 < LEVELS)
        close_block(fold, t, level);
}

static void start_tree(oracle_fold *fold)
{
    tree *t = &fold->state.tree;
    for (int level = 0; level < LEVELS; level++)
        start_lanes(fold, t, level);
    memset(t->total, 0, sizeof(t->total));
}

static void add_to_tree(oracle_fold *fold, const uint64_t *x, const uint64_t *y, uint32_t count)
{
    sums leaf;
    for (uint32_t i = 0; i < count; i++) {
        if (!find_leaf(fold, x[i], y[i], &leaf))
            fold->count--; /* the caller counts all elements */
        add_leaf(fold, &fold->state.tree, 0, &leaf);
    }
}

static void finish_tree(oracle_fold *fold, oracle_value *value)
{
    tree *t = &fold->state.tree;
    int level = 0;
    while (level == 0 || t->total[level] != 1) {
        if (t->count[level] > 0 || t->total[level] == 0)
            close_block(fold, t, level);
        level++;
    }
    set_bits(value, finish(fold, &t->lanes[level][0]), 0);
}

const method oracle_tree = {start_tree, add_to_tree, finish_tree};

/* ---- The binary tree of sliding windows ---- */

/* A left half waits at its level for the right one, which may have no elements. */
static void start_nodes(oracle_fold *fold)
{
    fold->state.nodes.waiting = 0;
}

static void add_node(const oracle_fold *fold, nodes *t, uint64_t index, sums value)
{
    uint32_t level = 0;
    for (; (index & 1) != 0; level++, index >>= 1) {
        if ((t->waiting >> level & 1) != 0)
            value = combine(fold, &t->left[level], &value);
        t->waiting &= ~((uint64_t)1 << level);
    }
    t->left[level] = value;
    t->waiting |= (uint64_t)1 << level;
}

static void add_to_nodes(oracle_fold *fold, const uint64_t *x, const uint64_t *y, uint32_t count)
{
    const sums none = identity(fold);
    sums leaf;
    for (uint32_t i = 0; i < count; i++) {
        if (!find_leaf(fold, x[i], y[i], &leaf))
            fold->count--;
        leaf = combine(fold, &none, &leaf);
        add_node(fold, &fold->state.nodes, fold->info.first + fold->index++, leaf);
    }
}

static void finish_nodes(oracle_fold *fold, oracle_value *value)
{
    const nodes *t = &fold->state.nodes;
    bool any = false;
    sums all = identity(fold);
    for (uint32_t level = 0; level < 64; level++) {
        if ((t->waiting >> level & 1) == 0)
            continue;
        all = any ? combine(fold, &t->left[level], &all) : t->left[level];
        any = true;
    }
    set_bits(value, finish(fold, &all), 0);
}

const method oracle_nodes = {start_nodes, add_to_nodes, finish_nodes};
