/* SPDX-License-Identifier: MIT */
/* Segments of a reduction: what the caller asks for, checked. */
#include <inttypes.h>
#include <stdio.h>

#include "reduce.h"

const char *vkr_segment_kind_name(VkrSegmentKind kind)
{
    static const char *const names[VKR_SEGMENT_KIND_COUNT] = {
        [VKR_SEGMENTS_NONE] = "none",       [VKR_SEGMENTS_FLAGS] = "flags",
        [VKR_SEGMENTS_ROWS] = "rows",       [VKR_SEGMENTS_OFFSETS] = "offsets",
        [VKR_SEGMENTS_COLUMNS] = "columns", [VKR_SEGMENTS_WINDOWS] = "windows"};
    return names[kind];
}

static VkrResult fail_length(const vkr_reduce *r, const char *needs)
{
    return vkr_reject(&r->walk, "segments.length is %" PRIu64 ", but must be %s.",
                      r->info->segments.length, needs);
}

static VkrResult check_length(vkr_reduce *r)
{
    const VkrSegments *segments = &r->info->segments;
    const uint64_t length = segments->length;
    if (length == 0)
        return fail_length(r, "at least 1");
    if (segments->kind == VKR_SEGMENTS_WINDOWS) {
        r->segments = r->walk.count < length ? 0 : r->walk.count - length + 1;
        r->length = length;
        return VKR_SUCCESS;
    }
    if (r->walk.count % length != 0)
        return vkr_reject(&r->walk,
                          "count is %" PRIu64
                          ", but must be a multiple of segments.length, which is %" PRIu64 ".",
                          r->walk.count, length);
    const bool rows = segments->kind == VKR_SEGMENTS_ROWS;
    r->segments = rows ? r->walk.count / length : length;
    r->length = rows ? length : r->walk.count / length;
    return VKR_SUCCESS;
}

static VkrResult check_offsets(vkr_reduce *r)
{
    const VkrSegments *segments = &r->info->segments;
    if (segments->offsetType != VKR_TYPE_UNDEFINED && segments->offsetType != VKR_TYPE_U32 &&
        segments->offsetType != VKR_TYPE_U64)
        return vkr_reject(&r->walk,
                          "segments.offsetType is %d, but must be VKR_TYPE_UNDEFINED (for u32), "
                          "VKR_TYPE_U32 or VKR_TYPE_U64.",
                          (int)segments->offsetType);
    const uint32_t unit = segments->offsetType == VKR_TYPE_U64 ? 8 : 4;
    if (segments->offsets.size == VK_WHOLE_SIZE)
        return vkr_reject(&r->walk, "segments.offsets.size is VK_WHOLE_SIZE, but must be a number "
                                    "of bytes, since each offset but the last is a segment's.");
    if (segments->offsets.size < unit)
        return vkr_reject(&r->walk,
                          "segments.offsets.size is %" PRIu64
                          ", but must hold at least one offset of %u bytes.",
                          segments->offsets.size, unit);
    r->segments = segments->offsets.size / unit - 1;
    r->length = r->walk.count;
    return VKR_SUCCESS;
}

VkrResult vkr_check_segments(vkr_reduce *r)
{
    VKR_TRY(vkr_check_choice(r->context, r->walk.call, "segments.kind", (int)r->info->segments.kind,
                             VKR_SEGMENT_KIND_COUNT));
    if (r->info->segments.kind == VKR_SEGMENTS_FLAGS)
        return vkr_reject(
            &r->walk,
            "segments.kind is flags, but must be none, rows, offsets, columns or windows.");
    return r->info->segments.kind == VKR_SEGMENTS_OFFSETS ? check_offsets(r) : check_length(r);
}

/* The first results are there before the last elements are read. */
static VkrResult check_overlaps(const vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    const VkrBufferRange *offsets = &info->segments.offsets;
    const bool by_offsets = info->segments.kind == VKR_SEGMENTS_OFFSETS;
    const vkr_region output = vkr_region_of_bytes("output", info->output.buffer,
                                                  info->output.offset, r->layout.size, true);
    const vkr_region read[] = {
        vkr_region_of_view("input", &r->input, r->walk.count, false),
        vkr_region_of_view("input2", &r->input2, vkr_has_dot(r) ? r->walk.count : 0, false),
        vkr_region_of_count("gpuCount", &info->gpuCount),
        vkr_region_of_count("segments.gpuCount", &info->segments.gpuCount),
        vkr_region_of_bytes("segments.offsets", offsets->buffer, offsets->offset,
                            by_offsets ? offsets->size : 0, false),
    };
    char must[64];
    (void)snprintf(must, sizeof(must), "be apart from it where segments.kind is %s",
                   vkr_segment_kind_name(info->segments.kind));
    for (size_t i = 0; i < VKR_ARRAY_SIZE(read); i++)
        VKR_TRY(vkr_check_apart(r->context, r->walk.call, &output, &read[i], must));
    return VKR_SUCCESS;
}

VkrResult vkr_check_segment_buffers(const vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    const bool offsets = info->segments.kind == VKR_SEGMENTS_OFFSETS;
    const char *kind = vkr_segment_kind_name(info->segments.kind);
    if (info->flags != 0)
        return vkr_reject(&r->walk, "flags is 0x%x, but must be 0 where segments.kind is %s.",
                          info->flags, kind);
    if (info->pieces.partials.buffer != VK_NULL_HANDLE)
        return vkr_reject(
            &r->walk, "pieces.partials is given, but must be left out where segments.kind is %s.",
            kind);
    if (info->segments.gpuCount.buffer != VK_NULL_HANDLE && !offsets)
        return vkr_reject(
            &r->walk, "segments.kind is %s, but must be offsets where segments.gpuCount is given.",
            kind);
    if (offsets) {
        VKR_TRY(vkr_check_gpu_count(r->context, r->walk.call, "segments.gpuCount",
                                    &info->segments.gpuCount));
        VKR_TRY(vkr_check_range(r->context, r->walk.call, "segments.offsets",
                                &info->segments.offsets, 4, info->segments.offsets.size));
    }
    return check_overlaps(r);
}
