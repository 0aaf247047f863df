/* SPDX-License-Identifier: MIT */
/* Sums and maxima of the teams of invocations that handle a row together, and the keys by which
 * numbers are compared. */
#ifndef VKR_APPLY_TEAMS_GLSL
#define VKR_APPLY_TEAMS_GLSL

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

#endif
