/* SPDX-License-Identifier: MIT */
/* From a compaction's geometry to its steps. */
#include "compact.h"

#include <string.h>

#define READ VK_ACCESS_SHADER_READ_BIT
#define WRITE VK_ACCESS_SHADER_WRITE_BIT

/* What one walk over the elements stores: of each side values and indices, at positions below a
 * limit. */
typedef struct vkr_pass {
    const vkr_view *values[VKR_SIDES];
    const vkr_view *indices[VKR_SIDES];
    uint64_t limit[VKR_SIDES];
    uint64_t window[VKR_SIDES]; /* positions that all descriptors reach */
    bool appended;              /* kept positions start at the GPU's */
    uint64_t first_index;
} vkr_pass;

#define MAX_POSITIONS ((uint64_t)1 << 30)
#define MAX_PASSES 6 /* as many as outputs */
typedef struct vkr_passes {
    uint32_t count;
    vkr_pass passes[MAX_PASSES];
} vkr_passes;

/* A window of the input. */
typedef struct vkr_part {
    uint64_t first;
    uint64_t count;
    uint32_t lead;
    uint64_t groups;
    uint64_t run; /* number of its first one */
} vkr_part;

/* ---- Passes ---- */

static bool joins(const vkr_pass *pass, uint32_t side, const vkr_view *const *slot, uint64_t limit,
                  bool appended, uint64_t first_index)
{
    const uint32_t other = 1 - side;
    const bool side_used = pass->values[side] != NULL || pass->indices[side] != NULL;
    const bool indices_used = pass->indices[side] != NULL || pass->indices[other] != NULL;
    return *slot == NULL && (!side_used || pass->limit[side] == limit) &&
           (side != VKR_KEPT || !side_used || pass->appended == appended) &&
           (!indices_used || pass->first_index == first_index);
}

/* Adds an output to the first pass that has room for it. */
static void add_output(const vkr_compact *c, vkr_passes *passes, uint32_t side, bool is_indices,
                       const vkr_view *view, uint64_t limit, bool appended, uint64_t first_index)
{
    if (!vkr_is_there(view) || limit == 0)
        return;
    limit = appended || limit < c->count ? limit : c->count;
    const uint64_t reach = vkr_view_reach(&c->context->caps, view, limit);
    uint64_t window = reach < MAX_POSITIONS ? reach : MAX_POSITIONS;
    for (uint32_t i = 0;; i++) {
        vkr_pass *pass = &passes->passes[i];
        const vkr_view **slot = is_indices ? &pass->indices[side] : &pass->values[side];
        if (i < passes->count && !joins(pass, side, slot, limit, appended, first_index))
            continue;
        if (i == passes->count)
            passes->count++;
        if (pass->window[side] != 0 && pass->window[side] < window)
            window = pass->window[side];
        *slot = view;
        pass->limit[side] = limit;
        pass->window[side] = window;
        if (side == VKR_KEPT)
            pass->appended = appended;
        if (is_indices)
            pass->first_index = first_index;
        return;
    }
}

static void collect_passes(const vkr_compact *c, vkr_passes *passes)
{
    const bool append = c->info->append.buffer != VK_NULL_HANDLE;
    for (uint32_t side = 0; side < VKR_SIDES; side++) {
        const vkr_side *s = &c->sides[side];
        const bool appended = side == VKR_KEPT && append;
        const bool kept = side == VKR_KEPT;
        add_output(c, passes, side, true, &s->indices, kept ? s->capacity : s->indices.capacity,
                   appended, c->info->firstIndex);
        if (c->values_too)
            add_output(c, passes, side, false, &s->values, kept ? s->capacity : s->values.capacity,
                       appended, 0);
    }
    for (uint32_t side = 0; side < VKR_SIDES; side++)
        if (c->by_list[side] && c->sides[side].list.buffer == VKR_SCRATCH)
            add_output(c, passes, side, true, &c->sides[side].list, c->sides[side].list.capacity,
                       false, 0);
}

/* ---- Steps ---- */

uint32_t vkr_bind_record(const vkr_compact *c, vkr_step *step, uint32_t binding,
                         VkAccessFlags access)
{
    const VkDeviceSize size = 4 * (VkDeviceSize)VKR_RECORD_WORDS + 8 * (c->partials + 1);
    const VkDeviceSize slack =
        vkr_bind(&c->context->caps, step, binding, VKR_SCRATCH, c->record, size);
    vkr_use(step, VKR_SCRATCH, c->record, size, access);
    return (uint32_t)(slack / 4);
}

