/* SPDX-License-Identifier: MIT */
#include "apart.h"

#include <inttypes.h>

#include "kernel_list.h"
#include "pick.h"
#include "transpose.h"

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

VkrResult vkr_check_columns(const vkr_walk *w, const VkrSegments *segments)
{
    const uint64_t length = segments->length;
    VKR_MUST(w, length != 0, "segments.length is 0, but must be at least 1.");
    VKR_MUST(w, w->count % length == 0,
             "segments.length is %" PRIu64 ", but must divide count, %" PRIu64 ", for columns.",
             length, w->count);
    return VKR_SUCCESS;
}

VkrResult vkr_plan_apart(VkrRecorder recorder, const char *call, const VkrSegments *segments,
                         uint64_t count, const VkrGpuCount *gpu_count, vkr_apart *a)
{
    if (segments->kind == VKR_SEGMENTS_COLUMNS) {
        const uint64_t length = count / segments->length;
        *a = (vkr_apart){.call = call,
                         .columns = segments->length,
                         .length = length,
                         .pitch = length,
                         .all = count,
                         .all_known = gpu_count,
                         .count = count};
        return VKR_SUCCESS;
    }
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

/* Moves all entries of columns to rows, or back. */
static VkrResult transpose(VkrRecorder recorder, const vkr_apart *a, uint64_t last,
                           const vkr_rows_at *from, const vkr_rows_at *to)
{
    const vkr_transposition transposition = {.call = a->call,
                                             .rows = to->apart ? a->columns : a->length,
                                             .columns = to->apart ? a->length : a->columns,
                                             .gpu_count = a->all_known,
                                             .to_columns = to->apart,
                                             .pad = last,
                                             .source_name = from->name,
                                             .name = to->name,
                                             .source = from->view,
                                             .target = to->view};
    return vkr_plan_transposition(recorder, &transposition);
}

/* Sets what the rows of a move are; where they are columns, all entries are one row. */
static void set_rows(const vkr_apart *a, bool from_apart, bool to_apart, vkr_picking *p)
{
    const bool columns = a->columns != 0;
    p->gpu_count = from_apart || columns ? a->all_known : &a->known;
    p->length = a->length;
    p->row_pitch = from_apart ? a->pitch : a->length;
    p->wanted = a->length;
    p->pitch = to_apart ? a->pitch : a->length;
    if (!columns)
        return;
    p->columns = a->columns;
    p->row_pitch = from_apart ? 1 : a->pitch;
    p->apart = from_apart ? a->columns : 1;
    p->wanted = p->pitch = a->count;
}

VkrResult vkr_move_rows(VkrRecorder recorder, const vkr_apart *a, const vkr_view *list,
                        const vkr_rows_at *from, const vkr_rows_at *to)
{
    vkr_walk walk = vkr_new_groups_walk(recorder, a->call);
    if (a->columns != 0 && list == NULL)
        return transpose(recorder, a, 0, from, to);
    walk.count = from->apart || a->columns != 0 ? a->all : a->count;
    vkr_picking picking = {.walk = &walk,
                           .workgroup_size = VKR_SMALL_WORKGROUP,
                           .entries = a->count,
                           .list = list != NULL ? vkr_place_of_view(list) : (vkr_place){0},
                           .source_name = from->name,
                           .name = to->name,
                           .source = from->view,
                           .target = to->view};
    set_rows(a, from->apart, to->apart, &picking);
    return vkr_plan_picking(recorder, &picking);
}

VkrResult vkr_bring_rows(VkrRecorder recorder, const vkr_apart *a, const char *name, uint64_t last,
                         vkr_view *view)
{
    const vkr_rows_at from = {name, *view, true};
    vkr_rows_at to = {.name = "copies of rows"};
    VKR_TRY(vkr_add_beside(recorder, a, view, &to.view));
    *view = to.view;
    return a->columns != 0 ? transpose(recorder, a, last, &from, &to)
                           : vkr_move_rows(recorder, a, NULL, &from, &to);
}
