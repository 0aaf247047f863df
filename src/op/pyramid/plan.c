/* SPDX-License-Identifier: MIT */
/* The steps of a pyramid, each of which makes one level or several. */
#include "pyramid.h"

#include "../../plan/rows.h"

#define WORKGROUP 64u /* 8 x 8 texels: every device supports this size */
#define WIDTH 8u
#define TILE_WORKGROUP 256u
#define TILE 4u                /* for workgroups without a counter: 16 texels a side */
#define LARGE_TILE 5u          /* for others, if shared memory suffices */
#define MAX_LAST_TEXELS 16384u /* texels with which one workgroup continues */

/* Of pyramid_halves.comp: levels of a tile, and words of shared memory for each channel. */
#define HALVES_WORKGROUP 256u
#define HALVES_TILE 6u
#define HALVES_WORDS (4u * 264u + 256u)

/* A level that is made from more texels gets a dispatch of its own, unless sizes are exactly
 * halved. On an H100 such a dispatch takes 4 us more than its texels, and the tiles of
 * pyramid_tiles.comp 0.01 to 0.02 us for each 1024 texels. */
#define MAX_TILED_TEXELS 262144u

/* ---- Variants ---- */

static const vkr_pyramid_policy *policy_of(const vkr_pyramid *p)
{
    return vkr_pyramid_policy_of(p->walk.context);
}

static bool is_half(const vkr_image *level, const vkr_image *below)
{
    return 2 * level->width == below->width && 2 * level->height == below->height;
}

/* Whether a level has half the size of the one below, rounded down as for mip levels. */
static bool is_mip(const vkr_image *level, const vkr_image *below)
{
    return level->width == vkr_max(below->width / 2, 1) &&
           level->height == vkr_max(below->height / 2, 1);
}

/* Whether the channels of level k have the same bits and meaning as those that it is made from. */
static bool is_same(const vkr_pyramid *p, uint32_t k)
{
    const vkr_format_info *format = p->levels[k].format, *source = p->source.format;
    bool same = format->numeric == source->numeric;
    for (uint32_t c = 0; c < p->source.channels; c++)
        same = same && format->bits[c] == source->bits[c];
    return k > 0 || same;
}

/* The levels that one dispatch makes. */
typedef struct group {
    const vkr_pyramid *pyramid;
    uint32_t first;
    uint32_t total;
    uint32_t levels; /* made from each tile; the workgroup that finishes last makes the others */
    uint32_t tile;   /* log2 of the side of a workgroup's tile, in texels */
    uint32_t bound;  /* images that the kernel binds as levels */
    bool halves;     /* the levels of a tile have exactly half the size of the one below */
} group;

/* The number of levels, starting at `first`, that have exactly half the size of the one below. */
static uint32_t halves_from(const vkr_pyramid *p, uint32_t first)
{
    uint32_t k = first;
    while (k < p->info->levelCount && is_half(&p->levels[k], vkr_below(p, k)))
        k++;
    return k - first;
}

/* Binds the image that is read, and the levels. The kernel's surplus bindings get the last level;
 * the kernel does not write through them. */
static void bind_images(const vkr_pass *pass, const vkr_window *window, vkr_step *step)
{
    const group *g = pass->operation;
    const vkr_image *levels = &g->pyramid->levels[g->first], *last = &levels[g->total - 1];
    (void)window;
    vkr_fill_image(step, VKR_PYRAMID_BINDING_SOURCE, VKR_KIND_SAMPLED_IMAGE,
                   vkr_below(g->pyramid, g->first), VK_ACCESS_SHADER_READ_BIT);
    for (uint32_t i = 0; i < g->total; i++)
        vkr_fill_image(step, VKR_PYRAMID_BINDING_LEVEL + i, VKR_KIND_STORAGE_IMAGE, &levels[i],
                       VK_ACCESS_SHADER_WRITE_BIT);
    for (uint32_t i = g->total; i < g->bound; i++)
        vkr_bind_descriptor(
            step, VKR_PYRAMID_BINDING_LEVEL + i, VKR_KIND_STORAGE_IMAGE,
            (vkr_descriptor){.image = {.imageView = last->view, .imageLayout = last->layout}});
}

