/* SPDX-License-Identifier: MIT */
/*
 * Writes a function of each element and of results of its row (apply.h). The modes are those of the
 * card: one dispatch for rows that a workgroup handles, by teams of VKR_TEAM invocations, and three
 * for longer ones, which are cut into parts.
 *
 * A state of a part, or of a row, is two words: the key of the maximum and the sum of exp(x -
 * maximum); the total; the mean and the sum of squares; the keys of the minimum and the maximum.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require
#if VKR_UNIT_BYTES == 2 || VKR_OUTPUT_BYTES == 2
#extension GL_EXT_shader_16bit_storage : require
#endif

#include "card.glsl"
#include "vkreduce/pack.glsl"
#if VKR_UNIT_BYTES == 2
#define VkrUnit uint16_t
#define VkrQuad uvec2
#else
#define VkrUnit uint
#define VkrQuad VkrPack
#endif
#if VKR_OUTPUT_BYTES == 2
#define VkrOutputUnit uint16_t
#define VkrOutputQuad uvec2
#else
#define VkrOutputUnit uint
#define VkrOutputQuad VkrPack
#endif
#include "cards/apply.h"

#include "vkreduce/quads.glsl"
#include "vkreduce/functions.glsl"
#include "vkreduce/exp.glsl"
#include "vkreduce/ratio.glsl"
#ifndef VKR_SPANS
#include "vkreduce/rest.glsl"
#endif

#define VKR_SOFTMAX 0u
#define VKR_LOG_SOFTMAX 1u
#define VKR_SHARE 2u
#define VKR_STANDARDISED 3u
#define VKR_RESCALED 4u
const bool VKR_IS_EXP = VKR_FUNCTION <= VKR_LOG_SOFTMAX;

/* ---- Teams ---- */

shared uint vkr_room[VKR_WORKGROUP];
const uint VKR_TEAM_MASK = VKR_TEAM - 1u;

uint vkr_team_max(const uint v)
{
    if (VKR_TEAM == 1u)
        return v;
    const uint lane = gl_LocalInvocationIndex, i = lane & VKR_TEAM_MASK;
    barrier();
    vkr_room[lane] = v;
    for (uint half_ = VKR_TEAM / 2u; half_ > 0u; half_ /= 2u) {
        barrier();
        if (i < half_)
            vkr_room[lane] = max(vkr_room[lane], vkr_room[lane + half_]);
    }
    barrier();
    return vkr_room[lane - i];
}

float vkr_team_sum(const float v)
{
    if (VKR_TEAM == 1u)
        return v;
    const uint lane = gl_LocalInvocationIndex, i = lane & VKR_TEAM_MASK;
    barrier();
    vkr_room[lane] = floatBitsToUint(v);
    for (uint half_ = VKR_TEAM / 2u; half_ > 0u; half_ /= 2u) {
        barrier();
        if (i < half_) {
            precise float sum =
                uintBitsToFloat(vkr_room[lane]) + uintBitsToFloat(vkr_room[lane + half_]);
            vkr_room[lane] = floatBitsToUint(sum);
        }
    }
    barrier();
    return uintBitsToFloat(vkr_room[lane - i]);
}

/* ---- Keys, which are ordered as numbers are: NaN come last ---- */

uvec4 vkr_keys(const vec4 v)
{
    uvec4 bits = floatBitsToUint(v);
    uvec4 keys = bits ^ (uvec4(ivec4(bits) >> 31) | 0x80000000u);
    return mix(keys, uvec4(~0u), greaterThan(bits & 0x7fffffffu, uvec4(0x7f800000u)));
}

float vkr_number_of_key(const uint key)
{
    return uintBitsToFloat(key ^ ((key >> 31) - 1u | 0x80000000u)); /* of ~0u, a NaN */
}

uint vkr_greatest(const uvec4 v)
{
    uvec2 pair = max(v.xy, v.zw);
    return max(pair.x, pair.y);
}

/* +0 for sums that some driver may have flushed. */
float vkr_flush(const float v)
{
    return abs(v) <= 1.1754943508222875e-38 ? 0.0 : v;
}

float vkr_sum_of(const vec4 v)
{
    precise vec2 pair = v.xy + v.zw;
    precise float sum = pair.x + pair.y;
    return sum;
}

