/* SPDX-License-Identifier: MIT */
/* Images of the tests: created, filled from the host, and read back as a shader sees them. */
#ifndef VKR_TESTS_IMAGES_H
#define VKR_TESTS_IMAGES_H

#include "harness.h"

/* A format, the aspect that is read, and the size in bytes of one texel of that aspect in a
 * copy. */
typedef struct image_format {
    VkFormat format;
    VkImageAspectFlagBits aspect;
    uint32_t bytes;
} image_format;

#define IMAGE_FORMATS 40u
extern const image_format image_formats[IMAGE_FORMATS];

typedef struct image_request {
    const image_format *format;
    VkImageViewType view_type;
    uint32_t width, height; /* of the level that is read */
    uint32_t layers;        /* or slices of a 3D image */
    uint32_t level;         /* the level that is read and the last one of the image */
    bool whole_view;        /* the view includes all levels, not only this one */
    VkImageLayout layout;
    VkImageUsageFlags usage; /* besides SAMPLED and TRANSFER_DST */
} image_request;

typedef struct test_image {
    VkImage image;
    VkDeviceMemory memory;
    VkImageView view;
    image_request request;
    VkrImage info; /* for the library: the whole level */
} test_image;

/* Whether the device supports such an image. */
bool image_supported(const harness *h, const image_request *request);

/* Allocates memory for an image and binds it. *memory is set even if binding fails. */
bool image_bind_memory(const harness *h, VkImage image, VkDeviceMemory *memory);

bool image_create(harness *h, const image_request *request, test_image *image);
void image_destroy(harness *h, test_image *image);

/* The size in bytes of all texels of the level, layer by layer. */
VkDeviceSize image_bytes(const image_request *request);

/* Fills in random texels: any value of the format, but depths between 0 and 1. Half of all float
 * values are finite and moderate. */
void image_fill(const image_request *request, uint64_t *random, void *texels);

/* Records a copy from a buffer to the level, after a transition from UNDEFINED; afterwards
 * COMPUTE_SHADER can read the level in its layout. */
void image_upload(harness *h, const test_image *image, VkBuffer buffer, VkDeviceSize offset);

/* ---- What texelFetch returns ---- */

typedef struct fetcher {
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkDescriptorSet sets[64];
    uint32_t used;
    VkPipeline pipelines[3][3]; /* f32, u32, i32; 2D, array, 3D */
} fetcher;

bool fetcher_open(harness *h, fetcher *f);
void fetcher_close(harness *h, fetcher *f);

/* Starts a new command buffer. All earlier ones must have executed. */
void fetcher_reset(fetcher *f);

/* Records a copy of the first `components` channels of the part of an image that the library would
 * read to a buffer: 4 bytes each, in the order of elements. */
void image_fetch(harness *h, fetcher *f, const VkrImage *image, uint32_t components,
                 VkBuffer buffer, VkDeviceSize offset, VkDeviceSize size);

#endif
