/* SPDX-License-Identifier: MIT */
/* Recordings: several operations, submissions again, commands of the caller, and what ends them. */
#include "host_case.h"

#define COUNT 5000u

/* ---- Several operations ---- */

/* A compaction, whose output is sorted, whose output is scanned and summed. */
HOST_TEST(test_operations)
{
    hearing h = {0};
    VkrHostMemory in, kept, sorted, scanned, sum;
    (void)state;
    VkrHost host = case_open(&h, 0);
    guarded input = guarded_open(4 * COUNT, 0, 1), order = guarded_open(4 * COUNT, 0, 2),
            prefixes = guarded_open(4 * COUNT, 0, 3), total = guarded_open(64, 0, 4),
            packed = guarded_open(16 + 4 * COUNT, 0, 5);
    const VkrHostArray arrays[] = {{input.data, input.size, VKR_HOST_READ},
                                   {packed.data, packed.size, VKR_HOST_READ_WRITE},
                                   {order.data, order.size, VKR_HOST_WRITE},
                                   {prefixes.data, prefixes.size, VKR_HOST_WRITE},
                                   {total.data, total.size, VKR_HOST_WRITE}};
    VkrHostMemory *const memory[] = {&in, &kept, &sorted, &scanned, &sum};
    EXPECT_OK(vkrHostBegin(host));
    for (size_t i = 0; i < ARRAY_SIZE(arrays); i++)
        EXPECT_OK(vkrHostAttach(host, &arrays[i], memory[i]));
    EXPECT_OK(case_record(host, CASE_COMPACT, VKR_TYPE_U32, &in, &kept, COUNT));
    EXPECT_OK(case_record(host, CASE_SORT, VKR_TYPE_U32, &kept, &sorted, COUNT));
    EXPECT_OK(case_record(host, CASE_SCAN, VKR_TYPE_U32, &sorted, &scanned, COUNT));
    EXPECT_OK(case_record(host, CASE_REDUCE, VKR_TYPE_U32, &scanned, &sum, COUNT));
    EXPECT_OK(vkrHostRun(host));
    case_check(host, CASE_COMPACT, VKR_TYPE_U32, input.data, COUNT, packed.data);
    case_check(host, CASE_SORT, VKR_TYPE_U32, packed.data, COUNT, order.data);
    case_check(host, CASE_SCAN, VKR_TYPE_U32, order.data, COUNT, prefixes.data);
    case_check(host, CASE_REDUCE, VKR_TYPE_U32, prefixes.data, COUNT, total.data);
    guarded_close(&input);
    guarded_close(&packed);
    guarded_close(&order);
    guarded_close(&prefixes);
    guarded_close(&total);
    vkrDestroyHost(host);
    assert_int_equal(h.errors, 0);
}

/* ---- Submissions again ---- */

/* A recording that copies its input from memory that the host writes, and its results back. */
HOST_TEST(test_resubmission)
{
    const VkDeviceSize size = 4 * COUNT, room = case_room(CASE_COMPACT, VKR_TYPE_U32, COUNT);
    (void)state;
    for (uint32_t flags = 0; flags <= VKR_HOST_UNMAPPED_BIT; flags += VKR_HOST_UNMAPPED_BIT) {
        hearing h = {0};
        VkrHost host = case_open(&h, flags);
        VkrHostMemory upload, in, out, back;
        uint32_t values[COUNT];
        EXPECT_OK(vkrHostAlloc(host, size, VKR_HOST_MEMORY_UPLOAD, &upload));
        EXPECT_OK(vkrHostAlloc(host, size, VKR_HOST_MEMORY_UNMAPPED, &in));
        EXPECT_OK(vkrHostAlloc(host, room, VKR_HOST_MEMORY_UNMAPPED, &out));
        EXPECT_OK(vkrHostAlloc(host, room, VKR_HOST_MEMORY_READBACK, &back));
        EXPECT_OK(vkrHostBegin(host));
        EXPECT_OK(vkrHostCopyIn(host, &upload, &in, size));
        EXPECT_OK(case_record(host, CASE_COMPACT, VKR_TYPE_U32, &in, &out, COUNT));
        EXPECT_OK(vkrHostEnd(host));
        EXPECT_OK(vkrHostCopyOut(host, &out, &back, room));
        for (uint32_t turn = 0; turn < 6; turn++) {
            if (turn % 2 == 0)
                case_fill(values, sizeof values, turn);
            EXPECT_OK(vkrHostWrite(host, &upload, 0, size, values));
            memset(back.data, 0xa5, (size_t)room);
            EXPECT_OK(vkrHostSubmit(host));
            EXPECT_OK(vkrHostWait(host));
            case_check(host, CASE_COMPACT, VKR_TYPE_U32, values, COUNT, back.data);
        }
        vkrHostFree(host, &upload);
        vkrHostFree(host, &in);
        vkrHostFree(host, &out);
        vkrHostFree(host, &back);
        vkrDestroyHost(host);
        assert_int_equal(h.errors, 0);
    }
}

