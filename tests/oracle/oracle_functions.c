/* SPDX-License-Identifier: MIT */
#include "oracle_functions.h"

#include <math.h>
#include <stdlib.h>

#include "vkreduce/vkreduce.h"

/* The steps of apply.h, written out plainly, so that a mistake of the library is not repeated
 * here. */
float oracle_exp(float x)
{
    static const float coefficients[] = VKR_EXP_COEFFICIENTS;
    if (isnan(x) || x < -0x1.5d589ep+6f)
        return 0.0f;
    volatile float scaled = x * 1.44269502f;
    scaled = scaled + 0.5f;
    const float k = floorf(scaled);
    volatile float f = k * 0.693145752f, rest = k * 1.42860677e-06f;
    f = x - f;
    f = f - rest;
    volatile float p = coefficients[0];
    for (size_t i = 1; i < sizeof coefficients / sizeof *coefficients; i++) {
        p = p * f;
        p = p + coefficients[i];
    }
    p = p * f;
    p = p * f;
    p = f + p;
    p = p + 1.0f;
    const float result = ldexpf(p, (int)k);
    const double exact = exp((double)x);
    const float near = (float)exact;
    if (fabs((double)result - exact) >=
        VKR_EXP_ULPS * ((double)nextafterf(near, INFINITY) - (double)near))
        abort();
    return result;
}

/* The steps of map.h, written out plainly, so that a mistake of the library is not repeated
 * here. */
float oracle_log2(float x)
{
    static const float coefficients[] = VKR_LOG2_COEFFICIENTS;
    int e;
    if (x <= 0.0f || isinf(x) || isnan(x))
        return x == 0.0f ? -INFINITY : x > 0.0f ? x : NAN;
    float m = frexpf(x, &e) * 2.0f;
    e -= 1;
    if (m >= 0x1.6a09e8p+0f) {
        m /= 2.0f;
        e += 1;
    }
    const float f = m - 1.0f;
    volatile float p = coefficients[0];
    for (size_t i = 1; i < sizeof coefficients / sizeof *coefficients; i++) {
        p = p * f;
        p = p + coefficients[i];
    }
    p = f * p;
    const float result = e == 0 ? p : (float)e + p;
    const double exact = log2((double)x);
    const float near = fabsf((float)exact);
    const double unit = (double)nextafterf(near, INFINITY) - (double)near;
    if (fabs((double)result - exact) >= VKR_LOG2_ULPS * unit && exact != (double)result)
        abort();
    return result;
}
