/* SPDX-License-Identifier: MIT */
#include "unused.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

static bool is_first(const vkr_walk *w, vkr_unused_group group)
{
    /* A context is never a constant object, as in vkr_note_count. */
    atomic_uint *noted = (atomic_uint *)&w->context->noted_unused;
    return (atomic_fetch_or(noted, 1u << group) >> group & 1) == 0;
}

void vkr_note_unused(const vkr_walk *w, vkr_unused_group group, const char *of,
                     const vkr_unused *rows, size_t count, uint32_t kind, const char *since)
{
    char value[32] = "set";
    for (size_t i = 0; i < count; i++) {
        const vkr_unused *row = &rows[i];
        if (!row->is_set || (row->kinds >> kind & 1) != 0)
            continue;
        if (row->value != 0)
            (void)snprintf(value, sizeof(value), "%" PRIu64, row->value);
        if (is_first(w, group))
            vkr_note(w->context, "%s: %s%s is %s, but not used, since %s; that must be %s.",
                     w->call, of, row->field, value, since, row->need);
        return;
    }
}

/* ---- Arrays and buffers ---- */

void vkr_note_list(const vkr_walk *w, const char *field, const void *list, const char *counted,
                   uint32_t count)
{
    char since[64];
    const vkr_unused row = {field, list != NULL && count == 0, 0, 0, "the number of its entries"};
    (void)snprintf(since, sizeof(since), "%s is 0", counted);
    vkr_note_unused(w, VKR_UNUSED_LISTS, "", &row, 1, 0, since);
}

#define NO_BUFFER "its buffer is VK_NULL_HANDLE"

void vkr_note_range(const vkr_walk *w, const char *field, const VkrBufferRange *range)
{
    const bool has = range->buffer != VK_NULL_HANDLE;
    const vkr_unused rows[] = {
        {".size", !has && range->size != 0, range->size, 0, "a buffer"},
        {".offset", !has && range->offset != 0, range->offset, 0, "a buffer"},
    };
    vkr_note_unused(w, VKR_UNUSED_HANDLES, field, rows, VKR_ARRAY_SIZE(rows), 0, NO_BUFFER);
}

void vkr_note_gpu_count(const vkr_walk *w, const char *field, const VkrGpuCount *count)
{
    const bool has = count->buffer != VK_NULL_HANDLE;
    const vkr_unused rows[] = {
        {".offset", !has && count->offset != 0, count->offset, 0, "a buffer"},
        {".type", !has && count->type != VKR_TYPE_UNDEFINED, (uint64_t)count->type, 0, "a buffer"},
    };
    vkr_note_unused(w, VKR_UNUSED_HANDLES, field, rows, VKR_ARRAY_SIZE(rows), 0, NO_BUFFER);
}

void vkr_note_view(const vkr_walk *w, const char *field, const VkrView *view)
{
    const VkrTexels *texels = &view->texels;
    const bool has = view->buffer != VK_NULL_HANDLE || view->image != NULL || view->map != NULL;
    const bool texel = texels->view != VK_NULL_HANDLE;
    const vkr_unused rows[] = {
        {".size", !has && view->size != 0, view->size, 0, "a buffer"},
        {".offset", !has && view->offset != 0, view->offset, 0, "a buffer"},
    };
    const vkr_unused of_texels[] = {
        {".texels.size", !texel && texels->size != 0, texels->size, 0, "a buffer view"},
        {".texels.offset", !texel && texels->offset != 0, texels->offset, 0, "a buffer view"},
    };
    vkr_note_unused(w, VKR_UNUSED_HANDLES, field, rows, VKR_ARRAY_SIZE(rows), 0, NO_BUFFER);
    vkr_note_unused(w, VKR_UNUSED_HANDLES, field, of_texels, VKR_ARRAY_SIZE(of_texels), 0,
                    "texels.view is VK_NULL_HANDLE");
}

