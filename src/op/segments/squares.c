/* SPDX-License-Identifier: MIT */
/*
 * Reductions of an image by squares. Each square becomes one value; the values of a layer form a
 * smaller layer, and so on until every layer is one value. The values of all layers then form a
 * row, which is reduced in the same way. Values are partials, which alternate between two places in
 * scratch memory.
 */
#include "segments.h"

#include <inttypes.h>

VkrResult vkr_check_squares(vkr_reduce *r)
{
    const char *name = vkrReduceAlgorithmName(r->info->algorithm);
    const vkr_image *image = &r->input.image;
    VKR_MUST(&r->walk, vkr_is_image(&r->input),
             "algorithm is %s, which needs images, but must be auto, single, subgroup, tree or "
             "recursive where input.image is NULL.",
             name);
    VKR_NEED(&r->walk, !r->canonical,
             "algorithm is %s, whose float sums have another order, but must be auto, single, "
             "subgroup, tree or recursive where determinism is VKR_DETERMINISM_DEVICE.",
             name);
    /* The size is kept, since mapped or multiplied texels become values in a buffer first. */
    r->tiles.width = image->width;
    r->tiles.height = image->height;
    return VKR_SUCCESS;
}

/* Sets the size of a square; its width is its height or twice its height. */
static VkrResult choose_size(const vkr_reduce *r, vkr_tiles *t)
{
    const uint32_t size = r->walk.workgroup_size;
    t->tile_width = 2;
    t->tile_height = 2;
    if (r->algorithm == VKR_REDUCE_PINGPONG)
        return VKR_SUCCESS;
    VKR_NEED(&r->walk, size >= 4,
             "algorithm is recursive-2d, but needs workgroups of at least 4, and workgroupSize %u "
             "leaves %u.",
             r->info->workgroupSize, size);
    while (t->tile_width * t->tile_height < size) {
        if (t->tile_width == t->tile_height)
            t->tile_width *= 2;
        else
            t->tile_height *= 2;
    }
    return VKR_SUCCESS;
}

/* Sets the numbers of rows and layers to those that `count` elements need. */
static void set_source(const vkr_reduce *r, vkr_tiles *t)
{
    const uint64_t count = r->walk.count, layer = (uint64_t)t->width * t->height;
    t->layers = (uint32_t)vkr_divide_up(count, layer);
    if (t->layers == 1)
        t->height = (uint32_t)vkr_divide_up(count, t->width);
}

/* Sets the squares of a level, each of which leaves a partial. */
static VkrResult count_squares(vkr_level *l)
{
    const vkr_reduce *r = l->reduce;
    vkr_tiles *t = &l->tiles;
    t->columns = (uint32_t)vkr_divide_up(t->width, t->tile_width);
    t->rows = (uint32_t)vkr_divide_up(t->height, t->tile_height);
    l->of.count = (uint64_t)t->columns * t->rows * t->layers;
    l->left = l->of.count;
    l->output = l->of.count == 1 ? VKR_OUTPUT_RESULT : VKR_OUTPUT_PARTIAL;
    VKR_NEED(&r->walk, l->of.count <= VKR_MAX_REACH,
             "algorithm is %s, but count is %" PRIu64 ", which makes %" PRIu64
             " squares, and must make at most 2^31.",
             vkrReduceAlgorithmName(r->algorithm), r->walk.count, l->of.count);
    return VKR_SUCCESS;
}

/* Continues with the partials that squares have left: smaller layers, or a row of one partial for
 * each layer. The place that was read becomes the next target. */
static VkrResult set_next_squares(vkr_level *l)
{
    vkr_tiles *t = &l->tiles;
    const bool layers = t->columns == 1 && t->rows == 1;
    const vkr_place read = l->partials ? l->source : (vkr_place){0};
    t->width = layers ? t->layers : t->columns;
    t->height = t->rows;
    t->layers = layers ? 1 : t->layers;
    l->partials = true;
    l->how.loads = 0;
    l->source = l->target;
    l->target = read;
    return count_squares(l);
}

VkrResult vkr_plan_squares(VkrRecorder recorder, vkr_reduce *r)
{
    r->algorithm = r->info->algorithm;
    VKR_TRY(vkr_choose_segment_kernel(r, VKR_FAMILY_TILE));
    if (!vkr_is_image(&r->input))
        vkr_set_loads(&r->walk, 0);
    const bool lanes = r->algorithm == VKR_REDUCE_PINGPONG;
    vkr_level l = vkr_first_level(r);
    l.add = vkr_add_segments;
    l.next = set_next_squares;
    l.squares = true;
    l.tiles = r->tiles;
    VKR_TRY(choose_size(r, &l.tiles));
    set_source(r, &l.tiles);
    l.how = (vkr_team_plan){.shape = VKR_SHAPE_TILES,
                            .team = lanes ? 1 : 0,
                            .loads = r->walk.loads,
                            .part_length = (uint64_t)l.tiles.tile_width * l.tiles.tile_height};
    l.how.batch = lanes ? (uint32_t)vkr_min(r->walk.batch, l.how.part_length) : 1;
    VKR_TRY(count_squares(&l));
    return vkr_add_levels(recorder, &l);
}
