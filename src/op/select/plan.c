/* SPDX-License-Identifier: MIT */
/* Cuts the rows of a selection by ranks into units, and adds its steps. */
#include "../../plan/grid.h"
#include "../../tables/policies.h"
#include "select.h"

#include <inttypes.h>

#include "kernel_list.h"

/* Maximum numbers of elements of an invocation, times the ranks that share its reads: of a part,
 * each of whose elements is compared with the keys of all ranks, and of a whole row, over which it
 * goes once for each digit. */
#define PART_ITEMS 16384u
#define MAX_PART_ITEMS 8192u
#define ROW_ITEMS 2048u
#define PARTS_ITEMS 8192u /* and of the tallies that an invocation adds up, for each rank */

/* Rows of at most this number of elements are not cut. */
#define MAX_WHOLE_ROW 16384u

/* Digits are long where there are few tables of counts, or many elements for each count. */
#define LONG_DIGIT 11u
#define SHORT_DIGIT 8u
#define MAX_LONG_RANKS 2u
#define MAX_LONG_ROWS 16u
#define MIN_LONG_ROW 8192u /* elements of a row that one workgroup handles */

/* ---- Units ---- */

static uint32_t key_bits(const vkr_select *s)
{
    return 8 * s->input.type->size;
}

/* Whether the shared memory of nth.comp holds the counts of digits of this size. */
static bool has_room(const vkr_select *s, uint32_t ranks, uint32_t bits)
{
    const uint64_t words =
        ((uint64_t)ranks << bits) + 2 * (uint64_t)s->walk.workgroup_size + 6 * (uint64_t)ranks + 8;
    return 4 * words <= s->walk.context->caps.max_shared_memory;
}

static uint64_t reach_of(const vkr_select *s)
{
    return vkr_max(vkr_place_reach(&s->walk.context->caps, &s->walk.reached[0]), 1);
}

/* Whether one workgroup can handle a row for so many ranks. */
static bool fits_row(const vkr_select *s, uint32_t ranks)
{
    const uint64_t items = (uint64_t)s->walk.workgroup_size * (ROW_ITEMS / ranks);
    return s->length <= vkr_min(items, reach_of(s));
}

static void choose_batch(vkr_select *s)
{
    s->batch = 1;
    while (s->batch < vkr_min(s->info->rankCount, VKR_NTH_MAX_RANKS) &&
           2 * s->batch <= s->walk.workgroup_size && has_room(s, 2 * s->batch, SHORT_DIGIT))
        s->batch *= 2;
}

static void choose_parts(vkr_select *s)
{
    const vkr_walk *w = &s->walk;
    const uint64_t full = w->tuning->maxGroups, size = w->workgroup_size;
    const uint64_t tile = size * VKR_NTH_BATCH;
    s->parts = 1;
    s->share = s->length;
    if (fits_row(s, 1) && (s->length <= MAX_WHOLE_ROW || s->rows >= full / 2)) {
        while (!fits_row(s, s->batch))
            s->batch /= 2;
        return;
    }
    const uint64_t wanted = vkr_max(vkr_divide_up(s->length, vkr_divide_up(full, s->rows)),
                                    vkr_topk_policy_of(w->context)->part);
    const uint64_t items = vkr_min(PART_ITEMS / s->batch, MAX_PART_ITEMS);
    s->share = vkr_min(vkr_divide_up(wanted, tile) * tile, vkr_min(size * items, reach_of(s)));
    s->parts = vkr_divide_up(s->length, s->share);
}

static void choose_digits(vkr_select *s)
{
    const bool few = s->parts == 1 ? s->length >= MIN_LONG_ROW : s->rows <= MAX_LONG_ROWS;
    const bool is_long =
        key_bits(s) >= 32 && few && s->batch <= MAX_LONG_RANKS && has_room(s, s->batch, LONG_DIGIT);
    s->digit_bits = is_long ? LONG_DIGIT : SHORT_DIGIT;
}

/* Chooses how many ranks share reads, and whether rows are so short that each element is compared
 * with all of its row. */
static VkrResult choose_workgroup(vkr_select *s)
{
    vkr_walk *w = &s->walk;
    const vkr_topk_policy *policy = vkr_topk_policy_of(w->context);
    const uint64_t most = w->context->caps.max_workgroup_size;
    const bool is_short = s->length <= vkr_min(policy->short_row, most);
    uint32_t tuned = policy->workgroup;
    if (is_short && s->length > 1)
        tuned = (uint32_t)vkr_max(tuned, 1u << vkr_log2_up(s->length));
    VKR_TRY(vkr_choose_workgroup(w, s->info->workgroupSize, tuned, &(vkr_shared){0}));
    s->is_short = is_short && s->length <= w->workgroup_size;
    return VKR_SUCCESS;
}