/* ---- The elements of a share ---- */

vec4 vkr_held[VKR_APPLY_QUADS];

uint vkr_quad(const uint round, const uint k)
{
    return (round * VKR_HELD + k) * VKR_TEAM + (gl_LocalInvocationIndex & VKR_TEAM_MASK);
}

uint vkr_rounds_of(const VkrShare s)
{
    const uint each = 4u * VKR_HELD * VKR_TEAM;
    return VKR_IS_ONCE ? 1u : (s.end + each - 1u) / each;
}

void vkr_read(const VkrShare s, const uint round)
{
    [[unroll]] for (uint k = 0u; k < VKR_APPLY_QUADS; k++) {
        if (k < VKR_HELD)
            vkr_held[k] = vkr_load_quad(s, vkr_quad(round, k));
    }
}

/* Reads what is not held anyway. */
void vkr_read_again(const VkrShare s, const uint round)
{
    if (!VKR_IS_ONCE)
        vkr_read(s, round);
}

/* The keys of the elements of a held quad; `other` for elements that are not the share's. */
uvec4 vkr_held_keys(const VkrShare s, const uint round, const uint k, const uint other)
{
    return mix(uvec4(other), vkr_keys(vkr_held[k]), vkr_of_share(s, vkr_quad(round, k)));
}

uint vkr_max_of_round(const VkrShare s, const uint round)
{
    uvec4 top = uvec4(0u);
    [[unroll]] for (uint k = 0u; k < VKR_APPLY_QUADS; k++) {
        if (k < VKR_HELD)
            top = max(top, vkr_held_keys(s, round, k, 0u));
    }
    return vkr_greatest(top);
}

/* exp(x - top) of the elements of a held quad, and 0 for others. */
vec4 vkr_exp_of_quad(const VkrShare s, const uint round, const uint k, const float top)
{
    precise vec4 below = vkr_held[k] - top;
    return mix(vec4(0.0), vkr_exp(below), vkr_of_share(s, vkr_quad(round, k)));
}

float vkr_exp_of_round(const VkrShare s, const uint round, const float top)
{
    precise vec4 sum = vec4(0.0);
    [[unroll]] for (uint k = 0u; k < VKR_APPLY_QUADS; k++) {
        if (k < VKR_HELD)
            sum = sum + vkr_exp_of_quad(s, round, k, top);
    }
    return vkr_sum_of(sum);
}

/* ---- States ---- */

/* exp(of - to), for a sum that is relative to `of`, the key of a maximum. Sums of no elements, and
 * of -inf alone, do not count; of these alone, as of +inf and NaN, the result is never used. */
float vkr_factor(const uint of, const uint to)
{
    precise float below = vkr_number_of_key(of) - vkr_number_of_key(to);
    return of == to ? 1.0 : of <= 0x007fffffu ? 0.0 : vkr_exp(vec4(below)).x;
}

/* Each invocation has a maximum of its own while it reads. */
uvec2 vkr_exp_state(const VkrShare s)
{
    uint rounds = vkr_rounds_of(s), top = 0u;
    precise float sum = 0.0;
    for (uint r = 0u; r < rounds; r++) {
        vkr_read_again(s, r);
        uint key = max(vkr_max_of_round(s, r), top);
        if (VKR_IS_ONCE)
            key = vkr_team_max(key);
        float factor = VKR_IS_ONCE ? 1.0 : vkr_factor(top, key);
        top = key;
        sum = sum * factor;
        sum = sum + vkr_exp_of_round(s, r, vkr_number_of_key(top));
    }
    if (!VKR_IS_ONCE) {
        uint key = vkr_team_max(top);
        sum = sum * vkr_factor(top, key);
        top = key;
    }
    return uvec2(top, floatBitsToUint(vkr_team_sum(sum)));
}

/* The sum of the differences of elements and a number, or of the squares of these. */
float vkr_sum_state(const VkrShare s, const float from, const bool squares)
{
    uint rounds = vkr_rounds_of(s);
    precise vec4 sum = vec4(0.0);
    for (uint r = 0u; r < rounds; r++) {
        vkr_read_again(s, r);
        [[unroll]] for (uint k = 0u; k < VKR_APPLY_QUADS; k++) {
            if (k < VKR_HELD) {
                precise vec4 term = vkr_held[k] - from;
                if (squares)
                    term = term * term;
                sum = sum + mix(vec4(0.0), term, vkr_of_share(s, vkr_quad(r, k)));
            }
        }
    }
    return vkr_team_sum(vkr_sum_of(sum));
}

