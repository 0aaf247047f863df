/* SPDX-License-Identifier: MIT */
/* Scans that depend on each other, prefix sums of masks, and refusals. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scan_known.h"

static const tuning_row built_in;

#define CHAIN 30000u

static VkrView words_at(int buffer, VkDeviceSize offset, uint32_t count)
{
    return (VkrView){.buffer = test.buffers[buffer].buffer.buffer,
                     .offset = offset,
                     .size = 4 * (VkDeviceSize)count,
                     .type = VKR_TYPE_U32};
}

static VkrScanInfo word_scan(VkrView input, VkrView output)
{
    return (VkrScanInfo){
        .op = VKR_OP_SUM, .input = input, .output = output, .count = VKR_COUNT_ALL};
}

static VkrBufferRange range_of(int buffer, VkDeviceSize offset, VkDeviceSize size)
{
    return (VkrBufferRange){test.buffers[buffer].buffer.buffer, offset, size};
}

static void fill_words(uint32_t *words, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        words[i] = (uint32_t)next_random(&test.random);
}

/* One recording of scans: three pieces, each of which starts with the total of the previous one, in
 * place if possible; then a scan of all their results, whose count is the total of an earlier scan
 * of ones. */
void test_chain(void **state)
{
    (void)state;
    uint32_t *input = test.buffers[SCAN_INPUT].buffer.data;
    uint32_t *output = test.buffers[SCAN_OUTPUT].buffer.data;
    uint32_t *expected = malloc(3 * CHAIN * sizeof(*expected));
    assert_non_null(expected);
    for (int limits = 0; limits <= LIMITS_SMALL; limits++) {
        fill_words(input, 3 * CHAIN);
        memset(output, 0xcd, 8 * CHAIN * sizeof(*output));
        VkrScanInfo infos[5];
        uint32_t sum = 0, again = 0;
        for (uint32_t k = 0; k < 3; k++) {
            infos[k] = word_scan(
                words_at(SCAN_INPUT, 4 * (VkDeviceSize)k * CHAIN, CHAIN),
                words_at(k == 1 ? SCAN_INPUT : SCAN_OUTPUT, 4 * (VkDeviceSize)k * CHAIN, CHAIN));
            infos[k].total = range_of(SCAN_TOTAL, 4 * (VkDeviceSize)k, 4);
            if (k > 0)
                infos[k].gpuInitial = range_of(SCAN_TOTAL, 4 * (VkDeviceSize)(k - 1), 4);
        }
        for (uint32_t i = 0; i < 3 * CHAIN; i++)
            expected[i] = sum += input[i];
        /* 20,011 ones: their sum is the count of the last scan. */
        uint32_t *ones = input + 3 * CHAIN;
        for (uint32_t i = 0; i < CHAIN; i++)
            ones[i] = i < 20011;
        infos[3] = word_scan(words_at(SCAN_INPUT, 12 * (VkDeviceSize)CHAIN, CHAIN),
                             words_at(SCAN_OUTPUT, 12 * (VkDeviceSize)CHAIN, CHAIN));
        infos[3].total = range_of(SCAN_COUNTS, 0, 4);
        infos[4] = word_scan(words_at(SCAN_OUTPUT, 0, CHAIN),
                             words_at(SCAN_OUTPUT, 16 * (VkDeviceSize)CHAIN, CHAIN));
        infos[4].gpuCount = (VkrGpuCount){test.buffers[SCAN_COUNTS].buffer.buffer, 0, 0};
        run_scans(&test, (limits_row)limits, &built_in, infos, 5);
        assert_memory_equal(output, expected, 4 * CHAIN);
        assert_memory_equal(input + CHAIN, expected + CHAIN, 4 * CHAIN);
        assert_memory_equal(output + 2 * CHAIN, expected + 2 * CHAIN, 4 * CHAIN);
        for (uint32_t i = 0; i < CHAIN; i++) {
            assert_int_equal(output[3 * CHAIN + i], i < 20011 ? i + 1 : 20011);
            again += expected[i];
            assert_int_equal(output[4 * CHAIN + i], i < 20011 ? again : 0xcdcdcdcd);
        }
        test.oracle_cases += 5;
    }
    free(expected);
}

/* Independent scans of one recording, with all algorithms, one after the other. */
void test_side_by_side(void **state)
{
    (void)state;
    VkrScanInfo infos[8];
    uint32_t *input = test.buffers[SCAN_INPUT].buffer.data;
    const uint32_t *output = test.buffers[SCAN_OUTPUT].buffer.data;
    fill_words(input, 8 * CHAIN);
    for (uint32_t k = 0; k < 8; k++) {
        infos[k] = word_scan(words_at(SCAN_INPUT, 4 * (VkDeviceSize)k * CHAIN, CHAIN),
                             words_at(SCAN_OUTPUT, 4 * (VkDeviceSize)k * CHAIN, CHAIN));
        infos[k].algorithm = (VkrScanAlgorithm)(k % VKR_SCAN_ALGORITHM_COUNT);
    }
    run_scans(&test, LIMITS_DEVICE, &built_in, infos, 8);
    for (uint32_t k = 0; k < 8; k++) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < CHAIN; i++)
            assert_int_equal(output[k * CHAIN + i], sum += input[k * CHAIN + i]);
    }
    test.oracle_cases += 8;
}

