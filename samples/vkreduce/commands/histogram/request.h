/* SPDX-License-Identifier: MIT */
/* The parameters of a histogram: an input, bins and quantiles. */
#ifndef RUNNER_HISTOGRAM_REQUEST_H
#define RUNNER_HISTOGRAM_REQUEST_H

#include "commands/histogram/options.h"

#define SHARE_TEXT 32u

typedef struct histogram_request {
    const histogram_options *opts;
    input in;          /* as the bins read it .. */
    input stored;      /* .. and as it is stored, if that differs */
    VkrImage image;    /* --as-image: the image itself is set later */
    VkrMap map;        /* --map */
    uint32_t bins;     /* as the user specified them */
    VkrBins used;      /* as the device counts: without bins beyond the type's maximum */
    bool own_range;    /* the range is that of the data */
    bool closed;       /* the last bin includes its upper edge */
    VkrType edge_type; /* F32 or F64 */
    void *given;       /* owned; --edges in the type that the device compares with .. */
    uint64_t given_size;
    double *edges; /* owned; .. and as numbers, bins + 1 for each channel */
    uint32_t share_count;
    double shares[VKR_MAX_SHARES];
    char share_texts[VKR_MAX_SHARES][SHARE_TEXT];
} histogram_request;

/* Checks that the options about bins are compatible; needs no input. */
int histogram_check_options(const histogram_options *opts);

/* Sets the bins and the shares, once the elements' type and channels are known. */
int histogram_bins(histogram_request *r);

/* The input as it is stored, which is what is uploaded. */
static inline const input *histogram_stored(const histogram_request *r)
{
    return r->stored.name != NULL ? &r->stored : &r->in;
}

#endif
