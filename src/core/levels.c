/* SPDX-License-Identifier: MIT */
/*
 * Assigns levels to steps, in time almost linear in the number of steps.
 *
 * All ranges of a recording are known. Their sorted ends cut every buffer into intervals that no
 * range splits. A tree over these intervals holds for each the last level that wrote it and the
 * last one that accessed it. The level of a step follows from the maximum of these levels over its
 * ranges, and is then entered for these ranges. Both take time proportional to the logarithm of the
 * number of ranges, whatever the ranges are.
 */
#include <string.h>

#include "schedule.h"

#define WRITES                                                                                     \
    (VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT | VK_ACCESS_MEMORY_WRITE_BIT)

/* An image has at most one mip level for each bit of its size. */
#define MAX_MIPS 32u
#define MAX_SPANS (UINT32_MAX / 2)

/* Compares differences rather than ends, which overflow for VK_WHOLE_SIZE and VK_REMAINING_*. */
static bool ranges_overlap(uint64_t a, uint64_t a_size, uint64_t b, uint64_t b_size)
{
    if (a_size == 0 || b_size == 0)
        return false;
    return a < b ? b - a < a_size : a - b < b_size;
}

static bool subresources_overlap(const VkImageSubresourceRange *a, const VkImageSubresourceRange *b)
{
    return (a->aspectMask & b->aspectMask) &&
           ranges_overlap(a->baseMipLevel, a->levelCount, b->baseMipLevel, b->levelCount) &&
           ranges_overlap(a->baseArrayLayer, a->layerCount, b->baseArrayLayer, b->layerCount);
}

bool vkr_overlap(const vkr_access *a, const vkr_access *b)
{
    if (a->buffer != b->buffer)
        return false;
    if (a->buffer)
        return ranges_overlap(a->offset, a->size, b->offset, b->size);
    return a->image == b->image && subresources_overlap(&a->subresource, &b->subresource);
}

/* ---- Spans: the ranges of an access ---- */

/* A range of a line. A buffer is one line of bytes; an image has a line of array layers for each
 * aspect and mip level. */
typedef struct span {
    uint64_t resource;
    uint32_t line;
    uint64_t first;
    uint64_t end;
} span;

static uint64_t end_of(uint64_t first, uint64_t size)
{
    return size > UINT64_MAX - first ? UINT64_MAX : first + size;
}

static uint32_t mips_of(const VkImageSubresourceRange *range)
{
    const uint32_t left = MAX_MIPS - range->baseMipLevel;
    if (range->baseMipLevel >= MAX_MIPS || range->layerCount == 0)
        return 0;
    return range->levelCount < left ? range->levelCount : left;
}

static uint32_t count_spans(const vkr_access *access)
{
    if (access->buffer)
        return access->size > 0;
    uint32_t aspects = 0;
    for (VkImageAspectFlags left = access->subresource.aspectMask; left; left &= left - 1)
        aspects++;
    return aspects * mips_of(&access->subresource);
}

static span span_of(const vkr_access *access, uint32_t i)
{
    const VkImageSubresourceRange *range = &access->subresource;
    if (access->buffer) {
        return (span){.resource = (uint64_t)access->buffer,
                      .first = access->offset,
                      .end = end_of(access->offset, access->size)};
    }
    const uint32_t mips = mips_of(range);
    VkImageAspectFlags left = range->aspectMask;
    for (uint32_t aspect = 0; aspect < i / mips; aspect++)
        left &= left - 1;
    uint32_t aspect = 0;
    while (!(left >> aspect & 1))
        aspect++;
    return (span){.resource = (uint64_t)access->image,
                  .line = 1 + aspect * MAX_MIPS + range->baseMipLevel + i % mips,
                  .first = range->baseArrayLayer,
                  .end = end_of(range->baseArrayLayer, range->layerCount)};
}

static uint64_t count_all_spans(const vkr_step *steps, uint32_t count)
{
    uint64_t spans = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t k = 0; k < steps[i].access_count; k++)
            spans += count_spans(&steps[i].accesses[k]);
    return spans;
}

/* ---- Memory ---- */

/* The start or the end of a span. */
typedef struct place {
    uint64_t resource;
    uint64_t at;
    uint32_t line;
    uint32_t id; /* 2 * the number of the span, and 1 more for its end */
} place;

