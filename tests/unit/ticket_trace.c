/* SPDX-License-Identifier: MIT */
/* Which recordings need no fill of their counters, on the stub of Vulkan. */
#include <string.h>

#include "traced.h"

#define CLOSING "barrier compute(write) -> compute|host(read|write|host-read)\n"
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

static VkrView view_of(char letter)
{
    return (VkrView){.buffer = BUFFER(letter), .size = 4 * COUNT, .type = VKR_TYPE_U32};
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

static void scan(VkrScanAlgorithm algorithm)
{
    const VkrScanInfo info = {.op = VKR_OP_SUM,
                              .input = view_of('A'),
                              .output = view_of('S'),
                              .count = COUNT,
                              .algorithm = algorithm};
    assert_int_equal(vkrCmdScan(recorder, &info), VKR_SUCCESS);
}

static void compact(void)
{
    const VkrCountOutput count = {VKR_COUNT_KEPT, BUFFER('C'), 0, 0};
    const VkrCompactInfo info = {.input = view_of('A'),
                                 .count = COUNT,
                                 .algorithm = VKR_COMPACT_SCAN_SCATTER,
                                 .kept = view_of('K'),
                                 .countOutputCount = 1,
                                 .countOutputs = &count};
    assert_int_equal(vkrCmdCompact(recorder, &info), VKR_SUCCESS);
}

static const VkrEndInfo to_host = {.commandBuffer = (VkCommandBuffer)(uintptr_t)1,
                                   .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                                   .consumerAccess = VK_ACCESS_HOST_READ_BIT};

TEST(test_no_fill)
{
    open_recorder(true);
    reduce();
    expect_traced(&to_host, "dispatch 10 1 1\n" CLOSING);
    open_recorder(true);
    scan(VKR_SCAN_REDUCE_THEN_SCAN);
    expect_traced(&to_host, "dispatch 10 1 1\n" INNER "dispatch 10 1 1\n" CLOSING);
    open_recorder(true);
    compact();
    expect_traced(&to_host, "dispatch 10 1 1\n" INNER "dispatch 10 1 1\n" CLOSING);
}

TEST(test_fill)
{
    open_recorder(false); /* nothing that the host can clear */
    reduce();
    expect_traced(&to_host, FILL "dispatch 10 1 1\n" TO_HOST);
    open_recorder(true); /* no closing barrier */
    reduce();
    expect_traced(&(VkrEndInfo){.commandBuffer = to_host.commandBuffer}, FILL "dispatch 10 1 1\n");
    open_recorder(true); /* states of tiles, which are not reset */
    scan(VKR_SCAN_SINGLE_PASS);
    reduce();
    end_traced(&to_host);
    assert_non_null(strstr(stub_text(), "fill a+0:"));
    assert_null(strstr(stub_text(), "compute|host"));
    close_traced();
    open_recorder(true); /* the caller's memory can hold anything */
    reduce();
    VkrEndInfo callers = to_host;
    callers.scratch = (VkrBufferRange){BUFFER('X'), 0, 65536};
    expect_traced(&callers, "barrier compute|transfer(write|copy-write) -> "
                            "compute|transfer(read|write|copy-write)\nfill X+0:64 0\n" FILLED
                            "dispatch 10 1 1\n" TO_HOST);
}

TEST_MAIN("ticket_trace", CASE(test_no_fill), CASE(test_fill))
