/* SPDX-License-Identifier: MIT */
/* vkrCmdCompact: what the caller asks for, checked. */
#include "../../plan/unused.h"
#include "compact.h"

#include <inttypes.h>
#include <stdio.h>

#define CALL "vkrCmdCompact"

/* ---- Input ---- */

static bool has_no_input(const VkrCompactInfo *info)
{
    return info->predicate.kind == VKR_PREDICATE_FLAGS && info->input.buffer == VK_NULL_HANDLE &&
           info->input.size == 0 && info->input.bufferSize == 0 && info->input.image == NULL &&
           info->input.map == NULL;
}

static VkrResult check_no_input(vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    const bool kept = info->kept.buffer != VK_NULL_HANDLE;
    c->walk.count = info->count;
    VKR_MUST(&c->walk, !kept && info->rejected.buffer == VK_NULL_HANDLE,
             "input.buffer is VK_NULL_HANDLE, but must be a buffer where %s is requested.",
             kept ? "kept" : "rejected");
    VKR_MUST(&c->walk, info->count != VKR_COUNT_ALL,
             "count is VKR_COUNT_ALL, but must be a number where input is empty.");
    return VKR_SUCCESS;
}

static VkrResult check_input(vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    VKR_TRY(vkr_check_choice(&c->walk, "predicate.kind", (int)info->predicate.kind,
                             VKR_PREDICATE_KIND_COUNT));
    if (has_no_input(info))
        return check_no_input(c);
    VKR_MUST(&c->walk, info->flags == 0 || (info->input.image == NULL && info->input.map == NULL),
             "flags has VKR_COMPACT_CONTINUED_BIT, but input.%s is given, and only an input in a "
             "buffer has an element before the first one.",
             info->input.image != NULL ? "image" : "map");
    VKR_TRY(vkr_check_input(&c->walk, "input", &info->input, info->count, &c->input));
    VKR_TRY(vkr_check_input_handles(&c->walk, "input", &info->input, &c->input));
    return vkr_check_count(&c->walk, info->count, &c->input);
}

static VkrResult check_choices(vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    const vkr_walk *w = &c->walk;
    VKR_TRY(vkr_check_choice(w, "algorithm", (int)info->algorithm, VKR_COMPACT_ALGORITHM_COUNT));
    VKR_TRY(vkr_check_bits(w, info->flags, VKR_FLAGS_OF_COMPACT));
    c->continued = info->flags != 0 && info->predicate.kind == VKR_PREDICATE_UNIQUE;
    VKR_MUST_BE(w, !c->continued || c->input.offset >= c->input.stride, "input", ".offset",
                c->input.offset,
                "be at least %" PRIu64 ", the stride, where flags has VKR_COMPACT_CONTINUED_BIT.",
                c->input.stride);
    VKR_TRY(vkr_check_gpu_count(w, "gpuCount", &info->gpuCount));
    return vkr_check_gpu_count(w, "append", &info->append);
}

/* ---- Outputs ---- */

static VkrResult check_output(const vkr_compact *c, const char *field, const VkrView *asked,
                              VkrType type, uint32_t components, vkr_view *out)
{
    VkrView view = *asked;
    if (!vkr_is_requested(asked))
        return VKR_SUCCESS;
    view.type = view.type == VKR_TYPE_UNDEFINED ? type : view.type;
    view.components = view.components == 0 ? components : view.components;
    VKR_TRY(vkr_check_view(&c->walk, field, &view, c->walk.count, out));
    VKR_TRY(vkr_check_buffer(&c->walk, field, out));
    VKR_MUST_BE(&c->walk, view.components == components, field, ".components", view.components,
                "be 0 or %u.", components);
    return VKR_SUCCESS;
}

static VkrResult check_values(const vkr_compact *c, const char *field, const VkrView *asked,
                              vkr_view *out)
{
    VKR_TRY(check_output(c, field, asked, c->input.type_id, c->input.components, out));
    VKR_MUST(&c->walk, !vkr_has_buffer(out) || out->type_id == c->input.type_id,
             "%s.type is %s, but must be undefined or %s like %s.type.", field, out->type->name,
             c->input.type->name, c->names->input);
    return VKR_SUCCESS;
}

