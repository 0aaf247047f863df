/* SPDX-License-Identifier: MIT */
/* The card of nth.comp, which finds the elements of certain ranks in each row, in an order of keys.
 * A unit is the work of one workgroup: a part of a row, or a whole row. A row of NTH_SPANS is a
 * segment between offsets, which has a span (spans.h); its states lie where it is listed. */
#include "order.h"

#define VKR_CARD(name) vkr_nth_##name
#define VKR_NAME(name) VKR_NTH_##name

BEGIN_CONSTANTS
WORKGROUP(256)
CONSTANT(MODE, 1, uint, 0)  /* VKR_NTH_* */
CONSTANT(BITS, 2, uint, 8)  /* of a digit */
CONSTANT(RANKS, 3, uint, 1) /* that have room: a power of two, at most the workgroup's size */
CONSTANT(FLAGS, 4, uint, 0)
VKR_KEY_CONSTANTS(5)
END_CONSTANTS

#define VKR_NTH_FIRST 0u /* counts the first digit of a unit's elements */
#define VKR_NTH_NEXT 1u  /* finds a digit of each rank, and counts the next one */
#define VKR_NTH_LAST 2u /* finds the last digit, and counts the elements of each unit at the keys */
#define VKR_NTH_PLACE 3u /* stores the indices of the elements */
#define VKR_NTH_ROW 4u   /* all of these for a whole row */
#define VKR_NTH_SHORT 5u /* for several rows, whose elements are compared with each other */

#define VKR_NTH_MAX_RANKS 16 /* of a dispatch */
#define VKR_NTH_BATCH 8u     /* elements that an invocation loads at once where it seeks an index */
#define VKR_NTH_STATE_WORDS 4 /* of a rank, after a digit */

BEGIN_FLAGS
SHARED_FLAG(GPU_COUNT, 3)
SHARED_FLAG(GPU_COUNT64, 4)
FLAG(VALUES, 5)     /* stores the elements */
FLAG(INDICES, 6)    /* finds their indices */
FLAG(PACKED, 7)     /* elements are packed: several are loaded at once */
FLAG(CONTIGUOUS, 8) /* what an invocation loads at once is contiguous */
FLAG(SHARES, 9)     /* ranks are shares of a row, in units of 2^-31 */
FLAG(GPU_RANKS, 10) /* ranks lie in memory, not in the uniforms */
END_FLAGS

BEGIN_PUSH
PUSH_WALK(groups, GROUPS)         /* units of this dispatch; it can have more workgroups */
PUSH_WALK(capacity, CAPACITY_LOW) /* elements of all rows, as far as the host knows */
PUSH_WALK(first_unit, CELL)
PUSH_WALK(first_row, ROW)
PUSH_WALK(rows, ROWS)               /* of this dispatch */
PUSH_WALK(first_element, FIRST_LOW) /* of this dispatch */
PUSH(parts)                         /* units of a row */
PUSH(share)                         /* elements of a unit; of a short row at most */
PUSH(row_length)                    /* of a row */
PUSH(row_pitch)                     /* elements from one row to the next */
PUSH(first_rank)                    /* entry of the first rank in outputs */
PUSH(ranks)                         /* of this dispatch */
PUSH(width)                         /* of the digit that is found */
PUSH(shift)                         /* bits of keys below it */
PUSH(pitch)                         /* entries of a row in outputs */
PUSH(input_base)
PUSH(input_stride)
PUSH(count_base)
PUSH(states_base) /* before this dispatch; or the ranks */
PUSH(new_states_base)
PUSH(table_base) /* counts of the digit that is found, or tallies */
PUSH(counts_base)
PUSH(values_base)
PUSH(values_stride)
PUSH(indices_base)
PUSH(indices_stride)
PUSH(spans_base)
PUSH(lists_at) /* where the lists lie, from the spans */
PUSH(long_at)  /* where long segments lie in the lists */
PUSH(parts_at) /* where their parts lie */
PUSH(units)    /* of segments, at most; there can be fewer workgroups */
END_PUSH

BEGIN_UNIFORMS
UNIFORM4(ranks0)
UNIFORM4(ranks1)
UNIFORM4(ranks2)
UNIFORM4(ranks3)
END_UNIFORMS

BEGIN_BINDINGS
BUFFER(INPUT, 0, ALL, VkrUnit, vkr_input)
VIEW(0, VkrPack, vkr_packs)
BUFFER(COUNT, 1, IN(NTH), uint, vkr_count)
BUFFER(SPANS, 1, IN(NTH_SPANS), uint, vkr_spans)
BUFFER(STATES, 2, ALL, uint, vkr_states)
BUFFER(NEW_STATES, 3, ALL, uint, vkr_new_states)
BUFFER(TABLE, 4, ALL, uint, vkr_table)
BUFFER(COUNTS, 5, ALL, uint, vkr_counts)
BUFFER(VALUES, 6, ALL, VkrUnit, vkr_values)
BUFFER(INDICES, 7, ALL, uint, vkr_indices)
UNIFORM_BLOCK(ALL, vkr_nth_uniforms)
END_BINDINGS

/* Ranks are read where there are no states yet. */
BEGIN_SLOTS
SLOT(VKR_NTH_SLOT_INPUT, INPUT, READ, ITEMS, AT(input_base), AT(input_stride))
SLOT(VKR_NTH_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
SLOT(VKR_NTH_SLOT_STATES, STATES, READ, ITEMS, AT(states_base), 0)
SLOT(VKR_NTH_SLOT_RANKS, STATES, READ, ITEMS, AT(states_base), 0)
SLOT(VKR_NTH_SLOT_NEW_STATES, NEW_STATES, WRITE, WINDOW, AT(new_states_base), 0)
SLOT(VKR_NTH_SLOT_TABLE, TABLE, READ, ITEMS, AT(table_base), 0)
SLOT(VKR_NTH_SLOT_COUNTS, COUNTS, CHANGE, ITEMS, AT(counts_base), 0)
SLOT(VKR_NTH_SLOT_TALLIES, COUNTS, CHANGE, WINDOW, AT(counts_base), 0)
SLOT(VKR_NTH_SLOT_VALUES, VALUES, WRITE, WINDOW, AT(values_base), AT(values_stride))
SLOT(VKR_NTH_SLOT_INDICES, INDICES, WRITE, WINDOW, AT(indices_base), AT(indices_stride))
SLOT(VKR_NTH_SLOT_SPANS, SPANS, READ, ITEMS, AT(spans_base), 0)
END_SLOTS

KERNEL(NTH, 0, vkr_nth_card, ALL_CONSTANTS, 0)
KERNEL(NTH_SPANS, 1, vkr_nth_spans_card, ALL_CONSTANTS, 0)
#include "end.h"
