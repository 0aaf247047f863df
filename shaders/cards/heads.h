/* SPDX-License-Identifier: MIT */
/* The card of heads.comp, which makes bits that mark where segments of a scan start. */
#define VKR_CARD(name) vkr_heads_##name
#define VKR_NAME(name) VKR_HEADS_##name

BEGIN_CONSTANTS
WORKGROUP(32) /* a multiple of 32 */
UNUSED(1)
UNUSED(2)
UNUSED(3)
UNUSED(4)
UNUSED(5)
CONSTANT(MODE, 6, uint, 0) /* VKR_HEADS_* */
UNUSED(7)
UNUSED(8)
SHARED(ORDER, 9, uint, 0) /* VKR_ORDER_* */
END_CONSTANTS

#define VKR_HEADS_FLAGS 0u    /* from one flag per element */
#define VKR_HEADS_STARTS 1u   /* from a list of element indices */
#define VKR_HEADS_STARTS64 2u /* from indices of two words each */

BEGIN_PUSH
PUSH(source_base)       /* in flags, or in words */
PUSH_WALK(count, COUNT) /* flags or indices of this dispatch */
PUSH(words_base)
PUSH_WALK(first_low, FIRST_LOW) /* the element of the first word's bit 0 */
PUSH_WALK(first_high, FIRST_HIGH)
PUSH(elements)            /* elements whose bits this dispatch can set */
PUSH_WALK(groups, GROUPS) /* workgroups that have work; the dispatch can have more */
END_PUSH

BEGIN_BINDINGS
BUFFER(SOURCE, 0, ALL, VkrUnit, vkr_source)
BUFFER(WORDS, 1, ALL, uint, vkr_words)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_HEADS_SLOT_SOURCE, SOURCE, READ, ITEMS, AT(source_base), 0)
/* Several invocations may each set some bits of one word. */
SLOT(VKR_HEADS_SLOT_WORDS, WORDS, CHANGE, ITEMS, AT(words_base), 0)
END_SLOTS

KERNEL(HEADS, 0, vkr_heads_card, ALL_CONSTANTS, 0)
#include "end.h"
