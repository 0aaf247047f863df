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

const float vkr_log2_coefficients[10] = float[](
    -0.10994941, 0.186174884, -0.191062778, 0.204600632,
    -0.239617407, 0.288567394, -0.360696644, 0.480898231,
    -0.721347332, 1.44269502);

/* The logarithm of a positive normal float, which is 2^e (1 + f). */
float vkr_log2(const uint bits)
{
    int e = int(bits - 0x3f3504f4u) >> 23;
    float f = uintBitsToFloat(bits - (uint(e) << 23)) - 1.0;
    precise float p = vkr_log2_coefficients[0];
    [[unroll]] for (uint i = 1u; i < 10u; i++) {
        p = p * f;
        p = p + vkr_log2_coefficients[i];
    }
    p = f * p;
    precise float log_ = float(e) + p;
    return e == 0 ? p : log_;
}

/* The square root of a positive normal float, which is m 2^(e - 23) with e made even. Newton's
 * method finds the root, as an integer, up to a few units, which follow from its remainder. The
 * corrected root is never too small, and too great by one only next to powers of four. Remainders
 * are less than 2^31, so low words suffice. All 2^24 pairs of a mantissa and a parity of e have
 * been compared with the correctly rounded root. */
float vkr_sqrt(const uint bits)
{
    int e = int(bits >> 23) - 127;
    uint odd = uint(e) & 1u;
    float x = uintBitsToFloat((bits & 0x7fffffu) | (127u + odd) << 23);
    precise float inverse = uintBitsToFloat(0x5f3759dfu - (floatBitsToUint(x) >> 1));
    [[unroll]] for (uint i = 0u; i < 3u; i++) {
        precise float t = inverse * inverse;
        t = 0.5 * x * t;
        t = 1.5 - t;
        inverse = inverse * t;
    }
    precise float estimate = x * inverse;
    uint m = ((bits & 0x7fffffu) | 0x800000u) << (23u + odd);
    uint root = uint(estimate * 8388608.0);
    precise float units = float(int(m - root * root)) * inverse;
    units = units * 5.9604644775390625e-8;
    units = units + 0.5;
    root += uint(int(floor(units)));
    int rest = int(m - root * root);
    if (rest <= -int(root))
        root--;
    return uintBitsToFloat(root + (uint((e - int(odd)) / 2 + 126) << 23));
}

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
