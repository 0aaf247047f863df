/* SPDX-License-Identifier: MIT */
/* Of kernels whose input is elements; those of images alone are in interfaces_image.c. */
#include "interface_rows.h"

FITS(vkr_reduce_push);
FITS(vkr_segment_push);
FITS(vkr_tile_push);
FITS(vkr_scan_push);
FITS(vkr_heads_push);
FITS(vkr_compact_push);
FITS(vkr_payload_push);
FITS(vkr_arguments_push);
UNIFORMS_FIT(vkr_segment_uniforms);
UNIFORMS_FIT(vkr_tile_uniforms);
UNIFORMS_FIT(vkr_scan_uniforms);
UNIFORMS_FIT(vkr_compact_uniforms);

/* ---- reduce ---- */

#define F(field) VKR_FIELD(vkr_reduce_push, field)
static const vkr_slot reduce_slots[] = {
    [VKR_REDUCE_INPUT] = {VKR_BINDING_INPUT, READ, ITEMS, F(input_base), F(input_stride)},
    [VKR_REDUCE_INPUT2] = {VKR_BINDING_INPUT2, READ, ITEMS, F(input2_base), F(input2_stride)},
    [VKR_REDUCE_IN_PLACE] = {VKR_BINDING_INPUT, CHANGE, ITEMS, F(input_base), F(input_stride)},
    [VKR_REDUCE_ELEMENT] = {VKR_BINDING_ELEMENT, 0, ITEMS, 0, 0},
    [VKR_REDUCE_COUNT] = {VKR_BINDING_COUNT, READ, ITEMS, F(count_base), 0},
    [VKR_REDUCE_PARTIALS] = {VKR_BINDING_PARTIALS, READ, GRANULES, F(partials_base),
                             F(partials_stride)},
    [VKR_REDUCE_STORED] = {VKR_BINDING_STORED, WRITE, GRANULES, F(stored_base), F(stored_stride)},
    [VKR_REDUCE_SHARED] = {VKR_BINDING_STORED, CHANGE, GRANULES, F(stored_base), F(stored_stride)},
    [VKR_REDUCE_AGAIN] = {VKR_BINDING_PARTIALS, 0, ITEMS, F(partials_base), F(partials_stride)},
    [VKR_REDUCE_RESULTS] = {VKR_BINDING_OUTPUT, WRITE, ITEMS, F(output_base), 0},
    [VKR_REDUCE_COUNTER] = {VKR_BINDING_COUNTER, CHANGE, ITEMS, F(counter_base), 0},
    [VKR_REDUCE_MASK] = {VKR_BINDING_MASK, READ, ITEMS, F(mask_base), 0},
};

const vkr_interface vkr_reduce_interface = {
    .slots = reduce_slots,
    SIZES(VKR_REDUCE_CONSTANTS, vkr_reduce_push),
    .bindings = {{
        [VKR_BINDING_INPUT] = BUFFER,
        [VKR_BINDING_INPUT2] = BUFFER,
        [VKR_BINDING_COUNT] = BUFFER,
        [VKR_BINDING_PARTIALS] = BUFFER,
        [VKR_BINDING_STORED] = BUFFER,
        [VKR_BINDING_OUTPUT] = BUFFER,
        [VKR_BINDING_COUNTER] = BUFFER,
        [VKR_BINDING_MASK] = BUFFER,
        TEXELS,
    }},
    .walk_constants = VKR_WALK_CONSTANTS,
    .head = F(head),
    .base = F(input_base),
    .load_base = F(load_base),
    .base2 = F(input2_base),
    .load2_base = F(load2_base),
    .capacity = F(capacity_low),
    WALK(vkr_reduce_push),
    .items = F(items),
    .groups = F(groups),
};

const vkr_interface vkr_blocks_interface = {
    .slots = reduce_slots,
    SIZES(VKR_REDUCE_CONSTANTS, vkr_reduce_push),
    .bindings = {{
        [VKR_BINDING_INPUT] = BUFFER,
        [VKR_BINDING_INPUT2] = BUFFER,
        [VKR_BINDING_COUNT] = BUFFER,
        [VKR_BINDING_PARTIALS] = BUFFER,
        [VKR_BINDING_STORED] = BUFFER,
        [VKR_BINDING_MASK] = BUFFER,
        TEXELS,
    }},
    .walk_constants = VKR_WALK_CONSTANTS,
    .head = F(head),
    .base = F(input_base),
    .load_base = F(load_base),
    .base2 = F(input2_base),
    .load2_base = F(load2_base),
    .capacity = F(capacity_low),
    WALK(vkr_reduce_push),
    .items = F(items),
    .groups = F(groups),
};

