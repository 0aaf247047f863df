/* SPDX-License-Identifier: MIT */
/* The card of bounds.comp, which finds values in sorted elements. */
#include "order.h"

#define VKR_CARD(name) vkr_bounds_##name
#define VKR_NAME(name) VKR_BOUNDS_##name

#define VKR_BOUNDS_AT_ONCE 4u /* values that an invocation searches for together */

BEGIN_CONSTANTS
WORKGROUP(64)
CONSTANT(FLAGS, 1, uint, 0)
VKR_KEY_CONSTANTS(2)
END_CONSTANTS

/* The count that the GPU has, in the first ones, is that of values. */
BEGIN_FLAGS
VKR_WALK_FLAGS
FLAG(SORTED_COUNT, 6) /* the GPU has the number of sorted elements, too */
FLAG(SORTED_COUNT64, 7)
FLAG(LOWER, 8) /* which bounds are stored, and which of them as u64 */
FLAG(UPPER, 9)
FLAG(LOWER64, 10)
FLAG(UPPER64, 11)
FLAG(PACKED, 12)  /* the stride of sorted elements is 1 */
FLAG(WINDOWS, 13) /* this is one of several windows of the sorted elements */
END_FLAGS

/* A dispatch covers a window of values, and one of sorted elements. */
BEGIN_PUSH
PUSH(values_base)
PUSH(values_stride)
PUSH_WALK(capacity_low, CAPACITY_LOW) /* values of the whole operation, as the host knows */
PUSH_WALK(capacity_high, CAPACITY_HIGH)
PUSH_WALK(first_low, FIRST_LOW) /* index of this dispatch's first value */
PUSH_WALK(first_high, FIRST_HIGH)
PUSH_WALK(count, COUNT)   /* values of this dispatch */
PUSH_WALK(items, ITEMS)   /* values of an invocation */
PUSH_WALK(groups, GROUPS) /* workgroups that have work; the dispatch can have more */
PUSH(count_base)
PUSH(sorted_base) /* WINDOWS: of the element before the window, unless it is the first window */
PUSH(sorted_stride)
PUSH_WALK(sorted_low, ANY_LOW) /* index of the window's first element */
PUSH_WALK(sorted_high, ANY_HIGH)
PUSH_WALK(sorted_count, ANY_COUNT) /* elements of the window, as the host knows */
PUSH(sorted_total_low)             /* sorted elements of the whole operation, as the host knows */
PUSH(sorted_total_high)
PUSH(sorted_count_base)
PUSH(lower_base) /* words, as the next three */
PUSH(lower_stride)
PUSH(upper_base)
PUSH(upper_stride)
END_PUSH

BEGIN_BINDINGS
BUFFER(VALUES, 0, ALL, VkrUnit, vkr_values)
BUFFER(SORTED, 1, ALL, VkrUnit, vkr_sorted)
BUFFER(LOWER, 2, ALL, uint, vkr_lower)
BUFFER(UPPER, 3, ALL, uint, vkr_upper)
BUFFER(COUNT, 4, ALL, uint, vkr_count)
BUFFER(SORTED_COUNT, 5, ALL, uint, vkr_sorted_count)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_BOUNDS_SLOT_VALUES, VALUES, READ, ITEMS, AT(values_base), AT(values_stride))
SLOT(VKR_BOUNDS_SLOT_SORTED, SORTED, READ, ITEMS, AT(sorted_base), AT(sorted_stride))
SLOT(VKR_BOUNDS_SLOT_OUTPUTS, LOWER, WRITE, WINDOW, AT(lower_base), AT(lower_stride))
SLOT(VKR_BOUNDS_SLOT_UPPER, UPPER, WRITE, WINDOW, AT(upper_base), AT(upper_stride))
SLOT(VKR_BOUNDS_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
SLOT(VKR_BOUNDS_SLOT_SORTED_COUNT, SORTED_COUNT, READ, ITEMS, AT(sorted_count_base), 0)
END_SLOTS

KERNEL(BOUNDS, 0, vkr_bounds_card, ALL_CONSTANTS, GIVES(WORKGROUP))
#include "end.h"
