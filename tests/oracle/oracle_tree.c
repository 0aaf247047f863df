/* SPDX-License-Identifier: MIT */
/*
 * The scalar reference of float sums at level DEVICE. Build it without -ffast-math and with
 * -ffp-contract=off: it relies on strict float arithmetic.
 */
#include <float.h>

#include "oracle_parts.h"

/* ---- Arithmetic ---- */

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

double oracle_combine(bool narrow, VkrOp op, double a, double b)
{
    return narrow ? (double)narrow_combine(op, (float)a, (float)b) : wide_combine(op, a, b);
}

/* The leaf of an element, or of a pair of them. Returns false if it is NaN and left out. */
static bool find_leaf(const oracle_fold *fold, uint64_t x, uint64_t y, bool narrow, double *leaf)
{
    const VkrType type = fold->info.type;
    const type_row *row = &oracle_types[type];
    const VkrOp op = fold->op;
    const uint64_t bits = op == VKR_OP_DOT ? y : 0;
    const double a = is_subnormal(row, x) ? 0 : to_double(type, x);
    const double b = is_subnormal(row, bits) ? 0 : to_double(type, bits);
    const bool skipped = fold->info.nan == VKR_NAN_SKIP && (isnan(a) || isnan(b));
    *leaf = skipped  ? op == VKR_OP_PRODUCT ? 1 : 0
            : narrow ? (double)narrow_leaf(op, (float)a, (float)b)
                     : wide_leaf(op, a, b);
    return !skipped;
}

/* ---- The tree of blocks ---- */

static void add_leaf(VkrOp op, tree *t, int level, double leaf);

static void close_block(VkrOp op, tree *t, int level)
{
    const uint32_t count = t->count[level];
    t->count[level] = 0;
    add_leaf(op, t, level + 1,
             t->narrow ? narrow_block(op, t->leaves[level], count)
                       : wide_block(op, t->leaves[level], count));
}

static void add_leaf(VkrOp op, tree *t, int level, double leaf)
{
    t->leaves[level][t->count[level]++] = leaf;
    t->total[level]++;
    if (t->count[level] == VKR_TREE_BLOCK && level + 1 < LEVELS)
        close_block(op, t, level);
}

static void start_tree(oracle_fold *fold)
{
    tree *t = &fold->state.tree;
    t->narrow = oracle_is_narrow(fold);
    memset(t->count, 0, sizeof(t->count));
    memset(t->total, 0, sizeof(t->total));
}

static void add_to_tree(oracle_fold *fold, const uint64_t *x, const uint64_t *y, uint32_t count)
{
    tree *t = &fold->state.tree;
    double leaf;
    for (uint32_t i = 0; i < count; i++) {
        if (!find_leaf(fold, x[i], y[i], t->narrow, &leaf))
            fold->count--; /* the caller counts all elements */
        add_leaf(fold->op, t, 0, leaf);
    }
}

static void finish_tree(oracle_fold *fold, oracle_value *value)
{
    tree *t = &fold->state.tree;
    int level = 0;
    while (level == 0 || t->total[level] != 1) {
        if (t->count[level] > 0 || t->total[level] == 0)
            close_block(fold->op, t, level);
        level++;
    }
    set_bits(value, oracle_finish(fold->result, fold->op, t->leaves[level][0], fold->count), 0);
}

const method oracle_tree = {start_tree, add_to_tree, finish_tree};

/* ---- The binary tree of sliding windows ---- */

/* A left half waits at its level for the right one, which may have no elements. */
static void start_nodes(oracle_fold *fold)
{
    fold->state.nodes.narrow = oracle_is_narrow(fold);
    fold->state.nodes.waiting = 0;
}

static void add_node(VkrOp op, nodes *t, uint64_t index, double value)
{
    uint32_t level = 0;
    for (; (index & 1) != 0; level++, index >>= 1) {
        if ((t->waiting >> level & 1) != 0)
            value = oracle_combine(t->narrow, op, t->left[level], value);
        t->waiting &= ~((uint64_t)1 << level);
    }
    t->left[level] = value;
    t->waiting |= (uint64_t)1 << level;
}

static void add_to_nodes(oracle_fold *fold, const uint64_t *x, const uint64_t *y, uint32_t count)
{
    nodes *t = &fold->state.nodes;
    const double none = fold->op == VKR_OP_PRODUCT ? 1 : 0;
    double leaf;
    for (uint32_t i = 0; i < count; i++) {
        if (!find_leaf(fold, x[i], y[i], t->narrow, &leaf))
            fold->count--;
        leaf = oracle_combine(t->narrow, fold->op, none, leaf);
        add_node(fold->op, t, fold->info.first + fold->index++, leaf);
    }
}

static void finish_nodes(oracle_fold *fold, oracle_value *value)
{
    const nodes *t = &fold->state.nodes;
    bool any = false;
    double all = fold->op == VKR_OP_PRODUCT ? 1 : 0;
    for (uint32_t level = 0; level < 64; level++) {
        if ((t->waiting >> level & 1) == 0)
            continue;
        all = any ? oracle_combine(t->narrow, fold->op, t->left[level], all) : t->left[level];
        any = true;
    }
    set_bits(value, oracle_finish(fold->result, fold->op, all, fold->count), 0);
}

const method oracle_nodes = {start_nodes, add_to_nodes, finish_nodes};
