/* SPDX-License-Identifier: MIT */
/* The card of histogram.comp, which counts the elements of a buffer or an image in bins. */
#define VKR_CARD(name) vkr_histogram_##name
#define VKR_NAME(name) VKR_HISTOGRAM_##name
#include "bins.h"

BEGIN_CONSTANTS
UNUSED(1)
VKR_WALK_CONSTANTS
CONSTANT(COUNTING, 6, uint, 0) /* VKR_COUNTING_* */
CONSTANT(FINDING, 11, uint, 0) /* VKR_FINDING_*, and VKR_FINDING_STEP times the steps of a search */
CONSTANT(COPIES, 12, uint, 1)  /* SHARED: copies of each count; a power of two */
CONSTANT(ROOM, 13, uint, 1)    /* counts of an invocation or a workgroup */
CONSTANT(LIMITS, 14, uint, 0)  /* words of limits copied from the table; 0: none */
CONSTANT(WEIGHTS, 15, uint, 0) /* VKR_WEIGHTS_* */
END_CONSTANTS

/* Where the elements of a share are counted before these counts are added to those in memory. */
#define VKR_COUNTING_OWN 0u /* each invocation has its own counts */
#define VKR_COUNTING_SHARED 1u
#define VKR_COUNTING_GLOBAL 2u /* in memory */

#define VKR_FINDING_SEARCH 0u
#define VKR_FINDING_ESTIMATE 1u
#define VKR_FINDING_OFFSET 2u /* the difference of keys gives the bin */
#define VKR_FINDING_VALUES 3u /* byte values are counted, and assigned to bins later; not GLOBAL */
#define VKR_FINDING_EITHER 4u /* ESTIMATE if the tables' estimates are good, else SEARCH */
#define VKR_FINDING_LOG2 5u   /* an estimate from the logarithm of a float */
#define VKR_FINDING_STEP 256u

#define VKR_WEIGHTS_NONE 0u
#define VKR_WEIGHTS_UNSIGNED 1u
#define VKR_WEIGHTS_SIGNED 2u
#define VKR_WEIGHTS_FLOAT 3u

BEGIN_FLAGS
VKR_WALK_FLAGS
FLAG(COUNTS64, 29)
FLAG(OUTSIDE, 30) /* elements outside all bins are counted too */
END_FLAGS

BEGIN_PUSH
PUSH(input_base) /* as in reductions */
PUSH(input_stride)
PUSH_WALK(capacity_low, CAPACITY_LOW)
PUSH_WALK(capacity_high, CAPACITY_HIGH)
PUSH_WALK(first_low, FIRST_LOW)
PUSH_WALK(first_high, FIRST_HIGH)
PUSH_WALK(count, COUNT)
PUSH_WALK(groups, GROUPS)
PUSH_WALK(items, ITEMS)
PUSH_WALK(head, HEAD)
PUSH_WALK(load_base, LOAD)
PUSH(count_base)
PUSH(mask_base)
PUSH(map_weight)
PUSH(map_bias)
PUSH(weights_base) /* of this dispatch's first element */
PUSH(weights_stride)
PUSH(weights_scale) /* 2^b, as the bits of a float */
PUSH(table_base)
PUSH(table_stride) /* words from a component's table to the next; 0: one table for all */
PUSH(bins)
PUSH(counts_base)
PUSH(outside_base)
END_PUSH

BEGIN_BINDINGS
BUFFER(INPUT, 0, IN(HISTOGRAM), VkrStored, vkr_input)
VIEW(0, VkrLoad, vkr_loads)
BUFFER(WEIGHTS, 1, ALL, uint, vkr_weight_words)
BUFFER(COUNT, 2, ALL, uint, vkr_count)
BUFFER(TABLE, 3, ALL, uint, vkr_table)
COHERENT(COUNTS, 4, ALL, uint, vkr_counts)
COHERENT(OUTSIDE, 5, ALL, uint, vkr_outside)
BUFFER(MASK, 7, ALL, uint, vkr_mask) /* words of bits */
SAMPLED_IMAGE(IMAGE, VKR_BINDING_IMAGE, IN(HISTOGRAM_IMAGE), vkr_image)
UNIFORM_BLOCK(IN(HISTOGRAM_IMAGE), vkr_image_uniforms)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_HISTOGRAM_SLOT_INPUT, INPUT, READ, ITEMS, AT(input_base), AT(input_stride))
SLOT(VKR_HISTOGRAM_SLOT_WEIGHTS, WEIGHTS, READ, ITEMS, AT(weights_base), AT(weights_stride))
SLOT(VKR_HISTOGRAM_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
SLOT(VKR_HISTOGRAM_SLOT_TABLE, TABLE, READ, ITEMS, AT(table_base), 0)
SLOT(VKR_HISTOGRAM_SLOT_COUNTS, COUNTS, CHANGE, ITEMS, AT(counts_base), 0)
SLOT(VKR_HISTOGRAM_SLOT_OUTSIDE, OUTSIDE, CHANGE, ITEMS, AT(outside_base), 0)
SLOT(VKR_HISTOGRAM_SLOT_MASK, MASK, READ, ITEMS, AT(mask_base), 0)
END_SLOTS

KERNEL(HISTOGRAM, 0, vkr_histogram_card, ALL_CONSTANTS, GIVEN & ~GIVES(SUBGROUPS))
KERNEL(HISTOGRAM_IMAGE, 1, vkr_histogram_image_card, ALL_CONSTANTS, GIVEN & ~GIVES(SUBGROUPS))
#include "end.h"
