/* SPDX-License-Identifier: MIT */
/* States in memory, and the state of a row from those of its parts. */
#ifndef VKR_APPLY_PARTS_GLSL
#define VKR_APPLY_PARTS_GLSL

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

#endif