void vkr_note_values(const vkr_walk *w, uint64_t held)
{
    if (w->count == 0 && held != 0 && is_first(w, VKR_UNUSED_VALUES))
        vkr_note(w->context,
                 "%s: valueCount is 0, so no value is searched for, although values holds %" PRIu64
                 "; VKR_COUNT_ALL stands for all of them.",
                 w->call, held);
}

/* ---- Kinds ---- */

#define ONLY(kind) (1u << VKR_##kind)

static bool has_flags(const VkrFlagView *flags)
{
    return flags->range.buffer != VK_NULL_HANDLE || flags->hook != NULL;
}

static bool has_range(const VkrBufferRange *range)
{
    return range->buffer != VK_NULL_HANDLE || range->size != 0;
}

void vkr_note_segments(const vkr_walk *w, const VkrSegments *s)
{
    const uint32_t lengths = ONLY(SEGMENTS_ROWS) | ONLY(SEGMENTS_COLUMNS) | ONLY(SEGMENTS_WINDOWS) |
                             ONLY(SEGMENTS_TILES);
    const VkrRuns *runs = &s->runs;
    const bool has_runs = runs->uniqueKeys.buffer != VK_NULL_HANDLE ||
                          runs->lengths.buffer != VK_NULL_HANDLE || runs->countOutputCount != 0;
    const vkr_unused rows[] = {
        {"flags", has_flags(&s->flags), 0, ONLY(SEGMENTS_FLAGS), "flags"},
        {"length", s->length != 0, s->length, lengths, "rows, columns, windows or tiles"},
        {"pitch", s->pitch != 0, s->pitch, ONLY(SEGMENTS_ROWS), "rows"},
        {"tileWidth", s->tileWidth != 0, s->tileWidth, ONLY(SEGMENTS_TILES), "tiles"},
        {"tileHeight", s->tileHeight != 0, s->tileHeight, ONLY(SEGMENTS_TILES), "tiles"},
        {"offsets", has_range(&s->offsets), 0, ONLY(SEGMENTS_OFFSETS), "offsets"},
        {"offsetType", s->offsetType != 0, (uint64_t)s->offsetType, ONLY(SEGMENTS_OFFSETS),
         "offsets"},
        {"gpuCount", s->gpuCount.buffer != VK_NULL_HANDLE, 0, ONLY(SEGMENTS_OFFSETS), "offsets"},
        {"keys", s->keys.buffer != VK_NULL_HANDLE, 0, ONLY(SEGMENTS_KEYS), "keys"},
        {"byValue", s->byValue != VK_FALSE, s->byValue, ONLY(SEGMENTS_KEYS), "keys"},
        {"runs", has_runs, 0, ONLY(SEGMENTS_KEYS), "keys"},
        {"runs.capacity", runs->capacity != 0, runs->capacity, ONLY(SEGMENTS_KEYS), "keys"},
    };
    char since[40];
    (void)snprintf(since, sizeof(since), "segments.kind is %s", vkr_segment_kind_name(s->kind));
    vkr_note_unused(w, VKR_UNUSED_SEGMENTS, "segments.", rows, VKR_ARRAY_SIZE(rows),
                    (uint32_t)s->kind, since);
    vkr_note_list(w, "segments.runs.countOutputs", runs->countOutputs,
                  "segments.runs.countOutputCount", runs->countOutputCount);
    vkr_note_gpu_count(w, "segments.gpuCount", &s->gpuCount);
}

/* Whether the bits of a constant for floats are those of a small integer: as an f64 these are a
 * subnormal number, or NaN where the integer is negative. */
static bool is_integer(const VkrConstant *c)
{
    const int64_t most = INT64_C(1) << 52;
    return c->i != 0 && c->i > -(INT64_C(1) << 51) && c->i < most;
}

