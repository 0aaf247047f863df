/* SPDX-License-Identifier: MIT */
/* The card of tile.comp: reductions of tiles of a buffer or an image, and of images by squares. */
#define VKR_CARD(name) vkr_tile_##name
#define VKR_NAME(name) VKR_TILE_##name

BEGIN_CONSTANTS
VKR_REDUCTION_CONSTANTS
VKR_WALK_CONSTANTS
CONSTANT(TEAM, 11, uint, 0) /* 0: a workgroup reduces a tile; 1: an invocation does */
END_CONSTANTS

BEGIN_FLAGS
VKR_WALK_FLAGS
VKR_OPERATOR_FLAGS
/* Tiles are parts of one whole: indices and the count are those of the whole, and the partials that
 * are read lie in rows, as elements do. */
FLAG(SQUARES, 27)
/* The dispatch's grid is that of the tiles: an invocation gets column and row from its position.
 * Otherwise it computes them from the tile's index. */
FLAG(GRID, 28)
END_FLAGS

/* Tiles are numbered row by row and then layer by layer. Each has `parts` parts, which become
 * partials if there are several. */
BEGIN_PUSH
PUSH(input_base) /* of the first element of the dispatch's first row of tiles */
PUSH(input_stride)
PUSH(input2_base)
PUSH(input2_stride)
PUSH(first_tile)          /* of the dispatch */
PUSH(first_row)           /* the row of elements, across all layers, whose first element is at
                           * input_base */
PUSH(ids)                 /* parts, or tiles whose partials are combined */
PUSH_WALK(groups, GROUPS) /* workgroups that have work */
PUSH(items)               /* ids of a workgroup, or of an invocation */
PUSH(count_base)
PUSH(partials_base)
PUSH(stored_base)
PUSH(output_base)
PUSH(output_stride) /* units, from a tile's results to those of the next */
PUSH(mask_base)     /* the bit of the first element of the dispatch's first row of tiles */
PUSH_WALK_OF(load_base, LOAD, IN(TILE)) /* of the first unit of that row, in packs */
PUSH_WALK_OF(load2_base, LOAD2, IN(TILE))
END_PUSH

BEGIN_UNIFORMS
UNIFORM4(origin) /* of an image, as in image.h */
UNIFORM4(weights)
UNIFORM(width)  /* of the rows that are divided into tiles */
UNIFORM(height) /* rows in a layer */
UNIFORM(tile_width)
UNIFORM(tile_height)
UNIFORM(columns) /* tiles side by side */
UNIFORM(rows)    /* of tiles in a layer */
UNIFORM(parts)
UNIFORM(part_length)  /* elements */
UNIFORM(capacity_low) /* as in reductions of one whole */
UNIFORM(capacity_high)
UNIFORM(bias) /* as in image.h */
END_UNIFORMS

BEGIN_BINDINGS
BUFFER(INPUT, 0, IN(TILE), VkrStored, vkr_input)
VIEW(0, VkrLoad, vkr_loads)
BUFFER(INPUT2, 1, IN(TILE), VkrStored, vkr_input2)
VIEW(1, VkrLoad, vkr_loads2)
BUFFER(COUNT, 2, ALL, uint, vkr_count)
COHERENT(PARTIALS, 3, ALL, uint, vkr_partials)
COHERENT(STORED, 4, ALL, uint, vkr_stored)
BUFFER(OUTPUT, 5, ALL, VkrOutputUnit, vkr_output)
BUFFER(MASK, 7, ALL, uint, vkr_mask) /* words of bits */
SAMPLED_IMAGE(IMAGE, VKR_BINDING_IMAGE, IN(TILE_IMAGE), vkr_image)
UNIFORM_BLOCK(ALL, vkr_tile_uniforms)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_TILE_INPUT, INPUT, READ, ITEMS, AT(input_base), AT(input_stride))
SLOT(VKR_TILE_INPUT2, INPUT2, READ, ITEMS, AT(input2_base), AT(input2_stride))
SLOT(VKR_TILE_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
SLOT(VKR_TILE_PARTIALS, PARTIALS, READ, GRANULES, AT(partials_base), 0)
SLOT(VKR_TILE_STORED, STORED, WRITE, GRANULES, AT(stored_base), 0)
SLOT(VKR_TILE_RESULTS, OUTPUT, WRITE, WINDOW, AT(output_base), AT(output_stride))
SLOT(VKR_TILE_MASK, MASK, READ, ITEMS, AT(mask_base), 0)
END_SLOTS

KERNEL(TILE, 0, vkr_tile_card, ALL_CONSTANTS, GIVEN)
KERNEL(TILE_IMAGE, 1, vkr_tile_image_card, ALL_CONSTANTS, GIVEN)
#include "end.h"
