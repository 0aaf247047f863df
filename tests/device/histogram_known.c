/* SPDX-License-Identifier: MIT */
/* Histograms of data made for specific cases. */
#include <stdio.h>
#include <string.h>

#include "histogram_case.h"

static const tuning_row built_in;

static void run_one(const char *name, limits_row limits, histogram_case *cases, uint32_t count)
{
    snprintf(test.text, sizeof test.text, "%s", name);
    run_cases(limits, &built_in, cases, count);
}

static void poison(void)
{
    for (uint32_t i = 0; i < ARENAS; i++)
        arena_poison(&test.arenas[i], &test.random);
}

/* ---- Every edge, and the neighbouring numbers ---- */

typedef struct layout_row {
    const char *name;
    VkrType type;
    VkrBinKind kind;
    uint32_t bins;
    VkrBound low, high;
} layout_row;

/* clang-format off */
static const layout_row layouts[] = {
    {"tenths", VKR_TYPE_F32, VKR_BINS_EVEN, 10, {.value = 0}, {.value = 1}},
    {"f32 of 0.1 to 0.7", VKR_TYPE_F32, VKR_BINS_EVEN, 257, {.value = 0.1}, {.value = 0.7}},
    {"narrow f32", VKR_TYPE_F32, VKR_BINS_EVEN, 4096, {.value = 1}, {.value = 1.0001}},
    {"subnormal f32", VKR_TYPE_F32, VKR_BINS_EVEN, 255, {.value = -0x1p-145}, {.value = 0x1p-140}},
    {"all of f32", VKR_TYPE_F32, VKR_BINS_EVEN, 256, {.value = -0x1.fffffep127},
     {.value = 0x1.fffffep127}},
    {"many of f32", VKR_TYPE_F32, VKR_BINS_EVEN, 65536, {.value = -100}, {.value = 1000.7}},
    {"log2 of f32", VKR_TYPE_F32, VKR_BINS_LOG2, 256, {.value = 0x1p-10}, {.value = 0x1p6}},
    {"thirds of log2", VKR_TYPE_F32, VKR_BINS_LOG2, 333, {.value = 0.003}, {.value = 77}},
    {"log2 of subnormal f32", VKR_TYPE_F32, VKR_BINS_LOG2, 100, {.value = 0x1p-148}, {.value = 1}},
    {"f16", VKR_TYPE_F16, VKR_BINS_EVEN, 256, {.value = -1}, {.value = 1}},
    {"log2 of f16", VKR_TYPE_F16, VKR_BINS_LOG2, 64, {.value = 0x1p-24}, {.value = 65504}},
    {"bf16", VKR_TYPE_BF16, VKR_BINS_EVEN, 256, {.value = -1}, {.value = 1}},
    {"all of bf16", VKR_TYPE_BF16, VKR_BINS_EVEN, 255, {.value = -0x1.fep127},
     {.value = 0x1.fep127}},
    {"log2 of bf16", VKR_TYPE_BF16, VKR_BINS_LOG2, 300, {.value = 0x1p-133}, {.value = 0x1.fep127}},
    {"f64", VKR_TYPE_F64, VKR_BINS_EVEN, 257, {.value = -0.1}, {.value = 0.3}},
    {"all of f64", VKR_TYPE_F64, VKR_BINS_EVEN, 255, {.value = -0x1.fffffffffffffp1023},
     {.value = 0x1.fffffffffffffp1023}},
    {"log2 of f64", VKR_TYPE_F64, VKR_BINS_LOG2, 1000, {.value = 0x1p-1074}, {.value = 1e300}},
    {"u8", VKR_TYPE_U8, VKR_BINS_EVEN, 256, {.integer = 0}, {.integer = 256}},
    {"u8 of 10 to 201", VKR_TYPE_U8, VKR_BINS_EVEN, 7, {.integer = 10}, {.integer = 201}},
    {"i8 by integers", VKR_TYPE_I8, VKR_BINS_INTEGERS, 100, {.integer = -50}, {.integer = 0}},
    {"i16", VKR_TYPE_I16, VKR_BINS_EVEN, 1000, {.integer = -32768}, {.integer = 32768}},
    {"u16 by integers", VKR_TYPE_U16, VKR_BINS_INTEGERS, 65536, {.integer = 0}, {.integer = 0}},
    {"i32", VKR_TYPE_I32, VKR_BINS_EVEN, 4096, {.integer = INT32_MIN}, {.integer = INT32_MAX}},
    {"few of i32", VKR_TYPE_I32, VKR_BINS_EVEN, 300, {.integer = -7}, {.integer = 30}},
    {"u32", VKR_TYPE_U32, VKR_BINS_EVEN, 257, {.integer = 0}, {.value = 0x1p32}},
    {"log2 of u32", VKR_TYPE_U32, VKR_BINS_LOG2, 320, {.integer = 1}, {.value = 0x1p32}},
    {"i64", VKR_TYPE_I64, VKR_BINS_EVEN, 255, {.value = -0x1p63}, {.value = 0x1p63}},
    {"u64", VKR_TYPE_U64, VKR_BINS_EVEN, 65535, {.integer = 1}, {.value = 0x1p64}},
    {"last of u64", VKR_TYPE_U64, VKR_BINS_EVEN, 10, {0x1p64, -35}, {0x1p64, -1}},
    {"log2 of u64", VKR_TYPE_U64, VKR_BINS_LOG2, 255, {.integer = 3}, {.value = 0x1p64}},
    {"i64 by integers", VKR_TYPE_I64, VKR_BINS_INTEGERS, 257, {-0x1p62, 5}, {.integer = 0}},
    {"log2 of odd u64", VKR_TYPE_U64, VKR_BINS_LOG2, 3, {0x1p64, -1487964641856287657},
     {0x1p64, -1}},
};
/* clang-format on */

