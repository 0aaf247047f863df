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
const uint VKR_SLOTS = VKR_WORKGROUP;
const uint VKR_SLOT_WORDS = VKR_STATE_WORDS;
#else
const uint VKR_SLOTS = VKR_SUBGROUPS;
const uint VKR_SLOT_WORDS = VKR_STATE_WORDS * VKR_COMPONENTS;
#endif
/* Word i of slot k is at i * VKR_SLOTS + k. One word more, since count alone needs none. */
shared uint vkr_shared[VKR_SLOTS * VKR_SLOT_WORDS + 1u];

void vkr_shared_store(uint at, VkrState s)
{
#define VKR_ROW(name, type, users, identity, value, combine)                                       \
    if (VKR_HAS(users)) {                                                                          \
        VKR_PUT_##type(vkr_shared, at, VKR_SLOTS, s.name)                                          \
    }
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
}

VkrState vkr_shared_load(uint at)
{
    VkrState s = vkr_identity();
#define VKR_ROW(name, type, users, identity, value, combine)                                       \
    if (VKR_HAS(users)) {                                                                          \
        VKR_GET_##type(vkr_shared, at, VKR_SLOTS, s.name)                                          \
    }
    VKR_ROWS(VKR_ROW)
#undef VKR_ROW
    return s;
}

#if VKR_RUNG == VKR_BUILD_SHARED

bool vkr_is_leader()
{
    return gl_LocalInvocationIndex == 0u;
}

void vkr_workgroup_reduce(inout VkrState state[VKR_COMPONENTS])
{
    uint lane = gl_LocalInvocationIndex;
    VKR_EACH(c) {
        vkr_shared_store(lane, state[VKR_AT(c)]);
        barrier();
        for (uint s = VKR_WORKGROUP / 2u; s > 0u; s >>= 1) {
            if (lane < s) {
                state[VKR_AT(c)] = vkr_combine(state[VKR_AT(c)], vkr_shared_load(lane + s));
                vkr_shared_store(lane, state[VKR_AT(c)]);
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
uint vkr_slot(uint component, uint k)
{
    return component * VKR_STATE_WORDS * VKR_SLOTS + k;
}

void vkr_workgroup_reduce(inout VkrState state[VKR_COMPONENTS])
{
    uint filled = vkr_subgroup_filled();
    uint subgroups = vkr_subgroup_count();
    VKR_EACH(c)
        state[VKR_AT(c)] = vkr_subgroup_reduce(state[VKR_AT(c)], filled);
    if (subgroups == 1u)
        return;
    barrier(); /* the last reduction of this workgroup has been read */
    if (gl_SubgroupInvocationID == 0u) {
        VKR_EACH(c)
            vkr_shared_store(vkr_slot(VKR_AT(c), gl_SubgroupID), state[VKR_AT(c)]);
    }
    barrier();
    if (gl_SubgroupID != 0u)
        return;
    VKR_EACH(c) {
        VkrState s = vkr_identity();
        for (uint k = gl_SubgroupInvocationID; k < subgroups; k += filled)
            s = vkr_combine(s, vkr_shared_load(vkr_slot(VKR_AT(c), k)));
        state[VKR_AT(c)] = vkr_subgroup_reduce(s, filled);
    }
}

#endif

#endif
