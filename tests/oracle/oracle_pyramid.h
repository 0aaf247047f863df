/* SPDX-License-Identifier: MIT */
/*
 * The scalar reference of pyramids. A texel has a 32-bit number for each channel: the bits of its
 * f32 for float formats, otherwise the stored integer.
 */
#ifndef VKR_TESTS_ORACLE_PYRAMID_H
#define VKR_TESTS_ORACLE_PYRAMID_H

#include <stdbool.h>
#include <stdint.h>

#include "vkreduce/vkreduce.h"

typedef enum oracle_stored {
    ORACLE_FLOAT,
    ORACLE_UNORM,
    ORACLE_SNORM,
    ORACLE_UINT,
    ORACLE_SINT
} oracle_stored;

typedef struct oracle_pyramid {
    VkrOpFlags ops;
    oracle_stored stored; /* how the levels store numbers */
    uint32_t channels;    /* number of channels of the levels */
    uint32_t bits[4];     /* size of each channel of the levels */
} oracle_pyramid;

/* Texels of a level, row by row, with one number for each channel of the pyramid. */
typedef struct oracle_level {
    uint32_t width, height;
    uint32_t *texels;
} oracle_level;

/* Converts the source's texels, as texelFetch returns them (f32, u32 or i32; for pairs half as many
 * channels), to numbers of the levels. */
void oracle_pyramid_source(const oracle_pyramid *p, const uint32_t *fetched, oracle_level *source);

/* Computes a level from the one below. */
void oracle_pyramid_level(const oracle_pyramid *p, const oracle_level *below, oracle_level *level);

/* The number that the bits of a channel represent. */
uint32_t oracle_pyramid_number(const oracle_pyramid *p, uint32_t channel, uint32_t bits);

/* Whether two numbers are equal; narrow floats have many kinds of NaN. */
bool oracle_pyramid_same(const oracle_pyramid *p, uint32_t channel, uint32_t a, uint32_t b);

#endif
