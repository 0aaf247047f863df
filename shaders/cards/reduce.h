/* SPDX-License-Identifier: MIT */
/* The card of reductions without segments: reduce.comp, for a buffer or an image, and
 * blocks.comp. */
#define VKR_CARD(name) vkr_reduce_##name
#define VKR_NAME(name) VKR_REDUCE_##name

#define VKR_AHEAD 16u /* BATCH of elements that are loaded singly, if it is not 1 */

BEGIN_CONSTANTS
VKR_REDUCTION_CONSTANTS
VKR_WALK_CONSTANTS
END_CONSTANTS

BEGIN_FLAGS
VKR_WALK_FLAGS
VKR_OPERATOR_FLAGS
END_FLAGS

/* Bases are in units of the binding's array: values of the element type (input, output), words
 * (count, counter, partials). */
BEGIN_PUSH
PUSH(input_base)
PUSH(input_stride)
PUSH(input2_base)
PUSH(input2_stride)
PUSH_WALK(capacity_low, CAPACITY_LOW) /* elements of the whole operation, as the host knows */
PUSH_WALK(capacity_high, CAPACITY_HIGH)
PUSH_WALK(first_low, FIRST_LOW) /* index of this dispatch's first element */
PUSH_WALK(first_high, FIRST_HIGH)
PUSH_WALK(count, COUNT)   /* max elements or partials that this dispatch reads */
PUSH_WALK(groups, GROUPS) /* workgroups that have work; the dispatch can have more */
PUSH_WALK(items, ITEMS)   /* elements or partials per invocation; VKR_PATH_WIDE: units */
PUSH_WALK(head, HEAD)     /* VKR_PATH_WIDE: elements before the first unit */
PUSH_WALK(load_base, LOAD)
PUSH_WALK(load2_base, LOAD2)
PUSH(count_base)
PUSH(partials_base)
PUSH(partials_stride) /* words from one partial that is read to the next */
PUSH(stored_base)
PUSH(stored_stride) /* words (OUTPUT_ELEMENT: values) from one that is stored to the next */
PUSH(output_base)
PUSH(counter_base)
PUSH(mask_base)  /* the bit of this dispatch's first element */
PUSH(map_weight) /* of component 0, as a float; for images, uniforms have weight and bias */
PUSH(map_bias)
END_PUSH

BEGIN_BINDINGS
BUFFER(INPUT, 0, ~IN(REDUCE_IMAGE), VkrStored, vkr_input)
VIEW(0, VkrLoad, vkr_loads)
BUFFER(INPUT2, 1, ~(IN(REDUCE_IMAGE) | IN(REDUCE_LINKED)), VkrStored, vkr_input2)
VIEW(1, VkrLoad, vkr_loads2)
BUFFER(COUNT, 2, ALL, uint, vkr_count)
/* Partials that are read: INPUT_PARTIALS; OUTPUT_LAST: those of STORED. */
COHERENT(PARTIALS, 3, ~IN(REDUCE_LINKED), uint, vkr_partials)
COHERENT(STORED, 4, ALL, uint, vkr_stored) /* partials written */
/* The input as an output: OUTPUT_ELEMENT, which stores no partials. */
COHERENT_VIEW(4, VkrStored, vkr_replaced)
BUFFER(OUTPUT, 5, ~IN(BLOCKS), VkrOutputUnit, vkr_output)
COHERENT(COUNTER, 6, ~IN(BLOCKS), uint, vkr_counter)
BUFFER(MASK, 7, ALL, uint, vkr_mask) /* words of bits */
TEXELS(~IN(REDUCE_IMAGE))
SAMPLED_IMAGE(IMAGE, VKR_BINDING_IMAGE, IN(REDUCE_IMAGE), vkr_image)
UNIFORM_BLOCK(IN(REDUCE_IMAGE), vkr_image_uniforms)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_REDUCE_INPUT, INPUT, READ, ITEMS, AT(input_base), AT(input_stride))
SLOT(VKR_REDUCE_INPUT2, INPUT2, READ, ITEMS, AT(input2_base), AT(input2_stride))
/* The input, if its elements are replaced, and its second binding, for the writes. */
SLOT(VKR_REDUCE_IN_PLACE, INPUT, CHANGE, ITEMS, AT(input_base), AT(input_stride))
SLOT(VKR_REDUCE_ELEMENT, STORED, DECLARED, ITEMS, 0, 0)
SLOT(VKR_REDUCE_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
SLOT(VKR_REDUCE_PARTIALS, PARTIALS, READ, GRANULES, AT(partials_base), AT(partials_stride))
SLOT(VKR_REDUCE_STORED, STORED, WRITE, GRANULES, AT(stored_base), AT(stored_stride))
/* The same for linked functions, whose kernel must leave buffers to set 1: it reads partials in the
 * place of elements, and its own where it stored them. */
SLOT(VKR_REDUCE_STATES, INPUT, READ, GRANULES, AT(partials_base), AT(partials_stride))
/* Partials that the workgroup that finishes last reads, and their second binding, for the reads. */
SLOT(VKR_REDUCE_SHARED, STORED, CHANGE, GRANULES, AT(stored_base), AT(stored_stride))
SLOT(VKR_REDUCE_AGAIN, PARTIALS, DECLARED, ITEMS, AT(partials_base), AT(partials_stride))
SLOT(VKR_REDUCE_RESULTS, OUTPUT, WRITE, ITEMS, AT(output_base), 0)
SLOT(VKR_REDUCE_COUNTER, COUNTER, CHANGE, ITEMS, AT(counter_base), 0)
SLOT(VKR_REDUCE_MASK, MASK, READ, ITEMS, AT(mask_base), 0)
END_SLOTS

KERNEL(REDUCE, 0, vkr_reduce_card, ALL_CONSTANTS, GIVEN)
KERNEL(BLOCKS, 1, vkr_blocks_card, ALL_CONSTANTS, GIVEN)
KERNEL(REDUCE_IMAGE, 2, vkr_reduce_image_card, ALL_CONSTANTS, GIVEN)
KERNEL(REDUCE_LINKED, 3, vkr_reduce_linked_card, ALL_CONSTANTS, GIVEN)
#include "end.h"
