/* SPDX-License-Identifier: MIT */
/*
 * Functions of an application as elements and as flags. Each operation runs twice in one recording:
 * on what functions return, and on the same values in buffers, which the CPU has computed. Both
 * must give the same bits. The argument is the folder with hooks.spv.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hooks_case.h"

#define COUNT HOOKS_COUNT
#define MOST (COUNT + 100u)
#define FEWER 20011u /* the count that the GPU has */
#define HALF (HOOKS_OUTPUT / 2)

static harness h;
static abilities device;
static test_contexts contexts;
static harness_buffer words, limits, values, bits, outputs, numbers;
static hooks_set set;
static uint32_t *code;
static size_t code_size;
static const char *folder;

/* ---- What the functions return (hooks.comp) ---- */

static void set_words(void)
{
    static const uint32_t steps[] = {0x20000000, 0x50000000, 0x80000000, 0x90000000, 0xc0000000};
    uint64_t random = 7;
    uint32_t *word = words.data;
    for (uint32_t i = 0; i <= MOST; i++)
        word[i] = (uint32_t)next_random(&random);
    memcpy(limits.data, steps, sizeof steps);
}

static bool is_kept(uint32_t i)
{
    const uint32_t *word = words.data, *limit = limits.data;
    if ((word[i] & 3) == 0)
        return false;
    for (uint32_t k = 0; k < 5; k++)
        if (word[i] < limit[k])
            return (k & 1) != 0;
    return (i & 4) == 0;
}

static uint32_t bits_of(float value)
{
    uint32_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static void value_of(const hook_row *row, uint32_t i, uint32_t value[4])
{
    const uint32_t *word = words.data, w = word[i];
    const uint32_t n = row->components;
    if (row->type == VKR_TYPE_F32) {
        const float first = (float)(w & 0xffff) * 0.25f - (float)(w >> 16);
        const float second = (float)(i & 255);
        const float third = n == 3 ? 1.0f : -first;
        const float all[] = {first, second, third, -second};
        for (uint32_t c = 0; c < n; c++)
            value[c] = bits_of(all[c]);
    } else if (row->type == VKR_TYPE_I32) {
        const uint32_t half = (uint32_t)((int32_t)w / 2 - (int32_t)i);
        const uint32_t all[4][4] = {
            {half}, {w, 0 - i}, {half, i, 7}, {w, 0 - i, word[i + 1], 0 - (i + 1)}};
        memcpy(value, all[n - 1], sizeof all[0]);
    } else {
        const uint32_t all[4][4] = {{w ^ i}, {w, i * 3}, {w, i, w >> 3}, {w, i, ~i, w * 5}};
        memcpy(value, all[n - 1], sizeof all[0]);
    }
}

static void set_values(const hook_row *row)
{
    uint32_t *value = values.data, *word = bits.data;
    memset(bits.data, 0, bits.size);
    for (uint32_t i = 0; i < MOST; i++) {
        uint32_t all[4];
        value_of(row, i, all);
        memcpy(value + (size_t)i * row->components, all, 4 * row->components);
        word[i / 32] |= is_kept(i) ? 1u << i % 32 : 0;
    }
}

/* ---- Recordings ---- */

/* The module of a context, which all cases share. */
static VkrModule modules[LIMITS_COUNT];

static VkrModule open_module(VkrContext context)
{
    const VkrModuleInfo info = {
        .label = "hooks", .code = code, .codeSize = code_size, .setLayout = set.layout};
    VkrModule module = NULL;
    assert_true(harness_check(&h, vkrCreateModule(context, &info, &module), "vkrCreateModule"));
    return module;
}

static void run_case(limits_row row_of_limits, const hook_row *row, const hook_operation *operation,
                     uint32_t count, bool gpu_count)
{
    static const tuning_row built_in;
    const VkrContext context = get_context(&contexts, row_of_limits, &built_in);
    const VkrRecorder recorder = get_recorder(&contexts, row_of_limits, &built_in);
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    if (!modules[row_of_limits])
        modules[row_of_limits] = open_module(context);
    const VkrModule module = modules[row_of_limits];
    const VkrUse uses[] = {{.buffer = words.buffer, .size = words.size},
                           {.buffer = limits.buffer, .size = 20}};
    const VkrHook element = {module, row->name, set.set, 2, uses};
    const VkrHook flag = {module, "is_kept", set.set, 2, uses};
    const VkrMap map = {.hook = &element};
    hook_case plain = {.context = context,
                       .recorder = recorder,
                       .view = {.buffer = values.buffer,
                                .size = 4 * (VkDeviceSize)count * row->components,
                                .type = row->type,
                                .components = row->components},
                       .flags = {.format = VKR_FLAGS_BITS, .range = {bits.buffer, 0, bits.size}},
                       .count = count,
                       .plain = values.buffer,
                       .output = outputs.buffer};
    if (gpu_count)
        plain.gpu_count = (VkrGpuCount){numbers.buffer, 0, VKR_TYPE_U64};
    hook_case hooked = plain;
    hooked.view = (VkrView){.map = &map};
    hooked.flags = (VkrFlagView){.hook = &flag};
    hooked.at = HALF;
    *(uint64_t *)numbers.data = count * 2 / 3;
    memset(outputs.data, 0xcd, outputs.size);
    watch_limits(&limits_rows[row_of_limits]);
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&h, operation->add(&hooked), operation->name));
    assert_true(harness_check(&h, operation->add(&plain), operation->name));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
    vkrReset(recorder);
    assert_memory_not_equal(outputs.data, "\xcd\xcd\xcd\xcd\xcd\xcd\xcd\xcd", 8);
    if (memcmp(outputs.data, (const char *)outputs.data + HALF, HALF) != 0)
        fail_msg("%s of %s, %u elements%s: not as on a buffer", operation->name, row->name, count,
                 gpu_count ? ", fewer on the GPU" : "");
}

