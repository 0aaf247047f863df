/* SPDX-License-Identifier: MIT */
/* The card of transpose.comp. A matrix of `rows` rows of `columns` elements each becomes one of
 * `columns` rows. A workgroup moves a tile by way of shared memory. */
#define VKR_CARD(name) vkr_transpose_##name
#define VKR_NAME(name) VKR_TRANSPOSE_##name

#define VKR_TRANSPOSE_TILE_LOG2 10u
#define VKR_TRANSPOSE_TILE (1u << VKR_TRANSPOSE_TILE_LOG2) /* elements */
#define VKR_TRANSPOSE_RUN 32u  /* the side of a square tile; sides are powers of two */
#define VKR_TRANSPOSE_BATCH 4u /* elements that an invocation loads before it stores the first */

BEGIN_CONSTANTS
WORKGROUP(64)
CONSTANT(FLAGS, 1, uint, 0)
END_CONSTANTS

/* The number of elements in GPU memory counts those of rows of columns: of the source, or of the
 * target. */
BEGIN_FLAGS
SHARED_FLAG(GPU_COUNT, 3)
SHARED_FLAG(GPU_COUNT64, 4)
FLAG(TARGET, 5) /* it counts those of the target: those at or past it are not stored */
FLAG(DIRECT, 6) /* elements move without shared memory */
END_FLAGS

/* A dispatch covers bands of rows, each of which is as high as a tile, or tiles of one band; and a
 * window of the target. */
BEGIN_PUSH
PUSH_WALK(groups, GROUPS)         /* workgroups that have work; the dispatch can have more */
PUSH_WALK(capacity, CAPACITY_LOW) /* elements, as far as the host knows */
PUSH_WALK(first_band, ROW)
PUSH_WALK(first_tile, PART) /* of the first band */
PUSH(rows)
PUSH(columns)
PUSH(height_log2) /* of a tile */
PUSH(tiles)       /* of a band */
PUSH(apart)       /* elements of the source from one tile to the next, where a dispatch has a few */
PUSH(count_base)
PUSH(source_base)
PUSH(source_stride)
PUSH(target_base)
PUSH(target_stride)
PUSH_WALK(target_first, ANY_LOW) /* the first element of the window */
PUSH_WALK(target_count, ANY_COUNT)
PUSH(pad_low) /* what elements of the source are that do not exist */
PUSH(pad_high)
END_PUSH

BEGIN_BINDINGS
BUFFER(COUNT, 0, ALL, uint, vkr_count)
BUFFER(SOURCE, 1, ALL, VkrUnit, vkr_source)
BUFFER(TARGET, 2, ALL, VkrUnit, vkr_target)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_TRANSPOSE_SLOT_SOURCE, SOURCE, READ, ITEMS, AT(source_base), AT(source_stride))
SLOT(VKR_TRANSPOSE_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
SLOT(VKR_TRANSPOSE_SLOT_TARGET, TARGET, WRITE, WINDOW, AT(target_base), AT(target_stride))
END_SLOTS

KERNEL(TRANSPOSE, 0, vkr_transpose_card, ALL_CONSTANTS, 0)
#include "end.h"
