/* SPDX-License-Identifier: MIT */
/* The parameters of a pyramid. */
#ifndef RUNNER_PYRAMID_REQUEST_H
#define RUNNER_PYRAMID_REQUEST_H

#include "commands/pyramid/options.h"
#include "input/input.h"

typedef struct pyramid_request {
    const pyramid_options *opts;
    input in;
    VkrOpFlags ops;
    VkExtent2D size;
    VkExtent2D extents[VKR_MAX_PYRAMID_LEVELS];
    uint32_t count; /* of levels */
} pyramid_request;

/* The first parses operators, without a device; the second opens the picture. */
int pyramid_parse_ops(const char *text, VkrOpFlags *ops);
int pyramid_open_picture(pyramid_request *r, const char *name, const gpu *g);

static inline uint64_t pyramid_texels(VkExtent2D size)
{
    return (uint64_t)size.width * size.height;
}

#endif
