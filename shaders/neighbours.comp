/* SPDX-License-Identifier: MIT */
/*
 * Reductions of segments in which an invocation reduces several neighbours. Short rows: their units
 * are loaded at once, and all sizes are constants, so no loop is left. Columns: an invocation reads
 * one or several units of every row, so loads are as wide as those of a reduction without segments;
 * or a part of a unit, if it has no room for the states of all its columns. If columns are cut into
 * parts, each part stores a partial, from which segment.comp computes the result.
 *
 * Windows: those that start in the same block of elements. The elements from the start of a window
 * to the end of the block, the whole blocks, which all of these windows share, and the elements
 * after them are each reduced once, not once for every window (M. van Herk, "A fast algorithm for
 * local minimum and maximum filters on rectangular and octagonal kernels", 1992; J. Gil, M. Werman,
 * 1993). The whole blocks are a window of partials, which is reduced in the same way. At level
 * device the order of additions does not depend on blocks: see vkreduce/nodes.glsl. Where an
 * invocation has no room for the states of all components of a block, and at level device, it
 * reduces one component.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/stored.glsl"
#include "cards/segment.h"

#define VKR_INPUTS 2
#define VKR_SEGMENTS
#define VKR_OF_NEIGHBOURS
#include "vkreduce/variant.glsl"
/* The number of pieces that hold `elements` elements; at least one, since no array can be empty. */
#define VKR_PIECES_OF(elements)                                                                    \
    (((elements) == 0u ? VKR_PIECE : (elements) + VKR_PIECE - 1u) / VKR_PIECE)
#define VKR_PIECES_OF_LANE VKR_PIECES_OF(VKR_NEIGHBOURS * VKR_LENGTH)
#define VKR_PIECES_OF_BLOCK VKR_PIECES_OF(VKR_NEIGHBOURS) /* one block, or a row of columns */
/* Max elements that windows need after the last block. */
#define VKR_TAIL (VKR_LENGTH + VKR_NEIGHBOURS - 1u)
const bool VKR_COUNTED = (VKR_FLAGS & VKR_FLAG_GPU_COUNT) != 0u;

#include "vkreduce/type.glsl"
#include "vkreduce/round.glsl"
#include "vkreduce/quotient.glsl"
#include "vkreduce/operator.glsl"
#include "vkreduce/count.glsl"
#include "vkreduce/load.glsl"
#include "vkreduce/memory.glsl"
#include "vkreduce/accumulate.glsl"
#include "vkreduce/piece.glsl"
#include "vkreduce/result.glsl"
#include "vkreduce/states.glsl"
#include "vkreduce/part.glsl"
#include "vkreduce/leave.glsl"

uvec4 vkr_four_results; /* the last four */

/* Stores the value of the part of neighbour i. If results are stored in packs of four, each is
 * kept, and the last of four stores them. */
void vkr_store_neighbour(const VkrPart part, VkrStates s, const uint i)
{
    if (part.is_there || VKR_KEEPS_RESULT)
        vkr_store_part(part, s);
    if (VKR_KEEPS_RESULT) {
        vkr_four_results = uvec4(vkr_four_results.yzw, vkr_kept_result);
        if ((i & 3u) == 3u && part.is_there)
            vkr_output_packs[vkr_output_at / 4u] = vkr_pack_of_words(vkr_four_results);
    }
}

/* The states of an invocation's columns, or of its windows. They are stored in a loop that a
 * compiler need not unroll: the code of some results is long, and CPU drivers took minutes to
 * compile a copy of it for each neighbour. No array is indexed by the loop's variable: the first
 * value is stored, and the next one takes its place. */
VkrStates vkr_values[VKR_NEIGHBOURS];

void vkr_next_value()
{
    [[unroll]] for (uint i = 1u; i < VKR_NEIGHBOURS; i++)
        vkr_values[i - 1u] = vkr_values[i];
}

/* The first piece of a part. A missing part loads the pieces of another one. */
uint vkr_first_piece(const VkrPart part)
{
    return part.is_there ? part.first / VKR_PIECE : 0u;
}

