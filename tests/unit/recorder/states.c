/* SPDX-License-Identifier: MIT */
/* States, sticky errors, uses and labels. */
#include "recorder.h"

#include <stdio.h>
#include <string.h>

EXTERN_TEST(test_states)
{
    open_recorder(&pushing, 0, 0);
    VkDeviceSize size;
    uint32_t count;
    assert_failed(operate(1, 0, false, VKR_SUCCESS), VKR_ERROR_INVALID_STATE, "operate: ");
    assert_failed(vkrGetScratchSize(fixture.recorder, &size), VKR_ERROR_INVALID_STATE, "vkrBegin");
    assert_failed(vkrGetUses(fixture.recorder, &count, NULL), VKR_ERROR_INVALID_STATE, "vkrBegin");
    assert_failed(vkrPrepare(fixture.recorder), VKR_ERROR_INVALID_STATE, "vkrPrepare");
    assert_failed(vkrEnd(fixture.recorder, &plain_end), VKR_ERROR_INVALID_STATE, "vkrEnd");
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_failed(vkrReset(fixture.recorder), VKR_ERROR_INVALID_STATE, "vkrReset");
    assert_failed(vkrGetScratchSize(fixture.recorder, NULL), VKR_ERROR_INVALID_ARGUMENT, "size");
    assert_failed(vkrGetUses(fixture.recorder, NULL, NULL), VKR_ERROR_INVALID_ARGUMENT, "useCount");
    assert_ends(&plain_end, "");
    assert_failed(vkrEnd(fixture.recorder, &plain_end), VKR_ERROR_INVALID_STATE, "vkrEnd");
    assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
    close_recorder();
}

EXTERN_TEST(test_sticky)
{
    open_recorder(&pushing, 0, 0);
    VkDeviceSize size;
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 64, true, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(operate(2, 64, true, VKR_ERROR_UNSUPPORTED), VKR_ERROR_UNSUPPORTED);
    assert_failed(operate(3, 64, true, VKR_SUCCESS), VKR_ERROR_UNSUPPORTED,
                  "operate: nothing was done, because an earlier call of this recording failed "
                  "with VKR_ERROR_UNSUPPORTED.");
    assert_failed(vkrGetScratchSize(fixture.recorder, &size), VKR_ERROR_UNSUPPORTED, "earlier");
    assert_failed(vkrPrepare(fixture.recorder), VKR_ERROR_UNSUPPORTED, "earlier");
    stub_clear();
    assert_failed(vkrEnd(fixture.recorder, &plain_end), VKR_ERROR_UNSUPPORTED, "vkrEnd: ");
    assert_string_equal(stub_text(), "");
    assert_int_equal(stub_calls("vkCreateComputePipelines"), 0);
    assert_int_equal(stub_calls("vkCreateBuffer"), 0);

    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 0, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_ends(&plain_end, "pipeline 1\npush 0: 0=A+0:64 1=O+256:4\ndispatch 1 1 1\n");
    close_recorder();
}

/* vkrBegin discards what was collected, and the error. */
EXTERN_TEST(test_begin_again)
{
    open_recorder(&pushing, 0, 0);
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 64, true, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(operate(2, 64, true, VKR_ERROR_UNSUPPORTED), VKR_ERROR_UNSUPPORTED);
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_ends(&plain_end, "");
    close_recorder();
}

EXTERN_TEST(test_rollback)
{
    open_recorder(&pushing, 0, 0);
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 64, true, VKR_SUCCESS), VKR_SUCCESS);
    const vkr_mark before = fixture.recorder->now;
    assert_int_equal(operate(2, 64, true, VKR_ERROR_UNSUPPORTED), VKR_ERROR_UNSUPPORTED);
    const vkr_mark *after = &fixture.recorder->now;
    assert_int_equal(before.steps, 1);
    assert_int_equal(after->steps, before.steps);
    assert_int_equal(after->text, before.text);
    assert_int_equal(after->counters, before.counters);
    assert_int_equal(after->scratch, before.scratch);
    close_recorder();
}

/* ---- Questions ---- */

