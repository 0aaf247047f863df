/* SPDX-License-Identifier: MIT */
/*
 * The state of a reduction: the data of a set of operators (VKR_OPS) on one component. It consists
 * of parts, each of which is a row in a file of operators/; all functions on states are generated
 * from these rows. The same files have rows for the results that operators compute from a state
 * (result.glsl).
 */
#ifndef VKR_OPERATOR_GLSL
#define VKR_OPERATOR_GLSL

#include "operators/row.glsl"
#include "operators/order.glsl"
#include "operators/sums.glsl"
#include "operators/mean.glsl"
#include "operators/bitwise.glsl"
#include "operators/counts.glsl"
#include "operators/variance.glsl"

/* Expands the rows of all parts by the current definition of VKR_ROW. */
#define VKR_ROW_OF(part, number, keys, indices, sums, squares) VKR_ROW_##part(VKR_ROW)
#define VKR_ALL_ROWS VKR_PARTS(VKR_ROW_OF)

struct VkrState {
#define VKR_ROW(name, type, users, identity, lift, combine, held) type name;
    VKR_ALL_ROWS
#undef VKR_ROW
};

VkrState vkr_identity()
{
    VkrState s;
#define VKR_ROW(name, type, users, identity, lift, combine, held) s.name = identity;
    VKR_ALL_ROWS
#undef VKR_ROW
    return s;
}

VkrState vkr_combine(VkrState s, const VkrState other)
{
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    if (VKR_HAS(users))                                                                            \
        s.name = vkr_##combine(s.name, other.name);
    VKR_ALL_ROWS
#undef VKR_ROW
    return s;
}

/* The state of one element. Nothing reads the rows that no operator needs, so drivers drop them. */
VkrState vkr_lift(const VkrElement e)
{
    VkrState s;
#define VKR_ROW(name, type, users, identity, lift, combine, held) s.name = lift;
    VKR_ALL_ROWS
#undef VKR_ROW
    return s;
}

/* Combines a state with that of one element, or of none. */
VkrState vkr_combine_lifted(VkrState s, const VkrState lifted)
{
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    if (VKR_HAS(users))                                                                            \
        s.name = vkr_take_##combine(s.name, lifted.name);
    VKR_ALL_ROWS
#undef VKR_ROW
    return s;
}

/* The state of a NaN that is skipped: it only counts. */
VkrState vkr_nan_state()
{
    VkrState s = vkr_identity();
    s.nan = VKR_ONE;
    s.seen = VKR_ONE;
    return s;
}

/* Combines a state with an element. The identity, which changes no bit, replaces an element that a
 * mask leaves out; there is no branch, since lanes differ. */
VkrState vkr_accumulate(const VkrState s, const VkrElement e, const bool is_left_out)
{
    VkrState lifted = vkr_lift(e);
    if (VKR_SKIPS_NAN && vkr_is_nan(e.bits))
        lifted = vkr_nan_state();
    if (is_left_out)
        lifted = vkr_identity();
    return vkr_combine_lifted(s, lifted);
}

/* The states of all components. Teams copy whole arrays to merge them, which excludes a
 * specialisation constant as size; elsewhere the size is one, since a device may keep the array in
 * memory. */
#if VKR_VECTOR && defined(VKR_SEGMENTS)
#define VKR_STATES 4u
#else
#define VKR_STATES VKR_COMPONENTS
#endif
struct VkrStates {
    VkrState of[VKR_STATES];
};

void vkr_clear(inout VkrStates s)
{
    for (uint c = 0u; c < VKR_STATES; c++)
        s.of[c] = vkr_identity();
}

/* Component c of the states in loops that drivers do not unroll, since they contain other loops: a
 * variable index would move all states to the invocation's private memory. */
#if VKR_VECTOR
const uint VKR_STATE_1 = VKR_COMPONENTS > 1u ? 1u : 0u;
const uint VKR_STATE_2 = VKR_COMPONENTS > 2u ? 2u : 0u;
const uint VKR_STATE_3 = VKR_COMPONENTS > 3u ? 3u : 0u;

VkrState vkr_state_of(const VkrStates s, const uint c)
{
    VkrState found = s.of[0];
    if (c == 1u)
        found = s.of[VKR_STATE_1];
    if (c == 2u)
        found = s.of[VKR_STATE_2];
    if (c == 3u)
        found = s.of[VKR_STATE_3];
    return found;
}

void vkr_replace_state(inout VkrStates s, const uint c, const VkrState by)
{
    if (c == 0u)
        s.of[0] = by;
    if (VKR_COMPONENTS > 1u && c == 1u)
        s.of[VKR_STATE_1] = by;
    if (VKR_COMPONENTS > 2u && c == 2u)
        s.of[VKR_STATE_2] = by;
    if (VKR_COMPONENTS > 3u && c == 3u)
        s.of[VKR_STATE_3] = by;
}
#else
#define vkr_state_of(s, c) (s).of[c]
#define vkr_replace_state(s, c, by) (s).of[c] = by
#endif

/* ---- States as words, for shared memory and partials ---- */

const uint VKR_STATE_WORDS = 0u
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    +(VKR_HAS(users) ? VKR_WORDS_##type : 0u)
    VKR_ALL_ROWS
#undef VKR_ROW
    ;

#endif
