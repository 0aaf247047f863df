/* SPDX-License-Identifier: MIT */
#include "bits.h"

#include <inttypes.h>
#include <stdio.h>

#include "call.h"
#include "hook.h"
#include "kernel_list.h"

VkrResult vkr_check_flags(const vkr_walk *w, const char *field, const VkrFlagView *flags,
                          const vkr_view *elements)
{
    static const uint32_t unit_of[VKR_FLAG_FORMAT_COUNT] = {4, 1, 4};
    const bool bits = flags->format == VKR_FLAGS_BITS;
    char name[64];
    (void)snprintf(name, sizeof(name), "%s.format", field);
    VKR_TRY(vkr_check_choice(w, name, (int)flags->format, VKR_FLAG_FORMAT_COUNT));
    if (flags->hook != NULL)
        return vkr_check_called_flags(w, field, flags, elements);
    const uint32_t unit = unit_of[flags->format];
    VKR_NEED(w,
             flags->format != VKR_FLAGS_U8 ||
                 (w->context->caps.features & VKR_FEATURE_STORAGE_8BIT) != 0,
             "%s.format is VKR_FLAGS_U8, which needs %s.", field,
             vkr_feature_name(VKR_FEATURE_STORAGE_8BIT));
    VKR_MUST_BE(w, bits || w->count <= UINT64_MAX / unit, "", "count", w->count,
                "be so small that %s, with %" PRIu32
                " bytes for each flag, stays below 2^64 bytes.",
                field, unit);
    const uint64_t bytes = bits ? 4 * vkr_divide_up(w->count, 32) : w->count * unit;
    (void)snprintf(name, sizeof(name), "%s.range", field);
    return bytes ? vkr_check_range(w, name, &flags->range, unit, bytes) : VKR_SUCCESS;
}

/* Adds a step that makes bits for `elements` elements, starting at the window's first one. They are
 * made from `source`: the window's flags, or entries of a list. */
static VkrResult add_step(VkrRecorder recorder, const vkr_walk *w, uint32_t mode, vkr_place bits,
                          const vkr_place *source, vkr_window window, uint64_t elements)
{
    const bool flags = mode == VKR_HEADS_FLAGS;
    const VkrTuning *tuning =
        &w->context->tunings[VKR_OPERATION_SCAN][vkr_tuning_index(VK_FALSE, sizeof(uint32_t))];
    vkr_pass pass = {
        .walk = w,
        .card = &vkr_heads_card,
        .kernel = source->unit == 1 ? VKR_KERNEL_HEADS_W8 : VKR_KERNEL_HEADS,
        .constants = {[VKR_CONST_WORKGROUP] = VKR_SURE_WORKGROUP,
                      [VKR_HEADS_CONST_MODE] = mode,
                      [VKR_CONST_ORDER] = tuning->order},
        .slots = {[VKR_HEADS_SLOT_SOURCE] = {.place = *source},
                  [VKR_HEADS_SLOT_WORDS] = vkr_items(bits, window.first / VKR_WORD_BITS,
                                                     vkr_divide_up(elements, VKR_WORD_BITS))}};
    VKR_PUSH(&pass, vkr_heads_push)->elements = (uint32_t)elements;
    window.groups = vkr_divide_up(flags ? vkr_divide_up(window.count, VKR_WORD_BITS) : window.count,
                                  VKR_SURE_WORKGROUP);
    return vkr_emit_window(recorder, &pass, &window);
}

/* The maximum number of invocations of one dispatch. */
static uint64_t max_invocations(const vkr_caps *caps)
{
    return vkr_min(vkr_all_groups(caps) * VKR_SURE_WORKGROUP, VKR_MAX_REACH);
}

/* The number of values of a size that one descriptor reaches, wherever they start. */
static uint64_t reach(const vkr_caps *caps, uint32_t unit)
{
    return (caps->max_range - (caps->granule - 1)) / unit;
}

/* Rounds a number of elements down to whole granules of bits, so that no two windows write the same
 * granule. */
static uint64_t whole_granules(const vkr_caps *caps, uint64_t elements)
{
    const uint64_t granule = UINT64_C(8) * caps->granule;
    return vkr_min(elements, VKR_MAX_REACH) / granule * granule;
}

static VkrResult check_steps(const vkr_walk *w, uint64_t steps)
{
    return steps <= VKR_MAX_WINDOWS
               ? VKR_SUCCESS
               : vkr_refuse_dispatches(w, VKR_MAX_WINDOWS, "count is %" PRIu64, w->count);
}

VkrResult vkr_plan_bits_of_flags(VkrRecorder recorder, const vkr_walk *w, const VkrFlagView *flags,
                                 vkr_place *bits)
{
    const vkr_caps *caps = &w->context->caps;
    const uint32_t unit = flags->format == VKR_FLAGS_U8 ? 1 : 4;
    const uint64_t each =
        whole_granules(caps, vkr_min(reach(caps, unit), VKR_WORD_BITS * max_invocations(caps)));
    if (flags->hook != NULL)
        return vkr_call_for_bits(recorder, w, flags, NULL, bits);
    *bits = vkr_place_of_words(flags->range.buffer, flags->range.offset, 1);
    if (flags->format == VKR_FLAGS_BITS)
        return VKR_SUCCESS;
    VKR_TRY(check_steps(w, vkr_divide_up(w->count, each)));
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, 1, vkr_divide_up(w->count, VKR_WORD_BITS), bits));
    for (uint64_t first = 0; first < w->count; first += each) {
        const uint64_t count = vkr_min(w->count - first, each);
        const vkr_place source = vkr_place_of_bytes(
            flags->range.buffer, flags->range.offset + first * unit, count * unit, unit);
        const vkr_window window = {.first = first, .count = count};
        VKR_TRY(add_step(recorder, w, VKR_HEADS_FLAGS, *bits, &source, window, count));
    }
    return VKR_SUCCESS;
}

/* For each window of bits there is a step for each window of the list. */
VkrResult vkr_plan_bits_of_list(VkrRecorder recorder, const vkr_walk *w, const VkrBufferRange *list,
                                bool wide, vkr_place *bits)
{
    const vkr_caps *caps = &w->context->caps;
    const uint32_t mode = wide ? VKR_HEADS_STARTS64 : VKR_HEADS_STARTS;
    const uint32_t size = wide ? 8 : 4;
    const uint64_t entries = list->size / size;
    const uint64_t listed = vkr_min(reach(caps, size), max_invocations(caps));
    const uint64_t each = whole_granules(caps, 8 * reach(caps, 1));
    const uint64_t windows = vkr_divide_up(w->count, each), lists = vkr_divide_up(entries, listed);
    VKR_TRY(
        check_steps(w, lists != 0 && windows > UINT64_MAX / lists ? UINT64_MAX : windows * lists));
    /* The words are counters, since these start as zeros; the steps set bits in them. */
    VKR_TRY(vkr_add_words(recorder, VKR_COUNTERS, 1, vkr_divide_up(w->count, VKR_WORD_BITS), bits));
    for (uint64_t first = 0; first < w->count; first += each) {
        for (uint64_t entry = 0; entry < entries; entry += listed) {
            const uint64_t count = vkr_min(entries - entry, listed);
            const vkr_place source =
                vkr_place_of_bytes(list->buffer, list->offset + entry * size, count * size, 4);
            const vkr_window window = {.first = first, .count = count};
            VKR_TRY(add_step(recorder, w, mode, *bits, &source, window,
                             vkr_min(w->count - first, each)));
        }
    }
    return VKR_SUCCESS;
}
