/* SPDX-License-Identifier: MIT */
/* count and nan. */
#ifndef VKR_OPERATORS_COUNTS_GLSL
#define VKR_OPERATORS_COUNTS_GLSL

struct VkrCount {
    uvec2 n; /* the high word counts only with VKR_WIDE_INDEX */
};
#define VKR_WORDS_VkrCount VKR_INDEX_WORDS
#define VKR_NONE VkrCount(uvec2(0u))
#define VKR_ONE VkrCount(uvec2(1u, 0u))

VkrCount vkr_add(const VkrCount a, const VkrCount b)
{
    return VkrCount(VKR_WIDE_INDEX ? vkr_add(a.n, b.n) : uvec2(a.n.x + b.n.x, 0u));
}

VkrCount vkr_count_nan(const VkrBits bits)
{
    return VkrCount(uvec2(vkr_is_nan(bits) ? 1u : 0u, 0u));
}

/* Where there is a mask, only the GPU knows whether, and how many, elements are left. */
#ifdef VKR_SEGMENTS
#define VKR_ROW_SEEN(ROW)
#else
#define VKR_SEEN_USERS ((VKR_FLAGS & VKR_FLAG_MASKED) / VKR_FLAG_MASKED * VKR_USERS_SEEN)
#define VKR_ROW_SEEN(ROW) ROW(seen, VkrCount, VKR_SEEN_USERS, VKR_NONE, VKR_ONE, add, whole)
#endif
#define VKR_ROW_NAN(ROW)                                                                           \
    ROW(nan, VkrCount, VKR_USERS_NAN, VKR_NONE, vkr_count_nan(e.bits), add, whole)

#define VKR_RESULT_COUNT(RESULT) RESULT(COUNT, 8u, false, total)
#define VKR_RESULT_NAN(RESULT) RESULT(NAN, 8u, false, s.nan.n)

#endif
