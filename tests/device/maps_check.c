/* SPDX-License-Identifier: MIT */
/* Compares results of maps and masks with the oracle. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "maps_run.h"

static void map_all(map_run *r)
{
    const map_case *c = r->c;
    const size_t size = maps_seen_size(c);
    const char *at = (const char *)values.data + (c->format == NULL ? LEAD : 0);
    for (uint64_t i = 0; i < r->elements; i++) {
        const char *element = at + i * maps_stride_of(c);
        const uint32_t bits =
            c->mapped ? oracle_map(&c->map, maps_type_of(c), c->components, element) : 0;
        memcpy(r->mapped + i * size, c->mapped ? (const char *)&bits : element, size);
    }
}

/* The elements of a segment that count, and their indices. */
typedef struct gathered {
    char *data;
    uint64_t *index;
    uint64_t count, place;
} gathered;

/* Adds element i. At level DEVICE elements that the mask drops are 0, since they keep their
 * positions in the tree. */
static void gather_element(const map_run *r, uint64_t i, gathered *g)
{
    const size_t size = maps_seen_size(r->c);
    if (i >= r->count)
        return;
    if (r->keeps[i] || r->c->determinism == VKR_DETERMINISM_DEVICE) {
        memcpy(g->data + g->count * size, r->mapped + i * size, size);
        if (!r->keeps[i])
            memset(g->data + g->count * size, 0, size);
        g->index[g->count++] = g->place;
    }
    g->place++;
}

static void gather_tile(const map_run *r, uint32_t layer, uint32_t x, uint32_t y, gathered *g)
{
    const map_case *c = r->c;
    const uint32_t w = c->tile_width != 0 ? c->tile_width : c->width;
    const uint32_t h = c->tile_width != 0 ? c->tile_height : c->height * c->layers;
    for (uint32_t v = y; v < y + h && v < (c->tile_width != 0 ? c->height : h); v++)
        for (uint32_t u = x; u < x + w && u < c->width; u++)
            gather_element(r, ((uint64_t)layer * c->height + v) * c->width + u, g);
}

/* Checks a segment, and drops its elements. */
static void check_segment(const map_run *r, uint64_t segment, gathered *g)
{
    const map_case *c = r->c;
    const oracle_reduce_info info = {.data = g->data,
                                     .stride = maps_seen_size(c),
                                     .data2 = g->data,
                                     .stride2 = maps_seen_size(c),
                                     .count = g->count,
                                     .type = maps_seen_type(c),
                                     .components = maps_seen_components(c),
                                     .nan = c->nan,
                                     .determinism = c->determinism,
                                     .window = c->kind == VKR_SEGMENTS_WINDOWS,
                                     .first = segment};
    const char *results = (const char *)outputs.data + segment * r->layout.stride;
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const VkrReduceResult *result = &r->layout.results[bit];
        const VkrOp op = (VkrOp)(1u << bit);
        for (uint32_t k = 0; k < info.components && result->type != VKR_TYPE_UNDEFINED; k++) {
            const void *actual = results + result->offset + k * vkrTypeSize(result->type);
            if ((op & ARGS) != 0)
                compare_index(&test, c->name, &info, op, k, result->type, actual, g->index);
            else
                compare_value(&test, c->name, &info, op, k, result->type, actual);
        }
    }
    g->count = g->place = 0;
}

/* Segments that are runs of elements and may overlap. */
static uint64_t check_runs(const map_run *r, gathered *g)
{
    const uint32_t *words = offsets.data;
    const bool windows = r->c->kind == VKR_SEGMENTS_WINDOWS;
    const uint64_t segments = r->layout.segments;
    for (uint64_t segment = 0; segment < segments; segment++) {
        const uint64_t first = windows ? segment : words[segment];
        const uint64_t end = windows ? segment + r->c->tile_width : words[segment + 1];
        for (uint64_t i = first; i < end; i++)
            gather_element(r, i, g);
        check_segment(r, segment, g);
    }
    return segments;
}

static uint64_t check_tiles(const map_run *r, gathered *g)
{
    const map_case *c = r->c;
    const bool whole = c->kind == VKR_SEGMENTS_NONE;
    const uint32_t w = whole ? c->width : c->tile_width, h = whole ? c->height : c->tile_height;
    uint64_t segment = 0;
    for (uint32_t layer = 0; layer < (whole ? 1 : c->layers); layer++)
        for (uint32_t y = 0; y < c->height; y += h)
            for (uint32_t x = 0; x < c->width; x += w) {
                gather_tile(r, layer, x, y, g);
                check_segment(r, segment++, g);
            }
    return segment;
}

void maps_check_segments(map_run *r)
{
    const bool runs = r->c->kind == VKR_SEGMENTS_WINDOWS || r->c->kind == VKR_SEGMENTS_OFFSETS;
    gathered g = {malloc(r->elements * maps_seen_size(r->c)), malloc(r->elements * sizeof *g.index),
                  0, 0};
    assert_non_null(g.data);
    assert_non_null(g.index);
    map_all(r);
    assert_int_equal(runs ? check_runs(r, &g) : check_tiles(r, &g), r->layout.segments);
    free(g.data);
    free(g.index);
}
