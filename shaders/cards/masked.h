/* SPDX-License-Identifier: MIT */
/* The card of masked.comp, which copies elements, with a value of the caller in place of those that
 * a mask leaves out, and of NaN. */
#define VKR_CARD(name) vkr_masked_##name
#define VKR_NAME(name) VKR_MASKED_##name

BEGIN_CONSTANTS
WORKGROUP(64)
CONSTANT(FLAGS, 1, uint, 0)
CONSTANT(ITEMS, 2, uint, 1) /* elements of an invocation */
CONSTANT(COMPONENTS, 3, uint, 1)
END_CONSTANTS

BEGIN_FLAGS
FLAG(MASKED, 0)
FLAG(NAN, 1) /* NaN is replaced, too */
END_FLAGS

BEGIN_PUSH
PUSH_WALK(count, COUNT)
PUSH_WALK(groups, GROUPS) /* workgroups that have work; the dispatch can have more */
PUSH(source_base)
PUSH(source_stride)
PUSH(target_base) /* of elements without gaps */
PUSH(mask_base)   /* a bit */
PUSH(infinity)    /* the bits of infinity, of 64 bits the upper half */
PUSH(other_low)   /* the value that takes the place */
PUSH(other_high)
END_PUSH

BEGIN_BINDINGS
BUFFER(SOURCE, 0, ALL, VkrUnit, vkr_source)
BUFFER(MASK, 1, ALL, uint, vkr_mask)
BUFFER(TARGET, 2, ALL, VkrUnit, vkr_target)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_MASKED_SLOT_SOURCE, SOURCE, READ, ITEMS, AT(source_base), AT(source_stride))
SLOT(VKR_MASKED_SLOT_MASK, MASK, READ, ITEMS, AT(mask_base), 0)
SLOT(VKR_MASKED_SLOT_TARGET, TARGET, WRITE, GRANULES, AT(target_base), 0)
END_SLOTS

KERNEL(MASKED, 0, vkr_masked_card, ALL_CONSTANTS, 0)
#include "end.h"
