/* SPDX-License-Identifier: MIT */
/* What vkrCmdReduce records: barriers and dispatches, on the stub of Vulkan. */
#include <stdio.h>

#include "traced.h"

/* The expected texts below follow from these rows. Half of the workgroups of the second one, 256,
 * keep the device busy with blocks. */
#define PROFILE(groups)                                                                            \
    "vkreduce-profile 2\ndevice 0 0 0 32\n"                                                        \
    "reduce 4 buffer 256 256 0 32 256 " groups " coalesced vec4 4 0 0\nend\n"
static const char profile[] = PROFILE("2048"), profile_of_blocks[] = PROFILE("512");

static void open_recorder(VkDeviceSize max_range)
{
    open_traced(&(traced){.profile = profile, .max_range = max_range});
}

static void reduce(VkrReduceAlgorithm algorithm, uint32_t workgroup_size, uint64_t count,
                   uint64_t slot, uint32_t flags)
{
    const VkrReduceInfo info = {
        .ops = VKR_OP_MAX,
        .input = {.buffer = BUFFER('A'), .size = 4 * count, .type = VKR_TYPE_F32},
        .count = count,
        .output = {BUFFER('O'), 64 * slot, 4},
        .algorithm = algorithm,
        .workgroupSize = workgroup_size,
        .flags = flags};
    assert_int_equal(vkrCmdReduce(recorder, &info), VKR_SUCCESS);
}

/* Eight reductions of two steps each: their dispatches overlap, and one barrier is enough for
 * all. */
TEST(test_independent)
{
    open_recorder(0);
    for (uint32_t i = 0; i < 8; i++)
        reduce(VKR_REDUCE_SUBGROUP, 256, (10 + i) * 2048, i, 0);
    expect_traced(NULL, "dispatch 10 1 1\ndispatch 11 1 1\ndispatch 12 1 1\ndispatch 13 1 1\n"
                        "dispatch 14 1 1\ndispatch 15 1 1\ndispatch 16 1 1\ndispatch 17 1 1\n" INNER
                        "dispatch 1 1 1\ndispatch 1 1 1\ndispatch 1 1 1\ndispatch 1 1 1\n"
                        "dispatch 1 1 1\ndispatch 1 1 1\ndispatch 1 1 1\ndispatch 1 1 1\n");
    assert_int_equal(stub_calls("vkCmdPipelineBarrier"), 1);
}

TEST(test_recursive)
{
    static const uint32_t modes[] = {0, VKR_REDUCE_CONSUME_INPUT_BIT};
    for (size_t i = 0; i < 2; i++) {
        open_recorder(0);
        reduce(VKR_REDUCE_RECURSIVE, 16, 16 * 16 * 16 * 16, 0, modes[i]);
        expect_traced(NULL, "dispatch 4096 1 1\n" INNER "dispatch 256 1 1\n" INNER
                            "dispatch 16 1 1\n" INNER "dispatch 1 1 1\n");
        open_recorder(0);
        reduce(VKR_REDUCE_RECURSIVE, 16, 16 * 16 * 16 * 16 * 16, 0, modes[i]);
        expect_traced(NULL,
                      "dispatch 32768 2 1\n" INNER "dispatch 4096 1 1\n" INNER
                      "dispatch 256 1 1\n" INNER "dispatch 16 1 1\n" INNER "dispatch 1 1 1\n");
    }
}

TEST(test_tree)
{
    open_recorder(0);
    reduce(VKR_REDUCE_TREE, 1024, 1024 * 1024, 0, 0);
    expect_traced(NULL, "dispatch 1024 1 1\n" INNER "dispatch 1 1 1\n");
    open_recorder(0);
    reduce(VKR_REDUCE_TREE, 1024, 1024 * 1024 + 1, 0, 0);
    expect_traced(NULL, "dispatch 1025 1 1\n" INNER "dispatch 2 1 1\n" INNER "dispatch 1 1 1\n");
}

