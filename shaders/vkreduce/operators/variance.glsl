/* SPDX-License-Identifier: MIT */
/*
 * variance and stddev: squared deviations from the mean, divided by the number of elements or, with
 * VKR_FLAG_SAMPLE, by one less; and the square root of that.
 *
 * For integers they are exact until the single rounding at the end: they are computed from the
 * parts of mean and l2. For floats the part `spread` keeps the differences of elements from a
 * centre, which need not be the mean but lies among the elements: then few digits cancel when the
 * centre changes. Source: T. F. Chan, G. H. Golub, R. J. LeVeque, "Algorithms for Computing the
 * Sample Variance" (1983), for data that is shifted and for how parts of it are combined.
 */
#ifndef VKR_OPERATORS_VARIANCE_GLSL
#define VKR_OPERATORS_VARIANCE_GLSL

const bool VKR_SAMPLE = (VKR_FLAGS & VKR_FLAG_SAMPLE) != 0u;

/* The divisor of squared deviations, or 0 if there is no result. */
uvec2 vkr_divisor(const uvec2 count)
{
    return VKR_SAMPLE && count != uvec2(0u) ? vkr_subtract(count, uvec2(1u, 0u)) : count;
}

#if VKR_IS_FLOAT
#include "../pair.glsl"

/* ---- The part ---- */

/* The differences of `n` elements from a centre: their sum and the sum of their squares, all in
 * units of 1 / scale, a power of two that keeps squares in the range of the accumulator. */
struct VkrSpread {
    VkrCount n;
    VkrSum centre;
    VkrPair sum;
    VkrPair squares;
    VkrSum scale;
};
/* The scale before there are elements; it stays where squares cannot leave the range. */
#define VKR_UNSCALED (VKR_RANGED ? VKR_POWER_OF_2(VKR_FIRST_SCALE) : VkrSum(1))
#define VKR_NO_PAIR VkrPair(VkrSum(0), VkrSum(0))
#define VKR_NO_SPREAD                                                                              \
    VkrSpread(VKR_NONE, VkrSum(0), VKR_NO_PAIR, VKR_NO_PAIR, VKR_UNSCALED)
#define VKR_HELD_VkrSpread VkrSpread
#define VKR_HELD_NONE_VkrSpread VKR_NO_SPREAD
#define VKR_WORDS_VkrSpread (VKR_INDEX_WORDS + (VKR_RANGED ? 6u : 5u) * VKR_WORDS_VkrSum)
#define VKR_MOVED_IN_SPREAD(v, k)                                                                  \
    vkr_move_sum(at, i + VKR_INDEX_WORDS + k * VKR_WORDS_VkrSum, is_shared, stores, v)
#define VKR_MOVED_VkrSpread(v)                                                                     \
    VkrSpread(                                                                                     \
        VKR_MOVED_VkrCount(v.n), VKR_MOVED_IN_SPREAD(v.centre, 0u),                                \
        VkrPair(VKR_MOVED_IN_SPREAD(v.sum.high, 1u), VKR_MOVED_IN_SPREAD(v.sum.low, 2u)),          \
        VkrPair(VKR_MOVED_IN_SPREAD(v.squares.high, 3u), VKR_MOVED_IN_SPREAD(v.squares.low, 4u)),  \
        VKR_RANGED ? VKR_MOVED_IN_SPREAD(v.scale, 5u) : VKR_UNSCALED)

/* The scale of a spread is the first one of VKR_SCALES at which all its elements have a magnitude
 * below 2^VKR_SCALED_BELOW. Then the squares of differences of up to 2^40 elements do not overflow
 * in sum, and those that are lost are negligible: elements that are not scaled further up are so
 * great that their differences, if not 0, have squares far above the smallest normal number. */
#if VKR_SUM_BYTES == 8
#define VKR_FIRST_SCALE 600
#define VKR_SCALES(NEXT) NEXT(600, 0) NEXT(0, -600)
#define VKR_SCALED_BELOW 480
#else
#define VKR_FIRST_SCALE 102
#define VKR_SCALES(NEXT) NEXT(102, 38) NEXT(38, -26) NEXT(-26, -90)
#define VKR_SCALED_BELOW 40
#endif

