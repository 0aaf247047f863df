/* SPDX-License-Identifier: MIT */
/* The card of move.comp, which moves payloads by the marks of a compaction: a bit for each element
 * that is kept. It walks over the shares of the pass that wrote them. */
#include "moved.h"

#define VKR_CARD(name) vkr_move_##name
#define VKR_NAME(name) VKR_MOVE_##name

BEGIN_CONSTANTS
CONSTANT(UNITS, 1, uint, 1) /* of an entry */
CONSTANT(STEP, 6, uint, 1)  /* elements of a unit of the walk, a power of two */
VKR_WALK_CONSTANTS
END_CONSTANTS

BEGIN_FLAGS
VKR_WALK_FLAGS
FLAG(REJECTED, 6) /* the payloads belong to rejected elements */
FLAG(APPEND, 7)   /* positions start at the record's */
END_FLAGS

/* A dispatch covers workgroups of a window of elements, a window of the source, and a window of
 * positions in the target. */
BEGIN_PUSH
VKR_MOVED_PUSH
PUSH(marks_base)        /* of the first workgroup, in words */
PUSH(first_group)       /* the number of this workgroup in the window of elements */
PUSH(groups)            /* of the dispatch */
PUSH(first_run)         /* the number of the window's first run */
PUSH_WALK(count, COUNT) /* elements of the window */
PUSH_WALK(items, ITEMS) /* units per invocation */
PUSH_WALK(lead, LEAD)
PUSH_WALK(first_low, FIRST_LOW) /* index of the window's first element */
PUSH_WALK(first_high, FIRST_HIGH)
PUSH(source_first) /* the element of the first entry, relative to the window, wraps below 0 */
END_PUSH

BEGIN_BINDINGS
BUFFER(MARKS, 0, ALL, uint, vkr_marks)
VKR_MOVED_BINDINGS(MOVE, MOVE_TEXEL)
END_BINDINGS

BEGIN_SLOTS
VKR_MOVED_SLOTS
SLOT(VKR_MOVE_SLOT_MARKS, MARKS, READ, ITEMS, AT(marks_base), 0)
END_SLOTS

KERNEL(MOVE, 0, vkr_move_card, ALL_CONSTANTS, GIVEN & ~(GIVES(SIGNED) | GIVES(COMPONENTS)))
KERNEL(MOVE_TEXEL, 1, vkr_move_texel_card, ALL_CONSTANTS,
       GIVEN & ~(GIVES(SIGNED) | GIVES(COMPONENTS)))
#include "end.h"
