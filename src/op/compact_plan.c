/* SPDX-License-Identifier: MIT */
/* From a compaction's walk to its steps. */
#include "compact.h"

#include <string.h>

/* What one walk over the elements stores: of each side values and indices, at positions below a
 * limit. */
typedef struct vkr_stored {
    const vkr_view *values[VKR_SIDES];
    const vkr_view *indices[VKR_SIDES];
    uint64_t limit[VKR_SIDES];
    uint64_t window[VKR_SIDES]; /* positions that all descriptors reach */
    bool appended;              /* kept positions start at the GPU's */
    uint64_t first_index;
} vkr_stored;

#define MAX_POSITIONS ((uint64_t)1 << 30)
#define MAX_STORED 6 /* as many as outputs */
typedef struct vkr_all_stored {
    uint32_t count;
    vkr_stored sets[MAX_STORED];
} vkr_all_stored;

/* ---- What is stored ---- */

static bool joins(const vkr_stored *stored, uint32_t side, const vkr_view *const *slot,
                  uint64_t limit, bool appended, uint64_t first_index)
{
    const uint32_t other = 1 - side;
    const bool side_used = stored->values[side] != NULL || stored->indices[side] != NULL;
    const bool indices_used = stored->indices[side] != NULL || stored->indices[other] != NULL;
    return *slot == NULL && (!side_used || stored->limit[side] == limit) &&
           (side != VKR_KEPT || !side_used || stored->appended == appended) &&
           (!indices_used || stored->first_index == first_index);
}

/* Adds an output to the first set that has room for it. */
static void add_output(const vkr_compact *c, vkr_all_stored *all, uint32_t side, bool is_indices,
                       const vkr_view *view, uint64_t limit, bool appended, uint64_t first_index)
{
    if (!vkr_is_there(view) || limit == 0)
        return;
    limit = appended || limit < c->walk.count ? limit : c->walk.count;
    const uint64_t reach = vkr_view_reach(&c->context->caps, view, limit);
    uint64_t window = reach < MAX_POSITIONS ? reach : MAX_POSITIONS;
    for (uint32_t i = 0;; i++) {
        vkr_stored *stored = &all->sets[i];
        const vkr_view **slot = is_indices ? &stored->indices[side] : &stored->values[side];
        if (i < all->count && !joins(stored, side, slot, limit, appended, first_index))
            continue;
        if (i == all->count)
            all->count++;
        if (stored->window[side] != 0 && stored->window[side] < window)
            window = stored->window[side];
        *slot = view;
        stored->limit[side] = limit;
        stored->window[side] = window;
        if (side == VKR_KEPT)
            stored->appended = appended;
        if (is_indices)
            stored->first_index = first_index;
        return;
    }
}

static void collect_outputs(const vkr_compact *c, vkr_all_stored *all)
{
    const bool append = c->info->append.buffer != VK_NULL_HANDLE;
    for (uint32_t side = 0; side < VKR_SIDES; side++) {
        const vkr_side *s = &c->sides[side];
        const bool appended = side == VKR_KEPT && append;
        const bool kept = side == VKR_KEPT;
        add_output(c, all, side, true, &s->indices, kept ? s->capacity : s->indices.capacity,
                   appended, c->info->firstIndex);
        if (c->values_too)
            add_output(c, all, side, false, &s->values, kept ? s->capacity : s->values.capacity,
                       appended, 0);
    }
    for (uint32_t side = 0; side < VKR_SIDES; side++)
        if (c->by_list[side] && c->sides[side].list.buffer == VKR_SCRATCH)
            add_output(c, all, side, true, &c->sides[side].list, c->sides[side].list.capacity,
                       false, 0);
}

/* ---- Steps ---- */

/* What the dispatches of a pass share; nothing is stored where `stored` is NULL, else what goes to
 * window `j` of the outputs. */
typedef struct vkr_compact_job {
    const vkr_compact *compact;
    const vkr_stored *stored;
    uint64_t j;
} vkr_compact_job;

