/* SPDX-License-Identifier: MIT */
/* The card of edges.comp, which computes tables of bins and clears counts. An invocation computes
 * one edge, and clears one word of the counts and one of those outside. */
#define VKR_CARD(name) vkr_edges_##name
#define VKR_NAME(name) VKR_EDGES_##name
#include "bins.h"

BEGIN_CONSTANTS
WORKGROUP(64)
CONSTANT(CLASS, 1, uint, VKR_CLASS_F32) /* VKR_CLASS_*; images have W32 too */
CONSTANT(SIGNED, 2, bool, false)
CONSTANT(FLAGS, 3, uint, 0)
END_CONSTANTS

BEGIN_FLAGS
FLAG(CLOSED, 0) /* the last bin holds its upper edge */
FLAG(OF_GPU, 1) /* the source holds the bounds; the range is closed */
FLAG(STORED, 2) /* edges are stored too */
END_FLAGS

/* What the kernel is built for (VKR_EDGES_KIND): three values of VkrBinKind. INTEGERS is built as
 * EVEN, too. */
#define VKR_EVEN_EDGES 0
#define VKR_LOG2_EDGES 1
#define VKR_GIVEN_EDGES 2

BEGIN_PUSH
PUSH(low_at) /* in the source, in bytes: lo of component 0, or edge 0 */
PUSH(high_at)
/* The host's bounds: for integers numbers of 96 bits, low words first, in two's complement; for
 * floats the two words of an f64. */
PUSH_ARRAY(low, 3)
PUSH_ARRAY(high, 3)
PUSH(bins)
PUSH(components) /* of elements */
PUSH(table_base)
PUSH(table_stride) /* as in histogram.h */
PUSH(output_base)
PUSH(counts_base)
PUSH(counts_words) /* to be cleared */
PUSH(outside_base)
PUSH(outside_words)
PUSH_WALK(groups, GROUPS) /* workgroups that have work; the dispatch can have more */
END_PUSH

BEGIN_BINDINGS
BUFFER(SOURCE, 0, ALL, VkrUnit, vkr_source) /* words, which hold bounds or edges */
BUFFER(TABLE, 1, ALL, uint, vkr_table)
BUFFER(OUTPUT, 2, ALL, uint, vkr_output) /* words of edges */
BUFFER(COUNTS, 3, ALL, uint, vkr_counts)
BUFFER(OUTSIDE, 4, ALL, uint, vkr_outside)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_EDGES_SLOT_SOURCE, SOURCE, READ, ITEMS, AT(low_at), 0)
SLOT(VKR_EDGES_SLOT_TABLE, TABLE, WRITE, GRANULES, AT(table_base), 0)
SLOT(VKR_EDGES_SLOT_OUTPUT, OUTPUT, WRITE, ITEMS, AT(output_base), 0)
/* Counts that are cleared: those of bins, and those outside. */
SLOT(VKR_EDGES_SLOT_CLEARED, COUNTS, WRITE, ITEMS, AT(counts_base), 0)
SLOT(VKR_EDGES_SLOT_CLEARED_OUTSIDE, OUTSIDE, WRITE, ITEMS, AT(outside_base), 0)
END_SLOTS

KERNEL(EDGES, 0, vkr_edges_card, ALL_CONSTANTS, 0)
#include "end.h"
