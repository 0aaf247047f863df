/* SPDX-License-Identifier: MIT */
/* How long recordings and their operations took. */
#include "host_case.h"

#include <stdio.h>

#define COUNT 5000u

HOST_TEST(test_time)
{
    hearing h = {0};
    uint64_t time = UINT64_MAX;
    (void)state;
    VkrHost plain = case_open(&h, 0), host = case_open(&h, VKR_HOST_TIMESTAMPS_BIT);
    EXPECT_ERROR(&h, VKR_ERROR_UNSUPPORTED, "flags lacks VKR_HOST_TIMESTAMPS_BIT.",
                 vkrGetHostTime(plain, &time));
    if (device.properties.limits.timestampPeriod == 0) {
        print_message("# the device has no timestamps\n");
    } else {
        VkrHostMemory memory;
        const uint32_t count = 1u << 20;
        void *values = calloc(count, 4);
        EXPECT_ERROR(&h, VKR_ERROR_INVALID_STATE, "a submission that was waited for",
                     vkrGetHostTime(host, &time));
        EXPECT_OK(vkrHostAlloc(host, (VkDeviceSize)4 * count, VKR_HOST_MEMORY_DEVICE, &memory));
        EXPECT_OK(vkrHostWrite(host, &memory, 0, memory.size, values));
        for (uint32_t turn = 0; turn < 2; turn++) {
            EXPECT_OK(vkrHostBegin(host));
            EXPECT_OK(case_record(host, CASE_SCAN, VKR_TYPE_U32, &memory, &memory, count));
            EXPECT_OK(vkrHostSubmit(host));
            EXPECT_ERROR(&h, VKR_ERROR_INVALID_STATE, "none that is at work",
                         vkrGetHostTime(host, &time));
            EXPECT_OK(vkrHostWait(host));
            EXPECT_OK(vkrGetHostTime(host, &time));
            assert_in_range(time, 1, UINT64_C(60000000000));
        }
        vkrHostFree(host, &memory);
        free(values);
    }
    vkrDestroyHost(plain);
    vkrDestroyHost(host);
}

/* Records a reduction with each of some labels, NULL among them, and a sort between them. */
static void record_labelled(VkrHost host, const VkrHostMemory *memory, uint32_t count)
{
    const VkrView view = vkrHostView(memory, VKR_TYPE_U32);
    for (uint32_t i = 0; i < count; i++) {
        char label[24];
        (void)snprintf(label, sizeof label, "number %u", i);
        VkrReduceInfo reduce = {.label = i % 3 == 0 ? NULL : label,
                                .ops = VKR_OP_SUM,
                                .input = view,
                                .count = COUNT,
                                .output = {memory->buffer, memory->offset + 4 * COUNT, 4}};
        if (i == 1)
            EXPECT_OK(vkrCmdSort(
                vkrHostRecorder(host),
                &(VkrSortInfo){.label = label, .keys = view, .sorted = view, .count = COUNT}));
        else
            EXPECT_OK(vkrCmdReduce(vkrHostRecorder(host), &reduce));
    }
}

static void check_times(VkrHost host, uint32_t expected)
{
    VkrHostTime times[64] = {{0}};
    uint32_t count = 0;
    uint64_t all = 0, sum = 0;
    EXPECT_OK(vkrGetHostTimes(host, &count, NULL));
    assert_int_equal(count, expected);
    count = ARRAY_SIZE(times);
    EXPECT_OK(vkrGetHostTimes(host, &count, times));
    assert_int_equal(count, expected);
    for (uint32_t i = 0; i < count; i++) {
        char label[24];
        (void)snprintf(label, sizeof label, "number %u", i);
        assert_string_equal(times[i].function, i == 1 ? "vkrCmdSort" : "vkrCmdReduce");
        if (i % 3 == 0)
            assert_null(times[i].label);
        else
            assert_string_equal(times[i].label, label);
        sum += times[i].nanoseconds;
    }
    /* The whole is measured around them. */
    EXPECT_OK(vkrGetHostTime(host, &all));
    assert_in_range(sum, expected > 0, all + expected);
    if (expected > 1) {
        VkrHostTime one[2] = {{0}, {.function = "untouched"}};
        count = 1;
        EXPECT_OK(vkrGetHostTimes(host, &count, one));
        assert_int_equal(count, 1);
        assert_int_equal(one[0].nanoseconds, times[0].nanoseconds);
        assert_string_equal(one[1].function, "untouched");
    }
}

/* Recordings of more and more operations, whose times are theirs until the next recording. */
HOST_TEST(test_operation_times)
{
    static const uint32_t counts[] = {1, 0, 2, 8, 9, 40};
    hearing h = {0};
    uint32_t count = 0;
    (void)state;
    VkrHost plain = case_open(&h, VKR_HOST_TIMESTAMPS_BIT);
    VkrHost host = case_open(&h, VKR_HOST_TIMESTAMPS_BIT | VKR_HOST_OPERATION_TIMES_BIT);
    EXPECT_ERROR(&h, VKR_ERROR_UNSUPPORTED, "flags lacks VKR_HOST_OPERATION_TIMES_BIT.",
                 vkrGetHostTimes(plain, &count, NULL));
    VkrHostVulkan vulkan;
    vkrGetHostVulkan(host, &vulkan);
    if (vulkan.timestampBits == 0) {
        EXPECT_ERROR(&h, VKR_ERROR_UNSUPPORTED, "the queue has no timestamps.",
                     vkrGetHostTimes(host, &count, NULL));
    } else {
        VkrHostMemory memory;
        EXPECT_ERROR(&h, VKR_ERROR_INVALID_STATE, "a submission that was waited for",
                     vkrGetHostTimes(host, &count, NULL));
        EXPECT_OK(vkrHostAlloc(host, 4 * COUNT + 4, VKR_HOST_MEMORY_DEVICE, &memory));
        for (size_t i = 0; i < ARRAY_SIZE(counts); i++) {
            EXPECT_OK(vkrHostBegin(host));
            record_labelled(host, &memory, counts[i]);
            EXPECT_ERROR(&h, VKR_ERROR_INVALID_STATE, "and no later recording",
                         vkrGetHostTimes(host, &count, NULL));
            EXPECT_OK(vkrHostSubmit(host));
            EXPECT_ERROR(&h, VKR_ERROR_INVALID_STATE, "none that is at work",
                         vkrGetHostTimes(host, &count, NULL));
            EXPECT_OK(vkrHostWait(host));
            check_times(host, counts[i]);
            EXPECT_OK(vkrHostRun(host));
            check_times(host, counts[i]);
        }
        vkrHostFree(host, &memory);
    }
    vkrDestroyHost(plain);
    vkrDestroyHost(host);
    assert_int_equal(device.validation_messages, 0);
}
