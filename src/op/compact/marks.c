/* SPDX-License-Identifier: MIT */
/*
 * Moves payloads, and values beside flags, by marks: one bit for each element that is kept. The
 * pass that counts writes them; a dispatch for each payload reads them and moves the entries of the
 * same shares.
 */
#include "../../tables/kernels.h"
#include "compact.h"
#include "kernel_list.h"

/* The words of marks of a workgroup's share, which are a whole number of words for each
 * invocation. */
static uint64_t words_of_share(const vkr_compact *c)
{
    return c->walk.workgroup_size * vkr_divide_up(c->walk.items, VKR_WORD_BITS);
}

bool vkr_can_mark(const vkr_compact *c, uint32_t units)
{
    const vkr_walk *w = &c->walk;
    const vkr_caps *caps = &w->context->caps;
    /* A word of marks takes up to 32 trips to gather, 32 to list, and 32 to move for each unit. */
    const bool gathers = w->order == VKR_ORDER_COALESCED;
    const uint64_t trips = vkr_divide_up(w->items, VKR_WORD_BITS) *
                           (64 + 32 * (uint64_t)units + (gathers ? VKR_WORD_BITS : 0));
    const uint64_t groups = vkr_walk_groups(w, vkr_min(w->count, w->window), w->unit);
    /* A list of eight entries for each invocation, a word of marks, and a slot of a scan. */
    const uint64_t shared = 4 * (uint64_t)(8 + 1 + 1) * w->workgroup_size + 64;
    return w->count != 0 && shared <= caps->max_shared_memory && !w->one && !w->tiles &&
           !vkr_is_stream(c->info) && trips <= VKR_MARK_TRIPS &&
           groups * words_of_share(c) <= vkr_room(caps) / 4;
}

VkrResult vkr_add_marks(VkrRecorder recorder, vkr_compact *c)
{
    if (c->marks.buffer != VK_NULL_HANDLE) /* both sides have the same ones */
        return VKR_SUCCESS;
    return vkr_add_words(recorder, VKR_SCRATCH, words_of_share(c), c->walk.groups, &c->marks);
}

static uint32_t kernel_of(const vkr_compact *c, const vkr_move *move)
{
    static const uint32_t kernels[2][5] = {
        {VKR_KERNEL_MOVE_8_SHUFFLE, VKR_KERNEL_MOVE_16_SHUFFLE, VKR_KERNEL_MOVE_32_SHUFFLE,
         VKR_KERNEL_MOVE_64_SHUFFLE, VKR_KERNEL_MOVE_128_SHUFFLE},
        {VKR_KERNEL_MOVE_8_SHARED, VKR_KERNEL_MOVE_16_SHARED, VKR_KERNEL_MOVE_32_SHARED,
         VKR_KERNEL_MOVE_64_SHARED, VKR_KERNEL_MOVE_128_SHARED}};
    const bool shared = c->walk.group_path == VKR_GROUP_PATH_SHARED;
    return move->texels && !shared ? VKR_KERNEL_MOVE_128_TEXEL_SHUFFLE
                                   : kernels[shared][vkr_log2_up(move->unit)];
}

/* Adds the move of what a window of elements, of the source and of the target have in common. Only
 * workgroups whose shares meet the source's window are dispatched. */
static VkrResult add_move(VkrRecorder recorder, const vkr_compact *c, const vkr_move *move,
                          const vkr_window *elements, const vkr_bound *source,
                          const vkr_bound *target)
{
    const vkr_walk *w = &c->walk;
    const uint64_t end = vkr_min(elements->first + elements->count, source->first + source->count);
    const uint64_t first = vkr_max(elements->first, source->first);
    const uint64_t share = (uint64_t)w->workgroup_size * w->items;
    const uint64_t group = (first - elements->first + elements->lead) / share;
    const uint64_t last = (end - 1 - elements->first + elements->lead) / share;
    const uint32_t kernel = kernel_of(c, move);
    vkr_pass pass = {.walk = w,
                     .card = vkr_loads_texels(kernel) ? &vkr_move_texel_card : &vkr_move_card,
                     .kernel = kernel,
                     .constants = {[VKR_MOVE_CONST_UNITS] = move->units,
                                   [VKR_MOVE_CONST_STEP] = w->unit,
                                   [VKR_CONST_COMPONENTS] = 1,
                                   [VKR_CONST_FLAGS] =
                                       (move->side == VKR_REJECTED ? VKR_MOVE_FLAG_REJECTED : 0) |
                                       (vkr_is_appended(c, move->side) ? VKR_MOVE_FLAG_APPEND : 0)},
                     .slots = {[VKR_MOVE_SLOT_MARKS] =
                                   vkr_items(c->marks, elements->tile + group, last + 1 - group)}};
    struct vkr_move_push *push = VKR_PUSH(&pass, vkr_move_push);
    vkr_window window = *elements;
    window.groups = last + 1 - group;
    push->first_group = (uint32_t)group;
    push->groups = (uint32_t)window.groups;
    push->first_run = (uint32_t)elements->run;
    push->source_first = (uint32_t)(source->first - elements->first);
    vkr_bind_move(c, move, source, target, &pass);
    return vkr_emit_window(recorder, &pass, &window);
}

VkrResult vkr_add_marked_moves(VkrRecorder recorder, const vkr_compact *c, const vkr_move *move,
                               const vkr_bound *target)
{
    const vkr_walk *w = &c->walk;
    const bool appended = vkr_is_appended(c, move->side);
    const uint64_t reach =
        vkr_min(vkr_view_reach(&w->context->caps, &move->source, w->count), VKR_MAX_POSITIONS);
    vkr_window elements = vkr_first_window(w);
    for (;; elements = vkr_next_window(w, &elements)) {
        const uint64_t end = elements.first + elements.count;
        vkr_bound source = vkr_start_items(&move->source, move->unit);
        while ((appended || end > target->first) && vkr_next_items(&source, w->count, reach))
            if (source.first < end && elements.first < source.first + source.count)
                VKR_TRY(add_move(recorder, c, move, &elements, &source, target));
        if (elements.is_last)
            return VKR_SUCCESS;
    }
}
