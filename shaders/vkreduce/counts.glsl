/* SPDX-License-Identifier: MIT */
/* The counts of a compaction, in the forms in which other work on the GPU reads them. */
#ifndef VKR_COUNTS_GLSL
#define VKR_COUNTS_GLSL

#include "wide.glsl"

/* The kinds are numbered as in VkrCountKind. */
#define VKR_IS_KEPT 0u
#define VKR_IS_STORED 1u
#define VKR_IS_REJECTED 2u
#define VKR_IS_WIDE 3u /* added to the kinds above: the count is a u64 */
#define VKR_IS_DISPATCH 6u

struct VkrCounts {
    uvec2 kept;
    uvec2 append;   /* the position of the first kept element */
    uvec2 all;      /* elements, kept or not */
    uvec2 capacity; /* number of positions in the kept outputs */
    uint max_groups;
};

uvec2 vkr_scaled(const uvec2 a, const uint scale)
{
    uint high;
    uint low;
    umulExtended(a.x, scale, high, low);
    return uvec2(low, high + a.y * scale);
}

/* The quotient, rounded up, but at most 2^32 - 1. */
uint vkr_divided_up(const uvec2 a, const uint b)
{
    uint rest = a.y;
    uint quotient = 0u;
    if (a.y >= b)
        return ~0u;
    [[dont_unroll]] for (uint bit = 32u; bit-- > 0u;) {
        bool carry = rest >> 31 != 0u;
        rest = rest << 1 | (a.x >> bit & 1u);
        bool fits_in = carry || rest >= b;
        rest -= fits_in ? b : 0u;
        quotient = quotient << 1 | (fits_in ? 1u : 0u);
    }
    return rest != 0u && quotient != ~0u ? quotient + 1u : quotient;
}

uvec2 vkr_number_of_count(const VkrCounts counts, const uint kind)
{
    if (kind == VKR_IS_REJECTED || kind == VKR_IS_REJECTED + VKR_IS_WIDE)
        return vkr_subtract(counts.all, counts.kept);
    uvec2 number = vkr_add(counts.kept, counts.append);
    if (kind != VKR_IS_KEPT && kind != VKR_IS_KEPT + VKR_IS_WIDE)
        number = vkr_minimum(number, counts.capacity);
    return number;
}

/* A count in its written form, of which vkr_size_of_count words are used. */
uvec3 vkr_words_of_count(const VkrCounts counts, const uint kind, const uint scale)
{
    uvec2 number = vkr_number_of_count(counts, kind);
    if (kind != VKR_IS_DISPATCH)
        return uvec3(vkr_scaled(number, scale), 0u);
    uint groups = vkr_divided_up(number, scale);
    uint rows = groups == 0u ? 1u : (groups - 1u) / counts.max_groups + 1u;
    return uvec3(min(groups, counts.max_groups), rows, 1u);
}

uint vkr_size_of_count(const uint kind)
{
    return kind == VKR_IS_DISPATCH ? 3u : kind >= VKR_IS_WIDE ? 2u : 1u;
}

#ifdef VKR_COMPACT_COUNTS_TARGET
/* One invocation writes the counts that the uniforms list. */
void vkr_store_counts(const uvec2 kept, const uvec2 append, const uvec2 all)
{
    VkrCounts counts =
        VkrCounts(kept, append, all, uvec2(uniforms.positions_low, uniforms.positions_high),
                  uniforms.max_groups);
    [[dont_unroll]] for (uint i = 0u; i < VKR_COUNTS; i++) {
        uint entry = uniforms.count_kinds[i];
        if (entry == ~0u)
            break;
        uint kind = entry % VKR_COUNT_WORD;
        uint at = uniforms.counts_base + entry / VKR_COUNT_WORD;
        uvec3 words = vkr_words_of_count(counts, kind, uniforms.count_scales[i]);
        uint size = vkr_size_of_count(kind);
        VKR_COMPACT_COUNTS_TARGET[at] = words.x;
        if (size > 1u)
            VKR_COMPACT_COUNTS_TARGET[at + 1u] = words.y;
        if (size > 2u)
            VKR_COMPACT_COUNTS_TARGET[at + 2u] = words.z;
    }
}
#endif

#endif
