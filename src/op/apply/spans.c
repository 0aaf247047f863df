/* SPDX-License-Identifier: MIT */
/* Segments between offsets: teams of invocations have short ones. */
#include "apply.h"

#include "kernel_list.h"

static void choose_spans(vkr_apply *a)
{
    vkr_spans *s = &a->spans;
    *s = (vkr_spans){.walk = &a->walk,
                     .segments = &a->info->segments,
                     .rows = a->rows,
                     .wanted = UINT32_MAX,
                     .medium = a->share,
                     .share = a->share};
    /* Wherever it begins, a short one has whole quads. */
    s->few = vkr_short_length(a->walk.count, a->rows, 8, a->share) - a->lead;
    vkr_count_spans(s);
    a->parts = s->parts;
}

/* A workgroup goes over its quads up to four times. */
static uint64_t trips_of_segment(const vkr_apply *a)
{
    return 4 * vkr_divide_up(vkr_apply_quads(a, a->share), a->walk.workgroup_size) + 64;
}

static VkrResult add_mode(VkrRecorder recorder, const vkr_apply *a, uint32_t mode, uint64_t units)
{
    const bool few = mode == VKR_MODE_OF_FEW, combines = mode == VKR_MODE_OF_STATES;
    const bool stores = few || mode == VKR_MODE_OF_ROWS || mode == VKR_MODE_OF_OUTPUTS;
    const vkr_spans *s = &a->spans;
    const uint64_t share = few ? s->few : a->share, count = a->walk.count;
    vkr_pass pass = vkr_apply_pass(a, mode, vkr_apply_quads(a, share));
    const uint32_t team = pass.constants[VKR_APPLY_CONST_TEAM];
    const uint64_t all = few ? vkr_divide_up(units, a->walk.workgroup_size / team) : units;
    const bool listed = mode == VKR_MODE_OF_ROWS;
    const uint64_t each = listed ? vkr_spans_of_group(trips_of_segment(a)) : 1;
    const vkr_window window = {.rows = a->rows, .groups = vkr_divide_up(all, each)};
    const bool parts = combines || mode == VKR_MODE_OF_PARTS;
    const bool states = combines || mode == VKR_MODE_OF_OUTPUTS;
    if (!combines && a->texels)
        vkr_bind_apply_texels(a, &pass);
    else
        VKR_TRY(vkr_bind_all(&pass, VKR_APPLY_SLOT_INPUT, "input", vkr_place_of_view(&a->input),
                             combines ? 0 : count));
    VKR_TRY(vkr_bind_all(&pass, VKR_APPLY_SLOT_OUTPUT, "output", vkr_place_of_view(&a->output),
                         stores ? count : 0));
    VKR_TRY(vkr_bind_all(&pass, VKR_APPLY_SLOT_SPANS, "scratch", s->at, a->rows));
    VKR_TRY(vkr_bind_all(&pass, VKR_APPLY_SLOT_LISTS, "scratch", s->lists, few ? 0 : 1));
    VKR_TRY(vkr_bind_all(&pass, combines ? VKR_APPLY_SLOT_PARTS : VKR_APPLY_SLOT_NEW_PARTS,
                         "scratch", a->of_parts, parts ? a->parts : 0));
    VKR_TRY(vkr_bind_all(&pass, combines ? VKR_APPLY_SLOT_NEW_STATES : VKR_APPLY_SLOT_STATES,
                         "scratch", a->of_rows, states ? s->long_ones : 0));
    struct vkr_apply_push *push = VKR_PUSH(&pass, vkr_apply_push);
    push->share = (uint32_t)share;
    push->units = (uint32_t)all;
    push->long_at = vkr_long_at(s);
    push->parts_at = vkr_parts_at(s);
    return vkr_emit_window(recorder, &pass, &window);
}

VkrResult vkr_plan_apply_spans(VkrRecorder recorder, vkr_apply *a)
{
    vkr_spans *s = &a->spans;
    if (a->rows == 0)
        return VKR_SUCCESS;
    choose_spans(a);
    VKR_TRY(vkr_plan_spans(recorder, s));
    VKR_TRY(add_mode(recorder, a, VKR_MODE_OF_FEW, a->rows));
    if (s->listed != 0)
        VKR_TRY(add_mode(recorder, a, VKR_MODE_OF_ROWS, s->listed));
    if (s->long_ones == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, VKR_STATE_WORDS, a->parts, &a->of_parts));
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, VKR_STATE_WORDS, s->long_ones, &a->of_rows));
    VKR_TRY(add_mode(recorder, a, VKR_MODE_OF_PARTS, a->parts));
    VKR_TRY(add_mode(recorder, a, VKR_MODE_OF_STATES, s->long_ones));
    return add_mode(recorder, a, VKR_MODE_OF_OUTPUTS, a->parts);
}
