/* SPDX-License-Identifier: MIT */
/* The card of compactions, compact.comp, compact_tile.comp and documents/marks.comp, and of
 * find.comp, which tests elements in the same way. */
#define VKR_CARD(name) vkr_compact_##name
#define VKR_NAME(name) VKR_COMPACT_##name

BEGIN_CONSTANTS
CONSTANT(PREDICATE, 1, uint, 1) /* VKR_PREDICATE_WORD */
VKR_WALK_CONSTANTS
/* VKR_MODE_TOTALS, LAST, PARTIALS, TILES, ONE, or those below. A partial is the number of kept
 * elements of a run, and later of all runs before it: two words. */
CONSTANT(MODE, 6, uint, 0)
CONSTANT(OUTPUTS, 11, uint, 0) /* VKR_TO_* */
CONSTANT(MUTED, 12, uint, 0)   /* 1 + a tile that never publishes */
/* compact_tile.comp: rounds of units that a row of lanes stages at a time, or 0. */
CONSTANT(STAGED, 13, uint, 0)
END_CONSTANTS

/* The test, in one word: the kind, two relations (VkrCompare), whether elements that fail are kept,
 * the component, and how bits encode numbers. */
#define VKR_TEST_RANGE 0u /* the relations hold */
#define VKR_TEST_BITS 1u  /* (bits & a) equals b; with NOT_EQUAL, differs from b */
/* Some component differs from that of the element before: its bits, or, with EQUAL as the relation,
 * the value of a float. */
#define VKR_TEST_UNIQUE 2u
#define VKR_TEST_FLAGS 3u  /* the element's bit in a word for 32 elements is set */
#define VKR_TEST_HOOK 4u   /* a user's function says so */
#define VKR_TEST_BESIDE 5u /* the element's flag, in another array, is set (compact_tile.comp) */
/* The relations are numbered as in VkrCompare. */
#define VKR_IS_EQUAL 1u
#define VKR_IS_NOT_EQUAL 2u
#define VKR_IS_LESS 3u
#define VKR_IS_LESS_EQUAL 4u
#define VKR_IS_GREATER 5u
#define VKR_IS_GREATER_EQUAL 6u
#define VKR_NUMBER_UNSIGNED 0u
#define VKR_NUMBER_SIGNED 1u
#define VKR_NUMBER_FLOAT 2u
#define VKR_NUMBER_BFLOAT 3u
/* BESIDE: the number is log2 of the bits of a flag. */
#define VKR_PREDICATE_WORD(kind, relation, relation2, negate, component, number)                   \
    ((kind) | (relation) << 4 | (relation2) << 8 | (negate) << 12 | (component) << 16 |            \
     (number) << 20)
#define VKR_TWO_RANGES_BIT 0x2000u /* there are two relations, one of which is NOT_EQUAL */
#define VKR_UNREAD_BIT 0x4000u     /* HOOK: neither the test nor an output needs elements */

#define VKR_MODE_MOVE VKR_MODE_APPLY
/* find.comp: finds elements, or stores the index of the first one. */
#define VKR_MODE_FIND 0u
#define VKR_MODE_FOUND 7u

#define VKR_MODE_GATHER 6u /* fills the record: TESTED holds the constants, COUNT the position */

#define VKR_TO_KEPT 1u
#define VKR_TO_KEPT_INDICES 2u
#define VKR_TO_REJECTED 4u
#define VKR_TO_REJECTED_INDICES 8u
#define VKR_TO_KEPT_INDICES64 16u /* indices are u64 */
#define VKR_TO_REJECTED_INDICES64 32u
#define VKR_TO_QUEUE 64u /* all outputs are packed words, stored in packs of four */
/* Flags are tested: values are words of SOURCE, as are texels. SOURCE_PACKS: the values can be
 * loaded in packs of four, starting at the first one. */
#define VKR_TO_SOURCE 128u
#define VKR_TO_SOURCE_PACKS 256u
/* Elements are stored in parts of 2^n values, of 4, 8 or 16 bytes if n is not 0: n is in the bits
 * from this one. */
