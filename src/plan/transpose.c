/* SPDX-License-Identifier: MIT */
#include "transpose.h"

#include "grid.h"
#include "kernel_list.h"
#include "rows.h"

#define WORKGROUP                                                                                  \
    128u /* invocations, each of which moves several batches; on CPUs there are fewer */
#define SERIAL_WORKGROUP 32u

/* Tiles are square, unless there are so few rows or columns that they are as high, or as wide, as
 * these. Where a descriptor does not reach all elements of the rows of a tile, it has one row. */
static uint64_t height_of(const vkr_transposition *t, const vkr_caps *caps)
{
    const vkr_place source = vkr_place_of_view(&t->source);
    const uint64_t width = vkr_min(VKR_TRANSPOSE_RUN, UINT64_C(1) << vkr_log2_up(t->columns));
    const uint64_t rows = UINT64_C(1) << vkr_log2_up(t->rows);
    const uint64_t height = vkr_min(
        t->columns < VKR_TRANSPOSE_RUN ? VKR_TRANSPOSE_TILE / width : VKR_TRANSPOSE_RUN, rows);
    return height * t->columns <= vkr_place_reach(caps, &source) ? height : 1;
}

/* CPUs move elements directly, and have them in order. */
static bool is_direct(const struct VkrContext_T *context, const vkr_view *view)
{
    return vkr_tuning_of(context, VKR_OPERATION_REDUCE, view)->order == VKR_LOAD_CONTIGUOUS;
}

/* A power of two, which divides a tile. */
static uint32_t workgroup_of(const vkr_caps *caps, bool direct)
{
    uint32_t size = direct ? SERIAL_WORKGROUP : WORKGROUP;
    while (size > caps->max_workgroup_size)
        size /= 2;
    return size;
}

VkrResult vkr_plan_transposition(VkrRecorder recorder, const vkr_transposition *t)
{
    static const uint32_t kernels[] = {VKR_KERNEL_TRANSPOSE_8, VKR_KERNEL_TRANSPOSE_16,
                                       VKR_KERNEL_TRANSPOSE_32, VKR_KERNEL_TRANSPOSE_64};
    const uint64_t count = t->rows * t->columns;
    vkr_walk walk = vkr_new_groups_walk(recorder, t->call);
    walk.count = count;
    if (count == 0)
        return VKR_SUCCESS;
    const bool direct = is_direct(walk.context, &t->source);
    const uint64_t height = height_of(t, &walk.context->caps);
    const uint64_t width = VKR_TRANSPOSE_TILE / height, band = height * t->columns;
    const uint64_t apart = height == 1 ? width : 0;
    const vkr_grid grid = {.rows = vkr_divide_up(t->rows, height),
                           .parts = vkr_divide_up(t->columns, width)};
    vkr_pass pass = {
        .walk = &walk,
        .card = &vkr_transpose_card,
        .kernel = kernels[vkr_log2_up(t->source.type->size)],
        .constants = {[VKR_CONST_WORKGROUP] = workgroup_of(&walk.context->caps, direct),
                      [VKR_TRANSPOSE_CONST_FLAGS] =
                          vkr_count_flags(t->gpu_count) | (direct ? VKR_TRANSPOSE_FLAG_DIRECT : 0) |
                          (t->to_columns ? VKR_TRANSPOSE_FLAG_TARGET : 0)},
        .slots = {[VKR_TRANSPOSE_SLOT_SOURCE] = vkr_part_items(
                      t->source_name, vkr_place_of_view(&t->source), band, band, apart, count),
                  [VKR_TRANSPOSE_SLOT_COUNT] = {.place = vkr_place_of_count(t->gpu_count)},
                  [VKR_TRANSPOSE_SLOT_TARGET] =
                      vkr_any_of(t->name, vkr_place_of_view(&t->target), 0, count)}};
    struct vkr_transpose_push *push = VKR_PUSH(&pass, vkr_transpose_push);
    push->rows = (uint32_t)t->rows;
    push->columns = (uint32_t)t->columns;
    push->height_log2 = vkr_log2_up(height);
    push->tiles = (uint32_t)grid.parts;
    push->apart = (uint32_t)apart;
    push->pad_low = (uint32_t)t->pad;
    push->pad_high = (uint32_t)(t->pad >> 32);
    return vkr_emit_grid(recorder, &pass, &grid);
}
