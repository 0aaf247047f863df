/* SPDX-License-Identifier: MIT */
/* The card of spans.comp, which turns the offsets of a selection's segments into spans, and lists
 * the segments that are not short. */
#include "span.h"

#define VKR_CARD(name) vkr_spans_##name
#define VKR_NAME(name) VKR_SPANS_##name

BEGIN_CONSTANTS
WORKGROUP(64)
CONSTANT(FLAGS, 1, uint, 0)
END_CONSTANTS

BEGIN_FLAGS
FLAG(WIDE, 0)             /* offsets are u64 */
FLAG(WANTED, 1)           /* there is a number of wanted entries for each segment */
FLAG(FOUND, 2)            /* stores how many entries each segment has */
SHARED_FLAG(GPU_COUNT, 3) /* of elements */
SHARED_FLAG(GPU_COUNT64, 4)
FLAG(SEGMENT_COUNT, 5) /* the number of segments lies in GPU memory */
FLAG(SEGMENT_COUNT64, 6)
END_FLAGS

BEGIN_PUSH
PUSH_WALK(groups, GROUPS)         /* workgroups that have work; the dispatch can have more */
PUSH_WALK(capacity, CAPACITY_LOW) /* elements of all segments, as far as the host knows */
PUSH(segments)                    /* likewise */
PUSH(wanted)                      /* maximum of entries of a segment */
PUSH(short_length)                /* of segments that are not listed, at most */
PUSH(medium_length)               /* of segments that are not long, at most */
PUSH(share)                       /* elements of a part */
PUSH(medium)                      /* for how many of each the lists have room */
PUSH(long_ones)
PUSH(parts)
PUSH(offsets_base)
PUSH(count_base)
PUSH(segment_count_base)
PUSH(wanted_base)
PUSH(spans_base)
PUSH(lists_base)
PUSH(found_base)
END_PUSH

BEGIN_BINDINGS
BUFFER(OFFSETS, 0, ALL, uint, vkr_offsets)
BUFFER(COUNT, 1, ALL, uint, vkr_count)
BUFFER(SEGMENT_COUNT, 2, ALL, uint, vkr_segment_count)
BUFFER(WANTED, 3, ALL, uint, vkr_wanted)
BUFFER(SPANS, 4, ALL, uint, vkr_spans)
BUFFER(LISTS, 5, ALL, uint, vkr_lists)
BUFFER(FOUND, 6, ALL, uint, vkr_found)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_SPANS_SLOT_OFFSETS, OFFSETS, READ, ITEMS, AT(offsets_base), 0)
SLOT(VKR_SPANS_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
SLOT(VKR_SPANS_SLOT_SEGMENT_COUNT, SEGMENT_COUNT, READ, ITEMS, AT(segment_count_base), 0)
SLOT(VKR_SPANS_SLOT_WANTED, WANTED, READ, ITEMS, AT(wanted_base), 0)
SLOT(VKR_SPANS_SLOT_SPANS, SPANS, WRITE, WINDOW, AT(spans_base), 0)
SLOT(VKR_SPANS_SLOT_LISTS, LISTS, CHANGE, ITEMS, AT(lists_base), 0)
SLOT(VKR_SPANS_SLOT_FOUND, FOUND, WRITE, WINDOW, AT(found_base), 0)
END_SLOTS

KERNEL(SPANS, 0, vkr_spans_card, ALL_CONSTANTS, 0)
#include "end.h"
