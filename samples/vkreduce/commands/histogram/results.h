/* SPDX-License-Identifier: MIT */
/* The results of a histogram, and functions that print, plot and verify them. */
#ifndef RUNNER_HISTOGRAM_RESULTS_H
#define RUNNER_HISTOGRAM_RESULTS_H

#include "commands/histogram/request.h"
#include "output/output.h"

typedef enum histogram_outside {
    OUTSIDE_BELOW,
    OUTSIDE_ABOVE,
    OUTSIDE_NAN,
    OUTSIDE_COUNT
} histogram_outside;

/* Each array holds the entries of channel 0, then those of channel 1, and so on. */
typedef struct histogram_results {
    uint32_t bins;
    double *edges;    /* owned; bins + 1 for each channel */
    uint64_t *counts; /* owned; `bins` for each channel */
    uint64_t outside[VKR_MAX_COMPONENTS][OUTSIDE_COUNT];
    double quantiles[VKR_MAX_COMPONENTS][VKR_MAX_SHARES];
} histogram_results;

static inline const uint64_t *histogram_counts(const histogram_results *r, uint32_t channel)
{
    return r->counts + (size_t)channel * r->bins;
}

static inline const double *histogram_edges(const histogram_results *r, uint32_t channel)
{
    return r->edges + (size_t)channel * (r->bins + 1);
}

/* ---- print.c ---- */

void histogram_print_json(const task *t, const histogram_request *r,
                          const histogram_results *results);
void histogram_print_text(const task *t, const histogram_request *r,
                          const histogram_results *results);

/* ---- plot.c ---- */

/* Writes the picture. */
int histogram_plot(const output *picture, const histogram_request *r,
                   const histogram_results *results);

/* ---- verify.c ---- */

int histogram_verify(const histogram_request *r, const histogram_results *results, bool *differs);

#endif
