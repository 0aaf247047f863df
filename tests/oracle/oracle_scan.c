/* SPDX-License-Identifier: MIT */
/*
 * The scalar reference of scans, which processes one element after another in the order of the
 * scan. Build it with the flags of oracle_float.c.
 */
#include <stdlib.h>

#include "oracle_parts.h"
#include "oracle_scan.h"

typedef struct partial {
    double value;
    bool starts; /* a segment starts in it: earlier elements do not contribute */
} partial;

/* State of float sums at level DEVICE. */
typedef struct canonical {
    bool narrow;
    VkrOp op;
    double identity, initial;
    partial block_prefix, run_prefix, prefix; /* of the next element */
    partial block, run;                       /* totals so far */
} canonical;

typedef struct oracle_prefixes {
    oracle_scan_info info; /* its data and count are those of the portion */
    oracle_fold *fold;     /* operator, component and types, and the state of the prefix */
    bool by_blocks;
    canonical canonical;
    uint64_t position;          /* number of elements before the portion */
    const unsigned char *heads; /* per element: whether it starts a segment */
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
    return (s->info.flags & VKR_SCAN_REVERSE_BIT) != 0;
}

/* The element at a position of the scan. */
static uint64_t element_at(const scan *s, uint64_t position)
{
    return reversed(s) ? s->info.count - 1 - position : position;
}

/* Whether the scan restarts at a position. */
static bool starts_at(const scan *s, uint64_t position)
{
    return s->info.segments != VKR_SEGMENTS_NONE &&
           s->heads[element_at(s, position) + (reversed(s) ? 1 : 0)] != 0;
}

static uint64_t load(const scan *s, uint64_t position)
{
    const uint32_t size = oracle_types[s->info.type].bits / 8;
    const unsigned char *at = s->info.data;
    uint64_t bits;
    oracle_load(s->info.type,
                at + element_at(s, position) * s->info.stride + s->fold->component * size, 0, 1,
                &bits);
    return bits;
}

static uint64_t load_initial(const scan *s)
{
    const uint32_t size = oracle_types[s->fold->result].bits / 8;
    uint64_t bits;
    oracle_load(s->fold->result, (const unsigned char *)s->info.initial + s->fold->component * size,
                0, 1, &bits);
    return bits;
}

/* ---- Everything but float sums at level DEVICE: results are reductions of prefixes ---- */

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
    if (s->info.initial != NULL)
        add(s, s->fold->result, load_initial(s));
}

static void scan_prefixes(scan *s)
{
    const bool exclusive = (s->info.flags & VKR_SCAN_EXCLUSIVE_BIT) != 0;
    for (uint64_t p = 0; p < s->info.count; p++) {
        oracle_value *value = &s->values[element_at(s, p)];
        if (starts_at(s, p))
            restart(s);
        if (exclusive)
            s->fold->method->finish(s->fold, value);
        add(s, s->info.type, load(s, p));
        if (!exclusive)
            s->fold->method->finish(s->fold, value);
    }
}

/* ---- Float sums at level DEVICE, by the steps of scan.h ---- */

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

static void start_blocks(scan *s)
{
    canonical *c = &s->canonical;
    c->narrow = s->fold->result == VKR_TYPE_F32;
    c->op = s->info.op;
    c->identity = c->op == VKR_OP_PRODUCT ? 1 : 0;
    c->initial = s->info.initial != NULL ? flushed(s->fold->result, load_initial(s)) : c->identity;
    c->block_prefix = c->run_prefix = c->prefix = (partial){c->initial, false};
    c->block = c->run = (partial){c->identity, false};
}

static void scan_blocks(scan *s)
{
    const bool exclusive = (s->info.flags & VKR_SCAN_EXCLUSIVE_BIT) != 0;
    canonical *c = &s->canonical;
    const partial nothing = {c->identity, false}, start = {c->initial, true};
    for (uint64_t p = 0; p < s->info.count; p++) {
        const uint64_t position = s->position + p;
        if (position > 0 && position % VKR_SCAN_RUN == 0) {
            c->run_prefix = join(c, c->run_prefix, c->run);
            c->block = join(c, c->block, c->run);
            if (position % VKR_SCAN_BLOCK == 0) {
                c->run_prefix = c->block_prefix = join(c, c->block_prefix, c->block);
                c->block = nothing;
            }
            c->prefix = c->run_prefix;
            c->run = nothing;
        }
        if (starts_at(s, p))
            c->prefix = c->run = start;
        const double before = c->prefix.value, x = flushed(s->info.type, load(s, p));
        c->prefix.value = combine(c, c->prefix.value, x);
        c->run.value = combine(c, c->run.value, x);
        set_bits(&s->values[element_at(s, p)],
                 oracle_from_real(s->fold->result, exclusive ? before : c->prefix.value), 0);
    }
}

static void finish_blocks(const scan *s, oracle_value *total)
{
    const canonical *c = &s->canonical;
    partial last = c->block_prefix;
    if (s->position > 0)
        last = join(c, last, join(c, c->block, c->run));
    set_bits(total, oracle_from_real(s->fold->result, last.value), 0);
}

/* ---- Portions ---- */

scan *oracle_scan_begin(const oracle_scan_info *info, uint32_t component, VkrType result_type)
{
    const oracle_reduce_info reduce = {.type = info->type,
                                       .components = info->components,
                                       .accumulator = info->accumulator,
                                       .nan = info->nan};
    scan *s = calloc(1, sizeof(*s));
    if (s == NULL)
        return NULL;
    s->info = *info;
    s->fold = oracle_begin(&reduce, info->op, component, result_type);
    if (s->fold == NULL) {
        free(s);
        return NULL;
    }
    s->by_blocks = (info->op == VKR_OP_SUM || info->op == VKR_OP_PRODUCT) &&
                   oracle_types[info->type].kind == KIND_FLOAT &&
                   info->determinism == VKR_DETERMINISM_DEVICE;
    (s->by_blocks ? start_blocks : restart)(s);
    return s;
}

void oracle_scan_add(scan *s, const void *data, const unsigned char *heads, uint64_t count,
                     oracle_value *values)
{
    s->info.data = data;
    s->info.count = count;
    s->heads = heads;
    s->values = values;
    (s->by_blocks ? scan_blocks : scan_prefixes)(s);
    s->position += count;
}

void oracle_scan_end(scan *s, oracle_value *total)
{
    if (s == NULL)
        return;
    if (total != NULL && s->by_blocks)
        finish_blocks(s, total);
    else if (total != NULL)
        s->fold->method->finish(s->fold, total);
    oracle_end(s->fold, NULL);
    free(s);
}

bool oracle_scan(const oracle_scan_info *info, uint32_t component, VkrType result_type,
                 oracle_value *values)
{
    unsigned char *heads = calloc(info->count + 1, 1);
    scan *s = oracle_scan_begin(info, component, result_type);
    const bool ready = s != NULL && heads != NULL;
    if (ready) {
        mark_heads(info, heads);
        heads[info->count] = 1;
        oracle_scan_add(s, info->data, heads, info->count, values);
    }
    oracle_scan_end(s, ready ? &values[info->count] : NULL);
    free(heads);
    return ready;
}
