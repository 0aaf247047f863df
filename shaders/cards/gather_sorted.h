/* SPDX-License-Identifier: MIT */
/* The card of gather_sorted.comp, which moves payloads by the list of indices that a sort has left.
 * An index counts from the start of its row. It also copies. */
#define VKR_CARD(name) vkr_gather_sorted_##name
#define VKR_NAME(name) VKR_GATHER_SORTED_##name

BEGIN_CONSTANTS
WORKGROUP(64)
CONSTANT(UNITS, 1, uint, 1) /* of an entry */
CONSTANT(FLAGS, 2, uint, 0)
END_CONSTANTS

BEGIN_FLAGS
VKR_WALK_FLAGS
FLAG(COPY, 6) /* there is no list: each entry keeps its position */
END_FLAGS

BEGIN_PUSH
PUSH(first)   /* the position of the first entry */
PUSH(entries) /* of the dispatch */
PUSH(count)   /* of all entries, as far as the host knows */
PUSH(row_length)
PUSH(list_base)
PUSH(list_stride)
PUSH(source_base)
PUSH(source_stride)
PUSH(target_base)
PUSH(target_stride)
PUSH(count_base)
END_PUSH

BEGIN_BINDINGS
BUFFER(LIST, 0, ALL, uint, vkr_list)
BUFFER(SOURCE, 1, ALL, VkrUnit, vkr_source)
BUFFER(TARGET, 2, ALL, VkrUnit, vkr_target)
BUFFER(COUNT, 3, ALL, uint, vkr_count)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_GATHER_SORTED_SLOT_LIST, LIST, READ, ITEMS, AT(list_base), AT(list_stride))
SLOT(VKR_GATHER_SORTED_SLOT_SOURCE, SOURCE, READ, ITEMS, AT(source_base), AT(source_stride))
SLOT(VKR_GATHER_SORTED_SLOT_TARGET, TARGET, WRITE, ITEMS, AT(target_base), AT(target_stride))
SLOT(VKR_GATHER_SORTED_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
END_SLOTS

KERNEL(GATHER_SORTED, 0, vkr_gather_sorted_card, ALL_CONSTANTS, 0)
#include "end.h"