/* At level DEVICE, pieces that end at blocks and start with the total of the previous piece give
 * the same bits as the whole. */
void test_pieces(void **state)
{
    (void)state;
    const uint32_t count = 2 * VKR_SCAN_BLOCK + 777;
    unsigned char *input = test.buffers[SCAN_INPUT].buffer.data;
    const unsigned char *output = test.buffers[SCAN_OUTPUT].buffer.data;
    const uint32_t *totals = test.buffers[SCAN_TOTAL].buffer.data;
    const VkDeviceSize stride = 4 * (VkDeviceSize)count;
    VkrScanInfo infos[4];
    fill_data(&test.random, DATA_RANDOM, VKR_TYPE_F32, 1, input, 4, count);
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t first = k < 3 ? k * VKR_SCAN_BLOCK : 0;
        const uint32_t piece = k < 2 ? VKR_SCAN_BLOCK : count - first;
        infos[k] =
            word_scan(words_at(SCAN_INPUT, 4 * (VkDeviceSize)first, piece),
                      words_at(SCAN_OUTPUT, 4 * (VkDeviceSize)first + k / 3 * stride, piece));
        infos[k].input.type = infos[k].output.type = VKR_TYPE_F32;
        infos[k].determinism = VKR_DETERMINISM_DEVICE;
        infos[k].total = range_of(SCAN_TOTAL, 4 * (VkDeviceSize)k, 4);
        if (k == 1 || k == 2)
            infos[k].gpuInitial = range_of(SCAN_TOTAL, 4 * (VkDeviceSize)(k - 1), 4);
    }
    run_scans(&test, LIMITS_SMALL, &built_in, infos, 4);
    assert_memory_equal(output, output + stride, stride);
    assert_int_equal(totals[2], totals[3]);
    test.oracle_cases += 2;
}

/* More partials than one descriptor can hold: it holds those of 31 blocks, each with a value and a
 * head. The chain over all blocks continues from window to window, and gives the same bits as in a
 * single window. */
void test_levels(void **state)
{
    (void)state;
    const uint32_t count = 33 * VKR_SCAN_BLOCK + 777;
    float *input = test.buffers[SCAN_INPUT].buffer.data;
    const uint32_t *output = test.buffers[SCAN_OUTPUT].buffer.data;
    const uint32_t *total = test.buffers[SCAN_TOTAL].buffer.data;
    uint32_t *expected = malloc(4 * ((size_t)count + 1));
    assert_non_null(expected);
    for (uint32_t i = 0; i < count; i++)
        input[i] = (float)random_below(&test.random, 10000) / 997.0f;
    VkrScanInfo info = word_scan(words_at(SCAN_INPUT, 0, count), words_at(SCAN_OUTPUT, 0, count));
    info.input.type = info.output.type = VKR_TYPE_F32;
    info.determinism = VKR_DETERMINISM_DEVICE;
    info.segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = count - 1000};
    info.total = range_of(SCAN_TOTAL, 0, 4);
    run_scans(&test, LIMITS_DEVICE, &built_in, &info, 1);
    memcpy(expected, output, 4 * (size_t)count);
    expected[count] = total[0];
    run_scans(&test, LIMITS_SMALL, &built_in, &info, 1);
    assert_memory_equal(output, expected, 4 * (size_t)count);
    assert_int_equal(total[0], expected[count]);
    assert_int_equal(limit_violations(), 0);
    free(expected);
    test.oracle_cases += 2;
}

/* ---- Masks: prefix sums of the elements that a compaction removes ---- */

/* Fig. 6 of Roger, Assarsson, Holzschuch (2007): blocks of 16, X is removed. Its text of blocks 2
 * and 4 is garbled; these follow from the figure's results. */
static const char *const figure[4] = {"43X192XX7X6X58X5", "431X2X6XX7X98XX5", "X87XX235XXX6XX1X",
                                      "1XXX45X7X6X8329X"};
static const char *const removed[4] = {"0011112334455566", "0001122344555677", "1112333345667889",
                                       "0123334455666667"};

void test_figure(void **state)
{
    (void)state;
    uint32_t *input = test.buffers[SCAN_INPUT].buffer.data;
    const uint32_t *output = test.buffers[SCAN_OUTPUT].buffer.data;
    VkrScanInfo infos[VKR_SCAN_ALGORITHM_COUNT];
    for (uint32_t i = 0; i < 64; i++)
        input[i] = figure[i / 16][i % 16] == 'X';
    for (uint32_t k = 0; k < VKR_SCAN_ALGORITHM_COUNT; k++) {
        infos[k] = word_scan(words_at(SCAN_INPUT, 0, 64),
                             words_at(SCAN_OUTPUT, 256 * (VkDeviceSize)k, 64));
        infos[k].algorithm = (VkrScanAlgorithm)k;
        infos[k].segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = 16};
    }
    run_scans(&test, LIMITS_DEVICE, &built_in, infos, VKR_SCAN_ALGORITHM_COUNT);
    for (uint32_t i = 0; i < 64 * VKR_SCAN_ALGORITHM_COUNT; i++)
        assert_int_equal(output[i], removed[i / 16 % 4][i % 16] - '0');
    test.oracle_cases += 4 * VKR_SCAN_ALGORITHM_COUNT;
}