/* Arrays are gone after the wait, and a recording that had them is not submitted again. */
HOST_TEST(test_resubmission_of_arrays)
{
    hearing h = {0};
    uint32_t values[4] = {1, 2, 3, 4}, sum[16];
    VkrHostMemory in, out;
    (void)state;
    VkrHost host = case_open(&h, 0);
    const VkrHostArray arrays[] = {{values, sizeof values, VKR_HOST_READ},
                                   {sum, sizeof sum, VKR_HOST_WRITE}};
    EXPECT_OK(vkrHostBegin(host));
    EXPECT_OK(vkrHostAttach(host, &arrays[0], &in));
    EXPECT_OK(vkrHostAttach(host, &arrays[1], &out));
    EXPECT_OK(case_record(host, CASE_REDUCE, VKR_TYPE_U32, &in, &out, 4));
    EXPECT_OK(vkrHostSubmit(host));
    EXPECT_OK(vkrHostWait(host));
    assert_int_equal(sum[0], 10);
    EXPECT_ERROR(&h, VKR_ERROR_INVALID_STATE, "the arrays that the recording had are detached;",
                 vkrHostSubmit(host));
    EXPECT_ERROR(&h, VKR_ERROR_INVALID_STATE, "record it again.", vkrHostRun(host));
    EXPECT_OK(vkrHostBegin(host));
    EXPECT_OK(vkrHostRun(host));
    vkrDestroyHost(host);
}

/* ---- Commands of the caller ---- */

static PFN_vkVoidFunction function_of(VkrHost host, const char *name)
{
    VkrHostVulkan vulkan;
    vkrGetHostVulkan(host, &vulkan);
    const PFN_vkGetDeviceProcAddr get =
        (PFN_vkGetDeviceProcAddr)vulkan.getInstanceProcAddr(vulkan.instance, "vkGetDeviceProcAddr");
    return get(vulkan.device, name);
}

/* A fill before the operations, which they read, and one after them. */
HOST_TEST(test_own_commands)
{
    hearing h = {0};
    VkrHostMemory in, out, mark;
    uint32_t values[64], sums[16], marked = 0;
    (void)state;
    VkrHost host = case_open(&h, 0);
    const PFN_vkCmdFillBuffer fill = (PFN_vkCmdFillBuffer)function_of(host, "vkCmdFillBuffer");
    memset(values, 7, sizeof values);
    EXPECT_OK(vkrHostAlloc(host, sizeof values, VKR_HOST_MEMORY_UNMAPPED, &in));
    EXPECT_OK(vkrHostAlloc(host, sizeof sums, VKR_HOST_MEMORY_UNMAPPED, &out));
    EXPECT_OK(vkrHostAlloc(host, 4, VKR_HOST_MEMORY_UNMAPPED, &mark));
    EXPECT_OK(vkrHostBegin(host));
    fill(vkrHostCommands(host), in.buffer, in.offset, in.size, 0x07070707);
    EXPECT_OK(case_record(host, CASE_REDUCE, VKR_TYPE_U32, &in, &out, 64));
    EXPECT_OK(vkrHostEnd(host));
    fill(vkrHostCommands(host), in.buffer, in.offset, in.size, 1);
    fill(vkrHostCommands(host), mark.buffer, mark.offset, 4, 99);
    EXPECT_OK(vkrHostRun(host));
    EXPECT_OK(vkrHostRead(host, &out, 0, sizeof sums, sums));
    EXPECT_OK(vkrHostRead(host, &mark, 0, 4, &marked));
    case_check(host, CASE_REDUCE, VKR_TYPE_U32, values, 64, sums);
    assert_int_equal(marked, 99);
    EXPECT_OK(vkrHostRead(host, &in, 4, 4, &marked));
    assert_int_equal(marked, 1);
    vkrHostFree(host, &in);
    vkrHostFree(host, &out);
    vkrHostFree(host, &mark);
    vkrDestroyHost(host);
    assert_int_equal(h.errors, 0);
}

