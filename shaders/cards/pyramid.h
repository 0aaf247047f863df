/* SPDX-License-Identifier: MIT */
/* The card of pyramid.comp: one level of a pyramid. An invocation makes RUN texels of a row.
 * Workgroups make tiles of the level, row by row. */
#define VKR_CARD(name) vkr_pyramid_##name
#define VKR_NAME(name) VKR_PYRAMID_##name
#include "texel.h"

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
PUSH(level_width) /* of the level that is made */
PUSH(level_height)
PUSH(tiles_x) /* in a row */
PUSH(tiles)   /* in a layer */
PUSH(groups)  /* workgroups that have work; the dispatch can have more */
END_PUSH

BEGIN_BINDINGS
SAMPLED_IMAGE(SOURCE, 0, ALL, vkr_source)
STORAGE_IMAGE(LEVEL, 1, ALL, vkr_level)
END_BINDINGS

BEGIN_SLOTS
END_SLOTS

KERNEL(PYRAMID, 0, vkr_pyramid_card, ALL_CONSTANTS, 0)
#include "end.h"