const vkr_interface vkr_reduce_image_interface = {
    .slots = reduce_slots,
    SIZES(VKR_REDUCE_CONSTANTS, vkr_reduce_push),
    UNIFORM_SIZE(vkr_image_uniforms),
    .bindings = {{
        [VKR_BINDING_COUNT] = BUFFER,
        [VKR_BINDING_PARTIALS] = BUFFER,
        [VKR_BINDING_STORED] = BUFFER,
        [VKR_BINDING_OUTPUT] = BUFFER,
        [VKR_BINDING_COUNTER] = BUFFER,
        [VKR_BINDING_MASK] = BUFFER,
        UNIFORMS,
        [VKR_BINDING_IMAGE] = VKR_KIND_SAMPLED_IMAGE,
    }},
    .walk_constants = VKR_WALK_CONSTANTS,
    .places_texels = true,
    .capacity = F(capacity_low),
    WALK(vkr_reduce_push),
    .items = F(items),
    .groups = F(groups),
};
#undef F

/* ---- segment ---- */

#define F(field) VKR_FIELD(vkr_segment_push, field)
#define U(field) VKR_UNIFORM_FIELD(vkr_segment_uniforms, field)
static const vkr_slot segment_slots[] = {
    [VKR_SEGMENT_INPUT] = {VKR_BINDING_INPUT, READ, ITEMS, F(input_base), F(input_stride)},
    [VKR_SEGMENT_INPUT2] = {VKR_BINDING_INPUT2, READ, ITEMS, F(input2_base), U(input2_stride)},
    [VKR_SEGMENT_COUNT] = {VKR_BINDING_COUNT, READ, ITEMS, F(count_base), 0},
    [VKR_SEGMENT_PARTIALS] = {VKR_BINDING_PARTIALS, READ, GRANULES, F(partials_base), 0},
    [VKR_SEGMENT_NUMBER] = {VKR_BINDING_PARTIALS, READ, ITEMS, F(partials_base), 0},
    [VKR_SEGMENT_STORED] = {VKR_BINDING_STORED, WRITE, GRANULES, F(stored_base), 0},
    [VKR_SEGMENT_RESULTS] = {VKR_BINDING_OUTPUT, WRITE, ITEMS, F(output_base), F(output_stride)},
    /* Mostly read, but validation cannot know which shape of the kernel it is. */
    [VKR_SEGMENT_LISTED] = {VKR_SEGMENT_LISTS, CHANGE, GRANULES, F(counter_base), 0},
    [VKR_SEGMENT_STARTS] = {VKR_SEGMENT_OFFSETS, READ, GRANULES, U(offsets_base), 0},
};

const vkr_interface vkr_segment_interface = {
    .slots = segment_slots,
    SIZES(VKR_SEGMENT_CONSTANTS, vkr_segment_push),
    UNIFORM_SIZE(vkr_segment_uniforms),
    .bindings = {{
        [VKR_BINDING_INPUT] = BUFFER,
        [VKR_BINDING_INPUT2] = BUFFER,
        [VKR_BINDING_COUNT] = BUFFER,
        [VKR_BINDING_PARTIALS] = BUFFER,
        [VKR_BINDING_STORED] = BUFFER,
        [VKR_BINDING_OUTPUT] = BUFFER,
        [VKR_SEGMENT_LISTS] = BUFFER,
        [VKR_SEGMENT_OFFSETS] = BUFFER,
        UNIFORMS,
        TEXELS,
    }},
    .walk_constants = VKR_WALK_CONSTANTS,
    .base = F(input_base),
    .load_base = F(load_base),
    .base2 = F(input2_base),
    .load2_base = F(load2_base),
    .capacity = U(capacity_low),
    WALK(vkr_segment_push),
    .groups = F(groups),
    .lead = F(lead),
};

const vkr_interface vkr_neighbour_interface = {
    .slots = segment_slots,
    SIZES(VKR_SEGMENT_CONSTANTS, vkr_segment_push),
    UNIFORM_SIZE(vkr_segment_uniforms),
    .bindings = {{
        [VKR_BINDING_INPUT] = BUFFER,
        [VKR_BINDING_INPUT2] = BUFFER,
        [VKR_BINDING_COUNT] = BUFFER,
        [VKR_BINDING_PARTIALS] = BUFFER,
        [VKR_BINDING_STORED] = BUFFER,
        [VKR_BINDING_OUTPUT] = BUFFER,
        UNIFORMS,
        TEXELS,
    }},
    .walk_constants = VKR_WALK_CONSTANTS,
    .base = F(input_base),
    .load_base = F(load_base),
    .base2 = F(input2_base),
    .load2_base = F(load2_base),
    .capacity = U(capacity_low),
    WALK(vkr_segment_push),
    .groups = F(groups),
    .lead = F(lead),
};
#undef U
#undef F

