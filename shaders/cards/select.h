/* SPDX-License-Identifier: MIT */
/* The card of select.comp, which finds the first elements of each row in an order of keys. A unit
 * is the work of one workgroup: a part of a row, or a whole row. A row of SELECT_SPANS is a segment
 * between offsets, which has a span (spans.h); its states lie where the segment is listed. */
#include "order.h"

#define VKR_CARD(name) vkr_select_##name
#define VKR_NAME(name) VKR_SELECT_##name

BEGIN_CONSTANTS
WORKGROUP(256)
CONSTANT(MODE, 1, uint, 0) /* VKR_SELECT_* */
CONSTANT(BITS, 2, uint, 8) /* of a digit */
CONSTANT(FLAGS, 3, uint, 0)
VKR_KEY_CONSTANTS(4)
END_CONSTANTS

#define VKR_SELECT_FIRST 0u /* counts the first digit of a unit's elements */
#define VKR_SELECT_NEXT 1u  /* finds a digit, and counts the next one */
#define VKR_SELECT_TALLY 2u /* finds the last digit, and counts what each unit selects */
#define VKR_SELECT_STORE 3u /* stores the indices of the elements that are selected */
#define VKR_SELECT_ROW 4u   /* all of these for a whole row */
#define VKR_SELECT_FEW 5u   /* ranks the elements of short segments: SELECT_SPANS */

#define VKR_SELECT_BATCH 8u /* elements that an invocation loads at once */

#define VKR_SELECT_STATE_WORDS 4 /* of a row, after a digit */
#define VKR_SELECT_TALLY_WORDS 2 /* elements before the bound, and at it */

BEGIN_FLAGS
SHARED_FLAG(GPU_COUNT, 3)
SHARED_FLAG(GPU_COUNT64, 4)
FLAG(FOUND, 5)      /* stores how many entries each row has */
FLAG(ENTRIES, 6)    /* stores how many all rows have */
FLAG(PACKED, 7)     /* elements are packed: several are loaded at once */
FLAG(CONTIGUOUS, 8) /* what an invocation loads at once is contiguous */
END_FLAGS

BEGIN_PUSH
PUSH_WALK(groups, GROUPS)         /* units of this dispatch; it can have more workgroups */
PUSH_WALK(capacity, CAPACITY_LOW) /* elements of all rows, as far as the host knows */
PUSH_WALK(first_unit, CELL)
PUSH_WALK(first_row, ROW)
PUSH_WALK(rows, ROWS)               /* of this dispatch */
PUSH_WALK(first_element, FIRST_LOW) /* of this dispatch */
PUSH(parts)                         /* units of a row */
PUSH(share)                         /* elements of a unit; of a short segment at most */
PUSH(row_length)                    /* of a row */
PUSH(row_pitch)                     /* elements from one row to the next */
PUSH(wanted)                        /* entries of a row that has at least as many elements */
PUSH(input_base)
PUSH(input_stride)
PUSH(count_base)
PUSH(states_base) /* before this dispatch */
PUSH(new_states_base)
PUSH(table_base) /* counts of the digit that is found, or tallies */
PUSH(counts_base)
PUSH(list_base)
PUSH(found_base)
PUSH(entries_base)
PUSH(spans_base)
PUSH(lists_at) /* where the lists lie, from the spans */
PUSH(long_at)  /* where long segments lie in the lists */
PUSH(parts_at) /* where their parts lie */
PUSH(units)    /* of segments, at most; there can be fewer workgroups */
END_PUSH

BEGIN_BINDINGS
BUFFER(INPUT, 0, ALL, VkrUnit, vkr_input)
VIEW(0, VkrPack, vkr_packs)
BUFFER(COUNT, 1, IN(SELECT), uint, vkr_count)
BUFFER(SPANS, 1, IN(SELECT_SPANS), uint, vkr_spans)
BUFFER(STATES, 2, ALL, uint, vkr_states)
BUFFER(NEW_STATES, 3, ALL, uint, vkr_new_states)
BUFFER(TABLE, 4, ALL, uint, vkr_table)
BUFFER(COUNTS, 5, ALL, uint, vkr_counts)
BUFFER(LIST, 6, ALL, uint, vkr_list)
BUFFER(FOUND, 7, IN(SELECT), uint, vkr_found)
END_BINDINGS

/* The number of all entries lies where other modes have their new states. */
BEGIN_SLOTS
SLOT(VKR_SELECT_SLOT_INPUT, INPUT, READ, ITEMS, AT(input_base), AT(input_stride))
SLOT(VKR_SELECT_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
SLOT(VKR_SELECT_SLOT_STATES, STATES, READ, ITEMS, AT(states_base), 0)
SLOT(VKR_SELECT_SLOT_NEW_STATES, NEW_STATES, WRITE, WINDOW, AT(new_states_base), 0)
SLOT(VKR_SELECT_SLOT_ENTRIES, NEW_STATES, WRITE, ITEMS, AT(entries_base), 0)
SLOT(VKR_SELECT_SLOT_TABLE, TABLE, READ, ITEMS, AT(table_base), 0)
SLOT(VKR_SELECT_SLOT_COUNTS, COUNTS, CHANGE, ITEMS, AT(counts_base), 0)
SLOT(VKR_SELECT_SLOT_TALLIES, COUNTS, CHANGE, WINDOW, AT(counts_base), 0)
SLOT(VKR_SELECT_SLOT_LIST, LIST, WRITE, WINDOW, AT(list_base), 0)
SLOT(VKR_SELECT_SLOT_FOUND, FOUND, WRITE, WINDOW, AT(found_base), 0)
SLOT(VKR_SELECT_SLOT_SPANS, SPANS, READ, ITEMS, AT(spans_base), 0)
END_SLOTS

KERNEL(SELECT, 0, vkr_select_card, ALL_CONSTANTS, 0)
KERNEL(SELECT_SPANS, 1, vkr_select_spans_card, ALL_CONSTANTS, 0)
#include "end.h"
