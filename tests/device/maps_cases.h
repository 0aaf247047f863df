/* SPDX-License-Identifier: MIT */
/* The cases of maps.c. */
#ifndef VKR_TESTS_MAPS_CASES_H
#define VKR_TESTS_MAPS_CASES_H

#include "images.h"
#include "reduce_case.h"

typedef enum mask_kind {
    MASK_NONE,
    MASK_U32,
    MASK_U8,
    MASK_BITS,
    MASK_IMAGE,
    MASK_FLOAT_IMAGE,
    MASK_NOTHING, /* no bit is set */
} mask_kind;

typedef struct map_case {
    const char *name;
    const image_format *format; /* NULL: the input is a buffer */
    VkrType type;               /* of a buffer's elements */
    uint32_t components;
    uint32_t width, height, layers;
    uint32_t tile_width, tile_height; /* 0: all elements together */
    VkrSegmentKind kind;
    VkrOpFlags ops;
    VkrReduceAlgorithm algorithm;
    VkrDeterminism determinism;
    VkrNan nan;
    bool mapped;
    VkrMap map;
    mask_kind mask;
    limits_row limits;
    VkrType gpu_count;
    VkDeviceSize stride; /* of a buffer's elements; 0: packed */
} map_case;

/* The last case has no name. */
extern const map_case map_cases[];

#endif
