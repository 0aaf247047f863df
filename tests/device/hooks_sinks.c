/* SPDX-License-Identifier: MIT */
/*
 * Sinks: functions of an application that compactions call for the elements that they keep. Each
 * call is noted, by position and by index, and the CPU knows what the notes must be. The argument
 * is the folder with hooks_sinks.spv.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hooks_case.h"

#define MOST 100003u
#define NOTHING 0xcdcdcdcdu

static harness h;
static test_contexts contexts;
static harness_buffer source, payload, placed, called, outputs, numbers;
static hooks_set set;
static uint32_t *code;
static size_t code_size;
static VkrModule modules[LIMITS_COUNT];
static const char *folder;

/* ---- Cases ---- */

typedef enum sink_output {
    OUT_INDICES = 1,      /* a list that serves */
    OUT_LATE_INDICES = 2, /* indices that start later */
    OUT_VALUES = 4,
    OUT_LENGTHS = 8,
    OUT_PAYLOAD = 16,
    OUT_REJECTED = 32,
    OUT_COUNTS = 64
} sink_output;

typedef struct sink_case {
    const char *name;
    uint32_t count, gpu_count; /* the latter 0: that of the host */
    VkrPredicateKind kind;
    uint32_t outputs; /* OUT_* */
    uint32_t append;  /* 0: none */
    uint32_t capacity;
    VkrCompactAlgorithm algorithm;
} sink_case;

#define AUTO VKR_COMPACT_AUTO
static const sink_case cases[] = {
    {"nothing else", MOST, 0, VKR_PREDICATE_COMPARE, 0, 0, 0, AUTO},
    {"one element", 1, 0, VKR_PREDICATE_COMPARE, 0, 0, 0, AUTO},
    {"a few elements", 37, 0, VKR_PREDICATE_FLAGS, 0, 0, 0, AUTO},
    {"all elements", 20000, 0, VKR_PREDICATE_FINITE, 0, 0, 0, AUTO},
    {"flags", 50001, 0, VKR_PREDICATE_FLAGS, 0, 0, 0, AUTO},
    {"indices", MOST, 0, VKR_PREDICATE_COMPARE, OUT_INDICES, 0, 0, AUTO},
    {"indices and a count", 30011, 0, VKR_PREDICATE_FLAGS, OUT_INDICES | OUT_COUNTS, 0, 0, AUTO},
    {"later indices", 30011, 0, VKR_PREDICATE_FLAGS, OUT_LATE_INDICES, 0, 0, AUTO},
    {"values", 30011, 0, VKR_PREDICATE_COMPARE, OUT_VALUES, 0, 0, AUTO},
    {"values by flags", 30011, 0, VKR_PREDICATE_FLAGS, OUT_VALUES | OUT_REJECTED, 0, 0, AUTO},
    {"lengths of runs", 30011, 0, VKR_PREDICATE_UNIQUE, OUT_LENGTHS, 0, 100, AUTO},
    {"payloads", 20000, 0, VKR_PREDICATE_COMPARE, OUT_PAYLOAD | OUT_REJECTED, 0, 0, AUTO},
    {"the count of the GPU", MOST, 66666, VKR_PREDICATE_COMPARE, 0, 0, 0, AUTO},
    {"no element on the GPU", 4097, 1, VKR_PREDICATE_NAN, 0, 0, 0, AUTO},
    {"a capacity", 30011, 0, VKR_PREDICATE_COMPARE, OUT_INDICES, 0, 777, AUTO},
    {"a capacity alone", 30011, 20000, VKR_PREDICATE_COMPARE, 0, 0, 5000, AUTO},
    {"append", 30011, 0, VKR_PREDICATE_COMPARE, OUT_INDICES, 1234, 0, AUTO},
    {"append to a capacity", 30011, 0, VKR_PREDICATE_FLAGS, 0, 1234, 4567, AUTO},
    {"append in windows", MOST, 0, VKR_PREDICATE_COMPARE, 0, 1234, 30000, AUTO},
    {"append past a capacity", 4097, 0, VKR_PREDICATE_COMPARE, OUT_VALUES, 600, 500, AUTO},
    {"scan and scatter", 4097, 0, VKR_PREDICATE_COMPARE, OUT_INDICES | OUT_VALUES, 0, 0,
     VKR_COMPACT_SCAN_SCATTER},
    {"Horn", 4097, 0, VKR_PREDICATE_COMPARE, 0, 0, 0, VKR_COMPACT_HORN},
    {"Roger", 4097, 0, VKR_PREDICATE_FLAGS, OUT_VALUES, 0, 0, VKR_COMPACT_ROGER},
};

