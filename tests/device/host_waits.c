/* SPDX-License-Identifier: MIT */
/* Waits that take too long or are ended, and devices that are lost. */
#include "host_case.h"

#include "host_chunks.h"
#include "host_wrap.h"

#define MILLISECOND UINT64_C(1000000)

static hearing heard;

/* ---- Hosts whose calls of Vulkan can fail ---- */

static VkrHostVulkan wrapped;

static VkrHostInfo wrapped_info(void)
{
    VkrHostInfo info = case_info(&heard);
    host_wrap_reset();
    wrapped = info.vulkan != NULL ? *info.vulkan : (VkrHostVulkan){0};
    wrapped.getInstanceProcAddr = host_wrap_get;
    info.vulkan = &wrapped;
    return info;
}

static VkrHost open_wrapped(const VkrHostInfo *info)
{
    VkrHost host;
    EXPECT_OK(vkrCreateHost(info, &host));
    return host;
}

/* A second host of the same device. */
static VkrHost open_sharing(VkrHost host)
{
    VkrHostInfo info = case_info(&heard);
    info.shared = host;
    info.vulkan = NULL;
    info.device = NULL;
    return open_wrapped(&info);
}

static void make_fail(const char *function, VkResult result, bool forever)
{
    wrap.calls = 0;
    wrap.failures = 0;
    wrap.waited = 0;
    wrap.only = function;
    wrap.with = result;
    wrap.fails_at = 0;
    wrap.forever = forever;
}

static void fail_no_more(void)
{
    wrap.fails_at = HOST_WRAP_NEVER;
}

static void start(VkrHost host, uint32_t *sum)
{
    static uint32_t ones[4] = {1, 1, 1, 1};
    const VkrHostArray arrays[] = {{ones, sizeof ones, VKR_HOST_READ}, {sum, 64, VKR_HOST_WRITE}};
    VkrHostMemory in, out;
    EXPECT_OK(vkrHostBegin(host));
    EXPECT_OK(vkrHostAttach(host, &arrays[0], &in));
    EXPECT_OK(vkrHostAttach(host, &arrays[1], &out));
    EXPECT_OK(case_record(host, CASE_REDUCE, VKR_TYPE_U32, &in, &out, 4));
    EXPECT_OK(vkrHostSubmit(host));
}

/* Every function of a host that has failed says so. */
static void expect_useless(VkrHost host, VkrResult result)
{
    static const char said[] = "before; it can only be destroyed.";
    VkrHostMemory memory = {.size = 4};
    unsigned char bytes[4] = {0};
    uint64_t time;
    VkrContext context;
    EXPECT_ERROR(&heard, result, said, vkrHostBegin(host));
    EXPECT_ERROR(&heard, result, said, vkrHostSubmit(host));
    EXPECT_ERROR(&heard, result, said, vkrHostWait(host));
    EXPECT_ERROR(&heard, result, said, vkrHostRun(host));
    EXPECT_ERROR(&heard, result, said, vkrHostEnd(host));
    EXPECT_ERROR(&heard, result, said, vkrHostCopyIn(host, &memory, &memory, 0));
    EXPECT_ERROR(&heard, result, said, vkrHostCopyOut(host, &memory, &memory, 0));
    EXPECT_ERROR(&heard, result, said, vkrHostRead(host, &memory, 0, 4, bytes));
    EXPECT_ERROR(&heard, result, said, vkrHostWrite(host, &memory, 0, 4, bytes));
    EXPECT_ERROR(&heard, result, said,
                 vkrHostAttach(host, &(VkrHostArray){bytes, 4, VKR_HOST_READ}, &memory));
    EXPECT_ERROR(&heard, result, said, vkrHostAlloc(host, 4, VKR_HOST_MEMORY_DEVICE, &memory));
    EXPECT_ERROR(&heard, result, said, vkrHostImport(host, bytes, 4, &memory));
    EXPECT_ERROR(&heard, result, said, vkrGetHostTime(host, &time));
    EXPECT_ERROR(&heard, result, said, vkrGetHostTimes(host, &(uint32_t){0}, NULL));
    EXPECT_ERROR(&heard, result, said, vkrHostStamp(host, VK_TRUE));
    EXPECT_ERROR(&heard, result, said, vkrCreateHostContext(host, NULL, &context));
    VkrHostInfo info = case_info(&heard);
    VkrHost none;
    info.shared = host;
    info.vulkan = NULL;
    info.device = NULL;
    EXPECT_ERROR(&heard, result, "shared", vkrCreateHost(&info, &none));
    assert_null(none);
}