static void fill_bits(const vkr_compact *c, const vkr_window *window, vkr_step *step)
{
    struct vkr_compact_push *push = VKR_PUSH(step, vkr_compact_push);
    const vkr_place words = vkr_place_of_words(c->tested.buffer, c->tested.offset, 1);
    const uint64_t bit = window->first % 32;
    if (window->count == 0)
        return;
    push->input_base =
        32 * vkr_fill_slot(&c->context->caps, step, &vkr_compact_slots[VKR_COMPACT_SLOT_TESTED],
                           &words, window->first / 32, vkr_divide_up(bit + window->count, 32)) +
        (uint32_t)bit;
    push->input_stride = 0;
}

/* Elements, and the one before them where the predicate looks at it. */
static void fill_tested(const vkr_compact *c, const vkr_window *window, vkr_step *step)
{
    struct vkr_compact_push *push = VKR_PUSH(step, vkr_compact_push);
    vkr_place elements = vkr_place_of_view(&c->tested);
    const bool before = window->count != 0 && c->predicate % 16 == VKR_TEST_UNIQUE &&
                        (window->first != 0 || c->continued);
    elements.offset -= before ? elements.stride : 0;
    (void)vkr_fill_slot(&c->context->caps, step, &vkr_compact_slots[VKR_COMPACT_SLOT_TESTED],
                        &elements, window->first, window->count != 0 ? window->count + before : 0);
    push->input_base += before ? push->input_stride : 0;
    push->load_base = vkr_bind_loads(&c->walk, window, push->input_base, step);
}

/* Window `j` of the positions on one side, as far as a window of the input can reach it. */
static uint64_t positions_of(const vkr_stored *stored, uint32_t side, const vkr_window *window,
                             uint64_t j)
{
    const uint64_t first = j * stored->window[side];
    const uint64_t limit = stored->limit[side];
    const bool anywhere = side == VKR_KEPT && stored->appended;
    if (stored->window[side] == 0 || first >= limit ||
        (!anywhere && first >= window->first + window->count))
        return 0;
    return limit - first < stored->window[side] ? limit - first : stored->window[side];
}

static bool is_queued(const vkr_compact *c, const vkr_stored *stored)
{
    if (c->walk.loads == 0 || c->walk.order != VKR_ORDER_CONTIGUOUS || c->tested.type->size != 4)
        return false;
    for (uint32_t side = 0; side < VKR_SIDES; side++) {
        const vkr_view *const views[] = {stored->values[side], stored->indices[side]};
        for (size_t i = 0; i < VKR_ARRAY_SIZE(views); i++)
            if (views[i] != NULL && (!vkr_is_packed(views[i]) || views[i]->type->size != 4))
                return false;
    }
    return true;
}

/* Fills the slots of values and indices of one side with positions of a window; returns VKR_TO_*.
 * The bases of both share a word. */
static uint32_t fill_side(const vkr_compact *c, const vkr_stored *stored, uint32_t side,
                          uint64_t first, uint64_t count, vkr_step *step, uint32_t *bases)
{
    static const uint32_t flags[VKR_SIDES][3] = {
        [VKR_KEPT] = {VKR_TO_KEPT, VKR_TO_KEPT_INDICES, VKR_TO_KEPT_INDICES64},
        [VKR_REJECTED] = {VKR_TO_REJECTED, VKR_TO_REJECTED_INDICES, VKR_TO_REJECTED_INDICES64}};
    const vkr_slot *slots = &vkr_compact_slots[VKR_COMPACT_SLOT_OUTPUTS + 2 * side];
    const vkr_view *const views[] = {stored->values[side], stored->indices[side]};
    uint32_t to = 0;
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(views) && count != 0; i++) {
        if (views[i] == NULL)
            continue;
        vkr_place place = vkr_place_of_view(views[i]);
        const bool is_indices = i == 1;
        place.unit = is_indices ? 4 : place.unit;
        *bases |= vkr_fill_slot(&c->context->caps, step, &slots[i], &place, first, count) << 16 * i;
        to |= flags[side][i];
        to |= is_indices && views[i]->type->size == 8 ? flags[side][2] : 0;
    }
    return to;
}

