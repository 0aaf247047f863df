/* SPDX-License-Identifier: MIT */
/* vkrCmdReduce: what the caller asks for, checked. */
#include <inttypes.h>

#include "reduce.h"

#define CALL "vkrCmdReduce"

static VkrResult check_ops(const vkr_reduce *r)
{
    const VkrOpFlags ops = r->info->ops;
    if (ops == 0 || ops >> VKR_OP_BITS != 0)
        return vkr_reject(&r->walk, "ops is 0x%x, but must be one or more bits of VkrOp.", ops);
    for (uint32_t i = 0; i < VKR_OP_BITS; i++)
        if ((ops >> i & 1) != 0 && vkr_ops[i].integers_only && r->input.type->is_float)
            return vkr_reject(&r->walk,
                              "ops has %s, but input.type is %s, and this operator needs an "
                              "integer type.",
                              vkr_ops[i].name, r->input.type->name);
    return VKR_SUCCESS;
}

static VkrResult check_count(vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    r->walk.count = info->count == VKR_COUNT_ALL ? r->input.capacity : info->count;
    if (r->walk.count > r->input.capacity)
        return vkr_reject(&r->walk,
                          "count is %" PRIu64 ", but must be VKR_COUNT_ALL or at most %" PRIu64
                          ", the number of elements that input holds.",
                          r->walk.count, r->input.capacity);
    r->walk.whole = info->pieces.count != 0 ? info->pieces.count : r->walk.count;
    r->segments = 1;
    r->length = r->walk.whole;
    if (info->segments.kind != VKR_SEGMENTS_NONE)
        VKR_TRY(vkr_check_segments(r));
    r->wide_index = r->length >> 32 != 0 || r->context->caps.wide_indices;
    return VKR_SUCCESS;
}

static VkrType result_type(const vkr_reduce *r, vkr_result_kind kind)
{
    bool real64 = r->input.type->size == 8 || r->accumulator == VKR_TYPE_F64;
    switch (kind) {
    case VKR_RESULT_ELEMENT:
        return r->input.type_id;
    case VKR_RESULT_ELEMENT_UNSIGNED:
        return r->input.type->unsigned_type;
    case VKR_RESULT_ACCUMULATOR:
        return r->accumulator;
    case VKR_RESULT_ACCUMULATOR_UNSIGNED:
        return vkr_types[r->accumulator].unsigned_type;
    case VKR_RESULT_REAL:
        return real64 ? VKR_TYPE_F64 : VKR_TYPE_F32;
    case VKR_RESULT_INDEX:
        return r->wide_index ? VKR_TYPE_U64 : VKR_TYPE_U32;
    case VKR_RESULT_COUNT:
        break;
    }
    return VKR_TYPE_U64;
}

/* The same sums are made by vkr_write_results. */
static VkrResult lay_out(vkr_reduce *r)
{
    VkrReduceLayout *layout = &r->layout;
    *layout = (VkrReduceLayout){
        .components = r->input.components, .alignment = 1, .segments = r->segments};
    for (uint32_t i = 0; i < VKR_OP_BITS; i++) {
        if ((r->info->ops >> i & 1) == 0)
            continue;
        VkrType type = result_type(r, vkr_ops[i].result);
        VkDeviceSize size = vkr_types[type].size;
        VkDeviceSize offset = (layout->size + size - 1) / size * size;
        layout->results[i] = (VkrReduceResult){type, offset};
        layout->size = offset + size * layout->components;
        if (layout->alignment < size)
            layout->alignment = size;
    }
    /* Written in the element's units, words at most. */
    VkDeviceSize unit = r->input.type->size < 4 ? r->input.type->size : 4;
    if (layout->alignment < unit)
        layout->alignment = unit;
    VkDeviceSize record = layout->size;
    layout->stride = (record + layout->alignment - 1) / layout->alignment * layout->alignment;
    if (r->segments > (UINT64_MAX >> 8) / layout->stride)
        return vkr_refuse(&r->walk,
                          "segments are %" PRIu64
                          ", but must be so few that their results, %" PRIu64
                          " bytes each, stay below 2^56 bytes.",
                          r->segments, layout->stride);
    layout->size = r->segments == 0 ? 0 : (r->segments - 1) * layout->stride + record;
    /* An output can start anywhere in its first granule. */
    VkDeviceSize granule = r->context->caps.granule;
    if (granule < layout->alignment)
        granule = layout->alignment;
    VkDeviceSize end = layout->size + granule - layout->alignment;
    layout->spacing = (end + granule - 1) / granule * granule;
    return VKR_SUCCESS;
}

