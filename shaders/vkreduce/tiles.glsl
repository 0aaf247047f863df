/* SPDX-License-Identifier: MIT */
/* Tiles of a scan in a single pass, which publish values of any size: the values lie in memory, and
 * the words of states say that they are available. */
#ifndef VKR_TILES_GLSL
#define VKR_TILES_GLSL

/* The positions of a tile's total and prefix. Prefixes are computed from each other, so those of
 * float sums keep their rounding errors (strand.glsl) in one more value. */
const uint VKR_TILE_VALUES = VKR_HOLDS ? 3u : 2u;
uint vkr_published_at(const uint tile, const bool is_prefix)
{
    return vkr_partial_at(VKR_TILE_VALUES * tile + (is_prefix ? 1u : 0u));
}

#define VKR_TILE_STATES push.states_base
uint vkr_publish_value(const uint tile, const bool is_prefix, const VkrRunning value)
{
    uint at = vkr_published_at(tile, is_prefix);
    vkr_store_partial(at, vkr_rounded(value));
    if (VKR_HOLDS && is_prefix)
        vkr_store_partial(at + VKR_PARTIAL_WORDS, vkr_lost_of(value));
    memoryBarrierBuffer();
    return 0u;
}

/* Combines the values of a row. */
VkrScan vkr_row_combine(VkrScan s)
{
#if VKR_BUILD_GROUP_PATH == VKR_BUILD_SHARED
    return s;
#elif VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC
    return vkr_group_subgroup_reduce(s);
#else
    VkrScan sum;
    s = vkr_group_subgroup_exclusive(s, sum);
    return sum;
#endif
}

VkrRunning vkr_seen_values(const uint tile, const uint bits, const uint begin, const bool is_whole)
{
    memoryBarrierBuffer();
    VkrScan s = vkr_scan_identity();
    if (tile != ~0u && tile >= begin)
        s = vkr_load_partial(vkr_published_at(tile, false));
    VkrRunning values = vkr_run_from(vkr_row_combine(s));
    if (is_whole) {
        uint at = vkr_published_at(begin - 1u, true);
        VkrRunning before = vkr_run_from(vkr_load_partial(at));
        if (VKR_HOLDS)
            vkr_restore_lost(before, vkr_load_partial(at + VKR_PARTIAL_WORDS));
        vkr_precede(values, before);
    }
    return values;
}

/* These use the slots after those of group.glsl. */
void vkr_put_seen(const VkrRunning value)
{
    vkr_scan_put(VKR_SLOTS, vkr_rounded(value));
    if (VKR_HOLDS)
        vkr_scan_put(VKR_SLOTS + 1u, vkr_lost_of(value));
}

VkrRunning vkr_get_seen()
{
    VkrRunning value = vkr_run_from(vkr_scan_get(VKR_SLOTS));
    if (VKR_HOLDS)
        vkr_restore_lost(value, vkr_scan_get(VKR_SLOTS + 1u));
    return value;
}

/* Computes the total of a tile of this dispatch. This is rare, so it may be slow. */
VkrScan vkr_total_of_tile(const uint tile)
{
    uint v = ((tile - push.first_tile) * VKR_WORKGROUP + vkr_group_rank()) * push.items;
    uint count = v < vkr_units() ? min(push.items, vkr_units() - v) : 0u;
    uint until = count > 0u ? vkr_seek_unit(vkr_unit_at(v)) : 0u;
    VkrShare share = vkr_share_from(vkr_scan_identity());
    VkrScan sum;
    for (uint end = v + count; v < end; v += VKR_STRAND_STEPS) {
        vkr_scan_elements(vkr_strand_of(share), until, v, min(end - v, VKR_STRAND_STEPS),
                          false);
        vkr_end_strand(share);
    }
    VkrScan s = vkr_group_exclusive(vkr_scan_of_share(share), sum);
    return sum;
}

#include "lookback.glsl"

#if VKR_BUILD_GROUP_PATH == VKR_BUILD_ARITHMETIC
/* Scans the tile that starts at unit v, which is one chunk and stays in registers while its
 * workgroup looks back. If a unit is not full, each invocation walks over consecutive elements
 * instead, both before and after the look-back. `prefix` becomes the prefix of the tile, `sum` its
 * total. */
void vkr_scan_held(const uint tile, const uint v, out VkrScan prefix, out VkrScan sum)
{
    uint low;
    uint high;
    vkr_full_units(low, high);
    bool full = v >= low && v + VKR_BATCH * VKR_WORKGROUP <= high;
    uint own = v + vkr_group_rank() * VKR_BATCH;
    uint count = own < vkr_units() ? min(VKR_BATCH, vkr_units() - own) : 0u;
    uint until = count > 0u ? vkr_seek_unit(vkr_unit_at(own)) : 0u;
    uint cursor = until;
    VkrScan s = vkr_scan_identity();
    VkrScan row;
    if (full) {
        s = vkr_total_chunk(v, true, row);
    } else {
        vkr_scan_elements(s, cursor, own, count, false);
        s = vkr_group_subgroup_exclusive(s, row);
    }
    sum = row;
    if (!VKR_ONE_ROW)
        s = vkr_scan_combine(vkr_group_subgroups_exclusive(row, sum), s);
    prefix = vkr_look_back(tile, sum);
    s = vkr_scan_combine(prefix, s);
    if (full)
        vkr_apply_chunk(s, v, true);
    else
        vkr_scan_elements(s, until, own, count, true);
}
#endif

#endif