/* Reduces consecutive rows, starting at row `id`; or a part of one. */
void vkr_reduce_rows(const uint id)
{
    VkrUnit units[VKR_PIECES_OF_LANE];
    VkrPart part = vkr_strided_part(id);
    uint first = vkr_first_piece(part);
    [[unroll]] for (uint u = 0u; u < VKR_PIECES_OF_LANE; u++)
        units[u] = vkr_load_piece(first + u);
    [[unroll]] for (uint r = 0u; r < VKR_NEIGHBOURS; r++) {
        VkrStates s = vkr_identities();
        [[unroll]] for (uint k = 0u; k < VKR_LENGTH; k++) {
            uint i = r * VKR_LENGTH + k;
            if (!VKR_COUNTED || k < part.count)
                vkr_accumulate_loaded(s, units[i / VKR_PIECE], i % VKR_PIECE,
                                      uvec2(part.index + k, 0u));
        }
        vkr_store_neighbour(part, s, r);
        part.segment++;
    }
}

/* VKR_COLUMN_LANES invocations read consecutive pieces of a row, one each, and then the next
 * ones. */
#define VKR_COLUMNS_APART (VKR_COLUMN_LANES * VKR_PIECE)

/* The first column of invocation n. */
uint vkr_first_column(const uint n)
{
    uint lane = n % VKR_COLUMN_LANES;
    return ((n - lane) * VKR_PIECES_OF_BLOCK + lane) * VKR_PIECE;
}

/* The position of column i of an invocation among all columns, relative to its first one. */
uint vkr_place_of_column(const uint i)
{
    return i / VKR_PIECE * VKR_COLUMNS_APART + i % VKR_PIECE;
}

#define VKR_EACH_COLUMN(i) [[unroll]] for (uint i = 0u; i < VKR_NEIGHBOURS; i++)

#if VKR_IS_FLOAT
/* Strands (strands.glsl) of all columns of an invocation end together. */
const uint VKR_STRAND_ROWS =
    VKR_BATCH < VKR_STRAND ? VKR_STRAND / VKR_BATCH * VKR_BATCH : VKR_BATCH;
struct VkrHeldColumn {
    VkrHeld of[VKR_STATES];
};
VkrHeldColumn vkr_held_columns[VKR_NEIGHBOURS];

void vkr_start_columns()
{
    VKR_EACH_COLUMN(i)
        VKR_EACH_UNROLLED(c)
            vkr_held_columns[i].of[VKR_AT(c)] = vkr_held_none();
}

void vkr_end_columns()
{
    VKR_EACH_COLUMN(i)
        VKR_EACH_UNROLLED(c)
            vkr_end_strand(vkr_values[i].of[VKR_AT(c)], vkr_held_columns[i].of[VKR_AT(c)]);
}

void vkr_settle_columns()
{
    VKR_EACH_COLUMN(i)
        VKR_EACH_UNROLLED(c)
            vkr_settle_strand(vkr_values[i].of[VKR_AT(c)], vkr_held_columns[i].of[VKR_AT(c)]);
}

/* A loop over batches of rows, starting at row k. */
#define VKR_EACH_BATCH(k, rows)                                                                    \
    for (; k + VKR_BATCH <= rows; vkr_end_columns())                                               \
        for (uint stop = VKR_HOLDS ? min(rows, k + VKR_STRAND_ROWS) : rows; k + VKR_BATCH <= stop; \
             k += VKR_BATCH)
#else
#define vkr_start_columns()
#define vkr_settle_columns()
#define VKR_EACH_BATCH(k, rows) for (; k + VKR_BATCH <= rows; k += VKR_BATCH)
#endif

/* Reduces the columns, or the parts of columns, of an invocation, starting at `id`. With a GPU
 * count, or if rows are folded, the last row can end inside a piece. */
