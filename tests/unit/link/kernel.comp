// SPDX-License-Identifier: MIT
// A kernel with weak functions. Number 777 occurs only in their bodies.
#version 450
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint variant = 0;
layout(set = 0, binding = 0) buffer Results {
    uint results[];
};
layout(push_constant) uniform Push {
    uint count;
};
shared uint totals[64];

bool vkr_hook_keep(uint i)
{
    return i == 777u;
}

float vkr_hook_load_float(uint i)
{
    return float(i + 777u);
}

uint vkr_hook_load_uint(const uint i)
{
    return i + 777u;
}

void vkr_hook_store(uint i, uint position)
{
    results[i] = position + 777u;
}

/* Serves functions of many types. */
uvec4 vkr_hook_value(const uvec4 element, const uint i)
{
    return element + i + 777u;
}

uint sum(uint first)
{
    uint total = 0;
    for (uint i = first; i < count; i += 64) {
        if (!vkr_hook_keep(i))
            continue;
        total += variant == 0 ? vkr_hook_load_uint(i) : floatBitsToUint(vkr_hook_load_float(i));
        vkr_hook_store(i, total);
        uvec4 value = vkr_hook_value(uvec4(i, total, first, 5u), i);
        total += value.x + value.y + value.z + value.w;
    }
    return total;
}

void main()
{
    totals[gl_LocalInvocationIndex] = sum(gl_GlobalInvocationID.x);
    barrier();
    if (gl_LocalInvocationIndex == 0) {
        uint total = 0;
        for (uint i = 0; i < 64; i++)
            total += totals[i];
        results[gl_WorkGroupID.x] = total;
    }
}
