/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "array.h"
#include "measure.h"
#include "status.h"
#include "oracle.h"

/* Expected values at the current size, which many arms share. */
typedef struct expectation {
    VkrOp op;
    VkrType type;
    VkrDeterminism determinism;
    oracle_value value;
} expectation;

typedef struct expectations {
    const bench *bench;
    uint64_t n;
    uint32_t count;
    expectation list[2 * VKR_OP_BITS];
} expectations;

static const oracle_value *expect(expectations *e, const VkrReduceInfo *info, VkrOp op,
                                  VkrType result_type)
{
    expectation *x = e->list;
    for (; x < e->list + e->count; x++)
        if (x->op == op && x->type == info->input.type && x->determinism == info->determinism)
            return &x->value;
    *x = (expectation){.op = op, .type = info->input.type, .determinism = info->determinism};
    const oracle_reduce_info asked = {.data = e->bench->host,
                                      .stride = vkrTypeSize(info->input.type),
                                      .count = e->n,
                                      .type = info->input.type,
                                      .components = 1,
                                      .determinism = info->determinism};
    oracle_reduce(&asked, op, 0, result_type, &x->value);
    if (e->count + 1 < COUNT_OF(e->list))
        e->count++;
    return &x->value;
}

static bool agrees(expectations *e, const arm *a, VkrOp op, VkrType type, const void *actual)
{
    char expected_text[40], actual_text[40];
    const oracle_value *value = expect(e, &a->info, op, type);
    if (oracle_accepts(value, type, actual) && oracle_proves(value))
        return true;
    oracle_format(expected_text, sizeof expected_text, type, value->bytes);
    oracle_format(actual_text, sizeof actual_text, type, actual);
    (void)fail(STATUS_DIFFERENCE,
               "%s, %llu elements: %s is %s; the scalar reference gives %s within %g", a->name,
               (unsigned long long)e->n, vkrOpName(op), actual_text, expected_text,
               value->tolerance);
    return false;
}

/* Combines the words of a workgroup with the total, as the kernel does. */
static void combine(read_kind kind, uint32_t *total, const uint32_t *words)
{
    float a[2], b[2];
    memcpy(a, total, sizeof a);
    memcpy(b, words, sizeof b);
    switch (kind) {
    case READ_F32:
        total[0] = b[0] < a[0] ? words[0] : total[0];
        total[1] = b[1] > a[1] ? words[1] : total[1];
        break;
    case READ_I32:
        total[0] = (int32_t)words[0] < (int32_t)total[0] ? words[0] : total[0];
        total[1] = (int32_t)words[1] > (int32_t)total[1] ? words[1] : total[1];
        break;
    default:
        total[0] ^= words[0];
    }
}

static bool verify_read(expectations *e, const arm *a, const unsigned char *results)
{
    uint32_t total[2], words[2];
    memcpy(total, results, sizeof total);
    for (uint32_t i = 1; i < a->groups; i++) {
        memcpy(words, results + sizeof words * (size_t)i, sizeof words);
        combine(a->shape.kind, total, words);
    }
    bool good = true;
    for (uint32_t bit = 0, k = 0; bit < VKR_OP_BITS; bit++)
        if ((a->info.ops >> bit & 1u) != 0)
            good &= agrees(e, a, (VkrOp)(1u << bit), a->info.input.type, &total[k++]);
    return good;
}

static bool verify_reduction(expectations *e, const arm *a, const unsigned char *results)
{
    bool good = true;
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const VkrReduceResult *result = &a->results[bit];
        if (result->type != VKR_TYPE_UNDEFINED)
            good &= agrees(e, a, (VkrOp)(1u << bit), result->type, results + result->offset);
    }
    return good;
}

void verify_rows(const bench *b, row *rows)
{
    expectations e = {.bench = b, .n = rows[0].n};
    for (uint32_t i = 0; i < b->arm_count; i++) {
        const arm *a = rows[i].arm;
        const unsigned char *results = (const unsigned char *)b->readback.data + a->slot;
        if (!row_measured(&rows[i]) || (a->kind != ARM_READ && a->kind != ARM_REDUCE))
            continue;
        bool good = (a->kind == ARM_READ ? verify_read : verify_reduction)(&e, a, results);
        rows[i].verdict = good ? VERDICT_YES : VERDICT_NO;
    }
}