/* Every operation, with each type of result in turn. */
static void test_operations(void **state)
{
    static const uint32_t counts[] = {COUNT, 1, 4097, 33, 20000};
    static const limits_row rows[] = {LIMITS_DEVICE, LIMITS_SHARED_SMALL, LIMITS_DEVICE};
    (void)state;
    uint32_t n = 0;
    for (const hook_operation *o = hook_operations; o->name; o++)
        for (const hook_row *r = hook_rows; r->name; r++) {
            const uint32_t count = counts[n % ARRAY_SIZE(counts)];
            if (r->components > o->components || (o->floats && r->type != VKR_TYPE_F32))
                continue;
            if (harness_has_case(n)) {
                set_values(r);
                run_case(rows[n % ARRAY_SIZE(rows)], r, o,
                         o->grain > 1 ? count / o->grain * o->grain + o->grain : count,
                         o->gpu_counts && n % 4 == 3);
            }
            n++;
        }
    printf("# cases: %u\n", n);
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(h.validation_messages, 0);
}

/* Flags that a function returns are also written to the caller's buffer: 0 past the GPU's count. A
 * function reads what an earlier operation of the recording has written, and a later one overwrites
 * what it has read. */
static void test_order(void **state)
{
    static const tuning_row built_in;
    const VkrContext context = get_context(&contexts, LIMITS_DEVICE, &built_in);
    const VkrRecorder recorder = get_recorder(&contexts, LIMITS_DEVICE, &built_in);
    const VkrModule module = open_module(context);
    const VkrUse uses[] = {{.buffer = words.buffer, .size = words.size},
                           {.buffer = limits.buffer, .size = 20}};
    const VkrHook flag = {module, "is_kept", set.set, 2, uses};
    const VkrCountOutput kept = {VKR_COUNT_KEPT, outputs.buffer, HALF, 0};
    const VkrView view = {
        .buffer = words.buffer, .size = 4 * COUNT, .type = VKR_TYPE_U32, .components = 1};
    const VkrScanInfo scan = {
        .op = VKR_OP_SUM, .input = view, .output = view, .count = VKR_COUNT_ALL};
    const VkrCompactInfo compact = {
        .count = COUNT,
        .gpuCount = {numbers.buffer, 0, VKR_TYPE_U32},
        .predicate = {.kind = VKR_PREDICATE_FLAGS,
                      .flags = {.format = VKR_FLAGS_BITS,
                                .range = {outputs.buffer, 0, COUNT / 32 * 4 + 4},
                                .hook = &flag}},
        .countOutputCount = 1,
        .countOutputs = &kept};
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    uint32_t *word = words.data, number = 0, use_count = 0;
    (void)state;
    set_words();
    memset(outputs.data, 0xcd, outputs.size);
    *(uint32_t *)numbers.data = FEWER;
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&h, vkrCmdScan(recorder, &scan), "vkrCmdScan"));
    assert_true(harness_check(&h, vkrCmdCompact(recorder, &compact), "vkrCmdCompact"));
    assert_true(harness_check(&h, vkrCmdScan(recorder, &scan), "vkrCmdScan"));
    VkrUse listed[64];
    use_count = ARRAY_SIZE(listed);
    assert_int_equal(vkrGetUses(recorder, &use_count, listed), VKR_SUCCESS);
    bool has_limits_buffer = false;
    for (uint32_t i = 0; i < use_count; i++)
        has_limits_buffer =
            has_limits_buffer || (listed[i].buffer == limits.buffer && listed[i].size == 20 &&
                                  listed[i].access == VK_ACCESS_SHADER_READ_BIT);
    assert_true(has_limits_buffer);
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
    vkrReset(recorder);
    vkrDestroyModule(module);
    /* The prefixes of the first scan are what the function has seen. */
    set_words();
    for (uint32_t i = 1; i < COUNT; i++)
        word[i] += word[i - 1];
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint32_t stored = ((const uint32_t *)outputs.data)[i / 32] >> i % 32 & 1;
        assert_int_equal(stored, i < FEWER && is_kept(i));
        number += stored;
    }
    assert_int_equal(*(const uint32_t *)(const void *)((const char *)outputs.data + HALF), number);
    set_words();
    assert_int_equal(h.validation_messages, 0);
}