/* The mean is corrected by the mean of the differences from it: that of equal elements is exact. */
uvec2 vkr_mean_state(const VkrShare s)
{
    float count = float(s.end - s.lead);
    precise float mean = vkr_ratio_of(vkr_sum_state(s, 0.0, false), count);
    mean = mean + vkr_ratio_of(vkr_sum_state(s, mean, false), count);
    return floatBitsToUint(vec2(mean, vkr_sum_state(s, mean, true)));
}

uvec2 vkr_range_state(const VkrShare s)
{
    uint rounds = vkr_rounds_of(s);
    uvec4 least = uvec4(~0u), most = uvec4(0u);
    for (uint r = 0u; r < rounds; r++) {
        vkr_read_again(s, r);
        [[unroll]] for (uint k = 0u; k < VKR_APPLY_QUADS; k++) {
            if (k < VKR_HELD) {
                least = min(least, vkr_held_keys(s, r, k, ~0u));
                most = max(most, vkr_held_keys(s, r, k, 0u));
            }
        }
    }
    return uvec2(~vkr_team_max(vkr_greatest(~least)), vkr_team_max(vkr_greatest(most)));
}

uvec2 vkr_state_of(const VkrShare s)
{
    if (VKR_IS_ONCE)
        vkr_read(s, 0u);
    if (VKR_IS_EXP)
        return vkr_exp_state(s);
    if (VKR_FUNCTION == VKR_SHARE)
        return uvec2(floatBitsToUint(vkr_sum_state(s, 0.0, false)), 0u);
    if (VKR_FUNCTION == VKR_STANDARDISED)
        return vkr_mean_state(s);
    return vkr_range_state(s);
}

/* ---- Outputs ---- */

/* What all elements of a row have in common. */
struct VkrRow {
    float from; /* what is subtracted from elements */
    float more; /* what is then subtracted, or a factor */
    VkrDivisor divisor;
};

VkrRow vkr_row_of(const uvec2 state, const uint count)
{
    VkrRow row = VkrRow(0.0, 0.0, VkrDivisor(0u, 0.0, 0.0, 0.0));
    vec2 numbers = uintBitsToFloat(state);
    float divisor = vkr_flush(numbers.x);
    if (VKR_IS_EXP) {
        row.from = vkr_number_of_key(state.x);
        bool is_finite = (floatBitsToUint(row.from) & 0x7f800000u) != 0x7f800000u;
        float bad = uintBitsToFloat(VKR_CANONICAL_NAN);
        precise float log_ = vkr_log2(state.y) * 0.693147182;
        float factor = VKR_FUNCTION == VKR_SOFTMAX ? vkr_ratio_of(1.0, numbers.y) : log_;
        row.more = is_finite ? factor : bad;
        return row;
    }
    if (VKR_FUNCTION == VKR_STANDARDISED) {
        row.from = numbers.x;
        float variance = vkr_flush(vkr_ratio_of(numbers.y, float(count)));
        uint bits = floatBitsToUint(variance);
        divisor = bits == 0u || bits >= VKR_INFINITE ? variance : vkr_sqrt(bits);
    } else if (VKR_FUNCTION == VKR_RESCALED) {
        row.from = vkr_number_of_key(state.x);
        precise float width = vkr_number_of_key(state.y) - row.from;
        divisor = vkr_flush(width);
    }
    row.divisor = vkr_divisor_of(divisor);
    return row;
}

vec4 vkr_result(const vec4 v, const VkrRow row)
{
    precise vec4 below = v - row.from;
    if (VKR_FUNCTION == VKR_SOFTMAX) {
        precise vec4 share = vkr_exp(below) * row.more;
        return share;
    }
    if (VKR_FUNCTION == VKR_LOG_SOFTMAX) {
        precise vec4 log_ = below - row.more;
        return log_;
    }
    if (VKR_FUNCTION == VKR_SHARE)
        return vkr_ratio(v, row.divisor);
    return vkr_ratio(below, row.divisor);
}