#define LONGEST 12u
#define BATCH 512u /* scans of a recording */

/* Every mask of one length, each in its own scan, without segments. */
static void scan_masks(VkrScanAlgorithm algorithm, uint32_t length)
{
    static VkrScanInfo infos[BATCH];
    const uint32_t masks = 1u << length;
    uint32_t *input = test.buffers[SCAN_INPUT].buffer.data;
    const uint32_t *output = test.buffers[SCAN_OUTPUT].buffer.data;
    for (uint32_t done = 0; done < masks; done += BATCH) {
        const uint32_t batch = masks - done < BATCH ? masks - done : BATCH;
        for (uint32_t k = 0; k < batch; k++) {
            const VkDeviceSize at = 64 * (VkDeviceSize)k;
            for (uint32_t i = 0; i < length; i++)
                input[16 * k + i] = (done + k) >> i & 1;
            infos[k] =
                word_scan(words_at(SCAN_INPUT, at, length), words_at(SCAN_OUTPUT, at, length));
            infos[k].algorithm = algorithm;
        }
        run_scans(&test, LIMITS_DEVICE, &built_in, infos, batch);
        for (uint32_t k = 0; k < batch; k++) {
            uint32_t sum = 0;
            for (uint32_t i = 0; i < length; i++)
                assert_int_equal(output[16 * k + i], sum += (done + k) >> i & 1);
        }
    }
    test.oracle_cases += masks;
}

/* Every mask of one length, as the rows of one scan. */
static void scan_mask_rows(VkrScanAlgorithm algorithm, uint32_t length)
{
    const uint32_t masks = 1u << length;
    uint32_t *input = test.buffers[SCAN_INPUT].buffer.data;
    const uint32_t *output = test.buffers[SCAN_OUTPUT].buffer.data;
    VkrScanInfo info = word_scan(words_at(SCAN_INPUT, 0, masks * length),
                                 words_at(SCAN_OUTPUT, 0, masks * length));
    info.algorithm = algorithm;
    info.segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = length};
    for (uint32_t i = 0; i < masks * length; i++)
        input[i] = i / length >> i % length & 1;
    run_scans(&test, LIMITS_DEVICE, &built_in, &info, 1);
    for (uint32_t m = 0; m < masks; m++) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < length; i++)
            assert_int_equal(output[m * length + i], sum += m >> i & 1);
    }
    test.oracle_cases++;
}

void test_masks(void **state)
{
    (void)state;
    for (int algorithm = 0; algorithm < VKR_SCAN_ALGORITHM_COUNT; algorithm++)
        for (uint32_t length = 1; length <= environment("VKR_TEST_LONGEST", LONGEST); length++) {
            scan_masks((VkrScanAlgorithm)algorithm, length);
            scan_mask_rows((VkrScanAlgorithm)algorithm, length);
        }
}

/* ---- Refusals ---- */

/* Requests that scan.h reserves for one algorithm are errors with the others, and the message names
 * it. */
void test_refusals(void **state)
{
    (void)state;
    const VkrRecorder recorder = get_recorder(&test.contexts, LIMITS_DEVICE, &built_in);
    for (int algorithm = 0; algorithm < VKR_SCAN_ALGORITHM_COUNT; algorithm++) {
        for (int level = 0; level < 2 * (VKR_DETERMINISM_DEVICE + 1); level++) {
            const bool in_place = level % 2 != 0;
            VkrScanInfo info = word_scan(words_at(SCAN_INPUT, 0, CHAIN),
                                         words_at(in_place ? SCAN_INPUT : SCAN_OUTPUT, 0, CHAIN));
            info.input.type = info.output.type = VKR_TYPE_F32;
            info.algorithm = (VkrScanAlgorithm)algorithm;
            info.determinism = (VkrDeterminism)(level / 2);
            const scan_row row = {.type = VKR_TYPE_F32,
                                  .op = info.op,
                                  .determinism = info.determinism,
                                  .algorithm = info.algorithm,
                                  .in_place = in_place};
            assert_int_equal(vkrBegin(recorder), VKR_SUCCESS);
            test.h.sentence[0] = '\0';
            const VkrResult result = vkrCmdScan(recorder, &info);
            assert_int_equal(result, serves(&row) ? VKR_SUCCESS : VKR_ERROR_UNSUPPORTED);
            if (!serves(&row))
                assert_non_null(strstr(test.h.sentence, "algorithm"));
        }
    }
    assert_int_equal(vkrBegin(recorder), VKR_SUCCESS);
}
