/* SPDX-License-Identifier: MIT */
/* Elements that a scan leaves out: a pass before it copies the elements to scratch, with the
 * operator's identity in place of those. */
#include <inttypes.h>

#include "../../plan/order.h"
#include "kernel_list.h"
#include "scan.h"

#define ITEMS 8u /* elements of an invocation */

static bool skips_nan(const vkr_scan *s)
{
    return s->info->nan == VKR_NAN_SKIP && s->input.type->is_float && s->words;
}

VkrResult vkr_check_scan_mask(vkr_scan *s)
{
    s->masked = vkr_has_mask(&s->info->mask);
    s->copied = s->masked || skips_nan(s);
    return s->masked ? vkr_check_mask(&s->walk, &s->info->mask, &s->input) : VKR_SUCCESS;
}

/* ---- The identity ---- */

/* The bits of 1. The exponent of 1 is the largest one without its highest and its lowest bit. */
static uint64_t one_of(const vkr_type_info *type)
{
    const uint64_t infinity = vkr_infinity_of(type);
    return type->is_float ? (infinity >> 1) & infinity : 1;
}

/* The bits of the value that comes after all others, or before them. */
static uint64_t extreme_of(const vkr_type_info *type, bool is_greatest)
{
    const uint64_t all = UINT64_MAX >> (64 - 8 * type->size), sign = all ^ all >> 1;
    if (type->is_float)
        return vkr_infinity_of(type) | (is_greatest ? 0 : sign);
    if (type->is_signed)
        return is_greatest ? all >> 1 : sign;
    return is_greatest ? all : 0;
}

static uint64_t identity_of(const vkr_scan *s)
{
    const vkr_type_info *type = s->input.type;
    switch (s->info->op) {
    case VKR_OP_PRODUCT:
        return one_of(type);
    case VKR_OP_MIN:
        return extreme_of(type, true);
    case VKR_OP_MAX:
        return extreme_of(type, false);
    case VKR_OP_AND:
        return UINT64_MAX;
    default:
        return 0;
    }
}

/* ---- The pass ---- */

/* The elements after which the copy is at a granule again, so that no descriptor of a window has
 * bytes of the window before. */
static uint64_t whole_granules(const vkr_caps *caps, const vkr_view *target)
{
    const uint64_t size = target->stride, even = size & (~size + 1);
    return even < caps->granule ? caps->granule / even : 1;
}

/* A workgroup's elements must fit the descriptors, wherever they start. */
static VkrResult cut(const vkr_scan *s, const vkr_view *target, vkr_walk *w)
{
    const vkr_caps *caps = &s->walk.context->caps;
    const uint64_t least = whole_granules(caps, target);
    uint64_t reach = UINT64_MAX, share = (uint64_t)VKR_SMALL_WORKGROUP * ITEMS;
    *w = vkr_new_walk(s->walk.context, s->walk.call);
    w->view = &s->input;
    w->count = s->walk.count;
    w->max_groups = vkr_all_groups(caps);
    w->reached[w->reached_count++] = vkr_place_of_view(&s->input);
    w->reached[w->reached_count++] = vkr_place_of_view(target);
    for (uint32_t i = 0; i < w->reached_count; i++)
        reach = vkr_min(reach, vkr_place_reach(caps, &w->reached[i]));
    while (share > reach && share > 1)
        share /= 2;
    share = vkr_max(share, least);
    w->workgroup_size = (uint32_t)vkr_min(share, VKR_SMALL_WORKGROUP);
    w->items = (uint32_t)(share / w->workgroup_size);
    VKR_TRY(vkr_cut(w));
    VKR_FIT(w, w->windows != 0, "%" PRIu64 " elements of %" PRIu64 " bytes", share,
            s->input.stride);
    return VKR_SUCCESS;
}

static VkrResult copy(VkrRecorder recorder, const vkr_scan *s, vkr_place mask,
                      const vkr_view *target)
{
    static const uint32_t kernels[] = {VKR_KERNEL_MASKED_8, VKR_KERNEL_MASKED_16,
                                       VKR_KERNEL_MASKED_32, VKR_KERNEL_MASKED_64};
    const vkr_type_info *type = s->input.type;
    const uint64_t other = identity_of(s), infinity = vkr_infinity_of(type);
    vkr_walk walk;
    VKR_TRY(cut(s, target, &walk));
    vkr_pass pass = {
        .walk = &walk,
        .card = &vkr_masked_card,
        .kernel = kernels[vkr_log2_up(type->size)],
        .constants = {[VKR_CONST_WORKGROUP] = walk.workgroup_size,
                      [VKR_MASKED_CONST_FLAGS] = (s->masked ? VKR_MASKED_FLAG_MASKED : 0) |
                                                 (skips_nan(s) ? VKR_MASKED_FLAG_NAN : 0),
                      [VKR_MASKED_CONST_ITEMS] = walk.items,
                      [VKR_MASKED_CONST_COMPONENTS] = s->input.components},
        .slots = {[VKR_MASKED_SLOT_SOURCE] = vkr_per_element(vkr_place_of_view(&s->input)),
                  [VKR_MASKED_SLOT_TARGET] = vkr_per_element(vkr_place_of_view(target))}};
    if (s->masked)
        pass.slots[VKR_MASKED_SLOT_MASK] = vkr_per_bit(mask);
    struct vkr_masked_push *push = VKR_PUSH(&pass, vkr_masked_push);
    push->infinity = (uint32_t)(type->size == 8 ? infinity >> 32 : infinity);
    push->other_low = (uint32_t)other;
    push->other_high = (uint32_t)(other >> 32);
    return vkr_emit(recorder, &pass);
}

VkrResult vkr_leave_out(VkrRecorder recorder, vkr_scan *s)
{
    const uint64_t count = s->walk.count;
    vkr_view target;
    vkr_place mask = {0};
    vkr_walk walk = s->walk; /* which has no geometry yet */
    walk.view = &s->input;
    if (!s->copied || count == 0)
        return VKR_SUCCESS;
    if (s->masked)
        VKR_TRY(vkr_plan_mask(recorder, &walk, &s->info->mask, &mask));
    target = (vkr_view){.buffer = VKR_SCRATCH,
                        .type = s->input.type,
                        .type_id = s->input.type_id,
                        .components = s->input.components,
                        .capacity = count};
    target.stride = vkr_element_size(&target);
    target.size = count * target.stride;
    VKR_TRY(vkr_add_scratch(recorder, target.size, &target.offset));
    VKR_TRY(copy(recorder, s, mask, &target));
    s->input = target;
    s->in_place = false;
    return VKR_SUCCESS;
}
