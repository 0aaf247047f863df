/* SPDX-License-Identifier: MIT */
/* --histograms: histogram_arms.c measures them, histograms.c has the data and the bare kernel,
 * verify_histograms.c compares the counts. */
#ifndef BENCH_HISTOGRAMS_H
#define BENCH_HISTOGRAMS_H

#include <stdio.h>
#include "device/image.h"
#include "kernel.h"
#include "state.h"

#define PLAIN_BINS 256u /* of the bare kernel */

/* The elements that are counted. */
typedef enum histogram_data {
    HISTOGRAM_RANDOM,   /* f32 in [0, 1) */
    HISTOGRAM_CONSTANT, /* f32, all equal */
    HISTOGRAM_BYTES,    /* u8, all values */
    HISTOGRAM_IMAGE     /* four-byte texels */
} histogram_data;

/* The elements, bins and algorithms of a histogram. */
typedef struct histogram_case {
    const char *name;
    histogram_data data;
    VkrBinKind kind;
    uint32_t bins;
    bool weighted;       /* the weights are the random bytes, as u32 */
    uint32_t algorithms; /* bits 1 << VkrHistogramAlgorithm */
} histogram_case;

#define HISTOGRAM_CASES 10u

extern const histogram_case histogram_cases[HISTOGRAM_CASES];

struct histograms {
    uint64_t most; /* maximum number of elements */
    VkrHostMemory constant, bytes, edges;
    unsigned char *host_bytes;
    float *host_edges;
    uint32_t size_count;
    gpu_image images[MAX_SIZES]; /* one for each size */
    VkrImage texels[MAX_SIZES];
    kernel_layout layout;    /* of the bare kernel */
    VkDescriptorSet sets[2]; /* for random and for constant elements */
    VkPipeline plain;
    uint32_t workgroup, groups; /* of the bare kernel */
    uint64_t *expected;         /* expected counts of this case and this number of elements: */
    uint32_t expected_case;
    uint64_t expected_n;
};

static inline const histogram_case *case_of(const arm *a)
{
    return &histogram_cases[a->histogram.of];
}

static inline uint32_t channels_of(const histogram_case *of)
{
    return of->data == HISTOGRAM_IMAGE ? 4 : 1;
}

/* The bins; the caller adds the buffer of edges. */
VkrBins bins_of(const histogram_case *of);

/* The lowest edge of log2 bins. */
#define HISTOGRAM_LOW 0x1p-24

/* ---- histogram_arms.c ---- */

/* Measures histograms instead of all other arms. */
int histograms_measure(bench *b, FILE *json);

/* ---- histograms.c ---- */

/* histograms_close may follow a failure. */
int histograms_create(bench *b);
void histograms_close(bench *b);

/* Creates the descriptor sets of the bare kernel, which counts in `copy`. */
int histograms_describe(bench *b);

/* ---- verify_histograms.c ---- */

/* Compares the counts of an arm, which start at the beginning of `copied`. */
void histograms_verify(const bench *b, row *r);

#endif
