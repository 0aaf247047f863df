/* SPDX-License-Identifier: MIT */
/* VkrRecorderInfo, VkrEndInfo, calls with NULL, calls out of order, and calls after a mistake. */
#include "refusals.h"

#include <stdio.h>

#include "vkreduce/testing.h"

/* ---- VkrRecorderInfo and VkrEndInfo ---- */

EXTERN_TEST(refuse_recorders)
{
    trace_open(&(trace_device){0});
    const VkrRecorderInfo info = {.scratchChunkSize = (uint64_t)1 << 63};
    VkrRecorder recorder = HANDLE(VkrRecorder);
    assert_said(vkrCreateRecorder(fixture.context, &info, &recorder), VKR_ERROR_INVALID_ARGUMENT,
                "vkrCreateRecorder: scratchChunkSize is 9223372036854775808, but must be at most "
                "2^63 - 1.");
    assert_null(recorder);
    trace_close();
}

static const struct {
    VkrEndInfo info;
    VkrResult result;
    const char *sentence;
} end_rows[] = {
    {{0},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: commandBuffer is VK_NULL_HANDLE, but must be a command buffer in the recording "
     "state."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .flags = 3},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: flags is VKR_END_NO_COMPILE_BIT | 0x2, but must have only bits of VkrEndFlagBits."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .flags = VKR_END_NO_COMPILE_BIT},
     VKR_ERROR_NOT_PREPARED,
     "vkrEnd: flags has VKR_END_NO_COMPILE_BIT, but a pipeline of reduce_f32_arithmetic is not "
     "compiled; call vkrPrepare first."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .consumerAccess = VK_ACCESS_SHADER_READ_BIT},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: consumerStages is 0, but must name the stages of consumerAccess "
     "VK_ACCESS_SHADER_READ_BIT."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .scratch = {BUFFER('S'), 32, 4096}},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: scratch.offset is 32, but must be a multiple of the context's granule, 64."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .scratch = {BUFFER('S'), 0, 127}},
     VKR_ERROR_SCRATCH_TOO_SMALL,
     "vkrEnd: scratch.size is 127, but the recording needs 128 bytes."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .scratch = {BUFFER('S'), 0, VK_WHOLE_SIZE}},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: scratch.size is 18446744073709551615, but must be a number of bytes inside the "
     "buffer, and scratch.offset is 0."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .scratch = {BUFFER('S'), UINT64_MAX - 63, 128}},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: scratch.size is 128, but must be a number of bytes inside the buffer, and "
     "scratch.offset is 18446744073709551552."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .scratch = {BUFFER('O'), 0, 128}},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: scratch (128 bytes from offset 0) overlaps a range that the recording reads or "
     "writes, but must be used by nothing else."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .scratch = {BUFFER('A'), 8192, 128}},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: scratch (128 bytes from offset 8192) overlaps a range that the recording reads or "
     "writes, but must be used by nothing else."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .queryCount = 2},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: timestamps is VK_NULL_HANDLE, but must be a query pool, because queryCount is 2."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .timestamps = HANDLE(VkQueryPool)},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: queryCount is 0, but must be at least 2: 1 more than the recording has operations."},
    {{.commandBuffer = HANDLE(VkCommandBuffer), .timestamps = HANDLE(VkQueryPool), .queryCount = 1},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: queryCount is 1, but must be at least 2: 1 more than the recording has operations."},
    {{.commandBuffer = HANDLE(VkCommandBuffer),
      .timestamps = HANDLE(VkQueryPool),
      .firstQuery = UINT32_MAX - 1,
      .queryCount = 2},
     VKR_ERROR_INVALID_ARGUMENT,
     "vkrEnd: firstQuery is 4294967294, but must be the first of queryCount, 2, queries of a "
     "pool."},
};

/* An operation with one counter and some partials. */
static VkrReduceInfo two_groups(void)
{
    VkrReduceInfo info = plain_reduce();
    info.algorithm = VKR_REDUCE_SINGLE;
    info.input.size = 16384;
    return info;
}

