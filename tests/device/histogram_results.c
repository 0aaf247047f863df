/* SPDX-License-Identifier: MIT */
/* What histograms must write, and requests as C. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "histogram_request.h"
#include "oracle_map.h"

static const void *value_of(const VkrView *view, const test_texture *image, uint64_t i)
{
    return view->image != NULL ? test_texel(image, i) : histogram_element(view, i);
}

static bool is_kept(const histogram_request *h, uint64_t i)
{
    const VkrFlagView *flags = &h->info.mask.flags;
    uint32_t word = 0;
    if (h->info.mask.image != NULL)
        return *(const uint32_t *)test_texel(&h->mask, i) != 0;
    if (flags->range.buffer == VK_NULL_HANDLE)
        return true;
    const unsigned char *bytes = test_bytes(flags->range.buffer, flags->range.offset);
    if (flags->format == VKR_FLAGS_U8)
        return bytes[i] != 0;
    memcpy(&word, bytes + (flags->format == VKR_FLAGS_U32 ? 4 * i : i / 32 * 4), 4);
    return flags->format == VKR_FLAGS_U32 ? word != 0 : (word >> i % 32 & 1) != 0;
}

/* The amount that element i adds to its bin. */
static uint64_t amount_of(const histogram_request *h, uint64_t i)
{
    const VkrView *view = &h->info.weights;
    if (view->buffer == VK_NULL_HANDLE && view->image == NULL)
        return 1;
    const void *weight = value_of(view, &h->weights, i);
    if (view->map == NULL)
        return oracle_weight(view->type, h->info.weightFraction, weight);
    const uint32_t mapped = oracle_map(view->map, view->type, view->components, weight);
    return oracle_weight(VKR_TYPE_F32, h->info.weightFraction, &mapped);
}

static uint32_t bin_of(const histogram_request *h, const oracle_bins *bins, uint64_t i, uint32_t k)
{
    const VkrView *view = &h->info.input;
    const char *element = value_of(view, &h->input, i);
    if (view->map == NULL)
        return oracle_bins_find(bins, element + k * vkrTypeSize(view->type));
    const uint32_t mapped = oracle_map(view->map, view->type, view->components, element);
    return oracle_bins_find(bins, &mapped);
}

static void expect_counts(const histogram_request *h, const VkrBufferRange *range,
                          uint32_t component, uint32_t count, const uint64_t *added)
{
    const uint32_t size = h->info.countType == VKR_TYPE_U64 ? 8 : 4;
    for (uint32_t k = 0; k < count && range->buffer != VK_NULL_HANDLE; k++) {
        char *at =
            test_bytes(range->buffer, range->offset + ((VkDeviceSize)component * count + k) * size);
        uint64_t before = 0;
        if ((h->info.flags & VKR_HISTOGRAM_ACCUMULATE_BIT) != 0)
            memcpy(&before, at, size); /* little-endian */
        before += added[k];
        memcpy(at, &before, size);
        rig.cases++;
    }
}

static void expect_edges(const histogram_request *h, uint32_t component, const oracle_bins *bins)
{
    const VkrBufferRange *range = &h->info.edges;
    const uint32_t n = h->info.bins.count;
    const VkrType type = vkrTypeSize(histogram_type(h)) == 8 ? VKR_TYPE_F64 : VKR_TYPE_F32;
    for (uint32_t k = 0; k <= n && range->buffer != VK_NULL_HANDLE; k++) {
        const VkDeviceSize at =
            range->offset + ((VkDeviceSize)component * (n + 1) + k) * vkrTypeSize(type);
        const double actual = oracle_double(type, test_actual(range->buffer, at));
        const double expected = oracle_bins_edge(bins, k);
        if (isnan(expected) ? isnan(actual) : actual == expected)
            test_accept(range->buffer, at, vkrTypeSize(type)); /* NaN, or a zero, of any sign */
        else
            oracle_encode(type, expected, test_bytes(range->buffer, at));
        rig.cases++;
    }
}

static void expect_component(const histogram_request *h, uint32_t k)
{
    const uint32_t n = h->info.bins.count;
    const uint64_t count = test_counted(&h->info.gpuCount, h->count);
    uint64_t *added = calloc((size_t)n + 3, sizeof *added);
    oracle_bins *bins = histogram_bins(h, k);
    assert_non_null(added);
    for (uint64_t i = 0; i < count; i++)
        if (is_kept(h, i))
            added[bin_of(h, bins, i, k)] += amount_of(h, i);
    expect_counts(h, &h->info.counts, k, n, added);
    expect_counts(h, &h->info.outside, k, 3, added + n);
    expect_edges(h, k, bins);
    oracle_bins_free(bins);
    free(added);
}

void histogram_expect(test_request *t)
{
    const histogram_request *h = t->own;
    const VkrBufferRange *ranges[] = {&h->info.counts, &h->info.outside, &h->info.edges};
    const uint32_t components = histogram_components(h);
    if (h->range.ops != 0) /* which the tests of reductions compare */
        test_accept(h->range.output.buffer, h->range.output.offset, h->range.output.size);
    for (uint32_t i = 0; i < ARRAY_SIZE(ranges) && h->data == DATA_UNSORTED_EDGES; i++)
        test_accept(ranges[i]->buffer, ranges[i]->offset, ranges[i]->size);
    for (uint32_t k = 0; k < components && h->data != DATA_UNSORTED_EDGES; k++)
        expect_component(h, k);
}

void histogram_print(const test_request *t)
{
    const histogram_request *h = t->own;
    const VkrHistogramInfo *info = &h->info;
    const VkrBins *bins = &info->bins;
    test_print_view("input", &info->input);
    if (info->input.image != NULL)
        test_print_image("input", info->input.image);
    test_print_number("count", info->count);
    test_print_count("gpuCount", &info->gpuCount);
    test_print_range("mask.flags.range", &info->mask.flags.range);
    test_print_number("mask.flags.format", info->mask.flags.format);
    if (info->mask.image != NULL)
        test_print_image("mask", info->mask.image);
    test_print_number("bins.kind", bins->kind);
    test_print_number("bins.count", bins->count);
    printf("#     .bins.low = {%a, %lld}, .bins.high = {%a, %lld},\n", bins->low.value,
           (long long)bins->low.integer, bins->high.value, (long long)bins->high.integer);
    printf("#     .bins.gpuRange = {%s, %llu, %llu},%s\n",
           bins->gpuRange.buffer != VK_NULL_HANDLE ? "buffer" : "VK_NULL_HANDLE",
           (unsigned long long)bins->gpuRange.low, (unsigned long long)bins->gpuRange.high,
           h->range.ops != 0 ? " of a reduction" : "");
    test_print_range("bins.edges", &bins->edges);
    test_print_view("weights", &info->weights);
    if (info->weights.image != NULL)
        test_print_image("weights", info->weights.image);
    test_print_number("weightFraction", info->weightFraction);
    test_print_number("countType", info->countType);
    test_print_range("counts", &info->counts);
    test_print_range("outside", &info->outside);
    test_print_range("edges", &info->edges);
    test_print_number("algorithm", info->algorithm);
    test_print_number("workgroupSize", info->workgroupSize);
    test_print_number("flags", info->flags);
}
