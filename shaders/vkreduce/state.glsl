/* SPDX-License-Identifier: MIT */
/* What a scan combines: the term of every component, and whether a segment starts in what it stands
 * for: then nothing before counts. */
#ifndef VKR_STATE_GLSL
#define VKR_STATE_GLSL

#if VKR_VECTOR
#define VKR_MAX_STATES 4 /* constant, so that it can be copied */
#else
#define VKR_MAX_STATES 1
#endif
struct VkrScan {
    VkrTerm state[VKR_MAX_STATES];
    uint head;
};

VkrScan vkr_scan_identity()
{
    VkrScan s;
    for (uint c = 0u; c < uint(VKR_MAX_STATES); c++)
        s.state[c] = vkr_term_identity();
    s.head = 0u;
    return s;
}

VkrScan vkr_scan_combine(const VkrScan before, VkrScan after)
{
    if (!VKR_SEGMENTED || after.head == 0u) {
        VKR_EACH(c)
            after.state[VKR_AT(c)] =
                vkr_term_combine(before.state[VKR_AT(c)], after.state[VKR_AT(c)]);
    }
    if (VKR_SEGMENTED)
        after.head |= before.head;
    return after;
}

#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
VkrScan vkr_scan_shuffle(VkrScan s, const uint lane)
{
    VKR_EACH(c) {
#if VKR_TERM_WORDS == 2
        s.state[VKR_AT(c)] =
            packUint2x32(subgroupShuffle(unpackUint2x32(s.state[VKR_AT(c)]), lane));
#else
        s.state[VKR_AT(c)] = subgroupShuffle(s.state[VKR_AT(c)], lane);
#endif
    }
    if (VKR_SEGMENTED)
        s.head = subgroupShuffle(s.head, lane);
    return s;
}
#endif

shared VkrTerm vkr_shared_states[VKR_SLOTS * VKR_COMPONENTS];
shared uint vkr_shared_heads[VKR_SLOTS];

void vkr_scan_put(const uint slot, const VkrScan s)
{
    VKR_EACH(c)
        vkr_shared_states[slot * VKR_COMPONENTS + VKR_AT(c)] = s.state[VKR_AT(c)];
    if (VKR_SEGMENTED)
        vkr_shared_heads[slot] = s.head;
}

VkrScan vkr_scan_get(const uint slot)
{
    VkrScan s = vkr_scan_identity();
    VKR_EACH(c)
        s.state[VKR_AT(c)] = vkr_shared_states[slot * VKR_COMPONENTS + VKR_AT(c)];
    if (VKR_SEGMENTED)
        s.head = vkr_shared_heads[slot];
    return s;
}

#define VKR_GROUP_T VkrScan
#define VKR_GROUP_IDENTITY vkr_scan_identity()
#define VKR_GROUP_COMBINE(before, after) vkr_scan_combine(before, after)
#define VKR_GROUP_SHUFFLE(s, lane) vkr_scan_shuffle(s, lane)
#define VKR_GROUP_PUT(slot, s) vkr_scan_put(slot, s)
#define VKR_GROUP_GET(slot) vkr_scan_get(slot)
#include "lanes.glsl"

#endif
