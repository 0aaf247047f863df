/* SPDX-License-Identifier: MIT */
/* Single-pass operations, and what they should write. */
#include "progress.h"

#include <stdlib.h>

#include "oracle_sort.h"

#define ROW 7777u /* elements of a segment */
#define LONG_ROW 1000u
#define MAX_SORTED 20000u /* keys */

harness_buffer input, floats, runs, output;
uint32_t *expected;
VkrGpuCount gpu_count;

static VkrScanInfo scan_info(uint32_t words, uint32_t components)
{
    const VkrView view = {.buffer = input.buffer,
                          .size = 4 * (VkDeviceSize)words,
                          .type = VKR_TYPE_U32,
                          .components = components};
    VkrScanInfo info = {.op = VKR_OP_SUM,
                        .input = view,
                        .output = view,
                        .count = VKR_COUNT_ALL,
                        .gpuCount = gpu_count,
                        .algorithm = VKR_SCAN_SINGLE_PASS};
    info.output.buffer = output.buffer;
    return info;
}

static VkrResult collect_scan(VkrRecorder recorder, uint32_t words)
{
    const VkrScanInfo info = scan_info(words, 1);
    return vkrCmdScan(recorder, &info);
}

static void expect_scan(uint32_t words, uint32_t count)
{
    const uint32_t *in = input.data;
    (void)words;
    for (uint32_t i = 0; i < count; i++)
        expected[i] = (i == 0 ? 0 : expected[i - 1]) + in[i];
}

/* Sums that depend on the order of additions. */
static VkrResult collect_floats(VkrRecorder recorder, uint32_t words)
{
    VkrScanInfo info = scan_info(words, 1);
    info.input.buffer = floats.buffer;
    info.input.type = info.output.type = VKR_TYPE_F32;
    return vkrCmdScan(recorder, &info);
}

/* Partials of several words, and segments at whose start the look-back can end. */
static VkrResult collect_segmented(VkrRecorder recorder, uint32_t words)
{
    VkrScanInfo info = scan_info(words, 2);
    info.flags = VKR_SCAN_REVERSE_BIT;
    info.segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = ROW};
    return vkrCmdScan(recorder, &info);
}

static void expect_segmented(uint32_t words, uint32_t count)
{
    const uint32_t *in = input.data;
    uint32_t sums[2] = {0, 0};
    (void)words;
    for (uint32_t i = count; i-- > 0;) {
        for (uint32_t c = 0; c < 2; c++) {
            if (i % ROW == ROW - 1)
                sums[c] = 0;
            expected[2 * i + c] = sums[c] += in[2 * i + c];
        }
    }
}

/* Segments that reach over several tiles. */
static VkrResult collect_long_rows(VkrRecorder recorder, uint32_t words)
{
    VkrScanInfo info = scan_info(words, 1);
    info.segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = LONG_ROW};
    return vkrCmdScan(recorder, &info);
}

static void expect_long_rows(uint32_t words, uint32_t count)
{
    const uint32_t *in = input.data;
    (void)words;
    for (uint32_t i = 0; i < count; i++)
        expected[i] = (i % LONG_ROW == 0 ? 0 : expected[i - 1]) + in[i];
}

/* Segments that start where keys change, in both directions. */
static VkrSegments runs_of_keys(uint32_t words)
{
    return (VkrSegments){
        .kind = VKR_SEGMENTS_KEYS,
        .keys = {.buffer = runs.buffer, .size = 4 * (VkDeviceSize)words, .type = VKR_TYPE_U32}};
}

static VkrResult collect_keyed(VkrRecorder recorder, uint32_t words)
{
    VkrScanInfo info = scan_info(words, 1);
    info.flags = VKR_SCAN_REVERSE_BIT;
    info.segments = runs_of_keys(words);
    return vkrCmdScan(recorder, &info);
}

