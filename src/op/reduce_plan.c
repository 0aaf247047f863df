/* SPDX-License-Identifier: MIT */
/* From a reduction's geometry to its steps. */
#include "reduce.h"

#include <string.h>

static uint32_t flags_of(const vkr_reduce *r)
{
    return (r->info->nan == VKR_NAN_PROPAGATE ? VKR_FLAG_PROPAGATE_NAN : 0) |
           (r->info->nan == VKR_NAN_SKIP ? VKR_FLAG_SKIP_NAN : 0) |
           (r->wide_index ? VKR_FLAG_WIDE_INDEX : 0) | (r->canonical ? VKR_FLAG_CANONICAL : 0) |
           (r->masked ? VKR_FLAG_MASKED : 0) |
           ((r->info->flags & VKR_REDUCE_SAMPLE_BIT) != 0 ? VKR_FLAG_SAMPLE : 0) |
           vkr_map_flags(&r->input) | vkr_count_flags(&r->info->gpuCount);
}

vkr_pass vkr_reduce_pass(const vkr_reduce *r, const vkr_walk *w, const vkr_card *card,
                         bool elements, uint32_t output, uint32_t flags)
{
    return (vkr_pass){
        .walk = w,
        .card = card,
        .kernel = vkr_walk_kernel(w),
        .constants = {[VKR_CONST_OPS] = r->info->ops,
                      [VKR_CONST_COMPONENTS] = r->input.components,
                      [VKR_CONST_FLAGS] = flags_of(r) | flags,
                      [VKR_CONST_INPUT] = elements ? VKR_INPUT_ELEMENTS : VKR_INPUT_PARTIALS,
                      [VKR_CONST_OUTPUT] = output}};
}

void vkr_make_part(const vkr_reduce *r, uint64_t first, uint64_t segment, uint64_t count,
                   vkr_reduce *part)
{
    *part = *r;
    part->input.offset += first * r->input.stride;
    part->input2.offset += first * r->input2.stride;
    part->results.offset += segment * r->results.stride;
    part->mask_first += first;
    part->walk.view = &part->input;
    part->walk.first += first;
    part->walk.count = count;
}

/* A pass of the chain. Its walk is over elements, or over partials. */
typedef struct vkr_link {
    vkr_walk walk;
    bool first;
    bool elements;   /* elements, or what has replaced them in place; else partials */
    uint32_t output; /* VKR_OUTPUT_* */
    vkr_place target;
    vkr_place counter;
} vkr_link;

/* The place of a link's target where the link's output is `output`, and of nothing elsewhere. */
static vkr_place target_of(const vkr_link *l, uint32_t output)
{
    return l->output == output ? l->target : (vkr_place){0};
}

static VkrResult add_pass(VkrRecorder recorder, const vkr_reduce *r, const vkr_link *l)
{
    const vkr_place none = {0}, source = l->walk.reached[0];
    const bool blocks = l->elements && r->by_blocks;
    const bool texels = l->walk.loads_image;
    const bool in_place = l->output >= VKR_OUTPUT_ELEMENT;
    const vkr_place elements = l->elements && !texels ? source : none;
    const vkr_place results =
        l->output != VKR_OUTPUT_PARTIAL && l->output != VKR_OUTPUT_ELEMENT ? r->results : none;
    vkr_pass pass =
        vkr_reduce_pass(r, &l->walk,
                        texels   ? &vkr_reduce_image_card
                        : blocks ? &vkr_blocks_card
                                 : &vkr_reduce_card,
                        l->elements, l->output, l->elements && !l->first ? VKR_FLAG_REPLACED : 0);
    const vkr_bound slots[VKR_MAX_SLOTS] = {
        [VKR_REDUCE_INPUT] = {.place = in_place ? none : elements, .span = VKR_SPAN_ELEMENTS},
        [VKR_REDUCE_IN_PLACE] = {.place = in_place ? elements : none, .span = VKR_SPAN_ELEMENTS},
        [VKR_REDUCE_ELEMENT] = {.place = in_place ? elements : none, .span = VKR_SPAN_ELEMENTS},
        [VKR_REDUCE_INPUT2] = {.place = l->elements ? vkr_place_of_view(&r->input2) : none,
                               .span = VKR_SPAN_ELEMENTS},
        [VKR_REDUCE_MASK] = {.place = l->elements ? r->mask : none,
                             .span = VKR_SPAN_BITS,
                             .first = r->mask_first},
        [VKR_REDUCE_PARTIALS] = {.place = l->elements ? none : source, .span = VKR_SPAN_ELEMENTS},
        [VKR_REDUCE_STORED] = {.place = target_of(l, VKR_OUTPUT_PARTIAL),
                               .span = blocks ? VKR_SPAN_BLOCKS : VKR_SPAN_GROUPS},
        [VKR_REDUCE_SHARED] = {.place = target_of(l, VKR_OUTPUT_LAST), .span = VKR_SPAN_GROUPS},
        [VKR_REDUCE_AGAIN] = {.place = target_of(l, VKR_OUTPUT_LAST), .span = VKR_SPAN_GROUPS},
        [VKR_REDUCE_COUNTER] = {.place = l->counter},
        [VKR_REDUCE_RESULTS] = {.place = results},
        [VKR_REDUCE_COUNT] = {.place = vkr_place_of_count(&r->info->gpuCount)}};
    struct vkr_reduce_push *push = VKR_PUSH(&pass, vkr_reduce_push);
    memcpy(pass.slots, slots, sizeof slots);
    pass.places_texels = texels;
    if (in_place)
        push->stored_stride = (uint32_t)(l->target.stride / r->input.type->size);
    if (l->elements && !texels)
        vkr_set_map_of_values(&r->input, &push->map_weight, &push->map_bias);
    return vkr_emit(recorder, &pass);
}