/* ---- tile ---- */

#define F(field) VKR_FIELD(vkr_tile_push, field)
static const vkr_slot tile_slots[] = {
    [VKR_TILE_INPUT] = {VKR_BINDING_INPUT, READ, ITEMS, F(input_base), F(input_stride)},
    [VKR_TILE_INPUT2] = {VKR_BINDING_INPUT2, READ, ITEMS, F(input2_base), F(input2_stride)},
    [VKR_TILE_COUNT] = {VKR_BINDING_COUNT, READ, ITEMS, F(count_base), 0},
    [VKR_TILE_PARTIALS] = {VKR_BINDING_PARTIALS, READ, GRANULES, F(partials_base), 0},
    [VKR_TILE_STORED] = {VKR_BINDING_STORED, WRITE, GRANULES, F(stored_base), 0},
    [VKR_TILE_RESULTS] = {VKR_BINDING_OUTPUT, WRITE, WINDOW, F(output_base), F(output_stride)},
    [VKR_TILE_MASK] = {VKR_BINDING_MASK, READ, ITEMS, F(mask_base), 0},
};

const vkr_interface vkr_tile_interface = {
    .slots = tile_slots,
    SIZES(VKR_TILE_CONSTANTS, vkr_tile_push),
    UNIFORM_SIZE(vkr_tile_uniforms),
    .bindings = {{
        [VKR_BINDING_INPUT] = BUFFER,
        [VKR_BINDING_INPUT2] = BUFFER,
        [VKR_BINDING_COUNT] = BUFFER,
        [VKR_BINDING_PARTIALS] = BUFFER,
        [VKR_BINDING_STORED] = BUFFER,
        [VKR_BINDING_OUTPUT] = BUFFER,
        [VKR_BINDING_MASK] = BUFFER,
        UNIFORMS,
    }},
    .walk_constants = VKR_WALK_CONSTANTS,
    .groups = F(groups),
};

const vkr_interface vkr_tile_image_interface = {
    .slots = tile_slots,
    SIZES(VKR_TILE_CONSTANTS, vkr_tile_push),
    UNIFORM_SIZE(vkr_tile_uniforms),
    .bindings = {{
        [VKR_BINDING_COUNT] = BUFFER,
        [VKR_BINDING_PARTIALS] = BUFFER,
        [VKR_BINDING_STORED] = BUFFER,
        [VKR_BINDING_OUTPUT] = BUFFER,
        [VKR_BINDING_MASK] = BUFFER,
        UNIFORMS,
        [VKR_BINDING_IMAGE] = VKR_KIND_SAMPLED_IMAGE,
    }},
    .walk_constants = VKR_WALK_CONSTANTS,
    .groups = F(groups),
};
#undef F

/* ---- scan, passes, heads ---- */

#define F(field) VKR_FIELD(vkr_scan_push, field)
static const vkr_slot scan_slots[] = {
    [VKR_SCAN_SLOT_INPUT] = {VKR_BINDING_INPUT, READ, ITEMS, F(input_base), F(input_stride)},
    [VKR_SCAN_SLOT_HEADS] = {VKR_SCAN_HEADS, READ, ITEMS, 0, 0},
    [VKR_SCAN_SLOT_COUNT] = {VKR_BINDING_COUNT, READ, ITEMS, F(count_base), 0},
    [VKR_SCAN_SLOT_PARTIALS] = {VKR_SCAN_PARTIALS, READ, GRANULES, F(partials_base), 0},
    /* Only read, but validation cannot know which of the module's modes it is. */
    [VKR_SCAN_SLOT_PREFIXES] = {VKR_SCAN_PARTIALS, CHANGE, GRANULES, F(partials_base), 0},
    [VKR_SCAN_SLOT_STORED] = {VKR_SCAN_OUTPUT, WRITE, GRANULES, F(stored_base), 0},
    [VKR_SCAN_SLOT_CHANGED] = {VKR_SCAN_OUTPUT, CHANGE, GRANULES, F(stored_base), 0},
    [VKR_SCAN_SLOT_RESULTS] = {VKR_SCAN_OUTPUT, WRITE, WINDOW, F(output_base), F(output_stride)},
    [VKR_SCAN_SLOT_TOTAL] = {VKR_SCAN_TOTAL, WRITE, ITEMS, F(total_base), 0},
    [VKR_SCAN_SLOT_COUNTER] = {VKR_SCAN_COUNTER, CHANGE, ITEMS, F(counter_base), 0},
    [VKR_SCAN_SLOT_INITIAL] = {VKR_SCAN_INITIAL, READ, ITEMS, F(initial_base), 0},
};

