/* SPDX-License-Identifier: MIT */
/* Of kernels for images, and of those that stage what others read. */
#include "interface_rows.h"

FITS(vkr_stage_push);
FITS(vkr_write_push);
FITS(vkr_pyramid_push);
FITS(vkr_pyramid_tiles_push);
UNIFORMS_FIT(vkr_image_uniforms);

/* ---- stage ---- */

#define F(field) VKR_FIELD(vkr_stage_push, field)
static const vkr_slot stage_slots[] = {
    [VKR_STAGE_SLOT_VALUES] = {VKR_STAGE_VALUES, WRITE, GRANULES, F(base), 0},
    [VKR_STAGE_SLOT_SOURCE] = {VKR_STAGE_SOURCE, READ, ITEMS, F(source_base), F(source_stride)},
};

const vkr_interface vkr_stage_interface = {
    .slots = stage_slots,
    SIZES(VKR_REDUCE_CONSTANTS, vkr_stage_push),
    UNIFORM_SIZE(vkr_image_uniforms),
    .bindings = {{
        [VKR_STAGE_VALUES] = BUFFER,
        [VKR_STAGE_SOURCE] = BUFFER,
        UNIFORMS,
    }},
    .walk_constants = VKR_WALK_CONSTANTS & ~(1u << VKR_CONST_SUBGROUPS | 1u << VKR_CONST_PATH),
    .count = F(count),
    .groups = F(groups),
    .items = F(items),
};

const vkr_interface vkr_stage_image_interface = {
    .slots = stage_slots,
    SIZES(VKR_REDUCE_CONSTANTS, vkr_stage_push),
    UNIFORM_SIZE(vkr_image_uniforms),
    .bindings = {{
        [VKR_STAGE_VALUES] = BUFFER,
        UNIFORMS,
        [VKR_BINDING_IMAGE] = VKR_KIND_SAMPLED_IMAGE,
    }},
    .walk_constants = VKR_WALK_CONSTANTS & ~(1u << VKR_CONST_SUBGROUPS | 1u << VKR_CONST_PATH),
    .places_texels = true,
    .count = F(count),
    .groups = F(groups),
    .items = F(items),
};
#undef F

/* ---- write ---- */

#define F(field) VKR_FIELD(vkr_write_push, field)
static const vkr_slot write_slots[] = {
    [VKR_WRITE_SLOT_RESULTS] = {VKR_WRITE_RESULTS, READ, GRANULES, F(base), F(stride)},
};

const vkr_interface vkr_write_interface = {
    .slots = write_slots,
    SIZES(VKR_PYRAMID_CONSTANTS, vkr_write_push),
    .bindings = {{
        [VKR_WRITE_RESULTS] = BUFFER,
        [VKR_WRITE_IMAGE] = VKR_KIND_STORAGE_IMAGE,
    }},
};
#undef F

/* ---- pyramid ---- */

const vkr_interface vkr_pyramid_interface = {
    SIZES(VKR_PYRAMID_CONSTANTS, vkr_pyramid_push),
    .bindings = {{
        [VKR_PYRAMID_SOURCE] = VKR_KIND_SAMPLED_IMAGE,
        [VKR_PYRAMID_LEVEL] = VKR_KIND_STORAGE_IMAGE,
    }},
};

#define LEVELS(first)                                                                              \
    [VKR_PYRAMID_LEVEL + (first)] = VKR_KIND_STORAGE_IMAGE, VKR_KIND_STORAGE_IMAGE,                \
                         VKR_KIND_STORAGE_IMAGE, VKR_KIND_STORAGE_IMAGE

const vkr_interface vkr_pyramid_few_interface = {
    SIZES(VKR_PYRAMID_CONSTANTS, vkr_pyramid_tiles_push),
    .bindings = {{[VKR_PYRAMID_SOURCE] = VKR_KIND_SAMPLED_IMAGE, LEVELS(0)}},
};

#define F(field) VKR_FIELD(vkr_pyramid_tiles_push, field)
static const vkr_slot pyramid_slots[] = {
    [VKR_PYRAMID_SLOT_SCRATCH] = {VKR_PYRAMID_SCRATCH, CHANGE, ITEMS, F(scratch_base), 0},
    [VKR_PYRAMID_SLOT_COUNTER] = {VKR_PYRAMID_COUNTER, CHANGE, ITEMS, F(counter_base), 0},
};

const vkr_interface vkr_pyramid_many_interface = {
    .slots = pyramid_slots,
    SIZES(VKR_PYRAMID_CONSTANTS, vkr_pyramid_tiles_push),
    .bindings = {{
        [VKR_PYRAMID_SOURCE] = VKR_KIND_SAMPLED_IMAGE,
        LEVELS(0),
        LEVELS(4),
        LEVELS(8),
        [VKR_PYRAMID_SCRATCH] = BUFFER,
        [VKR_PYRAMID_COUNTER] = BUFFER,
    }},
};
#undef F
