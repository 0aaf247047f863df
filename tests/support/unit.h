/* SPDX-License-Identifier: MIT */
/* Tests that need no device include this file first. It defines how tests and test programs are
 * written. */
#ifndef VKR_TESTS_UNIT_H
#define VKR_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#define ARRAY_SIZE(array) (sizeof(array) / sizeof((array)[0]))

/* A test that needs no state: TEST(test_a) { .. } */
#define TEST(name) static void name(void **state __attribute__((unused)))

/* Declares such a test for a list in another file. */
#define EXTERN_TEST(name) void name(void **state __attribute__((unused)))

/* List entries: a test, and a test with a row or another argument in *state. */
#define CASE(name) cmocka_unit_test(name)
#define CASE_OF(text, test, argument)                                                              \
    {                                                                                              \
        text, test, NULL, NULL, (void *)(uintptr_t)(argument)                                      \
    }

/* Defines main, which runs the tests that follow as one group. */
#define TEST_MAIN(name, ...)                                                                       \
    int main(void)                                                                                 \
    {                                                                                              \
        const struct CMUnitTest tests[] = {__VA_ARGS__};                                           \
        return cmocka_run_group_tests_name(name, tests, NULL, NULL);                               \
    }

#endif