EXTERN_TEST(test_uses)
{
    open_recorder(&pushing, 0, 0);
    VkrUse uses[3];
    uint32_t count = 77;
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 64, true, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(operate(2, 64, true, VKR_SUCCESS), VKR_SUCCESS);
    vkr_step step = simple_step(3);
    step.accesses[0].offset = 64;
    step.accesses[step.access_count++] = step.accesses[0];
    assert_int_equal(vkr_add_step(fixture.recorder, &step), VKR_SUCCESS);
    assert_int_equal(vkrGetUses(fixture.recorder, &count, NULL), VKR_SUCCESS);
    assert_int_equal(count, 3);
    assert_int_equal(vkrGetUses(fixture.recorder, &count, uses), VKR_SUCCESS);
    assert_int_equal(count, 3);
    assert_ptr_equal(uses[0].buffer, BUFFER('A'));
    assert_int_equal(uses[0].offset, 0);
    assert_int_equal(uses[0].size, 64);
    assert_int_equal(uses[0].stages, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    assert_int_equal(uses[0].access, VK_ACCESS_SHADER_READ_BIT);
    assert_ptr_equal(uses[1].buffer, BUFFER('O'));
    assert_int_equal(uses[1].offset, 256);
    assert_int_equal(uses[1].access, VK_ACCESS_SHADER_WRITE_BIT);
    assert_ptr_equal(uses[2].buffer, BUFFER('A'));
    assert_int_equal(uses[2].offset, 64);

    uses[1].buffer = BUFFER('X');
    count = 1;
    assert_int_equal(vkrGetUses(fixture.recorder, &count, uses), VKR_SUCCESS);
    assert_int_equal(count, 1);
    assert_ptr_equal(uses[1].buffer, BUFFER('X'));
    close_recorder();
}

/* Like every call of a recording, vkrGetUses makes its error sticky. */
EXTERN_TEST(test_uses_without_memory)
{
    open_recorder(&pushing, 0, 0);
    uint32_t count = 0;
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 64, true, VKR_SUCCESS), VKR_SUCCESS);
    fixture.fail_at = fixture.allocations;
    for (int i = 0; i < 2; i++)
        assert_int_equal(vkrGetUses(fixture.recorder, &count, NULL), VKR_ERROR_OUT_OF_HOST_MEMORY);
    close_recorder();
}

EXTERN_TEST(test_image_uses)
{
    open_recorder(&pushing, 0, 0);
    VkrUse uses[4];
    uint32_t count = 4;
    vkrBegin(fixture.recorder);
    assert_int_equal(vkr_operation_begin(fixture.recorder, "operate", NULL), VKR_SUCCESS);
    for (uint32_t i = 0; i < 4; i++) {
        const vkr_step step = {
            .groups = {1, 1},
            .access_count = 1,
            .accesses = {{.image = (VkImage)(uintptr_t)5,
                          .subresource = {VK_IMAGE_ASPECT_COLOR_BIT, i / 2, 1, 0, 1},
                          .stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                          .access = VK_ACCESS_SHADER_READ_BIT}}};
        assert_int_equal(vkr_add_step(fixture.recorder, &step), VKR_SUCCESS);
    }
    assert_int_equal(vkrGetUses(fixture.recorder, &count, uses), VKR_SUCCESS);
    assert_int_equal(count, 2);
    assert_null(uses[1].buffer);
    assert_ptr_equal(uses[1].image, (void *)(uintptr_t)5);
    assert_int_equal(uses[1].subresource.baseMipLevel, 1);
    close_recorder();
}

/* ---- Labels ---- */

EXTERN_TEST(test_labels)
{
    const stub_options options = {
        .push_descriptors = true, .granule = 256, .group_limit = 65535, .brief = true};
    open_recorder(&options, VKR_CONTEXT_DEBUG_UTILS_BIT, 0);
    char expected[4096] = "";
    char line[128];
    vkrBegin(fixture.recorder);
    for (int i = 0; i < 40; i++) {
        char label[] = "operation 00";
        label[10] = (char)('0' + i / 10);
        label[11] = (char)('0' + i % 10);
        vkr_step step = simple_step((uint32_t)i);
        step.access_count = 0;
        assert_int_equal(vkr_operation_begin(fixture.recorder, "operate", label), VKR_SUCCESS);
        assert_int_equal(vkr_add_step(fixture.recorder, &step), VKR_SUCCESS);
        assert_int_equal(vkr_operation_end(fixture.recorder, VKR_SUCCESS), VKR_SUCCESS);
        snprintf(line, sizeof line, "begin %s\ndispatch %d 1 1\nend\n", label, i);
        strcat(expected, line);
        memset(label, '#', sizeof label);
    }
    assert_ends(&plain_end, expected);
    close_recorder();
}

EXTERN_TEST(test_consumer)
{
    open_recorder(&pushing, 0, 0);
    const VkrEndInfo info = {.commandBuffer = CMD,
                             .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                             .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 0, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_ends(&info, "pipeline 1\npush 0: 0=A+0:64 1=O+256:4\ndispatch 1 1 1\n"
                       "barrier compute(write) -> host(host-read)\n");
    vkrBegin(fixture.recorder);
    assert_ends(&info, "");
    close_recorder();
}