static void bind_bits(const vkr_compact *c, const vkr_part *part, vkr_step *step,
                      struct vkr_compact_push *push)
{
    const VkDeviceSize offset = c->tested.offset + part->first / 32 * 4;
    const VkDeviceSize size = vkr_divide_up(part->first % 32 + part->count, 32) * 4;
    if (part->count == 0)
        return;
    const VkDeviceSize slack =
        vkr_bind(&c->context->caps, step, VKR_COMPACT_TESTED, c->tested.buffer, offset, size);
    push->input_base = (uint32_t)(slack * 8 + part->first % 32);
    vkr_use(step, c->tested.buffer, offset, size, READ);
}

static void bind_tested(const vkr_compact *c, const vkr_part *part, vkr_step *step,
                        struct vkr_compact_push *push)
{
    if (c->bits) {
        bind_bits(c, part, step, push);
        return;
    }
    vkr_view view = c->tested;
    uint64_t first = part->first;
    const bool before =
        part->count != 0 && c->predicate % 16 == VKR_TEST_UNIQUE && (first != 0 || c->continued);
    if (before && first == 0)
        view.offset -= view.stride;
    else if (before)
        first--;
    vkr_bind_view(&c->context->caps, step, VKR_COMPACT_TESTED, &view, first,
                  part->count + (before ? 1 : 0), READ, &push->input_base, &push->input_stride);
    if (before)
        push->input_base += push->input_stride;
    if (c->loads == 0 || part->count == 0)
        return;
    /* In packs from where the descriptor or the buffer view starts; what precedes it wraps. */
    uint64_t start = (uint64_t)push->input_base * view.type->size;
    if (c->loads == VKR_LOADS_TEXEL) {
        const VkrTexels *texels = &view.texels;
        start = c->tested.offset + part->first * view.stride - texels->offset;
        step->texels = texels->view;
        vkr_use(step, view.buffer, texels->offset, texels->size, READ);
    }
    push->load_base =
        (uint32_t)(((int64_t)start - (int64_t)part->lead * view.type->size) / VKR_PACK);
}

/* Binds positions of an output; base is in values, of indices in words. */
static void bind_output(const vkr_compact *c, vkr_step *step, uint32_t binding,
                        const vkr_view *view, bool words, uint64_t first, uint64_t count,
                        uint32_t *bases, uint32_t shift, uint32_t *stride)
{
    uint32_t base = 0;
    if (view == NULL || count == 0)
        return;
    vkr_bind_view(&c->context->caps, step, binding, view, first, count, WRITE, &base, stride);
    const uint32_t scale = words ? view->type->size / 4 : 1;
    *bases |= base * scale << shift;
    *stride *= scale;
}

/* Window `j` of a pass's positions on one side, as far as part of the input can reach it. */
static uint64_t positions_of(const vkr_pass *pass, uint32_t side, const vkr_part *part, uint64_t j)
{
    const uint64_t first = j * pass->window[side];
    const uint64_t limit = pass->limit[side];
    const bool anywhere = side == VKR_KEPT && pass->appended;
    if (pass->window[side] == 0 || first >= limit ||
        (!anywhere && first >= part->first + part->count))
        return 0;
    return limit - first < pass->window[side] ? limit - first : pass->window[side];
}

static bool is_queued(const vkr_compact *c, const vkr_pass *pass)
{
    const VkrType tested = c->tested.type_id;
    if (c->loads == 0 || c->order != VKR_ORDER_CONTIGUOUS || vkr_types[tested].size != 4)
        return false;
    for (uint32_t side = 0; side < VKR_SIDES; side++) {
        const vkr_view *const views[] = {pass->values[side], pass->indices[side]};
        for (size_t i = 0; i < VKR_ARRAY_SIZE(views); i++)
            if (views[i] != NULL && (!vkr_is_packed(views[i]) || views[i]->type->size != 4))
                return false;
    }
    return true;
}

