/* SPDX-License-Identifier: MIT */
/* Memory: scratch of the recorder or of the caller, and places for unused bindings. */
#include "recorder.h"

#include <string.h>

#define FILL(where, size)                                                                          \
    "fill " where ":" size " 0\nbarrier transfer(copy-write) -> compute(read|write)\n"

EXTERN_TEST(test_scratch)
{
    open_recorder(&pushing, 0, 0);
    VkDeviceSize size;
    vkrBegin(fixture.recorder);
    assert_int_equal(vkrGetScratchSize(fixture.recorder, &size), VKR_SUCCESS);
    assert_int_equal(size, 0);
    assert_int_equal(operate(1, 100, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(operate(2, 257, true, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(operate(3, 0, true, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(vkrGetScratchSize(fixture.recorder, &size), VKR_SUCCESS);
    assert_int_equal(size, 2 * 256 + 256 + 512);
    /* The steps write the same output, so each has its own level. The second step is the first that
     * uses counters: the barrier before it also waits for the fill. */
    assert_ends(&plain_end, "fill a+0:512 0\n"
                            "pipeline 1\n"
                            "push 0: 0=A+0:64 1=O+256:4 2=a+512:100\n"
                            "dispatch 1 1 1\n"
                            "barrier compute|transfer(write|copy-write) -> compute(read|write)\n"
                            "pipeline 2\n"
                            "push 0: 0=A+0:64 1=O+256:4 2=a+768:257 3=a+0:4\n"
                            "dispatch 2 1 1\n"
                            "barrier compute(write) -> compute(read|write)\n"
                            "pipeline 1\n"
                            "push 0: 0=A+0:64 1=O+256:4 2=a+256:4\n"
                            "dispatch 3 1 1\n");
    close_recorder();
}

EXTERN_TEST(test_scratch_overflow)
{
    open_recorder(&pushing, 0, 0);
    vkrBegin(fixture.recorder);
    assert_failed(operate(1, UINT64_MAX - 7, false, VKR_SUCCESS), VKR_ERROR_OUT_OF_DEVICE_MEMORY,
                  "operate: ");
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, UINT64_MAX / 4, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_failed(operate(1, 1, false, VKR_SUCCESS), VKR_ERROR_OUT_OF_DEVICE_MEMORY, "1 more");
    close_recorder();
}

EXTERN_TEST(test_callers_scratch)
{
    open_recorder(&pushing, 0, 0);
    const VkrEndInfo info = {.commandBuffer = CMD, .scratch = {BUFFER('S'), 1024, 512}};
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 64, true, VKR_SUCCESS), VKR_SUCCESS);
    assert_ends(&info, "barrier compute|transfer(write|copy-write) -> "
                       "compute|transfer(read|write|copy-write)\n" FILL("S+1024", "256") //
                "pipeline 1\n"
                "push 0: 0=A+0:64 1=O+256:4 2=S+1280:64 3=S+1024:4\n"
                "dispatch 1 1 1\n");
    assert_int_equal(stub_calls("vkCreateBuffer"), 0);

    /* A recording without scratch has nothing to wait for. */
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 0, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_ends(&info, "pipeline 2\npush 0: 0=A+0:64 1=O+256:4\ndispatch 1 1 1\n");
    close_recorder();
}

/* ---- Unused bindings ---- */

/* A step with binding 2 unused, and no scratch. */
static VkrResult operate_unused(VkrResult failure)
{
    VkrResult result = vkr_operation_begin(fixture.recorder, "operate", NULL);
    vkr_step step = simple_step(1);
    step.variant.bindings.kinds[2] = step.variant.bindings.kinds[3] = VKR_KIND_BUFFER;
    step.bindings[3] = step.bindings[0];
    if (result == VKR_SUCCESS)
        result = vkr_add_step(fixture.recorder, &step);
    return vkr_operation_end(fixture.recorder, result == VKR_SUCCESS ? failure : result);
}

#define UNUSED(place) "push 0: 0=A+0:64 1=O+256:4 2=" place ":256 3=A+0:64\ndispatch 1 1 1\n"

/* Unused bindings get a place that no other step has, and that costs no scratch, no use, no fill,
 * no barrier and no further allocation. */
EXTERN_TEST(test_unused)
{
    VkDeviceSize size;
    uint32_t uses;
    const VkrEndInfo with_scratch = {.commandBuffer = CMD, .scratch = {BUFFER('S'), 0, 4096}};
    open_recorder(&pushing, 0, 0);
    for (int round = 0; round < 2; round++) {
        vkrBegin(fixture.recorder);
        assert_int_equal(operate_unused(VKR_SUCCESS), VKR_SUCCESS);
        assert_int_equal(vkrGetScratchSize(fixture.recorder, &size), VKR_SUCCESS);
        assert_int_equal(size, 0);
        assert_int_equal(vkrGetUses(fixture.recorder, &uses, NULL), VKR_SUCCESS);
        assert_int_equal(uses, 2);
        assert_ends(&plain_end, "pipeline 1\n" UNUSED("a+0"));
        vkrBegin(fixture.recorder);
        assert_int_equal(operate_unused(VKR_SUCCESS), VKR_SUCCESS);
        assert_ends(&with_scratch, "pipeline 1\n" UNUSED("a+256"));

        /* The place is after the recorder's scratch, never in the caller's, and recordings do not
         * share places. */
        for (int callers = 0; callers < 2; callers++) {
            vkrBegin(fixture.recorder);
            assert_int_equal(operate(1, 64, false, VKR_SUCCESS), VKR_SUCCESS);
            assert_int_equal(operate_unused(VKR_SUCCESS), VKR_SUCCESS);
            assert_int_equal(vkrPrepare(fixture.recorder), VKR_SUCCESS);
            const uint32_t creations = stub_creations();
            stub_clear();
            assert_int_equal(vkrEnd(fixture.recorder, callers ? &with_scratch : &plain_end),
                             VKR_SUCCESS);
            assert_non_null(strstr(stub_text(), callers ? "2=S+0:64" : "2=a+512:64"));
            assert_non_null(strstr(stub_text(), callers ? "2=a+1024:256" : "2=a+768:256"));
            assert_int_equal(stub_creations(), creations);
        }
        assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
    }
    assert_int_equal(stub_calls("vkCreateBuffer"), 1);

    /* An operation that is taken back uses no place. */
    vkrBegin(fixture.recorder);
    assert_int_equal(operate_unused(VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(operate_unused(VKR_ERROR_UNSUPPORTED), VKR_ERROR_UNSUPPORTED);
    assert_int_equal(fixture.recorder->now.unused, 256);
    close_recorder();
}

/* ---- Memory types ---- */

EXTERN_TEST(test_memory_types)
{
    open_recorder(&pushing, 0, 0);
    const uint32_t objects = stub_objects();
    stub_allow_memory_types(0);
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 64, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_failed(vkrEnd(fixture.recorder, &plain_end), VKR_ERROR_UNSUPPORTED,
                  "memoryTypeBits of a storage buffer names no type, but must name one of the "
                  "device's ");
    assert_int_equal(stub_calls("vkAllocateMemory"), 0);
    assert_int_equal(stub_objects(), objects + 3); /* the pipeline and its two layouts */
    stub_allow_memory_types(1);
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 64, false, VKR_SUCCESS), VKR_SUCCESS);
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    assert_int_equal(stub_memory_type(), 0);
    close_recorder();
}

static const char *recorded(uint32_t groups, VkDeviceSize scratch)
{
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(groups, scratch, false, VKR_SUCCESS), VKR_SUCCESS);
    stub_clear();
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    return stub_text();
}

#define TRACE(scratch) "pipeline 1\npush 0: 0=A+0:64 1=O+256:4 2=" scratch "\ndispatch 1 1 1\n"

/* Recordings share no scratch before vkrReset; after it, nothing new is allocated. */
EXTERN_TEST(test_reset)
{
    open_recorder(&pushing, 0, 1000);
    for (int round = 0; round < 3; round++) {
        assert_string_equal(recorded(1, 256), TRACE("a+0:256"));
        assert_string_equal(recorded(1, 512), TRACE("a+256:512"));
        assert_string_equal(recorded(1, 512), TRACE("b+0:512"));
        assert_string_equal(recorded(1, 200), TRACE("a+768:200"));
        assert_string_equal(recorded(1, 5000), TRACE("c+0:5000"));
        assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
    }
    assert_int_equal(stub_calls("vkCreateBuffer"), 3);
    assert_int_equal(stub_memory_type(), 1);
    assert_int_equal(stub_calls("vkCreateComputePipelines"), 1);
    close_recorder();
}

/* ---- Preparing ---- */

static void prepare_then_end(const stub_options *options)
{
    open_recorder(options, 0, 0);
    const VkrEndInfo info = {.commandBuffer = CMD, .flags = VKR_END_NO_COMPILE_BIT};
    for (int round = 0; round < 3; round++) {
        vkrBegin(fixture.recorder);
        assert_int_equal(operate(1, 64, true, VKR_SUCCESS), VKR_SUCCESS);
        assert_int_equal(vkrPrepare(fixture.recorder), VKR_SUCCESS);
        assert_int_equal(operate(2, 64, true, VKR_SUCCESS), VKR_SUCCESS);
        assert_int_equal(vkrPrepare(fixture.recorder), VKR_SUCCESS);
        const uint32_t creations = stub_creations();
        const uint32_t allocations = fixture.allocations;
        assert_int_equal(vkrPrepare(fixture.recorder), VKR_SUCCESS);
        assert_int_equal(vkrEnd(fixture.recorder, &info), VKR_SUCCESS);
        assert_int_equal(stub_creations(), creations);
        assert_int_equal(fixture.allocations, allocations);
    }
    assert_int_equal(stub_calls("vkCmdDispatch"), 6);
    assert_int_equal(stub_calls("vkCreateBuffer"), 1);
    assert_int_equal(stub_calls("vkCreateComputePipelines"), 1);
    assert_int_equal(stub_calls("vkCreateDescriptorPool"), options->push_descriptors ? 0 : 1);
    close_recorder();
}

EXTERN_TEST(test_prepare)
{
    prepare_then_end(&pushing);
    prepare_then_end(&pooling);
}

/* The next recording uses what was prepared and then dropped. */
EXTERN_TEST(test_prepare_and_drop)
{
    open_recorder(&pooling, 0, 512);
    for (int round = 0; round < 5; round++) {
        vkrBegin(fixture.recorder);
        assert_int_equal(operate(1, 500, false, VKR_SUCCESS), VKR_SUCCESS);
        assert_int_equal(vkrPrepare(fixture.recorder), VKR_SUCCESS);
    }
    assert_int_equal(stub_calls("vkCreateBuffer"), 1);
    assert_int_equal(stub_calls("vkCreateDescriptorPool"), 1);
    close_recorder();
}

EXTERN_TEST(test_prepare_failure)
{
    open_recorder(&pushing, 0, 0);
    vkrBegin(fixture.recorder);
    assert_int_equal(operate(1, 64, true, VKR_SUCCESS), VKR_SUCCESS);
    stub_fail(3, VK_ERROR_DEVICE_LOST);
    assert_failed(vkrPrepare(fixture.recorder), VKR_ERROR_DEVICE_LOST, "vkCreateComputePipelines");
    assert_failed(vkrEnd(fixture.recorder, &plain_end), VKR_ERROR_DEVICE_LOST, "earlier");
    assert_string_equal(stub_text(), "");
    close_recorder();
}
