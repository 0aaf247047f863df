/* SPDX-License-Identifier: MIT */
/*
 * How kernels reach memory: storage buffers of set 0. Bindings may alias (an output can be the
 * input, and unused bindings of a dispatch share a place), so none is restrict or readonly. What
 * workgroups hand to each other is coherent. A binding of an output of the caller's is never loaded
 * and one of an input never stored, since the caller orders them by that.
 */
#ifndef VKR_BINDING_GLSL
#define VKR_BINDING_GLSL

#include "pack.glsl"

layout(set = 0, binding = VKR_BINDING_INPUT, std430) buffer VkrInput
{
    VkrStored vkr_input[];
};

/* The inputs as wide loads. */
#if VKR_LOADS == VKR_LOADS_U64
#define VkrLoad u64vec4
#else
#define VkrLoad VkrPack
#endif
#if VKR_LOADS == VKR_LOADS_TEXEL
layout(set = 0, binding = VKR_BINDING_TEXELS) uniform utextureBuffer vkr_texels;
#else
layout(set = 0, binding = VKR_BINDING_INPUT, std430) buffer VkrLoads
{
    VkrLoad vkr_loads[];
};
#endif

layout(set = 0, binding = VKR_BINDING_COUNT, std430) buffer VkrCountBuffer
{
    uint vkr_count[];
};

#if VKR_INPUTS == 2
/* ---- Reduce ---- */

layout(set = 0, binding = VKR_BINDING_INPUT2, std430) buffer VkrInput2
{
    VkrStored vkr_input2[];
};

#if VKR_LOADS != VKR_LOADS_TEXEL
layout(set = 0, binding = VKR_BINDING_INPUT2, std430) buffer VkrLoads2
{
    VkrLoad vkr_loads2[];
};
#endif

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

#ifndef VKR_SEGMENTS
layout(set = 0, binding = VKR_BINDING_MASK, std430) buffer VkrMask
{
    uint vkr_mask[];
};
#endif

#ifdef VKR_SEGMENTS
layout(set = 0, binding = VKR_SEGMENT_OFFSETS, std430) buffer VkrOffsets
{
    uint vkr_offsets[];
};

layout(push_constant) uniform VkrPush
{
    vkr_segment_push push;
};

layout(set = 0, binding = VKR_BINDING_UNIFORMS, std140) uniform VkrUniforms
{
    vkr_segment_uniforms uniforms;
};
#define VKR_CAPACITY uvec2(uniforms.capacity_low, uniforms.capacity_high)
#define VKR_INPUT2_STRIDE uniforms.input2_stride
#elif defined(VKR_OF_TILES)
layout(push_constant) uniform VkrPush
{
    vkr_tile_push push;
};

layout(set = 0, binding = VKR_BINDING_UNIFORMS, std140) uniform VkrUniforms
{
    vkr_tile_uniforms uniforms;
};
#define VKR_CAPACITY uvec2(uniforms.capacity_low, uniforms.capacity_high)
#define VKR_INPUT2_STRIDE push.input2_stride
#else
#define VKR_INPUT2_STRIDE push.input2_stride

/* Takes the place of partials, of which there are none in place. */
layout(set = 0, binding = VKR_BINDING_ELEMENT, std430) coherent buffer VkrReplaced
{
    VkrStored vkr_replaced[];
};

layout(push_constant) uniform VkrPush
{
    vkr_reduce_push push;
};
#endif

#elif defined(VKR_OF_HISTOGRAM)
/* ---- Histogram ---- */

layout(set = 0, binding = VKR_HISTOGRAM_WEIGHTS, std430) buffer VkrWeights
{
    uint vkr_weight_words[];
};

layout(set = 0, binding = VKR_HISTOGRAM_TABLE, std430) buffer VkrTable
{
    uint vkr_table[];
};

layout(set = 0, binding = VKR_HISTOGRAM_COUNTS, std430) coherent buffer VkrCounts
{
    uint vkr_counts[];
};

layout(set = 0, binding = VKR_HISTOGRAM_OUTSIDE, std430) coherent buffer VkrOutside
{
    uint vkr_outside[];
};

layout(set = 0, binding = VKR_BINDING_MASK, std430) buffer VkrMask
{
    uint vkr_mask[];
};

layout(push_constant) uniform VkrPush
{
    vkr_histogram_push push;
};

#else
/* ---- Scan ---- */

layout(set = 0, binding = VKR_SCAN_HEADS, std430) buffer VkrHeads
{
    uint vkr_heads[];
};

layout(set = 0, binding = VKR_SCAN_PARTIALS, std430) coherent buffer VkrPartials
{
    uint vkr_partials[];
};

layout(set = 0, binding = VKR_SCAN_COUNTER, std430) coherent buffer VkrCounter
{
    uint vkr_counter[];
};

/* Results, as elements, words and packs; or, in modules that write none, partials. */
layout(set = 0, binding = VKR_SCAN_OUTPUT, std430) buffer VkrOutput
{
    VkrStored vkr_output[];
};

layout(set = 0, binding = VKR_SCAN_OUTPUT, std430) coherent buffer VkrStoredPartials
{
    uint vkr_stored[];
};

layout(set = 0, binding = VKR_SCAN_OUTPUT, std430) buffer VkrOutputPacks
{
    VkrPack vkr_output_packs[];
};

layout(set = 0, binding = VKR_SCAN_TOTAL, std430) buffer VkrTotal
{
    VkrStored vkr_total_values[];
};

layout(set = 0, binding = VKR_SCAN_TOTAL, std430) buffer VkrTotalWords
{
    uint vkr_total_words[];
};

layout(set = 0, binding = VKR_SCAN_INITIAL, std430) buffer VkrInitial
{
    VkrStored vkr_initial_values[];
};

layout(set = 0, binding = VKR_SCAN_INITIAL, std430) buffer VkrInitialWords
{
    uint vkr_initial_words[];
};

layout(push_constant) uniform VkrPush
{
    vkr_scan_push push;
};

layout(set = 0, binding = VKR_BINDING_UNIFORMS, std140) uniform VkrUniforms
{
    vkr_scan_uniforms uniforms;
};
#endif

#endif
