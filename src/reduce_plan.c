/* SPDX-License-Identifier: MIT */
/* From a reduction's geometry to its steps. */
#include <string.h>

#include "reduce.h"

uint32_t vkr_find_reduce_kernel(const vkr_reduce *r, uint32_t loads)
{
    return vkr_find_kernel(r->kernels, vkr_class_of(r->input.type_id), r->wide,
                           r->input.components > 1, loads, r->rung);
}

bool vkr_has_loads(const vkr_reduce *r, uint32_t loads)
{
    return vkr_find_reduce_kernel(r, loads) < vkr_kernel_count;
}

static VkrResult choose_variant(const vkr_reduce *r, const vkr_level *l, vkr_variant *variant)
{
    const VkrReduceInfo *info = r->info;
    uint32_t loads = l->elements ? r->loads : 0;
    uint32_t flags = 0;
    flags |= info->nan == VKR_NAN_PROPAGATE ? VKR_FLAG_PROPAGATE_NAN : 0;
    flags |= r->wide_index ? VKR_FLAG_WIDE_INDEX : 0;
    flags |= r->canonical ? VKR_FLAG_CANONICAL : 0;
    flags |= l->replaced ? VKR_FLAG_REPLACED : 0;
    if (info->gpuCount.buffer != VK_NULL_HANDLE)
        flags |=
            VKR_FLAG_GPU_COUNT | (info->gpuCount.type == VKR_TYPE_U64 ? VKR_FLAG_GPU_COUNT64 : 0);
    *variant = (vkr_variant){
        .constant_count = VKR_REDUCE_CONSTANTS,
        .constants = {[VKR_CONST_WORKGROUP] = r->workgroup_size,
                      [VKR_CONST_OPS] = info->ops,
                      [VKR_CONST_COMPONENTS] = r->input.components,
                      [VKR_CONST_SIGNED] = r->input.type->is_signed,
                      [VKR_CONST_FLAGS] = flags,
                      [VKR_CONST_INPUT] = l->elements ? VKR_INPUT_ELEMENTS : VKR_INPUT_PARTIALS,
                      [VKR_CONST_OUTPUT] = l->output,
                      [VKR_CONST_SUBGROUPS] = vkr_max_subgroups(r),
                      [VKR_CONST_PATH] = loads != 0 ? VKR_PATH_WIDE : VKR_PATH_ELEMENT,
                      [VKR_CONST_ORDER] = l->elements ? r->order : VKR_ORDER_COALESCED,
                      [VKR_CONST_BATCH] = l->elements ? r->batch : 1}};
    variant->kernel = vkr_find_reduce_kernel(r, loads);
    if (variant->kernel == vkr_kernel_count)
        return vkr_fail_left_out(r->context, "vkrCmdReduce", r->input.type, r->wide);
    return VKR_SUCCESS;
}

/* The same bytes once more, as loads; those of a buffer view are read as a whole. */
static void bind_loads(const vkr_reduce *r, uint64_t first, vkr_step *step,
                       struct vkr_reduce_push *push)
{
    const VkrTexels *texels = &r->input.texels;
    bool from_texels = r->loads == VKR_LOADS_TEXEL;
    VkDeviceSize phase = from_texels ? texels->offset : 0;
    uint32_t size = vkr_load_size(r->loads);
    uint32_t unit = r->input.type->size;
    push->head = vkr_head(&r->input, first, r->loads, phase);
    VkDeviceSize ahead = (VkDeviceSize)push->head * r->input.components * unit;
    push->load2_base = (uint32_t)(((VkDeviceSize)push->input2_base * unit + ahead) / size);
    if (!from_texels) {
        push->load_base = (uint32_t)(((VkDeviceSize)push->input_base * unit + ahead) / size);
        return;
    }
    VkDeviceSize start = r->input.offset + first * r->input.stride + ahead;
    push->load_base = (uint32_t)((start - phase) / size);
    step->texels = texels->view;
    vkr_use(step, r->input.buffer, texels->offset, texels->size, VK_ACCESS_SHADER_READ_BIT);
}

