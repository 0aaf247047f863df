/* SPDX-License-Identifier: MIT */
/*
 * Copies the kept elements of each block to their position: the block's start, minus the number of
 * elements that the blocks before it reject. A row of VKR_ROW invocations handles a block: they
 * find its position once and copy the segment; or an invocation handles one element, and finds its
 * position (VKR_FLAG_BY_ELEMENT).
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "stream.glsl"

const uint VKR_ROW = (VKR_FLAGS & VKR_FLAG_BY_ELEMENT) != 0u ? VKR_BLOCK : VKR_STREAM_ROW;

void vkr_copy(const uint from, const uint rank)
{
    uint place = vkr_place(rank);
    if (place >= push.kept_count)
        return;
    if (vkr_has(VKR_FLAG_VALUES)) {
        for (uint u = 0u; u < VKR_UNITS; u++)
            vkr_kept[push.kept_base + place * push.kept_stride + u] =
                vkr_blocks[push.blocks_base + from * VKR_UNITS + u];
    }
    if (vkr_has(VKR_FLAG_INDICES))
        vkr_store_index(place, vkr_block_indices[push.block_indices_base + from]);
}

void main()
{
    uint id = vkr_invocation();
    uint block = id / VKR_ROW;
    uint last = push.count - 1u >> VKR_SHIFT;
    if (block > last)
        return;
    if (id == 0u)
        vkr_store_count(vkr_totals[push.totals_base + last]);
    if (!vkr_has(VKR_FLAG_VALUES | VKR_FLAG_INDICES))
        return;
    uint first = block << VKR_SHIFT;
    uint before = block == 0u ? 0u : vkr_totals[push.totals_base + block - 1u];
    uint rejected = vkr_totals[push.totals_base + block] - before;
    uint kept = vkr_block_length(first) - rejected;
    for (uint k = id % VKR_ROW; k < kept; k += VKR_ROW)
        vkr_copy(first + k, first - before + k);
}