static void expect_keyed(uint32_t words, uint32_t count)
{
    const uint32_t *in = input.data, *key = runs.data;
    (void)words;
    for (uint32_t i = count; i-- > 0;)
        expected[i] = (i + 1 == count || key[i] != key[i + 1] ? 0 : expected[i + 1]) + in[i];
}

/* A result for each run of the first half of the keys, and then the lengths of the runs. */
static VkrResult collect_runs(VkrRecorder recorder, uint32_t words)
{
    const VkDeviceSize size = words / 2 * 4;
    VkrReduceInfo info = {
        .ops = VKR_OP_SUM,
        .input = {.buffer = input.buffer, .size = size, .type = VKR_TYPE_U32},
        .count = VKR_COUNT_ALL,
        .gpuCount = gpu_count,
        .output = {output.buffer, 0, size},
        .segments = runs_of_keys(words / 2),
    };
    info.segments.runs.lengths = (VkrView){.buffer = output.buffer, .offset = size, .size = size};
    return vkrCmdReduce(recorder, &info);
}

static void expect_runs(uint32_t words, uint32_t count)
{
    const uint32_t *in = input.data, *key = runs.data, half = words / 2;
    uint32_t run = 0;
    for (uint32_t i = 0; i < half && i < count; i++) {
        const bool starts = i == 0 || key[i] != key[i - 1];
        run += starts && i != 0;
        expected[run] = (starts ? 0 : expected[run]) + in[i];
        expected[half + run] = starts ? 1 : expected[half + run] + 1;
    }
}

/* The same without results: the lengths of the runs of all keys that fit. */
static VkrResult collect_lengths(VkrRecorder recorder, uint32_t words)
{
    const VkrView keys = runs_of_keys(words).keys;
    VkrCompactInfo info = {.input = keys,
                           .count = VKR_COUNT_ALL,
                           .gpuCount = gpu_count,
                           .predicate = {.kind = VKR_PREDICATE_UNIQUE},
                           .kept = keys,
                           .runLengths = keys};
    info.kept.buffer = info.runLengths.buffer = output.buffer;
    info.kept.size = info.runLengths.size = words / 2 * 4;
    info.runLengths.offset = info.kept.size;
    return vkrCmdCompact(recorder, &info);
}

static void expect_lengths(uint32_t words, uint32_t count)
{
    const uint32_t *key = runs.data, half = words / 2;
    uint32_t next = 0;
    for (uint32_t i = 0; i < count; i++) {
        next += i == 0 || key[i] != key[i - 1];
        if (next > half)
            break;
        if (i == 0 || key[i] != key[i - 1]) {
            expected[next - 1] = key[i];
            expected[half + next - 1] = 0;
        }
        expected[half + next - 1]++;
    }
}

/* The lowest bits are random, so about half of the elements are kept. Both outputs are in the order
 * of the tiles. */
static VkrResult collect_partition(VkrRecorder recorder, uint32_t words)
{
    const VkrView view = {
        .buffer = input.buffer, .size = 4 * (VkDeviceSize)words, .type = VKR_TYPE_U32};
    VkrCompactInfo info = {
        .input = view,
        .count = VKR_COUNT_ALL,
        .gpuCount = gpu_count,
        .predicate = {.kind = VKR_PREDICATE_BITS, .compare = VKR_COMPARE_EQUAL, .mask = 1},
        .algorithm = VKR_COMPACT_SINGLE_PASS,
        .kept = view,
        .rejectedIndices = view};
    info.kept.buffer = info.rejectedIndices.buffer = output.buffer;
    info.kept.size = info.rejectedIndices.size = words / 2 * 4;
    info.rejectedIndices.offset = info.kept.size;
    return vkrCmdCompact(recorder, &info);
}

static void expect_partition(uint32_t words, uint32_t count)
{
    const uint32_t *in = input.data, half = words / 2;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t at = (in[i] & 1) == 0 ? kept++ : i - kept;
        if (at < half)
            expected[(in[i] & 1) == 0 ? at : half + at] = (in[i] & 1) == 0 ? in[i] : i;
    }
}

