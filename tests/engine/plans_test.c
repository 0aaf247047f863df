/* SPDX-License-Identifier: MIT */
/*
 * What all operations of the engine record on devices that are only described (stub_rig.h): random
 * rows, all fixed requests, and chains. With a case's text as the argument, that alone, on each of
 * the devices.
 */
#include "stub_rig.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define TRIES 200u

static const char *text;

static uint64_t made, refused, uses;

static void check_right(void)
{
    made += rig.made;
    refused += rig.refused;
    uses += rig.cases;
    assert_int_equal(rig.mismatches, 0);
    assert_int_equal(limit_violations(), 0);
}

static uint64_t below(uint64_t *state, uint64_t bound)
{
    return random_below(state, (uint32_t)bound);
}

/* Recordings of one to three layouts of rows. */
static void check_rows(const test_operation *of, uint64_t state, uint32_t rows)
{
    static test_recording r;
    const uint32_t tries = rows * TRIES;
    for (uint32_t i = 0; i < tries && rows != 0; i++) {
        r = (test_recording){.count = 1 + random_below(&state, 3), .linked = of->alone ? 0 : i % 2};
        test_request row = {.of = of, .seed = next_random(&state) % 1000000, .most = TEST_ANY};
        if (!test_draw_axes(&row, &state, below, LIMITS_COUNT))
            continue;
        rows--;
        for (uint32_t k = 0; k < r.count; k++) {
            r.requests[k] = row;
            r.requests[k].layout = random_below(&state, of->layouts);
        }
        test_check(&r);
    }
    assert_int_equal(rows, 0);
}

static void check_fixed(const test_operation *of)
{
    static test_recording r;
    for (uint32_t group = 0; group < TEST_FIXED && of->fixed[group].name != NULL; group++)
        for (uint32_t i = 0; i < of->fixed[group].count; i++) {
            r = (test_recording){.count = 1};
            r.requests[0] = (test_request){
                .of = of, .seed = i, .most = TEST_ANY, .fixed = 1 + group + TEST_FIXED * i};
            test_check(&r);
        }
}

static void test_operation_plans(void **state)
{
    const test_operation *of = *state;
    const uint64_t seed = environment("VKR_TEST_SEED", 1);
    const uint32_t rows = environment("VKR_TEST_ROWS", 40) / environment("VKR_TEST_STEP", 1);
    made = refused = 0;
    for (uint32_t i = 0; i < TEST_STUBS; i++) {
        test_open_stub(i);
        check_rows(of, seed * TEST_STUBS + i, rows);
        check_fixed(of);
        check_right();
        test_close_stub();
    }
    assert_true(3 * refused < made);
}

static void test_chain_plans(void **state)
{
    static test_recording r;
    const uint32_t chains = environment("VKR_TEST_ROWS", 40) / environment("VKR_TEST_STEP", 1);
    (void)state;
    for (uint32_t i = 0; i < TEST_STUBS; i++) {
        test_open_stub(i);
        for (uint32_t k = 0; k < 2 * chains; k++) {
            test_draw_chain(16 * k, &r); /* neighbours share rows */
            test_check(&r);
        }
        check_right();
        test_close_stub();
    }
}

static void test_case_plan(void **state)
{
    static test_recording r;
    (void)state;
    for (uint32_t i = 0; i < TEST_STUBS; i++) {
        test_open_stub(i);
        if (test_parse(text, test_operations, &r))
            test_check(&r);
        check_right();
        test_close_stub();
    }
}

static int say_uses(void **state)
{
    (void)state;
    print_message("# %" PRIu64 " uses of memory by recordings\n", uses);
    return 0;
}

int main(int argc, char **argv)
{
    static struct CMUnitTest tests[64];
    const char *filter = getenv("VKR_TEST_FILTER");
    size_t count = 0;
    if (filter != NULL)
        cmocka_set_test_filter(filter);
    if (argc == 2) {
        text = argv[1];
        tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_case_plan);
        return _cmocka_run_group_tests("plans_rows", tests, count, NULL, NULL);
    }
    for (; test_operations[count] != NULL; count++) {
        tests[count].name = test_operations[count]->name;
        tests[count].test_func = test_operation_plans;
        tests[count].initial_state = (void *)(uintptr_t)test_operations[count];
    }
    tests[count++] = (struct CMUnitTest)cmocka_unit_test(test_chain_plans);
    return _cmocka_run_group_tests("plans_rows", tests, count, NULL, say_uses);
}
