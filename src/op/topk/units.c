/* SPDX-License-Identifier: MIT */
/* Cuts the rows of a selection into units, and adds the steps that find the entries. */
#include "topk.h"

#include <inttypes.h>

#include "kernel_list.h"

#define BATCH 8u /* elements of an invocation that are loaded at once, as in select.comp */

/* Maximum numbers of elements of an invocation, which goes over a part once, and over a whole row
 * once for each digit. */
#define PART_ITEMS 8192u
#define ROW_ITEMS 4096u
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
    const bool few = t->parts == 1 ? t->length >= MIN_LONG_ROW : t->rows <= MAX_LONG_ROWS;
    const bool is_long = key_bits(t) >= 32 && few && has_room(t, LONG_DIGIT);
    t->digit_bits = is_long ? LONG_DIGIT : SHORT_DIGIT;
}

static void choose_parts(vkr_topk *t)
{
    const vkr_walk *w = &t->walk;
    const uint64_t full = w->tuning->maxGroups, size = w->workgroup_size;
    const uint64_t tile = size * BATCH;
    const uint64_t reach = vkr_max(vkr_place_reach(&w->context->caps, &w->reached[0]), 1);
    const bool fits = t->length <= vkr_min(size * ROW_ITEMS, reach);
    t->parts = 1;
    t->share = t->length;
    if (fits && (t->length <= MAX_WHOLE_ROW || t->rows >= full / 2))
        return;
    const uint64_t wanted = vkr_divide_up(t->length, vkr_divide_up(full, t->rows));
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
    VKR_NEED(w, t->parts <= (uint64_t)w->workgroup_size * PARTS_ITEMS,
             "workgroupSize is %u, but must be greater where a segment has %" PRIu64 " elements.",
             w->workgroup_size, t->length);
    VKR_NEED(w, has_room(t, t->digit_bits),
             "workgroupSize is %u, but must be less to fit the device's %u bytes of shared memory.",
             w->workgroup_size, w->context->caps.max_shared_memory);
    VKR_NEED(w, t->share <= vkr_place_reach(&w->context->caps, &w->reached[0]) || w->count == 0,
             "an element of input must fit maxStorageBufferRange (%" PRIu64 " bytes).",
             w->context->caps.max_range);
    return VKR_SUCCESS;
}

/* ---- Passes ---- */

/* What the dispatches of a mode read and write for each row. */
typedef struct mode {
    uint32_t number; /* VKR_SELECT_* */
    vkr_place states, new_states;
    vkr_place table, counts; /* of digits */
    vkr_place read, written; /* tallies */
} mode;

static uint64_t first_element(const vkr_topk *t, uint64_t unit)
{
    const uint64_t row = unit / t->parts, part = unit % t->parts;
    return row * t->length + vkr_min(part * t->share, t->length);
}

/* The maximum number of bytes that one of a dispatch's arrays in scratch has for each row: lists,
 * counts of digits, or tallies. */
static uint64_t bytes_of_row(const vkr_topk *t)
{
    const uint64_t counts = t->parts == 1 ? 0 : (uint64_t)4 << t->digit_bits;
    const uint64_t tallies = 4 * VKR_SELECT_TALLY_WORDS * t->parts;
    return vkr_max(4 * (uint64_t)t->wanted, vkr_max(counts, tallies));
}

/* The units of a window that starts with unit `first`: as many as descriptors reach, and their
 * rows' items too. */
static uint64_t units_of_window(const vkr_topk *t, uint64_t first)
{
    const vkr_walk *w = &t->walk;
    const vkr_caps *caps = &w->context->caps;
    const uint64_t begin = first_element(t, first);
    const uint64_t end = begin + vkr_view_window(caps, &t->input, begin);
    const uint64_t rows = vkr_max((caps->max_range - caps->granule) / bytes_of_row(t), 1);
    const uint64_t limit = (first / t->parts + rows) * t->parts;
    uint64_t last = vkr_min(vkr_min(limit, t->rows * t->parts), first + vkr_all_groups(caps));
    if (end >= w->count)
        return last - first;
    const uint64_t row = end / t->length;
    const uint64_t part = t->parts == 1 ? 0 : (end - row * t->length) / t->share;
    return vkr_min(last, row * t->parts + part) - first;
}

static void bind_rows(vkr_pass *pass, uint32_t slot, vkr_place place, uint64_t row, uint64_t rows)
{
    pass->slots[slot] = vkr_items(place, row, rows);
}

static uint32_t load_flags(const vkr_topk *t)
{
    return (vkr_is_packed(&t->input) ? VKR_SELECT_FLAG_PACKED : 0) |
           (t->walk.tuning->order == VKR_LOAD_CONTIGUOUS ? VKR_SELECT_FLAG_CONTIGUOUS : 0);
}

