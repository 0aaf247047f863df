/* SPDX-License-Identifier: MIT */
/*
 * Computes the tables by which histogram.comp finds bins (cards/bins.h), and clears counts. An
 * invocation computes one edge, exactly as histogram.h defines it.
 *
 * Built with -DVKR_EDGES_KIND=VKR_*_EDGES and -DVKR_FLOATS=0|1 (elements are floats), since drivers
 * take long to remove code that only constants exclude; and with -DVKR_UNIT_BYTES=1|2|4, the size
 * of the source's values, or half of it for 8.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/edges.h"

#include "vkreduce/edge.glsl"

/* ---- Tables ---- */

VkrBig vkr_big_min(const VkrBig a, const VkrBig b)
{
    return vkr_big_select(b, a, vkr_big_less(a, b));
}

/* The difference key - base of an edge, or 0 if it is negative. */
VkrBig vkr_difference(const VkrEdge edge, const VkrBig base)
{
    VkrBig difference = vkr_big_subtract(edge.key, base);
    return vkr_big_select(difference, vkr_big(uvec2(0u)), vkr_big_is_negative(difference));
}

/* The keys of a range: the first one, and the number of keys that follow. */
struct VkrRow {
    VkrBig base;
    VkrBig span;
    bool is_there;
};

VkrRow vkr_row(const VkrEdge first, const VkrEdge last, const bool is_there)
{
    const VkrBig one = vkr_big(uvec2(1u, 0u));
    VkrRow row;
    VkrBig end = last.last;
    if (!VKR_CLOSED)
        end = vkr_big_subtract(last.key, one);
    row.base = first.key;
    if (!VKR_IS_FLOAT) {
        if (vkr_big_is_negative(row.base))
            row.base = vkr_big(uvec2(0u));
        end = vkr_big_min(end, vkr_big_subtract(vkr_greatest(), vkr_least()));
    }
    row.span = vkr_big_subtract(end, row.base);
    row.is_there = is_there && !vkr_big_is_negative(row.span);
    if (!row.is_there)
        row.span = vkr_big(uvec2(0u));
    if (!is_there)
        row.base = vkr_big(uvec2(0u));
    return row;
}

/* Approximations: an integer of 96 bits as a float, and a float of 64 bits, truncated to 32 bits;
 * numbers outside the range of normal floats become 0 or very great. */
float vkr_about(const VkrBig a)
{
    return (float(a.low.z) * 4294967296.0 + float(a.low.y)) * 4294967296.0 + float(a.low.x);
}

float vkr_about64(const uvec2 f64)
{
    int exponent = int(f64.y >> 20 & 0x7ffu) - 896;
    uint bits = exponent <= 0    ? 0u
                : exponent > 253 ? 0x7f000000u
                                 : uint(exponent) << 23 | (f64.y & 0xfffffu) << 3 | f64.x >> 29;
    return uintBitsToFloat(bits | (f64.y & 0x80000000u));
}

/* A logarithm of log2_edges.glsl, or a difference of two, as a float. */
float vkr_about_log(const uvec2 log)
{
    float fraction = float(log.y & 0xffffu) + float(log.x) / 4294967296.0;
    return float(int(log.y) >> 16) + fraction / 65536.0;
}

/* Stores the rest of the header: the parameters of estimates, and whether they are good. */
void vkr_store_estimates(const uint at, const VkrRange range, const VkrRow row)
{
    float n = float(push.bins);
    float origin = 0.0, scale = 0.0, offset = -0.25;
    uint steps = 1u;
    if (VKR_IS_FLOAT && VKR_EDGES_KIND == VKR_LOG2_EDGES) {
        uint borrow;
        uvec2 width = uvec2(usubBorrow(vkr_logs[1].x, vkr_logs[0].x, borrow), vkr_logs[1].y);
        width.y -= vkr_logs[0].y + borrow;
        origin = vkr_about_log(vkr_logs[0]);
        scale = n / vkr_about_log(width);
    } else if (VKR_IS_FLOAT) {
        origin = vkr_about64(vkr_f64(range.low));
        float end = vkr_about64(vkr_f64(range.high));
        float greatest = max(abs(origin), abs(end));
        float width = end - origin;
        bool is_wide = width >= n * greatest * VKR_BINS_WIDE && width > n * 1e-30;
        steps = greatest < 1e30 && is_wide ? 0u : 1u;
        scale = n / width;
    } else {
        VkrBig low = vkr_big_subtract(vkr_extend(range.low), vkr_least());
        VkrBig width = vkr_big_subtract(vkr_extend(range.high), vkr_extend(range.low));
        steps = range.is_widened ? 1u : 0u;
        scale = n / vkr_about(width);
        offset += vkr_about(vkr_big_subtract(row.base, low)) * scale;
    }
    if (VKR_EDGES_KIND == VKR_GIVEN_EDGES || VKR_EDGES_KIND == VKR_LOG2_EDGES)
        steps = 1u;
    if (!row.is_there)
        steps = VKR_BINS_NONE;
    vkr_table[at + VKR_BINS_STEPS] = steps;
    vkr_table[at + VKR_BINS_ORIGIN] = floatBitsToUint(origin);
    vkr_table[at + VKR_BINS_SCALE] = floatBitsToUint(scale);
    vkr_table[at + VKR_BINS_OFFSET] = floatBitsToUint(offset);
}

