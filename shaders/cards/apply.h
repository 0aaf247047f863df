/* SPDX-License-Identifier: MIT */
/* The card of apply.comp, which writes a function of each element and of results of its segment. A
 * unit is what a workgroup handles: rows, a row, or a part of a long one. A row of APPLY_SPANS is a
 * segment between offsets, which has a span (span.h). APPLY_TEXEL reads elements as texels. */
#include "span.h"

#define VKR_CARD(name) vkr_apply_##name
#define VKR_NAME(name) VKR_APPLY_##name

BEGIN_CONSTANTS
WORKGROUP(64)
CONSTANT(MODE, 1, uint, 0)     /* VKR_MODE_OF_* */
CONSTANT(FUNCTION, 2, uint, 0) /* VkrApplyFunction */
CONSTANT(TEAM, 3, uint, 64)    /* invocations that share a row: a power of two */
CONSTANT(HELD, 4, uint, 4)     /* quads that an invocation loads at once, 1, 2 or 4 */
CONSTANT(FLAGS, 5, uint, 0)
END_CONSTANTS

#define VKR_MODE_OF_ROWS 0u    /* finds the results of rows, and writes outputs */
#define VKR_MODE_OF_PARTS 1u   /* leaves a state of each part */
#define VKR_MODE_OF_STATES 2u  /* combines those of a row */
#define VKR_MODE_OF_OUTPUTS 3u /* writes outputs of parts of rows, whose states are known */
#define VKR_MODE_OF_FEW 4u     /* ROWS of short segments: APPLY_SPANS */

#define VKR_APPLY_QUADS 4u /* that an invocation loads at once, at most */
#define VKR_STATE_WORDS 2u

BEGIN_FLAGS
SHARED_FLAG(GPU_COUNT, 3)
SHARED_FLAG(GPU_COUNT64, 4)
FLAG(ONCE, 5)          /* an invocation loads all of its quads at once */
FLAG(PACKED_INPUT, 6)  /* elements are packed: whole quads are loaded at once */
FLAG(PACKED_OUTPUT, 7) /* and stored */
FLAG(INPUT_BFLOAT, 8)  /* of 16 bits: bf16 */
FLAG(OUTPUT_BFLOAT, 9)
FLAG(WHOLE, 10) /* all quads are whole, of packed elements */
END_FLAGS

BEGIN_PUSH
PUSH_WALK(groups, GROUPS)         /* workgroups that have work; the dispatch can have more */
PUSH_WALK(capacity, CAPACITY_LOW) /* elements of all rows, as far as the host knows */
PUSH_WALK(first_unit, CELL)
PUSH_WALK(first_row, ROW)
PUSH_WALK(rows, ROWS)               /* of this dispatch */
PUSH_WALK(first_element, FIRST_LOW) /* of this dispatch */
PUSH(parts)                         /* of a row */
PUSH(share)                         /* elements of a part; of a short segment at most */
PUSH(row_length)                    /* of a row */
PUSH(row_pitch)                     /* elements from one row to the next */
PUSH(input_base)                    /* units: of texels, from their start */
PUSH(input_stride)
PUSH(output_base)
PUSH(output_stride)
PUSH(count_base)
PUSH(parts_base)  /* of states of parts */
PUSH(states_base) /* of states of rows */
PUSH(new_base)    /* of either that are written */
PUSH(spans_base)
PUSH(lists_base)
PUSH(units)    /* of segments, at most */
PUSH(long_at)  /* where long segments lie in the lists */
PUSH(parts_at) /* where their parts lie */
END_PUSH

BEGIN_BINDINGS
BUFFER(INPUT, 0, IN(APPLY) | IN(APPLY_SPANS), VkrUnit, vkr_input)
VIEW(0, VkrQuad, vkr_quads)
BUFFER(OUTPUT, 1, ALL, VkrOutputUnit, vkr_output)
VIEW(1, VkrOutputQuad, vkr_output_quads)
BUFFER(COUNT, 2, IN(APPLY) | IN(APPLY_TEXEL), uint, vkr_count)
BUFFER(SPANS, 2, IN(APPLY_SPANS) | IN(APPLY_SPANS_TEXEL), uint, vkr_spans)
BUFFER(PARTS, 3, ALL, uint, vkr_parts)
BUFFER(STATES, 4, ALL, uint, vkr_states)
BUFFER(NEW, 5, ALL, uint, vkr_new)
BUFFER(LISTS, 6, IN(APPLY_SPANS) | IN(APPLY_SPANS_TEXEL), uint, vkr_lists)
TEXELS(IN(APPLY_TEXEL) | IN(APPLY_SPANS_TEXEL)) /* in place of INPUT */
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_APPLY_SLOT_INPUT, INPUT, READ, ITEMS, AT(input_base), AT(input_stride))
SLOT(VKR_APPLY_SLOT_OUTPUT, OUTPUT, WRITE, WINDOW, AT(output_base), AT(output_stride))
SLOT(VKR_APPLY_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
SLOT(VKR_APPLY_SLOT_SPANS, SPANS, READ, ITEMS, AT(spans_base), 0)
SLOT(VKR_APPLY_SLOT_PARTS, PARTS, READ, ITEMS, AT(parts_base), 0)
SLOT(VKR_APPLY_SLOT_NEW_PARTS, NEW, WRITE, WINDOW, AT(new_base), 0)
SLOT(VKR_APPLY_SLOT_STATES, STATES, READ, ITEMS, AT(states_base), 0)
SLOT(VKR_APPLY_SLOT_NEW_STATES, NEW, WRITE, WINDOW, AT(new_base), 0)
SLOT(VKR_APPLY_SLOT_LISTS, LISTS, READ, ITEMS, AT(lists_base), 0)
END_SLOTS

KERNEL(APPLY, 0, vkr_apply_card, ALL_CONSTANTS, 0)
KERNEL(APPLY_SPANS, 1, vkr_apply_spans_card, ALL_CONSTANTS, 0)
KERNEL(APPLY_TEXEL, 2, vkr_apply_texel_card, ALL_CONSTANTS, 0)
KERNEL(APPLY_SPANS_TEXEL, 3, vkr_apply_spans_texel_card, ALL_CONSTANTS, 0)
#include "end.h"
