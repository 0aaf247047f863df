/* SPDX-License-Identifier: MIT */
/* The card of payload.comp, which moves payloads and computes run lengths by a list of element
 * indices. Entry e of the list is for position e, or append + e. */
#include "moved.h"

#define VKR_CARD(name) vkr_payload_##name
#define VKR_NAME(name) VKR_PAYLOAD_##name

BEGIN_CONSTANTS
WORKGROUP(64)
CONSTANT(UNITS, 1, uint, 1) /* of an entry */
CONSTANT(FLAGS, 2, uint, 0)
END_CONSTANTS

BEGIN_FLAGS
FLAG(LIST64, 0)   /* indices are u64 */
FLAG(REJECTED, 1) /* the payloads belong to rejected elements */
FLAG(APPEND, 2)   /* positions start at the record's */
FLAG(LENGTHS, 3)  /* stores the distance to the next index */
FLAG(TARGET64, 4) /* lengths are u64 */
END_FLAGS

/* A dispatch covers windows of the list, of the source and of positions in the target. */
BEGIN_PUSH
VKR_MOVED_PUSH
PUSH(items) /* entries per invocation */
PUSH(list_base)
PUSH(list_low)
PUSH(list_high)
PUSH(list_count)
PUSH(source_low) /* the element of the first entry */
PUSH(source_high)
END_PUSH

BEGIN_BINDINGS
BUFFER(LIST, 0, ALL, uint, vkr_list)
VIEW(0, VkrPack, vkr_list_packs)
VKR_MOVED_BINDINGS(PAYLOAD, PAYLOAD_TEXEL)
VIEW(3, VkrPack, vkr_target_packs)
END_BINDINGS

BEGIN_SLOTS
VKR_MOVED_SLOTS
SLOT(VKR_PAYLOAD_SLOT_LIST, LIST, READ, ITEMS, AT(list_base), 0)
END_SLOTS

KERNEL(PAYLOAD, 0, vkr_payload_card, ALL_CONSTANTS, 0)
KERNEL(PAYLOAD_TEXEL, 1, vkr_payload_texel_card, ALL_CONSTANTS, 0)
#include "end.h"
