/* SPDX-License-Identifier: MIT */
/* Records histograms, and compares their outputs with the oracle. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "histogram_case.h"

#define SHOWN 12u

/* ---- Cases ---- */

static VkrType type_of(const VkrView *view)
{
    return view->image != NULL
               ? vkrFormatType(view->image->format,
                               (VkImageAspectFlagBits)view->image->range.aspectMask, NULL)
               : view->type;
}

VkrType seen_type(const histogram_case *c)
{
    return c->info.input.map != NULL ? VKR_TYPE_F32 : type_of(&c->info.input);
}

uint32_t seen_components(const histogram_case *c)
{
    return c->info.input.map != NULL ? 1 : c->info.input.components;
}

static bool is_wide(VkrType type)
{
    return vkrTypeSize(type) == 8;
}

uint32_t edge_size(VkrType seen)
{
    return is_float(seen) && !is_wide(seen) ? 4 : vkrTypeSize(seen);
}

static uint32_t count_size(const histogram_case *c)
{
    return c->info.countType == VKR_TYPE_U64 ? 8 : 4;
}

void *read_at(VkDeviceSize offset)
{
    return test.arenas[ARENA_READ].shadow + offset;
}

void start_cases(void)
{
    for (uint32_t i = 0; i < ARENAS; i++)
        test.arenas[i].used = 0;
    test.fetched_used = 0;
}

void place_input(histogram_case *c, VkrType type, uint32_t components, uint64_t count)
{
    arena *a = &test.arenas[ARENA_READ];
    const uint32_t size = vkrTypeSize(type);
    c->capacity = c->count = count;
    c->info.count = VKR_COUNT_ALL;
    c->info.input =
        (VkrView){.buffer = a->buffer.buffer,
                  .offset = arena_place(a, &test.random, size, count * components * size),
                  .size = count * components * size,
                  .type = type,
                  .components = components};
}

void place_outputs(histogram_case *c, uint32_t outputs)
{
    arena *a = &test.arenas[ARENA_WRITTEN];
    const uint32_t components = seen_components(c), n = c->info.bins.count;
    const VkBuffer buffer = a->buffer.buffer;
    const VkDeviceSize sizes[] = {
        (VkDeviceSize)n * components * count_size(c), (VkDeviceSize)3 * components * count_size(c),
        ((VkDeviceSize)n + 1) * components * (is_wide(seen_type(c)) ? 8 : 4)};
    VkrBufferRange *ranges[] = {&c->info.counts, &c->info.outside, &c->info.edges};
    for (uint32_t i = 0; i < ARRAY_SIZE(ranges); i++)
        if (i == 0 || (outputs >> (i - 1) & 1) != 0)
            *ranges[i] =
                (VkrBufferRange){buffer, arena_place(a, &test.random, 4, sizes[i]), sizes[i]};
}

/* ---- Recording ---- */

static void add_range(VkrContext context, VkrRecorder recorder, histogram_case *c)
{
    VkrReduceLayout layout;
    const VkrReduceInfo info = {.label = "range",
                                .ops = VKR_OP_MIN | VKR_OP_MAX,
                                .input = c->info.input,
                                .count = c->info.count,
                                .gpuCount = c->info.gpuCount,
                                .mask = c->info.mask,
                                .output = {test.arenas[ARENA_RANGE].buffer.buffer, c->range, 256}};
    assert_true(harness_check(&test.h, vkrGetReduceLayout(context, &info, &layout), test.text));
    assert_true(layout.size <= 256);
    assert_true(harness_check(&test.h, vkrCmdReduce(recorder, &info), test.text));
    c->info.bins.gpuRange = (VkrGpuRange){
        info.output.buffer, c->range + vkrGetReduceResult(&layout, VKR_OP_MIN)->offset,
        c->range + vkrGetReduceResult(&layout, VKR_OP_MAX)->offset};
}

static void upload_image(const case_image *i, uint64_t texels, uint32_t components)
{
    const VkDeviceSize size = texels * components * 4;
    if (i->image.image == VK_NULL_HANDLE)
        return;
    image_upload(&test.h, &i->image, test.arenas[ARENA_READ].buffer.buffer, i->texels);
    image_fetch(&test.h, &test.fetch, &i->part, components, test.fetched.buffer, i->values, size);
}

static void start_recording(limits_row limits, VkrRecorder recorder)
{
    assert_non_null(recorder);
    fetcher_reset(&test.fetch);
    watch_limits(&limits_rows[limits]);
    assert_true(harness_begin(&test.h));
    assert_true(harness_check(&test.h, vkrBegin(recorder), "vkrBegin"));
}

