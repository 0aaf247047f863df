/* SPDX-License-Identifier: MIT */
/* vkrCmdScan: what the caller asks for, checked. */
#include "scan.h"

#include <inttypes.h>

#define CALL "vkrCmdScan"

#define SCAN_OPS                                                                                   \
    (VKR_OP_MIN | VKR_OP_MAX | VKR_OP_SUM | VKR_OP_PRODUCT | VKR_OP_AND | VKR_OP_OR | VKR_OP_XOR)

static const vkr_op_info *op_info(VkrOp op)
{
    uint32_t bit = 0;
    while ((uint32_t)op >> bit != 1)
        bit++;
    return &vkr_ops[bit];
}

static VkrResult check_op(const vkr_scan *s)
{
    const uint32_t op = (uint32_t)s->info->op;
    if (op == 0 || (op & (op - 1)) != 0 || (op & SCAN_OPS) == 0)
        return vkr_reject(&s->walk,
                          "op is 0x%x, but must be one of VKR_OP_SUM, PRODUCT, MIN, MAX, AND, OR "
                          "and XOR.",
                          op);
    if (op_info(s->info->op)->integers_only && s->input.type->is_float)
        return vkr_reject(&s->walk,
                          "op is %s, but input.type is %s, and this operator needs an integer "
                          "type.",
                          op_info(s->info->op)->name, s->input.type->name);
    return VKR_SUCCESS;
}

/* What the type of the results depends on. */
static VkrResult check_shape(vkr_scan *s)
{
    const VkrScanInfo *info = s->info;
    const char *call = s->walk.call;
    VKR_TRY(vkr_check_view(s->context, call, "input", &info->input, info->count, &s->input));
    VKR_TRY(check_op(s));
    VKR_TRY(
        vkr_check_accumulator(s->context, call, s->input.type, info->accumulator, &s->accumulator));
    s->walk.count = info->count == VKR_COUNT_ALL ? s->input.capacity : info->count;
    s->words = op_info(info->op)->result == VKR_RESULT_ACCUMULATOR;
    s->result = s->words ? s->accumulator : s->input.type_id;
    s->wide = s->words && s->accumulator != s->input.type->accumulator;
    s->canonical = op_info(info->op)->ordered && s->input.type->is_float &&
                   info->determinism == VKR_DETERMINISM_DEVICE;
    return VKR_SUCCESS;
}

static VkrResult check_output(vkr_scan *s)
{
    VkrView view = s->info->output;
    if (view.type == VKR_TYPE_UNDEFINED)
        view.type = s->result;
    if (view.components == 0)
        view.components = s->input.components;
    VKR_TRY(vkr_check_view(s->context, CALL, "output", &view, s->walk.count, &s->output));
    VKR_TRY(vkr_check_buffer(s->context, CALL, "output", &s->output));
    if (view.type != s->result)
        return vkr_reject(
            &s->walk, "output.type is %s, but must be undefined or %s, the type of the results.",
            vkrTypeName(view.type), vkrTypeName(s->result));
    if (view.components != s->input.components)
        return vkr_reject(&s->walk,
                          "output.components is %u, but must be 0 or %u like input.components.",
                          view.components, s->input.components);
    return VKR_SUCCESS;
}

static VkrResult check_count(vkr_scan *s)
{
    const VkrScanInfo *info = s->info;
    if (s->walk.count > s->input.capacity)
        return vkr_reject(&s->walk,
                          "count is %" PRIu64 ", but must be VKR_COUNT_ALL or at most %" PRIu64
                          ", the number of elements that input holds.",
                          s->walk.count, s->input.capacity);
    if (s->walk.count > s->output.capacity)
        return vkr_reject(&s->walk,
                          "output.size is %" PRIu64 ", which is %" PRIu64
                          " elements, but must hold the %" PRIu64 " of count.",
                          s->output.size, s->output.capacity, s->walk.count);
    return vkr_check_gpu_count(s->context, CALL, "gpuCount", &info->gpuCount);
}

static VkrResult check_choices(const vkr_scan *s)
{
    const VkrScanInfo *info = s->info;
    const struct {
        const char *field;
        int value;
        int count;
    } choices[] = {
        {"nan", (int)info->nan, VKR_NAN_PROPAGATE + 1},
        {"determinism", (int)info->determinism, VKR_DETERMINISM_DEVICE + 1},
        {"algorithm", (int)info->algorithm, VKR_SCAN_ALGORITHM_COUNT},
        {"segments.kind", (int)info->segments.kind, VKR_SEGMENT_KIND_COUNT},
    };
    for (size_t i = 0; i < VKR_ARRAY_SIZE(choices); i++)
        VKR_TRY(vkr_check_choice(s->context, CALL, choices[i].field, choices[i].value,
                                 choices[i].count));
    const uint32_t known = VKR_SCAN_EXCLUSIVE_BIT | VKR_SCAN_REVERSE_BIT;
    if ((info->flags & ~known) != 0)
        return vkr_reject(&s->walk, "flags is 0x%x, but must have only bits of VkrScanFlagBits.",
                          info->flags);
    return VKR_SUCCESS;
}

