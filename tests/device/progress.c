/* SPDX-License-Identifier: MIT */
/*
 * Single-pass operations whose workgroups wait for each other, with many tiles of few elements, and
 * with a tile that never publishes anything. The results must be right, and must arrive before the
 * test's timeout. If the policy forbids waiting, these operations are refused.
 *
 * Every recording is submitted 20 times, or with VKR_TEST_FULL 1,000 times, or 10,000 times if also
 * LP_NUM_THREADS is 8; with many tiles fewer times. VKR_TEST_TILES limits the number of tiles.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "progress.h"

#define TILE_BYTES 16u /* minimum per invocation */
#define FEW_TILES 1000u
#define MAX_WORD_COUNT (PROGRESS_MAX_TILES * TILE_BYTES / 4)
#define MAX_LOADS_IN_FLIGHT 32u
#define MOST_EXECUTIONS 7u /* of a recording: after an odd number of them counters are not zero */
#define SHOWN 3
#define STALE 0xcdcdcdcdu

static harness h;
static harness_buffer counts;
static uint64_t cases, mismatches;

/* ---- Runs ---- */

/* Workgroups and tiles of an operation. muted_tile 0: no tile is muted. */
typedef struct geometry {
    uint32_t workgroup_size, tiles, tile_bytes, muted_tile;
} geometry;

/* The policies of the device, except for the number of tiles that sorts look at. */
static void get_policies(uint32_t looks, VkrPolicy policies[VKR_POLICY_COUNT])
{
    uint32_t count;
    const VkrPolicyField *fields = vkrPolicyFields(VKR_POLICY_SORT, &count);
    VkrContext plain;
    assert_true(harness_context(&h, NULL, &plain));
    for (uint32_t k = 0; k < VKR_POLICY_COUNT; k++)
        assert_int_equal(vkrGetPolicy(plain, (VkrPolicyKind)k, &policies[k]), VKR_SUCCESS);
    vkrDestroyContext(plain);
    assert_string_equal(fields[count - 1].name, "looks");
    policies[VKR_POLICY_SORT].values[count - 1] = looks;
}

static VkrRecorder open_recorder(const operation_row *operation, const geometry *g,
                                 VkrContext *context)
{
    const bool held = operation->held;
    const VkrTuning tuning = {.workgroupSize = g->workgroup_size,
                              .treeWorkgroupSize = 64,
                              .minBytes = g->tile_bytes,
                              .maxBytes = g->tile_bytes,
                              .maxGroups = 1,
                              .order = held ? VKR_LOAD_COALESCED : VKR_LOAD_CONTIGUOUS,
                              .path = held ? VKR_LOAD_VEC4 : VKR_LOAD_ELEMENT,
                              .flight = held && g->tile_bytes <= MAX_LOADS_IN_FLIGHT * TILE_BYTES
                                            ? g->tile_bytes / TILE_BYTES
                                            : 1,
                              .tileBytes = g->tile_bytes,
                              .lookBack = operation->chosen};
    const VkrRecorderInfo info = {.label = "progress"};
    VkrPolicy policies[VKR_POLICY_COUNT];
    VkrRecorder recorder = NULL;
    if (operation->looks != 0)
        get_policies(operation->looks, policies);
    h.hooks.mutedTile = g->muted_tile;
    assert_true(
        harness_tuned_context(&h, NULL, &tuning, operation->looks != 0 ? policies : NULL, context));
    assert_true(harness_check(&h, vkrCreateRecorder(*context, &info, &recorder), "recorder"));
    return recorder;
}

static void submit(const operation_row *operation, uint32_t words, uint32_t repetition)
{
    memset(output.data, 0xcd, 4 * (size_t)words);
    assert_true(harness_submit(&h));
    cases++;
    if (operation->expect == NULL && expected[0] == STALE)
        memcpy(expected, output.data, 4 * (size_t)words);
    if (memcmp(output.data, expected, 4 * (size_t)words) == 0)
        return;
    const uint32_t *out = output.data;
    uint32_t i = 0;
    while (out[i] == expected[i])
        i++;
    if (mismatches++ < SHOWN)
        printf("# %s, repetition %u: word %u of %u is %u, but should be %u\n", operation->name,
               repetition, i, words, out[i], expected[i]);
}

