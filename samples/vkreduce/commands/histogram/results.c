/* SPDX-License-Identifier: MIT */
/* What a histogram left on the device, as the host's numbers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "commands/histogram/histogram.h"
#include "device/submit.h"
#include "input/value.h"
#include "output/text.h"
#include "status.h"

static int read_back(histogram_job *j, const char **results)
{
    const gpu *g = &j->task.gpu;
    *results = j->results.map;
    if (j->results.map != NULL)
        return STATUS_DONE;
    *results = j->readback.map;
    int status = gpu_begin(g);
    if (status != STATUS_DONE)
        return status;
    gpu_copy_back(g, &j->results, &j->readback, j->places[PLACES]);
    status = gpu_end(g);
    return status == STATUS_DONE ? gpu_submit(g) : status;
}

/* The data's own range must be one that makes bins. */
static int check_range(const histogram_job *j, uint32_t channel, const char *bounds)
{
    const uint32_t size = vkrTypeSize(j->in.type);
    const char *low = bounds + channel * size, *high = low + j->in.components * size;
    const double lo = value_as_double(j->in.type, low), hi = value_as_double(j->in.type, high);
    char from[32], to[32];
    text_value(from, sizeof from, j->in.type, low);
    text_value(to, sizeof to, j->in.type, high);
    if (!(lo <= hi))
        return fail(STATUS_USAGE,
                    "%s: channel %u has no numbers that say where bins lie; give --range LO:HI",
                    j->in.name, channel);
    if (j->used.kind == VKR_BINS_LOG2 && lo <= 0.0)
        return fail(STATUS_USAGE,
                    "%s: the smallest value of channel %u is %s, and --log2 needs numbers greater "
                    "than 0; give --range LO:HI",
                    j->in.name, channel, from);
    if (isinf(lo) || isinf(hi))
        return fail(STATUS_USAGE,
                    "%s: the values of channel %u reach from %s to %s, which makes no bins; give "
                    "--range LO:HI",
                    j->in.name, channel, from, to);
    return STATUS_DONE;
}

static uint64_t take_count(const histogram_job *j, const char *counts, size_t i)
{
    uint64_t count = 0;
    const size_t size = vkrTypeSize(j->count_type);
    memcpy(&count, counts + i * size, size); /* little-endian, as the device is */
    return count;
}

static void take_channel(histogram_job *j, uint32_t c, const char *results)
{
    const size_t used = j->used.count, edge = vkrTypeSize(j->edge_type);
    const char *edges = results + j->places[PLACE_EDGES] + c * (used + 1) * edge;
    const char *quantiles = results + j->places[PLACE_QUANTILES] + c * j->share_count * edge;
    for (size_t k = 0; k < used; k++)
        j->counts[(size_t)c * j->bins + k] =
            take_count(j, results + j->places[PLACE_COUNTS], c * used + k);
    for (size_t i = 0; i < OUTSIDE_COUNT; i++)
        j->outside[c][i] = take_count(j, results + j->places[PLACE_OUTSIDE], c * OUTSIDE_COUNT + i);
    for (size_t k = 0; k <= used && j->used.kind != VKR_BINS_EDGES; k++)
        j->edges[(size_t)c * (j->bins + 1) + k] = value_as_double(j->edge_type, edges + k * edge);
    for (size_t i = 0; i < j->share_count; i++)
        j->quantiles[c][i] = value_as_double(j->edge_type, quantiles + i * edge);
}

int histogram_take(histogram_job *j)
{
    const size_t channels = j->in.components;
    const char *results;
    int status = read_back(j, &results);
    if (status != STATUS_DONE)
        return status;
    j->counts = calloc(channels * j->bins, sizeof *j->counts);
    if (j->edges == NULL)
        j->edges = calloc(channels * (j->bins + 1), sizeof *j->edges);
    if (j->counts == NULL || j->edges == NULL)
        return fail(STATUS_VULKAN, "histogram: out of memory");
    for (uint32_t c = 0; c < channels && status == STATUS_DONE; c++) {
        if (j->own_range)
            status = check_range(j, c, results + j->places[PLACE_RANGE]);
        take_channel(j, c, results);
    }
    return status;
}
