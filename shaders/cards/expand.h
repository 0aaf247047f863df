/* SPDX-License-Identifier: MIT */
/*
 * The card of expansions. Sources lie in tiles, and tiles in blocks. TABLE has the record of a
 * compaction, whose kept elements are the outputs; then for each block the number of outputs before
 * it; then for each tile that of the outputs of its block before it. Both kinds stop at 2^32 - 1.
 */
#define VKR_CARD(name) vkr_expand_##name
#define VKR_NAME(name) VKR_EXPAND_##name

#define VKR_EXPAND_BLOCK 16u /* tiles */

BEGIN_CONSTANTS
WORKGROUP(64)
CONSTANT(FLAGS, 1, uint, 0)
CONSTANT(SUBGROUPS, 2, uint, 16) /* maximum number of subgroups of a workgroup */
CONSTANT(SOURCES, 3, uint, 4)    /* of an invocation in a tile */
CONSTANT(ITEMS, 4, uint, 16)     /* sources and outputs of an invocation: a power of two */
END_CONSTANTS

BEGIN_FLAGS
VKR_WALK_FLAGS
FLAG(STORES_SOURCES, 6)
FLAG(STORES_RANKS, 7)
FLAG(WINDOWS, 8) /* this is one of several windows of the outputs */
FLAG(STAGED, 9)  /* outputs are staged in shared memory */
FLAG(FOURS, 10)  /* counts are loaded four at a time */
END_FLAGS

/* A dispatch covers a window of sources, which starts with a block; and EXPAND one of outputs. */
BEGIN_PUSH
PUSH_WALK(groups, GROUPS)             /* workgroups that have work; the dispatch can have more */
PUSH_WALK(capacity_low, CAPACITY_LOW) /* sources of the whole operation, as the host knows */
PUSH_WALK(capacity_high, CAPACITY_HIGH)
PUSH_WALK(first_low, FIRST_LOW) /* index of this dispatch's first source */
PUSH_WALK(first_high, FIRST_HIGH)
PUSH_WALK(count, COUNT) /* sources of this dispatch */
PUSH(count_base)
PUSH(counts_base)
PUSH(counts_stride)
PUSH(table_base)
PUSH(blocks) /* of all sources, as the host knows */
PUSH(room)   /* outputs that can be stored */
PUSH(sources_base)
PUSH(sources_stride)
PUSH(ranks_base)
PUSH(ranks_stride)
PUSH_WALK_OF(stored_first, ANY_LOW, IN(EXPAND)) /* the window of outputs */
PUSH_WALK_OF(stored_count, ANY_COUNT, IN(EXPAND))
END_PUSH

BEGIN_BINDINGS
BUFFER(COUNTS, 0, ~IN(EXPAND_SPINE), uint, vkr_counts)
VIEW(0, uvec4, vkr_count_fours)
BUFFER(TABLE, 1, ALL, uint, vkr_table)
BUFFER(COUNT, 2, ~IN(EXPAND_SPINE), uint, vkr_count)
BUFFER(SOURCES, 3, IN(EXPAND), uint, vkr_sources)
BUFFER(RANKS, 4, IN(EXPAND), uint, vkr_ranks)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_EXPAND_SLOT_COUNTS, COUNTS, READ, ITEMS, AT(counts_base), AT(counts_stride))
SLOT(VKR_EXPAND_SLOT_TABLE, TABLE, CHANGE, ITEMS, AT(table_base), 0)
SLOT(VKR_EXPAND_SLOT_READ_TABLE, TABLE, READ, ITEMS, AT(table_base), 0)
SLOT(VKR_EXPAND_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
SLOT(VKR_EXPAND_SLOT_SOURCES, SOURCES, WRITE, WINDOW, AT(sources_base), AT(sources_stride))
SLOT(VKR_EXPAND_SLOT_RANKS, RANKS, WRITE, WINDOW, AT(ranks_base), AT(ranks_stride))
END_SLOTS

KERNEL(EXPAND_SUMS, 0, vkr_expand_sums_card, ALL_CONSTANTS, GIVES(WORKGROUP))
KERNEL(EXPAND_SPINE, 1, vkr_expand_spine_card, ALL_CONSTANTS, GIVES(WORKGROUP))
KERNEL(EXPAND, 2, vkr_expand_card, ALL_CONSTANTS, GIVES(WORKGROUP))
#include "end.h"