static VkrResult check_indices(const vkr_compact *c, const char *field, const VkrView *asked,
                               vkr_view *out)
{
    return vkr_check_numbers(&c->walk, field, asked, "indices", c->info->firstIndex + c->walk.count,
                             out);
}

static VkrResult check_outputs(vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    VKR_MUST_BE(&c->walk, info->firstIndex <= UINT64_MAX - c->walk.count, "", "firstIndex",
                info->firstIndex, "stay below 2^64 when count, which is %" PRIu64 ", is added.",
                c->walk.count);
    const struct {
        const char *field;
        const VkrView *asked;
        vkr_view *out;
        VkrResult (*check)(const vkr_compact *, const char *, const VkrView *, vkr_view *);
    } outputs[] = {
        {"kept", &info->kept, &c->sides[VKR_KEPT].values, check_values},
        {"keptIndices", &info->keptIndices, &c->sides[VKR_KEPT].indices, check_indices},
        {"runLengths", &info->runLengths, &c->lengths, check_indices},
        {"rejected", &info->rejected, &c->sides[VKR_REJECTED].values, check_values},
        {"rejectedIndices", &info->rejectedIndices, &c->sides[VKR_REJECTED].indices, check_indices},
    };
    for (size_t i = 0; i < VKR_ARRAY_SIZE(outputs); i++)
        VKR_TRY(outputs[i].check(c, outputs[i].field, outputs[i].asked, outputs[i].out));
    return VKR_SUCCESS;
}

/* Sets `capacity`: the number of kept positions for which all kept outputs have room. */
static void choose_capacity(vkr_compact *c)
{
    vkr_side *kept = &c->sides[VKR_KEPT];
    const vkr_view *const views[] = {&kept->values, &kept->indices, &c->lengths};
    c->capacity = c->info->capacity != 0 ? c->info->capacity : UINT64_MAX;
    for (size_t i = 0; i < VKR_ARRAY_SIZE(views); i++)
        if (vkr_has_buffer(views[i]))
            c->capacity = vkr_min(c->capacity, views[i]->capacity);
    for (uint32_t i = 0; i < c->info->payloadCount; i++) {
        const VkrPayload *p = &c->info->payloads[i];
        if (!p->rejected)
            c->capacity = vkr_min(c->capacity, vkr_view_of_target(p).capacity);
    }
}

/* ---- Counts ---- */

static VkrResult check_counts(const vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    const char *counts = c->names->counts;
    char name[64];
    VKR_MUST(&c->walk, info->countOutputCount == 0 || info->countOutputs != NULL,
             "%s is NULL, but must point to the %u of countOutputCount.", counts,
             info->countOutputCount);
    for (uint32_t i = 0; i < info->countOutputCount; i++) {
        const VkrCountOutput *o = &info->countOutputs[i];
        (void)snprintf(name, sizeof(name), "%s[%u].kind", counts, i);
        VKR_TRY(vkr_check_choice(&c->walk, name, (int)o->kind, VKR_COUNT_KIND_COUNT));
        VKR_NEED(&c->walk, o->kind != VKR_COUNT_MESH_TASKS || c->walk.context->caps.max_tasks != 0,
                 "%s is %d, for mesh tasks, but the context's limits.maxTaskWorkGroupCount and "
                 "maxTaskWorkGroupTotalCount must then not be 0.",
                 name, (int)o->kind);
        (void)snprintf(name, sizeof(name), "%s[%u]", counts, i);
        const VkrBufferRange range = {o->buffer, o->offset,
                                      o->offset > UINT64_MAX - 12 ? UINT64_MAX : 12};
        VKR_TRY(vkr_check_range(&c->walk, name, &range, 4, 0));
    }
    return VKR_SUCCESS;
}

