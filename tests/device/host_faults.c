/* SPDX-License-Identifier: MIT */
/*
 * libvkreduce-host where calls fail. Lives of a host, from the list of devices to its end, in which
 * one call of Vulkan or one allocation fails, each in turn until a life has none that could: every
 * time there is one error with a sentence, or, where that is allowed, all is as if nothing had
 * failed; no object and no memory is left; and arrays that were not to be written keep their
 * contents.
 */
#include "host_case.h"

#include <stdio.h>

#include "host_chunks.h"
#include "host_heap.h"
#include "host_wrap.h"

#define SMALL 100u
#define LARGE 20000u /* words: such an array is imported where the device can do that */

harness device;

static hearing heard;

/* ---- A life ---- */

static struct {
    VkrHostInfo info;
    VkrHost host;
    VkrHostMemory memory[VKR_HOST_MEMORY_KIND_COUNT];
    VkrHostMemory small, sum, large; /* of attached arrays */
    bool submitted;
} life;

static uint32_t small[SMALL], large[LARGE], before[LARGE], values[SMALL], fetched[SMALL];
static unsigned char sum[64], sum_before[64];
static char folder[64];

static VkrResult list(void)
{
    VkrHostDevice devices[4];
    uint32_t count = 4;
    return vkrGetHostDevices(&life.info, &count, devices, NULL);
}

static VkrResult create(void)
{
    const VkrResult result = vkrCreateHost(&life.info, &life.host);
    assert_true((result == VKR_SUCCESS) == (life.host != NULL));
    return result;
}

static VkrResult alloc(void)
{
    VkrResult result = VKR_SUCCESS;
    for (uint32_t i = 0; i < VKR_HOST_MEMORY_KIND_COUNT && result == VKR_SUCCESS; i++) {
        result = vkrHostAlloc(life.host, sizeof values, (VkrHostMemoryKind)i, &life.memory[i]);
        assert_true(result == VKR_SUCCESS || life.memory[i].buffer == VK_NULL_HANDLE);
    }
    return result;
}

static VkrResult write_memory(void)
{
    const VkrResult result =
        vkrHostWrite(life.host, &life.memory[VKR_HOST_MEMORY_UNMAPPED], 0, sizeof values, values);
    return result != VKR_SUCCESS ? result
                                 : vkrHostWrite(life.host, &life.memory[VKR_HOST_MEMORY_UPLOAD], 0,
                                                sizeof values, values);
}

static VkrResult begin(void)
{
    return vkrHostBegin(life.host);
}

static VkrResult attach(void)
{
    const VkrHostArray arrays[] = {{small, sizeof small, VKR_HOST_READ},
                                   {sum, sizeof sum, VKR_HOST_WRITE},
                                   {large, sizeof large, VKR_HOST_READ_WRITE}};
    VkrHostMemory *const memory[] = {&life.small, &life.sum, &life.large};
    VkrResult result = VKR_SUCCESS;
    for (size_t i = 0; i < ARRAY_SIZE(arrays) && result == VKR_SUCCESS; i++)
        result = vkrHostAttach(life.host, &arrays[i], memory[i]);
    return result;
}

static VkrResult record(void)
{
    VkrResult result =
        case_record(life.host, CASE_REDUCE, VKR_TYPE_U32, &life.small, &life.sum, SMALL);
    if (result == VKR_SUCCESS)
        result = case_record(life.host, CASE_SCAN, VKR_TYPE_U32, &life.large, &life.large, LARGE);
    return result;
}

static VkrResult run(void)
{
    life.submitted = true;
    return vkrHostRun(life.host);
}

/* A recording without arrays, which is submitted twice. */
static VkrResult copy(void)
{
    const VkrHostMemory *m = life.memory;
    VkrResult result = vkrHostCopyIn(life.host, &m[VKR_HOST_MEMORY_UPLOAD],
                                     &m[VKR_HOST_MEMORY_DEVICE], sizeof values);
    if (result == VKR_SUCCESS)
        result = vkrHostEnd(life.host);
    if (result == VKR_SUCCESS)
        result = vkrHostCopyOut(life.host, &m[VKR_HOST_MEMORY_DEVICE], &m[VKR_HOST_MEMORY_READBACK],
                                sizeof values);
    return result;
}

static VkrResult submit(void)
{
    return vkrHostSubmit(life.host);
}

static VkrResult wait(void)
{
    return vkrHostWait(life.host);
}

static VkrResult read_memory(void)
{
    return vkrHostRead(life.host, &life.memory[VKR_HOST_MEMORY_UNMAPPED], 0, sizeof fetched,
                       fetched);
}

static VkrResult ask_time(void)
{
    uint64_t time;
    VkrHostTime times[8];
    uint32_t count = ARRAY_SIZE(times);
    VkrResult result = vkrGetHostTime(life.host, &time);
    if (result == VKR_SUCCESS)
        result = vkrGetHostTimes(life.host, &count, times);
    return result == VKR_ERROR_UNSUPPORTED ? VKR_SUCCESS : result;
}

