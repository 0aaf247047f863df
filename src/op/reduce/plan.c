/* SPDX-License-Identifier: MIT */
/* Levels of all forms, and the planner of reductions of a whole. */
#include "level.h"

/* ---- Levels ---- */

vkr_level vkr_first_level(const vkr_reduce *r)
{
    return (vkr_level){.reduce = r,
                       .walk = r->walk,
                       .source = vkr_place_of_view(&r->input),
                       .elements = r->walk.count,
                       .parts = 1};
}

static uint32_t flags_of(const vkr_reduce *r)
{
    return (r->info->nan == VKR_NAN_PROPAGATE ? VKR_FLAG_PROPAGATE_NAN : 0) |
           (r->info->nan == VKR_NAN_SKIP ? VKR_FLAG_SKIP_NAN : 0) |
           (r->wide_index ? VKR_FLAG_WIDE_INDEX : 0) | (r->canonical ? VKR_FLAG_CANONICAL : 0) |
           (r->masked ? VKR_FLAG_MASKED : 0) |
           ((r->info->flags & VKR_REDUCE_SAMPLE_BIT) != 0 ? VKR_FLAG_SAMPLE : 0) |
           vkr_map_flags(&r->input) | vkr_count_flags(&r->info->gpuCount);
}

vkr_pass vkr_pass_of_level(const vkr_level *l, const vkr_walk *w, const vkr_card *card,
                           const vkr_level_slots *slots, uint32_t flags)
{
    const vkr_reduce *r = l->reduce;
    vkr_pass pass = {
        .walk = w,
        .card = card,
        .kernel = vkr_walk_kernel(w),
        .constants = {[VKR_CONST_OPS] =
                          r->linked != NULL ? vkr_linked_constant(r->linked) : r->info->ops,
                      [VKR_CONST_COMPONENTS] = r->input.components,
                      [VKR_CONST_FLAGS] = flags_of(r) | flags,
                      [VKR_CONST_INPUT] = l->partials ? VKR_INPUT_PARTIALS : VKR_INPUT_ELEMENTS,
                      [VKR_CONST_OUTPUT] = l->output}};
    vkr_bound *bound = pass.slots;
    bound[slots->count].place = vkr_place_of_count(&r->info->gpuCount);
    if (l->partials) {
        bound[slots->partials].place = l->source;
    } else {
        bound[slots->input] = (vkr_bound){.place = l->source, .span = VKR_SPAN_ELEMENTS};
        bound[slots->input2] =
            (vkr_bound){.place = vkr_place_of_view(&r->input2), .span = VKR_SPAN_ELEMENTS};
        bound[slots->mask] =
            (vkr_bound){.place = r->mask, .span = VKR_SPAN_BITS, .first = r->mask_first};
    }
    if (l->output == VKR_OUTPUT_PARTIAL)
        bound[slots->stored].place = l->target;
    if (vkr_leaves_results(l))
        bound[slots->results].place = r->results;
    return pass;
}

/* Whether a level needs scratch for the values that it leaves. */
static bool needs_target(const vkr_level *l)
{
    return (l->output == VKR_OUTPUT_PARTIAL || l->output == VKR_OUTPUT_LAST) &&
           l->target.buffer == VK_NULL_HANDLE;
}

VkrResult vkr_add_levels(VkrRecorder recorder, vkr_level *l)
{
    const uint32_t words = l->reduce->partial_words;
    for (;;) {
        if (needs_target(l))
            VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, words, l->left, &l->target));
        if (l->output == VKR_OUTPUT_LAST)
            VKR_TRY(vkr_add_ticket(recorder, true, &l->ticket));
        VKR_TRY(l->add(recorder, l));
        if (vkr_leaves_results(l) || l->next == NULL)
            return VKR_SUCCESS;
        VKR_TRY(l->next(l));
    }
}

/* ---- A whole ---- */

/* Where each of several segments is a reduction of its own, their results share granules, and so do
 * the descriptors of these: each dispatch is declared to write all that its descriptor reaches. */
static void finish(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_reduce *r = pass->operation;
    const VkDescriptorBufferInfo *results = &step->bindings[VKR_REDUCE_BINDING_OUTPUT].buffer;
    (void)window;
    if (r->linked != NULL)
        vkr_link_step(r->linked, step);
    if (r->segments > 1 && results->buffer != VK_NULL_HANDLE)
        vkr_use(step, results->buffer, results->offset, results->range, VK_ACCESS_SHADER_WRITE_BIT);
}

