/* SPDX-License-Identifier: MIT */
/* A workgroup and shared memory of any size: LENGTH + 1 words, or twice as many. */
#version 450
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint LENGTH = 1u;
layout(constant_id = 2) const bool TWICE = false;
const uint WORDS = (TWICE ? 2u : 1u) * (LENGTH + 1u);
shared uint words[WORDS];

layout(binding = 0) buffer Result
{
    uint result[];
};

void main()
{
    const uint i = gl_LocalInvocationIndex;
    words[i % WORDS] = i;
    barrier();
    result[i] = words[(i + 1u) % WORDS];
}