static VkrResult choose_units(vkr_select *s)
{
    vkr_walk *w = &s->walk;
    vkr_start_walk(w, VKR_OPERATION_REDUCE, VKR_FAMILY_REDUCE, &s->input);
    VKR_TRY(choose_workgroup(s));
    w->reached[w->reached_count++] = vkr_place_of_view(&s->input);
    choose_batch(s);
    choose_parts(s);
    choose_digits(s);
    VKR_NEED(w, s->parts <= (uint64_t)w->workgroup_size * PARTS_ITEMS / s->batch,
             "workgroupSize is %u, but must be greater where a segment has %" PRIu64 " elements.",
             w->workgroup_size, s->length);
    VKR_NEED(w, has_room(s, s->batch, s->digit_bits),
             "workgroupSize is %u, but must be less to fit the device's %u bytes of shared memory.",
             w->workgroup_size, w->context->caps.max_shared_memory);
    return VKR_SUCCESS;
}

/* ---- Passes ---- */

/* What the dispatches of a mode read and write for each row. */
typedef struct mode {
    uint32_t number;       /* VKR_NTH_* */
    uint32_t first, ranks; /* of the batch */
    uint32_t width, shift; /* of the digit that is found */
    vkr_place states, new_states;
    vkr_place table, counts; /* of digits */
    vkr_place read, written; /* tallies */
} mode;

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

static uint32_t load_flags(const vkr_select *s)
{
    return (vkr_is_packed(&s->input) ? VKR_NTH_FLAG_PACKED : 0) |
           (s->walk.tuning->order == VKR_LOAD_CONTIGUOUS ? VKR_NTH_FLAG_CONTIGUOUS : 0);
}

/* A share in units of 2^-31; what shares are not, stays. */
static uint32_t rank_of(const VkrSelectInfo *info, uint32_t i)
{
    if (info->ranks != NULL)
        return info->ranks[i];
    const double share = info->shares[i] * 2147483648.0; /* which is exact, and rounded up */
    return (uint32_t)share + ((uint32_t)share < share ? 1 : 0);
}

static void set_ranks(const vkr_select *s, const mode *m, vkr_pass *pass)
{
    for (uint32_t i = 0; i < m->ranks; i++)
        pass->uniforms[i] = rank_of(s->info, m->first + i);
}

static VkrResult add_mode(VkrRecorder recorder, const vkr_select *s, const mode *m)
{
    static const uint32_t kernels[] = {VKR_KERNEL_NTH_8, VKR_KERNEL_NTH_16, VKR_KERNEL_NTH_32,
                                       VKR_KERNEL_NTH_64};
    const VkrSelectInfo *info = s->info;
    const bool is_row = m->number == VKR_NTH_ROW || m->number == VKR_NTH_SHORT;
    const bool is_last = m->number == VKR_NTH_LAST;
    const bool starts = is_row || m->number == VKR_NTH_FIRST;
    const bool has_indices = vkr_has_buffer(&s->indices);
    const bool values = vkr_has_buffer(&s->values) && (is_row || is_last);
    const bool places = has_indices && (is_row || m->number == VKR_NTH_PLACE);
    /* Without indices, only one workgroup finds the last digits of a row, from counts alone. */
    const bool reads = !is_last || has_indices;
    const vkr_place table = m->read.buffer != VK_NULL_HANDLE ? m->read : m->table;
    const vkr_grid grid = {.rows = s->rows,
                           .parts = reads ? s->parts : 1,
                           .share =
                               m->number == VKR_NTH_SHORT ? s->walk.workgroup_size / s->length : 1};
    vkr_pass pass = {
        .walk = &s->walk,
        .card = &vkr_nth_card,
        .kernel = kernels[vkr_log2_up(s->input.type->size)],
        .constants = {[VKR_CONST_WORKGROUP] = s->walk.workgroup_size,
                      [VKR_NTH_CONST_MODE] = m->number,
                      [VKR_NTH_CONST_BITS] = s->digit_bits,
                      [VKR_NTH_CONST_RANKS] = s->batch,
                      [VKR_NTH_CONST_FLAGS] =
                          vkr_count_flags(&info->gpuCount) | (values ? VKR_NTH_FLAG_VALUES : 0) |
                          (places || (is_last && has_indices) ? VKR_NTH_FLAG_INDICES : 0) |
                          (starts && info->ranks == NULL ? VKR_NTH_FLAG_SHARES : 0) |
                          load_flags(s)},
        .slots = {[VKR_NTH_SLOT_INPUT] =
                      vkr_part_items("input", reads ? vkr_place_of_view(&s->input) : (vkr_place){0},
                                     s->pitch, s->length, s->share, s->walk.count),
                  [VKR_NTH_SLOT_COUNT] = {.place = vkr_place_of_count(&info->gpuCount)},
                  [VKR_NTH_SLOT_STATES] = per_row("scratch", m->states, 1),
                  [VKR_NTH_SLOT_NEW_STATES] = per_row("scratch", m->new_states, 1),
                  [VKR_NTH_SLOT_TABLE] = per_row("scratch", table, 1),
                  [VKR_NTH_SLOT_COUNTS] = per_row("scratch", m->counts, 1),
                  [VKR_NTH_SLOT_TALLIES] = per_row("scratch", m->written, 1),
                  [VKR_NTH_SLOT_VALUES] = entries_of(s, "values", &s->values, values),
                  [VKR_NTH_SLOT_INDICES] = entries_of(s, "indices", &s->indices, places)}};
    vkr_set_order(&s->order, &pass.constants[VKR_NTH_CONST_KEY_FORM]);
    struct vkr_nth_push *push = VKR_PUSH(&pass, vkr_nth_push);
    push->parts = (uint32_t)grid.parts;
    push->share = (uint32_t)s->share;
    push->row_length = (uint32_t)s->length;
    push->row_pitch = (uint32_t)s->pitch;
    push->first_rank = m->first;
    push->ranks = m->ranks;
    push->width = m->width;
    push->shift = m->shift;
    push->pitch = info->rankCount;
    if (starts)
        set_ranks(s, m, &pass);
    return vkr_emit_grid(recorder, &pass, &grid);
}

