/* SPDX-License-Identifier: MIT */
/* Turns a compaction's walk into steps. */
#include "compact.h"

/* ---- Passes over elements ---- */

/* What the dispatches of a pass share. They store what belongs to window `j` of the outputs, or
 * nothing where `stored` is NULL. */
typedef struct vkr_compact_job {
    const vkr_compact *compact;
    const vkr_stored *stored;
    uint64_t j;
} vkr_compact_job;

/* The number of positions in window `j` of a side, or 0 where a window of the input cannot reach
 * it. */
static uint64_t positions_of(const vkr_stored *stored, uint32_t side, const vkr_window *window,
                             uint64_t j)
{
    const uint64_t first = j * stored->window[side];
    const uint64_t limit = stored->limit[side];
    const bool anywhere = side == VKR_KEPT && stored->appended;
    if (stored->window[side] == 0 || first >= limit ||
        (!anywhere && first >= window->first + window->count))
        return 0;
    return vkr_min(limit - first, stored->window[side]);
}

/* Whether flags are tested and the stored values are loaded as texels. */
static bool loads_value_texels(const vkr_compact_job *job)
{
    const vkr_stored *stored = job->stored;
    return job->compact->texels && stored != NULL &&
           (stored->outputs[VKR_KEPT][VKR_VALUES] != NULL ||
            stored->outputs[VKR_REJECTED][VKR_VALUES] != NULL);
}

/* The number of bytes of the parts in which elements of the input are stored: one value, or as many
 * as the input and the outputs allow of those that 4, 8 or 16 bytes hold. */
static uint32_t part_of(const vkr_compact *c, const vkr_stored *stored)
{
    const uint32_t size = c->input.type->size;
    VkDeviceSize ends = c->input.offset | c->input.stride | vkr_element_size(&c->input);
    for (uint32_t side = 0; side < VKR_SIDES; side++) {
        const vkr_view *output = stored->outputs[side][VKR_VALUES];
        ends |= output != NULL ? output->offset | output->stride : 0;
    }
    uint32_t part = VKR_PACK;
    while (part > size && (part < 4 || ends % part != 0))
        part /= 2;
    return c->beside_flags ? size : part;
}

/* Whether invocations collect what they store in packs of words. */
static bool is_queued(const vkr_compact *c, const vkr_stored *stored)
{
    const uint32_t size = c->walk.view->type->size;
    if (c->walk.loads == 0 || c->walk.order != VKR_ORDER_CONTIGUOUS ||
        (size != 4 && c->walk.group_path == VKR_GROUP_PATH_SHARED))
        return false;
    for (uint32_t side = 0; side < VKR_SIDES; side++) {
        const vkr_view *values = stored->outputs[side][VKR_VALUES];
        const vkr_view *indices = stored->outputs[side][VKR_INDICES];
        if ((values != NULL && (!vkr_is_packed(values) || part_of(c, stored) < 4)) ||
            (indices != NULL && (!vkr_is_packed(indices) || indices->type->size != 4)))
            return false;
    }
    return true;
}

/* Fills the slots of values and indices of one side with positions of a window. The two bases share
 * a word. Returns bits VKR_TO_*. */
static uint32_t fill_side(const vkr_pass *pass, uint32_t side, uint64_t first, uint64_t count,
                          vkr_step *step, uint32_t *bases)
{
    static const uint32_t flags[VKR_SIDES][3] = {
        [VKR_KEPT] = {VKR_TO_KEPT, VKR_TO_KEPT_INDICES, VKR_TO_KEPT_INDICES64},
        [VKR_REJECTED] = {VKR_TO_REJECTED, VKR_TO_REJECTED_INDICES, VKR_TO_REJECTED_INDICES64}};
    const vkr_compact *compact = ((const vkr_compact_job *)pass->operation)->compact;
    const vkr_stored *stored = ((const vkr_compact_job *)pass->operation)->stored;
    uint32_t to = 0;
    for (uint32_t kind = 0; kind < VKR_OUTPUTS && count != 0; kind++) {
        const vkr_view *output = stored->outputs[side][kind];
        const uint32_t slot = VKR_COMPACT_SLOT_OUTPUTS + VKR_OUTPUTS * side + kind;
        if (output == NULL)
            continue;
        vkr_place place = vkr_place_of_view(output);
        place.unit = kind == VKR_INDICES ? 4 : part_of(compact, stored);
        *bases |= vkr_fill(pass, step, slot, place, first, count) << 16 * kind;
        to |= flags[side][kind];
        if (kind == VKR_INDICES && output->type->size == 8)
            to |= flags[side][2];
    }
    return to;
}

/* Binds the texels of these values. Returns whether the window's first unit starts with a texel.
 * The texel's number wraps below 0 where the unit starts before the texels. */
