/* SPDX-License-Identifier: MIT */
/*
 * Scans each column of a matrix by itself. An invocation goes down a strip of rows with a piece of
 * each: the values of one load, or a single one. TOTALS leaves the total of each strip and column;
 * these are the matrix of the next level, whose exclusive prefixes replace them, and with which
 * APPLY starts. ONE goes over a single strip, from the state that the dispatch before it has left.
 * Reduce-then-scan as in scan.comp, but without any exchange between invocations.
 *
 * At level DEVICE strips have VKR_SCAN_RUN rows, and those of a reversed scan are counted from the
 * end of their column, which can depend on the GPU's count.
 */
#version 450
#extension GL_GOOGLE_include_directive : require

#include "card.glsl"
#include "vkreduce/stored.glsl"
#include "cards/scan_columns.h"

#define VKR_INPUTS 1
#include "vkreduce/variant.glsl"

#include "vkreduce/type.glsl"
#include "vkreduce/round.glsl"
#include "vkreduce/term.glsl"
#include "vkreduce/count.glsl"
#include "vkreduce/load.glsl"
#include "vkreduce/strand.glsl"
#define VKR_OF_COLUMNS
#include "vkreduce/value.glsl"

bool vkr_has(const uint flag)
{
    return (VKR_FLAGS & flag) != 0u;
}

const bool VKR_WIDE_PATH = VKR_PATH == VKR_PATH_WIDE;
const bool VKR_OF_LEVEL = VKR_INPUT == VKR_INPUT_PARTIALS;
const bool VKR_REVERSE = (VKR_FLAGS & VKR_FLAG_REVERSE) != 0u;
const bool VKR_EXCLUSIVE = (VKR_FLAGS & VKR_FLAG_EXCLUSIVE) != 0u;
const bool VKR_GPU_INITIAL = (VKR_FLAGS & VKR_FLAG_GPU_INITIAL) != 0u;
const bool VKR_INITIAL = (VKR_FLAGS & VKR_FLAG_INITIAL) != 0u || VKR_GPU_INITIAL;
const bool VKR_FROM_END = VKR_CANONICAL && VKR_REVERSE;

/* The values of a piece. */
const uint VKR_STEP = VKR_WIDE_PATH ? VKR_UNIT_ELEMENTS : 1u;

/* ---- The piece of this invocation ---- */

uint vkr_strip;   /* in this dispatch */
uint vkr_column;  /* the first one */
uint vkr_element; /* its element in a row, */
uint vkr_place;   /* and its component */
uint vkr_left;    /* elements from the first one of this dispatch to the end */
uvec2 vkr_whole;  /* all elements */

void vkr_find_piece(const uint cell)
{
    uint at = push.first_part + cell;
    vkr_strip = at / push.parts;
    vkr_column = (at - vkr_strip * push.parts) * VKR_STEP;
    vkr_element = vkr_column / push.components;
    vkr_place = vkr_column - vkr_element * push.components;
    uvec2 first = uvec2(push.first_low, push.first_high);
    vkr_whole = vkr_total();
    vkr_left = 0u;
    if (vkr_less(first, vkr_whole))
        vkr_left = vkr_minimum(vkr_subtract(vkr_whole, first), uvec2(~0u, 0u)).x;
}

/* The element of value k in its row. */
uint vkr_element_of(const uint k)
{
    return VKR_WIDE_PATH ? vkr_element + (vkr_place + k) / push.components : vkr_element;
}

/* The rows of elements, from the first one of this dispatch on, that have value k. */
uint vkr_rows_with(const uint k)
{
    uint element = vkr_element_of(k);
    return vkr_left > element ? (vkr_left - element - 1u) / push.row_length + 1u : 0u;
}

/* The rows of the matrix that have value k. Totals of strips that have no element are those of no
 * element; only strips that are counted from the end must know how many there are. */
uint vkr_rows_of(const uint k)
{
    if (!VKR_OF_LEVEL)
        return vkr_rows_with(k);
    if (VKR_FROM_END)
        return (vkr_rows_with(k) + push.covered - 1u) / push.covered;
    return push.rows - min(push.first_row * push.strip, push.rows);
}

/* ---- Terms, which the values of a column join one after the other ---- */

VkrTerm vkr_state[VKR_UNIT_ELEMENTS];

#if VKR_IS_FLOAT
const bool VKR_HOLDS = VKR_HAS(VKR_BIT_SUM) && !VKR_CANONICAL;
VkrSum vkr_lost[VKR_UNIT_ELEMENTS]; /* rounding errors of sums (strand.glsl) */

VkrHeldSum vkr_held_of(const uint k)
{
    return VkrHeldSum(vkr_sum_of_term(vkr_state[k]), vkr_lost[k]);
}

void vkr_hold(const uint k, const VkrHeldSum held)
{
    vkr_state[k] = vkr_term_of_sum(held.total);
    vkr_lost[k] = held.lost;
}
#endif

