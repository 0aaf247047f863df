/* SPDX-License-Identifier: MIT */
/*
 * The card of scans: scan.comp and passes.comp. By linked functions the modules that write results
 * have another set of buffers than those that store partials, since either must leave buffers to
 * set 1. KEYED scans or reduces runs of equal keys in a single pass.
 */
#define VKR_CARD(name) vkr_scan_##name
#define VKR_NAME(name) VKR_SCAN_##name

/* passes.comp, with one element or pair of elements per invocation, has the constants up to BATCH;
 * its MODE is VKR_PASS_*. */
BEGIN_CONSTANTS
SHARED(OPS, 1, uint, 1)
VKR_WALK_CONSTANTS
CONSTANT(MODE, 6, uint, 0)   /* VKR_MODE_*, or VKR_PASS_* */
CONSTANT(STORE, 11, uint, 0) /* VKR_STORE_* */
CONSTANT(MUTED, 12, uint, 0) /* 1 + a tile that never publishes */
/* KEYED: runs that an invocation stages before the workgroup stores their results. */
CONSTANT(STAGED, 13, uint, 1)
END_CONSTANTS

#define VKR_STORE_ELEMENT 0u
#define VKR_STORE_PACKS 1u /* results fill whole aligned packs */

BEGIN_FLAGS
VKR_WALK_FLAGS
VKR_OPERATOR_FLAGS
FLAG(EXCLUSIVE, 6)
FLAG(REVERSE, 7)
FLAG(INITIAL, 8)     /* there is an initial value, in the uniforms */
FLAG(GPU_INITIAL, 9) /* there is an initial value, in a buffer */
FLAG(HEADS, 10)      /* segments start at set bits */
FLAG(ROWS, 11)       /* segments start at multiples of a row length */
FLAG(TOP, 12)        /* the scanned values start with the initial value */
FLAG(END, 13)        /* the scanned values end with the total */
FLAG(BACKWARDS, 14)  /* the first workgroup has the last share */
FLAG(REDUCES, 15)    /* KEYED: runs of equal keys have results, unless OPS is 0 */
FLAG(LENGTHS, 16)    /* KEYED: and lengths */
FLAG(BY_VALUE, 24)   /* KEYED: keys are f32, -0 equals +0, and all NaN are equal */
END_FLAGS

/* Positions of results are in units: words for sums and products, else elements. Bases of packs may
 * be negative: no full unit has such an index. Passes have one partial per element: `count` is the
 * number of all elements. */
BEGIN_PUSH
PUSH(input_base)
PUSH(input_stride)
PUSH(output_base)
PUSH(output_stride)
PUSH_WALK(capacity_low, CAPACITY_LOW) /* elements of the whole operation, as the host knows */
PUSH_WALK(capacity_high, CAPACITY_HIGH)
PUSH_WALK(first_low, FIRST_LOW) /* index of this dispatch's first element */
PUSH_WALK(first_high, FIRST_HIGH)
PUSH_WALK(count, COUNT)   /* elements or partials of this dispatch */
PUSH_WALK(groups, GROUPS) /* workgroups that have work; the dispatch can have more */
/* Units, elements or partials per invocation; passes: distance of the elements of a pair. */
PUSH_WALK_OF(items, ITEMS, ~IN(PASSES))
PUSH_WALK(lead, LEAD)      /* elements that the first unit lacks at its start */
PUSH_WALK(load_base, LOAD) /* of the first unit, in packs */
PUSH(store_base)
PUSH(count_base)
PUSH(partials_base) /* KEYED: the first length */
PUSH(stored_base)   /* KEYED: the words of the number of runs, or of a compaction's record */
/* The bit of element 0; ROWS: the first element that starts a row; KEYED: the key of element 0. */
PUSH(heads_base)
PUSH(row_length)   /* KEYED: the number of runs for which there is room */
PUSH(initial_base) /* KEYED: the first of the unique keys; ~0: these are not stored */
PUSH(total_base)   /* ~0: this dispatch writes no total; KEYED: the number of runs */
PUSH(counter_base)
PUSH(states_base) /* of tile 0 */
PUSH(first_tile)
END_PUSH

BEGIN_UNIFORMS
UNIFORM4(initial_low) /* INITIAL: two words per component */
UNIFORM4(initial_high)
END_UNIFORMS