static bool bind_texels(const vkr_compact *c, const vkr_window *window, vkr_step *step)
{
    const VkDeviceSize first = c->input.offset + window->first * c->input.stride;
    const VkDeviceSize at = first - window->lead * c->input.stride - c->input.texels.offset;
    vkr_fill_texels(step, &c->input);
    VKR_PUSH(step, vkr_compact_push)->source_load_base = (uint32_t)(at / VKR_PACK);
    return at % VKR_PACK == 0;
}

/* Binds the values of a window whose flags are tested. Returns bits VKR_TO_*. */
static uint32_t fill_source(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_compact *c = ((const vkr_compact_job *)pass->operation)->compact;
    const uint32_t base = vkr_fill(pass, step, VKR_COMPACT_SLOT_SOURCE,
                                   vkr_place_of_view(&c->input), window->first, window->count);
    const bool packs = loads_value_texels(pass->operation) ? bind_texels(c, window, step)
                                                           : (base - window->lead) % 4 == 0;
    return VKR_TO_SOURCE | (packs ? VKR_TO_SOURCE_PACKS : 0);
}

/* Binds window j of the outputs. Returns bits VKR_TO_*, or 0 where the elements cannot reach it. */
static uint32_t fill_outputs(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_compact_job *job = pass->operation;
    const vkr_stored *stored = job->stored;
    struct vkr_compact_push *push = VKR_PUSH(step, vkr_compact_push);
    const uint64_t kept = job->j * stored->window[VKR_KEPT];
    const uint64_t rejected = job->j * stored->window[VKR_REJECTED];
    VKR_SET64(push, kept, kept);
    VKR_SET64(push, rejected, rejected);
    VKR_SET64(push, index, stored->first_index + window->first);
    push->kept_count = (uint32_t)positions_of(stored, VKR_KEPT, window, job->j);
    push->rejected_count = (uint32_t)positions_of(stored, VKR_REJECTED, window, job->j);
    uint32_t to =
        fill_side(pass, VKR_KEPT, kept, push->kept_count, step, &push->kept_bases) |
        fill_side(pass, VKR_REJECTED, rejected, push->rejected_count, step, &push->rejected_bases);
    /* This tells kernels that load texels that these belong to the values, not to the flags. */
    if (to != 0 && job->compact->beside_flags &&
        (loads_value_texels(job) || (to & (VKR_TO_KEPT | VKR_TO_REJECTED)) != 0))
        to |= fill_source(pass, window, step);
    if ((to & (VKR_TO_KEPT | VKR_TO_REJECTED)) != 0) {
        const uint32_t values = part_of(job->compact, stored) / job->compact->input.type->size;
        to |= vkr_log2_up(values) << VKR_TO_PARTS_SHIFT;
    }
    return to != 0 && is_queued(job->compact, stored) ? to | VKR_TO_QUEUE : to;
}

static void finish_elements(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_compact_job *job = pass->operation;
    VKR_PUSH(step, vkr_compact_push)->first_run = (uint32_t)window->run;
    vkr_fill_tested(pass, job->compact, window, step);
    if (job->stored == NULL)
        return;
    const uint32_t to = fill_outputs(pass, window, step);
    step->variant.constants[VKR_COMPACT_CONST_OUTPUTS] = to;
    if (to == 0)
        vkr_skip_step(step);
}

/* Adds one walk over the elements. `counts` says whether it finds out the number of kept
 * elements. */
static VkrResult add_elements(VkrRecorder recorder, uint32_t mode, const vkr_compact_job *job,
                              bool counts)
{
    const vkr_compact *c = job->compact;
    const bool appended = job->stored != NULL && job->stored->appended;
    vkr_pass pass = vkr_compact_pass(c, mode, appended ? VKR_COMPACT_FLAG_APPEND : 0);
    pass.finish = finish_elements;
    pass.operation = job;
    if (c->marks.buffer != VK_NULL_HANDLE && (mode == VKR_MODE_TOTALS || mode == VKR_MODE_LAST)) {
        pass.constants[VKR_COMPACT_CONST_OUTPUTS] = VKR_TO_MARKS;
        pass.slots[VKR_COMPACT_SLOT_BITS] = (vkr_bound){.place = c->marks, .span = VKR_SPAN_GROUPS};
    }
    if (loads_value_texels(job))
        pass.kernel = vkr_kernel_of(&c->walk, VKR_FAMILY_COMPACT, VKR_LOADS_TEXEL);
    const vkr_published words = {.total = 1, .prefix = 1};
    VKR_TRY(vkr_add_counters_of(recorder, &c->walk, mode, &words,
                                &pass.slots[VKR_COMPACT_SLOT_COUNTER]));
    if (counts)
        vkr_bind_counts(c, &pass);
    return vkr_emit(recorder, &pass);
}

