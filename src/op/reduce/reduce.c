/* SPDX-License-Identifier: MIT */
/* vkrCmdReduce: what the caller asks for, checked. */
#include "../../plan/unused.h"
#include "reduce.h"

#include <inttypes.h>

#include "../../tables/names.h"
#include "../monoid/monoid.h"
#include "../compact/runs.h"

#define CALL "vkrCmdReduce"

static VkrResult check_ops(const vkr_reduce *r)
{
    const VkrOpFlags ops = r->info->ops;
    VKR_MUST(&r->walk, ops != 0 && ops >> VKR_OP_BITS == 0,
             "ops is %s, but must be one or more bits of VkrOp.", vkr_op_names(ops).text);
    for (uint32_t i = 0; i < VKR_OP_BITS; i++)
        if ((ops >> i & 1) != 0)
            VKR_TRY(vkr_check_operator(&r->walk, "ops has", &vkr_ops[i], r->input.type));
    return VKR_SUCCESS;
}

static VkrResult check_accumulator(vkr_reduce *r)
{
    const vkr_type_info *type = r->input.type;
    VKR_TRY(vkr_check_accumulator(&r->walk, type, r->info->accumulator, &r->accumulator));
    r->walk.wide = r->accumulator != type->accumulator;
    for (uint32_t i = 0; i < VKR_OP_BITS; i++)
        VKR_MUST(&r->walk,
                 (r->info->ops >> i & 1) == 0 || vkr_ops[i].elements != VKR_OP_OF_F32 ||
                     r->accumulator == VKR_TYPE_F32,
                 "ops has %s, but input.type is %s and the accumulator %s, and this operator needs "
                 "elements of type f32, f16 or bf16, and an accumulator of f32.",
                 vkr_ops[i].name, type->name, vkrTypeName(r->accumulator));
    return VKR_SUCCESS;
}

