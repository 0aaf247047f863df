/* SPDX-License-Identifier: MIT */
/*
 * Values are read in blocks and processed one after another, in the order of their index, by plain
 * loops that follow vkreduce.h literally.
 */
#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "oracle_parts.h"

#define BLOCK VKR_TREE_BLOCK

/* ---- Types ---- */

const type_row oracle_types[VKR_TYPE_COUNT] = {
    [VKR_TYPE_I8] = {8, KIND_SIGNED, 0},   [VKR_TYPE_U8] = {8, KIND_UNSIGNED, 0},
    [VKR_TYPE_I16] = {16, KIND_SIGNED, 0}, [VKR_TYPE_U16] = {16, KIND_UNSIGNED, 0},
    [VKR_TYPE_I32] = {32, KIND_SIGNED, 0}, [VKR_TYPE_U32] = {32, KIND_UNSIGNED, 0},
    [VKR_TYPE_I64] = {64, KIND_SIGNED, 0}, [VKR_TYPE_U64] = {64, KIND_UNSIGNED, 0},
    [VKR_TYPE_F16] = {16, KIND_FLOAT, 10}, [VKR_TYPE_F32] = {32, KIND_FLOAT, 23},
    [VKR_TYPE_F64] = {64, KIND_FLOAT, 52}, [VKR_TYPE_BF16] = {16, KIND_FLOAT, 7},
};

static uint64_t all_bits(const type_row *t)
{
    return sign_bit(t) | (sign_bit(t) - 1);
}

bool oracle_is_nan(const type_row *t, uint64_t bits)
{
    return t->kind == KIND_FLOAT && (bits & ~sign_bit(t)) > infinity_bits(t);
}

/* ---- Reading ---- */

