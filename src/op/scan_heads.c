/* SPDX-License-Identifier: MIT */
/* Steps that make a bit for each element, which says whether a segment starts there. */
#include "kernel_list.h"
#include "scan.h"

#define WORKGROUP 128u /* every device supports that */
#define WORD_BITS 32u

/* Adds a step that makes bits for `elements` elements from the window's first one on. They are made
 * of `source`: the window's flags, or entries of a list. */
static VkrResult add_heads(VkrRecorder recorder, const vkr_scan *s, uint32_t mode,
                           const vkr_place *source, vkr_window window, uint64_t elements)
{
    const bool flags = mode == VKR_HEADS_FLAGS;
    const VkrTuning *tuning =
        &s->context->tunings[VKR_OPERATION_SCAN][vkr_tuning_index(VK_FALSE, sizeof(uint32_t))];
    vkr_pass pass = {
        .walk = &s->walk,
        .interface = &vkr_heads_interface,
        .variant = {.kernel = source->unit == 1 ? VKR_KERNEL_HEADS_W8 : VKR_KERNEL_HEADS,
                    .constants = {[VKR_CONST_WORKGROUP] = WORKGROUP,
                                  [VKR_CONST_MODE] = mode,
                                  [VKR_CONST_ORDER] = tuning->order}}};
    VKR_PUSH(&pass, vkr_heads_push)->elements = (uint32_t)elements;
    window.groups =
        vkr_divide_up(flags ? vkr_divide_up(window.count, WORD_BITS) : window.count, WORKGROUP);
    vkr_bind_item(&pass, VKR_HEADS_SLOT_SOURCE, *source);
    vkr_bind_items(&pass, VKR_HEADS_SLOT_WORDS, s->bits, window.first / WORD_BITS,
                   vkr_divide_up(elements, WORD_BITS));
    return vkr_emit_window(recorder, &pass, &window);
}

/* The maximum of invocations of one dispatch. */
static uint64_t max_invocations(const vkr_caps *caps)
{
    return vkr_min(vkr_all_groups(caps) * WORKGROUP, VKR_MAX_REACH);
}

/* The number of values of a size that one descriptor reaches, wherever they start. */
static uint64_t reach(const vkr_caps *caps, uint32_t unit)
{
    return (caps->max_range - (caps->granule - 1)) / unit;
}

/* Cuts a number of elements so that a window of them ends where a granule of bits does: no two
 * windows write the same granule. */
static uint64_t whole_granules(const vkr_caps *caps, uint64_t elements)
{
    const uint64_t granule = UINT64_C(8) * caps->granule;
    return vkr_min(elements, VKR_MAX_REACH) / granule * granule;
}

static VkrResult add_flags(VkrRecorder recorder, const vkr_scan *s)
{
    const vkr_caps *caps = &s->context->caps;
    const VkrFlagView *flags = &s->info->segments.flags;
    const uint32_t unit = flags->format == VKR_FLAGS_U8 ? 1 : 4;
    const uint64_t each =
        whole_granules(caps, vkr_min(reach(caps, unit), WORD_BITS * max_invocations(caps)));
    for (uint64_t first = 0; first < s->walk.count; first += each) {
        const uint64_t count = vkr_min(s->walk.count - first, each);
        const vkr_place source = vkr_place_of_bytes(
            flags->range.buffer, flags->range.offset + first * unit, count * unit, unit);
        const vkr_window window = {.first = first, .count = count};
        VKR_TRY(add_heads(recorder, s, VKR_HEADS_FLAGS, &source, window, count));
    }
    return VKR_SUCCESS;
}

/* Adds the steps for a list of starts: for each window of bits, one for each window of the list. */
static VkrResult add_offsets(VkrRecorder recorder, const vkr_scan *s)
{
    const vkr_caps *caps = &s->context->caps;
    const VkrBufferRange *offsets = &s->info->segments.offsets;
    const bool wide = s->info->segments.offsetType == VKR_TYPE_U64;
    const uint32_t mode = wide ? VKR_HEADS_STARTS64 : VKR_HEADS_STARTS;
    const uint32_t size = wide ? 8 : 4;
    const uint64_t entries = offsets->size / size;
    const uint64_t listed = vkr_min(reach(caps, size), max_invocations(caps));
    const uint64_t each = whole_granules(caps, 8 * reach(caps, 1));
    for (uint64_t first = 0; first < s->walk.count; first += each) {
        for (uint64_t entry = 0; entry < entries; entry += listed) {
            const uint64_t count = vkr_min(entries - entry, listed);
            const vkr_place source = vkr_place_of_bytes(
                offsets->buffer, offsets->offset + entry * size, count * size, 4);
            const vkr_window window = {.first = first, .count = count};
            VKR_TRY(add_heads(recorder, s, mode, &source, window,
                              vkr_min(s->walk.count - first, each)));
        }
    }
    return VKR_SUCCESS;
}

VkrResult vkr_plan_heads(VkrRecorder recorder, vkr_scan *s)
{
    const VkrSegments *segments = &s->info->segments;
    const bool listed = segments->kind == VKR_SEGMENTS_OFFSETS;
    if (s->walk.count == 0)
        return VKR_SUCCESS;
    s->bits = vkr_place_of_words(segments->flags.range.buffer, segments->flags.range.offset, 1);
    if (!listed && segments->flags.format == VKR_FLAGS_BITS)
        return VKR_SUCCESS;
    /* A list's bits are set among zeros, which counters are. */
    VKR_TRY(vkr_add_words(recorder, listed ? VKR_COUNTERS : VKR_SCRATCH, 1,
                          vkr_divide_up(s->walk.count, WORD_BITS), &s->bits));
    return listed ? add_offsets(recorder, s) : add_flags(recorder, s);
}
