/* SPDX-License-Identifier: MIT */
/* Reductions, scans and counts over ranks, and errors. */
#include "ranks.h"

#include <time.h>

#include "oracle_histogram.h"
#include "oracle_scan.h"

#define MAX_BYTES 4096u

/* What rank 0 finds by the oracle goes to all. They sleep meanwhile: most implementations of MPI
 * would keep the processors busy. */
static void share_values(void *values, size_t size)
{
    const struct timespec moment = {.tv_nsec = 500000};
    MPI_Request request;
    int done = 0;
    MPI_Ibcast(values, (int)size, MPI_BYTE, 0, MPI_COMM_WORLD, &request);
    for (MPI_Test(&request, &done, MPI_STATUS_IGNORE); done == 0;
         MPI_Test(&request, &done, MPI_STATUS_IGNORE))
        nanosleep(&moment, NULL);
}

/* ---- Reductions ---- */

typedef struct reduction {
    VkrOpFlags ops;
    VkrType type;
    uint32_t components;
    VkDeviceSize stride;
    VkrDeterminism determinism;
    VkrNan nan;
    distribution data;
    share_kind shares;
    uint64_t whole;
} reduction;

#define SUMS (VKR_OP_SUM | VKR_OP_L2 | VKR_OP_MEAN | VKR_OP_MIN | VKR_OP_ARGMAX | VKR_OP_COUNT)
#define DEVICE VKR_DETERMINISM_DEVICE
#define RUN VKR_DETERMINISM_RUN
#define BLOCK VKR_TREE_BLOCK

static const reduction reductions[] = {
    {SUMS, VKR_TYPE_F32, 1, 0, DEVICE, 0, DATA_RANDOM, SHARES_RANDOM, 100003},
    {SUMS, VKR_TYPE_F32, 1, 0, DEVICE, 0, DATA_SUBNORMAL, SHARES_SOME, 30011},
    {SUMS, VKR_TYPE_F32, 1, 0, DEVICE, 0, DATA_SOME_NAN, SHARES_RANDOM, 3 * BLOCK + 1},
    {SUMS, VKR_TYPE_F32, 1, 0, DEVICE, 0, DATA_RANDOM, SHARES_RANDOM, 3},
    {SUMS, VKR_TYPE_F32, 1, 0, DEVICE, 0, DATA_RANDOM, SHARES_RANDOM, 0},
    {SUMS, VKR_TYPE_F32, 1, 0, DEVICE, 0, DATA_RANDOM, SHARES_ONE, 9 * BLOCK},
    {SUMS, VKR_TYPE_F32, 1, 0, RUN, 0, DATA_RANDOM, SHARES_RANDOM, 100003},
    {VKR_OP_DOT | VKR_OP_SUM, VKR_TYPE_F32, 1, 12, DEVICE, 0, DATA_RANDOM, SHARES_RANDOM, 60007},
    {VKR_OP_STDDEV | VKR_OP_MAX, VKR_TYPE_F32, 1, 0, DEVICE, VKR_NAN_SKIP, DATA_SOME_NAN,
     SHARES_RANDOM, 50021},
    {VKR_OP_LOGSUMEXP | VKR_OP_MIN, VKR_TYPE_F32, 1, 0, DEVICE, 0, DATA_RANDOM, SHARES_RANDOM,
     50021},
    {VKR_OP_SUM | VKR_OP_MIN | VKR_OP_ARGMAX | VKR_OP_MEAN, VKR_TYPE_I32, 3, 16, RUN, 0,
     DATA_RANDOM, SHARES_RANDOM, 70001},
};

static void expect_reduction(const reduction *row, const void *const data[2],
                             const VkrReduceLayout *layout, oracle_value *values)
{
    const size_t element = (size_t)row->components * vkrTypeSize(row->type);
    for (uint32_t i = 0; i < VKR_OP_BITS * row->components && test.rank == 0; i++) {
        const oracle_reduce_info info = {.data = data[0],
                                         .stride = element,
                                         .data2 = data[1],
                                         .stride2 = element,
                                         .count = row->whole,
                                         .type = row->type,
                                         .components = row->components,
                                         .nan = row->nan,
                                         .determinism = row->determinism};
        const uint32_t bit = i / row->components;
        if ((row->ops >> bit & 1) != 0)
            oracle_reduce(&info, (VkrOp)(1u << bit), i % row->components, layout->results[bit].type,
                          &values[i]);
    }
    share_values(values, VKR_OP_BITS * row->components * sizeof(*values));
}

