/* SPDX-License-Identifier: MIT */
/* Where the segments of scans start, also of those by an application's monoid. */
#include "../../plan/apart.h"
#include "../../plan/bits.h"
#include "../../plan/keys.h"
#include "scan.h"

#include <inttypes.h>

/* A single column is a whole. */
static VkrResult check_columns(vkr_scan *s)
{
    const vkr_walk *w = &s->walk;
    const uint64_t length = s->info->segments.length;
    const VkrScanAlgorithm asked = s->info->algorithm;
    VKR_TRY(vkr_check_columns(w, &s->info->segments));
    VKR_NEED(w, length <= VKR_MAX_REACH,
             "segments.length is %" PRIu64 ", but must be at most %" PRIu64 " for columns.", length,
             VKR_MAX_REACH);
    VKR_NEED(w, s->info->monoid == NULL,
             "segments.kind is columns, but must be another one for scans by a monoid.");
    VKR_NEED(
        w, asked == VKR_SCAN_AUTO || asked == VKR_SCAN_REDUCE_THEN_SCAN,
        "algorithm is %s, but must be auto or reduce-then-scan where segments.kind is columns.",
        vkrScanAlgorithmName(asked));
    s->columns = length != 1;
    return VKR_SUCCESS;
}

static VkrResult check_rows(vkr_scan *s)
{
    const VkrSegments *segments = &s->info->segments;
    const bool initial = s->info->initial != NULL || s->info->gpuInitial.buffer != VK_NULL_HANDLE;
    vkr_walk *w = &s->walk;
    VKR_MUST(w, segments->length != 0, "segments.length is 0, but must be at least 1.");
    VKR_TRY(vkr_check_rows_apart(w, segments));
    s->apart = vkr_lie_apart(segments, w->count);
    w->count = vkr_count_of_first(segments, w->count);
    VKR_NEED(w, !s->apart || s->info->monoid == NULL,
             "segments.pitch is %" PRIu64 ", but must be 0 or segments.length, which is %" PRIu64
             ", for scans by a monoid.",
             segments->pitch, segments->length);
    VKR_NEED(w, !s->apart || w->count >> 32 == 0,
             "count is %" PRIu64 ", but must be below 2^32 where rows lie apart.", w->count);
    /* At level DEVICE an initial value belongs to the first element of a row, but to the prefixes
     * of all blocks of a whole, so the bits of a single row are not those of a whole. */
    s->rows = segments->length < w->count || (s->canonical && initial);
    return VKR_SUCCESS;
}

VkrResult vkr_check_scan_segments(vkr_scan *s)
{
    const VkrSegments *segments = &s->info->segments;
    const vkr_walk *w = &s->walk;
    const uint32_t size = segments->offsetType == VKR_TYPE_U64 ? 8 : 4;
    switch (segments->kind) {
    case VKR_SEGMENTS_FLAGS:
        s->heads = true;
        s->starts = vkr_region_of_range("segments.flags", &segments->flags.range);
        s->starts.written = segments->flags.hook != NULL;
        return vkr_check_flags(w, "segments.flags", &segments->flags, NULL);
    case VKR_SEGMENTS_ROWS:
        return check_rows(s);
    case VKR_SEGMENTS_OFFSETS:
        VKR_TRY(vkr_check_number_type(w, "segments.offsetType", segments->offsetType));
        s->heads = segments->offsets.size != 0;
        s->starts = vkr_region_of_range("segments.offsets", &segments->offsets);
        return s->heads ? vkr_check_range(w, "segments.offsets", &segments->offsets, 4, size)
                        : VKR_SUCCESS;
    case VKR_SEGMENTS_KEYS:
        s->heads = true;
        return vkr_check_keys(w, segments, &s->keys);
    case VKR_SEGMENTS_COLUMNS:
        return check_columns(s);
    default:
        VKR_MUST(w, segments->kind == VKR_SEGMENTS_NONE,
                 "segments.kind is %s, but must be none, flags, rows, columns, offsets or keys.",
                 segments->kind == VKR_SEGMENTS_WINDOWS ? "windows" : "tiles");
        return VKR_SUCCESS;
    }
}

VkrResult vkr_plan_heads(VkrRecorder recorder, vkr_scan *s)
{
    const VkrSegments *segments = &s->info->segments;
    if (!s->heads || s->walk.count == 0)
        return VKR_SUCCESS;
    if (segments->kind == VKR_SEGMENTS_FLAGS)
        return vkr_plan_bits_of_flags(recorder, &s->walk, &segments->flags, &s->bits);
    if (segments->kind == VKR_SEGMENTS_KEYS) {
        VKR_TRY(vkr_stage(recorder, &s->walk, s->walk.count, &s->keys));
        s->keyed = vkr_can_find_runs(s);
        if (s->keyed)
            return VKR_SUCCESS;
        return vkr_plan_bits_of_keys(recorder, &s->walk, &s->keys, &s->bits);
    }
    return vkr_plan_bits_of_list(recorder, &s->walk, &segments->offsets,
                                 segments->offsetType == VKR_TYPE_U64, &s->bits);
}