/* The host leaves its objects, which are destroyed here. */
static void expect_left(bool left)
{
    assert_int_equal(host_wrap_reap() > 0, left);
    assert_string_equal(wrap.trouble, "");
}

/* ---- Timeouts ---- */

/* The wait ends after `timeout`, and destroying the host does not wait as long again. */
HOST_TEST(test_timeout)
{
    uint32_t sum[16], before[16];
    (void)state;
    for (uint32_t shares = 0; shares < 2; shares++) {
        VkrHostInfo info = wrapped_info();
        info.timeout = 250 * MILLISECOND;
        VkrHost host = open_wrapped(&info), other = NULL;
        if (shares != 0)
            other = open_sharing(host);
        memset(sum, 0x5a, sizeof sum);
        memcpy(before, sum, sizeof sum);
        start(host, sum);
        make_fail("vkWaitForFences", VK_TIMEOUT, true);
        EXPECT_ERROR(&heard, VKR_ERROR_TIMEOUT, "after timeout, which is 250000000 nanoseconds.",
                     vkrHostWait(host));
        assert_int_equal(wrap.calls, 3); /* two of 100 ms, and one of the rest */
        assert_int_equal(wrap.waited, info.timeout);
        expect_useless(host, VKR_ERROR_TIMEOUT);
        assert_memory_equal(sum, before, sizeof sum);
        vkrHostCancel(host);
        vkrDestroyHost(host);
        assert_true(wrap.calls <= 4);
        if (other != NULL) { /* a host with its own wait goes on */
            fail_no_more();
            start(other, sum);
            EXPECT_OK(vkrHostWait(other));
            assert_int_equal(sum[0], 4);
            vkrDestroyHost(other);
        }
        expect_left(true);
    }
}

/* A device that ends its work after the timeout: all is destroyed. */
static void destroy_late(VkrHost host)
{
    fail_no_more();
    vkrDestroyHost(host);
    expect_left(false);
}

/* A copy that takes too long is at work too when the host is destroyed. */
HOST_TEST(test_timeout_of_copies)
{
    (void)state;
    for (uint32_t late = 0; late < 2; late++) {
        VkrHostInfo info = wrapped_info();
        VkrHostMemory memory;
        uint32_t word = 1;
        info.timeout = 1;
        info.flags |= VKR_HOST_UNMAPPED_BIT;
        VkrHost host = open_wrapped(&info), other = open_sharing(host);
        EXPECT_OK(vkrHostAlloc(host, 4, VKR_HOST_MEMORY_DEVICE, &memory));
        VkrHostMemory same = memory;
        make_fail("vkWaitForFences", VK_TIMEOUT, true);
        EXPECT_ERROR(&heard, VKR_ERROR_TIMEOUT, "after timeout, which is 1 nanoseconds.",
                     vkrHostWrite(host, &memory, 0, 4, &word));
        expect_useless(host, VKR_ERROR_TIMEOUT);
        vkrHostFree(host, &memory); /* the device may use it: it is left */
        assert_null(memory.buffer);
        if (late != 0) {
            fail_no_more();
            vkrHostFree(other, &same);
        }
        vkrDestroyHost(host);
        vkrDestroyHost(other);
        expect_left(late == 0);
    }
}

/* Either of the two hosts of a call in chunks waits too long, or cannot wait, early or late. */
HOST_TEST(test_timeout_of_chunks)
{
    static const struct {
        VkResult wait;
        VkrResult result;
        uint32_t from; /* the first wait that fails; the third one is the last */
    } rows[] = {{VK_TIMEOUT, VKR_ERROR_TIMEOUT, 0},
                {VK_TIMEOUT, VKR_ERROR_TIMEOUT, 1},
                {VK_TIMEOUT, VKR_ERROR_TIMEOUT, 2},
                {VK_ERROR_OUT_OF_HOST_MEMORY, VKR_ERROR_OUT_OF_HOST_MEMORY, 0},
                {VK_ERROR_OUT_OF_HOST_MEMORY, VKR_ERROR_OUT_OF_HOST_MEMORY, 1}};
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        VkrHostInfo info = wrapped_info();
        info.timeout = 60000 * MILLISECOND; /* which is planned to pass */
        VkrHost host = open_wrapped(&info);
        make_fail("vkWaitForFences", rows[i].wait, true);
        wrap.fails_at = rows[i].from;
        heard.errors = 0;
        assert_int_equal(host_chunks_run_once(host, 0, HOST_CHUNKS_COUNT, HOST_CHUNKS_SIZE),
                         rows[i].result);
        assert_int_equal(heard.errors, 1);
        assert_true(wrap.failures > 0);
        expect_useless(host, VKR_ERROR_TIMEOUT);
        vkrDestroyHost(host);
        expect_left(true);
    }
}

