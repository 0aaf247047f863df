/* SPDX-License-Identifier: MIT */
/* A shader that is unlike the library's own, for prune.sh. It has matrices, extended instructions,
 * switches, a loop around one, a phi of many values and shared memory; with -DPRINTS it also has
 * non-semantic instructions with strings. */
#version 450
#ifdef PRINTS
#extension GL_EXT_debug_printf : require
#endif

layout(local_size_x = 8) in;
layout(constant_id = 0) const uint CHOSEN = 0u;
layout(set = 0, binding = 0) buffer Values
{
    mat2 values[];
};
shared mat2 parts[8];

mat2 power(const mat2 x, const uint n)
{
    if (n == 0u)
        return mat2(1.0);
    mat2 y = x;
    for (uint i = 1u; i < n; i++)
        y = matrixCompMult(y, x) * x + outerProduct(x[0], y[1]);
    return n % 2u == 0u ? y : transpose(inverse(y));
}

float of_kind(const mat2 x, const uint kind)
{
    precise float sum = x[0][0] + x[1][1];
    switch (kind) {
    case 0u:
        sum = determinant(x);
        break;
    case 7u:
    case 9u:
        sum += sqrt(abs(sum));
    case 0x80000000u:
        sum = fma(sum, 2.0, length(x[1]));
        break;
    default:
        sum = -sum;
    }
    return sum;
}

float by_halves(const mat2 x, const uint kind)
{
    if (kind > 5u)
        return of_kind(x * 0.5, kind - 5u);
    return of_kind(x, kind) + of_kind(x + x, kind + 1u);
}

/* If CHOSEN is not 0, nothing reaches the end of the outer construct. */
float either(const float x)
{
    if (x > 1.0) {
        if (CHOSEN != 0u)
            return x;
    } else {
        if (CHOSEN != 0u)
            return -x;
    }
    return x * x;
}

void main()
{
    const uint i = gl_LocalInvocationID.x;
    parts[i] = power(values[i], CHOSEN);
#ifdef PRINTS
    debugPrintfEXT("%u of %f", i, parts[i][0][0]);
#endif
    barrier();
    while (by_halves(parts[i], i) > 3.0)
        parts[i] /= 2.0;
    if (CHOSEN == 2u)
        values[i] = parts[i ^ 1u] * by_halves(parts[i], CHOSEN);
    else
        values[i] = power(parts[i ^ 1u], i) * either(parts[i][0][1]);
}
