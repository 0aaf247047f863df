/* SPDX-License-Identifier: MIT */
/* The number of elements, which may lie in GPU memory. */
#ifndef VKR_COUNT_GLSL
#define VKR_COUNT_GLSL

#if defined(VKR_SEGMENTS) || defined(VKR_OF_TILES)
#define VKR_CAPACITY uvec2(uniforms.capacity_low, uniforms.capacity_high)
#else
#define VKR_CAPACITY uvec2(push.capacity_low, push.capacity_high)
#endif

/* The number of elements of the whole operation: the host's count, or the GPU's if that is less. */
uvec2 vkr_total()
{
    uvec2 total = VKR_CAPACITY;
    if ((VKR_FLAGS & VKR_FLAG_GPU_COUNT) != 0u) {
        uvec2 count = uvec2(vkr_count[push.count_base], 0u);
        if ((VKR_FLAGS & VKR_FLAG_GPU_COUNT64) != 0u)
            count.y = vkr_count[push.count_base + 1u];
        total = vkr_minimum(total, count);
    }
    return total;
}

#ifndef VKR_OF_TILES
/* The number of elements that this dispatch covers. */
uint vkr_covered(const uvec2 total)
{
    uint covered = push.count;
    if ((VKR_FLAGS & VKR_FLAG_GPU_COUNT) != 0u && (VKR_FLAGS & VKR_FLAG_REPLACED) == 0u) {
        uvec2 first = uvec2(push.first_low, push.first_high);
        uvec2 left = vkr_less(first, total) ? vkr_subtract(total, first) : uvec2(0u);
        covered = vkr_minimum(left, uvec2(covered, 0u)).x;
    }
    return covered;
}
#endif

#endif