static uint64_t windows_of(const vkr_stored *stored)
{
    uint64_t windows = 1;
    for (uint32_t side = 0; side < VKR_SIDES; side++)
        if (stored->window[side] != 0)
            windows = vkr_max(windows, vkr_divide_up(stored->limit[side], stored->window[side]));
    return windows;
}

/* Adds a walk for each window of each set of outputs. */
static VkrResult add_moves(VkrRecorder recorder, const vkr_compact *c, uint32_t mode,
                           const vkr_all_stored *all)
{
    for (uint32_t i = 0; i < all->count; i++) {
        vkr_compact_job job = {c, &all->sets[i], 0};
        VKR_TRY(vkr_check_compact_pairs(c, c->walk.windows, windows_of(job.stored)));
        for (; job.j < windows_of(job.stored); job.j++)
            VKR_TRY(
                add_elements(recorder, mode, &job, vkr_is_only_pass(mode) && i == 0 && job.j == 0));
    }
    return VKR_SUCCESS;
}

/* ---- Other passes ---- */

/* Adds a step of one workgroup, which scans the partials of all windows. */
static VkrResult add_partials(VkrRecorder recorder, const vkr_compact *c)
{
    const vkr_window all = {.count = c->partials, .groups = 1};
    vkr_pass pass = vkr_compact_pass(c, VKR_MODE_PARTIALS, 0);
    vkr_bind_counts(c, &pass);
    return vkr_emit_window(recorder, &pass, &all);
}

VkrResult vkr_plan_gather(VkrRecorder recorder, const vkr_compact *c)
{
    if (!vkr_compact_gathers(c))
        return VKR_SUCCESS;
    const VkrGpuCount *append = &c->info->append;
    const vkr_window constants = {.count = c->gpu_constants.size / c->tested.type->size,
                                  .groups = 1};
    vkr_walk none = c->walk;
    none.view = &c->tested;
    none.count = none.items = 0;
    vkr_pass pass = vkr_compact_pass(c, VKR_MODE_GATHER, 0);
    pass.walk = &none;
    pass.constants[VKR_CONST_FLAGS] =
        (append->buffer != VK_NULL_HANDLE ? VKR_COMPACT_FLAG_APPEND : 0) |
        (vkr_count_flags(append) & VKR_FLAG_GPU_COUNT64);
    pass.slots[VKR_COMPACT_SLOT_COUNT].place = vkr_place_of_count(append);
    pass.slots[VKR_COMPACT_SLOT_WORDS].place = c->gpu_constants;
    return vkr_emit_window(recorder, &pass, &constants);
}

static VkrResult add_all(VkrRecorder recorder, const vkr_compact *c, const vkr_all_stored *all)
{
    const vkr_walk *w = &c->walk;
    const vkr_compact_job counts_only = {.compact = c};
    const uint32_t mode = vkr_first_mode(w, w->windows == 1);
    if (vkr_is_stream(c->info) && w->count != 0)
        return vkr_plan_stream(recorder, c, all);
    if (vkr_is_only_pass(mode) && all->count != 0 && w->count != 0)
        return add_moves(recorder, c, mode, all);
    VKR_TRY(add_elements(recorder, mode, &counts_only, mode != VKR_MODE_TOTALS));
    if (mode == VKR_MODE_TOTALS)
        VKR_TRY(add_partials(recorder, c));
    return vkr_is_only_pass(mode) ? VKR_SUCCESS : add_moves(recorder, c, VKR_MODE_MOVE, all);
}

/* Adds scratch for the record and for all partials after it. */
static VkrResult add_record(VkrRecorder recorder, vkr_compact *c)
{
    const bool single = c->walk.one || c->walk.tiles;
    c->partials = single ? 0 : vkr_walk_runs(&c->walk, c->walk.groups);
    const VkDeviceSize size = 4 * (VkDeviceSize)VKR_RECORD_WORDS + 8 * (c->partials + 1);
    c->record = vkr_place_of_bytes(VKR_SCRATCH, 0, size, 4);
    return vkr_add_scratch(recorder, size, &c->record.offset);
}

VkrResult vkr_plan_compact(VkrRecorder recorder, vkr_compact *c)
{
    vkr_all_stored all = {0};
    VKR_TRY(add_record(recorder, c));
    VKR_TRY(vkr_choose_lists(recorder, c));
    vkr_collect_outputs(c, &all);
    if (vkr_is_stream(c->info))
        VKR_TRY(vkr_check_stream_reach(c, &all));
    vkr_choose_counts(c, &all);
    VKR_TRY(vkr_plan_gather(recorder, c));
    VKR_TRY(add_all(recorder, c, &all));
    if (c->walk.count != 0)
        VKR_TRY(vkr_plan_lists(recorder, c));
    VKR_TRY(vkr_plan_counts(recorder, c));
    return vkr_plan_compact_sink(recorder, c);
}
