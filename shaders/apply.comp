/* SPDX-License-Identifier: MIT */
/*
 * Writes a function of each element and of results of its row (apply.h). The modes are those of the
 * card: one dispatch for rows that a workgroup handles, by teams of VKR_TEAM invocations, and three
 * for longer ones, which are cut into parts.
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

#include "vkreduce/apply_teams.glsl"
#include "vkreduce/apply_states.glsl"

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

#include "vkreduce/apply_parts.glsl"

/* ---- Units ---- */

/* A unit of a workgroup, or of a team: where it lies, and the elements of its row. */
struct VkrUnitAt {
    uint row;   /* in this dispatch: of states of rows */
    uint part;  /* of the row, */
    uint first; /* and in this dispatch the first part of the row */
    uint begin; /* the first element of the row */
    uint count; /* elements of the row; 0 where there is no unit */
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

/* The units of this pass that exist. There can be fewer workgroups. */
uint vkr_units()
{
    if (VKR_MODE == VKR_MODE_OF_FEW)
        return push.units;
    uint list = VKR_MODE == VKR_MODE_OF_ROWS     ? VKR_LISTS_MEDIUM
                : VKR_MODE == VKR_MODE_OF_STATES ? VKR_LISTS_LONG
                                                 : VKR_LISTS_PARTS;
    return min(vkr_lists[push.lists_base + list], push.units);
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

void vkr_apply_unit(const uint unit)
{
    VkrUnitAt u = vkr_unit_at(unit);
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

/* Only the GPU knows how many segments are listed, so that workgroups go over them. The host limits
 * the trips through the loop. */
void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
#ifdef VKR_SPANS
    if (VKR_MODE == VKR_MODE_OF_ROWS) {
        uint units = vkr_units();
        for (uint unit = group; unit < units; unit += push.groups)
            vkr_apply_unit(unit);
        return;
    }
#endif
    if (group < vkr_units())
        vkr_apply_unit(group);
}
