/* SPDX-License-Identifier: MIT */
/* A number for a workgroup, by the order in which workgroups come to it: nobody waits. */
#ifndef VKR_TICKET_GLSL
#define VKR_TICKET_GLSL

/* How many have drawn before, for the whole workgroup. Its stores are available to who draws later,
 * and those of who drew before are visible behind it. */
uint vkr_draw_ticket()
{
    uint ticket = 0u;
    memoryBarrierBuffer();
#if VKR_RUNG != VKR_BUILD_SHARED
    if (vkr_is_one_row())
        subgroupBarrier();
#endif
    if (!vkr_is_one_row())
        barrier();
    if (vkr_is_leader()) {
        memoryBarrierBuffer();
        ticket = atomicAdd(vkr_counter[push.counter_base], 1u);
        memoryBarrierBuffer();
    }
    ticket = vkr_from_leader(ticket);
    memoryBarrierBuffer();
    return ticket;
}

#endif