/* A sort by one digit, with the indices of keys, and by all digits. The tiles of a sort have 12
 * keys for each invocation, however many bytes the others' have. */
static uint32_t sort_keys(uint32_t words)
{
    return words / 2 < MAX_SORTED ? words / 2 : MAX_SORTED;
}

static VkrResult collect_digits(VkrRecorder recorder, uint32_t words, uint32_t bits,
                                uint32_t workgroup)
{
    const VkDeviceSize size = 4 * (VkDeviceSize)sort_keys(words);
    VkrSortInfo info = {.keys = {.buffer = input.buffer, .size = size, .type = VKR_TYPE_U32},
                        .count = VKR_COUNT_ALL,
                        .endBit = bits,
                        .algorithm = VKR_SORT_ONESWEEP,
                        .workgroupSize = workgroup,
                        .sorted = {.buffer = output.buffer, .size = size}};
    if (bits == 8)
        info.indices = (VkrView){.buffer = output.buffer, .offset = size, .size = size};
    return vkrCmdSort(recorder, &info);
}

static void expect_digits(uint32_t words, uint32_t bits)
{
    const uint32_t *in = input.data, keys = sort_keys(words);
    const oracle_sort_info info = {
        .data = in, .stride = 4, .type = VKR_TYPE_U32, .count = keys, .end = bits};
    uint32_t *order = malloc(4 * (size_t)keys + 4);
    assert_non_null(order);
    assert_true(oracle_sort(&info, order));
    for (uint32_t i = 0; i < keys; i++) {
        expected[i] = in[order[i]];
        if (bits == 8)
            expected[keys + i] = order[i];
    }
    free(order);
}

static VkrResult collect_digit(VkrRecorder recorder, uint32_t words)
{
    return collect_digits(recorder, words, 8, 2);
}

static void expect_digit(uint32_t words, uint32_t count)
{
    (void)count;
    expect_digits(words, 8);
}

static VkrResult collect_sort(VkrRecorder recorder, uint32_t words)
{
    return collect_digits(recorder, words, 32, 8);
}

static void expect_sort(uint32_t words, uint32_t count)
{
    (void)count;
    expect_digits(words, 32);
}

const operation_row operations[PROGRESS_OPERATIONS] = {
    {"scan", collect_scan, expect_scan, PROGRESS_MAX_TILES, false, 0, 0, false},
    {"scan in registers", collect_scan, expect_scan, PROGRESS_MAX_TILES, true, 0, 0, false},
    {"float scan", collect_floats, NULL, PROGRESS_MAX_TILES / 10, false, 0, 0, false},
    {"float scan in registers", collect_floats, NULL, PROGRESS_MAX_TILES / 10, true, 0, 0, false},
    {"segmented scan", collect_segmented, expect_segmented, PROGRESS_MAX_TILES / 10, false, 0, 0,
     false},
    {"segments in registers", collect_long_rows, expect_long_rows, PROGRESS_MAX_TILES / 10, true, 0,
     0, false},
    {"scan by keys", collect_keyed, expect_keyed, PROGRESS_MAX_TILES / 10, true, 0, 0, false},
    {"runs of keys", collect_runs, expect_runs, PROGRESS_MAX_TILES / 10, true, 0, 0, true},
    {"run lengths", collect_lengths, expect_lengths, PROGRESS_MAX_TILES / 10, true, 0, 0, true},
    {"partition", collect_partition, expect_partition, PROGRESS_MAX_TILES, false, 0, 0, false},
    {"partition in registers", collect_partition, expect_partition, PROGRESS_MAX_TILES, true, 0, 0,
     false},
    {"sort by a digit", collect_digit, expect_digit, PROGRESS_MAX_TILES / 10, false, 1, 8, false},
    {"sort by a digit, looking at one tile", collect_digit, expect_digit, PROGRESS_MAX_TILES / 10,
     false, 150, 1, false},
    {"sort", collect_sort, expect_sort, PROGRESS_MAX_TILES / 10, false, 150, 8, false},
};
