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
#include "vkreduce/share.glsl"

const uint VKR_COUNT_WORDS = (VKR_FLAGS & VKR_FLAG_COUNTS64) != 0u ? 2u : 1u;
const uint VKR_EDGE_WORDS = (VKR_FLAGS & VKR_FLAG_EDGES64) != 0u ? 2u : 1u;
const bool VKR_TRIMS = (VKR_FLAGS & VKR_FLAG_TRIMS) != 0u;

shared uvec2 vkr_totals[VKR_WORKGROUP]; /* inclusive sums of the invocations' counts */
shared uvec3 vkr_weighted[VKR_WORKGROUP];
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

/* A share of the sum of all counts. */
VkrPart vkr_share_of(const uint s, const uvec2 all)
{
    if ((push.ones >> s & 1u) != 0u)
        return vkr_part_of(all);
    return vkr_multiply(all, vkr_share_word(s));
}

/* The first bin whose sum reaches a share, and the sum before it. */
struct VkrFound {
    uint bin;
    uvec2 before;
};

VkrFound vkr_find(const VkrPart share)
{
    uint lane = 0u;
    for (uint step_ = VKR_WORKGROUP / 2u; step_ > 0u; step_ /= 2u)
        if (vkr_less(vkr_part_of(vkr_totals[lane + step_ - 1u]), share))
            lane += step_;
    VkrFound found = VkrFound(min(lane * vkr_run, push.bins - 1u), vkr_before(lane));
    for (uint i = 0u; i + 1u < vkr_run; i++) {
        uvec2 sum = vkr_add(found.before, vkr_count_of(found.bin));
        if (found.bin + 1u < push.bins && vkr_less(vkr_part_of(sum), share)) {
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

/* A value before it is rounded, if it is a number. */
struct VkrValue {
    VkrSum sum;
    uvec2 bits;
    bool is_number;
};

VkrValue vkr_value_of(const uvec2 bits)
{
    return VkrValue(VkrSum(vkr_big(uvec2(0u)), 0, 0u, false), bits, false);
}

/* a + r (b - a), where r is in units of 2^-32. */
VkrValue vkr_between(const uvec2 a, const uvec2 b, const uvec2 r)
{
    bool a_is_finite = vkr_is_finite64(a), b_is_finite = vkr_is_finite64(b);
    uvec2 from = a_is_finite ? a : b, to = b_is_finite ? b : a;
    uvec2 left = r.y != 0u ? uvec2(0u) : r.x == 0u ? uvec2(0u, 1u) : uvec2(0u - r.x, 0u);
    if (!a_is_finite && !b_is_finite) {
        bool is_nan = (b.y & 0xfffffu) != 0u || b.x != 0u;
        uvec2 single = uvec2((b.y & 0x80000000u) | 0x7f800000u, 0u);
        return vkr_value_of(is_nan ? vkr_not_a_number() : VKR_EDGE_WORDS == 2u ? b : single);
    }
    VkrSum sum = vkr_sum(vkr_number(from), left, vkr_number(to), r);
    sum.e -= 32;
    return VkrValue(sum, uvec2(0u), true);
}

VkrValue vkr_quantile(const uint s, const uvec2 all)
{
    VkrPart share = vkr_share_of(s, all);
    VkrFound found = vkr_find(share);
    VkrPart part = vkr_subtract(share, vkr_part_of(found.before));
    uvec2 r = vkr_fraction(part, vkr_count_of(found.bin));
    if (all == uvec2(0u))
        return vkr_value_of(vkr_not_a_number());
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
    int top = number.m.y != 0u ? 32 + findMSB(number.m.y) : findMSB(number.m.x);
    return number.m == uvec2(0u) ? -2000 : top + number.e;
}

uint vkr_fixed(const uvec2 f64, const int top)
{
    VkrNumber number = vkr_number(f64);
    uint magnitude = vkr_shift(number.m, top - 29 - number.e);
    return number.is_negative ? 0x40000000u - magnitude : 0x40000000u + magnitude;
}

/* Adds the parts of the bins of a run between two shares: their weight, of at most 48 bits in all,
 * and weight times midpoint. */
void vkr_add_parts(const VkrPart low, const VkrPart high, const uint shift, const int top)
{
    const uint lane = gl_LocalInvocationIndex;
    uvec2 sum = vkr_before(lane);
    uvec3 weighted = uvec3(0u);
    uvec2 weights = uvec2(0u);
    for (uint i = 0u; i < vkr_run; i++) {
        uint k = lane * vkr_run + i;
        uvec2 count = k < push.bins ? vkr_count_of(k) : uvec2(0u);
        VkrPart start = vkr_part_of(sum);
        sum = vkr_add(sum, count);
        VkrPart from = vkr_clamp(start, low, high);
        VkrPart to = vkr_clamp(vkr_part_of(sum), low, high);
        uvec2 weight = vkr_shift_part(vkr_subtract(to, from), shift);
        if (count != uvec2(0u) && weight != uvec2(0u)) {
            /* Twice the position of the midpoint in its bin, in units of 2^-30. */
            uint place = 0u;
            [[dont_unroll]] for (uint e = 0u; e < 2u; e++) {
                uvec2 end = vkr_fraction(vkr_subtract(e == 0u ? from : to, start), count);
                place += end.x >> 2 | end.y << 30;
            }
            uvec2 a, b;
            umulExtended(vkr_fixed(vkr_edge_of(k), top), 0x80000000u - place, a.y, a.x);
            umulExtended(vkr_fixed(vkr_edge_of(k + 1u), top), place, b.y, b.x);
            a = vkr_add(a, b);
            weighted = vkr_add(weighted, vkr_multiply(weight, a.x >> 31 | a.y << 1));
            weights = vkr_add(weights, weight);
        }
    }
    vkr_weighted[lane] = weighted;
    vkr_weights[lane] = weights;
}

/* The quotient of all weighted midpoints and all weights. */
VkrValue vkr_mean(const int top)
{
    uvec3 weighted = uvec3(0u);
    uvec2 weights = uvec2(0u);
    [[dont_unroll]] for (uint i = 0u; i < VKR_WORKGROUP; i++) {
        weighted = vkr_add(weighted, vkr_weighted[i]);
        weights = vkr_add(weights, vkr_weights[i]);
    }
    if (weights == uvec2(0u))
        return vkr_value_of(vkr_not_a_number());
    /* 31 bits before the point, and 16 after it. */
    uvec2 mean = vkr_divide(weighted.yz, weighted.x, 48u, weights);
    uvec2 zero = uvec2(0u, 0x4000u);
    bool is_negative = vkr_less(mean, zero);
    mean = is_negative ? vkr_subtract(zero, mean) : vkr_subtract(mean, zero);
    return VkrValue(VkrSum(vkr_big(mean), top - 29 - 16, 0u, is_negative), uvec2(0u), true);
}

VkrValue vkr_mean_of(const uvec2 all, const int top)
{
    if (all == uvec2(0u) || !vkr_is_finite64(vkr_edge_of(0u)) ||
        !vkr_is_finite64(vkr_edge_of(push.bins)))
        return vkr_value_of(vkr_not_a_number());
    return vkr_mean(top);
}

void vkr_store_quantile(const uint s, const uvec2 bits)
{
    uint at = push.values_base + vkr_component * push.values_stride + s * VKR_EDGE_WORDS;
    vkr_values[at] = bits.x;
    if (VKR_EDGE_WORDS == 2u)
        vkr_values[at + 1u] = bits.y;
}

void vkr_store_mean(const uvec2 bits)
{
    uint at = push.means_base + vkr_component * VKR_EDGE_WORDS;
    vkr_means[at] = bits.x;
    if (VKR_EDGE_WORDS == 2u)
        vkr_means[at + 1u] = bits.y;
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
    int top = 0;
    if (VKR_TRIMS) {
        top = max(vkr_top_of(vkr_edge_of(0u)), vkr_top_of(vkr_edge_of(push.bins)));
        VkrPart low = vkr_share_of(VKR_QUANTILE_SHARES, all);
        VkrPart high = vkr_share_of(VKR_QUANTILE_SHARES + 1u, all);
        uint bits = vkr_top_bit(vkr_subtract(high, low));
        vkr_add_parts(low, high, bits > 47u ? bits - 47u : 0u, top);
        barrier();
    }
    /* The mean is handled like one more share, so that the code that rounds is there once. */
    uint values = push.shares + (VKR_TRIMS ? 1u : 0u);
    for (uint s = gl_LocalInvocationIndex; s < values; s += VKR_WORKGROUP) {
        VkrValue value;
        bool is_share = !VKR_TRIMS || s < push.shares;
        if (is_share)
            value = vkr_quantile(s, all);
        else
            value = vkr_mean_of(all, top);
        uvec2 bits = value.bits;
        if (value.is_number)
            bits = vkr_round_sum(value.sum, vkr_format());
        if (is_share)
            vkr_store_quantile(s, bits);
        else
            vkr_store_mean(bits);
    }
}
