/* SPDX-License-Identifier: MIT */
/* Segments of a reduction: what the caller asks for, checked. */
#include "reduce.h"

const char *vkr_segment_kind_name(VkrSegmentKind kind)
{
    static const char *const names[VKR_SEGMENT_KIND_COUNT] = {
        [VKR_SEGMENTS_NONE] = "none",       [VKR_SEGMENTS_FLAGS] = "flags",
        [VKR_SEGMENTS_ROWS] = "rows",       [VKR_SEGMENTS_OFFSETS] = "offsets",
        [VKR_SEGMENTS_COLUMNS] = "columns", [VKR_SEGMENTS_WINDOWS] = "windows"};
    return names[kind];
}

static VkrResult fail_length(const vkr_reduce *r, const char *call, const char *needs)
{
    return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                    "%s: segments.length is %llu, but must be %s.", call,
                    (unsigned long long)r->info->segments.length, needs);
}

static VkrResult check_length(vkr_reduce *r, const char *call)
{
    const VkrSegments *segments = &r->info->segments;
    const uint64_t length = segments->length;
    if (length == 0)
        return fail_length(r, call, "at least 1");
    if (segments->kind == VKR_SEGMENTS_WINDOWS) {
        r->segments = r->walk.count < length ? 0 : r->walk.count - length + 1;
        r->length = length;
        return VKR_SUCCESS;
    }
    if (r->walk.count % length != 0)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: count is %llu, but must be a multiple of segments.length, which is "
                        "%llu.",
                        call, (unsigned long long)r->walk.count, (unsigned long long)length);
    const bool rows = segments->kind == VKR_SEGMENTS_ROWS;
    r->segments = rows ? r->walk.count / length : length;
    r->length = rows ? length : r->walk.count / length;
    return VKR_SUCCESS;
}

static VkrResult check_offsets(vkr_reduce *r, const char *call)
{
    const VkrSegments *segments = &r->info->segments;
    if (segments->offsetType != VKR_TYPE_UNDEFINED && segments->offsetType != VKR_TYPE_U32 &&
        segments->offsetType != VKR_TYPE_U64)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: segments.offsetType is %d, but must be VKR_TYPE_UNDEFINED (for u32), "
                        "VKR_TYPE_U32 or VKR_TYPE_U64.",
                        call, (int)segments->offsetType);
    const uint32_t unit = segments->offsetType == VKR_TYPE_U64 ? 8 : 4;
    if (segments->offsets.size == VK_WHOLE_SIZE)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: segments.offsets.size is VK_WHOLE_SIZE, but must be a number of "
                        "bytes, since each offset but the last is a segment's.",
                        call);
    if (segments->offsets.size < unit)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: segments.offsets.size is %llu, but must hold at least one offset of "
                        "%u bytes.",
                        call, (unsigned long long)segments->offsets.size, unit);
    r->segments = segments->offsets.size / unit - 1;
    r->length = r->walk.count;
    return VKR_SUCCESS;
}

VkrResult vkr_check_segments(vkr_reduce *r, const char *call)
{
    VkrResult result = vkr_check_choice(r->context, call, "segments.kind",
                                        (int)r->info->segments.kind, VKR_SEGMENT_KIND_COUNT);
    if (result != VKR_SUCCESS)
        return result;
    if (r->info->segments.kind == VKR_SEGMENTS_FLAGS)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: segments.kind is flags, but must be none, rows, offsets, columns or "
                        "windows.",
                        call);
    return r->info->segments.kind == VKR_SEGMENTS_OFFSETS ? check_offsets(r, call)
                                                          : check_length(r, call);
}

static vkr_access bytes_of_count(const VkrGpuCount *count)
{
    return (vkr_access){.buffer = count->buffer,
                        .offset = count->offset,
                        .size = count->type == VKR_TYPE_U64 ? 8 : 4};
}

static vkr_access bytes_of_view(const vkr_view *view, uint64_t count)
{
    return (vkr_access){.buffer = view->buffer,
                        .offset = view->offset,
                        .size =
                            count == 0 ? 0 : (count - 1) * view->stride + vkr_element_size(view)};
}

/* The first results are there before the last elements are read. */
static VkrResult check_overlaps(const vkr_reduce *r, const char *call)
{
    const VkrReduceInfo *info = r->info;
    const VkrBufferRange *offsets = &info->segments.offsets;
    const bool by_offsets = info->segments.kind == VKR_SEGMENTS_OFFSETS;
    const bool dot = (info->ops & VKR_OP_DOT) != 0;
    const vkr_access output = {
        .buffer = info->output.buffer, .offset = info->output.offset, .size = r->layout.size};
    const struct {
        const char *name;
        vkr_access range;
    } read[] = {
        {"input", bytes_of_view(&r->input, r->walk.count)},
        {"input2", bytes_of_view(&r->input2, dot ? r->walk.count : 0)},
        {"gpuCount", bytes_of_count(&info->gpuCount)},
        {"segments.gpuCount", bytes_of_count(&info->segments.gpuCount)},
        {"segments.offsets",
         {.buffer = offsets->buffer,
          .offset = offsets->offset,
          .size = by_offsets ? offsets->size : 0}},
    };
    for (size_t i = 0; i < VKR_ARRAY_SIZE(read); i++)
        if (read[i].range.buffer != VK_NULL_HANDLE && read[i].range.size != 0 && output.size != 0 &&
            vkr_overlap(&output, &read[i].range))
            return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                            "%s: output overlaps %s, but must be apart from it where segments.kind "
                            "is %s.",
                            call, read[i].name, vkr_segment_kind_name(info->segments.kind));
    return VKR_SUCCESS;
}

VkrResult vkr_check_segment_buffers(const vkr_reduce *r, const char *call)
{
    const VkrReduceInfo *info = r->info;
    const bool offsets = info->segments.kind == VKR_SEGMENTS_OFFSETS;
    const char *kind = vkr_segment_kind_name(info->segments.kind);
    if (info->flags != 0)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: flags is 0x%x, but must be 0 where segments.kind is %s.", call,
                        info->flags, kind);
    if (info->pieces.partials.buffer != VK_NULL_HANDLE)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: pieces.partials is given, but must be left out where segments.kind is "
                        "%s.",
                        call, kind);
    if (info->segments.gpuCount.buffer != VK_NULL_HANDLE && !offsets)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: segments.kind is %s, but must be offsets where segments.gpuCount is "
                        "given.",
                        call, kind);
    VkrResult result = VKR_SUCCESS;
    if (offsets)
        result =
            vkr_check_gpu_count(r->context, call, "segments.gpuCount", &info->segments.gpuCount);
    if (offsets && result == VKR_SUCCESS)
        result = vkr_check_range(r->context, call, "segments.offsets", &info->segments.offsets, 4,
                                 info->segments.offsets.size);
    return result == VKR_SUCCESS ? check_overlaps(r, call) : result;
}