/* What the layout depends on. */
static VkrResult check_shape(vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    const char *call = r->walk.call;
    VKR_TRY(vkr_check_view(r->context, call, "input", &info->input, info->count, &r->input));
    VKR_TRY(check_ops(r));
    VKR_TRY(
        vkr_check_accumulator(r->context, call, r->input.type, info->accumulator, &r->accumulator));
    r->wide = r->accumulator != r->input.type->accumulator;
    VKR_TRY(check_count(r));
    VKR_TRY(lay_out(r));
    r->state_words = vkr_count_state_words(r);
    r->layout.partialsSize =
        4 * vkr_divide_up(r->walk.whole, VKR_TREE_BLOCK) * (VkDeviceSize)vkr_partial_words(r);
    return VKR_SUCCESS;
}

static VkrResult check_input2(vkr_reduce *r)
{
    if (!vkr_has_dot(r))
        return VKR_SUCCESS;
    VKR_TRY(
        vkr_check_view(r->context, CALL, "input2", &r->info->input2, r->walk.count, &r->input2));
    VKR_TRY(vkr_check_buffer(r->context, CALL, "input2", &r->input2));
    if (r->input2.type_id != r->input.type_id)
        return vkr_reject(&r->walk, "input2.type is %s, but must be %s like input.type.",
                          r->input2.type->name, r->input.type->name);
    if (r->input2.components != r->input.components)
        return vkr_reject(&r->walk,
                          "input2.components is %u, but must be %u like input.components.",
                          r->input2.components, r->input.components);
    if (r->input2.capacity < r->walk.count)
        return vkr_reject(&r->walk,
                          "input2.size is %" PRIu64 ", which is %" PRIu64
                          " elements, but must hold the %" PRIu64 " of count.",
                          r->input2.size, r->input2.capacity, r->walk.count);
    return VKR_SUCCESS;
}

static VkrResult check_output(const vkr_reduce *r)
{
    const VkrBufferRange *output = &r->info->output;
    if (output->buffer == VK_NULL_HANDLE)
        return vkr_reject(&r->walk, "output.buffer is VK_NULL_HANDLE, but must be a buffer.");
    if (output->offset % r->layout.alignment != 0)
        return vkr_reject(&r->walk,
                          "output.offset is %" PRIu64 ", but must be a multiple of %" PRIu64
                          ", the alignment of the layout.",
                          output->offset, r->layout.alignment);
    if (output->size < r->layout.size && r->info->segments.kind != VKR_SEGMENTS_NONE)
        return vkr_reject(&r->walk,
                          "output.size is %" PRIu64 ", but must be at least %" PRIu64
                          " for these ops of %" PRIu64 " segments.",
                          output->size, r->layout.size, r->segments);
    if (output->size < r->layout.size)
        return vkr_reject(
            &r->walk, "output.size is %" PRIu64 ", but must be at least %" PRIu64 " for these ops.",
            output->size, r->layout.size);
    if (output->size == VK_WHOLE_SIZE || output->size > UINT64_MAX - output->offset)
        return vkr_reject(
            &r->walk,
            "output.size is %" PRIu64
            ", but must be a number of bytes inside the buffer, and output.offset is %" PRIu64 ".",
            output->size, output->offset);
    return VKR_SUCCESS;
}

