/* SPDX-License-Identifier: MIT */
/* Timestamps between operations, and the list of these. */
#include "recorder.h"

#include <stdio.h>

static const stub_options brief = {
    .push_descriptors = true, .granule = 256, .group_limit = 65535, .brief = true};

static const VkrEndInfo timed_end = {.commandBuffer = CMD,
                                     .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                                     .consumerAccess = VK_ACCESS_HOST_READ_BIT,
                                     .timestamps = (VkQueryPool)(uintptr_t)'Q',
                                     .firstQuery = 5,
                                     .queryCount = 6};

/* Collects an operation of `count` steps that change the same bytes of a buffer, one by one. */
static void change(char letter, const char *label, uint32_t count)
{
    assert_int_equal(vkr_operation_begin(fixture.recorder, "change", label), VKR_SUCCESS);
    for (uint32_t i = 0; i < count; i++) {
        vkr_step step = simple_step(i + 1);
        step.access_count = 1;
        step.accesses[0].buffer = BUFFER(letter);
        step.accesses[0].access = VK_ACCESS_SHADER_WRITE_BIT;
        assert_int_equal(vkr_add_step(fixture.recorder, &step), VKR_SUCCESS);
    }
    assert_int_equal(vkr_operation_end(fixture.recorder, VKR_SUCCESS), VKR_SUCCESS);
}

/* All queries are reset, and one is written at the start, before the fill, and after each
 * operation, whether it has steps or not. */
EXTERN_TEST(test_timestamps)
{
    open_recorder(&brief, 0, 0);
    for (int round = 0; round < 2; round++) {
        vkrBegin(fixture.recorder);
        change('X', NULL, 0);
        assert_int_equal(operate(7, 0, true, VKR_SUCCESS), VKR_SUCCESS);
        change('X', NULL, 0);
        assert_int_equal(operate(8, 0, false, VKR_SUCCESS), VKR_SUCCESS);
        assert_ends(&timed_end, round == 0 ? "reset queries 5 + 6 of Q\n"
                                             "query 5 of Q after compute\n"
                                             "query 6 of Q after compute\n"
                                             "fill a+0:256 0\n"
                                             "barrier transfer(copy-write) -> compute(read|write)\n"
                                             "dispatch 7 1 1\n"
                                             "query 7 of Q after compute\n"
                                             "query 8 of Q after compute\n"
                                             "barrier compute(write) -> compute(read|write)\n"
                                             "dispatch 8 1 1\n"
                                             "query 9 of Q after compute\n"
                                             "barrier compute(write) -> host(host-read)\n"
                                           : stub_text());
    }
    assert_int_equal(stub_calls("vkCmdWriteTimestamp"), 10);
    assert_int_equal(stub_calls("vkCmdResetQueryPool"), 2);
    /* Nothing is timed, too. */
    vkrBegin(fixture.recorder);
    assert_ends(&timed_end, "reset queries 5 + 6 of Q\nquery 5 of Q after compute\n");
    /* Without a pool there is none. */
    vkrBegin(fixture.recorder);
    change('X', NULL, 1);
    assert_ends(&plain_end, "dispatch 1 1 1\n");
    close_recorder();
}

/* An operation has ended when its last step has, and all earlier operations have ended. */
EXTERN_TEST(test_timestamps_of_levels)
{
    open_recorder(&brief, 0, 0);
    vkrBegin(fixture.recorder);
    change('X', NULL, 1);
    change('Y', NULL, 3);
    change('Z', NULL, 1);
    change('X', NULL, 1);
    assert_ends(&timed_end, "reset queries 5 + 6 of Q\n"
                            "query 5 of Q after compute\n"
                            "dispatch 1 1 1\n"
                            "query 6 of Q after compute\n"
                            "dispatch 1 1 1\n"
                            "dispatch 1 1 1\n"
                            "barrier compute(write) -> compute(read|write)\n"
                            "dispatch 2 1 1\n"
                            "dispatch 1 1 1\n"
                            "barrier compute(write) -> compute(read|write)\n"
                            "dispatch 3 1 1\n"
                            "query 7 of Q after compute\n"
                            "query 8 of Q after compute\n"
                            "query 9 of Q after compute\n"
                            "barrier compute(write) -> host(host-read)\n");
    close_recorder();
}

/* Operations are listed in their order, with copies of their labels; one that fails is not. */
EXTERN_TEST(test_operations)
{
    enum { COUNT = 40 };
    open_recorder(&brief, 0, 0);
    VkrOperationName operations[COUNT + 1] = {[COUNT].function = "untouched"};
    uint32_t count = 77;
    vkrBegin(fixture.recorder);
    assert_int_equal(vkrGetOperations(fixture.recorder, &count, NULL), VKR_SUCCESS);
    assert_int_equal(count, 0);
    for (uint32_t i = 0; i < COUNT; i++) {
        char label[] = "operation 00";
        (void)snprintf(label, sizeof label, "operation %u", i);
        change('X', i % 2 == 0 ? label : NULL, i % 3);
    }
    assert_int_equal(vkrGetOperations(fixture.recorder, &count, NULL), VKR_SUCCESS);
    assert_int_equal(count, COUNT);
    count = COUNT + 1;
    assert_int_equal(vkrGetOperations(fixture.recorder, &count, operations), VKR_SUCCESS);
    assert_int_equal(count, COUNT);
    for (uint32_t i = 0; i < COUNT; i++) {
        char label[] = "operation 00";
        (void)snprintf(label, sizeof label, "operation %u", i);
        assert_string_equal(operations[i].function, "change");
        if (i % 2 == 0)
            assert_string_equal(operations[i].label, label);
        else
            assert_null(operations[i].label);
    }
    assert_string_equal(operations[COUNT].function, "untouched");
    count = 1;
    operations[1].function = "untouched";
    assert_int_equal(vkrGetOperations(fixture.recorder, &count, operations), VKR_SUCCESS);
    assert_int_equal(count, 1);
    assert_string_equal(operations[1].function, "untouched");

    vkrBegin(fixture.recorder);
    change('X', "only", 1);
    assert_int_equal(vkr_operation_begin(fixture.recorder, "operate", "fails"), VKR_SUCCESS);
    assert_int_equal(vkrGetOperations(fixture.recorder, &count, operations), VKR_SUCCESS);
    assert_int_equal(count, 1);
    assert_string_equal(operations[0].label, "only");
    close_recorder();
}
