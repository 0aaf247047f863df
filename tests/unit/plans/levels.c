/* SPDX-License-Identifier: MIT */
/*
 * Level DEVICE of scans, whose partials can exceed what one dispatch reaches. The test does what
 * the dispatches over partials do, with an operator that is not associative, so that only the exact
 * order of scan.h gives the expected values.
 */
#include "plans.h"

#include <stdlib.h>
#include <string.h>

#define MAX_TRIPS 65535u
#define SCRATCH BUFFER('!')
#define IDENTITY 12345u
#define INITIAL 777u

static const trace_device plain = {0};
static const trace_device narrow = {.limits = {.maxStorageBufferRange = 65536}};
static const trace_device one_group = {.range = 1u << 30,
                                       .limits = {.maxComputeWorkGroupCount = 1}};

static const struct {
    const trace_device *device;
    uint64_t count;
    uint32_t components;
    VkrType accumulator;
    uint32_t flags;
    uint64_t row; /* length of segments; 0: none */
} rows[] = {
    {&plain, 1000, 1, 0, 0, 0},
    {&plain, 10000000, 3, VKR_TYPE_F64, VKR_SCAN_REVERSE_BIT, 100},
    {&narrow, 63 * VKR_SCAN_BLOCK, 1, 0, 0, 0},
    {&narrow, 63 * VKR_SCAN_BLOCK + 1, 1, 0, 0, 0},
    {&narrow, 125 * VKR_SCAN_BLOCK, 1, 0, VKR_SCAN_EXCLUSIVE_BIT, 0},
    {&narrow, 125 * VKR_SCAN_BLOCK + 1, 1, 0, VKR_SCAN_REVERSE_BIT, 0},
    {&narrow, 10000000, 1, VKR_TYPE_F64, 0, 1000},
    {&narrow, 1000000, 4, VKR_TYPE_F64, 0, 0},
    {&one_group, 700000000, 1, 0, 0, 0}, /* more blocks than one invocation can chain */
};

static struct {
    uint64_t *words; /* of scratch; the value of a partial is in its first word */
    uint64_t count;
    uint32_t partial; /* words */
    uint32_t totals;
    uint64_t total;
} memory;

static uint64_t mix(uint64_t a, uint64_t b)
{
    return (a ^ a >> 29) * 6364136223846793005u + b;
}

static uint64_t value_of_run(uint64_t run)
{
    return mix(run, 99);
}

static const struct vkr_scan_push *push_of(const trace_dispatch *d)
{
    return (const struct vkr_scan_push *)(const void *)d->words;
}

/* Partial i of a binding, which must have room for it. */
static uint64_t *partial_at(const trace_dispatch *d, uint32_t binding, uint32_t base, uint64_t i)
{
    const VkDescriptorBufferInfo *info = &d->bindings[binding];
    const uint64_t word = base + i * memory.partial;
    assert_ptr_equal(info->buffer, SCRATCH);
    assert_true(4 * (word + memory.partial) <= info->range);
    assert_true(info->offset / 4 + word < memory.count);
    return &memory.words[info->offset / 4 + word];
}

static void do_run(const trace_dispatch *d, uint64_t run)
{
    const struct vkr_scan_push *p = push_of(d);
    const uint32_t flags = d->constants[VKR_CONST_FLAGS];
    const bool totals = d->constants[VKR_SCAN_CONST_MODE] == VKR_MODE_TOTALS;
    uint64_t s = totals ? IDENTITY : INITIAL;
    if (!totals && (flags & VKR_SCAN_FLAG_TOP) == 0)
        s = *partial_at(d, VKR_SCAN_BINDING_PARTIALS, p->partials_base, run);
    for (uint64_t i = run * p->items; i < (run + 1) * p->items && i < p->count; i++) {
        const uint32_t binding = totals ? VKR_SCAN_BINDING_PARTIALS : VKR_SCAN_BINDING_OUTPUT;
        uint64_t *at = partial_at(d, binding, totals ? p->partials_base : p->stored_base, i);
        const uint64_t before = s;
        s = mix(s, *at);
        if (!totals)
            *at = before;
    }
    if (totals)
        *partial_at(d, VKR_SCAN_BINDING_OUTPUT, p->stored_base, run) = s;
    if (flags & VKR_SCAN_FLAG_END) {
        memory.total = s;
        memory.totals++;
    }
}

