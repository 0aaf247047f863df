/* SPDX-License-Identifier: MIT */
/*
 * A recording is submitted several times, with and without a consumer, and with scratch memory of
 * the caller. In between, the recorder is reset and records the same again, or records something
 * that is never submitted. Counters that dispatches reset to zero must be zero each time.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "harness.h"

#define COUNT 70001u
#define BOUND 300u
#define SUM_AT 0u
#define COUNT_AT 64u
#define KEPT_SUM_AT 128u
#define SCAN_AT 256u
#define KEPT_AT (SCAN_AT + 4 * COUNT / 256 * 256 + 256)
#define SIZE (KEPT_AT + 4 * COUNT)
#define SCRATCH (1u << 20)

static harness h;
static VkrContext context;
static VkrRecorder recorder;
static harness_buffer input, output, scratch;
static uint32_t checks;

static VkrView view_of(const harness_buffer *buffer, VkDeviceSize offset)
{
    return (VkrView){
        .buffer = buffer->buffer, .offset = offset, .size = 4 * COUNT, .type = VKR_TYPE_U32};
}

/* Records the sum, all prefixes, the elements below a bound, and the sum of these. */
static void collect(void)
{
    const VkrCountOutput count = {
        .kind = VKR_COUNT_KEPT, .buffer = output.buffer, .offset = COUNT_AT};
    VkrReduceInfo sum = {.ops = VKR_OP_SUM,
                         .input = view_of(&input, 0),
                         .count = VKR_COUNT_ALL,
                         .output = {output.buffer, SUM_AT, 4},
                         .algorithm = VKR_REDUCE_SINGLE};
    const VkrScanInfo scan = {.op = VKR_OP_SUM,
                              .input = view_of(&input, 0),
                              .output = view_of(&output, SCAN_AT),
                              .count = VKR_COUNT_ALL,
                              .algorithm = VKR_SCAN_REDUCE_THEN_SCAN};
    const VkrCompactInfo compact = {.input = view_of(&input, 0),
                                    .count = VKR_COUNT_ALL,
                                    .predicate = {.kind = VKR_PREDICATE_COMPARE,
                                                  .compare = VKR_COMPARE_LESS,
                                                  .a = {.u = BOUND}},
                                    .algorithm = VKR_COMPACT_SCAN_SCATTER,
                                    .kept = view_of(&output, KEPT_AT),
                                    .countOutputCount = 1,
                                    .countOutputs = &count};
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&h, vkrCmdReduce(recorder, &sum), "vkrCmdReduce"));
    assert_true(harness_check(&h, vkrCmdScan(recorder, &scan), "vkrCmdScan"));
    assert_true(harness_check(&h, vkrCmdCompact(recorder, &compact), "vkrCmdCompact"));
    sum.input = compact.kept;
    sum.gpuCount = (VkrGpuCount){output.buffer, COUNT_AT, VKR_TYPE_U32};
    sum.output.offset = KEPT_SUM_AT;
    assert_true(harness_check(&h, vkrCmdReduce(recorder, &sum), "vkrCmdReduce"));
}

/* Makes the outputs of a recording without a consumer visible to the host. */
static void make_visible(VkCommandBuffer cmd)
{
    const VkMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_SHADER_WRITE_BIT,
                                     .dstAccessMask = VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_PIPELINE_STAGE_HOST_BIT, 0,
                         1, &barrier, 0, NULL, 0, NULL);
}

static void record(bool consumed, bool callers)
{
    VkrEndInfo end = {.commandBuffer = h.cmd};
    if (consumed) {
        end.consumerStages = VK_PIPELINE_STAGE_HOST_BIT;
        end.consumerAccess = VK_ACCESS_HOST_READ_BIT;
    }
    if (callers)
        end.scratch = (VkrBufferRange){scratch.buffer, 0, SCRATCH};
    collect();
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    if (!consumed)
        make_visible(h.cmd);
    assert_true(harness_end(&h));
}

static void fill_input(uint32_t seed)
{
    uint32_t *words = input.data;
    for (uint32_t i = 0; i < COUNT; i++)
        words[i] = (i * 2654435761u + seed * 977u) >> 8 & 1023;
    memset(output.data, 0xcd, output.size);
}