static void end_recording(VkrRecorder recorder)
{
    const VkrEndInfo end = {.commandBuffer = test.h.cmd,
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    assert_true(harness_check(&test.h, vkrEnd(recorder, &end), "vkrEnd"));
    assert_true(harness_end(&test.h));
    assert_true(harness_submit(&test.h));
    vkrReset(recorder);
}

static void upload_arenas(void)
{
    for (uint32_t i = 0; i < ARENAS; i++)
        arena_upload(&test.arenas[i]);
}

static void record(limits_row limits, const tuning_row *tuning, histogram_case *cases,
                   uint32_t count)
{
    const VkrContext context = get_context(&test.contexts, limits, tuning);
    const VkrRecorder recorder = get_recorder(&test.contexts, limits, tuning);
    start_recording(limits, recorder);
    for (uint32_t k = 0; k < count; k++) {
        upload_image(&cases[k].input, cases[k].capacity, cases[k].info.input.components);
        upload_image(&cases[k].weights, cases[k].capacity, 1);
        upload_image(&cases[k].mask, cases[k].capacity, 1);
    }
    for (uint32_t k = 0; k < count; k++) {
        if (cases[k].reduces)
            add_range(context, recorder, &cases[k]);
        assert_true(harness_check(&test.h, vkrCmdHistogram(recorder, &cases[k].info), test.text));
    }
    end_recording(recorder);
}

void record_infos(limits_row limits, const VkrHistogramInfo *infos, uint32_t count)
{
    static const tuning_row built_in;
    const VkrRecorder recorder = get_recorder(&test.contexts, limits, &built_in);
    upload_arenas();
    start_recording(limits, recorder);
    for (uint32_t k = 0; k < count; k++)
        assert_true(harness_check(&test.h, vkrCmdHistogram(recorder, &infos[k]), "infos"));
    end_recording(recorder);
}

/* ---- Expected results ---- */

static bool is_kept(const histogram_case *c, uint64_t i)
{
    const VkrFlagView *flags = &c->info.mask.flags;
    const unsigned char *bytes = read_at(flags->range.offset);
    uint32_t word = 0;
    if (c->info.mask.image != NULL) {
        memcpy(&word, (const char *)test.fetched.data + c->mask.values + 4 * i, 4);
        return word != 0;
    }
    if (flags->range.buffer == VK_NULL_HANDLE)
        return true;
    if (flags->format == VKR_FLAGS_U8)
        return bytes[i] != 0;
    memcpy(&word, bytes + (flags->format == VKR_FLAGS_U32 ? 4 * i : i / 32 * 4), 4);
    return flags->format == VKR_FLAGS_U32 ? word != 0 : (word >> i % 32 & 1) != 0;
}

static const void *element_of(const VkrView *view, const case_image *image, uint64_t i)
{
    const VkDeviceSize packed = (VkDeviceSize)vkrTypeSize(type_of(view)) * view->components;
    if (view->image != NULL)
        return (const char *)test.fetched.data + image->values + i * packed;
    return read_at(view->offset + i * (view->stride != 0 ? view->stride : packed));
}

/* The amount that element i adds to its bin. */
static uint64_t amount_of(const histogram_case *c, uint64_t i)
{
    const VkrView *view = &c->info.weights;
    if (view->buffer == VK_NULL_HANDLE && view->image == NULL)
        return 1;
    const void *weight = element_of(view, &c->weights, i);
    if (view->map == NULL)
        return oracle_weight(type_of(view), c->info.weightFraction, weight);
    const uint32_t mapped = oracle_map(view->map, type_of(view), view->components, weight);
    return oracle_weight(VKR_TYPE_F32, c->info.weightFraction, &mapped);
}

static uint32_t bin_of(const histogram_case *c, const oracle_bins *bins, uint64_t i, uint32_t k)
{
    const VkrView *view = &c->info.input;
    const char *element = element_of(view, &c->input, i);
    if (view->map == NULL)
        return oracle_bins_find(bins, element + k * vkrTypeSize(type_of(view)));
    const uint32_t mapped = oracle_map(view->map, type_of(view), view->components, element);
    return oracle_bins_find(bins, &mapped);
}

oracle_bins *make_bins(const histogram_case *c, uint32_t component)
{
    const VkrBins *bins = &c->info.bins;
    const VkrType type = seen_type(c);
    const char *data = c->reduces ? test.arenas[ARENA_RANGE].buffer.data : read_at(0);
    const size_t at = (size_t)component * vkrTypeSize(type);
    oracle_bins_info info = {.kind = bins->kind,
                             .count = bins->count,
                             .closed = (c->info.flags & VKR_HISTOGRAM_CLOSED_BIT) != 0,
                             .type = type,
                             .low = bins->low,
                             .high = bins->high,
                             .edges = read_at(bins->edges.offset)};
    if (bins->gpuRange.buffer != VK_NULL_HANDLE) {
        info.gpu_low = data + bins->gpuRange.low + at;
        info.gpu_high = data + bins->gpuRange.high + at;
    }
    oracle_bins *made = oracle_bins_make(&info);
    assert_non_null(made);
    return made;
}

static void mismatch(const char *what, uint32_t component, uint32_t at, double actual,
                     double expected)
{
    test.mismatches++;
    if (test.shown++ < SHOWN)
        printf("# %s %u of component %u is %.17g instead of %.17g (%s)\n", what, at, component,
               actual, expected, test.text);
}

/* Compares the counts of a component with the initial counts plus the amounts added. Correct counts
 * are copied to the arena's shadow. */
static void check_counts(const histogram_case *c, const VkrBufferRange *range, const char *what,
                         uint32_t component, uint32_t count, const uint64_t *added)
{
    arena *a = &test.arenas[ARENA_WRITTEN];
    const uint32_t size = count_size(c);
    const bool accumulates = (c->info.flags & VKR_HISTOGRAM_ACCUMULATE_BIT) != 0;
    if (range->buffer == VK_NULL_HANDLE)
        return;
    for (uint32_t k = 0; k < count; k++) {
        const VkDeviceSize at = range->offset + ((VkDeviceSize)component * count + k) * size;
        uint64_t expected = 0, actual = 0;
        memcpy(&expected, a->shadow + at, size); /* little-endian */
        memcpy(&actual, (const char *)a->buffer.data + at, size);
        expected = added[k] + (accumulates ? expected : 0);
        expected = size == 4 ? (uint32_t)expected : expected;
        test.oracle_cases++;
        if (actual != expected)
            mismatch(what, component, k, (double)actual, (double)expected);
        memcpy(a->shadow + at, &actual, size);
    }
}

static void check_edges(const histogram_case *c, uint32_t component, const oracle_bins *bins)
{
    arena *a = &test.arenas[ARENA_WRITTEN];
    const VkrType type = is_wide(seen_type(c)) ? VKR_TYPE_F64 : VKR_TYPE_F32;
    const uint32_t n = c->info.bins.count, size = vkrTypeSize(type);
    if (c->info.edges.buffer == VK_NULL_HANDLE)
        return;
    for (uint32_t k = 0; k <= n; k++) {
        const VkDeviceSize at =
            c->info.edges.offset + ((VkDeviceSize)component * (n + 1) + k) * size;
        const char *written = (const char *)a->buffer.data + at;
        const double actual = oracle_double(type, written), expected = oracle_bins_edge(bins, k);
        test.oracle_cases++;
        if (isnan(expected) ? !isnan(actual) : actual != expected)
            mismatch("edge", component, k, actual, expected);
        memcpy(a->shadow + at, written, size);
    }
}

static void check_component(const histogram_case *c, uint32_t k)
{
    const uint32_t n = c->info.bins.count;
    uint64_t *added = calloc((size_t)n + 3, sizeof *added);
    oracle_bins *bins = make_bins(c, k);
    assert_non_null(added);
    for (uint64_t i = 0; i < c->count; i++)
        if (is_kept(c, i))
            added[bin_of(c, bins, i, k)] += amount_of(c, i);
    check_counts(c, &c->info.counts, "count", k, n, added);
    check_counts(c, &c->info.outside, "count outside", k, 3, added + n);
    check_edges(c, k, bins);
    oracle_bins_free(bins);
    free(added);
}

static void check_guards(void)
{
    for (uint32_t i = 0; i < ARENAS; i++) {
        const VkDeviceSize at = arena_overwritten(&test.arenas[i]);
        if (at == UINT64_MAX)
            continue;
        test.mismatches++;
        if (test.shown++ < SHOWN)
            printf("# byte %" PRIu64 " of %s changed (%s)\n", (uint64_t)at, test.arenas[i].name,
                   test.text);
    }
}

void run_cases(limits_row limits, const tuning_row *tuning, histogram_case *cases, uint32_t count)
{
    arena *ranges = &test.arenas[ARENA_RANGE];
    test.shown = 0;
    upload_arenas();
    record(limits, tuning, cases, count);
    for (uint32_t i = 0; i < count; i++) {
        histogram_case *c = &cases[i];
        for (uint32_t k = 0; k < seen_components(c); k++)
            check_component(c, k);
        if (c->reduces)
            memcpy(ranges->shadow + c->range, (const char *)ranges->buffer.data + c->range, 256);
        image_destroy(&test.h, &c->input.image);
        image_destroy(&test.h, &c->weights.image);
        image_destroy(&test.h, &c->mask.image);
    }
    check_guards();
}

void assert_right(void)
{
    const uint64_t fresh = test.mismatches - test.reported;
    test.reported = test.mismatches;
    assert_int_equal(fresh, 0);
    assert_int_equal(limit_violations(), 0);
    assert_int_equal(test.h.validation_messages, 0);
}