static VkrResult check_choices(vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    VKR_TRY(vkr_check_choice(r->context, CALL, "nan", (int)info->nan, VKR_NAN_PROPAGATE + 1));
    VKR_TRY(vkr_check_choice(r->context, CALL, "determinism", (int)info->determinism,
                             VKR_DETERMINISM_DEVICE + 1));
    VKR_TRY(vkr_check_choice(r->context, CALL, "algorithm", (int)info->algorithm,
                             VKR_REDUCE_ALGORITHM_COUNT));
    if ((info->flags & ~(uint32_t)VKR_REDUCE_CONSUME_INPUT_BIT) != 0)
        return vkr_reject(&r->walk, "flags is 0x%x, but must have only bits of VkrReduceFlagBits.",
                          info->flags);
    if (info->algorithm != VKR_REDUCE_AUTO &&
        (info->algorithm >= VKR_REDUCE_LANES) != (info->segments.kind != VKR_SEGMENTS_NONE))
        return vkr_reject(
            &r->walk, "algorithm is %s, but must be auto, %s where segments.kind is %s.",
            vkrReduceAlgorithmName(info->algorithm),
            info->algorithm >= VKR_REDUCE_LANES ? "single, subgroup, tree or recursive"
                                                : "lanes, merge, groups or split",
            vkr_segment_kind_name(info->segments.kind));
    for (uint32_t i = 0; i < VKR_OP_BITS; i++)
        if ((info->ops >> i & 1) != 0 && vkr_ops[i].ordered && r->input.type->is_float &&
            info->determinism == VKR_DETERMINISM_DEVICE)
            r->canonical = true;
    return VKR_SUCCESS;
}

/* In place, partial results must be elements: one operator, of the element's own type. */
static VkrResult check_consume(vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    if ((info->flags & VKR_REDUCE_CONSUME_INPUT_BIT) == 0)
        return VKR_SUCCESS;
    if (info->algorithm != VKR_REDUCE_AUTO && info->algorithm != VKR_REDUCE_RECURSIVE)
        return vkr_reject(&r->walk,
                          "algorithm is %s, but must be auto or recursive where flags has "
                          "VKR_REDUCE_CONSUME_INPUT_BIT.",
                          vkrReduceAlgorithmName(info->algorithm));
    uint32_t op = 0;
    while ((info->ops >> op & 1) == 0)
        op++;
    bool one = info->ops == (VkrOpFlags)1 << op && vkr_ops[op].in_place;
    bool sum = vkr_ops[op].ordered;
    if (!one || (sum && r->accumulator != r->input.type_id) ||
        (vkr_ops[op].result == VKR_RESULT_REAL && !r->input.type->is_float))
        return vkr_reject(
            &r->walk,
            "flags has VKR_REDUCE_CONSUME_INPUT_BIT, but ops is 0x%x with an accumulator of %s for "
            "elements of %s, and must be one operator whose partial results have the element type.",
            info->ops, vkrTypeName(r->accumulator), r->input.type->name);
    r->consume = r->walk.count != 0;
    return VKR_SUCCESS;
}

static VkrResult fail_pieces(const vkr_reduce *r, const char *field, uint64_t value,
                             const char *needs, uint64_t number)
{
    return vkr_reject(&r->walk,
                      "%s is %" PRIu64 ", but must be %s %" PRIu64
                      " for a piece of pieces.count %" PRIu64 ".",
                      field, value, needs, number, r->walk.whole);
}

static VkrResult check_partials(const vkr_reduce *r)
{
    const VkrBufferRange *partials = &r->info->pieces.partials;
    if (partials->offset % 4 != 0)
        return fail_pieces(r, "pieces.partials.offset", partials->offset, "a multiple of", 4);
    if (partials->size < r->layout.partialsSize)
        return fail_pieces(r, "pieces.partials.size", partials->size, "at least",
                           r->layout.partialsSize);
    if (partials->size > UINT64_MAX - partials->offset)
        return fail_pieces(r, "pieces.partials.size", partials->size, "at most",
                           UINT64_MAX - partials->offset);
    return VKR_SUCCESS;
}

