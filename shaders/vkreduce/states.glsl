/* SPDX-License-Identifier: MIT */
/* The states of all components of a segment. */
#ifndef VKR_STATES_GLSL
#define VKR_STATES_GLSL

VkrStates vkr_identities()
{
    VkrStates s;
    vkr_clear(s);
    return s;
}

VkrStates vkr_combine(VkrStates a, const VkrStates b)
{
    VKR_EACH(c)
        vkr_replace_state(a, VKR_AT(c),
                          vkr_combine(vkr_state_of(a, VKR_AT(c)), vkr_state_of(b, VKR_AT(c))));
    return a;
}

#if !VKR_LINKED
/* Combines the states with partial i of those that start at `base`; it joins the held sums. */
void vkr_take_partial(inout VkrStates s, const uint base, const uint i)
{
    uint at = base + i * VKR_STATE_WORDS * VKR_ALL_COMPONENTS;
    VKR_EACH(c)
        vkr_replace_state(s, VKR_AT(c),
                          vkr_combine(vkr_state_of(s, VKR_AT(c)),
                                      vkr_load_partial(at + VKR_PLACE(c) * VKR_STATE_WORDS)));
    vkr_end_strand(s);
}
#endif

#endif
