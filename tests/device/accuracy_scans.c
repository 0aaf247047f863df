/* SPDX-License-Identifier: MIT */
/* The accuracy of prefix sums. */
#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "accuracy.h"
#include "oracle_scan.h"

typedef struct form {
    const char *name;
    VkrScanAlgorithm algorithm;
    context_row context;
    uint32_t flags;
    VkrDeterminism determinism;
    VkrType type; /* UNDEFINED: f32 */
    VkrType accumulator;
    uint32_t workgroup;
    uint32_t count;      /* 0: COUNT / 4 */
    uint32_t row;        /* length of rows; 0: no rows */
    uint32_t stride;     /* in elements; 0: 1 */
    uint32_t components; /* 0: 1 */
    bool initial;        /* an initial value equal to the first element */
} form;

#define BY_RUNS VKR_SCAN_REDUCE_THEN_SCAN
#define ONE_PASS VKR_SCAN_SINGLE_PASS
#define EXCLUSIVE VKR_SCAN_EXCLUSIVE_BIT
#define REVERSED VKR_SCAN_REVERSE_BIT
#define NONE .determinism = VKR_DETERMINISM_NONE

static const form forms[] = {
    {"scan", VKR_SCAN_AUTO, .count = COUNT},
    {"scan, none", VKR_SCAN_AUTO, NONE, .workgroup = 16, .count = COUNT},
    {"scan, device", VKR_SCAN_AUTO, .determinism = VKR_DETERMINISM_DEVICE, .initial = true},
    {"scan, long shares", BY_RUNS, .context = CONTEXT_COALESCED},
    {"scan, long runs", BY_RUNS, .context = CONTEXT_CONTIGUOUS},
    {"scan, loads of elements", BY_RUNS, .context = CONTEXT_ELEMENTS},
    {"scan, shared", BY_RUNS, .context = CONTEXT_SHARED},
    {"scan, windows", BY_RUNS, .context = CONTEXT_WINDOWS, .count = COUNT},
    {"scan, many runs", BY_RUNS, .context = CONTEXT_RUNS, .count = COUNT},
    {"scan, exclusive", BY_RUNS, .context = CONTEXT_COALESCED, .flags = EXCLUSIVE, .initial = true},
    {"scan, reversed", BY_RUNS, .context = CONTEXT_CONTIGUOUS, .flags = REVERSED, .initial = true},
    {"scan, strided", BY_RUNS, .context = CONTEXT_COALESCED, .stride = 3},
    {"scan, vectors", BY_RUNS, .context = CONTEXT_COALESCED, .components = 2},
    {"scan, f16", BY_RUNS, .context = CONTEXT_COALESCED, .type = VKR_TYPE_F16},
    {"scan, bf16", BY_RUNS, .context = CONTEXT_COALESCED, .type = VKR_TYPE_BF16},
    {"scan, f64", BY_RUNS, .context = CONTEXT_COALESCED, .type = VKR_TYPE_F64},
    {"scan, f64 of f32", BY_RUNS, .context = CONTEXT_COALESCED, .accumulator = VKR_TYPE_F64},
    {"scan of rows", BY_RUNS, .context = CONTEXT_COALESCED, .row = 20000, .initial = true},
    {"scan of rows, long runs", BY_RUNS, .context = CONTEXT_CONTIGUOUS, .flags = REVERSED,
     .row = 20000},
    {"single pass", ONE_PASS, .context = CONTEXT_TILES, .count = COUNT},
    {"single pass, many blocks", ONE_PASS, .context = CONTEXT_BLOCKS, .count = COUNT + COUNT / 4},
    {"single pass, large tiles", ONE_PASS, .context = CONTEXT_CONTIGUOUS, .count = COUNT},
    {"single pass, reversed", ONE_PASS, .context = CONTEXT_TILES, .flags = REVERSED, .count = COUNT,
     .initial = true},
    {"single pass, rows", ONE_PASS, .context = CONTEXT_TILES, .flags = EXCLUSIVE, NONE,
     .count = COUNT / 2, .row = 60000},
    {"single pass, shared", ONE_PASS, .context = CONTEXT_SHARED, NONE, .count = COUNT / 2},
    {"hillis-steele", .algorithm = VKR_SCAN_HILLIS_STEELE},
    {"blelloch", .algorithm = VKR_SCAN_BLELLOCH},
};

static VkrType type_of(const form *f)
{
    return f->type == VKR_TYPE_UNDEFINED ? VKR_TYPE_F32 : f->type;
}

static uint32_t count_of(const form *f)
{
    return f->count == 0 ? COUNT / 4 : f->count;
}

static uint32_t components_of(const form *f)
{
    return f->components == 0 ? 1 : f->components;
}

static size_t stride_of(const form *f)
{
    return (f->stride == 0 ? 1 : f->stride) * components_of(f) * (size_t)vkrTypeSize(type_of(f));
}

/* The offset of the total, after the maximum number of prefixes. */
static VkDeviceSize total_at(void)
{
    return accurate.output.size - ACCURACY_ROOM;
}

