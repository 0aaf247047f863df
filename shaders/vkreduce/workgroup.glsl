/* SPDX-License-Identifier: MIT */
/*
 * Reduction of states across a workgroup, to its leader.
 *
 * With subgroup operations: one subgroup reduction, one barrier, and subgroup 0 reduces what the
 * subgroups left. With shared memory alone: the tree with sequential addressing (Ramalho 2014), one
 * component after the other, 1 + log2(VKR_WORKGROUP) barriers each; its order is the canonical one.
 */
#ifndef VKR_WORKGROUP_GLSL
#define VKR_WORKGROUP_GLSL

#if VKR_RUNG == VKR_BUILD_SHARED

bool vkr_is_leader()
{
    return gl_LocalInvocationIndex == 0u;
}

void vkr_workgroup_reduce(inout VkrStates s)
{
    uint lane = gl_LocalInvocationIndex;
    VKR_EACH(c) {
        vkr_store_state(lane, true, s.of[VKR_AT(c)]);
        barrier();
        for (uint half_ = VKR_WORKGROUP / 2u; half_ > 0u; half_ >>= 1) {
            if (lane < half_) {
                s.of[VKR_AT(c)] =
                    vkr_combine(s.of[VKR_AT(c)], vkr_load_state(lane + half_, true));
                vkr_store_state(lane, true, s.of[VKR_AT(c)]);
            }
            barrier();
        }
    }
}

#else

bool vkr_is_leader()
{
    return gl_SubgroupID == 0u && gl_SubgroupInvocationID == 0u;
}

/* Computed, since gl_NumSubgroups rounds down on some drivers. */
uint vkr_subgroup_count()
{
    return (VKR_WORKGROUP + gl_SubgroupSize - 1u) / gl_SubgroupSize;
}

uint vkr_subgroup_filled()
{
    return min(gl_SubgroupSize, VKR_WORKGROUP - gl_SubgroupID * gl_SubgroupSize);
}

/* Where the words of slot k of a component start. */
uint vkr_slot(const uint component, const uint k)
{
    return component * VKR_STATE_WORDS * VKR_SLOTS + k;
}

void vkr_workgroup_reduce(inout VkrStates s)
{
    uint filled = vkr_subgroup_filled();
    uint subgroups = vkr_subgroup_count();
    VKR_EACH(c)
        s.of[VKR_AT(c)] = vkr_subgroup_reduce(s.of[VKR_AT(c)], filled);
    if (subgroups == 1u)
        return;
    barrier(); /* the last reduction of this workgroup has been read */
    if (gl_SubgroupInvocationID == 0u) {
        VKR_EACH(c)
            vkr_store_state(vkr_slot(VKR_AT(c), gl_SubgroupID), true, s.of[VKR_AT(c)]);
    }
    barrier();
    if (gl_SubgroupID != 0u)
        return;
    VKR_EACH(c) {
        VkrState all_ = vkr_identity();
        for (uint k = gl_SubgroupInvocationID; k < subgroups; k += filled)
            all_ = vkr_combine(all_, vkr_load_state(vkr_slot(VKR_AT(c), k), true));
        s.of[VKR_AT(c)] = vkr_subgroup_reduce(all_, filled);
    }
}

#endif

#endif
