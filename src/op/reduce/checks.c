/* SPDX-License-Identifier: MIT */
/* Checks of what reductions by operators and those by an application's functions have in common. */
#include "reduce.h"

#include <inttypes.h>

VkrResult vkr_check_reduce_mask(const vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    const vkr_walk *w = &r->walk;
    if (!r->masked)
        return VKR_SUCCESS;
    VKR_TRY(vkr_check_mask(w, &info->mask, &r->input));
    const VkrSegmentKind kind = info->segments.kind;
    VKR_NEED(w, !r->dot || (kind != VKR_SEGMENTS_OFFSETS && kind != VKR_SEGMENTS_KEYS),
             "mask is given, but ops has dot and segments.kind is %s, whose kernels read a mask or "
             "a second input, but not both.",
             vkr_segment_kind_name(kind));
    const VkrBufferRange *offsets = &info->segments.offsets;
    const vkr_region output = vkr_region_of_bytes("output", info->output.buffer,
                                                  info->output.offset, r->layout.size, true);
    const vkr_region mask = vkr_region_of_mask(w, &info->mask);
    const vkr_region read[] = {
        vkr_region_of_view("input", &r->input, w->count, false),
        vkr_region_of_view("input2", &r->input2, r->dot ? w->count : 0, false),
        vkr_region_of_count("gpuCount", &info->gpuCount),
        vkr_region_of_bytes("segments.offsets", offsets->buffer, offsets->offset, offsets->size,
                            false),
    };
    VKR_TRY(vkr_check_disjoint(w, &output, &mask, 1, "be apart from it"));
    return vkr_check_disjoint(w, &mask, read, VKR_ARRAY_SIZE(read), "be apart from it");
}

/* Checks where a piece lies in the whole, and where its partials lie. */
static VkrResult check_place_of_piece(const vkr_reduce *r)
{
    const VkrBufferRange *partials = &r->info->pieces.partials;
    const uint64_t whole = r->walk.whole, first = r->walk.first, count = r->walk.count;
    const uint64_t rest = first < whole ? whole - first : 0, block = VKR_TREE_BLOCK;
    const VkDeviceSize room = UINT64_MAX - partials->offset;
    const struct {
        bool holds;
        const char *field;
        uint64_t value;
        const char *needs;
        uint64_t number;
    } rows[] = {
        {first % block == 0 || count == 0, "pieces.first", first, "a multiple of", block},
        {first <= whole, "pieces.first", first, "at most", whole},
        {count <= rest, "count", count, "at most", rest},
        {count == rest || count % block == 0, "count", count, "a multiple of", block},
        {partials->offset % 4 == 0, "pieces.partials.offset", partials->offset, "a multiple of", 4},
        {partials->size >= r->layout.partialsSize, "pieces.partials.size", partials->size,
         "at least", r->layout.partialsSize},
        {partials->size <= room, "pieces.partials.size", partials->size, "at most", room},
    };
    for (uint32_t i = 0; i < VKR_ARRAY_SIZE(rows); i++)
        VKR_MUST_BE(&r->walk, rows[i].holds, rows[i].field, "", rows[i].value,
                    "be %s %" PRIu64 " for a piece of pieces.count %" PRIu64 ".", rows[i].needs,
                    rows[i].number, whole);
    return VKR_SUCCESS;
}

VkrResult vkr_check_pieces(vkr_reduce *r)
{
    const VkrReduceInfo *info = r->info;
    const VkrPieces *pieces = &info->pieces;
    if (pieces->partials.buffer == VK_NULL_HANDLE) {
        VKR_MUST(&r->walk, pieces->count == 0 && pieces->first == 0,
                 "pieces.partials.buffer is VK_NULL_HANDLE, but must be a buffer where "
                 "pieces.count or pieces.first is not 0.");
        return VKR_SUCCESS;
    }
    VKR_MUST(&r->walk,
             info->gpuCount.buffer == VK_NULL_HANDLE &&
                 (info->flags & VKR_REDUCE_CONSUME_INPUT_BIT) == 0 &&
                 (info->algorithm == VKR_REDUCE_AUTO || info->algorithm == VKR_REDUCE_SUBGROUP),
             "pieces.partials is given, but gpuCount must then be 0, flags 0 or "
             "VKR_REDUCE_SAMPLE_BIT, and algorithm auto or subgroup.");
    r->walk.whole = pieces->count;
    r->walk.first = pieces->first;
    r->pieces = r->walk.whole != 0;
    return check_place_of_piece(r);
}
