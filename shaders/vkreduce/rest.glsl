/* SPDX-License-Identifier: MIT */
/* The number of elements of a row, of push.row_length each, which start push.row_pitch elements
 * apart, up to the number of all elements, which is below 2^32 and may lie in GPU memory. */
#ifndef VKR_REST_GLSL
#define VKR_REST_GLSL

/* The number of all elements. */
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

uint vkr_length_of_row(const uint row, const uint all)
{
    uint begin = row * push.row_pitch;
    return begin < all ? min(all - begin, push.row_length) : 0u;
}

#endif