static VkrResult check_values(const vkr_scan *s)
{
    const VkrScanInfo *info = s->info;
    const VkDeviceSize unit = vkr_types[s->result].size;
    const VkDeviceSize size = unit * s->input.components;
    if (info->initial != NULL && info->gpuInitial.buffer != VK_NULL_HANDLE)
        return vkr_reject(
            &s->walk,
            "initial and gpuInitial.buffer are both given, but one of them must be NULL.");
    if (info->gpuInitial.buffer != VK_NULL_HANDLE)
        VKR_TRY(vkr_check_range(s->context, CALL, "gpuInitial", &info->gpuInitial, unit, size));
    return info->total.buffer == VK_NULL_HANDLE
               ? VKR_SUCCESS
               : vkr_check_range(s->context, CALL, "total", &info->total, unit, size);
}

static VkrResult check_offsets(vkr_scan *s, const VkrSegments *segments)
{
    if (segments->offsetType != VKR_TYPE_UNDEFINED && segments->offsetType != VKR_TYPE_U32 &&
        segments->offsetType != VKR_TYPE_U64)
        return vkr_reject(&s->walk,
                          "segments.offsetType is %d, but must be VKR_TYPE_UNDEFINED (for u32), "
                          "VKR_TYPE_U32 or VKR_TYPE_U64.",
                          (int)segments->offsetType);
    s->heads = segments->offsets.size != 0;
    return s->heads ? vkr_check_range(s->context, CALL, "segments.offsets", &segments->offsets, 4,
                                      segments->offsetType == VKR_TYPE_U64 ? 8 : 4)
                    : VKR_SUCCESS;
}

static VkrResult check_segments(vkr_scan *s)
{
    const VkrSegments *segments = &s->info->segments;
    switch (segments->kind) {
    case VKR_SEGMENTS_FLAGS:
        s->heads = true;
        return vkr_check_flags(s->context, CALL, "segments.flags", &segments->flags, s->walk.count);
    case VKR_SEGMENTS_ROWS:
        s->rows = segments->length < s->walk.count;
        if (segments->length == 0)
            return vkr_reject(&s->walk, "segments.length is 0, but must be at least 1.");
        return VKR_SUCCESS;
    case VKR_SEGMENTS_OFFSETS:
        return check_offsets(s, segments);
    case VKR_SEGMENTS_COLUMNS:
    case VKR_SEGMENTS_WINDOWS:
        return vkr_reject(&s->walk,
                          "segments.kind is %s, but must be none, flags, rows or offsets.",
                          segments->kind == VKR_SEGMENTS_COLUMNS ? "columns" : "windows");
    default:
        return VKR_SUCCESS;
    }
}

static vkr_region region_of_range(const char *name, const VkrBufferRange *range, VkDeviceSize size,
                                  bool written)
{
    return vkr_region_of_bytes(name, range->buffer, range->offset, size, written);
}

/* Output and total must be apart from all that other workgroups may still read. */
static VkrResult check_overlaps(vkr_scan *s)
{
    const VkrScanInfo *info = s->info;
    const VkDeviceSize size = (VkDeviceSize)vkr_types[s->result].size * s->input.components;
    const VkrBufferRange *flags = &info->segments.flags.range;
    const VkrBufferRange *offsets = &info->segments.offsets;
    const VkrSegmentKind kind = info->segments.kind;
    const vkr_region output = vkr_region_of_view("output", &s->output, s->walk.count, true);
    const vkr_region total = region_of_range("total", &info->total, size, true);
    const vkr_region read[] = {
        vkr_region_of_view("input", &s->input, s->walk.count, false),
        vkr_region_of_count("gpuCount", &info->gpuCount),
        region_of_range("gpuInitial", &info->gpuInitial, size, false),
        region_of_range("segments.flags", flags, kind == VKR_SEGMENTS_FLAGS ? flags->size : 0,
                        false),
        region_of_range("segments.offsets", offsets,
                        kind == VKR_SEGMENTS_OFFSETS ? offsets->size : 0, false),
    };
    s->in_place = s->output.buffer == s->input.buffer && s->output.offset == s->input.offset &&
                  s->output.stride == s->input.stride &&
                  s->output.type->size == s->input.type->size;
    for (size_t i = 0; i < VKR_ARRAY_SIZE(read); i++) {
        if (i != 0 || !s->in_place)
            VKR_TRY(
                vkr_check_apart(s->context, CALL, &output, &read[i],
                                i == 0 ? "be apart from it or be it exactly" : "be apart from it"));
        VKR_TRY(vkr_check_apart(s->context, CALL, &total, &read[i], "be apart from it"));
    }
    return vkr_check_apart(s->context, CALL, &total, &output, "be apart from it");
}

