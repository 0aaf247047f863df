/* SPDX-License-Identifier: MIT */
/* Operations that use the counts of a compaction in the same command buffer, without a read-back: a
 * reduction, a dispatch of the application, and further compactions. */
#include <string.h>

#include "compact_case.h"
#include "program.h"

static const uint32_t consume_code[] =
#include "consume.inc"
    ;

#define CHAIN 30000u
#define CONSUMED 64u /* elements per workgroup of consume.comp */

/* ---- The application's pipeline ---- */

static void consume(VkCommandBuffer cmd, const program *consumer, VkBuffer arguments,
                    VkDeviceSize at)
{
    program_bind(cmd, consumer);
    vkCmdDispatchIndirect(cmd, arguments, at);
    program_to_host(cmd);
}

/* ---- Compact, reduce, dispatch ---- */

enum { COUNT_AT = 0, DISPATCH_AT = 4096, SUM_AT = 8192, RESULT_AT = 1 << 20 }; /* bytes */

static VkrView elements(const compact_test *t, int buffer, uint32_t first, uint32_t count)
{
    return (VkrView){.buffer = t->buffers[buffer].buffer.buffer,
                     .offset = 4 * (VkDeviceSize)first,
                     .size = 4 * (VkDeviceSize)count,
                     .type = VKR_TYPE_U32};
}

static VkrPredicate below(uint64_t bound)
{
    return (VkrPredicate){
        .kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_LESS, .a = {.u = bound}};
}

/* Records the sum of the kept elements, whose number the GPU has counted. */
static void collect_sum(compact_test *t, VkrRecorder recorder, uint32_t most)
{
    const VkrReduceInfo sum = {
        .ops = VKR_OP_SUM,
        .input = elements(t, COMPACT_OUTPUT, 0, most),
        .count = VKR_COUNT_ALL,
        .gpuCount = {.buffer = t->buffers[COMPACT_ARGUMENTS].buffer.buffer, .offset = COUNT_AT},
        .output = {t->buffers[COMPACT_ARGUMENTS].buffer.buffer, SUM_AT, 4},
    };
    assert_true(harness_check(&t->h, vkrCmdReduce(recorder, &sum), "vkrCmdReduce"));
}

static void run_chain(compact_test *t, limits_row limits, VkrCompactAlgorithm algorithm,
                      uint32_t bound)
{
    const tuning_row built_in = {0};
    VkrRecorder recorder = get_recorder(&t->contexts, limits, &built_in);
    const VkBuffer arguments = t->buffers[COMPACT_ARGUMENTS].buffer.buffer;
    const VkBuffer output = t->buffers[COMPACT_OUTPUT].buffer.buffer;
    const uint32_t *input = t->buffers[COMPACT_INPUT].buffer.data;
    const VkrCountOutput counts[] = {
        {.kind = VKR_COUNT_KEPT, .buffer = arguments, .offset = COUNT_AT},
        {.kind = VKR_COUNT_DISPATCH, .buffer = arguments, .offset = DISPATCH_AT, .scale = CONSUMED},
    };
    const VkrCompactInfo info = {.input = elements(t, COMPACT_INPUT, 0, CHAIN),
                                 .count = VKR_COUNT_ALL,
                                 .predicate = below(bound),
                                 .algorithm = algorithm,
                                 .kept = elements(t, COMPACT_OUTPUT, 0, CHAIN),
                                 .countOutputCount = 2,
                                 .countOutputs = counts};
    const VkrEndInfo end = {.commandBuffer = t->h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT |
                                              VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                            .consumerAccess =
                                VK_ACCESS_INDIRECT_COMMAND_READ_BIT | VK_ACCESS_SHADER_READ_BIT};
    program consumer;
    const VkDescriptorBufferInfo buffers[] = {
        {output, 0, 4 * CHAIN}, {arguments, COUNT_AT, 4}, {output, RESULT_AT, 4 * CHAIN}};
    program_open(t->h.device, buffers, ARRAY_SIZE(buffers), &consumer);
    program_use(t->h.device, &consumer, consume_code, sizeof(consume_code), 0);
    memset(t->buffers[COMPACT_ARGUMENTS].buffer.data, 0xaa, SUM_AT + 4);
    memset(t->buffers[COMPACT_OUTPUT].buffer.data, 0xaa, RESULT_AT + 4 * CHAIN + 4);
    assert_true(harness_check(&t->h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&t->h, vkrCmdCompact(recorder, &info), "vkrCmdCompact"));
    collect_sum(t, recorder, CHAIN);
    assert_true(harness_begin(&t->h));
    assert_true(harness_check(&t->h, vkrEnd(recorder, &end), "vkrEnd"));
    consume(t->h.cmd, &consumer, arguments, DISPATCH_AT);
    assert_true(harness_end(&t->h));
    assert_true(harness_submit(&t->h));
    assert_true(harness_check(&t->h, vkrReset(recorder), "vkrReset"));
    program_close(t->h.device, &consumer);

    const unsigned char *written = t->buffers[COMPACT_ARGUMENTS].buffer.data;
    const uint32_t *kept = t->buffers[COMPACT_OUTPUT].buffer.data, *result = kept + RESULT_AT / 4;
    uint32_t found = 0, sum = 0;
    for (uint32_t i = 0; i < CHAIN; i++) {
        if (input[i] >= bound)
            continue;
        assert_int_equal(kept[found], input[i]);
        assert_int_equal(result[found], 2 * input[i] + 1);
        sum += input[i];
        found++;
    }
    assert_int_equal(result[found], 0xaaaaaaaa);
    assert_memory_equal(written + COUNT_AT, &found, 4);
    assert_memory_equal(written + SUM_AT, &sum, 4);
    t->oracle_cases += 4;
}