static vkr_pass new_pass(const group *g, vkr_family family, const vkr_card *card,
                         uint32_t workgroup)
{
    const vkr_pyramid *p = g->pyramid;
    const vkr_image *level = &p->levels[g->first];
    return (vkr_pass){
        .walk = &p->walk,
        .card = card,
        .kernel = vkr_find_kernel(family, vkr_class_of_texels(level->type), false, false,
                                  level->loads, p->walk.context->caps.group_path),
        .image_format = p->image_format,
        .constants = {[VKR_CONST_WORKGROUP] = workgroup,
                      [VKR_PYRAMID_CONST_OPERATOR] = p->kind,
                      [VKR_PYRAMID_CONST_STORED] = vkr_stored_as(level),
                      [VKR_PYRAMID_CONST_CHANNEL_BITS] = vkr_channel_bits(level),
                      [VKR_PYRAMID_CONST_CHANNELS] = level->channels,
                      [VKR_PYRAMID_CONST_HALVES] = halves_from(p, g->first) >= g->total,
                      [VKR_PYRAMID_CONST_ROLLED] = policy_of(p)->rolled,
                      [VKR_PYRAMID_CONST_TILE] = g->tile,
                      [VKR_PYRAMID_CONST_SAME] = is_same(p, g->first),
                      [VKR_PYRAMID_CONST_PAIRED] = p->kind == VKR_PYRAMID_PAIR && g->first > 0,
                      [VKR_PYRAMID_CONST_LOD_0] = vkr_below(p, g->first)->lod == 0,
                      [VKR_PYRAMID_CONST_WIDTH] = WIDTH,
                      [VKR_PYRAMID_CONST_RUN] = 1},
        .finish = bind_images,
        .operation = g};
}

/* Adds the pass. Refuses kernels that the build lacks, and too many workgroups for one dispatch. */
static VkrResult emit(VkrRecorder recorder, const vkr_pass *pass, uint64_t groups)
{
    const vkr_pyramid *p = ((const group *)pass->operation)->pyramid;
    const uint64_t max = vkr_min(vkr_all_groups(&p->walk.context->caps), VKR_MAX_REACH);
    const vkr_window window = {.groups = groups};
    VKR_NEED(&p->walk, pass->kernel < vkr_kernel_count,
             "source.format is %s, but this build of the library has no kernels for %s (see its "
             "option types).",
             p->source.format->name, vkrTypeName(p->levels[0].type));
    VKR_NEED(&p->walk, groups <= max,
             "a level needs %llu workgroups, but must need at most %llu: the source has too many "
             "texels or layers.",
             (unsigned long long)groups, (unsigned long long)max);
    return vkr_emit_window(recorder, pass, &window);
}

/* The push constants that locate the texels of the image below. */
#define SOURCE(image)                                                                              \
    .x = (image)->x, .y = (image)->y, .layer = (image)->z, .lod = (image)->lod,                    \
    .width = (image)->width, .height = (image)->height

/* ---- A level ---- */

static VkrResult add_level(VkrRecorder recorder, const vkr_pyramid *p, uint32_t k)
{
    const vkr_caps *caps = &p->walk.context->caps;
    const vkr_image *level = &p->levels[k], *below = vkr_below(p, k);
    const bool runs = policy_of(p)->run != 0;
    const uint32_t workgroup = runs ? (uint32_t)vkr_min(caps->subgroup_size, WORKGROUP) : WORKGROUP;
    const uint32_t width = runs ? workgroup : WIDTH, run = runs ? policy_of(p)->run : 1;
    const uint64_t tiles_x = vkr_divide_up(level->width, (uint64_t)width * run);
    const uint64_t tiles = tiles_x * vkr_divide_up(level->height, workgroup / width);
    const group g = {p, .first = k, .total = 1, .levels = 1, .tile = TILE, .bound = 1};
    vkr_pass pass = new_pass(&g, runs ? VKR_FAMILY_PYRAMID_RUNS : VKR_FAMILY_PYRAMID,
                             &vkr_pyramid_card, workgroup);
    pass.constants[VKR_PYRAMID_CONST_WIDTH] = width;
    pass.constants[VKR_PYRAMID_CONST_RUN] = run;
    *VKR_PUSH(&pass, vkr_pyramid_push) = (struct vkr_pyramid_push){
        SOURCE(below),
        .level_width = level->width,
        .level_height = level->height,
        .tiles_x = (uint32_t)tiles_x,
        .tiles = (uint32_t)tiles,
        .groups = (uint32_t)(tiles * level->depth),
    };
    return emit(recorder, &pass, tiles * level->depth);
}

