/* SPDX-License-Identifier: MIT */
/* The self-test finds no error on a real driver. If group paths are made wrong between the library
 * and the driver, it falls back to a lower path, reports this, and leaves a context with correct
 * results. VKR_TEST_THIN skips the tests that do not depend on the driver. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "selftest_run.h"

/* Bits of group paths. */
#define ARITHMETIC (1u << VKR_GROUP_PATH_ARITHMETIC)
#define SHUFFLE (1u << VKR_GROUP_PATH_SHUFFLE)

static void assert_sum_is_right(void)
{
    uint32_t right;
    const uint32_t found = sum(4, &right);
    assert_int_equal(found, right);
}

/* ---- Tests ---- */

static void test_right(void **state)
{
    VkrSelfTestReport report;
    VkrTuning before;
    VkrTuning after;
    (void)state;
    assert_int_equal(vkrGetTuning(context, VKR_OPERATION_REDUCE, 4, VK_FALSE, &before),
                     VKR_SUCCESS);
    const VkrGroupPath group_path = group_path_in_use();
    assert_int_equal(group_path, best_group_path());
    assert_int_equal(self_test(&report), VKR_SUCCESS);
    assert_int_equal(messages, 0);
    assert_int_equal(report.before, group_path);
    assert_int_equal(report.after, group_path);
    assert_int_equal(group_path_in_use(), group_path);
    for (int i = (int)group_path; i < VKR_GROUP_PATH_COUNT; i++) {
        printf("# group path %s: %u checks\n", vkrGroupPathName((VkrGroupPath)i), report.checks[i]);
        assert_true(report.checks[i] >= 10);
        assert_int_equal(report.wrong[i], 0);
    }
    assert_int_equal(wrap.objects, 0);
    /* The self-test uses small shares for invocations; later work must not. */
    assert_int_equal(vkrGetTuning(context, VKR_OPERATION_REDUCE, 4, VK_FALSE, &after), VKR_SUCCESS);
    assert_memory_equal(&before, &after, sizeof(before));
    assert_sum_is_right();
    /* The self-test runs again, without a report. */
    assert_int_equal(self_test(NULL), VKR_SUCCESS);
}

/* Without the self-test the planted fault gives wrong results, so the tests below show the effect
 * of the self-test. */
static void test_plant(void **state)
{
    uint32_t right;
    (void)state;
    wrap.faulty[SELFTEST_WRONG] = 1u << group_path_in_use();
    const uint32_t found = sum(4, &right);
    assert_int_not_equal(found, right);
}

/* Checks the messages about the paths that gave wrong results, which are all messages. */
static void assert_wrong_are_told(uint32_t paths, const VkrSelfTestReport *report)
{
    uint32_t told = 0;
    for (int path = (int)report->before; path < VKR_GROUP_PATH_COUNT; path++) {
        const char *text = message_texts[told];
        char start[80];
        char numbers[64];
        assert_true(report->wrong[path] < report->checks[path]);
        if ((paths >> path & 1) == 0)
            continue;
        snprintf(start, sizeof(start), "vkrSelfTest: group path %s is not usable: ",
                 vkrGroupPathName((VkrGroupPath)path));
        snprintf(numbers, sizeof(numbers), "%u of %u results are wrong", report->wrong[path],
                 report->checks[path]);
        print_message("# %s\n", text);
        assert_true(strncmp(text, start, strlen(start)) == 0);
        assert_non_null(strstr(text, numbers));
        assert_non_null(strstr(text, "the first is that sum of 20011 i32 by "));
        assert_non_null(strstr(text, ", but must be "));
        told++;
    }
    assert_int_equal(messages, told);
}

/* Checks the last message: the path before the one in use does not compile. */
static void assert_refusal_is_told(const VkrSelfTestReport *report)
{
    char last[96];
    if (report->after == report->before)
        return;
    snprintf(last, sizeof(last),
             "vkrSelfTest: group path %s is not usable: the driver does not compile ",
             vkrGroupPathName((VkrGroupPath)(report->after - 1)));
    assert_non_null(strstr(device.sentence, last));
}

/* Runs the self-test with a fault in some group paths, and checks that it falls back to `to`, or to
 * a lower path if the device does not support that. */
static void assert_steps_down(selftest_fault fault, uint32_t paths, VkrGroupPath to)
{
    VkrSelfTestReport report;
    const VkrGroupPath best = group_path_in_use();
    to = to > best ? to : best;
    wrap.faulty[fault] = paths;
    assert_int_equal(self_test(&report), VKR_SUCCESS);
    assert_int_equal(report.before, best);
    assert_int_equal(report.after, to);
    assert_int_equal(group_path_in_use(), to);
    for (int path = (int)best; path < VKR_GROUP_PATH_COUNT; path++) {
        const uint32_t faulty = paths >> path & 1;
        /* Of the kernels that do not compile, only the first one is counted. */
        if (fault == SELFTEST_WRONG)
            assert_int_equal(report.wrong[path] != 0, faulty);
        else
            assert_int_equal(report.wrong[path], faulty);
    }
    if (fault == SELFTEST_WRONG)
        assert_wrong_are_told(paths, &report);
    else
        assert_refusal_is_told(&report);
    assert_int_equal(wrap.objects, 0);
    assert_sum_is_right();
}

