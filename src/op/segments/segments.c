/* SPDX-License-Identifier: MIT */
/* Segments of a reduction: what the caller asks for, checked. */
#include "../reduce/reduce.h"
#include "../compact/runs.h"

#include <inttypes.h>
#include <stdio.h>

/* Both the pitch and the count of the GPU count what lies between rows, too. */
static VkrResult check_rows(vkr_reduce *r)
{
    const uint64_t length = r->info->segments.length;
    VKR_TRY(vkr_check_rows_apart(&r->walk, &r->info->segments));
    r->pitch = vkr_pitch_of_rows(&r->info->segments);
    r->segments = vkr_divide_up(r->walk.count, r->pitch);
    r->last = r->segments == 0 ? 0 : vkr_min(length, r->walk.count - (r->segments - 1) * r->pitch);
    r->length = r->segments == 1 ? r->last : length;
    return VKR_SUCCESS;
}

static VkrResult check_length(vkr_reduce *r)
{
    const VkrSegments *segments = &r->info->segments;
    const uint64_t length = segments->length, count = r->walk.count;
    VKR_MUST_BE(&r->walk, length != 0, "segments", ".length", length, "be at least 1.");
    if (segments->kind == VKR_SEGMENTS_WINDOWS) {
        r->segments = count < length ? 0 : count - length + 1;
        r->length = length;
        return VKR_SUCCESS;
    }
    if (segments->kind == VKR_SEGMENTS_ROWS)
        return check_rows(r);
    VKR_MUST_BE(&r->walk, count % length == 0, "", "count", count,
                "be a multiple of segments.length, which is %" PRIu64 ".", length);
    r->segments = length;
    r->length = count / length;
    return VKR_SUCCESS;
}

static VkrResult check_offsets(vkr_reduce *r)
{
    r->length = r->walk.count;
    return vkr_check_offsets(&r->walk, &r->info->segments, &r->segments);
}

static VkrResult check_rows_of_tiles(vkr_reduce *r)
{
    const uint64_t length = r->info->segments.length, count = r->walk.count;
    const vkr_image *image = &r->input.image;
    const vkr_walk *w = &r->walk;
    vkr_tiles *t = &r->tiles;
    if (vkr_is_image(&r->input)) {
        VKR_MUST_BE(w, length == 0, "segments", ".length", length,
                    "be 0, since an image determines the length of its rows.");
        VKR_MUST_BE(w, count == r->input.capacity, "", "count", count,
                    "be %" PRIu64 ", all elements of the image, where segments.kind is tiles.",
                    r->input.capacity);
        t->width = image->width;
        t->height = image->height;
        t->layers = image->depth;
        return VKR_SUCCESS;
    }
    VKR_MUST_BE(w, length != 0 && length <= VKR_MAX_REACH, "segments", ".length", length,
                "be 1 to %" PRIu64 ", the elements of a row.", VKR_MAX_REACH);
    VKR_MUST_BE(w, count % length == 0, "", "count", count,
                "be a multiple of segments.length, which is %" PRIu64 ".", length);
    VKR_NEED(w, count / length <= UINT32_MAX,
             "count is %" PRIu64 ", but must be less than 2^32 rows of segments.length.", count);
    t->width = (uint32_t)length;
    t->height = (uint32_t)(count / length);
    t->layers = 1;
    return VKR_SUCCESS;
}

static VkrResult check_tiles(vkr_reduce *r)
{
    const VkrSegments *segments = &r->info->segments;
    vkr_tiles *t = &r->tiles;
    VKR_MUST(&r->walk, segments->tileWidth != 0 && segments->tileHeight != 0,
             "segments.tileWidth is %u and segments.tileHeight %u, but both must be at least 1.",
             segments->tileWidth, segments->tileHeight);
    VKR_TRY(check_rows_of_tiles(r));
    t->tile_width = (uint32_t)vkr_min(segments->tileWidth, t->width);
    t->tile_height = (uint32_t)vkr_clamp(segments->tileHeight, 1, vkr_max(t->height, 1));
    t->columns = (uint32_t)vkr_divide_up(t->width, t->tile_width);
    t->rows = (uint32_t)vkr_divide_up(t->height, t->tile_height);
    r->segments = (uint64_t)t->columns * t->rows * t->layers;
    r->length = (uint64_t)t->tile_width * t->tile_height;
    VKR_NEED(&r->walk, r->segments <= UINT32_MAX && r->length <= VKR_MAX_REACH,
             "segments.tileWidth is %u and segments.tileHeight %u, which makes %" PRIu64
             " tiles of up to %" PRIu64
             " elements, but there must be less than 2^32, each of at most 2^31.",
             segments->tileWidth, segments->tileHeight, r->segments, r->length);
    return VKR_SUCCESS;
}