/* ---- Several levels ---- */

/* Bytes of shared memory, as in pyramid_tiles.comp. */
static uint64_t shared_bytes(const vkr_pyramid *p, uint32_t tile)
{
    const uint64_t side = (UINT64_C(1) << tile) - 1, other = (UINT64_C(1) << (tile - 1)) - 1;
    return (side * side + other * other) * p->levels[0].channels * 4 + 4;
}

/* The tiles in one direction: unless sizes are exactly halved, the last one is larger. */
static uint64_t tiles_of(const group *g, uint32_t size)
{
    return vkr_max(g->halves ? vkr_divide_up(size, UINT64_C(1) << g->tile) : size >> g->tile, 1);
}

static uint64_t texels_of(const vkr_image *image)
{
    return (uint64_t)image->width * image->height;
}

/* Words of scratch for a layer: the last level of the tiles, and the one above it. */
static uint64_t scratch_words(const vkr_pyramid *p, const group *g)
{
    const vkr_image *level = &p->levels[g->first + g->levels - 1];
    return (texels_of(level) + texels_of(level + 1)) * level->channels;
}

static VkrResult add_group(VkrRecorder recorder, const group *g)
{
    const vkr_pyramid *p = g->pyramid;
    const vkr_image *below = vkr_below(p, g->first);
    const bool few = g->bound == VKR_PYRAMID_FEW;
    const uint64_t tiles_x = tiles_of(g, below->width);
    const uint64_t tiles = tiles_x * tiles_of(g, below->height);
    const uint32_t layers = p->source.depth;
    vkr_place scratch, counters;
    vkr_pass pass =
        new_pass(g,
                 g->halves ? VKR_FAMILY_PYRAMID_HALVES
                 : few     ? VKR_FAMILY_PYRAMID_FEW
                           : VKR_FAMILY_PYRAMID_MANY,
                 g->halves ? &vkr_pyramid_halves_card
                 : few     ? &vkr_pyramid_few_card
                           : &vkr_pyramid_many_card,
                 (uint32_t)vkr_min(TILE_WORKGROUP, p->walk.context->caps.max_workgroup_size));
    *VKR_PUSH(&pass, vkr_pyramid_tiles_push) = (struct vkr_pyramid_tiles_push){
        SOURCE(below),
        .tiles_x = (uint32_t)tiles_x,
        .tiles = (uint32_t)tiles,
        .groups = (uint32_t)(tiles * below->depth),
        .levels = g->levels,
        .total = g->total,
    };
    if (g->total > g->levels) {
        VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, scratch_words(p, g), layers, &scratch));
        VKR_TRY(vkr_add_words(recorder, VKR_COUNTERS, 1, layers, &counters));
        pass.slots[VKR_PYRAMID_SLOT_SCRATCH] = vkr_items(scratch, 0, layers);
        pass.slots[VKR_PYRAMID_SLOT_COUNTER] = vkr_items(counters, 0, layers);
    }
    return emit(recorder, &pass, tiles * below->depth);
}

/* Whether the last workgroup can continue with the last level of the tiles. */
static bool can_go_on(const vkr_pyramid *p, const group *g)
{
    const vkr_caps *caps = &p->walk.context->caps;
    return texels_of(&p->levels[g->first + g->levels - 1]) <= MAX_LAST_TEXELS &&
           scratch_words(p, g) * 4 * p->source.depth <= vkr_room(caps);
}

