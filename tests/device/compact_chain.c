/* SPDX-License-Identifier: MIT */
/* Operations that use the counts of a compaction in the same command buffer, without a read-back: a
 * reduction, a dispatch of the application, and further compactions. */
#include "compact_request.h"

#include <string.h>

#include "program.h"

static const uint32_t consume_code[] =
#include "consume.inc"
    ;

#define CHAIN 30000u /* elements of a compaction */
#define CONSUMED 64u /* elements per workgroup of consume.comp */
#define ALREADY 5u   /* what the outputs of compactions that append have before them */
#define INPUTS 3u    /* of these compactions */
#define UNSET 0xaaaaaaaau

enum { COUNT_AT = 0, DISPATCH_AT = 4096, SUM_AT = 8192, RESULT_AT = 1 << 20 }; /* bytes */

/* Counts and the sum are in one buffer, all elements that are written in another. */
static const arena *const numbers = &rig.scratch;

static VkrView elements(const arena *a, uint32_t first, uint32_t count)
{
    return (VkrView){.buffer = a->buffer.buffer,
                     .offset = 4 * (VkDeviceSize)first,
                     .size = 4 * (VkDeviceSize)count,
                     .type = VKR_TYPE_U32};
}

static VkrCompactInfo below(uint64_t bound, VkrCompactAlgorithm algorithm, uint32_t most)
{
    return (VkrCompactInfo){.input = elements(&rig.given, 0, CHAIN),
                            .count = VKR_COUNT_ALL,
                            .predicate = {.kind = VKR_PREDICATE_COMPARE,
                                          .compare = VKR_COMPARE_LESS,
                                          .a = {.u = bound}},
                            .algorithm = algorithm,
                            .kept = elements(&rig.written, 0, most)};
}

static void fill(void)
{
    uint32_t *input = rig.given.buffer.data;
    uint64_t random = environment("VKR_TEST_SEED", 1);
    for (uint32_t i = 0; i < INPUTS * CHAIN; i++)
        input[i] = random_below(&random, 1000);
    memset(numbers->buffer.data, 0xaa, SUM_AT + 8);
    memset(rig.written.buffer.data, 0xaa, RESULT_AT + 4 * CHAIN + 4);
}

/* Records the sum of the kept elements, whose number the GPU has counted. */
static void collect_sum(VkrRecorder recorder, uint32_t most)
{
    const VkrReduceInfo sum = {
        .ops = VKR_OP_SUM,
        .input = elements(&rig.written, 0, most),
        .count = VKR_COUNT_ALL,
        .gpuCount = {.buffer = numbers->buffer.buffer, .offset = COUNT_AT},
        .output = {numbers->buffer.buffer, SUM_AT, 4},
    };
    assert_true(harness_check(&rig.h, vkrCmdReduce(recorder, &sum), "vkrCmdReduce"));
}

static void check_numbers(uint32_t count, uint32_t sum)
{
    const uint32_t *written = numbers->buffer.data;
    assert_int_equal(written[COUNT_AT / 4], count);
    assert_int_equal(written[SUM_AT / 4], sum);
    assert_int_equal(written[SUM_AT / 4 + 1], UNSET);
    rig.cases += 4;
}

/* ---- Compact, reduce, dispatch ---- */

