/* SPDX-License-Identifier: MIT */
/* Cuts the rows of a selection into units, and adds the steps that find the entries. */
#include "../../plan/grid.h"
#include "topk.h"

#include <inttypes.h>

#include "kernel_list.h"

/* Maximum numbers of elements of an invocation, which goes over a part once, and over a whole row
 * once for each digit. By offsets it can go over several whole rows. */
#define PART_ITEMS 8192u
#define ROW_ITEMS 4096u
#define SPAN_ITEMS 1024u
#define PARTS_ITEMS 16384u /* and of the parts that an invocation adds up */

/* Rows of at most this number of elements are not cut. */
#define MAX_WHOLE_ROW 16384u

/* Digits are long where there are few tables of counts, or many elements for each count. */
#define LONG_DIGIT 11u
#define SHORT_DIGIT 8u
#define MAX_LONG_ROWS 16u
#define MIN_LONG_ROW 8192u /* elements of a row that one workgroup handles */

/* ---- Units ---- */

static uint32_t key_bits(const vkr_topk *t)
{
    return 8 * t->input.type->size;
}

/* Whether the shared memory of select.comp holds the counts of digits of this size. */
static bool has_room(const vkr_topk *t, uint32_t bits)
{
    const uint64_t words = (1u << bits) + 2 * (uint64_t)t->walk.workgroup_size + 8;
    return 4 * words <= t->walk.context->caps.max_shared_memory;
}

static void choose_digits(vkr_topk *t)
{
    const uint64_t tables = t->by_offsets ? t->spans.long_ones : t->rows;
    const uint64_t length = t->by_offsets ? t->walk.count / vkr_max(t->rows, 1) : t->length;
    const bool may_be_long = key_bits(t) >= 32 && has_room(t, LONG_DIGIT);
    t->digit_bits = may_be_long && tables <= MAX_LONG_ROWS ? LONG_DIGIT : SHORT_DIGIT;
    t->whole_bits = may_be_long && length >= MIN_LONG_ROW ? LONG_DIGIT : SHORT_DIGIT;
}

static void choose_parts(vkr_topk *t)
{
    const vkr_walk *w = &t->walk;
    const uint64_t full = w->tuning->maxGroups, size = w->workgroup_size;
    const uint64_t tile = size * VKR_SELECT_BATCH;
    const uint64_t reach = vkr_max(vkr_place_reach(&w->context->caps, &w->reached[0]), 1);
    const bool fits = t->length <= vkr_min(size * ROW_ITEMS, reach);
    t->parts = 1;
    t->share = t->length;
    if (t->by_offsets) {
        const uint64_t each = vkr_max(vkr_divide_up(t->length, full), vkr_policy_of_topk(t)->part);
        const uint64_t short_row = vkr_policy_of_topk(t)->short_row;
        vkr_choose_spans(t, vkr_group_of_short(w, t->info->workgroupSize, short_row),
                         vkr_min(MAX_WHOLE_ROW, size * SPAN_ITEMS),
                         vkr_min(vkr_divide_up(each, tile) * tile, size * PART_ITEMS));
        return;
    }
    if (fits && (t->length <= MAX_WHOLE_ROW || t->rows >= full / 2))
        return;
    const uint64_t wanted = vkr_max(vkr_divide_up(t->length, vkr_divide_up(full, t->rows)),
                                    vkr_policy_of_topk(t)->part);
    t->share = vkr_min(vkr_divide_up(wanted, tile) * tile, vkr_min(size * PART_ITEMS, reach));
    t->parts = vkr_divide_up(t->length, t->share);
}

VkrResult vkr_choose_topk_units(vkr_topk *t)
{
    vkr_walk *w = &t->walk;
    vkr_start_walk(w, VKR_OPERATION_REDUCE, VKR_FAMILY_REDUCE, &t->input);
    const uint32_t tuned = vkr_policy_of_topk(t)->workgroup;
    VKR_TRY(vkr_choose_workgroup(w, t->info->workgroupSize, tuned, &(vkr_shared){0}));
    w->reached[w->reached_count++] = vkr_place_of_view(&t->input);
    choose_parts(t);
    choose_digits(t);
    VKR_NEED(w, t->by_offsets || t->parts <= (uint64_t)w->workgroup_size * PARTS_ITEMS,
             "workgroupSize is %u, but must be greater where a segment has %" PRIu64 " elements.",
             w->workgroup_size, t->length);
    VKR_NEED(w, has_room(t, SHORT_DIGIT),
             "workgroupSize is %u, but must be less to fit the device's %u bytes of shared memory.",
             w->workgroup_size, w->context->caps.max_shared_memory);
    return VKR_SUCCESS;
}

/* ---- Passes ---- */

/* What each row has of a place: some items. */
static vkr_bound per_row(const char *name, vkr_place place, uint64_t items)
{
    return vkr_row_items(name, place, items, items);
}