#define VKR_TO_PARTS_SHIFT 9u
#define VKR_TO_MARKS 4096u /* passes that count store a mark for each element, for move.comp */

BEGIN_FLAGS
VKR_WALK_FLAGS
FLAG(CONTINUED, 6)     /* there is an element before the first one */
FLAG(GATHERED, 7)      /* the record has the append position and the constants */
FLAG(GPU_CONSTANTS, 8) /* the record's constants, not the uniforms' */
FLAG(APPEND, 9)        /* kept positions start at the record's */
FLAG(COUNTS, 10)       /* the invocation that computes the number of kept elements writes counts */
END_FLAGS

/* Counters of find.comp start at 0. The first word is ~w for the first window in which an element
 * is known to pass the test; a word for each window follows, ~i for the first such element of that
 * window. `kept_low` is the window's number; in mode FOUND, `kept_count` is the number of elements
 * of all windows but the last. */

/* A dispatch covers a window of the input and one of positions in the kept outputs and one in the
 * rejected outputs. Two small bases share a word: the second one is in the upper half. */
BEGIN_PUSH
PUSH(input_base) /* values; VKR_TEST_FLAGS: the bit of element 0 */
PUSH(input_stride)
PUSH_WALK(capacity_low, CAPACITY_LOW) /* elements of the whole operation, as the host knows */
PUSH_WALK(capacity_high, CAPACITY_HIGH)
PUSH_WALK(first_low, FIRST_LOW) /* index of this dispatch's first element */
PUSH_WALK(first_high, FIRST_HIGH)
PUSH_WALK(count, COUNT) /* elements of this dispatch; VKR_MODE_PARTIALS: partials */
PUSH_WALK(items, ITEMS) /* units or elements per invocation */
PUSH_WALK(lead, LEAD)   /* elements that the first unit lacks at its start */
PUSH(load_base)         /* of the first unit, in packs */
PUSH(first_run)         /* number of this dispatch's first run */
PUSH(scratch_base)
PUSH(kept_bases)     /* parts of values, indices */
PUSH(rejected_bases) /* the same */
PUSH(count_base)
PUSH(counter_base)
PUSH(kept_low) /* window of positions */
PUSH(kept_high)
PUSH(kept_count)
PUSH(rejected_low)
PUSH(rejected_high)
PUSH(rejected_count)
PUSH(index_low) /* the index that is written for this dispatch's first element */
PUSH(index_high)
PUSH(source_base)      /* words; BESIDE: of flags */
PUSH(source_load_base) /* in texels, of the first unit */
END_PUSH

#define VKR_COUNTS 4
#define VKR_COUNT_WORD 256
BEGIN_UNIFORMS
UNIFORM4(constants) /* a, b */
/* COUNTS: VkrCountKind + VKR_COUNT_WORD times the index of its word; ~0: none. */
UNIFORM4(count_kinds)
UNIFORM4(count_scales)
UNIFORM(kept_stride)
UNIFORM(kept_indices_stride) /* words */
UNIFORM(rejected_stride)
UNIFORM(rejected_indices_stride)
UNIFORM(positions_low) /* COUNTS: capacity of the kept outputs */
UNIFORM(positions_high)
UNIFORM(max_groups)
UNIFORM(counts_base)
END_UNIFORMS

