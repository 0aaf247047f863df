/* SPDX-License-Identifier: MIT */
/* From a reduction's geometry to its steps. */
#include "reduce.h"

static VkrResult choose_variant(const vkr_reduce *r, const vkr_level *l, vkr_variant *variant)
{
    const VkrReduceInfo *info = r->info;
    const vkr_walk *w = &l->walk;
    uint32_t flags = 0;
    flags |= info->nan == VKR_NAN_PROPAGATE ? VKR_FLAG_PROPAGATE_NAN : 0;
    flags |= r->wide_index ? VKR_FLAG_WIDE_INDEX : 0;
    flags |= r->canonical ? VKR_FLAG_CANONICAL : 0;
    flags |= l->replaced ? VKR_FLAG_REPLACED : 0;
    if (info->gpuCount.buffer != VK_NULL_HANDLE)
        flags |=
            VKR_FLAG_GPU_COUNT | (info->gpuCount.type == VKR_TYPE_U64 ? VKR_FLAG_GPU_COUNT64 : 0);
    *variant = (vkr_variant){
        .kernel = vkr_find_reduce_kernel(r, w->loads),
        .constants = {[VKR_CONST_WORKGROUP] = w->workgroup_size,
                      [VKR_CONST_OPS] = info->ops,
                      [VKR_CONST_COMPONENTS] = r->input.components,
                      [VKR_CONST_SIGNED] = r->input.type->is_signed,
                      [VKR_CONST_FLAGS] = flags,
                      [VKR_CONST_INPUT] = l->elements ? VKR_INPUT_ELEMENTS : VKR_INPUT_PARTIALS,
                      [VKR_CONST_OUTPUT] = l->output,
                      [VKR_CONST_SUBGROUPS] = vkr_walk_subgroups(w),
                      [VKR_CONST_PATH] = w->loads != 0 ? VKR_PATH_WIDE : VKR_PATH_ELEMENT,
                      [VKR_CONST_ORDER] = w->order,
                      [VKR_CONST_BATCH] = w->batch}};
    if (variant->kernel == vkr_kernel_count)
        return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                        "vkrCmdReduce: input.type is %s, but there is no kernel for it on rung %s.",
                        r->input.type->name, vkrRungName(w->rung));
    return VKR_SUCCESS;
}

/* Where wide loads start: behind the elements that precede the first whole one. */
static void bind_loads(const vkr_reduce *r, const vkr_window *window, vkr_step *step)
{
    struct vkr_reduce_push *push = VKR_PUSH(step, vkr_reduce_push);
    const VkrTexels *texels = &r->input.texels;
    const bool from_texels = r->walk.loads == VKR_LOADS_TEXEL;
    const VkDeviceSize phase = from_texels ? texels->offset : 0;
    const uint32_t size = vkr_load_size(r->walk.loads);
    const uint32_t unit = r->input.type->size;
    push->head = vkr_head(&r->input, window->first, r->walk.loads, phase);
    const VkDeviceSize ahead = (VkDeviceSize)push->head * r->input.components * unit;
    push->load2_base = (uint32_t)(((VkDeviceSize)push->input2_base * unit + ahead) / size);
    if (!from_texels) {
        push->load_base = (uint32_t)(((VkDeviceSize)push->input_base * unit + ahead) / size);
        return;
    }
    const VkDeviceSize start = r->input.offset + window->first * r->input.stride + ahead;
    push->load_base = (uint32_t)((start - phase) / size);
    step->texels = texels->view;
    vkr_use(step, r->input.buffer, texels->offset, texels->size, VK_ACCESS_SHADER_READ_BIT);
}

/* What the dispatches of a level share. */
typedef struct vkr_reduce_job {
    const vkr_reduce *reduce;
    const vkr_level *level;
} vkr_reduce_job;

