/* SPDX-License-Identifier: MIT */
/*
 * Quantiles, trimmed means and cumulative counts of histograms, as histogram.h defines them. A
 * workgroup handles the counts of one component: each invocation sums a run of bins, and the sums
 * are scanned (Hillis and Steele 1986); then each invocation finds one share. All arithmetic is in
 * integers.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "cards/quantile.h"

#include "vkreduce/exact.glsl"
#include "vkreduce/wide.glsl"

const uint VKR_COUNT_WORDS = (VKR_FLAGS & VKR_FLAG_COUNTS64) != 0u ? 2u : 1u;
const uint VKR_EDGE_WORDS = (VKR_FLAGS & VKR_FLAG_EDGES64) != 0u ? 2u : 1u;
const bool VKR_TRIMS = (VKR_FLAGS & VKR_FLAG_TRIMS) != 0u;

shared uvec2 vkr_totals[VKR_WORKGROUP]; /* inclusive sums of the invocations' counts */
shared uvec4 vkr_weighted[VKR_WORKGROUP];
shared uvec2 vkr_weights[VKR_WORKGROUP];

uint vkr_component;
uint vkr_run; /* bins of an invocation */

uvec2 vkr_count_of(const uint k)
{
    uint at = push.counts_base + (vkr_component * push.bins + k) * VKR_COUNT_WORDS;
    return uvec2(vkr_counts[at], VKR_COUNT_WORDS == 2u ? vkr_counts[at + 1u] : 0u);
}

/* An edge as a float of 64 bits. */
uvec2 vkr_edge_of(const uint k)
{
    uint at = push.edges_base + (vkr_component * (push.bins + 1u) + k) * VKR_EDGE_WORDS;
    if (VKR_EDGE_WORDS == 2u)
        return uvec2(vkr_edges[at], vkr_edges[at + 1u]);
    return vkr_widen32(vkr_edges[at]);
}

/* ---- Sums ---- */

/* The sum of the counts before this invocation's run. */
uvec2 vkr_before(const uint lane)
{
    return lane == 0u ? uvec2(0u) : vkr_totals[lane - 1u];
}

void vkr_scan_counts()
{
    const uint lane = gl_LocalInvocationIndex;
    uvec2 sum = uvec2(0u);
    for (uint i = 0u; i < vkr_run; i++) {
        uint k = lane * vkr_run + i;
        if (k < push.bins)
            sum = vkr_add(sum, vkr_count_of(k));
    }
    vkr_totals[lane] = sum;
    barrier();
    for (uint by = 1u; by < VKR_WORKGROUP; by *= 2u) {
        uvec2 other = lane >= by ? vkr_totals[lane - by] : uvec2(0u);
        barrier();
        sum = vkr_add(sum, other);
        vkr_totals[lane] = sum;
        barrier();
    }
}

void vkr_store_sums()
{
    uvec2 sum = vkr_before(gl_LocalInvocationIndex);
    for (uint i = 0u; i < vkr_run; i++) {
        uint k = gl_LocalInvocationIndex * vkr_run + i;
        if (k < push.bins) {
            uint at = push.sums_base + 2u * (vkr_component * push.bins + k);
            sum = vkr_add(sum, vkr_count_of(k));
            vkr_sums[at] = sum.x;
            vkr_sums[at + 1u] = sum.y;
        }
    }
}

/* ---- Quantiles ---- */

uint vkr_share_word(const uint s)
{
    uvec4 four = s < 4u    ? uniforms.shares0
                 : s < 8u  ? uniforms.shares1
                 : s < 12u ? uniforms.shares2
                 : s < 16u ? uniforms.shares3
                           : uniforms.trim;
    uvec2 two = (s & 2u) == 0u ? four.xy : four.zw;
    return (s & 1u) == 0u ? two.x : two.y;
}

/* A share of the sum of all counts, in units of 2^-32. */
VkrBig vkr_share_of(const uint s, const uvec2 all)
{
    VkrBig whole = vkr_big(all);
    if ((push.ones >> s & 1u) != 0u)
        return vkr_big_up1(whole);
    return vkr_big_multiply(whole, vkr_share_word(s));
}

bool vkr_big_less(const VkrBig a, const VkrBig b)
{
    return vkr_big_is_negative(vkr_big_subtract(a, b));
}

/* A number of elements in those units. */
VkrBig vkr_in_units(const uvec2 count)
{
    return VkrBig(uvec3(0u, count), uvec3(0u));
}

/* part / count, at most 2^32, rounded down. */
uvec2 vkr_fraction(const VkrBig part, const uvec2 count)
{
    uvec2 fraction = uvec2(0u);
    VkrBig left = part;
    VkrBig divisor = vkr_in_units(count);
    uint rest = 0u;
    if (count == uvec2(0u))
        return fraction;
    for (uint i = 0u; i <= 32u; i++) {
        VkrBig next = vkr_big_subtract(left, divisor);
        bool fits = !vkr_big_is_negative(next);
        left = vkr_big_select(left, next, fits);
        fraction = uvec2(fraction.x << 1 | (fits ? 1u : 0u), fraction.y << 1 | fraction.x >> 31);
        divisor = vkr_big_shift_right(divisor, 1u, rest);
    }
    return fraction;
}

