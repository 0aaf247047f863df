/* SPDX-License-Identifier: MIT */
/*
 * Copies the entries of a payload to where their elements went, by the list of the elements'
 * indices; or stores the lengths of runs, which are differences of such indices. Built with
 * -DVKR_UNIT_BYTES=1|2|4.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#define VKR_GLSL
#include "interface.h"

layout(local_size_x_id = VKR_CONST_WORKGROUP) in;
layout(constant_id = VKR_CONST_WORKGROUP) const uint VKR_WORKGROUP = 64;
layout(constant_id = VKR_PAYLOAD_UNITS) const uint VKR_UNITS = 1;
layout(constant_id = VKR_PAYLOAD_FLAGS) const uint VKR_FLAGS = 0;

#if VKR_UNIT_BYTES == 1
#extension GL_EXT_shader_8bit_storage : require
#define VkrUnit uint8_t
#elif VKR_UNIT_BYTES == 2
#extension GL_EXT_shader_16bit_storage : require
#define VkrUnit uint16_t
#else
#define VkrUnit uint
#endif

layout(set = 0, binding = VKR_PAYLOAD_LIST, std430) buffer VkrList
{
    uint vkr_list[];
};

layout(set = 0, binding = VKR_PAYLOAD_RECORD, std430) buffer VkrRecord
{
    uint vkr_record[];
};

layout(set = 0, binding = VKR_PAYLOAD_SOURCE, std430) buffer VkrSource
{
    VkrUnit vkr_source[];
};

layout(set = 0, binding = VKR_PAYLOAD_TARGET, std430) buffer VkrTarget
{
    VkrUnit vkr_target[];
};

layout(push_constant) uniform VkrPush
{
    vkr_payload_push push;
};

#include "vkreduce/wide.glsl"

bool vkr_has(const uint flag)
{
    return (VKR_FLAGS & flag) != 0u;
}

uvec2 vkr_recorded(const uint entry)
{
    uint at = push.record_base + entry;
    return uvec2(vkr_record[at], vkr_record[at + 1u]);
}

uvec2 vkr_listed(const uint entry)
{
    if (vkr_has(VKR_PAYLOAD_LIST64))
        return uvec2(vkr_list[push.list_base + 2u * entry],
                     vkr_list[push.list_base + 2u * entry + 1u]);
    return uvec2(vkr_list[push.list_base + entry], 0u);
}

/* The position of `at` in a window; `count` if it lies outside. */
uint vkr_in_window(uvec2 at, const uvec2 first, const uint count)
{
    at = vkr_subtract(at, first);
    return at.y == 0u ? min(at.x, count) : count;
}

#if VKR_UNIT_BYTES == 4
void vkr_store_length(const uvec2 end, const uint entry, const uint position)
{
    uvec2 length = vkr_subtract(end, vkr_listed(entry));
    uint to = push.target_base + position * push.target_stride;
    vkr_target[to] = length.x;
    if (vkr_has(VKR_PAYLOAD_TARGET64))
        vkr_target[to + 1u] = length.y;
}
#endif

/* Whether entries first .. last have a source and a target in the windows that are bound; both
 * ascend. Most pairs of windows have no entries in common, which must not cost another read of the
 * list. */
bool vkr_has_place(const uint first, const uint last, const uvec2 begin)
{
    uvec2 source = uvec2(push.source_low, push.source_high);
    uvec2 target = uvec2(push.target_low, push.target_high);
    bool has_place =
        vkr_less(vkr_add(begin, uvec2(first, 0u)), vkr_add(target, uvec2(push.target_count, 0u))) &&
        !vkr_less(vkr_add(begin, uvec2(last, 0u)), target);
    if (!vkr_has(VKR_PAYLOAD_LENGTHS))
        has_place = has_place &&
                    vkr_less(vkr_listed(first), vkr_add(source, uvec2(push.source_count, 0u))) &&
                    !vkr_less(vkr_listed(last), source);
    return has_place;
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uvec2 kept = vkr_recorded(VKR_RECORD_KEPT);
    uvec2 entries = vkr_has(VKR_PAYLOAD_REJECTED)
                        ? vkr_subtract(vkr_recorded(VKR_RECORD_COUNT), kept)
                        : kept;
    uvec2 append = vkr_has(VKR_PAYLOAD_APPEND) ? vkr_recorded(VKR_RECORD_APPEND) : uvec2(0u);
    uvec2 listed = uvec2(push.list_low, push.list_high);
    uint count = vkr_less(listed, entries)
                     ? vkr_minimum(vkr_subtract(entries, listed), uvec2(push.list_count, 0u)).x
                     : 0u;
    uint units = count * VKR_UNITS;
    uint whole = group * push.items * VKR_WORKGROUP; /* the workgroup's first unit */
    uint begin = whole + gl_LocalInvocationIndex;
    if (whole >= units ||
        !vkr_has_place(whole / VKR_UNITS,
                       (min(whole + push.items * VKR_WORKGROUP, units) - 1u) / VKR_UNITS,
                       vkr_add(listed, append)))
        return;
    for (uint k = 0u; k < push.items && begin + k * VKR_WORKGROUP < units; k++) {
        uint entry = (begin + k * VKR_WORKGROUP) / VKR_UNITS;
        uint unit = (begin + k * VKR_WORKGROUP) % VKR_UNITS;
        uvec2 place = vkr_add(vkr_add(listed, append), uvec2(entry, 0u));
        uint position = vkr_in_window(place, uvec2(push.target_low, push.target_high),
                                      push.target_count);
        if (position == push.target_count)
            continue;
#if VKR_UNIT_BYTES == 4
        if (vkr_has(VKR_PAYLOAD_LENGTHS)) {
            bool is_last = vkr_add(listed, uvec2(entry + 1u, 0u)) == entries;
            uvec2 end = vkr_recorded(VKR_RECORD_COUNT);
            if (!is_last)
                end = vkr_listed(entry + 1u);
            vkr_store_length(end, entry, position);
            continue;
        }
#endif
        uint from = vkr_in_window(vkr_listed(entry), uvec2(push.source_low, push.source_high),
                                  push.source_count);
        if (from < push.source_count)
            vkr_target[push.target_base + position * push.target_stride + unit] =
                vkr_source[push.source_base + from * push.source_stride + unit];
    }
}
