/* SPDX-License-Identifier: MIT */
/* Reads what a histogram has left on the device. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "commands/histogram/device.h"
#include "input/value.h"
#include "output/text.h"
#include "status.h"

static int read_back(const histogram_device *d, const char **results)
{
    const VkrHostMemory *device = &d->results.device, *host = &d->results.host;
    *results = device->data != NULL ? device->data : host->data;
    return device->data != NULL ? STATUS_DONE
                                : gpu_status(vkrHostRead(d->task->gpu.host, device, 0,
                                                         d->places[PLACES], host->data));
}

/* Checks that the range of the data can be divided into bins. */
static int check_range(const histogram_request *r, uint32_t channel, const char *bounds)
{
    const uint32_t size = vkrTypeSize(r->in.type);
    const char *low = bounds + channel * size, *high = low + r->in.components * size;
    const double lo = value_as_double(r->in.type, low), hi = value_as_double(r->in.type, high);
    char from[32], to[32];
    text_value(from, sizeof from, r->in.type, low);
    text_value(to, sizeof to, r->in.type, high);
    if (!(lo <= hi))
        return fail(
            STATUS_USAGE,
            "%s: channel %u has no numbers from which a range can be found; give --range LO:HI",
            r->in.name, channel);
    if (r->used.kind == VKR_BINS_LOG2 && lo <= 0.0)
        return fail(STATUS_USAGE,
                    "%s: the smallest value of channel %u is %s, but --log2 needs numbers greater "
                    "than 0; give --range LO:HI",
                    r->in.name, channel, from);
    if (isinf(lo) || isinf(hi))
        return fail(STATUS_USAGE,
                    "%s: the values of channel %u range from %s to %s, which cannot be divided "
                    "into bins; give --range LO:HI",
                    r->in.name, channel, from, to);
    return STATUS_DONE;
}

static uint64_t take_count(const histogram_device *d, const char *counts, size_t i)
{
    uint64_t count = 0;
    const size_t size = vkrTypeSize(d->count_type);
    memcpy(&count, counts + i * size, size); /* little-endian, like the device */
    return count;
}

static void take_channel(const histogram_device *d, uint32_t c, const char *from,
                         histogram_results *results)
{
    const histogram_request *r = d->request;
    const size_t used = r->used.count, edge = vkrTypeSize(r->edge_type), bins = r->bins;
    const char *edges = from + d->places[PLACE_EDGES] + c * (used + 1) * edge;
    for (size_t k = 0; k < used; k++)
        results->counts[c * bins + k] = take_count(d, from + d->places[PLACE_COUNTS], c * used + k);
    for (size_t i = 0; i < OUTSIDE_COUNT; i++)
        results->outside[c][i] =
            take_count(d, from + d->places[PLACE_OUTSIDE], c * OUTSIDE_COUNT + i);
    for (size_t k = 0; k <= used && r->used.kind != VKR_BINS_EDGES; k++)
        results->edges[c * (bins + 1) + k] = value_as_double(r->edge_type, edges + k * edge);
}

static void take_quantiles(const histogram_device *d, uint32_t c, const char *from,
                           histogram_results *results)
{
    const histogram_request *r = d->request;
    const size_t edge = vkrTypeSize(r->edge_type);
    const char *quantiles = from + d->places[PLACE_QUANTILES] + c * r->share_count * edge;
    for (size_t i = 0; i < r->share_count; i++)
        results->quantiles[c][i] = value_as_double(r->edge_type, quantiles + i * edge);
}

int histogram_read_range(const histogram_device *d, const char **range)
{
    const int status = read_back(d, range);
    if (status == STATUS_DONE)
        *range += d->places[PLACE_RANGE];
    return status;
}

int histogram_take_quantiles(const histogram_device *d, histogram_results *results)
{
    const char *from;
    const int status = read_back(d, &from);
    for (uint32_t c = 0; c < d->request->in.components && status == STATUS_DONE; c++)
        take_quantiles(d, c, from, results);
    return status;
}

int histogram_take_results(const histogram_device *d, histogram_results *results)
{
    const histogram_request *r = d->request;
    const size_t channels = r->in.components, edges = channels * (r->bins + 1);
    const char *from;
    int status = read_back(d, &from);
    if (status != STATUS_DONE)
        return status;
    results->bins = r->bins;
    results->counts = calloc(channels * r->bins, sizeof *results->counts);
    results->edges = calloc(edges, sizeof *results->edges);
    if (results->counts == NULL || results->edges == NULL)
        return fail(STATUS_VULKAN, "histogram: out of memory");
    if (r->edges != NULL)
        memcpy(results->edges, r->edges, edges * sizeof *results->edges);
    const char *range =
        d->task->shared ? d->range_of_all.data : (const void *)(from + d->places[PLACE_RANGE]);
    for (uint32_t c = 0; c < channels && status == STATUS_DONE; c++) {
        if (r->own_range)
            status = check_range(r, c, range);
        take_channel(d, c, from, results);
        take_quantiles(d, c, from, results);
    }
    return status;
}