/* A leaf stands for an interval, an inner node for all intervals below it. The members are the last
 * levels, plus 1, that wrote or accessed one of these intervals; 0 if none has. `all_*` are those
 * that were entered for the whole node at once and not for its children. */
typedef struct node {
    uint32_t written;
    uint32_t accessed;
    uint32_t all_written;
    uint32_t all_accessed;
} node;

_Static_assert(2 * sizeof(node) <= 2 * sizeof(place), "the tree fits in the room of the places");

typedef struct levels {
    place *places; /* room for twice their number, as sorting needs; later the tree lies here */
    node *nodes;   /* node 1 is the root; node `intervals` + i is the leaf of interval i */
    uint32_t intervals;
    uint32_t *interval_of; /* by the id of a place: the interval that starts there */
    uint32_t *next;        /* by level: where its next step goes in the order */
    uint64_t work;
} levels;

uint64_t vkr_levels_size(const vkr_step *steps, uint32_t count)
{
    const uint64_t spans = count_all_spans(steps, count);
    if (spans > MAX_SPANS)
        return UINT64_MAX;
    return 2 * spans * (2 * sizeof(place) + sizeof(uint32_t)) +
           (2 * (uint64_t)count + 1) * sizeof(uint32_t);
}

/* ---- Sorted places, and the intervals between them ---- */

static bool is_behind(const place *a, const place *b)
{
    if (a->resource != b->resource)
        return a->resource > b->resource;
    return a->line != b->line ? a->line > b->line : a->at > b->at;
}

static bool is_same_place(const place *a, const place *b)
{
    return a->resource == b->resource && a->line == b->line && a->at == b->at;
}

static void merge(levels *l, const place *from, const place *middle, const place *end, place *to)
{
    const place *a = from;
    const place *b = middle;
    while (a < middle && b < end) {
        *to++ = is_behind(a, b) ? *b++ : *a++;
        l->work++;
    }
    memcpy(to, a, (size_t)(middle - a) * sizeof(place));
    memcpy(to + (middle - a), b, (size_t)(end - b) * sizeof(place));
}

/* A merge sort, since qsort may allocate memory. Returns the sorted places, which lie in one of the
 * two halves of l->places. */
static const place *sort_places(levels *l, size_t count)
{
    place *from = l->places;
    place *to = l->places + count;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t i = 0; i < count; i += 2 * run) {
            const size_t middle = count - i < run ? count : i + run;
            const size_t end = count - i < 2 * run ? count : i + 2 * run;
            merge(l, from + i, from + middle, from + end, to + i);
        }
        place *other = from;
        from = to;
        to = other;
    }
    return from;
}

static void cut_intervals(levels *l, const vkr_step *steps, uint32_t count)
{
    uint32_t places = 0;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < steps[i].access_count; k++) {
            const uint32_t spans = count_spans(&steps[i].accesses[k]);
            for (uint32_t s = 0; s < spans; s++) {
                const span part = span_of(&steps[i].accesses[k], s);
                for (uint32_t end = 0; end < 2; end++, places++)
                    l->places[places] = (place){.resource = part.resource,
                                                .at = end ? part.end : part.first,
                                                .line = part.line,
                                                .id = places};
            }
        }
    }
    const place *sorted = sort_places(l, places);
    for (uint32_t i = 0; i < places; i++) {
        l->intervals += i > 0 && !is_same_place(&sorted[i - 1], &sorted[i]);
        l->interval_of[sorted[i].id] = l->intervals;
    }
    l->intervals += places > 0;
    l->nodes = (node *)l->places;
    memset(l->nodes, 0, 2 * (size_t)l->intervals * sizeof(node));
}

/* ---- The tree ---- */

