/* SPDX-License-Identifier: MIT */
/* The card of sort_segments.comp, which finds the segments that start at given offsets. */
#define VKR_CARD(name) vkr_sort_segments_##name
#define VKR_NAME(name) VKR_SORT_SEGMENTS_##name

BEGIN_CONSTANTS
WORKGROUP(64)
CONSTANT(FLAGS, 1, uint, 0)
END_CONSTANTS

BEGIN_FLAGS
VKR_WALK_FLAGS
FLAG(NUMBERS, 6)   /* stores the numbers of segments; otherwise, indices in segments */
FLAG(OFFSETS64, 7) /* offsets are u64 */
END_FLAGS

BEGIN_PUSH
PUSH(count)   /* of positions, as far as the host knows */
PUSH(offsets) /* their number, at least 1 */
PUSH(offsets_base)
PUSH(list_base)
PUSH(target_base)
PUSH(target_stride)
PUSH(count_base)
END_PUSH

BEGIN_BINDINGS
BUFFER(OFFSETS, 0, ALL, uint, vkr_offsets)
BUFFER(LIST, 1, ALL, uint, vkr_list)
BUFFER(TARGET, 2, ALL, uint, vkr_target)
BUFFER(COUNT, 3, ALL, uint, vkr_count)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_SORT_SEGMENTS_SLOT_OFFSETS, OFFSETS, READ, ITEMS, AT(offsets_base), 0)
SLOT(VKR_SORT_SEGMENTS_SLOT_LIST, LIST, READ, ITEMS, AT(list_base), 0)
SLOT(VKR_SORT_SEGMENTS_SLOT_TARGET, TARGET, WRITE, ITEMS, AT(target_base), AT(target_stride))
SLOT(VKR_SORT_SEGMENTS_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
END_SLOTS

KERNEL(SORT_SEGMENTS, 0, vkr_sort_segments_card, ALL_CONSTANTS, 0)
#include "end.h"
