/* SPDX-License-Identifier: MIT */
/* What the kernels of sorts share: the digits, what is read and written for each, and the share of
 * a workgroup. The card of sorts is included before. */
#ifndef VKR_SORT_GLSL
#define VKR_SORT_GLSL

#define VKR_INPUTS 1
#define VKR_VECTOR 0
#include "variant.glsl"
#if VKR_BUILD_GROUP_PATH != VKR_BUILD_SHARED
#extension GL_KHR_memory_scope_semantics : require
#extension GL_KHR_shader_subgroup_ballot : require
#endif

bool vkr_has(const uint flag)
{
    return (VKR_FLAGS & flag) != 0u;
}

#define VKR_GROUP_T uint
#define VKR_GROUP_IDENTITY 0u
#define VKR_GROUP_COMBINE(a, b) ((a) + (b))
#define VKR_GROUP_COMMUTES
#define VKR_GROUP_ROLLED
#include "lanes.glsl"

const bool VKR_WINDOWED = (VKR_FLAGS & VKR_FLAG_WINDOWED) != 0u;

uint vkr_group()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    return VKR_WINDOWED ? push.first_group + group : group;
}

/* ---- The table ---- */

uint vkr_masks_at(const uint group)
{
    return push.table_base + VKR_SORT_RECORD + 2u * group;
}

/* The number of keys with a digit, in a row; and in one workgroup, or in those before it. */
uint vkr_total_at(const uint row, const uint digit)
{
    return vkr_masks_at(push.rows * push.groups) + row * VKR_SORT_RADIX + digit;
}

uint vkr_counter_at(const uint row, const uint digit, const uint group)
{
    return vkr_total_at(push.rows, 0u) + (row * VKR_SORT_RADIX + digit) * push.groups + group;
}

/* ---- Digits ---- */

/* The bits of a key, starting at one of them. */
uint vkr_bits_from(const uvec2 key, const uint shift)
{
    return shift >= 32u ? key.y >> (shift - 32u) : key.x >> shift | key.y << 1 << (31u - shift);
}

uint vkr_bits_from(const uint key, const uint shift)
{
    return key >> shift;
}

uint vkr_shift_of(const uint digit)
{
    return push.begin + digit * VKR_SORT_DIGIT_BITS;
}

/* The bits of a digit; none of the extra one, which comes last. */
uint vkr_digit_mask(const uint digit)
{
    uint shift = vkr_shift_of(digit);
    uint bits = shift < push.end ? min(push.end - shift, VKR_SORT_DIGIT_BITS) : 0u;
    return (1u << bits) - 1u;
}

/* Of the digits from the given one on, the number of those that have something to do: the first one
 * of all, and those in which keys differ; and the extra one where the number of all others is
 * odd. */
uint vkr_digits_from(const uint digit)
{
    uvec2 different = uvec2(vkr_table[push.table_base + VKR_SORT_RECORD_DIFFERENT],
                            vkr_table[push.table_base + VKR_SORT_RECORD_DIFFERENT + 1u]);
    uint all = 0u, later = 0u, p = 0u;
    for (; vkr_shift_of(p) < push.end; p++) {
        uint bits = vkr_bits_from(different, vkr_shift_of(p)) & vkr_digit_mask(p);
        uint does = p == 0u || bits != 0u ? 1u : 0u;
        all += does;
        later += p >= digit ? does : 0u;
    }
    return later + (vkr_has(VKR_FLAG_EXTRA) && digit <= p ? all & 1u : 0u);
}

/* What a digit does: whether anything; whether it reads and writes TEMP; and whether it is the last
 * one. The last one writes the outputs, the one before it TEMP, and so on. */
struct VkrRoute {
    bool works;
    bool reads_temp;
    bool writes_temp;
    bool is_last;
};

VkrRoute vkr_route_of(const uint digit)
{
    uint from = vkr_digits_from(digit), after = vkr_digits_from(digit + 1u);
    bool odd = (after & 1u) != 0u;
    return VkrRoute(from != after, !odd && !vkr_has(VKR_FLAG_FIRST), odd, after == 0u);
}

/* ---- Shares ---- */

