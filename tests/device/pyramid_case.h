/* SPDX-License-Identifier: MIT */
/* One pyramid of a recording: its source and its levels. */
#ifndef VKR_TESTS_PYRAMID_CASE_H
#define VKR_TESTS_PYRAMID_CASE_H

#include "pyramids.h"
#include "reduce_case.h"

#define PAIR (VKR_OP_MIN | VKR_OP_MAX)
#define COLOR VK_IMAGE_ASPECT_COLOR_BIT
#define NONE VK_FORMAT_UNDEFINED
#define CASES 8

/* A source format with its aspect, and the formats of levels with one value and with a pair (NONE:
 * not tested). Two of these make a row: one is chosen at random; if the device does not support
 * it, the other one is used. */
typedef struct format_row {
    VkFormat source;
    VkImageAspectFlagBits aspect;
    VkFormat level, pair;
} format_row;

typedef struct pyramid_case {
    VkrPyramidInfo info;
    test_image source;
    level_chain chain;
    bool together;   /* the source is level 0 of the levels' image */
    uint32_t first;  /* the level of the chain that is the first to be written */
    VkExtent2D part; /* the part of the source that is read */
    uint32_t channels;
    VkDeviceSize texels, values, levels; /* their offsets in their buffers */
} pyramid_case;

typedef struct case_request {
    const format_row *formats;
    VkrOpFlags ops;
    VkImageViewType shape;
    VkrPyramidFirst first;
    VkrPyramidAlgorithm algorithm;
    VkExtent2D size;
    uint32_t layers;
    bool whole; /* all levels of a whole image, without random choices */
} case_request;

const image_format *find_image_format(const format_row *row);
bool create_case(const case_request *r, pyramid_case *c);
void run_cases(VkrRecorder recorder, pyramid_case *cases, uint32_t count);
void test_sizes(void **state);
void test_large(void **state);
void test_halves(void **state);
void test_few_images(void **state);

VkFormat level_of(const format_row *row, VkrOpFlags ops);
extern reduce_test test;
extern fetcher fetch;
extern harness_buffer texels, values, levels;

#endif