/* ---- Wrong arguments ---- */

static void test_wrong(void **state)
{
    static const tuning_row built_in;
    const VkrContext context = get_context(&contexts, LIMITS_DEVICE, &built_in);
    const VkrRecorder recorder = get_recorder(&contexts, LIMITS_DEVICE, &built_in);
    const VkrModule module = open_module(context);
    (void)state;
    hooks_check_wrong(&h, recorder, module, set.set, outputs.buffer);
    vkrDestroyModule(module);
}

static void test_lists(void **state)
{
    static const tuning_row built_in;
    const VkrModule module = open_module(get_context(&contexts, LIMITS_DEVICE, &built_in));
    VkrHookInfo infos[32];
    uint32_t count = 0, found = 0, loads = 0;
    (void)state;
    assert_int_equal(vkrGetModuleHooks(module, &count, NULL), VKR_SUCCESS);
    assert_int_equal(count, 15);
    assert_int_equal(vkrGetModuleHooks(module, &count, infos), VKR_SUCCESS);
    for (uint32_t i = 0; i < count; i++) {
        loads += strcmp(infos[i].name, "pair_of") == 0 && infos[i].kind == VKR_HOOK_KIND_LOAD &&
                 infos[i].components == 2;
        for (const hook_row *r = hook_rows; r->name; r++)
            found += strcmp(r->name, infos[i].name) == 0 && r->type == infos[i].type &&
                     r->components == infos[i].components;
    }
    assert_int_equal(found, 12);
    assert_int_equal(loads, 1);
    vkrDestroyModule(module);
    vkrDestroyModule(NULL);
}

/* ---- The program ---- */

static int open_all(void **state)
{
    (void)state;
    h.loader = limits_proc;
    device = device_abilities(&h);
    contexts.h = &h;
    code = hooks_read_code(folder, "hooks", &code_size);
    if (!code || !harness_create_buffer(&h, 4 * MOST + 4, &words) ||
        !harness_create_buffer(&h, 64, &limits) || !harness_create_buffer(&h, 16 * MOST, &values) ||
        !harness_create_buffer(&h, MOST / 8 + 64, &bits) ||
        !harness_create_buffer(&h, HOOKS_OUTPUT, &outputs) ||
        !harness_create_buffer(&h, 64, &numbers) ||
        !hooks_open_set(&h, (const VkBuffer[]){words.buffer, limits.buffer}, 2, &set))
        return -1;
    set_words();
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < LIMITS_COUNT; i++)
        vkrDestroyModule(modules[i]);
    close_contexts(&contexts);
    hooks_close_set(&h, &set);
    harness_destroy_buffer(&h, &words);
    harness_destroy_buffer(&h, &limits);
    harness_destroy_buffer(&h, &values);
    harness_destroy_buffer(&h, &bits);
    harness_destroy_buffer(&h, &outputs);
    harness_destroy_buffer(&h, &numbers);
    free(code);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_operations),
                                       cmocka_unit_test(test_order), cmocka_unit_test(test_wrong),
                                       cmocka_unit_test(test_lists)};
    folder = argc > 1 ? argv[1] : ".";
    return harness_run(&h, "hooks", tests, ARRAY_SIZE(tests), open_all, close_all);
}
