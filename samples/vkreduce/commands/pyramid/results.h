/* SPDX-License-Identifier: MIT */
/* The results of a pyramid, and functions that print, write and verify them. */
#ifndef RUNNER_PYRAMID_RESULTS_H
#define RUNNER_PYRAMID_RESULTS_H

#include "commands/pyramid/request.h"

/* One chain of levels; a chain for a pair of operators holds minima and maxima. */
typedef struct pyramid_chain {
    VkrOpFlags ops;
    uint32_t lanes;         /* channels of its images */
    bool floats;            /* for averages, and for pictures of floats */
    const uint32_t *source; /* words of the picture, source_lanes() for each texel */
    const uint32_t *levels; /* words of all levels, `lanes` for each texel */
} pyramid_chain;

typedef struct pyramid_results {
    pyramid_chain chains[2];
    uint32_t chain_count;
} pyramid_results;

/* Channels of a chain's source: a pair has half as many as its levels. */
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

/* ---- results.c ---- */

/* The first finds the chain of an operator and the operator's first channel in it; the others
 * return the operator's name and type. */
const pyramid_chain *pyramid_find_chain(const pyramid_results *results, VkrOp op, uint32_t *lane);
const char *pyramid_name(VkrOp op);
VkrType pyramid_type(const pyramid_request *r, VkrOp op);

/* ---- files.c ---- */

/* Writes all levels of all operators as .npy, and as .png where the picture has integers. */
int pyramid_write(const pyramid_request *r, const pyramid_results *results);

/* ---- print.c ---- */

void pyramid_print_json(const task *t, const pyramid_request *r, const pyramid_results *results);
void pyramid_print_text(const task *t, const pyramid_request *r);

/* ---- verify.c ---- */

/* Compares all levels with the scalar reference. */
int pyramid_verify(const pyramid_request *r, const pyramid_results *results, bool *differs);

#endif
