/* SPDX-License-Identifier: MIT */
/*
 * Elements are taken one after the other in the order of the scan. Build as oracle_float.c.
 */
#include <stdlib.h>

#include "oracle_parts.h"
#include "oracle_scan.h"

typedef struct scan {
    const oracle_scan_info *info;
    oracle_fold *fold;    /* its operator, component and types; and what is known of the prefix */
    unsigned char *heads; /* per element: it starts a segment */
    oracle_value *values;
} scan;

/* ---- Order and segments ---- */

static bool flag_of(const oracle_scan_info *info, uint64_t i)
{
    const unsigned char *bytes = info->heads;
    uint32_t word;
    if (info->flag_format == VKR_FLAGS_U8)
        return bytes[i] != 0;
    memcpy(&word, bytes + 4 * (info->flag_format == VKR_FLAGS_BITS ? i / 32 : i), sizeof(word));
    return info->flag_format == VKR_FLAGS_BITS ? (word >> i % 32 & 1) != 0 : word != 0;
}

static void mark_offsets(const oracle_scan_info *info, unsigned char *heads)
{
    const unsigned char *at = info->offsets;
    const bool wide = info->offset_type == VKR_TYPE_U64;
    for (uint64_t k = 0; k < info->offset_count; k++) {
        uint64_t offset = 0;
        memcpy(&offset, at + k * (wide ? 8 : 4), wide ? 8 : 4); /* little-endian */
        if (offset < info->count)
            heads[offset] = 1;
    }
}

static void mark_heads(const oracle_scan_info *info, unsigned char *heads)
{
    if (info->segments == VKR_SEGMENTS_OFFSETS)
        mark_offsets(info, heads);
    for (uint64_t i = 0; i < info->count; i++)
        if ((info->segments == VKR_SEGMENTS_FLAGS && flag_of(info, i)) ||
            (info->segments == VKR_SEGMENTS_ROWS && i % info->row_length == 0))
            heads[i] = 1;
    if (info->segments != VKR_SEGMENTS_NONE && info->count > 0)
        heads[0] = 1;
}

static bool reversed(const scan *s)
{
    return (s->info->flags & VKR_SCAN_REVERSE_BIT) != 0;
}

/* The element that comes at a position of the scan. */
static uint64_t element_at(const scan *s, uint64_t position)
{
    return reversed(s) ? s->info->count - 1 - position : position;
}

/* Whether the scan starts anew there. */
static bool starts_at(const scan *s, uint64_t position)
{
    const uint64_t i = element_at(s, position);
    if (!reversed(s) || s->info->segments == VKR_SEGMENTS_NONE)
        return s->heads[i] != 0;
    return i + 1 == s->info->count || s->heads[i + 1] != 0;
}

static uint64_t load(const scan *s, uint64_t position)
{
    const uint32_t size = oracle_types[s->info->type].bits / 8;
    const unsigned char *at = s->info->data;
    uint64_t bits;
    oracle_load(s->info->type,
                at + element_at(s, position) * s->info->stride + s->fold->component * size, 0, 1,
                &bits);
    return bits;
}

static uint64_t load_initial(const scan *s)
{
    const uint32_t size = oracle_types[s->fold->result].bits / 8;
    uint64_t bits;
    oracle_load(s->fold->result,
                (const unsigned char *)s->info->initial + s->fold->component * size, 0, 1, &bits);
    return bits;
}

/* ---- Everything but float sums at level DEVICE: what a reduction of the prefix is ---- */

static void add(scan *s, VkrType type, uint64_t bits)
{
    const VkrType own = s->fold->info.type;
    s->fold->info.type = type;
    s->fold->method->add(s->fold, &bits, &bits, 1);
    s->fold->info.type = own;
    s->fold->count++;
}

static void restart(scan *s)
{
    s->fold->count = 0;
    s->fold->method->start(s->fold);
    if (s->info->initial != NULL)
        add(s, s->fold->result, load_initial(s));
}

