/* SPDX-License-Identifier: MIT */
/* The card of reductions of many segments: segment.comp and neighbours.comp. */
#define VKR_CARD(name) vkr_segment_##name
#define VKR_NAME(name) VKR_SEGMENT_##name

BEGIN_CONSTANTS
VKR_REDUCTION_CONSTANTS
VKR_WALK_CONSTANTS
/* Invocations that share segments: a power of two; 0: the workgroup. */
CONSTANT(TEAM, 11, uint, 1)
CONSTANT(SHAPE, 12, uint, 0)  /* VKR_SHAPE_* */
CONSTANT(LENGTH, 13, uint, 1) /* elements of a short row; WINDOWS: elements of a window outside its
                               * blocks */
/* Number of segments that an invocation reduces: rows, which together are whole units; the columns
 * of one or several units of a row, or of a part of one; or windows, which start at the elements of
 * a block. */
CONSTANT(NEIGHBOURS, 14, uint, 1)
END_CONSTANTS

/* Where a segment, or the part of one that is reduced at once, lies. */
#define VKR_SHAPE_ROWS 0u    /* at multiples of a stride; ids count the parts of a segment first */
#define VKR_SHAPE_COLUMNS 1u /* the same, but ids count the segments first */
#define VKR_SHAPE_OFFSETS 2u /* between offsets; long ones are listed for the next three */
#define VKR_SHAPE_MEDIUM 3u  /* listed segments */
#define VKR_SHAPE_PARTS 4u   /* listed parts of segments */
#define VKR_SHAPE_LARGE 5u   /* listed segments, from their partials */
#define VKR_SHAPE_WINDOWS 6u /* each starts one element after the one before: neighbours */
#define VKR_SHAPE_NODES 8u   /* neighbours: the nodes for windows at level device (nodes.glsl) */

#define VKR_COLUMN_LANES 8u /* invocations that read consecutive units of a row together */

BEGIN_FLAGS
VKR_WALK_FLAGS
VKR_OPERATOR_FLAGS
FLAG(FULL_TEAM, 6) /* a subgroup has at least TEAM invocations */
FLAG(ONE_BATCH, 7) /* the units of an invocation are one batch */
FLAG(FEW, 8)       /* neighbours: a segment has less than 2^24 elements */
FLAG(FOLDED, 9)    /* columns: see UNIFORM(fold) */
FLAG(OFFSETS64, 12)
FLAG(GPU_SEGMENTS, 13) /* the number of segments lies in GPU memory, at partials_base */
FLAG(GPU_SEGMENTS64, 14)
FLAG(WHOLE, 15)        /* invocations have only whole batches of units */
FLAG(FOUR_RESULTS, 16) /* neighbours: results are words without gaps, stored in packs of four */
END_FLAGS

/* There are three consecutive lists: indices of segments; triples of a segment, its first partial
 * and the number of its partials; and pairs of a segment and the index of a part, whose position in
 * the list is that of its partial. OFFSETS stores them at stored_base; later dispatches read them
 * at partials_base. Those of linked functions follow their counts. */
BEGIN_PUSH
PUSH(input_base) /* as in reductions of one whole */
PUSH(input_stride)
PUSH(input2_base)
PUSH_WALK(first_low, FIRST_LOW) /* element 0 of the dispatch, from which others are counted */
PUSH_WALK(first_high, FIRST_HIGH)
PUSH_WALK(count, COUNT)   /* elements of the dispatch */
PUSH_WALK(groups, GROUPS) /* workgroups that have work */
PUSH(ids)                 /* parts of segments in this dispatch */
PUSH(items)               /* ids, or runs of neighbours, per invocation or workgroup */
PUSH(segments)            /* in this dispatch */
PUSH(segment_stride)      /* elements from one segment to the next */
PUSH(element_stride)      /* elements from one element of a segment to the next */
/* Elements of a segment in this dispatch; OFFSETS: max of segments that are not listed. */
PUSH(segment_length)
/* Parts of a segment in this dispatch; lists: parts for which their list has room; WINDOWS:
 * partials between both ends of a window; at level device, levels of nodes. */
PUSH(parts)
/* Of this dispatch; WINDOWS: the first block; OFFSETS: the segments of dispatches before it. */
PUSH(first_part)
PUSH_WALK(lead, LEAD)      /* elements that the first unit lacks at its start */
PUSH_WALK(load_base, LOAD) /* of the first unit, in packs */
PUSH_WALK(load2_base, LOAD2)
PUSH(count_base)
PUSH(partials_base)
PUSH(stored_base)
PUSH(output_base)
PUSH(output_stride) /* units, from a segment's results to those of the next */
PUSH(counter_base)  /* of the three counts */
PUSH(mask_base)     /* the bit of the dispatch's first element */
END_PUSH

