/* SPDX-License-Identifier: MIT */
/*
 * How states cross the lanes of a subgroup: by shuffles, and by arithmetic where the kernel is
 * built for that (VKR_BUILD_GROUP_PATH). Everything crosses lanes as 32-bit words, so that no
 * extended-types feature is needed.
 */
#ifndef VKR_SUBGROUP_GLSL
#define VKR_SUBGROUP_GLSL

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

/* Of an index or a count. */
uvec2 vkr_shuffle_index(const uvec2 v, const uint mask)
{
    return uvec2(vkr_shuffle(v.x, mask), VKR_WIDE_INDEX ? vkr_shuffle(v.y, mask) : 0u);
}

VkrCount vkr_shuffle(const VkrCount v, const uint mask)
{
    return VkrCount(vkr_shuffle_index(v.n, mask));
}

VkrArg vkr_shuffle(const VkrArg v, const uint mask)
{
    return VkrArg(vkr_shuffle(v.key, mask), vkr_shuffle_index(v.index, mask));
}

#if !VKR_IS_FLOAT
VkrTotal vkr_shuffle(const VkrTotal v, const uint mask)
{
    uvec2 top = vkr_shuffle_index(VKR_TOP(v), mask);
    return VKR_TOTAL(vkr_shuffle(v.low, mask), top);
}
#if VKR_BYTES > 2

VkrSquares vkr_shuffle(const VkrSquares v, const uint mask)
{
    return VkrSquares(vkr_shuffle(v.low, mask), vkr_shuffle(v.high, mask));
}
#endif
#endif

#endif

#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHUFFLE
/* Rows that no operator needs are not combined, so drivers drop their shuffles. */
VkrState vkr_shuffle(const VkrState s, const uint mask)
{
    VkrState other;
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    other.name = vkr_shuffle(s.name, mask);
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
    return other;
}
#endif

#if VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC
/* Reduces a value that has no built-in by a butterfly in the subgroup, or in as much of it as the
 * workgroup fills. */
#define VKR_SUBGROUP_BUTTERFLY(name, combine, type)                                                \
    type name(type v)                                                                              \
    {                                                                                              \
        for (uint mask = 1u; mask < min(gl_SubgroupSize, VKR_WORKGROUP); mask <<= 1)               \
            v = vkr_##combine(v, vkr_shuffle(v, mask));                                            \
        return v;                                                                                  \
    }

#define VKR_SUBGROUP_BUILT_IN(combine, type, builtin)                                              \
    type vkr_subgroup_##combine(const type v)                                                      \
    {                                                                                              \
        return builtin(v);                                                                         \
    }

#define VKR_SUBGROUP_64(combine, type)                                                             \
    VKR_SUBGROUP_BUTTERFLY(vkr_subgroup_##combine, combine, type)

VKR_SUBGROUP_BUILT_IN(least, uint, subgroupMin)
VKR_SUBGROUP_BUILT_IN(add, uint, subgroupAdd)
VKR_SUBGROUP_BUILT_IN(multiply, uint, subgroupMul)
VKR_SUBGROUP_BUILT_IN(and, uint, subgroupAnd)
VKR_SUBGROUP_BUILT_IN(or, uint, subgroupOr)
VKR_SUBGROUP_BUILT_IN(xor, uint, subgroupXor)
VKR_SUBGROUP_64(add, uvec2)
#if !VKR_IS_FLOAT
VKR_SUBGROUP_64(add, VkrTotal)
#if VKR_BYTES > 2
VKR_SUBGROUP_64(add, VkrSquares)
#endif
#endif
#if VKR_HAS_64
VKR_SUBGROUP_64(add, uint64_t)
VKR_SUBGROUP_64(multiply, uint64_t)
#endif
#if VKR_BYTES == 8
VKR_SUBGROUP_64(least, uint64_t)
VKR_SUBGROUP_64(and, uint64_t)
VKR_SUBGROUP_64(or, uint64_t)
VKR_SUBGROUP_64(xor, uint64_t)
#endif
#if VKR_IS_FLOAT
VKR_SUBGROUP_BUILT_IN(add, float, subgroupAdd)
VKR_SUBGROUP_BUILT_IN(multiply, float, subgroupMul)
#endif
#if VKR_IS_FLOAT && VKR_HAS_64
VKR_SUBGROUP_64(add, double)
VKR_SUBGROUP_64(multiply, double)
#endif
VKR_SUBGROUP_BUTTERFLY(vkr_butterfly_least, least, VkrArg)

VkrCount vkr_subgroup_add(const VkrCount v)
{
    return VkrCount(VKR_WIDE_INDEX ? vkr_subgroup_add(v.n) : uvec2(subgroupAdd(v.n.x), 0u));
}

VkrArg vkr_subgroup_least(const VkrArg v)
{
#if VKR_BYTES != 8
    if (!VKR_WIDE_INDEX) {
        uint key = subgroupMin(v.key);
        return VkrArg(key, uvec2(subgroupMin(v.key == key ? v.index.x : ~0u), 0u));
    }
#endif
    return vkr_butterfly_least(v);
}

VkrState vkr_subgroup_reduce(VkrState s)
{
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    if (VKR_HAS(users))                                                                            \
        s.name = vkr_subgroup_##combine(s.name);
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
    return s;
}
#endif

#endif
