/* SPDX-License-Identifier: MIT */
/* The values, of one word each, to which the tested flags belong, and where they are stored. */
#ifndef VKR_SOURCE_GLSL
#define VKR_SOURCE_GLSL

#if VKR_HAS_SOURCE_TEXELS
/* Read once: CPU drivers do not hoist such reads, each of which costs a load, out of loops. */
uint vkr_source_load_base = push.source_load_base;
uint vkr_source_lead = push.lead;
#endif

/* The values of elements i .. i + 3, which exist; i is the first element of a unit, or a multiple
 * of four after it. */
uvec4 vkr_source_values(const uint i)
{
    uint at = push.source_base + i;
    uvec4 values = uvec4(0u);
#if VKR_HAS_SOURCE_TEXELS
    if ((VKR_OUTPUTS & VKR_TO_SOURCE_PACKS) != 0u)
        values = texelFetch(vkr_texels, int(vkr_source_load_base + (i + vkr_source_lead >> 2)));
#else
    if ((VKR_OUTPUTS & VKR_TO_SOURCE_PACKS) != 0u)
        values = vkr_words_of_pack(vkr_source_packs[at >> 2]);
#endif
    else if ((VKR_OUTPUTS & VKR_TO_SOURCE) != 0u)
        values = uvec4(vkr_source[at], vkr_source[at + 1u], vkr_source[at + 2u],
                       vkr_source[at + 3u]);
    return values;
}

/* Returns the same for elements of which some exist: those with a set bit in `present`. */
uvec4 vkr_source_present(const uint i, const uint present)
{
    uvec4 values = uvec4(0u);
    for (uint k = 0u; k < 4u && (VKR_OUTPUTS & VKR_TO_SOURCE) != 0u; k++) {
        if ((present >> k & 1u) != 0u)
            values[k] = vkr_source[push.source_base + i + k];
    }
    return values;
}

#endif
