/* SPDX-License-Identifier: MIT */
/* The part of group.glsl that reduces and scans across subgroups. It has no include guard, since
 * group.glsl includes it for each of its types. */

/* Combines the rows before this one, and all rows, if there are several. `last` is a row's value in
 * its lane `end`. */
VKR_GROUP_T VKR_GROUP_NAME(rows)(const VKR_GROUP_T last, const uint end, out VKR_GROUP_T total)
{
    VKR_GROUP_T before = VKR_GROUP_IDENTITY;
    uint width = VKR_GROUP_NAME(width)();
    uint rows = (VKR_GROUP_SIZE + width - 1u) / width;
    barrier(); /* what was in the slots has been read */
    if (VKR_GROUP_LANE == end) {
        VKR_GROUP_PUT(VKR_GROUP_ROW, last);
    }
    barrier();
    total = VKR_GROUP_GET(0u);
    for (uint row = 1u; row < rows; row++) {
        VKR_GROUP_T next = VKR_GROUP_GET(row);
        if (row == VKR_GROUP_ROW)
            before = total;
        total = VKR_GROUP_COMBINE(total, next);
    }
    return before;
}

VKR_GROUP_T VKR_GROUP_NAME(subgroups_exclusive)(const VKR_GROUP_T v, out VKR_GROUP_T total)
{
    total = v;
    if (VKR_GROUP_ROWS == 1u)
        return VKR_GROUP_IDENTITY;
    return VKR_GROUP_NAME(rows)(v, 0u, total);
}

VKR_GROUP_T VKR_GROUP_NAME(reduce)(VKR_GROUP_T v)
{
    v = VKR_GROUP_NAME(subgroup_reduce)(v);
    VKR_GROUP_NAME(subgroups_exclusive)(v, v);
    return v;
}

VKR_GROUP_T VKR_GROUP_NAME(inclusive)(VKR_GROUP_T v, out VKR_GROUP_T total)
{
    uint end = VKR_GROUP_NAME(filled)() - 1u;
    v = VKR_GROUP_NAME(subgroup_inclusive)(v);
    if (VKR_GROUP_ROWS == 1u) {
        total = VKR_GROUP_SHUFFLE(v, end);
    } else {
        VKR_GROUP_T before = VKR_GROUP_NAME(rows)(v, end, total);
        if (VKR_GROUP_ROW > 0u)
            v = VKR_GROUP_COMBINE(before, v);
    }
    return v;
}

VKR_GROUP_T VKR_GROUP_NAME(exclusive)(VKR_GROUP_T v, out VKR_GROUP_T total)
{
    VKR_GROUP_T row;
    v = VKR_GROUP_NAME(subgroup_exclusive)(v, row);
    VKR_GROUP_T before = VKR_GROUP_NAME(subgroups_exclusive)(row, total);
#ifdef VKR_GROUP_NEUTRAL
    if (VKR_GROUP_ROWS > 1u)
        v = VKR_GROUP_COMBINE(before, v);
#else
    if (VKR_GROUP_ROWS > 1u && VKR_GROUP_ROW > 0u)
        v = VKR_GROUP_LANE > 0u ? VKR_GROUP_COMBINE(before, v) : before;
#endif
    return v;
}

VKR_GROUP_T VKR_GROUP_NAME(first)(VKR_GROUP_T v)
{
#if VKR_GROUP_PATH != VKR_GROUP_BY_SHARED
    if (VKR_GROUP_ROWS == 1u)
        return VKR_GROUP_SHUFFLE(v, 0u);
#endif
    barrier(); /* what was in the slots has been read */
    if (VKR_GROUP_NAME(rank)() == 0u) {
        VKR_GROUP_PUT(0u, v);
    }
    barrier();
    return VKR_GROUP_GET(0u);
}
