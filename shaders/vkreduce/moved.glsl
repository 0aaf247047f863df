/* SPDX-License-Identifier: MIT */
/* What the kernels of moves share (cards/moved.h): how units are loaded, and how many. Built with
 * -DVKR_UNIT_BYTES=1|2|4|8|16; for 16 bytes also with -DVKR_LOADS=VKR_LOADS_TEXEL. */
#ifndef VKR_MOVED_GLSL
#define VKR_MOVED_GLSL

#if VKR_UNIT_BYTES <= 4
#define VkrMoved uint /* smaller integers are for storage only */
#else
#define VkrMoved VkrUnit
#endif

/* VKR_MOVED units are loaded by an invocation before it stores the first. */
#ifdef VKR_LOADS
#define VKR_SOURCE(unit) texelFetch(vkr_texels, int(unit))
#define VKR_MOVED 2u
#else
#define VKR_SOURCE(unit) vkr_source[unit]
#define VKR_MOVED (VKR_UNIT_BYTES == 16 ? 4u : 8u)
#endif

uvec2 vkr_recorded(const uint entry)
{
    uint at = push.record_base + entry;
    return uvec2(vkr_record[at], vkr_record[at + 1u]);
}

#endif