/* The first bin whose sum reaches a share, and the sum before it. */
struct VkrFound {
    uint bin;
    uvec2 before;
};

VkrFound vkr_find(const VkrBig share)
{
    uint lane = 0u;
    for (uint step_ = VKR_WORKGROUP / 2u; step_ > 0u; step_ /= 2u)
        if (vkr_big_less(vkr_in_units(vkr_totals[lane + step_ - 1u]), share))
            lane += step_;
    VkrFound found = VkrFound(min(lane * vkr_run, push.bins - 1u), vkr_before(lane));
    for (uint i = 0u; i + 1u < vkr_run; i++) {
        uvec2 sum = vkr_add(found.before, vkr_count_of(found.bin));
        if (found.bin + 1u < push.bins && vkr_big_less(vkr_in_units(sum), share)) {
            found.bin++;
            found.before = sum;
        }
    }
    return found;
}

uvec2 vkr_not_a_number()
{
    return VKR_EDGE_WORDS == 2u ? uvec2(0u, 0x7ff80000u) : uvec2(0x7fc00000u, 0u);
}

VkrFormat vkr_format()
{
    if (VKR_EDGE_WORDS == 2u)
        return VKR_FORMAT_F64;
    return VKR_FORMAT_F32;
}

/* a + r (b - a), where r is in units of 2^-32. */
uvec2 vkr_between(const uvec2 a, const uvec2 b, const uvec2 r)
{
    bool a_is_finite = vkr_is_finite64(a), b_is_finite = vkr_is_finite64(b);
    uvec2 from = a_is_finite ? a : b, to = b_is_finite ? b : a;
    uvec2 left = r.y != 0u ? uvec2(0u) : r.x == 0u ? uvec2(0u, 1u) : uvec2(0u - r.x, 0u);
    if (!a_is_finite && !b_is_finite) {
        bool is_nan = (b.y & 0xfffffu) != 0u || b.x != 0u;
        uvec2 single = uvec2((b.y & 0x80000000u) | 0x7f800000u, 0u);
        return is_nan ? vkr_not_a_number() : VKR_EDGE_WORDS == 2u ? b : single;
    }
    VkrSum sum = vkr_sum(vkr_number(from), left, vkr_number(to), r);
    sum.e -= 32;
    return vkr_round_sum(sum, vkr_format());
}

uvec2 vkr_quantile(const uint s, const uvec2 all)
{
    VkrBig share = vkr_share_of(s, all);
    VkrFound found = vkr_find(share);
    VkrBig part = vkr_big_subtract(share, vkr_in_units(found.before));
    uvec2 r = vkr_fraction(part, vkr_count_of(found.bin));
    if (all == uvec2(0u))
        return vkr_not_a_number();
    return vkr_between(vkr_edge_of(found.bin), vkr_edge_of(found.bin + 1u), r);
}

/* ---- The trimmed mean ---- */

/* m / 2^by, rounded down, or m 2^-by. */
uint vkr_shift(const uvec2 m, const int by)
{
    if (by <= 0)
        return by > -32 ? m.x << uint(-by) : 0u;
    if (by >= 64)
        return 0u;
    if (by >= 32)
        return m.y >> uint(by - 32);
    return m.x >> uint(by) | m.y << 1 << uint(31 - by);
}

/* The exponent of a number's first bit; and the number in units of 2^(top - 29), plus 2^30. */
int vkr_top_of(const uvec2 f64)
{
    VkrNumber number = vkr_number(f64);
    return number.m == uvec2(0u) ? -2000 : int(vkr_big_top(vkr_big(number.m))) + number.e;
}

uint vkr_fixed(const uvec2 f64, const int top)
{
    VkrNumber number = vkr_number(f64);
    uint magnitude = vkr_shift(number.m, top - 29 - number.e);
    return number.is_negative ? 0x40000000u - magnitude : 0x40000000u + magnitude;
}

VkrBig vkr_clamp_big(const VkrBig a, const VkrBig low, const VkrBig high)
{
    VkrBig clamped = vkr_big_select(a, high, vkr_big_less(high, a));
    return vkr_big_select(clamped, low, vkr_big_less(a, low));
}

/* Adds the parts of the bins of a run between two shares: their weight, of at most 48 bits in all,
 * and weight times midpoint. */