/* ---- What is kept ---- */

static bool is_kept(const sink_case *c, uint32_t i)
{
    const float *value = source.data;
    switch (c->kind) {
    case VKR_PREDICATE_COMPARE:
        return value[i] > 0.25f;
    case VKR_PREDICATE_UNIQUE:
        return i == 0 || value[i] != value[i - 1];
    case VKR_PREDICATE_FLAGS:
        return value[i] != 0.0f;
    default:
        return c->kind == VKR_PREDICATE_FINITE;
    }
}

static void check(const sink_case *c)
{
    const uint32_t *place = placed.data, *calls = called.data;
    const uint32_t count = c->gpu_count ? c->gpu_count : c->count;
    const uint32_t capacity = c->capacity ? c->capacity : UINT32_MAX;
    uint32_t position = c->append;
    for (uint32_t p = 0; p < c->append; p++)
        assert_int_equal(place[p], NOTHING);
    for (uint32_t i = 0; i < MOST; i++) {
        const bool kept = i < count && is_kept(c, i);
        const bool stored = kept && position < capacity;
        if (calls[i] != stored || (stored && place[position] != i))
            fail_msg("%s: element %u was called %u times, and at its position %u is %u", c->name, i,
                     calls[i], position, place[position]);
        position += kept;
    }
    for (uint32_t p = position < capacity ? position : capacity; p < 2 * MOST; p++)
        if (p >= c->append)
            assert_int_equal(place[p], NOTHING);
}

/* ---- Recordings ---- */

static VkrModule module_of(limits_row limits)
{
    static const tuning_row built_in;
    const VkrModuleInfo info = {
        .label = "sinks", .code = code, .codeSize = code_size, .setLayout = set.layout};
    if (!modules[limits])
        assert_true(harness_check(
            &h, vkrCreateModule(get_context(&contexts, limits, &built_in), &info, &modules[limits]),
            "vkrCreateModule"));
    return modules[limits];
}

#define PART (4u * 2u * MOST) /* of the outputs */

static VkrView part_of(uint32_t number, VkrType type)
{
    return (VkrView){.buffer = outputs.buffer, .offset = number * PART, .size = PART, .type = type};
}

