/* SPDX-License-Identifier: MIT */
/* The steps of a pyramid: of one level each, or of several. */
#include "../tables/tuning.h"
#include "pyramid.h"

#define WORKGROUP 64u /* of 8 x 8 texels: every device takes as many */
#define WIDTH 8u
#define CPU_RUN 64u /* texels of an invocation: starting one costs as much as some of them */
#define TILE_WORKGROUP 256u
#define TILE 4u                /* of workgroups that tell each other nothing: 16 texels a side */
#define LARGE_TILE 5u          /* of others, where there is shared memory for it */
#define MAX_LAST_TEXELS 16384u /* that a single workgroup goes on with */

/* ---- Variants ---- */

static bool is_cpu(const vkr_pyramid *p)
{
    return p->context->caps.device_type == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

static bool is_half(const vkr_image *level, const vkr_image *below)
{
    return 2 * level->width == below->width && 2 * level->height == below->height;
}

/* Whether a level has half the size of the one below, as Vulkan's mips. */
static bool is_mip(const vkr_image *level, const vkr_image *below)
{
    return level->width == vkr_max(below->width / 2, 1) &&
           level->height == vkr_max(below->height / 2, 1);
}

/* Whether level k has as many bits in a channel as what it is made from, and means the same. */
static bool is_same(const vkr_pyramid *p, uint32_t k)
{
    const vkr_format_info *format = p->levels[k].format, *source = p->source.format;
    bool same = format->numeric == source->numeric;
    for (uint32_t c = 0; c < p->source.channels; c++)
        same = same && format->bits[c] == source->bits[c];
    return k > 0 || same;
}

/* A step for levels k .. k + count. */
static VkrResult start_step(const vkr_pyramid *p, vkr_family family, const vkr_card *card,
                            uint32_t k, uint32_t count, vkr_step *step)
{
    const vkr_image *level = &p->levels[k];
    vkr_variant variant = {.kernel =
                               vkr_find_kernel(family, vkr_class_of_texels(level->type), false,
                                               false, level->loads, p->context->caps.group_path),
                           .image_format = p->image_format,
                           .constants = {
                               [VKR_CONST_WORKGROUP] = WORKGROUP,
                               [VKR_PYRAMID_CONST_OPERATOR] = p->kind,
                               [VKR_PYRAMID_CONST_STORED] = vkr_stored_as(level),
                               [VKR_PYRAMID_CONST_CHANNEL_BITS] = vkr_channel_bits(level),
                               [VKR_PYRAMID_CONST_CHANNELS] = level->channels,
                               [VKR_PYRAMID_CONST_HALVES] = true,
                               [VKR_PYRAMID_CONST_ROLLED] = is_cpu(p),
                               [VKR_PYRAMID_CONST_TILE] = TILE,
                               [VKR_PYRAMID_CONST_SAME] = is_same(p, k),
                               [VKR_PYRAMID_CONST_PAIRED] = p->kind == VKR_PYRAMID_PAIR && k > 0,
                               [VKR_PYRAMID_CONST_LOD_0] = vkr_below(p, k)->lod == 0,
                               [VKR_PYRAMID_CONST_WIDTH] = WIDTH,
                               [VKR_PYRAMID_CONST_RUN] = 1,
                           }};
    for (uint32_t i = k; i < k + count; i++)
        if (!is_half(&p->levels[i], vkr_below(p, i)))
            variant.constants[VKR_PYRAMID_CONST_HALVES] = false;
    VKR_NEED(&p->walk, variant.kernel < vkr_kernel_count,
             "source.format is %s, but this build of the library has no kernels for %s (see its "
             "option types).",
             p->source.format->name, vkrTypeName(level->type));
    *step = vkr_new_step(card, p->walk.label, variant);
    return VKR_SUCCESS;
}

/* Refuses what a dispatch cannot reach. */
static VkrResult set_groups(const vkr_pyramid *p, uint64_t groups, vkr_step *step)
{
    const uint64_t most = vkr_min(vkr_all_groups(&p->context->caps), VKR_MAX_REACH);
    VKR_NEED(&p->walk, groups <= most,
             "a level takes %llu workgroups, but must take at most %llu: the source has too many "
             "texels or layers.",
             (unsigned long long)groups, (unsigned long long)most);
    vkr_set_groups(&p->context->caps, step, groups);
    return VKR_SUCCESS;
}

/* Binds what is read, and levels k .. k + count; those that the kernel has more become the last
 * one, which it does not write there. */
static void bind_images(const vkr_pyramid *p, uint32_t k, uint32_t count, uint32_t bound,
                        vkr_step *step)
{
    vkr_fill_image(step, VKR_PYRAMID_BINDING_SOURCE, VKR_KIND_SAMPLED_IMAGE, vkr_below(p, k),
                   VK_ACCESS_SHADER_READ_BIT);
    for (uint32_t i = 0; i < count; i++)
        vkr_fill_image(step, VKR_PYRAMID_BINDING_LEVEL + i, VKR_KIND_STORAGE_IMAGE,
                       &p->levels[k + i], VK_ACCESS_SHADER_WRITE_BIT);
    const vkr_image *last = &p->levels[k + count - 1];
    for (uint32_t i = count; i < bound; i++)
        vkr_bind_descriptor(
            step, VKR_PYRAMID_BINDING_LEVEL + i, VKR_KIND_STORAGE_IMAGE,
            (vkr_descriptor){.image = {.imageView = last->view, .imageLayout = last->layout}});
}

/* ---- A level ---- */

static VkrResult add_level(VkrRecorder recorder, const vkr_pyramid *p, uint32_t k)
{
    const vkr_image *level = &p->levels[k];
    const vkr_image *below = vkr_below(p, k);
    vkr_step step;
    const bool runs = vkr_is_vector_cpu(&p->context->caps);
    VKR_TRY(start_step(p, runs ? VKR_FAMILY_PYRAMID_RUNS : VKR_FAMILY_PYRAMID, &vkr_pyramid_card, k,
                       1, &step));
    uint32_t *constants = step.variant.constants;
    if (runs) {
        constants[VKR_PYRAMID_CONST_WIDTH] = constants[VKR_CONST_WORKGROUP] =
            (uint32_t)vkr_min(p->context->caps.subgroup_size, WORKGROUP);
        constants[VKR_PYRAMID_CONST_RUN] = CPU_RUN;
    }
    const uint64_t width =
        (uint64_t)constants[VKR_PYRAMID_CONST_WIDTH] * constants[VKR_PYRAMID_CONST_RUN];
    const uint32_t height = constants[VKR_CONST_WORKGROUP] / constants[VKR_PYRAMID_CONST_WIDTH];
    const uint64_t tiles_x = vkr_divide_up(level->width, width);
    const uint64_t tiles = tiles_x * vkr_divide_up(level->height, height);
    VKR_TRY(set_groups(p, tiles * level->depth, &step));
    *VKR_PUSH(&step, vkr_pyramid_push) = (struct vkr_pyramid_push){
        .x = below->x,
        .y = below->y,
        .layer = below->z,
        .lod = below->lod,
        .width = below->width,
        .height = below->height,
        .level_width = level->width,
        .level_height = level->height,
        .tiles_x = (uint32_t)tiles_x,
        .tiles = (uint32_t)tiles,
        .groups = (uint32_t)(tiles * level->depth),
    };
    bind_images(p, k, 1, 1, &step);
    return vkr_add_step(recorder, &step);
}

/* ---- Several levels ---- */

/* How levels from `first` on become one dispatch. */
typedef struct group {
    uint32_t first;
    uint32_t tile;   /* texels of a workgroup: 2^tile a side */
    uint32_t levels; /* of a tile */
    uint32_t total;  /* and of the last workgroup */
} group;

static uint32_t tile_workgroup(const vkr_pyramid *p)
{
    return (uint32_t)vkr_min(TILE_WORKGROUP, p->context->caps.max_workgroup_size);
}

/* Bytes of shared memory, as in pyramid_tiles.comp. */
static uint64_t shared_bytes(const vkr_pyramid *p, uint32_t tile)
{
    const uint64_t side = (UINT64_C(1) << tile) - 1, other = (UINT64_C(1) << (tile - 1)) - 1;
    return (side * side + other * other) * p->levels[0].channels * 4 + 4;
}

static uint64_t tiles_of(uint32_t size, uint32_t tile)
{
    return vkr_max(size >> tile, 1);
}

static uint64_t texels_of(const vkr_image *image)
{
    return (uint64_t)image->width * image->height;
}

/* Words of scratch for a layer: a level of the tiles, and the one above it. */
static uint64_t scratch_words(const vkr_pyramid *p, const group *g)
{
    const vkr_image *level = &p->levels[g->first + g->levels - 1];
    return (texels_of(level) + texels_of(level + 1)) * level->channels;
}

static VkrResult bind_scratch(VkrRecorder recorder, const vkr_pyramid *p, const group *g,
                              vkr_step *step)
{
    const uint32_t layers = p->source.depth;
    vkr_place scratch, counters;
    VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, scratch_words(p, g), layers, &scratch));
    VKR_TRY(vkr_add_words(recorder, VKR_COUNTERS, 1, layers, &counters));
    const vkr_slot *slots = vkr_pyramid_many_card.slots;
    (void)vkr_fill_slot(&p->context->caps, step, &slots[VKR_PYRAMID_SLOT_SCRATCH], &scratch, 0,
                        layers);
    (void)vkr_fill_slot(&p->context->caps, step, &slots[VKR_PYRAMID_SLOT_COUNTER], &counters, 0,
                        layers);
    return VKR_SUCCESS;
}

