/* SPDX-License-Identifier: MIT */
/* Rounds floats to the nearest integer, ties to even. GLSL's roundEven rounds ties away from zero
 * on lavapipe with subgroups of 32 and 64 lanes. */
#ifndef VKR_NEAREST_GLSL
#define VKR_NEAREST_GLSL

/* The number is from -2^31 to 2^31 - 128. Its computation must be precise: otherwise a driver could
 * fuse a product with the subtraction here, and miss a tie. A remainder of 1/2 rounds up from an
 * odd integer, but not from an even one. */
int vkr_nearest(const float number)
{
    int whole = int(floor(number));
    precise float rest = number - float(whole);
    float least = (whole & 1) != 0 ? 0.5 : 0.50000006;
    return whole + (rest >= least ? 1 : 0);
}

ivec4 vkr_nearest4(const vec4 numbers)
{
    return ivec4(vkr_nearest(numbers.x), vkr_nearest(numbers.y), vkr_nearest(numbers.z),
                 vkr_nearest(numbers.w));
}

/* A quarter of the sum of four integers, rounded in the same way. */
ivec4 vkr_quarter(const ivec4 sum)
{
    return (sum + 1 + (sum >> 2 & 1)) >> 2;
}

#endif
