/* SPDX-License-Identifier: MIT */
/*
 * Copies the entries of a payload to the positions of their elements, by the list of the elements'
 * indices; or stores the lengths of runs, which are differences of such indices. Built with
 * -DVKR_UNIT_BYTES=1|2|4|8|16, and optionally with -DVKR_PACKS_OF_U64; for 16 bytes also with
 * -DVKR_LOADS=VKR_LOADS_TEXEL.
 */
#version 450
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/payload.h"

#include "vkreduce/wide.glsl"
#include "vkreduce/moved.glsl"

/* Read once: CPU drivers do not hoist such reads, each of which costs a load, out of loops. */
uint vkr_list_base = push.list_base;
uint vkr_source_base = push.source_base;
uint vkr_source_stride = push.source_stride;
uint vkr_source_count = push.source_count;
uvec2 vkr_source_first = uvec2(push.source_low, push.source_high);
uint vkr_target_base = push.target_base;
uint vkr_target_stride = push.target_stride;

bool vkr_has(const uint flag)
{
    return (VKR_FLAGS & flag) != 0u;
}

uvec2 vkr_listed(const uint entry)
{
    if (vkr_has(VKR_FLAG_LIST64))
        return uvec2(vkr_list[vkr_list_base + 2u * entry],
                     vkr_list[vkr_list_base + 2u * entry + 1u]);
    return uvec2(vkr_list[vkr_list_base + entry], 0u);
}

/* The number of entries, of `count` starting at position `first`, whose positions are below
 * `end`. */
uint vkr_entries_below(const uvec2 first, const uvec2 end, const uint count)
{
    return vkr_less(first, end) ? vkr_minimum(vkr_subtract(end, first), uvec2(count, 0u)).x : 0u;
}

/* Whether the source of an entry lies in the window that is bound. */
bool vkr_has_source(const uint entry)
{
    uvec2 at = vkr_subtract(vkr_listed(entry), vkr_source_first);
    return at.y == 0u && at.x < vkr_source_count;
}

/* Whether some of entries first .. last, which ascend, have a source in the window that is bound.
 * Most pairs of windows have no entries in common, and those must not read the list again. */
bool vkr_has_place(const uint first, const uint last)
{
    return vkr_has(VKR_FLAG_LENGTHS) ||
           (vkr_less(vkr_listed(first), vkr_add(vkr_source_first, uvec2(vkr_source_count, 0u))) &&
            !vkr_less(vkr_listed(last), vkr_source_first));
}

/* The entries of one workgroup, indexed like those of the list's window. */
struct VkrShare {
    uint first;
    uint end;
    uint to; /* the position of entry 0, which wraps below 0, in the target's window */
};

#if VKR_UNIT_BYTES == 4
/* Stores the lengths of a share, four at once if list and target allow that. Entry `last` is the
 * last one in the list: its run ends with the elements. */
void vkr_store_lengths(const VkrShare share, const uint last)
{
    const bool narrow = (VKR_FLAGS & (VKR_FLAG_LIST64 | VKR_FLAG_TARGET64)) == 0u;
    uint to = vkr_target_base + share.to;
    bool fits = narrow && vkr_target_stride == 1u;
    fits = fits && ((share.first | vkr_list_base | to) & 3u) == 0u;
    uint packed = fits ? max(min(share.end, last) & ~3u, share.first) : share.first;
    for (uint e = share.first + 4u * gl_LocalInvocationIndex; e < packed; e += 4u * VKR_WORKGROUP) {
        uvec4 begin = vkr_words_of_pack(vkr_list_packs[(vkr_list_base + e) >> 2]);
        uint next = vkr_list[vkr_list_base + e + 4u];
        vkr_target_packs[(to + e) >> 2] = vkr_pack_of_words(uvec4(begin.yzw, next) - begin);
    }
    uvec2 count = vkr_recorded(VKR_RECORD_COUNT);
    for (uint e = packed + gl_LocalInvocationIndex; e < share.end; e += VKR_WORKGROUP) {
        uvec2 end = count;
        if (e != last)
            end = vkr_listed(e + 1u);
        uvec2 length = vkr_subtract(end, vkr_listed(e));
        uint at = vkr_target_base + (share.to + e) * vkr_target_stride;
        vkr_target[at] = length.x;
        if (vkr_has(VKR_FLAG_TARGET64))
            vkr_target[at + 1u] = length.y;
    }
}
#endif

