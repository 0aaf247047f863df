/* SPDX-License-Identifier: MIT */
/* --images: image_arms.c measures reductions, tiles and pyramids, images.c has the images and the
 * bare kernel, verify_images.c compares the results. */
#ifndef BENCH_IMAGES_H
#define BENCH_IMAGES_H

#include <stdio.h>
#include "device/image.h"
#include "kernel.h"
#include "state.h"

#define PICTURES 4u
#define CHAINS 2u          /* of values, and of pairs of a minimum and a maximum */
#define IMAGE_TILE 16u     /* width and height of a tile in texels */
#define FETCH_GROUPS 4096u /* maximum; each group writes minima and maxima of four channels */

/* An image with one view per level. */
typedef struct image_levels {
    gpu_image image;
    VkFormat format;
    uint32_t channels;
    uint32_t count;
    VkrImage levels[VKR_MAX_PYRAMID_LEVELS];
} image_levels;

/* An image that is read, and levels 1 to `count` of its pyramids. */
typedef struct picture {
    const char *name;
    VkExtent2D size;
    bool depth; /* f32 from 0 to 1, as D32; else RGBA8 */
    image_levels source;
    image_levels chains[CHAINS];
    uint32_t *texels; /* as stored */
    VkDescriptorSet set;
} picture;

struct images {
    picture pictures[PICTURES];
    kernel_layout layout;
    VkPipeline fetches[2]; /* [1]: a lane's texels are adjacent */
    uint32_t workgroup;
    uint32_t groups; /* maximum number of workgroups of a fetch */
};

static inline uint64_t texels_of(VkExtent2D size)
{
    return (uint64_t)size.width * size.height;
}

static inline const image_levels *chain_of(const struct images *s, const arm *a)
{
    const bool pair = a->info.ops == (VKR_OP_MIN | VKR_OP_MAX);
    return &s->pictures[a->image.picture].chains[pair];
}

static inline uint32_t rows_of_fetch(const struct images *s, VkExtent2D size)
{
    return (size.height + s->groups - 1) / s->groups;
}

/* ---- image_arms.c ---- */

/* Measures operations on images instead of all other arms. */
int images_measure(bench *b, FILE *json);

/* ---- images.c ---- */

/* The first two pictures have the first size. images_close may follow a failure. */
int images_create(bench *b, const VkExtent2D *sizes);
void images_close(bench *b);

/* Creates the descriptor sets of the bare kernels, which write to `copy`. */
int images_describe(bench *b);

/* ---- verify_images.c ---- */

/* Compares the outputs of an arm in `copied`: results and words at its start, or the levels of a
 * pyramid one after the other. */
void images_verify(const bench *b, row *r);

#endif
