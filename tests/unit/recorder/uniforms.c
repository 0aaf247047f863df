/* SPDX-License-Identifier: MIT */
/* Uniforms, and the limits of a step. */
#include "recorder.h"

#include <string.h>

static VkrResult operate_uniforms(uint32_t value, VkrResult failure)
{
    VkrResult result = vkr_operation_begin(fixture.recorder, "operate", NULL);
    vkr_step step = simple_step(1);
    step.variant.bindings.kinds[4] = VKR_KIND_UNIFORMS;
    step.uniform_size = 12;
    step.uniforms[0] = step.uniforms[2] = value;
    if (result == VKR_SUCCESS)
        result = vkr_add_step(fixture.recorder, &step);
    return vkr_operation_end(fixture.recorder, result == VKR_SUCCESS ? failure : result);
}

#define UNIFORM(place) "push 0: 0=A+0:64 1=O+256:4 4=" place ":12\ndispatch 1 1 1\n"
#define LEVEL "barrier compute(write) -> compute(read|write)\n"

static void assert_uniforms(VkDeviceSize offset, uint32_t value)
{
    const uint32_t expected[] = {value, 0, value};
    const uint8_t *data = stub_data(BUFFER('a'));
    assert_non_null(data);
    assert_memory_equal(data + offset, expected, sizeof expected);
}

/* Consecutive steps with the same uniforms share a place. Recordings share no places before
 * vkrReset. Uniforms cost no scratch, no use, no fill and no barrier. */
EXTERN_TEST(test_uniforms)
{
    VkDeviceSize size;
    uint32_t uses;
    const VkrEndInfo with_scratch = {.commandBuffer = CMD, .scratch = {BUFFER('S'), 0, 4096}};
    open_recorder(&pushing, 0, 0);
    for (int round = 0; round < 2; round++) {
        vkrBegin(fixture.recorder);
        assert_int_equal(operate_uniforms(7, VKR_SUCCESS), VKR_SUCCESS);
        assert_int_equal(operate_uniforms(7, VKR_SUCCESS), VKR_SUCCESS);
        assert_int_equal(operate_uniforms(8, VKR_SUCCESS), VKR_SUCCESS);
        assert_int_equal(operate_uniforms(7, VKR_SUCCESS), VKR_SUCCESS);
        assert_int_equal(vkrGetScratchSize(fixture.recorder, &size), VKR_SUCCESS);
        assert_int_equal(size, 0);
        assert_int_equal(vkrGetUses(fixture.recorder, &uses, NULL), VKR_SUCCESS);
        assert_int_equal(uses, 2);
        assert_int_equal(vkrPrepare(fixture.recorder), VKR_SUCCESS);
        const uint32_t creations = stub_creations();
        assert_ends(&plain_end, "pipeline 1\n" UNIFORM("a+0") LEVEL UNIFORM("a+0")
                                    LEVEL UNIFORM("a+64") LEVEL UNIFORM("a+128"));
        vkrBegin(fixture.recorder);
        assert_int_equal(operate_uniforms(9, VKR_SUCCESS), VKR_SUCCESS);
        assert_ends(&with_scratch, "pipeline 1\n" UNIFORM("a+192"));
        assert_int_equal(stub_creations(), creations);
        for (uint32_t i = 0; i < 4; i++)
            assert_uniforms(64 * i, (const uint32_t[]){7, 8, 7, 9}[i]);
        assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
    }
    assert_int_equal(stub_calls("vkMapMemory"), 1);
    assert_int_equal(stub_memory_type(), 0);

    /* An operation that is taken back uses no place. Many uniforms need another buffer, and the old
     * one keeps its contents. */
    vkrBegin(fixture.recorder);
    assert_int_equal(operate_uniforms(1, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(operate_uniforms(2, VKR_ERROR_UNSUPPORTED), VKR_ERROR_UNSUPPORTED);
    assert_int_equal(fixture.recorder->now.uniforms, 64);
    vkrBegin(fixture.recorder);
    assert_int_equal(operate_uniforms(3, VKR_SUCCESS), VKR_SUCCESS);
    assert_ends(&plain_end, "pipeline 1\n" UNIFORM("a+0"));
    vkrBegin(fixture.recorder);
    for (uint32_t i = 0; i < 300; i++)
        assert_int_equal(operate_uniforms(i, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    assert_int_equal(stub_calls("vkMapMemory"), 2);
    assert_uniforms(0, 3);
    const uint32_t *last = stub_data(BUFFER('b'));
    assert_int_equal(last[299 * 64 / 4], 299);
    close_recorder();
}

/* Every creation fails in turn, and so does the mapping. */
EXTERN_TEST(test_uniform_failures)
{
    uint32_t failures = 0;
    for (VkrResult result = VKR_ERROR_VULKAN; result != VKR_SUCCESS; failures++) {
        open_recorder(&pushing, 0, 0);
        stub_fail(failures, VK_ERROR_OUT_OF_DEVICE_MEMORY);
        vkrBegin(fixture.recorder);
        assert_int_equal(operate_uniforms(1, VKR_SUCCESS), VKR_SUCCESS);
        result = vkrEnd(fixture.recorder, &plain_end);
        if (result != VKR_SUCCESS)
            assert_string_equal(stub_text(), "");
        close_recorder();
    }
    /* Two layouts, a module, a pipeline, a buffer, its memory, their binding, the mapping. */
    assert_int_equal(failures - 1, 8);
}

/* ---- Limits of steps ---- */

EXTERN_TEST(test_step_limits)
{
    const vkr_caps caps = {.granule = 256};
    const vkr_place place = vkr_place_of_words(BUFFER('A'), 0, 1);
    const char *const words[] = {"binds 1 descriptors for which its kernel has no binding",
                                 "19 accesses, but must have at most 18",
                                 "132 bytes of push constants, but must have at most 128",
                                 "17 constants, but must have at most 16",
                                 "84 bytes of uniforms, but must have at most 80"};
    open_recorder(&pushing, 0, 0);
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(words); i++) {
        vkr_step step = simple_step(1);
        if (i == 0)
            (void)vkr_fill_slot(&caps, &step, &(vkr_slot){.binding = 8}, &place, 0, 1);
        while (i == 1 && step.access_count <= VKR_MAX_ACCESSES)
            vkr_use(&step, BUFFER('A'), 0, 4, VK_ACCESS_SHADER_READ_BIT);
        step.push_size = i == 2 ? 132 : 0;
        step.variant.constant_count = i == 3 ? 17 : 0;
        step.uniform_size = i == 4 ? 84 : 0;
        vkrBegin(fixture.recorder);
        assert_int_equal(vkr_operation_begin(fixture.recorder, "operate", NULL), VKR_SUCCESS);
        assert_failed(vkr_add_step(fixture.recorder, &step), VKR_ERROR_UNSUPPORTED, words[i]);
        assert_int_equal(fixture.recorder->now.steps, 0);
    }
    close_recorder();
}