/* The reduction may be a piece of a whole, whose elements have their own numbers. */
static VkrResult finish_window(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_reduce_job *job = pass->operation;
    const vkr_reduce *r = job->reduce;
    const vkr_level *l = job->level;
    vkr_set_field64(step, vkr_reduce_interface.capacity, r->whole);
    vkr_set_field64(step, vkr_reduce_interface.first, r->first + window->first);
    if (l->output >= VKR_OUTPUT_ELEMENT)
        VKR_PUSH(step, vkr_reduce_push)->stored_stride =
            (uint32_t)(l->target.stride / r->input.type->size);
    if (l->walk.loads != 0 && window->count != 0)
        bind_loads(r, window, step);
    return VKR_SUCCESS;
}

static void bind_source(const vkr_reduce *r, const vkr_level *l, vkr_pass *pass)
{
    const vkr_slot *slots = vkr_reduce_slots;
    if (!l->elements) {
        vkr_pass_bind(pass, &slots[VKR_REDUCE_PARTIALS], VKR_SPAN_ELEMENTS, l->source, 0);
    } else if (l->output >= VKR_OUTPUT_ELEMENT) {
        vkr_pass_bind(pass, &slots[VKR_REDUCE_IN_PLACE], VKR_SPAN_ELEMENTS, l->source, 0);
        vkr_pass_bind(pass, &slots[VKR_REDUCE_ELEMENT], VKR_SPAN_ELEMENTS, l->source, 0);
    } else {
        vkr_pass_bind(pass, &slots[VKR_REDUCE_INPUT], VKR_SPAN_ELEMENTS, l->source, 0);
    }
    if (l->elements && (r->info->ops & VKR_OP_DOT) != 0)
        vkr_pass_bind(pass, &slots[VKR_REDUCE_INPUT2], VKR_SPAN_ELEMENTS,
                      vkr_place_of_view(&r->input2), 0);
}

static void bind_target(const vkr_reduce *r, const vkr_level *l, vkr_pass *pass)
{
    const vkr_slot *slots = vkr_reduce_slots;
    const VkrBufferRange *output = &r->info->output;
    const uint32_t unit = r->input.type->size < 4 ? r->input.type->size : 4;
    if (l->output == VKR_OUTPUT_PARTIAL)
        vkr_pass_bind(pass, &slots[VKR_REDUCE_STORED], VKR_SPAN_GROUPS, l->target, 0);
    if (l->output == VKR_OUTPUT_LAST) {
        vkr_pass_bind(pass, &slots[VKR_REDUCE_SHARED], VKR_SPAN_GROUPS, l->target, 0);
        vkr_pass_bind(pass, &slots[VKR_REDUCE_AGAIN], VKR_SPAN_GROUPS, l->target, 0);
        vkr_pass_bind(pass, &slots[VKR_REDUCE_COUNTER], VKR_SPAN_ALL, l->counter, 1);
    }
    if (l->output != VKR_OUTPUT_PARTIAL && l->output != VKR_OUTPUT_ELEMENT)
        vkr_pass_bind(pass, &slots[VKR_REDUCE_RESULTS], VKR_SPAN_ALL,
                      vkr_place_of_bytes(output->buffer, output->offset, r->layout.size, unit), 1);
}

static VkrResult add_level(VkrRecorder recorder, const vkr_reduce *r, const vkr_level *l)
{
    const vkr_reduce_job job = {r, l};
    vkr_pass pass = {.walk = &l->walk,
                     .interface = &vkr_reduce_interface,
                     .label = r->info->label,
                     .finish = finish_window,
                     .operation = &job};
    VkrResult result = choose_variant(r, l, &pass.variant);
    if (result != VKR_SUCCESS)
        return result;
    bind_source(r, l, &pass);
    bind_target(r, l, &pass);
    vkr_pass_bind(&pass, &vkr_reduce_slots[VKR_REDUCE_COUNT], VKR_SPAN_ALL,
                  vkr_place_of_count(&r->info->gpuCount), 1);
    return vkr_emit(recorder, &pass);
}

