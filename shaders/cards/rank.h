/* SPDX-License-Identifier: MIT */
/* The card of rank.comp, which orders the candidates of each row, and stores the first ones: all
 * elements of a short row, or those of a list. */
#include "order.h"

#define VKR_CARD(name) vkr_rank_##name
#define VKR_NAME(name) VKR_RANK_##name

BEGIN_CONSTANTS
WORKGROUP(256)
CONSTANT(FLAGS, 1, uint, 0)
VKR_KEY_CONSTANTS(2)
END_CONSTANTS

BEGIN_FLAGS
FLAG(LISTED, 0)  /* there is a list of the candidates' indices */
FLAG(VALUES, 1)  /* stores elements */
FLAG(INDICES, 2) /* stores indices for the caller */
SHARED_FLAG(GPU_COUNT, 3)
SHARED_FLAG(GPU_COUNT64, 4)
FLAG(FOUND, 5)  /* stores how many entries each row has */
FLAG(SORTED, 6) /* stores indices as a list */
FLAG(APART, 7)  /* there are other keys between those of two rows */
FLAG(SPANS, 8)  /* rows are segments between offsets (spans.h) */
END_FLAGS

/* A dispatch covers a window of rows. */
BEGIN_PUSH
PUSH_WALK(groups, GROUPS)         /* workgroups that have work; the dispatch can have more */
PUSH_WALK(capacity, CAPACITY_LOW) /* elements of all rows, as far as the host knows */
PUSH_WALK(first_row, ROW)
PUSH_WALK(rows, ROWS) /* of this dispatch */
PUSH(row_length)      /* elements of a row */
PUSH(row_pitch)       /* elements from one row to the next */
PUSH(keys_pitch)      /* keys from those of one row to those of the next */
PUSH(candidates)      /* of a row */
PUSH(wanted)          /* entries of a row in lists */
PUSH(pitch)           /* entries of a row in the caller's outputs */
PUSH(keys_base)
PUSH(keys_stride)
PUSH(count_base)
PUSH(list_base)
PUSH(sorted_base)
PUSH(values_base)
PUSH(values_stride)
PUSH(indices_base)
PUSH(indices_stride)
PUSH(found_base)
PUSH(spans_base)
END_PUSH

BEGIN_BINDINGS
BUFFER(KEYS, 0, ALL, VkrUnit, vkr_keys)
BUFFER(COUNT, 1, ALL, uint, vkr_count)
BUFFER(LIST, 2, ALL, uint, vkr_list)
BUFFER(SORTED, 3, ALL, uint, vkr_sorted)
BUFFER(VALUES, 4, ALL, VkrUnit, vkr_values)
BUFFER(INDICES, 5, ALL, uint, vkr_indices)
BUFFER(FOUND, 6, ALL, uint, vkr_found)
BUFFER(SPANS, 7, ALL, uint, vkr_spans)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_RANK_SLOT_KEYS, KEYS, READ, ITEMS, AT(keys_base), AT(keys_stride))
SLOT(VKR_RANK_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
SLOT(VKR_RANK_SLOT_LIST, LIST, READ, ITEMS, AT(list_base), 0)
SLOT(VKR_RANK_SLOT_SORTED, SORTED, WRITE, WINDOW, AT(sorted_base), 0)
SLOT(VKR_RANK_SLOT_VALUES, VALUES, WRITE, WINDOW, AT(values_base), AT(values_stride))
SLOT(VKR_RANK_SLOT_INDICES, INDICES, WRITE, WINDOW, AT(indices_base), AT(indices_stride))
SLOT(VKR_RANK_SLOT_FOUND, FOUND, WRITE, WINDOW, AT(found_base), 0)
SLOT(VKR_RANK_SLOT_SPANS, SPANS, READ, ITEMS, AT(spans_base), 0)
END_SLOTS

KERNEL(RANK, 0, vkr_rank_card, ALL_CONSTANTS, 0)
#include "end.h"
