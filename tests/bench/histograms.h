/* SPDX-License-Identifier: MIT */
/* Histograms: histogram_arms.c measures them, histograms.c has the data and the bare kernel,
 * verify_histograms.c compares. */
#ifndef BENCH_HISTOGRAMS_H
#define BENCH_HISTOGRAMS_H

#include "parts.h"

#define PLAIN_BINS 256u /* of the bare kernel */

/* What elements are. */
typedef enum histogram_data {
    HISTOGRAM_RANDOM,   /* f32 in [0, 1) */
    HISTOGRAM_CONSTANT, /* f32, all the same */
    HISTOGRAM_BYTES,    /* u8 of all values */
    HISTOGRAM_IMAGE     /* texels of four bytes */
} histogram_data;

/* What is counted. */
typedef struct histogram_case {
    const char *name;
    histogram_data data;
    VkrBinKind kind;
    uint32_t bins;
    bool weighted;       /* by the random bits */
    uint32_t algorithms; /* bits 1 << VkrHistogramAlgorithm */
} histogram_case;

#define HISTOGRAM_CASES 10u

extern const histogram_case histogram_cases[HISTOGRAM_CASES];

struct histograms {
    uint64_t most; /* elements */
    gpu_buffer constant, bytes, edges;
    unsigned char *host_bytes;
    float *host_edges;
    uint32_t size_count;
    gpu_image images[MAX_SIZES]; /* of each size */
    VkrImage texels[MAX_SIZES];
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet sets[2]; /* of random and of constant elements */
    VkPipeline plain;
    uint32_t workgroup, groups; /* of the bare kernel */
    uint64_t *expected;         /* counts of the row and the size at hand .. */
    uint32_t expected_case;
    uint64_t expected_n; /* .. which these are */
};

static inline const histogram_case *case_of(const arm *a)
{
    return &histogram_cases[a->histogram.of];
}

static inline uint32_t channels_of(const histogram_case *of)
{
    return of->data == HISTOGRAM_IMAGE ? 4 : 1;
}

/* The bins, without the buffer of their edges. */
VkrBins bins_of(const histogram_case *of);

/* Where the least element of log2 bins lies. */
#define HISTOGRAM_LOW 0x1p-24

/* ---- histograms.c ---- */

/* histograms_close, in parts.h, may follow a failure. */
int histograms_create(bench *b);

/* Makes `copy` what the bare kernel counts in. */
int histograms_describe(bench *b);

/* ---- verify_histograms.c ---- */

/* Compares the counts that an arm left, which lie in `copied` from the start. */
void histograms_verify(const bench *b, row *r);

#endif
