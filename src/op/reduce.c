/* SPDX-License-Identifier: MIT */
/* vkrCmdReduce: what the caller asks for, checked. */
#include "reduce.h"

#define CALL "vkrCmdReduce"

static VkrResult check_ops(const struct VkrContext_T *context, const char *call, VkrOpFlags ops,
                           const vkr_view *input)
{
    if (ops == 0 || ops >> VKR_OP_BITS != 0)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: ops is 0x%x, but must be one or more bits of VkrOp.", call, ops);
    for (uint32_t i = 0; i < VKR_OP_BITS; i++)
        if ((ops >> i & 1) != 0 && vkr_ops[i].integers_only && input->type->is_float)
            return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                            "%s: ops has %s, but input.type is %s, and this operator needs an "
                            "integer type.",
                            call, vkr_ops[i].name, input->type->name);
    return VKR_SUCCESS;
}

static VkrResult check_count(vkr_reduce *r, const char *call)
{
    const VkrReduceInfo *info = r->info;
    r->walk.count = info->count == VKR_COUNT_ALL ? r->input.capacity : info->count;
    if (r->walk.count > r->input.capacity)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: count is %llu, but must be VKR_COUNT_ALL or at most %llu, the number "
                        "of elements that input holds.",
                        call, (unsigned long long)r->walk.count,
                        (unsigned long long)r->input.capacity);
    r->walk.whole = info->pieces.count != 0 ? info->pieces.count : r->walk.count;
    r->segments = 1;
    r->length = r->walk.whole;
    VkrResult result = VKR_SUCCESS;
    if (info->segments.kind != VKR_SEGMENTS_NONE)
        result = vkr_check_segments(r, call);
    r->wide_index = r->length >> 32 != 0 || r->context->caps.wide_indices;
    return result;
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
static VkrResult lay_out(vkr_reduce *r, const char *call)
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
        return vkr_fail(r->context, VKR_ERROR_UNSUPPORTED,
                        "%s: segments are %llu, but must be so few that their results, %llu bytes "
                        "each, stay below 2^56 bytes.",
                        call, (unsigned long long)r->segments, (unsigned long long)layout->stride);
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
static VkrResult check_shape(vkr_reduce *r, const char *call)
{
    VkrResult result =
        vkr_check_view(r->context, call, "input", &r->info->input, r->info->count, &r->input);
    if (result == VKR_SUCCESS)
        result = check_ops(r->context, call, r->info->ops, &r->input);
    if (result == VKR_SUCCESS)
        result = vkr_check_accumulator(r->context, call, r->input.type, r->info->accumulator,
                                       &r->accumulator);
    r->wide = result == VKR_SUCCESS && r->accumulator != r->input.type->accumulator;
    if (result == VKR_SUCCESS)
        result = check_count(r, call);
    if (result != VKR_SUCCESS)
        return result;
    result = lay_out(r, call);
    if (result != VKR_SUCCESS)
        return result;
    r->state_words = vkr_count_state_words(r);
    r->layout.partialsSize =
        4 * vkr_divide_up(r->walk.whole, VKR_TREE_BLOCK) * (VkDeviceSize)vkr_partial_words(r);
    return VKR_SUCCESS;
}

static VkrResult check_input2(vkr_reduce *r)
{
    if ((r->info->ops & VKR_OP_DOT) == 0)
        return VKR_SUCCESS;
    VkrResult result =
        vkr_check_view(r->context, CALL, "input2", &r->info->input2, r->walk.count, &r->input2);
    if (result == VKR_SUCCESS)
        result = vkr_check_buffer(r->context, CALL, "input2", &r->input2);
    if (result != VKR_SUCCESS)
        return result;
    if (r->input2.type_id != r->input.type_id)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": input2.type is %s, but must be %s like input.type.",
                        r->input2.type->name, r->input.type->name);
    if (r->input2.components != r->input.components)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": input2.components is %u, but must be %u like input.components.",
                        r->input2.components, r->input.components);
    if (r->input2.capacity < r->walk.count)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": input2.size is %llu, which is %llu elements, but must hold the "
                             "%llu of count.",
                        (unsigned long long)r->input2.size, (unsigned long long)r->input2.capacity,
                        (unsigned long long)r->walk.count);
    return VKR_SUCCESS;
}

static VkrResult check_output(const vkr_reduce *r)
{
    const VkrBufferRange *output = &r->info->output;
    if (output->buffer == VK_NULL_HANDLE)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": output.buffer is VK_NULL_HANDLE, but must be a buffer.");
    if (output->offset % r->layout.alignment != 0)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": output.offset is %llu, but must be a multiple of %llu, the "
                             "alignment of the layout.",
                        (unsigned long long)output->offset,
                        (unsigned long long)r->layout.alignment);
    if (output->size < r->layout.size && r->info->segments.kind != VKR_SEGMENTS_NONE)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": output.size is %llu, but must be at least %llu for these ops of "
                             "%llu segments.",
                        (unsigned long long)output->size, (unsigned long long)r->layout.size,
                        (unsigned long long)r->segments);
    if (output->size < r->layout.size)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": output.size is %llu, but must be at least %llu for these ops.",
                        (unsigned long long)output->size, (unsigned long long)r->layout.size);
    if (output->size == VK_WHOLE_SIZE || output->size > UINT64_MAX - output->offset)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": output.size is %llu, but must be a number of bytes inside the "
                             "buffer, and output.offset is %llu.",
                        (unsigned long long)output->size, (unsigned long long)output->offset);
    return VKR_SUCCESS;
}

