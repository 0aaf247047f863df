/* SPDX-License-Identifier: MIT */
/* Comparison of what a reduction or a scan by key wrote with the oracle. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "by_key_run.h"

#define SHOWN 3u

void report_key(key_run *r, const key_case *c, const char *what, uint64_t at)
{
    const key_row *row = r->row;
    if (r->t->mismatches++, r->shown++ >= SHOWN)
        return;
    printf("# %s %" PRIu64 " of %" PRIu64 " elements (capacity %" PRIu64 ", room %" PRIu64
           "), %" PRIu64 " runs: %s of %s by %s, ops 0x%x, %u and %u components%s, flags %u, "
           "determinism %d, GPU count %s, limits %s, outputs %u\n",
           what, at, c->count, c->capacity, c->room, c->runs, row->scan ? "scan" : "reduction",
           vkrTypeName(row->type), vkrTypeName(row->key_type), row->ops, row->components,
           row->key_components, row->shared ? ", shared" : "", row->flags, row->determinism,
           vkrTypeName(row->gpu_count), limits_names[row->limits], row->outputs);
}

/* Compares bytes of a result buffer, and makes them the expected ones. */
static bool expect(key_run *r, int buffer, VkDeviceSize at, const void *expected, size_t size)
{
    const unsigned char *actual = (const unsigned char *)r->t->buffers[buffer].buffer.data + at;
    const bool same = memcmp(actual, expected, size) == 0;
    memcpy(r->t->buffers[buffer].shadow + at, actual, size);
    r->t->oracle_cases++;
    return same;
}

static void verify_results(key_run *r, const key_case *c, uint64_t run, uint64_t first,
                           uint64_t count)
{
    key_test *t = r->t;
    const key_row *row = r->row;
    const unsigned char *data = at_element(r, KEYS_INPUT, &c->input, first);
    const oracle_reduce_info info = {.data = data,
                                     .stride = c->input.stride,
                                     .data2 = data,
                                     .stride2 = c->input.stride,
                                     .count = count,
                                     .type = row->type,
                                     .components = row->components,
                                     .determinism = row->determinism};
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const VkrReduceResult *result = &c->layout.results[bit];
        const uint32_t size = vkrTypeSize(result->type);
        const VkDeviceSize at = c->results_at + run * c->layout.stride + result->offset;
        const unsigned char *actual = (unsigned char *)t->buffers[KEYS_RESULTS].buffer.data + at;
        for (uint32_t k = 0; k < row->components && (row->ops >> bit & 1) != 0; k++) {
            oracle_value value;
            oracle_reduce(&info, (VkrOp)(1u << bit), k, result->type, &value);
            t->unproven += !oracle_proves(&value);
            t->oracle_cases += oracle_proves(&value);
            if (oracle_proves(&value) && !oracle_accepts(&value, result->type, actual + k * size))
                report_key(r, c, vkrOpName((VkrOp)(1u << bit)), run);
        }
        if ((row->ops >> bit & 1) != 0)
            memcpy(t->buffers[KEYS_RESULTS].shadow + at, actual, size * row->components);
    }
}

static void verify_counts(key_run *r, const key_case *c)
{
    for (uint32_t i = 0; i < c->number_of_counts; i++) {
        const VkrCountOutput *o = &c->counts[i];
        const uint64_t room = stored_runs(c), stored = c->runs < room ? c->runs : room;
        const uint64_t value = o->kind == VKR_COUNT_STORED     ? stored
                               : o->kind == VKR_COUNT_REJECTED ? c->count - c->runs
                                                               : c->runs;
        const uint32_t words[3] = {(uint32_t)(stored + 63) / 64, 1, 1};
        const bool dispatch = o->kind == VKR_COUNT_DISPATCH;
        const size_t size = dispatch ? 12 : o->kind == VKR_COUNT_KEPT64 ? 8 : 4;
        const bool fits = words[0] <= SMALL_GROUPS; /* longer dispatches have two dimensions */
        if (!expect(r, KEYS_WRITTEN, o->offset, dispatch ? (const void *)words : &value, size) &&
            (!dispatch || fits))
            report_key(r, c, "count output", i);
    }
}

void verify_key_reduction(key_run *r, const key_case *c)
{
    const uint64_t room = stored_runs(c);
    uint64_t run = 0;
    for (uint64_t i = 0, next; i < c->count && run < room; i = next, run++) {
        for (next = i + 1; next < c->count && !starts_run(r, c, next);)
            next++;
        const uint64_t length = next - i;
        verify_results(r, c, run, i, length);
        if (c->unique.buffer != VK_NULL_HANDLE &&
            !expect(r, KEYS_UNIQUE, c->unique.offset + run * c->unique.stride, key_at(r, c, i),
                    key_size(c)))
            report_key(r, c, "key of run", run);
        if (c->lengths.buffer != VK_NULL_HANDLE &&
            !expect(r, KEYS_LENGTHS, c->lengths.offset + run * c->lengths.stride, &length,
                    vkrTypeSize(r->row->length_type)))
            report_key(r, c, "length of run", run);
    }
    verify_counts(r, c);
}

void verify_key_scan(key_run *r, const key_case *c)
{
    key_test *t = r->t;
    const key_row *row = r->row;
    const int buffer = c->output.offset == c->input.offset && c->output.buffer == c->input.buffer
                           ? KEYS_INPUT
                       : row->over ? KEYS_KEYS
                                   : KEYS_RESULTS;
    const uint32_t size = vkrTypeSize(r->result);
    oracle_value *values = malloc((c->count + 1) * sizeof(*values));
    unsigned char *heads = malloc(c->count + 1);
    assert_true(values != NULL && heads != NULL);
    for (uint64_t i = 0; i < c->count; i++)
        heads[i] = starts_run(r, c, i);
    const oracle_scan_info info = {.data = at_element(r, KEYS_INPUT, &c->input, 0),
                                   .stride = c->input.stride,
                                   .count = c->count,
                                   .type = row->type,
                                   .components = row->components,
                                   .op = (VkrOp)(row->ops & (0u - row->ops)),
                                   .flags = row->flags,
                                   .determinism = row->determinism,
                                   .segments = VKR_SEGMENTS_FLAGS,
                                   .flag_format = VKR_FLAGS_U8,
                                   .heads = heads};
    const unsigned char *output =
        (const unsigned char *)t->buffers[buffer].buffer.data + c->output.offset;
    for (uint32_t k = 0; k < row->components; k++) {
        assert_true(oracle_scan(&info, k, r->result, values));
        for (uint64_t i = 0; i < c->count; i++) {
            t->oracle_cases += oracle_proves(&values[i]);
            if (oracle_proves(&values[i]) &&
                !oracle_accepts(&values[i], r->result, output + i * c->output.stride + k * size))
                report_key(r, c, "element", i);
        }
    }
    for (uint64_t i = 0; i < c->count; i++)
        memcpy(t->buffers[buffer].shadow + c->output.offset + i * c->output.stride,
               output + i * c->output.stride, size * row->components);
    free(values);
    free(heads);
}