/* Binds window j of the outputs; returns VKR_TO_*. 0: the elements cannot reach it. */
static uint32_t fill_outputs(const vkr_compact_job *job, const vkr_window *window, vkr_step *step)
{
    const vkr_stored *stored = job->stored;
    struct vkr_compact_push *push = VKR_PUSH(step, vkr_compact_push);
    const uint64_t index = stored->first_index + window->first;
    const uint64_t kept_first = job->j * stored->window[VKR_KEPT];
    const uint64_t rejected_first = job->j * stored->window[VKR_REJECTED];
    push->kept_low = (uint32_t)kept_first;
    push->kept_high = (uint32_t)(kept_first >> 32);
    push->kept_count = (uint32_t)positions_of(stored, VKR_KEPT, window, job->j);
    push->rejected_low = (uint32_t)rejected_first;
    push->rejected_high = (uint32_t)(rejected_first >> 32);
    push->rejected_count = (uint32_t)positions_of(stored, VKR_REJECTED, window, job->j);
    push->index_low = (uint32_t)index;
    push->index_high = (uint32_t)(index >> 32);
    const uint32_t to = fill_side(job->compact, stored, VKR_KEPT, kept_first, push->kept_count,
                                  step, &push->kept_bases) |
                        fill_side(job->compact, stored, VKR_REJECTED, rejected_first,
                                  push->rejected_count, step, &push->rejected_bases);
    return to != 0 && is_queued(job->compact, stored) ? to | VKR_TO_QUEUE : to;
}

static VkrResult finish_elements(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_compact_job *job = pass->operation;
    const vkr_compact *c = job->compact;
    struct vkr_compact_push *push = VKR_PUSH(step, vkr_compact_push);
    memcpy(push->constants, c->constants, sizeof(push->constants));
    push->first_run = (uint32_t)window->run;
    if (c->bits)
        fill_bits(c, window, step);
    else
        fill_tested(c, window, step);
    if (job->stored == NULL)
        return VKR_SUCCESS;
    const uint32_t to = fill_outputs(job, window, step);
    step->variant.constants[VKR_CONST_OUTPUTS] = to;
    if (to == 0)
        vkr_skip_step(step);
    return VKR_SUCCESS;
}

static bool needs_gather(const vkr_compact *c)
{
    return c->info->append.buffer != VK_NULL_HANDLE ||
           c->info->predicate.gpuConstants.buffer != VK_NULL_HANDLE;
}

static uint32_t flags_of(const vkr_compact *c)
{
    const VkrGpuCount *count = &c->info->gpuCount;
    uint32_t flags = 0;
    if (count->buffer != VK_NULL_HANDLE)
        flags |= VKR_FLAG_GPU_COUNT | (count->type == VKR_TYPE_U64 ? VKR_FLAG_GPU_COUNT64 : 0);
    if (needs_gather(c))
        flags |= VKR_FLAG_GATHERED;
    if (c->info->predicate.gpuConstants.buffer != VK_NULL_HANDLE)
        flags |= VKR_FLAG_GPU_CONSTANTS;
    return flags | (c->continued ? VKR_FLAG_CONTINUED : 0);
}

static vkr_variant variant_of(const vkr_compact *c, uint32_t mode, uint32_t flags)
{
    const vkr_walk *w = &c->walk;
    const bool elements = mode != VKR_MODE_PARTIALS && mode != VKR_MODE_GATHER;
    return (vkr_variant){
        .kernel = vkr_compact_kernel(c, elements ? w->loads : 0),
        .constants = {
            [VKR_CONST_WORKGROUP] = w->workgroup_size,
            [VKR_CONST_PREDICATE] = c->predicate,
            [VKR_CONST_COMPONENTS] = c->tested.components,
            [VKR_CONST_FLAGS] = flags,
            [VKR_CONST_MODE] = mode,
            [VKR_CONST_SUBGROUPS] = vkr_walk_subgroups(w),
            [VKR_CONST_PATH] = w->loads != 0 ? VKR_PATH_WIDE : VKR_PATH_ELEMENT,
            [VKR_CONST_ORDER] = w->order,
            [VKR_CONST_BATCH] = w->batch,
            [VKR_CONST_MUTED] = mode == VKR_MODE_TILES ? c->context->caps.muted_tile : 0,
        }};
}