/* ---- Progress ---- */

static uint32_t progress_calls;
static uint64_t last_waited;

static VkBool32 go_on(void *data, uint64_t waited)
{
    assert_ptr_equal(data, &heard);
    assert_true(waited > last_waited);
    last_waited = waited;
    return ++progress_calls < 3;
}

HOST_TEST(test_progress)
{
    (void)state;
    for (uint32_t late = 0; late < 2; late++) {
        uint32_t sum[16];
        VkrHostInfo info = wrapped_info();
        info.progress = go_on;
        info.progressData = &heard;
        progress_calls = 0;
        last_waited = 0;
        VkrHost host = open_wrapped(&info);
        start(host, sum);
        make_fail("vkWaitForFences", VK_TIMEOUT, true);
        EXPECT_ERROR(&heard, VKR_ERROR_TIMEOUT, "progress ended the wait.", vkrHostWait(host));
        assert_int_equal(progress_calls, 3);
        assert_int_equal(last_waited, 300 * MILLISECOND);
        expect_useless(host, VKR_ERROR_TIMEOUT);
        if (late != 0) {
            destroy_late(host);
            continue;
        }
        vkrDestroyHost(host);
        assert_int_equal(progress_calls, 3);
        assert_true(wrap.calls <= 4);
        expect_left(true);
    }
}

/* ---- Lost devices ---- */

/* Wherever a call says that the device is lost, all hosts of the device say so from then on. */
HOST_TEST(test_lost)
{
    static const struct {
        const char *function;
        bool of_copy;
    } rows[] = {{"vkQueueSubmit", false},
                {"vkWaitForFences", false},
                {"vkQueueSubmit", true},
                {"vkWaitForFences", true},
                {"vkGetQueryPoolResults", false}};
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        uint32_t sum[16], word = 0;
        uint64_t time;
        VkrHostMemory memory;
        VkrHostInfo info = wrapped_info();
        info.flags |= VKR_HOST_UNMAPPED_BIT | VKR_HOST_TIMESTAMPS_BIT;
        VkrHost host = open_wrapped(&info), other = open_sharing(host);
        EXPECT_OK(vkrHostAlloc(host, 4, VKR_HOST_MEMORY_DEVICE, &memory));
        start(host, sum);
        EXPECT_OK(vkrHostWait(host));
        const bool has_time = vkrGetHostTime(host, &time) == VKR_SUCCESS;
        make_fail(rows[i].function, VK_ERROR_DEVICE_LOST, false);
        if (strcmp(rows[i].function, "vkGetQueryPoolResults") == 0) {
            if (has_time)
                EXPECT_ERROR(&heard, VKR_ERROR_DEVICE_LOST, "the device was lost",
                             vkrGetHostTime(host, &time));
        } else if (rows[i].of_copy) {
            EXPECT_ERROR(&heard, VKR_ERROR_DEVICE_LOST, "the device was lost",
                         vkrHostRead(host, &memory, 0, 4, &word));
        } else {
            EXPECT_OK(vkrHostBegin(host));
            EXPECT_ERROR(&heard, VKR_ERROR_DEVICE_LOST, "the device was lost", vkrHostRun(host));
        }
        if (wrap.failures > 0) {
            assert_non_null(strstr(heard.sentence, rows[i].function));
            expect_useless(host, VKR_ERROR_DEVICE_LOST);
            expect_useless(other, VKR_ERROR_DEVICE_LOST);
        }
        vkrHostFree(host, &memory);
        vkrDestroyHost(host);
        vkrDestroyHost(other);
        expect_left(false);
    }
}

/* A wait that fails for another reason says nothing about the device, which is still at work: the
 * submission can be waited for again, and nothing is destroyed before its end. */
HOST_TEST(test_failed_wait)
{
    (void)state;
    for (uint32_t again = 0; again < 3; again++) {
        uint32_t sum[16];
        const VkrHostInfo info = wrapped_info();
        VkrHost host = open_wrapped(&info);
        start(host, sum);
        make_fail("vkWaitForFences", VK_ERROR_OUT_OF_HOST_MEMORY, again == 2);
        EXPECT_ERROR(&heard, VKR_ERROR_OUT_OF_HOST_MEMORY, "vkWaitForFences failed: out of host",
                     vkrHostWait(host));
        if (again == 0) {
            EXPECT_OK(vkrHostWait(host));
            assert_int_equal(sum[0], 4);
        }
        vkrDestroyHost(host);
        expect_left(again == 2);
    }
}