BEGIN_BINDINGS
BUFFER(INPUT, 0, ALL, VkrStored, vkr_input)
VIEW(0, VkrLoad, vkr_loads)
BUFFER(HEADS, 1, ~IN(KEYED), uint, vkr_heads)
BUFFER(KEYS, 1, IN(KEYED), uint, vkr_keys)
VIEW(1, VkrPack, vkr_packs_of_keys)
BUFFER(COUNT, 2, ALL, uint, vkr_count)
BUFFER(PARTIALS, 3, IN(SCAN) | IN(PASSES), uint, vkr_partials)
BUFFER(LENGTHS, 3, IN(KEYED), uint, vkr_lengths)
BUFFER(TOTAL, 4, ~IN(SCAN_LINKED), VkrStored, vkr_total_values)
VIEW(4, uint, vkr_total_words)
/* Results, as elements, words and packs; or partials, in modules that write no results. */
BUFFER(OUTPUT, 5, ALL, VkrStored, vkr_output)
VIEW(5, uint, vkr_output_words)
COHERENT_VIEW(5, uint, vkr_stored)
VIEW(5, VkrPack, vkr_output_packs)
/* A ticket or a number of finished workgroups; words of tiles. */
COHERENT(COUNTER, 6, IN(SCAN) | IN(SCAN_LINKED) | IN(KEYED), uint, vkr_counter)
BUFFER(INITIAL, 7, ~IN(KEYED), VkrStored, vkr_initial_values)
VIEW(7, uint, vkr_initial_words)
BUFFER(UNIQUE, 7, IN(KEYED), uint, vkr_unique)
TEXELS(~(IN(PASSES) | IN(KEYED)))
UNIFORM_BLOCK(IN(SCAN) | IN(PASSES) | IN(KEYED), vkr_scan_uniforms)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_SCAN_SLOT_INPUT, INPUT, READ, ITEMS, AT(input_base), AT(input_stride))
SLOT(VKR_SCAN_SLOT_HEADS, HEADS, READ, ITEMS, 0, 0) /* bits that mark where segments start */
SLOT(VKR_SCAN_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
SLOT(VKR_SCAN_SLOT_PARTIALS, PARTIALS, READ, GRANULES, AT(partials_base), 0)
/* Partials that are only written, or that are read too. */
SLOT(VKR_SCAN_SLOT_STORED, OUTPUT, WRITE, GRANULES, AT(stored_base), 0)
SLOT(VKR_SCAN_SLOT_CHANGED, OUTPUT, CHANGE, GRANULES, AT(stored_base), 0)
SLOT(VKR_SCAN_SLOT_RESULTS, OUTPUT, WRITE, WINDOW, AT(output_base), AT(output_stride))
SLOT(VKR_SCAN_SLOT_TOTAL, TOTAL, WRITE, ITEMS, AT(total_base), 0)
SLOT(VKR_SCAN_SLOT_COUNTER, COUNTER, CHANGE, ITEMS, AT(counter_base), 0)
SLOT(VKR_SCAN_SLOT_INITIAL, INITIAL, READ, ITEMS, AT(initial_base), 0)
/* Partials that linked functions read: in the place of elements, and all of them in that of the
 * initial value. */
SLOT(VKR_SCAN_SLOT_STATES, INPUT, READ, GRANULES, AT(partials_base), 0)
SLOT(VKR_SCAN_SLOT_BEFORE, INITIAL, READ, GRANULES, AT(initial_base), 0)
SLOT(VKR_SCAN_SLOT_KEYS, KEYS, READ, ITEMS, AT(heads_base), 0)
SLOT(VKR_SCAN_SLOT_LENGTHS, LENGTHS, WRITE, ITEMS, AT(partials_base), 0)
SLOT(VKR_SCAN_SLOT_UNIQUE, UNIQUE, WRITE, ITEMS, AT(initial_base), 0)
END_SLOTS

KERNEL(SCAN, 0, vkr_scan_card, ALL_CONSTANTS, GIVEN)
KERNEL(PASSES, 1, vkr_passes_card, VKR_CONST_BATCH + 1,
       GIVES(WORKGROUP) | GIVES(COMPONENTS) | GIVES(SIGNED))
KERNEL(SCAN_LINKED, 2, vkr_scan_linked_card, ALL_CONSTANTS, GIVEN)
KERNEL(TILES_LINKED, 3, vkr_tiles_linked_card, ALL_CONSTANTS, GIVEN)
KERNEL(KEYED, 4, vkr_keyed_card, ALL_CONSTANTS, GIVEN)
#include "end.h"