static VkrResult stamp(void)
{
    return vkrHostStamp(life.host, VK_TRUE);
}

static VkrResult create_context(void)
{
    VkrContext context;
    const VkrResult result = vkrCreateHostContext(life.host, NULL, &context);
    assert_true((result == VKR_SUCCESS) == (context != NULL));
    vkrDestroyContext(context);
    return result;
}

/* What fails, of a call in chunks only after the host is there. */
static uint32_t call_that_fails, allocation_that_fails, chunks_of;

static void plan(void)
{
    wrap.calls = heap.allocations = 0;
    wrap.fails_at = call_that_fails;
    heap.fails_at = allocation_that_fails;
}

static VkrResult chunks(void)
{
    plan();
    return host_chunks_run(life.host, chunks_of, HOST_CHUNKS_COUNT, HOST_CHUNKS_SIZE);
}

typedef VkrResult (*const step)(void);
static step of_recordings[] = {
    list,  create, create_context, alloc,  write_memory, begin,  attach, record,   run, read_memory,
    begin, stamp,  copy,           submit, wait,         submit, wait,   ask_time, NULL};
static step of_chunks[] = {create, chunks, NULL};
static step *steps;

/* Returns the result of the step that failed. */
static VkrResult live(uint32_t flags, const VkAllocationCallbacks *allocator)
{
    static VkrHostVulkan vulkan;
    VkrResult result = VKR_SUCCESS;
    memset(&life, 0, sizeof life);
    heard = (hearing){0};
    life.info = case_info(&heard);
    vulkan = life.info.vulkan != NULL ? *life.info.vulkan : (VkrHostVulkan){0};
    vulkan.getInstanceProcAddr = host_wrap_get;
    life.info.vulkan = &vulkan;
    life.info.flags = flags | VKR_HOST_TIMESTAMPS_BIT | VKR_HOST_OPERATION_TIMES_BIT;
    life.info.cacheFolder = folder;
    life.info.allocator = allocator;
    case_fill(small, sizeof small, 1);
    case_fill(large, sizeof large, 2);
    case_fill(values, sizeof values, 3);
    case_fill(sum, sizeof sum, 4);
    memcpy(before, large, sizeof large);
    memcpy(sum_before, sum, sizeof sum);
    if (steps != of_chunks)
        plan();
    for (size_t i = 0; steps[i] != NULL && result == VKR_SUCCESS; i++) {
        heard.errors = 0;
        result = steps[i]();
    }
    if (result != VKR_SUCCESS && (heard.errors != 1 || heard.result != result))
        fail_msg("%s gives %s and %u sentences, the last one \"%s\"", wrap.failed,
                 vkrResultName(result), heard.errors, heard.sentence);
    for (uint32_t i = 0; i < VKR_HOST_MEMORY_KIND_COUNT; i++)
        vkrHostFree(life.host, &life.memory[i]);
    vkrDestroyHost(life.host);
    return result;
}

/* ---- What is checked after it ---- */

static void check_arrays(VkrResult result)
{
    uint32_t expected[SMALL];
    if (steps == of_chunks) /* which has checked its own */
        return;
    case_fill(expected, sizeof expected, 1);
    assert_memory_equal(small, expected, sizeof small);
    if (!life.submitted) {
        assert_memory_equal(large, before, sizeof large);
        assert_memory_equal(sum, sum_before, sizeof sum);
    }
    if (result != VKR_SUCCESS)
        return;
    uint32_t total = 0, first;
    for (uint32_t i = 0; i < SMALL; i++)
        total += small[i];
    memcpy(&first, sum, sizeof first);
    assert_int_equal(first, total); /* of a sum modulo 2^32 or wider */
    for (uint32_t i = 0, prefix = 0; i < LARGE; i++) {
        prefix += before[i];
        assert_int_equal(large[i], prefix);
    }
    assert_memory_equal(fetched, values, sizeof fetched);
}

static void check_left(void)
{
    assert_int_equal(device.validation_messages, 0);
    if (wrap.objects != 0 || wrap.trouble[0] != '\0' || heap.blocks != 0)
        fail_msg("%s fails, and %u objects and %u blocks are left; %s",
                 wrap.failed != NULL ? wrap.failed : "an allocation", wrap.objects, heap.blocks,
                 wrap.trouble);
}

/* ---- Calls of Vulkan ---- */

static bool is_one_of(const char *const *names, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(wrap.failed, names[i]) == 0)
            return true;
    return false;
}

/* Calls without which a host works. */
static bool may_fail(void)
{
    static const char *const names[] = {
        "vkCreatePipelineCache",
        "vkGetPipelineCacheData",
        "vkEnumerateDeviceExtensionProperties",
        "vkGetMemoryHostPointerPropertiesEXT",
        /* Another kernel stands in, with a note. */
        "vkCreateShaderModule",
        "vkCreateComputePipelines",
    };
    static const char *const of_memory[] = {"vkAllocateMemory", "vkBindBufferMemory",
                                            "vkCreateBuffer", "vkCreateBufferView", "vkMapMemory"};
    /* An array that cannot be imported is copied. Where memory is kept for arrays, other memory is
     * tried again without it. */
    return wrap.since_pointer <= 4 || is_one_of(names, ARRAY_SIZE(names)) ||
           ((life.submitted || steps == of_chunks) && is_one_of(of_memory, ARRAY_SIZE(of_memory)));
}

