/* SPDX-License-Identifier: MIT */
/*
 * Writes elements to a buffer, for kernels that only read buffers: copies the texels of an image,
 * maps the elements of an image or a buffer, or computes one bit from each texel.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/stored.glsl"
#include "cards/stage.h"

#define VKR_INPUTS 1
#define VKR_OF_STAGE
#include "vkreduce/variant.glsl"
#include "vkreduce/type.glsl"
#include "vkreduce/load.glsl"

#if !VKR_OF_IMAGE
#include "cards/image.h"

struct VkrUnit {
    uvec4 packs[1];
};

VkrUnit vkr_load_unit(const uint u)
{
    VkrUnit unit;
    for (uint c = 0u; c < VKR_COMPONENTS; c++)
        unit.packs[0][c] =
            VKR_LOADED(vkr_source[push.source_base + u * push.source_stride + c]);
    return unit;
}

#define vkr_start_units(walk)
#endif

#include "vkreduce/map.glsl"

/* The bits of a component as a float. Integers of 32 bits are rounded once, when their halves are
 * added. */
uint vkr_float_of(const uint bits)
{
#if VKR_ELEMENT == VKR_CLASS_F32
    return bits;
#elif VKR_ELEMENT == VKR_CLASS_F16
    return vkr_widen_half(bits, VKR_BFLOAT);
#else
    uint magnitude = vkr_absolute(bits);
    precise float rounded = float(magnitude >> 16) * 65536.0 + float(magnitude & 0xffffu);
    bool is_negative = VKR_SIGNED && (bits & VKR_SIGN) != 0u;
    return floatBitsToUint(rounded) | (is_negative ? 0x80000000u : 0u);
#endif
}

uvec4 vkr_floats_of(const uvec4 bits)
{
    uvec4 floats = uvec4(0u);
    for (uint c = 0u; c < VKR_COMPONENTS; c++)
        floats[c] = vkr_float_of(bits[c]);
    return floats;
}

void vkr_store_unit(const uint u, const VkrUnit unit)
{
    if (VKR_MAPPED) {
        vkr_values[push.base + u] = vkr_map(vkr_floats_of(unit.packs[0]));
        return;
    }
    if (VKR_COMPONENTS == 4u) {
        vkr_fours[push.base / 4u + u] = unit.packs[0];
        return;
    }
    for (uint c = 0u; c < VKR_COMPONENTS; c++)
        vkr_values[push.base + u * VKR_COMPONENTS + c] = unit.packs[0][c];
}

/* Whether a texel is not 0: the same on devices that flush subnormals and on others. */
bool vkr_is_set(const VkrUnit unit)
{
#if VKR_ELEMENT == VKR_CLASS_F32
    return (unit.packs[0].x & 0x7f800000u) != 0u;
#else
    return unit.packs[0].x != 0u;
#endif
}

/* Stores the bits of a walk, which consists of whole words; the last word may lack some bits. */
void vkr_store_bits(const VkrWalk walk)
{
    VkrUnit units[VKR_BATCH];
    uint k = 0u;
    while (k < walk.count) {
        uint at = push.base + (walk.first + k) / 32u;
        uint word = 0u;
        uint b = 0u;
        for (; b < 32u && k + VKR_BATCH <= walk.count; k += VKR_BATCH) {
            for (uint i = 0u; i < VKR_BATCH; i++)
                units[i] = vkr_load_unit(0u);
            for (uint i = 0u; i < VKR_BATCH; i++)
                word |= (vkr_is_set(units[i]) ? 1u : 0u) << b++;
        }
        for (; b < 32u && k < walk.count; k++)
            word |= (vkr_is_set(vkr_load_unit(0u)) ? 1u : 0u) << b++;
        vkr_values[at] = word;
    }
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    VkrUnit units[VKR_BATCH];
    VkrWalk walk = vkr_walk(group, push.items, push.count);
    uint u = walk.first;
    uint k = 0u;
    vkr_start_units(walk);
    if ((VKR_FLAGS & VKR_FLAG_BITS) != 0u) {
        vkr_store_bits(walk);
        return;
    }
    for (; k + VKR_BATCH <= walk.count; k += VKR_BATCH) {
        for (uint b = 0u; b < VKR_BATCH; b++)
            units[b] = vkr_load_unit(u + b * walk.stride);
        for (uint b = 0u; b < VKR_BATCH; b++)
            vkr_store_unit(u + b * walk.stride, units[b]);
        u += VKR_BATCH * walk.stride;
    }
    for (; k < walk.count; k++) {
        vkr_store_unit(u, vkr_load_unit(u));
        u += walk.stride;
    }
}
