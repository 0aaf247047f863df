/* SPDX-License-Identifier: MIT */
/* The steps of an expansion: sums of counts, their scan, outputs by equal shares, payloads by the
 * list of sources, and counts. */
#include "expand.h"

#include <inttypes.h>

#include "../../plan/pick.h"
#include "../../tables/policies.h"
#include "kernel_list.h"

#define PICKING_WORKGROUP VKR_SMALL_WORKGROUP

/* ---- Geometry ---- */

/* Bytes of shared memory of expand.comp: its own arrays, and values that group.glsl scans, of which
 * each invocation has one where there are no subgroups. */
static uint64_t shared_bytes(const vkr_compact_policy *policy, uint32_t workgroup)
{
    const uint64_t staged = policy->expand_staged != 0 ? policy->expand_items : 0;
    const uint64_t words = policy->expand_sources + staged + 1;
    return 4 * (workgroup * words + 8);
}

/* Sources of a block, which is what a workgroup adds up. */
static uint64_t block_of(const vkr_expand *e)
{
    return (uint64_t)e->walk.workgroup_size * e->per_tile * VKR_EXPAND_BLOCK;
}

static void choose_workgroup(vkr_expand *e)
{
    vkr_walk *w = &e->walk;
    const vkr_caps *caps = &w->context->caps;
    const vkr_compact_policy *policy = vkr_compact_policy_of(w->context);
    const vkr_place counts = vkr_place_of_view(&e->counts);
    w->workgroup_size = (uint32_t)vkr_min(policy->expand_workgroup, caps->max_workgroup_size);
    while (w->workgroup_size > 2 &&
           shared_bytes(policy, w->workgroup_size) > caps->max_shared_memory)
        w->workgroup_size /= 2;
    e->per_tile = policy->expand_sources;
    while (e->per_tile > 1 && block_of(e) > vkr_place_reach(caps, &counts))
        e->per_tile /= 2;
}

static VkrResult choose_walk(vkr_expand *e)
{
    vkr_walk *w = &e->walk;
    const vkr_caps *caps = &w->context->caps;
    vkr_start_walk(w, VKR_OPERATION_SCAN, VKR_FAMILY_STAGE, &e->counts);
    choose_workgroup(e);
    w->items = e->per_tile * VKR_EXPAND_BLOCK;
    w->reached[w->reached_count++] = vkr_place_of_view(&e->counts);
    w->max_groups = vkr_all_groups(caps);
    VKR_TRY(vkr_cut(w));
    VKR_FIT(w, w->windows != 0, "the counts of %" PRIu64 " sources", block_of(e));
    e->blocks = vkr_divide_up(w->count, block_of(e));
    const uint64_t words = VKR_RECORD_WORDS + e->blocks * (2 + VKR_EXPAND_BLOCK);
    VKR_FIT(w, 4 * words <= vkr_room(caps), "the sums of %" PRIu64 " counts, %" PRIu64 " words,",
            w->count, words);
    return VKR_SUCCESS;
}

/* ---- Passes ---- */

/* Whether counts lie side by side, and tiles start at multiples of 16 bytes. */
static bool loads_fours(const vkr_expand *e)
{
    return e->counts.stride == 4 && e->counts.offset % 16 == 0 && e->per_tile % 4 == 0;
}

enum { SUMS, SPINE, OUTPUTS };

static vkr_pass pass_of(const vkr_expand *e, uint32_t which)
{
    static const struct {
        const vkr_card *card;
        uint32_t kernels[2]; /* with shuffles, or shared memory alone */
    } rows[] = {
        [SUMS] = {&vkr_expand_sums_card,
                  {VKR_KERNEL_EXPAND_SUMS_SHUFFLE, VKR_KERNEL_EXPAND_SUMS_SHARED}},
        [SPINE] = {&vkr_expand_spine_card,
                   {VKR_KERNEL_EXPAND_SPINE_SHUFFLE, VKR_KERNEL_EXPAND_SPINE_SHARED}},
        [OUTPUTS] = {&vkr_expand_card, {VKR_KERNEL_EXPAND_SHUFFLE, VKR_KERNEL_EXPAND_SHARED}},
    };
    const vkr_walk *w = &e->walk;
    const vkr_compact_policy *policy = vkr_compact_policy_of(w->context);
    const VkrGpuCount *count = &e->info->gpuCount;
    vkr_pass pass = {
        .walk = w,
        .card = rows[which].card,
        .kernel = rows[which].kernels[w->group_path == VKR_GROUP_PATH_SHARED],
        .constants = {[VKR_EXPAND_CONST_FLAGS] =
                          vkr_count_flags(count) | (loads_fours(e) ? VKR_EXPAND_FLAG_FOURS : 0),
                      [VKR_EXPAND_CONST_SUBGROUPS] = vkr_walk_subgroups(w),
                      [VKR_EXPAND_CONST_SOURCES] = e->per_tile,
                      [VKR_EXPAND_CONST_ITEMS] = policy->expand_items}};
    const uint32_t table = which == OUTPUTS ? VKR_EXPAND_SLOT_READ_TABLE : VKR_EXPAND_SLOT_TABLE;
    pass.slots[table].place = e->table;
    struct vkr_expand_push *push = VKR_PUSH(&pass, vkr_expand_push);
    push->blocks = (uint32_t)e->blocks;
    push->room = (uint32_t)e->compact.capacity;
    if (which == SPINE)
        return pass;
    pass.slots[VKR_EXPAND_SLOT_COUNTS] = vkr_per_element(vkr_place_of_view(&e->counts));
    pass.slots[VKR_EXPAND_SLOT_COUNT].place = vkr_place_of_count(count);
    return pass;
}

