/* SPDX-License-Identifier: MIT */
/* Segments of a reduction: what the caller asks for, checked. */
#include "reduce.h"

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
        r->segments = r->count < length ? 0 : r->count - length + 1;
        r->length = length;
        return VKR_SUCCESS;
    }
    if (r->count % length != 0)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: count is %llu, but must be a multiple of segments.length, which is "
                        "%llu.",
                        call, (unsigned long long)r->count, (unsigned long long)length);
    const bool rows = segments->kind == VKR_SEGMENTS_ROWS;
    r->segments = rows ? r->count / length : length;
    r->length = rows ? length : r->count / length;
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
    if (segments->offsets.size < unit)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: segments.offsets.size is %llu, but must hold at least one offset of "
                        "%u bytes.",
                        call, (unsigned long long)segments->offsets.size, unit);
    r->segments = segments->offsets.size / unit - 1;
    r->length = r->count;
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

VkrResult vkr_check_segment_buffers(const vkr_reduce *r, const char *call)
{
    const VkrReduceInfo *info = r->info;
    const bool offsets = info->segments.kind == VKR_SEGMENTS_OFFSETS;
    if (info->flags != 0 || info->pieces.partials.buffer != VK_NULL_HANDLE)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: %s is given, but must not be where segments are.", call,
                        info->flags != 0 ? "flags" : "pieces.partials");
    if (info->segments.gpuCount.buffer != VK_NULL_HANDLE && !offsets)
        return vkr_fail(r->context, VKR_ERROR_INVALID_ARGUMENT,
                        "%s: segments.gpuCount is given, but must not be for other segments than "
                        "those by offsets.",
                        call);
    if (!offsets)
        return VKR_SUCCESS;
    VkrResult result =
        vkr_check_gpu_count(r->context, call, "segments.gpuCount", &info->segments.gpuCount);
    if (result == VKR_SUCCESS)
        result = vkr_check_range(r->context, call, "segments.offsets", &info->segments.offsets, 4,
                                 info->segments.offsets.size);
    return result;
}
