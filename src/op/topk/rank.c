/* SPDX-License-Identifier: MIT */
/* Orders the candidates of a selection's rows where these are few, and stores the first ones. */
#include <inttypes.h>

#include "kernel_list.h"
#include "topk.h"

static bool is_listed(const vkr_ranking *r)
{
    return r->list.buffer != VK_NULL_HANDLE;
}

/* The maximum number of rows of a dispatch whose items of a place all lie within one descriptor:
 * `last` items of the last row, and `pitch` of each row before it. */
static uint64_t rows_within(const vkr_topk *t, const vkr_place *place, uint64_t pitch,
                            uint64_t last)
{
    const uint64_t reach = vkr_place_reach(&t->walk.context->caps, place);
    if (place->buffer == VK_NULL_HANDLE)
        return UINT64_MAX;
    return reach < last ? 0 : (reach - last) / pitch + 1;
}

/* The number of workgroups for so many rows. */
static uint64_t groups_for(const vkr_topk *t, const vkr_ranking *r, uint64_t rows)
{
    const uint64_t size = t->walk.workgroup_size;
    if (r->candidates > size)
        return rows * vkr_divide_up(r->candidates, size);
    return vkr_divide_up(rows, size / r->candidates);
}

static uint64_t rows_of_window(const vkr_topk *t, const vkr_ranking *r)
{
    const uint64_t size = t->walk.workgroup_size, wanted = t->wanted;
    const uint64_t groups = vkr_all_groups(&t->walk.context->caps);
    const uint64_t fit = r->candidates > size ? groups / vkr_divide_up(r->candidates, size)
                                              : groups * (size / r->candidates);
    const vkr_place keys = vkr_place_of_view(&r->keys);
    const vkr_place values = vkr_place_of_view(&t->values);
    const vkr_place indices = vkr_place_of_view(&t->indices);
    uint64_t rows = vkr_min(fit, VKR_MAX_REACH / vkr_max(r->candidates, t->info->k));
    rows = vkr_min(rows, rows_within(t, &keys, r->candidates, r->candidates));
    rows = vkr_min(rows, rows_within(t, &r->list, r->candidates, r->candidates));
    rows = vkr_min(rows, rows_within(t, &r->sorted, wanted, wanted));
    rows = vkr_min(rows, rows_within(t, &values, t->info->k, wanted));
    if (!is_listed(r))
        rows = vkr_min(rows, rows_within(t, &t->found, 1, 1));
    return vkr_min(rows, rows_within(t, &indices, t->info->k, wanted));
}

static VkrResult add_window(VkrRecorder recorder, const vkr_topk *t, const vkr_ranking *r,
                            uint64_t row, uint64_t rows)
{
    static const uint32_t kernels[] = {VKR_KERNEL_RANK_8, VKR_KERNEL_RANK_16, VKR_KERNEL_RANK_32,
                                       VKR_KERNEL_RANK_64};
    const uint64_t candidates = r->candidates, first = row * candidates;
    const uint64_t keys =
        is_listed(r) ? rows * candidates : vkr_min(rows * candidates, t->walk.count - first);
    const uint64_t outputs = (rows - 1) * t->info->k + t->wanted;
    const bool finds = !is_listed(r) && t->found.buffer != VK_NULL_HANDLE;
    const vkr_place values = vkr_place_of_view(&t->values);
    const vkr_place indices = vkr_place_of_view(&t->indices);
    vkr_pass pass = {
        .walk = &t->walk,
        .card = &vkr_rank_card,
        .kernel = kernels[vkr_log2_up(t->input.type->size)],
        .constants = {[VKR_CONST_WORKGROUP] = t->walk.workgroup_size,
                      [VKR_RANK_CONST_FLAGS] =
                          vkr_count_flags(&t->info->gpuCount) |
                          (is_listed(r) ? VKR_RANK_FLAG_LISTED : 0) |
                          (values.buffer != VK_NULL_HANDLE ? VKR_RANK_FLAG_VALUES : 0) |
                          (indices.buffer != VK_NULL_HANDLE ? VKR_RANK_FLAG_INDICES : 0) |
                          (r->sorted.buffer != VK_NULL_HANDLE ? VKR_RANK_FLAG_SORTED : 0) |
                          (finds ? VKR_RANK_FLAG_FOUND : 0)},
        .slots = {[VKR_RANK_SLOT_KEYS] = vkr_items(vkr_place_of_view(&r->keys), first, keys),
                  [VKR_RANK_SLOT_COUNT] = {.place = vkr_place_of_count(&t->info->gpuCount)},
                  [VKR_RANK_SLOT_LIST] = vkr_items(r->list, first, rows * candidates),
                  [VKR_RANK_SLOT_SORTED] = vkr_items(r->sorted, row * t->wanted, rows * t->wanted),
                  [VKR_RANK_SLOT_VALUES] = vkr_items(values, row * t->info->k, outputs),
                  [VKR_RANK_SLOT_INDICES] = vkr_items(indices, row * t->info->k, outputs)}};
    if (finds)
        pass.slots[VKR_RANK_SLOT_FOUND] = vkr_items(t->found, row, rows);
    vkr_set_order(&t->order, &pass.constants[VKR_RANK_CONST_KEY_FORM]);
    struct vkr_rank_push *push = VKR_PUSH(&pass, vkr_rank_push);
    push->first_row = (uint32_t)row;
    push->rows = (uint32_t)rows;
    push->row_length = (uint32_t)t->length;
    push->candidates = (uint32_t)candidates;
    push->wanted = t->wanted;
    push->pitch = t->info->k;
    const vkr_window window = {.groups = groups_for(t, r, rows)};
    return vkr_emit_window(recorder, &pass, &window);
}

VkrResult vkr_plan_ranking(VkrRecorder recorder, const vkr_topk *t, const vkr_ranking *r)
{
    const uint64_t most = rows_of_window(t, r);
    VKR_NEED(&t->walk, most != 0,
             "the %u entries of a segment in each output must fit maxStorageBufferRange (%" PRIu64
             " bytes).",
             t->wanted, t->walk.context->caps.max_range);
    VKR_NEED(&t->walk, t->rows / most < VKR_MAX_WINDOWS,
             "k is %u and the number of segments %" PRIu64
             ", but must need at most %u dispatches, each of at most %" PRIu64
             " segments, whose entries must fit maxStorageBufferRange (%" PRIu64 " bytes).",
             t->info->k, t->rows, VKR_MAX_WINDOWS, most, t->walk.context->caps.max_range);
    for (uint64_t row = 0, rows; row < t->rows; row += rows) {
        rows = vkr_min(t->rows - row, most);
        VKR_TRY(add_window(recorder, t, r, row, rows));
    }
    return VKR_SUCCESS;
}