EXTERN_TEST(refuse_ends)
{
    for (uint32_t pools = 0; pools < 2; pools++) {
        trace_open(&(trace_device){.pools = pools});
        for (size_t k = 0; k < ARRAY_SIZE(end_rows); k++) {
            const VkrReduceInfo info = two_groups();
            VkDeviceSize size = 0;
            trace_clear();
            assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
            assert_int_equal(vkrCmdReduce(fixture.recorder, &info), VKR_SUCCESS);
            assert_int_equal(vkrGetScratchSize(fixture.recorder, &size), VKR_SUCCESS);
            assert_int_equal(size, 128);
            const uint32_t creations = stub_creations();
            assert_said(vkrEnd(fixture.recorder, &end_rows[k].info), end_rows[k].result,
                        end_rows[k].sentence);
            assert_int_equal(fixture.commands, 0);
            assert_int_equal(stub_creations(), creations);
            assert_said(vkrEnd(fixture.recorder, &plain_end), VKR_ERROR_INVALID_STATE,
                        "vkrEnd: the recorder is idle, but must be collecting; call vkrBegin "
                        "first.");
            /* The first correct recording compiles. */
            if (end_rows[k].result == VKR_ERROR_NOT_PREPARED || k + 1 == ARRAY_SIZE(end_rows))
                assert_usable();
        }
        trace_close();
    }
}

/* ---- NULL and order ---- */

static void count_line(void *data, const char *line)
{
    (void)line;
    ++*(uint32_t *)data;
}

EXTERN_TEST(refuse_null)
{
    trace_open(&(trace_device){0});
    const VkrRecorderInfo recorder_info = {0};
    const VkrReduceInfo info = plain_reduce();
    const VkrScanInfo scan = plain_scan();
    VkrType type = VKR_TYPE_U8;
    const VkrResult wrong = VKR_ERROR_INVALID_ARGUMENT;
    VkrReduceLayout layout;
    VkrRecorder recorder = HANDLE(VkrRecorder);
    VkrContext context = HANDLE(VkrContext);
    VkrDeviceRequirements requirements;
    VkrContextProperties properties = {.subgroupSize = 77};
    uint32_t count;
    VkDeviceSize size;

    /* Without a context there is no message callback. */
    assert_int_equal(vkrCreateContext(NULL, &context), wrong);
    assert_null(context);
    assert_int_equal(vkrCreateContext(NULL, NULL), wrong);
    assert_int_equal(vkrCreateRecorder(NULL, &recorder_info, &recorder), wrong);
    assert_null(recorder);
    assert_int_equal(vkrGetReduceLayout(NULL, &info, &layout), wrong);
    assert_int_equal(vkrGetDeviceRequirements(NULL, &requirements), wrong);
    assert_int_equal(vkrBegin(NULL), wrong);
    assert_int_equal(vkrGetScanType(NULL, &scan, &type), wrong);
    assert_int_equal(vkrGetScratchSize(NULL, &size), wrong);
    assert_int_equal(vkrPrepare(NULL), wrong);
    assert_int_equal(vkrGetUses(NULL, &count, NULL), wrong);
    assert_int_equal(vkrGetOperations(NULL, &count, NULL), wrong);
    assert_int_equal(vkrDescribe(NULL, count_line, NULL), wrong);
    assert_int_equal(vkrEnd(NULL, &plain_end), wrong);
    assert_int_equal(vkrReset(NULL), wrong);
    vkrDestroyRecorder(NULL);
    vkrDestroyContext(NULL);
    vkrGetContextProperties(NULL, &properties);
    vkrGetContextProperties(fixture.context, NULL);
    assert_int_equal(properties.subgroupSize, 77);
    assert_false(vkrIsTypeSupported(NULL, VKR_TYPE_F32));
    assert_int_equal(fixture.sentences, 0);

    assert_said(vkrCreateContext(&fixture.info, NULL), wrong,
                "vkrCreateContext: context is NULL, but must point to a VkrContext.");
    assert_said(vkrCreateRecorder(fixture.context, NULL, &recorder), wrong,
                "vkrCreateRecorder: info is NULL, but must point to a VkrRecorderInfo.");
    assert_said(vkrCreateRecorder(fixture.context, &recorder_info, NULL), wrong,
                "vkrCreateRecorder: recorder is NULL, but must point to a VkrRecorder.");
    assert_said(vkrGetReduceLayout(fixture.context, NULL, &layout), wrong,
                "vkrGetReduceLayout: info is NULL, but must point to a VkrReduceInfo.");
    assert_said(vkrGetReduceLayout(fixture.context, &info, NULL), wrong,
                "vkrGetReduceLayout: layout is NULL, but must point to a VkrReduceLayout.");
    assert_said(vkrGetScanType(fixture.context, NULL, &type), wrong,
                "vkrGetScanType: info is NULL, but must point to a VkrScanInfo.");
    assert_said(vkrGetScanType(fixture.context, &scan, NULL), wrong,
                "vkrGetScanType: type is NULL, but must point to a VkrType.");
    assert_int_equal(type, VKR_TYPE_U8);
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_said(vkrGetScratchSize(fixture.recorder, NULL), wrong,
                "vkrGetScratchSize: size is NULL, but must point to a VkDeviceSize.");
    assert_said(vkrGetUses(fixture.recorder, NULL, NULL), wrong,
                "vkrGetUses: useCount is NULL, but must point to a uint32_t.");
    assert_said(vkrGetOperations(fixture.recorder, NULL, NULL), wrong,
                "vkrGetOperations: operationCount is NULL, but must point to a uint32_t.");
    assert_said(vkrDescribe(fixture.recorder, NULL, NULL), wrong,
                "vkrDescribe: line is NULL, but must point to a function.");
    assert_said(vkrEnd(fixture.recorder, NULL), wrong,
                "vkrEnd: info is NULL, but must point to a VkrEndInfo.");
    assert_usable();
    trace_close();
}

