/* SPDX-License-Identifier: MIT */
/* What the runner says when the library fails: one sentence, in terms of its command line. */
#include <stdio.h>
#include <string.h>
#include "device/sentence.h"
#include "status.h"
/* Included after the runner's headers, which declare a function with the name of one of its
 * macros. */
#include "unit.h"

#undef fail /* the runner's function is meant, not cmocka's macro */

const char program_name[] = "test";

static FILE *said;

static void check_said(const char *expected)
{
    char text[4096];
    rewind(said);
    const size_t size = fread(text, 1, sizeof text - 1, said);
    text[size] = '\0';
    assert_string_equal(text, expected);
}

static int say_nothing(void **state)
{
    (void)state;
    forget_failure();
    said = freopen("/tmp/vkreduce-sentences", "w+", stderr);
    return said != NULL && remove("/tmp/vkreduce-sentences") == 0 ? 0 : -1;
}

static void check(const char *message, const char *expected)
{
    char text[1024];
    sentence_of_options(message, text, sizeof text);
    assert_string_equal(text, expected);
}

TEST(test_options)
{
    check("vkrCmdReduce: algorithm is lanes, but must be auto where segments.kind is none.",
          "--algorithm is lanes, but must be auto where --segments is not given");
    check("vkrGetScanType: accumulator is f16 (9), but for elements of type f32 must be undefined, "
          "f32 or f64.",
          "--accumulator is f16, but for elements of type f32 must be left out, f32 or f64");
    check("vkrCmdScan: determinism is VKR_DETERMINISM_DEVICE and flags has VKR_SCAN_REVERSE_BIT.",
          "--determinism is device and --reverse is given");
    check("vkrGetReduceLayout: ops has nan, but input.type is f32.", "OP is nan, but INPUT is f32");
    check("the context's forwardProgress is VKR_FORWARD_PROGRESS_NONE and must be another.",
          "the context's forwardProgress is forward-progress-none and must be another");
    check("vkrCreateContext: line 2 of profile is 'a': mask, masks, no mask.",
          "line 2 of --profile is 'a': --mask, masks, no --mask");
    check("vkrCreateHost: device is '9', but must be one; choose another device.",
          "--device is '9', but must be one; choose another --device");
    check("flagalgorithm is no field; segments.kinds neither.",
          "flagalgorithm is no field; segments.kinds neither");
    check("", "");
}

TEST(test_bounds)
{
    char text[6] = "xxxxx";
    sentence_of_options("vkrCmdReduce: VKR_NAN_SKIP", text, 3);
    assert_string_equal(text, "sk");
    assert_int_equal(text[4], 'x');
}

/* Failures that follow another one are its consequences. */
TEST(test_once)
{
    assert_int_equal(fail(STATUS_DIFFERENCE, "it %s", "differs"), STATUS_DIFFERENCE);
    assert_int_equal(fail(STATUS_USAGE, "one"), STATUS_USAGE);
    assert_int_equal(fail(STATUS_VULKAN, "two"), STATUS_VULKAN);
    assert_int_equal(gpu_status(VKR_ERROR_VULKAN), STATUS_VULKAN);
    assert_int_equal(fail(STATUS_DIFFERENCE, "more"), STATUS_DIFFERENCE);
    check_said("test: it differs\ntest: one\ntest: more\n");
    forget_failure();
    assert_int_equal(fail(STATUS_VULKAN, "three"), STATUS_VULKAN);
    check_said("test: it differs\ntest: one\ntest: more\ntest: three\n");
}

/* vkrEnd returns the error of a collected operation without saying its sentence again. */
TEST(test_lost)
{
    assert_int_equal(gpu_status(VKR_SUCCESS), STATUS_DONE);
    check_said("");
    assert_int_equal(gpu_status(VKR_ERROR_UNSUPPORTED), STATUS_USAGE);
    assert_int_equal(gpu_status(VKR_ERROR_UNSUPPORTED), STATUS_USAGE);
    check_said("test: the library failed without a reason (result -2)\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_options),
                                       cmocka_unit_test(test_bounds),
                                       cmocka_unit_test_setup(test_once, say_nothing),
                                       cmocka_unit_test_setup(test_lost, say_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
