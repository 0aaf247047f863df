/* SPDX-License-Identifier: MIT */
/* The cases of tiles.c. */
#ifndef VKR_TESTS_TILES_CASES_H
#define VKR_TESTS_TILES_CASES_H

#include "images.h"
#include "reduce_case.h"

typedef struct tile_case {
    const char *name;
    const image_format *format; /* NULL: the input is a buffer */
    VkrType type;               /* of a buffer's elements */
    uint32_t components;
    uint32_t width, height, layers;
    uint32_t tile_width, tile_height;
    VkrOpFlags ops;
    VkrReduceAlgorithm algorithm;
    VkrDeterminism determinism;
    limits_row limits;
    VkrType gpu_count;
    VkDeviceSize stride; /* of a buffer's elements; 0: packed */
    VkFormat output;     /* UNDEFINED: results only go to a buffer */
} tile_case;

/* The last case has no name. */
extern const tile_case tile_cases[];

#endif