void vkr_reduce_columns(const uint id)
{
    const uint width = VKR_PIECES_OF_BLOCK;
    VkrUnit units[VKR_BATCH * VKR_PIECES_OF_BLOCK];
    VKR_EACH_COLUMN(i)
        vkr_values[i] = vkr_identities();
    vkr_start_columns();
    VkrPart part = vkr_strided_part(id);
    uint first = vkr_first_piece(part);
    uint stride = vkr_element_stride / VKR_PIECE;
    uint complete = part.count;
    if (VKR_RAGGED)
        complete = vkr_strided_part(id + vkr_place_of_column(VKR_NEIGHBOURS - 1u)).count;
    uint k = 0u;
    VKR_EACH_BATCH(k, complete) {
        [[unroll]] for (uint u = 0u; u < VKR_BATCH * VKR_PIECES_OF_BLOCK; u++)
            units[u] = vkr_load_piece(first + (k + u / width) * stride +
                                      u % width * VKR_COLUMN_LANES);
        [[unroll]] for (uint u = 0u; u < VKR_BATCH * VKR_PIECES_OF_BLOCK; u++)
            [[unroll]] for (uint c = 0u; c < VKR_PIECE; c++)
                vkr_accumulate_loaded(vkr_values[u % width * VKR_PIECE + c], units[u], c,
                                      uvec2(part.index + k + u / width, 0u));
    }
    for (; k < part.count; k++) {
        uint left = vkr_covered_elements - (part.first + k * vkr_element_stride);
        [[unroll]] for (uint u = 0u; u < VKR_PIECES_OF_BLOCK; u++)
            units[u] = vkr_load_piece(first + k * stride + u * VKR_COLUMN_LANES);
        VKR_EACH_COLUMN(i)
            if (!VKR_RAGGED || vkr_place_of_column(i) < left)
                vkr_accumulate_loaded(vkr_values[i], units[i / VKR_PIECE], i % VKR_PIECE,
                                      uvec2(part.index + k, 0u));
    }
    vkr_settle_columns();
    /* Done here once, since CPU drivers would execute both branches for every column, and take long
     * to compile that. */
    uint all_parts = uniforms.all_parts;
    uint place = vkr_place_of_segment(part.segment);
    if (!part.is_there)
        return;
    for (uint i = 0u; i < VKR_NEIGHBOURS; i++) {
        VkrPart column = part;
        column.segment += vkr_place_of_column(i);
        column.partial += (VKR_FOLDED ? vkr_place_of_segment(column.segment) - place
                                      : vkr_place_of_column(i)) *
                          all_parts;
        if (VKR_COUNTED)
            column.total = vkr_strided_segment(column.segment).total;
        column.is_there = true;
        vkr_store_neighbour(column, vkr_values[0], i);
        vkr_next_value();
    }
}

/* ---- Windows ---- */

const bool VKR_BY_UNIT = VKR_INPUT == VKR_INPUT_ELEMENTS && VKR_PATH == VKR_PATH_WIDE;

/* Combines the states with element `at` of the dispatch, which is element k of a unit, or with the
 * partial that replaces it. Elements past the end do not count, and windows with partials past the
 * end have no result. */
void vkr_take_item(inout VkrStates s, const VkrUnit unit, const uint k, const uint at)
{
    if (VKR_INPUT == VKR_INPUT_PARTIALS) {
        vkr_take_partial(s, push.partials_base, min(at, uniforms.all_parts - 1u));
        return;
    }
    uvec2 index = uvec2(push.first_part * VKR_NEIGHBOURS + at, 0u);
    if (VKR_BY_UNIT && (!VKR_COUNTED || at < vkr_covered_elements))
        vkr_accumulate_loaded(s, unit, k % VKR_PIECE, index);
    else if (!VKR_BY_UNIT && at < vkr_covered_elements)
        vkr_accumulate_element(s, at, index);
}

/* A copy of the states so far, to which more elements are added later. In the copy the held sums of
 * partials (strands.glsl) are settled. */
VkrStates vkr_so_far(VkrStates s)
{
    if (VKR_INPUT == VKR_INPUT_PARTIALS)
        vkr_settle_strands(s);
    return s;
}

/* Converts an index among all elements to one in the window that starts at element `first`; ~0 is
 * no element. */
uint vkr_index_in_window(const uint index, const uint first)
{
    return index == ~0u ? index : index - first;
}

/* Stores the value of a window. */
void vkr_store_window(const uint at, VkrStates s, const uint i)
{
    uint first = push.first_part * VKR_NEIGHBOURS + at;
    VkrPart part = vkr_strided_segment(at);
    part.partial = first;
    part.is_there = at < push.segments;
    if (VKR_OUTPUT != VKR_OUTPUT_PARTIAL) {
        VKR_EACH(c) {
            VkrState t = vkr_state_of(s, VKR_AT(c));
            t.argmin.index.x = vkr_index_in_window(t.argmin.index.x, first);
            t.argmax.index.x = vkr_index_in_window(t.argmax.index.x, first);
            vkr_replace_state(s, VKR_AT(c), t);
        }
    }
    vkr_store_neighbour(part, s, i);
}