static void fill_neighbours(const layout_row *row, const histogram_case *c)
{
    const oracle_bins_info info = {.kind = row->kind,
                                   .count = row->bins,
                                   .type = row->type,
                                   .low = row->low,
                                   .high = row->high};
    char *at = read_at(c->info.input.offset);
    oracle_bins *bins = oracle_bins_make(&info);
    assert_non_null(bins);
    for (uint32_t k = 0; k <= row->bins; k++)
        for (int step = -1; step <= 1; step++, at += vkrTypeSize(row->type))
            oracle_bins_near(bins, k, step, at);
    oracle_bins_free(bins);
}

/* Half-open bins with the default algorithm, and closed ones with another algorithm. */
static void run_layout(uint32_t number)
{
    const layout_row *row = &layouts[number];
    const VkrHistogramAlgorithm others[] = {VKR_HISTOGRAM_GLOBAL, VKR_HISTOGRAM_SHARED,
                                            VKR_HISTOGRAM_LOCAL_ATOMICS};
    histogram_case cases[2] = {0};
    start_cases();
    for (uint32_t k = 0; k < ARRAY_SIZE(cases); k++) {
        histogram_case *c = &cases[k];
        place_input(c, row->type, 1, 3 * ((uint64_t)row->bins + 1));
        c->info.bins =
            (VkrBins){.kind = row->kind, .count = row->bins, .low = row->low, .high = row->high};
        c->info.algorithm = k == 0 ? VKR_HISTOGRAM_AUTO : others[row->bins > 4096 ? 0 : number % 3];
        c->info.flags = k == 0 ? 0 : VKR_HISTOGRAM_CLOSED_BIT;
        place_outputs(c, WITH_OUTSIDE | WITH_EDGES);
    }
    poison();
    for (uint32_t k = 0; k < ARRAY_SIZE(cases); k++)
        fill_neighbours(row, &cases[k]);
    run_one(row->name, LIMITS_DEVICE, cases, ARRAY_SIZE(cases));
}

void test_neighbours(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < ARRAY_SIZE(layouts); i++)
        if (harness_has_case(i) && test.device.types[layouts[i].type])
            run_layout(i);
    assert_right();
}

