/* SPDX-License-Identifier: MIT */
/*
 * Reductions of tiles: of an image, or of a buffer that is seen as rows. One pass takes them all;
 * where tiles are cut into parts, a second one combines what these leave.
 */
#include "tiles.h"

#include <inttypes.h>

#define MIN_TEXELS 4u /* of an invocation, where the workgroup is more than a subgroup */
#define MAX_COMBINED VKR_TREE_BLOCK /* parts of a tile */

/* ---- Checks ---- */

static VkrResult check_rows(vkr_reduce *r)
{
    const uint64_t length = r->info->segments.length, count = r->walk.count;
    const vkr_image *image = &r->input.image;
    const vkr_walk *w = &r->walk;
    vkr_tiles *t = &r->tiles;
    if (vkr_is_image(&r->input)) {
        VKR_MUST_BE(w, length == 0, "segments", ".length", length,
                    "be 0, since the rows of an image are as long as they are.");
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

VkrResult vkr_check_tiles(vkr_reduce *r)
{
    const VkrSegments *segments = &r->info->segments;
    vkr_tiles *t = &r->tiles;
    VKR_MUST(&r->walk, segments->tileWidth != 0 && segments->tileHeight != 0,
             "segments.tileWidth is %u and segments.tileHeight %u, but both must be at least 1.",
             segments->tileWidth, segments->tileHeight);
    VKR_TRY(check_rows(r));
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

/* ---- Teams and parts ---- */

/* Whether invocations had better take a tile each: small ones; and on CPUs, where combining what
 * invocations have costs more than their loads, all that are enough for every invocation. */
static bool prefers_lanes(const vkr_reduce *r)
{
    const uint64_t full = (uint64_t)r->walk.tuning->maxGroups * r->walk.workgroup_size;
    const bool cpu = r->context->caps.device_type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    if (r->canonical)
        return false;
    return r->length * vkr_element_size(&r->input) <= vkr_segment_limits_of(r)->lane_bytes ||
           (cpu && r->segments >= full && r->length <= vkr_max_part(r, 1));
}

static VkrResult choose_team(vkr_reduce *r, vkr_tile_pass *p)
{
    const VkrReduceAlgorithm asked = r->info->algorithm;
    const bool lanes = asked == VKR_REDUCE_AUTO ? prefers_lanes(r) : asked == VKR_REDUCE_LANES;
    p->team = lanes ? 1 : 0;
    if (asked == VKR_REDUCE_MERGE || (lanes && r->canonical))
        return vkr_fail_algorithm(r, asked,
                                  "must be auto, groups or split, or lanes below level "
                                  "device");
    if (lanes && r->length > vkr_max_part(r, 1))
        return vkr_fail_algorithm(r, asked, "tiles must be smaller");
    return VKR_SUCCESS;
}

/* Small tiles need no large workgroup. */
static void shrink_workgroup(vkr_reduce *r)
{
    const uint32_t subgroup = vkr_one_subgroup(&r->context->caps);
    if (r->canonical || r->info->workgroupSize != 0)
        return;
    while (r->walk.workgroup_size > subgroup &&
           r->length < (uint64_t)MIN_TEXELS * r->walk.workgroup_size)
        r->walk.workgroup_size /= 2;
}

static VkrResult choose_parts(const vkr_reduce *r, vkr_tile_pass *p)
{
    const VkrReduceAlgorithm asked = r->info->algorithm;
    const uint64_t full = r->walk.tuning->maxGroups;
    uint64_t parts = 1;
    if (p->team == 0 && (asked == VKR_REDUCE_SPLIT || asked == VKR_REDUCE_AUTO))
        parts =
            vkr_clamp(vkr_divide_up(full, r->segments), 1, vkr_max(r->length / VKR_MIN_PART, 1));
    p->part_length = vkr_divide_up(r->length, parts);
    if (p->team == 0)
        p->part_length = vkr_min(p->part_length, vkr_max_part(r, 0));
    if (r->canonical && r->length > VKR_TREE_BLOCK)
        p->part_length = VKR_TREE_BLOCK;
    p->parts = vkr_divide_up(r->length, p->part_length);
    if (asked == VKR_REDUCE_GROUPS && p->parts != 1)
        return vkr_fail_algorithm(r, asked, "tiles must be smaller, or the algorithm split");
    VKR_NEED(&r->walk, p->parts <= MAX_COMBINED,
             "segments.kind is tiles, but tiles of %" PRIu64 " elements have %" PRIu64
             " parts and must have at most %u.",
             r->length, p->parts, MAX_COMBINED);
    return VKR_SUCCESS;
}

VkrResult vkr_plan_tiles(VkrRecorder recorder, vkr_reduce *r)
{
    vkr_tile_pass p = {.reduce = r, .tiles = &r->tiles, .count = r->segments};
    if (r->segments == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_choose_segment_kernel(r, VKR_FAMILY_TILE));
    if (!vkr_is_image(&r->input)) {
        vkr_set_loads(&r->walk, 0);
        r->walk.batch = 1;
    }
    VKR_TRY(choose_team(r, &p));
    shrink_workgroup(r);
    VKR_TRY(choose_parts(r, &p));
    VKR_TRY(vkr_place_tile_results(recorder, r));
    p.results = p.parts == 1;
    if (!p.results) {
        VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, r->partial_words, r->segments * p.parts,
                              &p.target));
        VKR_TRY(vkr_add_tile_pass(recorder, &p));
        p.partials = true;
        p.results = true;
        p.source = p.target;
    }
    VKR_TRY(vkr_add_tile_pass(recorder, &p));
    return vkr_write_tile_image(recorder, r);
}