/* ---- Digits ---- */

/* Adds states for each row, which the next dispatches write. */
static VkrResult add_states(VkrRecorder recorder, const vkr_select *s, mode *m)
{
    m->states = m->new_states;
    return vkr_add_words(recorder, VKR_SCRATCH, (uint64_t)VKR_NTH_STATE_WORDS * s->batch, s->rows,
                         &m->new_states);
}

static VkrResult add_digits(VkrRecorder recorder, const vkr_select *s, mode *m)
{
    m->number = VKR_NTH_FIRST;
    for (m->shift = key_bits(s); m->shift != 0; m->shift -= m->width) {
        m->table = m->counts;
        VKR_TRY(add_states(recorder, s, m));
        VKR_TRY(vkr_add_words(recorder, VKR_COUNTERS, (uint64_t)s->batch << s->digit_bits, s->rows,
                              &m->counts));
        VKR_TRY(add_mode(recorder, s, m));
        m->width = (uint32_t)vkr_min(m->shift, s->digit_bits);
        m->number = VKR_NTH_NEXT;
    }
    return VKR_SUCCESS;
}

/* Adds the modes of rows that several workgroups share. */
static VkrResult add_parts(VkrRecorder recorder, const vkr_select *s, mode m)
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
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, s->batch * s->parts, s->rows, &m.written));
    VKR_TRY(add_mode(recorder, s, &m));
    m.number = VKR_NTH_PLACE;
    m.states = m.new_states;
    m.new_states = m.table = (vkr_place){0};
    m.read = m.written;
    m.written = (vkr_place){0};
    return add_mode(recorder, s, &m);
}

VkrResult vkr_plan_select(VkrRecorder recorder, vkr_select *s)
{
    const VkrSelectInfo *info = s->info;
    if (s->walk.count == 0)
        return VKR_SUCCESS;
    s->order = vkr_order_of(s->input.type, (info->flags & VKR_SELECT_DESCENDING_BIT) != 0,
                            (info->flags & VKR_SELECT_NAN_FIRST_BIT) != 0);
    VKR_TRY(choose_units(s));
    for (uint32_t first = 0; first < info->rankCount; first += s->batch) {
        mode m = {.first = first, .ranks = (uint32_t)vkr_min(info->rankCount - first, s->batch)};
        if (s->parts == 1) {
            m.number = s->is_short ? VKR_NTH_SHORT : VKR_NTH_ROW;
            VKR_TRY(add_mode(recorder, s, &m));
        } else {
            VKR_TRY(add_parts(recorder, s, m));
        }
    }
    return VKR_SUCCESS;
}