static void test_all_wrong(void **state);

/* Falls back by one path, if there is a lower one. */
static void test_best_wrong(void **state)
{
    const VkrGroupPath best = group_path_in_use();
    if (best == VKR_GROUP_PATH_SHARED)
        test_all_wrong(state);
    else
        assert_steps_down(SELFTEST_WRONG, 1u << best, (VkrGroupPath)(best + 1));
}

static void test_subgroups_wrong(void **state)
{
    (void)state;
    assert_steps_down(SELFTEST_WRONG, ARITHMETIC | SHUFFLE, VKR_GROUP_PATH_SHARED);
}

/* A wrong group path below the one in use is only reported. */
static void test_shared_wrong(void **state)
{
    (void)state;
    if (group_path_in_use() != VKR_GROUP_PATH_SHARED)
        assert_steps_down(SELFTEST_WRONG, 1u << VKR_GROUP_PATH_SHARED, VKR_GROUP_PATH_ARITHMETIC);
}

static void test_all_wrong(void **state)
{
    VkrSelfTestReport report;
    (void)state;
    wrap.faulty[SELFTEST_WRONG] = UINT32_MAX;
    assert_int_equal(self_test(&report), VKR_ERROR_UNSUPPORTED);
    assert_int_equal(report.after, VKR_GROUP_PATH_SHARED);
    assert_true(report.wrong[VKR_GROUP_PATH_SHARED] != 0);
    assert_int_equal(messages, VKR_GROUP_PATH_COUNT - report.before + 1);
    assert_string_equal(device.sentence, "vkrSelfTest: no group path gives correct results, so "
                                         "the context must not be used.");
    assert_int_equal(wrap.objects, 0);
}

/* Kernels that order keys are made wrong on all paths, so that no path is left. */
static void test_order_wrong(void **state)
{
    static const struct {
        const char *kernels, *told;
    } rows[] = {{"sort", "the first is that sorted element "},
                {"rank", "the first is that selected element "},
                {"bounds", "the first is that bound "}};
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        wrap.reversed = rows[i].kernels;
        assert_int_equal(self_test(NULL), VKR_ERROR_UNSUPPORTED);
        assert_non_null(strstr(message_texts[0], rows[i].told));
        assert_non_null(strstr(message_texts[0], " of 20011 i32 is not the right one"));
        assert_int_equal(close_context(state), 0);
        assert_int_equal(open_context(state), 0);
    }
}

/* Group paths whose kernels do not compile are unusable, unless other kernels can take the place of
 * all that the self-test needs. Drivers compile when a pipeline or already a module is created. */
static void assert_refused(void **state, uint32_t paths, VkrGroupPath to)
{
    assert_steps_down(SELFTEST_NO_PIPELINE, paths, to);
    assert_int_equal(close_context(state), 0);
    assert_int_equal(open_context(state), 0);
    assert_steps_down(SELFTEST_NO_MODULE, paths, to);
}

static void test_arithmetic_refused(void **state)
{
    assert_refused(state, ARITHMETIC, VKR_GROUP_PATH_SHUFFLE);
}

static void test_subgroups_refused(void **state)
{
    assert_refused(state, ARITHMETIC | SHUFFLE, VKR_GROUP_PATH_SHARED);
}

/* Without the self-test a kernel of shuffles takes the place of one that does not compile, and one
 * note says so. */
static void assert_sum_is_replaced(selftest_fault fault)
{
    wrap.faulty[fault] = ARITHMETIC;
    /* At a stride the kernel loads by element, as the one of shuffles does. */
    for (int i = 0; i < 2; i++) {
        uint32_t right;
        const uint32_t found = sum(12, &right);
        assert_int_equal(found, right);
    }
    assert_int_equal(messages, 1);
    assert_int_equal(device.result, VKR_SUCCESS);
    assert_non_null(strstr(device.sentence, "The driver cannot compile a pipeline of reduce_w32_"));
    assert_non_null(strstr(device.sentence, "_arithmetic, although it announces all that the "
                                            "pipeline needs; reduce_w32_"));
}

static void test_sum_refused(void **state)
{
    if (group_path_in_use() != VKR_GROUP_PATH_ARITHMETIC)
        return;
    assert_sum_is_replaced(SELFTEST_NO_PIPELINE);
    assert_int_equal(close_context(state), 0);
    assert_int_equal(open_context(state), 0);
    assert_sum_is_replaced(SELFTEST_NO_MODULE);
}