/* Draws of mesh tasks must be within the device's limits, however many elements are stored. */
static VkrResult check_tasks(const vkr_compact *c)
{
    const uint64_t allowed = c->walk.context->caps.max_all_tasks;
    const bool appends = c->info->append.buffer != VK_NULL_HANDLE;
    const uint64_t stored = appends ? c->capacity : vkr_min(c->capacity, c->walk.count);
    for (uint32_t i = 0; i < c->info->countOutputCount; i++) {
        const VkrCountOutput *o = &c->info->countOutputs[i];
        const uint64_t scale = o->scale != 0 ? o->scale : 1;
        VKR_NEED(&c->walk,
                 o->kind != VKR_COUNT_MESH_TASKS || vkr_divide_up(stored, scale) <= allowed,
                 "%s[%u] is for mesh tasks, and %" PRIu64 " elements can be stored, but "
                 "the context's limits for tasks need a capacity of at most %" PRIu64 ".",
                 c->names->counts, i, stored, allowed * scale);
    }
    return VKR_SUCCESS;
}

VkrResult vkr_check_count_outputs(const vkr_compact *c)
{
    VKR_TRY(check_counts(c));
    return check_tasks(c);
}

/* ---- Overlaps ---- */

vkr_region vkr_region_of_count_output(const vkr_compact *c, uint32_t i)
{
    const VkrCountOutput *o = &c->info->countOutputs[i];
    char name[64];
    (void)snprintf(name, sizeof(name), "%s[%u]", c->names->counts, i);
    return vkr_region_of_bytes(name, o->buffer, o->offset, vkr_size_of_count(o->kind), true);
}

static vkr_region region_of_input(const vkr_compact *c)
{
    vkr_region region = c->read;
    if (c->continued) {
        region.range.offset -= c->input.stride;
        region.range.size += c->input.stride;
    }
    return region;
}

#define VIEW_REGIONS 10

/* Region `i` of everything that is read or written: views come first, then payloads, then
 * counts. */
static vkr_region region_of(const vkr_compact *c, const vkr_region *views, uint32_t i)
{
    const uint32_t payloads = c->info->payloadCount, k = (i - VIEW_REGIONS) / 2;
    if (i < VIEW_REGIONS)
        return views[i];
    if (i >= VIEW_REGIONS + 2 * payloads)
        return vkr_region_of_count_output(c, i - VIEW_REGIONS - 2 * payloads);
    const VkrPayload *p = &c->info->payloads[k];
    return vkr_region_of_payload(&c->walk, p, k, i % 2 != 0,
                                 p->rejected ? UINT64_MAX : c->capacity);
}

static VkrResult check_overlaps(const vkr_compact *c)
{
    const vkr_side *kept = &c->sides[VKR_KEPT], *rejected = &c->sides[VKR_REJECTED];
    /* Count outputs may replace these numbers, which only flags must not overwrite. */
    const bool written = c->flags.written;
    const VkrGpuCount none = {0};
    const VkrGpuCount counts = written ? c->info->gpuCount : none;
    const VkrGpuCount append = written ? c->info->append : none;
    const vkr_region views[VIEW_REGIONS] = {
        region_of_input(c),
        c->flags,
        vkr_region_of_place("predicate.gpuConstants", &c->gpu_constants, false),
        vkr_region_of_view("kept", &kept->values, c->capacity, true),
        vkr_region_of_view("keptIndices", &kept->indices, c->capacity, true),
        vkr_region_of_view("runLengths", &c->lengths, c->capacity, true),
        vkr_region_of_view("rejected", &rejected->values, UINT64_MAX, true),
        vkr_region_of_view("rejectedIndices", &rejected->indices, UINT64_MAX, true),
        vkr_region_of_count("gpuCount", &counts),
        vkr_region_of_count("append", &append),
    };
    const uint64_t regions =
        VIEW_REGIONS + 2 * (uint64_t)c->info->payloadCount + c->info->countOutputCount;
    for (uint32_t i = 0; i < regions; i++) {
        const vkr_region a = region_of(c, views, i);
        for (uint32_t k = 0; k < i && a.range.size != 0; k++) {
            const vkr_region b = region_of(c, views, k);
            VKR_TRY(vkr_check_disjoint(&c->walk, &a, &b, 1, "be apart from it"));
        }
    }
    return VKR_SUCCESS;
}