static void run_reduction(const reduction *row, size_t number)
{
    void *const data[2] = {make_whole(row->data, row->type, row->components, row->whole),
                           make_whole(row->data, row->type, row->components, row->whole)};
    const share s = cut_whole(row->shares, row->whole);
    unsigned char result[MAX_BYTES];
    VkrReduceLayout layout;
    oracle_value values[VKR_OP_BITS * VKR_MAX_COMPONENTS];
    const VkrReduceInfo info = {
        .ops = row->ops,
        .input = place_share(&test.input, data[0], s, row->type, row->components, row->stride),
        .input2 = place_share(&test.input2, data[1], s, row->type, row->components, 0),
        .count = test.rank % 2 != 0 && s.count != 0 ? VKR_COUNT_ALL : s.count,
        .nan = row->nan,
        .determinism = row->determinism};
    const VkrResult got =
        vkrMpiReduce(test.mpi, &(VkrMpiReduceInfo){&info, result, sizeof(result), &layout});
    EXPECT(got == VKR_SUCCESS, "reduction %zu: %s %s", number, vkrResultName(got), test.sentence);
    if (got == VKR_SUCCESS) {
        expect_reduction(row, (const void *const[]){data[0], data[1]}, &layout, values);
        for (uint32_t i = 0; i < VKR_OP_BITS * row->components; i++) {
            const VkrReduceResult *r = &layout.results[i / row->components];
            const void *at = result + r->offset + i % row->components * vkrTypeSize(r->type);
            if (r->type != VKR_TYPE_UNDEFINED)
                EXPECT(oracle_accepts(&values[i], r->type, at), "reduction %zu: %s is wrong",
                       number, vkrOpName((VkrOp)(1u << i / row->components)));
        }
    }
    free(data[0]);
    free(data[1]);
}

void test_reductions(void)
{
    for (size_t i = 0; i < ARRAY_SIZE(reductions); i++)
        run_reduction(&reductions[i], i);
}

/* ---- Scans ---- */

typedef struct scan_row {
    VkrOp op;
    VkrType type;
    uint32_t components, flags;
    VkrDeterminism determinism;
    VkrNan nan;
    distribution data;
    share_kind shares;
    uint64_t whole;
    bool initial, in_place;
} scan_row;

#define LONG (5 * VKR_SCAN_BLOCK / 2 + 77)

static const scan_row scans[] = {
    {VKR_OP_SUM, VKR_TYPE_I32, 1, 0, RUN, 0, DATA_RANDOM, SHARES_RANDOM, 20011, false, true},
    {VKR_OP_MIN, VKR_TYPE_F32, 1, VKR_SCAN_EXCLUSIVE_BIT, RUN, VKR_NAN_PROPAGATE, DATA_SOME_NAN,
     SHARES_SOME, 5003, true, false},
    {VKR_OP_MAX, VKR_TYPE_F32, 1, VKR_SCAN_EXCLUSIVE_BIT, RUN, 0, DATA_NAN_BUT_ONE, SHARES_RANDOM,
     1003, false, false},
    {VKR_OP_XOR, VKR_TYPE_U32, 2, VKR_SCAN_REVERSE_BIT, RUN, 0, DATA_RANDOM, SHARES_RANDOM, 5003,
     false, false},
    {VKR_OP_SUM, VKR_TYPE_F32, 1, 0, DEVICE, 0, DATA_RANDOM, SHARES_BLOCKS, LONG, true, true},
    {VKR_OP_SUM, VKR_TYPE_F32, 1, VKR_SCAN_REVERSE_BIT, DEVICE, 0, DATA_RANDOM,
     SHARES_BLOCKS_REVERSED, LONG, false, false},
    {VKR_OP_SUM, VKR_TYPE_F32, 1, 0, RUN, 0, DATA_RANDOM, SHARES_RANDOM, 10007, false, true},
    {VKR_OP_SUM, VKR_TYPE_F32, 1, 0, DEVICE, 0, DATA_RANDOM, SHARES_RANDOM, 0, true, true},
    {VKR_OP_SUM, VKR_TYPE_I32, 1, 0, RUN, 0, DATA_RANDOM, SHARES_RANDOM, 3, false, true},
};

