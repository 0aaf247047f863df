/* SPDX-License-Identifier: MIT */
/*
 * Stores the outputs of sources. Sources and outputs are merged into one list, in which each source
 * comes before its outputs, and workgroups have equal shares of it. A workgroup finds the first
 * tile of its share, scans the counts of one tile after the other, and shares out the part of the
 * list that lies in it: each invocation walks along some consecutive entries, and stores their
 * outputs; or it leaves in shared memory which source each output has, and then these are stored
 * side by side.
 *
 * Built with -DVKR_BUILD_GROUP_PATH=VKR_BUILD_*.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "cards/expand.h"

#include "vkreduce/expand.glsl"

#define VKR_GROUP_T uint
#define VKR_GROUP_IDENTITY 0u
#define VKR_GROUP_COMBINE(a, b) vkr_saturating_add(a, b)
#define VKR_GROUP_COMMUTES
#include "vkreduce/lanes.glsl"

#include "vkreduce/expand_counts.glsl"

const bool VKR_WINDOWS = (VKR_FLAGS & VKR_FLAG_WINDOWS) != 0u;
const bool VKR_STAGED = (VKR_FLAGS & VKR_FLAG_STAGED) != 0u;
const uint VKR_SHARE = VKR_WORKGROUP * VKR_ITEMS; /* entries of the list */

shared uint vkr_starts[VKR_TILE + 1u]; /* outputs before each source of a tile, and after them */
shared uint vkr_staged[VKR_STAGED ? VKR_SHARE : 1u]; /* the source, in its tile, of an output */
shared uint vkr_limits[2];             /* the first output of a part, and the end of its outputs */
shared uint vkr_found;

uint vkr_sources_base = push.sources_base;
uint vkr_sources_stride = push.sources_stride;
uint vkr_ranks_base = push.ranks_base;
uint vkr_ranks_stride = push.ranks_stride;

uint vkr_first_tile;
uint vkr_stored_begin; /* the outputs of this dispatch */
uint vkr_stored_end;

/* The number of outputs of this dispatch before an output. */
uint vkr_place_of(const uint output_number)
{
    return VKR_WINDOWS
               ? clamp(output_number, vkr_stored_begin, vkr_stored_end) - vkr_stored_begin
               : min(output_number, vkr_stored_end);
}

/* The outputs before a tile, of this dispatch's sources; and those before the next one. */
uint vkr_outputs_before(const uint tile)
{
    const uint number = vkr_first_tile + tile;
    return vkr_saturating_add(vkr_table[vkr_block_at(number / VKR_EXPAND_BLOCK)],
                              vkr_table[vkr_tile_at(number)]);
}

uint vkr_outputs_through(const uint tile)
{
    const uint tiles = push.blocks * VKR_EXPAND_BLOCK;
    return vkr_first_tile + tile + 1u < tiles ? vkr_outputs_before(tile + 1u) : ~0u;
}

/* Where a tile starts in the list. */
uint vkr_entry_of_tile(const uint tile)
{
    return tile * VKR_TILE + vkr_place_of(vkr_outputs_before(tile));
}

/* The last tile that starts at an entry or before it. Each round leaves one of VKR_WORKGROUP parts
 * of the tiles. */
uint vkr_tile_of_entry(const uint entry, const uint tiles)
{
    uint first = 0u, length = tiles;
    for (uint round = 0u; round < 32u && length > 1u; round++) {
        const uint part = (length + VKR_WORKGROUP - 1u) / VKR_WORKGROUP;
        const uint probe = vkr_rank * part;
        if (vkr_rank == 0u)
            vkr_found = first;
        barrier();
        if (vkr_rank != 0u && probe < length && vkr_entry_of_tile(first + probe) <= entry)
            atomicMax(vkr_found, first + probe);
        barrier();
        length = min(part, first + length - vkr_found);
        first = vkr_found;
        barrier();
    }
    return first;
}

/* Scans the counts of a tile. */
void vkr_scan_tile(const uint tile)
{
    const uint mine = vkr_rank * VKR_SOURCES;
    const uint first = tile * VKR_TILE + mine;
    uint sum = 0u;
    for (uint k = 0u; k < VKR_SOURCES; k += VKR_LOADED) {
        const uvec4 counts = vkr_counts_of(first + k);
        [[unroll]] for (uint c = 0u; c < VKR_LOADED; c++) {
            vkr_starts[mine + k + c] = sum;
            sum = vkr_saturating_add(sum, counts[c]);
        }
    }
    uint total;
    uint before = vkr_group_exclusive(sum, total);
    const uint base = vkr_outputs_before(tile);
    before = vkr_saturating_add(base, before);
    for (uint k = 0u; k < VKR_SOURCES; k++)
        vkr_starts[mine + k] = vkr_saturating_add(before, vkr_starts[mine + k]);
    if (vkr_rank == 0u)
        vkr_starts[VKR_TILE] = vkr_saturating_add(base, total);
    barrier();
}