static uint32_t max_of(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The maximum of the levels that were entered for a whole ancestor of a node. */
static uint32_t query_ancestors(levels *l, size_t n, bool writes)
{
    uint32_t level = 0;
    while ((n /= 2) > 0) {
        level = max_of(level, writes ? l->nodes[n].all_accessed : l->nodes[n].all_written);
        l->work++;
    }
    return level;
}

/* The last level, plus 1, that conflicts with an access to the intervals `first` to `end` - 1: the
 * last one that accessed one of them if the access writes, else the last one that wrote one. */
static uint32_t ask(levels *l, uint32_t first, uint32_t end, bool writes)
{
    size_t a = (size_t)first + l->intervals;
    size_t b = (size_t)end + l->intervals;
    uint32_t level = max_of(query_ancestors(l, a, writes), query_ancestors(l, b - 1, writes));
    for (; a < b; a = (a + 1) / 2, b /= 2) {
        if (a & 1)
            level = max_of(level, writes ? l->nodes[a].accessed : l->nodes[a].written);
        if (b & 1)
            level = max_of(level, writes ? l->nodes[b - 1].accessed : l->nodes[b - 1].written);
        l->work++;
    }
    return level;
}

static void enter_node(node *n, uint32_t level, bool writes)
{
    n->accessed = max_of(n->accessed, level);
    n->all_accessed = max_of(n->all_accessed, level);
    if (writes) {
        n->written = max_of(n->written, level);
        n->all_written = max_of(n->all_written, level);
    }
}

static void update_ancestors(levels *l, size_t n)
{
    while ((n /= 2) > 0) {
        const node *left = &l->nodes[2 * n];
        node *up = &l->nodes[n];
        up->accessed = max_of(up->all_accessed, max_of(left[0].accessed, left[1].accessed));
        up->written = max_of(up->all_written, max_of(left[0].written, left[1].written));
        l->work++;
    }
}

static void enter(levels *l, uint32_t first, uint32_t end, uint32_t level, bool writes)
{
    size_t a = (size_t)first + l->intervals;
    size_t b = (size_t)end + l->intervals;
    for (; a < b; a = (a + 1) / 2, b /= 2) {
        if (a & 1)
            enter_node(&l->nodes[a], level, writes);
        if (b & 1)
            enter_node(&l->nodes[b - 1], level, writes);
        l->work++;
    }
    update_ancestors(l, (size_t)first + l->intervals);
    update_ancestors(l, (size_t)end - 1 + l->intervals);
}

/* ---- Levels ---- */

/* Sets the level of a step. `places` is the id of the first place of its first span. */
static void query_step(levels *l, vkr_step *step, uint32_t places)
{
    step->level = 0;
    step->waits_for_arguments = false;
    for (uint32_t k = 0; k < step->access_count; k++) {
        const vkr_access *access = &step->accesses[k];
        const uint32_t end = places + 2 * count_spans(access);
        for (; places < end; places += 2) {
            const uint32_t level = ask(l, l->interval_of[places], l->interval_of[places + 1],
                                       (access->access & WRITES) != 0);
            step->level = max_of(step->level, level);
            if (level > 0 && (access->access & VK_ACCESS_INDIRECT_COMMAND_READ_BIT))
                step->waits_for_arguments = true;
        }
    }
}

/* Enters the level of a step. Returns the id of the first place of the next step. */
static uint32_t enter_step(levels *l, const vkr_step *step, uint32_t places)
{
    for (uint32_t k = 0; k < step->access_count; k++) {
        const vkr_access *access = &step->accesses[k];
        const uint32_t end = places + 2 * count_spans(access);
        for (; places < end; places += 2)
            enter(l, l->interval_of[places], l->interval_of[places + 1], step->level + 1,
                  (access->access & WRITES) != 0);
    }
    return places;
}

static void sort_steps(levels *l, const vkr_step *steps, uint32_t count, uint32_t *order)
{
    memset(l->next, 0, ((size_t)count + 1) * sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++)
        l->next[steps[i].level + 1]++;
    for (uint32_t i = 0; i < count; i++)
        l->next[i + 1] += l->next[i];
    for (uint32_t i = 0; i < count; i++)
        order[l->next[steps[i].level]++] = i;
    l->work += count;
}

vkr_schedule vkr_assign_levels(vkr_step *steps, uint32_t count, void *memory)
{
    const size_t all = 2 * (size_t)count_all_spans(steps, count);
    levels l = {.places = memory};
    l.interval_of = (uint32_t *)(l.places + 2 * all);
    l.next = l.interval_of + all;
    vkr_schedule schedule = {.order = l.next + count + 1};
    cut_intervals(&l, steps, count);
    for (uint32_t i = 0, places = 0; i < count; i++) {
        query_step(&l, &steps[i], places);
        places = enter_step(&l, &steps[i], places);
        schedule.levels = max_of(schedule.levels, steps[i].level + 1);
    }
    sort_steps(&l, steps, count, schedule.order);
    schedule.work = l.work;
    return schedule;
}