static void check_scan(const scan_row *row, size_t number, const oracle_value *values, share s,
                       const unsigned char *actual, uint32_t component, const void *total)
{
    const uint32_t size = vkrTypeSize(row->type);
    uint64_t wrong = UINT64_MAX;
    for (uint64_t i = 0; i < s.count; i++)
        if (!oracle_accepts(&values[s.first + i], row->type,
                            actual + (i * row->components + component) * size))
            wrong = i < wrong ? i : wrong;
    EXPECT(wrong == UINT64_MAX, "scan %zu: element %llu of %llu is wrong", number,
           (unsigned long long)wrong, (unsigned long long)s.count);
    EXPECT(oracle_accepts(&values[row->whole], row->type, total), "scan %zu: the total is wrong",
           number);
}

static void run_scan(const scan_row *row, size_t number)
{
    void *data = make_whole(row->data, row->type, row->components, row->whole);
    void *initial = make_whole(DATA_RANDOM, row->type, row->components, 1);
    const size_t bytes = (size_t)(row->whole + 1) * sizeof(oracle_value);
    oracle_value *values = malloc(bytes);
    const share s = cut_whole(row->shares, row->whole);
    unsigned char total[VKR_MAX_COMPONENTS * 8];
    VkrScanInfo info = {.op = row->op,
                        .flags = row->flags,
                        .input = place_share(&test.input, data, s, row->type, row->components, 0),
                        .count = s.count,
                        .nan = row->nan,
                        .determinism = row->determinism,
                        .initial = row->initial ? initial : NULL};
    info.output = info.input;
    info.output.buffer = row->in_place ? test.input.buffer : test.output.buffer;
    const VkrResult got = vkrMpiScan(test.mpi, &(VkrMpiScanInfo){&info, total, sizeof(total)});
    EXPECT(got == VKR_SUCCESS && values != NULL, "scan %zu: %s %s", number, vkrResultName(got),
           test.sentence);
    for (uint32_t c = 0; c < row->components && got == VKR_SUCCESS && values != NULL; c++) {
        const oracle_scan_info expected = {.data = data,
                                           .stride =
                                               (size_t)row->components * vkrTypeSize(row->type),
                                           .count = row->whole,
                                           .type = row->type,
                                           .components = row->components,
                                           .op = row->op,
                                           .flags = row->flags,
                                           .nan = row->nan,
                                           .determinism = row->determinism,
                                           .initial = info.initial};
        if (test.rank == 0 && !oracle_scan(&expected, c, row->type, values))
            MPI_Abort(MPI_COMM_WORLD, 1);
        share_values(values, bytes);
        check_scan(row, number, values, s,
                   (const unsigned char *)(row->in_place ? test.input.data : test.output.data) +
                       info.output.offset,
                   c, total + c * vkrTypeSize(row->type));
    }
    free(values);
    free(initial);
    free(data);
}

void test_scans(void)
{
    for (size_t i = 0; i < ARRAY_SIZE(scans); i++)
        run_scan(&scans[i], i);
}

/* ---- Counts ---- */

#define BINS 37u

void test_counts(void)
{
    const uint64_t whole = 30011;
    float *data = make_whole(DATA_SOME_NAN, VKR_TYPE_F32, 1, whole);
    const share s = cut_whole(SHARES_SOME, whole);
    const VkrBins bins = {
        .kind = VKR_BINS_EVEN, .count = BINS, .low.value = -100, .high.value = 100};
    const VkrHistogramInfo info = {.input = place_share(&test.input, data, s, VKR_TYPE_F32, 1, 0),
                                   .count = s.count,
                                   .bins = bins};
    uint32_t counts[BINS], outside[3], expected[BINS + 3] = {0};
    const VkrMpiHistogramInfo all = {&info, counts, sizeof(counts), outside, sizeof(outside)};
    const VkrResult got = vkrMpiHistogram(test.mpi, &all);
    EXPECT(got == VKR_SUCCESS, "histogram: %s %s", vkrResultName(got), test.sentence);
    oracle_bins *find = oracle_bins_make(&(oracle_bins_info){.kind = bins.kind,
                                                             .count = BINS,
                                                             .type = VKR_TYPE_F32,
                                                             .low = bins.low,
                                                             .high = bins.high});
    for (uint64_t i = 0; i < whole; i++)
        expected[oracle_bins_find(find, &data[i])]++;
    EXPECT(memcmp(counts, expected, sizeof(counts)) == 0, "the counts are wrong");
    EXPECT(memcmp(outside, expected + BINS, sizeof(outside)) == 0, "those outside are wrong");
    oracle_bins_free(find);
    free(data);
    uint64_t offset = 7, total = 7;
    const uint64_t kept = ((uint64_t)test.rank + 1) << 32, n = (uint64_t)test.count;
    EXPECT(vkrMpiCompactOffsets(test.mpi, kept, &offset, &total) == VKR_SUCCESS, "offsets fail");
    EXPECT(offset == (kept >> 32) * ((kept >> 32) - 1) / 2 << 32 && total == n * (n + 1) / 2 << 32,
           "offsets are wrong");
}

