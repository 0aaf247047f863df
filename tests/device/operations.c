/* SPDX-License-Identifier: MIT */
/*
 * The operations of the table in support/operations.c against plain scalar code: each in a
 * recording of its own, and all of them in one, which is submitted again with other data; on the
 * device as it is, and with small limits and tuning.
 */
#include <string.h>

#include "operations.h"
#include "reduce_case.h"

#define COUNT 8000u
#define SLOT (32u << 10)
#define TARGET (OPERATION_SLOTS * SLOT) /* bytes of an operation's outputs */
#define SUBMITS 3u

static harness h;
static test_contexts contexts = {.h = &h};
static harness_buffer source, others, targets[64];
static uint32_t checks;

static void fill(const operation_run *run, uint32_t seed)
{
    operation_fill(run, seed, source.data, others.data);
    for (uint32_t i = 0; i < operation_row_count; i++)
        memset(targets[i].data, 0xa5, TARGET);
}

static void collect(const operation_run *run, uint32_t index)
{
    const operation_row *row = &operation_rows[index];
    operation_run here = *run;
    if (!operation_serves(run, row))
        return;
    here.target = targets[index].buffer;
    assert_true(harness_check(&h, row->kind->collect(&here, row), row->kind->call));
}

static void check(const operation_run *run, uint32_t index)
{
    const operation_row *row = &operation_rows[index];
    const operation_data data = {source.data, others.data, targets[index].data};
    const char *wrong = operation_serves(run, row) ? row->kind->check(run, row, &data) : NULL;
    if (wrong)
        fail_msg("%s: %s is wrong", row->name, wrong);
    checks++;
}

static void end(const operation_run *run)
{
    const VkrEndInfo info = {.commandBuffer = h.cmd,
                             .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                             .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrEnd(run->recorder, &info), "vkrEnd"));
    assert_true(harness_end(&h));
}

static void run_alone(const operation_run *run, uint32_t index)
{
    fill(run, index);
    assert_true(harness_check(&h, vkrBegin(run->recorder), "vkrBegin"));
    collect(run, index);
    end(run);
    assert_true(harness_submit(&h));
    check(run, index);
    vkrReset(run->recorder);
}

static void run_together(const operation_run *run)
{
    assert_true(harness_check(&h, vkrBegin(run->recorder), "vkrBegin"));
    for (uint32_t i = 0; i < operation_row_count; i++)
        collect(run, i);
    end(run);
    for (uint32_t seed = 0; seed < SUBMITS; seed++) {
        fill(run, 100 + seed);
        assert_true(harness_submit(&h));
        for (uint32_t i = 0; i < operation_row_count; i++)
            check(run, i);
    }
    vkrReset(run->recorder);
}

static void run_all(limits_row limits, const tuning_row *tuning)
{
    const VkrModuleInfo module = {.code = operation_code, .codeSize = operation_code_size};
    operation_run run = {.type = VKR_TYPE_U32,
                         .count = COUNT,
                         .slot = SLOT,
                         .source = source.buffer,
                         .others = others.buffer};
    run.context = get_context(&contexts, limits, tuning);
    run.recorder = get_recorder(&contexts, limits, tuning);
    assert_non_null(run.recorder);
    assert_true(
        harness_check(&h, vkrCreateModule(run.context, &module, &run.module), "vkrCreateModule"));
    for (uint32_t i = 0; i < operation_row_count; i++)
        if (harness_has_case(i))
            run_alone(&run, i);
    run_together(&run);
    vkrDestroyModule(run.module);
    print_message("# %u checks\n", checks);
    assert_int_equal(h.validation_messages, 0);
}

static void test_device(void **state)
{
    (void)state;
    run_all(LIMITS_DEVICE, &(tuning_row){0});
}

static void test_small(void **state)
{
    (void)state;
    run_all(LIMITS_SHARED_SMALL, &(tuning_row){.geometry = 3, .path = VKR_LOAD_VEC4});
}

static int open_all(void **state)
{
    (void)state;
    assert_true(operation_row_count <= ARRAY_SIZE(targets));
    bool good = harness_create_buffer(&h, 4 * COUNT, &source) &&
                harness_create_buffer(&h, OPERATION_OTHERS, &others);
    for (uint32_t i = 0; i < operation_row_count; i++)
        good = good && harness_create_buffer(&h, TARGET, &targets[i]);
    return good ? 0 : -1;
}

static int close_all(void **state)
{
    (void)state;
    close_contexts(&contexts);
    harness_destroy_buffer(&h, &source);
    harness_destroy_buffer(&h, &others);
    for (uint32_t i = 0; i < operation_row_count; i++)
        harness_destroy_buffer(&h, &targets[i]);
    return 0;
}

HARNESS_MAIN(h, "operations", open_all, close_all, cmocka_unit_test(test_device),
             cmocka_unit_test(test_small))
