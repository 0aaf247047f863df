/* SPDX-License-Identifier: MIT */
/* A shader that an application dispatches indirectly on compacted data: entry i of the result is
 * twice the i-th kept element plus 1. */
#version 450
layout(local_size_x = 64) in;
layout(binding = 0) buffer Kept
{
    uint kept[];
};
layout(binding = 1) buffer Count
{
    uint count;
};
layout(binding = 2) buffer Result
{
    uint result[];
};

void main()
{
    const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    const uint i = group * 64 + gl_LocalInvocationIndex;
    if (i < count)
        result[i] = 2 * kept[i] + 1;
}
