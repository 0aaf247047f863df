/* SPDX-License-Identifier: MIT */
/* Adds the steps of a selection by ranks. */
#include "../../plan/grid.h"
#include "select.h"

#include "kernel_list.h"

/* ---- Passes ---- */

/* What each row has of a place: some items. */
static vkr_bound per_row(const char *name, vkr_place place, uint64_t items)
{
    return vkr_row_items(name, place, items, items);
}

/* The entries of rows in an output. A batch of ranks writes some of them, but a descriptor has all,
 * so batches run one after the other. */
static vkr_bound entries_of(const vkr_select *s, const char *name, const vkr_view *output,
                            bool is_stored)
{
    return per_row(name, is_stored ? vkr_place_of_view(output) : (vkr_place){0},
                   s->info->rankCount);
}

static VkrResult add_rows(VkrRecorder recorder, const vkr_select *s, const vkr_select_mode *m)
{
    static const uint32_t kernels[] = {VKR_KERNEL_NTH_8, VKR_KERNEL_NTH_16, VKR_KERNEL_NTH_32,
                                       VKR_KERNEL_NTH_64};
    const VkrGpuCount *count = &s->info->gpuCount;
    const vkr_select_uses uses = vkr_uses_of_mode(s, m);
    const vkr_place input = uses.input ? vkr_place_of_view(&s->input) : (vkr_place){0};
    const vkr_place table = m->read.buffer != VK_NULL_HANDLE ? m->read : m->table;
    const bool is_short = m->number == VKR_NTH_SHORT;
    const vkr_grid grid = {.rows = s->rows,
                           .parts = uses.input ? s->parts : 1,
                           .share = is_short ? s->walk.workgroup_size / s->length : 1};
    vkr_pass pass = vkr_select_pass(s, m);
    pass.card = &vkr_nth_card;
    pass.kernel = kernels[vkr_log2_up(s->input.type->size)];
    pass.constants[VKR_NTH_CONST_FLAGS] |= vkr_count_flags(count);
    pass.slots[VKR_NTH_SLOT_INPUT] =
        vkr_part_items("input", input, s->pitch, s->length, s->share, s->walk.count);
    pass.slots[VKR_NTH_SLOT_COUNT].place = vkr_place_of_count(count);
    pass.slots[VKR_NTH_SLOT_STATES] = per_row("scratch", m->states, 1);
    pass.slots[VKR_NTH_SLOT_NEW_STATES] = per_row("scratch", m->new_states, 1);
    pass.slots[VKR_NTH_SLOT_TABLE] = per_row("scratch", table, 1);
    pass.slots[VKR_NTH_SLOT_COUNTS] = per_row("scratch", m->counts, 1);
    pass.slots[VKR_NTH_SLOT_TALLIES] = per_row("scratch", m->written, 1);
    pass.slots[VKR_NTH_SLOT_VALUES] = entries_of(s, "values", &s->values, uses.values);
    pass.slots[VKR_NTH_SLOT_INDICES] = entries_of(s, "indices", &s->indices, uses.indices);
    struct vkr_nth_push *push = VKR_PUSH(&pass, vkr_nth_push);
    push->parts = (uint32_t)grid.parts;
    push->row_length = (uint32_t)s->length;
    push->row_pitch = (uint32_t)s->pitch;
    return vkr_emit_grid(recorder, &pass, &grid);
}

static VkrResult add_mode(VkrRecorder recorder, const vkr_select *s, const vkr_select_mode *m)
{
    return s->by_offsets ? vkr_add_select_spans(recorder, s, m) : add_rows(recorder, s, m);
}

/* ---- Digits ---- */

/* The rows that have states: those that are cut. */
static uint64_t states_of(const vkr_select *s)
{
    return s->by_offsets ? s->spans.long_ones : s->rows;
}

/* Adds states for each row, which the next dispatches write. */
static VkrResult add_states(VkrRecorder recorder, const vkr_select *s, vkr_select_mode *m)
{
    m->states = m->new_states;
    return vkr_add_words(recorder, VKR_SCRATCH, (uint64_t)VKR_NTH_STATE_WORDS * s->batch,
                         states_of(s), &m->new_states);
}

static VkrResult add_digits(VkrRecorder recorder, const vkr_select *s, vkr_select_mode *m)
{
    m->number = VKR_NTH_FIRST;
    for (m->shift = 8 * s->input.type->size; m->shift != 0; m->shift -= m->width) {
        m->table = m->counts;
        VKR_TRY(add_states(recorder, s, m));
        VKR_TRY(vkr_add_words(recorder, VKR_COUNTERS, (uint64_t)s->batch << s->digit_bits,
                              states_of(s), &m->counts));
        VKR_TRY(add_mode(recorder, s, m));
        m->width = (uint32_t)vkr_min(m->shift, s->digit_bits);
        m->number = VKR_NTH_NEXT;
    }
    return VKR_SUCCESS;
}

/* Adds the modes of rows that several workgroups share. */
static VkrResult add_parts(VkrRecorder recorder, const vkr_select *s, vkr_select_mode m)
{
    VKR_TRY(add_digits(recorder, s, &m));
    m.number = VKR_NTH_LAST;
    m.table = m.counts;
    m.counts = (vkr_place){0};
    m.states = m.new_states;
    m.new_states = (vkr_place){0};
    if (!vkr_has_buffer(&s->indices))
        return add_mode(recorder, s, &m);
    m.new_states = m.states;
    VKR_TRY(add_states(recorder, s, &m));
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, s->batch * s->parts, s->by_offsets ? 1 : s->rows,
                          &m.written));
    VKR_TRY(add_mode(recorder, s, &m));
    m.number = VKR_NTH_PLACE;
    m.states = m.new_states;
    m.new_states = m.table = (vkr_place){0};
    m.read = m.written;
    m.written = (vkr_place){0};
    return add_mode(recorder, s, &m);
}

/* Adds the modes that find a batch of ranks. */
static VkrResult add_batch(VkrRecorder recorder, const vkr_select *s, vkr_select_mode m)
{
    if (!s->by_offsets && s->parts > 1)
        return add_parts(recorder, s, m);
    m.number = s->is_short || s->by_offsets ? VKR_NTH_SHORT : VKR_NTH_ROW;
    VKR_TRY(add_mode(recorder, s, &m));
    if (!s->by_offsets)
        return VKR_SUCCESS;
    m.number = VKR_NTH_ROW;
    if (s->spans.listed != 0)
        VKR_TRY(add_mode(recorder, s, &m));
    return s->spans.long_ones != 0 ? add_parts(recorder, s, m) : VKR_SUCCESS;
}

VkrResult vkr_plan_select(VkrRecorder recorder, vkr_select *s)
{
    const VkrSelectInfo *info = s->info;
    if (s->walk.count == 0 || s->rows == 0)
        return VKR_SUCCESS;
    s->order = vkr_order_of(s->input.type, (info->flags & VKR_SELECT_DESCENDING_BIT) != 0,
                            (info->flags & VKR_SELECT_NAN_FIRST_BIT) != 0);
    VKR_TRY(vkr_choose_select_units(s));
    if (s->by_offsets)
        VKR_TRY(vkr_plan_spans(recorder, &s->spans));
    for (uint32_t first = 0; first < info->rankCount; first += s->batch) {
        const uint32_t left = info->rankCount - first;
        VKR_TRY(add_batch(
            recorder, s,
            (vkr_select_mode){.first = first, .ranks = (uint32_t)vkr_min(left, s->batch)}));
    }
    return VKR_SUCCESS;
}
