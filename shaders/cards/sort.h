/* SPDX-License-Identifier: MIT */
/*
 * The card of the kernels of sorts. A sort goes over independent rows of keys (one, unless there
 * are segments), each of which is shared out to the same number of workgroups. TABLE has
 * VKR_SORT_RECORD words, then two words of differing bits for each workgroup; then for each row the
 * number of keys of each digit, and last for each row, digit and workgroup the number of keys,
 * which the spine replaces by that of the workgroups before.
 */
#include "order.h"

#define VKR_CARD(name) vkr_sort_##name
#define VKR_NAME(name) VKR_SORT_##name

#define VKR_SORT_DIGIT_BITS 8
#define VKR_SORT_RADIX 256u /* values of a digit */

/* Words of the record: the number of all elements; the bits in which some keys differ. */
#define VKR_SORT_RECORD 4u
#define VKR_SORT_RECORD_COUNT 0u
#define VKR_SORT_RECORD_DIFFERENT 1u

/* A sort in a single pass over memory for each digit. TABLE, which is 0 at the start, has the
 * record; a ticket of each digit; for each row, digit and value of the digit the number of keys,
 * which SORT_BASES replaces by that of the keys with lesser values; and two arrays with a word for
 * each row, tile and value, which digits use in turn: the number of keys in the tile, or with
 * VKR_SWEEP_PREFIX the place in the row after the last one. */
#define VKR_SWEEP_TICKETS 12u
#define VKR_SWEEP_DIGITS_AT (VKR_SORT_RECORD + VKR_SWEEP_TICKETS)
#define VKR_SWEEP_TOTAL (1u << 30)
#define VKR_SWEEP_PREFIX (2u << 30)
#define VKR_SWEEP_BITS (VKR_SWEEP_TOTAL - 1u)
#define VKR_SWEEP_POLLS 16u /* of a word, before the workgroup counts the tile itself */
#define VKR_SWEEP_LOOKS 8u  /* at most, tiles whose words are loaded at the same time */

BEGIN_CONSTANTS
WORKGROUP(64)
CONSTANT(FLAGS, 1, uint, 0)
CONSTANT(SUBGROUPS, 2, uint, 16) /* maximum number of subgroups of a workgroup */
CONSTANT(RANKS, 3, uint, 32)     /* invocations that rank keys together: 1, 2, 4 .. 32 */
CONSTANT(COPIES, 4, uint, 1)     /* of the counters of digits */
CONSTANT(ITEMS, 5, uint, 12)     /* keys of an invocation in a tile */
VKR_KEY_CONSTANTS(6)
CONSTANT(MUTED, 13, uint, 0) /* 1 + the tile that a test keeps from publishing, or 0 */
CONSTANT(LOOKS, 14, uint, 8) /* tiles whose words a sweep loads at the same time */
END_CONSTANTS

BEGIN_FLAGS
VKR_WALK_FLAGS
FLAG(FIRST, 6)     /* the first digit, which reads the keys as they are */
FLAG(EXTRA, 7)     /* one more digit, which has no bits, makes their number even */
FLAG(KEYS, 8)      /* keys are written */
FLAG(VALUES, 9)    /* there are values */
FLAG(CARRIED, 10)  /* values are read; otherwise they are indices in the row */
FLAG(COMPARED, 11) /* invocations that rank together compare digits by shuffles */
FLAG(LOCKSTEP, 12) /* they are in one subgroup */
FLAG(ALONE, 13)    /* on CPUs: each invocation has a share, and memory for counters, of its own */
FLAG(LIMITED, 14)  /* nothing is stored for keys at or above push.limit, which come last */
FLAG(WINDOWED, 15) /* a descriptor reaches a part of a row: all digits have something to do */
FLAG(VOTED, 16)    /* invocations that rank together, a subgroup of 32, vote on bits of digits */
END_FLAGS