/* ---- Equal bounds ---- */

static void place_equal(VkrType type, histogram_case *c)
{
    histogram_case bound = {0};
    place_input(&bound, type, 1, 1);
    const VkDeviceSize at = bound.info.input.offset;
    place_input(c, type, 1, 100);
    c->info.bins = (VkrBins){.kind = VKR_BINS_EVEN, .count = 1 + type % 4};
    c->info.bins.gpuRange = (VkrGpuRange){bound.info.input.buffer, at, at};
    place_outputs(c, WITH_OUTSIDE | WITH_EDGES);
}

/* Elements up to two steps from each edge. */
static void fill_equal(const histogram_case *c)
{
    const VkrType type = c->info.input.type;
    const uint32_t size = vkrTypeSize(type), edges = c->info.bins.count + 1;
    unsigned char *bound = read_at(c->info.bins.gpuRange.low), *at = read_at(c->info.input.offset);
    fill_data(&test.random, DATA_RANDOM, type, 1, bound, size, 1);
    oracle_bins *bins = make_bins(c, 0);
    for (uint32_t i = 0; i < c->count; i++)
        oracle_bins_near(bins, i % edges, (int)(i / edges % 5) - 2, at + (size_t)i * size);
    oracle_bins_free(bins);
}

/* Equal bounds on the GPU, with data on both sides of them. Types that have no turn have such
 * bounds in random rows. */
void test_equal_bounds(void **state)
{
    histogram_case cases[VKR_TYPE_COUNT] = {0};
    uint32_t count = 0;
    (void)state;
    start_cases();
    for (uint32_t type = 1; type < VKR_TYPE_COUNT; type++)
        if (harness_has_case(type) && test.device.types[type])
            place_equal((VkrType)type, &cases[count++]);
    poison();
    for (uint32_t k = 0; k < count; k++)
        fill_equal(&cases[k]);
    run_one("equal bounds", LIMITS_DEVICE, cases, count);
    assert_right();
}

/* ---- Pieces ---- */

#define PIECES 5u
#define PIECE_ELEMENTS 20011u

static VkrHistogramInfo thousand_bins(VkrView input)
{
    return (VkrHistogramInfo){
        .input = input,
        .count = VKR_COUNT_ALL,
        .bins = {.kind = VKR_BINS_EVEN,
                 .count = 1000,
                 .low = {.value = -20},
                 .high = {.value = 33}},
    };
}

/* Pieces of a view, added up in one recording, give the same bytes as the whole view. */
void test_pieces(void **state)
{
    static const limits_row limits[] = {LIMITS_DEVICE, LIMITS_SHARED_SMALL};
    const arena *written = &test.arenas[ARENA_WRITTEN];
    VkrHistogramInfo infos[PIECES + 1];
    (void)state;
    for (uint32_t i = 0; i < ARRAY_SIZE(limits); i++) {
        histogram_case whole = {0}, pieces = {0};
        start_cases();
        place_input(&whole, VKR_TYPE_F32, 1, PIECE_ELEMENTS);
        whole.info = thousand_bins(whole.info.input);
        pieces.info = whole.info;
        place_outputs(&whole, WITH_OUTSIDE);
        place_outputs(&pieces, WITH_OUTSIDE);
        poison();
        fill_data(&test.random, DATA_BITS, VKR_TYPE_F32, 1, read_at(whole.info.input.offset), 4,
                  PIECE_ELEMENTS);
        infos[0] = whole.info;
        for (uint32_t k = 0; k < PIECES; k++) {
            const uint32_t first = PIECE_ELEMENTS * k / PIECES;
            infos[k + 1] = pieces.info;
            infos[k + 1].input.offset += 4 * first;
            infos[k + 1].input.size = 4 * (PIECE_ELEMENTS * (k + 1) / PIECES - first);
            infos[k + 1].flags = k != 0 ? VKR_HISTOGRAM_ACCUMULATE_BIT : 0;
        }
        record_infos(limits[i], infos, PIECES + 1);
        const char *data = written->buffer.data;
        assert_memory_equal(data + whole.info.counts.offset, data + pieces.info.counts.offset,
                            4000);
        assert_memory_equal(data + whole.info.outside.offset, data + pieces.info.outside.offset,
                            12);
        uint64_t sum = 0;
        for (uint32_t k = 0; k < 1003; k++) {
            const VkrBufferRange *range = k < 1000 ? &pieces.info.counts : &pieces.info.outside;
            uint32_t count;
            memcpy(&count, data + range->offset + 4 * (k < 1000 ? k : k - 1000), 4);
            sum += count;
        }
        assert_int_equal(sum, PIECE_ELEMENTS);
    }
    assert_right();
}

