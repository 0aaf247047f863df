/* SPDX-License-Identifier: MIT */
/* The counts of the sources of an expansion. */
#ifndef VKR_EXPAND_COUNTS_GLSL
#define VKR_EXPAND_COUNTS_GLSL

#include "count.glsl"

/* These are read once, as CPU drivers do not hoist such reads. */
uint vkr_rank = vkr_group_rank();
uint vkr_counts_base = push.counts_base;
uint vkr_counts_stride = push.counts_stride;
uint vkr_covered_sources = vkr_covered(vkr_total()); /* of this dispatch */

const bool VKR_FOURS = (VKR_FLAGS & VKR_FLAG_FOURS) != 0u;
const uint VKR_LOADED = VKR_FOURS ? 4u : 1u; /* counts that are loaded together */

/* The counts of VKR_LOADED sources; 0 where there is none. */
uvec4 vkr_counts_of(const uint source)
{
    uvec4 counts = uvec4(0u);
    if (VKR_FOURS && source + 3u < vkr_covered_sources)
        return vkr_count_fours[(vkr_counts_base + source) / 4u];
    [[unroll]] for (uint k = 0u; k < VKR_LOADED; k++)
        if (source + k < vkr_covered_sources)
            counts[k] = vkr_counts[vkr_counts_base + (source + k) * vkr_counts_stride];
    return counts;
}

#endif
