/* SPDX-License-Identifier: MIT */
/* What the kernels of expansions share: the tiles and blocks of sources, and their table. The card
 * of expansions is included before. */
#ifndef VKR_EXPAND_GLSL
#define VKR_EXPAND_GLSL

#define VKR_INPUTS 1
#define VKR_VECTOR 0
#include "variant.glsl"
#include "wide.glsl"

const uint VKR_TILE = VKR_WORKGROUP * VKR_SOURCES; /* sources */

uint vkr_saturated(const uvec2 a)
{
    return a.y != 0u ? ~0u : a.x;
}

uint vkr_saturating_add(const uint a, const uint b)
{
    return a + min(b, ~a);
}

/* The outputs before a block. EXPAND_SUMS leaves two words here, those of the block. */
uint vkr_block_at(const uint block)
{
    return push.table_base + VKR_RECORD_WORDS + 2u * block;
}

/* The outputs of its block before a tile. */
uint vkr_tile_at(const uint tile)
{
    return vkr_block_at(push.blocks) + tile;
}

uint vkr_group_number()
{
    return gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
}

#endif
