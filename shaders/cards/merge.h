/* SPDX-License-Identifier: MIT */
/*
 * The card of merges. A dispatch merges a window of A and a window of B: of the merge path, the
 * part in which both lie. Its outputs are cut into shares. TABLE has the numbers of that part
 * (VKR_MERGE_AT_*), which kernel SPLIT leaves for MERGE; then for each share the number of A's
 * elements before it in the part; then for each window of A the number of B's elements before the
 * window's first one, and likewise for each window of B, where no entry is for the first window.
 */
#include "order.h"

#define VKR_CARD(name) vkr_merge_##name
#define VKR_NAME(name) VKR_MERGE_##name

#define VKR_MERGE_AT_A 0u     /* where the part begins in the window of A, */
#define VKR_MERGE_AT_B 1u     /* and in that of B */
#define VKR_MERGE_AT_COUNT 2u /* outputs of the part */
#define VKR_MERGE_AT_ALL 3u   /* outputs of the whole operation */
#define VKR_MERGE_SPLITS 4u

BEGIN_CONSTANTS
WORKGROUP(128)
CONSTANT(FLAGS, 1, uint, 0)
CONSTANT(ITEMS, 2, uint, 1) /* outputs of an invocation */
VKR_KEY_CONSTANTS(3)
END_CONSTANTS

/* The count that the GPU has, in the first ones, is that of A. */
BEGIN_FLAGS
SHARED_FLAG(GPU_COUNT, 3)
SHARED_FLAG(GPU_COUNT64, 4)
FLAG(COUNT_B, 5)
FLAG(COUNT_B64, 6)
FLAG(WINDOWS, 7)  /* there are several windows */
FLAG(STAGED, 8)   /* a share is a workgroup's, in shared memory; otherwise an invocation's */
FLAG(KEYS, 9)     /* stores the keys, */
FLAG(VALUES, 10)  /* and the indices of elements, */
FLAG(CARRIED, 11) /* or rather a payload's entries */
END_FLAGS

BEGIN_PUSH
PUSH_WALK(groups, GROUPS) /* workgroups that have work; the dispatch can have more */
PUSH(all_a)               /* elements of the whole operation, as far as the host knows */
PUSH(all_b)
PUSH(first_a) /* the first elements of the windows */
PUSH(first_b)
PUSH(window_a) /* elements of the windows, as far as the host knows */
PUSH(window_b)
PUSH(a_base)
PUSH(a_stride)
PUSH(b_base)
PUSH(b_stride)
PUSH(table_base)
PUSH(edge_a) /* in the table: the entry of this window of A; the next one's follows it */
PUSH(edge_b)
PUSH(count_a_base)
PUSH(count_b_base)
PUSH(merged_base)
PUSH(merged_stride)
PUSH(values_base)
PUSH(values_stride)
PUSH(carried_a_base)
PUSH(carried_a_stride)
PUSH(carried_b_base)
PUSH(carried_b_stride)
END_PUSH

BEGIN_BINDINGS
BUFFER(A, 0, ALL, VkrUnit, vkr_a)
BUFFER(B, 1, ALL, VkrUnit, vkr_b)
BUFFER(TABLE, 2, ALL, uint, vkr_table)
BUFFER(COUNT_A, 3, IN(MERGE_SPLIT), uint, vkr_count_a)
BUFFER(COUNT_B, 4, IN(MERGE_SPLIT), uint, vkr_count_b)
BUFFER(MERGED, 3, IN(MERGE), VkrUnit, vkr_merged)
BUFFER(VALUES, 4, IN(MERGE), uint, vkr_values)
BUFFER(CARRIED_A, 5, IN(MERGE), uint, vkr_carried_a)
BUFFER(CARRIED_B, 6, IN(MERGE), uint, vkr_carried_b)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_MERGE_SLOT_A, A, READ, ITEMS, AT(a_base), AT(a_stride))
SLOT(VKR_MERGE_SLOT_B, B, READ, ITEMS, AT(b_base), AT(b_stride))
SLOT(VKR_MERGE_SLOT_TABLE, TABLE, CHANGE, ITEMS, AT(table_base), 0)
SLOT(VKR_MERGE_SLOT_READ_TABLE, TABLE, READ, ITEMS, AT(table_base), 0)
SLOT(VKR_MERGE_SLOT_COUNT_A, COUNT_A, READ, ITEMS, AT(count_a_base), 0)
SLOT(VKR_MERGE_SLOT_COUNT_B, COUNT_B, READ, ITEMS, AT(count_b_base), 0)
SLOT(VKR_MERGE_SLOT_MERGED, MERGED, WRITE, WINDOW, AT(merged_base), AT(merged_stride))
SLOT(VKR_MERGE_SLOT_VALUES, VALUES, WRITE, WINDOW, AT(values_base), AT(values_stride))
SLOT(VKR_MERGE_SLOT_CARRIED_A, CARRIED_A, READ, ITEMS, AT(carried_a_base), AT(carried_a_stride))
SLOT(VKR_MERGE_SLOT_CARRIED_B, CARRIED_B, READ, ITEMS, AT(carried_b_base), AT(carried_b_stride))
END_SLOTS

KERNEL(MERGE_SPLIT, 0, vkr_merge_split_card, ALL_CONSTANTS, 0)
KERNEL(MERGE, 1, vkr_merge_card, ALL_CONSTANTS, 0)
#include "end.h"
