/* SPDX-License-Identifier: MIT */
/* How the sample splats draws by tiles, each of which blends a list of its own. */
#ifndef TILES_H
#define TILES_H

#include "scene.h"

typedef struct tiles {
    uint32_t capacity; /* of pairs of a tile and a splat */
    /* Of a pair: the position of the splat, its number among those of the splat, and its key. */
    buffer sources, ranks, pairs;
    buffer numbers;
    buffer sorted, listed; /* keys and splats in their order */
    buffer firsts, starts; /* the least key of each tile, and where its list starts; one more */
    buffer readback;       /* starts, and the list */
    descriptor_set set;
    VkPipelineLayout layout;
    VkPipeline keys, draw;
} tiles;

tiles create_tiles(const gpu *g, const scene *s);
void destroy_tiles(const gpu *g, const tiles *t);

/* Lists the splats of each tile, from the farthest to the nearest one. */
void list_splats(VkCommandBuffer cmd, VkrRecorder recorder, const scene *s, const tiles *t);
/* Draws to the target, which rendering has begun. */
void draw_tiles(VkCommandBuffer cmd, const tiles *t);
/* Copies what the host checks. */
void copy_tiles(VkCommandBuffer cmd, const tiles *t);

#endif