VkrSum vkr_scale_for(const VkrSum x)
{
    VkrSum scale = VKR_POWER_OF_2(VKR_FIRST_SCALE);
#define VKR_NEXT_SCALE(before, next)                                                               \
    if (abs(x) >= VKR_POWER_OF_2(VKR_SCALED_BELOW - (before)))                                     \
        scale = VKR_POWER_OF_2(next);
    VKR_SCALES(VKR_NEXT_SCALE)
    return scale;
}

/* The element's value, not scaled; vkr_take_spread scales it. */
VkrSpread vkr_spread_of(const VkrBits bits)
{
    return VkrSpread(VKR_ONE, vkr_value(bits), VKR_NO_PAIR, VKR_NO_PAIR, VkrSum(1));
}

bool vkr_is_none(const VkrCount count)
{
    return count.n.x == 0u && (!VKR_WIDE_INDEX || count.n.y == 0u);
}

VkrPair vkr_multiply(const VkrPair a, const VkrSum by)
{
    return VkrPair(vkr_multiply(a.high, by), vkr_multiply(a.low, by));
}

/* The same elements at a scale that is not greater. Where the ratio of the scales is not a normal
 * number, those elements are negligible beside the one that asks for the new scale. */
VkrSpread vkr_at_scale(const VkrSpread a, const VkrSum scale)
{
    int e = vkr_exponent_of(scale) - vkr_exponent_of(a.scale);
    VkrSum ratio = VkrSum(0);
    if (e > (VKR_SUM_BYTES == 8 ? -1022 : -126))
        ratio = VKR_POWER_OF_2(e);
    return VkrSpread(a.n, vkr_multiply(a.centre, ratio), vkr_multiply(a.sum, ratio),
                     vkr_multiply(vkr_multiply(a.squares, ratio), ratio), scale);
}

/* Adds one element, or none. The first element is the centre. */
VkrSpread vkr_take_spread(VkrSpread a, const VkrSpread lifted)
{
    VkrSum value = lifted.centre;
    if (VKR_RANGED) {
        if (abs(vkr_multiply(value, a.scale)) >= VKR_POWER_OF_2(VKR_SCALED_BELOW))
            a = vkr_at_scale(a, vkr_scale_for(value));
        value = vkr_multiply(value, a.scale);
    }
    VkrSum centre = vkr_is_none(a.n) ? value : a.centre;
    VkrSum x = vkr_is_none(lifted.n) ? centre : value;
    VkrPair apart = vkr_two_sum(x, -centre);
    VkrPair sum = vkr_two_sum(a.sum.high, apart.high);
    VkrPair square = vkr_two_product(apart.high, apart.high);
    VkrPair squares = vkr_two_sum(a.squares.high, square.high);
    VkrSum across = vkr_multiply(vkr_add(apart.high, apart.high), apart.low);
    a.n = vkr_add(a.n, lifted.n);
    a.centre = centre;
    a.sum = VkrPair(sum.high, vkr_add(a.sum.low, vkr_add(sum.low, apart.low)));
    a.squares = VkrPair(squares.high,
                        vkr_add(a.squares.low, vkr_add(squares.low, vkr_add(square.low, across))));
    return a;
}

/* The same elements with another centre. */
VkrSpread vkr_with_centre(VkrSpread a, const VkrSum centre)
{
    VkrPair moved = vkr_two_sum(a.centre, -centre);
    VkrPair change = vkr_multiply(vkr_pair_of(a.n.n), moved);
    VkrPair sum = vkr_add(a.sum, change);
    a.squares = vkr_add(a.squares, vkr_multiply(moved, vkr_add(a.sum, sum)));
    a.sum = sum;
    a.centre = centre;
    return a;
}

