/* SPDX-License-Identifier: MIT */
/* The card of arguments.comp, which copies up to VKR_ARGUMENTS counts (VkrCountKind) from a record
 * to the caller's buffers. */
#define VKR_CARD(name) vkr_arguments_##name
#define VKR_NAME(name) VKR_ARGUMENTS_##name

#define VKR_ARGUMENTS 6

BEGIN_CONSTANTS
END_CONSTANTS

BEGIN_PUSH
PUSH(record_base)
PUSH(capacity_low) /* of the kept outputs */
PUSH(capacity_high)
PUSH(max_groups)
PUSH_ARRAY(bases, VKR_ARGUMENTS)
PUSH_ARRAY(kinds, VKR_ARGUMENTS) /* ~0: none */
PUSH_ARRAY(scales, VKR_ARGUMENTS)
END_PUSH

BEGIN_BINDINGS
BUFFER(RECORD, 0, ALL, uint, vkr_record)
BUFFER(OUTPUT0, 1, ALL, uint, vkr_target0)
BUFFER(OUTPUT1, 2, ALL, uint, vkr_target1)
BUFFER(OUTPUT2, 3, ALL, uint, vkr_target2)
BUFFER(OUTPUT3, 4, ALL, uint, vkr_target3)
BUFFER(OUTPUT4, 5, ALL, uint, vkr_target4)
BUFFER(OUTPUT5, 6, ALL, uint, vkr_target5)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_ARGUMENTS_SLOT_RECORD, RECORD, READ, ITEMS, AT(record_base), 0)
SLOT(VKR_ARGUMENTS_SLOT_OUTPUTS, OUTPUT0, WRITE, GRANULES, AT(bases[0]), 0)
SLOT(VKR_ARGUMENTS_SLOT_OUTPUT1, OUTPUT1, WRITE, GRANULES, AT(bases[1]), 0)
SLOT(VKR_ARGUMENTS_SLOT_OUTPUT2, OUTPUT2, WRITE, GRANULES, AT(bases[2]), 0)
SLOT(VKR_ARGUMENTS_SLOT_OUTPUT3, OUTPUT3, WRITE, GRANULES, AT(bases[3]), 0)
SLOT(VKR_ARGUMENTS_SLOT_OUTPUT4, OUTPUT4, WRITE, GRANULES, AT(bases[4]), 0)
SLOT(VKR_ARGUMENTS_SLOT_OUTPUT5, OUTPUT5, WRITE, GRANULES, AT(bases[5]), 0)
END_SLOTS

KERNEL(ARGUMENTS, 0, vkr_arguments_card, ALL_CONSTANTS, 0)
#include "end.h"
