/* SPDX-License-Identifier: MIT */
/* What tiles.c reduces. */
#ifndef VKR_TESTS_TILES_CASES_H
#define VKR_TESTS_TILES_CASES_H

#include "images.h"
#include "reduce_case.h"

typedef struct tile_case {
    const char *name;
    const image_format *format; /* NULL: a buffer */
    VkrType type;               /* of a buffer */
    uint32_t components;
    uint32_t width, height, layers;
    uint32_t tile_width, tile_height;
    VkrOpFlags ops;
    VkrReduceAlgorithm algorithm;
    VkrDeterminism determinism;
    limits_row limits;
    VkrType gpu_count;
    VkDeviceSize stride; /* of a buffer; 0: packed */
    VkFormat output;     /* UNDEFINED: results go to a buffer only */
} tile_case;

/* Ends with a case without a name. */
extern const tile_case tile_cases[];

#endif