/* Combines both at a centre that is about the mean of all elements. */
VkrSpread vkr_spread(const VkrSpread left, const VkrSpread right)
{
    VkrSum scale = min(left.scale, right.scale);
    VkrSpread a = vkr_at_scale(left, scale), b = vkr_at_scale(right, scale);
    VkrCount n = vkr_add(a.n, b.n);
    VkrPair of_b = vkr_pair_of(b.n.n), of_all = vkr_pair_of(n.n);
    VkrSum inverse = vkr_inverse(of_all.high);
    VkrSum share = vkr_multiply(of_b.high, inverse);
    VkrSum step_ = vkr_add(vkr_multiply(vkr_add(b.centre, -a.centre), share),
                           vkr_multiply(vkr_add(a.sum.high, b.sum.high), inverse));
    VkrSum centre = vkr_add(a.centre, step_);
    VkrSpread first = vkr_with_centre(a, centre), second = vkr_with_centre(b, centre);
    VkrSpread both = VkrSpread(n, centre, vkr_add(first.sum, second.sum),
                               vkr_add(first.squares, second.squares), a.scale);
    if (vkr_is_none(left.n))
        both = right;
    if (vkr_is_none(right.n))
        both = left;
    return both;
}

/* Adds the strand in `last` to the held spread. */
VkrSpread vkr_held_with(const VkrSpread held, const VkrSpread last)
{
    return vkr_spread(held, last);
}

VkrSpread vkr_held_and(const VkrSpread held, const VkrSpread last)
{
    return vkr_spread(held, last);
}

#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
VkrPair vkr_shuffle(const VkrPair v, const uint mask)
{
    return VkrPair(vkr_shuffle(v.high, mask), vkr_shuffle(v.low, mask));
}

VkrSpread vkr_shuffle(const VkrSpread v, const uint mask)
{
    return VkrSpread(vkr_shuffle(v.n, mask), vkr_shuffle(v.centre, mask), vkr_shuffle(v.sum, mask),
                     vkr_shuffle(v.squares, mask),
                     VKR_RANGED ? vkr_shuffle(v.scale, mask) : VKR_UNSCALED);
}
#endif
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC
VKR_SUBGROUP_BUTTERFLY(vkr_subgroup_spread, spread, VkrSpread)
#endif

/* Kernels that keep many states have no room for this part, and are not used with it. */
#ifdef VKR_SMALL_PARTS
#define VKR_ROW_SPREAD(ROW)
#else
#define VKR_ROW_SPREAD(ROW)                                                                        \
    ROW(spread, VkrSpread, VKR_USERS_SPREAD, VKR_NO_SPREAD, vkr_spread_of(e.bits), spread, held)
#endif

/* ---- The results ---- */

/* The words of the variance or of its square root: the sum of the squares of the differences, less
 * that of the differences squared and divided by their number. */
uvec2 vkr_variance(const VkrSpread spread, const bool is_root)
{
    uvec2 divisor = vkr_divisor(spread.n.n);
    if (divisor == uvec2(0u))
        return VKR_REAL_NAN;
    VkrPair n = vkr_pair_of(spread.n.n);
    VkrSum inverse = vkr_inverse(n.high);
    VkrSpread s =
        vkr_with_centre(spread, vkr_add(spread.centre, vkr_multiply(spread.sum.high, inverse)));
    VkrSum mean = vkr_multiply(s.sum.high, inverse);
    VkrPair rest = vkr_multiply(n, VkrPair(-mean, VkrSum(0)));
    rest = vkr_add(s.sum, rest);
    VkrPair mean_of_all = VkrPair(mean, vkr_multiply(rest.high, inverse));
    VkrPair excess = vkr_multiply(s.sum, mean_of_all);
    VkrPair squares = vkr_add(s.squares, VkrPair(-excess.high, -excess.low));
    if (!vkr_is_finite(vkr_words_of(s.sum.high)))
        return VKR_REAL_NAN;
    if (!(squares.high > VkrSum(0)))
        return uvec2(0u);
    VkrScaled above = vkr_scaled(vkr_words_of(squares.high));
    int e = vkr_exponent_of(spread.scale);
    /* The variance of which the root is taken is a normal number with this exponent. */
    above.e += is_root ? 40 : -2 * e;
    uvec2 words = vkr_divide(above, divisor, false);
    return is_root ? vkr_root(vkr_sum_of(words), -20 - e) : words;
}

#define VKR_VARIANCE vkr_variance(s.spread, false)
#define VKR_STDDEV vkr_variance(s.spread, true)
#else
#include "../wide256.glsl"

/* ---- The results ---- */

