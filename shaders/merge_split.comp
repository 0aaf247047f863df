/* SPDX-License-Identifier: MIT */
/*
 * Finds where the shares of a merge begin: invocation i follows diagonal i * VKR_SHARE of the merge
 * path, by bisection. Built with -DVKR_UNIT_BYTES=1|2|4|8.
 *
 * Where there are several windows, the path enters those of this dispatch through the first element
 * of one of them, and leaves them through the first one of the next window of A or of B; a search
 * has left the places of these elements in the table. Elements that follow the last one of the
 * other sequence belong to the window that has this one.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/merge.h"

#include "vkreduce/merge.glsl"

/* A sequence: its window, and the number of all its elements. */
struct VkrSide {
    uint first;
    uint end;
    uint all;
    bool is_last; /* no element follows the window */
    bool exists;  /* the window has elements, or is the first one */
};

/* The part of the merge path that lies in both windows. */
struct VkrPart {
    uvec2 first;
    uvec2 end;
};

uint vkr_counted_a()
{
    if (!vkr_has(VKR_FLAG_GPU_COUNT))
        return push.all_a;
    bool above = vkr_has(VKR_FLAG_GPU_COUNT64) && vkr_count_a[push.count_a_base + 1u] != 0u;
    return above ? push.all_a : min(push.all_a, vkr_count_a[push.count_a_base]);
}

uint vkr_counted_b()
{
    if (!vkr_has(VKR_FLAG_COUNT_B))
        return push.all_b;
    bool above = vkr_has(VKR_FLAG_COUNT_B64) && vkr_count_b[push.count_b_base + 1u] != 0u;
    return above ? push.all_b : min(push.all_b, vkr_count_b[push.count_b_base]);
}

VkrSide vkr_side(const uint first, const uint window, const uint all)
{
    return VkrSide(first, min(first + window, all), all, all - min(first, all) <= window,
                   first == 0u || first < all);
}

/* Where the other sequence is when the path reaches a window's first element; `edge` is an entry of
 * the table. */
uint vkr_edge(const uint edge)
{
    return vkr_table[push.table_base + edge];
}

VkrPart vkr_part_of(const VkrSide a, const VkrSide b)
{
    VkrPart part = VkrPart(uvec2(a.first, b.first), uvec2(a.end, b.end));
    if (!vkr_has(VKR_FLAG_WINDOWS))
        return part;
    if (!a.exists || !b.exists)
        return VkrPart(part.first, part.first);
    if (a.first != 0u)
        part.first.y = max(part.first.y, vkr_edge(push.edge_a));
    if (b.first != 0u)
        part.first.x = max(part.first.x, vkr_edge(push.edge_b));
    if (!a.is_last)
        part.end.y = min(part.end.y, vkr_edge(push.edge_a + 1u));
    if (!b.is_last)
        part.end.x = min(part.end.x, vkr_edge(push.edge_b + 1u));
    if (part.first.x > part.end.x || part.first.y > part.end.y)
        part.end = part.first;
    return part;
}

/* Of the first `before` elements of a part in their order, the number of those of A. The part
 * starts at elements `first` of the windows and has `length` ones of each. */
uint vkr_cross(const uvec2 first, const uvec2 length, const uint before)
{
    uint low = before - min(before, length.y);
    uint high = min(before, length.x);
    while (low < high) {
        uint middle = (low + high) / 2u;
        bool later = vkr_is_b_first(vkr_key_of_b(first.y + before - middle - 1u),
                                    vkr_key_of_a(first.x + middle));
        low = later ? low : middle + 1u;
        high = later ? middle : high;
    }
    return low;
}

void main()
{
    uint share = vkr_group() * VKR_WORKGROUP + gl_LocalInvocationIndex;
    if (vkr_group() >= push.groups)
        return;
    VkrSide a = vkr_side(push.first_a, push.window_a, vkr_counted_a());
    VkrSide b = vkr_side(push.first_b, push.window_b, vkr_counted_b());
    VkrPart part = vkr_part_of(a, b);
    uvec2 first = part.first - uvec2(push.first_a, push.first_b);
    uvec2 length = part.end - part.first;
    uint count = length.x + length.y;
    if (share == 0u) {
        vkr_table[push.table_base + VKR_MERGE_AT_A] = first.x;
        vkr_table[push.table_base + VKR_MERGE_AT_B] = first.y;
        vkr_table[push.table_base + VKR_MERGE_AT_COUNT] = count;
        vkr_table[push.table_base + VKR_MERGE_AT_ALL] = a.all + b.all;
    }
    if (share <= (count + VKR_SHARE - 1u) / VKR_SHARE)
        vkr_table[vkr_split_at(share)] = vkr_cross(first, length, min(share * VKR_SHARE, count));
}
