#version 450
// SPDX-License-Identifier: MIT
// The last step of a counting sort: each key's index goes to the next free place of its bucket.
layout(local_size_x = 64) in;

layout(binding = 0) readonly buffer Keys {
    uint keys[];
};
layout(binding = 1) buffer Starts {
    uint starts[];
};
layout(binding = 2) writeonly buffer Sorted {
    uint sorted[];
};

void main()
{
    uint i = gl_GlobalInvocationID.x;
    if (i < keys.length())
        sorted[atomicAdd(starts[keys[i]], 1u)] = i;
}
