/* SPDX-License-Identifier: MIT */
/* The scalar reference of mean and l2 of integers. Sums have 192 bits, enough for 2^64 squares of
 * 64-bit values. */
#include "oracle_parts.h"

static void start_long(oracle_fold *fold)
{
    fold->state.sum192 = (sum192){0, 0};
}

static void add_long(oracle_fold *fold, const uint64_t *x, const uint64_t *y, uint32_t count)
{
    const type_row *t = &oracle_types[fold->info.type];
    const bool squares = fold->op == VKR_OP_L2;
    sum192 *sum = &fold->state.sum192;
    (void)y;
    for (uint32_t i = 0; i < count; i++) {
        const u128 size = magnitude_of(t, x[i]);
        const bool negative = !squares && t->kind == KIND_SIGNED && (int64_t)x[i] < 0;
        const u128 term = squares ? size * size : size;
        sum->low += negative ? 0 - term : term;
        if (!negative && sum->low < term)
            sum->high++;
    }
}

/* A sum of up to 2^64 values fits into 128 bits, signed or unsigned. */
static uint64_t finish_mean(const oracle_fold *fold)
{
    const u128 sum = fold->state.sum192.low;
    const bool negative = oracle_types[fold->info.type].kind == KIND_SIGNED && sum >> 127 != 0;
    return oracle_round_ratio(fold->result, negative, negative ? 0 - sum : sum, 0, fold->count);
}

static uint64_t finish_l2(const oracle_fold *fold)
{
    const sum192 sum = fold->state.sum192;
    int drop = 0;
    while (drop < 64 && sum.high >> drop != 0)
        drop += 2;
    if (drop == 0)
        return oracle_round_root(fold->result, sum.low, false, 0);
    const u128 rest = sum.low & (((u128)1 << drop) - 1);
    return oracle_round_root(fold->result, (u128)sum.high << (128 - drop) | sum.low >> drop,
                             rest != 0, drop);
}

static void finish_long(oracle_fold *fold, oracle_value *value)
{
    set_bits(value, fold->op == VKR_OP_MEAN ? finish_mean(fold) : finish_l2(fold), 0);
}

const method oracle_long = {start_long, add_long, finish_long};
