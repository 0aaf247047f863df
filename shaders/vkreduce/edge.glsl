/* SPDX-License-Identifier: MIT */
/*
 * The bounds of bins and the edges between them, exactly as histogram.h defines them: for
 * edges.comp, whose constants, source and push constants this file reads.
 */
#ifndef VKR_EDGE_GLSL
#define VKR_EDGE_GLSL

#include "key.glsl"
#include "half.glsl"
#include "log2_edges.glsl"

#define VKR_IS_FLOAT (VKR_FLOATS == 1)
const uint VKR_BYTES = VKR_CLASS == VKR_CLASS_W8                                       ? 1u
                       : VKR_CLASS == VKR_CLASS_W16 || VKR_CLASS == VKR_CLASS_F16      ? 2u
                       : VKR_CLASS == VKR_CLASS_W64 || VKR_CLASS == VKR_CLASS_F64      ? 8u
                                                                                       : 4u;
const bool VKR_IS_WIDE = VKR_BYTES == 8u; /* keys and edges have two words */
const bool VKR_CLOSED = (VKR_FLAGS & (VKR_FLAG_CLOSED | VKR_FLAG_OF_GPU)) != 0u;
const bool VKR_OF_GPU = (VKR_FLAGS & VKR_FLAG_OF_GPU) != 0u;

/* A bound: for integers a number of 96 bits in two's complement, for floats an f64. */
#define VkrBound uvec3

VkrFormat vkr_format()
{
    if (VKR_IS_WIDE)
        return VKR_FORMAT_F64;
    return VKR_FORMAT_F32;
}

uvec2 vkr_nan()
{
    return VKR_IS_WIDE ? uvec2(0u, 0x7ff80000u) : uvec2(0x7fc00000u, 0u);
}

/* ---- The source ---- */

/* The size of edges in the source; those of 16-bit floats are f32. */
const uint VKR_EDGE_BYTES = VKR_IS_FLOAT && VKR_BYTES == 2u ? 4u : VKR_BYTES;

uint vkr_read(const uint at)
{
    return uint(vkr_source[at / VKR_UNIT_BYTES]);
}

/* Reads a number of the elements' type, or of the type of edges. */
VkrBound vkr_read_bound(const uint at)
{
    uvec2 bits = uvec2(vkr_read(at), 0u);
    if (VKR_IS_WIDE)
        bits.y = vkr_read(at + 4u);
    if (VKR_IS_FLOAT) {
        if (!VKR_IS_WIDE)
            bits = vkr_widen32(VKR_UNIT_BYTES == 2u ? vkr_widen_half(bits.x, VKR_SIGNED) : bits.x);
        return VkrBound(bits, 0u);
    }
    const uint shift = 32u - 8u * VKR_UNIT_BYTES;
    if (VKR_SIGNED && !VKR_IS_WIDE)
        bits = uvec2(uint(int(bits.x << shift) >> int(shift)), uint(int(bits.x << shift) >> 31));
    return VkrBound(bits, VKR_SIGNED ? uint(int(bits.y) >> 31) : 0u);
}

/* ---- Numbers ---- */

VkrBig vkr_extend(const VkrBound a)
{
    return VkrBig(a, uvec3(int(a.z) >> 31));
}

bool vkr_big_less(const VkrBig a, const VkrBig b)
{
    return vkr_big_is_negative(vkr_big_subtract(a, b));
}

/* The least integer of the type, and the greatest one. */
VkrBig vkr_least()
{
    VkrBig one = vkr_big_shift_left(vkr_big(uvec2(1u, 0u)), 8u * VKR_BYTES - 1u);
    if (VKR_SIGNED)
        return vkr_big_negate(one, true);
    return vkr_big(uvec2(0u));
}

VkrBig vkr_greatest()
{
    uint bits = 8u * VKR_BYTES - (VKR_SIGNED ? 1u : 0u);
    return vkr_big_subtract(vkr_big_shift_left(vkr_big(uvec2(1u, 0u)), bits),
                            vkr_big(uvec2(1u, 0u)));
}

/* A range, and whether it was widened. */
struct VkrRange {
    VkrBound low, high;
    bool is_there;
    bool is_widened; /* integers, or LOG2: lo = hi */
};

uvec2 vkr_f64(const VkrBound a)
{
    return a.xy;
}

/* Rounds a float to the edges' type, and returns it as an f64. */
VkrBound vkr_bound_of(const uvec2 bits)
{
    uvec2 wide = bits;
    if (!VKR_IS_WIDE)
        wide = vkr_widen32(bits.x);
    return VkrBound(wide, 0u);
}

