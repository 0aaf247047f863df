/* SPDX-License-Identifier: MIT */
/*
 * The card of pyramid_tiles.comp and pyramid_halves.comp: several levels of a pyramid at once. A
 * workgroup reads a tile of the source, and the texels that it needs of neighbouring tiles, and
 * makes its texels of the first levels. With FEW, a number of levels that every device can bind,
 * workgroups exchange nothing. With MANY and HALVES, the workgroup of a layer that finishes last
 * makes the other levels, from texels that all workgroups have stored in scratch memory. HALVES
 * needs no texels of neighbouring tiles, since the tiles' levels have exactly half the size of the
 * ones below.
 */
#define VKR_CARD(name) vkr_pyramid_tiles_##name
#define VKR_NAME(name) VKR_PYRAMID_TILES_##name
#include "texel.h"

#define VKR_PYRAMID_FEW 4
#define VKR_PYRAMID_MANY 12

BEGIN_CONSTANTS
VKR_TEXEL_CONSTANTS
END_CONSTANTS

BEGIN_PUSH
PUSH(x) /* of the source: its first texel, layer and level */
PUSH(y)
PUSH(layer)
PUSH(lod)
PUSH(width)
PUSH(height)
PUSH(tiles_x) /* in a row */
PUSH(tiles)   /* in a layer */
PUSH(groups)  /* workgroups that have work; the dispatch can have more */
PUSH(levels)  /* of a tile */
PUSH(total)   /* levels, with those that the last workgroup makes */
PUSH(scratch_base)
PUSH(counter_base)
END_PUSH

BEGIN_BINDINGS
SAMPLED_IMAGE(SOURCE, 0, ALL, vkr_source)
STORAGE_IMAGE(LEVEL1, 1, ALL, vkr_level_1)
STORAGE_IMAGE(LEVEL2, 2, ALL, vkr_level_2)
STORAGE_IMAGE(LEVEL3, 3, ALL, vkr_level_3)
STORAGE_IMAGE(LEVEL4, 4, ALL, vkr_level_4)
STORAGE_IMAGE(LEVEL5, 5, ~IN(PYRAMID_FEW), vkr_level_5)
STORAGE_IMAGE(LEVEL6, 6, ~IN(PYRAMID_FEW), vkr_level_6)
STORAGE_IMAGE(LEVEL7, 7, ~IN(PYRAMID_FEW), vkr_level_7)
STORAGE_IMAGE(LEVEL8, 8, ~IN(PYRAMID_FEW), vkr_level_8)
STORAGE_IMAGE(LEVEL9, 9, ~IN(PYRAMID_FEW), vkr_level_9)
STORAGE_IMAGE(LEVEL10, 10, ~IN(PYRAMID_FEW), vkr_level_10)
STORAGE_IMAGE(LEVEL11, 11, ~IN(PYRAMID_FEW), vkr_level_11)
STORAGE_IMAGE(LEVEL12, 12, ~IN(PYRAMID_FEW), vkr_level_12)
COHERENT(SCRATCH, 13, ~IN(PYRAMID_FEW), uint, vkr_scratch)
COHERENT(COUNTER, 14, ~IN(PYRAMID_FEW), uint, vkr_counter)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_PYRAMID_SLOT_SCRATCH, SCRATCH, CHANGE, ITEMS, AT(scratch_base), 0)
SLOT(VKR_PYRAMID_SLOT_COUNTER, COUNTER, CHANGE, ITEMS, AT(counter_base), 0)
END_SLOTS

KERNEL(PYRAMID_FEW, 0, vkr_pyramid_few_card, ALL_CONSTANTS, 0)
KERNEL(PYRAMID_MANY, 1, vkr_pyramid_many_card, ALL_CONSTANTS, 0)
KERNEL(PYRAMID_HALVES, 2, vkr_pyramid_halves_card, ALL_CONSTANTS, 0)
#include "end.h"
