/* SPDX-License-Identifier: MIT */
/* The steps of rows: one, or three where rows are cut into parts. */
#include "../../plan/grid.h"
#include "apply.h"

/* The elements of a part of a row in a view. */
static vkr_bound elements_of(const vkr_apply *a, const char *name, const vkr_view *view,
                             uint64_t share)
{
    return vkr_part_items(name, vkr_place_of_view(view), a->pitch, a->length, share, a->walk.count);
}

static VkrResult add_mode(VkrRecorder recorder, const vkr_apply *a, uint32_t mode)
{
    const bool is_row = mode == VKR_MODE_OF_ROWS, combines = mode == VKR_MODE_OF_STATES;
    const bool stores = is_row || mode == VKR_MODE_OF_OUTPUTS;
    const uint64_t share = is_row ? a->length : a->share;
    vkr_pass pass = vkr_apply_pass(a, mode, vkr_apply_quads(a, share));
    const uint32_t team = pass.constants[VKR_APPLY_CONST_TEAM];
    const vkr_grid grid = {.rows = a->rows,
                           .parts = is_row || combines ? 1 : a->parts,
                           .share = is_row ? a->walk.workgroup_size / team : 1};
    const uint32_t parts = combines ? VKR_APPLY_SLOT_PARTS : VKR_APPLY_SLOT_NEW_PARTS;
    const uint32_t states = combines ? VKR_APPLY_SLOT_NEW_STATES : VKR_APPLY_SLOT_STATES;
    if (!combines && a->texels)
        vkr_bind_apply_texels(a, &pass);
    else if (!combines)
        pass.slots[VKR_APPLY_SLOT_INPUT] = elements_of(a, "input", &a->input, share);
    if (stores)
        pass.slots[VKR_APPLY_SLOT_OUTPUT] = elements_of(a, "output", &a->output, share);
    if (combines || mode == VKR_MODE_OF_PARTS)
        pass.slots[parts] = vkr_part_items("scratch", a->of_parts, a->parts, a->parts,
                                           combines ? 0 : 1, a->rows * a->parts);
    if (combines || mode == VKR_MODE_OF_OUTPUTS)
        pass.slots[states] = vkr_row_items("scratch", a->of_rows, 1, 1);
    pass.slots[VKR_APPLY_SLOT_COUNT].place = vkr_place_of_count(&a->info->gpuCount);
    VKR_PUSH(&pass, vkr_apply_push)->parts = (uint32_t)a->parts;
    return vkr_emit_grid(recorder, &pass, &grid);
}

VkrResult vkr_plan_apply(VkrRecorder recorder, vkr_apply *a)
{
    VKR_TRY(vkr_choose_apply_walk(a));
    if (a->by_offsets)
        return vkr_plan_apply_spans(recorder, a);
    a->parts = vkr_divide_up(a->length, a->share);
    if (a->parts == 1)
        return add_mode(recorder, a, VKR_MODE_OF_ROWS);
    VKR_TRY(
        vkr_add_words(recorder, VKR_SCRATCH, VKR_STATE_WORDS, a->rows * a->parts, &a->of_parts));
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, VKR_STATE_WORDS, a->rows, &a->of_rows));
    VKR_TRY(add_mode(recorder, a, VKR_MODE_OF_PARTS));
    VKR_TRY(add_mode(recorder, a, VKR_MODE_OF_STATES));
    return add_mode(recorder, a, VKR_MODE_OF_OUTPUTS);
}