static void run_case(limits_row limits, const sink_case *c)
{
    static const tuning_row built_in;
    const VkrRecorder recorder = get_recorder(&contexts, limits, &built_in);
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    const VkAccessFlags both = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
    const VkrUse uses[] = {{.buffer = placed.buffer, .size = placed.size, .access = both},
                           {.buffer = called.buffer, .size = called.size, .access = both},
                           {.buffer = outputs.buffer, .size = PART}};
    const bool reads = c->outputs == OUT_INDICES && c->append == 0;
    const VkrHook sink = {module_of(limits), reads ? "note_stored" : "note", set.set, reads ? 3 : 2,
                          uses};
    const VkrPayload payloads[] = {{.size = 12,
                                    .source = {payload.buffer, 0, payload.size},
                                    .target = {outputs.buffer, 2 * PART, PART}}};
    const VkrCountOutput counts[] = {{VKR_COUNT_STORED, numbers.buffer, 64, 0}};
    VkrCompactInfo info = {
        .input = {.buffer = source.buffer, .size = source.size, .type = VKR_TYPE_F32},
        .count = c->count,
        .predicate = {.kind = c->kind, .compare = VKR_COMPARE_GREATER, .a.f = 0.25},
        .algorithm = c->algorithm,
        .sink = &sink,
        .capacity = c->capacity};
    if (c->kind != VKR_PREDICATE_COMPARE)
        info.predicate.compare = VKR_COMPARE_NONE;
    info.predicate.flags.range = (VkrBufferRange){source.buffer, 0, source.size};
    if (c->outputs & (OUT_INDICES | OUT_LATE_INDICES))
        info.keptIndices =
            part_of(0, c->outputs == OUT_INDICES ? VKR_TYPE_U32 : VKR_TYPE_UNDEFINED);
    info.firstIndex = c->outputs & OUT_LATE_INDICES ? 5 : 0;
    if (c->outputs & OUT_VALUES)
        info.kept = part_of(1, VKR_TYPE_F32);
    if (c->outputs & OUT_LENGTHS)
        info.runLengths = part_of(0, VKR_TYPE_UNDEFINED);
    if (c->outputs & OUT_REJECTED)
        info.rejectedIndices = part_of(3, VKR_TYPE_UNDEFINED);
    info.payloadCount = c->outputs & OUT_PAYLOAD ? 1 : 0;
    info.payloads = payloads;
    info.countOutputCount = c->outputs & OUT_COUNTS ? 1 : 0;
    info.countOutputs = counts;
    if (c->gpu_count)
        info.gpuCount = (VkrGpuCount){numbers.buffer, 0, VKR_TYPE_U32};
    if (c->append)
        info.append = (VkrGpuCount){numbers.buffer, 8, VKR_TYPE_U64};
    ((uint32_t *)numbers.data)[0] = c->gpu_count;
    ((uint64_t *)numbers.data)[1] = c->append;
    memset(placed.data, 0xcd, placed.size);
    memset(called.data, 0, called.size);
    watch_limits(&limits_rows[limits]);
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&h, vkrCmdCompact(recorder, &info), c->name));
    VkrUse listed[64];
    uint32_t use_count = ARRAY_SIZE(listed), found = 0;
    assert_int_equal(vkrGetUses(recorder, &use_count, listed), VKR_SUCCESS);
    for (uint32_t i = 0; i < use_count; i++)
        found += (listed[i].buffer == placed.buffer || listed[i].buffer == called.buffer) &&
                 listed[i].access == both;
    assert_int_equal(found, 2);
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
    vkrReset(recorder);
    check(c);
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(h.validation_messages, 0);
}

static bool has_documents(limits_row limits)
{
    static const tuning_row built_in;
    VkrContextProperties properties;
    vkrGetContextProperties(get_context(&contexts, limits, &built_in), &properties);
    return properties.documents;
}

static void test_sinks(void **state)
{
    static const limits_row rows[] = {LIMITS_DEVICE, LIMITS_SHARED_SMALL, LIMITS_WIDE};
    (void)state;
    for (uint32_t n = 0; n < ARRAY_SIZE(cases) * ARRAY_SIZE(rows); n++) {
        const sink_case *c = &cases[n / ARRAY_SIZE(rows)];
        const limits_row limits = rows[n % ARRAY_SIZE(rows)];
        /* These have no windows, and no wide indices. */
        const bool is_document = c->algorithm > VKR_COMPACT_SINGLE_PASS;
        if (harness_has_case(n) &&
            (!is_document || (limits == LIMITS_DEVICE && has_documents(limits))))
            run_case(limits, c);
    }
}

/* A later operation of the recording reads what a sink has written, and a sink of a later one
 * writes what the function of an earlier one has read. */