static VkrResult check_pieces(vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    const VkrPieces *pieces = &info->pieces;
    if (pieces->partials.buffer == VK_NULL_HANDLE) {
        if (pieces->count == 0 && pieces->first == 0)
            return VKR_SUCCESS;
        return vkr_reject(&r->walk, "pieces.partials.buffer is VK_NULL_HANDLE, but must be a "
                                    "buffer where pieces.count or pieces.first is not 0.");
    }
    if (info->gpuCount.buffer != VK_NULL_HANDLE || info->flags != 0 ||
        (info->algorithm != VKR_REDUCE_AUTO && info->algorithm != VKR_REDUCE_SUBGROUP))
        return vkr_reject(&r->walk, "pieces.partials is given, but gpuCount and flags must then be "
                                    "0 and algorithm auto or subgroup.");
    r->walk.whole = pieces->count;
    r->walk.first = pieces->first;
    if (r->walk.first % VKR_TREE_BLOCK != 0 && r->walk.count != 0)
        return fail_pieces(r, "pieces.first", r->walk.first, "a multiple of", VKR_TREE_BLOCK);
    if (r->walk.first > r->walk.whole)
        return fail_pieces(r, "pieces.first", r->walk.first, "at most", r->walk.whole);
    if (r->walk.count > r->walk.whole - r->walk.first)
        return fail_pieces(r, "count", r->walk.count, "at most", r->walk.whole - r->walk.first);
    if (r->walk.count < r->walk.whole - r->walk.first && r->walk.count % VKR_TREE_BLOCK != 0)
        return fail_pieces(r, "count", r->walk.count, "a multiple of", VKR_TREE_BLOCK);
    r->pieces = r->walk.whole != 0;
    return check_partials(r);
}

static VkrResult check_reduce(vkr_reduce *r)
{
    VKR_TRY(check_shape(r));
    VKR_TRY(vkr_check_buffer(r->context, CALL, "input", &r->input));
    VKR_TRY(check_input2(r));
    VKR_TRY(vkr_check_gpu_count(r->context, CALL, "gpuCount", &r->info->gpuCount));
    VKR_TRY(check_output(r));
    VKR_TRY(check_choices(r));
    if (r->info->segments.kind != VKR_SEGMENTS_NONE)
        VKR_TRY(vkr_check_segment_buffers(r));
    VKR_TRY(check_consume(r));
    return check_pieces(r);
}

VkrResult vkrGetReduceLayout(VkrContext context, const VkrReduceInfo *info, VkrReduceLayout *layout)
{
    if (context == NULL)
        return VKR_ERROR_INVALID_ARGUMENT;
    if (info == NULL || layout == NULL)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrGetReduceLayout: %s is NULL, but must point to a %s.",
                        info == NULL ? "info" : "layout",
                        info == NULL ? "VkrReduceInfo" : "VkrReduceLayout");
    vkr_reduce r = {.context = context,
                    .info = info,
                    .walk = {.context = context, .call = "vkrGetReduceLayout"}};
    VKR_TRY(vkr_check_device(context, "vkrGetReduceLayout"));
    VKR_TRY(check_shape(&r));
    *layout = r.layout;
    return VKR_SUCCESS;
}

const VkrReduceResult *vkrGetReduceResult(const VkrReduceLayout *layout, VkrOp op)
{
    if (layout == NULL)
        return NULL;
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++)
        if ((uint32_t)op == 1u << bit && layout->results[bit].type != VKR_TYPE_UNDEFINED)
            return &layout->results[bit];
    return NULL;
}

static VkrResult add_reduce(VkrRecorder recorder, const VkrReduceInfo *info)
{
    vkr_reduce r = {.context = vkr_recorder_context(recorder),
                    .info = info,
                    .kernels = VKR_FAMILY_REDUCE};
    r.walk = (vkr_walk){.context = r.context, .call = CALL, .view = &r.input};
    if (info == NULL)
        return vkr_reject(&r.walk, "info is NULL, but must point to a VkrReduceInfo.");
    VKR_TRY(check_reduce(&r));
    r.walk.tuning = vkr_tuning_of(r.context, VKR_OPERATION_REDUCE, &r.input);
    return info->segments.kind != VKR_SEGMENTS_NONE ? vkr_plan_segments(recorder, &r)
                                                    : vkr_plan_reduce(recorder, &r);
}

VkrResult vkrCmdReduce(VkrRecorder recorder, const VkrReduceInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL));
    return vkr_operation_end(recorder, add_reduce(recorder, info));
}