void test_chain(void **state)
{
    compact_test *t = *state;
    uint32_t *input = t->buffers[COMPACT_INPUT].buffer.data;
    for (uint32_t i = 0; i < CHAIN; i++)
        input[i] = random_below(&t->random, 1000);
    for (uint32_t bound = 0; bound <= 1000; bound += 250)
        run_chain(t, LIMITS_DEVICE, VKR_COMPACT_SINGLE_PASS, bound);
    /* More workgroups than dimension 0 allows, and more than one window. */
    for (uint32_t bound = 0; bound <= 1000; bound += 250)
        run_chain(t, LIMITS_SMALL, VKR_COMPACT_AUTO, bound);
}

/* ---- Three compactions in a row ---- */

#define INPUTS 3u
#define ALREADY 5u

static void run_appended(compact_test *t, VkrCompactAlgorithm algorithm)
{
    const tuning_row built_in = {0};
    VkrRecorder recorder = get_recorder(&t->contexts, LIMITS_DEVICE, &built_in);
    const VkBuffer arguments = t->buffers[COMPACT_ARGUMENTS].buffer.buffer;
    const VkrCountOutput count = {.kind = VKR_COUNT_KEPT, .buffer = arguments, .offset = COUNT_AT};
    const uint32_t already = ALREADY, *input = t->buffers[COMPACT_INPUT].buffer.data;
    memset(t->buffers[COMPACT_OUTPUT].buffer.data, 0, 4 * INPUTS * CHAIN);
    memcpy(t->buffers[COMPACT_ARGUMENTS].buffer.data, &already, 4);
    assert_true(harness_check(&t->h, vkrBegin(recorder), "vkrBegin"));
    for (uint32_t k = 0; k < INPUTS; k++) {
        const VkrCompactInfo info = {.input = elements(t, COMPACT_INPUT, k * CHAIN, CHAIN),
                                     .count = CHAIN - k * 1000,
                                     .predicate = below(200 + 300 * k),
                                     .algorithm = algorithm,
                                     .kept = elements(t, COMPACT_OUTPUT, 0, INPUTS * CHAIN),
                                     .append = {.buffer = arguments, .offset = COUNT_AT},
                                     .countOutputCount = 1,
                                     .countOutputs = &count};
        assert_true(harness_check(&t->h, vkrCmdCompact(recorder, &info), "vkrCmdCompact"));
    }
    collect_sum(t, recorder, INPUTS * CHAIN);
    assert_true(harness_begin(&t->h));
    end_compact(t, recorder, LIMITS_DEVICE, (VkrBufferRange){0});
    assert_true(harness_end(&t->h));
    assert_true(harness_submit(&t->h));
    assert_true(harness_check(&t->h, vkrReset(recorder), "vkrReset"));

    const unsigned char *written = t->buffers[COMPACT_ARGUMENTS].buffer.data;
    const uint32_t *kept = t->buffers[COMPACT_OUTPUT].buffer.data;
    uint32_t found = ALREADY, sum = 0;
    for (uint32_t i = 0; i < INPUTS * CHAIN; i++) {
        const uint32_t k = i / CHAIN;
        if (i % CHAIN >= CHAIN - k * 1000 || input[i] >= 200 + 300 * k)
            continue;
        assert_int_equal(kept[found++], input[i]);
        sum += input[i];
    }
    assert_int_equal(kept[0], 0);
    assert_int_equal(kept[found], 0);
    assert_memory_equal(written + COUNT_AT, &found, 4);
    assert_memory_equal(written + SUM_AT, &sum, 4);
    t->oracle_cases += 5;
}

void test_appended(void **state)
{
    compact_test *t = *state;
    uint32_t *input = t->buffers[COMPACT_INPUT].buffer.data;
    for (uint32_t i = 0; i < INPUTS * CHAIN; i++)
        input[i] = random_below(&t->random, 1000);
    run_appended(t, VKR_COMPACT_SINGLE_PASS);
    if (!t->thin)
        run_appended(t, VKR_COMPACT_SCAN_SCATTER);
}