static VkrResult add_group(VkrRecorder recorder, const vkr_pyramid *p, const group *g)
{
    const bool goes_on = g->total > g->levels || g->levels > VKR_PYRAMID_FEW;
    const vkr_image *below = vkr_below(p, g->first);
    const uint64_t tiles_x = tiles_of(below->width, g->tile);
    const uint64_t tiles = tiles_x * tiles_of(below->height, g->tile);
    vkr_step step;
    VKR_TRY(start_step(p, goes_on ? VKR_FAMILY_PYRAMID_MANY : VKR_FAMILY_PYRAMID_FEW,
                       goes_on ? &vkr_pyramid_many_card : &vkr_pyramid_few_card, g->first, g->total,
                       &step));
    step.variant.constants[VKR_CONST_WORKGROUP] = tile_workgroup(p);
    step.variant.constants[VKR_PYRAMID_CONST_TILE] = g->tile;
    VKR_TRY(set_groups(p, tiles * below->depth, &step));
    *VKR_PUSH(&step, vkr_pyramid_tiles_push) = (struct vkr_pyramid_tiles_push){
        .x = below->x,
        .y = below->y,
        .layer = below->z,
        .lod = below->lod,
        .width = below->width,
        .height = below->height,
        .tiles_x = (uint32_t)tiles_x,
        .tiles = (uint32_t)tiles,
        .groups = (uint32_t)(tiles * below->depth),
        .levels = g->levels,
        .total = g->total,
    };
    bind_images(p, g->first, g->total, goes_on ? VKR_PYRAMID_MANY : VKR_PYRAMID_FEW, &step);
    if (g->total > g->levels)
        VKR_TRY(bind_scratch(recorder, p, g, &step));
    return vkr_add_step(recorder, &step);
}