void vkr_write(const VkrShare s, const uvec2 state, const uint count)
{
    VkrRow row = vkr_row_of(state, count);
    uint rounds = vkr_rounds_of(s);
    for (uint r = 0u; r < rounds; r++) {
        if (!VKR_IS_ONCE || VKR_MODE == VKR_MODE_OF_OUTPUTS)
            vkr_read(s, r);
        [[unroll]] for (uint k = 0u; k < VKR_APPLY_QUADS; k++) {
            if (k < VKR_HELD)
                vkr_store_quad(s, vkr_quad(r, k), vkr_result(vkr_held[k], row));
        }
    }
}

/* ---- States in memory ---- */

uvec2 vkr_load_part(const uint part)
{
    uint at = push.parts_base + part * VKR_STATE_WORDS;
    return uvec2(vkr_parts[at], vkr_parts[at + 1u]);
}

uvec2 vkr_load_state(const uint row)
{
    uint at = push.states_base + row * VKR_STATE_WORDS;
    return uvec2(vkr_states[at], vkr_states[at + 1u]);
}

void vkr_store_state(const uint i, const uvec2 state)
{
    uint at = push.new_base + i * VKR_STATE_WORDS;
    vkr_new[at] = state.x;
    vkr_new[at + 1u] = state.y;
}

/* Elements of a part. */
float vkr_size_of_part(const uint part, const uint count)
{
    uint before = part * push.share;
    return before < count ? float(min(count - before, push.share)) : 0.0;
}

/* The sum of the differences of means and a number, each times its part's elements; or the sum of
 * squares. */
float vkr_sum_of_parts(const uint first, const uint parts, const uint count, const float from,
                       const bool squares)
{
    precise float sum = 0.0;
    for (uint i = gl_LocalInvocationIndex; i < parts; i += VKR_WORKGROUP) {
        vec2 part = uintBitsToFloat(vkr_load_part(first + i));
        precise float difference = part.x - from;
        precise float term = difference * vkr_size_of_part(i, count);
        if (squares) {
            term = term * difference;
            term = term + part.y;
        }
        sum = sum + term;
    }
    return vkr_team_sum(sum);
}

uvec2 vkr_combine_exp(const uint first, const uint parts)
{
    uint top = 0u;
    for (uint i = gl_LocalInvocationIndex; i < parts; i += VKR_WORKGROUP)
        top = max(top, vkr_load_part(first + i).x);
    top = vkr_team_max(top);
    precise float sum = 0.0;
    for (uint i = gl_LocalInvocationIndex; i < parts; i += VKR_WORKGROUP) {
        uvec2 part = vkr_load_part(first + i);
        precise float term = uintBitsToFloat(part.y) * vkr_factor(part.x, top);
        sum = sum + (part.x == 0u ? 0.0 : term);
    }
    return uvec2(top, floatBitsToUint(vkr_team_sum(sum)));
}

/* Combines the states of all parts of a row, the elements of which are `count`. */
uvec2 vkr_combine(const uint first, const uint parts, const uint count)
{
    if (VKR_IS_EXP)
        return vkr_combine_exp(first, parts);
    if (VKR_FUNCTION == VKR_STANDARDISED) {
        float all = float(count);
        precise float mean = vkr_ratio_of(vkr_sum_of_parts(first, parts, count, 0.0, false), all);
        mean = mean + vkr_ratio_of(vkr_sum_of_parts(first, parts, count, mean, false), all);
        return floatBitsToUint(vec2(mean, vkr_sum_of_parts(first, parts, count, mean, true)));
    }
    uvec2 state = uvec2(~0u, 0u);
    precise float sum = 0.0;
    for (uint i = gl_LocalInvocationIndex; i < parts; i += VKR_WORKGROUP) {
        uvec2 part = vkr_load_part(first + i);
        sum = sum + uintBitsToFloat(part.x);
        state = uvec2(min(state.x, part.x), max(state.y, part.y));
    }
    if (VKR_FUNCTION == VKR_SHARE)
        return uvec2(floatBitsToUint(vkr_team_sum(sum)), 0u);
    return uvec2(~vkr_team_max(~state.x), vkr_team_max(state.y));
}

/* ---- Units ---- */

