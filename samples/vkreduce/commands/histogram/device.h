/* SPDX-License-Identifier: MIT */
/* A histogram on the device: device.c computes it, results.c reads the results back. */
#ifndef RUNNER_HISTOGRAM_DEVICE_H
#define RUNNER_HISTOGRAM_DEVICE_H

#include "commands/histogram/results.h"
#include "device/image.h"
#include "device/pipe.h"

/* The parts of the buffer that holds the results on the device. */
typedef enum histogram_place {
    PLACE_RANGE, /* minima, then maxima; only if the range comes from the data */
    PLACE_COUNTS,
    PLACE_OUTSIDE,
    PLACE_EDGES,
    PLACE_QUANTILES,
    PLACES
} histogram_place;

typedef struct histogram_device {
    task *task;
    const histogram_request *request;
    VkrBins bins;   /* the bins of the request, with their buffers */
    VkrImage image; /* --as-image */
    gpu_image texels;
    VkrType count_type;
    uint64_t chunk; /* elements */
    bool ranging;   /* this pass over the chunks finds the range */
    uint64_t places[PLACES + 1];
    VkrReduceInfo range;
    gpu_buffer results, readback, count, partials, host_edges, shown_edges;
    pipe pipe;
} histogram_device;

/* Computes the histogram. histogram_close may follow a failure. */
int histogram_execute(histogram_device *d, task *t, const histogram_request *r);
void histogram_close(histogram_device *d);

/* Reads the results; fails if the range of the data cannot be divided into bins. */
int histogram_take(const histogram_device *d, histogram_results *results);

#endif
