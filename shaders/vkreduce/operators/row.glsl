/* SPDX-License-Identifier: MIT */
/*
 * What the files of this folder have in common. A file has, of each part of a state,
 *     VKR_ROW_part(ROW)    ROW(name, type, users, identity, lift, combine, held)
 * with the operators that need the part, the part of no element, that of element `e`, and the
 * function vkr_##combine of two parts; `held` where strands are of use (strands.glsl), or `whole`.
 * And of each operator
 *     VKR_RESULT_op(RESULT)    RESULT(op, bytes, is_sum, words)
 * with the size of its result, whether this is an accumulator or made from one, and what it makes
 * of state `s`, of `total` elements; `is_empty` says that these are none.
 */
#ifndef VKR_OPERATORS_ROW_GLSL
#define VKR_OPERATORS_ROW_GLSL

struct VkrElement {
    VkrBits bits;
    VkrBits bits2; /* the element of the second input */
    uvec2 index;
};

#define VKR_HAS(ops) ((VKR_OPS & (ops)) != 0u)
#define VKR_INDEX_BYTES (VKR_WIDE_INDEX ? 8u : 4u)

/* VKR_WORDS_type: what a part of that type takes where it leaves an invocation. */
#define VKR_KEY_WORDS (VKR_BYTES == 8 ? 2u : 1u)
#define VKR_INDEX_WORDS (VKR_WIDE_INDEX ? 2u : 1u)
#define VKR_WORDS_VkrKey VKR_KEY_WORDS
#define VKR_WORDS_VkrBits VKR_KEY_WORDS
#define VKR_WORDS_VkrSum (VKR_SUM_BYTES == 8 ? 2u : 1u)

/* VKR_USERS_part: the operators that need a part. */
#define VKR_USER(part, op, bit, floats, integers)                                                  \
    | (((VKR_IS_FLOAT ? uint(floats) : uint(integers)) & part) != 0u ? VKR_BIT_##op : 0u)
#define VKR_USERS_OF(part, number, keys, indices, sums, squares)                                   \
    const uint VKR_USERS_##part = 0u VKR_OPERATORS(VKR_USER, VKR_PART_##part);
VKR_PARTS(VKR_USERS_OF)

#endif
