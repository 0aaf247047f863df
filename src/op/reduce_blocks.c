/* SPDX-License-Identifier: MIT */
/* Reductions by the canonical tree whose blocks are taken by units (shaders/blocks.comp). */
#include "reduce.h"

#define SHARES 8u     /* the part of maxGroups that keeps a device busy enough */
#define MAX_LANES 32u /* of components and operators: what the registers of an invocation hold */
#define MAX_BATCH 8u

/* Whether a part of the state has several sums: then the states of so many lanes take too much. */
static bool has_large_parts(const vkr_reduce *r)
{
    for (uint32_t i = 0; i < vkr_part_count; i++)
        if ((r->parts & vkr_parts[i].bit) != 0 && vkr_parts[i].sums > 1)
            return true;
    return false;
}

/* Units start with the first element, and all lanes of a workgroup leave what they have in shared
 * memory. */
static bool allows_blocks(const void *operation, uint32_t loads)
{
    const vkr_reduce *r = operation;
    const uint32_t unit = vkr_load_size(loads) / r->input.type->size;
    const bool starts = vkr_head(&r->input, 0, loads) == 0;
    const bool fits = 4 * ((uint64_t)VKR_TREE_WIDTH * unit * r->state_words + 1) <=
                      r->context->caps.max_shared_memory;
    return starts && fits && vkr_allows_loads(r, loads);
}

/* The number of units that an invocation has of a row of a block, a power of two. */
static uint32_t choose_batch(const vkr_reduce *r, const vkr_walk *w)
{
    const uint32_t words = r->input.components * r->state_words;
    const uint32_t lanes = MAX_LANES / (w->unit * words);
    const uint64_t most = vkr_min(vkr_min(w->tuning->flight, MAX_BATCH), lanes);
    uint32_t batch = 1;
    while (2 * batch <= most)
        batch *= 2;
    return batch;
}

void vkr_choose_blocks(vkr_reduce *r)
{
    const VkrReduceAlgorithm asked = r->info->algorithm;
    vkr_walk w = r->walk;
    if (!r->canonical || vkr_is_image(&r->input) || has_large_parts(r) ||
        (asked != VKR_REDUCE_AUTO && asked != VKR_REDUCE_SUBGROUP))
        return;
    w.family = VKR_FAMILY_BLOCKS;
    vkr_choose_loads(&w, allows_blocks, r);
    if (w.loads == 0)
        return;
    w.batch = choose_batch(r, &w);
    w.items *= w.unit * w.batch;
    const uint64_t shares = vkr_divide_up(w.count, (uint64_t)w.workgroup_size * w.items);
    if (shares < 2 || shares < w.tuning->maxGroups / SHARES)
        return;
    r->walk = w;
    r->by_blocks = true;
}

uint64_t vkr_count_partials(const vkr_reduce *r, const vkr_walk *w, bool elements)
{
    return elements && r->by_blocks ? vkr_divide_up(w->count, VKR_TREE_BLOCK) : w->groups;
}
