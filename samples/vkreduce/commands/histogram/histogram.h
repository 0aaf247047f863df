/* SPDX-License-Identifier: MIT */
/* The parts of the command histogram: histogram.c asks, histogram_bins.c reads what bins there are,
 * histogram_device.c counts, histogram_results.c reads the results, histogram_print.c and
 * histogram_plot.c show them, verify_histogram.c compares them. */
#ifndef RUNNER_HISTOGRAM_H
#define RUNNER_HISTOGRAM_H

#include "commands/histogram/options.h"
#include "device/image.h"
#include "device/pipe.h"
#include "output/output.h"

#define SHARE_TEXT 32u

typedef enum histogram_outside {
    OUTSIDE_BELOW,
    OUTSIDE_ABOVE,
    OUTSIDE_NAN,
    OUTSIDE_COUNT
} histogram_outside;

/* Where results lie on the device, in one buffer. */
typedef enum histogram_place {
    PLACE_RANGE, /* minima, then maxima, where the range is the data's own */
    PLACE_COUNTS,
    PLACE_OUTSIDE,
    PLACE_EDGES,
    PLACE_QUANTILES,
    PLACES
} histogram_place;

/* One run of the command. */
typedef struct histogram_job {
    const histogram_options *opts;
    task task;
    input in;       /* as bins see it .. */
    input stored;   /* .. and where that is not the same, as it is stored */
    VkrImage image; /* --as-image */
    VkrMap map;     /* --map */
    gpu_image texels;

    /* What was asked for. */
    uint32_t bins;     /* as the user counts them */
    VkrBins used;      /* as the device does: without bins beyond the type's greatest value */
    bool own_range;    /* the data's */
    bool closed;       /* the last bin has its upper edge too */
    VkrType edge_type; /* F32 or F64 */
    void *given;       /* owned; --edges in the type that the device compares with .. */
    uint64_t given_size;
    uint32_t share_count;
    double shares[VKR_MAX_SHARES];
    char share_texts[VKR_MAX_SHARES][SHARE_TEXT];
    output out, plot;

    /* On the device. */
    VkrType count_type;
    uint64_t chunk; /* elements */
    bool ranging;   /* this pass over the chunks finds the range */
    uint64_t places[PLACES + 1];
    VkrReduceInfo range;
    gpu_buffer results, readback, count, partials, host_edges, shown_edges;
    pipe pipe;

    /* Results; those of channel c begin at c times as many as a channel has. */
    double *edges;    /* owned; bins + 1; of --edges they are there from the start */
    uint64_t *counts; /* owned; bins */
    uint64_t outside[VKR_MAX_COMPONENTS][OUTSIDE_COUNT];
    double quantiles[VKR_MAX_COMPONENTS][VKR_MAX_SHARES];
} histogram_job;

static inline const uint64_t *histogram_counts(const histogram_job *j, uint32_t channel)
{
    return j->counts + (size_t)channel * j->bins;
}

static inline const double *histogram_edges(const histogram_job *j, uint32_t channel)
{
    return j->edges + (size_t)channel * (j->bins + 1);
}

/* ---- histogram_bins.c ---- */

/* Whether the options about bins go together; needs no input. */
int histogram_check_options(const histogram_options *opts);

/* Finds the bins and the shares, once the elements' type and channels are known. */
int histogram_bins(histogram_job *j);

/* ---- histogram_device.c ---- */

/* Counts, and takes the results. */
int histogram_execute(histogram_job *j);
void histogram_close(histogram_job *j);

/* ---- histogram_results.c ---- */

/* Reads the results; a range of the data's own may make no bins. */
int histogram_take(histogram_job *j);

/* ---- histogram_print.c ---- */

/* Formats an edge or a quantile for people. */
void histogram_value(const histogram_job *j, double value, char text[32]);

void histogram_print_json(const histogram_job *j);
void histogram_print_text(const histogram_job *j);

/* ---- histogram_plot.c ---- */

/* Writes the picture. */
int histogram_plot(const histogram_job *j);

/* ---- verify_histogram.c ---- */

int verify_histogram(histogram_job *j);

#endif
