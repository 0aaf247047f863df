/* SPDX-License-Identifier: MIT */
/* From a reduction's geometry to its steps. */
#include "reduce.h"

static uint32_t flags_of(const vkr_reduce *r)
{
    return (r->info->nan == VKR_NAN_PROPAGATE ? VKR_FLAG_PROPAGATE_NAN : 0) |
           (r->wide_index ? VKR_FLAG_WIDE_INDEX : 0) | (r->canonical ? VKR_FLAG_CANONICAL : 0) |
           vkr_count_flags(&r->info->gpuCount);
}

vkr_variant vkr_reduce_variant(const vkr_reduce *r, const vkr_walk *w, bool elements,
                               uint32_t output, uint32_t flags)
{
    return (vkr_variant){
        .kernel = vkr_find_reduce_kernel(r, w->loads),
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

/* Where wide loads start: behind the elements that precede the first whole one. */
static void bind_loads(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_reduce *r = pass->operation;
    const uint32_t loads = pass->walk->loads;
    struct vkr_reduce_push *push = VKR_PUSH(step, vkr_reduce_push);
    const VkDeviceSize phase = loads == VKR_LOADS_TEXEL ? r->input.texels.offset : 0;
    const uint32_t size = vkr_load_size(loads);
    const uint32_t unit = r->input.type->size;
    if (loads == 0 || window->count == 0)
        return;
    push->head = vkr_head(&r->input, window->first, loads, phase);
    const VkDeviceSize ahead = (VkDeviceSize)push->head * r->input.components * unit;
    VkDeviceSize start = (VkDeviceSize)push->input_base * unit;
    if (loads == VKR_LOADS_TEXEL) {
        start = r->input.offset + window->first * r->input.stride - phase;
        vkr_fill_texels(step, &r->input);
    }
    push->load_base = (uint32_t)((start + ahead) / size);
    push->load2_base = (uint32_t)(((VkDeviceSize)push->input2_base * unit + ahead) / size);
}

static void bind_source(const vkr_reduce *r, const vkr_reduce_pass *p, vkr_pass *pass)
{
    if (!p->elements) {
        vkr_bind(pass, VKR_REDUCE_PARTIALS, VKR_SPAN_ELEMENTS, p->source);
        return;
    }
    if (p->output >= VKR_OUTPUT_ELEMENT) {
        vkr_bind(pass, VKR_REDUCE_IN_PLACE, VKR_SPAN_ELEMENTS, p->source);
        vkr_bind(pass, VKR_REDUCE_ELEMENT, VKR_SPAN_ELEMENTS, p->source);
        VKR_PUSH(pass, vkr_reduce_push)->stored_stride =
            (uint32_t)(p->target.stride / r->input.type->size);
    } else {
        vkr_bind(pass, VKR_REDUCE_INPUT, VKR_SPAN_ELEMENTS, p->source);
    }
    if (vkr_has_dot(r))
        vkr_bind(pass, VKR_REDUCE_INPUT2, VKR_SPAN_ELEMENTS, vkr_place_of_view(&r->input2));
}

static void bind_target(const vkr_reduce *r, const vkr_reduce_pass *p, vkr_pass *pass)
{
    const VkrBufferRange *output = &r->info->output;
    if (p->output == VKR_OUTPUT_PARTIAL)
        vkr_bind(pass, VKR_REDUCE_STORED, VKR_SPAN_GROUPS, p->target);
    if (p->output == VKR_OUTPUT_LAST) {
        vkr_bind(pass, VKR_REDUCE_SHARED, VKR_SPAN_GROUPS, p->target);
        vkr_bind(pass, VKR_REDUCE_AGAIN, VKR_SPAN_GROUPS, p->target);
        vkr_bind_item(pass, VKR_REDUCE_COUNTER, p->counter);
    }
    if (p->output != VKR_OUTPUT_PARTIAL && p->output != VKR_OUTPUT_ELEMENT)
        vkr_bind_item(pass, VKR_REDUCE_RESULTS,
                      vkr_place_of_bytes(output->buffer, output->offset, r->layout.size,
                                         (uint32_t)vkr_min(r->input.type->size, 4)));
    vkr_bind_item(pass, VKR_REDUCE_COUNT, vkr_place_of_count(&r->info->gpuCount));
}

static VkrResult add_pass(VkrRecorder recorder, const vkr_reduce *r, const vkr_reduce_pass *p)
{
    const uint32_t flags = p->replaced ? VKR_FLAG_REPLACED : 0;
    vkr_pass pass = {.walk = &p->walk,
                     .interface = &vkr_reduce_interface,
                     .label = r->info->label,
                     .variant = vkr_reduce_variant(r, &p->walk, p->elements, p->output, flags),
                     .finish = bind_loads,
                     .operation = r};
    VKR_TRY(vkr_check_kernel(&p->walk, pass.variant.kernel, r->wide));
    bind_source(r, p, &pass);
    bind_target(r, p, &pass);
    return vkr_emit(recorder, &pass);
}

static vkr_place place_of_pieces(const vkr_reduce *r)
{
    const VkrBufferRange *partials = &r->info->pieces.partials;
    return vkr_place_of_partials(r, partials->buffer, partials->offset);
}

/* Partials in scratch, and where the last workgroup goes on with them, its counter. */
static VkrResult add_memory(VkrRecorder recorder, const vkr_reduce *r, vkr_reduce_pass *p)
{
    p->target = vkr_place_of_partials(r, VKR_SCRATCH, 0);
    p->counter = vkr_place_of_words(VKR_COUNTERS, 0, 1);
    VKR_TRY(vkr_add_scratch(recorder, p->groups * p->target.stride, &p->target.offset));
    return p->output == VKR_OUTPUT_LAST
               ? vkr_add_counters(recorder, p->counter.size, &p->counter.offset)
               : VKR_SUCCESS;
}

/* Where the pass leaves its values, and in which form. */
static VkrResult choose_target(VkrRecorder recorder, const vkr_reduce *r, vkr_reduce_pass *p)
{
    const uint64_t chunk = (uint64_t)p->walk.workgroup_size * p->walk.items;
    if (r->pieces && p->elements) {
        p->output = VKR_OUTPUT_PARTIAL;
        p->target = place_of_pieces(r);
        p->target.offset += r->walk.first / VKR_TREE_BLOCK * p->target.stride;
    } else if (r->consume) {
        p->output = p->groups == 1 ? VKR_OUTPUT_ELEMENT_RESULT : VKR_OUTPUT_ELEMENT;
        p->target = p->source;
        p->target.stride *= chunk;
    } else if (p->groups == 1) {
        p->output = VKR_OUTPUT_RESULT;
    } else if (!p->elements && r->algorithm == VKR_REDUCE_RECURSIVE) {
        p->output = VKR_OUTPUT_PARTIAL;
        p->target = p->source;
        p->target.stride *= chunk;
    } else {
        p->output = r->algorithm == VKR_REDUCE_SINGLE ? VKR_OUTPUT_LAST : VKR_OUTPUT_PARTIAL;
        return add_memory(recorder, r, p);
    }
    return VKR_SUCCESS;
}

static vkr_reduce_pass next_pass(const vkr_reduce *r, const vkr_reduce_pass *p)
{
    const bool of_pieces = r->pieces && p->elements;
    const vkr_place source = of_pieces ? place_of_pieces(r) : p->target;
    const uint64_t count = of_pieces ? vkr_divide_up(r->walk.whole, VKR_TREE_BLOCK) : p->groups;
    uint64_t items = p->walk.items;
    if (r->algorithm == VKR_REDUCE_SUBGROUP && !r->canonical) {
        const uint64_t reach = vkr_place_reach(&r->context->caps, &source) / r->walk.workgroup_size;
        items = vkr_min(vkr_divide_up(count, r->walk.workgroup_size), vkr_max_reads(r));
        items = reach > 0 ? vkr_min(items, reach) : items;
    }
    vkr_reduce_pass next = {.elements = r->consume, .replaced = r->consume};
    vkr_set_source(r, &next, &source, count, (uint32_t)items);
    return next;
}

VkrResult vkr_plan_reduce(VkrRecorder recorder, const vkr_reduce *r)
{
    const bool to_be_continued = r->pieces && r->walk.first + r->walk.count < r->walk.whole;
    vkr_reduce_pass p = vkr_first_pass(r);
    if (r->pieces && r->walk.count == 0) /* after pieces that are in place already */
        p = next_pass(r, &p);
    for (;; p = next_pass(r, &p)) {
        VKR_TRY(vkr_cut_pass(r, &p));
        VKR_TRY(choose_target(recorder, r, &p));
        VKR_TRY(add_pass(recorder, r, &p));
        if (to_be_continued || (p.output != VKR_OUTPUT_PARTIAL && p.output != VKR_OUTPUT_ELEMENT))
            return VKR_SUCCESS;
    }
}
