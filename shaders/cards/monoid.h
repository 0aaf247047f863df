/* SPDX-License-Identifier: MIT */
/* The card of monoid.comp, which reduces ranges by a user's operator. */
#include "widen.h"

#define VKR_CARD(name) vkr_monoid_##name
#define VKR_NAME(name) VKR_MONOID_##name

BEGIN_CONSTANTS
WORKGROUP(128)               /* a power of two */
CONSTANT(MODE, 1, uint, 0)   /* VKR_MONOID_FOLD .. */
CONSTANT(WORDS, 2, uint, 1)  /* of a state */
CONSTANT(TEAM, 3, uint, 128) /* invocations that fold a tile together: a power of two */
SHARED(FLAGS, 4, uint, 0)
CONSTANT(RESULT, 5, uint, 0)  /* components of what finish returns; 0: results are states */
CONSTANT(ELEMENT, 6, uint, 0) /* words of the element that load takes, or 0 */
CONSTANT(WIDEN, 7, uint, 0)   /* VKR_WIDEN_* */
END_CONSTANTS

/* Modes. A tile is a run of VKR_TEAM * push.items items, which are elements or, in later passes,
 * states. */
#define VKR_MONOID_FOLD 0u  /* each tile becomes a state, or a result */
#define VKR_MONOID_RANGE 1u /* each window of elements becomes a result, of blocks' states */

#define VKR_MONOID_BLOCK 128u /* items of a block, on each level of mode RANGE */

BEGIN_FLAGS
SHARED_FLAG(GPU_COUNT, 3)
SHARED_FLAG(GPU_COUNT64, 4)
FLAG(STATES, 0)      /* items are states */
FLAG(COMMUTATIVE, 1) /* the order of operands does not matter */
FLAG(RESULTS, 2)     /* what is written are results: states are finished */
FLAG(WIDE, 5)        /* elements are words without gaps, and are read four at a time */
END_FLAGS

BEGIN_PUSH
PUSH(tiles)       /* of this dispatch; or its windows */
PUSH(first_tile)  /* number of the first one */
PUSH(extent)      /* all items; of mode RANGE, elements of a window */
PUSH(items)       /* per invocation */
PUSH(capacity)    /* elements, as the host knows */
PUSH(levels)      /* of blocks, in mode RANGE */
PUSH(source_base) /* bases and strides are in words */
PUSH(target_base)
PUSH(target_stride)
PUSH(count_base)
PUSH(element_base)
PUSH(element_stride)
PUSH(first_element) /* number of the first one that is bound */
END_PUSH

BEGIN_BINDINGS
BUFFER(SOURCE, 0, ALL, uint, vkr_source)
BUFFER(TARGET, 1, ALL, uint, vkr_target)
BUFFER(COUNT, 2, ALL, uint, vkr_count)
BUFFER(ELEMENTS, 3, ALL, uint, vkr_elements)
VIEW(3, uvec4, vkr_element_fours)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_MONOID_SLOT_SOURCE, SOURCE, READ, ITEMS, AT(source_base), 0)
SLOT(VKR_MONOID_SLOT_TARGET, TARGET, WRITE, GRANULES, AT(target_base), AT(target_stride))
SLOT(VKR_MONOID_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
SLOT(VKR_MONOID_SLOT_ELEMENTS, ELEMENTS, READ, ITEMS, AT(element_base), AT(element_stride))
END_SLOTS

KERNEL(MONOID, 0, vkr_monoid_card, ALL_CONSTANTS, GIVES(WORKGROUP))
#include "end.h"
