/* SPDX-License-Identifier: MIT */
/* Every allocation in a context's life fails in turn: the call returns the right code, records
 * nothing and leaks nothing, and succeeds when it is repeated. */
#include <stdio.h>
#include <string.h>

#include "hook_code.h"
#include "trace.h"

#define OPERATIONS 20u /* enough that every list of the recorder has to grow */

#define CALLED 2u /* operations among them whose elements are a function's */

static bool prepares;
static VkrModule module;

/* ---- A life, in calls ---- */

static VkrResult create_context(void)
{
    return vkrCreateContext(&fixture.info, &fixture.context);
}

static VkrResult create_recorder(void)
{
    const VkrRecorderInfo info = {.label = "a label of some length", .scratchChunkSize = 4096};
    return vkrCreateRecorder(fixture.context, &info, &fixture.recorder);
}

static VkrResult create_module(void)
{
    const VkrModuleInfo info = {
        .label = "of a label", .code = hook_code, .codeSize = sizeof hook_code};
    return vkrCreateModule(fixture.context, &info, &module);
}

static VkrResult layout(void)
{
    const VkrReduceInfo info = plain_reduce();
    VkrReduceLayout result;
    return vkrGetReduceLayout(fixture.context, &info, &result);
}

static VkrResult collect(void)
{
    const VkrHook hook = {.module = module, .name = "load"};
    const VkrMap map = {.hook = &hook};
    VkrResult result = vkrBegin(fixture.recorder);
    for (uint32_t i = 0; i < OPERATIONS && result == VKR_SUCCESS; i++) {
        VkrReduceInfo info = plain_reduce();
        char label[64];
        snprintf(label, sizeof label, "%u, and enough text that labels must move", i);
        info.label = label;
        info.input.size = 40000;
        info.ops = 1u << i % 3;
        info.algorithm = i % 2 ? VKR_REDUCE_SINGLE : VKR_REDUCE_SUBGROUP;
        info.output.offset = 256 * i;
        if (i % 10 == 4) {
            info.algorithm = VKR_REDUCE_SPLIT;
            info.segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = 5000};
        }
        if (i % 10 == 7) {
            info.input = (VkrView){.map = &map};
            info.count = 10000;
        }
        result = vkrCmdReduce(fixture.recorder, &info);
    }
    return result;
}

/* After a failed vkrPrepare or vkrEnd, the operations must be collected again. */
static VkrResult collect_and_prepare(void)
{
    uint32_t uses;
    VkrResult result = collect();
    if (result == VKR_SUCCESS)
        result = vkrGetUses(fixture.recorder, &uses, NULL);
    return result == VKR_SUCCESS && prepares ? vkrPrepare(fixture.recorder) : result;
}

static VkrResult record(void)
{
    const VkrResult result = collect_and_prepare();
    return result == VKR_SUCCESS ? vkrEnd(fixture.recorder, &plain_end) : result;
}

static VkrResult (*const calls[])(void) = {create_context, create_recorder, create_module,
                                           layout,         record,          record};

/* Returns whether a call failed. A call that failed must succeed when it is repeated. */
static bool live(VkrResult expected)
{
    bool failed = false;
    for (size_t i = 0; i < ARRAY_SIZE(calls); i++) {
        trace_clear();
        fixture.sentences = 0;
        VkrResult result = calls[i]();
        if (result != VKR_SUCCESS) {
            assert_false(failed);
            assert_string_equal(vkrResultName(result), vkrResultName(expected));
            assert_string_equal(vkrResultName(fixture.result), vkrResultName(expected));
            assert_int_equal(fixture.sentences, 1);
            assert_int_equal(fixture.commands, 0);
            if (i == 0) {
                assert_null(fixture.context);
                assert_int_equal(fixture.blocks, 0);
                assert_int_equal(stub_objects(), 0);
            } else if (i == 1) {
                assert_null(fixture.recorder);
            }
            failed = true;
            result = calls[i]();
        }
        assert_int_equal(result, VKR_SUCCESS);
        /* Odd operations need one dispatch, even ones two. */
        assert_int_equal(fixture.dispatch_count, i < 4 ? 0 : OPERATIONS * 3 / 2 + CALLED);
    }
    vkrDestroyModule(module);
    trace_close();
    return failed;
}

/* ---- The heap fails ---- */

TEST(test_heap)
{
    for (uint32_t mode = 0; mode < 4; mode++) {
        uint32_t n = 0;
        bool failed = true;
        prepares = mode & 1;
        for (; failed; n++) {
            trace_describe(&(trace_device){.pools = mode & 2});
            fixture.fail_at = n;
            failed = live(VKR_ERROR_OUT_OF_HOST_MEMORY);
        }
        print_message("# %u allocations\n", n - 1);
        assert_true(n > 30); /* Vulkan's objects come from this heap too */
    }
}

/* ---- Vulkan fails; lost devices, which stay lost, are in tests/device/faults_lost.c ---- */

static const struct {
    VkResult result;
    VkrResult expected;
    const char *name;
} failures[] = {
    {VK_ERROR_OUT_OF_HOST_MEMORY, VKR_ERROR_OUT_OF_HOST_MEMORY, "VK_ERROR_OUT_OF_HOST_MEMORY"},
    {VK_ERROR_OUT_OF_DEVICE_MEMORY, VKR_ERROR_OUT_OF_DEVICE_MEMORY,
     "VK_ERROR_OUT_OF_DEVICE_MEMORY"},
    {VK_ERROR_FRAGMENTATION, VKR_ERROR_VULKAN, "VK_ERROR_FRAGMENTATION"},
    {(VkResult)-12345, VKR_ERROR_VULKAN, "-12345"},
};

TEST(test_vulkan)
{
    for (uint32_t mode = 0; mode < 4 * ARRAY_SIZE(failures); mode++) {
        const size_t k = mode / 4;
        uint32_t n = 0;
        bool failed = true;
        prepares = mode & 1;
        for (; failed; n++) {
            trace_describe(&(trace_device){.pools = mode & 2});
            stub_fail(n, failures[k].result);
            failed = live(failures[k].expected);
            /* Another kernel may stand in for one that does not compile; a note says so. */
            if (!failed && strstr(fixture.note, "cannot compile a pipeline")) {
                failed = true;
                continue;
            }
            if (failed && (!strstr(fixture.sentence, failures[k].name) ||
                           !strstr(fixture.sentence, " failed with ")))
                fail_msg("\"%s\" does not say %s", fixture.sentence, failures[k].name);
        }
        assert_true(n > 10);
    }
}

TEST_MAIN("memory", CASE(test_heap), CASE(test_vulkan))