/* Dispatches of the caller before the operations, which read what they write. */
HOST_TEST(test_own_dispatches)
{
    hearing h = {0};
    VkrHostMemory memory;
    VkrRecorder recorder;
    uint32_t values[COUNT], scanned[COUNT];
    (void)state;
    VkrHost host = case_open(&h, 0);
    case_fill(values, sizeof values, 8);
    EXPECT_OK(vkrHostAlloc(host, sizeof values, VKR_HOST_MEMORY_UNMAPPED, &memory));
    EXPECT_OK(vkrHostWrite(host, &memory, 0, sizeof values, values));
    EXPECT_OK(vkrCreateRecorder(vkrHostContext(host), &(VkrRecorderInfo){0}, &recorder));
    const VkrView view = vkrHostView(&memory, VKR_TYPE_U32);
    const VkrScanInfo scan = {
        .op = VKR_OP_SUM, .input = view, .output = view, .count = VKR_COUNT_ALL};
    EXPECT_OK(vkrHostBegin(host));
    EXPECT_OK(vkrBegin(recorder));
    EXPECT_OK(vkrCmdScan(recorder, &scan));
    EXPECT_OK(vkrEnd(recorder, &(VkrEndInfo){.commandBuffer = vkrHostCommands(host)}));
    EXPECT_OK(vkrCmdScan(vkrHostRecorder(host), &scan));
    EXPECT_OK(vkrHostEnd(host));
    EXPECT_OK(vkrBegin(recorder));
    EXPECT_OK(vkrCmdScan(recorder, &scan));
    EXPECT_OK(vkrEnd(recorder, &(VkrEndInfo){.commandBuffer = vkrHostCommands(host)}));
    EXPECT_OK(vkrHostRun(host));
    EXPECT_OK(vkrHostRead(host, &memory, 0, sizeof scanned, scanned));
    for (uint32_t turn = 0; turn < 3; turn++)
        for (uint32_t i = 1; i < COUNT; i++)
            values[i] += values[i - 1];
    assert_memory_equal(scanned, values, sizeof values);
    vkrDestroyRecorder(recorder);
    vkrHostFree(host, &memory);
    vkrDestroyHost(host);
    assert_int_equal(h.errors, 0);
    assert_int_equal(device.validation_messages, 0);
}

/* ---- Recordings that are dropped ---- */

/* A dropped recording writes nothing, and the next one works, wherever the first was dropped. */
HOST_TEST(test_cancel)
{
    hearing h = {0};
    (void)state;
    VkrHost host = case_open(&h, 0);
    for (uint32_t stage = 0; stage < 4; stage++) {
        guarded input = guarded_open(4 * COUNT, 0, stage), output = guarded_open(64, 0, 9);
        unsigned char before[64];
        VkrHostMemory in, out;
        memcpy(before, output.data, 64);
        EXPECT_OK(vkrHostBegin(host));
        if (stage > 0) {
            const VkrHostArray arrays[] = {{input.data, input.size, VKR_HOST_READ},
                                           {output.data, 64, VKR_HOST_WRITE}};
            EXPECT_OK(vkrHostAttach(host, &arrays[0], &in));
            EXPECT_OK(vkrHostAttach(host, &arrays[1], &out));
        }
        if (stage > 1)
            EXPECT_OK(case_record(host, CASE_REDUCE, VKR_TYPE_U32, &in, &out, COUNT));
        if (stage > 2)
            EXPECT_OK(vkrHostEnd(host));
        vkrHostCancel(host);
        vkrHostCancel(host);
        assert_memory_equal(output.data, before, 64);
        EXPECT_ERROR(&h, VKR_ERROR_INVALID_STATE, "it needs", vkrHostRun(host));
        VkrHostMemory memory;
        EXPECT_OK(vkrHostAlloc(host, input.size, VKR_HOST_MEMORY_DEVICE, &memory));
        EXPECT_OK(vkrHostWrite(host, &memory, 0, input.size, input.data));
        case_run_all(host, VKR_TYPE_U32, &memory, input.data, COUNT);
        vkrHostFree(host, &memory);
        guarded_close(&input);
        guarded_close(&output);
    }
    vkrDestroyHost(host);
}

/* An operation that is refused makes the recording fail, which leaves the arrays as they were. */
HOST_TEST(test_failed_operation)
{
    hearing h = {0};
    (void)state;
    VkrHost host = case_open(&h, 0);
    for (uint32_t ends = 0; ends < 3; ends++) {
        unsigned char result[64], before[64];
        VkrHostMemory out;
        memset(result, 0x5a, sizeof result);
        memcpy(before, result, sizeof result);
        EXPECT_OK(vkrHostBegin(host));
        EXPECT_OK(
            vkrHostAttach(host, &(VkrHostArray){result, sizeof result, VKR_HOST_WRITE}, &out));
        assert_int_equal(vkrCmdReduce(vkrHostRecorder(host), &(VkrReduceInfo){.count = 1}),
                         VKR_ERROR_INVALID_ARGUMENT);
        assert_non_null(strstr(h.sentence, "vkrCmdReduce"));
        const VkrResult failed = ends == 0   ? vkrHostEnd(host)
                                 : ends == 1 ? vkrHostSubmit(host)
                                             : vkrHostRun(host);
        assert_int_equal(failed, VKR_ERROR_INVALID_ARGUMENT);
        assert_memory_equal(result, before, sizeof result);
        /* The call has cancelled the recording. */
        EXPECT_ERROR(&h, VKR_ERROR_INVALID_STATE, "it needs", vkrHostSubmit(host));
        EXPECT_OK(vkrHostBegin(host));
        EXPECT_OK(vkrHostRun(host));
    }
    vkrDestroyHost(host);
}