/* A unit of a workgroup, or of a team: where it lies, and the elements of its row. */
struct VkrUnitAt {
    uint row;    /* in this dispatch: of states of rows */
    uint part;   /* of the row, */
    uint first;  /* and in this dispatch the first part of the row */
    uint begin;  /* the first element of the row */
    uint count;  /* elements of the row; 0 where there is no unit */
};

#ifdef VKR_SPANS
VkrUnitAt vkr_unit_at(const uint group)
{
    VkrUnitAt u = VkrUnitAt(0u, 0u, 0u, 0u, 0u);
    uint segment;
    if (VKR_MODE == VKR_MODE_OF_FEW) {
        segment = group * (VKR_WORKGROUP / VKR_TEAM) + gl_LocalInvocationIndex / VKR_TEAM;
        if (segment >= push.rows)
            return u;
    } else if (VKR_MODE == VKR_MODE_OF_ROWS) {
        segment = vkr_lists[push.lists_base + VKR_LISTS_WORDS + group];
    } else {
        u.row = VKR_MODE == VKR_MODE_OF_STATES ? group
                                               : vkr_lists[push.lists_base + push.parts_at + group];
        uint at = push.lists_base + push.long_at + u.row * VKR_LONG_WORDS;
        segment = vkr_lists[at];
        u.first = vkr_lists[at + 1u];
        u.part = group - u.first;
    }
    uint span = push.spans_base + segment * VKR_WORDS_OF_SPAN;
    u.begin = vkr_spans[span + VKR_BEGIN_OF_SPAN];
    u.count = vkr_spans[span + VKR_LENGTH_OF_SPAN];
    if (VKR_MODE == VKR_MODE_OF_FEW && u.count > push.share)
        u.count = 0u;
    return u;
}

/* The units of this pass that exist. */
uint vkr_units()
{
    if (VKR_MODE == VKR_MODE_OF_FEW)
        return push.groups;
    uint list = VKR_MODE == VKR_MODE_OF_ROWS     ? VKR_LISTS_MEDIUM
                : VKR_MODE == VKR_MODE_OF_STATES ? VKR_LISTS_LONG
                                                 : VKR_LISTS_PARTS;
    return min(vkr_lists[push.lists_base + list], push.groups);
}
#else
VkrUnitAt vkr_unit_at(const uint group)
{
    VkrUnitAt u = VkrUnitAt(0u, 0u, 0u, 0u, 0u);
    uint parts = push.parts;
    if (VKR_MODE == VKR_MODE_OF_ROWS) {
        u.row = group * (VKR_WORKGROUP / VKR_TEAM) + gl_LocalInvocationIndex / VKR_TEAM;
    } else if (VKR_MODE == VKR_MODE_OF_STATES) {
        u.row = group;
        u.first = group * parts;
    } else {
        uint unit = push.first_unit + group;
        u.part = unit % parts;
        u.row = unit / parts - push.first_row;
        u.first = group - u.part;
    }
    u.begin = (push.first_row + u.row) * push.row_pitch;
    if (u.row < push.rows)
        u.count = vkr_length_of_row(push.first_row + u.row, vkr_all_elements());
    return u;
}

uint vkr_units()
{
    return push.groups;
}
#endif

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= vkr_units())
        return;
    VkrUnitAt u = vkr_unit_at(group);
    bool is_part = VKR_MODE == VKR_MODE_OF_PARTS || VKR_MODE == VKR_MODE_OF_OUTPUTS;
    bool is_first = gl_LocalInvocationIndex == 0u;
    if (VKR_MODE == VKR_MODE_OF_STATES) {
        uint parts = u.count == 0u ? 0u : (u.count - 1u) / push.share + 1u;
        uvec2 all = vkr_combine(u.first, parts, u.count);
        if (is_first)
            vkr_store_state(u.row, all);
        return;
    }
    uint before = is_part ? min(u.part * push.share, u.count) : 0u;
    uint count = is_part ? min(u.count - before, push.share) : u.count;
    VkrShare s = vkr_make_share(u.begin + before, count);
    uvec2 state;
    if (VKR_MODE == VKR_MODE_OF_OUTPUTS)
        state = vkr_load_state(u.row);
    else
        state = vkr_state_of(s);
    if (VKR_MODE != VKR_MODE_OF_PARTS) {
        vkr_write(s, state, u.count);
    } else if (is_first) {
        vkr_store_state(u.first + u.part, state);
    }
}
