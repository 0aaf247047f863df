/* SPDX-License-Identifier: MIT */
#include "mask.h"

#include <inttypes.h>

#include "bits.h"
#include "copy.h"

static VkrView view_of_mask(const VkrMask *mask)
{
    return (VkrView){.components = 1, .image = mask->image};
}

static VkrResult check_mask_image(const vkr_walk *w, const VkrMask *mask, const vkr_view *of)
{
    const VkrView view = view_of_mask(mask);
    vkr_view checked;
    VKR_TRY(vkr_check_input(w, "mask", &view, w->count, &checked));
    const vkr_image *a = &checked.image, *b = &of->image;
    VKR_MUST(w,
             !vkr_is_image(of) ||
                 (a->width == b->width && a->height == b->height && a->depth == b->depth),
             "mask.image has %u x %u texels in %u layers, but must have %u x %u in %u, like input.",
             a->width, a->height, a->depth, b->width, b->height, b->depth);
    VKR_MUST(w, checked.capacity >= w->count,
             "mask.image has %" PRIu64 " texels, but must have at least the %" PRIu64 " of count.",
             checked.capacity, w->count);
    return vkr_check_sampled(w, "mask.image", mask->image);
}

VkrResult vkr_check_mask(const vkr_walk *w, const VkrMask *mask, const vkr_view *view)
{
    const bool flags = mask->flags.range.buffer != VK_NULL_HANDLE || mask->flags.hook != NULL;
    VKR_MUST(w, !flags || mask->image == NULL,
             "mask.image is given, but must be NULL where mask.flags has a range or a hook.");
    return flags ? vkr_check_flags(w, "mask.flags", &mask->flags, NULL)
                 : check_mask_image(w, mask, view);
}

vkr_region vkr_region_of_mask(const vkr_walk *w, const VkrMask *mask)
{
    const VkrBufferRange *range = &mask->flags.range;
    return vkr_region_of_bytes("mask.flags.range", range->buffer, range->offset,
                               w->count != 0 ? range->size : 0, mask->flags.hook != NULL);
}

VkrResult vkr_plan_mask(VkrRecorder recorder, const vkr_walk *w, const VkrMask *mask,
                        vkr_place *bits)
{
    if (mask->image == NULL)
        return vkr_plan_bits_of_flags(recorder, w, &mask->flags, bits);
    const VkrView view = view_of_mask(mask);
    vkr_view checked;
    VKR_TRY(vkr_check_input(w, "mask", &view, w->count, &checked));
    return vkr_copy_bits(recorder, w, w->count, &checked, bits);
}
