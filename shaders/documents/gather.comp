/* SPDX-License-Identifier: MIT */
/*
 * Stream reduction without scatter: each invocation has a position, searches for the element that
 * goes there, and fetches it. The stream is searched as a whole, or in blocks that are each
 * compacted in place (VKR_FLAG_IN_BLOCKS).
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "stream.glsl"

uint vkr_origin; /* start of the sums that are searched */

#define VKR_SUM_AT(j) vkr_marks[vkr_origin + (j)]
#include "search.glsl"

/* The element for a position, counted from the first one of the block, or `length` if there is
 * none. */
uint vkr_element_of(const uint position, const uint length)
{
    uint lower = position + VKR_SUM_AT(position);
    uint upper = position + VKR_SUM_AT(length - 1u);
    uint found = length;
    /* A loop, since some drivers execute both sides of a branch. */
    for (uint once = 0u; once < 1u && upper < length; once++) {
        if (vkr_has(VKR_FLAG_WHILE))
            found = vkr_search_while(position, lower, upper);
        else
            found = vkr_search_for(position, lower, upper, push.trips);
    }
    return found;
}

void vkr_store_kept(const uint rank, const uint j)
{
    uint place = vkr_place(rank);
    if (place >= push.kept_count)
        return;
    if (vkr_has(VKR_FLAG_VALUES)) {
        for (uint u = 0u; u < VKR_UNITS; u++)
            vkr_kept[push.kept_base + place * push.kept_stride + u] =
                vkr_source[push.source_base + j * push.source_stride + u];
    }
    if (vkr_has(VKR_FLAG_INDICES))
        vkr_store_index(place, j);
}

void main()
{
    uint i = vkr_invocation();
    if (i >= push.count)
        return;
    uint first = vkr_has(VKR_FLAG_IN_BLOCKS) ? i >> VKR_SHIFT << VKR_SHIFT : 0u;
    uint length = vkr_has(VKR_FLAG_IN_BLOCKS) ? vkr_block_length(first) : push.count;
    vkr_origin = push.sums_base + first;
    if (!vkr_has(VKR_FLAG_IN_BLOCKS) && i == 0u)
        vkr_store_count(VKR_SUM_AT(length - 1u));
    if (!vkr_has(VKR_FLAG_VALUES | VKR_FLAG_INDICES))
        return;
    uint j = vkr_element_of(i - first, length);
    if (j == length)
        return;
    if (vkr_has(VKR_FLAG_IN_BLOCKS))
        vkr_store_reduced(i, first + j);
    else
        vkr_store_kept(i, j);
}
