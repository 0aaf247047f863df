/* SPDX-License-Identifier: MIT */
#include "host_case.h"

#include "host_chunks.h"

#define COUNT 20000u                /* words */
#define CHUNK ((VkDeviceSize)32768) /* bytes; three chunks of words */
#define SORTED 50u

static uint32_t words[COUNT], before[COUNT], sorted[SORTED];
static uint32_t total, scanned[COUNT], kept[COUNT], counts[256], lower[COUNT];
static uint64_t kept_count;

static const VkrView view = {.type = VKR_TYPE_U32};

static VkrResult reduce(VkrHost host)
{
    total = 0;
    return vkrHostReduce(
        host, &(VkrHostReduceInfo){.reduce = {.ops = VKR_OP_XOR, .input = view, .count = COUNT},
                                   .input = words,
                                   .results = &total,
                                   .resultsSize = sizeof total,
                                   .chunkSize = CHUNK});
}

static VkrResult scan(VkrHost host)
{
    memset(scanned, 0, sizeof scanned);
    return vkrHostScan(host,
                       &(VkrHostScanInfo){.scan = {.op = VKR_OP_XOR, .input = view, .count = COUNT},
                                          .input = words,
                                          .output = scanned,
                                          .chunkSize = CHUNK});
}

static VkrResult compact(VkrHost host)
{
    memset(kept, 0, sizeof kept);
    return vkrHostCompact(
        host, &(VkrHostCompactInfo){.compact = {.input = view,
                                                .count = COUNT,
                                                .predicate = {.kind = VKR_PREDICATE_NONZERO}},
                                    .input = words,
                                    .kept = kept,
                                    .keptCount = &kept_count,
                                    .chunkSize = CHUNK});
}

/* Of bytes, so that there are three chunks of these, too. */
static VkrResult histogram(VkrHost host)
{
    const VkrBins bins = {.kind = VKR_BINS_INTEGERS, .count = ARRAY_SIZE(counts)};
    memset(counts, 0, sizeof counts);
    return vkrHostHistogram(
        host,
        &(VkrHostHistogramInfo){
            .histogram = {.input = {.type = VKR_TYPE_U8}, .count = sizeof words, .bins = bins},
            .input = words,
            .counts = counts,
            .chunkSize = CHUNK});
}

static VkrResult bounds(VkrHost host)
{
    memset(lower, 0xff, sizeof lower);
    return vkrHostBounds(
        host, &(VkrHostBoundsInfo){
                  .bounds = {.sorted = view, .values = view, .count = SORTED, .valueCount = COUNT},
                  .sorted = sorted,
                  .values = words,
                  .lower = lower,
                  .chunkSize = CHUNK});
}

/* ---- What they give ---- */

static void check_reduce(void)
{
    uint32_t expected = 0;
    for (uint32_t i = 0; i < COUNT; i++)
        expected ^= words[i];
    assert_int_equal(total, expected);
}

static void check_scan(void)
{
    for (uint32_t i = 0, expected = 0; i < COUNT; i++) {
        expected ^= words[i];
        assert_int_equal(scanned[i], expected);
    }
}

static void check_compact(void)
{
    uint64_t expected = 0;
    for (uint32_t i = 0; i < COUNT; i++)
        if (words[i] != 0)
            assert_int_equal(kept[expected++], words[i]);
    assert_int_equal(kept_count, expected);
}

static void check_histogram(void)
{
    uint32_t expected[ARRAY_SIZE(counts)] = {0};
    for (size_t i = 0; i < sizeof words; i++)
        expected[((const unsigned char *)words)[i]]++;
    assert_memory_equal(counts, expected, sizeof counts);
}

static void check_bounds(void)
{
    for (uint32_t i = 0; i < COUNT; i++) {
        uint32_t expected = 0;
        while (expected < SORTED && sorted[expected] < words[i])
            expected++;
        assert_int_equal(lower[i], expected);
    }
}

static const struct {
    VkrResult (*call)(VkrHost host);
    void (*check)(void);
} calls[] = {{reduce, check_reduce},
             {scan, check_scan},
             {compact, check_compact},
             {histogram, check_histogram},
             {bounds, check_bounds}};

VkrResult host_chunks_run(VkrHost host)
{
    VkrResult result = VKR_SUCCESS;
    case_fill(words, sizeof words, 7);
    memcpy(before, words, sizeof before);
    for (uint32_t i = 0; i < SORTED; i++)
        sorted[i] = i * (UINT32_MAX / SORTED);
    for (size_t i = 0; i < ARRAY_SIZE(calls) && result == VKR_SUCCESS; i++) {
        result = calls[i].call(host);
        if (result == VKR_ERROR_DEVICE_LOST || result == VKR_ERROR_TIMEOUT)
            break;
        if (result != VKR_SUCCESS)
            EXPECT_OK(calls[i].call(host));
        calls[i].check();
    }
    assert_memory_equal(words, before, sizeof before);
    return result;
}
