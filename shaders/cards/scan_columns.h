/* SPDX-License-Identifier: MIT */
/*
 * The card of scan_columns.comp, which scans each column of a matrix by itself. Rows form strips,
 * each of which one invocation goes over; a strip leaves a term for each column, and these terms
 * are the matrix of the next level. A piece is the columns that an invocation has at once.
 */
#define VKR_CARD(name) vkr_scan_columns_##name
#define VKR_NAME(name) VKR_SCAN_COLUMNS_##name

#define VKR_COLUMN_BATCH 16 /* rows that an invocation loads at once, at most */

/* MODE is VKR_MODE_TOTALS, APPLY, or ONE: that has a single strip, which starts with the initial
 * value or with the state that the dispatch before it has left in place of a total. */
BEGIN_CONSTANTS
SHARED(OPS, 1, uint, 1)
CONSTANT(MODE, 6, uint, 0)
VKR_WALK_CONSTANTS
END_CONSTANTS

BEGIN_FLAGS
VKR_WALK_FLAGS
VKR_OPERATOR_FLAGS
FLAG(EXCLUSIVE, 6)
FLAG(REVERSE, 7)
FLAG(INITIAL, 8)     /* there is an initial value for each component, in the uniforms */
FLAG(GPU_INITIAL, 9) /* there is one for each component of each column, in a buffer */
FLAG(TOP, 12)        /* the strip starts with the initial value */
FLAG(END, 13)        /* the strip ends with the total */
END_FLAGS

/* Columns are those of components: a row of elements has `columns` of them. */
BEGIN_PUSH
PUSH_WALK(groups, GROUPS)
PUSH_WALK(cells, CELLS)
PUSH_WALK(first_row, ROW)   /* of strips */
PUSH_WALK(first_part, PART) /* piece of the first strip */
PUSH_WALK(capacity_low, CAPACITY_LOW)
PUSH_WALK(capacity_high, CAPACITY_HIGH)
PUSH_WALK(first_low, FIRST_LOW) /* index of this dispatch's first element */
PUSH_WALK(first_high, FIRST_HIGH)
PUSH_WALK(count, COUNT)
PUSH_WALK(load_base, LOAD) /* of the first unit, in packs */
PUSH(input_base)
PUSH(input_stride)
PUSH(output_base)
PUSH(output_stride)
PUSH(store_base)
PUSH(count_base)
PUSH(level_base)
PUSH(above_base)
PUSH(new_base)
PUSH(initial_base)
PUSH(total_base) /* ~0: there is no total */
PUSH(row_length) /* elements of a row */
PUSH(columns)
PUSH(components)
PUSH(parts)   /* pieces of a row */
PUSH(strip)   /* rows of a strip */
PUSH(rows)    /* of the level */
PUSH(covered) /* rows of elements for which a row of the level stands */
END_PUSH

BEGIN_UNIFORMS
UNIFORM4(initial_low) /* INITIAL: two words per component */
UNIFORM4(initial_high)
END_UNIFORMS

BEGIN_BINDINGS
BUFFER(INPUT, 0, ALL, VkrStored, vkr_input)
VIEW(0, VkrLoad, vkr_loads)
BUFFER(LEVEL, 1, ALL, uint, vkr_level) /* the matrix, where it is not that of elements */
BUFFER(COUNT, 2, ALL, uint, vkr_count)
BUFFER(ABOVE, 3, ALL, uint, vkr_above) /* the prefix of each strip and column */
BUFFER(TOTAL, 4, ALL, VkrStored, vkr_total_values)
VIEW(4, uint, vkr_total_words)
BUFFER(OUTPUT, 5, ALL, VkrStored, vkr_output)
VIEW(5, uint, vkr_output_words)
VIEW(5, VkrPack, vkr_output_packs)
/* What takes the place of LEVEL; or the matrix above, of a total for each strip and column. */
BUFFER(NEW, 6, ALL, uint, vkr_new)
BUFFER(INITIAL, 7, ALL, VkrStored, vkr_initial_values)
VIEW(7, uint, vkr_initial_words)
TEXELS(ALL)
UNIFORM_BLOCK(ALL, vkr_scan_columns_uniforms)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_SCAN_COLUMNS_SLOT_INPUT, INPUT, READ, ITEMS, AT(input_base), AT(input_stride))
SLOT(VKR_SCAN_COLUMNS_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
SLOT(VKR_SCAN_COLUMNS_SLOT_LEVEL, LEVEL, READ, ITEMS, AT(level_base), 0)
SLOT(VKR_SCAN_COLUMNS_SLOT_ABOVE, ABOVE, READ, ITEMS, AT(above_base), 0)
SLOT(VKR_SCAN_COLUMNS_SLOT_NEW, NEW, WRITE, WINDOW, AT(new_base), 0)
SLOT(VKR_SCAN_COLUMNS_SLOT_RESULTS, OUTPUT, WRITE, WINDOW, AT(output_base), AT(output_stride))
SLOT(VKR_SCAN_COLUMNS_SLOT_TOTAL, TOTAL, WRITE, ITEMS, AT(total_base), 0)
SLOT(VKR_SCAN_COLUMNS_SLOT_INITIAL, INITIAL, READ, ITEMS, AT(initial_base), 0)
END_SLOTS

KERNEL(SCAN_COLUMNS, 0, vkr_scan_columns_card, ALL_CONSTANTS, GIVEN)
#include "end.h"
