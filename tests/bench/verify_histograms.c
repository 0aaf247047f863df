/* SPDX-License-Identifier: MIT */
/* The reference for histograms. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "histograms.h"
#include "status.h"
#include "oracle_histogram.h"

static VkrType type_of(const histogram_case *of)
{
    return of->data == HISTOGRAM_IMAGE   ? VKR_TYPE_U32
           : of->data == HISTOGRAM_BYTES ? VKR_TYPE_U8
                                         : VKR_TYPE_F32;
}

/* Finds value i of the data; the channels of a texel are consecutive values. */
static void value_at(const bench *b, const histogram_case *of, uint64_t i, void *value)
{
    const float half = 0.5f;
    uint32_t word;
    if (of->data == HISTOGRAM_RANDOM) {
        memcpy(value, b->host + i * sizeof half, sizeof half);
    } else if (of->data == HISTOGRAM_CONSTANT) {
        memcpy(value, &half, sizeof half);
    } else {
        word = b->histograms->host_bytes[i];
        memcpy(value, &word, of->data == HISTOGRAM_IMAGE ? sizeof word : 1);
    }
}

static bool count_all(const bench *b, const histogram_case *of, uint64_t n, uint64_t *counts)
{
    const VkrBins bins = bins_of(of);
    const oracle_bins_info info = {.kind = of->kind,
                                   .count = of->bins,
                                   .type = type_of(of),
                                   .low = bins.low,
                                   .high = bins.high,
                                   .edges = b->histograms->host_edges};
    const uint32_t channels = channels_of(of);
    oracle_bins *made = oracle_bins_make(&info);
    if (made == NULL)
        return false;
    for (uint64_t i = 0; i < n * channels; i++) {
        uint32_t value, weight = 1;
        value_at(b, of, i, &value);
        const uint32_t bin = oracle_bins_find(made, &value);
        if (of->weighted)
            memcpy(&weight, b->histograms->host_bytes + 4 * i, sizeof weight);
        if (bin < of->bins)
            counts[i % channels * of->bins + bin] += weight;
    }
    oracle_bins_free(made);
    return true;
}

/* Keeps the counts, since the arms of one case and size follow each other. */
static const uint64_t *expect(const bench *b, uint32_t which, uint64_t n)
{
    struct histograms *h = b->histograms;
    const histogram_case *of = &histogram_cases[which];
    if (h->expected != NULL && h->expected_case == which && h->expected_n == n)
        return h->expected;
    free(h->expected);
    h->expected = calloc((size_t)of->bins * channels_of(of), sizeof *h->expected);
    h->expected_case = which;
    h->expected_n = n;
    if (h->expected != NULL && !count_all(b, of, n, h->expected)) {
        free(h->expected);
        h->expected = NULL;
    }
    return h->expected;
}

void histograms_verify(const bench *b, row *r)
{
    const histogram_case *of = case_of(r->arm);
    const uint64_t *expected = expect(b, r->arm->histogram.of, r->n);
    const uint32_t *found = b->copied.data, count = of->bins * channels_of(of);
    uint32_t k = 0;
    while (expected != NULL && k < count && found[k] == (uint32_t)expected[k])
        k++;
    r->verdict = k == count ? VERDICT_YES : VERDICT_NO;
    if (expected == NULL)
        (void)fail(STATUS_VULKAN, "out of memory");
    else if (k < count)
        (void)fail(STATUS_DIFFERENCE,
                   "%s, %" PRIu64 " elements: count %u is %u; the scalar reference gives %" PRIu32,
                   r->arm->name, r->n, k, found[k], (uint32_t)expected[k]);
}