void vkr_store_windows(const uint at)
{
    for (uint i = 0u; i < VKR_NEIGHBOURS; i++) {
        vkr_store_window(at + i, vkr_values[0], i);
        vkr_next_value();
    }
}

/* At level device an invocation reduces one component, in the module of one component. */
#define VKR_HAS_NODES (VKR_IS_FLOAT && !VKR_VECTOR)
#if VKR_HAS_NODES
#include "vkreduce/nodes.glsl"
#endif

/* Reduces the windows that start in block n of the dispatch. */
void vkr_reduce_windows(const uint n)
{
    VkrUnit units[VKR_PIECES_OF_BLOCK];
    VkrUnit tail[VKR_PIECES_OF(VKR_TAIL)];
    uint at = n * VKR_NEIGHBOURS;
    if (at >= vkr_ids)
        return;
    uint behind = at + vkr_segment_length - VKR_LENGTH;
    [[unroll]] for (uint u = 0u; u < VKR_PIECES_OF_BLOCK && VKR_BY_UNIT; u++)
        units[u] = vkr_load_piece(at / VKR_PIECE + u);
    [[unroll]] for (uint u = 0u; u < VKR_PIECES_OF(VKR_TAIL) && VKR_BY_UNIT; u++)
        tail[u] = vkr_load_piece(behind / VKR_PIECE + u);
    VkrStates s = vkr_identities();
    vkr_start_strands();
    [[unroll]] for (uint i = 0u; i < VKR_NEIGHBOURS; i++) {
        uint k = VKR_NEIGHBOURS - 1u - i;
        vkr_take_item(s, units[k / VKR_PIECE], k, at + k);
        vkr_values[k] = vkr_so_far(s);
    }
    VkrStates between = vkr_identities();
    vkr_start_strands();
    for (uint i = 1u; i <= push.parts; i++)
        vkr_take_partial(between, push.partials_base,
                         uniforms.part_length + push.first_part + n + i);
    if (VKR_INPUT == VKR_INPUT_ELEMENTS)
        vkr_settle_strands(between);
    s = vkr_identities(); /* a strand of its own */
    [[unroll]] for (uint k = 0u; k < VKR_LENGTH; k++)
        vkr_take_item(s, tail[k / VKR_PIECE], k, behind + k);
    s = vkr_combine(between, s);
    [[unroll]] for (uint i = 0u; i < VKR_NEIGHBOURS; i++) {
        uint k = VKR_LENGTH + i;
        vkr_values[i] = vkr_combine(vkr_values[i], vkr_so_far(s));
        if (k < VKR_TAIL)
            vkr_take_item(s, tail[k / VKR_PIECE], k, behind + k);
    }
    vkr_store_windows(at);
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    if (group >= push.groups)
        return;
    vkr_covered_elements = vkr_covered(vkr_total());
    vkr_ids = push.ids;
    uint n = gl_LocalInvocationIndex + group * VKR_WORKGROUP * push.items;
    for (uint i = 0u; i < push.items; i++) {
        uint block = n;
#if !VKR_VECTOR
        vkr_component = n % VKR_ALL_COMPONENTS;
        block = n / VKR_ALL_COMPONENTS;
#endif
#if VKR_HAS_NODES
        if (VKR_SHAPE == VKR_SHAPE_NODES)
            vkr_reduce_nodes(block);
        else if (VKR_SHAPE == VKR_SHAPE_WINDOWS && VKR_CANONICAL)
            vkr_reduce_windows_by_nodes(block);
        else
#endif
            if (VKR_SHAPE == VKR_SHAPE_WINDOWS)
            vkr_reduce_windows(block);
        else if (VKR_SHAPE == VKR_SHAPE_COLUMNS)
            vkr_reduce_columns(vkr_first_column(n));
        else
            vkr_reduce_rows(n * VKR_NEIGHBOURS);
        n += VKR_WORKGROUP;
    }
}
