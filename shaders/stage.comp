/* SPDX-License-Identifier: MIT */
/* Copies the texels of an image to a buffer, for kernels that read nothing else. */
#version 450
#extension GL_GOOGLE_include_directive : require

#define VKR_GLSL
#include "interface.h"

#define VKR_INPUTS 1
#include "vkreduce/variant.glsl"
#include "vkreduce/type.glsl"

layout(set = 0, binding = VKR_STAGE_VALUES, std430) buffer VkrValues
{
    uint vkr_values[];
};

layout(set = 0, binding = VKR_STAGE_VALUES, std430) buffer VkrFours
{
    uvec4 vkr_fours[];
};

layout(push_constant) uniform VkrPush
{
    vkr_stage_push push;
};

#include "vkreduce/load.glsl"

void vkr_store_unit(const uint u, const VkrUnit unit)
{
    if (VKR_COMPONENTS == 4u) {
        vkr_fours[push.base / 4u + u] = unit.packs[0];
        return;
    }
    for (uint c = 0u; c < VKR_COMPONENTS; c++)
        vkr_values[push.base + u * VKR_COMPONENTS + c] = unit.packs[0][c];
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
    for (; k + VKR_BATCH <= walk.count; k += VKR_BATCH) {
        for (uint b = 0u; b < VKR_BATCH; b++)
            units[b] = vkr_load_unit(u);
        for (uint b = 0u; b < VKR_BATCH; b++)
            vkr_store_unit(u + b * walk.stride, units[b]);
        u += VKR_BATCH * walk.stride;
    }
    for (; k < walk.count; k++) {
        vkr_store_unit(u, vkr_load_unit(u));
        u += walk.stride;
    }
}