/* Whether the last workgroup can go on with what the tiles leave. */
static bool can_go_on(const vkr_pyramid *p, const group *g)
{
    const vkr_caps *caps = &p->context->caps;
    return texels_of(&p->levels[g->first + g->levels - 1]) <= MAX_LAST_TEXELS &&
           scratch_words(p, g) * 4 * p->source.depth + caps->granule <= caps->max_range;
}

/* As many of the levels from `first` on as one dispatch makes. */
static group choose_group(const vkr_pyramid *p, uint32_t first, bool single)
{
    const vkr_caps *caps = &p->context->caps;
    const uint32_t left = p->info->levelCount - first;
    const bool many = single && caps->max_storage_images >= VKR_PYRAMID_MANY;
    const bool large = many && shared_bytes(p, LARGE_TILE) <= caps->max_shared_memory;
    group g = {.first = first, .tile = large ? LARGE_TILE : TILE};
    g.levels = g.total = (uint32_t)vkr_min(left, g.tile);
    if (many && left > g.levels && can_go_on(p, &g))
        g.total = (uint32_t)vkr_min(left, VKR_PYRAMID_MANY);
    return g;
}

VkrResult vkr_plan_pyramid(VkrRecorder recorder, const vkr_pyramid *p)
{
    const VkrPyramidAlgorithm asked = p->info->algorithm;
    const bool pingpong = asked == VKR_PYRAMID_PINGPONG || (asked == VKR_PYRAMID_AUTO && is_cpu(p));
    for (uint32_t k = 0; k < p->info->levelCount;) {
        if (pingpong || !is_mip(&p->levels[k], vkr_below(p, k))) {
            VKR_TRY(add_level(recorder, p, k++));
            continue;
        }
        const group g = choose_group(p, k, asked != VKR_PYRAMID_RECURSIVE_2D);
        VKR_TRY(add_group(recorder, p, &g));
        k += g.total;
    }
    return VKR_SUCCESS;
}
