/* SPDX-License-Identifier: MIT */
/*
 * Reductions of tiles: of an image, or of a buffer that is seen as rows. One pass takes them all;
 * where tiles are cut into parts, a second one combines what these leave.
 */
#include "segment.h"

#include <inttypes.h>

#include "../plan/bits.h"

#define MIN_TEXELS 4u /* of an invocation, where the workgroup is more than a subgroup */
#define MAX_COMBINED VKR_TREE_BLOCK /* parts of a tile */

/* A pass over tiles. */
typedef struct tile_pass {
    const vkr_reduce *reduce;
    bool partials;        /* the pass reads partials, else elements */
    uint32_t team;        /* as VKR_CONST_TEAM */
    uint64_t parts;       /* of a tile */
    uint64_t part_length; /* elements */
    vkr_place left;       /* partials: read, or left if there are several of a tile */
} tile_pass;

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

static VkrResult choose_team(vkr_reduce *r, tile_pass *p)
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

static VkrResult choose_parts(const vkr_reduce *r, tile_pass *p)
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

/* ---- Dispatches ---- */

/* The number of rows of elements before a row of tiles; the rows of all layers count. */
static uint64_t rows_before(const vkr_tiles *t, uint64_t row_of_tiles)
{
    const uint64_t layer = row_of_tiles / t->rows, row = row_of_tiles % t->rows;
    return layer * t->height + row * t->tile_height;
}

/* The number of rows of elements up to the end of a row of tiles. */
static uint64_t rows_through(const vkr_tiles *t, uint64_t row_of_tiles)
{
    const uint64_t layer = row_of_tiles / t->rows, row = row_of_tiles % t->rows;
    return layer * t->height + vkr_min((row + 1) * t->tile_height, t->height);
}

static uint64_t trips_of_id(const vkr_reduce *r, const tile_pass *p)
{
    const uint64_t lanes = p->team == 0 ? r->walk.workgroup_size : 1;
    const uint64_t reads = p->partials ? p->parts : p->part_length;
    return 64 + 10 * (uint64_t)vkr_count_ops(r) * r->input.components +
           vkr_divide_up(reads, lanes) * (2 * vkr_trips_per_element(r) + 2);
}

static uint64_t max_items(const vkr_reduce *r, const tile_pass *p)
{
    return vkr_clamp(VKR_ELEMENT_TRIPS / trips_of_id(r, p), 1, VKR_ELEMENT_TRIPS);
}

/* The number of ids that a tile has in a pass. */
static uint64_t ids_of_tile(const tile_pass *p)
{
    return p->partials ? 1 : p->parts;
}

/* The number of tiles from `first` on that the elements' descriptors reach, at most `most`. */
static uint64_t reach_of_elements(const vkr_reduce *r, uint64_t first, uint64_t most)
{
    const vkr_tiles *t = &r->tiles;
    const uint64_t begin = first / t->columns;
    const uint64_t row = rows_before(t, begin);
    uint64_t elements = vkr_is_image(&r->input) ? VKR_MAX_REACH
                                                : vkr_reach_of_elements(r, row * t->width);
    if (r->masked)
        elements = vkr_min(elements, vkr_bits_reach(&r->context->caps));
    const uint64_t end = row + elements / t->width;
    uint64_t rows = begin;
    while (rows * t->columns < first + most && rows_through(t, rows) <= end)
        rows++;
    return vkr_min(most, rows * t->columns - vkr_min(first, rows * t->columns));
}

/* The number of tiles from `first` on that one dispatch takes. */
static uint64_t reach_of_tiles(const tile_pass *p, uint64_t first)
{
    const vkr_reduce *r = p->reduce;
    const vkr_caps *caps = &r->context->caps;
    const uint64_t room = caps->max_range - caps->granule;
    const uint64_t lanes = p->team == 0 ? 1 : r->walk.workgroup_size;
    const uint64_t groups = vkr_min(vkr_all_groups(caps), VKR_MAX_REACH);
    const uint64_t ids = vkr_min(groups * lanes * max_items(r, p), VKR_MAX_REACH);
    uint64_t reach = vkr_min(ids / ids_of_tile(p), room / r->layout.stride);
    if (p->parts != 1)
        reach = vkr_min(reach, room / (p->parts * vkr_partial_bytes(r)));
    reach = vkr_min(reach, r->segments - first);
    return p->partials || (vkr_is_image(&r->input) && !r->masked)
               ? reach
               : reach_of_elements(r, first, reach);
}

static void set_uniforms(const vkr_reduce *r, const tile_pass *p, vkr_pass *pass)
{
    const vkr_image *image = &r->input.image;
    const vkr_tiles *t = &r->tiles;
    struct vkr_tile_uniforms *uniforms = VKR_UNIFORMS(pass, vkr_tile_uniforms);
    *uniforms = (struct vkr_tile_uniforms){
        .origin = {image->x, image->y, image->z, image->lod},
        .width = t->width,
        .height = t->height,
        .tile_width = t->tile_width,
        .tile_height = t->tile_height,
        .columns = t->columns,
        .rows = t->rows,
        .parts = (uint32_t)p->parts,
        .part_length = (uint32_t)p->part_length,
        .capacity_low = (uint32_t)r->walk.count,
        .capacity_high = (uint32_t)(r->walk.count >> 32),
    };
    vkr_set_map(&r->input, uniforms->weights, &uniforms->bias);
}

