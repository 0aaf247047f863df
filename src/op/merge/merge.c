/* SPDX-License-Identifier: MIT */
/* vkrCmdMerge: what the caller asks for, checked. */
#include "merge.h"

#include <inttypes.h>
#include <stdio.h>

#include "../../plan/stage.h"
#include "../../plan/unused.h"

#define CALL "vkrCmdMerge"

static const char *const keys_of[VKR_MERGE_SIDES] = {"a.keys", "b.keys"};
static const char *const count_of[VKR_MERGE_SIDES] = {"a.count", "b.count"};
static const char *const gpu_count_of[VKR_MERGE_SIDES] = {"a.gpuCount", "b.gpuCount"};

/* ---- Sequences ---- */

static VkrResult check_side(vkr_merge *m, uint32_t i, const VkrMergeInput *info)
{
    vkr_merge_side *side = &m->sides[i];
    vkr_walk *w = &side->walk;
    side->info = info;
    w->gpu_count = &info->gpuCount;
    VKR_TRY(vkr_check_input(w, keys_of[i], &info->keys, info->count, &side->keys));
    VKR_TRY(vkr_check_input_handles(w, keys_of[i], &info->keys, &side->keys));
    VKR_MUST_BE(w, side->keys.components == 1, keys_of[i], ".components", side->keys.components,
                "be 1, also after a map.");
    w->held = side->keys.capacity;
    VKR_TRY(vkr_check_number(w, count_of[i], info->count, keys_of[i], &side->keys, &w->count));
    side->read = vkr_region_of_view(keys_of[i], &side->keys, w->count, false);
    return vkr_check_gpu_count(w, gpu_count_of[i], &info->gpuCount);
}

static VkrResult check_sides(vkr_merge *m)
{
    const VkrMergeInfo *info = m->info;
    vkr_walk *w = &m->walk;
    const vkr_merge_side *a = &m->sides[VKR_MERGE_A], *b = &m->sides[VKR_MERGE_B];
    VKR_TRY(vkr_check_bits(w, info->flags, VKR_FLAGS_OF_MERGE));
    VKR_TRY(check_side(m, VKR_MERGE_A, &info->a));
    VKR_TRY(check_side(m, VKR_MERGE_B, &info->b));
    VKR_MUST(w, b->keys.type_id == a->keys.type_id,
             "b.keys.type is %s, but must be %s like a.keys.type.", b->keys.type->name,
             a->keys.type->name);
    VKR_MUST(w, a->walk.count >> 32 == 0 && (a->walk.count + b->walk.count) >> 32 == 0,
             "a.count is %" PRIu64 " and b.count %" PRIu64 ", but their sum must be below 2^32.",
             a->walk.count, b->walk.count);
    w->count = a->walk.count + b->walk.count;
    return VKR_SUCCESS;
}

/* ---- Outputs ---- */

static VkrResult check_holds(const vkr_walk *w, const char *field, const vkr_view *view)
{
    VKR_MUST(w, view->capacity >= w->count,
             "%s.size is %" PRIu64 ", which is %" PRIu64 " elements, but must hold the %" PRIu64
             " of a.count and b.count.",
             field, view->size, view->capacity, w->count);
    return VKR_SUCCESS;
}

static VkrResult check_output(const vkr_walk *w, const char *field, const VkrView *asked,
                              VkrType type, vkr_view *out)
{
    VkrView view = *asked;
    if (!vkr_is_requested(asked))
        return VKR_SUCCESS;
    view.type = view.type == VKR_TYPE_UNDEFINED ? type : view.type;
    VKR_MUST(w, view.type == type, "%s.type is %s (%d), but must be undefined or %s.", field,
             vkrTypeName(view.type), (int)view.type, vkr_types[type].name);
    VKR_TRY(vkr_check_view(w, field, &view, w->count, out));
    VKR_TRY(vkr_check_buffer(w, field, out));
    VKR_MUST_BE(w, out->components == 1, field, ".components", view.components, "be 0 or 1.");
    return check_holds(w, field, out);
}

static VkrResult check_payloads(const vkr_merge *m)
{
    const VkrMergeInfo *info = m->info;
    const vkr_walk *w = &m->walk;
    char name[40];
    VKR_MUST(w, info->payloadCount <= VKR_MAX_MERGE_PAYLOADS,
             "payloadCount is %u, but must be at most %u.", info->payloadCount,
             VKR_MAX_MERGE_PAYLOADS);
    VKR_MUST(w, info->payloadCount == 0 || info->payloads != NULL,
             "payloads is NULL, but must point to the %u of payloadCount.", info->payloadCount);
    for (uint32_t i = 0; i < info->payloadCount; i++) {
        for (uint32_t side = 0; side < VKR_MERGE_SIDES; side++) {
            const VkrPayload payload = vkr_merge_payload_of(&info->payloads[i], side);
            VKR_TRY(vkr_check_payload(&m->sides[side].walk, &payload, i,
                                      side == VKR_MERGE_A ? "a" : "b"));
        }
        const VkrPayload payload = vkr_merge_payload_of(&info->payloads[i], VKR_MERGE_A);
        const vkr_view target = vkr_view_of_target(&payload);
        (void)snprintf(name, sizeof(name), "payloads[%u].target", i);
        VKR_TRY(check_holds(w, name, &target));
    }
    return VKR_SUCCESS;
}

