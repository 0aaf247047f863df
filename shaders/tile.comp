/* SPDX-License-Identifier: MIT */
/*
 * Reductions of tiles of an image, or of a buffer that is seen as rows. A team, which is a
 * workgroup or one invocation, reduces a tile or a part of one at a time. Parts store partials,
 * which a second dispatch of this kernel combines. Tiles at the right and bottom edge are cut off
 * there.
 *
 * With VKR_FLAG_SQUARES tiles are squares of one whole, each of which stores a partial; further
 * dispatches reduce these partials, which lie in rows like texels, in the same way until one is
 * left (Goeddeke 2005, with 2 x 2; OPENRNDR).
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/stored.glsl"
#include "cards/tile.h"

#define VKR_INPUTS 2
#define VKR_OF_TILES
#include "vkreduce/variant.glsl"

#include "vkreduce/type.glsl"
#include "vkreduce/round.glsl"
#include "vkreduce/operator.glsl"
#include "vkreduce/count.glsl"
#include "vkreduce/load.glsl"
#include "vkreduce/subgroup.glsl"
#include "vkreduce/memory.glsl"
#include "vkreduce/workgroup.glsl"
#include "vkreduce/accumulate.glsl"
#include "vkreduce/result.glsl"

const bool VKR_SQUARES = (VKR_FLAGS & VKR_FLAG_SQUARES) != 0u;
const bool VKR_GRID = (VKR_FLAGS & VKR_FLAG_GRID) != 0u;

uint vkr_column()
{
    return VKR_TEAM == 0u ? gl_WorkGroupID.x : gl_GlobalInvocationID.x;
}

struct VkrTile {
    uvec2 at;   /* column and row of its first element */
    uint layer;
    uvec2 size; /* columns and rows */
    uint count; /* elements below the count */
};

/* The number of a tile's elements below the count: whole rows, and a part of one. */
uint vkr_count_of_tile(const VkrTile tile)
{
    uint all = tile.size.x * tile.size.y;
    uvec2 before, rows;
    umulExtended(uniforms.width, tile.layer * uniforms.height + tile.at.y, before.y, before.x);
    umulExtended(uniforms.width, tile.size.y, rows.y, rows.x);
    uvec2 total = vkr_total();
    if (!vkr_less(before, total))
        return 0u;
    uvec2 left = vkr_subtract(total, before);
    if (!vkr_less(left, rows))
        return all;
    uint row = left.x / uniforms.width;
    uint column = left.x - row * uniforms.width;
    return row * tile.size.x + min(column - min(column, tile.at.x), tile.size.x);
}

/* The tile in a column and a row, which is counted across all layers. */
VkrTile vkr_tile(const uint column, const uint row)
{
    VkrTile tile;
    tile.layer = row / uniforms.rows;
    tile.at = uvec2(column * uniforms.tile_width,
                    (row - tile.layer * uniforms.rows) * uniforms.tile_height);
    tile.size = min(uvec2(uniforms.tile_width, uniforms.tile_height),
                    uvec2(uniforms.width, uniforms.height) - tile.at);
    tile.count = tile.size.x * tile.size.y;
    if (VKR_SQUARES ? VKR_INPUT == VKR_INPUT_ELEMENTS : (VKR_FLAGS & VKR_FLAG_GPU_COUNT) != 0u)
        tile.count = vkr_count_of_tile(tile);
    return tile;
}

VkrTile vkr_tile(const uint number)
{
    uint row = number / uniforms.columns;
    return vkr_tile(number - row * uniforms.columns, row);
}

#if VKR_OF_IMAGE
/* Reduces elements begin + lane, + team, .. below `end` of a tile. */
void vkr_reduce_elements(inout VkrStates s, const VkrTile tile, const uint begin, const uint end,
                         const uint lane, const uint team)
{
    uint first = begin + lane;
    uint count = first < end ? (end - first - 1u) / team + 1u : 0u;
    vkr_width = tile.size.x;
    vkr_height = tile.size.y;
    vkr_origin.xyz = uniforms.origin.xyz + uvec3(tile.at, tile.layer);
    vkr_corner = uvec2(tile.at.x, tile.layer * uniforms.height + tile.at.y - push.first_row);
    vkr_accumulate_units(s, VkrWalk(first, count, team), uvec2(0u));
}
#else
/* Combines the states with elements begin + lane, + team, .. below `end` of a tile, which are
 * loaded singly. */
