/* SPDX-License-Identifier: MIT */
/* Turns passes into steps, and fills the bindings of steps. */
#include "pass.h"

#include <string.h>

#include "image.h"

VkrResult vkr_add_words(VkrRecorder recorder, VkBuffer region, uint64_t words, uint64_t count,
                        vkr_place *place)
{
    *place = vkr_place_of_words(region, 0, words);
    const VkDeviceSize size = place->size * count;
    return region == VKR_COUNTERS ? vkr_add_counters(recorder, size, &place->offset)
                                  : vkr_add_scratch(recorder, size, &place->offset);
}

VkrResult vkr_add_ticket_words(VkrRecorder recorder, uint64_t words, vkr_place *place)
{
    *place = words != 0 ? vkr_place_of_words(VKR_COUNTERS, 0, 1) : (vkr_place){0};
    return vkr_add_tickets(recorder, place->size * words, &place->offset);
}

VkrResult vkr_add_ticket(VkrRecorder recorder, bool is_there, vkr_place *place)
{
    return vkr_add_ticket_words(recorder, is_there, place);
}

/* ---- One step ---- */

uint32_t vkr_fill(const vkr_pass *pass, vkr_step *step, uint32_t slot, vkr_place place,
                  uint64_t first, uint64_t count)
{
    return vkr_fill_slot(&pass->walk->context->caps, step, &pass->card->slots[slot], &place, first,
                         count);
}

/* Fills a slot with a bit for each element of the window, whose first bit need not start a word. */
static void fill_bits(const vkr_pass *pass, uint32_t slot, const vkr_window *window, vkr_step *step)
{
    const uint64_t first = pass->slots[slot].first + window->first;
    const uint64_t word = first / VKR_WORD_BITS, bit = first % VKR_WORD_BITS;
    const uint64_t words = vkr_divide_up(bit + window->count, VKR_WORD_BITS);
    const uint32_t base = vkr_fill(pass, step, slot, pass->slots[slot].place, word, words);
    vkr_set_field(step, pass->card->slots[slot].base, base * VKR_WORD_BITS + (uint32_t)bit);
}

vkr_extent vkr_items_of_box(const vkr_bound *bound, const vkr_window *box)
{
    const uint64_t length = bound->length;
    const uint64_t begin = vkr_min(box->part * bound->share, length);
    const uint64_t end =
        bound->share == 0 ? length : vkr_min((box->part + box->parts) * bound->share, length);
    const uint64_t last = bound->all - 1; /* a descriptor holds one item at least */
    const uint64_t first = vkr_min(box->row * bound->pitch + begin, last);
    const uint64_t count = (box->rows - 1) * bound->pitch + end - begin;
    if (bound->all == 0)
        return (vkr_extent){0, 0};
    return (vkr_extent){first, vkr_min(count, bound->all - first)};
}

static vkr_extent with_before(const vkr_bound *bound, vkr_extent items)
{
    const uint64_t before = vkr_min(bound->before, items.first);
    return (vkr_extent){items.first - before, items.count + before};
}

static void fill_items(const vkr_pass *pass, uint32_t slot, vkr_extent items, vkr_step *step)
{
    const vkr_bound *bound = &pass->slots[slot];
    const vkr_place *place = &bound->place;
    const uint32_t base = vkr_fill(pass, step, slot, *place, items.first, items.count);
    const uint64_t before = items.first * place->stride / place->unit;
    if (bound->from_zero && place->buffer != VK_NULL_HANDLE)
        vkr_set_field(step, pass->card->slots[slot].base, base - (uint32_t)before);
}

static void fill_bound(const vkr_pass *pass, uint32_t slot, const vkr_window *window,
                       vkr_step *step)
{
    const vkr_bound *bound = &pass->slots[slot];
    uint64_t first = bound->first, count = bound->count;
    switch (bound->span) {
    case VKR_SPAN_ITEM:
        count = 1;
        break;
    case VKR_SPAN_ITEMS:
        break;
    case VKR_SPAN_ELEMENTS:
        first = window->first;
        count = window->count;
        break;
    case VKR_SPAN_RUNS:
        first = window->run;
        count = vkr_walk_runs(pass->walk, window->groups);
        break;
    case VKR_SPAN_GROUPS:
        first = window->tile;
        count = window->groups;
        break;
    case VKR_SPAN_BLOCKS:
        first = window->first / VKR_TREE_BLOCK;
        count = vkr_divide_up(window->count, VKR_TREE_BLOCK);
        break;
    case VKR_SPAN_WORDS:
        first = window->first / VKR_WORD_BITS;
        count = vkr_divide_up(window->count, VKR_WORD_BITS);
        break;
    case VKR_SPAN_BITS:
        fill_bits(pass, slot, window, step);
        return;
    case VKR_SPAN_PARTS:
        fill_items(pass, slot, vkr_items_of_box(bound, window), step);
        return;
    case VKR_SPAN_ANY:
        fill_items(pass, slot, with_before(bound, window->any), step);
        return;
    }
    fill_items(pass, slot, (vkr_extent){first, count}, step);
}

/* Sets where the wide loads start in the buffers of the first and the second slot. */
static void place_loads(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_card *card = pass->card;
    const vkr_walk *w = pass->walk;
    for (const vkr_filled *filled = card->filled; filled->role != VKR_ROLE_NONE; filled++) {
        if (filled->role == VKR_ROLE_LOAD)
            vkr_set_field(
                step, filled->field,
                vkr_bind_loads(w, window, vkr_get_field(step, card->slots[0].base), step));
        if (filled->role == VKR_ROLE_LOAD2)
            vkr_set_field(step, filled->field,
                          vkr_load_base(w, window,
                                        (uint64_t)vkr_get_field(step, card->slots[1].base) *
                                            w->view->type->size));
    }
}