void oracle_load(VkrType type, const unsigned char *at, size_t stride, uint32_t count,
                 uint64_t *out)
{
#define LOAD(element)                                                                              \
    for (uint32_t i = 0; i < count; i++) {                                                         \
        element x;                                                                                 \
        memcpy(&x, at + i * stride, sizeof(x));                                                    \
        out[i] = (uint64_t)x;                                                                      \
    }                                                                                              \
    break
    switch (type) {
    case VKR_TYPE_I8:
        LOAD(int8_t);
    case VKR_TYPE_U8:
        LOAD(uint8_t);
    case VKR_TYPE_I16:
        LOAD(int16_t);
    case VKR_TYPE_U16:
    case VKR_TYPE_F16:
    case VKR_TYPE_BF16:
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

static void start_order(oracle_fold *fold)
{
    fold->state.extreme = (extreme){0, UINT64_MAX, UINT64_MAX};
}

static void add_to_order(oracle_fold *fold, const uint64_t *x, const uint64_t *y, uint32_t count)
{
    const VkrOp op = fold->op;
    const type_row *t = &oracle_types[fold->info.type];
    const type_row magnitudes = {t->bits, t->kind == KIND_FLOAT ? KIND_FLOAT : KIND_UNSIGNED,
                                 t->fraction};
    const type_row *order = op == VKR_OP_ABSMAX ? &magnitudes : t;
    const bool greatest = op != VKR_OP_MIN && op != VKR_OP_ARGMIN;
    extreme *best = &fold->state.extreme;
    (void)y;
    for (uint32_t i = 0; i < count; i++) {
        const uint64_t bits = op == VKR_OP_ABSMAX ? magnitude_of(t, x[i]) : x[i];
        if (oracle_is_nan(t, bits)) {
            if (best->first_nan == UINT64_MAX)
                best->first_nan = fold->count + i;
        } else if (best->index == UINT64_MAX ||
                   (greatest ? less(order, best->bits, bits) : less(order, bits, best->bits))) {
            best->bits = bits;
            best->index = fold->count + i;
        }
    }
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

static uint64_t order_bits(const oracle_fold *fold)
{
    const type_row *t = &oracle_types[fold->info.type];
    const VkrOp op = fold->op;
    const extreme best = fold->state.extreme;
    const bool has_nan = best.first_nan != UINT64_MAX;
    const bool propagate = fold->info.nan == VKR_NAN_PROPAGATE && has_nan;
    if (op == VKR_OP_ARGMIN || op == VKR_OP_ARGMAX)
        return propagate ? best.first_nan : best.index;
    if (propagate || (best.index == UINT64_MAX && has_nan))
        return nan_bits(t);
    return best.index == UINT64_MAX ? order_identity(t, op) : best.bits;
}

static void finish_order(oracle_fold *fold, oracle_value *value)
{
    set_bits(value, order_bits(fold), 0);
}

static const method order_method = {start_order, add_to_order, finish_order};

/* ---- Integers modulo 2^64: all but mean and l2 ---- */

static void start_integers(oracle_fold *fold)
{
    fold->state.total = fold->op == VKR_OP_AND ? UINT64_MAX : fold->op == VKR_OP_PRODUCT ? 1 : 0;
}

static void add_integers(oracle_fold *fold, const uint64_t *x, const uint64_t *y, uint32_t count)
{
    const type_row *t = &oracle_types[fold->info.type];
    uint64_t total = fold->state.total;

#define EACH(statement)                                                                            \
    for (uint32_t i = 0; i < count; i++)                                                           \
        statement;                                                                                 \
    break
    switch (fold->op) {
    case VKR_OP_PRODUCT:
        EACH(total *= x[i]);
    case VKR_OP_SUMSQ:
        EACH(total += x[i] * x[i]);
    case VKR_OP_L1:
        EACH(total += magnitude_of(t, x[i]));
    case VKR_OP_AND:
        EACH(total &= x[i]);
    case VKR_OP_OR:
        EACH(total |= x[i]);
    case VKR_OP_XOR:
        EACH(total ^= x[i]);
    case VKR_OP_DOT:
        EACH(total += x[i] * y[i]);
    case VKR_OP_COUNT:
        total += count;
        break;
    case VKR_OP_NAN:
        EACH(total += oracle_is_nan(t, x[i]));
    default:
        EACH(total += x[i]);
    }
#undef EACH
    fold->state.total = total;
}

static void finish_integers(oracle_fold *fold, oracle_value *value)
{
    set_bits(value, fold->state.total, 0);
}

static const method integers = {start_integers, add_integers, finish_integers};

/* ---- The whole reduction ---- */

static const method *find_method(const oracle_reduce_info *info, VkrOp op)
{
    switch (op) {
    case VKR_OP_MIN:
    case VKR_OP_MAX:
    case VKR_OP_ABSMAX:
    case VKR_OP_ARGMIN:
    case VKR_OP_ARGMAX:
        return &order_method;
    case VKR_OP_COUNT:
    case VKR_OP_NAN:
        return &integers;
    case VKR_OP_VARIANCE:
    case VKR_OP_STDDEV:
        return oracle_types[info->type].kind == KIND_FLOAT &&
                       info->determinism == VKR_DETERMINISM_DEVICE
                   ? info->window ? &oracle_spread_nodes : &oracle_spread
                   : &oracle_variance;
    case VKR_OP_LOGSUMEXP:
        return info->determinism != VKR_DETERMINISM_DEVICE ? &oracle_exps
               : info->window                              ? &oracle_nodes
                                                           : &oracle_tree;
    default:
        if (oracle_types[info->type].kind != KIND_FLOAT)
            return op == VKR_OP_MEAN || op == VKR_OP_L2 ? &oracle_long : &integers;
        if (info->determinism == VKR_DETERMINISM_DEVICE)
            return info->window ? &oracle_nodes : &oracle_tree;
        return op == VKR_OP_PRODUCT ? &oracle_product : &oracle_sum;
    }
}

static void start(oracle_fold *fold, const oracle_reduce_info *info, VkrOp op, uint32_t component,
                  VkrType result_type)
{
    fold->info = *info;
    fold->op = op;
    fold->component = component;
    fold->result = result_type;
    fold->method = find_method(info, op);
    fold->count = 0;
    fold->index = 0;
    fold->method->start(fold);
}

oracle_fold *oracle_begin(const oracle_reduce_info *info, VkrOp op, uint32_t component,
                          VkrType result_type)
{
    oracle_fold *fold = malloc(sizeof(*fold));
    if (fold != NULL)
        start(fold, info, op, component, result_type);
    return fold;
}

/* Whether NaN elements are removed before the method gets them: with VKR_NAN_SKIP, unless the
 * operator or the method distinguishes them itself. */
static bool skips(const oracle_fold *fold)
{
    static const VkrOpFlags others =
        VKR_OP_MIN | VKR_OP_MAX | VKR_OP_ABSMAX | VKR_OP_ARGMIN | VKR_OP_ARGMAX | VKR_OP_NAN;
    return fold->info.nan == VKR_NAN_SKIP && (fold->op & others) == 0 &&
           oracle_types[fold->info.type].kind == KIND_FLOAT && fold->method != &oracle_tree &&
           fold->method != &oracle_nodes && fold->method != &oracle_spread &&
           fold->method != &oracle_spread_nodes;
}

/* Removes NaN elements, or pairs with NaN. Returns the number of the remaining ones. */
static uint32_t leave_nan_out(const oracle_fold *fold, uint64_t *x, uint64_t *y, uint32_t count)
{
    const type_row *t = &oracle_types[fold->info.type];
    const bool pairs = fold->op == VKR_OP_DOT;
    uint32_t left = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (oracle_is_nan(t, x[i]) || (pairs && oracle_is_nan(t, y[i])))
            continue;
        x[left] = x[i];
        y[left] = pairs ? y[i] : 0;
        left++;
    }
    return left;
}

void oracle_add(oracle_fold *fold, const void *data, const void *data2, uint64_t count)
{
    if (count == 0) /* possibly without data */
        return;
    const VkrType type = fold->info.type;
    const size_t skip = fold->component * (oracle_types[type].bits / 8);
    const unsigned char *first = (const unsigned char *)data + skip;
    const unsigned char *second =
        fold->op == VKR_OP_DOT ? (const unsigned char *)data2 + skip : NULL;
    uint64_t x[BLOCK], y[BLOCK];
    for (uint64_t done = 0; done < count;) {
        const uint32_t part = count - done < BLOCK ? (uint32_t)(count - done) : BLOCK;
        oracle_load(type, first + done * fold->info.stride, fold->info.stride, part, x);
        if (second != NULL)
            oracle_load(type, second + done * fold->info.stride2, fold->info.stride2, part, y);
        const uint32_t left = skips(fold) ? leave_nan_out(fold, x, y, part) : part;
        fold->method->add(fold, x, y, left);
        fold->count += left;
        done += part;
    }
}

void oracle_end(oracle_fold *fold, oracle_value *value)
{
    if (fold != NULL && value != NULL)
        fold->method->finish(fold, value);
    free(fold);
}

void oracle_reduce(const oracle_reduce_info *info, VkrOp op, uint32_t component,
                   VkrType result_type, oracle_value *value)
{
    oracle_fold fold;
    start(&fold, info, op, component, result_type);
    oracle_add(&fold, info->data, info->data2, info->count);
    fold.method->finish(&fold, value);
}

static uint64_t get_bits(VkrType type, const void *value)
{
    const unsigned char *bytes = value;
    uint64_t bits = 0;
    for (uint32_t i = 0; i < oracle_types[type].bits / 8; i++)
        bits |= (uint64_t)bytes[i] << 8 * i;
    return bits;
}

bool oracle_accepts(const oracle_value *value, VkrType result_type, const void *actual)
{
    const type_row *t = &oracle_types[result_type];
    const uint64_t expected = get_bits(result_type, value->bytes);
    const uint64_t got = get_bits(result_type, actual);
    if (oracle_is_nan(t, got) && got != nan_bits(t))
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
    const type_row *t = &oracle_types[type];
    const uint64_t bits = get_bits(type, value);
    const uint64_t extension = t->kind == KIND_SIGNED && (bits & sign_bit(t)) ? ~all_bits(t) : 0;
    if (t->kind == KIND_FLOAT)
        snprintf(text, size, "%.17g", to_double(type, bits));
    else if (t->kind == KIND_SIGNED)
        snprintf(text, size, "%" PRId64, (int64_t)(bits | extension));
    else
        snprintf(text, size, "%" PRIu64, bits);
}