void vkr_take_elements(inout VkrStates s, const VkrTile tile, const uint begin, const uint end,
                       const uint lane, const uint team)
{
    uint first = begin + lane;
    uint count = first < end ? (end - first - 1u) / team + 1u : 0u;
    vkr_width = tile.size.x;
    vkr_height = tile.size.y;
    vkr_start_at(uvec3(0u), first, team);
    uint row = tile.layer * uniforms.height + tile.at.y - push.first_row;
    uint k = 0u;
    vkr_start_strands();
    VKR_IN_STRANDS(s, k, count, 1u) {
        uint i = (row + vkr_at.y) * uniforms.width + tile.at.x + vkr_at.x;
        vkr_accumulate_element(s, i, uvec2(first + k * team, 0u));
        vkr_at = vkr_move(vkr_at, vkr_stride_at);
    }
    vkr_settle_strands(s);
}

/* Does the same with the whole units of the elements, if all rows and parts consist of units.
 * Returns the number of the first element after them. */
uint vkr_take_units(inout VkrStates s, const VkrTile tile, const uint begin, const uint end,
                    const uint lane, const uint team)
{
    uint first = begin / VKR_UNIT_ELEMENTS + lane;
    uint last = end / VKR_UNIT_ELEMENTS;
    uint count = first < last ? (last - first - 1u) / team + 1u : 0u;
    uint row = tile.layer * uniforms.height + tile.at.y - push.first_row;
    vkr_width = tile.size.x / VKR_UNIT_ELEMENTS;
    vkr_height = tile.size.y;
    vkr_row_units = uniforms.width / VKR_UNIT_ELEMENTS;
    vkr_corner = row * vkr_row_units + tile.at.x / VKR_UNIT_ELEMENTS;
    vkr_accumulate_units(s, VkrWalk(first, count, team), uvec2(0u));
    return max(begin, last * VKR_UNIT_ELEMENTS);
}

/* Reduces the share of lane `lane` of a team in elements begin to `end` - 1 of a tile. Only a GPU's
 * count ends inside a unit. */
void vkr_reduce_elements(inout VkrStates s, const VkrTile tile, const uint begin, const uint end,
                         const uint lane, const uint team)
{
    if (VKR_PATH != VKR_PATH_WIDE) {
        vkr_take_elements(s, tile, begin, end, lane, team);
        return;
    }
    uint first = vkr_take_units(s, tile, begin, end, lane, team);
    if ((VKR_FLAGS & VKR_FLAG_GPU_COUNT) == 0u)
        return;
    VkrStates rest;
    vkr_clear(rest);
    vkr_take_elements(rest, tile, first, end, lane, team);
    VKR_EACH_UNROLLED(c)
        vkr_replace_state(s, VKR_AT(c),
                          vkr_combine(vkr_state_of(s, VKR_AT(c)), vkr_state_of(rest, VKR_AT(c))));
}
#endif

/* The position of partial p of a tile among those of the dispatch, which are ordered by tile and
 * part or lie in rows. */
uint vkr_place_of_partial(const uint number, const VkrTile tile, const uint p)
{
    if (!VKR_SQUARES)
        return number * uniforms.parts + p;
    uint row = p / tile.size.x;
    uint y = tile.layer * uniforms.height + tile.at.y - push.first_row + row;
    return y * uniforms.width + tile.at.x + p - row * tile.size.x;
}