/* One walk over the elements. */
static VkrResult add_elements(VkrRecorder recorder, const vkr_compact *c, uint32_t mode,
                              const vkr_stored *stored, uint64_t j)
{
    const bool tiles = mode == VKR_MODE_TILES;
    const uint64_t counter_count = tiles                   ? 1 + vkr_count_groups(&c->walk)
                                   : mode == VKR_MODE_LAST ? 1
                                                           : 0;
    const uint32_t append = stored != NULL && stored->appended ? VKR_FLAG_APPEND : 0;
    const vkr_compact_job job = {c, stored, j};
    vkr_place counters = vkr_place_of_words(VKR_COUNTERS, 0, 1);
    vkr_pass pass = {.walk = &c->walk,
                     .interface = &vkr_compact_interface,
                     .label = c->info->label,
                     .variant = variant_of(c, mode, flags_of(c) | append),
                     .in_order = true,
                     .finish = finish_elements,
                     .operation = &job};
    VkrResult result = counter_count == 0
                           ? VKR_SUCCESS
                           : vkr_add_counters(recorder, 4 * counter_count, &counters.offset);
    if (result != VKR_SUCCESS)
        return result;
    vkr_pass_bind(&pass, &vkr_compact_slots[VKR_COMPACT_SLOT_RECORD], VKR_SPAN_ALL, c->record, 1);
    vkr_pass_bind(&pass, &vkr_compact_slots[VKR_COMPACT_SLOT_COUNT], VKR_SPAN_ALL,
                  vkr_place_of_count(&c->info->gpuCount), 1);
    vkr_pass_bind(&pass, &vkr_compact_slots[VKR_COMPACT_SLOT_COUNTER], VKR_SPAN_ALL, counters,
                  counter_count);
    return vkr_emit(recorder, &pass);
}

static uint64_t windows_of(const vkr_stored *stored)
{
    uint64_t windows = 1;
    for (uint32_t side = 0; side < VKR_SIDES; side++) {
        const uint64_t needed = stored->window[side] == 0
                                    ? 0
                                    : vkr_divide_up(stored->limit[side], stored->window[side]);
        windows = needed > windows ? needed : windows;
    }
    return windows;
}

static VkrResult add_moves(VkrRecorder recorder, const vkr_compact *c, uint32_t mode,
                           const vkr_all_stored *all)
{
    VkrResult result = VKR_SUCCESS;
    for (uint32_t i = 0; i < all->count; i++)
        for (uint64_t j = 0; j < windows_of(&all->sets[i]) && result == VKR_SUCCESS; j++)
            result = add_elements(recorder, c, mode, &all->sets[i], j);
    return result;
}

/* One workgroup that scans the partials of all windows. */
static VkrResult add_partials(VkrRecorder recorder, const vkr_compact *c)
{
    const vkr_caps *caps = &c->context->caps;
    const vkr_window all = {.count = c->partials, .groups = 1};
    const vkr_place count = vkr_place_of_count(&c->info->gpuCount);
    vkr_step step = vkr_new_step(&vkr_compact_interface, c->info->label,
                                 variant_of(c, VKR_MODE_PARTIALS, flags_of(c)));
    vkr_set_window(&c->walk, &vkr_compact_interface, &all, &step);
    (void)vkr_fill_slot(caps, &step, &vkr_compact_slots[VKR_COMPACT_SLOT_RECORD], &c->record, 0, 1);
    (void)vkr_fill_slot(caps, &step, &vkr_compact_slots[VKR_COMPACT_SLOT_COUNT], &count, 0, 1);
    return vkr_add_step(recorder, &step);
}

