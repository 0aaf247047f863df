/* SPDX-License-Identifier: MIT */
/* The number of all elements, which is below 2^32 and may lie in GPU memory. */
#ifndef VKR_ALL_GLSL
#define VKR_ALL_GLSL

uint vkr_all_elements()
{
    uint all = push.capacity;
    if ((VKR_FLAGS & VKR_FLAG_GPU_COUNT) != 0u) {
        uint low = vkr_count[push.count_base];
        uint high = 0u;
        if ((VKR_FLAGS & VKR_FLAG_GPU_COUNT64) != 0u)
            high = vkr_count[push.count_base + 1u];
        all = high != 0u ? all : min(all, low);
    }
    return all;
}

#endif