static VkrResult add_whole(VkrRecorder recorder, const vkr_level *l)
{
    vkr_level_slots slots = VKR_LEVEL_SLOTS(VKR_REDUCE);
    const vkr_reduce *r = l->reduce;
    const bool blocks = !l->partials && r->by_blocks;
    const bool texels = l->walk.loads_image, linked = r->linked != NULL;
    slots.partials = linked ? VKR_REDUCE_STATES : VKR_REDUCE_PARTIALS;
    vkr_pass pass = vkr_pass_of_level(l, &l->walk,
                                      texels   ? &vkr_reduce_image_card
                                      : blocks ? &vkr_blocks_card
                                      : linked ? &vkr_reduce_linked_card
                                               : &vkr_reduce_card,
                                      &slots, l->replaced ? VKR_FLAG_REPLACED : 0);
    struct vkr_reduce_push *push = VKR_PUSH(&pass, vkr_reduce_push);
    pass.finish = finish;
    pass.operation = r;
    pass.places_texels = texels;
    pass.slots[slots.partials].span = VKR_SPAN_ELEMENTS;
    pass.slots[VKR_REDUCE_STORED].span = blocks ? VKR_SPAN_BLOCKS : VKR_SPAN_GROUPS;
    if (l->output == VKR_OUTPUT_LAST) {
        pass.slots[VKR_REDUCE_SHARED] = (vkr_bound){.place = l->target, .span = VKR_SPAN_GROUPS};
        if (!linked)
            pass.slots[VKR_REDUCE_AGAIN] = pass.slots[VKR_REDUCE_SHARED];
        pass.slots[VKR_REDUCE_COUNTER].place = l->ticket;
    }
    if (l->output >= VKR_OUTPUT_ELEMENT) {
        pass.slots[VKR_REDUCE_IN_PLACE] = pass.slots[VKR_REDUCE_INPUT];
        pass.slots[VKR_REDUCE_ELEMENT] = pass.slots[VKR_REDUCE_INPUT];
        pass.slots[VKR_REDUCE_INPUT] = (vkr_bound){0};
        push->stored_stride = (uint32_t)(l->target.stride / r->input.type->size);
    }
    if (!l->partials && !texels)
        vkr_set_map_of_values(&r->input, &push->map_weight, &push->map_bias);
    return vkr_emit(recorder, &pass);
}

static vkr_place place_of_pieces(const vkr_reduce *r)
{
    const VkrBufferRange *partials = &r->info->pieces.partials;
    return vkr_place_of_words(partials->buffer, partials->offset, r->partial_words);
}

/* Chooses in which form the level leaves its values, and where, unless that is scratch: at their
 * places among the values of all pieces, or where each workgroup read its first value. */
static void choose_output(vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const bool one_group = l->walk.groups == 1;
    vkr_place in_place = l->source;
    in_place.stride *= (uint64_t)l->walk.workgroup_size * l->walk.items;
    l->target = (vkr_place){0};
    l->left = vkr_count_partials(r, &l->walk, !l->partials);
    l->output = one_group                           ? VKR_OUTPUT_RESULT
                : r->algorithm == VKR_REDUCE_SINGLE ? VKR_OUTPUT_LAST
                                                    : VKR_OUTPUT_PARTIAL;
    if (r->pieces && !l->partials) {
        l->output = VKR_OUTPUT_PARTIAL;
        l->target = place_of_pieces(r);
        l->target.offset += r->walk.first / VKR_TREE_BLOCK * l->target.stride;
    } else if (r->consume) {
        l->output = one_group ? VKR_OUTPUT_ELEMENT_RESULT : VKR_OUTPUT_ELEMENT;
        l->target = in_place;
    } else if (l->partials && r->algorithm == VKR_REDUCE_RECURSIVE) {
        l->target = in_place;
    }
}

static VkrResult set_next_whole(vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    const bool of_pieces = r->pieces && !l->partials;
    const vkr_place source = of_pieces ? place_of_pieces(r) : l->target;
    const uint64_t count = of_pieces ? vkr_divide_up(r->walk.whole, VKR_TREE_BLOCK) : l->left;
    uint64_t items = r->by_blocks ? VKR_TREE_BLOCK / VKR_TREE_WIDTH : l->walk.items;
    if (r->algorithm == VKR_REDUCE_SUBGROUP && !r->canonical) {
        const uint64_t reach = vkr_place_reach(&r->context->caps, &source) / r->walk.workgroup_size;
        items = vkr_min(vkr_divide_up(count, r->walk.workgroup_size), vkr_max_reads(r));
        items = reach > 0 ? vkr_min(items, reach) : items;
    }
    l->source = source;
    l->partials = !r->consume;
    l->replaced = r->consume;
    VKR_TRY(vkr_walk_source(r, !l->partials, source, count, items, &l->walk));
    choose_output(l);
    return VKR_SUCCESS;
}

VkrResult vkr_plan_reduce(VkrRecorder recorder, vkr_reduce *r)
{
    const bool has_more_pieces = r->pieces && r->walk.first + r->walk.count < r->walk.whole;
    VKR_TRY(vkr_plan_geometry(r));
    vkr_level l = vkr_first_level(r);
    l.add = add_whole;
    l.next = has_more_pieces ? NULL : set_next_whole;
    choose_output(&l);
    if (r->pieces && r->walk.count == 0) /* only the pieces' partials are reduced */
        VKR_TRY(set_next_whole(&l));
    return vkr_add_levels(recorder, &l);
}