TEST(test_single)
{
    open_recorder(0);
    reduce(VKR_REDUCE_SINGLE, 256, 16 * 2048, 0, 0);
    expect_traced(NULL, "fill a+0:64 0\nbarrier transfer(copy-write) -> compute(read|write)\n"
                        "dispatch 16 1 1\n");
    open_recorder(0);
    reduce(VKR_REDUCE_SINGLE, 256, 16 * 2048, 0, 0);
    reduce(VKR_REDUCE_SINGLE, 256, 3 * 2048, 1, 0);
    expect_traced(NULL, "fill a+0:128 0\nbarrier transfer(copy-write) -> compute(read|write)\n"
                        "dispatch 16 1 1\ndispatch 3 1 1\n");
    open_recorder(0);
    reduce(VKR_REDUCE_AUTO, 0, 1, 0, 0);
    reduce(VKR_REDUCE_AUTO, 0, 0, 1, 0);
    expect_traced(NULL, "dispatch 1 1 1\ndispatch 1 1 1\n");
}

/* A workgroup reduces 16 blocks of the canonical tree (4 values in a load, 4 loads at once), or
 * fewer, down to 4, if states are larger, or if there would be too few such shares to keep the
 * device busy. If there are too few of 4 blocks, and with more state words than an invocation can
 * hold, it reduces one block. */
TEST(test_blocks)
{
#define ONE_BLOCK_EACH                                                                             \
    "fill a+0:64 0\nbarrier transfer(copy-write) -> compute(read|write)\ndispatch "
    static const VkrOpFlags five_words = VKR_OP_MIN | VKR_OP_MAX | VKR_OP_SUM | VKR_OP_ARGMIN;
    const struct {
        uint64_t blocks;
        VkrOpFlags ops;
        uint32_t components;
        const char *golden;
    } rows[] = {
        {16 * 256, VKR_OP_SUM, 1, "dispatch 256 1 1\n" INNER "dispatch 1 1 1\n"},
        {16 * 255, VKR_OP_SUM, 1, "dispatch 510 1 1\n" INNER "dispatch 1 1 1\n"},
        {4 * 256, VKR_OP_SUM, 1, "dispatch 256 1 1\n" INNER "dispatch 1 1 1\n"},
        {4 * 255, VKR_OP_SUM, 1, ONE_BLOCK_EACH "1020 1 1\n"},
        {4 * 256, five_words, 3, "dispatch 256 1 1\n" INNER "dispatch 1 1 1\n"},
        {4 * 256, five_words, 4, ONE_BLOCK_EACH "1024 1 1\n"},
    };
    for (size_t i = 0; i < ARRAY_SIZE(rows); i++) {
        open_traced(&(traced){.profile = profile_of_blocks});
        const uint64_t count = rows[i].blocks * VKR_TREE_BLOCK;
        const VkrReduceInfo info = {.ops = rows[i].ops,
                                    .input = {.buffer = BUFFER('A'),
                                              .size = 4 * rows[i].components * count,
                                              .type = VKR_TYPE_F32,
                                              .components = rows[i].components},
                                    .count = count,
                                    .output = {BUFFER('O'), 0, 80},
                                    .determinism = VKR_DETERMINISM_DEVICE};
        assert_int_equal(vkrCmdReduce(recorder, &info), VKR_SUCCESS);
        expect_traced(NULL, rows[i].golden);
    }
}

/* The second reads what the first writes; the third overwrites what the second reads. */
TEST(test_dependent)
{
    open_recorder(0);
    reduce(VKR_REDUCE_AUTO, 0, 100, 0, 0);
    const VkrReduceInfo info = {
        .ops = VKR_OP_SUM,
        .input = {.buffer = BUFFER('O'), .size = 256, .type = VKR_TYPE_F32, .stride = 64},
        .count = 4,
        .output = {BUFFER('P'), 0, 4}};
    assert_int_equal(vkrCmdReduce(recorder, &info), VKR_SUCCESS);
    reduce(VKR_REDUCE_AUTO, 0, 100, 3, 0);
    expect_traced(NULL, "dispatch 1 1 1\n" INNER "dispatch 1 1 1\n" INNER "dispatch 1 1 1\n");
}

/* The input has three windows. Here the partials of neighbouring windows share a granule, so that a
 * barrier separates them. */
TEST(test_windows)
{
    open_recorder(65536);
    reduce(VKR_REDUCE_SUBGROUP, 256, 40960, 0, 0);
    expect_traced(NULL, "dispatch 8 1 1\ndispatch 4 1 1\n" INNER "dispatch 8 1 1\n" INNER
                        "dispatch 1 1 1\n");
}

TEST_MAIN("reduce_trace", CASE(test_independent), CASE(test_recursive), CASE(test_tree),
          CASE(test_single), CASE(test_blocks), CASE(test_dependent), CASE(test_windows))
