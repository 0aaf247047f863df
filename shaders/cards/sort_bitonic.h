/* SPDX-License-Identifier: MIT */
/*
 * The card of documents/sort_bitonic.comp. The keys and the numbers of elements lie in scratch,
 * where dispatches compare and swap them; the first dispatch fills it, and the last one stores the
 * outputs.
 */
#include "order.h"

#define VKR_CARD(name) vkr_sort_bitonic_##name
#define VKR_NAME(name) VKR_SORT_BITONIC_##name

/* Values of STEP. A chunk is what a workgroup has room for in shared memory. */
#define VKR_BITONIC_SORT 0u  /* sorts each chunk */
#define VKR_BITONIC_MERGE 1u /* all strides within a chunk */
#define VKR_BITONIC_FLIP 2u  /* compares element i of each block with the i-th from its end */
#define VKR_BITONIC_STEP 3u  /* compares elements that are a stride apart */

BEGIN_CONSTANTS
WORKGROUP(64)
CONSTANT(FLAGS, 1, uint, 0)
CONSTANT(CHUNK, 2, uint, 128) /* a power of two, at least 2 */
CONSTANT(STEP, 3, uint, 0)
VKR_KEY_CONSTANTS(4)
END_CONSTANTS

BEGIN_FLAGS
VKR_WALK_FLAGS
FLAG(KEYS, 6)     /* keys are written */
FLAG(VALUES, 7)   /* values are written */
FLAG(CARRIED, 8)  /* values are read; otherwise they are indices in the row */
FLAG(FIRST, 9)    /* the dispatch reads the inputs */
FLAG(OUTPUTS, 10) /* it stores the outputs */
END_FLAGS

BEGIN_PUSH
PUSH(groups) /* of a row */
PUSH(rows)
PUSH(first_row)
PUSH(row_length)
PUSH(count)    /* elements of all rows, as far as the host knows */
PUSH(stride)   /* FLIP: half a block */
PUSH(mask_low) /* the bits of keys that are compared */
PUSH(mask_high)
PUSH(source_base)
PUSH(source_stride)
PUSH(keys_base)
PUSH(items_base)
PUSH(sorted_base)
PUSH(sorted_stride)
PUSH(values_base)
PUSH(values_stride)
PUSH(copy_base)
PUSH(ranked_base)
PUSH(ranked_stride)
PUSH(count_base)
END_PUSH

BEGIN_BINDINGS
BUFFER(SOURCE, 0, ALL, VkrUnit, vkr_source)
BUFFER(KEYS, 1, ALL, VkrUnit, vkr_keys)
BUFFER(ITEMS, 2, ALL, uint, vkr_items)
BUFFER(SORTED, 3, ALL, VkrUnit, vkr_sorted)
BUFFER(VALUES, 4, ALL, uint, vkr_values)
BUFFER(COPY, 5, ALL, uint, vkr_copy)
BUFFER(RANKED, 6, ALL, uint, vkr_ranked)
BUFFER(COUNT, 7, ALL, uint, vkr_count)
END_BINDINGS

/* COPY has the values as they were: the outputs may lie in their place. */
BEGIN_SLOTS
SLOT(VKR_SORT_BITONIC_SLOT_SOURCE, SOURCE, READ, ITEMS, AT(source_base), AT(source_stride))
SLOT(VKR_SORT_BITONIC_SLOT_KEYS, KEYS, CHANGE, ITEMS, AT(keys_base), 0)
SLOT(VKR_SORT_BITONIC_SLOT_ITEMS, ITEMS, CHANGE, ITEMS, AT(items_base), 0)
SLOT(VKR_SORT_BITONIC_SLOT_SORTED, SORTED, WRITE, ITEMS, AT(sorted_base), AT(sorted_stride))
SLOT(VKR_SORT_BITONIC_SLOT_VALUES, VALUES, READ, ITEMS, AT(values_base), AT(values_stride))
SLOT(VKR_SORT_BITONIC_SLOT_COPY, COPY, CHANGE, ITEMS, AT(copy_base), 0)
SLOT(VKR_SORT_BITONIC_SLOT_RANKED, RANKED, WRITE, ITEMS, AT(ranked_base), AT(ranked_stride))
SLOT(VKR_SORT_BITONIC_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
END_SLOTS

KERNEL(SORT_BITONIC, 0, vkr_sort_bitonic_card, ALL_CONSTANTS, GIVES(WORKGROUP))
#include "end.h"