const vkr_interface vkr_scan_interface = {
    .slots = scan_slots,
    SIZES(VKR_SCAN_CONSTANTS, vkr_scan_push),
    UNIFORM_SIZE(vkr_scan_uniforms),
    .bindings = {{
        [VKR_BINDING_INPUT] = BUFFER,
        [VKR_SCAN_HEADS] = BUFFER,
        [VKR_BINDING_COUNT] = BUFFER,
        [VKR_SCAN_PARTIALS] = BUFFER,
        [VKR_SCAN_TOTAL] = BUFFER,
        [VKR_SCAN_OUTPUT] = BUFFER,
        [VKR_SCAN_COUNTER] = BUFFER,
        [VKR_SCAN_INITIAL] = BUFFER,
        UNIFORMS,
        TEXELS,
    }},
    .walk_constants = VKR_WALK_CONSTANTS,
    .base = F(input_base),
    .load_base = F(load_base),
    .capacity = F(capacity_low),
    WALK(vkr_scan_push),
    .items = F(items),
    .groups = F(groups),
    .lead = F(lead),
};

const vkr_interface vkr_passes_interface = {
    .slots = scan_slots,
    SIZES(VKR_PASSES_CONSTANTS, vkr_scan_push),
    UNIFORM_SIZE(vkr_scan_uniforms),
    .bindings = {{
        [VKR_BINDING_INPUT] = BUFFER,
        [VKR_SCAN_HEADS] = BUFFER,
        [VKR_BINDING_COUNT] = BUFFER,
        [VKR_SCAN_PARTIALS] = BUFFER,
        [VKR_SCAN_TOTAL] = BUFFER,
        [VKR_SCAN_OUTPUT] = BUFFER,
        [VKR_SCAN_INITIAL] = BUFFER,
        UNIFORMS,
    }},
    .walk_constants =
        1u << VKR_CONST_WORKGROUP | 1u << VKR_CONST_COMPONENTS | 1u << VKR_CONST_SIGNED,
    .capacity = F(capacity_low),
    WALK(vkr_scan_push),
    .groups = F(groups),
};
#undef F

#define F(field) VKR_FIELD(vkr_heads_push, field)
static const vkr_slot heads_slots[] = {
    [VKR_HEADS_SLOT_SOURCE] = {VKR_HEADS_SOURCE, READ, ITEMS, F(source_base), 0},
    /* A word of bits can be shared by several invocations, each of which sets some. */
    [VKR_HEADS_SLOT_WORDS] = {VKR_HEADS_WORDS, CHANGE, ITEMS, F(words_base), 0},
};

const vkr_interface vkr_heads_interface = {
    .slots = heads_slots,
    SIZES(VKR_HEADS_CONSTANTS, vkr_heads_push),
    .bindings = {{
        [VKR_HEADS_SOURCE] = BUFFER,
        [VKR_HEADS_WORDS] = BUFFER,
    }},
    .first = F(first_low),
    .count = F(count),
    .groups = F(groups),
};
#undef F

/* ---- compact, payload, arguments ---- */

#define F(field) VKR_FIELD(vkr_compact_push, field)
#define U(field) VKR_UNIFORM_FIELD(vkr_compact_uniforms, field)
static const vkr_slot compact_slots[] = {
    [VKR_COMPACT_SLOT_TESTED] = {VKR_COMPACT_TESTED, READ, ITEMS, F(input_base), F(input_stride)},
    [VKR_COMPACT_SLOT_WORDS] = {VKR_COMPACT_TESTED, READ, ITEMS, F(input_base), 0},
    /* Moves only read it, but validation cannot know which of the module's modes it is. */
    [VKR_COMPACT_SLOT_RECORD] = {VKR_COMPACT_SCRATCH, CHANGE, ITEMS, F(scratch_base), 0},
    [VKR_COMPACT_SLOT_COUNTER] = {VKR_COMPACT_COUNTER, CHANGE, ITEMS, F(counter_base), 0},
    [VKR_COMPACT_SLOT_COUNT] = {VKR_COMPACT_COUNT, READ, ITEMS, F(count_base), 0},
    [VKR_COMPACT_SLOT_SOURCE] = {VKR_COMPACT_SOURCE, READ, ITEMS, F(source_base), 0},
    [VKR_COMPACT_SLOT_COUNTS] = {VKR_COMPACT_COUNTS, WRITE, GRANULES, U(counts_base), 0},
    /* Bases of values and indices share a word. */
    [VKR_COMPACT_SLOT_OUTPUTS] = {VKR_COMPACT_KEPT, WRITE, ITEMS, 0, U(kept_stride)},
    {VKR_COMPACT_KEPT_INDICES, WRITE, ITEMS, 0, U(kept_indices_stride)},
    {VKR_COMPACT_REJECTED, WRITE, ITEMS, 0, U(rejected_stride)},
    {VKR_COMPACT_REJECTED_INDICES, WRITE, ITEMS, 0, U(rejected_indices_stride)},
};

