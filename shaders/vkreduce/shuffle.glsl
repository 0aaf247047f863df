/* SPDX-License-Identifier: MIT */
/*
 * Shuffles the words of keys, sums and indices between the lanes of a subgroup; operators/ build
 * the parts of a state from these. Everything crosses lanes as 32-bit words, so no extended-types
 * feature is needed.
 */
#ifndef VKR_SHUFFLE_GLSL
#define VKR_SHUFFLE_GLSL

#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
uint vkr_shuffle(const uint v, const uint mask)
{
    return subgroupShuffleXor(v, mask);
}

uvec2 vkr_shuffle(const uvec2 v, const uint mask)
{
    return subgroupShuffleXor(v, mask);
}

#if VKR_IS_FLOAT
float vkr_shuffle(const float v, const uint mask)
{
    return subgroupShuffleXor(v, mask);
}
#endif

#if VKR_HAS_64
uint64_t vkr_shuffle(const uint64_t v, const uint mask)
{
    return packUint2x32(subgroupShuffleXor(unpackUint2x32(v), mask));
}
#endif

#if VKR_HAS_64 && VKR_IS_FLOAT
double vkr_shuffle(const double v, const uint mask)
{
    return packDouble2x32(subgroupShuffleXor(unpackDouble2x32(v), mask));
}
#endif

/* Shuffles an index or a count. */
uvec2 vkr_shuffle_index(const uvec2 v, const uint mask)
{
    return uvec2(vkr_shuffle(v.x, mask), VKR_WIDE_INDEX ? vkr_shuffle(v.y, mask) : 0u);
}
#endif

#if VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC
/* Reduces a value that has no built-in by a butterfly in the subgroup, or in the part of it that
 * the workgroup fills. */
#define VKR_SUBGROUP_BUTTERFLY(name, combine, type)                                                \
    type name(type v)                                                                              \
    {                                                                                              \
        for (uint mask = 1u; mask < min(gl_SubgroupSize, VKR_WORKGROUP); mask <<= 1)               \
            v = vkr_##combine(v, vkr_shuffle(v, mask));                                            \
        return v;                                                                                  \
    }
#endif

#endif
