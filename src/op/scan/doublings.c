/* SPDX-License-Identifier: MIT */
/* Scans in which an invocation combines two elements. Each doubling of their distance is a
 * dispatch. */
#include <inttypes.h>

#include "scan.h"

/* What one dispatch does. It reads and leaves partials, except that the first one reads elements
 * and the last one writes results. */
typedef struct vkr_doubling {
    uint32_t mode; /* VKR_PASS_* */
    uint64_t distance;
    uint64_t invocations;
    vkr_place from, to;
    bool is_last;
} vkr_doubling;

/* Adds one dispatch. The last one reads the elements again when it writes results. */
static VkrResult add_doubling(VkrRecorder recorder, const vkr_scan *s, const vkr_doubling *d)
{
    const uint64_t count = s->walk.count;
    const uint64_t groups = vkr_divide_up(d->invocations, s->walk.workgroup_size);
    const vkr_window window = {.count = count, .groups = vkr_clamp(groups, 1, UINT32_MAX)};
    vkr_pass pass = vkr_scan_pass(s, &s->walk, d->mode, VKR_INPUT_PARTIALS, 0);
    pass.card = &vkr_passes_card;
    pass.kernel = vkr_kernel_of(&s->walk, VKR_FAMILY_PASSES, 0);
    pass.constants[VKR_CONST_INPUT] = pass.constants[VKR_CONST_BATCH] = 0;
    pass.finish = vkr_fill_heads;
    VKR_PUSH(&pass, vkr_scan_push)->items = (uint32_t)d->distance;
    if (d->from.buffer == VK_NULL_HANDLE || d->is_last)
        pass.slots[VKR_SCAN_SLOT_INPUT] = vkr_per_element(vkr_place_of_view(&s->input));
    pass.slots[VKR_SCAN_SLOT_PARTIALS].place = d->from;
    if (d->is_last) {
        pass.slots[VKR_SCAN_SLOT_RESULTS] = vkr_per_element(s->results);
        pass.slots[VKR_SCAN_SLOT_TOTAL].place = s->total;
    } else {
        pass.slots[VKR_SCAN_SLOT_STORED].place = d->to;
    }
    return vkr_emit_window(recorder, &pass, &window);
}

/* Adds scratch for the partials of a number of elements, as one item. */
static VkrResult add_partials(VkrRecorder recorder, const vkr_scan *s, uint64_t elements,
                              vkr_place *place)
{
    return vkr_add_words(recorder, VKR_SCRATCH, elements * s->partial_words, 1, place);
}

/* Adds the dispatches of the algorithm of Hillis and Steele, which alternate between two
 * buffers. */
static VkrResult plan_hillis_steele(VkrRecorder recorder, const vkr_scan *s)
{
    const uint32_t last = s->walk.count > 1 ? vkr_log2_up(s->walk.count) - 1 : 0;
    vkr_doubling d = {.mode = VKR_PASS_DOUBLE, .invocations = s->walk.count};
    vkr_place partials[2] = {{0}};
    for (uint32_t i = 0; i < 2 && i < last; i++)
        VKR_TRY(add_partials(recorder, s, s->walk.count, &partials[i]));
    for (uint32_t i = 0; i <= last; i++) {
        d.distance = UINT64_C(1) << i;
        d.to = partials[i % 2];
        d.is_last = i == last;
        VKR_TRY(add_doubling(recorder, s, &d));
        d.from = d.to;
    }
    return VKR_SUCCESS;
}

/* Adds the dispatches of Blelloch's algorithm, which work in place. */
static VkrResult plan_blelloch(VkrRecorder recorder, const vkr_scan *s)
{
    const uint32_t doublings = vkr_log2_up(s->walk.count);
    const uint64_t leaves = UINT64_C(1) << doublings;
    vkr_doubling d = {.mode = VKR_PASS_UP};
    VKR_TRY(add_partials(recorder, s, leaves, &d.to));
    for (uint32_t i = 0; i < 2 * doublings; i++) {
        d.mode = i < doublings ? VKR_PASS_UP : VKR_PASS_DOWN;
        d.distance = UINT64_C(1) << (i < doublings ? i : 2 * doublings - 1 - i);
        d.invocations = leaves / 2 / d.distance;
        d.is_last = i == 2 * doublings - 1;
        VKR_TRY(add_doubling(recorder, s, &d));
        d.from = d.to;
    }
    return VKR_SUCCESS;
}

/* Checks that one dispatch reaches all elements and all partials. */
static VkrResult check_reach(const vkr_scan *s)
{
    const vkr_caps *caps = &s->walk.context->caps;
    const char *algorithm = vkrScanAlgorithmName(s->info->algorithm);
    const uint64_t count = s->walk.count;
    const bool input = vkr_view_window(caps, &s->input, 0) >= count;
    VKR_FIT(&s->walk, input && vkr_view_window(caps, &s->output, 0) >= count,
            "algorithm is %s, but count is %" PRIu64 ", and these elements of %s", algorithm, count,
            input ? "output" : "input");
    const uint64_t partials =
        s->info->algorithm == VKR_SCAN_BLELLOCH ? UINT64_C(1) << vkr_log2_up(count) : count;
    VKR_FIT(&s->walk, count <= 1 || partials <= caps->max_range / 4 / s->partial_words,
            "algorithm is %s, but count is %" PRIu64 ", and its %" PRIu64 " partials of %u words",
            algorithm, count, partials, s->partial_words);
    const uint64_t groups = vkr_divide_up(count, s->walk.workgroup_size);
    VKR_NEED(&s->walk, groups <= vkr_all_groups(caps),
             "algorithm is %s, but count is %" PRIu64 ", and %" PRIu64
             " workgroups of %u exceed maxComputeWorkGroupCount (%u, %u).",
             algorithm, count, groups, s->walk.workgroup_size, caps->max_groups[0],
             caps->max_groups[1]);
    return VKR_SUCCESS;
}

VkrResult vkr_plan_doublings(VkrRecorder recorder, const vkr_scan *s)
{
    if (s->walk.count == 0 && s->info->total.buffer == VK_NULL_HANDLE)
        return VKR_SUCCESS; /* nothing to write */
    VKR_TRY(check_reach(s));
    return s->info->algorithm == VKR_SCAN_BLELLOCH && s->walk.count > 1
               ? plan_blelloch(recorder, s)
               : plan_hillis_steele(recorder, s);
}
