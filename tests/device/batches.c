/* SPDX-License-Identifier: MIT */
/*
 * Minima, maxima and their indices when invocations load many batches of units: every type that is
 * compared by bits or by units, data whose extremes are rare, everywhere, or equal to the identity,
 * and masks that drop most elements. Other programs give each invocation less than a batch.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce_case.h"

#define COUNT 270331u /* at least 16 units for each of 8 x 64 invocations, and a remainder */
#define OPS (VKR_OP_MIN | VKR_OP_MAX | VKR_OP_ARGMIN | VKR_OP_ARGMAX)

typedef struct row {
    const char *name;
    VkrType type;
    bool masked;
} row;

static const row rows[] = {
    {"i8", VKR_TYPE_I8, false},        {"i8, mask", VKR_TYPE_I8, true},
    {"u8", VKR_TYPE_U8, false},        {"u8, mask", VKR_TYPE_U8, true},
    {"i16", VKR_TYPE_I16, false},      {"u16, mask", VKR_TYPE_U16, true},
    {"i32, mask", VKR_TYPE_I32, true}, {"u32", VKR_TYPE_U32, false},
    {"u32, mask", VKR_TYPE_U32, true}, {"f16", VKR_TYPE_F16, false},
    {"f16, mask", VKR_TYPE_F16, true}, {"f32", VKR_TYPE_F32, false},
    {"f32, mask", VKR_TYPE_F32, true}, {"bf16", VKR_TYPE_BF16, false},
};

/* In constant data the first index is the answer. Zeros, and all bits set (kind ALL_BITS), have the
 * key of "no element" in some types. */
static const distribution kinds[] = {DATA_RANDOM,    DATA_BITS,       DATA_CONSTANT,
                                     DATA_ASCENDING, DATA_DESCENDING, DATA_ZEROS,
                                     DATA_EXTREMES,  DATA_ONE_NAN,    DATA_NAN_BUT_ONE};
#define ALL_BITS ARRAY_SIZE(kinds)

static harness h;
static harness_buffer input, mask, output;
static uint64_t checks, mismatches;

/* The elements that a mask keeps, packed, and their indices. */
static char *kept;
static uint32_t *places;

static bool is_kept(const row *r, uint32_t i)
{
    const uint32_t *bits = mask.data;
    return !r->masked || (bits[i / 32] >> i % 32 & 1) != 0;
}

/* Fills the input and a mask that keeps one element in eight, but none at the start. Returns the
 * number of elements that count. */
static uint32_t fill(const row *r, size_t kind)
{
    uint64_t state = 5 + kind;
    const uint32_t size = vkrTypeSize(r->type);
    uint32_t *bits = mask.data;
    uint32_t count = 0;
    if (kind == ALL_BITS)
        memset(input.data, 0xff, (size_t)COUNT * size);
    else
        fill_data(&state, kinds[kind], r->type, 1, input.data, size, COUNT);
    for (uint32_t i = 0; i < (COUNT + 31) / 32; i++)
        bits[i] = i < 40
                      ? 0
                      : (uint32_t)(next_random(&state) & next_random(&state) & next_random(&state));
    for (uint32_t i = 0; i < COUNT; i++) {
        if (!is_kept(r, i))
            continue;
        memcpy(kept + (size_t)count * size, (const char *)input.data + (size_t)i * size, size);
        places[count++] = i;
    }
    return count;
}

