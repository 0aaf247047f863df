/* SPDX-License-Identifier: MIT */
/* Reductions, tiles and pyramids of images: images.c measures them, verify_images.c compares. */
#ifndef BENCH_IMAGES_H
#define BENCH_IMAGES_H

#include "parts.h"

#define PICTURES 4u
#define CHAINS 2u          /* levels of the values, and of pairs of minima and maxima */
#define IMAGE_TILE 16u     /* elements of a tile, in each direction */
#define FETCH_GROUPS 4096u /* at most; each leaves minima and maxima of four channels */

/* An image whose levels have views of their own. */
typedef struct image_levels {
    VkFormat format;
    uint32_t channels;
    uint32_t count;
    VkImage image;
    VkDeviceMemory memory;
    VkrImage levels[VKR_MAX_PYRAMID_LEVELS];
} image_levels;

/* What is read, and levels 1 to `count` of its pyramids. */
typedef struct picture {
    const char *name;
    VkExtent2D size;
    bool depth; /* f32 from 0 to 1, as D32; else RGBA8 */
    image_levels source;
    image_levels chains[CHAINS];
    uint32_t *texels; /* as they are stored */
    VkDescriptorSet set;
} picture;

struct images {
    picture pictures[PICTURES];
    VkDescriptorSetLayout set_layout;
    VkPipelineLayout layout;
    VkDescriptorPool pool;
    VkPipeline fetches[2]; /* lanes side by side, and a lane's texels */
    uint32_t workgroup;
    uint32_t groups; /* of a fetch, at most */
};

static inline uint64_t texels_of(VkExtent2D size)
{
    return (uint64_t)size.width * size.height;
}

static inline const image_levels *chain_of(const images *s, const arm *a)
{
    const bool pair = a->info.ops == (VKR_OP_MIN | VKR_OP_MAX);
    return &s->pictures[a->image.picture].chains[pair];
}

static inline uint32_t rows_of_fetch(const images *s, VkExtent2D size)
{
    return (size.height + s->groups - 1) / s->groups;
}

/* ---- images.c ---- */

/* The first two pictures have the first size. images_close, in parts.h, may follow a failure. */
int images_create(bench *b, const VkExtent2D *sizes);

/* Makes `copy` what bare kernels write to. */
int images_describe(bench *b);

/* ---- verify_images.c ---- */

/* Compares what an arm left, which lies in `copied`: results and words from the start, levels of a
 * pyramid one behind the other. */
void images_verify(const bench *b, row *r);

#endif
