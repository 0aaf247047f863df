/* SPDX-License-Identifier: MIT */
#include "runs.h"

#include <inttypes.h>

#include "../../plan/keys.h"
#include "kernel_list.h"

#define APART "be apart from it where segments.kind is keys"

uint64_t vkr_room_for_runs(const VkrSegments *segments, uint64_t count)
{
    const uint64_t capacity = segments->runs.capacity;
    return capacity != 0 ? vkr_min(capacity, count) : count;
}

static VkrResult check_room(const vkr_compact *c, const char *field, const vkr_view *view)
{
    VKR_MUST(&c->walk, !vkr_has_buffer(view) || view->capacity >= c->info->capacity,
             "%s.size is %" PRIu64 ", which is %" PRIu64 " runs, but must hold %" PRIu64
             ", the smaller one of count and segments.runs.capacity.",
             field, view->size, view->capacity, c->info->capacity);
    return VKR_SUCCESS;
}

#define RUN_REGIONS 3u /* without counts */

uint32_t vkr_count_run_regions(const vkr_runs *runs)
{
    return RUN_REGIONS + runs->info.countOutputCount;
}

vkr_region vkr_region_of_runs(const vkr_runs *runs, uint32_t i)
{
    const vkr_compact *c = &runs->compact;
    switch (i) {
    case 0:
        return vkr_region_of_view(c->names->input, &c->input, c->walk.count, false);
    case 1:
        return vkr_region_of_view(c->names->kept, &c->sides[VKR_KEPT].values, c->capacity, true);
    case 2:
        return vkr_region_of_view(c->names->lengths, &c->lengths, c->capacity, true);
    default:
        return vkr_region_of_count_output(c, i - RUN_REGIONS);
    }
}

/* Checks that what is written about runs shares no bytes with the keys, with itself, or with what
 * the operation accesses. */
static VkrResult check_overlaps(const vkr_runs *runs, const vkr_region *regions, size_t count)
{
    const vkr_walk *w = &runs->compact.walk;
    for (uint32_t i = 0; i < vkr_count_run_regions(runs); i++) {
        const vkr_region own = vkr_region_of_runs(runs, i);
        VKR_TRY(vkr_check_disjoint(w, &own, regions, count, APART));
        for (uint32_t k = 0; k < i; k++) {
            const vkr_region other = vkr_region_of_runs(runs, k);
            VKR_TRY(vkr_check_disjoint(w, &own, &other, 1, APART));
        }
    }
    return VKR_SUCCESS;
}

VkrResult vkr_check_runs(const vkr_walk *w, const VkrGpuCount *gpu_count,
                         const VkrSegments *segments, const vkr_region *regions, size_t count,
                         vkr_runs *runs)
{
    static const vkr_compact_names names = {"segments.keys", "segments.runs.uniqueKeys",
                                            "segments.runs.lengths", "segments.runs.countOutputs"};
    const VkrRuns *asked = &segments->runs;
    vkr_compact *c = &runs->compact;
    runs->info =
        (VkrCompactInfo){.count = w->count,
                         .gpuCount = *gpu_count,
                         .predicate = {.kind = VKR_PREDICATE_UNIQUE, .byValue = segments->byValue},
                         .kept = asked->uniqueKeys,
                         .runLengths = asked->lengths,
                         .capacity = vkr_room_for_runs(segments, w->count),
                         .countOutputCount = asked->countOutputCount,
                         .countOutputs = asked->countOutputs};
    *c = (vkr_compact){.info = &runs->info,
                       .names = &names,
                       .of_segments = true,
                       .walk = vkr_new_walk(w->context, w->call)};
    c->walk.count = w->count;
    c->walk.gpu_count = &runs->info.gpuCount;
    VKR_TRY(vkr_check_keys(w, segments, &c->input));
    VKR_TRY(vkr_check_kept(c));
    VKR_TRY(check_room(c, names.kept, &c->sides[VKR_KEPT].values));
    VKR_TRY(check_room(c, names.lengths, &c->lengths));
    return check_overlaps(runs, regions, count);
}

/* The reduction needs all starts in one descriptor. Adds the step that ends their list. */
static VkrResult add_end(VkrRecorder recorder, const vkr_compact *c)
{
    const vkr_view *list = &c->sides[VKR_KEPT].list;
    const VkDeviceSize size = list->stride * (list->capacity + 1);
    vkr_pass pass = {
        .walk = &c->walk,
        .card = &vkr_ends_card,
        .kernel = VKR_KERNEL_ENDS,
        .slots = {[VKR_ENDS_SLOT_RECORD] = {.place = c->record},
                  [VKR_ENDS_SLOT_STARTS] = {
                      .place = vkr_place_of_bytes(list->buffer, list->offset, size, 4)}}};
    struct vkr_ends_push *push = VKR_PUSH(&pass, vkr_ends_push);
    push->entries = (uint32_t)list->capacity;
    push->words = list->type->size / 4;
    return vkr_emit_groups(recorder, &pass, 1);
}

VkrResult vkr_plan_runs(VkrRecorder recorder, vkr_runs *runs, VkrSegments *by_offsets)
{
    vkr_compact *c = &runs->compact;
    const vkr_caps *caps = &c->walk.context->caps;
    const vkr_view *list = &c->sides[VKR_KEPT].list;
    VKR_NEED(&c->walk, c->walk.count < VKR_MAX_REACH && 8 * c->info->capacity + 16 <= UINT32_MAX,
             "count is %" PRIu64 " and segments.kind keys, but there must be fewer than 2^31 "
             "elements, and room for less than 2^29 runs.",
             c->walk.count);
    if (c->walk.count == 0 && c->info->countOutputCount == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_stage(recorder, &c->walk, c->walk.count, &c->input));
    VKR_TRY(vkr_check_predicate(recorder, c));
    VKR_TRY(vkr_plan_compact_geometry(c));
    VKR_TRY(vkr_plan_compact(recorder, c));
    const VkDeviceSize size = list->stride * (list->capacity + 1);
    VKR_FIT(&c->walk, c->walk.count == 0 || size <= vkr_room(caps),
            "segments.kind is keys, but the starts of %" PRIu64
            " runs (segments.runs.capacity can be smaller), %" PRIu64 " bytes,",
            c->info->capacity, size);
    if (c->walk.count != 0)
        VKR_TRY(add_end(recorder, c));
    *by_offsets = (VkrSegments){
        .kind = VKR_SEGMENTS_OFFSETS,
        .offsets = {VKR_SCRATCH, list->offset, size},
        .offsetType = list->type_id,
        .gpuCount = {VKR_SCRATCH, c->record.offset + 4 * VKR_RECORD_KEPT, VKR_TYPE_U32}};
    return VKR_SUCCESS;
}
