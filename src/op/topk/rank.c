/* SPDX-License-Identifier: MIT */
/* Orders the candidates of a selection's rows where these are few, and stores the first ones. */
#include <inttypes.h>

#include "../../plan/grid.h"
#include "kernel_list.h"
#include "topk.h"

static bool is_listed(const vkr_ranking *r)
{
    return r->list.buffer != VK_NULL_HANDLE;
}

/* A workgroup orders several rows; or several workgroups order one. */
static vkr_grid grid_of(const vkr_topk *t, const vkr_ranking *r)
{
    const uint64_t size = t->walk.workgroup_size;
    return (vkr_grid){.rows = t->rows,
                      .parts = 1,
                      .work = vkr_divide_up(r->candidates, size),
                      .share = vkr_max(size / r->candidates, 1),
                      .max_cells = VKR_MAX_REACH / vkr_max(r->candidates, t->info->k)};
}

VkrResult vkr_plan_ranking(VkrRecorder recorder, const vkr_topk *t, const vkr_ranking *r)
{
    static const uint32_t kernels[] = {VKR_KERNEL_RANK_8, VKR_KERNEL_RANK_16, VKR_KERNEL_RANK_32,
                                       VKR_KERNEL_RANK_64};
    const uint64_t candidates = r->candidates, wanted = t->wanted, k = t->info->k;
    const uint64_t pitch = is_listed(r) ? candidates : t->pitch; /* of the keys */
    const vkr_grid grid = grid_of(t, r);
    const vkr_place found = is_listed(r) ? (vkr_place){0} : t->found;
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
                          (pitch != candidates ? VKR_RANK_FLAG_APART : 0) |
                          (t->by_offsets ? VKR_RANK_FLAG_SPANS : 0) |
                          (values.buffer != VK_NULL_HANDLE ? VKR_RANK_FLAG_VALUES : 0) |
                          (indices.buffer != VK_NULL_HANDLE ? VKR_RANK_FLAG_INDICES : 0) |
                          (r->sorted.buffer != VK_NULL_HANDLE ? VKR_RANK_FLAG_SORTED : 0) |
                          (found.buffer != VK_NULL_HANDLE ? VKR_RANK_FLAG_FOUND : 0)},
        .slots = {[VKR_RANK_SLOT_KEYS] =
                      vkr_part_items("input", vkr_place_of_view(&r->keys), pitch, candidates, 0,
                                     is_listed(r) ? UINT64_MAX : t->walk.count),
                  [VKR_RANK_SLOT_COUNT] = {.place = vkr_place_of_count(&t->info->gpuCount)},
                  [VKR_RANK_SLOT_LIST] =
                      vkr_row_items("the list of k entries", r->list, candidates, candidates),
                  [VKR_RANK_SLOT_SORTED] =
                      vkr_row_items("the list of k entries", r->sorted, wanted, wanted),
                  [VKR_RANK_SLOT_VALUES] = vkr_row_items("values", values, k, wanted),
                  [VKR_RANK_SLOT_INDICES] = vkr_row_items("indices", indices, k, wanted),
                  [VKR_RANK_SLOT_FOUND] = vkr_row_items("found", found, 1, 1),
                  [VKR_RANK_SLOT_SPANS] = vkr_row_items("scratch", t->spans.at, 1, 1)}};
    vkr_set_order(&t->order, &pass.constants[VKR_RANK_CONST_KEY_FORM]);
    struct vkr_rank_push *push = VKR_PUSH(&pass, vkr_rank_push);
    push->row_length = (uint32_t)t->length;
    push->row_pitch = (uint32_t)t->pitch;
    push->keys_pitch = (uint32_t)pitch;
    push->candidates = (uint32_t)candidates;
    push->wanted = t->wanted;
    push->pitch = t->info->k;
    return vkr_emit_grid(recorder, &pass, &grid);
}
