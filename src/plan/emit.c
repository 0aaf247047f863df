/* SPDX-License-Identifier: MIT */
#include "pass.h"

void vkr_pass_bind(vkr_pass *pass, const vkr_slot *slot, vkr_span span, vkr_place place,
                   uint64_t count)
{
    pass->bound[pass->bound_count++] = (vkr_bound){slot, span, place, count};
}

static void fill(const vkr_pass *pass, const vkr_bound *bound, const vkr_window *window,
                 vkr_step *step)
{
    uint64_t first = 0, count = bound->count;
    if (bound->span == VKR_SPAN_ELEMENTS) {
        first = window->first;
        count = window->count;
    } else if (bound->span == VKR_SPAN_RUNS) {
        first = window->run;
        count = vkr_walk_runs(pass->walk, window->groups);
    } else if (bound->span == VKR_SPAN_GROUPS) {
        first = window->tile;
        count = window->groups;
    }
    (void)vkr_fill_slot(&pass->walk->context->caps, step, bound->slot, &bound->place, first, count);
}

static VkrResult emit_window(const vkr_pass *pass, const vkr_window *window)
{
    vkr_step step = vkr_new_step(pass->interface, pass->label, pass->variant);
    vkr_set_window(pass->walk, pass->interface, window, &step);
    for (uint32_t i = 0; i < pass->bound_count; i++)
        fill(pass, &pass->bound[i], window, &step);
    VkrResult result = pass->finish != NULL ? pass->finish(pass, window, &step) : VKR_SUCCESS;
    if (result != VKR_SUCCESS || step.groups[0] == 0)
        return result;
    return vkr_add_step(pass->recorder, &step);
}

VkrResult vkr_emit(VkrRecorder recorder, vkr_pass *pass)
{
    const uint32_t turns = pass->in_order ? 1 : 2;
    VkrResult result = VKR_SUCCESS;
    pass->recorder = recorder;
    for (uint32_t turn = 0; turn < turns; turn++) {
        vkr_window window = vkr_first_window(pass->walk);
        for (;; window = vkr_next_window(pass->walk, &window)) {
            if (window.index % turns == turn)
                result = emit_window(pass, &window);
            if (result != VKR_SUCCESS || window.is_last)
                break;
        }
        if (result != VKR_SUCCESS)
            break;
    }
    return result;
}
