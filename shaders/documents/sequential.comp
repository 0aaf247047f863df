/* SPDX-License-Identifier: MIT */
/* Compacts each block by a loop of one invocation (Fig. 1 of the document), and counts the rejected
 * elements. */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "stream.glsl"

void main()
{
    uint block = vkr_invocation();
    if (block > push.count - 1u >> VKR_SHIFT)
        return;
    uint first = block << VKR_SHIFT;
    uint end = first + vkr_block_length(first);
    uint to = first;
    for (uint j = first; j < end; j++) {
        if (vkr_marks[push.sums_base + j] == 0u) {
            vkr_store_reduced(to, j);
            to++;
        }
    }
    vkr_totals[push.totals_base + block] = end - to;
}
