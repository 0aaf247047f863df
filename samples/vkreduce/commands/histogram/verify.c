/* SPDX-License-Identifier: MIT */
/* --verify of histogram: the scalar reference, fed portion by portion. */
#include <math.h>
#include <stdlib.h>
#include "commands/histogram/histogram.h"
#include "input/flags.h"
#include "progress.h"
#include "status.h"
#include "oracle.h"
#include "oracle_histogram.h"
#include "oracle_quantile.h"

#define PORTION ((uint64_t)8 << 20) /* bytes */

/* The expected results. */
typedef struct reference {
    const histogram_request *request;
    const histogram_results *results;
    bool differs;
    uint64_t portion; /* elements */
    unsigned char *data, *weights;
    uint32_t *flags;
    oracle_bins *bins[VKR_MAX_COMPONENTS];
    uint64_t *counts[VKR_MAX_COMPONENTS]; /* of the device's bins, then below, above and NaN */
} reference;

/* ---- Reading ---- */

typedef void take_portion(reference *r, uint64_t count, void *context);

static int feed(reference *r, take_portion *take, void *context)
{
    const input *in = &r->request->in;
    int status = STATUS_DONE;
    progress_start("verifying", input_span(in, in->count));
    for (uint64_t first = 0; first < in->count && status == STATUS_DONE; first += r->portion) {
        const uint64_t count = least(in->count - first, r->portion);
        status = input_load(in, first, count, r->data);
        if (status == STATUS_DONE && r->weights != NULL)
            status = input_load(&r->request->weights, first, count, r->weights);
        if (status == STATUS_DONE && r->flags != NULL)
            status = flags_load(&r->request->mask, first, count, r->flags);
        if (status == STATUS_DONE)
            take(r, count, context);
    }
    progress_end();
    return status;
}

static bool is_left_out(const reference *r, uint64_t i)
{
    return r->flags != NULL && !flag_at(r->flags, i);
}

/* What element i of the portion adds to a count. */
static uint64_t weight_of(const reference *r, uint64_t i)
{
    const input *in = &r->request->weights;
    return r->weights == NULL
               ? 1
               : oracle_weight(in->type, r->request->weight_bits, r->weights + i * input_pitch(in));
}

static void count_portion(reference *r, uint64_t count, void *context)
{
    const input *in = &r->request->in;
    const size_t size = vkrTypeSize(in->type);
    (void)context;
    for (uint64_t i = 0; i < count; i++)
        for (uint32_t c = 0; c < in->components && !is_left_out(r, i); c++)
            r->counts[c][oracle_bins_find(r->bins[c], r->data + i * input_pitch(in) + c * size)] +=
                weight_of(r, i);
}

static void fold_portion(reference *r, uint64_t count, void *context)
{
    oracle_fold **folds = context;
    const uint64_t pitch = input_pitch(&r->request->in);
    for (uint64_t first = 0, end; first < count;
         first = end + 1) { /* a run between left out ones */
        for (end = first; end < count && !is_left_out(r, end); end++)
            ;
        for (uint32_t i = 0; i < 2 * r->request->in.components && end > first; i++)
            oracle_add(folds[i], r->data + first * pitch, NULL, end - first);
    }
}

/* Finds the minimum and the maximum of each channel. */
static int find_ranges(reference *r, oracle_value values[2 * VKR_MAX_COMPONENTS])
{
    static const VkrOp ops[] = {VKR_OP_MIN, VKR_OP_MAX};
    const input *in = &r->request->in;
    const uint32_t count = 2 * in->components;
    const oracle_reduce_info info = {.stride = (size_t)input_pitch(in),
                                     .stride2 = (size_t)input_pitch(in),
                                     .type = in->type,
                                     .components = in->components};
    oracle_fold *folds[2 * VKR_MAX_COMPONENTS] = {NULL};
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < count && status == STATUS_DONE; i++) {
        folds[i] = oracle_begin(&info, ops[i % 2], i / 2, in->type);
        if (folds[i] == NULL)
            status = fail(STATUS_VULKAN, "--verify: out of memory");
    }
    if (status == STATUS_DONE)
        status = feed(r, fold_portion, folds);
    for (uint32_t i = 0; i < count; i++)
        if (folds[i] != NULL)
            oracle_end(folds[i], status == STATUS_DONE ? &values[i] : NULL);
    return status;
}

