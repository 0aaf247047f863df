/* SPDX-License-Identifier: MIT */
/* What a request of pyramids has of its own. */
#ifndef VKR_TESTS_PYRAMID_REQUEST_H
#define VKR_TESTS_PYRAMID_REQUEST_H

#include "engine.h"
#include "pyramids.h"

#define PAIR (VKR_OP_MIN | VKR_OP_MAX)

typedef struct pyramid_case {
    VkFormat source;
    VkImageAspectFlagBits aspect;
    VkFormat level;
    VkrOpFlags ops;
    VkImageViewType shape;
    VkrPyramidFirst first;
    VkrPyramidAlgorithm algorithm;
    VkExtent2D size;
    uint32_t layers;
    bool whole; /* all levels of a whole image, without random choices */
} pyramid_case;

typedef struct pyramid_request {
    test_texture source;
    test_levels levels;
    VkExtent2D part; /* of the source that is read */
    VkrPyramidInfo info;
} pyramid_request;

/* ---- pyramid.c ---- */

bool pyramid_stores_narrow(void);

/* ---- pyramid_place.c ---- */

const image_format *find_image_format(VkFormat format, VkImageAspectFlagBits aspect);

/* Creates the images of a request, which the device supports. */
void pyramid_place(test_request *t, const pyramid_case *c);

#define PYRAMID_FEW 15u /* the first group of fixed requests */
bool pyramid_make_few(test_request *t, uint32_t number);
bool pyramid_make_large(test_request *t, uint32_t number);
bool pyramid_make_halves(test_request *t, uint32_t number);
void pyramid_test_few_images(void **state);

/* ---- pyramid_sizes.c ---- */

void pyramid_test_sizes(void **state);

#endif
