/* SPDX-License-Identifier: MIT */
/* Of the kernels of stream reduction, which builds without documents leave out. */
#include "interface_rows.h"

FITS(vkr_stream_push);

#define F(field) VKR_FIELD(vkr_compact_push, field)
/* Those of compact that marks have. */
static const vkr_slot marks_slots[] = {
    [VKR_COMPACT_SLOT_TESTED] = {VKR_COMPACT_TESTED, READ, ITEMS, F(input_base), F(input_stride)},
    [VKR_COMPACT_SLOT_WORDS] = {VKR_COMPACT_TESTED, READ, ITEMS, F(input_base), 0},
    [VKR_COMPACT_SLOT_RECORD] = {VKR_COMPACT_SCRATCH, CHANGE, ITEMS, F(scratch_base), 0},
    [VKR_COMPACT_SLOT_COUNT] = {VKR_COMPACT_COUNT, READ, ITEMS, F(count_base), 0},
    [VKR_COMPACT_SLOT_OUTPUTS + 1] = {VKR_COMPACT_KEPT_INDICES, WRITE, ITEMS, 0, 0},
};

const vkr_interface vkr_marks_interface = {
    .slots = marks_slots,
    SIZES(VKR_COMPACT_CONSTANTS, vkr_compact_push),
    UNIFORM_SIZE(vkr_compact_uniforms),
    .bindings = {{
        [VKR_COMPACT_TESTED] = BUFFER,
        [VKR_COMPACT_SCRATCH] = BUFFER,
        [VKR_COMPACT_KEPT_INDICES] = BUFFER,
        [VKR_COMPACT_COUNT] = BUFFER,
        UNIFORMS,
    }},
    .walk_constants = VKR_WALK_CONSTANTS & ~(1u << VKR_CONST_SIGNED),
    .capacity = F(capacity_low),
    WALK(vkr_compact_push),
    .items = F(items),
    .lead = F(lead),
};
#undef F

#define F(field) VKR_FIELD(vkr_stream_push, field)
static const vkr_slot stream_slots[] = {
    [VKR_STREAM_SLOT_SOURCE] = {VKR_STREAM_SOURCE, READ, ITEMS, F(source_base), F(source_stride)},
    [VKR_STREAM_SLOT_SUMS] = {VKR_STREAM_SUMS, READ, ITEMS, F(sums_base), 0},
    [VKR_STREAM_SLOT_SCANNED] = {VKR_STREAM_SUMS, CHANGE, ITEMS, F(sums_base), 0},
    [VKR_STREAM_SLOT_TOTALS] = {VKR_STREAM_TOTALS, READ, ITEMS, F(totals_base), 0},
    [VKR_STREAM_SLOT_TOTALS_STORED] = {VKR_STREAM_TOTALS, WRITE, ITEMS, F(totals_base), 0},
    [VKR_STREAM_SLOT_TOTALS_SCANNED] = {VKR_STREAM_TOTALS, CHANGE, ITEMS, F(totals_base), 0},
    [VKR_STREAM_SLOT_BLOCKS] = {VKR_STREAM_BLOCKS, READ, ITEMS, F(blocks_base), 0},
    [VKR_STREAM_SLOT_BLOCKS_STORED] = {VKR_STREAM_BLOCKS, WRITE, ITEMS, F(blocks_base), 0},
    [VKR_STREAM_SLOT_BLOCK_INDICES] = {VKR_STREAM_BLOCK_INDICES, READ, ITEMS, F(block_indices_base),
                                       0},
    [VKR_STREAM_SLOT_BLOCK_INDICES_STORED] = {VKR_STREAM_BLOCK_INDICES, WRITE, ITEMS,
                                              F(block_indices_base), 0},
    [VKR_STREAM_SLOT_KEPT] = {VKR_STREAM_KEPT, WRITE, ITEMS, F(kept_base), F(kept_stride)},
    [VKR_STREAM_SLOT_INDICES] = {VKR_STREAM_INDICES, WRITE, ITEMS, F(indices_base),
                                 F(indices_stride)},
    [VKR_STREAM_SLOT_RECORD] = {VKR_STREAM_RECORD, CHANGE, ITEMS, F(record_base), 0},
};

#define STREAM(...)                                                                                \
    {                                                                                              \
        .slots = stream_slots, SIZES(VKR_STREAM_CONSTANTS, vkr_stream_push),                       \
        .bindings = {{__VA_ARGS__}}, .count = F(count), .groups = F(groups),                       \
    }
const vkr_interface vkr_sums_interface =
    STREAM([VKR_STREAM_SUMS] = BUFFER, [VKR_STREAM_TOTALS] = BUFFER);
const vkr_interface vkr_gather_interface =
    STREAM([VKR_STREAM_SOURCE] = BUFFER, [VKR_STREAM_SUMS] = BUFFER, [VKR_STREAM_BLOCKS] = BUFFER,
           [VKR_STREAM_BLOCK_INDICES] = BUFFER, [VKR_STREAM_KEPT] = BUFFER,
           [VKR_STREAM_INDICES] = BUFFER, [VKR_STREAM_RECORD] = BUFFER);
const vkr_interface vkr_sequential_interface =
    STREAM([VKR_STREAM_SOURCE] = BUFFER, [VKR_STREAM_SUMS] = BUFFER, [VKR_STREAM_TOTALS] = BUFFER,
           [VKR_STREAM_BLOCKS] = BUFFER, [VKR_STREAM_BLOCK_INDICES] = BUFFER);
const vkr_interface vkr_concatenate_interface = STREAM(
    [VKR_STREAM_TOTALS] = BUFFER, [VKR_STREAM_BLOCKS] = BUFFER, [VKR_STREAM_BLOCK_INDICES] = BUFFER,
    [VKR_STREAM_KEPT] = BUFFER, [VKR_STREAM_INDICES] = BUFFER, [VKR_STREAM_RECORD] = BUFFER);
#undef STREAM
#undef F
