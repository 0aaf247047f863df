/* SPDX-License-Identifier: MIT */
#include <string.h>
#include "parts.h"
#include "oracle.h"

/* Expected values of the size at hand: many arms ask for the same ones. */
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

static bool verify_read(expectations *e, const arm *a, const unsigned char *results)
{
    uint32_t total = 0, word;
    for (uint32_t i = 0; i < a->words; i++) {
        memcpy(&word, results + 4 * (size_t)i, sizeof word);
        total ^= word;
    }
    return agrees(e, a, VKR_OP_XOR, VKR_TYPE_U32, &total);
}

static bool verify_reduction(expectations *e, const arm *a, const unsigned char *results)
{
    bool good = true;
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const VkrReduceResult *result = &a->layout.results[bit];
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
        const unsigned char *results = (const unsigned char *)b->readback.map + a->slot;
        if (!row_measured(&rows[i]) || a->kind == ARM_EMPTY)
            continue;
        bool good = (a->kind == ARM_READ ? verify_read : verify_reduction)(&e, a, results);
        rows[i].verdict = good ? VERDICT_YES : VERDICT_NO;
    }
}
