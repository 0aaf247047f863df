/* SPDX-License-Identifier: MIT */
/*
 * A step of a bitonic sort of (key, number of the element) pairs, which are all different, so the
 * result is that of a stable sort. Every comparison puts the smaller pair first: the first stride
 * of a merge compares the elements of a block with those in reverse order (FLIP) instead of merging
 * ascending with descending blocks. Elements past the end of a row are then as if they were greater
 * than all others, and comparisons with them are left out. Built with -DVKR_UNIT_BYTES=1|2|4|8.
 *
 * Source: K. Batcher, "Sorting networks and their applications" (1968).
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/unit.glsl"
#include "cards/sort_bitonic.h"

#include "vkreduce/order.glsl"

bool vkr_has(const uint flag)
{
    return (VKR_FLAGS & flag) != 0u;
}

uint vkr_counted()
{
    if (!vkr_has(VKR_FLAG_GPU_COUNT))
        return push.count;
    bool above = vkr_has(VKR_FLAG_GPU_COUNT64) && vkr_count[push.count_base + 1u] != 0u;
    return above ? push.count : min(push.count, vkr_count[push.count_base]);
}

/* ---- A chunk in shared memory ---- */

shared uint vkr_chunk_keys[VKR_CHUNK];
#if VKR_UNIT_BYTES == 8
shared uint vkr_chunk_high[VKR_CHUNK];
#endif
shared uint vkr_chunk_items[VKR_CHUNK];

VkrKey vkr_get_key(const uint i)
{
#if VKR_UNIT_BYTES == 8
    return uvec2(vkr_chunk_keys[i], vkr_chunk_high[i]);
#else
    return vkr_chunk_keys[i];
#endif
}

void vkr_put_key(const uint i, const VkrKey key)
{
#if VKR_UNIT_BYTES == 8
    vkr_chunk_keys[i] = key.x;
    vkr_chunk_high[i] = key.y;
#else
    vkr_chunk_keys[i] = key;
#endif
}

bool vkr_is_after(const VkrKey a, const uint a_item, const VkrKey b, const uint b_item)
{
#if VKR_UNIT_BYTES == 8
    const VkrKey mask = uvec2(push.mask_low, push.mask_high);
#else
    const VkrKey mask = push.mask_low;
#endif
    VkrKey x = vkr_clamped(a) & mask, y = vkr_clamped(b) & mask;
    bool after = vkr_key_less(y, x), before = vkr_key_less(x, y), later = a_item > b_item;
    return after || (!before && later);
}

/* The first and the second element of comparison number c. */
uvec2 vkr_pair(const uint c, const uint stride, const bool flips)
{
    uint at = c % stride, block = (c - at) * 2u;
    return uvec2(block + at, flips ? block + 2u * stride - 1u - at : block + at + stride);
}

void vkr_compare_chunk(const uint stride, const bool flips, const uint count)
{
    for (uint c = gl_LocalInvocationIndex; c < VKR_CHUNK / 2u; c += VKR_WORKGROUP) {
        uvec2 i = vkr_pair(c, stride, flips);
        if (i.y < count) {
            VkrKey a = vkr_get_key(i.x), b = vkr_get_key(i.y);
            uint a_item = vkr_chunk_items[i.x], b_item = vkr_chunk_items[i.y];
            if (vkr_is_after(a, a_item, b, b_item)) {
                vkr_put_key(i.x, b);
                vkr_put_key(i.y, a);
                vkr_chunk_items[i.x] = b_item;
                vkr_chunk_items[i.y] = a_item;
            }
        }
    }
    barrier();
}

void vkr_load_chunk(const uint row, const uint first, const uint count)
{
    for (uint i = gl_LocalInvocationIndex; i < count; i += VKR_WORKGROUP) {
        uint at = row + first + i;
        if (vkr_has(VKR_FLAG_FIRST)) {
            VkrKey bits = VkrKey(vkr_source[push.source_base + at * push.source_stride]);
            vkr_put_key(i, vkr_key_of(bits));
            vkr_chunk_items[i] = first + i;
        } else {
            vkr_put_key(i, VkrKey(vkr_keys[push.keys_base + at]));
            vkr_chunk_items[i] = vkr_items[push.items_base + at];
        }
        if (vkr_has(VKR_FLAG_CARRIED) && vkr_has(VKR_FLAG_FIRST) && !vkr_has(VKR_FLAG_OUTPUTS))
            vkr_copy[push.copy_base + at] = vkr_values[push.values_base + at * push.values_stride];
    }
    barrier();
}