/* Binds window j; returns VKR_TO_*. 0: the part cannot reach it. */
static uint32_t bind_pass(const vkr_compact *c, const vkr_pass *pass, const vkr_part *part,
                          uint64_t j, vkr_step *step, struct vkr_compact_push *push)
{
    const uint64_t kept = positions_of(pass, VKR_KEPT, part, j);
    const uint64_t rejected = positions_of(pass, VKR_REJECTED, part, j);
    const uint64_t kept_first = j * pass->window[VKR_KEPT];
    const uint64_t rejected_first = j * pass->window[VKR_REJECTED];
    const uint64_t index = pass->first_index + part->first;
    push->kept_low = (uint32_t)kept_first;
    push->kept_high = (uint32_t)(kept_first >> 32);
    push->kept_count = (uint32_t)kept;
    push->rejected_low = (uint32_t)rejected_first;
    push->rejected_high = (uint32_t)(rejected_first >> 32);
    push->rejected_count = (uint32_t)rejected;
    push->index_low = (uint32_t)index;
    push->index_high = (uint32_t)(index >> 32);
    const struct {
        uint32_t side, flag, flag64, binding;
        const vkr_view *view;
        uint32_t *bases;
        uint32_t shift;
        uint32_t *stride;
    } outputs[] = {
        {VKR_KEPT, VKR_TO_KEPT, 0, VKR_COMPACT_KEPT, pass->values[VKR_KEPT], &push->kept_bases, 0,
         &push->kept_stride},
        {VKR_KEPT, VKR_TO_KEPT_INDICES, VKR_TO_KEPT_INDICES64, VKR_COMPACT_KEPT_INDICES,
         pass->indices[VKR_KEPT], &push->kept_bases, 16, &push->kept_indices_stride},
        {VKR_REJECTED, VKR_TO_REJECTED, 0, VKR_COMPACT_REJECTED, pass->values[VKR_REJECTED],
         &push->rejected_bases, 0, &push->rejected_stride},
        {VKR_REJECTED, VKR_TO_REJECTED_INDICES, VKR_TO_REJECTED_INDICES64,
         VKR_COMPACT_REJECTED_INDICES, pass->indices[VKR_REJECTED], &push->rejected_bases, 16,
         &push->rejected_indices_stride},
    };
    uint32_t to = 0;
    for (size_t i = 0; i < VKR_ARRAY_SIZE(outputs); i++) {
        const bool is_kept = outputs[i].side == VKR_KEPT;
        const uint64_t count = is_kept ? kept : rejected;
        if (outputs[i].view == NULL || count == 0)
            continue;
        bind_output(c, step, outputs[i].binding, outputs[i].view, outputs[i].flag64 != 0,
                    is_kept ? kept_first : rejected_first, count, outputs[i].bases,
                    outputs[i].shift, outputs[i].stride);
        to |= outputs[i].flag;
        if (outputs[i].view->type->size == 8)
            to |= outputs[i].flag64;
    }
    return to != 0 && is_queued(c, pass) ? to | VKR_TO_QUEUE : to;
}

static vkr_variant choose_variant(const vkr_compact *c, uint32_t mode, uint32_t flags, uint32_t to)
{
    const bool elements = mode != VKR_MODE_PARTIALS && mode != VKR_MODE_GATHER;
    return (vkr_variant){
        .kernel = vkr_compact_kernel(c, elements ? c->loads : 0),
        .constant_count = VKR_COMPACT_CONSTANTS,
        .constants = {
            [VKR_CONST_WORKGROUP] = c->workgroup_size,
            [VKR_CONST_PREDICATE] = c->predicate,
            [VKR_CONST_COMPONENTS] = c->tested.components,
            [VKR_CONST_FLAGS] = flags,
            [VKR_CONST_MODE] = mode,
            [VKR_CONST_SUBGROUPS] = vkr_compact_subgroups(c),
            [VKR_CONST_PATH] = c->loads != 0 ? VKR_PATH_WIDE : VKR_PATH_ELEMENT,
            [VKR_CONST_ORDER] = c->order,
            [VKR_CONST_BATCH] = c->batch,
            [VKR_CONST_OUTPUTS] = to,
            [VKR_CONST_MUTED] = mode == VKR_MODE_TILES ? c->context->caps.muted_tile : 0,
        }};
}

