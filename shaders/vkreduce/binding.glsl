/* SPDX-License-Identifier: MIT */
/*
 * How kernels reach memory: storage buffers of set 0. Bindings may alias (unused ones repeat a used
 * one), so none is restrict or readonly. What workgroups hand to each other is coherent.
 */
#ifndef VKR_BINDING_GLSL
#define VKR_BINDING_GLSL

layout(set = 0, binding = VKR_BINDING_INPUT, std430) buffer VkrInput
{
    VkrStored vkr_input[];
};

layout(set = 0, binding = VKR_BINDING_INPUT2, std430) buffer VkrInput2
{
    VkrStored vkr_input2[];
};

/* The inputs as wide loads. */
#if VKR_LOADS == VKR_LOADS_U64
#define VkrLoad u64vec4
#else
#define VkrLoad uvec4
#endif
#if VKR_LOADS == VKR_LOADS_TEXEL
layout(set = 0, binding = VKR_BINDING_TEXELS) uniform utextureBuffer vkr_texels;
#else
layout(set = 0, binding = VKR_BINDING_INPUT, std430) buffer VkrLoads
{
    VkrLoad vkr_loads[];
};

layout(set = 0, binding = VKR_BINDING_INPUT2, std430) buffer VkrLoads2
{
    VkrLoad vkr_loads2[];
};
#endif

layout(set = 0, binding = VKR_BINDING_COUNT, std430) buffer VkrCountBuffer
{
    uint vkr_count[];
};

layout(set = 0, binding = VKR_BINDING_PARTIALS, std430) coherent buffer VkrPartials
{
    uint vkr_partials[];
};

layout(set = 0, binding = VKR_BINDING_STORED, std430) coherent buffer VkrStoredPartials
{
    uint vkr_stored[];
};

#if VKR_BYTES == 8
#define VkrOutputUnit uint
#define VKR_OUTPUT_BYTES 4u
#else
#define VkrOutputUnit VkrStored
#define VKR_OUTPUT_BYTES uint(VKR_BYTES)
#endif
layout(set = 0, binding = VKR_BINDING_OUTPUT, std430) buffer VkrOutput
{
    VkrOutputUnit vkr_output[];
};

layout(set = 0, binding = VKR_BINDING_COUNTER, std430) coherent buffer VkrCounter
{
    uint vkr_counter[];
};

layout(set = 0, binding = VKR_BINDING_ELEMENT, std430) buffer VkrReplaced
{
    VkrStored vkr_replaced[];
};

layout(push_constant) uniform VkrPush
{
    vkr_reduce_push push;
};

#endif