/* On CPUs each invocation has a share of its own, and needs no other one. */
const bool VKR_ALONE = (VKR_FLAGS & VKR_FLAG_ALONE) != 0u;
const uint VKR_GROUP_SHARES = VKR_ALONE ? VKR_WORKGROUP : 1u;

/* The row of a workgroup, and the number of the share in it. A dispatch can have more workgroups
 * than a window: these are in no row. */
uint vkr_row()
{
    if (VKR_WINDOWED && vkr_group() - push.first_group >= push.group_count)
        return push.rows;
    return vkr_group() / (push.groups / VKR_GROUP_SHARES);
}

uint vkr_share_number()
{
    uint group = vkr_group() % (push.groups / VKR_GROUP_SHARES);
    return VKR_ALONE ? group * VKR_WORKGROUP + vkr_group_rank() : group;
}

/* The elements of a workgroup: a run of whole tiles, except for the last one of the row. */
struct VkrShare {
    uint row_first; /* the row's first element */
    uint first;
    uint count;
};

VkrShare vkr_share_of(const uint row, const uint group, const uint tile, const uint total)
{
    VkrShare share;
    /* Windows are cut by the host, which does not know the GPU's count. */
    uint cut = VKR_WINDOWED ? push.count : total;
    share.row_first = min((push.first_row + row) * push.row_length, cut);
    uint length = min(push.row_length, cut - share.row_first);
    uint tiles = length == 0u ? 0u : (length - 1u) / tile + 1u;
    /* Those of a whole row, also in the last one, if it is shorter. */
    uint all = VKR_WINDOWED ? (push.row_length - 1u) / tile + 1u : tiles;
    uint each = tiles == 0u ? 0u : (all - 1u) / push.groups + 1u;
    uint first = min(group * each, tiles), end = min(first + each, tiles);
    share.first = share.row_first + first * tile;
    share.count = end == first ? 0u : end == tiles ? length - first * tile : each * tile;
    if (VKR_WINDOWED)
        share.count = min(share.count, total - min(share.first, total));
    return share;
}

/* Whether the dispatch stores what goes to an element. */
bool vkr_is_stored(const uint i)
{
    bool is_inside = i - push.stored_first < push.stored_count;
    return VKR_WINDOWED ? is_inside : true;
}

/* Shares consist of tiles. */
const uint VKR_SORT_TILE = VKR_ALONE ? VKR_ITEMS : VKR_WORKGROUP * VKR_ITEMS;

#ifdef VKR_ORDER_GLSL
#if VKR_UNIT_BYTES == 8
#define VKR_LIMIT uvec2(push.limit, 0u)
#else
#define VKR_LIMIT push.limit
#endif

/* The number of elements: the host's, or the GPU's if that is less. */
uint vkr_counted()
{
    if (!vkr_has(VKR_FLAG_GPU_COUNT))
        return push.count;
    bool above = vkr_has(VKR_FLAG_GPU_COUNT64) && vkr_count[push.count_base + 1u] != 0u;
    return above ? push.count : min(push.count, vkr_count[push.count_base]);
}

uvec2 vkr_words_of(const uvec2 key)
{
    return key;
}

uvec2 vkr_words_of(const uint key)
{
    return uvec2(key, 0u);
}

uint vkr_digit_of(const VkrKey key, const uint shift, const uint mask)
{
    return vkr_bits_from(vkr_clamped(key), shift) & mask;
}

/* Whether a key is one of those that are only counted. */
bool vkr_is_left_out(const VkrKey key)
{
    return vkr_has(VKR_FLAG_LIMITED) && !vkr_key_less(key, VKR_LIMIT);
}

/* A key: of the input, of TEMP, or of what an earlier digit has left in SORTED. */
VkrKey vkr_key_at(const uint i, const bool temp)
{
    if (vkr_has(VKR_FLAG_FIRST))
        return vkr_key_of(VkrKey(vkr_source[push.source_base + i * push.source_stride]));
#ifndef VKR_ONLY_PASS
    if (temp)
        return VkrKey(vkr_temp[push.temp_base + i]);
#endif
    return VkrKey(vkr_source[push.source_base + i * push.source_stride]);
}
#endif

#endif
