/* SPDX-License-Identifier: MIT */
/*
 * The rows that all files of this folder define. For each part of a state a file has
 *     VKR_ROW_part(ROW)    ROW(name, type, users, identity, lift, combine, held)
 * with the operators that need the part; the part of no element and that of element `e`; the
 * functions vkr_##combine of two parts and vkr_take_##combine, which does the same if the second
 * part is that of one element, or of none; and `held` if the part uses strands (strands.glsl), else
 * `whole`. For each operator a file has
 *     VKR_RESULT_op(RESULT)    RESULT(op, bytes, is_sum, words)
 * with the size of its result, whether this is an accumulator or computed from one, and the words
 * of the result for state `s` of `total` elements, of which `left` remain after NaN is skipped;
 * `is_empty` means that `total` is 0.
 */
#ifndef VKR_OPERATORS_ROW_GLSL
#define VKR_OPERATORS_ROW_GLSL

#include "../shuffle.glsl"

struct VkrElement {
    VkrBits bits;
    VkrBits bits2; /* the element of the second input */
    uvec2 index;
};

#define VKR_HAS(ops) ((VKR_OPS & (ops)) != 0u)
#define VKR_INDEX_BYTES (VKR_WIDE_INDEX ? 8u : 4u)

#if VKR_IS_FLOAT
const bool VKR_SKIPS_NAN = (VKR_FLAGS & VKR_FLAG_SKIP_NAN) != 0u;
#else
const bool VKR_SKIPS_NAN = false;
#endif

/* For each type of a part there are
 *     VKR_WORDS_type       the words that it needs in memory
 *     VKR_MOVED_type(v)    v after vkr_move_state (memory.glsl) moved its words, starting at word i
 *     vkr_shuffle(v, mask) v of the lane whose number differs by `mask`, if there are shuffles */
#define VKR_KEY_WORDS (VKR_BYTES == 8 ? 2u : 1u)
#define VKR_INDEX_WORDS (VKR_WIDE_INDEX ? 2u : 1u)
#define VKR_WORDS_VkrKey VKR_KEY_WORDS
#define VKR_WORDS_VkrBits VKR_KEY_WORDS
#define VKR_WORDS_VkrSum (VKR_SUM_BYTES == 8 ? 2u : 1u)
#define VKR_MOVED_VkrKey(v) vkr_move_key(at, i, is_shared, stores, v)
#define VKR_MOVED_VkrBits VKR_MOVED_VkrKey
#define VKR_MOVED_VkrSum(v) vkr_move_sum(at, i, is_shared, stores, v)

/* VKR_USERS_part: the operators that need a part. */
#define VKR_USER(part, op, bit, floats, integers)                                                  \
    | (((VKR_IS_FLOAT ? uint(floats) : uint(integers)) & part) != 0u ? VKR_BIT_##op : 0u)
#define VKR_USERS_OF(part, number, keys, indices, sums, squares)                                   \
    const uint VKR_USERS_##part = 0u VKR_OPERATORS(VKR_USER, VKR_PART_##part);
VKR_PARTS(VKR_USERS_OF)

/* Most parts are combined with an element like with any other part. */
#define vkr_take_least vkr_least
#define vkr_take_add vkr_add
#define vkr_take_multiply vkr_multiply
#define vkr_take_and vkr_and
#define vkr_take_or vkr_or
#define vkr_take_xor vkr_xor

#endif
