/* SPDX-License-Identifier: MIT */
/* Which recordings need no fill of their counters, on the stub of Vulkan. */
#include <string.h>

#include "traced.h"

#define CLOSING "barrier compute(write) -> compute|host(read|write|host-read)\n"
#define OPENING INNER
#define TO_HOST "barrier compute(write) -> host(host-read)\n"
#define FILL "fill a+0:64 0\n" FILLED

/* A workgroup has 2,048 elements of 4 bytes. */
static const char profile[] = "vkreduce-profile 2\ndevice 0 0 0 32\n"
                              "reduce 4 buffer 256 256 4096 32 32 2048 coalesced vec4 2 16 0\n"
                              "scan 4 buffer 256 256 4096 32 32 2048 coalesced vec4 2 16 0\n"
                              "compact 4 buffer 256 256 4096 32 32 2048 coalesced vec4 2 16 0\n"
                              "end\n";
#define COUNT 20480u

static void open_recorder(bool host_visible)
{
    open_traced(&(traced){.profile = profile, .host_visible = host_visible});
}

/* The words of so many tiles are too many for the host to clear. */
#define MANY (16384u * 2048u)

static VkrView view_of(char letter)
{
    return (VkrView){.buffer = BUFFER(letter), .size = 4 * MANY, .type = VKR_TYPE_U32};
}

static void reduce(void)
{
    const VkrReduceInfo info = {.ops = VKR_OP_SUM,
                                .input = view_of('A'),
                                .count = COUNT,
                                .output = {BUFFER('R'), 0, 4},
                                .algorithm = VKR_REDUCE_SINGLE};
    assert_int_equal(vkrCmdReduce(recorder, &info), VKR_SUCCESS);
}

static void scan(VkrScanAlgorithm algorithm, uint64_t count)
{
    const VkrScanInfo info = {.op = VKR_OP_SUM,
                              .input = view_of('A'),
                              .output = view_of('S'),
                              .count = count,
                              .algorithm = algorithm};
    assert_int_equal(vkrCmdScan(recorder, &info), VKR_SUCCESS);
}

static void compact(VkrCompactAlgorithm algorithm)
{
    const VkrCountOutput count = {VKR_COUNT_KEPT, BUFFER('C'), 0, 0};
    const VkrCompactInfo info = {.input = view_of('A'),
                                 .count = COUNT,
                                 .algorithm = algorithm,
                                 .kept = view_of('K'),
                                 .countOutputCount = 1,
                                 .countOutputs = &count};
    assert_int_equal(vkrCmdCompact(recorder, &info), VKR_SUCCESS);
}

static const VkrEndInfo to_host = {.commandBuffer = (VkCommandBuffer)(uintptr_t)1,
                                   .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                                   .consumerAccess = VK_ACCESS_HOST_READ_BIT};

static const VkrEndInfo unread = {.commandBuffer = (VkCommandBuffer)(uintptr_t)1};

static const VkrEndInfo callers = {.commandBuffer = (VkCommandBuffer)(uintptr_t)1,
                                   .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                                   .consumerAccess = VK_ACCESS_HOST_READ_BIT,
                                   .scratch = {(VkBuffer)(uintptr_t)'X', 0, 65536}};

TEST(test_no_fill)
{
    open_recorder(true);
    reduce();
    expect_traced(&to_host, "dispatch 10 1 1\n" CLOSING);
    open_recorder(true);
    scan(VKR_SCAN_REDUCE_THEN_SCAN, COUNT);
    expect_traced(&to_host, "dispatch 10 1 1\n" INNER "dispatch 10 1 1\n" CLOSING);
    open_recorder(true);
    compact(VKR_COMPACT_SCAN_SCATTER);
    expect_traced(&to_host, "dispatch 10 1 1\n" INNER "dispatch 10 1 1\n" CLOSING);
    open_recorder(true);
    scan(VKR_SCAN_SINGLE_PASS, COUNT);
    expect_traced(&to_host, "dispatch 10 1 1\n" CLOSING);
    open_recorder(true);
    compact(VKR_COMPACT_SINGLE_PASS);
    expect_traced(&to_host, "dispatch 20 1 1\n" CLOSING);
}

TEST(test_fill)
{
    open_recorder(false); /* nothing that the host can clear */
    reduce();
    expect_traced(&to_host, FILL "dispatch 10 1 1\n" TO_HOST);
    open_recorder(true);
    scan(VKR_SCAN_SINGLE_PASS, MANY);
    reduce();
    end_traced(&to_host);
    assert_non_null(strstr(stub_text(), "fill a+0:"));
    assert_null(strstr(stub_text(), "compute|host"));
    close_traced();
    open_recorder(false); /* the caller's memory can hold anything */
    reduce();
    expect_traced(&callers, "barrier compute|transfer(write|copy-write) -> "
                            "compute|transfer(read|write|copy-write)\nfill X+0:64 0\n" FILLED
                            "dispatch 10 1 1\n" TO_HOST);
}

/* Where the end has no barrier that orders later executions, the start has one. */
TEST(test_opening)
{
    open_recorder(true);
    reduce();
    expect_traced(&unread, OPENING "dispatch 10 1 1\n");
    open_recorder(true);
    compact(VKR_COMPACT_SCAN_SCATTER);
    expect_traced(&unread, OPENING "dispatch 10 1 1\n" INNER "dispatch 10 1 1\n");
    open_recorder(true); /* the barrier for the scratch does as much */
    reduce();
    expect_traced(&callers, "barrier compute|transfer(write|copy-write) -> compute(read|write)\n"
                            "dispatch 10 1 1\n" TO_HOST);
    open_recorder(true); /* a scan of one workgroup has no counters */
    const VkrScanInfo info = {
        .op = VKR_OP_SUM, .input = view_of('A'), .output = view_of('S'), .count = 64};
    assert_int_equal(vkrCmdScan(recorder, &info), VKR_SUCCESS);
    expect_traced(&unread, "dispatch 1 1 1\n");
}

static const char *traced_again(const VkrEndInfo *info)
{
    assert_int_equal(vkrBegin(recorder), VKR_SUCCESS);
    reduce();
    stub_clear();
    assert_int_equal(vkrEnd(recorder, info), VKR_SUCCESS);
    return stub_text();
}

/* After a recording without a closing barrier for its counters, nothing has made their zeros
 * visible to the next recording, which may get the same counters. */
TEST(test_opening_again)
{
    open_recorder(true);
    assert_string_equal(traced_again(&to_host), "dispatch 10 1 1\n" CLOSING);
    assert_int_equal(vkrReset(recorder), VKR_SUCCESS);
    assert_string_equal(traced_again(&to_host), "dispatch 10 1 1\n" CLOSING);
    assert_string_equal(traced_again(&unread), OPENING "dispatch 10 1 1\n");
    assert_int_equal(vkrReset(recorder), VKR_SUCCESS);
    assert_string_equal(traced_again(&to_host), OPENING "dispatch 10 1 1\n" CLOSING);
    close_traced();
}

TEST_MAIN("ticket_trace", CASE(test_no_fill), CASE(test_fill), CASE(test_opening),
          CASE(test_opening_again))
