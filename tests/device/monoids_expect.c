/* SPDX-License-Identifier: MIT */
/* The data of requests of monoids, and what they must give. */
#include "monoids.h"

#include <stdlib.h>
#include <string.h>

#define SHORT_SUM 10u    /* of the lengths of five short segments */
#define EXTRA_EACH 1000u /* one of so many short segments has more elements */
#define EXTRA 300u
#define FIRST_LONG 9000u /* most elements of the first long segment */

/* ---- Data ---- */

static void fill_initial(test_request *t, const monoid_request *s)
{
    const VkrBufferRange *at = &s->scan.gpuInitial;
    monoid_state state, next = {{0}};
    if ((s->row->bits & MONOID_ANY) != 0 || at->size == 0)
        return;
    monoid_read(s->row, s->row->identity, &state);
    for (uint32_t i = 0; i < 3; i++) {
        const uint64_t bits = next_random(&t->random);
        s->row->load(&(monoid_element){(uint32_t)bits, (uint32_t)(bits >> 32), i}, &next);
        monoid_add(s->row, &state, &next);
    }
    for (uint32_t k = 0; k < s->row->words; k++)
        memcpy(test_bytes(at->buffer, at->offset + 4 * k), monoid_word(s->row, &state, k).bytes, 4);
}

/* Flags are dense and sparse by turns. */
static void fill_flags(test_request *t, const monoid_request *s)
{
    const VkrFlagView *flags = s->flags;
    const VkrBufferRange *range = &flags->range;
    if (range->size == 0 || !test_fills(t, range->buffer, range->offset))
        return;
    unsigned char *bytes = test_bytes(range->buffer, range->offset);
    for (uint32_t i = 0; i < s->capacity; i++) {
        const bool is_set = test_below(t, (i & 4096) != 0 ? 8 : 2048) == 0;
        if (flags->format == VKR_FLAGS_BITS)
            bytes[i / 8] =
                (unsigned char)((bytes[i / 8] & ~(1u << i % 8)) | (uint32_t)is_set << i % 8);
        else if (flags->format == VKR_FLAGS_U8)
            bytes[i] = is_set ? bytes[i] | 1 : 0;
        else if (!is_set)
            memset(bytes + 4 * (size_t)i, 0, 4);
    }
}

/* The number of elements of the first `count` short segments: five lengths in turn, and others that
 * are too long for one invocation. */
static uint64_t length_of_short(uint64_t count)
{
    const uint64_t rest = count % 5;
    return count / 5 * SHORT_SUM + (rest == 0 ? 0 : rest * (rest - 1) / 2) +
           count / EXTRA_EACH * EXTRA;
}

/* Offsets whose distances grow, with empty segments among them; or those of short segments and two
 * long ones, which have several parts. */
static void fill_offsets(test_request *t, const monoid_request *s)
{
    const VkrBufferRange *range = &s->segments->offsets;
    const uint64_t n = s->entries, count = s->capacity, all = length_of_short(n);
    const uint64_t rest = all < count ? count - all : 0;
    const uint64_t first = rest < FIRST_LONG ? rest : FIRST_LONG;
    const bool grows = s->c.entries == 0 && test_below(t, 2) == 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t k = i % 7 == 3 ? i + 1 : i, most = n > 1 ? n - 1 : 1;
        const uint64_t longer = i <= n / 5 ? 0 : i <= n / 2 ? first : rest;
        const uint64_t sum = grows ? count * k * k / (most * most) : length_of_short(i) + longer;
        const uint64_t at = sum < count ? sum : count;
        memcpy(test_bytes(range->buffer, range->offset + i * (s->o->is_long ? 8 : 4)), &at,
               s->o->is_long ? 8 : 4);
    }
}

/* Equal keys in runs of about the length. */
static void fill_keys(test_request *t, const monoid_request *s)
{
    const VkrView *keys = &s->segments->keys;
    uint32_t key = test_below(t, 2);
    for (uint32_t i = 0; i < s->capacity; i++) {
        if (test_below(t, s->length) == 0)
            key++;
        memcpy(test_element(keys, i), &key, 4);
    }
}

/* Any bits, which are there already, are words and elements. */
void monoids_fill(test_request *t)
{
    const monoid_request *s = t->own;
    fill_initial(t, s);
    fill_flags(t, s);
    if (s->o->kind == VKR_SEGMENTS_OFFSETS)
        fill_offsets(t, s);
    if (s->o->kind == VKR_SEGMENTS_KEYS)
        fill_keys(t, s);
}

/* ---- Elements ---- */