void vkr_store_chunk(const uint row, const uint first, const uint count)
{
    for (uint i = gl_LocalInvocationIndex; i < count; i += VKR_WORKGROUP) {
        vkr_keys[push.keys_base + row + first + i] = VkrUnit(vkr_get_key(i));
        vkr_items[push.items_base + row + first + i] = vkr_chunk_items[i];
    }
}

/* Stores outputs. All values are read before the first is stored, since a single dispatch may read
 * them where it stores them. */
void vkr_store_outputs(const uint row, const uint first, const uint count)
{
    for (uint i = gl_LocalInvocationIndex; i < count && vkr_has(VKR_FLAG_CARRIED);
         i += VKR_WORKGROUP) {
        uint at = row + vkr_chunk_items[i];
        if (vkr_has(VKR_FLAG_FIRST))
            vkr_chunk_items[i] = vkr_values[push.values_base + at * push.values_stride];
        else
            vkr_chunk_items[i] = vkr_copy[push.copy_base + at];
    }
    barrier();
    for (uint i = gl_LocalInvocationIndex; i < count; i += VKR_WORKGROUP) {
        uint at = row + first + i;
        if (vkr_has(VKR_FLAG_KEYS))
            vkr_sorted[push.sorted_base + at * push.sorted_stride] =
                VkrUnit(vkr_bits_of(vkr_get_key(i)));
        if (vkr_has(VKR_FLAG_VALUES))
            vkr_ranked[push.ranked_base + at * push.ranked_stride] = vkr_chunk_items[i];
    }
}

void vkr_step_chunk(const uint row, const uint first, const uint count)
{
    vkr_load_chunk(row, first, count);
    for (uint size = VKR_STEP == VKR_BITONIC_SORT ? 2u : VKR_CHUNK; size <= VKR_CHUNK; size *= 2u)
        for (uint stride = size / 2u; stride != 0u; stride /= 2u)
            vkr_compare_chunk(stride, VKR_STEP == VKR_BITONIC_SORT && stride == size / 2u, count);
    if (vkr_has(VKR_FLAG_OUTPUTS))
        vkr_store_outputs(row, first, count);
    else
        vkr_store_chunk(row, first, count);
}

/* ---- One comparison for each invocation ---- */

void vkr_compare(const uint row, const uint length, const uint c)
{
    uvec2 i = vkr_pair(c, push.stride, VKR_STEP == VKR_BITONIC_FLIP);
    if (i.y >= length)
        return;
    uvec2 keys = i + push.keys_base + row, items = i + push.items_base + row;
    VkrKey a = VkrKey(vkr_keys[keys.x]), b = VkrKey(vkr_keys[keys.y]);
    uint a_item = vkr_items[items.x], b_item = vkr_items[items.y];
    if (vkr_is_after(a, a_item, b, b_item)) {
        vkr_keys[keys.x] = VkrUnit(b);
        vkr_keys[keys.y] = VkrUnit(a);
        vkr_items[items.x] = b_item;
        vkr_items[items.y] = a_item;
    }
}

void main()
{
    const uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    const uint row = group / push.groups, part = group % push.groups;
    if (row >= push.rows)
        return;
    const uint all = vkr_counted();
    const uint start = min((push.first_row + row) * push.row_length, all);
    const uint length = min(push.row_length, all - start);
    if (VKR_STEP >= VKR_BITONIC_FLIP) {
        vkr_compare(start, length, part * VKR_WORKGROUP + gl_LocalInvocationIndex);
        return;
    }
    const uint first = part * VKR_CHUNK;
    if (first < length)
        vkr_step_chunk(start, first, min(length - first, VKR_CHUNK));
}