/* Kernels of rows and columns with a host count do not read these. */
BEGIN_UNIFORMS
UNIFORM_WALK(capacity_low, CAPACITY_LOW) /* as in reductions of one whole */
UNIFORM_WALK(capacity_high, CAPACITY_HIGH)
UNIFORM(input2_stride)
UNIFORM(offsets_base)
/* Elements of a part; WINDOWS: the first partial between ends; at level device and for NODES: the
 * index of the first node. */
UNIFORM(part_length)
/* Max parts of a segment, each with a partial; WINDOWS: partials that replace elements; at level
 * device and for NODES: nodes of the lowest level. */
UNIFORM(all_parts)
UNIFORM(max_medium) /* max number of segments in the list of medium ones */
UNIFORM(max_large)
/* Linked functions: shares of a segment's `part_length` partials, each of which is reduced alone.
 * Rows of a narrow matrix that are read as one. The columns of this wide matrix are the segments;
 * those of each narrow column leave their partials next to each other. */
UNIFORM(fold)
END_UNIFORMS

BEGIN_BINDINGS
BUFFER(INPUT, 0, ALL, VkrStored, vkr_input)
VIEW(0, VkrLoad, vkr_loads)
VIEW(0, uint, vkr_words) /* of pieces that are not whole loads */
BUFFER(INPUT2, 1, ~IN(SEGMENT_LINKED), VkrStored, vkr_input2)
VIEW(1, VkrLoad, vkr_loads2)
VIEW(1, uint, vkr_words2)
VIEW(1, uint, vkr_mask_in_input2) /* words of bits, if there are offsets */
BUFFER(COUNT, 2, ALL, uint, vkr_count)
COHERENT(PARTIALS, 3, ~IN(SEGMENT_LINKED), uint, vkr_partials)
COHERENT(STORED, 4, ALL, uint, vkr_stored)
BUFFER(OUTPUT, 5, ALL, VkrOutputUnit, vkr_output)
VIEW(5, VkrPack, vkr_output_packs)
/* Three counts: medium, large, parts. Linked functions also have the lists here, since this kernel
 * has few buffers: set 1 belongs to the application. */
COHERENT(LISTS, 6, ~IN(NEIGHBOUR), uint, vkr_counter)
BUFFER(OFFSETS, 7, ALL, uint, vkr_offsets) /* words; without offsets, a mask's words of bits */
#if VKR_HAS_FOURS
VIEW(7, VkrPack, vkr_offset_packs)
#endif
TEXELS(ALL)
UNIFORM_BLOCK(ALL, vkr_segment_uniforms)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_SEGMENT_INPUT, INPUT, READ, ITEMS, AT(input_base), AT(input_stride))
SLOT(VKR_SEGMENT_INPUT2, INPUT2, READ, ITEMS, AT(input2_base), IN_UNIFORMS(input2_stride))
SLOT(VKR_SEGMENT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
/* Partials that are read, or lists and the partials after them; or the number of segments, if it
 * lies in GPU memory. */
SLOT(VKR_SEGMENT_PARTIALS, PARTIALS, READ, GRANULES, AT(partials_base), 0)
/* The same for linked functions, as in reductions of a whole. */
SLOT(VKR_SEGMENT_STATES, INPUT, READ, GRANULES, AT(partials_base), 0)
SLOT(VKR_SEGMENT_NUMBER, PARTIALS, READ, ITEMS, AT(partials_base), 0)
SLOT(VKR_SEGMENT_LINKED_NUMBER, STORED, READ, ITEMS, AT(stored_base), 0)
SLOT(VKR_SEGMENT_STORED, STORED, WRITE, GRANULES, AT(stored_base), 0) /* partials or lists */
SLOT(VKR_SEGMENT_RESULTS, OUTPUT, WRITE, ITEMS, AT(output_base), AT(output_stride))
/* Most shapes only read it, but validation cannot know which shape the dispatch has. */
SLOT(VKR_SEGMENT_LISTED, LISTS, CHANGE, GRANULES, AT(counter_base), 0)
SLOT(VKR_SEGMENT_STARTS, OFFSETS, READ, GRANULES, IN_UNIFORMS(offsets_base), 0)
SLOT(VKR_SEGMENT_MASK, OFFSETS, READ, ITEMS, AT(mask_base), 0)
SLOT(VKR_SEGMENT_MASK_IN_INPUT2, INPUT2, READ, ITEMS, AT(mask_base), 0)
END_SLOTS

KERNEL(SEGMENT, 0, vkr_segment_card, ALL_CONSTANTS, GIVEN)
KERNEL(NEIGHBOUR, 1, vkr_neighbour_card, ALL_CONSTANTS, GIVEN)
KERNEL(SEGMENT_LINKED, 2, vkr_segment_linked_card, ALL_CONSTANTS, GIVEN)
#include "end.h"
