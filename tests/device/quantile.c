/* SPDX-License-Identifier: MIT */
/*
 * Compares vkrCmdQuantile with the oracle: quantiles and sums of counts to the bit, trimmed means
 * within their error bound, and all bytes around the outputs.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "oracle_histogram.h"
#include "oracle_quantile.h"
#include "reduce_case.h"

#define SHOWN 12u
#define ARENA_BYTES ((VkDeviceSize)16 << 20)
#define RANDOM_CASES 300u

static harness h;
static VkrContext context;
static VkrRecorder recorder;
static arena given, written;
static uint64_t random_state, cases, mismatches, shown;

/* The kinds of data in the counts and in the edges of a component. */
typedef enum counts_kind {
    COUNTS_SMALL,
    COUNTS_SPARSE,
    COUNTS_NONE,
    COUNTS_ONE_BIN,
    COUNTS_LARGE, /* u64 counts have a sum just below 2^64 */
    COUNTS_KINDS
} counts_kind;

typedef enum edges_kind {
    EDGES_EVEN,
    EDGES_RANDOM, /* of all magnitudes, some equal */
    EDGES_SUBNORMAL,
    EDGES_INFINITE, /* the first and the last edge are infinite */
    EDGES_KINDS
} edges_kind;

typedef struct quantile_row {
    uint32_t bins, components, shares;
    VkrType count_type, edge_type;
    counts_kind counts;
    edges_kind edges;
    bool trims, adds_up;
} quantile_row;

/* ---- Inputs ---- */

