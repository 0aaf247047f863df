/* SPDX-License-Identifier: MIT */
/* The parts of the command pyramid: pyramid.c runs it, pyramid_files.c writes, verify_pyramid.c
 * compares. */
#ifndef RUNNER_PYRAMID_H
#define RUNNER_PYRAMID_H

#include "commands/pyramid/options.h"
#include "device/image.h"
#include "input/input.h"

/* One chain of levels; of a pair it holds minima and maxima. */
typedef struct pyramid_chain {
    VkrOpFlags ops;
    uint32_t lanes; /* channels of its images */
    gpu_image below, image;
    VkrImage source;
    VkrImage levels[VKR_MAX_PYRAMID_LEVELS];
    gpu_buffer upload, download;
} pyramid_chain;

typedef struct pyramid_job {
    const pyramid_options *opts;
    task task;
    input in;
    VkrOpFlags ops;
    VkExtent2D size;
    VkExtent2D extents[VKR_MAX_PYRAMID_LEVELS];
    uint32_t count; /* of levels */
    pyramid_chain chains[2];
    uint32_t chain_count;
    VkrRecorder recorder;
} pyramid_job;

static inline uint64_t pyramid_texels(VkExtent2D size)
{
    return (uint64_t)size.width * size.height;
}

/* Channels of a chain's source: half of those of a pair. */
static inline uint32_t source_lanes(const pyramid_chain *c)
{
    return c->ops == (VKR_OP_MIN | VKR_OP_MAX) ? c->lanes / 2 : c->lanes;
}

/* Whether a chain's values are floats: averages are, and those of pictures that have floats. */
static inline bool holds_floats(const pyramid_job *j, const pyramid_chain *c)
{
    return c->ops == VKR_OP_MEAN || j->in.type == VKR_TYPE_F32;
}

/* Words of a level in the chain's download, `lanes` to a texel. */
const uint32_t *pyramid_words(const pyramid_job *j, const pyramid_chain *c, uint32_t level);

/* Writes all levels of all operators as .npy, and as .png where the picture has integers. */
int pyramid_write(const pyramid_job *j);

/* Writes the value of the last level for one operator as JSON. */
void pyramid_print_value(const pyramid_job *j, VkrOp op);

/* Compares all levels with the scalar reference. */
int verify_pyramid(pyramid_job *j);

#endif