/* lo - 1/2 and hi + 1/2, or for LOG2 lo / 2 and 2 lo. */
void vkr_widen_floats(inout VkrRange range)
{
    VkrNumber at = vkr_number(vkr_f64(range.low));
    for (uint side = 0u; side < 2u; side++) {
        bool is_low = side == 0u;
        uint halves = VKR_EDGES_KIND == VKR_LOG2_EDGES ? 0u : 1u;
        VkrNumber unit = VkrNumber(uvec2(halves, 0u), 0, is_low);
        VkrSum sum = vkr_sum(at, uvec2(2u, 0u), unit, uvec2(1u, 0u));
        sum.e -= VKR_EDGES_KIND != VKR_LOG2_EDGES ? 1 : is_low ? 2 : 0;
        VkrBound bound = vkr_bound_of(vkr_round_sum(sum, vkr_format()));
        if (is_low)
            range.low = bound;
        else
            range.high = bound;
    }
}

VkrRange vkr_float_range(const VkrBound low, const VkrBound high)
{
    VkrRange range = VkrRange(low, high, true, false);
    bool is_finite = vkr_is_finite64(vkr_f64(low)) && vkr_is_finite64(vkr_f64(high));
    int order = is_finite ? vkr_compare64(vkr_f64(low), vkr_f64(high)) : 1;
    if (order == 0)
        vkr_widen_floats(range);
    range.is_there = order <= 0 && vkr_is_finite64(vkr_f64(range.low)) &&
                     vkr_is_finite64(vkr_f64(range.high));
    if (VKR_EDGES_KIND == VKR_LOG2_EDGES)
        range.is_there = range.is_there && vkr_compare64(vkr_f64(range.low), uvec2(0u)) > 0;
    return range;
}

/* The bounds of component c. */
VkrRange vkr_range(const uint c)
{
    VkrRange range;
    range.is_there = true;
    range.is_widened = false;
    if (VKR_EDGES_KIND == VKR_GIVEN_EDGES) {
        range.low = vkr_read_bound(push.low_at);
        range.high = vkr_read_bound(push.low_at + push.bins * VKR_EDGE_BYTES);
        return range;
    }
    if (VKR_OF_GPU) {
        range.low = vkr_read_bound(push.low_at + c * VKR_BYTES);
        range.high = vkr_read_bound(push.high_at + c * VKR_BYTES);
    } else {
        range.low = VkrBound(push.low[0], push.low[1], push.low[2]);
        range.high = VkrBound(push.high[0], push.high[1], push.high[2]);
        return range;
    }
    if (VKR_IS_FLOAT)
        return vkr_float_range(range.low, range.high);
    VkrBig low = vkr_extend(range.low), high = vkr_extend(range.high);
    range.is_widened = vkr_big_is_zero(vkr_big_subtract(high, low));
    range.is_there = !vkr_big_less(high, low);
    if (VKR_EDGES_KIND == VKR_LOG2_EDGES)
        range.is_there = range.is_there && !vkr_big_is_negative(low) && !vkr_big_is_zero(low);
    return range;
}

/* ---- Edges ---- */

/* An edge: the keys, minus that of the least integer, of the least element that is not below the
 * edge and of the greatest element that is not above it; and its value as a number of the edges'
 * type. */
struct VkrEdge {
    VkrBig key;
    VkrBig last;
    uvec2 value;
};

uvec2 vkr_order_of(const uvec2 bits)
{
    if (VKR_IS_WIDE)
        return (bits.y >> 31) != 0u ? ~bits : uvec2(bits.x, bits.y | 0x80000000u);
    return uvec2(VKR_ORDER_OF_FLOAT32(bits.x), 0u);
}

VkrEdge vkr_float_edge(const uvec2 value)
{
    VkrEdge edge;
    uvec2 sign = VKR_IS_WIDE ? uvec2(0u, 0x80000000u) : uvec2(0x80000000u, 0u);
    bool is_zero = VKR_IS_WIDE ? value.x == 0u && (value.y & 0x7fffffffu) == 0u
                               : (value.x & 0x7fffffffu) == 0u;
    edge.value = value;
    edge.key = vkr_big(vkr_order_of(is_zero ? sign : value));
    edge.last = vkr_big(vkr_order_of(is_zero ? uvec2(0u) : value));
    return edge;
}

/* An edge before it is rounded: +-a 2^e / n. */
struct VkrPlace {
    VkrSum sum;
    uint n;
};

VkrPlace vkr_place_of(const VkrBig a, const uint n, const int e)
{
    VkrPlace place;
    bool is_negative = vkr_big_is_negative(a);
    place.n = n;
    place.sum = VkrSum(vkr_big_negate(a, is_negative), e, 0u, is_negative);
    return place;
}