const vkr_interface vkr_compact_interface = {
    .slots = compact_slots,
    SIZES(VKR_COMPACT_CONSTANTS, vkr_compact_push),
    UNIFORM_SIZE(vkr_compact_uniforms),
    .bindings = {{
        [VKR_COMPACT_TESTED] = BUFFER,
        [VKR_COMPACT_SCRATCH] = BUFFER,
        [VKR_COMPACT_COUNTER] = BUFFER,
        [VKR_COMPACT_KEPT] = BUFFER,
        [VKR_COMPACT_KEPT_INDICES] = BUFFER,
        [VKR_COMPACT_REJECTED] = BUFFER,
        [VKR_COMPACT_REJECTED_INDICES] = BUFFER,
        [VKR_COMPACT_COUNT] = BUFFER,
        UNIFORMS,
        TEXELS,
    }},
    .walk_constants = VKR_WALK_CONSTANTS & ~(1u << VKR_CONST_SIGNED),
    .capacity = F(capacity_low),
    WALK(vkr_compact_push),
    .items = F(items),
    .lead = F(lead),
};
#undef U
#undef F

#define F(field) VKR_FIELD(vkr_payload_push, field)
static const vkr_slot payload_slots[] = {
    [VKR_PAYLOAD_SLOT_LIST] = {VKR_PAYLOAD_LIST, READ, ITEMS, F(list_base), 0},
    [VKR_PAYLOAD_SLOT_RECORD] = {VKR_PAYLOAD_RECORD, READ, ITEMS, F(record_base), 0},
    [VKR_PAYLOAD_SLOT_SOURCE] = {VKR_PAYLOAD_SOURCE, READ, ITEMS, F(source_base), F(source_stride)},
    [VKR_PAYLOAD_SLOT_TARGET] = {VKR_PAYLOAD_TARGET, WRITE, WINDOW, F(target_base),
                                 F(target_stride)},
};

const vkr_interface vkr_payload_interface = {
    .slots = payload_slots,
    SIZES(VKR_PAYLOAD_CONSTANTS, vkr_payload_push),
    .bindings = {{
        [VKR_PAYLOAD_LIST] = BUFFER,
        [VKR_PAYLOAD_RECORD] = BUFFER,
        [VKR_PAYLOAD_SOURCE] = BUFFER,
        [VKR_PAYLOAD_TARGET] = BUFFER,
    }},
};

const vkr_interface vkr_payload_texel_interface = {
    .slots = payload_slots,
    SIZES(VKR_PAYLOAD_CONSTANTS, vkr_payload_push),
    .bindings = {{
        [VKR_PAYLOAD_LIST] = BUFFER,
        [VKR_PAYLOAD_RECORD] = BUFFER,
        [VKR_PAYLOAD_TARGET] = BUFFER,
        TEXELS,
    }},
};
#undef F

#define F(field) VKR_FIELD(vkr_arguments_push, field)
#define OUTPUT(k)                                                                                  \
    {                                                                                              \
        1 + (k), WRITE, GRANULES, F(bases[k]), 0                                                   \
    }
static const vkr_slot arguments_slots[] = {
    [VKR_ARGUMENTS_SLOT_RECORD] = {0, READ, ITEMS, F(record_base), 0},
    OUTPUT(0),
    OUTPUT(1),
    OUTPUT(2),
    OUTPUT(3),
    OUTPUT(4),
    OUTPUT(5),
};

const vkr_interface vkr_arguments_interface = {
    .slots = arguments_slots,
    SIZES(0, vkr_arguments_push),
    .bindings = {{BUFFER, BUFFER, BUFFER, BUFFER, BUFFER, BUFFER, BUFFER}},
};
#undef F
