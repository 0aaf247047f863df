/* SPDX-License-Identifier: MIT */
/* What a histogram is asked for: an input, bins and quantiles. */
#ifndef RUNNER_HISTOGRAM_REQUEST_H
#define RUNNER_HISTOGRAM_REQUEST_H

#include "commands/histogram/options.h"

#define SHARE_TEXT 32u

typedef struct histogram_request {
    const histogram_options *opts;
    input in;          /* as bins see it .. */
    input stored;      /* .. and where that is not the same, as it is stored */
    VkrImage image;    /* --as-image: as yet without an image */
    VkrMap map;        /* --map */
    uint32_t bins;     /* as the user counts them */
    VkrBins used;      /* as the device does: without bins beyond the type's greatest value */
    bool own_range;    /* the data's */
    bool closed;       /* the last bin has its upper edge too */
    VkrType edge_type; /* F32 or F64 */
    void *given;       /* owned; --edges in the type that the device compares with .. */
    uint64_t given_size;
    double *edges; /* owned; .. and as numbers, bins + 1 for each channel */
    uint32_t share_count;
    double shares[VKR_MAX_SHARES];
    char share_texts[VKR_MAX_SHARES][SHARE_TEXT];
} histogram_request;

/* Whether the options about bins go together; needs no input. */
int histogram_check_options(const histogram_options *opts);

/* Finds the bins and the shares, once the elements' type and channels are known. */
int histogram_bins(histogram_request *r);

/* What is uploaded: the input as it is stored. */
static inline const input *histogram_stored(const histogram_request *r)
{
    return r->stored.name != NULL ? &r->stored : &r->in;
}

#endif