/* What is expected of a request is computed from this. */
typedef struct folding {
    const test_request *t;
    const monoid_request *s;
    const unsigned char *words, *others;
    uint32_t covered;     /* elements below the count of the GPU */
    unsigned char *flags; /* whether elements start segments, or are kept by a mask */
} folding;

static uint64_t offset_at(const monoid_request *s, uint64_t number)
{
    const VkrBufferRange *range = &s->segments->offsets;
    const uint32_t size = s->o->is_long ? 8 : 4;
    uint64_t at = 0;
    memcpy(&at, test_bytes(range->buffer, range->offset + number * size), size);
    return at;
}

static uint32_t word_at(const unsigned char *words, uint32_t i)
{
    uint32_t word;
    memcpy(&word, words + 4 * (size_t)i, 4);
    return word;
}

static bool flag_at(const folding *f, uint32_t i)
{
    const VkrFlagView *flags = f->s->flags;
    if (f->s->c.flags == BY_FUNCTION) /* is_start of monoids.comp */
        return (word_at(f->others, i) & ((i & 4096) != 0 ? 7u : 2047u)) == 3;
    const unsigned char *bytes = test_bytes(flags->range.buffer, flags->range.offset);
    return flags->format == VKR_FLAGS_BITS ? (bytes[i / 8] >> i % 8 & 1) != 0
           : flags->format == VKR_FLAGS_U8 ? bytes[i] != 0
                                           : word_at(bytes, i) != 0;
}

static bool starts_at(const folding *f, uint32_t i)
{
    const VkrView *keys = &f->s->segments->keys;
    switch (f->s->o->kind) {
    case VKR_SEGMENTS_FLAGS:
        return flag_at(f, i);
    case VKR_SEGMENTS_ROWS:
        return i % f->s->length == 0;
    case VKR_SEGMENTS_KEYS:
        return i == 0 || memcmp(test_element(keys, i), test_element(keys, i - 1), 4) != 0;
    default:
        return false;
    }
}

static void find_flags(folding *f)
{
    const monoid_request *s = f->s;
    f->flags = malloc((size_t)s->capacity + 1);
    assert_non_null(f->flags);
    for (uint32_t i = 0; i < s->capacity; i++)
        f->flags[i] = s->o->masked ? flag_at(f, i) : starts_at(f, i);
    for (uint32_t i = 0; s->o->kind == VKR_SEGMENTS_OFFSETS && i < s->entries; i++)
        if (offset_at(s, i) < s->capacity)
            f->flags[offset_at(s, i)] = 1;
}

/* The state of an element, or the identity if it does not count. */
static void load(const folding *f, uint64_t i, monoid_state *state)
{
    const monoid_request *s = f->s;
    monoid_element e = {.i = (uint32_t)i};
    if (i >= f->covered || (s->o->masked && f->flags[i] == 0)) {
        monoid_read(s->row, s->row->identity, state);
        return;
    }
    if (s->row->components != 0)
        memcpy(&e.x, test_element(s->input, i), vkrTypeSize(s->row->element) * s->row->components);
    else
        e.x = s->row->module == MODULE_IMAGE ? word_at(test_texel(&s->texture, i), 0)
                                             : word_at(f->words, e.i);
    if ((s->row->bits & MONOID_OTHERS) != 0)
        e.other = word_at(f->others, e.i);
    s->row->load(&e, state);
}

/* Combines a state with a number of elements, `step` apart. */
static void fold(const folding *f, uint64_t first, uint64_t step, uint64_t count,
                 monoid_state *state)
{
    for (; count != 0 && first < f->covered; count--, first += step) {
        monoid_state element = {{0}};
        load(f, first, &element);
        monoid_add(f->s->row, state, &element);
    }
}

/* ---- Results ---- */

static void compare(const folding *f, const char *what, const monoid_state *state, bool finishes,
                    VkBuffer buffer, VkDeviceSize at)
{
    const monoid_row *row = f->s->row;
    const VkrType type = (row->bits & MONOID_ROUNDS) != 0 ? VKR_TYPE_F32 : VKR_TYPE_U32;
    monoid_state result = *state;
    if (finishes)
        row->finish(state->words, &result);
    for (uint32_t k = 0; k < (finishes ? row->finished : row->words); k++) {
        const oracle_value value = monoid_word(row, &result, k);
        test_value(f->t, what, &value, type, buffer, at + 4 * k);
    }
}

static void compare_segment(const folding *f, uint64_t number, const monoid_state *state)
{
    const VkrBufferRange *output = &f->s->reduce.output;
    compare(f, "a segment", state, f->s->c.finishes, output->buffer,
            output->offset + number * f->s->layout.stride);
}

/* Windows that start in a run of their length have the rest of this run, and of the next one the
 * beginning. */
