/* SPDX-License-Identifier: MIT */
/*
 * How states cross the lanes of a subgroup: by shuffles, and by arithmetic if the kernel is built
 * for that (VKR_BUILD_GROUP_PATH).
 */
#ifndef VKR_SUBGROUP_GLSL
#define VKR_SUBGROUP_GLSL

#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHUFFLE
/* Rows that no operator needs stay where they are: SwiftShader would not remove their shuffles. */
VkrState vkr_shuffle(const VkrState s, const uint mask)
{
    VkrState other = s;
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    if (VKR_HAS(users))                                                                            \
        other.name = vkr_shuffle(s.name, mask);
    VKR_ALL_ROWS
#undef VKR_ROW
    return other;
}
#endif

#if VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC
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
VKR_SUBGROUP_64(add, uvec2)
#if !VKR_IS_FLOAT
VKR_SUBGROUP_BUILT_IN(and, uint, subgroupAnd)
VKR_SUBGROUP_BUILT_IN(or, uint, subgroupOr)
VKR_SUBGROUP_BUILT_IN(xor, uint, subgroupXor)
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
#endif
#if VKR_BYTES == 8 && !VKR_IS_FLOAT
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
#if VKR_IS_FLOAT
VkrSumsq vkr_subgroup_add(const VkrSumsq v)
{
    VkrSumsq all = v;
    all.plain = vkr_subgroup_add(v.plain);
    if (VKR_SCALED) {
        all.raised = vkr_subgroup_add(v.raised);
        all.lowered = vkr_subgroup_add(v.lowered);
    }
    return all;
}
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
    VKR_ALL_ROWS
#undef VKR_ROW
    return s;
}
#endif

#endif
