/* SPDX-License-Identifier: MIT */
/*
 * A driver gives bit for bit the same results for modules as they were built and for those that the
 * library has rewritten: a sum of floats, all prefix sums, and the elements below a bound.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "harness.h"

#define COUNT 70001u
#define SUM_AT 0u
#define COUNT_AT 64u
#define SCAN_AT 256u
#define KEPT_AT (SCAN_AT + 4 * COUNT / 256 * 256 + 256)
#define SIZE (KEPT_AT + 4 * COUNT)

static harness h;
static harness_buffer input, output;

static VkrView view_of(const harness_buffer *buffer, VkDeviceSize offset)
{
    return (VkrView){
        .buffer = buffer->buffer, .offset = offset, .size = 4 * COUNT, .type = VKR_TYPE_F32};
}

static void collect(VkrRecorder recorder)
{
    const VkrCountOutput count = {
        .kind = VKR_COUNT_KEPT, .buffer = output.buffer, .offset = COUNT_AT};
    const VkrReduceInfo sum = {.ops = VKR_OP_SUM | VKR_OP_SUMSQ | VKR_OP_ARGMAX,
                               .input = view_of(&input, 0),
                               .count = VKR_COUNT_ALL,
                               .output = {output.buffer, SUM_AT, 64},
                               .determinism = VKR_DETERMINISM_DEVICE};
    const VkrScanInfo scan = {.op = VKR_OP_SUM,
                              .input = view_of(&input, 0),
                              .output = view_of(&output, SCAN_AT),
                              .count = VKR_COUNT_ALL,
                              .algorithm = VKR_SCAN_REDUCE_THEN_SCAN};
    const VkrCompactInfo compact = {
        .input = view_of(&input, 0),
        .count = VKR_COUNT_ALL,
        .predicate = {.kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_LESS, .a = {.f = 0.25}},
        .kept = view_of(&output, KEPT_AT),
        .countOutputCount = 1,
        .countOutputs = &count};
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&h, vkrCmdReduce(recorder, &sum), "vkrCmdReduce"));
    assert_true(harness_check(&h, vkrCmdScan(recorder, &scan), "vkrCmdScan"));
    assert_true(harness_check(&h, vkrCmdCompact(recorder, &compact), "vkrCmdCompact"));
}

static void run(const VkrLimits *limits, bool as_built, void *results)
{
    const VkrRecorderInfo info = {0};
    const VkrEndInfo end = {.commandBuffer = h.cmd};
    VkrContext context;
    VkrRecorder recorder;
    h.hooks.modulesAsBuilt = as_built;
    memset(output.data, 0, SIZE);
    assert_true(harness_context(&h, limits, &context));
    assert_true(harness_check(&h, vkrCreateRecorder(context, &info, &recorder), "create"));
    collect(recorder);
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h) && harness_submit(&h));
    memcpy(results, output.data, SIZE);
    vkrDestroyRecorder(recorder);
    vkrDestroyContext(context);
}

static void test_same(void **state)
{
    (void)state;
    static const VkrLimits rows[] = {{0}, {.groupPath = VKR_GROUP_PATH_SHARED}};
    char *rewritten = malloc(SIZE), *as_built = malloc(SIZE);
    assert_true(rewritten != NULL && as_built != NULL);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        run(&rows[i], false, rewritten);
        run(&rows[i], true, as_built);
        uint32_t kept;
        memcpy(&kept, rewritten + COUNT_AT, sizeof kept);
        assert_true(kept > COUNT / 5 && kept < COUNT / 3);
        assert_memory_equal(rewritten, as_built, KEPT_AT + 4 * kept);
    }
    free(as_built);
    free(rewritten);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_same)};
    uint32_t random = 1;
    int result = harness_open(&h);
    if (result != 0)
        return result;
    if (!harness_create_buffer(&h, 4 * COUNT, &input) || !harness_create_buffer(&h, SIZE, &output))
        return 1;
    for (uint32_t i = 0; i < COUNT; i++) {
        random = random * 1664525u + 1013904223u;
        ((float *)input.data)[i] = (float)(random >> 8) / 16777216.0f;
    }
    result = cmocka_run_group_tests(tests, NULL, NULL);
    harness_destroy_buffer(&h, &output);
    harness_destroy_buffer(&h, &input);
    harness_close(&h);
    return result;
}
