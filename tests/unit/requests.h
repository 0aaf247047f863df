/* SPDX-License-Identifier: MIT */
/* Requests on images that several tests start from. */
#ifndef VKR_TESTS_REQUESTS_H
#define VKR_TESTS_REQUESTS_H

#include "trace.h"

/* One layer of a level of an image. */
VkrImage image_of(char letter, uint32_t level, VkFormat format, uint32_t width, uint32_t height);

/* Image I: layers 2 and 3 of an array of four, of which a rectangle of 30 x 20 texels is read. */
VkrImage layered_image(void);

/* Image O, whose texels are the tiles of 4 x 4 texels of that image. */
VkrImage tiled_image(void);

/* Image M of 50 x 20 texels, a mask for 1,000 elements. */
VkrImage mask_image(void);

/* A histogram of 1,000 f32 at byte 256 of A, weighted by f32, in 100 even bins from 0 to 10. */
VkrHistogramInfo plain_histogram(void);

typedef struct pyramid_request {
    VkrPyramidInfo info;
    VkrImage levels[VKR_MAX_PYRAMID_LEVELS];
} pyramid_request;

/* A pyramid of the means of an image of 40 x 24 texels, with three levels. */
void make_pyramid(pyramid_request *r);

/* Gives the pyramid `count` levels of the sizes that its source requires. */
void make_levels(pyramid_request *r, VkFormat format, uint32_t count);

/* Records this request alone, which must succeed, and ends the recording. */
void record_reduce(const VkrReduceInfo *info);
void record_pyramid(const VkrPyramidInfo *info);

#endif