static void test_arguments(void **state)
{
    VkrSelfTestInfo info = {.queue = device.queue, .queueFamilyIndex = device.family};
    (void)state;
    assert_int_equal(vkrSelfTest(NULL, &info, NULL), VKR_ERROR_INVALID_ARGUMENT);
    assert_int_equal(messages, 0);
    assert_int_equal(vkrSelfTest(context, NULL, NULL), VKR_ERROR_INVALID_ARGUMENT);
    assert_string_equal(device.sentence,
                        "vkrSelfTest: info is NULL, but must point to a VkrSelfTestInfo.");
    info.queue = VK_NULL_HANDLE;
    assert_int_equal(vkrSelfTest(context, &info, NULL), VKR_ERROR_INVALID_ARGUMENT);
    assert_string_equal(device.sentence,
                        "vkrSelfTest: queue is NULL, but must be a queue of the device.");
    info.queue = device.queue;
    info.queueFamilyIndex = 99;
    assert_int_equal(vkrSelfTest(context, &info, NULL), VKR_ERROR_INVALID_ARGUMENT);
    assert_non_null(strstr(device.sentence, "vkrSelfTest: queueFamilyIndex is 99, but must be a "
                                            "family with compute among the device's "));
    assert_int_equal(messages, 3);
}

/* Resources of work that may still run are kept until the context is destroyed. */
static void test_no_end(void **state)
{
    VkrSelfTestReport report;
    (void)state;
    wrap.wait[0] = VK_TIMEOUT;
    const VkrGroupPath group_path = group_path_in_use();
    assert_int_equal(self_test(&report), VKR_ERROR_DEVICE_LOST);
    assert_non_null(strstr(device.sentence, "did not end within 60 s, so the device counts as "
                                            "lost."));
    assert_int_equal(report.after, group_path);
    assert_int_equal(group_path_in_use(), group_path);
    assert_true(wrap.objects != 0);
    assert_int_equal(self_test(&report), VKR_ERROR_DEVICE_LOST);
    assert_non_null(strstr(device.sentence,
                           "vkrSelfTest: nothing was done, because an earlier call "
                           "found the device lost"));
}

/* When a wait fails because memory is exhausted, it is repeated before anything is freed. */
static void test_failed_wait(void **state)
{
    const struct {
        VkResult wait[2];
        VkrResult result;
        uint32_t waits;
        bool kept;
        VkrResult later;
    } rows[] = {
        {{VK_ERROR_DEVICE_LOST, VK_SUCCESS},
         VKR_ERROR_DEVICE_LOST,
         1,
         false,
         VKR_ERROR_DEVICE_LOST},
        {{VK_ERROR_OUT_OF_HOST_MEMORY, VK_SUCCESS},
         VKR_ERROR_OUT_OF_HOST_MEMORY,
         2,
         false,
         VKR_SUCCESS},
        {{VK_ERROR_OUT_OF_HOST_MEMORY, VK_ERROR_DEVICE_LOST},
         VKR_ERROR_OUT_OF_HOST_MEMORY,
         2,
         false,
         VKR_ERROR_DEVICE_LOST},
        {{VK_ERROR_OUT_OF_DEVICE_MEMORY, VK_TIMEOUT},
         VKR_ERROR_OUT_OF_DEVICE_MEMORY,
         2,
         true,
         VKR_ERROR_DEVICE_LOST},
    };
    VkrTuning tuning;
    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        const VkrGroupPath group_path = group_path_in_use();
        memcpy(wrap.wait, rows[i].wait, sizeof(wrap.wait));
        assert_int_equal(self_test(NULL), rows[i].result);
        assert_int_equal(wrap.waits, rows[i].waits);
        assert_true((wrap.objects != 0) == rows[i].kept);
        assert_int_equal(group_path_in_use(), group_path);
        assert_int_equal(vkrGetTuning(context, VKR_OPERATION_REDUCE, 4, VK_FALSE, &tuning),
                         rows[i].later);
        assert_int_equal(close_context(state), 0);
        assert_int_equal(open_context(state), 0);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, open_context, close_context)
    const struct CMUnitTest tests[] = {
        TEST(test_right),
        TEST(test_plant),
        TEST(test_best_wrong),
        TEST(test_arguments),
        TEST(test_order_wrong),
        TEST(test_sum_refused),
        TEST(test_arithmetic_refused),
        TEST(test_subgroups_wrong),
        TEST(test_subgroups_refused),
        TEST(test_shared_wrong),
        TEST(test_all_wrong),
        TEST(test_no_end),
        TEST(test_failed_wait),
    };
    const int status = harness_open(&device);
    if (status != 0)
        return status;
    /* Only the first tests depend on the driver. */
    const size_t count = getenv("VKR_TEST_THIN") != NULL ? 7 : sizeof(tests) / sizeof(tests[0]);
    const int failed = _cmocka_run_group_tests("selftest", tests, count, NULL, NULL);
    harness_close(&device);
    return failed;
}
