/* SPDX-License-Identifier: MIT */
/* What passes bind, and the steps that they become. */
#include "pass.h"

#include <string.h>

/* Adds a slot. Slots for which a pass has no room are only counted, so that vkr_emit_window refuses
 * the pass. */
static void add_bound(vkr_pass *pass, const vkr_bound *bound)
{
    const uint32_t index = pass->bound_count++;
    if (index < VKR_MAX_BOUND)
        pass->bound[index] = *bound;
}

void vkr_bind(vkr_pass *pass, uint32_t slot, vkr_span span, vkr_place place)
{
    add_bound(pass, &(vkr_bound){.slot = slot, .span = span, .place = place});
}

void vkr_bind_items(vkr_pass *pass, uint32_t slot, vkr_place place, uint64_t first, uint64_t count)
{
    add_bound(pass, &(vkr_bound){slot, VKR_SPAN_ITEMS, place, first, count});
}

void vkr_bind_item(vkr_pass *pass, uint32_t slot, vkr_place place)
{
    vkr_bind_items(pass, slot, place, 0, 1);
}

VkrResult vkr_add_words(VkrRecorder recorder, VkBuffer region, uint64_t words, uint64_t count,
                        vkr_place *place)
{
    *place = vkr_place_of_words(region, 0, words);
    const VkDeviceSize size = place->size * count;
    return region == VKR_COUNTERS ? vkr_add_counters(recorder, size, &place->offset)
                                  : vkr_add_scratch(recorder, size, &place->offset);
}

VkrResult vkr_add_ticket(VkrRecorder recorder, bool is_there, vkr_place *place)
{
    *place = vkr_place_of_words(VKR_COUNTERS, 0, 1);
    return vkr_add_tickets(recorder, is_there ? place->size : 0, &place->offset);
}

uint32_t vkr_fill(const vkr_pass *pass, vkr_step *step, uint32_t slot, vkr_place place,
                  uint64_t first, uint64_t count)
{
    return vkr_fill_slot(&pass->walk->context->caps, step, &pass->card->slots[slot], &place, first,
                         count);
}

static void fill_bound(const vkr_pass *pass, const vkr_bound *bound, const vkr_window *window,
                       vkr_step *step)
{
    uint64_t first = bound->first, count = bound->count;
    if (bound->span == VKR_SPAN_ELEMENTS) {
        first = window->first;
        count = window->count;
    } else if (bound->span == VKR_SPAN_RUNS) {
        first = window->run;
        count = vkr_walk_runs(pass->walk, window->groups);
    } else if (bound->span == VKR_SPAN_GROUPS) {
        first = window->tile;
        count = window->groups;
    } else if (bound->span == VKR_SPAN_BLOCKS) {
        first = window->first / VKR_TREE_BLOCK;
        count = vkr_divide_up(window->count, VKR_TREE_BLOCK);
    }
    (void)vkr_fill(pass, step, bound->slot, bound->place, first, count);
}

VkrResult vkr_emit_window(VkrRecorder recorder, const vkr_pass *pass, const vkr_window *window)
{
    if (pass->bound_count > VKR_MAX_BOUND)
        return vkr_refuse(pass->walk, "a pass fills %u slots, but must fill at most %u.",
                          pass->bound_count, VKR_MAX_BOUND);
    VKR_TRY(vkr_check_kernel(pass->walk, pass->variant.kernel));
    vkr_step step = vkr_new_step(pass->card, pass->walk->label, pass->variant);
    if (pass->walk->context->caps.u64_packs)
        step.variant.kernel = vkr_u64_kernel(pass->variant.kernel);
    memcpy(step.push, pass->push, sizeof step.push);
    memcpy(step.uniforms, pass->uniforms, sizeof step.uniforms);
    vkr_set_window(pass->walk, pass->card, window, &step);
    for (uint32_t i = 0; i < pass->bound_count; i++)
        fill_bound(pass, &pass->bound[i], window, &step);
    if (pass->finish != NULL)
        pass->finish(pass, window, &step);
    return step.groups[0] == 0 ? VKR_SUCCESS : vkr_add_step(recorder, &step);
}

VkrResult vkr_emit(VkrRecorder recorder, const vkr_pass *pass)
{
    const uint32_t turns = pass->in_order ? 1 : 2;
    for (uint32_t turn = 0; turn < turns; turn++) {
        vkr_window window = vkr_first_window(pass->walk);
        for (;; window = vkr_next_window(pass->walk, &window)) {
            if (window.index % turns == turn)
                VKR_TRY(vkr_emit_window(recorder, pass, &window));
            if (window.is_last)
                break;
        }
    }
    return VKR_SUCCESS;
}

uint32_t vkr_count_flags(const VkrGpuCount *count)
{
    if (count->buffer == VK_NULL_HANDLE)
        return 0;
    return VKR_FLAG_GPU_COUNT | (count->type == VKR_TYPE_U64 ? VKR_FLAG_GPU_COUNT64 : 0);
}
