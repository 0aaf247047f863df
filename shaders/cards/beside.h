/* SPDX-License-Identifier: MIT */
/* The card of beside.comp. Rows of `row_length` elements start `row_pitch` elements apart. */
#define VKR_CARD(name) vkr_beside_##name
#define VKR_NAME(name) VKR_BESIDE_##name

BEGIN_CONSTANTS
WORKGROUP(1)
CONSTANT(FLAGS, 1, uint, 0)
END_CONSTANTS

BEGIN_FLAGS
SHARED_FLAG(GPU_COUNT, 3)
SHARED_FLAG(GPU_COUNT64, 4)
END_FLAGS

BEGIN_PUSH
PUSH(capacity) /* elements of rows and between them, as far as the host knows */
PUSH(row_length)
PUSH(row_pitch)
PUSH(count_base)
PUSH(target_base)
END_PUSH

BEGIN_BINDINGS
BUFFER(COUNT, 0, ALL, uint, vkr_count)
BUFFER(TARGET, 1, ALL, uint, vkr_target)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_BESIDE_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
SLOT(VKR_BESIDE_SLOT_TARGET, TARGET, WRITE, ITEMS, AT(target_base), 0)
END_SLOTS

KERNEL(BESIDE, 0, vkr_beside_card, ALL_CONSTANTS, 0)
#include "end.h"