static VkrResult check_count(vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    VKR_TRY(vkr_check_count(&r->walk, info->count, &r->input));
    r->walk.whole = info->pieces.count != 0 ? info->pieces.count : r->walk.count;
    r->segments = 1;
    r->length = r->walk.whole;
    if (r->segmented)
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

/* Computes where results lie; vkr_write_results in result.glsl computes the same. */
static VkrResult lay_out(vkr_reduce *r)
{
    VkrReduceLayout *layout = &r->layout;
    /* Results are written in units of the element's size, but at most of a word. */
    *layout = (VkrReduceLayout){.components = r->input.components,
                                .alignment = vkr_min(r->input.type->size, 4),
                                .segments = r->segments};
    for (uint32_t i = 0; i < VKR_OP_BITS; i++) {
        if ((r->info->ops >> i & 1) == 0)
            continue;
        const VkrType type = result_type(r, vkr_ops[i].result);
        const VkDeviceSize size = vkr_types[type].size;
        layout->results[i] = (VkrReduceResult){type, vkr_divide_up(layout->size, size) * size};
        layout->size = layout->results[i].offset + size * layout->components;
        layout->alignment = vkr_max(layout->alignment, size);
    }
    const VkDeviceSize record = layout->size;
    layout->stride = vkr_divide_up(record, layout->alignment) * layout->alignment;
    VKR_NEED(&r->walk, r->segments <= (UINT64_MAX >> 8) / layout->stride,
             "the number of segments is %" PRIu64
             ", but must be so small that their results, %" PRIu64
             " bytes each, stay below 2^56 bytes.",
             r->segments, layout->stride);
    layout->size = r->segments == 0 ? 0 : (r->segments - 1) * layout->stride + record;
    /* The first result can start anywhere in a granule. */
    const VkDeviceSize granule = vkr_max(r->context->caps.granule, layout->alignment);
    const VkDeviceSize end = layout->size + granule - layout->alignment;
    layout->spacing = vkr_divide_up(end, granule) * granule;
    return VKR_SUCCESS;
}

/* Checks everything on which the layout depends. */
static VkrResult check_shape(vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    const vkr_walk *w = &r->walk;
    r->dot = (info->ops & VKR_OP_DOT) != 0;
    r->segmented = info->segments.kind != VKR_SEGMENTS_NONE;
    VKR_TRY(vkr_check_input(w, "input", &info->input, info->count, &r->input));
    VKR_TRY(check_ops(r));
    VKR_TRY(check_accumulator(r));
    VKR_TRY(check_count(r));
    VKR_TRY(lay_out(r));
    r->masked = vkr_has_mask(&info->mask);
    r->results = (vkr_place){.buffer = info->output.buffer,
                             .offset = info->output.offset,
                             .stride = r->layout.stride,
                             .size = r->layout.size - (r->segments - 1) * r->layout.stride,
                             .unit = (uint32_t)vkr_min(r->input.type->size, 4)};
    r->parts = vkr_find_parts(r);
    r->state_words = vkr_count_state_words(r);
    r->partial_words = r->state_words * r->input.components;
    r->partial_bytes = 4 * (uint64_t)r->partial_words;
    r->layout.partialsSize =
        4 * vkr_divide_up(r->walk.whole, VKR_TREE_BLOCK) * (VkDeviceSize)r->partial_words;
    return VKR_SUCCESS;
}

static VkrResult check_input2(vkr_reduce *r)
{
    const vkr_walk *w = &r->walk;
    if (!r->dot)
        return VKR_SUCCESS;
    VKR_TRY(vkr_check_input(w, "input2", &r->info->input2, w->count, &r->input2));
    VKR_TRY(vkr_check_input_handles(w, "input2", &r->info->input2, &r->input2));
    VKR_MUST(w, r->input2.type_id == r->input.type_id,
             "input2.type is %s, but must be %s like input.type.", r->input2.type->name,
             r->input.type->name);
    VKR_MUST_BE(w, r->input2.components == r->input.components, "input2", ".components",
                r->input2.components, "be %u like input.components.", r->input.components);
    return vkr_check_holds(w, "input2", &r->input2);
}

static VkrResult check_output(vkr_reduce *r)
{
    const VkrBufferRange *output = &r->info->output;
    const vkr_walk *w = &r->walk;
    if (r->info->outputImage != NULL)
        return vkr_check_tile_image(r);
    VKR_MUST(w, output->buffer != VK_NULL_HANDLE,
             "output.buffer is VK_NULL_HANDLE, but must be a buffer.");
    VKR_MUST_BE(w, output->offset % r->layout.alignment == 0, "output", ".offset", output->offset,
                "be a multiple of %" PRIu64 ", the alignment of the layout.", r->layout.alignment);
    VKR_MUST_BE(w, output->size >= r->layout.size || !r->segmented, "output", ".size", output->size,
                "be at least %" PRIu64 " for these ops of %" PRIu64 " segments.", r->layout.size,
                r->segments);
    VKR_MUST_BE(w, output->size >= r->layout.size, "output", ".size", output->size,
                "be at least %" PRIu64 " for these ops.", r->layout.size);
    VKR_MUST_BE(w, output->size != VK_WHOLE_SIZE && output->size <= UINT64_MAX - output->offset,
                "output", ".size", output->size,
                "be a number of bytes inside the buffer, and output.offset is %" PRIu64 ".",
                output->offset);
    return VKR_SUCCESS;
}

static VkrResult check_choices(vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    const vkr_walk *w = &r->walk;
    const bool of_segments =
        info->algorithm >= VKR_REDUCE_LANES && info->algorithm <= VKR_REDUCE_SPLIT;
    VKR_TRY(vkr_check_choice(w, "nan", (int)info->nan, VKR_NAN_SKIP + 1));
    VKR_TRY(vkr_check_choice(w, "determinism", (int)info->determinism, VKR_DETERMINISM_DEVICE + 1));
    VKR_TRY(vkr_check_choice(w, "algorithm", (int)info->algorithm, VKR_REDUCE_ALGORITHM_COUNT));
    VKR_TRY(vkr_check_bits(w, info->flags, VKR_FLAGS_OF_REDUCE));
    VKR_MUST(w, info->algorithm == VKR_REDUCE_AUTO || of_segments == r->segmented,
             "algorithm is %s, but must be auto, %s where segments.kind is %s.",
             vkrReduceAlgorithmName(info->algorithm),
             of_segments ? "single, subgroup, tree, recursive, pingpong or recursive-2d"
                         : "lanes, merge, groups or split",
             vkr_segment_kind_name(info->segments.kind));
    for (uint32_t i = 0; i < VKR_OP_BITS; i++)
        if ((info->ops >> i & 1) != 0 && vkr_ops[i].ordered && r->input.type->is_float &&
            info->determinism == VKR_DETERMINISM_DEVICE)
            r->canonical = true;
    return vkr_uses_squares(info->algorithm) ? vkr_check_squares(r) : VKR_SUCCESS;
}

/* Checks a reduction in place. Its partial results must be elements, so it has one operator, whose
 * result has the element's type. */
static VkrResult check_consume(vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    uint32_t op = 0;
    if ((info->flags & VKR_REDUCE_CONSUME_INPUT_BIT) == 0)
        return VKR_SUCCESS;
    VKR_MUST(&r->walk,
             info->algorithm == VKR_REDUCE_AUTO || info->algorithm == VKR_REDUCE_RECURSIVE,
             "algorithm is %s, but must be auto or recursive where flags has "
             "VKR_REDUCE_CONSUME_INPUT_BIT.",
             vkrReduceAlgorithmName(info->algorithm));
    VKR_MUST(
        &r->walk, !vkr_is_image(&r->input),
        "flags has VKR_REDUCE_CONSUME_INPUT_BIT, but input.image is given, and only a buffer can "
        "be reduced in place.");
    VKR_MUST(&r->walk, !r->input.mapped && !r->masked,
             "flags has VKR_REDUCE_CONSUME_INPUT_BIT, but %s is given, and elements that are %s "
             "cannot be reduced in place.",
             r->masked ? "mask" : "input.map", r->masked ? "left out" : "mapped");
    VKR_MUST(&r->walk, info->nan != VKR_NAN_SKIP,
             "flags has VKR_REDUCE_CONSUME_INPUT_BIT, but nan is VKR_NAN_SKIP, and elements that "
             "are left out cannot be reduced in place.");
    while ((info->ops >> op & 1) == 0)
        op++;
    const bool one = info->ops == (VkrOpFlags)1 << op && vkr_ops[op].in_place;
    const bool own_sum = !vkr_ops[op].ordered || r->accumulator == r->input.type_id;
    const bool own_real = vkr_ops[op].result != VKR_RESULT_REAL || r->input.type->is_float;
    VKR_MUST(
        &r->walk, one && own_sum && own_real,
        "flags has VKR_REDUCE_CONSUME_INPUT_BIT, but ops is %s with an accumulator of %s for "
        "elements of %s, and must be one operator whose partial results have the element type.",
        vkr_op_names(info->ops).text, vkrTypeName(r->accumulator), r->input.type->name);
    r->consume = r->walk.count != 0;
    return VKR_SUCCESS;
}

static VkrResult check_reduce(vkr_reduce *r)
{
    VKR_TRY(check_shape(r));
    VKR_TRY(vkr_check_input_handles(&r->walk, "input", &r->info->input, &r->input));
    VKR_TRY(check_input2(r));
    VKR_TRY(vkr_check_reduce_mask(r));
    VKR_TRY(vkr_check_gpu_count(&r->walk, "gpuCount", &r->info->gpuCount));
    VKR_TRY(check_output(r));
    VKR_TRY(check_choices(r));
    if (r->segmented)
        VKR_TRY(vkr_check_segment_buffers(r));
    VKR_TRY(check_consume(r));
    return vkr_check_pieces(r);
}

VkrResult vkrGetReduceLayout(VkrContext context, const VkrReduceInfo *info, VkrReduceLayout *layout)
{
    vkr_reduce r = {.context = context,
                    .info = info,
                    .walk = {.context = context, .call = "vkrGetReduceLayout"}};
    if (context == NULL)
        return VKR_ERROR_INVALID_ARGUMENT;
    VKR_TRY(vkr_check_query(&r.walk, info, "VkrReduceInfo", layout, "layout", "VkrReduceLayout"));
    if (info->monoid != NULL)
        return vkr_lay_out_monoid(&r.walk, info, layout);
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

static void note_unused(const vkr_walk *w, const VkrReduceInfo *info)
{
    vkr_note_count(w, "input");
    vkr_note_view(w, "input", &info->input);
    vkr_note_view(w, "input2", &info->input2);
    vkr_note_gpu_count(w, "gpuCount", &info->gpuCount);
    vkr_note_segments(w, &info->segments);
    vkr_note_range(w, "mask.flags.range", &info->mask.flags.range);
}

static VkrResult add_reduce(VkrRecorder recorder, const VkrReduceInfo *info)
{
    VkrReduceInfo by_offsets;
    vkr_runs runs;
    vkr_reduce r = {.context = vkr_recorder_context(recorder), .info = info, .runs = &runs};
    r.walk = vkr_new_walk(r.context, CALL);
    r.walk.view = &r.input;
    VKR_MUST(&r.walk, info != NULL, "info is NULL, but must point to a VkrReduceInfo.");
    if (info->monoid != NULL)
        return vkr_reduce_monoid(recorder, &r.walk, info);
    r.walk.gpu_count = &info->gpuCount;
    VKR_TRY(check_reduce(&r));
    /* Kernels that read an image have one input, and support no segments except tiles. */
    const bool tiles = info->segments.kind == VKR_SEGMENTS_TILES;
    if (r.dot || (r.segmented && !tiles) || (r.input.mapped && !vkr_maps_in_kernel(&r.input))) {
        VKR_TRY(vkr_stage(recorder, &r.walk, r.walk.count, &r.input));
        VKR_TRY(vkr_stage(recorder, &r.walk, r.walk.count, &r.input2));
    }
    if (r.masked && r.walk.count != 0)
        VKR_TRY(vkr_plan_mask(recorder, &r.walk, &info->mask, &r.mask));
    bool is_planned = false;
    if (info->segments.kind == VKR_SEGMENTS_KEYS)
        VKR_TRY(vkr_plan_keyed(recorder, &r, &is_planned));
    if (info->segments.kind == VKR_SEGMENTS_KEYS && !is_planned) {
        by_offsets = *info;
        VKR_TRY(vkr_plan_runs(recorder, &runs, &by_offsets.segments));
        r.info = &by_offsets;
    }
    vkr_start_walk(&r.walk, VKR_OPERATION_REDUCE, VKR_FAMILY_REDUCE, &r.input);
    const bool squares = vkr_uses_squares(info->algorithm) && r.walk.count != 0;
    if (!is_planned)
        VKR_TRY(r.segmented ? vkr_plan_segments(recorder, &r)
                : squares   ? vkr_plan_squares(recorder, &r)
                            : vkr_plan_reduce(recorder, &r));
    note_unused(&r.walk, info);
    return VKR_SUCCESS;
}

VkrResult vkrCmdReduce(VkrRecorder recorder, const VkrReduceInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL, VKR_LABEL_OF(info)));
    return vkr_operation_end(recorder, add_reduce(recorder, info));
}