static void fill_counts(const quantile_row *row, char *at)
{
    const uint32_t size = vkrTypeSize(row->count_type);
    const uint64_t most = (size == 4 ? UINT32_MAX : UINT64_MAX) / (size == 4 ? 1 : row->bins);
    const uint32_t only = random_below(&random_state, row->bins);
    for (uint32_t k = 0; k < row->bins; k++, at += size) {
        uint64_t count = 0;
        switch (row->counts) {
        case COUNTS_SMALL:
            count = random_below(&random_state, 100);
            break;
        case COUNTS_SPARSE:
            count = random_below(&random_state, 8) == 0 ? next_random(&random_state) % most : 0;
            break;
        case COUNTS_ONE_BIN:
            count = k == only ? 1 + next_random(&random_state) % most : 0;
            break;
        case COUNTS_LARGE:
            count = most;
            break;
        default:
            break;
        }
        memcpy(at, &count, size); /* little-endian */
    }
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double random_edge(const quantile_row *row, uint32_t k)
{
    const bool is_f64 = row->edge_type == VKR_TYPE_F64;
    const double unit = (double)next_random(&random_state) * 0x1p-63 - 1;
    const int range = is_f64 ? 2040 : 250;
    const int exponent = (int)random_below(&random_state, (uint32_t)range) - range / 2;
    switch (row->edges) {
    case EDGES_EVEN:
        return -1.7 + 3.1 * k / row->bins;
    case EDGES_SUBNORMAL:
        return ldexp(unit, is_f64 ? -1060 : -135);
    default:
        return ldexp(random_below(&random_state, 8) == 0 ? 1 : unit, exponent);
    }
}

static void fill_edges(const quantile_row *row, char *at)
{
    const uint32_t size = vkrTypeSize(row->edge_type);
    double *edges = calloc((size_t)row->bins + 1, sizeof *edges);
    assert_non_null(edges);
    for (uint32_t k = 0; k <= row->bins; k++)
        edges[k] = random_edge(row, k);
    if (row->edges == EDGES_INFINITE && row->bins > 1) {
        edges[0] = -HUGE_VAL;
        edges[row->bins] = HUGE_VAL;
    }
    qsort(edges, (size_t)row->bins + 1, sizeof *edges, compare);
    for (uint32_t k = 0; k <= row->bins; k++)
        oracle_encode(row->edge_type, edges[k], at + (size_t)k * size);
    free(edges);
}

static void choose_shares(double *shares, uint32_t count)
{
    static const double known[] = {0, 1, 0.5, 0.01, 0.99, 0x1p-32, 0x1p-33, 1 - 0x1p-33, 0.25};
    for (uint32_t i = 0; i < count; i++)
        shares[i] =
            i < ARRAY_SIZE(known) ? known[i] : (double)(next_random(&random_state) >> 11) * 0x1p-53;
}

/* ---- Running a row ---- */

static VkrBufferRange place(arena *a, VkDeviceSize size, VkDeviceSize alignment)
{
    return (VkrBufferRange){a->buffer.buffer, arena_place(a, &random_state, alignment, size), size};
}

static void place_all(const quantile_row *row, VkrQuantileInfo *info)
{
    const uint32_t n = row->bins, components = row->components;
    const VkDeviceSize value = vkrTypeSize(row->edge_type);
    given.used = written.used = 0;
    info->counts = place(&given, (VkDeviceSize)n * components * vkrTypeSize(row->count_type), 4);
    info->edges = place(&given, ((VkDeviceSize)n + 1) * components * value, 4);
    if (row->shares != 0)
        info->quantiles = place(&written, row->shares * components * value, 4);
    if (row->trims)
        info->trimmedMean = place(&written, components * value, 4);
    if (row->adds_up)
        info->cumulative = place(&written, (VkDeviceSize)n * components * 8, 4);
}

static void fill_all(const quantile_row *row, const VkrQuantileInfo *info)
{
    arena_poison(&given, &random_state);
    arena_poison(&written, &random_state);
    for (uint32_t c = 0; c < row->components; c++) {
        fill_counts(row, (char *)given.shadow + info->counts.offset +
                             (size_t)c * row->bins * vkrTypeSize(row->count_type));
        fill_edges(row, (char *)given.shadow + info->edges.offset +
                            (size_t)c * (row->bins + 1) * vkrTypeSize(row->edge_type));
    }
}

/* The drivers share the pairs of types, since each pair needs its own pipelines. */
static bool has_types(const quantile_row *row)
{
    return harness_has_case((row->count_type == VKR_TYPE_U64 ? 2u : 0u) +
                            (row->edge_type == VKR_TYPE_F64 ? 1u : 0u));
}

static void run_info(const VkrQuantileInfo *info)
{
    const VkrEndInfo end = {.commandBuffer = h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    assert_true(harness_begin(&h));
    assert_true(harness_check(&h, vkrBegin(recorder), "vkrBegin"));
    assert_true(harness_check(&h, vkrCmdQuantile(recorder, info), "vkrCmdQuantile"));
    assert_true(harness_check(&h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&h));
    assert_true(harness_submit(&h));
    vkrReset(recorder);
}

/* ---- Expected outputs ---- */

/* Among subnormal numbers a bound of less than one bit, added to the one of the rounding, is lost:
 * there the difference may equal the sum. */
static void check(const quantile_row *row, const char *what, uint32_t at, double actual,
                  double expected, double error)
{
    cases++;
    if (isnan(expected) ? isnan(actual) : actual == expected || fabs(actual - expected) <= error)
        return;
    mismatches++;
    if (shown++ < SHOWN)
        printf("# %s %u is %.17g instead of %.17g (%u bins, %u components, counts %d of %s, edges "
               "%d of %s)\n",
               what, at, actual, expected, row->bins, row->components, (int)row->counts,
               vkrTypeName(row->count_type), (int)row->edges, vkrTypeName(row->edge_type));
}

/* Returns a value from the output, and expects the arena to contain it from now on. */
static double take(VkrType type, VkDeviceSize offset)
{
    const char *at = (const char *)written.buffer.data + offset;
    memcpy(written.shadow + offset, at, vkrTypeSize(type));
    return oracle_double(type, at);
}

static void check_sums(const quantile_row *row, const VkrQuantileInfo *info, uint32_t component,
                       const uint64_t *counts)
{
    uint64_t sum = 0, actual;
    for (uint32_t k = 0; k < row->bins; k++) {
        const VkDeviceSize at =
            info->cumulative.offset + 8 * ((VkDeviceSize)component * row->bins + k);
        sum += counts[k];
        memcpy(&actual, (const char *)written.buffer.data + at, 8);
        memcpy(written.shadow + at, &actual, 8);
        cases++;
        if (actual == sum)
            continue;
        mismatches++;
        if (shown++ < SHOWN)
            printf("# sum %u of component %u is %" PRIu64 " instead of %" PRIu64 " (%u bins)\n", k,
                   component, actual, sum, row->bins);
    }
}

static void check_component(const quantile_row *row, const VkrQuantileInfo *info, uint32_t c)
{
    const uint32_t count_size = vkrTypeSize(row->count_type);
    const uint32_t size = vkrTypeSize(row->edge_type), n = row->bins;
    uint64_t *counts = calloc(n, sizeof *counts);
    double *edges = calloc((size_t)n + 1, sizeof *edges);
    assert_non_null(counts);
    assert_non_null(edges);
    for (size_t k = 0; k < n; k++)
        memcpy(&counts[k], given.shadow + info->counts.offset + (c * (size_t)n + k) * count_size,
               count_size);
    for (size_t k = 0; k <= n; k++)
        edges[k] = oracle_double(row->edge_type, given.shadow + info->edges.offset +
                                                     (c * ((size_t)n + 1) + k) * size);
    const oracle_quantile_info reference = {n, counts, edges, row->edge_type == VKR_TYPE_F64};
    for (uint32_t s = 0; s < row->shares; s++)
        check(row, "quantile", s,
              take(row->edge_type, info->quantiles.offset + (c * row->shares + s) * size),
              oracle_quantile(&reference, info->shares[s]), 0);
    if (row->trims)
        check(row, "trimmed mean of component", c,
              take(row->edge_type, info->trimmedMean.offset + c * size),
              oracle_trimmed_mean(&reference, info->trim), oracle_trimmed_mean_error(&reference));
    if (row->adds_up)
        check_sums(row, info, c, counts);
    free(counts);
    free(edges);
}

static void run_quantile_row(const quantile_row *row)
{
    double shares[VKR_MAX_SHARES];
    VkrQuantileInfo info = {.label = "quantile",
                            .binCount = row->bins,
                            .components = row->components,
                            .countType = row->count_type,
                            .edgeType = row->edge_type,
                            .shareCount = row->shares,
                            .shares = shares};
    choose_shares(shares, row->shares);
    if (row->trims) {
        info.trim[0] = random_below(&random_state, 2) == 0 ? 0 : 0.1;
        info.trim[1] = random_below(&random_state, 2) == 0 ? 1 : 0.1 + 0x1p-12;
    }
    place_all(row, &info);
    fill_all(row, &info);
    if (!has_types(row))
        return; /* after drawing data, so that every driver has the same in later rows */
    arena_upload(&given);
    arena_upload(&written);
    run_info(&info);
    for (uint32_t c = 0; c < row->components; c++)
        check_component(row, &info, c);
    if (arena_overwritten(&given) != UINT64_MAX || arena_overwritten(&written) != UINT64_MAX) {
        mismatches++;
        printf("# Something around the outputs changed (%u bins).\n", row->bins);
    }
}

static void assert_right(void)
{
    assert_int_equal(mismatches, 0);
    assert_int_equal(h.validation_messages, 0);
}

static const uint32_t sizes[] = {1, 2, 3, 16, 255, 256, 257, 4096, 65535, 65536};

/* Every size with every kind of counts and edges. */
static void test_kinds(void **state)
{
    (void)state;
    for (size_t i = 0; i < ARRAY_SIZE(sizes); i++)
        for (int counts = 0; counts < COUNTS_KINDS; counts++)
            for (int edges = 0; edges < EDGES_KINDS; edges++) {
                const quantile_row row = {.bins = sizes[i],
                                          .components = 1,
                                          .shares = 12,
                                          .count_type = (counts + edges) % 2 == 0 ? VKR_TYPE_U32
                                                                                  : VKR_TYPE_U64,
                                          .edge_type = edges % 2 == 0 ? VKR_TYPE_F64 : VKR_TYPE_F32,
                                          .counts = (counts_kind)counts,
                                          .edges = (edges_kind)edges,
                                          .trims = edges != EDGES_INFINITE,
                                          .adds_up = true};
                run_quantile_row(&row);
            }
    assert_right();
}

static void test_random(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < RANDOM_CASES; i++) {
        const uint32_t outputs = 1 + random_below(&random_state, 7);
        quantile_row row = {
            .bins =
                1 + random_below(&random_state, random_below(&random_state, 2) == 0 ? 40 : 3000),
            .components = 1 + random_below(&random_state, 4),
            .shares = (outputs & 1) == 0 ? 0 : 1 + random_below(&random_state, VKR_MAX_SHARES),
            .count_type = random_below(&random_state, 2) == 0 ? VKR_TYPE_U32 : VKR_TYPE_U64,
            .edge_type = random_below(&random_state, 2) == 0 ? VKR_TYPE_F32 : VKR_TYPE_F64,
            .counts = (counts_kind)random_below(&random_state, COUNTS_KINDS),
            .edges = (edges_kind)random_below(&random_state, EDGES_KINDS),
            .trims = (outputs & 2) != 0,
            .adds_up = (outputs & 4) != 0};
        if (row.trims && row.edges == EDGES_INFINITE)
            row.edges = EDGES_RANDOM;
        run_quantile_row(&row);
    }
    assert_right();
}

static int open_all(void **state)
{
    const VkrRecorderInfo info = {.label = "quantile"};
    (void)state;
    random_state = environment("VKR_TEST_SEED", 1) * 1000003u;
    return harness_context(&h, NULL, &context) &&
                   harness_check(&h, vkrCreateRecorder(context, &info, &recorder),
                                 "vkrCreateRecorder") &&
                   open_arena(&h, "what is given", ARENA_BYTES, &given) &&
                   open_arena(&h, "what is written", ARENA_BYTES, &written)
               ? 0
               : -1;
}

static int close_all(void **state)
{
    (void)state;
    printf("# oracle cases: %" PRIu64 "\n# mismatches: %" PRIu64 "\n", cases, mismatches);
    close_arena(&h, &given);
    close_arena(&h, &written);
    vkrDestroyRecorder(recorder);
    vkrDestroyContext(context);
    return 0;
}

HARNESS_MAIN(h, "quantile", open_all, close_all, cmocka_unit_test(test_kinds),
             cmocka_unit_test(test_random))