static void scan_prefixes(scan *s)
{
    const bool exclusive = (s->info->flags & VKR_SCAN_EXCLUSIVE_BIT) != 0;
    restart(s);
    for (uint64_t p = 0; p < s->info->count; p++) {
        oracle_value *value = &s->values[element_at(s, p)];
        if (starts_at(s, p))
            restart(s);
        if (exclusive)
            s->fold->method->finish(s->fold, value);
        add(s, s->info->type, load(s, p));
        if (!exclusive)
            s->fold->method->finish(s->fold, value);
    }
    s->fold->method->finish(s->fold, &s->values[s->info->count]);
}

/* ---- Float sums at level DEVICE, by the steps of scan.h ---- */

typedef struct partial {
    double value;
    bool starts; /* a segment starts in it: what stands before does not count */
} partial;

typedef struct canonical {
    bool narrow;
    VkrOp op;
    double identity, initial;
} canonical;

static double combine(const canonical *c, double a, double b)
{
    return oracle_combine(c->narrow, c->op, a, b);
}

static partial join(const canonical *c, partial a, partial b)
{
    return b.starts ? b : (partial){combine(c, a.value, b.value), a.starts};
}

static double flushed(VkrType type, uint64_t bits)
{
    return is_subnormal(&oracle_types[type], bits) ? 0 : to_double(type, bits);
}

static void scan_canonical(scan *s)
{
    const VkrType result = s->fold->result;
    const bool exclusive = (s->info->flags & VKR_SCAN_EXCLUSIVE_BIT) != 0;
    canonical c = {.narrow = result == VKR_TYPE_F32, .op = s->info->op};
    c.identity = c.op == VKR_OP_PRODUCT ? 1 : 0;
    c.initial = s->info->initial != NULL ? flushed(result, load_initial(s)) : c.identity;
    const partial nothing = {c.identity, false}, start = {c.initial, true};
    partial block_prefix = {c.initial, false}, run_prefix = block_prefix, prefix = block_prefix;
    partial block = nothing, run = nothing;
    for (uint64_t p = 0; p < s->info->count; p++) {
        if (p > 0 && p % VKR_SCAN_RUN == 0) {
            run_prefix = join(&c, run_prefix, run);
            block = join(&c, block, run);
            if (p % VKR_SCAN_BLOCK == 0) {
                run_prefix = block_prefix = join(&c, block_prefix, block);
                block = nothing;
            }
            prefix = run_prefix;
            run = nothing;
        }
        if (starts_at(s, p))
            prefix = run = start;
        const double before = prefix.value, x = flushed(s->info->type, load(s, p));
        prefix.value = combine(&c, prefix.value, x);
        run.value = combine(&c, run.value, x);
        set_bits(&s->values[element_at(s, p)],
                 oracle_from_real(result, exclusive ? before : prefix.value), 0);
    }
    if (s->info->count > 0)
        block_prefix = join(&c, block_prefix, join(&c, block, run));
    set_bits(&s->values[s->info->count], oracle_from_real(result, block_prefix.value), 0);
}

bool oracle_scan(const oracle_scan_info *info, uint32_t component, VkrType result_type,
                 oracle_value *values)
{
    const oracle_reduce_info reduce = {.type = info->type,
                                       .components = info->components,
                                       .accumulator = info->accumulator,
                                       .nan = info->nan};
    scan s = {
        .info = info,
        .fold = oracle_begin(&reduce, info->op, component, result_type),
        .heads = calloc(info->count + 1, 1),
        .values = values,
    };
    const bool ready = s.fold != NULL && s.heads != NULL;
    if (ready) {
        const bool sums = info->op == VKR_OP_SUM || info->op == VKR_OP_PRODUCT;
        mark_heads(info, s.heads);
        if (sums && oracle_types[info->type].kind == KIND_FLOAT &&
            info->determinism == VKR_DETERMINISM_DEVICE)
            scan_canonical(&s);
        else
            scan_prefixes(&s);
    }
    oracle_end(s.fold, NULL);
    free(s.heads);
    return ready;
}