static VkrResult add_rows(VkrRecorder recorder, const vkr_topk *t, const vkr_topk_mode *m)
{
    const VkrTopKInfo *info = t->info;
    const bool stores = m->number == VKR_SELECT_STORE || m->number == VKR_SELECT_ROW;
    const bool finds = stores && t->found.buffer != VK_NULL_HANDLE;
    const bool counts = stores && t->entries.buffer != VK_NULL_HANDLE;
    const vkr_place none = {0}, table = m->read.buffer != VK_NULL_HANDLE ? m->read : m->table;
    static const uint32_t kernels[] = {VKR_KERNEL_SELECT_8, VKR_KERNEL_SELECT_16,
                                       VKR_KERNEL_SELECT_32, VKR_KERNEL_SELECT_64};
    const vkr_grid grid = {.rows = t->rows, .parts = t->parts};
    vkr_pass pass = {
        .walk = &t->walk,
        .card = &vkr_select_card,
        .kernel = kernels[vkr_log2_up(t->input.type->size)],
        .constants = {[VKR_CONST_WORKGROUP] = t->walk.workgroup_size,
                      [VKR_SELECT_CONST_MODE] = m->number,
                      [VKR_SELECT_CONST_BITS] = vkr_topk_bits(t, m),
                      [VKR_SELECT_CONST_FLAGS] =
                          vkr_count_flags(&info->gpuCount) | (finds ? VKR_SELECT_FLAG_FOUND : 0) |
                          (counts ? VKR_SELECT_FLAG_ENTRIES : 0) | vkr_topk_load_flags(t)},
        .slots = {[VKR_SELECT_SLOT_INPUT] =
                      vkr_part_items("input", vkr_place_of_view(&t->input), t->pitch, t->length,
                                     t->share, t->walk.count),
                  [VKR_SELECT_SLOT_COUNT] = {.place = vkr_place_of_count(&info->gpuCount)},
                  [VKR_SELECT_SLOT_STATES] = per_row("scratch", m->states, 1),
                  [VKR_SELECT_SLOT_NEW_STATES] = per_row("scratch", m->new_states, 1),
                  [VKR_SELECT_SLOT_ENTRIES] = {.place = counts ? t->entries : none},
                  [VKR_SELECT_SLOT_TABLE] = per_row("scratch", table, 1),
                  [VKR_SELECT_SLOT_COUNTS] = per_row("scratch", m->counts, 1),
                  [VKR_SELECT_SLOT_TALLIES] = per_row("scratch", m->written, 1),
                  [VKR_SELECT_SLOT_LIST] =
                      per_row("the list of k entries", stores ? t->list : none, t->wanted),
                  [VKR_SELECT_SLOT_FOUND] = per_row("found", finds ? t->found : none, 1)}};
    vkr_set_order(&t->order, &pass.constants[VKR_SELECT_CONST_KEY_FORM]);
    struct vkr_select_push *push = VKR_PUSH(&pass, vkr_select_push);
    push->parts = (uint32_t)t->parts;
    push->share = (uint32_t)t->share;
    push->row_length = (uint32_t)t->length;
    push->row_pitch = (uint32_t)t->pitch;
    push->wanted = t->wanted;
    return vkr_emit_grid(recorder, &pass, &grid);
}

/* ---- Digits ---- */

static VkrResult add_mode(VkrRecorder recorder, const vkr_topk *t, const vkr_topk_mode *m)
{
    return t->by_offsets ? vkr_add_spans_mode(recorder, t, m) : add_rows(recorder, t, m);
}

static uint64_t states_of(const vkr_topk *t)
{
    return t->by_offsets ? t->spans.long_ones : t->rows;
}

/* Adds a state for each row, which the next dispatches write. */
static VkrResult add_states(VkrRecorder recorder, const vkr_topk *t, vkr_topk_mode *m)
{
    m->states = m->new_states;
    return vkr_add_words(recorder, VKR_SCRATCH, VKR_SELECT_STATE_WORDS, states_of(t),
                         &m->new_states);
}

static VkrResult add_digits(VkrRecorder recorder, const vkr_topk *t, vkr_topk_mode *m)
{
    const uint32_t digits = (uint32_t)vkr_divide_up(key_bits(t), t->digit_bits);
    for (uint32_t d = 0; d < digits; d++) {
        m->number = d == 0 ? VKR_SELECT_FIRST : VKR_SELECT_NEXT;
        m->table = m->counts;
        VKR_TRY(add_states(recorder, t, m));
        VKR_TRY(
            vkr_add_words(recorder, VKR_COUNTERS, 1u << t->digit_bits, states_of(t), &m->counts));
        VKR_TRY(add_mode(recorder, t, m));
    }
    return VKR_SUCCESS;
}

static VkrResult add_parts(VkrRecorder recorder, const vkr_topk *t)
{
    vkr_topk_mode m = {0};
    VKR_TRY(add_digits(recorder, t, &m));
    m.number = VKR_SELECT_TALLY;
    m.table = m.counts;
    m.counts = (vkr_place){0};
    VKR_TRY(add_states(recorder, t, &m));
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, VKR_SELECT_TALLY_WORDS * t->parts,
                          t->by_offsets ? 1 : t->rows, &m.written));
    VKR_TRY(add_mode(recorder, t, &m));
    m = (vkr_topk_mode){.number = VKR_SELECT_STORE, .states = m.new_states, .read = m.written};
    return add_mode(recorder, t, &m);
}

VkrResult vkr_plan_selection(VkrRecorder recorder, vkr_topk *t)
{
    const vkr_topk_mode whole = {.number = VKR_SELECT_ROW};
    if (!t->by_offsets)
        return t->parts == 1 ? add_mode(recorder, t, &whole) : add_parts(recorder, t);
    VKR_TRY(vkr_plan_topk_spans(recorder, t));
    return t->walk.count != 0 && t->spans.long_ones != 0 ? add_parts(recorder, t) : VKR_SUCCESS;
}