VkrPlace vkr_even_place(const VkrRange range, const uint k)
{
    uint n = push.bins;
    VkrPlace place;
    if (VKR_IS_FLOAT) {
        place.n = n;
        place.sum = vkr_sum(vkr_number(vkr_f64(range.low)), uvec2(n - k, 0u),
                            vkr_number(vkr_f64(range.high)), uvec2(k, 0u));
        return place;
    }
    VkrBig low = vkr_extend(range.low);
    VkrBig part = vkr_big_multiply(vkr_big_subtract(vkr_extend(range.high), low), k);
    if (range.is_widened) /* lo + k / n - 1 / 2 */
        part = vkr_big_subtract(vkr_big(uvec2(2u * k, 0u)), vkr_big(uvec2(n, 0u)));
    VkrBig all = vkr_big_multiply(low, range.is_widened ? 2u * n : n);
    return vkr_place_of(vkr_big_add(all, part, 0u), n, range.is_widened ? -1 : 0);
}

uvec2 vkr_log_of_bound(const VkrBound bound)
{
    VkrNumber number = VkrNumber(bound.xy, 0, false);
    if (VKR_IS_FLOAT)
        number = vkr_number(vkr_f64(bound));
    else if (bound.z != 0u) /* 2^64, which alone has more than 64 bits */
        number = VkrNumber(uvec2(1u, 0u), 64, false);
    return vkr_log_of(number.m, number.e);
}

/* The logarithms of a range's bounds. */
uvec2 vkr_logs[2];

void vkr_make_logs(const VkrRange range)
{
    for (uint side = 0u; side < 2u; side++) {
        VkrBound bound = range.low;
        if (side != 0u)
            bound = range.high;
        vkr_logs[side] = vkr_log_of_bound(bound);
    }
    if (range.is_widened) {
        vkr_logs[0].y -= 0x10000u;
        vkr_logs[1].y += 0x10000u;
    }
}

VkrPlace vkr_log2_place(const VkrRange range, const uint k)
{
    uint rest = 0u;
    uint carry;
    uvec2 width = uvec2(usubBorrow(vkr_logs[1].x, vkr_logs[0].x, carry), 0u);
    width.y = vkr_logs[1].y - vkr_logs[0].y - carry;
    VkrBig done = vkr_big_divide(vkr_big_multiply(vkr_big(width), k), push.bins, rest);
    uvec2 q = uvec2(uaddCarry(vkr_logs[0].x, done.low.x, carry), 0u);
    q.y = vkr_logs[0].y + done.low.y + carry;
    VkrPlace place = vkr_place_of(vkr_big(vkr_power_of(q)), 1u, (int(q.y) >> 16) - 62);
    if (k != 0u && k != push.bins)
        return place;
    if (VKR_IS_FLOAT)
        return vkr_even_place(range, k);
    VkrBig end = vkr_extend(range.low);
    if (k != 0u && !range.is_widened)
        end = vkr_extend(range.high);
    return vkr_place_of(end, 1u, !range.is_widened ? 0 : k == 0u ? -1 : 1);
}

/* Rounds an edge. For integer elements an EVEN edge may lie between two integers, while a LOG2 edge
 * is rounded up to an integer. */
VkrEdge vkr_edge_at(const VkrPlace place)
{
    VkrSum ratio = vkr_ratio(place.sum, place.n);
    if (VKR_IS_FLOAT)
        return vkr_float_edge(vkr_round_sum(ratio, vkr_format()));
    uint rest = ratio.rest;
    VkrBig whole = vkr_big_shift_right(ratio.a, uint(min(-ratio.e, 255)), rest);
    bool is_between = rest != 0u;
    whole = vkr_big_add(whole, vkr_big(uvec2(0u)), is_between && !ratio.is_negative ? 1u : 0u);
    if (VKR_EDGES_KIND == VKR_LOG2_EDGES) {
        ratio = VkrSum(whole, 0, 0u, ratio.is_negative);
        is_between = false;
    }
    VkrBig key = vkr_big_subtract(vkr_big_negate(whole, ratio.is_negative), vkr_least());
    VkrBig last = vkr_big_subtract(key, vkr_big(uvec2(is_between ? 1u : 0u, 0u)));
    return VkrEdge(key, last, vkr_round_sum(ratio, vkr_format()));
}

VkrEdge vkr_edge(const VkrRange range, const uint k)
{
    if (VKR_EDGES_KIND == VKR_LOG2_EDGES)
        return vkr_edge_at(vkr_log2_place(range, k));
    if (VKR_EDGES_KIND != VKR_GIVEN_EDGES)
        return vkr_edge_at(vkr_even_place(range, k));
    uint from = push.low_at + k * VKR_EDGE_BYTES;
    VkrBound at = vkr_read_bound(from);
    if (!VKR_IS_FLOAT)
        return vkr_edge_at(vkr_place_of(vkr_extend(at), 1u, 0));
    if (VKR_IS_WIDE)
        return vkr_float_edge(vkr_f64(at));
    return vkr_float_edge(uvec2(vkr_read(from), 0u));
}

#endif
