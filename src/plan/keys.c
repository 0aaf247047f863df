/* SPDX-License-Identifier: MIT */
#include "keys.h"

#include <inttypes.h>

#include "image.h"
#include "kernel_list.h"
#include "order.h"
#include "rows.h"

VkrResult vkr_check_keys(const vkr_walk *w, const VkrSegments *segments, vkr_view *out)
{
    VKR_TRY(vkr_check_input(w, "segments.keys", &segments->keys, w->count, out));
    VKR_TRY(vkr_check_input_handles(w, "segments.keys", &segments->keys, out));
    out->by_value = segments->byValue && out->type->is_float;
    return vkr_check_holds(w, "segments.keys", out);
}

/* Words, if elements and the distances between them consist of these, and no word has two numbers
 * that are compared by value. Otherwise units that need no more features than the type does. */
static uint32_t unit_of(const vkr_view *keys)
{
    const VkDeviceSize ends = keys->offset | keys->stride | vkr_element_size(keys);
    return ends % 4 == 0 && !(keys->by_value && keys->type->size == 2) ? 4
           : keys->type->size == 1                                     ? 1
                                                                       : 2;
}

static vkr_place place_in_units(const vkr_view *keys)
{
    vkr_place place = vkr_place_of_view(keys);
    place.unit = unit_of(keys);
    return place;
}

/* Whether an invocation can load four keys at once, in workgroups that are full. */
static bool loads_packs(const vkr_view *keys)
{
    return vkr_is_packed(keys) && vkr_element_size(keys) == 4 && keys->offset % VKR_PACK == 0 &&
           unit_of(keys) == 4;
}

/* The bits of infinity where keys are compared by value, or those of its upper word. */
static uint32_t infinity_of(const vkr_view *keys)
{
    const uint64_t infinity = vkr_infinity_of(keys->type);
    return keys->by_value ? (uint32_t)(keys->type->size == 8 ? infinity >> 32 : infinity) : 0;
}

static uint32_t flags_of(const vkr_view *keys, bool before, bool packs)
{
    return (before ? VKR_CHANGES_FLAG_BEFORE : 0) | (packs ? VKR_CHANGES_FLAG_PACKS : 0) |
           (keys->by_value && keys->type->size == 8 ? VKR_CHANGES_FLAG_PAIRS : 0);
}

/* Adds a step for a window of keys. It also reads the key before them. */
static VkrResult add_step(VkrRecorder recorder, const vkr_walk *w, const vkr_view *keys,
                          vkr_place bits, bool packs, vkr_window window)
{
    const VkrTuning *tuning =
        &w->context->tunings[VKR_OPERATION_REDUCE][vkr_tuning_index(VK_FALSE, sizeof(uint32_t))];
    const uint32_t before = window.first != 0 ? 1 : 0;
    const vkr_place place = place_in_units(keys);
    vkr_pass pass = {.walk = w,
                     .card = &vkr_changes_card,
                     .kernel = place.unit == 4   ? VKR_KERNEL_CHANGES
                               : place.unit == 2 ? VKR_KERNEL_CHANGES_W16
                                                 : VKR_KERNEL_CHANGES_W8,
                     .constants = {[VKR_CONST_WORKGROUP] = VKR_SURE_WORKGROUP,
                                   [VKR_CHANGES_CONST_UNITS] = (uint32_t)(place.size / place.unit),
                                   [VKR_CHANGES_CONST_INFINITY] = infinity_of(keys),
                                   [VKR_CONST_FLAGS] = flags_of(keys, before != 0, packs),
                                   [VKR_CONST_ORDER] = tuning->order},
                     .slots = {[VKR_CHANGES_SLOT_KEYS] =
                                   vkr_items(place, window.first - before, window.count + before),
                               [VKR_CHANGES_SLOT_WORDS] =
                                   vkr_items(bits, window.first / VKR_WORD_BITS,
                                             vkr_divide_up(window.count, VKR_WORD_BITS))}};
    window.groups = vkr_divide_up(vkr_divide_up(window.count, VKR_WORD_BITS), VKR_SURE_WORKGROUP);
    return vkr_emit_window(recorder, &pass, &window);
}

/* Keys of full workgroups whose bits are whole granules. */
static uint64_t whole_groups(const vkr_caps *caps)
{
    return vkr_max(UINT64_C(8) * caps->granule, VKR_SURE_WORKGROUP * VKR_WORD_BITS);
}

/* Adds the steps of a window: one for full workgroups that load four keys at once, and one for all
 * other keys. Kernels do not choose between the two, since CPU drivers would run both. */
static VkrResult add_steps(VkrRecorder recorder, const vkr_walk *w, const vkr_view *keys,
                           vkr_place bits, vkr_window window)
{
    const uint64_t whole = whole_groups(&w->context->caps);
    vkr_window packs = window;
    packs.count = loads_packs(keys) ? window.count / whole * whole : 0;
    window.first += packs.count;
    window.count -= packs.count;
    if (packs.count != 0)
        VKR_TRY(add_step(recorder, w, keys, bits, true, packs));
    return window.count != 0 ? add_step(recorder, w, keys, bits, false, window) : VKR_SUCCESS;
}

/* The number of keys of a window, of which there can be one: as many as a descriptor reaches with
 * the one before them. If there are more, they are whole granules of bits, so that no two windows
 * write the same granule. */
static uint64_t window_of(const vkr_walk *w, const vkr_view *keys)
{
    const vkr_caps *caps = &w->context->caps;
    const vkr_place place = place_in_units(keys);
    const uint64_t granule = UINT64_C(8) * caps->granule;
    const uint64_t reach = vkr_place_reach(caps, &place);
    uint64_t each = vkr_min(reach == 0 ? 0 : reach - 1, VKR_MAX_REACH / 2);
    each = vkr_min(each, 8 * vkr_room(caps));
    each = vkr_min(each, vkr_all_groups(caps) * VKR_SURE_WORKGROUP * VKR_WORD_BITS);
    return w->count <= each ? each : each / granule * granule;
}

VkrResult vkr_plan_bits_of_keys(VkrRecorder recorder, const vkr_walk *w, const vkr_view *keys,
                                vkr_place *bits)
{
    const uint64_t each = window_of(w, keys);
    const uint64_t steps = each == 0 ? UINT64_MAX : vkr_divide_up(w->count, each);
    if (steps > VKR_MAX_WINDOWS)
        return vkr_refuse_dispatches(w, VKR_MAX_WINDOWS,
                                     "count is %" PRIu64 " and segments.keys.stride %" PRIu64,
                                     w->count, keys->stride);
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, 1, vkr_divide_up(w->count, VKR_WORD_BITS), bits));
    for (uint64_t first = 0; first < w->count; first += each) {
        const vkr_window window = {.first = first, .count = vkr_min(w->count - first, each)};
        VKR_TRY(add_steps(recorder, w, keys, *bits, window));
    }
    return VKR_SUCCESS;
}