static void bind_source(const vkr_reduce *r, const vkr_level *l, uint64_t first, uint64_t count,
                        vkr_step *step, struct vkr_reduce_push *push)
{
    if (l->elements) {
        bool in_place = l->output >= VKR_OUTPUT_ELEMENT;
        VkAccessFlags access =
            VK_ACCESS_SHADER_READ_BIT | (in_place ? VK_ACCESS_SHADER_WRITE_BIT : 0);
        vkr_view input = r->input;
        input.stride = l->source.stride;
        vkr_bind_view(&r->context->caps, step, VKR_BINDING_INPUT, &input, first, count, access,
                      &push->input_base, &push->input_stride);
        if ((r->info->ops & VKR_OP_DOT) != 0)
            vkr_bind_view(&r->context->caps, step, VKR_BINDING_INPUT2, &r->input2, first, count,
                          access, &push->input2_base, &push->input2_stride);
        if (in_place && count != 0)
            step->bindings[VKR_BINDING_ELEMENT] = step->bindings[VKR_BINDING_INPUT];
        if (r->loads != 0 && count != 0)
            bind_loads(r, first, step, push);
        return;
    }
    VkDeviceSize offset = l->source.offset + 4 * first * l->source.stride;
    VkDeviceSize size = 4 * ((count - 1) * l->source.stride + vkr_partial_words(r));
    VkDeviceSize slack =
        vkr_bind(&r->context->caps, step, VKR_BINDING_PARTIALS, l->source.buffer, offset, size);
    push->partials_base = (uint32_t)(slack / 4);
    push->partials_stride = (uint32_t)l->source.stride;
    vkr_use(step, l->source.buffer, offset - slack, slack + size, VK_ACCESS_SHADER_READ_BIT);
}

static void bind_results(const vkr_reduce *r, vkr_step *step, struct vkr_reduce_push *push)
{
    const VkrBufferRange *output = &r->info->output;
    uint32_t unit = r->input.type->size < 4 ? r->input.type->size : 4;
    VkDeviceSize slack = vkr_bind(&r->context->caps, step, VKR_BINDING_OUTPUT, output->buffer,
                                  output->offset, r->layout.size);
    push->output_base = (uint32_t)(slack / unit);
    vkr_use(step, output->buffer, output->offset, r->layout.size, VK_ACCESS_SHADER_WRITE_BIT);
}

