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

/* A share in units of 2^-31; what shares are not, stays. */
static uint32_t rank_of(const VkrSelectInfo *info, uint32_t i)
{
    if (info->ranks != NULL)
        return info->ranks[i];
    const double share = info->shares[i] * 2147483648.0; /* which is exact, and rounded up */
    return (uint32_t)share + ((uint32_t)share < share ? 1 : 0);
}

static void set_ranks(const vkr_select *s, const vkr_select_mode *m, vkr_pass *pass)
{
    for (uint32_t i = 0; i < m->ranks; i++)
        pass->uniforms[i] = rank_of(s->info, m->first + i);
}

vkr_select_uses vkr_uses_of_mode(const vkr_select *s, const vkr_select_mode *m)
{
    const bool is_row = m->number == VKR_NTH_ROW || m->number == VKR_NTH_SHORT;
    const bool is_last = m->number == VKR_NTH_LAST;
    const bool has_indices = vkr_has_buffer(&s->indices);
    return (vkr_select_uses){
        /* Without indices, the last digits are found from counts alone. */
        .input = !is_last || has_indices,
        .ranks = is_row || m->number == VKR_NTH_FIRST,
        .values = vkr_has_buffer(&s->values) && (is_row || is_last),
        .indices = has_indices && (is_row || m->number == VKR_NTH_PLACE),
    };
}

static uint32_t flags_of(const vkr_select *s, const vkr_select_mode *m, vkr_select_uses uses)
{
    const bool tallies = m->number == VKR_NTH_LAST && uses.input;
    const bool on_gpu = s->ranks.buffer != VK_NULL_HANDLE;
    return (uses.values ? VKR_NTH_FLAG_VALUES : 0) |
           (uses.indices || tallies ? VKR_NTH_FLAG_INDICES : 0) |
           (uses.ranks && s->info->shares != NULL ? VKR_NTH_FLAG_SHARES : 0) |
           (uses.ranks && on_gpu ? VKR_NTH_FLAG_GPU_RANKS : 0) |
           (vkr_is_packed(&s->input) ? VKR_NTH_FLAG_PACKED : 0) |
           (s->walk.tuning->order == VKR_LOAD_CONTIGUOUS ? VKR_NTH_FLAG_CONTIGUOUS : 0);
}

vkr_pass vkr_select_pass(const vkr_select *s, const vkr_select_mode *m)
{
    const vkr_select_uses uses = vkr_uses_of_mode(s, m);
    const uint32_t ranks = s->info->rankCount;
    vkr_pass pass = {.walk = &s->walk,
                     .constants = {[VKR_CONST_WORKGROUP] = s->walk.workgroup_size,
                                   [VKR_NTH_CONST_MODE] = m->number,
                                   [VKR_NTH_CONST_BITS] = s->digit_bits,
                                   [VKR_NTH_CONST_RANKS] = s->batch,
                                   [VKR_NTH_CONST_FLAGS] = flags_of(s, m, uses)}};
    vkr_set_order(&s->order, &pass.constants[VKR_NTH_CONST_KEY_FORM]);
    if (uses.ranks && s->ranks.buffer != VK_NULL_HANDLE)
        pass.slots[VKR_NTH_SLOT_RANKS] = vkr_items(s->ranks, 0, ranks);
    else if (uses.ranks)
        set_ranks(s, m, &pass);
    struct vkr_nth_push *push = VKR_PUSH(&pass, vkr_nth_push);
    push->share = (uint32_t)s->share;
    push->first_rank = m->first;
    push->ranks = m->ranks;
    push->width = m->width;
    push->shift = m->shift;
    push->pitch = ranks;
    return pass;
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
