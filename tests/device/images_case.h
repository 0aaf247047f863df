/* SPDX-License-Identifier: MIT */
/* One row of images.c, and its cases. */
#ifndef VKR_TESTS_IMAGES_CASE_H
#define VKR_TESTS_IMAGES_CASE_H

#include "images.h"
#include "reduce_case.h"

#define IMAGE_CASES 7 /* images of a row */

/* Sizes per image. */
#define TEXEL_BYTES (1u << 20) /* the copy of its level */
#define VALUE_BYTES (4u << 20) /* what texelFetch returns */
#define OUTPUT_BYTES 4096u
#define COUNT_BYTES 64u
#define FLAG_BYTES (1u << 16) /* the mask */

typedef struct image_row {
    VkrType type;
    VkrOpFlags ops;
    VkImageViewType shape;
    uint32_t components;
    VkrReduceAlgorithm algorithm;
    VkrDeterminism determinism;
    limits_row limits;
    VkrNan nan;
    VkrType accumulator;
    tuning_row tuning;
    VkrType gpu_count;   /* UNDEFINED: the host's */
    uint32_t map_number; /* 0: no map */
    VkrMap map;          /* weights of up to four components */
    bool masked;         /* by bits */
} image_row;

/* One image and its reduction. */
typedef struct image_case {
    test_image image;
    VkrReduceInfo info;
    VkrReduceLayout layout;
    VkrMap map;
    uint64_t texel_count, count;
    VkDeviceSize texel_offset, value_offset;
} image_case;

/* The type and the number of components that the operators see: a map makes one f32 of each
 * element. */
VkrType image_seen_type(const image_row *row);
uint32_t image_seen_components(const image_row *row);

/* Creates image k of a row, and describes its reduction. Returns false if the device supports no
 * suitable format. */
bool image_add_case(VkrContext context, const image_row *row, uint32_t k, image_case *c);

/* Compares the results of a case with the oracle's. */
void image_check_case(const image_row *row, const image_case *c);

extern reduce_test test;
extern harness_buffer values, outputs, counts, flags;

#endif