/* ---- Counts larger than 32 bits ---- */

/* Counts close to 2^32 and to 2^64 carry correctly, both when elements and when weights are
 * added. */
void test_large_counts(void **state)
{
    static const VkrType weights[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_I32, VKR_TYPE_F32};
    histogram_case cases[HISTOGRAM_CASES] = {0};
    (void)state;
    start_cases();
    for (uint32_t k = 0; k < HISTOGRAM_CASES; k++) {
        histogram_case *c = &cases[k], of_weights = {0};
        const uint32_t components = 1 + k % 2;
        place_input(c, VKR_TYPE_U32, components, 30011);
        c->info.bins = (VkrBins){.kind = VKR_BINS_INTEGERS, .count = 3};
        c->info.countType = k % 4 < 2 ? VKR_TYPE_U64 : VKR_TYPE_U32;
        c->info.flags = VKR_HISTOGRAM_ACCUMULATE_BIT;
        c->info.algorithm = k % 3 == 2 ? VKR_HISTOGRAM_GLOBAL : VKR_HISTOGRAM_AUTO;
        if (weights[k / 2] != VKR_TYPE_UNDEFINED) {
            place_input(&of_weights, weights[k / 2], 1, 30011);
            c->info.weights = of_weights.info.input;
        }
        place_outputs(c, WITH_OUTSIDE);
    }
    poison();
    for (uint32_t k = 0; k < HISTOGRAM_CASES; k++) {
        const VkrHistogramInfo *info = &cases[k].info;
        uint32_t *element = read_at(info->input.offset);
        unsigned char *counts = test.arenas[ARENA_WRITTEN].shadow + info->counts.offset;
        for (uint32_t i = 0; i < 30011 * info->input.components; i++)
            element[i] = i % 50 == 0 ? i % 4 : 1;
        if (info->weights.buffer != VK_NULL_HANDLE)
            fill_data(&test.random, DATA_EXTREMES, info->weights.type, 1,
                      read_at(info->weights.offset), 4, 30011);
        const uint64_t near = info->countType == VKR_TYPE_U64 ? UINT32_MAX : 0;
        for (uint32_t i = 0; near != 0 && i < 3 * info->input.components; i++) {
            const uint64_t start = i % 3 == 2 ? UINT64_MAX : near - i;
            memcpy(counts + 8 * (size_t)i, &start, 8);
        }
        for (uint32_t i = 0; near == 0 && i < info->counts.size; i++)
            counts[i] = 0xff;
    }
    run_one("large counts", LIMITS_DEVICE, cases, HISTOGRAM_CASES);
    assert_right();
}

/* ---- Many workgroups ---- */

/* More workgroups than dimension 0 allows, and many windows. */
void test_groups(void **state)
{
    histogram_case cases[3] = {0};
    static const VkrType types[] = {VKR_TYPE_U8, VKR_TYPE_F32, VKR_TYPE_U32};
    (void)state;
    start_cases();
    for (uint32_t k = 0; k < ARRAY_SIZE(types); k++) {
        const VkrType type = test.device.types[types[k]] ? types[k] : VKR_TYPE_U32;
        place_input(&cases[k], type, 1, 1000003);
        cases[k].info.bins = (VkrBins){.kind = VKR_BINS_EVEN, .count = 100, .high = {.value = 200}};
        cases[k].info.workgroupSize = k == 1 ? 8 : 0;
        place_outputs(&cases[k], WITH_OUTSIDE);
    }
    poison();
    for (uint32_t k = 0; k < ARRAY_SIZE(types); k++) {
        const VkrView *view = &cases[k].info.input;
        fill_data(&test.random, DATA_RANDOM, view->type, 1, read_at(view->offset),
                  vkrTypeSize(view->type), 1000003);
    }
    run_one("groups", LIMITS_SMALL, cases, ARRAY_SIZE(types));
    assert_right();
}

