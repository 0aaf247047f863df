/* SPDX-License-Identifier: MIT */
/* A histogram on the device, for the files that compute it: device.c, results.c, which reads what
 * the device has found, and shared.c, where ranks share the data. */
#ifndef RUNNER_HISTOGRAM_DEVICE_H
#define RUNNER_HISTOGRAM_DEVICE_H

#include "commands/histogram/histogram.h"

/* The parts of the buffer that holds the results on the device. */
typedef enum histogram_place {
    PLACE_RANGE, /* minima, then maxima; only if the range comes from the data */
    PLACE_COUNTS,
    PLACE_OUTSIDE,
    PLACE_EDGES,
    PLACE_QUANTILES,
    PLACES
} histogram_place;

/* What a pipe computes. One chunk of all data computes everything in one recording. */
typedef enum histogram_stage {
    STAGE_ALL,
    STAGE_RANGE,
    STAGE_COUNTS,
    STAGE_QUANTILES
} histogram_stage;

typedef struct histogram_device {
    task *task;
    histogram_request *request;
    VkrBins bins; /* the bins of the request, with their buffers */
    VkrType count_type;
    uint64_t places[PLACES + 1];
    VkrReduceInfo range;
    pipe_buffer results;
    VkrHostMemory partials, host_edges, shown_edges;
    VkrHostMemory range_of_all, counts_of_all; /* of all ranks, if there are several */
    histogram_stage stage;
    pipe pipe;
} histogram_device;

static inline const input *stored_input(const histogram_device *d)
{
    return texels_stored(&d->request->source, &d->request->in);
}

/* Runs a pipe over the data for a stage. */
int histogram_stage_run(histogram_device *d, histogram_stage stage);

/* ---- results.c ---- */

/* The minima and then the maxima of all channels, which the device has found. */
int histogram_read_range(const histogram_device *d, const char **range);

/* Reads the results of this rank, or of all data. */
int histogram_take_results(const histogram_device *d, histogram_results *results);

/* Reads only the quantiles. */
int histogram_take_quantiles(const histogram_device *d, histogram_results *results);

/* ---- shared.c ---- */

/* Computes the histogram of all ranks' data, on rank 0. Ranges and counts have room in `d`. */
int histogram_run_shared(int status, histogram_device *d, histogram_results *results);

#endif
