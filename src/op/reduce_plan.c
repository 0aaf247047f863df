/* SPDX-License-Identifier: MIT */
/* From a reduction's geometry to its steps. */
#include "reduce.h"

static uint32_t flags_of(const vkr_reduce *r)
{
    return (r->info->nan == VKR_NAN_PROPAGATE ? VKR_FLAG_PROPAGATE_NAN : 0) |
           (r->info->nan == VKR_NAN_SKIP ? VKR_FLAG_SKIP_NAN : 0) |
           (r->wide_index ? VKR_FLAG_WIDE_INDEX : 0) | (r->canonical ? VKR_FLAG_CANONICAL : 0) |
           (r->masked ? VKR_FLAG_MASKED : 0) |
           ((r->info->flags & VKR_REDUCE_SAMPLE_BIT) != 0 ? VKR_FLAG_SAMPLE : 0) |
           vkr_map_flags(&r->input) | vkr_count_flags(&r->info->gpuCount);
}

vkr_variant vkr_reduce_variant(const vkr_reduce *r, const vkr_walk *w, bool elements,
                               uint32_t output, uint32_t flags)
{
    return (vkr_variant){
        .kernel = vkr_kernel_of(w, w->family, w->loads),
        .constants = {[VKR_CONST_WORKGROUP] = w->workgroup_size,
                      [VKR_CONST_OPS] = r->info->ops,
                      [VKR_CONST_COMPONENTS] = r->input.components,
                      [VKR_CONST_SIGNED] = r->input.type->is_signed,
                      [VKR_CONST_FLAGS] = flags_of(r) | flags,
                      [VKR_CONST_INPUT] = elements ? VKR_INPUT_ELEMENTS : VKR_INPUT_PARTIALS,
                      [VKR_CONST_OUTPUT] = output,
                      [VKR_CONST_SUBGROUPS] = vkr_walk_subgroups(w),
                      [VKR_CONST_PATH] = w->loads != 0 ? VKR_PATH_WIDE : VKR_PATH_ELEMENT,
                      [VKR_CONST_ORDER] = w->order,
                      [VKR_CONST_BATCH] = w->batch}};
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

/* Sets where wide loads start: behind the elements that precede the first whole one. */
static void finish(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    struct vkr_reduce_push *push = VKR_PUSH(step, vkr_reduce_push);
    const vkr_walk *w = pass->walk;
    const vkr_reduce *r = pass->operation;
    if (window->count != 0 && r->masked &&
        pass->variant.constants[VKR_CONST_INPUT] == VKR_INPUT_ELEMENTS)
        push->mask_base = vkr_fill_mask(pass, VKR_REDUCE_MASK, r->mask, window, step);
    if (w->loads == 0 || window->count == 0)
        return;
    if (vkr_is_image_load(w->loads)) {
        vkr_fill_texels_of_image(w, window, step);
        return;
    }
    push->head = window->head;
    push->load_base = vkr_bind_loads(w, window, push->input_base, step);
    push->load2_base = vkr_load_base(w, window, (uint64_t)push->input2_base * w->view->type->size);
}

static void bind_source(const vkr_reduce *r, const vkr_link *l, vkr_pass *pass)
{
    const vkr_place source = l->walk.reached[0];
    if (!l->elements) {
        vkr_bind(pass, VKR_REDUCE_PARTIALS, VKR_SPAN_ELEMENTS, source);
        return;
    }
    if (vkr_is_image_load(l->walk.loads))
        return;
    if (l->output >= VKR_OUTPUT_ELEMENT) {
        vkr_bind(pass, VKR_REDUCE_IN_PLACE, VKR_SPAN_ELEMENTS, source);
        vkr_bind(pass, VKR_REDUCE_ELEMENT, VKR_SPAN_ELEMENTS, source);
        VKR_PUSH(pass, vkr_reduce_push)->stored_stride =
            (uint32_t)(l->target.stride / r->input.type->size);
    } else {
        vkr_bind(pass, VKR_REDUCE_INPUT, VKR_SPAN_ELEMENTS, source);
    }
    if (vkr_has_dot(r))
        vkr_bind(pass, VKR_REDUCE_INPUT2, VKR_SPAN_ELEMENTS, vkr_place_of_view(&r->input2));
}

vkr_place vkr_place_of_results(const vkr_reduce *r)
{
    const VkrBufferRange *output = &r->info->output;
    const VkDeviceSize stride = r->layout.stride;
    if (r->info->outputImage != NULL)
        return r->results;
    return (vkr_place){.buffer = output->buffer,
                       .offset = output->offset,
                       .stride = stride,
                       .size = r->layout.size - (r->segments - 1) * stride,
                       .unit = (uint32_t)vkr_min(r->input.type->size, 4)};
}

static void bind_target(const vkr_reduce *r, const vkr_link *l, vkr_pass *pass)
{
    if (l->output == VKR_OUTPUT_PARTIAL)
        vkr_bind(pass, VKR_REDUCE_STORED,
                 l->elements && r->by_blocks ? VKR_SPAN_BLOCKS : VKR_SPAN_GROUPS, l->target);
    if (l->output == VKR_OUTPUT_LAST) {
        vkr_bind(pass, VKR_REDUCE_SHARED, VKR_SPAN_GROUPS, l->target);
        vkr_bind(pass, VKR_REDUCE_AGAIN, VKR_SPAN_GROUPS, l->target);
        vkr_bind_item(pass, VKR_REDUCE_COUNTER, l->counter);
    }
    if (l->output != VKR_OUTPUT_PARTIAL && l->output != VKR_OUTPUT_ELEMENT)
        vkr_bind_item(pass, VKR_REDUCE_RESULTS, vkr_place_of_results(r));
    vkr_bind_item(pass, VKR_REDUCE_COUNT, vkr_place_of_count(&r->info->gpuCount));
}

static VkrResult add_pass(VkrRecorder recorder, const vkr_reduce *r, const vkr_link *l)
{
    const uint32_t flags = l->elements && !l->first ? VKR_FLAG_REPLACED : 0;
    vkr_pass pass = {.walk = &l->walk,
                     .interface = vkr_is_image_load(l->walk.loads) ? &vkr_reduce_image_interface
                                  : l->elements && r->by_blocks    ? &vkr_blocks_interface
                                                                   : &vkr_reduce_interface,
                     .variant = vkr_reduce_variant(r, &l->walk, l->elements, l->output, flags),
                     .finish = finish,
                     .operation = r};
    /* No invocation of a tree has so many elements, and CPU drivers would execute the loop once. */
    if (l->elements && l->walk.loads == 0 && !r->by_blocks && l->walk.items >= VKR_AHEAD)
        pass.variant.constants[VKR_CONST_BATCH] = VKR_AHEAD;
    if (l->elements && !vkr_is_image(&r->input)) {
        uint32_t weights[VKR_MAX_COMPONENTS];
        struct vkr_reduce_push *push = VKR_PUSH(&pass, vkr_reduce_push);
        vkr_set_map(&r->input, weights, &push->map_bias);
        push->map_weight = weights[0];
    }
    bind_source(r, l, &pass);
    bind_target(r, l, &pass);
    return vkr_emit(recorder, &pass);
}

static vkr_place place_of_pieces(const vkr_reduce *r)
{
    const VkrBufferRange *partials = &r->info->pieces.partials;
    return vkr_place_of_words(partials->buffer, partials->offset, vkr_partial_words(r));
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
        VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, vkr_partial_words(r), partials, &l->target));
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