/* Reduces partials lane, lane + team, .. of a tile. */
void vkr_reduce_partials(inout VkrStates s, const uint number, const VkrTile tile, const uint lane,
                         const uint team)
{
    uint parts = VKR_SQUARES ? tile.size.x * tile.size.y : uniforms.parts;
    vkr_start_strands();
    for (uint p = lane; p < parts; p += team) {
        uint at = push.partials_base +
                  vkr_place_of_partial(number, tile, p) * VKR_STATE_WORDS * VKR_COMPONENTS;
        VKR_EACH(c)
            vkr_replace_state(s, VKR_AT(c),
                              vkr_combine(vkr_state_of(s, VKR_AT(c)),
                                          vkr_load_partial(at + VKR_AT(c) * VKR_STATE_WORDS)));
        vkr_end_strand(s);
    }
    vkr_settle_strands(s);
}

/* Converts an index in a tile to an index in the whole. Both have the same order. */
VkrArg vkr_index_in_whole(const VkrArg arg, const VkrTile tile)
{
    uint row = arg.index.x / tile.size.x;
    uvec2 index;
    if (arg.index.x == ~0u) /* of no element */
        return arg;
    umulExtended(tile.layer * uniforms.height + tile.at.y + row, uniforms.width, index.y, index.x);
    index = vkr_add(index, uvec2(tile.at.x + arg.index.x - row * tile.size.x, 0u));
    return VkrArg(arg.key, index);
}

/* Reduces part or tile `id` of the dispatch; one past the end has no elements and stores
 * nothing. */
void vkr_reduce_id(const uint id, const uint lane, const uint team)
{
    bool is_there = id < push.ids;
    uint parts = VKR_INPUT == VKR_INPUT_PARTIALS ? 1u : uniforms.parts;
    uint number = is_there ? id / parts : 0u;
    uint begin = is_there ? (id - number * parts) * uniforms.part_length : 0u;
    VkrTile tile = VKR_GRID ? vkr_tile(vkr_column(), gl_WorkGroupID.y)
                            : vkr_tile(push.first_tile + number);
    VkrStates s;
    vkr_clear(s);
    if (VKR_INPUT == VKR_INPUT_PARTIALS) {
        if (is_there)
            vkr_reduce_partials(s, number, tile, lane, team);
    } else {
        uint end = is_there ? min(tile.count, begin + uniforms.part_length) : 0u;
        vkr_reduce_elements(s, tile, begin, end, lane, team);
    }
    if (VKR_TEAM == 0u)
        vkr_group_lead(s);
    if (!is_there || (VKR_TEAM == 0u && !vkr_is_leader()))
        return;
    if (VKR_SQUARES && VKR_INPUT == VKR_INPUT_ELEMENTS) {
        VKR_EACH(c) {
            VkrState whole = vkr_state_of(s, VKR_AT(c));
            whole.argmin = vkr_index_in_whole(whole.argmin, tile);
            whole.argmax = vkr_index_in_whole(whole.argmax, tile);
            vkr_replace_state(s, VKR_AT(c), whole);
        }
    }
    if (VKR_OUTPUT == VKR_OUTPUT_PARTIAL) {
        vkr_store_partial(push.stored_base + id * VKR_STATE_WORDS * VKR_COMPONENTS, s);
    } else {
        vkr_output_at = push.output_base + number * push.output_stride;
        vkr_write_results(s, VKR_SQUARES ? vkr_total() : uvec2(tile.count, 0u));
    }
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    uint lane = VKR_TEAM == 0u ? gl_LocalInvocationIndex : 0u;
    uint team = VKR_TEAM == 0u ? VKR_WORKGROUP : 1u;
    uint id = group * push.items;
    uint step_ = 1u;
    if (VKR_TEAM != 0u) {
        id = id * VKR_WORKGROUP + gl_LocalInvocationIndex;
        step_ = VKR_WORKGROUP;
    }
    if (VKR_GRID) /* positions past the end of a row have no tile */
        id = vkr_column() < uniforms.columns
                 ? gl_WorkGroupID.y * uniforms.columns + vkr_column()
                 : ~0u;
    for (uint k = 0u; k < push.items; k++) {
        if (VKR_TEAM == 0u && k != 0u)
            barrier(); /* the values of the previous id have been read */
        vkr_reduce_id(id + k * step_, lane, team);
    }
}
