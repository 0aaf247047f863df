/* SPDX-License-Identifier: MIT */
/*
 * Tiles of an image, or of a buffer that is seen as rows: reductions of each (tiles.c), whose
 * results may become texels (tile_image.c), and of the whole by way of squares (squares.c). Their
 * passes are of one kind (tile_pass.c).
 */
#ifndef VKR_TILES_H
#define VKR_TILES_H

#include "segment.h"

/* A pass over tiles: those of elements, those of partials in rows (`squares`), or those whose parts
 * have left partials. */
typedef struct vkr_tile_pass {
    const vkr_reduce *reduce;
    const vkr_tiles *tiles;
    uint64_t count;       /* of tiles */
    bool squares;         /* tiles are of one whole: VKR_TILE_FLAG_SQUARES */
    bool partials;        /* the pass reads partials, else elements */
    bool results;         /* it leaves results, else partials */
    uint32_t team;        /* as VKR_TILE_CONST_TEAM */
    uint64_t parts;       /* of a tile */
    uint64_t part_length; /* elements */
    vkr_place source;     /* of partials that are read */
    vkr_place target;     /* of partials that are left */
} vkr_tile_pass;

/* ---- tile_pass.c ---- */

VkrResult vkr_add_tile_pass(VkrRecorder recorder, const vkr_tile_pass *pass);

/* ---- tile_image.c ---- */

/* Where results become texels: takes scratch memory for them, and adds what writes them. Else
 * nothing happens. */
VkrResult vkr_place_tile_results(VkrRecorder recorder, vkr_reduce *reduce);
VkrResult vkr_write_tile_image(VkrRecorder recorder, const vkr_reduce *reduce);

#endif
