/* SPDX-License-Identifier: MIT */
/* The card of the kernels of stream reduction in documents/, except marks.comp, which has the card
 * of compactions. */
#define VKR_CARD(name) vkr_stream_##name
#define VKR_NAME(name) VKR_STREAM_##name

#define VKR_STREAM_ROW 8u /* invocations that copy the segment of a block */

BEGIN_CONSTANTS
WORKGROUP(64)
/* Units of an element, VKR_UNIT_BYTES each; in block_scan.comp, the nodes of a block that it scans
 * by the algorithm of Hillis and Steele. */
CONSTANT(UNITS, 1, uint, 1)
CONSTANT(FLAGS, 2, uint, 0) /* in sums.comp: VKR_PASS_* */
CONSTANT(SHIFT, 3, uint, 6) /* log2 of a block's elements */
END_CONSTANTS

BEGIN_FLAGS
FLAG(VALUES, 0)
FLAG(INDICES, 1)
FLAG(INDICES64, 2) /* as written; in blocks an index has one word */
FLAG(APPEND, 3)    /* positions start at the record's */
FLAG(IN_BLOCKS, 4)
FLAG(WHILE, 5) /* VKR_STREAM_SEARCH_WHILE */
FLAG(BY_ELEMENT, 6)
END_FLAGS

BEGIN_PUSH
PUSH_WALK(groups, GROUPS) /* workgroups that have work */
PUSH_WALK(count, COUNT)   /* elements */
PUSH(trips)               /* of a search with a fixed number of trips */
PUSH(source_base)
PUSH(source_stride)
PUSH(sums_base)
PUSH(totals_base)
PUSH(blocks_base)
PUSH(block_indices_base)
PUSH(kept_base)
PUSH(kept_stride)
PUSH(kept_count) /* positions */
PUSH(indices_base)
PUSH(indices_stride)
PUSH(record_base)
PUSH(index_low) /* of element 0, as it is written */
PUSH(index_high)
/* Sums by passes: from SUMS to TOTALS. */
PUSH(distance) /* between the two words that are added */
PUSH(pairs)    /* of the tree's nodes at that distance */
PUSH(is_root)
END_PUSH

BEGIN_BINDINGS
BUFFER(SOURCE, 0, IN(GATHER) | IN(SEQUENTIAL), VkrUnit, vkr_source)
BUFFER(SUMS, 1, ~IN(CONCATENATE), uint, vkr_marks) /* marks, or their sums */
BUFFER(TOTALS, 2, ~IN(GATHER), uint, vkr_totals)
BUFFER(BLOCKS, 3, ~IN(SUMS), VkrUnit, vkr_blocks) /* compacted blocks, each at its own place */
BUFFER(BLOCK_INDICES, 4, ~IN(SUMS), uint, vkr_block_indices)
BUFFER(KEPT, 5, IN(GATHER) | IN(CONCATENATE), VkrUnit, vkr_kept)
BUFFER(INDICES, 6, IN(GATHER) | IN(CONCATENATE), uint, vkr_indices)
BUFFER(RECORD, 7, IN(GATHER) | IN(CONCATENATE), uint, vkr_record)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_STREAM_SLOT_SOURCE, SOURCE, READ, ITEMS, AT(source_base), AT(source_stride))
SLOT(VKR_STREAM_SLOT_SUMS, SUMS, READ, ITEMS, AT(sums_base), 0)
SLOT(VKR_STREAM_SLOT_SCANNED, SUMS, CHANGE, ITEMS, AT(sums_base), 0) /* in place */
SLOT(VKR_STREAM_SLOT_TOTALS, TOTALS, READ, ITEMS, AT(totals_base), 0)
SLOT(VKR_STREAM_SLOT_TOTALS_STORED, TOTALS, WRITE, ITEMS, AT(totals_base), 0)
SLOT(VKR_STREAM_SLOT_TOTALS_SCANNED, TOTALS, CHANGE, ITEMS, AT(totals_base), 0)
SLOT(VKR_STREAM_SLOT_BLOCKS, BLOCKS, READ, ITEMS, AT(blocks_base), 0)
SLOT(VKR_STREAM_SLOT_BLOCKS_STORED, BLOCKS, WRITE, ITEMS, AT(blocks_base), 0)
SLOT(VKR_STREAM_SLOT_BLOCK_INDICES, BLOCK_INDICES, READ, ITEMS, AT(block_indices_base), 0)
SLOT(VKR_STREAM_SLOT_BLOCK_INDICES_STORED, BLOCK_INDICES, WRITE, ITEMS, AT(block_indices_base), 0)
SLOT(VKR_STREAM_SLOT_KEPT, KEPT, WRITE, ITEMS, AT(kept_base), AT(kept_stride))
SLOT(VKR_STREAM_SLOT_INDICES, INDICES, WRITE, ITEMS, AT(indices_base), AT(indices_stride))
SLOT(VKR_STREAM_SLOT_RECORD, RECORD, CHANGE, ITEMS, AT(record_base), 0)
END_SLOTS

KERNEL(SUMS, 0, vkr_sums_card, ALL_CONSTANTS, 0) /* and block_scan.comp */
KERNEL(GATHER, 1, vkr_gather_card, ALL_CONSTANTS, 0)
KERNEL(SEQUENTIAL, 2, vkr_sequential_card, ALL_CONSTANTS, 0)
KERNEL(CONCATENATE, 3, vkr_concatenate_card, ALL_CONSTANTS, 0)
#include "end.h"
