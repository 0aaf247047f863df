/* SPDX-License-Identifier: MIT */
/* The card of write.comp, which writes results of tiles as texels of an image. An invocation writes
 * the results of one tile as one texel, which is rounded like a minimum in pyramids. */
#define VKR_CARD(name) vkr_write_##name
#define VKR_NAME(name) VKR_WRITE_##name
#include "texel.h"

BEGIN_CONSTANTS
VKR_TEXEL_CONSTANTS
END_CONSTANTS

#define VKR_WRITE_BFLOAT 3u /* two bytes: a bfloat */

BEGIN_PUSH
PUSH4(at) /* of each channel's result, in bytes from the start of a tile's results */
/* Bytes of each channel's result: 1, 2, 4 or VKR_WRITE_BFLOAT; 0: there is no such channel. */
PUSH4(size)
PUSH(base)    /* of the dispatch's first tile, in bytes */
PUSH(stride)  /* bytes from a tile's results to those of the next */
PUSH(first)   /* tile of the dispatch */
PUSH(count)   /* tiles */
PUSH(groups)  /* workgroups that have work; the dispatch can have more */
PUSH(columns) /* tiles side by side */
PUSH(rows)    /* of tiles in a layer */
END_PUSH

BEGIN_BINDINGS
BUFFER(RESULTS, 0, ALL, uint, vkr_results)
STORAGE_IMAGE(IMAGE, 1, ALL, vkr_written)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_WRITE_SLOT_RESULTS, RESULTS, READ, GRANULES, AT(base), AT(stride))
END_SLOTS

KERNEL(WRITE, 0, vkr_write_card, ALL_CONSTANTS, 0)
#include "end.h"