static void bind_target(const vkr_reduce *r, const vkr_level *l, uint64_t first_group,
                        uint64_t groups, vkr_step *step, struct vkr_reduce_push *push)
{
    if (l->output == VKR_OUTPUT_PARTIAL || l->output == VKR_OUTPUT_LAST) {
        VkDeviceSize offset = l->target.offset + 4 * first_group * l->target.stride;
        VkDeviceSize size = 4 * ((groups - 1) * l->target.stride + vkr_partial_words(r));
        VkBuffer buffer = l->target.buffer;
        VkDeviceSize slack =
            vkr_bind(&r->context->caps, step, VKR_BINDING_STORED, buffer, offset, size);
        push->stored_base = (uint32_t)(slack / 4);
        push->stored_stride = (uint32_t)l->target.stride;
        vkr_use(step, buffer, offset - slack, slack + size,
                VK_ACCESS_SHADER_WRITE_BIT |
                    (l->output == VKR_OUTPUT_LAST ? VK_ACCESS_SHADER_READ_BIT : 0));
    } else {
        push->stored_stride = (uint32_t)(l->target.stride / r->input.type->size);
    }
    if (l->output == VKR_OUTPUT_LAST) {
        step->bindings[VKR_BINDING_PARTIALS] = step->bindings[VKR_BINDING_STORED];
        push->partials_base = push->stored_base;
        push->partials_stride = push->stored_stride;
        (void)vkr_bind(&r->context->caps, step, VKR_BINDING_COUNTER, VKR_COUNTERS, l->counter, 4);
        vkr_use(step, VKR_COUNTERS, l->counter, 4,
                VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    }
    if (l->output != VKR_OUTPUT_PARTIAL && l->output != VKR_OUTPUT_ELEMENT)
        bind_results(r, step, push);
}

/* One dispatch: elements or partials first .. first + count, workgroups from first_group on. */
static VkrResult add_dispatch(VkrRecorder recorder, const vkr_reduce *r, const vkr_level *l,
                              uint64_t first, uint64_t count, uint64_t first_group)
{
    const vkr_caps *caps = &r->context->caps;
    uint64_t groups = vkr_divide_up(count, (uint64_t)r->workgroup_size * l->items);
    groups = groups == 0 ? 1 : groups;
    uint64_t index = r->first + first;
    struct vkr_reduce_push push = {.capacity_low = (uint32_t)r->whole,
                                   .capacity_high = (uint32_t)(r->whole >> 32),
                                   .first_low = (uint32_t)index,
                                   .first_high = (uint32_t)(index >> 32),
                                   .count = (uint32_t)count,
                                   .groups = (uint32_t)groups,
                                   .items = l->elements ? l->items / vkr_unit(r) : l->items};
    vkr_step step = {.label = r->info->label, .binding_count = VKR_REDUCE_BINDINGS};
    vkr_set_groups(caps, &step, groups);
    bind_source(r, l, first, count, &step, &push);
    bind_target(r, l, first_group, groups, &step, &push);
    vkr_bind_count(caps, &step, VKR_BINDING_COUNT, &r->info->gpuCount, &push.count_base);
    VKR_SET_PUSH(&step, push);
    VkrResult result = choose_variant(r, l, &step.variant);
    return result == VKR_SUCCESS ? vkr_add_step(recorder, &step) : result;
}

/* All windows of a level. Where the partials of neighbours share a descriptor granule, they count
 * as conflicting, since validation takes them so; with the odd ones last it costs one barrier. */
static VkrResult add_level(VkrRecorder recorder, const vkr_reduce *r, const vkr_level *l,
                           uint32_t windows)
{
    uint64_t chunk = (uint64_t)r->workgroup_size * l->items;
    for (uint32_t parity = 0; parity < 2; parity++) {
        uint64_t first = 0;
        uint64_t group = 0;
        for (uint32_t i = 0; i < windows; i++) {
            uint64_t count = l->count == 0 ? 0 : vkr_window(r, l, first);
            if (i % 2 == parity) {
                VkrResult result = add_dispatch(recorder, r, l, first, count, group);
                if (result != VKR_SUCCESS)
                    return result;
            }
            first += count;
            group += vkr_divide_up(count, chunk);
        }
    }
    return VKR_SUCCESS;
}

static vkr_place place_of_pieces(const vkr_reduce *r)
{
    const VkrBufferRange *partials = &r->info->pieces.partials;
    return (vkr_place){partials->buffer, partials->offset, vkr_partial_words(r)};
}

/* Where the level leaves its values, and in which form. */
static VkrResult choose_target(VkrRecorder recorder, const vkr_reduce *r, vkr_level *l)
{
    uint64_t chunk = (uint64_t)r->workgroup_size * l->items;
    VkrResult result = VKR_SUCCESS;
    if (r->pieces && l->elements) {
        uint64_t partials = r->first / VKR_TREE_BLOCK;
        l->output = VKR_OUTPUT_PARTIAL;
        l->target = place_of_pieces(r);
        l->target.offset += 4 * partials * l->target.stride;
    } else if (r->consume) {
        l->output = l->groups == 1 ? VKR_OUTPUT_ELEMENT_RESULT : VKR_OUTPUT_ELEMENT;
        l->target.stride = l->source.stride * chunk;
    } else if (l->groups == 1) {
        l->output = VKR_OUTPUT_RESULT;
    } else if (!l->elements && r->algorithm == VKR_REDUCE_RECURSIVE) {
        l->output = VKR_OUTPUT_PARTIAL;
        l->target = l->source;
        l->target.stride *= chunk;
    } else {
        bool last = r->algorithm == VKR_REDUCE_SINGLE;
        l->output = last ? VKR_OUTPUT_LAST : VKR_OUTPUT_PARTIAL;
        l->target = (vkr_place){.buffer = VKR_SCRATCH, .stride = vkr_partial_words(r)};
        result = vkr_add_scratch(recorder, 4 * l->groups * l->target.stride, &l->target.offset);
        if (result == VKR_SUCCESS && last)
            result = vkr_add_counters(recorder, 4, &l->counter);
    }
    return result;
}

static vkr_level next_level(const vkr_reduce *r, const vkr_level *l)
{
    vkr_level next = {.elements = r->consume,
                      .replaced = r->consume,
                      .count = l->groups,
                      .source = l->target,
                      .items = l->items};
    if (r->pieces && l->elements) {
        next.count = vkr_divide_up(r->whole, VKR_TREE_BLOCK);
        next.source = place_of_pieces(r);
    }
    if (r->algorithm == VKR_REDUCE_SUBGROUP && !r->canonical) {
        uint64_t items = vkr_divide_up(next.count, r->workgroup_size);
        next.items = items > vkr_max_reads(r) ? vkr_max_reads(r) : (uint32_t)items;
        uint64_t reach = vkr_partials_reach(r, &next) / r->workgroup_size;
        if (next.items > reach && reach > 0)
            next.items = (uint32_t)reach;
    }
    return next;
}

static bool is_partial(const vkr_level *l)
{
    return l->output == VKR_OUTPUT_PARTIAL || l->output == VKR_OUTPUT_ELEMENT;
}

VkrResult vkr_plan_reduce(VkrRecorder recorder, const vkr_reduce *r)
{
    bool to_be_continued = r->pieces && r->first + r->count < r->whole;
    vkr_level l = vkr_first_level(r);
    if (r->pieces && r->count == 0) /* after pieces that are in place already */
        l = next_level(r, &l);
    for (;; l = next_level(r, &l)) {
        uint32_t windows;
        VkrResult result = vkr_cut_level(r, &l, &windows);
        if (result == VKR_SUCCESS)
            result = choose_target(recorder, r, &l);
        if (result == VKR_SUCCESS)
            result = add_level(recorder, r, &l, windows);
        if (result != VKR_SUCCESS || !is_partial(&l) || to_be_continued)
            return result;
    }
}