static vkr_place place_of_pieces(const vkr_reduce *r)
{
    const VkrBufferRange *partials = &r->info->pieces.partials;
    return vkr_place_of_words(partials->buffer, partials->offset, r->partial_words);
}

/* Chooses where the pass leaves its values, and in which form. */
static VkrResult choose_target(VkrRecorder recorder, const vkr_reduce *r, vkr_link *l)
{
    const bool one_group = l->walk.groups == 1;
    l->output = one_group ? VKR_OUTPUT_RESULT : VKR_OUTPUT_PARTIAL;
    l->target = l->walk.reached[0];
    l->target.stride *= (uint64_t)l->walk.workgroup_size * l->walk.items;
    if (r->pieces && l->elements) {
        l->output = VKR_OUTPUT_PARTIAL;
        l->target = place_of_pieces(r);
        l->target.offset += r->walk.first / VKR_TREE_BLOCK * l->target.stride;
    } else if (r->consume) {
        l->output = one_group ? VKR_OUTPUT_ELEMENT_RESULT : VKR_OUTPUT_ELEMENT;
    } else if (!one_group && (l->elements || r->algorithm != VKR_REDUCE_RECURSIVE)) {
        const bool last = r->algorithm == VKR_REDUCE_SINGLE;
        l->output = last ? VKR_OUTPUT_LAST : VKR_OUTPUT_PARTIAL;
        const uint64_t partials = vkr_count_partials(r, &l->walk, l->elements);
        VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, r->partial_words, partials, &l->target));
        return vkr_add_ticket(recorder, last, &l->counter);
    }
    return VKR_SUCCESS;
}

/* Sets the next pass, which reads what this one has left. */
static VkrResult next_link(const vkr_reduce *r, vkr_link *l)
{
    const bool of_pieces = r->pieces && l->elements;
    const vkr_place source = of_pieces ? place_of_pieces(r) : l->target;
    const uint64_t count = of_pieces ? vkr_divide_up(r->walk.whole, VKR_TREE_BLOCK)
                                     : vkr_count_partials(r, &l->walk, l->elements);
    uint64_t items = r->by_blocks ? VKR_TREE_BLOCK / VKR_TREE_WIDTH : l->walk.items;
    if (r->algorithm == VKR_REDUCE_SUBGROUP && !r->canonical) {
        const uint64_t reach = vkr_place_reach(&r->context->caps, &source) / r->walk.workgroup_size;
        items = vkr_min(vkr_divide_up(count, r->walk.workgroup_size), vkr_max_reads(r));
        items = reach > 0 ? vkr_min(items, reach) : items;
    }
    *l = (vkr_link){.elements = r->consume};
    return vkr_walk_source(r, l->elements, source, count, items, &l->walk);
}

VkrResult vkr_plan_reduce(VkrRecorder recorder, vkr_reduce *r)
{
    const bool to_be_continued = r->pieces && r->walk.first + r->walk.count < r->walk.whole;
    VKR_TRY(vkr_plan_geometry(r));
    vkr_link l = {.walk = r->walk, .first = true, .elements = true};
    if (r->pieces && r->walk.count == 0) /* the pieces' partials are all there is */
        VKR_TRY(next_link(r, &l));
    for (;;) {
        VKR_TRY(choose_target(recorder, r, &l));
        VKR_TRY(add_pass(recorder, r, &l));
        if (to_be_continued || (l.output != VKR_OUTPUT_PARTIAL && l.output != VKR_OUTPUT_ELEMENT))
            return VKR_SUCCESS;
        VKR_TRY(next_link(r, &l));
    }
}
