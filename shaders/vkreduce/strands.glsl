/* SPDX-License-Identifier: MIT */
/*
 * Strands (strand.glsl) in states of reductions: while an invocation walks over elements, the float
 * sums in its states are those of the current strand, and the sum of earlier strands is held
 * outside the states. Strands do not affect the other rows of the states.
 *
 * Call vkr_start_strands() first, vkr_end_strand(s) after every strand but the last, or after all
 * of them, and at the end vkr_settle_strands(s), which makes the states complete.
 */
#ifndef VKR_STRANDS_GLSL
#define VKR_STRANDS_GLSL

#include "strand.glsl"

/* The number of consecutive units in a strand. */
#define VKR_STRAND_UNITS (VKR_STRAND / VKR_UNIT_ELEMENTS)

#if VKR_IS_FLOAT
/* Rows that are held: DO expands those, and nothing the others. */
#define VKR_IF_HELD_held(DO, name, type, none, users, identity)                                    \
    DO(name, type, none, users, identity)
#define VKR_IF_HELD_whole(DO, name, type, none, users, identity)

/* The order of additions is fixed at level device. */
#define VKR_HELD_USERS(name, type, none, users, identity) | (users)
const uint VKR_HELD_OPS = VKR_OPS & (0u
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    VKR_IF_HELD_##held(VKR_HELD_USERS, name, VKR_HELD_##type, VKR_HELD_NONE_##type, users, identity)
                                     VKR_ALL_ROWS
#undef VKR_ROW
                                    );
const bool VKR_HOLDS = VKR_HELD_OPS != 0u && !VKR_CANONICAL;

#define VKR_HELD_FIELD(name, type, none, users, identity) type name;
#define VKR_HELD_START(name, type, none, users, identity) held.name = none;
#define VKR_HELD_END(name, type, none, users, identity)                                            \
    if (VKR_HAS(users)) {                                                                          \
        held.name = vkr_held_with(held.name, s.name);                                              \
        s.name = identity;                                                                         \
    }
#define VKR_HELD_SETTLE(name, type, none, users, identity)                                         \
    if (VKR_HAS(users))                                                                            \
        s.name = vkr_held_and(held.name, s.name);

struct VkrHeld {
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    VKR_IF_HELD_##held(VKR_HELD_FIELD, name, VKR_HELD_##type, VKR_HELD_NONE_##type, users, identity)
    VKR_ALL_ROWS
#undef VKR_ROW
};

VkrHeld vkr_held_none()
{
    VkrHeld held;
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    VKR_IF_HELD_##held(VKR_HELD_START, name, VKR_HELD_##type, VKR_HELD_NONE_##type, users, identity)
    VKR_ALL_ROWS
#undef VKR_ROW
    return held;
}

/* Adds the strand in `s` to the held sums, and starts a new one. */
void vkr_end_strand(inout VkrState s, inout VkrHeld held)
{
    if (!VKR_HOLDS)
        return;
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    VKR_IF_HELD_##held(VKR_HELD_END, name, VKR_HELD_##type, VKR_HELD_NONE_##type, users, identity)
    VKR_ALL_ROWS
#undef VKR_ROW
}

/* Adds the held sums to the strand in `s`, which is the last one. */
void vkr_settle_strand(inout VkrState s, const VkrHeld held)
{
    if (!VKR_HOLDS)
        return;
#define VKR_ROW(name, type, users, identity, lift, combine, held)                                  \
    VKR_IF_HELD_##held(VKR_HELD_SETTLE, name, VKR_HELD_##type, VKR_HELD_NONE_##type, users,        \
                       identity)
    VKR_ALL_ROWS
#undef VKR_ROW
}

VkrHeld vkr_held[VKR_STATES]; /* of all components */

void vkr_start_strands()
{
    VkrHeld none = vkr_held_none();
    VKR_FILL(vkr_held, none)
}

void vkr_end_strand(inout VkrStates s)
{
    VKR_EACH_UNROLLED(c) {
        VkrState strand = vkr_state_of(s, VKR_AT(c));
        VkrHeld held;
        VKR_FIND(held, vkr_held, VKR_AT(c))
        vkr_end_strand(strand, held);
        VKR_REPLACE(vkr_held, VKR_AT(c), held)
        vkr_replace_state(s, VKR_AT(c), strand);
    }
}

void vkr_settle_strands(inout VkrStates s)
{
    VKR_EACH_UNROLLED(c) {
        VkrState strand = vkr_state_of(s, VKR_AT(c));
        VkrHeld held;
        VKR_FIND(held, vkr_held, VKR_AT(c))
        vkr_settle_strand(strand, held);
        vkr_replace_state(s, VKR_AT(c), strand);
    }
}

/* The end of the strand that starts at `first`, in a loop with steps of `apart`. */
uint vkr_end_of_strand(const uint first, const uint end, const uint apart, const uint elements)
{
    uint reach = elements * apart;
    return VKR_HOLDS && end - first > reach ? first + reach : end;
}

/* A loop for i < `end`, in steps of `apart`, whose states are strands of `elements` elements. It is
 * two nested loops, since in a single loop with a condition CPU drivers would execute both sides
 * for every element. */
#define VKR_IN_STRANDS_OF(elements, s, i, end, apart)                                              \
    for (; i < (end); vkr_end_strand(s))                                                           \
        for (uint vkr_stop = vkr_end_of_strand(i, end, apart, elements); i < vkr_stop; i += (apart))
#else
const bool VKR_HOLDS = false;
#define vkr_start_strands()
#define vkr_end_strand(s)
#define vkr_settle_strands(s)
#define VKR_IN_STRANDS_OF(elements, s, i, end, apart) for (; i < (end); i += (apart))
#endif

#define VKR_IN_STRANDS(s, i, end, apart) VKR_IN_STRANDS_OF(VKR_STRAND, s, i, end, apart)

#endif
