/* SPDX-License-Identifier: MIT */
/* Sums of the numbers of a workgroup's invocations: of all, and of those before each. */
#ifndef VKR_TREE_GLSL
#define VKR_TREE_GLSL

/* A binary tree: node i is the sum of nodes 2 i and 2 i + 1, and node VKR_WORKGROUP + i is the
 * number of invocation i. */
shared uint vkr_tree[2u * VKR_WORKGROUP];

void vkr_build_tree(const uint number)
{
    const uint lane = gl_LocalInvocationIndex;
    barrier(); /* the previous tree has been read */
    vkr_tree[VKR_WORKGROUP + lane] = number;
    barrier();
    for (uint nodes = VKR_WORKGROUP / 2u; nodes > 0u; nodes /= 2u) {
        if (lane < nodes)
            vkr_tree[nodes + lane] =
                vkr_tree[2u * (nodes + lane)] + vkr_tree[2u * (nodes + lane) + 1u];
        barrier();
    }
}

/* The sum of the numbers of the invocations before this one. */
uint vkr_sum_before()
{
    uint sum = 0u;
    for (uint node = VKR_WORKGROUP + gl_LocalInvocationIndex; node > 1u; node /= 2u)
        if ((node & 1u) != 0u)
            sum += vkr_tree[node - 1u];
    return sum;
}

#endif
