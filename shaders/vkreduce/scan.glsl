/* SPDX-License-Identifier: MIT */
/*
 * Exclusive scan across a workgroup, in the order of its lanes.
 *
 * Included twice: first for VKR_SCAN_SLOTS, lanes and rows. Then the includer defines
 *     VkrScan                                            which need not be commutative
 *     VkrScan vkr_scan_identity()
 *     VkrScan vkr_scan_combine(VkrScan before, VkrScan after)
 *     VkrScan vkr_scan_shuffle(VkrScan s, uint lane)     where there are subgroup operations
 *     void vkr_scan_put(uint slot, VkrScan s)            in shared memory of VKR_SCAN_SLOTS
 *     VkrScan vkr_scan_get(uint slot)
 * and VKR_SCAN_DEFINED, and includes it again for the rest. Source: Hillis and Steele (1986),
 * inside a subgroup and in shared memory.
 */
#ifndef VKR_SCAN_GLSL
#define VKR_SCAN_GLSL

#if VKR_RUNG == VKR_BUILD_SHARED
const uint VKR_SCAN_SLOTS = VKR_WORKGROUP;
#else
const uint VKR_SCAN_SLOTS = VKR_SUBGROUPS;
#endif

/* Whether subgroup operations are known to reach the whole workgroup. A constant, since CPU drivers
 * execute both sides of a branch, and barriers cost them time to compile. */
bool vkr_is_one_row()
{
#if VKR_RUNG == VKR_BUILD_SHARED
    return false;
#else
    return VKR_SUBGROUPS == 1u;
#endif
}

/* An invocation's place in the workgroup: consecutive inside a subgroup. */
uint vkr_lane()
{
#if VKR_RUNG == VKR_BUILD_SHARED
    return gl_LocalInvocationIndex;
#else
    if (vkr_is_one_row())
        return gl_SubgroupInvocationID;
    return gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID;
#endif
}

bool vkr_is_leader()
{
    return vkr_lane() == 0u;
}

/* Invocations that scan by subgroup operations: consecutive lanes; 1 without these. A constant for
 * one row, so that loops over it can be unrolled. */
uint vkr_row_size()
{
#if VKR_RUNG == VKR_BUILD_SHARED
    return 1u;
#else
    if (vkr_is_one_row())
        return VKR_WORKGROUP;
    return min(gl_SubgroupSize, VKR_WORKGROUP);
#endif
}

#endif

#ifdef VKR_SCAN_DEFINED

/* Replaces each lane's value by the combination of those before it in its row; `total` is that of
 * the whole row. */
void vkr_row_scan(inout VkrScan s, out VkrScan total)
{
#if VKR_RUNG == VKR_BUILD_SHARED
    total = s;
    s = vkr_scan_identity();
#else
    uint lane = gl_SubgroupInvocationID;
    uint filled = vkr_row_size();
    uint steps = uint(findMSB(filled)); /* counted, so that drivers unroll them */
    for (uint step_ = 0u; step_ < steps; step_++) {
        uint d = 1u << step_;
        VkrScan before = vkr_scan_shuffle(s, lane >= d ? lane - d : lane);
        if (lane >= d)
            s = vkr_scan_combine(before, s);
    }
    total = vkr_scan_shuffle(s, filled - 1u);
    s = vkr_scan_shuffle(s, lane > 0u ? lane - 1u : 0u);
    if (lane == 0u)
        s = vkr_scan_identity();
#endif
}

/* The same across the workgroup, of values that are the same in a whole row. */
void vkr_rows_scan(inout VkrScan s, out VkrScan total)
{
#if VKR_RUNG == VKR_BUILD_SHARED
    uint lane = gl_LocalInvocationIndex;
    barrier(); /* the last scan has been read */
    vkr_scan_put(lane, s);
    barrier();
    for (uint d = 1u; d < VKR_WORKGROUP; d <<= 1) {
        if (lane >= d)
            s = vkr_scan_combine(vkr_scan_get(lane - d), s);
        barrier();
        vkr_scan_put(lane, s);
        barrier();
    }
    total = vkr_scan_get(VKR_WORKGROUP - 1u);
    s = vkr_scan_identity();
    if (lane > 0u)
        s = vkr_scan_get(lane - 1u);
#else
    total = s;
    s = vkr_scan_identity();
    /* Computed, since gl_NumSubgroups rounds down on some drivers. */
    uint rows = (VKR_WORKGROUP + gl_SubgroupSize - 1u) / gl_SubgroupSize;
    if (vkr_is_one_row())
        return;
    barrier();
    if (gl_SubgroupInvocationID == 0u)
        vkr_scan_put(gl_SubgroupID, total);
    barrier();
    total = vkr_scan_identity();
    for (uint row = 0u; row < rows; row++) {
        if (row == gl_SubgroupID)
            s = total;
        total = vkr_scan_combine(total, vkr_scan_get(row));
    }
#endif
}

/* Replaces each lane's value by the combination of those before it; `total` is that of all. To be
 * reached by all invocations of the workgroup. */
void vkr_workgroup_scan(inout VkrScan s, out VkrScan total)
{
    VkrScan row;
    vkr_row_scan(s, row);
    VkrScan before = row;
    vkr_rows_scan(before, total);
    s = vkr_scan_combine(before, s);
}

shared uint vkr_shared_word;

/* The leader's value, in the whole workgroup. */
uint vkr_from_leader(const uint v)
{
#if VKR_RUNG != VKR_BUILD_SHARED
    if (vkr_is_one_row())
        return subgroupShuffle(v, 0u);
#endif
    barrier();
    if (vkr_is_leader())
        vkr_shared_word = v;
    barrier();
    return vkr_shared_word;
}

/* The greatest of all invocations' values. */
uint vkr_workgroup_max(uint v)
{
#if VKR_RUNG != VKR_BUILD_SHARED
    for (uint mask = 1u; mask < vkr_row_size(); mask <<= 1) {
        uint other = subgroupShuffleXor(v, mask);
        if ((gl_SubgroupInvocationID ^ mask) < vkr_row_size())
            v = max(v, other);
    }
    if (vkr_is_one_row())
        return v;
#endif
    barrier();
    if (vkr_is_leader())
        vkr_shared_word = 0u;
    barrier();
    if (v != 0u)
        atomicMax(vkr_shared_word, v);
    barrier();
    return vkr_shared_word;
}

#endif
