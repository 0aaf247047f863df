/* SPDX-License-Identifier: MIT */
#include "apart.h"

#include "kernel_list.h"
#include "pick.h"

/* ---- The number of elements ---- */

static VkrResult add_number(VkrRecorder recorder, vkr_apart *a)
{
    vkr_walk walk = vkr_new_groups_walk(recorder, a->call);
    vkr_place number;
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, 1, 1, &number));
    a->known = (VkrGpuCount){VKR_SCRATCH, number.offset, VKR_TYPE_U32};
    vkr_pass pass = {
        .walk = &walk,
        .card = &vkr_beside_card,
        .kernel = VKR_KERNEL_BESIDE,
        .constants =
            {[VKR_CONST_WORKGROUP] = 1, [VKR_BESIDE_CONST_FLAGS] = vkr_count_flags(a->all_known)},
        .slots = {[VKR_BESIDE_SLOT_COUNT] = {.place = vkr_place_of_count(a->all_known)},
                  [VKR_BESIDE_SLOT_TARGET] = vkr_items(number, 0, 1)}};
    struct vkr_beside_push *push = VKR_PUSH(&pass, vkr_beside_push);
    push->capacity = (uint32_t)a->all;
    push->row_length = (uint32_t)a->length;
    push->row_pitch = (uint32_t)a->pitch;
    return vkr_emit_groups(recorder, &pass, 1);
}

VkrResult vkr_plan_apart(VkrRecorder recorder, const char *call, const VkrSegments *segments,
                         uint64_t count, const VkrGpuCount *gpu_count, vkr_apart *a)
{
    const uint64_t rows = count / segments->pitch, rest = count % segments->pitch;
    *a = (vkr_apart){.call = call,
                     .length = segments->length,
                     .pitch = segments->pitch,
                     .all = count,
                     .all_known = gpu_count,
                     .count = rows * segments->length + vkr_min(rest, segments->length)};
    return gpu_count->buffer != VK_NULL_HANDLE ? add_number(recorder, a) : VKR_SUCCESS;
}

/* ---- Moves ---- */

VkrResult vkr_add_beside(VkrRecorder recorder, const vkr_apart *a, const vkr_view *like,
                         vkr_view *view)
{
    *view = (vkr_view){.buffer = VKR_SCRATCH,
                       .type = like->type,
                       .type_id = like->type_id,
                       .components = like->components,
                       .capacity = a->count,
                       .by_value = like->by_value};
    view->stride = vkr_element_size(view);
    view->size = a->count * view->stride;
    return vkr_add_scratch(recorder, view->size, &view->offset);
}

VkrResult vkr_move_rows(VkrRecorder recorder, const vkr_apart *a, const vkr_view *list,
                        const vkr_rows_at *from, const vkr_rows_at *to)
{
    vkr_walk walk = vkr_new_groups_walk(recorder, a->call);
    walk.count = from->apart ? a->all : a->count;
    const vkr_picking picking = {.walk = &walk,
                                 .gpu_count = from->apart ? a->all_known : &a->known,
                                 .workgroup_size = VKR_SMALL_WORKGROUP,
                                 .length = a->length,
                                 .row_pitch = from->apart ? a->pitch : a->length,
                                 .wanted = a->length,
                                 .pitch = to->apart ? a->pitch : a->length,
                                 .entries = a->count,
                                 .list = list != NULL ? vkr_place_of_view(list) : (vkr_place){0},
                                 .source_name = from->name,
                                 .name = to->name,
                                 .source = from->view,
                                 .target = to->view};
    return vkr_plan_picking(recorder, &picking);
}

VkrResult vkr_bring_rows(VkrRecorder recorder, const vkr_apart *a, const char *name, vkr_view *view)
{
    const vkr_rows_at from = {name, *view, true};
    vkr_rows_at to = {.name = "copies of rows"};
    VKR_TRY(vkr_add_beside(recorder, a, view, &to.view));
    *view = to.view;
    return vkr_move_rows(recorder, a, NULL, &from, &to);
}