static void run_chain(limits_row limits, VkrCompactAlgorithm algorithm, uint32_t bound)
{
    const tuning_row built_in = {0};
    VkrRecorder recorder = get_recorder(&rig.contexts, limits, &built_in);
    const VkrCountOutput counts[] = {
        {.kind = VKR_COUNT_KEPT, .buffer = numbers->buffer.buffer, .offset = COUNT_AT},
        {.kind = VKR_COUNT_DISPATCH,
         .buffer = numbers->buffer.buffer,
         .offset = DISPATCH_AT,
         .scale = CONSUMED},
    };
    VkrCompactInfo info = below(bound, algorithm, CHAIN);
    info.countOutputCount = ARRAY_SIZE(counts);
    info.countOutputs = counts;
    const VkrEndInfo end = {.commandBuffer = rig.h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
                                              VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                            .consumerAccess =
                                VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_SHADER_READ_BIT};
    program consumer;
    const VkDescriptorBufferInfo buffers[] = {{rig.written.buffer.buffer, 0, 4 * CHAIN},
                                              {numbers->buffer.buffer, COUNT_AT, 4},
                                              {rig.written.buffer.buffer, RESULT_AT, 4 * CHAIN}};
    program_open(rig.h.device, buffers, ARRAY_SIZE(buffers), &consumer);
    program_use(rig.h.device, &consumer, consume_code, sizeof(consume_code), 0);
    fill();
    assert_true(harness_check(&rig.h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&rig.h, vkrCmdCompact(recorder, &info), "vkrCmdCompact"));
    collect_sum(recorder, CHAIN);
    assert_true(harness_begin(&rig.h));
    assert_true(harness_check(&rig.h, vkrEnd(recorder, &end), "vkrEnd"));
    program_bind(rig.h.cmd, &consumer);
    vkCmdDispatchIndirect(rig.h.cmd, numbers->buffer.buffer, DISPATCH_AT);
    program_to_host(rig.h.cmd);
    assert_true(harness_end(&rig.h) && harness_submit(&rig.h));
    assert_true(harness_check(&rig.h, vkrReset(recorder), "vkrReset"));
    program_close(rig.h.device, &consumer);

    const uint32_t *input = rig.given.buffer.data, *kept = rig.written.buffer.data;
    const uint32_t *result = kept + RESULT_AT / 4;
    uint32_t found = 0, sum = 0;
    for (uint32_t i = 0; i < CHAIN; i++) {
        if (input[i] >= bound)
            continue;
        assert_int_equal(kept[found], input[i]);
        assert_int_equal(result[found++], 2 * input[i] + 1);
        sum += input[i];
    }
    assert_int_equal(result[found], UNSET);
    check_numbers(found, sum);
}

void test_chain(void **state)
{
    (void)state;
    for (uint32_t bound = 0; bound <= 1000; bound += 250)
        run_chain(LIMITS_DEVICE, VKR_COMPACT_SINGLE_PASS, bound);
    /* More workgroups than dimension 0 allows, and more than one window. */
    for (uint32_t bound = 0; bound <= 1000; bound += 250)
        run_chain(LIMITS_SMALL, VKR_COMPACT_AUTO, bound);
}

/* ---- Three compactions in a row ---- */

static void run_appended(VkrCompactAlgorithm algorithm)
{
    const tuning_row built_in = {0};
    VkrRecorder recorder = get_recorder(&rig.contexts, LIMITS_DEVICE, &built_in);
    const VkrCountOutput count = {
        .kind = VKR_COUNT_KEPT, .buffer = numbers->buffer.buffer, .offset = COUNT_AT};
    fill();
    *(uint32_t *)numbers->buffer.data = ALREADY;
    test_begin(recorder);
    for (uint32_t k = 0; k < INPUTS; k++) {
        VkrCompactInfo info = below(200 + 300 * k, algorithm, INPUTS * CHAIN);
        info.input = elements(&rig.given, k * CHAIN, CHAIN);
        info.count = CHAIN - k * 1000;
        info.append = (VkrGpuCount){.buffer = numbers->buffer.buffer, .offset = COUNT_AT};
        info.countOutputCount = 1;
        info.countOutputs = &count;
        assert_true(harness_check(&rig.h, vkrCmdCompact(recorder, &info), "vkrCmdCompact"));
    }
    collect_sum(recorder, INPUTS * CHAIN);
    test_submit(recorder);

    const uint32_t *input = rig.given.buffer.data, *kept = rig.written.buffer.data;
    uint32_t found = ALREADY, sum = 0;
    for (uint32_t i = 0; i < ALREADY; i++) {
        assert_int_equal(kept[i], UNSET);
        sum += UNSET;
    }
    for (uint32_t i = 0; i < INPUTS * CHAIN; i++) {
        const uint32_t k = i / CHAIN;
        if (i % CHAIN >= CHAIN - k * 1000 || input[i] >= 200 + 300 * k)
            continue;
        assert_int_equal(kept[found++], input[i]);
        sum += input[i];
    }
    assert_int_equal(kept[found], UNSET);
    check_numbers(found, sum);
}

void test_appended(void **state)
{
    (void)state;
    run_appended(VKR_COMPACT_SINGLE_PASS);
    if (!test_is_thin())
        run_appended(VKR_COMPACT_SCAN_SCATTER);
}
