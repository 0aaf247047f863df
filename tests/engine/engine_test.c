/* SPDX-License-Identifier: MIT */
/* The engine itself, by operations that are wrong on purpose: they are noticed, made small, and
 * repeated by their text. */
#include <stdio.h>

#include "engine.h"

extern const test_operation test_bounds, test_find, test_sort;

#define PLANTED_AXIS 3u   /* the GPU's count of sorted elements */
#define PLANTED_BYTES 80u /* of the output */

static test_operation planted;
static const test_operation *all[4] = {&planted, &test_find, &test_sort, NULL};

/* One bit of the first output is wrong if that is long and the count has 64 bits. */
static void expect_wrong(test_request *t)
{
    unsigned char *first = test_bytes(t->ports[0].buffer, t->ports[0].offset);
    test_bounds.expect(t);
    if (t->axes[PLANTED_AXIS] == 2 && t->ports[0].size > PLANTED_BYTES)
        first[0] ^= 1;
}

static int open_all(void **state)
{
    planted = test_bounds;
    planted.name = "planted";
    planted.expect = expect_wrong;
    return test_open_rig(state);
}

static void test_right(void **state)
{
    (void)state;
    static test_recording r;
    assert_true(test_parse("linked split=1 passes=2 planted seed=3 + find type=9 seed=5 most=900 + "
                           "sort type=5 keys=1 seed=8 layout=2",
                           all, &r));
    assert_int_equal(r.count, 3);
    assert_int_equal(test_run(&r, true), TEST_RIGHT);
}

static void test_smaller(void **state)
{
    (void)state;
    static test_recording r, again;
    test_line line;
    assert_true(test_parse("linked split=2 passes=2 find type=9 seed=5 + planted type=6 flags=3 "
                           "outputs=2 count=2 value-count=1 limits=3 seed=11 layout=6 + sort "
                           "type=5 keys=1 seed=8",
                           all, &r));
    assert_int_equal(test_run(&r, false), TEST_WRONG);
    test_shrink(&r);
    test_describe(&r, &line);
    printf("# the smallest: %s\n", line.text);
    assert_int_equal(r.count, 1);
    assert_int_equal(r.passes, 1);
    assert_false(r.linked);
    assert_ptr_equal(r.requests[0].of, &planted);
    for (uint32_t i = 0; i < MAX_AXES; i++)
        assert_int_equal(r.requests[0].axes[i], i == PLANTED_AXIS ? 2 : 0);
    assert_true(test_parse(line.text, all, &again));
    assert_int_equal(test_run(&again, false), TEST_WRONG);
    again.requests[0].most /= 2;
    assert_int_equal(test_run(&again, true), TEST_RIGHT);
}

/* Texts that mean nothing are refused rather than run as something else. */
static void test_texts(void **state)
{
    (void)state;
    static test_recording r;
    static const char *const wrong[] = {
        "",       "finds seed=1", "find typ=1", "find type=99",          "find type=x",
        "seed=1", "split=1 find", "+ find",     "find seed=1 + fixed=1", "sort fixed=200"};
    for (uint32_t i = 0; i < ARRAY_SIZE(wrong); i++)
        assert_false(test_parse(wrong[i], all, &r));
}

HARNESS_MAIN(rig.h, "engine", open_all, test_close_rig, cmocka_unit_test(test_right),
             cmocka_unit_test(test_smaller), cmocka_unit_test(test_texts))
