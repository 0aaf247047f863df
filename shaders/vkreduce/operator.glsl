/* SPDX-License-Identifier: MIT */
/*
 * The state of a reduction holds what a set of operators (VKR_OPS) has seen of one component. It is
 * made of parts, each of which is a row in a file of operators/; all functions on states are made
 * from these rows. What operators make of a state are rows in the same files (result.glsl).
 */
#ifndef VKR_OPERATOR_GLSL
#define VKR_OPERATOR_GLSL

#include "operators/row.glsl"
#include "operators/order.glsl"
#include "operators/sums.glsl"
#include "operators/mean.glsl"
#include "operators/bitwise.glsl"
#include "operators/counts.glsl"

#define VKR_ROWS(ROW)                                                                              \
    VKR_ROW_LEAST(ROW)                                                                             \
    VKR_ROW_GREATEST(ROW)                                                                          \
    VKR_ROW_ABSMAX(ROW)                                                                            \
    VKR_ROW_ARGMIN(ROW)                                                                            \
    VKR_ROW_ARGMAX(ROW)                                                                            \
    VKR_ROW_SUM(ROW)                                                                               \
    VKR_ROW_PRODUCT(ROW)                                                                           \
    VKR_ROW_SUMSQ(ROW)                                                                             \
    VKR_ROW_L1(ROW)                                                                                \
    VKR_ROW_DOT(ROW)                                                                               \
    VKR_ROW_ALL(ROW)                                                                               \
    VKR_ROW_ANY(ROW)                                                                               \
    VKR_ROW_PARITY(ROW)                                                                            \
    VKR_ROW_NAN(ROW)                                                                               \
    VKR_ROW_TOTAL(ROW)                                                                             \
    VKR_ROW_SQUARES(ROW)                                                                           \
    VKR_ROW_SEEN(ROW)

struct VkrState {
#define VKR_ROW(name, type, users, identity, lift, combine, held) type name;
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
};

VkrState vkr_identity()
{
    VkrState s;
#define VKR_ROW(name, type, users, identity, lift, combine, held) s.name = identity;
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
    return s;
}

VkrState vkr_combine(VkrState s, const VkrState other)
{
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    if (VKR_HAS(users))                                                                            \
        s.name = vkr_##combine(s.name, other.name);
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
    return s;
}

/* The state of one element. Nothing reads the rows that no operator needs, so drivers drop them. */
VkrState vkr_lift(const VkrElement e)
{
    VkrState s;
#define VKR_ROW(name, type, users, identity, lift, combine, held) s.name = lift;
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
    return s;
}

/* Combines a state with an element. The identity takes the place of one that a mask leaves out: it
 * changes no bit, and there is no branch around what would be skipped, since lanes differ. */
VkrState vkr_accumulate(const VkrState s, const VkrElement e, const bool is_left_out)
{
    VkrState lifted = vkr_lift(e);
    if (is_left_out)
        lifted = vkr_identity();
    return vkr_combine(s, lifted);
}

/* Those of all components. Where teams merge them, which copies whole arrays, their number is no
 * specialisation constant; elsewhere it is, since a device may keep the array in memory. */
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

/* Component c of them in loops that drivers leave as loops, since others are in them: places that
 * are no constants would put all states into memory of the invocation's own. */
#if VKR_VECTOR && !defined(VKR_SEGMENTS)
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
/* Kernels of segments merge all states anyway. */
#define vkr_state_of(s, c) (s).of[c]
#define vkr_replace_state(s, c, by) (s).of[c] = by
#endif

/* ---- States as words, to leave the invocation: shared memory and partials ---- */

const uint VKR_STATE_WORDS = 0u
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    +(VKR_HAS(users) ? VKR_WORDS_##type : 0u)
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
    ;

#endif
