/* SPDX-License-Identifier: MIT */
/*
 * The state of a reduction: the data of a set of operators (VKR_OPS) on one component. It consists
 * of parts, each of which is a row in a file of operators/; all functions on states are generated
 * from these rows. The same files have rows for the results that operators compute from a state
 * (result.glsl).
 */
#ifndef VKR_OPERATOR_GLSL
#define VKR_OPERATOR_GLSL

/* VKR_ALL_ROWS expands the rows of all parts by the current definition of VKR_ROW. */
#if VKR_LINKED
#include "operators/hook.glsl"
#define VKR_ALL_ROWS VKR_ROW_LINKED(VKR_ROW)
#else
#include "operators/row.glsl"
#include "operators/order.glsl"
#include "operators/sums.glsl"
#include "operators/mean.glsl"
#include "operators/bitwise.glsl"
#include "operators/counts.glsl"
#include "operators/variance.glsl"
#include "operators/exps.glsl"

#define VKR_ROW_OF(part, number, keys, indices, sums, squares) VKR_ROW_##part(VKR_ROW)
#define VKR_ALL_ROWS VKR_PARTS(VKR_ROW_OF)
#endif

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

#if !VKR_LINKED
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
#endif

/* Arrays with an item for each component. VKR_FIND sets `found` to the item of component c,
 * VKR_REPLACE sets that item, and VKR_FILL sets all items. No variable indexes such an array, not
 * even that of a loop which drivers unroll: those that place arrays before that, or leave the loop
 * rolled, would keep it in the invocation's private memory. */
#if VKR_VECTOR
#define VKR_STATES 4u
#define VKR_FIND(found, array, c)                                                                  \
    found = array[0];                                                                              \
    if (VKR_COMPONENTS > 1u && c == 1u)                                                            \
        found = array[1];                                                                          \
    if (VKR_COMPONENTS > 2u && c == 2u)                                                            \
        found = array[2];                                                                          \
    if (VKR_COMPONENTS > 3u && c == 3u)                                                            \
        found = array[3];
#define VKR_REPLACE(array, c, by)                                                                  \
    if (c == 0u)                                                                                   \
        array[0] = by;                                                                             \
    if (VKR_COMPONENTS > 1u && c == 1u)                                                            \
        array[1] = by;                                                                             \
    if (VKR_COMPONENTS > 2u && c == 2u)                                                            \
        array[2] = by;                                                                             \
    if (VKR_COMPONENTS > 3u && c == 3u)                                                            \
        array[3] = by;
#define VKR_FILL(array, by)                                                                        \
    array[0] = by;                                                                                 \
    array[1] = by;                                                                                 \
    array[2] = by;                                                                                 \
    array[3] = by;
#else
#define VKR_STATES 1u
#define VKR_FIND(found, array, c) found = array[0];
#define VKR_REPLACE(array, c, by) array[0] = by;
#define VKR_FILL(array, by) array[0] = by;
#endif

struct VkrStates {
    VkrState of[VKR_STATES];
};

#if VKR_VECTOR
VkrState vkr_state_of(const VkrStates s, const uint c)
{
    VkrState found;
    VKR_FIND(found, s.of, c)
    return found;
}

void vkr_replace_state(inout VkrStates s, const uint c, const VkrState by)
{
    VKR_REPLACE(s.of, c, by)
}
#else
#define vkr_state_of(s, c) (s).of[0]
#define vkr_replace_state(s, c, by) (s).of[0] = by
#endif

void vkr_clear(inout VkrStates s)
{
    VkrState none = vkr_identity();
    VKR_FILL(s.of, none)
}

#if !VKR_LINKED
/* ---- States as words, for shared memory and partials ---- */

const uint VKR_STATE_WORDS = 0u
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    +(VKR_HAS(users) ? VKR_WORDS_##type : 0u)
    VKR_ALL_ROWS
#undef VKR_ROW
    ;
#endif

#endif