/* ---- Errors ---- */

/* A call that is wrong on the last rank fails on all, and each says why. */
static void expect_error(VkrResult got, VkrResult expected, const char *own, const char *call)
{
    const bool guilty = test.rank == test.count - 1;
    EXPECT(got == expected, "%s returned %s", call, vkrResultName(got));
    EXPECT(strstr(test.sentence, guilty ? own : "rank ") != NULL || (guilty && own[0] == '\0'),
           "%s says: %s", call, test.sentence);
    test.sentence[0] = '\0';
}

void test_errors(void)
{
    const bool guilty = test.rank == test.count - 1;
    const float data[16] = {1, 2, 3};
    const share s = {0, 16};
    float result[4];
    VkrReduceInfo reduce = {.ops = VKR_OP_SUM,
                            .input = place_share(&test.input, data, s, VKR_TYPE_F32, 1, 0),
                            .count = 16,
                            .determinism = DEVICE};
    VkrMpiReduceInfo info = {&reduce, result, sizeof(result), NULL};
    reduce.segments.kind = guilty ? VKR_SEGMENTS_ROWS : VKR_SEGMENTS_NONE;
    expect_error(vkrMpiReduce(test.mpi, &info), VKR_ERROR_UNSUPPORTED, "segments is given",
                 "a reduction with segments");
    reduce.segments.kind = VKR_SEGMENTS_NONE;
    info.resultSize = guilty ? 3 : sizeof(result);
    expect_error(vkrMpiReduce(test.mpi, &info), VKR_ERROR_INVALID_ARGUMENT, "resultSize is 3",
                 "a small result");
    info.resultSize = sizeof(result);
    reduce.input.stride = guilty ? 3 : 0; /* the library says why, by the context's callback */
    expect_error(vkrMpiReduce(test.mpi, &info), VKR_ERROR_INVALID_ARGUMENT, "", "a bad stride");
    reduce.input.stride = 0;
    reduce.input.buffer = guilty ? VK_NULL_HANDLE : test.input.buffer;
    expect_error(vkrMpiReduce(test.mpi, &info), VKR_ERROR_INVALID_ARGUMENT, "input.buffer is",
                 "no buffer");
    reduce.input.buffer = test.input.buffer;
    reduce.count = guilty ? 17 : 16;
    expect_error(vkrMpiReduce(test.mpi, &info), VKR_ERROR_INVALID_ARGUMENT, "count is 17",
                 "a count past the view");
    reduce.count = 16;
    reduce.ops = guilty && test.count > 1 ? VKR_OP_MIN : VKR_OP_SUM;
    EXPECT(vkrMpiReduce(test.mpi, &info) ==
               (test.count > 1 ? VKR_ERROR_INVALID_ARGUMENT : VKR_SUCCESS),
           "ranks that differ");
    EXPECT(test.count == 1 || strstr(test.sentence, "different infos") != NULL, "it says: %s",
           test.sentence);
    VkrScanInfo scan = {.op = VKR_OP_SUM,
                        .input = reduce.input,
                        .output = reduce.input,
                        .count = 16,
                        .determinism = DEVICE};
    EXPECT(vkrMpiScan(test.mpi, &(VkrMpiScanInfo){&scan, NULL, 0}) ==
               (test.count > 1 ? VKR_ERROR_INVALID_ARGUMENT : VKR_SUCCESS),
           "parts that do not end at blocks");
    scan.count = guilty ? 1u << 30 : 16;
    scan.determinism = RUN;
    expect_error(vkrMpiScan(test.mpi, &(VkrMpiScanInfo){&scan, NULL, 0}),
                 VKR_ERROR_INVALID_ARGUMENT, "", "a count that is too large");
    expect_error(vkrMpiAgree(test.mpi, guilty ? VKR_ERROR_DEVICE_LOST : VKR_SUCCESS),
                 VKR_ERROR_DEVICE_LOST, "", "a rank without a device");
    reduce.ops = VKR_OP_SUM;
    place_share(&test.input, data, s, VKR_TYPE_F32, 1, 0); /* a scan in place may have succeeded */
    EXPECT(vkrMpiReduce(test.mpi, &info) == VKR_SUCCESS && result[0] == 6 * (float)test.count,
           "the reduction after these: %s", test.sentence);
}
