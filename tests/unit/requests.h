/* SPDX-License-Identifier: MIT */
/* Requests on images that several tests start from. */
#ifndef VKR_TESTS_REQUESTS_H
#define VKR_TESTS_REQUESTS_H

#include "trace.h"

/* One layer of a level of an image. */
VkrImage image_of(char letter, uint32_t level, VkFormat format, uint32_t width, uint32_t height);

/* Layers 2 and 3 of an array of four, image I, of which a rectangle of 30 x 20 is read. */
VkrImage layered_image(void);

/* The image O, which takes tiles of 4 x 4 of that image. */
VkrImage tiled_image(void);

/* An image M of 50 x 20 texels, as a mask of 1,000 elements. */
VkrImage mask_image(void);

/* 1,000 f32 at byte 256 of A, by weights that are f32, in 100 bins of 0 to 10. */
VkrHistogramInfo plain_histogram(void);

typedef struct pyramid_request {
    VkrPyramidInfo info;
    VkrImage levels[VKR_MAX_PYRAMID_LEVELS];
} pyramid_request;

/* The means of an image of 40 x 24 texels, with three levels. */
void make_pyramid(pyramid_request *r);

/* Gives the pyramid that many levels, as large as its source requires. */
void make_levels(pyramid_request *r, VkFormat format, uint32_t count);

/* Records the request alone, which must succeed, and ends the recording. */
void record_reduce(const VkrReduceInfo *info);
void record_pyramid(const VkrPyramidInfo *info);

#endif