static VkrResult add_window(VkrRecorder recorder, const vkr_topk *t, const mode *m, uint64_t first,
                            uint64_t units)
{
    const VkrTopKInfo *info = t->info;
    const uint64_t begin = first_element(t, first), row = first / t->parts;
    const uint64_t end = vkr_min(first_element(t, first + units), t->walk.count);
    const uint64_t rows = (first + units - 1) / t->parts - row + 1;
    const bool stores = m->number == VKR_SELECT_STORE || m->number == VKR_SELECT_ROW;
    const bool finds = stores && t->found.buffer != VK_NULL_HANDLE;
    const bool counts = stores && t->entries.buffer != VK_NULL_HANDLE;
    static const uint32_t kernels[] = {VKR_KERNEL_SELECT_8, VKR_KERNEL_SELECT_16,
                                       VKR_KERNEL_SELECT_32, VKR_KERNEL_SELECT_64};
    vkr_pass pass = {
        .walk = &t->walk,
        .card = &vkr_select_card,
        .kernel = kernels[vkr_log2_up(t->input.type->size)],
        .constants = {[VKR_CONST_WORKGROUP] = t->walk.workgroup_size,
                      [VKR_SELECT_CONST_MODE] = m->number,
                      [VKR_SELECT_CONST_BITS] = t->digit_bits,
                      [VKR_SELECT_CONST_FLAGS] =
                          vkr_count_flags(&info->gpuCount) | (finds ? VKR_SELECT_FLAG_FOUND : 0) |
                          (counts ? VKR_SELECT_FLAG_ENTRIES : 0) | load_flags(t)},
        .slots = {[VKR_SELECT_SLOT_INPUT] =
                      vkr_items(vkr_place_of_view(&t->input), begin, end - begin),
                  [VKR_SELECT_SLOT_COUNT] = {.place = vkr_place_of_count(&info->gpuCount)}}};
    vkr_set_order(&t->order, &pass.constants[VKR_SELECT_CONST_KEY_FORM]);
    bind_rows(&pass, VKR_SELECT_SLOT_STATES, m->states, row, rows);
    bind_rows(&pass, VKR_SELECT_SLOT_NEW_STATES, m->new_states, row, rows);
    bind_rows(&pass, VKR_SELECT_SLOT_TABLE, m->table, row, rows);
    bind_rows(&pass, VKR_SELECT_SLOT_COUNTS, m->counts, row, rows);
    if (m->read.buffer != VK_NULL_HANDLE)
        bind_rows(&pass, VKR_SELECT_SLOT_TABLE, m->read, row, rows);
    bind_rows(&pass, VKR_SELECT_SLOT_TALLIES, m->written, row, rows);
    if (stores)
        pass.slots[VKR_SELECT_SLOT_LIST] = vkr_items(t->list, row * t->wanted, rows * t->wanted);
    if (finds)
        bind_rows(&pass, VKR_SELECT_SLOT_FOUND, t->found, row, rows);
    if (counts)
        pass.slots[VKR_SELECT_SLOT_ENTRIES].place = t->entries;
    struct vkr_select_push *push = VKR_PUSH(&pass, vkr_select_push);
    push->first_unit = (uint32_t)first;
    push->first_row = (uint32_t)row;
    push->first_element = (uint32_t)begin;
    push->parts = (uint32_t)t->parts;
    push->share = (uint32_t)t->share;
    push->row_length = (uint32_t)t->length;
    push->wanted = t->wanted;
    const vkr_window window = {.groups = units};
    return vkr_emit_window(recorder, &pass, &window);
}

static VkrResult add_mode(VkrRecorder recorder, const vkr_topk *t, const mode *m)
{
    const uint64_t all = t->rows * t->parts;
    for (uint64_t first = 0, units; first < all; first += units) {
        units = units_of_window(t, first);
        VKR_NEED(&t->walk, (all - first) / units < VKR_MAX_WINDOWS,
                 "count is %" PRIu64 ", but must need at most %u dispatches of "
                 "maxStorageBufferRange (%" PRIu64 " bytes) for each pass.",
                 t->walk.count, VKR_MAX_WINDOWS, t->walk.context->caps.max_range);
        VKR_TRY(add_window(recorder, t, m, first, units));
    }
    return VKR_SUCCESS;
}

/* ---- Digits ---- */

/* Adds a state for each row, which the next dispatches write. */
static VkrResult add_states(VkrRecorder recorder, const vkr_topk *t, mode *m)
{
    m->states = m->new_states;
    return vkr_add_words(recorder, VKR_SCRATCH, VKR_SELECT_STATE_WORDS, t->rows, &m->new_states);
}

static VkrResult add_digits(VkrRecorder recorder, const vkr_topk *t, mode *m)
{
    const uint32_t digits = (uint32_t)vkr_divide_up(key_bits(t), t->digit_bits);
    for (uint32_t d = 0; d < digits; d++) {
        m->number = d == 0 ? VKR_SELECT_FIRST : VKR_SELECT_NEXT;
        m->table = m->counts;
        VKR_TRY(add_states(recorder, t, m));
        VKR_TRY(vkr_add_words(recorder, VKR_COUNTERS, 1u << t->digit_bits, t->rows, &m->counts));
        VKR_TRY(add_mode(recorder, t, m));
    }
    return VKR_SUCCESS;
}

/* Adds the modes of rows that several workgroups share. */
static VkrResult add_parts(VkrRecorder recorder, const vkr_topk *t)
{
    mode m = {0};
    VKR_TRY(add_digits(recorder, t, &m));
    m.number = VKR_SELECT_TALLY;
    m.table = m.counts;
    m.counts = (vkr_place){0};
    VKR_TRY(add_states(recorder, t, &m));
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, VKR_SELECT_TALLY_WORDS * t->parts, t->rows,
                          &m.written));
    VKR_TRY(add_mode(recorder, t, &m));
    m = (mode){.number = VKR_SELECT_STORE, .states = m.new_states, .read = m.written};
    return add_mode(recorder, t, &m);
}

VkrResult vkr_plan_selection(VkrRecorder recorder, const vkr_topk *t)
{
    const mode whole = {.number = VKR_SELECT_ROW};
    const vkr_caps *caps = &t->walk.context->caps;
    VKR_NEED(&t->walk, bytes_of_row(t) <= caps->max_range - caps->granule,
             "k is %u, and %" PRIu64 " bytes of scratch for each segment must fit "
             "maxStorageBufferRange (%" PRIu64 " bytes).",
             t->info->k, bytes_of_row(t), caps->max_range);
    return t->parts == 1 ? add_mode(recorder, t, &whole) : add_parts(recorder, t);
}
