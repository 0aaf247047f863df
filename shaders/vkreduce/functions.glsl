/* SPDX-License-Identifier: MIT */
/* The logarithm and the square root of map.h. The only float operations are precise products and
 * sums, so every device gives the same bits. */
#ifndef VKR_FUNCTIONS_GLSL
#define VKR_FUNCTIONS_GLSL

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

#endif
