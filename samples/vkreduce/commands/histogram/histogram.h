/* SPDX-License-Identifier: MIT */
/* The command histogram: options.c has its options, bins.c parses bins and quantiles, histogram.c
 * has the request and the outputs, weights.c has weights and masks, device.c computes, and other
 * files print, plot and verify. */
#ifndef RUNNER_HISTOGRAM_H
#define RUNNER_HISTOGRAM_H

#include "commands/job.h"
#include "device/pipe.h"
#include "device/texels.h"
#include "functions/functions.h"
#include "output/output.h"

typedef struct histogram_options {
    data_options data;
    texel_options texels;
    const char *output;
    const char *plot;
    const char *range;
    const char *edges;
    const char *quantiles;
    const char *weights;
    const char *weight_bits;
    const char *mask;
    uint64_t bins; /* 0: not given */
    bool log2;
    bool closed;
} histogram_options;

extern const command histogram_command;

#define SHARE_TEXT 32u

typedef struct histogram_request {
    const histogram_options *opts;
    input in;             /* as the bins read it .. */
    texel_source source;  /* .. and as it is stored */
    functions functions;  /* of --map FILE */
    input weights, mask;  /* one value for each element, if the options are given */
    input edge_file;      /* of --edges */
    uint32_t weight_bits; /* float weights are multiples of 2^-weight_bits */
    uint32_t bins;        /* as the user specified them */
    VkrBins used;         /* as the device counts: without bins beyond the type's maximum */
    bool own_range;       /* the range is that of the data */
    bool closed;          /* the last bin includes its upper edge */
    VkrType edge_type;    /* F32 or F64 */
    void *given;          /* owned; --edges in the type that the device compares with .. */
    uint64_t given_size;
    double *edges; /* owned; .. and as numbers, bins + 1 for each channel */
    uint32_t share_count;
    double shares[VKR_MAX_SHARES];
    char share_texts[VKR_MAX_SHARES][SHARE_TEXT];
} histogram_request;

typedef enum histogram_outside {
    OUTSIDE_BELOW,
    OUTSIDE_ABOVE,
    OUTSIDE_NAN,
    OUTSIDE_COUNT
} histogram_outside;

/* Each array holds the entries of channel 0, then those of channel 1, and so on. Counts are
 * integers modulo 2^64: histogram_number and histogram_format_count tell what they stand for. */
typedef struct histogram_results {
    uint32_t bins;
    double *edges;    /* owned; bins + 1 for each channel */
    uint64_t *counts; /* owned; `bins` for each channel */
    uint64_t outside[VKR_MAX_COMPONENTS][OUTSIDE_COUNT];
    double quantiles[VKR_MAX_COMPONENTS][VKR_MAX_SHARES];
    output counts_file, plot_file;
} histogram_results;

static inline const uint64_t *histogram_counts(const histogram_results *r, uint32_t channel)
{
    return r->counts + (size_t)channel * r->bins;
}

static inline const double *histogram_edges(const histogram_results *r, uint32_t channel)
{
    return r->edges + (size_t)channel * (r->bins + 1);
}

/* Runs the command; `options` points to a histogram_options. */
int histogram_run(const operands *given, const void *options);

/* ---- bins.c ---- */

/* Checks that the options about bins are compatible; needs no input. */
int histogram_check_options(const histogram_options *opts);

/* Sets the bins and the shares, once the elements' type and channels are known. */
int histogram_bins(histogram_request *r);

/* ---- weights.c ---- */

/* Buffers of a chunk. */
enum { DATA, WEIGHTS, FLAGS };

/* Opens the files of --weights and --mask, for the elements of the input. */
int histogram_open_weights(histogram_request *r);

/* Loads the weights and the flags of a chunk, and describes them for the library. */
int histogram_load_weights(const histogram_request *r, pipe_slot *slot);
VkrView histogram_weights(const histogram_request *r, const pipe_slot *slot);
VkrMask histogram_mask(const histogram_request *r, const pipe_slot *slot);

/* What counts are in files and as text: U64, or I64 with signed weights, or F64 with floats. */
VkrType histogram_count_type(const histogram_request *r);
double histogram_number(const histogram_request *r, uint64_t count);
void histogram_format_count(const histogram_request *r, uint64_t count, char text[32]);

/* Checks that quantiles of the counts exist. */
int histogram_check_weights(const histogram_request *r, const histogram_results *results);

/* ---- device.c ---- */

/* Computes the histogram; fails if the range of the data cannot be divided into bins. */
int histogram_execute(job *j);

/* ---- print.c, plot.c, verify.c ---- */

void histogram_print_json(const job *j);
void histogram_print_text(const job *j);

/* Writes the picture of --plot. */
int histogram_plot(const histogram_request *r, const histogram_results *results);

int histogram_verify(job *j);

#endif
