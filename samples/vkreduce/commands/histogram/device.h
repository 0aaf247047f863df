/* SPDX-License-Identifier: MIT */
/* A histogram on the device: device.c counts, results.c reads what it left there. */
#ifndef RUNNER_HISTOGRAM_DEVICE_H
#define RUNNER_HISTOGRAM_DEVICE_H

#include "commands/histogram/results.h"
#include "device/image.h"
#include "device/pipe.h"

/* Where results lie on the device, in one buffer. */
typedef enum histogram_place {
    PLACE_RANGE, /* minima, then maxima, where the range is the data's own */
    PLACE_COUNTS,
    PLACE_OUTSIDE,
    PLACE_EDGES,
    PLACE_QUANTILES,
    PLACES
} histogram_place;

typedef struct histogram_device {
    task *task;
    const histogram_request *request;
    VkrBins bins;   /* those of the request, with their buffers */
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

/* Counts. histogram_close may follow a failure. */
int histogram_execute(histogram_device *d, task *t, const histogram_request *r);
void histogram_close(histogram_device *d);

/* Reads the results; a range of the data's own may make no bins. */
int histogram_take(const histogram_device *d, histogram_results *results);

#endif
