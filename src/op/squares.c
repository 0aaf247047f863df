/* SPDX-License-Identifier: MIT */
/*
 * Reductions of an image by squares: each becomes one value, those of a layer make a smaller layer,
 * and so on until every layer is one value; these become a row, which goes on in the same way.
 * Values are partials, which two places in scratch memory hold by turns.
 */
#include "tiles.h"

#include <inttypes.h>

VkrResult vkr_check_squares(vkr_reduce *r)
{
    const char *name = vkrReduceAlgorithmName(r->info->algorithm);
    const vkr_image *image = &r->input.image;
    VKR_MUST(&r->walk, vkr_is_image(&r->input),
             "algorithm is %s, which takes images, but must be auto, single, subgroup, tree or "
             "recursive where input.image is NULL.",
             name);
    VKR_NEED(&r->walk, !r->canonical,
             "algorithm is %s, whose float sums have another order, but must be auto, single, "
             "subgroup, tree or recursive where determinism is VKR_DETERMINISM_DEVICE.",
             name);
    /* Kept, since what is mapped or multiplied becomes values in a buffer first. */
    r->tiles.width = image->width;
    r->tiles.height = image->height;
    return VKR_SUCCESS;
}

/* Sets the size of a square, nearly as high as it is wide. */
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

/* Sets the size of what is reduced: as many rows and layers as have elements that count. */
static void set_source(const vkr_reduce *r, vkr_tiles *t)
{
    const uint64_t count = r->walk.count, layer = (uint64_t)t->width * t->height;
    t->layers = (uint32_t)vkr_divide_up(count, layer);
    if (t->layers == 1)
        t->height = (uint32_t)vkr_divide_up(count, t->width);
}

static void count_squares(vkr_tiles *t)
{
    t->columns = (uint32_t)vkr_divide_up(t->width, t->tile_width);
    t->rows = (uint32_t)vkr_divide_up(t->height, t->tile_height);
}

/* Goes on with what squares have left: smaller layers, or a row of what each layer has become. */
static void set_next(vkr_tiles *t)
{
    const bool layers = t->columns == 1 && t->rows == 1;
    t->width = layers ? t->layers : t->columns;
    t->height = t->rows;
    t->layers = layers ? 1 : t->layers;
}

VkrResult vkr_plan_squares(VkrRecorder recorder, vkr_reduce *r)
{
    vkr_tiles t = r->tiles;
    vkr_place places[2] = {{0}};
    vkr_tile_pass p = {.reduce = r, .tiles = &t, .squares = true, .parts = 1};
    r->algorithm = r->info->algorithm;
    VKR_TRY(vkr_choose_segment_kernel(r, VKR_FAMILY_TILE));
    VKR_TRY(choose_size(r, &t));
    p.team = r->algorithm == VKR_REDUCE_PINGPONG ? 1 : 0;
    p.part_length = (uint64_t)t.tile_width * t.tile_height;
    if (!vkr_is_image(&r->input))
        vkr_set_loads(&r->walk, 0);
    r->walk.batch = p.team == 0 || !vkr_is_image(&r->input)
                        ? 1
                        : (uint32_t)vkr_min(r->walk.batch, p.part_length);
    set_source(r, &t);
    for (uint32_t k = 0; !p.results; k++, set_next(&t)) {
        count_squares(&t);
        p.count = (uint64_t)t.columns * t.rows * t.layers;
        p.partials = k != 0;
        p.results = p.count == 1;
        p.source = p.target;
        VKR_NEED(&r->walk, p.count <= VKR_MAX_REACH,
                 "algorithm is %s, but count is %" PRIu64 ", which makes %" PRIu64
                 " squares, and must make at most 2^31.",
                 vkrReduceAlgorithmName(r->algorithm), r->walk.count, p.count);
        if (k < 2 && !p.results)
            VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, r->partial_words, p.count, &places[k]));
        p.target = places[k % 2];
        VKR_TRY(vkr_add_tile_pass(recorder, &p));
    }
    return VKR_SUCCESS;
}
