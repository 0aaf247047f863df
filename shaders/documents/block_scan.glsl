/* SPDX-License-Identifier: MIT */
/*
 * Prefix sums of blocks of VKR_BLOCK numbers; a workgroup of VKR_WORKGROUP has VKR_SHARE numbers in
 * shared memory. Blelloch's sweeps go up to VKR_NODES nodes of each block and down again; the
 * algorithm of Hillis and Steele scans the nodes. So VKR_NODES = VKR_BLOCK is their algorithm
 * alone, and VKR_NODES = 1 is Blelloch's. All four are powers of two. VKR_ON_ADDITION is expanded
 * for each addition. Sources: W. D. Hillis, G. L. Steele, "Data Parallel Algorithms" (1986); G. E.
 * Blelloch, "Prefix Sums and Their Applications" (1990); S. Sengupta, A. E. Lefohn, J. D. Owens, "A
 * Work-Efficient Step-Efficient Prefix Sum Algorithm" (2006).
 */
#ifndef VKR_BLOCK_SCAN_GLSL
#define VKR_BLOCK_SCAN_GLSL

#ifndef VKR_ON_ADDITION
#define VKR_ON_ADDITION()
#endif

const uint VKR_NODE = VKR_BLOCK / VKR_NODES; /* numbers below a node */
const uint VKR_ALL_NODES = VKR_SHARE / VKR_NODE;

shared uint vkr_sums[VKR_SHARE];
shared uint vkr_nodes[2 * VKR_ALL_NODES]; /* two buffers */
uint vkr_nodes_at = 0u;                   /* the buffer that has the nodes */

uint vkr_node_index(const uint node)
{
    return (node + 1u) * VKR_NODE - 1u;
}

void vkr_sweep_up()
{
    for (uint d = 1u; d < VKR_NODE; d *= 2u) {
        for (uint k = gl_LocalInvocationIndex; k < VKR_SHARE / 2u / d; k += VKR_WORKGROUP) {
            uint right = (2u * k + 2u) * d - 1u;
            vkr_sums[right] += vkr_sums[right - d];
            VKR_ON_ADDITION()
        }
        barrier();
    }
}

/* Computes inclusive sums of the nodes of each block. */
void vkr_scan_nodes()
{
    for (uint node = gl_LocalInvocationIndex; node < VKR_ALL_NODES; node += VKR_WORKGROUP)
        vkr_nodes[node] = vkr_sums[vkr_node_index(node)];
    barrier();
    for (uint d = 1u; d < VKR_NODES; d *= 2u) {
        uint to = VKR_ALL_NODES - vkr_nodes_at;
        for (uint node = gl_LocalInvocationIndex; node < VKR_ALL_NODES; node += VKR_WORKGROUP) {
            uint sum = vkr_nodes[vkr_nodes_at + node];
            if ((node & (VKR_NODES - 1u)) >= d) {
                sum += vkr_nodes[vkr_nodes_at + node - d];
                VKR_ON_ADDITION()
            }
            vkr_nodes[to + node] = sum;
        }
        vkr_nodes_at = to;
        barrier();
    }
}

/* Turns the prefixes of the nodes into prefixes of all numbers, from level to level. */
void vkr_sweep_down()
{
    for (uint node = gl_LocalInvocationIndex; node < VKR_ALL_NODES; node += VKR_WORKGROUP) {
        bool is_first = (node & (VKR_NODES - 1u)) == 0u;
        uint before = vkr_nodes[vkr_nodes_at + node - (is_first ? 0u : 1u)];
        vkr_sums[vkr_node_index(node)] = is_first ? 0u : before;
    }
    barrier();
    for (uint d = VKR_NODE / 2u; d > 0u; d /= 2u) {
        for (uint k = gl_LocalInvocationIndex; k < VKR_SHARE / 2u / d; k += VKR_WORKGROUP) {
            uint right = (2u * k + 2u) * d - 1u;
            uint before = vkr_sums[right];
            vkr_sums[right] = before + vkr_sums[right - d];
            vkr_sums[right - d] = before;
            VKR_ON_ADDITION()
        }
        barrier();
    }
}

/* Replaces the numbers in vkr_sums by the sums of the numbers before each one in its block. All
 * invocations of the workgroup call it; it starts and ends with a barrier. */
void vkr_scan_blocks()
{
    barrier();
    vkr_sweep_up();
    vkr_scan_nodes();
    vkr_sweep_down();
}

/* The sum of a block's numbers. */
uint vkr_total_of_block(const uint block)
{
    return vkr_nodes[vkr_nodes_at + (block + 1u) * VKR_NODES - 1u];
}

/* The sum of number i of the share and of all before it in its block. */
uint vkr_inclusive_sum(const uint i)
{
    if ((i & (VKR_BLOCK - 1u)) == VKR_BLOCK - 1u)
        return vkr_total_of_block(i / VKR_BLOCK);
    return vkr_sums[i + 1u];
}

#endif