void vkr_add_parts(const VkrBig low, const VkrBig high, const uint shift, const int top)
{
    const uint lane = gl_LocalInvocationIndex;
    uvec2 sum = vkr_before(lane);
    VkrBig weighted = vkr_big(uvec2(0u));
    uvec2 weights = uvec2(0u);
    uint rest = 0u;
    for (uint i = 0u; i < vkr_run; i++) {
        uint k = lane * vkr_run + i;
        uvec2 count = k < push.bins ? vkr_count_of(k) : uvec2(0u);
        VkrBig start = vkr_in_units(sum);
        sum = vkr_add(sum, count);
        VkrBig end = vkr_in_units(sum);
        VkrBig from = vkr_clamp_big(start, low, high), to = vkr_clamp_big(end, low, high);
        VkrBig weight = vkr_big_shift_right(vkr_big_subtract(to, from), shift, rest);
        if (count != uvec2(0u) && !vkr_big_is_zero(weight)) {
            /* Twice the position of the midpoint in its bin, in units of 2^-30. */
            uvec2 ends[2];
            for (uint e = 0u; e < 2u; e++)
                ends[e] = vkr_fraction(vkr_big_subtract(e == 0u ? from : to, start), count);
            uint place = (ends[0].x >> 2 | ends[0].y << 30) + (ends[1].x >> 2 | ends[1].y << 30);
            VkrBig a = vkr_big_multiply(vkr_big(uvec2(vkr_fixed(vkr_edge_of(k), top), 0u)),
                                        0x80000000u - place);
            VkrBig b = vkr_big_multiply(vkr_big(uvec2(vkr_fixed(vkr_edge_of(k + 1u), top), 0u)),
                                        place);
            uint middle = vkr_big_shift_right(vkr_big_add(a, b, 0u), 31u, rest).low.x;
            weighted = vkr_big_add(weighted, vkr_big_multiply(weight, middle), 0u);
            weights = vkr_add(weights, weight.low.xy);
        }
    }
    vkr_weighted[lane] = uvec4(weighted.low, weighted.high.x);
    vkr_weights[lane] = weights;
}

/* The quotient of all weighted midpoints and all weights, by one invocation. */
uvec2 vkr_mean(const int top)
{
    VkrBig weighted = vkr_big(uvec2(0u));
    uvec2 weights = uvec2(0u);
    for (uint i = 0u; i < VKR_WORKGROUP; i++) {
        uvec4 w = vkr_weighted[i];
        weighted = vkr_big_add(weighted, VkrBig(w.xyz, uvec3(w.w, 0u, 0u)), 0u);
        weights = vkr_add(weights, vkr_weights[i]);
    }
    if (weights == uvec2(0u))
        return vkr_not_a_number();
    /* 31 bits before the point, and 16 after it. */
    uvec2 quotient = uvec2(0u);
    VkrBig divisor = vkr_big_shift_left(vkr_big(weights), 31u);
    uint rest = 0u;
    for (uint i = 0u; i < 48u; i++) {
        VkrBig next = vkr_big_subtract(weighted, divisor);
        bool fits = !vkr_big_is_negative(next);
        if (fits)
            weighted = next;
        quotient = uvec2(quotient.x << 1 | (fits ? 1u : 0u), quotient.y << 1 | quotient.x >> 31);
        if (i < 31u)
            divisor = vkr_big_shift_right(divisor, 1u, rest);
        else
            weighted = vkr_big_shift_left(weighted, 1u);
    }
    VkrBig mean = vkr_big_subtract(vkr_big(quotient), vkr_big(uvec2(0u, 0x4000u)));
    bool is_negative = vkr_big_is_negative(mean);
    mean = vkr_big_negate(mean, is_negative);
    return vkr_round_big(mean, top - 29 - 16, 0u, is_negative, vkr_format());
}

void vkr_make_mean(const uvec2 all)
{
    uvec2 first = vkr_edge_of(0u), last = vkr_edge_of(push.bins);
    int top = max(vkr_top_of(first), vkr_top_of(last));
    VkrBig low = vkr_share_of(VKR_QUANTILE_SHARES, all);
    VkrBig high = vkr_share_of(VKR_QUANTILE_SHARES + 1u, all);
    uint bits = vkr_big_top(vkr_big_subtract(high, low));
    vkr_add_parts(low, high, bits > 47u ? bits - 47u : 0u, top);
    barrier();
    if (gl_LocalInvocationIndex != 0u)
        return;
    uvec2 mean = vkr_mean(top);
    if (all == uvec2(0u) || !vkr_is_finite64(first) || !vkr_is_finite64(last))
        mean = vkr_not_a_number();
    uint at = push.means_base + vkr_component * VKR_EDGE_WORDS;
    vkr_means[at] = mean.x;
    if (VKR_EDGE_WORDS == 2u)
        vkr_means[at + 1u] = mean.y;
}

void main()
{
    vkr_component = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (vkr_component >= push.groups)
        return;
    vkr_run = (push.bins + VKR_WORKGROUP - 1u) / VKR_WORKGROUP;
    vkr_scan_counts();
    uvec2 all = vkr_totals[VKR_WORKGROUP - 1u];
    if ((VKR_FLAGS & VKR_FLAG_ADDS_UP) != 0u)
        vkr_store_sums();
    for (uint s = gl_LocalInvocationIndex; s < push.shares; s += VKR_WORKGROUP) {
        uvec2 value = vkr_quantile(s, all);
        uint at = push.values_base + vkr_component * push.values_stride + s * VKR_EDGE_WORDS;
        vkr_values[at] = value.x;
        if (VKR_EDGE_WORDS == 2u)
            vkr_values[at + 1u] = value.y;
    }
    if (VKR_TRIMS)
        vkr_make_mean(all);
}