static int begin(reference *r)
{
    const histogram_request *request = r->request;
    const input *in = &request->in;
    oracle_value ranges[2 * VKR_MAX_COMPONENTS];
    int status = STATUS_DONE;
    r->portion = least(PORTION / input_pitch(in), in->count);
    r->data = malloc((size_t)input_span(in, r->portion) + 1);
    if (request->opts->weights != NULL)
        r->weights = malloc((size_t)input_span(&request->weights, r->portion) + 1);
    if (request->opts->mask != NULL)
        r->flags = malloc((size_t)flag_bytes(r->portion) + 1);
    if (r->data == NULL || (request->opts->weights != NULL && r->weights == NULL) ||
        (request->opts->mask != NULL && r->flags == NULL))
        return fail(STATUS_VULKAN, "--verify: out of memory");
    if (request->own_range)
        status = find_ranges(r, ranges);
    for (uint32_t c = 0; c < in->components && status == STATUS_DONE; c++) {
        const oracle_bins_info info = {.kind = request->used.kind,
                                       .count = request->used.count,
                                       .closed = request->closed,
                                       .type = in->type,
                                       .low = request->used.low,
                                       .high = request->used.high,
                                       .gpu_low = request->own_range ? ranges[2 * c].bytes : NULL,
                                       .gpu_high =
                                           request->own_range ? ranges[2 * c + 1].bytes : NULL,
                                       .edges = request->given};
        r->bins[c] = oracle_bins_make(&info);
        r->counts[c] = calloc((size_t)request->used.count + OUTSIDE_COUNT, sizeof(uint64_t));
        if (r->bins[c] == NULL || r->counts[c] == NULL)
            status = fail(STATUS_VULKAN, "--verify: out of memory");
    }
    return status;
}

/* ---- Comparing ---- */

static void compare_edges(reference *r, uint32_t c)
{
    const histogram_request *request = r->request;
    for (uint32_t k = 0; k <= request->used.count && request->used.kind != VKR_BINS_EDGES; k++) {
        const double found = histogram_edges(r->results, c)[k],
                     expected = oracle_bins_edge(r->bins[c], k);
        if (found == expected || r->differs)
            continue;
        (void)fail(STATUS_DIFFERENCE,
                   "--verify: edge %u of channel %u is %.17g; the scalar reference gives %.17g", k,
                   c, found, expected);
        r->differs = true;
    }
}

static void compare_count(reference *r, uint32_t c, const char *what, uint32_t k, uint64_t found,
                          uint64_t expected)
{
    char actual[32], right[32];
    if (found == expected || r->differs)
        return;
    histogram_format_count(r->request, found, actual);
    histogram_format_count(r->request, expected, right);
    (void)fail(STATUS_DIFFERENCE,
               "--verify: %s %u of channel %u counts %s; the scalar reference counts %s", what, k,
               c, actual, right);
    r->differs = true;
}

static void compare_quantiles(reference *r, uint32_t c)
{
    const histogram_request *request = r->request;
    const oracle_quantile_info info = {.bins = request->used.count,
                                       .counts = r->counts[c],
                                       .edges = histogram_edges(r->results, c),
                                       .is_f64 = request->edge_type == VKR_TYPE_F64};
    for (uint32_t i = 0; i < request->share_count && !r->differs; i++) {
        const double found = r->results->quantiles[c][i];
        const double expected = oracle_quantile(&info, request->shares[i]);
        if (found == expected || (isnan(found) && isnan(expected)))
            continue;
        (void)fail(STATUS_DIFFERENCE,
                   "--verify: the quantile %s of channel %u is %.17g, which is not the value "
                   "nearest to the exact one",
                   request->share_texts[i], c, found);
        r->differs = true;
    }
}

static void compare(reference *r, uint32_t c)
{
    static const char *const outside[] = {"below", "above", "NaN"};
    const histogram_request *request = r->request;
    const uint32_t used = request->used.count;
    compare_edges(r, c);
    for (uint32_t k = 0; k < request->bins; k++)
        compare_count(r, c, "bin", k, histogram_counts(r->results, c)[k],
                      k < used ? r->counts[c][k] : 0);
    for (uint32_t i = 0; i < OUTSIDE_COUNT; i++)
        compare_count(r, c, outside[i], i, r->results->outside[c][i], r->counts[c][used + i]);
    compare_quantiles(r, c);
}

int histogram_verify(job *j)
{
    const histogram_request *request = j->request;
    reference r = {.request = request, .results = j->results};
    int status = begin(&r);
    if (status == STATUS_DONE)
        status = feed(&r, count_portion, NULL);
    for (uint32_t c = 0; c < request->in.components; c++) {
        if (status == STATUS_DONE)
            compare(&r, c);
        oracle_bins_free(r.bins[c]);
        free(r.counts[c]);
    }
    free(r.data);
    free(r.weights);
    free(r.flags);
    j->task.differs = r.differs;
    return status;
}