typedef VkrResult (*step)(void);

static VkrResult call_reduce(void)
{
    const VkrReduceInfo info = plain_reduce();
    return vkrCmdReduce(fixture.recorder, &info);
}

static VkrResult call_scratch_size(void)
{
    VkDeviceSize size;
    return vkrGetScratchSize(fixture.recorder, &size);
}

static VkrResult call_prepare(void)
{
    return vkrPrepare(fixture.recorder);
}

static VkrResult call_uses(void)
{
    uint32_t count;
    return vkrGetUses(fixture.recorder, &count, NULL);
}

static VkrResult call_operations(void)
{
    uint32_t count;
    return vkrGetOperations(fixture.recorder, &count, NULL);
}

static VkrResult call_describe(void)
{
    uint32_t lines = 0;
    const VkrResult result = vkrDescribe(fixture.recorder, count_line, &lines);
    assert_int_equal(lines, 0);
    return result;
}

static VkrResult call_end(void)
{
    return vkrEnd(fixture.recorder, &plain_end);
}

static const struct {
    const char *name;
    step call;
} calls[] = {
    {"vkrCmdReduce", call_reduce},
    {"vkrGetScratchSize", call_scratch_size},
    {"vkrPrepare", call_prepare},
    {"vkrGetUses", call_uses},
    {"vkrGetOperations", call_operations},
    {"vkrDescribe", call_describe},
    {"vkrEnd", call_end},
};

EXTERN_TEST(refuse_order)
{
    char sentence[200];
    trace_open(&(trace_device){0});
    for (uint32_t round = 0; round < 2; round++) { /* before the first vkrBegin, after vkrEnd */
        for (size_t k = 0; k < ARRAY_SIZE(calls); k++) {
            snprintf(sentence, sizeof sentence,
                     "%s: the recorder is idle, but must be collecting; call vkrBegin first.",
                     calls[k].name);
            assert_said(calls[k].call(), VKR_ERROR_INVALID_STATE, sentence);
        }
        assert_int_equal(fixture.commands, 0);
        assert_usable();
    }
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(call_reduce(), VKR_SUCCESS);
    assert_said(vkrReset(fixture.recorder), VKR_ERROR_INVALID_STATE,
                "vkrReset: the recorder is collecting, but must be idle; call vkrEnd first.");
    assert_int_equal(call_end(), VKR_SUCCESS);
    assert_int_equal(fixture.dispatch_count, 1);
    assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
    trace_close();
}

/* After a mistake, every call up to vkrEnd returns its code, and says that an earlier call failed
 * with it. */
EXTERN_TEST(refuse_after_mistakes)
{
    char sentence[200];
    trace_open(&(trace_device){0});
    for (size_t k = 0; k < ARRAY_SIZE(calls); k++) {
        VkrReduceInfo bad = plain_reduce();
        bad.workgroupSize = 2048;
        assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
        assert_int_equal(vkrCmdReduce(fixture.recorder, &bad), VKR_ERROR_UNSUPPORTED);
        fixture.sentences = 0;
        snprintf(sentence, sizeof sentence,
                 "%s: nothing was done, because an earlier call of this recording failed with "
                 "VKR_ERROR_UNSUPPORTED.",
                 calls[k].name);
        assert_said(calls[k].call(), VKR_ERROR_UNSUPPORTED, sentence);
        assert_int_equal(fixture.commands, 0);
        assert_usable();
    }
    trace_close();
}
