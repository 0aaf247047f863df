/* SPDX-License-Identifier: MIT */
/* count and nan. */
#ifndef VKR_OPERATORS_COUNTS_GLSL
#define VKR_OPERATORS_COUNTS_GLSL

struct VkrCount {
    uvec2 n; /* the high word is used only with VKR_WIDE_INDEX */
};
#define VKR_WORDS_VkrCount VKR_INDEX_WORDS
#define VKR_MOVED_VkrCount(v) VkrCount(vkr_move_index(at, i, is_shared, stores, v.n))
#define VKR_NONE VkrCount(uvec2(0u))
#define VKR_ONE VkrCount(uvec2(1u, 0u))

VkrCount vkr_add(const VkrCount a, const VkrCount b)
{
    return VkrCount(VKR_WIDE_INDEX ? vkr_add(a.n, b.n) : uvec2(a.n.x + b.n.x, 0u));
}

#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
VkrCount vkr_shuffle(const VkrCount v, const uint mask)
{
    return VkrCount(vkr_shuffle_index(v.n, mask));
}
#endif

VkrCount vkr_count_nan(const VkrBits bits)
{
    return VkrCount(uvec2(vkr_is_nan(bits) ? 1u : 0u, 0u));
}

/* With a mask, only the GPU knows the number of remaining elements. */
#define VKR_SEEN_USERS ((VKR_FLAGS & VKR_FLAG_MASKED) / VKR_FLAG_MASKED * VKR_USERS_SEEN)
#define VKR_ROW_SEEN(ROW) ROW(seen, VkrCount, VKR_SEEN_USERS, VKR_NONE, VKR_ONE, add, whole)
/* If NaN is skipped, the number of remaining elements follows from the number of NaN. */
#if VKR_IS_FLOAT
#define VKR_NAN_USERS                                                                              \
    (VKR_USERS_NAN | (VKR_FLAGS & VKR_FLAG_SKIP_NAN) / VKR_FLAG_SKIP_NAN * VKR_USERS_SEEN)
#else
#define VKR_NAN_USERS VKR_USERS_NAN
#endif
#define VKR_ROW_NAN(ROW)                                                                           \
    ROW(nan, VkrCount, VKR_NAN_USERS, VKR_NONE, vkr_count_nan(e.bits), add, whole)

#define VKR_RESULT_COUNT(RESULT) RESULT(COUNT, 8u, false, left)
#define VKR_RESULT_NAN(RESULT) RESULT(NAN, 8u, false, s.nan.n)

#endif