static void do_dispatch(const trace_dispatch *d)
{
    const struct vkr_scan_push *p = push_of(d);
    const uint64_t runs = (p->count + (uint64_t)p->items - 1) / p->items;
    const uint64_t components = d->constants[VKR_CONST_COMPONENTS];
    assert_true(p->count > 0);
    assert_int_equal(p->groups, (runs + d->constants[VKR_CONST_WORKGROUP] - 1) /
                                    d->constants[VKR_CONST_WORKGROUP]);
    assert_true((uint64_t)d->groups[0] * d->groups[1] >= p->groups);
    assert_true(p->items * (1 + 3 * (components > 1 ? components : 0)) < MAX_TRIPS);
    assert_int_equal((d->constants[VKR_CONST_FLAGS] & VKR_SCAN_FLAG_END) != 0,
                     p->total_base != ~0u);
    for (uint64_t run = 0; run < runs; run++)
        do_run(d, run);
}

/* Where the partials of all runs start, in words. */
static uint64_t first_run(void)
{
    uint64_t first = UINT64_MAX;
    for (uint32_t i = 0; i < fixture.dispatch_count; i++) {
        const trace_dispatch *d = &fixture.dispatches[i];
        const uint64_t at =
            d->bindings[VKR_SCAN_BINDING_OUTPUT].offset / 4 + push_of(d)->stored_base;
        if (d->constants[VKR_CONST_INPUT] == VKR_INPUT_ELEMENTS &&
            d->constants[VKR_SCAN_CONST_MODE] == VKR_MODE_TOTALS && at < first)
            first = at;
    }
    return first;
}

/* Computes the prefixes in the order of scan.h, and compares them. */
static void check_prefixes(const uint64_t *partials, uint64_t runs)
{
    uint64_t block = INITIAL;
    for (uint64_t first = 0; first < runs; first += VKR_SCAN_RUN) {
        const uint64_t end = first + VKR_SCAN_RUN < runs ? first + VKR_SCAN_RUN : runs;
        uint64_t prefix = block, total = IDENTITY;
        for (uint64_t run = first; run < end; run++) {
            assert_true(partials[run * memory.partial] == prefix);
            prefix = mix(prefix, value_of_run(run));
            total = mix(total, value_of_run(run));
        }
        block = mix(block, total);
    }
    assert_int_equal(memory.totals, 1);
    assert_true(memory.total == block);
}

static void record(size_t k)
{
    const uint64_t element = 4 * rows[k].components;
    const uint64_t result = rows[k].accumulator == VKR_TYPE_F64 ? 2 * element : element;
    const VkrScanInfo info = {
        .label = "0",
        .op = VKR_OP_SUM,
        .input = {.buffer = BUFFER('A'),
                  .size = rows[k].count * element,
                  .type = VKR_TYPE_F32,
                  .components = rows[k].components},
        .output = {.buffer = BUFFER('B'), .size = rows[k].count * result},
        .count = rows[k].count,
        .accumulator = rows[k].accumulator,
        .flags = rows[k].flags,
        .determinism = VKR_DETERMINISM_DEVICE,
        .segments = {.kind = rows[k].row ? VKR_SEGMENTS_ROWS : VKR_SEGMENTS_NONE,
                     .length = rows[k].row},
        .total = {BUFFER('T'), 0, 64}};
    VkrEndInfo end = plain_end;
    VkDeviceSize scratch;
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    if (vkrCmdScan(fixture.recorder, &info) != VKR_SUCCESS)
        fail_msg("row %u: %s", (unsigned)k, fixture.sentence);
    assert_int_equal(vkrGetScratchSize(fixture.recorder, &scratch), VKR_SUCCESS);
    end.scratch = (VkrBufferRange){SCRATCH, 0, scratch};
    assert_int_equal(vkrEnd(fixture.recorder, &end), VKR_SUCCESS);
    memory.count = scratch / 4;
    memory.words = calloc((size_t)memory.count, sizeof *memory.words);
    assert_non_null(memory.words);
    memory.partial = (uint32_t)(result / 4) + (rows[k].row ? 1 : 0);
    memory.totals = 0;
}

EXTERN_TEST(test_scan_levels)
{
    for (size_t k = 0; k < ARRAY_SIZE(rows); k++) {
        trace_open(rows[k].device);
        record(k);
        const uint64_t runs = (rows[k].count + VKR_SCAN_RUN - 1) / VKR_SCAN_RUN;
        const uint64_t first = first_run();
        for (uint64_t run = 0; run < runs; run++)
            memory.words[first + run * memory.partial] = value_of_run(run);
        for (uint32_t i = 0; i < fixture.dispatch_count; i++)
            if (fixture.dispatches[i].constants[VKR_CONST_INPUT] == VKR_INPUT_PARTIALS)
                do_dispatch(&fixture.dispatches[i]);
        check_prefixes(&memory.words[first], runs);
        free(memory.words);
        trace_close();
    }
}
