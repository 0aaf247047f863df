/* SPDX-License-Identifier: MIT */
/* min, max, absmax, argmin and argmax: the smallest of keys (type.glsl) wins, and of equal keys the
 * one with the smallest index. */
#ifndef VKR_OPERATORS_ORDER_GLSL
#define VKR_OPERATORS_ORDER_GLSL

struct VkrArg {
    VkrKey key;
    uvec2 index; /* the high word is used only with VKR_WIDE_INDEX */
};
#define VKR_WORDS_VkrArg (VKR_KEY_WORDS + VKR_INDEX_WORDS)
#define VKR_MOVED_VkrArg(v)                                                                        \
    VkrArg(VKR_MOVED_VkrKey(v.key),                                                                \
           vkr_move_index(at, i + VKR_KEY_WORDS, is_shared, stores, v.index))
#define VKR_NO_ARG VkrArg(VKR_PAD, uvec2(~0u))

VkrKey vkr_least(const VkrKey a, const VkrKey b)
{
    return min(a, b);
}

VkrArg vkr_least(const VkrArg a, const VkrArg b)
{
    bool earlier = VKR_WIDE_INDEX ? vkr_less(b.index, a.index) : b.index.x < a.index.x;
    bool less = b.key < a.key;
    bool equal = b.key == a.key;
    return less || (equal && earlier) ? b : a;
}

#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
VkrArg vkr_shuffle(const VkrArg v, const uint mask)
{
    return VkrArg(vkr_shuffle(v.key, mask), vkr_shuffle_index(v.index, mask));
}
#endif

uvec2 vkr_words_of_arg(const VkrArg arg)
{
    return vkr_is_no_value(arg.key) ? uvec2(~0u) : arg.index;
}

#define VKR_ROW_LEAST(ROW)                                                                         \
    ROW(least, VkrKey, VKR_USERS_LEAST, VKR_PAD, vkr_min_key(e.bits), least, whole)
#define VKR_ROW_GREATEST(ROW)                                                                      \
    ROW(greatest, VkrKey, VKR_USERS_GREATEST, VKR_PAD, vkr_max_key(e.bits), least, whole)
#define VKR_ROW_ABSMAX(ROW)                                                                        \
    ROW(absmax, VkrKey, VKR_USERS_ABSMAX, VKR_PAD, vkr_absmax_key(e.bits), least, whole)
#define VKR_ROW_ARGMIN(ROW)                                                                        \
    ROW(argmin, VkrArg, VKR_USERS_ARGMIN, VKR_NO_ARG, VkrArg(vkr_min_key(e.bits), e.index), least, \
        whole)
#define VKR_ROW_ARGMAX(ROW)                                                                        \
    ROW(argmax, VkrArg, VKR_USERS_ARGMAX, VKR_NO_ARG, VkrArg(vkr_max_key(e.bits), e.index), least, \
        whole)

#define VKR_RESULT_MIN(RESULT)                                                                     \
    RESULT(MIN, VKR_BYTES, false, vkr_words_of_bits(vkr_min_of_key(s.least, is_empty)))
#define VKR_RESULT_MAX(RESULT)                                                                     \
    RESULT(MAX, VKR_BYTES, false, vkr_words_of_bits(vkr_max_of_key(s.greatest, is_empty)))
#define VKR_RESULT_ABSMAX(RESULT)                                                                  \
    RESULT(ABSMAX, VKR_BYTES, false, vkr_words_of_bits(vkr_absmax_of_key(s.absmax, is_empty)))
#define VKR_RESULT_ARGMIN(RESULT) RESULT(ARGMIN, VKR_INDEX_BYTES, false, vkr_words_of_arg(s.argmin))
#define VKR_RESULT_ARGMAX(RESULT) RESULT(ARGMAX, VKR_INDEX_BYTES, false, vkr_words_of_arg(s.argmax))

#endif