void vkr_store_header(const uint at, const VkrRange range, const VkrRow row)
{
    vkr_table[at + VKR_BINS_BASE] = row.base.low.x;
    vkr_table[at + VKR_BINS_BASE + 1u] = row.base.low.y;
    vkr_table[at + VKR_BINS_SPAN] = row.span.low.x;
    vkr_table[at + VKR_BINS_SPAN + 1u] = row.span.low.y;
    if (!row.is_there)
        vkr_table[at + VKR_BINS_FIRST] = 0u;
    vkr_store_estimates(at, range, row);
}

/* Stores the limit of bin k, which is the edge after it, and k as the bin of the base if it is
 * that. */
void vkr_store_limit(const uint at, const VkrRow row, const uint k, const VkrEdge edge,
                     const VkrEdge next)
{
    const VkrBig one = vkr_big(uvec2(1u, 0u));
    VkrBig d = vkr_difference(edge, row.base), e = vkr_difference(next, row.base);
    bool is_last = k + 1u == push.bins;
    VkrBig limit = row.span;
    if (!is_last && !vkr_big_is_zero(e))
        limit = vkr_big_min(vkr_big_subtract(e, one), row.span);
    else if (!is_last)
        limit = vkr_big(uvec2(0u));
    if (vkr_big_is_zero(d) && (is_last || !vkr_big_is_zero(e)) && row.is_there)
        vkr_table[at + VKR_BINS_FIRST] = k;
    uint words = VKR_IS_WIDE ? 2u : 1u;
    uint to = at + VKR_BINS_HEADER + k * words;
    vkr_table[to] = limit.low.x;
    if (VKR_IS_WIDE)
        vkr_table[to + 1u] = limit.low.y;
}

void vkr_store_edge(const uint c, const uint k, const uvec2 value)
{
    uint words = VKR_IS_WIDE ? 2u : 1u;
    uint at = push.output_base + (c * (push.bins + 1u) + k) * words;
    vkr_output[at] = value.x;
    if (VKR_IS_WIDE)
        vkr_output[at + 1u] = value.y;
}

/* Computes edge k of component c, which may share a table with other components. */
void vkr_make_edge(const uint c, const uint k)
{
    VkrRange range = vkr_range(c);
    bool has_table = push.table_stride != 0u || c == 0u;
    bool is_limit = has_table && k != push.bins;
    if (VKR_EDGES_KIND == VKR_LOG2_EDGES && range.is_there)
        vkr_make_logs(range);
    /* Edges k and k + 1, and the ends: in a loop, since drivers would take long to compile a copy
     * of the code for each. */
    VkrEdge edge = VkrEdge(vkr_big(uvec2(0u)), vkr_big(uvec2(0u)), vkr_nan());
    VkrEdge next = edge, first = edge, last = edge;
    uint made_edges = !range.is_there ? 0u : is_limit ? 4u : 1u;
    for (uint i = 0u; i < made_edges; i++) {
        VkrEdge made = vkr_edge(range, i == 0u ? k : i == 1u ? k + 1u : i == 2u ? 0u : push.bins);
        if (i == 0u)
            edge = made;
        else if (i == 1u)
            next = made;
        else if (i == 2u)
            first = made;
        else
            last = made;
    }
    if ((VKR_FLAGS & VKR_FLAG_STORED) != 0u)
        vkr_store_edge(c, k, edge.value);
    if (!is_limit)
        return;
    uint at = push.table_base + c * push.table_stride;
    VkrRow row = vkr_row(first, last, range.is_there);
    if (k == 0u)
        vkr_store_header(at, range, row);
    vkr_store_limit(at, row, k, edge, next);
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    uint i = group * VKR_WORKGROUP + gl_LocalInvocationIndex;
    if (i < push.counts_words)
        vkr_counts[push.counts_base + i] = 0u;
    if (i < push.outside_words)
        vkr_outside[push.outside_base + i] = 0u;
    uint c = i / (push.bins + 1u);
    if (c < push.components)
        vkr_make_edge(c, i - c * (push.bins + 1u));
}
