/* SPDX-License-Identifier: MIT */
#include "host_case.h"

#include "host_chunks.h"

#define COUNT HOST_CHUNKS_MOST
#define SORTED 50u

static uint32_t words[COUNT], before[COUNT], sorted[SORTED];
static uint32_t total, scanned[COUNT], kept[COUNT], counts[256], lower[COUNT];
static uint64_t kept_count;
static uint32_t word_count;
static VkrType counted;
static VkDeviceSize chunk_size;

static const VkrView view = {.type = VKR_TYPE_U32};

static VkrResult reduce(VkrHost host)
{
    total = 0;
    return vkrHostReduce(
        host,
        &(VkrHostReduceInfo){.reduce = {.ops = VKR_OP_XOR, .input = view, .count = word_count},
                             .input = words,
                             .results = &total,
                             .resultsSize = sizeof total,
                             .chunkSize = chunk_size});
}

static VkrResult scan(VkrHost host)
{
    memset(scanned, 0, sizeof scanned);
    return vkrHostScan(
        host, &(VkrHostScanInfo){.scan = {.op = VKR_OP_XOR, .input = view, .count = word_count},
                                 .input = words,
                                 .output = scanned,
                                 .chunkSize = chunk_size});
}

static VkrResult compact(VkrHost host)
{
    memset(kept, 0, sizeof kept);
    return vkrHostCompact(
        host, &(VkrHostCompactInfo){.compact = {.input = view,
                                                .count = word_count,
                                                .predicate = {.kind = VKR_PREDICATE_NONZERO}},
                                    .input = words,
                                    .kept = kept,
                                    .keptCount = &kept_count,
                                    .chunkSize = chunk_size});
}

/* Of bytes where the device has them, so that there are three chunks of these, too. */
static VkrResult histogram(VkrHost host)
{
    counted = case_small(host);
    memset(counts, 0, sizeof counts);
    return vkrHostHistogram(
        host, &(VkrHostHistogramInfo){
                  .histogram = {.input = {.type = counted},
                                .count = 4 * (uint64_t)word_count / vkrTypeSize(counted),
                                .bins = {.kind = VKR_BINS_INTEGERS, .count = ARRAY_SIZE(counts)}},
                  .input = words,
                  .counts = counts,
                  .chunkSize = chunk_size});
}

static VkrResult bounds(VkrHost host)
{
    memset(lower, 0xff, sizeof lower);
    return vkrHostBounds(
        host,
        &(VkrHostBoundsInfo){
            .bounds = {.sorted = view, .values = view, .count = SORTED, .valueCount = word_count},
            .sorted = sorted,
            .values = words,
            .lower = lower,
            .chunkSize = chunk_size});
}

/* ---- What they give ---- */

static void check_reduce(void)
{
    uint32_t expected = 0;
    for (uint32_t i = 0; i < word_count; i++)
        expected ^= words[i];
    assert_int_equal(total, expected);
}

static void check_scan(void)
{
    for (uint32_t i = 0, expected = 0; i < word_count; i++) {
        expected ^= words[i];
        assert_int_equal(scanned[i], expected);
    }
}

static void check_compact(void)
{
    uint64_t expected = 0;
    for (uint32_t i = 0; i < word_count; i++)
        if (words[i] != 0)
            assert_int_equal(kept[expected++], words[i]);
    assert_int_equal(kept_count, expected);
}

static void check_histogram(void)
{
    uint32_t expected[ARRAY_SIZE(counts)] = {0};
    for (size_t i = 0; i < 4 * (size_t)word_count && counted == VKR_TYPE_U8; i++)
        expected[((const unsigned char *)words)[i]]++;
    for (size_t i = 0; i < word_count && counted != VKR_TYPE_U8; i++)
        if (words[i] < ARRAY_SIZE(counts))
            expected[words[i]]++;
    assert_memory_equal(counts, expected, sizeof counts);
}

static void check_bounds(void)
{
    for (uint32_t i = 0; i < word_count; i++) {
        uint32_t expected = 0;
        while (expected < SORTED && sorted[expected] < words[i])
            expected++;
        assert_int_equal(lower[i], expected);
    }
}

static const struct {
    VkrResult (*call)(VkrHost host);
    void (*check)(void);
} calls[HOST_CHUNKS] = {{reduce, check_reduce},
                        {scan, check_scan},
                        {compact, check_compact},
                        {histogram, check_histogram},
                        {bounds, check_bounds}};

VkrResult host_chunks_run_once(VkrHost host, uint32_t call, uint32_t count, VkDeviceSize chunkSize)
{
    chunk_size = chunkSize;
    word_count = count;
    case_fill(words, 4 * (size_t)count, 7);
    memcpy(before, words, 4 * (size_t)count);
    for (uint32_t i = 0; i < SORTED; i++)
        sorted[i] = i * (UINT32_MAX / SORTED);
    const VkrResult result = calls[call].call(host);
    if (result == VKR_SUCCESS)
        calls[call].check();
    assert_memory_equal(words, before, 4 * (size_t)count);
    return result;
}

VkrResult host_chunks_run(VkrHost host, uint32_t call, uint32_t count, VkDeviceSize chunkSize)
{
    const VkrResult result = host_chunks_run_once(host, call, count, chunkSize);
    if (result != VKR_SUCCESS && result != VKR_ERROR_DEVICE_LOST)
        EXPECT_OK(host_chunks_run_once(host, call, count, chunkSize));
    return result;
}