static void test_order(void **state)
{
    static const tuning_row built_in;
    const VkrRecorder recorder = get_recorder(&contexts, LIMITS_DEVICE, &built_in);
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    const VkrUse uses[] = {
        {.buffer = placed.buffer, .size = placed.size, .access = VK_ACCESS_SHADER_WRITE_BIT},
        {.buffer = called.buffer,
         .size = called.size,
         .access = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT},
    };
    const VkrUse read = {.buffer = placed.buffer, .size = placed.size};
    const VkrHook sink = {module_of(LIMITS_DEVICE), "note", set.set, 2, uses};
    const VkrHook flag = {module_of(LIMITS_DEVICE), "is_odd", set.set, 1, &read};
    const VkrCompactInfo compact = {
        .input = {.buffer = source.buffer, .size = source.size, .type = VKR_TYPE_F32},
        .count = 20000,
        .predicate = {.kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_GREATER, .a.f = 0.25},
        .sink = &sink};
    const VkrCountOutput count = {VKR_COUNT_KEPT, numbers.buffer, 0, 0};
    const VkrCompactInfo odd = {.count = 1000,
                                .predicate = {.kind = VKR_PREDICATE_FLAGS, .flags.hook = &flag},
                                .countOutputCount = 1,
                                .countOutputs = &count};
    const sink_case like = {.count = 20000, .kind = VKR_PREDICATE_COMPARE};
    uint32_t number = 0, odds = 0;
    (void)state;
    memset(called.data, 0, called.size);
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&h, vkrCmdCompact(recorder, &compact), "vkrCmdCompact"));
    assert_true(harness_check(&h, vkrCmdCompact(recorder, &odd), "vkrCmdCompact"));
    assert_true(harness_check(&h, vkrCmdCompact(recorder, &compact), "vkrCmdCompact"));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
    vkrReset(recorder);
    for (uint32_t i = 0; i < 20000 && number < 1000; i++)
        if (is_kept(&like, i)) {
            number++;
            odds += i & 1;
        }
    assert_int_equal(*(const uint32_t *)numbers.data, odds);
    assert_int_equal(h.validation_messages, 0);
}

static void test_wrong(void **state)
{
    static const tuning_row built_in;
    const VkrHook hook = {module_of(LIMITS_DEVICE), NULL, set.set, 0, NULL};
    (void)state;
    sinks_check_wrong(&h, get_recorder(&contexts, LIMITS_DEVICE, &built_in), &hook, source.buffer,
                      outputs.buffer);
}

/* ---- The program ---- */

static int open_all(void **state)
{
    uint64_t random = 3;
    (void)state;
    h.loader = limits_proc;
    contexts.h = &h;
    code = hooks_read_code(folder, "hooks_sinks", &code_size);
    if (!code || !harness_create_buffer(&h, 4 * MOST, &source) ||
        !harness_create_buffer(&h, 12 * MOST, &payload) ||
        !harness_create_buffer(&h, 8 * MOST, &placed) ||
        !harness_create_buffer(&h, 4 * MOST, &called) ||
        !harness_create_buffer(&h, 4 * PART, &outputs) || !harness_create_buffer(&h, 128, &numbers))
        return -1;
    for (uint32_t i = 0; i < MOST; i++) { /* runs of -1, 0, 0.25, .. 2 */
        const uint32_t number = (uint32_t)(next_random(&random) >> 40) % 14;
        ((float *)source.data)[i] =
            number == 13 && i > 0 ? ((float *)source.data)[i - 1] : (float)number * 0.25f - 1.0f;
    }
    return hooks_open_set(&h, (const VkBuffer[]){placed.buffer, called.buffer, outputs.buffer}, 3,
                          &set)
               ? 0
               : -1;
}

static int close_all(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < LIMITS_COUNT; i++)
        vkrDestroyModule(modules[i]);
    close_contexts(&contexts);
    hooks_close_set(&h, &set);
    harness_buffer *const buffers[] = {&source, &payload, &placed, &called, &outputs, &numbers};
    for (uint32_t i = 0; i < ARRAY_SIZE(buffers); i++)
        harness_destroy_buffer(&h, buffers[i]);
    free(code);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_sinks), cmocka_unit_test(test_order),
                                       cmocka_unit_test(test_wrong)};
    folder = argc > 1 ? argv[1] : ".";
    return harness_run(&h, "hooks_sinks", tests, ARRAY_SIZE(tests), open_all, close_all);
}