void vkr_start(const uint k, const VkrTerm term)
{
    vkr_state[k] = term;
#if VKR_IS_FLOAT
    vkr_lost[k] = VkrSum(0);
#endif
}

void vkr_join(const uint k, const VkrTerm term)
{
#if VKR_IS_FLOAT
    if (VKR_HOLDS) {
        vkr_hold(k, vkr_held_with(vkr_held_of(k), vkr_sum_of_term(term)));
        return;
    }
#endif
    vkr_state[k] = vkr_term_combine(vkr_state[k], term);
}

VkrTerm vkr_term_at(const uint k)
{
#if VKR_IS_FLOAT
    if (VKR_HOLDS)
        return vkr_term_of_sum(vkr_sum_of_held(vkr_held_of(k)));
#endif
    return vkr_state[k];
}

/* The words of a term in an array of words, and a term that becomes such words. */
#define VKR_TERM_IN(array, at)                                                                     \
    uvec2(array[at], VKR_TERM_WORDS == 2 ? array[(at) + uint(VKR_TERM_WORDS) - 1u] : 0u)
#define VKR_PUT_TERM(array, at, term)                                                              \
    {                                                                                              \
        uvec2 words = VKR_WORDS_OF_TERM(term);                                                     \
        array[at] = words.x;                                                                       \
        if (VKR_TERM_WORDS == 2)                                                                   \
            array[(at) + uint(VKR_TERM_WORDS) - 1u] = words.y;                                     \
    }

/* The position of value k of a row among the terms of a matrix. */
uint vkr_term_place(const uint row, const uint k)
{
    return (row * push.columns + vkr_column + k) * uint(VKR_TERM_WORDS);
}

/* ---- The first and the last state of a strip ---- */

VkrTerm vkr_initial_of(const uint k)
{
    if (!VKR_INITIAL)
        return vkr_term_identity();
    uint component = (vkr_place + k) % push.components;
    uvec2 words = uvec2(uniforms.initial_low[component], uniforms.initial_high[component]);
    uint at = push.initial_base + (vkr_column + k) * VKR_VALUE_UNITS;
    if (VKR_GPU_INITIAL && VKR_IN_WORDS) {
        words.x = vkr_initial_words[at];
        words.y = VKR_VALUE_UNITS == 2u ? vkr_initial_words[at + 1u] : 0u;
    }
#if VKR_BYTES == 8
    if (VKR_GPU_INITIAL && !VKR_IN_WORDS)
        words = vkr_initial_values[at];
#else
    if (VKR_GPU_INITIAL && !VKR_IN_WORDS)
        words.x = uint(vkr_initial_values[at]);
#endif
    return vkr_term_of_result(words);
}

void vkr_start_strip()
{
    [[unroll]] for (uint k = 0u; k < VKR_STEP; k++) {
        VkrTerm term = vkr_term_identity();
        if (VKR_MODE == VKR_MODE_ONE && vkr_has(VKR_FLAG_TOP))
            term = vkr_initial_of(k);
        else if (VKR_MODE == VKR_MODE_ONE)
            term = VKR_TERM_OF_WORDS(
                VKR_TERM_IN(vkr_initial_words, push.initial_base + vkr_term_place(0u, k)));
        else if (VKR_MODE == VKR_MODE_APPLY)
            term = VKR_TERM_OF_WORDS(
                VKR_TERM_IN(vkr_above, push.above_base + vkr_term_place(vkr_strip, k)));
        vkr_start(k, term);
    }
}

void vkr_write_total_of(const uint k)
{
    bool is_empty = !vkr_less(uvec2(vkr_element_of(k), 0u), vkr_whole);
    if (push.total_base != ~0u)
        vkr_put_total(vkr_column + k,
                      vkr_result_of_term(vkr_term_at(k), is_empty && !VKR_INITIAL));
}

void vkr_end_strip()
{
    [[unroll]] for (uint k = 0u; k < VKR_STEP; k++) {
        if (VKR_MODE == VKR_MODE_ONE && vkr_has(VKR_FLAG_END))
            vkr_write_total_of(k);
        else if (VKR_MODE == VKR_MODE_ONE)
            VKR_PUT_TERM(vkr_total_words, push.total_base + vkr_term_place(0u, k), vkr_term_at(k))
        else if (VKR_MODE == VKR_MODE_TOTALS)
            VKR_PUT_TERM(vkr_new, push.new_base + vkr_term_place(vkr_strip, k), vkr_term_at(k))
    }
}

/* ---- Rows ---- */

/* Whether no element precedes value k of a row. */
bool vkr_is_first(const uint k, const uint row)
{
    if (!VKR_EXCLUSIVE || VKR_INITIAL)
        return false;
    return VKR_REVERSE ? row == vkr_rows_with(k) - 1u : row == 0u && push.first_row == 0u;
}

