/* SPDX-License-Identifier: MIT */
/* Histograms of data made for specific cases. */
#include <string.h>

#include "histogram_request.h"

static void place_input(test_request *t, VkrType type, uint32_t components, uint64_t count)
{
    histogram_request *h = t->own;
    const uint32_t size = vkrTypeSize(type);
    h->capacity = h->count = count < t->most ? count : t->most;
    h->info.count = VKR_COUNT_ALL;
    h->info.input =
        test_own_input(t, type, components, (VkDeviceSize)size * components, size, h->capacity);
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

/* Half-open bins with the default algorithm, and closed ones with another algorithm. */
bool histogram_make_neighbours(test_request *t, uint32_t number)
{
    static const VkrHistogramAlgorithm others[] = {VKR_HISTOGRAM_GLOBAL, VKR_HISTOGRAM_SHARED,
                                                   VKR_HISTOGRAM_LOCAL_ATOMICS};
    const layout_row *row = &layouts[number];
    histogram_request *h = t->own;
    if (!rig.device.types[row->type])
        return false;
    h->data = DATA_AT_EDGES;
    h->info.bins =
        (VkrBins){.kind = row->kind, .count = row->bins, .low = row->low, .high = row->high};
    h->info.algorithm =
        t->layout == 0 ? VKR_HISTOGRAM_AUTO : others[row->bins > 4096 ? 0 : number % 3];
    h->info.flags = t->layout == 0 ? 0 : VKR_HISTOGRAM_CLOSED_BIT;
    place_input(t, row->type, 1, 3 * ((uint64_t)row->bins + 1));
    histogram_place_outputs(t, WITH_OUTSIDE | WITH_EDGES);
    return true;
}

/* Equal bounds on the GPU, with data on both sides of them. Types that have no turn have such
 * bounds in random rows. */
bool histogram_make_equal(test_request *t, uint32_t number)
{
    histogram_request *h = t->own;
    const VkrType type = (VkrType)(number + 1);
    const uint32_t size = vkrTypeSize(type);
    if (!rig.device.types[type])
        return false;
    const VkrBufferRange at = test_room(t, size, size);
    h->data = DATA_AT_EQUAL;
    h->info.bins = (VkrBins){.kind = VKR_BINS_EVEN,
                             .count = 1 + type % 4,
                             .gpuRange = {at.buffer, at.offset, at.offset}};
    place_input(t, type, 1, 100);
    histogram_place_outputs(t, WITH_OUTSIDE | WITH_EDGES);
    return true;
}

/* ---- Sums of counts ---- */

/* Pieces of a view add up to the histogram of all of it. */
bool histogram_make_pieces(test_request *t, uint32_t number)
{
    histogram_request *h = t->own;
    t->limits = number == 0 ? LIMITS_DEVICE : LIMITS_SHARED_SMALL;
    if (!has_limits(&rig.device, t->limits))
        return false;
    h->pieces = 5;
    h->info.bins = (VkrBins){
        .kind = VKR_BINS_EVEN, .count = 1000, .low = {.value = -20}, .high = {.value = 33}};
    place_input(t, VKR_TYPE_F32, 1, 20011);
    histogram_place_outputs(t, WITH_OUTSIDE);
    return true;
}

/* Counts close to 2^32 and to 2^64 carry correctly, both when elements and when weights are
 * added. */
bool histogram_make_large(test_request *t, uint32_t number)
{
    static const VkrType weights[] = {VKR_TYPE_UNDEFINED, VKR_TYPE_U32, VKR_TYPE_I32, VKR_TYPE_F32};
    histogram_request *h = t->own;
    h->data = DATA_FULL_COUNTS;
    h->info.bins = (VkrBins){.kind = VKR_BINS_INTEGERS, .count = 3};
    h->info.countType = number % 4 < 2 ? VKR_TYPE_U64 : VKR_TYPE_U32;
    h->info.flags = VKR_HISTOGRAM_ACCUMULATE_BIT;
    h->info.algorithm = number % 3 == 2 ? VKR_HISTOGRAM_GLOBAL : VKR_HISTOGRAM_AUTO;
    place_input(t, VKR_TYPE_U32, 1 + number % 2, 30011);
    if (weights[number / 2] != VKR_TYPE_UNDEFINED)
        h->info.weights = test_own_input(t, weights[number / 2], 1, 4, 4, h->capacity);
    histogram_place_outputs(t, WITH_OUTSIDE);
    return true;
}

/* ---- Many workgroups ---- */

/* More workgroups than dimension 0 allows, and many windows. */
bool histogram_make_groups(test_request *t, uint32_t number)
{
    static const VkrType types[] = {VKR_TYPE_U8, VKR_TYPE_F32, VKR_TYPE_U32};
    histogram_request *h = t->own;
    t->limits = LIMITS_SMALL;
    h->info.bins = (VkrBins){.kind = VKR_BINS_EVEN, .count = 100, .high = {.value = 200}};
    h->info.workgroupSize = number == 1 ? 8 : 0;
    place_input(t, rig.device.types[types[number]] ? types[number] : VKR_TYPE_U32, 1, 1000003);
    histogram_place_outputs(t, WITH_OUTSIDE);
    return true;
}

/* ---- Invalid edges ---- */

/* Unsorted edges, some of which are NaN: nothing outside the outputs changes. */
bool histogram_make_unsorted(test_request *t, uint32_t number)
{
    histogram_request *h = t->own;
    const uint32_t n = 100;
    h->data = DATA_UNSORTED_EDGES;
    h->info.bins = (VkrBins){
        .kind = VKR_BINS_EDGES, .count = n, .edges = test_room(t, 4, 4 * ((VkDeviceSize)n + 1))};
    h->info.algorithm = number == 0 ? VKR_HISTOGRAM_AUTO : VKR_HISTOGRAM_GLOBAL;
    place_input(t, VKR_TYPE_F32, 1, 5003);
    histogram_place_outputs(t, WITH_OUTSIDE | WITH_EDGES);
    return true;
}

/* ---- Unsupported requests ---- */

/* Algorithms that need shared memory refuse too many bins with a message; the others support any
 * number. */
void histogram_test_refused(void **state)
{
    static const tuning_row built_in;
    static const VkrHistogramAlgorithm algorithms[] = {VKR_HISTOGRAM_LOCAL_ATOMICS,
                                                       VKR_HISTOGRAM_SHARED};
    const VkrRecorder recorder = get_recorder(&rig.contexts, LIMITS_DEVICE, &built_in);
    (void)state;
    for (uint32_t k = 0; k < ARRAY_SIZE(algorithms); k++) {
        const VkrHistogramInfo info = {
            .input = {.buffer = rig.given.buffer.buffer,
                      .size = 8000,
                      .type = VKR_TYPE_F32,
                      .components = 2},
            .count = VKR_COUNT_ALL,
            .bins = {.kind = VKR_BINS_EVEN, .count = VKR_MAX_BINS, .high = {.value = 1}},
            .counts = {rig.written.buffer.buffer, 0, 8 * (VkDeviceSize)VKR_MAX_BINS},
            .algorithm = algorithms[k]};
        assert_true(harness_check(&rig.h, vkrBegin(recorder), "vkrBegin"));
        assert_int_equal(vkrCmdHistogram(recorder, &info), VKR_ERROR_UNSUPPORTED);
        assert_non_null(strstr(rig.h.sentence, "algorithm is"));
        vkrReset(recorder);
    }
}