/* The number of repetitions; the more tiles, the fewer. */
static uint32_t repetitions(uint32_t tiles)
{
    const bool many = environment("LP_NUM_THREADS", 0) == 8;
    const uint32_t most = !harness_full() ? 20 : many ? 10000 : 1000;
    const uint32_t part = tiles <= FEW_TILES ? most : most / (tiles / FEW_TILES);
    const uint32_t least = harness_full() ? 20 : 3;
    return part < least ? least : part;
}

/* The number of elements in the i-th of n executions: if the GPU knows it, it shrinks, except that
 * every fifth execution has all elements. */
static uint32_t elements_of(const operation_row *operation, uint32_t words, uint32_t i, uint32_t n)
{
    const uint32_t all = words / (strcmp(operation->name, "segmented scan") == 0 ? 2 : 1);
    const bool shrinks = gpu_count.buffer != VK_NULL_HANDLE && i % 5 != 4;
    return shrinks ? (uint32_t)((uint64_t)all * (n - 1 - i) / (n - 1)) : all;
}

/* Says how many elements there are, which differ in each execution if the GPU knows their number,
 * and what the operation should write. */
static void expect(const operation_row *operation, uint32_t words, uint32_t count)
{
    uint32_t *in = input.data;
    *(uint32_t *)counts.data = count;
    for (uint32_t i = 0; i < words && gpu_count.buffer != VK_NULL_HANDLE; i++)
        in[i] += i | 1;
    if (operation->expect == NULL)
        return;
    memset(expected, 0xcd, 4 * (size_t)words);
    operation->expect(words, count);
}

static void record(VkrRecorder recorder, const operation_row *operation, uint32_t words)
{
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    assert_true(harness_check(&h, vkrReset(recorder), "vkrReset"));
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&h, operation->collect(recorder, words), operation->name));
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
}

/* Submits one recording several times; after some of them it is recorded again, in the same memory.
 * Without a function that says what is expected, a run with a muted tile expects what the run
 * before has written. */
static void run(const operation_row *operation, const geometry *g)
{
    const uint32_t words = g->tiles * g->workgroup_size * g->tile_bytes / 4;
    const uint32_t count = repetitions(g->tiles);
    VkrContext context;
    const VkrRecorder recorder = open_recorder(operation, g, &context);
    assert_true(words <= MAX_WORD_COUNT);
    if (operation->expect == NULL && g->muted_tile == 0)
        memset(expected, 0xcd, 4 * (size_t)words);
    for (uint32_t i = 0; i < count; i++) {
        if (i % MOST_EXECUTIONS == 0)
            record(recorder, operation, words);
        expect(operation, words, elements_of(operation, words, i, count));
        submit(operation, words, i);
    }
    vkrDestroyRecorder(recorder);
    vkrDestroyContext(context);
}

static void test_tiles(void **state)
{
    const operation_row *operation = *state;
    const uint64_t before = mismatches;
    const uint32_t bound = environment("VKR_TEST_TILES", PROGRESS_MAX_TILES);
    const uint32_t most = bound < operation->max_tiles ? bound : operation->max_tiles;
    const geometry sizes[] = {
        {1, 2, TILE_BYTES, 0},       {8, FEW_TILES, TILE_BYTES, 0},
        {32, 300, TILE_BYTES, 0},    {1, 300, 4096, 0}, /* long runs of one invocation */
        {8, 300, 3 * TILE_BYTES, 0}, {1, most, TILE_BYTES, 0}};
    const size_t first = operation->muted != 0 ? 2 : 0;
    for (size_t i = first; i < (first != 0 ? first + 1 : ARRAY_SIZE(sizes)); i++)
        run(operation, &sizes[i]);
    assert_int_equal(mismatches, before);
}

/* One tile never publishes, so the workgroups after it compute it themselves. */
static void test_muted(void **state)
{
    const operation_row *operation = *state;
    const uint64_t before = mismatches;
    const uint32_t muted[] = {0, 1, 257, FEW_TILES / 2, FEW_TILES}; /* 257 starts a block */
    for (size_t i = 0; i < ARRAY_SIZE(muted) && operation->muted == 0; i++)
        run(operation, &(geometry){8, FEW_TILES, TILE_BYTES, muted[i]});
    if (operation->expect == NULL)
        run(operation, &(geometry){32, 300, TILE_BYTES, 0});
    run(operation,
        &(geometry){32, 300, TILE_BYTES, operation->muted != 0 ? operation->muted : 150});
    assert_int_equal(mismatches, before);
}

