/* SPDX-License-Identifier: MIT */
/*
 * What the files of this folder have in common. A file has, of each part of a state,
 *     VKR_ROW_part(ROW)    ROW(name, type, users, identity, lift, combine, held)
 * with the operators that need the part, the part of no element, that of element `e`, and the
 * functions vkr_##combine of two parts and vkr_take_##combine, which does the same where the second
 * part is that of one element, or of none; `held` where strands are of use (strands.glsl), or
 * `whole`. And of each operator
 *     VKR_RESULT_op(RESULT)    RESULT(op, bytes, is_sum, words)
 * with the size of its result, whether this is an accumulator or made from one, and what it makes
 * of state `s`, of `total` elements, of which `left` are left where NaN is left out; `is_empty`
 * says that `total` is 0.
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

/* Of each type of a part
 *     VKR_WORDS_type       the words that it takes where it leaves an invocation
 *     VKR_MOVED_type(v)    what becomes of v in vkr_move_state (memory.glsl): its words are moved
 *                          from word i on
 *     vkr_shuffle(v, mask) what the lane has that lies so far apart, where there are shuffles */
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

/* Most parts take an element in like any other part. */
#define vkr_take_least vkr_least
#define vkr_take_add vkr_add
#define vkr_take_multiply vkr_multiply
#define vkr_take_and vkr_and
#define vkr_take_or vkr_or
#define vkr_take_xor vkr_xor

#endif
