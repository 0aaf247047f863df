/* SPDX-License-Identifier: MIT */
#include "pick.h"

#include "grid.h"
#include "kernel_list.h"

/* ---- Units ---- */

/* As wide as one load can be, where entries allow that. */
static uint32_t unit_of(const vkr_picking *p)
{
    const vkr_view *source = &p->source, *target = &p->target;
    const VkDeviceSize ends = vkr_element_size(target) | source->offset | source->stride |
                              target->offset | target->stride;
    if (!vkr_has_buffer(source))
        return 4;
    return ends % 16 == 0  ? 16
           : ends % 8 == 0 ? 8
           : ends % 4 == 0 ? 4
                           : (uint32_t)vkr_min(target->type->size, 4);
}

static uint32_t units_of(const vkr_picking *p)
{
    return (uint32_t)vkr_element_size(&p->target) / unit_of(p);
}

static vkr_place place_of(const vkr_view *view, uint32_t unit)
{
    vkr_place place = vkr_place_of_view(view);
    place.unit = unit;
    return place;
}

/* ---- Entries ---- */

/* The entries that the target has room for; the last row may be shorter. */
static uint64_t room_of(const vkr_picking *p)
{
    const uint64_t before = (p->entries - 1) / p->wanted; /* rows */
    return before * p->pitch + p->entries - before * p->wanted;
}

/* Indices of other sources wrap below 0, or pass the number of entries. */
static void finish(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_picking *p = pass->operation;
    (void)window;
    VKR_PUSH(step, vkr_pick_push)->source_first += (uint32_t)p->first_source;
}

VkrResult vkr_plan_picking(VkrRecorder recorder, const vkr_picking *p)
{
    static const uint32_t kernels[] = {VKR_KERNEL_PICK_8, VKR_KERNEL_PICK_16, VKR_KERNEL_PICK_32,
                                       VKR_KERNEL_PICK_64, VKR_KERNEL_PICK_128};
    const uint32_t unit = unit_of(p), units = units_of(p);
    const bool is_copied = vkr_has_buffer(&p->source);
    const uint64_t wanted = p->wanted;
    const vkr_grid grid = {.rows = vkr_divide_up(p->entries, wanted),
                           .parts = wanted,
                           .cells = p->entries,
                           .work = units,
                           .share = (uint64_t)p->workgroup_size * VKR_PICK_BATCH,
                           .max_cells = VKR_MAX_UNITS / units};
    const uint64_t sources = p->sources != 0 ? p->sources : p->walk->count;
    if (p->entries == 0)
        return VKR_SUCCESS;
    vkr_pass pass = {
        .walk = p->walk,
        .card = &vkr_pick_card,
        .finish = finish,
        .operation = p,
        .kernel = kernels[vkr_log2_up(unit)],
        .constants = {[VKR_CONST_WORKGROUP] = p->workgroup_size,
                      [VKR_PICK_CONST_UNITS] = units,
                      [VKR_PICK_CONST_FLAGS] =
                          (is_copied ? 0 : VKR_PICK_FLAG_INDICES) |
                          (p->spans.buffer != VK_NULL_HANDLE ? VKR_PICK_FLAG_SPANS : 0) |
                          (p->padded ? VKR_PICK_FLAG_PADDED : 0) |
                          (p->columns != 0 ? VKR_PICK_FLAG_COLUMNS : 0) |
                          (p->list.buffer == VK_NULL_HANDLE ? VKR_PICK_FLAG_COPY : 0)},
        .slots = {[VKR_PICK_SLOT_LIST] =
                      vkr_part_items("the list of indices", p->list, wanted, wanted, 1, p->entries),
                  [VKR_PICK_SLOT_SOURCE] = vkr_any_of(p->source_name, place_of(&p->source, unit),
                                                      p->columns != 0 ? 0 : p->row_pitch, sources),
                  [VKR_PICK_SLOT_TARGET] = vkr_part_items(p->name, place_of(&p->target, unit),
                                                          p->pitch, wanted, 1, room_of(p)),
                  [VKR_PICK_SLOT_SPANS] = vkr_row_items("scratch", p->spans, 1, 1)}};
    if (p->gpu_count != NULL) {
        pass.constants[VKR_PICK_CONST_FLAGS] |= vkr_count_flags(p->gpu_count);
        pass.slots[VKR_PICK_SLOT_COUNT].place = vkr_place_of_count(p->gpu_count);
    }
    struct vkr_pick_push *push = VKR_PUSH(&pass, vkr_pick_push);
    push->row_length = (uint32_t)p->length;
    push->row_pitch = (uint32_t)p->row_pitch;
    push->wanted = (uint32_t)wanted;
    push->pitch = (uint32_t)p->pitch;
    push->columns = (uint32_t)p->columns;
    push->apart = (uint32_t)p->apart;
    push->pad_low = (uint32_t)p->pad;
    push->pad_high = (uint32_t)(p->pad >> 32);
    return vkr_emit_grid(recorder, &pass, &grid);
}
