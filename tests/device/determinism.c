/* SPDX-License-Identifier: MIT */
/*
 * Level DEVICE: f32 sum and L2 of 10^7 values of mixed signs, including subnormal ones, at an
 * unaligned offset, in windows of 1 MiB if the algorithm supports several. With every algorithm, on
 * every driver and with any number of threads, the bits equal those of the canonical tree. The same
 * holds for an f32 scan of 10^6 of the values; at level RUN it gives the same bits in every run.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reduce_case.h"
#include "oracle_scan.h"

#define COUNT 10000000u
#define OFFSET 12u /* bytes */
#define WINDOW (1u << 20)
#define OPS (VKR_OP_SUM | VKR_OP_L2)
#define SCANNED 1000003u
#define REPEATS 5

static harness h;
static VkrContext contexts[2]; /* with small windows; and without, since single is one dispatch */
static VkrRecorder recorders[2];
static harness_buffer input, output, prefixes;
static uint64_t cases, mismatches;
static oracle_value expected[2];

static const VkrOp ops[2] = {VKR_OP_SUM, VKR_OP_L2};

/* Fills the input with magnitudes from 2^-30 to 2^10; one value in 16 is subnormal. */
static void fill(void)
{
    float *values = (float *)((char *)input.data + OFFSET);
    uint64_t state = 5;
    for (uint32_t i = 0; i < COUNT; i++) {
        const uint64_t bits = next_random(&state);
        const uint32_t exponent = bits >> 60 == 0 ? 0 : 97 + (uint32_t)(bits >> 32) % 40;
        const uint32_t word = (uint32_t)(bits & 0x807fffff) | exponent << 23;
        memcpy(&values[i], &word, sizeof(word));
    }
}

static int open_all(void **state)
{
    const VkrLimits limits[2] = {{.maxStorageBufferRange = WINDOW}, {0}};
    const VkrRecorderInfo info = {.label = "determinism"};
    (void)state;
    for (int i = 0; i < 2; i++)
        if (!harness_context(&h, &limits[i], &contexts[i]) ||
            !harness_check(&h, vkrCreateRecorder(contexts[i], &info, &recorders[i]),
                           "vkrCreateRecorder"))
            return -1;
    if (!harness_create_buffer(&h, OFFSET + 4 * (VkDeviceSize)COUNT, &input) ||
        !harness_create_buffer(&h, 64, &output) ||
        !harness_create_buffer(&h, 4 * (VkDeviceSize)(SCANNED + 1), &prefixes))
        return -1;
    fill();
    const oracle_reduce_info oracle = {
        .data = (char *)input.data + OFFSET,
        .stride = 4,
        .count = COUNT,
        .type = VKR_TYPE_F32,
        .components = 1,
        .determinism = VKR_DETERMINISM_DEVICE,
    };
    for (int i = 0; i < 2; i++)
        oracle_reduce(&oracle, ops[i], 0, VKR_TYPE_F32, &expected[i]);
    return 0;
}

static int close_all(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n", cases, mismatches);
    for (int i = 0; i < 2; i++) {
        vkrDestroyRecorder(recorders[i]);
        vkrDestroyContext(contexts[i]);
    }
    harness_destroy_buffer(&h, &input);
    harness_destroy_buffer(&h, &output);
    harness_destroy_buffer(&h, &prefixes);
    return 0;
}

static void submit(VkrRecorder recorder)
{
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h) && harness_submit(&h));
    assert_true(harness_check(&h, vkrReset(recorder), "vkrReset"));
}

static void reduce(VkrReduceAlgorithm algorithm, VkrReduceLayout *layout)
{
    const VkrReduceInfo info = {
        .label = "canonical",
        .ops = OPS,
        .input = {.buffer = input.buffer,
                  .offset = OFFSET,
                  .size = 4 * (VkDeviceSize)COUNT,
                  .type = VKR_TYPE_F32},
        .count = VKR_COUNT_ALL,
        .output = {output.buffer, 0, output.size},
        .determinism = VKR_DETERMINISM_DEVICE,
        .algorithm = algorithm,
    };
    const int whole = algorithm == VKR_REDUCE_SINGLE;
    const VkrRecorder recorder = recorders[whole];
    memset(output.data, 0xcd, output.size);
    assert_true(harness_check(&h, vkrGetReduceLayout(contexts[whole], &info, layout), "layout"));
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&h, vkrCmdReduce(recorder, &info), "vkrCmdReduce"));
    submit(recorder);
}