static void expect_windows(const folding *f)
{
    const monoid_row *row = f->s->row;
    const uint64_t length = f->s->length;
    monoid_state *rests = calloc(length + 1, sizeof(*rests));
    assert_non_null(rests);
    for (uint64_t run = 0; run < f->s->layout.segments; run += length) {
        monoid_state begin, element = {{0}};
        monoid_read(row, row->identity, &rests[length]);
        for (uint64_t k = length; k-- != 0;) {
            load(f, run + k, &rests[k]);
            monoid_add(row, &rests[k], &rests[k + 1]);
        }
        monoid_read(row, row->identity, &begin);
        for (uint64_t k = 0; k < length && run + k < f->s->layout.segments; k++) {
            monoid_add(row, &rests[k], &begin);
            compare_segment(f, run + k, &rests[k]);
            load(f, run + length + k, &element);
            monoid_add(row, &begin, &element);
        }
    }
    free(rests);
}

static void expect_segment(const folding *f, uint64_t number)
{
    const monoid_request *s = f->s;
    const bool columns = s->o->kind == VKR_SEGMENTS_COLUMNS;
    uint64_t first = columns ? number : number * s->length,
             count = columns ? s->capacity : s->length;
    monoid_state state;
    if (s->o->kind == VKR_SEGMENTS_NONE)
        count = s->capacity;
    if (s->o->kind == VKR_SEGMENTS_OFFSETS) {
        first = offset_at(s, number);
        count = offset_at(s, number + 1) - first;
    }
    monoid_read(s->row, s->row->identity, &state);
    fold(f, first, columns ? s->length : 1, count, &state);
    compare_segment(f, number, &state);
}

static void expect_runs(const folding *f)
{
    uint64_t number = 0;
    for (uint32_t first = 0, end; first < f->covered; first = end) {
        monoid_state state;
        end = first + 1;
        while (end < f->covered && f->flags[end] == 0)
            end++;
        monoid_read(f->s->row, f->s->row->identity, &state);
        fold(f, first, 1, end - first, &state);
        compare_segment(f, number++, &state);
    }
}

static void expect_reduction(const folding *f)
{
    const monoid_request *s = f->s;
    const VkrBufferRange *partials = &s->reduce.pieces.partials;
    const uint64_t count = test_counted(&s->reduce.segments.gpuCount, s->layout.segments);
    if (partials->size != 0)
        test_accept(partials->buffer, partials->offset, partials->size);
    if (s->o->kind == VKR_SEGMENTS_WINDOWS)
        expect_windows(f);
    else if (s->o->kind == VKR_SEGMENTS_KEYS)
        expect_runs(f);
    else
        for (uint64_t i = 0; i < count; i++)
            expect_segment(f, i);
}

static void expect_scan(const folding *f)
{
    const monoid_request *s = f->s;
    const VkrScanInfo *info = &s->scan;
    const bool reverse = (info->flags & VKR_SCAN_REVERSE_BIT) != 0;
    const bool exclusive = (info->flags & VKR_SCAN_EXCLUSIVE_BIT) != 0;
    const VkDeviceSize size = 4 * (s->c.finishes ? s->row->finished : s->row->words);
    const VkDeviceSize stride = info->output.stride != 0 ? info->output.stride : size;
    monoid_state initial = {{0}}, state;
    monoid_read(s->row, s->row->identity, &initial);
    if (info->gpuInitial.size != 0)
        monoid_read(s->row, test_bytes(info->gpuInitial.buffer, info->gpuInitial.offset), &initial);
    state = initial;
    for (uint32_t k = 0; k < f->covered; k++) {
        const uint32_t i = reverse ? f->covered - 1 - k : k, start = reverse ? i + 1 : i;
        const monoid_state before = start < f->covered && f->flags[start] != 0 ? initial : state;
        monoid_state element = {{0}};
        load(f, i, &element);
        s->row->combine((reverse ? &element : &before)->words,
                        (reverse ? &before : &element)->words, &state);
        compare(f, "a prefix", exclusive ? &before : &state, s->c.finishes, info->output.buffer,
                info->output.offset + i * stride);
    }
    if (info->total.size != 0)
        compare(f, "the total", &state, false, info->total.buffer, info->total.offset);
}

void monoids_expect(test_request *t)
{
    const monoid_request *s = t->own;
    folding f = {.t = t,
                 .s = s,
                 .words = test_bytes(s->words.buffer, s->words.offset),
                 .others = test_bytes(s->others.buffer, s->others.offset),
                 .covered = (uint32_t)test_counted(s->count, s->capacity)};
    find_flags(&f);
    (s->o->is_scan ? expect_scan : expect_reduction)(&f);
    free(f.flags);
}