/* An output, of which only the GPU knows where a window of sources has its entries. */
static bool add_output(const vkr_expand *e, const char *name, const vkr_view *view, uint32_t slot,
                       uint32_t flag, vkr_pass *pass)
{
    const uint64_t room = e->compact.capacity;
    if (!vkr_has_buffer(view))
        return true;
    pass->slots[slot] = vkr_any_of(name, vkr_place_of_view(view), room, room);
    pass->constants[VKR_EXPAND_CONST_FLAGS] |= flag;
    return vkr_is_bound_at_once(&e->walk, &pass->slots[slot]);
}

/* Adds a step for each window of sources and one of outputs. Shares of all entries of their lists
 * are possible. */
static VkrResult add_outputs(VkrRecorder recorder, const vkr_expand *e)
{
    const vkr_walk *w = &e->walk;
    const vkr_compact_policy *policy = vkr_compact_policy_of(w->context);
    const uint64_t share = (uint64_t)w->workgroup_size * policy->expand_items;
    vkr_pass pass = pass_of(e, OUTPUTS);
    if (policy->expand_staged != 0)
        pass.constants[VKR_EXPAND_CONST_FLAGS] |= VKR_EXPAND_FLAG_STAGED;
    const bool sources = add_output(e, "sources", &e->list, VKR_EXPAND_SLOT_SOURCES,
                                    VKR_EXPAND_FLAG_STORES_SOURCES, &pass);
    const bool ranks = add_output(e, "ranks", &e->ranks, VKR_EXPAND_SLOT_RANKS,
                                  VKR_EXPAND_FLAG_STORES_RANKS, &pass);
    if (!sources || !ranks)
        pass.constants[VKR_EXPAND_CONST_FLAGS] |= VKR_EXPAND_FLAG_WINDOWS;
    for (vkr_window window = vkr_first_window(w);; window = vkr_next_window(w, &window)) {
        vkr_window shared = window;
        shared.groups = vkr_divide_up(window.count + e->compact.capacity, share);
        VKR_TRY(vkr_emit_window(recorder, &pass, &shared));
        if (window.is_last)
            return VKR_SUCCESS;
    }
}

/* Copies the entries of a payload that the list names. */
static VkrResult add_payload(VkrRecorder recorder, const vkr_expand *e, uint32_t i)
{
    const VkrPayload *payload = &e->info->payloads[i];
    const uint64_t room = e->compact.capacity;
    const VkrGpuCount outputs = {VKR_SCRATCH, e->table.offset + 4 * (uint64_t)VKR_RECORD_KEPT,
                                 VKR_TYPE_U64};
    vkr_walk walk = e->compact.walk;
    walk.count = room;
    const vkr_picking picking = {.walk = &walk,
                                 .gpu_count = &outputs,
                                 .workgroup_size = PICKING_WORKGROUP,
                                 .length = room,
                                 .row_pitch = e->walk.count,
                                 .wanted = room,
                                 .pitch = room,
                                 .entries = room,
                                 .list = vkr_place_of_view(&e->list),
                                 .source_name = "a payload's source",
                                 .name = "a payload's target",
                                 .source = vkr_view_of_source(&e->walk, payload),
                                 .sources = e->walk.count,
                                 .target = vkr_view_of_target(payload)};
    return vkr_plan_picking(recorder, &picking);
}

/* Payloads need the list, which is the caller's output of sources or lies in scratch. */
static VkrResult choose_list(VkrRecorder recorder, vkr_expand *e)
{
    e->list = e->sources;
    if (e->info->payloadCount == 0 || vkr_has_buffer(&e->list))
        return VKR_SUCCESS;
    const VkDeviceSize size = 4 * e->compact.capacity;
    e->list = (vkr_view){.buffer = VKR_SCRATCH,
                         .type = &vkr_types[VKR_TYPE_U32],
                         .type_id = VKR_TYPE_U32,
                         .components = 1,
                         .stride = 4,
                         .size = size,
                         .capacity = e->compact.capacity};
    return vkr_add_scratch(recorder, size, &e->list.offset);
}

VkrResult vkr_plan_expand(VkrRecorder recorder, vkr_expand *e)
{
    const bool stores =
        e->compact.capacity != 0 && e->walk.count != 0 &&
        (vkr_has_buffer(&e->sources) || vkr_has_buffer(&e->ranks) || e->info->payloadCount != 0);
    if (!stores && e->info->countOutputCount == 0)
        return VKR_SUCCESS;
    VKR_TRY(choose_walk(e));
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH,
                          VKR_RECORD_WORDS + e->blocks * (2 + VKR_EXPAND_BLOCK), 1, &e->table));
    e->compact.record = vkr_place_of_words(VKR_SCRATCH, e->table.offset, VKR_RECORD_WORDS);
    const vkr_pass sums = pass_of(e, SUMS), spine = pass_of(e, SPINE);
    if (e->walk.count != 0)
        VKR_TRY(vkr_emit(recorder, &sums));
    VKR_TRY(vkr_emit_groups(recorder, &spine, 1));
    if (stores) {
        VKR_TRY(choose_list(recorder, e));
        VKR_TRY(add_outputs(recorder, e));
        for (uint32_t i = 0; i < e->info->payloadCount; i++)
            VKR_TRY(add_payload(recorder, e, i));
    }
    return vkr_plan_counts(recorder, &e->compact);
}
