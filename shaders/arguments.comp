/* SPDX-License-Identifier: MIT */
/* Copies the counts of a compaction from its record to where other work on the GPU reads them. */
#version 450
#extension GL_GOOGLE_include_directive : require

#define VKR_GLSL
#include "interface.h"

layout(local_size_x = 1) in;

layout(set = 0, binding = 0, std430) buffer VkrRecord
{
    uint vkr_record[];
};

#define VKR_TARGET(i)                                                                              \
    layout(set = 0, binding = i + 1, std430) buffer VkrTarget##i                                   \
    {                                                                                              \
        uint vkr_target##i[];                                                                      \
    };
VKR_TARGET(0)
VKR_TARGET(1)
VKR_TARGET(2)
VKR_TARGET(3)
VKR_TARGET(4)
VKR_TARGET(5)

layout(push_constant) uniform VkrPush
{
    vkr_arguments_push push;
};

#include "vkreduce/wide.glsl"

/* The kinds are numbered as in VkrCountKind. */
#define VKR_IS_KEPT 0u
#define VKR_IS_STORED 1u
#define VKR_IS_REJECTED 2u
#define VKR_IS_WIDE 3u /* added to these */
#define VKR_IS_DISPATCH 6u

uvec2 vkr_recorded(const uint entry)
{
    uint at = push.record_base + entry;
    return uvec2(vkr_record[at], vkr_record[at + 1u]);
}

uvec2 vkr_scaled(const uvec2 a, const uint scale)
{
    uint high;
    uint low;
    umulExtended(a.x, scale, high, low);
    return uvec2(low, high + a.y * scale);
}

/* The quotient, rounded up, but at most 2^32 - 1. */
uint vkr_divided_up(const uvec2 a, const uint b)
{
    uvec2 rest = uvec2(0u);
    uvec2 quotient = uvec2(0u);
    for (int bit = 63; bit >= 0; bit--) {
        uint next = bit >= 32 ? a.y >> (bit - 32) & 1u : a.x >> bit & 1u;
        rest = uvec2(rest.x << 1 | next, rest.y << 1 | rest.x >> 31);
        quotient = uvec2(quotient.x << 1, quotient.y << 1 | quotient.x >> 31);
        if (!vkr_less(rest, uvec2(b, 0u))) {
            rest = vkr_subtract(rest, uvec2(b, 0u));
            quotient.x |= 1u;
        }
    }
    if (rest != uvec2(0u))
        quotient = vkr_add(quotient, uvec2(1u, 0u));
    return quotient.y != 0u ? ~0u : quotient.x;
}

uvec2 vkr_number(const uint kind)
{
    uvec2 kept = vkr_recorded(VKR_RECORD_KEPT);
    if (kind == VKR_IS_REJECTED || kind == VKR_IS_REJECTED + VKR_IS_WIDE)
        return vkr_subtract(vkr_recorded(VKR_RECORD_COUNT), kept);
    uvec2 number = vkr_add(kept, vkr_recorded(VKR_RECORD_APPEND));
    if (kind != VKR_IS_KEPT && kind != VKR_IS_KEPT + VKR_IS_WIDE)
        number = vkr_minimum(number, uvec2(push.capacity_low, push.capacity_high));
    return number;
}

#define VKR_PUT(i)                                                                                 \
    if (push.kinds[i] != ~0u) {                                                                    \
        uint kind = push.kinds[i];                                                                 \
        uvec2 number = vkr_number(kind);                                                           \
        uint at = push.bases[i];                                                                   \
        if (kind == VKR_IS_DISPATCH) {                                                             \
            uint groups = vkr_divided_up(number, push.scales[i]);                                  \
            vkr_target##i[at] = min(groups, push.max_groups);                                      \
            vkr_target##i[at + 1u] = groups == 0u ? 1u : (groups - 1u) / push.max_groups + 1u;     \
            vkr_target##i[at + 2u] = 1u;                                                           \
        } else {                                                                                   \
            number = vkr_scaled(number, push.scales[i]);                                           \
            vkr_target##i[at] = number.x;                                                          \
            if (kind >= VKR_IS_WIDE)                                                               \
                vkr_target##i[at + 1u] = number.y;                                                 \
        }                                                                                          \
    }

void main()
{
    VKR_PUT(0)
    VKR_PUT(1)
    VKR_PUT(2)
    VKR_PUT(3)
    VKR_PUT(4)
    VKR_PUT(5)
}