static VkrResult check_algorithm(const vkr_scan *s)
{
    const VkrScanInfo *info = s->info;
    const char *name = vkrScanAlgorithmName(info->algorithm);
    const bool runs =
        info->algorithm == VKR_SCAN_AUTO || info->algorithm == VKR_SCAN_REDUCE_THEN_SCAN;
    if (s->in_place && !runs)
        return vkr_refuse(
            &s->walk,
            "algorithm is %s, but must be auto or reduce-then-scan where output is input.", name);
    if (s->canonical && !runs)
        return vkr_refuse(&s->walk,
                          "algorithm is %s, but must be auto or reduce-then-scan where determinism "
                          "is VKR_DETERMINISM_DEVICE.",
                          name);
    if (info->algorithm != VKR_SCAN_SINGLE_PASS)
        return VKR_SUCCESS;
    if (s->context->forward_progress == VKR_FORWARD_PROGRESS_NONE)
        return vkr_refuse(&s->walk, "algorithm is single-pass, but the context's forwardProgress "
                                    "is VKR_FORWARD_PROGRESS_NONE and must be another.");
    if (op_info(info->op)->ordered && s->input.type->is_float &&
        info->determinism != VKR_DETERMINISM_NONE)
        return vkr_refuse(&s->walk,
                          "algorithm is single-pass, but determinism must then be "
                          "VKR_DETERMINISM_NONE for the %s of %s.",
                          op_info(info->op)->name, s->input.type->name);
    return VKR_SUCCESS;
}

static VkrResult check_scan(vkr_scan *s)
{
    VKR_TRY(check_shape(s));
    VKR_TRY(vkr_check_buffer(s->context, CALL, "input", &s->input));
    VKR_TRY(check_choices(s));
    VKR_TRY(check_output(s));
    VKR_TRY(check_count(s));
    VKR_TRY(check_segments(s));
    VKR_TRY(check_overlaps(s));
    VKR_TRY(check_values(s));
    VKR_TRY(check_algorithm(s));
    s->walk.reverse = (s->info->flags & VKR_SCAN_REVERSE_BIT) != 0;
    const uint32_t term = s->input.type->size == 8 || s->wide ? 2 : 1;
    s->partial_words = term * s->input.components + (s->heads || s->rows ? 1 : 0);
    return VKR_SUCCESS;
}

VkrResult vkrGetScanType(VkrContext context, const VkrScanInfo *info, VkrType *type)
{
    if (context == NULL)
        return VKR_ERROR_INVALID_ARGUMENT;
    if (info == NULL || type == NULL)
        return vkr_fail(context, VKR_ERROR_INVALID_ARGUMENT,
                        "vkrGetScanType: %s is NULL, but must point to a %s.",
                        info == NULL ? "info" : "type", info == NULL ? "VkrScanInfo" : "VkrType");
    /* What the header says that it reads; nothing else can be wrong. */
    const VkrScanInfo read = {
        .op = info->op,
        .input = {.type = info->input.type, .components = info->input.components},
        .accumulator = info->accumulator};
    vkr_scan s = {
        .context = context, .info = &read, .walk = {.context = context, .call = "vkrGetScanType"}};
    VKR_TRY(vkr_check_device(context, "vkrGetScanType"));
    VKR_TRY(check_shape(&s));
    *type = s.result;
    return VKR_SUCCESS;
}

static VkrResult add_scan(VkrRecorder recorder, const VkrScanInfo *info)
{
    vkr_scan s = {.context = vkr_recorder_context(recorder), .info = info};
    s.walk = (vkr_walk){.context = s.context, .call = CALL};
    if (info == NULL)
        return vkr_reject(&s.walk, "info is NULL, but must point to a VkrScanInfo.");
    VKR_TRY(check_scan(&s));
    VKR_TRY(vkr_plan_scan_geometry(&s));
    if (s.heads)
        VKR_TRY(vkr_plan_heads(recorder, &s));
    return s.algorithm == VKR_SCAN_HILLIS_STEELE || s.algorithm == VKR_SCAN_BLELLOCH
               ? vkr_plan_doublings(recorder, &s)
               : vkr_plan_scan(recorder, &s);
}

VkrResult vkrCmdScan(VkrRecorder recorder, const VkrScanInfo *info)
{
    VKR_TRY(vkr_operation_begin(recorder, CALL));
    return vkr_operation_end(recorder, add_scan(recorder, info));
}