static VkrResult add_step(VkrRecorder recorder, const vkr_compact *c, vkr_step *step,
                          const struct vkr_compact_push *push, uint64_t groups)
{
    step->label = c->info->label;
    step->binding_count = VKR_COMPACT_BINDINGS;
    VKR_SET_PUSH(step, *push);
    vkr_set_groups(&c->context->caps, step, groups);
    return vkr_add_step(recorder, step);
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

/* A step over part of the input; where it stores, to window `j` of a pass. */
static VkrResult add_part(VkrRecorder recorder, const vkr_compact *c, uint32_t mode,
                          const vkr_part *part, const vkr_pass *pass, uint64_t j)
{
    const vkr_caps *caps = &c->context->caps;
    const bool tiles = mode == VKR_MODE_TILES;
    struct vkr_compact_push push = {.capacity_low = (uint32_t)c->count,
                                    .capacity_high = (uint32_t)(c->count >> 32),
                                    .first_low = (uint32_t)part->first,
                                    .first_high = (uint32_t)(part->first >> 32),
                                    .count = (uint32_t)part->count,
                                    .items = c->items / vkr_compact_unit(c),
                                    .lead = part->lead,
                                    .first_run = (uint32_t)part->run};
    memcpy(push.constants, c->constants, sizeof(push.constants));
    vkr_step step = {0};
    bind_tested(c, part, &step, &push);
    /* Moves only read it, but validation cannot know which of the kernel's modes this is. */
    push.scratch_base = vkr_bind_record(c, &step, VKR_COMPACT_SCRATCH, READ | WRITE);
    vkr_bind_count(caps, &step, VKR_COMPACT_COUNT, &c->info->gpuCount, &push.count_base);
    if (tiles || mode == VKR_MODE_LAST) {
        const VkDeviceSize size = 4 * (1 + (tiles ? part->groups : 0));
        VkDeviceSize counters = 0;
        const VkrResult result = vkr_add_counters(recorder, size, &counters);
        if (result != VKR_SUCCESS)
            return result;
        push.counter_base =
            (uint32_t)(vkr_bind(caps, &step, VKR_COMPACT_COUNTER, VKR_COUNTERS, counters, size) /
                       4);
        vkr_use(&step, VKR_COUNTERS, counters, size, READ | WRITE);
    }
    const uint32_t to = pass != NULL ? bind_pass(c, pass, part, j, &step, &push) : 0;
    if (pass != NULL && to == 0)
        return VKR_SUCCESS;
    const bool appended = pass != NULL && pass->appended;
    step.variant = choose_variant(c, mode, flags_of(c) | (appended ? VKR_FLAG_APPEND : 0), to);
    return add_step(recorder, c, &step, &push, part->groups);
}

static vkr_part next_part(const vkr_compact *c, const vkr_part *last)
{
    vkr_part part = {0};
    if (last != NULL) {
        part.first = last->first + last->count;
        part.run = last->run + vkr_compact_runs(c, last->groups);
    }
    const uint64_t left = c->count - part.first;
    part.count = c->one || left < c->window ? left : c->window;
    part.lead = vkr_lead(&c->tested, part.first, c->loads);
    part.groups = c->one ? 1 : vkr_compact_groups(c, part.count, part.lead);
    return part;
}

static VkrResult add_parts(VkrRecorder recorder, const vkr_compact *c, uint32_t mode,
                           const vkr_pass *pass, uint64_t j)
{
    vkr_part part = next_part(c, NULL);
    VkrResult result = add_part(recorder, c, mode, &part, pass, j);
    while (part.first + part.count < c->count && result == VKR_SUCCESS) {
        part = next_part(c, &part);
        result = add_part(recorder, c, mode, &part, pass, j);
    }
    return result;
}

static uint64_t windows_of(const vkr_pass *pass)
{
    uint64_t windows = 1;
    for (uint32_t side = 0; side < VKR_SIDES; side++) {
        const uint64_t needed =
            pass->window[side] == 0 ? 0 : vkr_divide_up(pass->limit[side], pass->window[side]);
        windows = needed > windows ? needed : windows;
    }
    return windows;
}

static VkrResult add_passes(VkrRecorder recorder, const vkr_compact *c, uint32_t mode,
                            const vkr_passes *passes)
{
    VkrResult result = VKR_SUCCESS;
    for (uint32_t i = 0; i < passes->count; i++)
        for (uint64_t j = 0; j < windows_of(&passes->passes[i]) && result == VKR_SUCCESS; j++)
            result = add_parts(recorder, c, mode, &passes->passes[i], j);
    return result;
}

/* One workgroup that scans the partials of all windows. */
static VkrResult add_partials(VkrRecorder recorder, const vkr_compact *c)
{
    struct vkr_compact_push push = {.capacity_low = (uint32_t)c->count,
                                    .capacity_high = (uint32_t)(c->count >> 32),
                                    .count = (uint32_t)c->partials,
                                    .items = c->items / vkr_compact_unit(c)};
    vkr_step step = {0};
    push.scratch_base = vkr_bind_record(c, &step, VKR_COMPACT_SCRATCH, READ | WRITE);
    vkr_bind_count(&c->context->caps, &step, VKR_COMPACT_COUNT, &c->info->gpuCount,
                   &push.count_base);
    step.variant = choose_variant(c, VKR_MODE_PARTIALS, flags_of(c), 0);
    return add_step(recorder, c, &step, &push, 1);
}

static VkrResult add_gather(VkrRecorder recorder, const vkr_compact *c)
{
    const vkr_caps *caps = &c->context->caps;
    const VkrBufferRange *constants = &c->info->predicate.gpuConstants;
    const VkrGpuCount *append = &c->info->append;
    const VkDeviceSize unit = c->tested.type->size;
    struct vkr_compact_push push = {0};
    vkr_step step = {0};
    uint32_t flags = 0;
    push.scratch_base = vkr_bind_record(c, &step, VKR_COMPACT_SCRATCH, READ | WRITE);
    if (constants->buffer != VK_NULL_HANDLE) {
        push.count = c->info->predicate.compare2 != VKR_COMPARE_NONE ? 2 : 1;
        push.input_base = (uint32_t)(vkr_bind(caps, &step, VKR_COMPACT_TESTED, constants->buffer,
                                              constants->offset, unit * push.count) /
                                     unit);
        vkr_use(&step, constants->buffer, constants->offset, unit * push.count, READ);
    }
    vkr_bind_count(caps, &step, VKR_COMPACT_COUNT, append, &push.count_base);
    if (append->buffer != VK_NULL_HANDLE)
        flags |= VKR_FLAG_APPEND | (append->type == VKR_TYPE_U64 ? VKR_FLAG_GPU_COUNT64 : 0);
    step.variant = choose_variant(c, VKR_MODE_GATHER, flags, 0);
    return add_step(recorder, c, &step, &push, 1);
}

static VkrResult add_all(VkrRecorder recorder, const vkr_compact *c, const vkr_passes *passes)
{
    if (c->one || c->algorithm == VKR_COMPACT_SINGLE_PASS) {
        const uint32_t mode = c->one ? VKR_MODE_ONE : VKR_MODE_TILES;
        return passes->count == 0 || c->count == 0 ? add_parts(recorder, c, mode, NULL, 0)
                                                   : add_passes(recorder, c, mode, passes);
    }
    const bool last = c->count <= c->window;
    VkrResult result = add_parts(recorder, c, last ? VKR_MODE_LAST : VKR_MODE_TOTALS, NULL, 0);
    if (result == VKR_SUCCESS && !last)
        result = add_partials(recorder, c);
    return result == VKR_SUCCESS ? add_passes(recorder, c, VKR_MODE_MOVE, passes) : result;
}

/* Sets the place of the record, behind which there is room for all partials. */
static VkrResult add_record(VkrRecorder recorder, vkr_compact *c)
{
    vkr_part part = next_part(c, NULL);
    while (part.first + part.count < c->count)
        part = next_part(c, &part);
    const bool single = c->one || c->algorithm == VKR_COMPACT_SINGLE_PASS;
    c->partials = single ? 0 : part.run + vkr_compact_runs(c, part.groups);
    return vkr_add_scratch(recorder, 4 * (VkDeviceSize)VKR_RECORD_WORDS + 8 * (c->partials + 1),
                           &c->record);
}

VkrResult vkr_plan_compact(VkrRecorder recorder, vkr_compact *c)
{
    vkr_passes passes = {0};
    VkrResult result = add_record(recorder, c);
    if (result == VKR_SUCCESS)
        result = vkr_choose_lists(recorder, c);
    if (result == VKR_SUCCESS)
        collect_passes(c, &passes);
    if (result == VKR_SUCCESS && needs_gather(c))
        result = add_gather(recorder, c);
    if (result == VKR_SUCCESS)
        result = add_all(recorder, c, &passes);
    if (result == VKR_SUCCESS && c->count != 0)
        result = vkr_plan_lists(recorder, c);
    return result == VKR_SUCCESS ? vkr_plan_counts(recorder, c) : result;
}