BEGIN_PUSH
PUSH(groups) /* shares of a row, or its tiles; SORT_MERGE: a share is an invocation's */
PUSH_WALK(rows, ROWS)
PUSH_WALK(first_row, ROW)
PUSH(row_length) /* of a row */
PUSH(count)      /* elements of all rows, as far as the host knows */
PUSH(digit)      /* its number; the lowest one is 0 */
PUSH(begin)      /* the bits that are compared */
PUSH(end)
PUSH(source_base)
PUSH(source_stride)
PUSH(temp_base)
PUSH(sorted_base)
PUSH(sorted_stride)
PUSH(values_base)
PUSH(values_stride)
PUSH(values_temp_base)
PUSH(ranked_base)
PUSH(ranked_stride)
PUSH(table_base)
PUSH(count_base)
PUSH(limit)
PUSH(digits) /* SORT_DIGITS, SORT_BASES, SORT_SWEEP: all, with the extra one */
/* WINDOWED: the workgroups of a row, and the elements that are stored. */
PUSH_WALK_OF(first_group, PART, IN(SORT_COUNT) | IN(SORT_SCATTER))
PUSH_WALK_OF(group_count, CELLS, IN(SORT_COUNT) | IN(SORT_SCATTER))
PUSH_WALK_OF(stored_first, ANY_LOW, IN(SORT_SCATTER))
PUSH_WALK_OF(stored_count, ANY_COUNT, IN(SORT_SCATTER))
END_PUSH

#define VKR_SORT_STORING (IN(SORT_SCATTER) | IN(SORT_ONE) | IN(SORT_SWEEP) | IN(SORT_MERGE))
BEGIN_BINDINGS
BUFFER(SOURCE, 0, ~(IN(SORT_SPINE) | IN(SORT_BASES)), VkrUnit, vkr_source)
BUFFER(TEMP, 1, IN(SORT_COUNT) | IN(SORT_SCATTER) | IN(SORT_SWEEP), VkrUnit, vkr_temp)
BUFFER(SORTED, 2, VKR_SORT_STORING, VkrUnit, vkr_sorted)
BUFFER(VALUES, 3, VKR_SORT_STORING, uint, vkr_values)
BUFFER(VALUES_TEMP, 4, IN(SORT_SCATTER) | IN(SORT_SWEEP), uint, vkr_values_temp)
BUFFER(RANKED, 5, VKR_SORT_STORING, uint, vkr_ranked)
BUFFER(TABLE, 6, ~(IN(SORT_ONE) | IN(SORT_MERGE)), uint, vkr_table)
BUFFER(COUNT, 7, IN(SORT_COUNT) | IN(SORT_ONE) | IN(SORT_DIGITS) | IN(SORT_MERGE), uint, vkr_count)
END_BINDINGS

/* The first digit reads SOURCE and VALUES; a later one reads TEMP, or what an earlier one has left
 * in SORTED and RANKED, as SOURCE and VALUES: no kernel loads from an output's own binding. */
BEGIN_SLOTS
SLOT(VKR_SORT_SLOT_SOURCE, SOURCE, READ, ITEMS, AT(source_base), AT(source_stride))
SLOT(VKR_SORT_SLOT_TEMP, TEMP, CHANGE, WINDOW, AT(temp_base), 0)
SLOT(VKR_SORT_SLOT_SORTED, SORTED, WRITE, WINDOW, AT(sorted_base), AT(sorted_stride))
SLOT(VKR_SORT_SLOT_VALUES, VALUES, READ, ITEMS, AT(values_base), AT(values_stride))
SLOT(VKR_SORT_SLOT_VALUES_TEMP, VALUES_TEMP, CHANGE, WINDOW, AT(values_temp_base), 0)
SLOT(VKR_SORT_SLOT_RANKED, RANKED, WRITE, WINDOW, AT(ranked_base), AT(ranked_stride))
SLOT(VKR_SORT_SLOT_TABLE, TABLE, CHANGE, ITEMS, AT(table_base), 0)
SLOT(VKR_SORT_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
END_SLOTS

KERNEL(SORT_COUNT, 0, vkr_sort_count_card, ALL_CONSTANTS, 0)
KERNEL(SORT_SPINE, 1, vkr_sort_spine_card, ALL_CONSTANTS, 0)
KERNEL(SORT_SCATTER, 2, vkr_sort_scatter_card, ALL_CONSTANTS, 0)
KERNEL(SORT_ONE, 3, vkr_sort_one_card, ALL_CONSTANTS, 0)
KERNEL(SORT_DIGITS, 4, vkr_sort_digits_card, ALL_CONSTANTS, 0)
KERNEL(SORT_BASES, 5, vkr_sort_bases_card, ALL_CONSTANTS, 0)
KERNEL(SORT_SWEEP, 6, vkr_sort_sweep_card, ALL_CONSTANTS, 0)
KERNEL(SORT_MERGE, 7, vkr_sort_merge_card, ALL_CONSTANTS, 0)
#include "end.h"