static void note_constant(const vkr_walk *w, const char *field, const VkrConstant *c,
                          const vkr_type_info *type)
{
    if (!type->is_float || !is_integer(c) || !is_first(w, VKR_UNUSED_CONSTANTS))
        return;
    /* Each C library writes NaN in its own way. */
    char held[32] = "NaN";
    if (!isnan(c->f))
        (void)snprintf(held, sizeof(held), "%g", c->f);
    vkr_note(w->context,
             "%s: %s.i is %" PRId64 ", but not used, since the elements are of type %s; their "
             "constants must be in .f, which is %s.",
             w->call, field, c->i, type->name, held);
}

void vkr_note_predicate(const vkr_walk *w, const VkrPredicate *p, const vkr_type_info *type)
{
    const uint32_t compares = ONLY(PREDICATE_COMPARE);
    const vkr_unused rows[] = {
        {"compare", p->compare != VKR_COMPARE_NONE, (uint64_t)p->compare,
         compares | ONLY(PREDICATE_BITS), "compare or bits"},
        {"compare2", p->compare2 != VKR_COMPARE_NONE, (uint64_t)p->compare2, compares, "compare"},
        {"a", p->a.u != 0, 0, compares, "compare"},
        {"b", p->b.u != 0, 0, compares, "compare"},
        {"mask", p->mask != 0, p->mask, ONLY(PREDICATE_BITS), "bits"},
        {"value", p->value != 0, p->value, ONLY(PREDICATE_BITS), "bits"},
        {"flags", has_flags(&p->flags), 0, ONLY(PREDICATE_FLAGS), "flags"},
        {"byValue", p->byValue != VK_FALSE, p->byValue, ONLY(PREDICATE_UNIQUE), "unique"},
    };
    const vkr_unused second = {"b", p->b.u != 0 && p->compare2 == VKR_COMPARE_NONE, 0, 0,
                               "a comparison"};
    char since[48];
    (void)snprintf(since, sizeof(since), "predicate.kind is %s", vkrPredicateName(p->kind));
    vkr_note_unused(w, VKR_UNUSED_PREDICATE, "predicate.", rows, VKR_ARRAY_SIZE(rows),
                    (uint32_t)p->kind, since);
    vkr_note_range(w, "predicate.gpuConstants", &p->gpuConstants);
    if (p->kind != VKR_PREDICATE_COMPARE || p->gpuConstants.buffer != VK_NULL_HANDLE)
        return;
    vkr_note_unused(w, VKR_UNUSED_PREDICATE, "predicate.", &second, 1, 0,
                    "predicate.compare2 is none");
    note_constant(w, "predicate.a", &p->a, type);
    if (p->compare2 != VKR_COMPARE_NONE)
        note_constant(w, "predicate.b", &p->b, type);
}

void vkr_note_bins(const vkr_walk *w, const VkrBins *b)
{
    const uint32_t bounded = ONLY(BINS_EVEN) | ONLY(BINS_LOG2);
    const VkrBound *low = &b->low, *high = &b->high;
    const vkr_unused rows[] = {
        {"low", low->value != 0 || low->integer != 0, 0, bounded | ONLY(BINS_INTEGERS),
         "even, log2 or integers"},
        {"high", high->value != 0 || high->integer != 0, 0, bounded, "even or log2"},
        {"edges", has_range(&b->edges), 0, ONLY(BINS_EDGES), "edges"},
    };
    const vkr_unused offsets[] = {
        {"gpuRange.low", b->gpuRange.low != 0, b->gpuRange.low, 0, "a buffer"},
        {"gpuRange.high", b->gpuRange.high != 0, b->gpuRange.high, 0, "a buffer"},
    };
    char since[48];
    (void)snprintf(since, sizeof(since), "bins.kind is %s", vkrBinKindName(b->kind));
    vkr_note_unused(w, VKR_UNUSED_BINS, "bins.", rows, VKR_ARRAY_SIZE(rows), (uint32_t)b->kind,
                    since);
    if (b->gpuRange.buffer == VK_NULL_HANDLE)
        vkr_note_unused(w, VKR_UNUSED_HANDLES, "bins.", offsets, VKR_ARRAY_SIZE(offsets), 0,
                        "bins.gpuRange.buffer is VK_NULL_HANDLE");
}
