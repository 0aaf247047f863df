/* SPDX-License-Identifier: MIT */
/* What vkrCmdScan records: dispatches and the barriers between them, on the stub of Vulkan. */
#include <stdio.h>
#include <string.h>

#include "traced.h"

/* The numbers below follow from this row: each of several workgroups has 2,048 elements of 4 bytes,
 * also in a tile; up to 1,024 elements, one workgroup does everything. */
static const char profile[] = "vkreduce-profile 2\ndevice 0 0 0 32\n"
                              "scan 4 buffer 256 256 4096 32 32 2048 coalesced vec4 2 16 0\nend\n";
#define ONE_GROUP 1024u

static void open_recorder(VkDeviceSize max_range, VkrForwardProgress progress)
{
    open_traced(&(traced){.profile = profile, .max_range = max_range, .progress = progress});
}

/* Each number k stands for separate parts of the buffers. */
static VkrScanInfo scan_info(VkrScanAlgorithm algorithm, uint64_t count, uint64_t k)
{
    const VkrView view = {
        .buffer = BUFFER('A'), .offset = k << 32, .size = 4 * count, .type = VKR_TYPE_U32};
    VkrScanInfo info = {
        .op = VKR_OP_SUM, .input = view, .output = view, .count = count, .algorithm = algorithm};
    info.output.buffer = BUFFER('O');
    return info;
}

static void scan(VkrScanAlgorithm algorithm, uint64_t count, uint64_t k)
{
    const VkrScanInfo info = scan_info(algorithm, count, k);
    assert_int_equal(vkrCmdScan(recorder, &info), VKR_SUCCESS);
}

static uint32_t count_lines(const char *start)
{
    uint32_t lines = 0;
    for (const char *at = stub_text(); at != NULL && *at != '\0';) {
        lines += strncmp(at, start, strlen(start)) == 0;
        at = strchr(at, '\n');
        at += at != NULL;
    }
    return lines;
}

/* Returns the number of dispatches of one scan. A barrier must follow each but the last, and there
 * must be no other. */
static uint32_t count_passes(VkrScanAlgorithm algorithm, uint64_t count)
{
    open_recorder(0, VKR_FORWARD_PROGRESS_AUTO);
    scan(algorithm, count, 0);
    end_traced(NULL);
    const uint32_t dispatches = count_lines("dispatch");
    assert_int_equal(count_lines(INNER), dispatches - 1);
    assert_int_equal(count_lines("barrier"), dispatches - 1);
    close_traced();
    return dispatches;
}

/* The algorithm of Hillis and Steele needs ceil(log2 n) passes, and Blelloch's twice that; one
 * element also needs one pass. */
TEST(test_passes)
{
    const uint32_t counts[] = {2, 3, 4, 5, 255, 256, 257, 1000, 65536, 65537, 1 << 20};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
        uint32_t levels = 0;
        while (1u << levels < counts[i])
            levels++;
        assert_int_equal(count_passes(VKR_SCAN_HILLIS_STEELE, counts[i]), levels);
        assert_int_equal(count_passes(VKR_SCAN_BLELLOCH, counts[i]), 2 * levels);
    }
    assert_int_equal(count_passes(VKR_SCAN_HILLIS_STEELE, 1), 1);
    assert_int_equal(count_passes(VKR_SCAN_BLELLOCH, 1), 1);
}

TEST(test_one_group)
{
    open_recorder(0, VKR_FORWARD_PROGRESS_NONE);
    scan(VKR_SCAN_AUTO, ONE_GROUP, 0);
    scan(VKR_SCAN_AUTO, 1, 1);
    scan(VKR_SCAN_AUTO, 0, 2); /* nothing to write */
    expect_traced(NULL, "dispatch 1 1 1\ndispatch 1 1 1\n");
    open_recorder(0, VKR_FORWARD_PROGRESS_NONE);
    VkrScanInfo info = scan_info(VKR_SCAN_AUTO, 0, 0);
    info.total = (VkrBufferRange){BUFFER('T'), 0, 4};
    assert_int_equal(vkrCmdScan(recorder, &info), VKR_SUCCESS);
    expect_traced(NULL, "dispatch 1 1 1\n");
}

