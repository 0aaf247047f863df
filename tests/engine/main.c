/* SPDX-License-Identifier: MIT */
/*
 * The tests of rows, as one program:
 *
 *     rows OPERATION     its rows and fixed requests
 *     rows chains        recordings in which operations read each other's outputs
 *     rows case TEXT     the recording that a failed test has printed
 *     rows list          the operations and their choices
 *
 * The environment is that of the harness and of lists of rows (support/harness.h, support/turns.h).
 */
#include "engine.h"

#include <stdio.h>
#include <string.h>

static const char *text;

static void run_case(void **state)
{
    (void)state;
    static test_recording r;
    assert_true(test_parse(text, test_operations, &r));
    test_check(&r);
    assert_int_equal(rig.mismatches, 0);
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(rig.h.validation_messages, 0);
}

static int list(void)
{
    for (uint32_t i = 0; test_operations[i] != NULL; i++) {
        printf("%s", test_operations[i]->name);
        for (uint32_t k = 0; k < MAX_AXES && test_operations[i]->axes[k].name != NULL; k++)
            printf(" %s=0..%u", test_operations[i]->axes[k].name,
                   test_operations[i]->axes[k].values - 1);
        printf("\n");
    }
    return 0;
}

static int usage(const char *program)
{
    fprintf(stderr, "usage: %s OPERATION | chains | case TEXT | list\n", program);
    return 2;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest test = cmocka_unit_test(run_case);
    rig.h.wants_int16 = true;
    if (argc == 3 && strcmp(argv[1], "case") == 0) {
        text = argv[2];
        return harness_run(&rig.h, "case", &test, 1, test_open_rig, test_close_rig);
    }
    if (argc != 2)
        return usage(argv[0]);
    if (strcmp(argv[1], "list") == 0)
        return list();
    if (strcmp(argv[1], "chains") == 0)
        return test_chains_main();
    for (uint32_t i = 0; test_operations[i] != NULL; i++)
        if (strcmp(test_operations[i]->name, argv[1]) == 0)
            return test_operation_main(test_operations[i]);
    return usage(argv[0]);
}