static void check(void)
{
    const uint32_t *words = input.data;
    const uint32_t *scanned = (const uint32_t *)((const char *)output.data + SCAN_AT);
    const uint32_t *kept = (const uint32_t *)((const char *)output.data + KEPT_AT);
    uint32_t sum = 0, found = 0, kept_sum = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        sum += words[i];
        assert_int_equal(scanned[i], sum);
        if (words[i] >= BOUND)
            continue;
        assert_int_equal(kept[found++], words[i]);
        kept_sum += words[i];
    }
    assert_memory_equal((char *)output.data + SUM_AT, &sum, 4);
    assert_memory_equal((char *)output.data + COUNT_AT, &found, 4);
    assert_memory_equal((char *)output.data + KEPT_SUM_AT, &kept_sum, 4);
    checks++;
}

static void submit_and_check(uint32_t seed)
{
    fill_input(seed);
    assert_true(harness_submit(&h));
    check();
}

static void reset(void)
{
    assert_true(harness_check(&h, vkrReset(recorder), "vkrReset"));
}

static void run(bool consumed, bool callers)
{
    for (uint32_t turn = 0; turn < 3; turn++) {
        record(consumed, callers);
        for (uint32_t k = 0; k < 4; k++)
            submit_and_check(turn + 10 * k);
        reset();
        record(consumed, callers); /* never submitted */
        reset();
    }
}

static void test_consumed(void **state)
{
    (void)state;
    run(true, false);
}

static void test_unconsumed(void **state)
{
    (void)state;
    run(false, false);
    run(true, false); /* the recorder's counters are still zero */
}

static void test_callers(void **state)
{
    (void)state;
    run(true, true);
    run(true, false);
}

/* If the recorder is not reset between two recordings, each has its own counters. */
static void test_two(void **state)
{
    (void)state;
    record(true, false);
    submit_and_check(1);
    record(true, false);
    submit_and_check(2);
    submit_and_check(3);
    reset();
}

/* Several executions in one submit, ordered only by the barrier that the recording has, if any, for
 * its consumer, or at its start. */
static void run_together(VkPipelineStageFlags stages, VkAccessFlags access)
{
    const VkCommandBufferAllocateInfo one = {.sType =
                                                 VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                             .commandPool = h.pool,
                                             .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                             .commandBufferCount = 1};
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                            .flags = VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT};
    VkrEndInfo end = {.consumerStages = stages, .consumerAccess = access};
    assert_int_equal(vkAllocateCommandBuffers(h.device, &one, &end.commandBuffer), VK_SUCCESS);
    collect();
    assert_int_equal(vkBeginCommandBuffer(end.commandBuffer, &begin), VK_SUCCESS);
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    if (stages == 0)
        make_visible(end.commandBuffer);
    assert_int_equal(vkEndCommandBuffer(end.commandBuffer), VK_SUCCESS);
    const VkCommandBuffer thrice[] = {end.commandBuffer, end.commandBuffer, end.commandBuffer};
    const VkSubmitInfo submit = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 3, .pCommandBuffers = thrice};
    for (uint32_t k = 0; k < 8; k++) {
        fill_input(k);
        assert_int_equal(vkQueueSubmit(h.queue, 1, &submit, VK_NULL_HANDLE), VK_SUCCESS);
        assert_int_equal(vkQueueWaitIdle(h.queue), VK_SUCCESS);
        check();
    }
    vkFreeCommandBuffers(h.device, h.pool, 1, &end.commandBuffer);
    reset();
}

static void test_together(void **state)
{
    (void)state;
    run_together(VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                 VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_HOST_READ_BIT);
    run_together(0, 0);
}

static void test_messages(void **state)
{
    (void)state;
    print_message("# %u checks\n", checks);
    assert_int_equal(h.validation_messages, 0);
}

static int open_all(void **state)
{
    const VkrRecorderInfo info = {0};
    (void)state;
    if (!harness_context(&h, NULL, &context) || !harness_create_buffer(&h, 4 * COUNT, &input) ||
        !harness_create_buffer(&h, SIZE, &output) || !harness_create_buffer(&h, SCRATCH, &scratch))
        return 1;
    return !harness_check(&h, vkrCreateRecorder(context, &info, &recorder), "vkrCreateRecorder");
}

static int close_all(void **state)
{
    (void)state;
    vkrDestroyRecorder(recorder);
    vkrDestroyContext(context);
    harness_destroy_buffer(&h, &input);
    harness_destroy_buffer(&h, &output);
    harness_destroy_buffer(&h, &scratch);
    return 0;
}

HARNESS_MAIN(h, "resubmit", open_all, close_all, cmocka_unit_test(test_consumed),
             cmocka_unit_test(test_unconsumed), cmocka_unit_test(test_callers),
             cmocka_unit_test(test_two), cmocka_unit_test(test_together),
             cmocka_unit_test(test_messages))
