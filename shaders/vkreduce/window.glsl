/* SPDX-License-Identifier: MIT */
/* Positions that only the GPU knows, relative to the window of positions that is bound. */
#ifndef VKR_WINDOW_GLSL
#define VKR_WINDOW_GLSL

#include "wide.glsl"

/* A position relative to a window, in 32 bits that wrap below 0; `count` if the run does not reach
 * the window. Runs and windows have less than 2^31 elements. */
uint vkr_in_window(const uvec2 position, const uvec2 first, const uint count)
{
    uvec2 at = vkr_subtract(position, first);
    bool above = at.y == 0u && at.x < 0x80000000u;
    bool below = at.y == 0xffffffffu && at.x >= 0x80000000u;
    return above || below ? at.x : count;
}

/* Whether some of `n` positions, starting at `at`, which vkr_in_window returned, lie in the
 * window. */
bool vkr_meets(const uint at, const uint n, const uint count)
{
    return n != 0u && (at < count || (at >= 0x80000000u && at + n < 0x80000000u && at + n != 0u));
}

#endif
