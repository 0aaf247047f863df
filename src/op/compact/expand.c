/* SPDX-License-Identifier: MIT */
/* vkrCmdExpand: what the caller asks for, checked. */
#include "expand.h"

#include <inttypes.h>
#include <stdio.h>

#include "../../plan/rows.h"
#include "../../plan/unused.h"

#define CALL "vkrCmdExpand"

/* ---- Input ---- */

static VkrResult check_counts(VkrRecorder recorder, vkr_expand *e)
{
    const VkrExpandInfo *info = e->info;
    vkr_walk *w = &e->walk;
    VKR_TRY(vkr_check_input(w, "counts", &info->counts, info->count, &e->counts));
    VKR_TRY(vkr_check_input_handles(w, "counts", &info->counts, &e->counts));
    VKR_TRY(vkr_check_number(w, "count", info->count, "counts", &e->counts, &w->count));
    w->held = e->counts.capacity;
    VKR_MUST(w, e->counts.type_id == VKR_TYPE_U32, "counts.type is %s, but must be u32.",
             e->counts.type->name);
    VKR_MUST_BE(w, e->counts.components == 1, "counts", ".components", e->counts.components,
                "be 0 or 1.");
    VKR_MUST_BE(w, w->count < VKR_MAX_REACH, "", "count", w->count, "be below 2^31.");
    VKR_TRY(vkr_check_gpu_count(w, "gpuCount", &info->gpuCount));
    e->read = vkr_region_of_view("counts", &e->counts, w->count, false);
    return vkr_stage(recorder, w, w->count, &e->counts);
}

/* ---- Outputs ---- */

static VkrResult check_output(const vkr_expand *e, const char *field, const VkrView *asked,
                              vkr_view *out)
{
    const vkr_walk *w = &e->walk;
    VkrView view = *asked;
    if (!vkr_is_requested(asked))
        return VKR_SUCCESS;
    view.type = view.type == VKR_TYPE_UNDEFINED ? VKR_TYPE_U32 : view.type;
    VKR_MUST(w, view.type == VKR_TYPE_U32, "%s.type is %s (%d), but must be undefined or u32.",
             field, vkrTypeName(view.type), (int)view.type);
    VKR_MUST_BE(w, view.components <= 1, field, ".components", view.components, "be 0 or 1.");
    VKR_TRY(vkr_check_view(w, field, &view, w->count, out));
    return vkr_check_buffer(w, field, out);
}

/* Sets the room for outputs, which is that of the smallest one. */
static void choose_room(vkr_expand *e)
{
    const vkr_view *const views[] = {&e->sources, &e->ranks};
    uint64_t room = e->info->capacity != 0 ? e->info->capacity : VKR_MAX_EXPANDED;
    room = vkr_min(room, VKR_MAX_EXPANDED);
    for (size_t i = 0; i < VKR_ARRAY_SIZE(views); i++)
        if (vkr_has_buffer(views[i]))
            room = vkr_min(room, views[i]->capacity);
    for (uint32_t i = 0; i < e->info->payloadCount; i++)
        room = vkr_min(room, vkr_view_of_target(&e->info->payloads[i]).capacity);
    e->compact.capacity = e->compact.walk.count = room;
}

static VkrResult check_outputs(VkrRecorder recorder, vkr_expand *e)
{
    static const vkr_compact_names names = {.counts = "countOutputs"};
    const VkrExpandInfo *info = e->info;
    const vkr_walk *w = &e->walk;
    VKR_TRY(check_output(e, "sources", &info->sources, &e->sources));
    VKR_TRY(check_output(e, "ranks", &info->ranks, &e->ranks));
    VKR_TRY(vkr_check_payloads(w, info->payloadCount, info->payloads));
    for (uint32_t i = 0; i < info->payloadCount; i++)
        VKR_MUST(w, !info->payloads[i].rejected,
                 "payloads[%u].rejected is set, but must be 0: an expansion rejects nothing.", i);
    e->other = (VkrCompactInfo){.countOutputCount = info->countOutputCount,
                                .countOutputs = info->countOutputs};
    e->compact = (vkr_compact){
        .info = &e->other, .names = &names, .walk = vkr_new_groups_walk(recorder, CALL)};
    choose_room(e);
    return vkr_check_count_outputs(&e->compact);
}

/* ---- Overlaps ---- */

enum { VIEW_REGIONS = 4 };

/* Region `i` of everything that is read or written: views come first, then payloads, then
 * counts. */
static vkr_region region_of(const vkr_expand *e, const vkr_region *views, uint32_t i)
{
    const uint32_t payloads = e->info->payloadCount, k = (i - VIEW_REGIONS) / 2;
    if (i < VIEW_REGIONS)
        return views[i];
    if (i >= VIEW_REGIONS + 2 * payloads)
        return vkr_region_of_count_output(&e->compact, i - VIEW_REGIONS - 2 * payloads);
    return vkr_region_of_payload(&e->walk, &e->info->payloads[k], k, i % 2 != 0,
                                 e->compact.capacity);
}

static VkrResult check_overlaps(const vkr_expand *e)
{
    const uint64_t room = e->compact.capacity;
    const vkr_region views[VIEW_REGIONS] = {
        e->read,
        vkr_region_of_count("gpuCount", &e->info->gpuCount),
        vkr_region_of_view("sources", &e->sources, room, true),
        vkr_region_of_view("ranks", &e->ranks, room, true),
    };
    const uint64_t regions =
        VIEW_REGIONS + 2 * (uint64_t)e->info->payloadCount + e->info->countOutputCount;
    for (uint32_t i = 0; i < regions; i++) {
        const vkr_region a = region_of(e, views, i);
        for (uint32_t k = 0; k < i && a.range.size != 0; k++) {
            const vkr_region b = region_of(e, views, k);
            VKR_TRY(vkr_check_disjoint(&e->walk, &a, &b, 1, "be apart from it"));
        }
    }
    return VKR_SUCCESS;
}

static void note_unused(const vkr_expand *e)
{
    const VkrExpandInfo *info = e->info;
    const vkr_walk *w = &e->walk;
    vkr_note_count(w, "counts");
    vkr_note_view(w, "counts", &info->counts);
    vkr_note_gpu_count(w, "gpuCount", &info->gpuCount);
    vkr_note_list(w, "payloads", info->payloads, "payloadCount", info->payloadCount);
    vkr_note_list(w, "countOutputs", info->countOutputs, "countOutputCount",
                  info->countOutputCount);
}

static VkrResult add_expand(VkrRecorder recorder, const VkrExpandInfo *info)
{
    vkr_expand e = {.info = info, .walk = vkr_new_walk(vkr_recorder_context(recorder), CALL)};
    VKR_MUST(&e.walk, info != NULL, "info is NULL, but must point to a VkrExpandInfo.");
    e.walk.gpu_count = &info->gpuCount;
    VKR_TRY(check_counts(recorder, &e));
    VKR_TRY(check_outputs(recorder, &e));
    VKR_TRY(check_overlaps(&e));
    VKR_TRY(vkr_plan_expand(recorder, &e));
    note_unused(&e);
    return VKR_SUCCESS;
}

VkrResult vkrCmdExpand(VkrRecorder recorder, const VkrExpandInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL, VKR_LABEL_OF(info)));
    return vkr_operation_end(recorder, add_expand(recorder, info));
}
