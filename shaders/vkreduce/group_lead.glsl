/* SPDX-License-Identifier: MIT */
/* The part of group.glsl that reduces for one invocation: `lead`. It has no include guard, since
 * group.glsl includes it for each of its types. */

#ifndef VKR_GROUP_ALL
#define VKR_GROUP_ALL VKR_GROUP_T
#define VKR_GROUP_EACH(c)
#define VKR_GROUP_PART(v, c) v
#define VKR_GROUP_PUT_PART(c, i, v) VKR_GROUP_PUT(i, v)
#define VKR_GROUP_GET_PART(c, i) VKR_GROUP_GET(i)
#endif
#ifndef VKR_GROUP_SET_PART
#define VKR_GROUP_SET_PART(v, c, x) VKR_GROUP_PART(v, c) = x
#endif

#if VKR_GROUP_PATH == VKR_GROUP_BY_SHARED
void VKR_GROUP_NAME(lead)(inout VKR_GROUP_ALL v)
{
    uint i = gl_LocalInvocationIndex;
#ifndef VKR_GROUP_LEAD_ONLY
    barrier(); /* what was in the slots has been read */
#endif
    VKR_GROUP_EACH(c) {
        VKR_GROUP_PUT_PART(c, i, VKR_GROUP_PART(v, c));
        barrier();
        for (uint apart = VKR_GROUP_SIZE / 2u; apart > 0u; apart >>= 1) {
            if (i < apart) {
                VKR_GROUP_SET_PART(
                    v, c,
                    VKR_GROUP_COMBINE(VKR_GROUP_PART(v, c), VKR_GROUP_GET_PART(c, i + apart)));
                VKR_GROUP_PUT_PART(c, i, VKR_GROUP_PART(v, c));
            }
            barrier();
        }
    }
}
#else
/* Combines a row, valid in its first lane. A lane without a partner keeps its value, which is that
 * of its whole part of the row. */
VKR_GROUP_T VKR_GROUP_NAME(subgroup_lead)(VKR_GROUP_T v)
{
#if VKR_GROUP_PATH == VKR_GROUP_BY_ARITHMETIC && defined(VKR_GROUP_REDUCE)
    return VKR_GROUP_REDUCE(v);
#else
    uint filled = VKR_GROUP_NAME(filled)();
    for (uint mask = 1u; mask < filled; mask <<= 1) {
        VKR_GROUP_T other = VKR_GROUP_SHUFFLE_XOR(v, mask);
#ifdef VKR_GROUP_FULL
        v = VKR_GROUP_COMBINE(v, other);
#else
        if ((VKR_GROUP_LANE ^ mask) < filled)
            v = VKR_GROUP_COMBINE(v, other);
#endif
    }
    return v;
#endif
}

void VKR_GROUP_NAME(lead)(inout VKR_GROUP_ALL v)
{
    uint width = VKR_GROUP_NAME(width)();
    uint rows = (VKR_GROUP_SIZE + width - 1u) / width;
    VKR_GROUP_EACH(c)
        VKR_GROUP_SET_PART(v, c, VKR_GROUP_NAME(subgroup_lead)(VKR_GROUP_PART(v, c)));
    if (VKR_GROUP_ROWS == 1u || rows == 1u)
        return;
    barrier(); /* what was in the slots has been read */
    if (VKR_GROUP_LANE == 0u) {
        VKR_GROUP_EACH(c) {
            VKR_GROUP_PUT_PART(c, VKR_GROUP_ROW, VKR_GROUP_PART(v, c));
        }
    }
    barrier();
    if (VKR_GROUP_ROW != 0u)
        return;
    VKR_GROUP_EACH(c) {
        VKR_GROUP_T sum = VKR_GROUP_IDENTITY;
        for (uint row = VKR_GROUP_LANE; row < rows; row += width)
            sum = VKR_GROUP_COMBINE(sum, VKR_GROUP_GET_PART(c, row));
        VKR_GROUP_SET_PART(v, c, VKR_GROUP_NAME(subgroup_lead)(sum));
    }
}
#endif