/* The last source of a tile that comes at an entry of its list or before it. */
uint vkr_source_of_entry(const uint entry, const uint sources, const uint low)
{
    uint i = 0u, length = sources;
    while (length > 1u) {
        const uint half_length = length / 2u;
        const uint middle = i + half_length;
        if (middle + vkr_place_of(vkr_starts[middle]) - low <= entry)
            i = middle;
        length -= half_length;
    }
    return i;
}

/* Stores an output of source `i` of a tile. */
void vkr_store(const uint place, const uint first_source, const uint i, const uint start)
{
    if ((VKR_FLAGS & VKR_FLAG_STORES_SOURCES) != 0u)
        vkr_sources[vkr_sources_base + place * vkr_sources_stride] = first_source + i;
    if ((VKR_FLAGS & VKR_FLAG_STORES_RANKS) != 0u)
        vkr_ranks[vkr_ranks_base + place * vkr_ranks_stride] = vkr_stored_begin + place - start;
}

/* Entries of the list that belong to a tile, of which `low` outputs come before. */
struct VkrPart {
    uint from; /* they start here, counted from the tile's first one, */
    uint to;   /* and end here */
    uint sources;
    uint low;
    uint first_source;
};

/* Walks along an invocation's entries, from `entry` to `end`. */
void vkr_walk(const VkrPart part, const uint entry, const uint end)
{
    uint i = vkr_source_of_entry(entry, part.sources, part.low);
    uint start = vkr_starts[i];
    const uint passed = entry - i - (vkr_place_of(start) - part.low); /* 0: the source itself */
    uint place = vkr_place_of(start) + max(passed, 1u) - 1u;
    uint next = vkr_place_of(vkr_starts[i + 1u]);
    if (VKR_STAGED && vkr_rank == 0u)
        vkr_limits[0] = place;
    for (uint at = passed == 0u ? entry + 1u : entry; at < end; at++) {
        if (place < next) {
            if (VKR_STAGED)
                vkr_staged[place % VKR_SHARE] = i;
            else
                vkr_store(place, part.first_source, i, start);
            place++;
        } else {
            i++;
            start = VKR_WINDOWS ? vkr_starts[i] : place;
            next = vkr_place_of(vkr_starts[i + 1u]);
        }
    }
    if (VKR_STAGED && end == part.to && entry < end)
        vkr_limits[1] = place;
}

void vkr_store_staged(const uint first_source)
{
    for (uint place = vkr_limits[0] + vkr_rank; place < vkr_limits[1]; place += VKR_WORKGROUP) {
        const uint i = vkr_staged[place % VKR_SHARE];
        vkr_store(place, first_source, i, vkr_starts[i]);
    }
}

/* Stores the outputs of a tile whose entries lie in a share of the list. */
void vkr_expand_tile(const uint tile, const uint begin, const uint end)
{
    const uint first = tile * VKR_TILE;
    const uint sources = min(vkr_covered_sources - first, VKR_TILE);
    const uint low = vkr_place_of(vkr_outputs_before(tile));
    const uint high = vkr_place_of(vkr_outputs_through(tile));
    const uint base = first + low;
    if (low == high)
        return;
    vkr_scan_tile(tile);
    const VkrPart part =
        VkrPart(max(begin, base) - base, min(end - base, sources + high - low), sources, low,
                push.first_low + first);
    uint entries = (part.to - part.from + VKR_WORKGROUP - 1u) / VKR_WORKGROUP;
    entries |= entries >= 256u ? 16u : 0u;
    const uint entry = min(part.from + vkr_rank * entries, part.to);
    vkr_walk(part, entry, min(entry + entries, part.to));
    barrier();
    if (VKR_STAGED) {
        vkr_store_staged(part.first_source);
        barrier();
    }
}

void main()
{
    const uint group = vkr_group_number();
    if (group >= push.groups)
        return;
    const uint stored = vkr_saturated(
        vkr_minimum(uvec2(vkr_table[push.table_base + VKR_RECORD_KEPT],
                          vkr_table[push.table_base + VKR_RECORD_KEPT + 1u]),
                    uvec2(push.room, 0u)));
    vkr_first_tile = push.first_low / VKR_TILE;
    vkr_stored_begin = VKR_WINDOWS ? min(push.stored_first, stored) : 0u;
    vkr_stored_end =
        VKR_WINDOWS ? vkr_stored_begin + min(push.stored_count, stored - vkr_stored_begin) : stored;
    const uint tiles = (vkr_covered_sources + VKR_TILE - 1u) / VKR_TILE;
    if (tiles == 0u)
        return;
    const uint all = vkr_covered_sources + vkr_place_of(vkr_outputs_through(tiles - 1u));
    const uint begin = group * VKR_SHARE;
    if (begin >= all)
        return;
    const uint end = begin + min(VKR_SHARE, all - begin);
    uint tile = vkr_tile_of_entry(begin, tiles);
    for (uint k = 0u; k < VKR_SHARE / VKR_TILE + 2u; k++) {
        if (tile >= tiles || vkr_entry_of_tile(tile) >= end)
            break;
        vkr_expand_tile(tile, begin, end);
        tile++;
    }
}