static VkrResult check_outputs(vkr_merge *m)
{
    const VkrMergeInfo *info = m->info;
    const VkrType type = m->sides[VKR_MERGE_A].keys.type_id;
    VKR_TRY(check_output(&m->walk, "merged", &info->merged, type, &m->merged));
    VKR_TRY(check_output(&m->walk, "indices", &info->indices, VKR_TYPE_U32, &m->indices));
    VKR_TRY(check_payloads(m));
    VKR_MUST(&m->walk,
             vkr_is_requested(&info->merged) || vkr_is_requested(&info->indices) ||
                 info->payloadCount != 0,
             "merged, indices and payloads are empty, but at least one of them must be given.");
    return VKR_SUCCESS;
}

/* ---- Overlaps ---- */

enum { VIEW_REGIONS = 6, REGIONS_OF_PAYLOAD = VKR_MERGE_SIDES + 1 };

/* Region `i` of everything that is read or written: views come first, then the two sources and the
 * target of each payload. */
static vkr_region region_of(const vkr_merge *m, const vkr_region *views, uint32_t i)
{
    static const char *const names[REGIONS_OF_PAYLOAD] = {"a", "b", "target"};
    if (i < VIEW_REGIONS)
        return views[i];
    const uint32_t k = (i - VIEW_REGIONS) / REGIONS_OF_PAYLOAD;
    const uint32_t side = (i - VIEW_REGIONS) % REGIONS_OF_PAYLOAD;
    const bool written = side == VKR_MERGE_SIDES;
    const VkrPayload payload = vkr_merge_payload_of(&m->info->payloads[k], side);
    const vkr_walk *w = written ? &m->walk : &m->sides[side].walk;
    const vkr_view view = written ? vkr_view_of_target(&payload) : vkr_view_of_source(w, &payload);
    char name[32];
    (void)snprintf(name, sizeof(name), "payloads[%u].%s", k, names[side]);
    return vkr_region_of_view(name, &view, w->count, written);
}

static VkrResult check_overlaps(const vkr_merge *m)
{
    const uint64_t count = m->walk.count;
    const vkr_region views[VIEW_REGIONS] = {
        m->sides[VKR_MERGE_A].read,
        m->sides[VKR_MERGE_B].read,
        vkr_region_of_count(gpu_count_of[VKR_MERGE_A], &m->info->a.gpuCount),
        vkr_region_of_count(gpu_count_of[VKR_MERGE_B], &m->info->b.gpuCount),
        vkr_region_of_view("merged", &m->merged, count, true),
        vkr_region_of_view("indices", &m->indices, count, true),
    };
    for (uint32_t i = 0; i < VIEW_REGIONS + REGIONS_OF_PAYLOAD * m->info->payloadCount; i++) {
        const vkr_region a = region_of(m, views, i);
        for (uint32_t k = 0; k < i && a.range.size != 0; k++) {
            const vkr_region b = region_of(m, views, k);
            VKR_TRY(vkr_check_disjoint(&m->walk, &a, &b, 1,
                                       "be apart from it: a merge is never in place"));
        }
    }
    return VKR_SUCCESS;
}

/* ---- The call ---- */

static void note_unused(const vkr_merge *m)
{
    for (uint32_t i = 0; i < VKR_MERGE_SIDES; i++) {
        const vkr_merge_side *side = &m->sides[i];
        vkr_note_count(&side->walk, keys_of[i]);
        vkr_note_view(&side->walk, keys_of[i], &side->info->keys);
        vkr_note_gpu_count(&side->walk, gpu_count_of[i], &side->info->gpuCount);
    }
    vkr_note_list(&m->walk, "payloads", m->info->payloads, "payloadCount", m->info->payloadCount);
}

static VkrResult add_merge(VkrRecorder recorder, const VkrMergeInfo *info)
{
    vkr_walk walk = vkr_new_walk(vkr_recorder_context(recorder), CALL);
    walk.by_words = true;
    vkr_merge m = {.info = info, .walk = walk, .sides = {{.walk = walk}, {.walk = walk}}};
    VKR_MUST(&m.walk, info != NULL, "info is NULL, but must point to a VkrMergeInfo.");
    VKR_TRY(check_sides(&m));
    VKR_TRY(check_outputs(&m));
    VKR_TRY(check_overlaps(&m));
    for (uint32_t i = 0; i < VKR_MERGE_SIDES; i++) {
        vkr_merge_side *side = &m.sides[i];
        VKR_TRY(vkr_stage(recorder, &side->walk, side->walk.count, &side->keys));
    }
    if (m.walk.count != 0)
        VKR_TRY(vkr_plan_merge(recorder, &m));
    note_unused(&m);
    return VKR_SUCCESS;
}

VkrResult vkrCmdMerge(VkrRecorder recorder, const VkrMergeInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL, VKR_LABEL_OF(info)));
    return vkr_operation_end(recorder, add_merge(recorder, info));
}
