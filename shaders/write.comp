/* SPDX-License-Identifier: MIT */
/*
 * Writes the results of tiles, which lie in scratch memory, as texels of an image: one invocation
 * for each tile. They are rounded like texels of pyramids.
 *
 * Built with -DVKR_ELEMENT=VKR_CLASS_F32|W32|S32 and -DVKR_LOADS=VKR_LOADS_2D|ARRAY.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/image_type.glsl"
#include "cards/write.h"
#include "vkreduce/half.glsl"
#include "vkreduce/texel.glsl"

/* A result, widened to 32 bits. */
uint vkr_result_at(const uint at, const uint size)
{
    uint word = vkr_results[at / 4u] >> 8u * (at % 4u);
#if VKR_ELEMENT == VKR_CLASS_F32
    if (size == 4u)
        return word;
    return vkr_widen_half(word & 0xffffu, size == VKR_WRITE_BFLOAT);
#elif VKR_ELEMENT == VKR_CLASS_W32
    return bitfieldExtract(word, 0, int(8u * size));
#else
    return uint(bitfieldExtract(int(word), 0, int(8u * size)));
#endif
}

uvec4 vkr_codes_of_results(const uvec4 bits)
{
#if VKR_ELEMENT == VKR_CLASS_F32
    if (VKR_FLOATS)
        return vkr_codes_of_floats(bits);
    /* The mean of no element is NaN, which drivers clamp to different numbers. */
    uvec4 numbers =
        mix(bits, uvec4(0u), greaterThan(bits & 0x7fffffffu, uvec4(0x7f800000u)));
    return vkr_codes_of(uintBitsToFloat(numbers));
#else
    return vkr_codes_of(VkrTexel(bits));
#endif
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint i = group * VKR_WORKGROUP + gl_LocalInvocationIndex;
    if (group >= push.groups || i >= push.count)
        return;
    uvec4 bits = uvec4(0u);
    for (uint c = 0u; c < VKR_CHANNELS; c++)
        bits[c] = vkr_result_at(push.base + i * push.stride + push.at[c], push.size[c]);
    uint tile = push.first + i;
    uint row = tile / push.columns;
    uvec3 at = uvec3(tile - row * push.columns, row % push.rows, row / push.rows);
    imageStore(vkr_written, VKR_POINT(at), vkr_texel_of(vkr_codes_of_results(bits)));
}
