/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/map.h: what happens to elements before an operator sees them.
 *
 * A map makes one number, of type f32, from the components of each element:
 *
 *     v = function(weights[0] x component 0 + weights[1] x component 1 + .. + bias)
 *
 * so that the mean of the logarithm of the luminance is one reduction. Its bits are the same on
 * every device, and everything said about elements of type f32 holds for v:
 *  - Components are converted to f32: integers to nearest even, f16 and bf16 exactly; values that
 *    are subnormal in f32 are +0. Elements of 64 bits cannot be mapped. Components of images are
 *    the values that texelFetch returns.
 *  - A component whose weight is 0 is left out, even where it is infinite or NaN, and so is a bias
 *    of 0. The other terms are summed from left to right in IEEE 754 arithmetic of 32 bits; a
 *    product or a sum of magnitude at or below the smallest normal number is +0.
 *  - log2 has an error below VKR_LOG2_ULPS units in the last place, and is exact for powers of two:
 *    -inf of 0, +inf of +inf, NaN below 0. For x = 2^e m with m from 0x3f3504f4 to 0x3fb504f3 (the
 *    bits of floats around the roots of 1/2 and of 2) it is e + f P(f), or f P(f) alone if e is 0,
 *    where f = m - 1 and P is the polynomial with VKR_LOG2_COEFFICIENTS, highest power first,
 *    computed by Horner's rule.
 *  - sqrt is correctly rounded; NaN below 0.
 *  - abs clears the sign.
 *  - A result of 0 is +0, and a NaN result is the canonical NaN.
 *
 * Reductions of float images, and of f32 elements with one component in buffers, whole or by tiles,
 * map while they read. All other operations first write the mapped elements to scratch memory, 4
 * bytes for each.
 */
#ifndef VKREDUCE_MAP_H
#define VKREDUCE_MAP_H

#include "core.h"
#include "image.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum VkrMapFunction {
    VKR_MAP_NONE = 0,
    VKR_MAP_LOG2 = 1,
    VKR_MAP_ABS = 2,
    VKR_MAP_SQRT = 3,
    VKR_MAP_FUNCTION_COUNT = 4,
    VKR_MAP_FUNCTION_MAX_ENUM = 0x7fffffff
} VkrMapFunction;

/* Weights must be finite, and 0 for components that elements do not have; four weights of 0 are
 * {1, 0, 0, 0}. So a zero-initialised map uses component 0 unchanged. */
typedef struct VkrMap {
    float weights[VKR_MAX_COMPONENTS];
    float bias; /* finite */
    VkrMapFunction function;
    /* Optional, in place of the other members: a function of the application that returns elements
     * (module.h). If it takes the view's elements, the view describes these as ever. Otherwise it
     * stands for the view's memory, too: of the view's other members only type and components may
     * be set, to those of what the function returns, and the count must be a number. There are
     * fewer than 2^32 elements. */
    const struct VkrHook *hook;
} VkrMap;

/* Weights of the luminance of linear RGB with the primaries of BT.709. */
#define VKR_LUMINANCE_WEIGHTS                                                                      \
    {                                                                                              \
        0.2126f, 0.7152f, 0.0722f, 0.0f                                                            \
    }

#define VKR_LOG2_ULPS 2
#define VKR_LOG2_COEFFICIENTS                                                                      \
    {                                                                                              \
        -0x1.c25a5p-4f, 0x1.7d4942p-3f, -0x1.874becp-3f, 0x1.a305a8p-3f, -0x1.eabc88p-3f,          \
            0x1.277e36p-2f, -0x1.715a76p-2f, 0x1.ec7096p-2f, -0x1.71547p-1f, 0x1.715476p+0f        \
    }

/*
 * Which elements count: those whose flag is set, or those whose texel is not 0 in its first channel
 * (NaN is not 0; a number that is subnormal in f32 is). Results are as if the other elements did
 * not exist, but no index changes; scan.h says what they count as in scans.
 *
 * The image must have one texel for each element; if the elements are those of an image too, the
 * image must have the columns, rows and layers of the part that is read.
 */
typedef struct VkrMask {
    VkrFlagView flags;            /* neither buffer nor hook: none */
    const struct VkrImage *image; /* optional: in place of flags */
} VkrMask;

VKR_API const char *vkrMapFunctionName(VkrMapFunction function);

#ifdef __cplusplus
}
#endif

#endif
