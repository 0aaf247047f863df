/* SPDX-License-Identifier: MIT */
/* Of kernels for histograms. */
#include "interface_rows.h"

FITS(vkr_histogram_push);
FITS(vkr_edges_push);
FITS(vkr_quantile_push);
UNIFORMS_FIT(vkr_quantile_uniforms);

#define F(field) VKR_FIELD(vkr_histogram_push, field)
static const vkr_slot histogram_slots[] = {
    [VKR_HISTOGRAM_SLOT_INPUT] = {VKR_BINDING_INPUT, READ, ITEMS, F(input_base), F(input_stride)},
    [VKR_HISTOGRAM_SLOT_WEIGHTS] = {VKR_HISTOGRAM_WEIGHTS, READ, ITEMS, F(weights_base),
                                    F(weights_stride)},
    [VKR_HISTOGRAM_SLOT_COUNT] = {VKR_BINDING_COUNT, READ, ITEMS, F(count_base), 0},
    [VKR_HISTOGRAM_SLOT_TABLE] = {VKR_HISTOGRAM_TABLE, READ, ITEMS, F(table_base), 0},
    [VKR_HISTOGRAM_SLOT_COUNTS] = {VKR_HISTOGRAM_COUNTS, CHANGE, ITEMS, F(counts_base), 0},
    [VKR_HISTOGRAM_SLOT_OUTSIDE] = {VKR_HISTOGRAM_OUTSIDE, CHANGE, ITEMS, F(outside_base), 0},
    [VKR_HISTOGRAM_SLOT_MASK] = {VKR_BINDING_MASK, READ, ITEMS, F(mask_base), 0},
};

const vkr_interface vkr_histogram_interface = {
    .slots = histogram_slots,
    SIZES(VKR_HISTOGRAM_CONSTANTS, vkr_histogram_push),
    .bindings = {{
        [VKR_BINDING_INPUT] = BUFFER,
        [VKR_HISTOGRAM_WEIGHTS] = BUFFER,
        [VKR_BINDING_COUNT] = BUFFER,
        [VKR_HISTOGRAM_TABLE] = BUFFER,
        [VKR_HISTOGRAM_COUNTS] = BUFFER,
        [VKR_HISTOGRAM_OUTSIDE] = BUFFER,
        [VKR_BINDING_MASK] = BUFFER,
    }},
    .walk_constants = VKR_WALK_CONSTANTS & ~(1u << VKR_CONST_SUBGROUPS),
    .head = F(head),
    .base = F(input_base),
    .load_base = F(load_base),
    .capacity = F(capacity_low),
    WALK(vkr_histogram_push),
    .items = F(items),
    .groups = F(groups),
};

const vkr_interface vkr_histogram_image_interface = {
    .slots = histogram_slots,
    SIZES(VKR_HISTOGRAM_CONSTANTS, vkr_histogram_push),
    UNIFORM_SIZE(vkr_image_uniforms),
    .bindings = {{
        [VKR_HISTOGRAM_WEIGHTS] = BUFFER,
        [VKR_BINDING_COUNT] = BUFFER,
        [VKR_HISTOGRAM_TABLE] = BUFFER,
        [VKR_HISTOGRAM_COUNTS] = BUFFER,
        [VKR_HISTOGRAM_OUTSIDE] = BUFFER,
        [VKR_BINDING_MASK] = BUFFER,
        UNIFORMS,
        [VKR_BINDING_IMAGE] = VKR_KIND_SAMPLED_IMAGE,
    }},
    .walk_constants = VKR_WALK_CONSTANTS & ~(1u << VKR_CONST_SUBGROUPS),
    .places_texels = true,
    .capacity = F(capacity_low),
    WALK(vkr_histogram_push),
    .items = F(items),
    .groups = F(groups),
};
#undef F

/* ---- edges ---- */

#define F(field) VKR_FIELD(vkr_edges_push, field)
static const vkr_slot edges_slots[] = {
    [VKR_EDGES_SLOT_SOURCE] = {VKR_EDGES_SOURCE, READ, ITEMS, F(low_at), 0},
    [VKR_EDGES_SLOT_TABLE] = {VKR_EDGES_TABLE, WRITE, GRANULES, F(table_base), 0},
    [VKR_EDGES_SLOT_OUTPUT] = {VKR_EDGES_OUTPUT, WRITE, ITEMS, F(output_base), 0},
    [VKR_EDGES_SLOT_CLEARED] = {VKR_EDGES_COUNTS, WRITE, ITEMS, F(counts_base), 0},
    {VKR_EDGES_OUTSIDE, WRITE, ITEMS, F(outside_base), 0},
};

const vkr_interface vkr_edges_interface = {
    .slots = edges_slots,
    SIZES(VKR_EDGES_CONSTANTS, vkr_edges_push),
    .bindings = {{
        [VKR_EDGES_SOURCE] = BUFFER,
        [VKR_EDGES_TABLE] = BUFFER,
        [VKR_EDGES_OUTPUT] = BUFFER,
        [VKR_EDGES_COUNTS] = BUFFER,
        [VKR_EDGES_OUTSIDE] = BUFFER,
    }},
    .groups = F(groups),
};
#undef F

/* ---- quantile ---- */

#define F(field) VKR_FIELD(vkr_quantile_push, field)
static const vkr_slot quantile_slots[] = {
    [VKR_QUANTILE_SLOT_COUNTS] = {VKR_QUANTILE_COUNTS, READ, ITEMS, F(counts_base), 0},
    [VKR_QUANTILE_SLOT_EDGES] = {VKR_QUANTILE_EDGES, READ, ITEMS, F(edges_base), 0},
    [VKR_QUANTILE_SLOT_VALUES] = {VKR_QUANTILE_VALUES, WRITE, ITEMS, F(values_base), 0},
    [VKR_QUANTILE_SLOT_MEANS] = {VKR_QUANTILE_MEANS, WRITE, ITEMS, F(means_base), 0},
    [VKR_QUANTILE_SLOT_SUMS] = {VKR_QUANTILE_SUMS, WRITE, ITEMS, F(sums_base), 0},
};

const vkr_interface vkr_quantile_interface = {
    .slots = quantile_slots,
    SIZES(VKR_QUANTILE_CONSTANTS, vkr_quantile_push),
    UNIFORM_SIZE(vkr_quantile_uniforms),
    .bindings = {{
        [VKR_QUANTILE_COUNTS] = BUFFER,
        [VKR_QUANTILE_EDGES] = BUFFER,
        [VKR_QUANTILE_VALUES] = BUFFER,
        [VKR_QUANTILE_MEANS] = BUFFER,
        [VKR_QUANTILE_SUMS] = BUFFER,
        UNIFORMS,
    }},
    .groups = F(groups),
};
#undef F