BEGIN_BINDINGS
BUFFER(TESTED, 0, ALL, VkrStored, vkr_tested)
VIEW(0, uint, vkr_tested_words)
VIEW(0, uvec2, vkr_tested_pairs)
VIEW(0, VkrPack, vkr_loads)
COHERENT(SCRATCH, 1, ALL, uint, vkr_scratch) /* record and partials */
/* A ticket or a number of finished workgroups; states of tiles. */
COHERENT(COUNTER, 2, ~IN(MARKS), uint, vkr_counter)
BUFFER(KEPT, 3, IN(COMPACT), VkrStored, vkr_kept)
VIEW(3, uint, vkr_kept_words)
VIEW(3, uvec2, vkr_kept_pairs)
VIEW(3, VkrPack, vkr_kept_packs)
BUFFER(KEPT_INDICES, 4, ALL, uint, vkr_kept_indices)
VIEW(4, VkrPack, vkr_kept_index_packs)
BUFFER(REJECTED, 5, IN(COMPACT), VkrStored, vkr_rejected)
VIEW(5, uint, vkr_rejected_words)
VIEW(5, uvec2, vkr_rejected_pairs)
VIEW(5, VkrPack, vkr_rejected_packs)
/* The binding holds counts instead if the dispatch writes no rejected indices. */
BUFFER(REJECTED_INDICES, 6, IN(COMPACT), uint, vkr_rejected_indices)
VIEW(6, VkrPack, vkr_rejected_index_packs)
BUFFER(COUNT, 7, ALL, uint, vkr_count)
/* If there is no GPU count: the values to which flags belong, or the flags (BESIDE). */
VIEW(7, uint, vkr_source)
VIEW(7, VkrPack, vkr_source_packs)
TEXELS(IN(COMPACT))
UNIFORM_BLOCK(ALL, vkr_compact_uniforms)
END_BINDINGS

BEGIN_SLOTS
SLOT(VKR_COMPACT_SLOT_TESTED, TESTED, READ, ITEMS, AT(input_base), AT(input_stride))
/* The same binding: words of flags, or constants. */
SLOT(VKR_COMPACT_SLOT_WORDS, TESTED, READ, ITEMS, AT(input_base), 0)
/* Moves only read it, but validation cannot know the mode of the dispatch. */
SLOT(VKR_COMPACT_SLOT_RECORD, SCRATCH, CHANGE, ITEMS, AT(scratch_base), 0)
SLOT(VKR_COMPACT_SLOT_COUNTER, COUNTER, CHANGE, ITEMS, AT(counter_base), 0)
SLOT(VKR_COMPACT_SLOT_COUNT, COUNT, READ, ITEMS, AT(count_base), 0)
SLOT(VKR_COMPACT_SLOT_SOURCE, COUNT, READ, ITEMS, AT(source_base), 0)
SLOT(VKR_COMPACT_SLOT_COUNTS, REJECTED_INDICES, WRITE, GRANULES, IN_UNIFORMS(counts_base), 0)
/* Values and indices, kept and rejected. Bases of values and indices share a word. */
SLOT(VKR_COMPACT_SLOT_OUTPUTS, KEPT, WRITE, ITEMS, 0, IN_UNIFORMS(kept_stride))
SLOT(VKR_COMPACT_SLOT_KEPT_INDICES, KEPT_INDICES, WRITE, ITEMS, 0, IN_UNIFORMS(kept_indices_stride))
SLOT(VKR_COMPACT_SLOT_REJECTED, REJECTED, WRITE, ITEMS, 0, IN_UNIFORMS(rejected_stride))
SLOT(VKR_COMPACT_SLOT_REJECTED_INDICES, REJECTED_INDICES, WRITE, ITEMS, 0,
     IN_UNIFORMS(rejected_indices_stride))
SLOT(VKR_COMPACT_SLOT_MARKS, KEPT_INDICES, WRITE, ITEMS, 0, 0) /* a word for each element */
SLOT(VKR_COMPACT_SLOT_BITS, KEPT_INDICES, WRITE, ITEMS, AT(kept_bases), 0) /* VKR_TO_MARKS */
END_SLOTS

KERNEL(COMPACT, 0, vkr_compact_card, ALL_CONSTANTS, GIVEN & ~GIVES(SIGNED))
KERNEL(FIND, 2, vkr_find_card, ALL_CONSTANTS, GIVEN & ~GIVES(SIGNED))
KERNEL(MARKS, 1, vkr_marks_card, ALL_CONSTANTS, GIVEN & ~GIVES(SIGNED))
#include "end.h"