static void finish(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const vkr_reduce *r = pass->operation;
    if (r->masked && window->count != 0)
        VKR_PUSH(step, vkr_tile_push)->mask_base =
            vkr_fill_mask(pass, VKR_TILE_MASK, r->mask, window, step);
    if (vkr_is_image_load(pass->walk->loads))
        vkr_fill_image(step, VKR_BINDING_IMAGE, VKR_KIND_SAMPLED_IMAGE, &pass->walk->view->image,
                       VK_ACCESS_SHADER_READ_BIT);
}

/* Binds the elements of tiles, and makes the window one of these elements. */
static void bind_elements(const vkr_reduce *r, uint64_t first, uint64_t count, vkr_pass *pass,
                          vkr_window *window)
{
    const vkr_tiles *t = &r->tiles;
    const uint64_t row = rows_before(t, first / t->columns);
    const uint64_t rows = rows_through(t, (first + count - 1) / t->columns) - row;
    VKR_PUSH(pass, vkr_tile_push)->first_row = (uint32_t)row;
    window->first = row * t->width;
    window->count = rows * t->width;
    if (vkr_is_image(&r->input))
        return;
    vkr_bind_items(pass, VKR_TILE_INPUT, vkr_place_of_view(&r->input), row * t->width,
                   rows * t->width);
    if (vkr_has_dot(r))
        vkr_bind_items(pass, VKR_TILE_INPUT2, vkr_place_of_view(&r->input2), row * t->width,
                       rows * t->width);
}

static void bind_tiles(const tile_pass *p, uint64_t first, uint64_t count, vkr_pass *pass,
                       vkr_window *window)
{
    const vkr_reduce *r = p->reduce;
    if (p->partials)
        vkr_bind_items(pass, VKR_TILE_PARTIALS, p->left, first * p->parts, count * p->parts);
    else
        bind_elements(r, first, count, pass, window);
    if (p->partials || p->parts == 1)
        vkr_bind_items(pass, VKR_TILE_RESULTS, vkr_place_of_results(r), first, count);
    else
        vkr_bind_items(pass, VKR_TILE_STORED, p->left, first * p->parts, count * p->parts);
    vkr_bind_item(pass, VKR_TILE_COUNT, vkr_place_of_count(&r->info->gpuCount));
}

static VkrResult add_dispatch(VkrRecorder recorder, const tile_pass *p, const vkr_walk *w,
                              uint64_t first, uint64_t count)
{
    const vkr_reduce *r = p->reduce;
    const bool results = p->partials || p->parts == 1;
    const uint64_t ids = count * ids_of_tile(p);
    const uint64_t lanes = p->team == 0 ? 1 : w->workgroup_size;
    const uint64_t full = 4 * (uint64_t)w->tuning->maxGroups;
    const uint64_t items =
        vkr_clamp(vkr_divide_up(vkr_divide_up(ids, lanes), full), 1, max_items(r, p));
    vkr_window window = {.groups = vkr_divide_up(ids, lanes * items)};
    vkr_pass pass = {
        .operation = r,
        .walk = w,
        .interface = vkr_is_image_load(w->loads) ? &vkr_tile_image_interface : &vkr_tile_interface,
        .variant = vkr_reduce_variant(r, w, !p->partials,
                                      results ? VKR_OUTPUT_RESULT : VKR_OUTPUT_PARTIAL, 0),
        .finish = finish};
    pass.variant.constants[VKR_CONST_TEAM] = p->team;
    set_uniforms(r, p, &pass);
    struct vkr_tile_push *push = VKR_PUSH(&pass, vkr_tile_push);
    push->first_tile = (uint32_t)first;
    push->ids = (uint32_t)ids;
    push->items = (uint32_t)items;
    bind_tiles(p, first, count, &pass, &window);
    return vkr_emit_window(recorder, &pass, &window);
}

static VkrResult add_pass(VkrRecorder recorder, const tile_pass *p)
{
    const vkr_reduce *r = p->reduce;
    vkr_walk w = r->walk;
    if (p->partials) {
        w.loads = 0;
        w.batch = 1;
    }
    for (uint64_t first = 0, count; first < r->segments; first += count) {
        count = reach_of_tiles(p, first);
        if (count == 0)
            return vkr_fail_reach(r, "a row of tiles",
                                  (uint64_t)r->tiles.width * r->tiles.tile_height *
                                      r->input.stride);
        VKR_TRY(vkr_check_dispatches(r, r->segments - first, count));
        VKR_TRY(add_dispatch(recorder, p, &w, first, count));
    }
    return VKR_SUCCESS;
}

VkrResult vkr_plan_tiles(VkrRecorder recorder, vkr_reduce *r)
{
    tile_pass p = {.reduce = r};
    if (r->segments == 0)
        return VKR_SUCCESS;
    VKR_TRY(vkr_choose_segment_kernel(r, VKR_FAMILY_TILE));
    if (!vkr_is_image(&r->input)) {
        r->walk.loads = 0;
        r->walk.batch = 1;
    }
    VKR_TRY(choose_team(r, &p));
    shrink_workgroup(r);
    VKR_TRY(choose_parts(r, &p));
    if (p.parts == 1)
        return add_pass(recorder, &p);
    VKR_TRY(
        vkr_add_words(recorder, VKR_SCRATCH, vkr_partial_words(r), r->segments * p.parts, &p.left));
    VKR_TRY(add_pass(recorder, &p));
    p.partials = true;
    return add_pass(recorder, &p);
}
