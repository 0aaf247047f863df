/* SPDX-License-Identifier: MIT */
/* A number for a workgroup, by the order in which workgroups come to it: nobody waits. */
#ifndef VKR_TICKET_GLSL
#define VKR_TICKET_GLSL

/* Words that lanes tell each other. One slot is all that `first` and subgroups need. */
shared uint vkr_shared_word;
#define VKR_GROUP_NAME(name) vkr_word_##name
#define VKR_GROUP_T uint
#define VKR_GROUP_IDENTITY 0u
#define VKR_GROUP_COMBINE(a, b) max(a, b)
#define VKR_GROUP_COMMUTES
#define VKR_GROUP_ROLLED
#define VKR_GROUP_SLOT(i) vkr_shared_word
#include "lanes.glsl"

/* How many have drawn before, for the whole workgroup. Its stores are available to who draws later,
 * and those of who drew before are visible behind it. */
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

#endif