static vkr_place place_of_pieces(const vkr_reduce *r)
{
    const VkrBufferRange *partials = &r->info->pieces.partials;
    return vkr_place_of_partials(r, partials->buffer, partials->offset);
}

/* Partials in scratch, and where the last workgroup goes on with them, its counter. */
static VkrResult add_memory(VkrRecorder recorder, const vkr_reduce *r, vkr_level *l)
{
    l->target = vkr_place_of_partials(r, VKR_SCRATCH, 0);
    l->counter = vkr_place_of_words(VKR_COUNTERS, 0, 1);
    VkrResult result = vkr_add_scratch(recorder, l->groups * l->target.stride, &l->target.offset);
    if (result == VKR_SUCCESS && l->output == VKR_OUTPUT_LAST)
        result = vkr_add_counters(recorder, l->counter.size, &l->counter.offset);
    return result;
}

/* Where the level leaves its values, and in which form. */
static VkrResult choose_target(VkrRecorder recorder, const vkr_reduce *r, vkr_level *l)
{
    const uint64_t chunk = (uint64_t)l->walk.workgroup_size * l->walk.items;
    if (r->pieces && l->elements) {
        l->output = VKR_OUTPUT_PARTIAL;
        l->target = place_of_pieces(r);
        l->target.offset += r->first / VKR_TREE_BLOCK * l->target.stride;
    } else if (r->consume) {
        l->output = l->groups == 1 ? VKR_OUTPUT_ELEMENT_RESULT : VKR_OUTPUT_ELEMENT;
        l->target = l->source;
        l->target.stride *= chunk;
    } else if (l->groups == 1) {
        l->output = VKR_OUTPUT_RESULT;
    } else if (!l->elements && r->algorithm == VKR_REDUCE_RECURSIVE) {
        l->output = VKR_OUTPUT_PARTIAL;
        l->target = l->source;
        l->target.stride *= chunk;
    } else {
        l->output = r->algorithm == VKR_REDUCE_SINGLE ? VKR_OUTPUT_LAST : VKR_OUTPUT_PARTIAL;
        return add_memory(recorder, r, l);
    }
    return VKR_SUCCESS;
}

static vkr_level next_level(const vkr_reduce *r, const vkr_level *l)
{
    const bool of_pieces = r->pieces && l->elements;
    const vkr_place source = of_pieces ? place_of_pieces(r) : l->target;
    const uint64_t count = of_pieces ? vkr_divide_up(r->whole, VKR_TREE_BLOCK) : l->groups;
    uint64_t items = l->walk.items;
    if (r->algorithm == VKR_REDUCE_SUBGROUP && !r->canonical) {
        const uint64_t reach = vkr_place_reach(&r->context->caps, &source) / r->walk.workgroup_size;
        items = vkr_divide_up(count, r->walk.workgroup_size);
        items = items > vkr_max_reads(r) ? vkr_max_reads(r) : items;
        items = items > reach && reach > 0 ? reach : items;
    }
    vkr_level next = {.elements = r->consume, .replaced = r->consume};
    vkr_set_source(r, &next, &source, count, (uint32_t)items);
    return next;
}

static bool is_partial(const vkr_level *l)
{
    return l->output == VKR_OUTPUT_PARTIAL || l->output == VKR_OUTPUT_ELEMENT;
}

VkrResult vkr_plan_reduce(VkrRecorder recorder, const vkr_reduce *r)
{
    const bool to_be_continued = r->pieces && r->first + r->walk.count < r->whole;
    vkr_level l = vkr_first_level(r);
    if (r->pieces && r->walk.count == 0) /* after pieces that are in place already */
        l = next_level(r, &l);
    for (;; l = next_level(r, &l)) {
        uint32_t windows;
        VkrResult result = vkr_cut_level(r, &l, &windows);
        if (result == VKR_SUCCESS)
            result = choose_target(recorder, r, &l);
        if (result == VKR_SUCCESS)
            result = add_level(recorder, r, &l);
        if (result != VKR_SUCCESS || !is_partial(&l) || to_be_continued)
            return result;
    }
}