/* The source of a unit, if it lies in the window. Indices in a window have 32 bits. */
uint vkr_from(const uint unit)
{
    uint at = vkr_listed(unit / VKR_UNITS).x - vkr_source_first.x;
    return vkr_source_base + at * vkr_source_stride + unit % VKR_UNITS;
}

uint vkr_to(const VkrShare share, const uint unit)
{
    return vkr_target_base + (share.to + unit / VKR_UNITS) * vkr_target_stride + unit % VKR_UNITS;
}

/* Moves units of a share whose sources all lie in the window, starting at unit `at`, as long as
 * there are VKR_MOVED of them for this invocation. Returns the unit after them. Without a condition
 * between a load and its store, compilers start all loads before the first store. */
uint vkr_move_batches(const VkrShare share, uint at, const uint end)
{
    for (; at + (VKR_MOVED - 1u) * VKR_WORKGROUP < end; at += VKR_MOVED * VKR_WORKGROUP) {
        VkrMoved moved[VKR_MOVED];
        [[unroll]] for (uint i = 0u; i < VKR_MOVED; i++)
            moved[i] = VkrMoved(VKR_SOURCE(vkr_from(at + i * VKR_WORKGROUP)));
        [[unroll]] for (uint i = 0u; i < VKR_MOVED; i++)
            vkr_target[vkr_to(share, at + i * VKR_WORKGROUP)] = VkrUnit(moved[i]);
    }
    return at;
}

void vkr_move_units(const VkrShare share)
{
    uint at = share.first * VKR_UNITS + gl_LocalInvocationIndex;
    uint end = share.end * VKR_UNITS;
    if (vkr_has_source(share.first) && vkr_has_source(share.end - 1u))
        at = vkr_move_batches(share, at, end);
    for (; at < end; at += VKR_WORKGROUP)
        if (vkr_has_source(at / VKR_UNITS))
            vkr_target[vkr_to(share, at)] = VKR_SOURCE(vkr_from(at));
}

/* The number of entries of an invocation, of `count` in all. The host only knows their maximum: if
 * the actual entries were not divided evenly, the first workgroups would get all of them, and some
 * drivers assign the first half of the workgroups to one thread. */
uint vkr_items(const uint count)
{
    uint invocations = gl_NumWorkGroups.x * gl_NumWorkGroups.y * VKR_WORKGROUP;
    uint items = (count - 1u) / invocations + 1u;
    return min((items + VKR_MOVED - 1u) / VKR_MOVED * VKR_MOVED, push.items);
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uvec2 kept = vkr_recorded(VKR_RECORD_KEPT);
    uvec2 entries = vkr_has(VKR_FLAG_REJECTED)
                        ? vkr_subtract(vkr_recorded(VKR_RECORD_COUNT), kept)
                        : kept;
    uvec2 append = vkr_has(VKR_FLAG_APPEND) ? vkr_recorded(VKR_RECORD_APPEND) : uvec2(0u);
    uvec2 listed = uvec2(push.list_low, push.list_high);
    uint count = vkr_less(listed, entries)
                     ? vkr_minimum(vkr_subtract(entries, listed), uvec2(push.list_count, 0u)).x
                     : 0u;
    uvec2 first = vkr_add(listed, append);
    uvec2 target = uvec2(push.target_low, push.target_high);
    uint end = vkr_entries_below(first, vkr_add(target, uvec2(push.target_count, 0u)), count);
    uint each = vkr_items(end) * VKR_WORKGROUP;
    VkrShare share;
    share.first = max(group * each, vkr_entries_below(first, target, count));
    share.end = min(group * each + each, end);
    share.to = vkr_subtract(first, target).x;
    if (share.first >= share.end || !vkr_has_place(share.first, share.end - 1u))
        return;
#if VKR_UNIT_BYTES == 4
    if (vkr_has(VKR_FLAG_LENGTHS)) {
        bool ends = vkr_add(listed, uvec2(count, 0u)) == entries;
        vkr_store_lengths(share, ends ? count - 1u : count);
        return;
    }
#endif
    vkr_move_units(share);
}