/* Joins the term of value k of a row. Returns the words of the result. */
uvec2 vkr_scan_term(const uint k, const VkrTerm term, const uint row)
{
    VkrTerm before = vkr_term_at(k);
    vkr_join(k, term);
    if (VKR_MODE == VKR_MODE_TOTALS)
        return uvec2(0u);
    if (VKR_OF_LEVEL) {
        VKR_PUT_TERM(vkr_new, push.new_base + vkr_term_place(row, 0u), before)
        return uvec2(0u);
    }
    return vkr_result_of_term(VKR_EXCLUSIVE ? before : vkr_term_at(k), vkr_is_first(k, row));
}

uint vkr_value_at(const uint row, const uint k)
{
    return push.input_base + (row * push.row_length + vkr_element) * push.input_stride +
           vkr_place + k;
}

/* Reads once: CPU drivers do not hoist such reads out of loops. */
uint vkr_parts = push.parts;

VkrUnit vkr_load_row(const uint row)
{
    if (VKR_WIDE_PATH)
        return vkr_load_unit(row * vkr_parts + vkr_column / VKR_UNIT_ELEMENTS);
    VkrUnit unit;
    unit.packs[0] = uvec4(0u);
    if (VKR_OF_LEVEL)
        unit.packs[0].xy = VKR_TERM_IN(vkr_level, push.level_base + vkr_term_place(row, 0u));
    else
        unit.packs[0].xy = vkr_words_of_bits(VKR_LOADED(vkr_input[vkr_value_at(row, 0u)]));
    return unit;
}

void vkr_put(const uint k, const uint row, const uvec2 words)
{
    if (VKR_MODE != VKR_MODE_TOTALS && !VKR_OF_LEVEL)
        vkr_put_output(row * push.row_length + vkr_element, vkr_place + k, words);
}

void vkr_scan_row(const VkrUnit unit, const uint row)
{
    VkrResults results;
    vkr_clear(results);
    [[unroll]] for (uint k = 0u; k < VKR_STEP; k++) {
        VkrTerm term = VKR_OF_LEVEL ? VKR_TERM_OF_WORDS(unit.packs[0].xy)
                                    : vkr_term_of(vkr_value_of_packs(unit.packs, k));
        uvec2 words = vkr_scan_term(k, term, row);
        if (VKR_WIDE_PATH)
            vkr_put_result(results, k, words);
        else
            vkr_put(k, row, words);
    }
    if (VKR_WIDE_PATH && VKR_MODE != VKR_MODE_TOTALS)
        vkr_store_results(results, row * vkr_parts + vkr_column / VKR_UNIT_ELEMENTS);
}

/* A row that may lack some of the values. */
void vkr_scan_values(const uint row)
{
    for (uint k = 0u; k < VKR_STEP; k++) {
        if (VKR_OF_LEVEL)
            vkr_scan_row(vkr_load_row(row), row);
        else if (row < vkr_rows_with(k))
            vkr_put(k, row,
                    vkr_scan_term(k, vkr_term_of(VKR_LOADED(vkr_input[vkr_value_at(row, k)])),
                                  row));
    }
}

/* Scans rows `begin` to `end` - 1, of which those from `full` on lack some values: batches of full
 * rows, and the others singly. Loops instead of branches separate these, since some drivers
 * execute both sides of a branch. */
void vkr_scan_rows(const uint begin, const uint full, const uint end)
{
    uint first = VKR_REVERSE ? end - 1u : begin;
    uint next = VKR_REVERSE ? ~0u : 1u; /* which wraps */
    uint stop = VKR_REVERSE ? end - full : 0u;
    uint batches = (full - begin) / VKR_BATCH;
    uint v = 0u;
    VkrUnit loaded[VKR_BATCH];
    for (uint phase = 0u; phase < 2u; phase++) {
        for (; v < stop; v++)
            vkr_scan_values(first + v * next);
        for (; batches > 0u; batches--) {
            for (uint b = 0u; b < VKR_BATCH; b++)
                loaded[b] = vkr_load_row(first + (v + b) * next);
            for (uint b = 0u; b < VKR_BATCH; b++)
                vkr_scan_row(loaded[b], first + (v + b) * next);
            v += VKR_BATCH;
        }
        stop = end - begin;
    }
}

void main()
{
    uint group = gl_WorkGroupID.y * gl_NumWorkGroups.x + gl_WorkGroupID.x;
    uint cell = group * VKR_WORKGROUP + gl_LocalInvocationIndex;
    if (group >= push.groups || cell >= push.cells)
        return;
    vkr_find_piece(cell);
    uint all = vkr_rows_of(0u);
    uint full = VKR_WIDE_PATH ? vkr_rows_of(VKR_STEP - 1u) : all;
    uint lead = 0u;
    if (VKR_FROM_END && VKR_MODE != VKR_MODE_ONE)
        lead = (push.strip - all % push.strip) % push.strip;
    uint start = vkr_strip * push.strip;
    uint end = min(start + push.strip - lead, all);
    uint begin = min(max(start, lead) - lead, end);
    vkr_start_strip();
    vkr_scan_rows(begin, clamp(full, begin, end), end);
    vkr_end_strip();
}