static VkrScanInfo info_of(const form *f, VkrType result)
{
    VkrScanInfo info = {.op = VKR_OP_SUM,
                        .flags = f->flags,
                        .count = count_of(f),
                        .accumulator = f->accumulator,
                        .determinism = f->determinism,
                        .algorithm = f->algorithm,
                        .workgroupSize = f->workgroup};
    info.input = (VkrView){.buffer = accurate.input.buffer,
                           .size = count_of(f) * stride_of(f),
                           .type = type_of(f),
                           .components = components_of(f),
                           .stride = stride_of(f)};
    info.output =
        (VkrView){.buffer = accurate.output.buffer,
                  .size = (VkDeviceSize)count_of(f) * components_of(f) * vkrTypeSize(result),
                  .type = result};
    info.total = (VkrBufferRange){accurate.output.buffer, total_at(),
                                  components_of(f) * vkrTypeSize(result)};
    if (f->initial)
        info.gpuInitial = (VkrBufferRange){accurate.extra.buffer, 0, vkrTypeSize(result)};
    if (f->row != 0)
        info.segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = f->row};
    return info;
}

static void fill_initial(const form *f, VkrType result)
{
    const double value = number_of(type_of(f), accurate.input.data);
    const float single = (float)value;
    if (result == VKR_TYPE_F64)
        memcpy(accurate.extra.data, &value, sizeof(value));
    else
        memcpy(accurate.extra.data, &single, sizeof(single));
}

/* The number of values that prefix i sums, including an initial value; for index `count`, that the
 * total sums. */
static uint32_t length_of(const form *f, uint32_t i)
{
    const uint32_t count = count_of(f), row = f->row == 0 ? count : f->row;
    const bool reversed = (f->flags & REVERSED) != 0;
    const bool total = i == count;
    if (total)
        i = reversed ? 0 : count - 1;
    const uint32_t first = i / row * row;
    const uint32_t end = count - first < row ? count : first + row;
    const uint32_t before = reversed ? end - 1 - i : i - first;
    return before + (total || (f->flags & EXCLUSIVE) == 0) + f->initial;
}

static void judge_prefixes(const form *f, const data_row *row, VkrType result, uint32_t component,
                           const oracle_value *values, errors *worst)
{
    const uint32_t count = count_of(f), size = vkrTypeSize(result), components = components_of(f);
    const VkrContext context = open_context(f->context);
    const bool is_device = f->determinism == VKR_DETERMINISM_DEVICE;
    const double first = number_of(type_of(f), accurate.input.data);
    for (uint32_t i = 0; i <= count; i++) {
        const uint32_t n = length_of(f, i);
        const VkDeviceSize at = i < count ? (VkDeviceSize)i * size * components : total_at();
        expectation e = {row, result, values[i], 1, 1, first * n, 1};
        if (is_device) {
            e.stated = oracle_roundings(n);
            e.factor = 510 + n / 65536.0;
            e.equal = 0;
        }
        judge(&e, context, (char *)accurate.output.data + at + component * size, worst);
    }
}

static void expect(const form *f, VkrType result, uint32_t component, oracle_value *values)
{
    const oracle_scan_info info = {.data = accurate.input.data,
                                   .stride = stride_of(f),
                                   .count = count_of(f),
                                   .type = type_of(f),
                                   .components = components_of(f),
                                   .op = VKR_OP_SUM,
                                   .flags = f->flags,
                                   .accumulator = f->accumulator,
                                   .initial = f->initial ? accurate.extra.data : NULL,
                                   .segments = f->row != 0 ? VKR_SEGMENTS_ROWS : VKR_SEGMENTS_NONE,
                                   .row_length = f->row};
    assert_true(oracle_scan(&info, component, result, values));
}

static void run(const form *f, VkrType result, oracle_value *values)
{
    errors worst = {0};
    for (uint32_t i = 0; i < DATA_ROWS; i++) {
        fill_row(&data_rows[i], 1, type_of(f), accurate.input.data, stride_of(f) / components_of(f),
                 count_of(f) * components_of(f));
        fill_initial(f, result);
        assert_true(harness_submit(&accurate.h));
        for (uint32_t c = 0; c < components_of(f); c++) {
            expect(f, result, c, values);
            judge_prefixes(f, &data_rows[i], result, c, values, &worst);
        }
    }
    report_errors(f->name, &worst);
}

static void test_form(void **state)
{
    const form *f = *state;
    VkrContext context = open_context(f->context);
    VkrType result;
    VkrContextProperties properties;
    VkrScanInfo info = info_of(f, VKR_TYPE_UNDEFINED);
    vkrGetContextProperties(context, &properties);
    if (!has_types(context, type_of(f), f->accumulator) ||
        (f->algorithm >= VKR_SCAN_HILLIS_STEELE && !properties.documents)) {
        printf("# left out: %s\n", f->name);
        return;
    }
    assert_true(harness_check(&accurate.h, vkrGetScanType(context, &info, &result), "type"));
    info = info_of(f, result);
    VkrRecorder recorder = begin_form(f->context);
    assert_true(harness_check(&accurate.h, vkrCmdScan(recorder, &info), "vkrCmdScan"));
    end_form(recorder);
    oracle_value *values = malloc((count_of(f) + 1u) * sizeof(*values));
    assert_non_null(values);
    run(f, result, values);
    free(values);
    assert_true(harness_check(&accurate.h, vkrReset(recorder), "vkrReset"));
}

uint32_t add_scans(struct CMUnitTest *tests, uint32_t first)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < ARRAY_SIZE(forms); i++)
        if (harness_has_case(first + i))
            tests[count++] = (struct CMUnitTest){forms[i].name, test_form, NULL, NULL,
                                                 (void *)(uintptr_t)&forms[i]};
    return count;
}
