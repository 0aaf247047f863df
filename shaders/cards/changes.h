/* SPDX-License-Identifier: MIT */
/* The card of changes.comp, which makes bits that mark elements whose key differs from that of the
 * element before them. */
#define VKR_CARD(name) vkr_changes_##name
#define VKR_NAME(name) VKR_CHANGES_##name

BEGIN_CONSTANTS
WORKGROUP(32) /* a multiple of 32 */
/* By value: the bits of +infinity, the upper word of 64 bits; 0: all bits are compared. */
CONSTANT(INFINITY, 1, uint, 0)
CONSTANT(UNITS, 2, uint, 1) /* of an element; units have the size that the module is built for */
UNUSED(3)
SHARED(FLAGS, 4, uint, 0)
UNUSED(5)
UNUSED(6)
UNUSED(7)
UNUSED(8)
SHARED(ORDER, 9, uint, 0) /* VKR_ORDER_* */
END_CONSTANTS

BEGIN_FLAGS
/* Elements are words side by side, the first one starts a pack, and workgroups are full. */
FLAG(PACKS, 0)
FLAG(BEFORE, 1) /* the window has an element before it */
FLAG(PAIRS, 2)  /* by value: two units are a number, the lower word first */
END_FLAGS

BEGIN_PUSH
PUSH(keys_base) /* of the element before the window, or of the first one, in units */
PUSH(stride)    /* from one element to the next, in units */
PUSH(words_base)
PUSH_WALK(count, COUNT)   /* elements of this dispatch */
PUSH_WALK(groups, GROUPS) /* workgroups that have work; the dispatch can have more */
END_PUSH

BEGIN_BINDINGS
BUFFER(KEYS, 0, ALL, VkrUnit, vkr_keys)
VIEW(0, uvec4, vkr_packs_of_keys)
BUFFER(WORDS, 1, ALL, uint, vkr_words)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_CHANGES_SLOT_KEYS, KEYS, READ, ITEMS, AT(keys_base), AT(stride))
SLOT(VKR_CHANGES_SLOT_WORDS, WORDS, WRITE, ITEMS, AT(words_base), 0)
END_SLOTS

KERNEL(CHANGES, 0, vkr_changes_card, ALL_CONSTANTS, 0)
#include "end.h"