/* ---- Invalid edges ---- */

/* Unsorted edges, some of which are NaN: nothing outside the outputs changes. Their contents are
 * not compared. */
void test_unsorted(void **state)
{
    static const VkrHistogramAlgorithm algorithms[] = {VKR_HISTOGRAM_AUTO, VKR_HISTOGRAM_GLOBAL};
    histogram_case cases[ARRAY_SIZE(algorithms)] = {0};
    VkrHistogramInfo infos[ARRAY_SIZE(algorithms)];
    arena *written = &test.arenas[ARENA_WRITTEN];
    const uint32_t n = 100;
    (void)state;
    start_cases();
    for (uint32_t k = 0; k < ARRAY_SIZE(algorithms); k++) {
        histogram_case edges = {0};
        place_input(&edges, VKR_TYPE_F32, 1, n + 1);
        place_input(&cases[k], VKR_TYPE_F32, 1, 5003);
        cases[k].info.bins = (VkrBins){.kind = VKR_BINS_EDGES, .count = n};
        cases[k].info.bins.edges = (VkrBufferRange){edges.info.input.buffer,
                                                    edges.info.input.offset, edges.info.input.size};
        cases[k].info.algorithm = algorithms[k];
        place_outputs(&cases[k], WITH_OUTSIDE | WITH_EDGES);
    }
    poison();
    for (uint32_t k = 0; k < ARRAY_SIZE(algorithms); k++)
        infos[k] = cases[k].info;
    record_infos(LIMITS_DEVICE, infos, ARRAY_SIZE(algorithms));
    for (uint32_t k = 0; k < ARRAY_SIZE(algorithms); k++) {
        const VkrBufferRange *ranges[] = {&cases[k].info.counts, &cases[k].info.outside,
                                          &cases[k].info.edges};
        for (uint32_t i = 0; i < ARRAY_SIZE(ranges); i++)
            memcpy(written->shadow + ranges[i]->offset,
                   (const char *)written->buffer.data + ranges[i]->offset, ranges[i]->size);
    }
    for (uint32_t i = 0; i < ARENAS; i++)
        assert_true(arena_overwritten(&test.arenas[i]) == UINT64_MAX);
    assert_right();
}

/* ---- Unsupported requests ---- */

/* Algorithms that need shared memory refuse too many bins with a message; the others support any
 * number. */
void test_refused(void **state)
{
    static const VkrHistogramAlgorithm algorithms[] = {VKR_HISTOGRAM_LOCAL_ATOMICS,
                                                       VKR_HISTOGRAM_SHARED};
    const VkrRecorder recorder = get_recorder(&test.contexts, LIMITS_DEVICE, &built_in);
    histogram_case c = {0};
    (void)state;
    start_cases();
    place_input(&c, VKR_TYPE_F32, 2, 1000);
    c.info.bins = (VkrBins){.kind = VKR_BINS_EVEN, .count = VKR_MAX_BINS, .high = {.value = 1}};
    place_outputs(&c, 0);
    for (uint32_t k = 0; k < ARRAY_SIZE(algorithms); k++) {
        c.info.algorithm = algorithms[k];
        assert_true(harness_check(&test.h, vkrBegin(recorder), "vkrBegin"));
        assert_int_equal(vkrCmdHistogram(recorder, &c.info), VKR_ERROR_UNSUPPORTED);
        assert_non_null(strstr(test.h.sentence, "algorithm is"));
        vkrReset(recorder);
    }
}
