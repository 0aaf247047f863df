/* SPDX-License-Identifier: MIT */
#include "stage.h"

#include "pass.h"

#define BATCH 8u      /* texels in flight */
#define MIN_ITEMS 16u /* texels of an invocation, if there are as many for each */
#define MAX_ITEMS 4096u

static void finish(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    vkr_fill_texels_of_image(pass->walk, window, step);
}

/* The walk over the texels, whose values go to `target`. */
static VkrResult walk_texels(const vkr_walk *operation, const vkr_view *view, uint64_t count,
                             vkr_place target, vkr_walk *w)
{
    const vkr_caps *caps = &operation->context->caps;
    *w = (vkr_walk){.context = operation->context,
                    .call = operation->call,
                    .label = operation->label,
                    .count = count,
                    .loads = view->image.loads,
                    .batch = BATCH,
                    .max_groups = vkr_all_groups(caps),
                    .reached = {target},
                    .reached_count = 1};
    vkr_start_walk(w, VKR_OPERATION_REDUCE, VKR_FAMILY_STAGE, view);
    VKR_TRY(vkr_choose_workgroup(w, 0, w->tuning->workgroupSize, &(vkr_shared){0}));
    const uint64_t full = (uint64_t)w->workgroup_size * w->tuning->maxGroups;
    w->items = (uint32_t)vkr_clamp(vkr_divide_up(count, full), MIN_ITEMS, MAX_ITEMS);
    return vkr_cut(w);
}

VkrResult vkr_stage(VkrRecorder recorder, const vkr_walk *operation, uint64_t count, vkr_view *view)
{
    const vkr_view image = *view;
    vkr_place target;
    vkr_walk w;
    if (!vkr_is_image(view))
        return VKR_SUCCESS;
    view->image = (vkr_image){0};
    view->size = count * view->stride;
    view->capacity = count;
    if (count == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, image.components, count, &target));
    VKR_TRY(walk_texels(operation, &image, count, target, &w));
    vkr_pass pass = {.walk = &w,
                     .interface = &vkr_stage_interface,
                     .variant = {.kernel = vkr_kernel_of(&w, w.family, w.loads),
                                 .constants = {[VKR_CONST_WORKGROUP] = w.workgroup_size,
                                               [VKR_CONST_COMPONENTS] = image.components,
                                               [VKR_CONST_ORDER] = VKR_ORDER_COALESCED,
                                               [VKR_CONST_BATCH] = w.batch}},
                     .finish = finish};
    vkr_bind(&pass, VKR_STAGE_SLOT_VALUES, VKR_SPAN_ELEMENTS, target);
    view->buffer = VKR_SCRATCH;
    view->offset = target.offset;
    return vkr_emit(recorder, &pass);
}