static VkrResult check_choices(vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    VkrResult result =
        vkr_check_choice(r->context, CALL, "nan", (int)info->nan, VKR_NAN_PROPAGATE + 1);
    if (result == VKR_SUCCESS)
        result = vkr_check_choice(r->context, CALL, "determinism", (int)info->determinism,
                                  VKR_DETERMINISM_DEVICE + 1);
    if (result == VKR_SUCCESS)
        result = vkr_check_choice(r->context, CALL, "algorithm", (int)info->algorithm,
                                  VKR_REDUCE_ALGORITHM_COUNT);
    if (result == VKR_SUCCESS && (info->flags & ~(uint32_t)VKR_REDUCE_CONSUME_INPUT_BIT) != 0)
        result = vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                          CALL ": flags is 0x%x, but must have only bits of VkrReduceFlagBits.",
                          info->flags);
    if (result != VKR_SUCCESS)
        return result;
    if (info->algorithm != VKR_REDUCE_AUTO &&
        (info->algorithm >= VKR_REDUCE_LANES) != (info->segments.kind != VKR_SEGMENTS_NONE))
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": algorithm is %s, but must be auto, %s where segments.kind is %s.",
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
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": algorithm is %s, but must be auto or recursive where flags has "
                             "VKR_REDUCE_CONSUME_INPUT_BIT.",
                        vkrReduceAlgorithmName(info->algorithm));
    uint32_t op = 0;
    while ((info->ops >> op & 1) == 0)
        op++;
    bool one = info->ops == (VkrOpFlags)1 << op && vkr_ops[op].in_place;
    bool sum = vkr_ops[op].ordered;
    if (!one || (sum && r->accumulator != r->input.type_id) ||
        (vkr_ops[op].result == VKR_RESULT_REAL && !r->input.type->is_float))
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": flags has VKR_REDUCE_CONSUME_INPUT_BIT, but ops is 0x%x with an "
                             "accumulator of %s for elements of %s, and must be one operator whose "
                             "partial results have the element type.",
                        info->ops, vkrTypeName(r->accumulator), r->input.type->name);
    r->consume = r->walk.count != 0;
    return VKR_SUCCESS;
}

static VkrResult fail_pieces(const vkr_reduce *r, const char *field, uint64_t value,
                             const char *needs, uint64_t number)
{
    return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                    CALL ": %s is %llu, but must be %s %llu for a piece of pieces.count %llu.",
                    field, (unsigned long long)value, needs, (unsigned long long)number,
                    (unsigned long long)r->walk.whole);
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
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": pieces.partials.buffer is VK_NULL_HANDLE, but must be a buffer "
                             "where pieces.count or pieces.first is not 0.");
    }
    if (info->gpuCount.buffer != VK_NULL_HANDLE || info->flags != 0 ||
        (info->algorithm != VKR_REDUCE_AUTO && info->algorithm != VKR_REDUCE_SUBGROUP))
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        CALL ": pieces.partials is given, but gpuCount and flags must then be 0 "
                             "and algorithm auto or subgroup.");
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
    VkrResult result = check_shape(r, CALL);
    if (result == VKR_SUCCESS)
        result = vkr_check_buffer(r->context, CALL, "input", &r->input);
    if (result == VKR_SUCCESS)
        result = check_input2(r);
    if (result == VKR_SUCCESS)
        result = vkr_check_gpu_count(r->context, CALL, "gpuCount", &r->info->gpuCount);
    if (result == VKR_SUCCESS)
        result = check_output(r);
    if (result == VKR_SUCCESS)
        result = check_choices(r);
    if (result == VKR_SUCCESS && r->info->segments.kind != VKR_SEGMENTS_NONE)
        result = vkr_check_segment_buffers(r, CALL);
    if (result == VKR_SUCCESS)
        result = check_consume(r);
    if (result == VKR_SUCCESS)
        result = check_pieces(r);
    return result;
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
    vkr_reduce r = {.context = context, .info = info};
    VkrResult result = vkr_check_device(context, "vkrGetReduceLayout");
    if (result == VKR_SUCCESS)
        result = check_shape(&r, "vkrGetReduceLayout");
    if (result == VKR_SUCCESS)
        *layout = r.layout;
    return result;
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

VkrResult vkr_add_reduce(VkrRecorder recorder, const VkrReduceInfo *info)
{
    vkr_reduce r = {.context = vkr_recorder_context(recorder), .info = info, .kernels = VKR_FAMILY_REDUCE};
    r.walk = (vkr_walk){.context = r.context, .call = CALL, .view = &r.input};
    VKR_TRY(check_reduce(&r));
    r.walk.tuning = vkr_tuning_of(r.context, VKR_OPERATION_REDUCE, &r.input);
    if (info->segments.kind != VKR_SEGMENTS_NONE)
        return vkr_plan_segments(recorder, &r);
    VKR_TRY(vkr_plan_geometry(&r));
    return vkr_plan_reduce(recorder, &r);
}

VkrResult vkrCmdReduce(VkrRecorder recorder, const VkrReduceInfo *info)
{
    VkrResult result = vkr_operation_begin(recorder, CALL);
    if (result != VKR_SUCCESS)
        return result;
    if (info == NULL)
        result = vkr_fail(vkr_recorder_context(recorder), VKR_ERROR_INVALID_ARGUMENT,
                          CALL ": info is NULL, but must point to a VkrReduceInfo.");
    else
        result = vkr_add_reduce(recorder, info);
    return vkr_operation_end(recorder, result);
}
