/* SPDX-License-Identifier: MIT */
#include "copy.h"

#include <inttypes.h>

#include "bits.h"
#include "pass.h"

#define BATCH 8u      /* elements in flight */
#define MIN_ITEMS 32u /* elements of an invocation come in multiples of this: whole words of bits */
#define MAX_ITEMS 4096u

/* A pass of this file, its source and its target. */
typedef struct staging {
    vkr_walk walk;
    vkr_view source; /* what is read, without a map */
    bool bits;
    vkr_place target;
} staging;

/* Chooses the number of elements of an invocation: a workgroup's share must fit the descriptors,
 * wherever it starts. Bits come in whole words. */
static void choose_items(const staging *s, vkr_walk *w)
{
    const uint64_t full = (uint64_t)w->workgroup_size * w->tuning->maxGroups;
    uint64_t items = vkr_clamp(vkr_divide_up(w->count, full), MIN_ITEMS, MAX_ITEMS);
    uint64_t reach = UINT64_MAX;
    for (uint32_t i = 0; i < w->reached_count; i++)
        reach = vkr_min(reach, vkr_place_reach(&w->context->caps, &w->reached[i]));
    while (w->workgroup_size > reach && w->workgroup_size > 1)
        w->workgroup_size /= 2;
    items = vkr_divide_up(items, MIN_ITEMS) * MIN_ITEMS;
    if (!s->bits)
        items = vkr_max(vkr_min(items, reach / w->workgroup_size), 1);
    w->items = (uint32_t)items;
}

/* Sets the walk over the source. */
static VkrResult start(staging *s, const vkr_walk *operation, uint64_t count)
{
    const vkr_caps *caps = &operation->context->caps;
    const bool is_image = vkr_is_image(&s->source);
    vkr_walk *w = &s->walk;
    *w = vkr_new_walk(operation->context, operation->call);
    w->count = count;
    w->order = s->bits ? VKR_ORDER_CONTIGUOUS : VKR_ORDER_COALESCED;
    w->batch = BATCH;
    w->max_groups = vkr_all_groups(caps);
    vkr_start_walk(w, VKR_OPERATION_REDUCE, VKR_FAMILY_STAGE, &s->source);
    vkr_set_loads(w, s->source.image.loads);
    if (!s->bits)
        w->reached[w->reached_count++] = s->target;
    if (!is_image)
        w->reached[w->reached_count++] = vkr_place_of_view(&s->source);
    VKR_TRY(vkr_choose_workgroup(w, 0, w->tuning->workgroupSize, &(vkr_shared){0}));
    choose_items(s, w);
    const uint64_t share = (uint64_t)w->workgroup_size * w->items;
    if (s->bits)
        w->max_groups = vkr_min(w->max_groups, vkr_bits_reach(caps) / share);
    VKR_TRY(vkr_cut(w));
    VKR_FIT(w, w->windows != 0, "an element of %" PRIu64 " bytes, or %" PRIu64 " bits of a mask,",
            vkr_element_size(&s->source), share);
    return VKR_SUCCESS;
}

static VkrResult emit(VkrRecorder recorder, const staging *s, uint32_t flags)
{
    const vkr_walk *w = &s->walk;
    vkr_pass pass = {
        .walk = w,
        .card = vkr_is_image(&s->source) ? &vkr_stage_image_card : &vkr_stage_card,
        .kernel = vkr_walk_kernel(w),
        .places_texels = vkr_is_image(&s->source),
        .constants = {[VKR_CONST_FLAGS] = flags},
        .slots = {[VKR_STAGE_SLOT_VALUES] = {.place = s->target,
                                             .span = s->bits ? VKR_SPAN_WORDS : VKR_SPAN_ELEMENTS},
                  [VKR_STAGE_SLOT_SOURCE] = {.place = vkr_place_of_view(&s->source),
                                             .span = VKR_SPAN_ELEMENTS}}};
    struct vkr_image_uniforms *uniforms = VKR_UNIFORMS(&pass, vkr_image_uniforms);
    vkr_set_map(&s->source, uniforms->weights, &uniforms->bias);
    return vkr_emit(recorder, &pass);
}

VkrResult vkr_copy_mapped(VkrRecorder recorder, const vkr_walk *operation, uint64_t count,
                          const vkr_view *source, uint32_t flags, vkr_place target)
{
    staging s = {.source = *source, .bits = (flags & VKR_STAGE_FLAG_BITS) != 0, .target = target};
    VKR_TRY(start(&s, operation, count));
    return emit(recorder, &s, flags);
}

VkrResult vkr_copy_elements(VkrRecorder recorder, const vkr_walk *operation, uint64_t count,
                            const vkr_view *view, vkr_place *copies)
{
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, view->components, count, copies));
    return vkr_copy_mapped(recorder, operation, count, view, 0, *copies);
}

VkrResult vkr_copy_bits(VkrRecorder recorder, const vkr_walk *operation, uint64_t count,
                        const vkr_view *image, vkr_place *bits)
{
    if (count == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, 1, vkr_divide_up(count, VKR_WORD_BITS), bits));
    return vkr_copy_mapped(recorder, operation, count, image, VKR_STAGE_FLAG_BITS, *bits);
}