VkrResult vkr_check_segments(vkr_reduce *r)
{
    const VkrSegmentKind kind = r->info->segments.kind;
    VKR_TRY(vkr_check_choice(&r->walk, "segments.kind", (int)kind, VKR_SEGMENT_KIND_COUNT));
    VKR_MUST(&r->walk, kind != VKR_SEGMENTS_FLAGS,
             "segments.kind is flags, but must be none, rows, offsets, columns, windows, tiles or "
             "keys.");
    if (kind == VKR_SEGMENTS_KEYS) {
        r->segments = vkr_room_for_runs(&r->info->segments, r->walk.count);
        r->length = r->walk.count;
        return VKR_SUCCESS;
    }
    return kind == VKR_SEGMENTS_TILES     ? check_tiles(r)
           : kind == VKR_SEGMENTS_OFFSETS ? check_offsets(r)
                                          : check_length(r);
}

/* Checks that the output shares no bytes with what is read, since the first results are written
 * before the last elements are read. */
static VkrResult check_overlaps(vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    const VkrBufferRange *offsets = &info->segments.offsets;
    const bool by_offsets = info->segments.kind == VKR_SEGMENTS_OFFSETS;
    const vkr_region regions[] = {
        vkr_region_of_bytes("output", info->output.buffer, info->output.offset, r->layout.size,
                            true),
        vkr_region_of_view("input", &r->input, r->walk.count, false),
        vkr_region_of_view("input2", &r->input2, r->dot ? r->walk.count : 0, false),
        vkr_region_of_count("gpuCount", &info->gpuCount),
        vkr_region_of_count("segments.gpuCount", &info->segments.gpuCount),
        vkr_region_of_bytes("segments.offsets", offsets->buffer, offsets->offset,
                            by_offsets ? offsets->size : 0, false),
        vkr_region_of_mask(&r->walk, &info->mask),
    };
    const size_t unmasked = VKR_ARRAY_SIZE(regions) - 1; /* a mask is checked with its own fields */
    char must[64];
    (void)snprintf(must, sizeof(must), "be apart from it where segments.kind is %s",
                   vkr_segment_kind_name(info->segments.kind));
    VKR_TRY(vkr_check_regions(&r->walk, regions, unmasked, must));
    return info->segments.kind == VKR_SEGMENTS_KEYS
               ? vkr_check_runs(&r->walk, &info->gpuCount, &info->segments, regions,
                                unmasked + r->masked, r->runs)
               : VKR_SUCCESS;
}

VkrResult vkr_check_segment_buffers(vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    const VkrSegments *segments = &info->segments;
    const bool offsets = segments->kind == VKR_SEGMENTS_OFFSETS;
    const char *kind = vkr_segment_kind_name(segments->kind);
    const vkr_walk *w = &r->walk;
    VKR_MUST(w, (info->flags & VKR_REDUCE_CONSUME_INPUT_BIT) == 0,
             "flags is %s, but must be 0 or VKR_REDUCE_SAMPLE_BIT where segments.kind is %s.",
             vkr_flag_names(VKR_FLAGS_OF_REDUCE, info->flags).text, kind);
    VKR_MUST(w, info->pieces.partials.buffer == VK_NULL_HANDLE,
             "pieces.partials is given, but must be absent where segments.kind is %s.", kind);
    VKR_MUST(w, segments->gpuCount.buffer == VK_NULL_HANDLE || offsets,
             "segments.kind is %s, but must be offsets where segments.gpuCount is given.", kind);
    if (offsets) {
        VKR_TRY(vkr_check_gpu_count(w, "segments.gpuCount", &segments->gpuCount));
        VKR_TRY(
            vkr_check_range(w, "segments.offsets", &segments->offsets, 4, segments->offsets.size));
    }
    return check_overlaps(r);
}
