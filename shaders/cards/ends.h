/* SPDX-License-Identifier: MIT */
/* The card of ends.comp, which ends a list of the starts of runs. */
#define VKR_CARD(name) vkr_ends_##name
#define VKR_NAME(name) VKR_ENDS_##name

BEGIN_CONSTANTS
END_CONSTANTS

BEGIN_PUSH
PUSH(record_base)
PUSH(starts_base)
PUSH(entries) /* starts for which the list has room, besides the end */
PUSH(words)   /* of an entry */
END_PUSH

BEGIN_BINDINGS
BUFFER(RECORD, 0, ALL, uint, vkr_record)
BUFFER(STARTS, 1, ALL, uint, vkr_starts)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_ENDS_SLOT_RECORD, RECORD, READ, ITEMS, AT(record_base), 0)
SLOT(VKR_ENDS_SLOT_STARTS, STARTS, CHANGE, ITEMS, AT(starts_base), 0)
END_SLOTS

KERNEL(ENDS, 0, vkr_ends_card, ALL_CONSTANTS, 0)
#include "end.h"
