/* SPDX-License-Identifier: MIT */
/* What operations by monoids must give. */
#include "monoids_case.h"

uint32_t monoids_result_words(const monoid_case *c)
{
    return c->is_finished ? c->row->finished : c->row->words;
}

/* ---- Expected results ---- */

static uint64_t offset_at(const monoid_case *c, uint32_t number)
{
    return c->operation->is_long ? ((const uint64_t *)c->offsets)[number]
                                 : ((const uint32_t *)c->offsets)[number];
}

static uint32_t clipped(const monoid_case *c, uint64_t index)
{
    return index < c->covered ? (uint32_t)index : c->covered;
}

/* The first element of a segment, the distance of its elements, and their number. */
static uint32_t segment_of(const monoid_case *c, uint32_t number, uint32_t *step, uint32_t *count)
{
    const uint32_t length = c->operation->length;
    uint32_t first = 0, end = c->covered;
    *step = 1;
    switch (c->operation->kind) {
    case VKR_SEGMENTS_ROWS:
    case VKR_SEGMENTS_KEYS:
        first = clipped(c, (uint64_t)number * length);
        end = clipped(c, (uint64_t)(number + 1) * length);
        break;
    case VKR_SEGMENTS_COLUMNS:
        first = clipped(c, number);
        *step = length;
        break;
    case VKR_SEGMENTS_WINDOWS:
        first = clipped(c, number);
        end = clipped(c, (uint64_t)number + length);
        break;
    case VKR_SEGMENTS_OFFSETS:
        first = clipped(c, offset_at(c, number));
        end = clipped(c, offset_at(c, number + 1));
        break;
    default:
        break;
    }
    *count = (end - first + *step - 1) / *step;
    return first;
}

uint32_t monoids_segments_of(const monoid_case *c)
{
    const uint32_t length = c->operation->length;
    const uint32_t entries = c->operation->entries;
    switch (c->operation->kind) {
    case VKR_SEGMENTS_ROWS:
        return c->count / length;
    case VKR_SEGMENTS_COLUMNS:
        return length;
    case VKR_SEGMENTS_WINDOWS:
        return c->count < length ? 0 : c->count - length + 1;
    case VKR_SEGMENTS_OFFSETS:
        return (entries != 0 ? entries : MONOIDS_OFFSETS) / (c->operation->gpu_segments ? 2 : 1) -
               1;
    case VKR_SEGMENTS_KEYS:
        return (c->covered + length - 1) / length;
    default:
        return 1;
    }
}

/* Combines those elements of a segment that a mask keeps. */
static void fold_kept(const monoid_case *c, uint32_t first, uint32_t step, uint32_t count,
                      monoid_state *state)
{
    c->row->identity(state);
    for (uint32_t i = first; count > 0; count--, i += step) {
        monoid_state element = {{0}}, both;
        if (!c->starts[i])
            continue;
        c->row->load(c->words, c->others, i, &element);
        c->row->combine(state, &element, &both);
        *state = both;
    }
}

static void compare_reduction(const monoid_case *c)
{
    const uint32_t *found = c->outputs;
    const uint32_t segments = monoids_segments_of(c);
    const bool all = c->count != MONOIDS_LONG || c->operation->entries != 0;
    for (uint32_t i = 0; i < segments; i += all ? 1 : 997) {
        uint32_t step, count;
        monoid_state expected;
        const uint32_t first = segment_of(c, i, &step, &count);
        if (c->operation->masked)
            fold_kept(c, first, step, count, &expected);
        else
            monoids_fold(c->row, c->words, c->others, first, step, count, &expected);
        monoids_compare(c->row, c->operation->name, i, found + (size_t)i * monoids_result_words(c),
                        &expected, c->is_finished);
    }
    const uint32_t last = c->operation->gpu_segments ? c->operation->entries - 1 : 0;
    for (uint32_t i = segments * monoids_result_words(c); i < last * monoids_result_words(c); i++)
        assert_int_equal(found[i], 0xcdcdcdcd);
}

static void compare_scan(const monoid_case *c)
{
    const uint32_t *found = c->outputs, *total = c->total;
    const uint32_t stride = monoids_result_words(c) + c->operation->stride;
    const bool reverse = (c->operation->flags & VKR_SCAN_REVERSE_BIT) != 0;
    const bool exclusive = (c->operation->flags & VKR_SCAN_EXCLUSIVE_BIT) != 0;
    monoid_state state = c->initial;
    for (uint32_t k = 0; k < c->covered; k++) {
        const uint32_t i = reverse ? c->covered - 1 - k : k;
        const uint32_t start = reverse ? i + 1 : i;
        const monoid_state before = start < c->covered && c->starts[start] ? c->initial : state;
        monoid_state element = {{0}};
        c->row->load(c->words, c->others, i, &element);
        c->row->combine(reverse ? &element : &before, reverse ? &before : &element, &state);
        monoids_compare(c->row, c->operation->name, i, found + (size_t)i * stride,
                        exclusive ? &before : &state, c->is_finished);
    }
    for (uint32_t i = c->covered * stride; i < c->count * stride; i++)
        assert_int_equal(found[i], 0xcdcdcdcd);
    if (c->operation->chains)
        monoids_compare(c->row, "total", 0, total, &state, false);
}

void monoids_compare_all(const monoid_case *c)
{
    if (c->operation->is_scan)
        compare_scan(c);
    else
        compare_reduction(c);
}
