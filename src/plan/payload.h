/* SPDX-License-Identifier: MIT */
/* Payloads, which move with elements: their checks, and views of the units in which they move. */
#ifndef VKR_PAYLOAD_H
#define VKR_PAYLOAD_H

#include "check.h"
#include "vkreduce/compact.h"

/* The entries of a payload's source or target, as elements that consist of units. The target's
 * capacity is the number of entries that fit its range. */
vkr_view vkr_view_of_source(const vkr_walk *walk, const VkrPayload *payload);
vkr_view vkr_view_of_target(const VkrPayload *payload);

/* A view of the same elements, as units of 1, 2 or 4 bytes. */
vkr_view vkr_units_of_view(const vkr_view *view);

/* Checks a payload of the walk's elements, the field of whose source is called `from`. */
VkrResult vkr_check_payload(const vkr_walk *walk, const VkrPayload *payload, uint32_t index,
                            const char *from);

/* Checks the payloads of the walk's elements. */
VkrResult vkr_check_payloads(const vkr_walk *walk, uint32_t count, const VkrPayload *payloads);

/* The bytes of a payload's source or target, of which at most `stored` entries are written. */
vkr_region vkr_region_of_payload(const vkr_walk *walk, const VkrPayload *payload, uint32_t index,
                                 bool written, uint64_t stored);

#endif
