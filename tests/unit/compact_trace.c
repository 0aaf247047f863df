/* SPDX-License-Identifier: MIT */
/* What vkrCmdCompact records where counts are asked for, on the stub of Vulkan. */
#include <string.h>

#include "traced.h"

#define SMALL (UINT64_C(1) << 10)
#define MEDIUM (UINT64_C(1) << 14)
#define LARGE (UINT64_C(1) << 20)

/* Each of several workgroups has 2,048 elements of 4 bytes, or 1,024 in a tile; up to 1,024
 * elements, one workgroup does everything. */
static const char profile[] =
    "vkreduce-profile 2\ndevice 0 0 0 32\n"
    "compact 4 buffer 256 256 4096 32 32 2048 coalesced vec4 2 16 0\nend\n";

static void open_recorder(VkDeviceSize max_range, VkrForwardProgress progress)
{
    open_traced(&(traced){.profile = profile, .max_range = max_range, .progress = progress});
}

/* A compaction, and the counts that it writes. */
typedef struct request {
    VkrCompactInfo info;
    VkrCountOutput counts[VKR_COUNT_KIND_COUNT];
} request;

/* Keeps values, and writes what a renderer needs: their number, and a dispatch over them. */
static request new_request(uint64_t count)
{
    const VkrView view = {.buffer = BUFFER('A'), .size = 4 * count, .type = VKR_TYPE_U32};
    request r = {.info = {.input = view, .count = count, .kept = view, .countOutputCount = 2}};
    r.info.kept.buffer = BUFFER('K');
    r.counts[0] = (VkrCountOutput){VKR_COUNT_STORED, BUFFER('C'), 16, 0};
    r.counts[1] = (VkrCountOutput){VKR_COUNT_DISPATCH, BUFFER('C'), 32, 64};
    return r;
}

static void compact(const request *r)
{
    VkrCompactInfo info = r->info;
    info.countOutputs = r->counts;
    assert_int_equal(vkrCmdCompact(recorder, &info), VKR_SUCCESS);
}

static void expect(const request *r, VkrForwardProgress progress, const char *golden)
{
    open_recorder(0, progress);
    compact(r);
    expect_traced(NULL, golden);
}

/* The dispatch that computes the number of kept elements also writes the counts. */
TEST(test_fused_counts)
{
    const request small = new_request(SMALL), medium = new_request(MEDIUM);
    const request large = new_request(LARGE), none = new_request(0);
    expect(&none, VKR_FORWARD_PROGRESS_NONE, "dispatch 1 1 1\n");
    expect(&small, VKR_FORWARD_PROGRESS_NONE, "dispatch 1 1 1\n");
    expect(&medium, VKR_FORWARD_PROGRESS_NONE,
           "fill a+0:64 0\n" FILLED "dispatch 8 1 1\n" INNER "dispatch 8 1 1\n");
    expect(&medium, VKR_FORWARD_PROGRESS_OCCUPANCY, "fill a+0:128 0\n" FILLED "dispatch 16 1 1\n");
    expect(&large, VKR_FORWARD_PROGRESS_OCCUPANCY,
           "fill a+0:4160 0\n" FILLED "dispatch 1024 1 1\n");
    request partition = small;
    partition.info.rejected =
        (VkrView){.buffer = BUFFER('R'), .size = 4 * SMALL, .type = VKR_TYPE_U32};
    expect(&partition, VKR_FORWARD_PROGRESS_NONE, "dispatch 1 1 1\n");
    request bytes = small;
    bytes.info.input.type = bytes.info.kept.type = VKR_TYPE_U8;
    expect(&bytes, VKR_FORWARD_PROGRESS_NONE, "dispatch 1 1 1\n");
}