/* The levels, starting at `first`, that one dispatch makes from tiles of any size. */
static group choose_tiles(const vkr_pyramid *p, uint32_t first, bool single)
{
    const vkr_caps *caps = &p->walk.context->caps;
    const uint32_t left = p->info->levelCount - first;
    const bool many = single && caps->max_storage_images >= VKR_PYRAMID_MANY;
    const bool large = many && shared_bytes(p, LARGE_TILE) <= caps->max_shared_memory;
    group g = {p, .first = first, .tile = large ? LARGE_TILE : TILE};
    g.levels = g.total = (uint32_t)vkr_min(left, g.tile);
    if (many && left > g.levels && can_go_on(p, &g))
        g.total = (uint32_t)vkr_min(left, VKR_PYRAMID_MANY);
    const bool few = g.total == g.levels && g.levels <= VKR_PYRAMID_FEW;
    g.bound = few ? VKR_PYRAMID_FEW : VKR_PYRAMID_MANY;
    return g;
}

/* Whether the last workgroup can continue with the last level of tiles of halves: the first two of
 * its levels fit shared memory. */
static bool can_finish(const vkr_pyramid *p, const group *g)
{
    const vkr_image *level = &p->levels[g->first + g->levels];
    const uint64_t others =
        g->first + g->levels + 1 < p->info->levelCount ? texels_of(level + 1) : 0;
    return texels_of(level) + others <= HALVES_WORDS && can_go_on(p, g);
}

/* The levels, starting at `first`, that one dispatch makes from tiles of halves; fewer than two: no
 * such dispatch. */
static group choose_halves(const vkr_pyramid *p, uint32_t first)
{
    const vkr_caps *caps = &p->walk.context->caps;
    const uint32_t left = p->info->levelCount - first;
    group g = {p, .first = first, .tile = HALVES_TILE, .bound = VKR_PYRAMID_MANY, .halves = true};
    if (caps->max_storage_images < VKR_PYRAMID_MANY ||
        caps->max_workgroup_size < HALVES_WORKGROUP ||
        (HALVES_WORDS * p->levels[0].channels + 1) * 4 > caps->max_shared_memory)
        return g;
    g.levels = g.total = (uint32_t)vkr_min(halves_from(p, first), HALVES_TILE);
    if (g.levels > 1 && left > g.levels && can_finish(p, &g))
        g.total = (uint32_t)vkr_min(left, VKR_PYRAMID_MANY);
    return g;
}

/* The levels, starting at `first`, that the next dispatch makes from tiles; none: it makes one
 * level. */
static group choose_group(const vkr_pyramid *p, uint32_t first, VkrPyramidAlgorithm algorithm)
{
    const bool hybrid = algorithm == VKR_PYRAMID_HYBRID;
    const group one = {0}, halves = hybrid ? choose_halves(p, first) : one;
    const vkr_image *below = vkr_below(p, first);
    if (halves.levels > 1)
        return halves;
    if (algorithm == VKR_PYRAMID_PINGPONG || !is_mip(&p->levels[first], below) ||
        (hybrid && texels_of(below) > MAX_TILED_TEXELS))
        return one;
    return choose_tiles(p, first, algorithm != VKR_PYRAMID_RECURSIVE_2D);
}

VkrResult vkr_plan_pyramid(VkrRecorder recorder, const vkr_pyramid *p)
{
    VkrPyramidAlgorithm algorithm = p->info->algorithm;
    if (algorithm == VKR_PYRAMID_AUTO)
        algorithm = policy_of(p)->tiles != 0 ? VKR_PYRAMID_HYBRID : VKR_PYRAMID_PINGPONG;
    for (uint32_t k = 0; k < p->info->levelCount;) {
        const group g = choose_group(p, k, algorithm);
        VKR_TRY(g.total > 0 ? add_group(recorder, &g) : add_level(recorder, p, k));
        k += g.total > 0 ? g.total : 1;
    }
    return VKR_SUCCESS;
}
