/* SPDX-License-Identifier: MIT */
/*
 * Sliding windows at level device (shaders/vkreduce/nodes.glsl). Blocks of elements are the nodes
 * of level 0 here; each further level has a node for two of the level before. Nodes are numbered
 * from the first element of all, so their place in the tree does not depend on where a piece
 * starts.
 */
#include "segments.h"

/* The nodes of a piece. `first` is the number of its first block, less a multiple of blocks that
 * are longer than a window: no window has a node of that size as a whole. */
typedef struct nodes {
    uint64_t first, count; /* blocks */
    uint32_t block;        /* elements of a block */
    uint32_t levels;       /* with nodes that a window can have as a whole */
    uint32_t step;         /* levels that one pass adds */
    vkr_place place;
} nodes;

static nodes find_nodes(const vkr_level *piece)
{
    nodes n = {.block = piece->how.neighbours};
    const uint64_t length = piece->of.length;
    uint64_t period = 1;
    while (n.block >> n.step > 1)
        n.step++;
    while ((uint64_t)n.block << n.levels < length)
        n.levels++;
    while (period * n.block < length)
        period *= 2;
    n.first = piece->origin / n.block % period;
    n.count = piece->elements / n.block;
    return n;
}

/* The number of nodes of a level, some of which can begin or end outside of the piece. */
static uint64_t count_at(const nodes *n, uint32_t level)
{
    return ((n->first + n->count - 1) >> level) - (n->first >> level) + 1;
}

/* The number of nodes of all levels below this one, which are stored level by level. */
static uint64_t count_below(const nodes *n, uint32_t level)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < level; i++)
        count += count_at(n, i);
    return count;
}

/* The number of levels that are stored: passes add several. */
static uint32_t stored_levels(const nodes *n)
{
    return n->levels == 0 ? 0 : 1 + (uint32_t)vkr_divide_up(n->levels - 1, n->step) * n->step;
}

/* Blocks of units end before the last elements. */
uint64_t vkr_windows_by_units(const vkr_level *piece)
{
    const uint64_t block = piece->how.neighbours, blocks = piece->elements / block;
    const uint64_t reach = vkr_reach_of_blocks(piece);
    const uint64_t whole = piece->how.loads != 0 && blocks > reach ? (blocks - reach) * block : 0;
    return vkr_min(whole, vkr_windows_of(piece) / block * block);
}

uint64_t vkr_count_nodes(const vkr_level *piece)
{
    const nodes n = find_nodes(piece);
    return count_below(&n, stored_levels(&n));
}

static vkr_place place_of(const vkr_level *piece, const nodes *n, uint32_t level)
{
    return vkr_partials_from(piece->reduce, n->place, count_below(n, level));
}

/* Adds the pass that computes the nodes of level 0 from elements. */
static VkrResult add_blocks(VkrRecorder recorder, const vkr_level *piece, const nodes *n)
{
    const vkr_segment_window all = {0, 1, 0, n->count};
    vkr_level pass = vkr_pass_over(piece, VKR_SHAPE_NODES, n->first);
    pass.of = (vkr_strided){1, n->count * n->block, 1, 1};
    pass.how.loads = piece->how.loads;
    pass.how.neighbours = n->block;
    pass.parts = n->count;
    pass.left = n->count;
    pass.target = place_of(piece, n, 0);
    return vkr_add_dispatch(recorder, &pass, &all);
}

/* Adds the pass that computes the nodes of the levels after this one. */
static VkrResult add_levels(VkrRecorder recorder, const vkr_level *piece, const nodes *n,
                            uint32_t level)
{
    const vkr_segment_window all = {0, 1, 0, count_at(n, level + n->step)};
    vkr_level pass = vkr_pass_over(piece, VKR_SHAPE_NODES, n->first >> level);
    pass.of = (vkr_strided){1, 1, 1, 1};
    pass.how.neighbours = n->block;
    pass.parts = count_at(n, level);
    pass.left = count_below(n, level + n->step + 1) - count_below(n, level + 1);
    pass.partials = true;
    pass.source = place_of(piece, n, level);
    pass.target = place_of(piece, n, level + 1);
    return vkr_add_dispatch(recorder, &pass, &all);
}

/* Adds `count` windows, starting at window `first`. */
static VkrResult add_windows(VkrRecorder recorder, const vkr_level *piece, const nodes *n,
                             uint64_t first, uint64_t count, uint32_t loads)
{
    const vkr_segment_window h = {first, count, first / n->block, n->levels};
    vkr_level pass = vkr_pass_over(piece, VKR_SHAPE_WINDOWS, n->first);
    pass.of.count = vkr_windows_of(piece);
    pass.output = VKR_OUTPUT_RESULT;
    pass.how.loads = loads;
    pass.how.neighbours = n->block;
    pass.parts = n->count;
    pass.between = place_of(piece, n, 0);
    pass.between_count = count_below(n, stored_levels(n));
    return count == 0 ? VKR_SUCCESS : vkr_add_dispatch(recorder, &pass, &h);
}

VkrResult vkr_add_windows_by_nodes(VkrRecorder recorder, const vkr_level *piece)
{
    nodes n = find_nodes(piece);
    const uint64_t all = vkr_count_nodes(piece), whole = vkr_windows_by_units(piece);
    if (all != 0) {
        VKR_TRY(vkr_add_words(recorder, VKR_SCRATCH, piece->reduce->partial_words, all, &n.place));
        VKR_TRY(add_blocks(recorder, piece, &n));
    }
    for (uint32_t level = 0; level + 1 < n.levels; level += n.step)
        VKR_TRY(add_levels(recorder, piece, &n, level));
    VKR_TRY(add_windows(recorder, piece, &n, 0, whole, piece->how.loads));
    return add_windows(recorder, piece, &n, whole, vkr_windows_of(piece) - whole, 0);
}
