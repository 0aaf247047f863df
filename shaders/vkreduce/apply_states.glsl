/* SPDX-License-Identifier: MIT */
/*
 * What a team knows of the elements that it has read. A state of a part, or of a row, is two words:
 * the key of the maximum and the sum of exp(x - maximum); the total; the mean and the sum of
 * squares; the keys of the minimum and the maximum.
 */
#ifndef VKR_APPLY_STATES_GLSL
#define VKR_APPLY_STATES_GLSL

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

#if VKR_LOADS == VKR_LOADS_TEXEL
void vkr_read(const VkrShare s, const uint round)
{
    [[unroll]] for (uint k = 0u; k < VKR_APPLY_QUADS; k++) {
        if (k < VKR_HELD)
            vkr_held[k] = vkr_load_quad(s, vkr_quad(round, k));
    }
}
#else
/* Whole quads are loaded without a branch between them, so that no load waits for another. */
void vkr_read(const VkrShare s, const uint round)
{
    uvec2 whole = vkr_whole_quads(s);
    if (VKR_IS_PACKED && whole.x < whole.y) {
        [[unroll]] for (uint k = 0u; k < VKR_APPLY_QUADS; k++) {
            if (k < VKR_HELD)
                vkr_held[k] =
                    vkr_load_pack(s.at + clamp(vkr_quad(round, k), whole.x, whole.y - 1u));
        }
    }
    [[unroll]] for (uint k = 0u; k < VKR_APPLY_QUADS; k++) {
        if (k < VKR_HELD && !VKR_ARE_WHOLE)
            vkr_load_singles(s, vkr_quad(round, k), vkr_held[k]);
    }
}
#endif

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

#endif