/* Puts what the GPU knows, the position to append at and the constants, into the record. */
static VkrResult add_gather(VkrRecorder recorder, const vkr_compact *c)
{
    const vkr_caps *caps = &c->context->caps;
    const VkrBufferRange *range = &c->info->predicate.gpuConstants;
    const VkrGpuCount *append = &c->info->append;
    const uint32_t unit = c->tested.type->size;
    const uint32_t constants = range->buffer == VK_NULL_HANDLE                   ? 0
                               : c->info->predicate.compare2 != VKR_COMPARE_NONE ? 2
                                                                                 : 1;
    const vkr_place values =
        vkr_place_of_bytes(range->buffer, range->offset, (VkDeviceSize)unit * constants, unit);
    const vkr_place position = vkr_place_of_count(append);
    uint32_t flags = 0;
    if (append->buffer != VK_NULL_HANDLE)
        flags |= VKR_FLAG_APPEND | (append->type == VKR_TYPE_U64 ? VKR_FLAG_GPU_COUNT64 : 0);
    vkr_step step =
        vkr_new_step(&vkr_compact_interface, c->info->label, variant_of(c, VKR_MODE_GATHER, flags));
    struct vkr_compact_push *push = VKR_PUSH(&step, vkr_compact_push);
    (void)vkr_fill_slot(caps, &step, &vkr_compact_slots[VKR_COMPACT_SLOT_RECORD], &c->record, 0, 1);
    (void)vkr_fill_slot(caps, &step, &vkr_compact_slots[VKR_COMPACT_SLOT_TESTED], &values, 0, 1);
    (void)vkr_fill_slot(caps, &step, &vkr_compact_slots[VKR_COMPACT_SLOT_COUNT], &position, 0, 1);
    push->count = constants;
    push->input_stride = 0;
    return vkr_add_step(recorder, &step);
}

static VkrResult add_all(VkrRecorder recorder, const vkr_compact *c, const vkr_all_stored *all)
{
    const vkr_walk *w = &c->walk;
    if (w->one || c->algorithm == VKR_COMPACT_SINGLE_PASS) {
        const uint32_t mode = w->one ? VKR_MODE_ONE : VKR_MODE_TILES;
        return all->count == 0 || w->count == 0 ? add_elements(recorder, c, mode, NULL, 0)
                                                : add_moves(recorder, c, mode, all);
    }
    const bool last = w->count <= w->window;
    VkrResult result = add_elements(recorder, c, last ? VKR_MODE_LAST : VKR_MODE_TOTALS, NULL, 0);
    if (result == VKR_SUCCESS && !last)
        result = add_partials(recorder, c);
    return result == VKR_SUCCESS ? add_moves(recorder, c, VKR_MODE_MOVE, all) : result;
}

/* Sets the place of the record, behind which there is room for all partials. */
static VkrResult add_record(VkrRecorder recorder, vkr_compact *c)
{
    const bool single = c->walk.one || c->algorithm == VKR_COMPACT_SINGLE_PASS;
    c->partials = single ? 0 : vkr_walk_runs(&c->walk, vkr_count_groups(&c->walk));
    const VkDeviceSize size = 4 * (VkDeviceSize)VKR_RECORD_WORDS + 8 * (c->partials + 1);
    c->record = vkr_place_of_bytes(VKR_SCRATCH, 0, size, 4);
    return vkr_add_scratch(recorder, size, &c->record.offset);
}

VkrResult vkr_plan_compact(VkrRecorder recorder, vkr_compact *c)
{
    vkr_all_stored all = {0};
    VkrResult result = add_record(recorder, c);
    if (result == VKR_SUCCESS)
        result = vkr_choose_lists(recorder, c);
    if (result == VKR_SUCCESS)
        collect_outputs(c, &all);
    if (result == VKR_SUCCESS && needs_gather(c))
        result = add_gather(recorder, c);
    if (result == VKR_SUCCESS)
        result = add_all(recorder, c, &all);
    if (result == VKR_SUCCESS && c->walk.count != 0)
        result = vkr_plan_lists(recorder, c);
    return result == VKR_SUCCESS ? vkr_plan_counts(recorder, c) : result;
}
