/* SPDX-License-Identifier: MIT */
/*
 * Maps: one float from the components of an element (map.h, where every step is defined). The only
 * float operations are precise products and sums, so every device gives the same bits.
 */
#ifndef VKR_MAP_GLSL
#define VKR_MAP_GLSL

const bool VKR_MAPPED = (VKR_FLAGS & VKR_FLAG_MAPPED) != 0u;
const uint VKR_MAP_FUNCTION = VKR_FLAGS >> VKR_MAP_SHIFT & 3u;

#define VKR_MAP_LOG2 1u
#define VKR_MAP_ABS 2u
#define VKR_MAP_SQRT 3u
#define VKR_MAP_NAN 0x7fc00000u
#define VKR_MAP_INFINITY 0x7f800000u

/* Read once: CPU drivers do not hoist such reads, each of which costs a load, out of loops. */
#if VKR_OF_IMAGE || defined(VKR_OF_TILES) || defined(VKR_OF_STAGE)
vec4 vkr_weights = uintBitsToFloat(uniforms.weights);
float vkr_bias = uintBitsToFloat(uniforms.bias);
#else
vec4 vkr_weights = vec4(uintBitsToFloat(push.map_weight));
float vkr_bias = uintBitsToFloat(push.map_bias);
#endif

#define VKR_SMALLEST_NORMAL 1.1754943508222875e-38

/* +0 for numbers that some driver may have flushed. */
float vkr_map_normal(const float v)
{
    return abs(v) <= VKR_SMALLEST_NORMAL ? 0.0 : v;
}

float vkr_map_add(const float a, const float b)
{
    precise float sum = a + b;
    return vkr_map_normal(sum);
}

float vkr_map_multiply(const float a, const float b)
{
    precise float product = a * b;
    return vkr_map_normal(product);
}

#include "functions.glsl"

/* The bits of the mapped value of components with these bits. */
uint vkr_map(const uvec4 bits)
{
    float v = 0.0;
    [[unroll]] for (uint c = 0u; c < 4u; c++) {
        if ((VKR_FLAGS & VKR_FLAG_WEIGHT0 << c) != 0u) {
            float component = uintBitsToFloat(bits[c]);
            component = abs(component) < VKR_SMALLEST_NORMAL ? 0.0 : component;
            v = vkr_map_add(v, vkr_map_multiply(vkr_weights[c], component));
        }
    }
    if ((VKR_FLAGS & VKR_FLAG_BIAS) != 0u)
        v = vkr_map_add(v, vkr_bias);
    uint result = floatBitsToUint(v);
    if (VKR_MAP_FUNCTION == VKR_MAP_ABS)
        result &= 0x7fffffffu;
    bool is_nan = (result & 0x7fffffffu) > VKR_MAP_INFINITY;
    if (VKR_MAP_FUNCTION == VKR_MAP_LOG2 || VKR_MAP_FUNCTION == VKR_MAP_SQRT) {
        bool is_log = VKR_MAP_FUNCTION == VKR_MAP_LOG2;
        uint finite = floatBitsToUint(is_log ? vkr_log2(result) : vkr_sqrt(result));
        uint of_zero = is_log ? 0x80000000u | VKR_MAP_INFINITY : 0u;
        is_nan = is_nan || (result >> 31) != 0u;
        result = result == VKR_MAP_INFINITY ? result : result == 0u ? of_zero : finite;
    }
    return is_nan ? VKR_MAP_NAN : result;
}

#endif