/* Lets each call in turn fail, with a result or that of its row. Returns how many did. */
static uint32_t fail_each(step *in, uint32_t flags, const char *only, VkResult with)
{
    uint32_t n = 0, excused = 0;
    steps = in;
    for (bool hit = true; hit; n++) {
        /* Of calls in chunks, which share much, a run has every VKR_TEST_STEP-th life. */
        if (steps == of_chunks && only == NULL && !harness_has_case(n))
            continue;
        host_wrap_reset();
        call_that_fails = n;
        allocation_that_fails = HOST_HEAP_NEVER;
        wrap.only = only;
        wrap.with = with;
        const VkrResult result = live(flags, NULL);
        hit = wrap.failures > 0;
        if (!hit)
            assert_int_equal(result, VKR_SUCCESS);
        else if (result == VKR_SUCCESS && !may_fail())
            fail_msg("%s, call %u, fails, and nothing says so", wrap.failed, n);
        else if (result != VKR_SUCCESS && strstr(heard.sentence, wrap.failed) == NULL)
            fail_msg("%s fails, and the sentence is \"%s\"", wrap.failed, heard.sentence);
        else if (with == VK_ERROR_DEVICE_LOST)
            assert_int_equal(result, VKR_ERROR_DEVICE_LOST);
        excused += hit && result == VKR_SUCCESS;
        check_arrays(result);
        check_left();
    }
    print_message("# %u failures of %s, %u of them without an error\n", n - 1,
                  only != NULL ? only : "calls", excused);
    return n - 1;
}

static HOST_TEST(test_calls)
{
    (void)state;
    assert_true(fail_each(of_recordings, 0, NULL, VK_SUCCESS) > 80);
    for (chunks_of = 0; chunks_of < HOST_CHUNKS; chunks_of++)
        assert_true(fail_each(of_chunks, 0, NULL, VK_SUCCESS) > 10);
}

static HOST_TEST(test_calls_unmapped)
{
    (void)state;
    assert_true(fail_each(of_recordings, VKR_HOST_UNMAPPED_BIT, NULL, VK_SUCCESS) > 80);
    for (chunks_of = 0; chunks_of < HOST_CHUNKS; chunks_of++)
        assert_true(fail_each(of_chunks, VKR_HOST_UNMAPPED_BIT, NULL, VK_SUCCESS) > 20);
}

static HOST_TEST(test_lost_calls)
{
    static const char *const names[] = {"vkQueueSubmit", "vkWaitForFences", "vkGetQueryPoolResults",
                                        "vkCreateDevice"};
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(names); i++)
        assert_true(
            fail_each(of_recordings, VKR_HOST_UNMAPPED_BIT, names[i], VK_ERROR_DEVICE_LOST) > 0);
    for (chunks_of = 0; chunks_of < HOST_CHUNKS; chunks_of++)
        for (uint32_t i = 0; i < 2; i++)
            assert_true(fail_each(of_chunks, 0, names[i], VK_ERROR_DEVICE_LOST) > 2);
}

/* ---- Allocations ---- */

/* Lets each allocation in turn fail. */
static void fail_allocations(step *in)
{
    uint32_t n = 0, excused = 0;
    steps = in;
    for (bool hit = true; hit; n++) {
        if (steps == of_chunks && !harness_has_case(n))
            continue;
        host_wrap_reset();
        wrap.allocator = &heap;
        heap = (host_heap){.fails_at = HOST_HEAP_NEVER};
        call_that_fails = HOST_WRAP_NEVER;
        allocation_that_fails = n;
        const VkrResult result = live(n % 2 == 0 ? VKR_HOST_UNMAPPED_BIT : 0, &heap_callbacks);
        hit = heap.failed;
        if (result != VKR_SUCCESS)
            assert_int_equal(result, VKR_ERROR_OUT_OF_HOST_MEMORY);
        excused += hit && result == VKR_SUCCESS;
        check_arrays(result);
        check_left();
    }
    print_message("# %u allocations, %u of them not needed\n", n - 1, excused);
    assert_true(n > 3 && excused <= n / 4);
}

static HOST_TEST(test_allocations)
{
    (void)state;
    fail_allocations(of_recordings);
    for (chunks_of = 0; chunks_of < HOST_CHUNKS; chunks_of++)
        fail_allocations(of_chunks);
}

/* ---- The program ---- */

static int open_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/vkreduce-host-XXXXXX");
    return mkdtemp(folder) != NULL ? 0 : -1;
}

static int close_folder(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

HARNESS_MAIN(device, "host_faults", open_folder, close_folder, cmocka_unit_test(test_calls),
             cmocka_unit_test(test_calls_unmapped), cmocka_unit_test(test_lost_calls),
             cmocka_unit_test(test_allocations))
