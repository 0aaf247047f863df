/* SPDX-License-Identifier: MIT */
/* The command pyramid: options.c has its options, pyramid.c the request and the text, device.c
 * computes, files.c writes the levels, verify.c verifies. */
#ifndef RUNNER_PYRAMID_H
#define RUNNER_PYRAMID_H

#include "commands/job.h"
#include "device/gpu.h"

typedef struct pyramid_options {
    data_options data;
    const char *output;
} pyramid_options;

extern const command pyramid_command;

/* Parses OP. */
int pyramid_parse_ops(const char *text, VkrOpFlags *ops);

typedef struct pyramid_request {
    const pyramid_options *opts;
    input in;
    VkrOpFlags ops;
    VkExtent2D size;
    VkExtent2D extents[VKR_MAX_PYRAMID_LEVELS];
    uint32_t count; /* of levels */
} pyramid_request;

/* One chain of levels; a chain for a pair of operators holds minima and maxima. */
typedef struct pyramid_chain {
    VkrOpFlags ops;
    uint32_t lanes;                 /* channels of its images */
    bool floats;                    /* for averages, and for pictures of floats */
    VkrHostMemory upload, download; /* hold the words */
    const uint32_t *source;         /* words of the picture, source_lanes() for each texel */
    const uint32_t *levels;         /* words of all levels, `lanes` for each texel */
} pyramid_chain;

typedef struct pyramid_results {
    pyramid_chain chains[2];
    uint32_t chain_count;
} pyramid_results;

static inline uint64_t pyramid_texels(VkExtent2D size)
{
    return (uint64_t)size.width * size.height;
}

/* Channels of a chain's source. The source of a pair has half the channels of its levels. */
static inline uint32_t source_lanes(const pyramid_chain *c)
{
    return c->ops == (VKR_OP_MIN | VKR_OP_MAX) ? c->lanes / 2 : c->lanes;
}

/* The words of a level. */
static inline const uint32_t *pyramid_words(const pyramid_request *r, const pyramid_chain *c,
                                            uint32_t level)
{
    const uint32_t *words = c->levels;
    for (uint32_t k = 0; k < level; k++)
        words += pyramid_texels(r->extents[k]) * c->lanes;
    return words;
}

/* Runs the command; `options` points to a pyramid_options. */
int pyramid_run(const operands *given, const void *options);

/* The first finds the chain of an operator and the operator's first channel in it; the others
 * return the operator's name and type. */
const pyramid_chain *pyramid_find_chain(const pyramid_results *results, VkrOp op, uint32_t *lane);
const char *pyramid_name(VkrOp op);
VkrType pyramid_type(const pyramid_request *r, VkrOp op);

/* ---- device.c, files.c, verify.c ---- */

int pyramid_execute(job *j);

/* Writes all levels of all operators as .npy, and as .png where the picture has integers. */
int pyramid_write(job *j);

/* Compares all levels with the scalar reference. */
int pyramid_verify(job *j);

#endif
