/* SPDX-License-Identifier: MIT */
/* The card of call.comp, which calls a user's function for each element. */
#include "widen.h"

#define VKR_CARD(name) vkr_call_##name
#define VKR_NAME(name) VKR_CALL_##name

BEGIN_CONSTANTS
WORKGROUP(32)                /* a multiple of 32 where bits are written */
CONSTANT(RESULT, 1, uint, 0) /* components of what the function returns; VKR_CALL_* */
CONSTANT(WORDS, 2, uint, 0)  /* of the element that the function takes, or 0; of sinks, 1 */
CONSTANT(WIDEN, 3, uint, 0)  /* VKR_WIDEN_*: what makes numbers of 32 bits of these words */
SHARED(FLAGS, 4, uint, 0)
UNUSED(5)
UNUSED(6)
UNUSED(7)
UNUSED(8)
SHARED(ORDER, 9, uint, 0) /* VKR_ORDER_* */
END_CONSTANTS

#define VKR_CALLS 4u /* calls before the first result is needed */

#define VKR_CALL_BITS 0u /* the function returns a bool, which becomes a bit */
#define VKR_CALL_SINK 5u /* it returns nothing: it is called for the entries of a list */

BEGIN_FLAGS
FLAG(APPEND, 0)           /* positions start at the record's */
FLAG(WIDE, 1)             /* elements and results are words without gaps: four at a time */
SHARED_FLAG(GPU_COUNT, 3) /* of sinks, the count is that of the record */
SHARED_FLAG(GPU_COUNT64, 4)
END_FLAGS

BEGIN_PUSH
PUSH_WALK(count, COUNT)           /* elements of this dispatch, as the host knows */
PUSH_WALK(capacity, CAPACITY_LOW) /* elements of the whole operation, likewise */
PUSH_WALK(first, FIRST_LOW)       /* index of this dispatch's first element */
PUSH_WALK(groups, GROUPS)         /* workgroups that have work; the dispatch can have more */
PUSH_WALK(items, ITEMS)           /* per invocation: a multiple of VKR_CALLS; of bits, 32 */
PUSH(base)                        /* of what is written, in words */
PUSH(count_base)
PUSH(source_base) /* of elements, or of the list, in words */
PUSH(source_stride)
PUSH(limit) /* of positions, with APPEND */
END_PUSH

BEGIN_BINDINGS
BUFFER(VALUES, 0, ALL, uint, vkr_values)
VIEW(0, uvec4, vkr_fours)
BUFFER(COUNT, 1, ALL, uint, vkr_count)
BUFFER(SOURCE, 2, ALL, uint, vkr_source)
VIEW(2, uvec4, vkr_source_fours)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_CALL_SLOT_VALUES, VALUES, WRITE, GRANULES, AT(base), 0)
SLOT(VKR_CALL_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
SLOT(VKR_CALL_SLOT_SOURCE, SOURCE, READ, ITEMS, AT(source_base), AT(source_stride))
END_SLOTS

KERNEL(CALL, 0, vkr_call_card, ALL_CONSTANTS, GIVES(WORKGROUP) | GIVES(ORDER))
#include "end.h"