/* Binds what wide loads, or loads from an image, need. */
static void fill_loads(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_walk *w = pass->walk;
    if (w->loads == 0 || window->count == 0)
        return;
    if (!w->loads_image) {
        place_loads(pass, window, step);
        return;
    }
    if (pass->places_texels)
        vkr_place_texels(w, window, step);
    vkr_fill_image(step, VKR_BINDING_IMAGE, VKR_KIND_SAMPLED_IMAGE, &w->view->image,
                   VK_ACCESS_SHADER_READ_BIT);
}

/* The variant of a pass. The walk supplies constants that the pass has left 0. */
static vkr_variant choose_variant(const vkr_pass *pass)
{
    const vkr_walk *w = pass->walk;
    const bool packs = w->context->caps.u64_packs;
    vkr_variant variant = {.kernel = packs ? vkr_u64_kernel(pass->kernel) : pass->kernel,
                           .image_format = pass->image_format};
    const uint32_t given[VKR_MAX_CONSTANTS] = {[VKR_CONST_WORKGROUP] = w->workgroup_size,
                                               [VKR_CONST_COMPONENTS] = w->view->components,
                                               [VKR_CONST_SIGNED] = w->view->type->is_signed,
                                               [VKR_CONST_SUBGROUPS] = vkr_walk_subgroups(w),
                                               [VKR_CONST_PATH] =
                                                   w->loads != 0 ? VKR_PATH_WIDE : VKR_PATH_ELEMENT,
                                               [VKR_CONST_ORDER] = w->order,
                                               [VKR_CONST_BATCH] = w->batch};
    memcpy(variant.constants, pass->constants, sizeof variant.constants);
    for (uint32_t i = 0; i < VKR_MAX_CONSTANTS; i++)
        if ((pass->card->given >> i & 1) != 0 && variant.constants[i] == 0)
            variant.constants[i] = given[i];
    return variant;
}

static VkrResult emit_step(VkrRecorder recorder, const vkr_pass *pass, const vkr_window *window)
{
    VKR_TRY(vkr_check_kernel(pass->walk, pass->kernel));
    vkr_step step = vkr_new_step(pass->card, choose_variant(pass));
    memcpy(step.push, pass->push, sizeof step.push);
    memcpy(step.uniforms, pass->uniforms, sizeof step.uniforms);
    vkr_set_window(pass->walk, pass->card, window, &step);
    for (uint32_t i = 0; i < VKR_MAX_SLOTS; i++)
        if (pass->slots[i].place.buffer != VK_NULL_HANDLE)
            fill_bound(pass, i, window, &step);
    fill_loads(pass, window, &step);
    if (pass->finish != NULL)
        pass->finish(pass, window, &step);
    return step.groups[0] == 0 ? VKR_SUCCESS : vkr_add_step(recorder, &step);
}

VkrResult vkr_emit_window(VkrRecorder recorder, const vkr_pass *pass, const vkr_window *window)
{
    vkr_window at = *window;
    uint64_t steps;
    if (!vkr_has_any(pass))
        return emit_step(recorder, pass, window);
    VKR_TRY(vkr_count_any(pass, at, &steps));
    VKR_TRY(vkr_check_steps(pass, steps));
    vkr_first_any(pass, &at);
    do
        VKR_TRY(emit_step(recorder, pass, &at));
    while (vkr_next_any(pass, &at));
    return VKR_SUCCESS;
}

VkrResult vkr_emit_groups(VkrRecorder recorder, const vkr_pass *pass, uint64_t groups)
{
    const vkr_window window = {.groups = groups};
    return vkr_emit_window(recorder, pass, &window);
}

/* ---- All steps of a pass ---- */

static VkrResult emit_windows(VkrRecorder recorder, const vkr_pass *pass, vkr_extent any)
{
    const uint32_t turns = pass->in_order || pass->walk->windows == 1 ? 1 : 2;
    for (uint32_t turn = 0; turn < turns; turn++) {
        vkr_window window = vkr_first_window(pass->walk);
        for (;; window = vkr_next_window(pass->walk, &window)) {
            window.any = any;
            if (window.index % turns == turn)
                VKR_TRY(emit_step(recorder, pass, &window));
            if (window.is_last)
                break;
        }
    }
    return VKR_SUCCESS;
}

VkrResult vkr_emit(VkrRecorder recorder, const vkr_pass *pass)
{
    vkr_window all = {0};
    uint64_t count;
    if (!vkr_has_any(pass))
        return emit_windows(recorder, pass, all.any);
    VKR_TRY(vkr_count_any(pass, all, &count));
    VKR_TRY(vkr_check_steps(pass, pass->walk->windows * count));
    vkr_first_any(pass, &all);
    do
        VKR_TRY(emit_windows(recorder, pass, all.any));
    while (vkr_next_any(pass, &all));
    return VKR_SUCCESS;
}

uint32_t vkr_count_flags(const VkrGpuCount *count)
{
    if (count->buffer == VK_NULL_HANDLE)
        return 0;
    return VKR_FLAG_GPU_COUNT | (count->type == VKR_TYPE_U64 ? VKR_FLAG_GPU_COUNT64 : 0);
}