static void compare(const row *r, const VkrReduceLayout *layout, size_t kind)
{
    static const VkrOp ops[] = {VKR_OP_MIN, VKR_OP_MAX, VKR_OP_ARGMIN, VKR_OP_ARGMAX};
    const oracle_reduce_info oracle = {.data = kept,
                                       .stride = vkrTypeSize(r->type),
                                       .count = fill(r, kind),
                                       .type = r->type,
                                       .components = 1};
    memset(output.data, 0xcd, output.size);
    assert_true(harness_submit(&h));
    for (size_t k = 0; k < ARRAY_SIZE(ops); k++) {
        const VkrReduceResult *result = vkrGetReduceResult(layout, ops[k]);
        const char *actual = (const char *)output.data + result->offset;
        oracle_value value;
        uint32_t place;
        oracle_reduce(&oracle, ops[k], 0, result->type, &value);
        memcpy(&place, value.bytes, sizeof(place));
        if (ops[k] != VKR_OP_MIN && ops[k] != VKR_OP_MAX && place < oracle.count)
            memcpy(value.bytes, &places[place], sizeof(place));
        checks++;
        if (memcmp(actual, value.bytes, vkrTypeSize(result->type)) == 0)
            continue;
        char found[64], right[64];
        oracle_format(found, sizeof(found), result->type, actual);
        oracle_format(right, sizeof(right), result->type, value.bytes);
        mismatches++;
        printf("# %s, data %zu: %s, but should be %s\n", vkrOpName(ops[k]), kind, found, right);
    }
}

static void run(const row *r, VkrContext context, VkrRecorder recorder)
{
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    VkrReduceInfo info = {.ops = OPS,
                          .input = {.buffer = input.buffer,
                                    .size = (VkDeviceSize)COUNT * vkrTypeSize(r->type),
                                    .type = r->type},
                          .count = VKR_COUNT_ALL};
    if (r->masked)
        info.mask.flags =
            (VkrFlagView){.format = VKR_FLAGS_BITS, .range = {mask.buffer, 0, mask.size}};
    VkrReduceLayout layout;
    assert_true(harness_check(&h, vkrGetReduceLayout(context, &info, &layout), "layout"));
    info.output = (VkrBufferRange){output.buffer, 0, layout.size};
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&h, vkrCmdReduce(recorder, &info), "vkrCmdReduce"));
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
    for (size_t kind = 0; kind <= ALL_BITS; kind++)
        compare(r, &layout, kind);
}

static void test_row(void **state)
{
    const row *r = *state;
    const VkrTuning tuning = {.workgroupSize = 64,
                              .treeWorkgroupSize = 64,
                              .minBytes = 64,
                              .maxBytes = 4096,
                              .maxGroups = 8,
                              .order = VKR_LOAD_COALESCED,
                              .path = VKR_LOAD_VEC4,
                              .flight = 4,
                              .tileBytes = 64};
    const VkrRecorderInfo recorder_info = {.label = "batches"};
    const uint64_t before = mismatches;
    VkrContext context;
    VkrRecorder recorder;
    assert_true(harness_tuned_context(&h, &(VkrLimits){0}, &tuning, NULL, &context));
    if (!vkrIsTypeSupported(context, r->type)) {
        print_message("# %s is not a type of this device\n", vkrTypeName(r->type));
        vkrDestroyContext(context);
        return;
    }
    assert_true(
        harness_check(&h, vkrCreateRecorder(context, &recorder_info, &recorder), "recorder"));
    run(r, context, recorder);
    vkrDestroyRecorder(recorder);
    vkrDestroyContext(context);
    assert_int_equal(mismatches, before);
}

static int open_all(void **state)
{
    (void)state;
    kept = malloc((size_t)COUNT * 4);
    places = malloc((size_t)COUNT * 4);
    return kept && places && harness_create_buffer(&h, COUNT * 4u, &input) &&
                   harness_create_buffer(&h, (COUNT + 31) / 32 * 4, &mask) &&
                   harness_create_buffer(&h, 1u << 16, &output)
               ? 0
               : -1;
}

static int close_all(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n", checks, mismatches);
    harness_destroy_buffer(&h, &input);
    harness_destroy_buffer(&h, &mask);
    harness_destroy_buffer(&h, &output);
    free(kept);
    free(places);
    return 0;
}

int main(void)
{
    struct CMUnitTest tests[ARRAY_SIZE(rows)];
    size_t count = 0;
    for (uint32_t i = 0; i < ARRAY_SIZE(rows); i++)
        if (harness_has_case(i))
            tests[count++] = (struct CMUnitTest){rows[i].name, test_row, NULL, NULL,
                                                 (void *)(uintptr_t)&rows[i]};
    return harness_run(&h, "batches", tests, count, open_all, close_all);
}