VkrLong vkr_long_of(const VkrTotal a)
{
#if VKR_BYTES == 8
    return VkrLong(uvec4(unpackUint2x32(a.low), VKR_TOP(a)), uvec4(0u));
#else
    return VkrLong(uvec4(a.low, VKR_TOP(a), 0u), uvec4(0u));
#endif
}

#if VKR_BYTES > 2
VkrLong vkr_long_of(const VkrSquares a)
{
    VkrLong high = vkr_long_of(a.high);
#if VKR_BYTES == 8
    return VkrLong(uvec4(unpackUint2x32(a.low), high.low.xy), uvec4(high.low.zw, 0u, 0u));
#else
    return VkrLong(uvec4(a.low, high.low.xyz), uvec4(0u));
#endif
}
#endif

/* The words of the variance or of its square root: (n q - s^2) / (n d) for n elements with the sum
 * s and the sum of squares q, where d is the divisor. */
uvec2 vkr_variance(const VkrTotal s, const VkrSquares q, const uvec2 n, const bool is_root)
{
    uvec2 divisor = vkr_divisor(n);
    if (divisor == uvec2(0u))
        return VKR_REAL_NAN;
    VkrLong sum = vkr_long_of(vkr_magnitude(s, vkr_is_negative(s)));
    VkrLong square = vkr_multiply(sum, sum.low);
    VkrLong above = vkr_add(vkr_multiply(vkr_long_of(q), uvec4(n, 0u, 0u)),
                            VkrLong(~square.low, ~square.high), 1u);
    if (above.low == uvec4(0u) && above.high == uvec4(0u))
        return uvec2(0u);
    VkrLong below = vkr_multiply(VkrLong(uvec4(n, 0u, 0u), uvec4(0u)), uvec4(divisor, 0u, 0u));
    below = VkrLong(uvec4(0u), below.low);
    uint up = vkr_bits_above(above), down = vkr_bits_above(below);
    above = vkr_shift(above, up);
    below = vkr_shift(below, down);
    /* The quotient's first digit, which is 1, has the weight 2^exponent. */
    int exponent = int(down) - int(up) + 128;
    uint fits = 1u;
    uvec4 rest = vkr_add(above.high, ~below.high, fits);
    if (fits == 0u) { /* the first digit is the next one, and the top bit, which is lost, cancels */
        above = vkr_shift(above, 1u);
        exponent--;
        fits = 1u;
        rest = vkr_add(above.high, ~below.high, fits);
    }
    /* A root needs twice as many digits, the last of which has an even exponent. */
    int count = int(VKR_REAL_PRECISION);
    if (is_root)
        count = 2 * count + 2 + ((exponent + 2 * count) & 1);
    uvec4 digits = uvec4(1u, 0u, 0u, 0u);
    for (int i = 0; i < count; i++) {
        uint carry = rest.w >> 31;
        rest = vkr_shift_in(rest, above.low.w >> 31);
        above.low = vkr_shift_in(above.low, 0u);
        fits = 1u;
        uvec4 less = vkr_add(rest, ~below.high, fits);
        fits |= carry;
        if (fits != 0u)
            rest = less;
        digits = vkr_shift_in(digits, fits);
    }
    uvec4 left = rest | above.low;
    uvec2 last = left.xy | left.zw;
    if (!is_root)
        return vkr_round(digits.xy, last, exponent);
    last.x = min(last.x | last.y, 1u);
    return vkr_square_root(
        VkrScaled(digits.zw, exponent - count + 64, digits.xy, uvec2(last.x, 0u)), true);
}

#define VKR_ROW_SPREAD(ROW)
#define VKR_VARIANCE vkr_variance(s.total, s.squares, left, false)
#define VKR_STDDEV vkr_variance(s.total, s.squares, left, true)
#endif

#define VKR_ROW_SCALE(ROW) /* see VkrSpread */
#define VKR_RESULT_VARIANCE(RESULT) RESULT(VARIANCE, VKR_REAL_BYTES, true, VKR_VARIANCE)
#define VKR_RESULT_STDDEV(RESULT) RESULT(STDDEV, VKR_REAL_BYTES, true, VKR_STDDEV)

#endif
