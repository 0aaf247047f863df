/* SPDX-License-Identifier: MIT */
/* Numbers workgroups in the order in which they draw a ticket, without waiting; see also
 * published.glsl. */
#ifndef VKR_TICKET_GLSL
#define VKR_TICKET_GLSL

/* The word through which lanes share a value: the functions called here use only one slot. */
shared uint vkr_shared_word;
#define VKR_GROUP_NAME(name) vkr_word_##name
#define VKR_GROUP_T uint
#define VKR_GROUP_IDENTITY 0u
#define VKR_GROUP_COMBINE(a, b) max(a, b)
#define VKR_GROUP_REDUCE(v) subgroupMax(v)
#define VKR_GROUP_COMMUTES
#define VKR_GROUP_ROLLED
#define VKR_GROUP_SLOT(i) vkr_shared_word
#include "lanes.glsl"

/* Draws a ticket: returns to the whole workgroup how many workgroups have drawn before it. Its
 * stores are available to those that draw later, and the stores of those that drew before are
 * visible to it. */
uint vkr_draw_ticket()
{
    uint ticket = 0u;
    memoryBarrierBuffer();
#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
    if (VKR_ONE_SUBGROUP)
        subgroupBarrier();
#endif
    if (!VKR_ONE_SUBGROUP)
        barrier();
    if (vkr_is_leader()) {
        memoryBarrierBuffer();
        ticket = atomicAdd(vkr_counter[push.counter_base], 1u);
        memoryBarrierBuffer();
    }
    ticket = vkr_word_first(ticket);
    memoryBarrierBuffer();
    return ticket;
}

/* Draws a ticket if `groups` workgroups draw one: returns true in the last workgroup, which resets
 * the counter to zero for the next submission. */
bool vkr_draw_last(const uint groups)
{
    bool is_last = vkr_draw_ticket() + 1u == groups;
    if (is_last && vkr_is_leader())
        vkr_counter[push.counter_base] = 0u;
    return is_last;
}

#endif