/* One recording, for which the GPU knows other numbers of elements in each execution, so that what
 * tiles have published in earlier ones differs from what they publish now. */
static void test_counts(void **state)
{
    const operation_row *operation = *state;
    const uint64_t before = mismatches;
    const uint32_t muted[] = {0, 257};
    if (operation->expect == NULL || operation->looks != 0)
        return;
    gpu_count = (VkrGpuCount){counts.buffer, 0, VKR_TYPE_U32};
    for (size_t i = 0; i < ARRAY_SIZE(muted); i++)
        run(operation, &(geometry){8, FEW_TILES, TILE_BYTES, muted[i]});
    gpu_count = (VkrGpuCount){0};
    assert_int_equal(mismatches, before);
}

/* If the policy forbids waiting, a single pass is refused with a message that names the policy. */
static void test_refused(void **state)
{
    const operation_row *operation = *state;
    VkrContext context;
    if (operation->chosen)
        return;
    h.forward_progress = VKR_FORWARD_PROGRESS_NONE;
    const VkrRecorder recorder =
        open_recorder(operation, &(geometry){8, 2, TILE_BYTES, 0}, &context);
    h.forward_progress = VKR_FORWARD_PROGRESS_AUTO;
    assert_int_equal(vkrBegin(recorder), VKR_SUCCESS);
    h.sentence[0] = '\0';
    assert_int_equal(operation->collect(recorder, 1000), VKR_ERROR_UNSUPPORTED);
    printf("# %s\n", h.sentence);
    assert_non_null(strstr(h.sentence, "VKR_FORWARD_PROGRESS_NONE"));
    vkrDestroyRecorder(recorder);
    vkrDestroyContext(context);
}

static int open_all(void **state)
{
    (void)state;
    expected = malloc(4 * MAX_WORD_COUNT);
    if (expected == NULL || !harness_create_buffer(&h, 4 * MAX_WORD_COUNT, &input) ||
        !harness_create_buffer(&h, 4 * MAX_WORD_COUNT, &floats) ||
        !harness_create_buffer(&h, 4 * MAX_WORD_COUNT, &runs) ||
        !harness_create_buffer(&h, 4 * MAX_WORD_COUNT, &output) ||
        !harness_create_buffer(&h, 4, &counts))
        return -1;
    uint64_t random = 7;
    fill_data(&random, DATA_RANDOM, VKR_TYPE_F32, 1, floats.data, 4, MAX_WORD_COUNT);
    fill_data(&random, DATA_BITS, VKR_TYPE_U32, 1, input.data, 4, MAX_WORD_COUNT);
    uint32_t *key = runs.data;
    for (uint32_t i = 0, length = 0; i < MAX_WORD_COUNT; i++, length--) {
        length =
            length != 0 ? length : 1 + random_below(&random, random_below(&random, 9) ? 3 : 300);
        key[i] = i + length; /* the same for all of a run */
    }
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n", cases, mismatches);
    harness_destroy_buffer(&h, &input);
    harness_destroy_buffer(&h, &floats);
    harness_destroy_buffer(&h, &runs);
    harness_destroy_buffer(&h, &output);
    harness_destroy_buffer(&h, &counts);
    free(expected);
    return 0;
}

int main(void)
{
    enum { TESTS = 4 };
    static const struct {
        const char *name;
        CMUnitTestFunction function;
    } kinds[TESTS] = {{"tiles", test_tiles},
                      {"muted", test_muted},
                      {"counts", test_counts},
                      {"refused", test_refused}};
    struct CMUnitTest tests[TESTS * PROGRESS_OPERATIONS];
    char names[ARRAY_SIZE(tests)][48];
    for (size_t i = 0; i < ARRAY_SIZE(tests); i++) {
        const operation_row *operation = &operations[i / TESTS];
        snprintf(names[i], sizeof(names[i]), "%s: %s", operation->name, kinds[i % TESTS].name);
        tests[i] = (struct CMUnitTest){names[i], kinds[i % TESTS].function, NULL, NULL,
                                       (void *)(uintptr_t)operation};
    }
    return harness_run(&h, "progress", tests, sizeof(tests) / sizeof(tests[0]), open_all,
                       close_all);
}
