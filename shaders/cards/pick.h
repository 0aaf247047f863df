/* SPDX-License-Identifier: MIT */
/* The card of pick.comp, which stores what a sort or a selection has left a list of indices of.
 * Rows of `row_length` elements, which start `row_pitch` elements apart, have `wanted` entries each
 * in the list, and `pitch` in the target; an index counts from the start of its row. */
#define VKR_CARD(name) vkr_pick_##name
#define VKR_NAME(name) VKR_PICK_##name

#define VKR_PICK_BATCH 4u /* units that an invocation loads before it stores the first */

BEGIN_CONSTANTS
WORKGROUP(64)
CONSTANT(UNITS, 1, uint, 1) /* of an entry */
CONSTANT(FLAGS, 2, uint, 0)
END_CONSTANTS

BEGIN_FLAGS
SHARED_FLAG(GPU_COUNT, 3)
SHARED_FLAG(GPU_COUNT64, 4)
FLAG(INDICES, 5) /* stores the indices themselves */
FLAG(COPY, 6)    /* there is no list: each entry keeps its position */
FLAG(SPANS, 7)   /* rows are segments between offsets (spans.h) */
FLAG(PADDED, 8)  /* entries that do not exist are stored as a value that comes last */
FLAG(COLUMNS, 9) /* all entries are one row of the list; an index counts rows, of the column that
                  * its entry is in */
END_FLAGS

/* A dispatch covers a window of rows, or of the entries of one row; and one of the source. */
BEGIN_PUSH
PUSH_WALK(groups, GROUPS)         /* workgroups that have work; the dispatch can have more */
PUSH_WALK(capacity, CAPACITY_LOW) /* elements of all rows, as far as the host knows */
PUSH_WALK(first_row, ROW)
PUSH_WALK(first_entry, PART) /* of the first row */
PUSH_WALK(entries, CELLS)    /* of this dispatch, in the list */
PUSH(row_length)
PUSH(row_pitch) /* elements from one row to the next */
PUSH(wanted)
PUSH(pitch)
PUSH(list_base)
PUSH(list_stride)
PUSH(count_base)
PUSH(source_base)
PUSH(source_stride)
PUSH_WALK(source_first, ANY_LOW) /* the first element of the window */
PUSH_WALK(source_count, ANY_COUNT)
PUSH(target_base)
PUSH(target_stride)
PUSH(spans_base)
PUSH(columns)
PUSH(apart) /* elements from one row of columns to the next; row_pitch: from one column */
PUSH(pad_low)
PUSH(pad_high)
END_PUSH

BEGIN_BINDINGS
BUFFER(LIST, 0, ALL, uint, vkr_list)
BUFFER(COUNT, 1, ALL, uint, vkr_count)
BUFFER(SOURCE, 2, ALL, VkrUnit, vkr_source)
BUFFER(TARGET, 3, ALL, VkrUnit, vkr_target)
BUFFER(SPANS, 4, ALL, uint, vkr_spans)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_PICK_SLOT_LIST, LIST, READ, ITEMS, AT(list_base), AT(list_stride))
SLOT(VKR_PICK_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
SLOT(VKR_PICK_SLOT_SOURCE, SOURCE, READ, ITEMS, AT(source_base), AT(source_stride))
SLOT(VKR_PICK_SLOT_TARGET, TARGET, WRITE, WINDOW, AT(target_base), AT(target_stride))
SLOT(VKR_PICK_SLOT_SPANS, SPANS, READ, ITEMS, AT(spans_base), 0)
END_SLOTS

KERNEL(PICK, 0, vkr_pick_card, ALL_CONSTANTS, 0)
#include "end.h"