/* The workgroup that finishes last scans the totals, so that two dispatches are enough. */
TEST(test_reduce_then_scan)
{
    open_recorder(0, VKR_FORWARD_PROGRESS_NONE);
    scan(VKR_SCAN_AUTO, 20480, 0);
    expect_traced(NULL, "fill a+0:64 0\n" FILLED "dispatch 10 1 1\n" INNER "dispatch 10 1 1\n");
    /* Independent scans share the fill and the barriers. */
    open_recorder(0, VKR_FORWARD_PROGRESS_NONE);
    scan(VKR_SCAN_REDUCE_THEN_SCAN, 20480, 0);
    scan(VKR_SCAN_REDUCE_THEN_SCAN, 6144, 1);
    expect_traced(NULL, "fill a+0:128 0\n" FILLED "dispatch 10 1 1\ndispatch 3 1 1\n" INNER
                        "dispatch 10 1 1\ndispatch 3 1 1\n");
}

TEST(test_single_pass)
{
    open_recorder(0, VKR_FORWARD_PROGRESS_AUTO);
    scan(VKR_SCAN_SINGLE_PASS, 20480, 0);
    end_traced(NULL);
    assert_int_equal(count_lines("dispatch 10 1 1"), 1);
    assert_int_equal(count_lines("dispatch"), 1);
    assert_int_equal(count_lines("fill"), 1);
    assert_int_equal(count_lines("barrier"), 1);
    close_traced();
}

/* What AUTO chooses for many elements depends on the policy of forward progress, and on what scan.h
 * allows single-pass to do. */
TEST(test_auto)
{
    const struct {
        VkrForwardProgress progress;
        VkrType type;
        VkrDeterminism determinism;
        bool in_place;
        uint32_t dispatches;
    } rows[] = {
        {VKR_FORWARD_PROGRESS_AUTO, VKR_TYPE_U32, VKR_DETERMINISM_RUN, false, 2},
        {VKR_FORWARD_PROGRESS_NONE, VKR_TYPE_U32, VKR_DETERMINISM_NONE, false, 2},
        {VKR_FORWARD_PROGRESS_OCCUPANCY, VKR_TYPE_U32, VKR_DETERMINISM_RUN, false, 1},
        {VKR_FORWARD_PROGRESS_OCCUPANCY, VKR_TYPE_U32, VKR_DETERMINISM_DEVICE, false, 1},
        {VKR_FORWARD_PROGRESS_OCCUPANCY, VKR_TYPE_U32, VKR_DETERMINISM_RUN, true, 2},
        {VKR_FORWARD_PROGRESS_OCCUPANCY, VKR_TYPE_F32, VKR_DETERMINISM_RUN, false, 1},
        {VKR_FORWARD_PROGRESS_OCCUPANCY, VKR_TYPE_F32, VKR_DETERMINISM_DEVICE, false, 5},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        VkrScanInfo info = scan_info(VKR_SCAN_AUTO, 20480, 0);
        info.input.type = info.output.type = rows[i].type;
        info.determinism = rows[i].determinism;
        if (rows[i].in_place)
            info.output = info.input;
        open_recorder(0, rows[i].progress);
        assert_int_equal(vkrCmdScan(recorder, &info), VKR_SUCCESS);
        end_traced(NULL);
        assert_int_equal(count_lines("dispatch"), rows[i].dispatches);
        close_traced();
    }
}

/* The second scan's initial value is the first one's total; the third scan works in place on the
 * second one's output. */
TEST(test_dependent)
{
    VkrScanInfo infos[3];
    open_recorder(0, VKR_FORWARD_PROGRESS_NONE);
    for (uint64_t k = 0; k < 3; k++) {
        infos[k] = scan_info(VKR_SCAN_AUTO, 100, k);
        infos[k].total = (VkrBufferRange){BUFFER('T'), 64 * k, 4};
    }
    infos[1].gpuInitial = infos[0].total;
    infos[2].input = infos[2].output = infos[1].output;
    for (uint64_t k = 0; k < 3; k++)
        assert_int_equal(vkrCmdScan(recorder, &infos[k]), VKR_SUCCESS);
    expect_traced(NULL, "dispatch 1 1 1\n" INNER "dispatch 1 1 1\n" INNER "dispatch 1 1 1\n");
}

TEST_MAIN("scan_trace", CASE(test_passes), CASE(test_one_group), CASE(test_reduce_then_scan),
          CASE(test_single_pass), CASE(test_auto), CASE(test_dependent))