VkrResult vkr_check_kept(vkr_compact *c)
{
    const vkr_compact_names *names = c->names;
    VKR_TRY(check_values(c, names->kept, &c->info->kept, &c->sides[VKR_KEPT].values));
    VKR_TRY(check_indices(c, names->lengths, &c->info->runLengths, &c->lengths));
    choose_capacity(c);
    return vkr_check_count_outputs(c);
}

/* The predicate can test the input, so an image must be staged before the predicate is checked. */
VkrResult vkr_check_tested(VkrRecorder recorder, vkr_compact *c)
{
    VKR_TRY(check_input(c));
    c->read = vkr_region_of_view("input", &c->input, c->walk.count, false);
    VKR_TRY(vkr_stage(recorder, &c->walk, c->walk.count, &c->input));
    VKR_TRY(check_choices(c));
    return vkr_check_predicate(recorder, c);
}

static VkrResult check_compact(VkrRecorder recorder, vkr_compact *c)
{
    VKR_TRY(vkr_check_tested(recorder, c));
    c->moves_values = c->moves_values || vkr_is_stream(c->info); /* which moves values anyway */
    VKR_TRY(check_outputs(c));
    VKR_TRY(vkr_check_payloads(&c->walk, c->info->payloadCount, c->info->payloads));
    VKR_TRY(vkr_check_stream(c));
    choose_capacity(c);
    VKR_TRY(vkr_check_count_outputs(c));
    VKR_TRY(vkr_check_compact_sink(c));
    return check_overlaps(c);
}

static void note_unused(const vkr_compact *c)
{
    const VkrCompactInfo *info = c->info;
    const vkr_walk *w = &c->walk;
    vkr_note_count(w, "input");
    vkr_note_view(w, "input", &info->input);
    vkr_note_gpu_count(w, "gpuCount", &info->gpuCount);
    vkr_note_gpu_count(w, "append", &info->append);
    vkr_note_predicate(w, &info->predicate, c->input.type);
    vkr_note_list(w, "payloads", info->payloads, "payloadCount", info->payloadCount);
    vkr_note_list(w, "countOutputs", info->countOutputs, "countOutputCount",
                  info->countOutputCount);
}

/* Where a function must not be linked into the kernels that this geometry has, adds the pass that
 * calls it, and chooses again. */
static VkrResult plan_geometry(VkrRecorder recorder, vkr_compact *c)
{
    const vkr_walk walk = c->walk;
    VKR_TRY(vkr_plan_compact_geometry(c));
    if (!vkr_calls_too_often(c))
        return VKR_SUCCESS;
    c->walk = walk;
    c->calls_loops = true;
    VKR_TRY(vkr_check_predicate(recorder, c));
    return vkr_plan_compact_geometry(c);
}

static VkrResult add_compact(VkrRecorder recorder, const VkrCompactInfo *info)
{
    static const vkr_compact_names names = {"input", "kept", "runLengths", "countOutputs"};
    vkr_compact c = {
        .info = info, .names = &names, .walk = vkr_new_walk(vkr_recorder_context(recorder), CALL)};
    VKR_MUST(&c.walk, info != NULL, "info is NULL, but must point to a VkrCompactInfo.");
    c.walk.gpu_count = &info->gpuCount;
    VKR_TRY(check_compact(recorder, &c));
    bool is_planned = false;
    VKR_TRY(vkr_plan_run_lengths(recorder, &c, &is_planned));
    if (!is_planned) {
        VKR_TRY(plan_geometry(recorder, &c));
        VKR_TRY(vkr_plan_compact(recorder, &c));
    }
    note_unused(&c);
    return VKR_SUCCESS;
}

VkrResult vkrCmdCompact(VkrRecorder recorder, const VkrCompactInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL, VKR_LABEL_OF(info)));
    return vkr_operation_end(recorder, add_compact(recorder, info));
}