static void test_algorithm(void **state)
{
    const VkrReduceAlgorithm algorithm = *(const VkrReduceAlgorithm *)*state;
    VkrReduceLayout layout;
    reduce(algorithm, &layout);
    for (int i = 0; i < 2; i++) {
        uint32_t bits, right;
        const uint32_t at = i == 0 ? 2 : 7; /* bits of sum and l2 */
        memcpy(&bits, (char *)output.data + layout.results[at].offset, sizeof(bits));
        memcpy(&right, expected[i].bytes, sizeof(right));
        printf("# %s %s: %08" PRIx32 ", canonical %08" PRIx32 "\n",
               vkrReduceAlgorithmName(algorithm), vkrOpName(ops[i]), bits, right);
        cases++;
        mismatches += bits != right;
        assert_int_equal(bits, right);
    }
}

/* Checks every prefix, and the total after them. */
static void scan(VkrDeterminism level, int whole)
{
    const VkrScanInfo info = {
        .label = "canonical",
        .op = VKR_OP_SUM,
        .input = {.buffer = input.buffer,
                  .offset = OFFSET,
                  .size = 4 * (VkDeviceSize)SCANNED,
                  .type = VKR_TYPE_F32},
        .output = {.buffer = prefixes.buffer, .size = 4 * (VkDeviceSize)SCANNED},
        .count = VKR_COUNT_ALL,
        .total = {prefixes.buffer, 4 * (VkDeviceSize)SCANNED, 4},
        .determinism = level,
    };
    memset(prefixes.data, 0xcd, prefixes.size);
    assert_true(harness_check(&h, vkrBegin(recorders[whole]), "vkrBegin"));
    assert_true(harness_check(&h, vkrCmdScan(recorders[whole], &info), "vkrCmdScan"));
    submit(recorders[whole]);
}

static void compare_prefixes(const uint32_t *right)
{
    const uint32_t *words = prefixes.data;
    uint32_t i = 0;
    cases++;
    while (i <= SCANNED && words[i] == right[i])
        i++;
    if (i > SCANNED)
        return;
    mismatches++;
    printf("# prefix %u is %08" PRIx32 ", but should be %08" PRIx32 "\n", i, words[i], right[i]);
    fail();
}

static void test_scan(void **state)
{
    (void)state;
    const oracle_scan_info info = {.data = (char *)input.data + OFFSET,
                                   .stride = 4,
                                   .count = SCANNED,
                                   .type = VKR_TYPE_F32,
                                   .components = 1,
                                   .op = VKR_OP_SUM,
                                   .determinism = VKR_DETERMINISM_DEVICE};
    oracle_value *values = malloc((SCANNED + 1) * sizeof(*values));
    uint32_t *right = malloc(prefixes.size);
    assert_true(values != NULL && right != NULL && oracle_scan(&info, 0, VKR_TYPE_F32, values));
    for (uint32_t i = 0; i <= SCANNED; i++)
        memcpy(&right[i], values[i].bytes, sizeof(right[i]));
    for (int whole = 0; whole < 2; whole++) {
        scan(VKR_DETERMINISM_DEVICE, whole);
        compare_prefixes(right);
    }
    free(values);
    free(right);
}

static void test_scan_repeated(void **state)
{
    (void)state;
    uint32_t *first = malloc(prefixes.size);
    assert_non_null(first);
    for (int whole = 0; whole < 2; whole++) {
        scan(VKR_DETERMINISM_RUN, whole);
        memcpy(first, prefixes.data, prefixes.size);
        for (int i = 0; i < REPEATS; i++) {
            scan(VKR_DETERMINISM_RUN, whole);
            compare_prefixes(first);
        }
    }
    free(first);
}

int main(void)
{
    static VkrReduceAlgorithm algorithms[] = {VKR_REDUCE_AUTO, VKR_REDUCE_SINGLE,
                                              VKR_REDUCE_SUBGROUP, VKR_REDUCE_TREE};
    const struct CMUnitTest tests[] = {
        {"auto", test_algorithm, NULL, NULL, &algorithms[0]},
        {"single", test_algorithm, NULL, NULL, &algorithms[1]},
        {"subgroup", test_algorithm, NULL, NULL, &algorithms[2]},
        {"tree", test_algorithm, NULL, NULL, &algorithms[3]},
        {"scan", test_scan, NULL, NULL, NULL},
        {"scan, repeated", test_scan_repeated, NULL, NULL, NULL},
    };
    return harness_run(&h, "determinism", tests, sizeof(tests) / sizeof(tests[0]), open_all,
                       close_all);
}
