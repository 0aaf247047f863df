/* SPDX-License-Identifier: MIT */
/* What maps.c reduces. */
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
    MASK_NOTHING, /* bits of which none is set */
} mask_kind;

typedef struct map_case {
    const char *name;
    const image_format *format; /* NULL: a buffer */
    VkrType type;               /* of a buffer */
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
    VkDeviceSize stride; /* of a buffer; 0: packed */
} map_case;

/* Ends with a case without a name. */
extern const map_case map_cases[];

#endif