/* Requests whose counts need a dispatch of their own, and similar requests that do not. */
TEST(test_separate_counts)
{
    static const char golden[] = "dispatch 1 1 1\n" INNER "dispatch 1 1 1\n";
    request r = new_request(SMALL);
    r.counts[1].buffer = BUFFER('D');
    expect(&r, VKR_FORWARD_PROGRESS_NONE, golden);
    r = new_request(SMALL);
    r.counts[1].offset = 16 + 64;
    expect(&r, VKR_FORWARD_PROGRESS_NONE, golden);
    r.counts[1].offset = 16 + 64 - 12;
    expect(&r, VKR_FORWARD_PROGRESS_NONE, "dispatch 1 1 1\n");
    r = new_request(SMALL);
    r.info.rejectedIndices = (VkrView){.buffer = BUFFER('R'), .size = 4 * SMALL};
    expect(&r, VKR_FORWARD_PROGRESS_NONE, golden);
    r = new_request(SMALL);
    r.info.countOutputCount = 5;
    for (uint32_t i = 0; i < 5; i++)
        r.counts[i] = (VkrCountOutput){VKR_COUNT_KEPT, BUFFER('C'), 4 * i, 0};
    expect(&r, VKR_FORWARD_PROGRESS_NONE, golden);
    r.info.countOutputCount = 4;
    expect(&r, VKR_FORWARD_PROGRESS_NONE, "dispatch 1 1 1\n");
}

static void expect_tasks(const request *r, uint32_t max_tasks, const char *golden)
{
    open_traced(&(traced){.profile = profile, .max_tasks = max_tasks});
    compact(r);
    expect_traced(NULL, golden);
}

/* A dispatch that writes counts knows one limit for workgroups. */
TEST(test_mesh_tasks)
{
    static const char one[] = "dispatch 1 1 1\n";
    request r = new_request(SMALL);
    r.counts[1].kind = VKR_COUNT_MESH_TASKS;
    expect_tasks(&r, 100, one);
    r.info.countOutputCount = 4;
    r.counts[2] = (VkrCountOutput){VKR_COUNT_DISPATCH, BUFFER('C'), 44, 64};
    r.counts[3] = (VkrCountOutput){VKR_COUNT_KEPT, BUFFER('C'), 56, 0};
    expect_tasks(&r, 65535, one);
    expect_tasks(&r, 100, "dispatch 1 1 1\n" INNER "dispatch 1 1 1\n" INNER "dispatch 1 1 1\n");
}

/* A count that overwrites the number of elements needs a dispatch of its own, since workgroups may
 * still read that number. */
TEST(test_replaced)
{
    request r = new_request(SMALL);
    r.info.gpuCount = (VkrGpuCount){BUFFER('C'), 16, VKR_TYPE_U32};
    expect(&r, VKR_FORWARD_PROGRESS_NONE, "dispatch 1 1 1\n" INNER "dispatch 1 1 1\n");
    r.info.gpuCount.offset = 12;
    r.info.gpuCount.type = VKR_TYPE_U64;
    expect(&r, VKR_FORWARD_PROGRESS_NONE, "dispatch 1 1 1\n" INNER "dispatch 1 1 1\n");
    r.info.gpuCount.offset = 8;
    expect(&r, VKR_FORWARD_PROGRESS_NONE, "dispatch 1 1 1\n");
    /* The append position must be read before a count overwrites it. */
    r.info.append = (VkrGpuCount){BUFFER('C'), 16, VKR_TYPE_U32};
    expect(&r, VKR_FORWARD_PROGRESS_NONE, "dispatch 1 1 1\n" INNER "dispatch 1 1 1\n");
}

/* With three windows, the workgroup that scans what the windows leave writes the counts. Then
 * elements move, from each window to every window of positions that they can reach. */
TEST(test_windows)
{
    const request r = new_request(2 * MEDIUM);
    open_recorder(65536, VKR_FORWARD_PROGRESS_NONE);
    compact(&r);
    end_traced(NULL);
    uint32_t dispatches = 0;
    for (const char *at = stub_text(); (at = strstr(at, "dispatch")) != NULL; at++)
        dispatches++;
    assert_int_equal(dispatches, 3 + 1 + 3 + 2 + 1);
    close_traced();
}

TEST_MAIN("compact_trace", CASE(test_fused_counts), CASE(test_separate_counts),
          CASE(test_mesh_tasks), CASE(test_replaced), CASE(test_windows))
