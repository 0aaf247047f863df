/* SPDX-License-Identifier: MIT */
/* --verify of segments: runs the scalar reference once for each segment. */
#include <stdlib.h>
#include <string.h>
#include "commands/reduce/verify.h"
#include "progress.h"
#include "status.h"

#define PORTION ((uint64_t)8 << 20) /* bytes */

/* The elements of a segment. */
typedef struct part {
    uint64_t first, count, step;
    uint64_t width, pitch; /* of a tile: elements in a row, and between the starts of rows */
} part;

typedef struct reference {
    reduce_verification what;
    oracle_reduce_info info;
    uint64_t *offsets;
    uint64_t portion;      /* elements to load at a time; a longer segment is loaded whole */
    uint64_t first, count; /* elements that are loaded */
    uint64_t room;         /* elements that fit the arrays */
    unsigned char *data[INPUTS];
    unsigned char *tile[INPUTS]; /* the elements of one tile, row by row */
} reference;

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* Returns the range from a tile's first element to its last one. */
static part find_tile(const reference *r, uint64_t tile)
{
    const segments *s = &r->what.request->segments;
    const uint64_t columns = (s->length + s->tile_width - 1) / s->tile_width;
    const uint64_t x = tile % columns * s->tile_width, y = tile / columns * s->tile_height;
    const uint64_t width = least(s->tile_width, s->length - x);
    const uint64_t height = least(s->tile_height, r->what.request->in[0].count / s->length - y);
    return (part){y * s->length + x, (height - 1) * s->length + width, 1, width, s->length};
}

static part find_part(const reference *r, uint64_t segment)
{
    const reduce_request *request = r->what.request;
    const uint64_t length = request->segments.length;
    switch (request->segments.kind) {
    case VKR_SEGMENTS_ROWS:
        return (part){segment * length, length, 1, 0, 0};
    case VKR_SEGMENTS_COLUMNS:
        return (part){segment, request->in[0].count / length, length, 0, 0};
    case VKR_SEGMENTS_WINDOWS:
        return (part){segment, length, 1, 0, 0};
    case VKR_SEGMENTS_TILES:
        return find_tile(r, segment);
    default:
        return (part){r->offsets[segment], r->offsets[segment + 1] - r->offsets[segment], 1, 0, 0};
    }
}

static int begin(reference *r)
{
    const reduce_request *request = r->what.request;
    const uint64_t count = request->in[0].count;
    r->info = reduce_reference(request);
    r->portion = PORTION / r->info.stride;
    /* A column spans nearly all data. */
    if (r->portion > count || request->segments.kind == VKR_SEGMENTS_COLUMNS)
        r->portion = count;
    if (request->segments.kind != VKR_SEGMENTS_OFFSETS)
        return STATUS_DONE;
    r->offsets = calloc((size_t)request->segments.file.count, sizeof *r->offsets);
    if (r->offsets == NULL)
        return fail(STATUS_VULKAN, "--verify: out of memory");
    return segments_offsets(&request->segments, 0, request->segments.file.count, r->offsets);
}

static int make_room(reference *r, uint64_t count)
{
    const reduce_request *request = r->what.request;
    if (count <= r->room)
        return STATUS_DONE;
    r->room = count;
    for (uint32_t i = 0; i < request->input_count; i++) {
        free(r->data[i]);
        r->data[i] = malloc((size_t)input_span(&request->in[i], count));
        if (r->data[i] == NULL)
            return fail(STATUS_VULKAN, "--verify: out of memory");
    }
    return STATUS_DONE;
}

/* Loads the elements that the part spans, unless they are loaded already. */
static int load(reference *r, const part *p)
{
    const reduce_request *request = r->what.request;
    const uint64_t span = (p->count - 1) * p->step + 1, left = request->in[0].count - p->first;
    if (p->first >= r->first && p->first + span <= r->first + r->count)
        return STATUS_DONE;
    r->first = p->first;
    r->count = span > r->portion ? span : r->portion;
    if (r->count > left)
        r->count = left;
    int status = make_room(r, r->count);
    for (uint32_t i = 0; i < request->input_count && status == STATUS_DONE; i++)
        status = input_load(&request->in[i], r->first, r->count, r->data[i]);
    return status;
}

/* Packs the rows of a tile one after the other. Returns the number of its elements. */
static uint64_t gather_tile(reference *r, const part *p, const unsigned char *data,
                            unsigned char *tile)
{
    const uint64_t height = (p->count - p->width) / p->pitch + 1, stride = r->info.stride;
    /* The padding after a row's last element may lie past the end of the data. */
    const uint64_t element = (uint64_t)vkrTypeSize(r->info.type) * r->info.components;
    for (uint64_t row = 0; row < height; row++)
        memcpy(tile + row * p->width * stride, data + row * p->pitch * stride,
               (size_t)((p->width - 1) * stride + element));
    return height * p->width;
}

/* Sets the reference's data to that of a tile. */
static int take_tile(reference *r, const part *p, oracle_reduce_info *info)
{
    const segments *s = &r->what.request->segments;
    const void *sources[INPUTS] = {info->data, info->data2};
    for (uint32_t i = 0; i < r->what.request->input_count; i++) {
        const uint64_t area = (uint64_t)s->tile_width * s->tile_height;
        const uint64_t most = least(area, r->what.request->in[0].count);
        if (r->tile[i] == NULL)
            r->tile[i] = malloc((size_t)(most * r->info.stride));
        if (r->tile[i] == NULL)
            return fail(STATUS_VULKAN, "--verify: out of memory");
        info->count = gather_tile(r, p, sources[i], r->tile[i]);
    }
    info->data = r->tile[0];
    info->data2 = r->tile[1];
    return STATUS_DONE;
}

static int compare_segment(reference *r, uint64_t segment)
{
    const reduce_request *request = r->what.request;
    const part p = find_part(r, segment);
    oracle_reduce_info info = r->info;
    int status = p.count != 0 ? load(r, &p) : STATUS_DONE;
    if (status != STATUS_DONE)
        return status;
    if (p.count != 0) {
        info.data = r->data[0] + (p.first - r->first) * info.stride;
        if (request->input_count == 2)
            info.data2 = r->data[1] + (p.first - r->first) * info.stride;
    }
    info.stride *= (size_t)p.step;
    info.stride2 *= (size_t)p.step;
    info.count = p.count;
    if (p.pitch != 0 && (status = take_tile(r, &p, &info)) != STATUS_DONE)
        return status;
    for (uint32_t i = 0; i < request->op_count; i++) {
        for (uint32_t c = 0; c < request->in[0].components; c++) {
            const uint32_t bit = request->order[i];
            oracle_value value;
            oracle_reduce(&info, (VkrOp)(1u << bit), c, r->what.results->layout.results[bit].type,
                          &value);
            reduce_compare(&r->what, &value, segment, bit, c);
        }
    }
    return progress_add(0);
}

int reduce_verify_segments(job *j)
{
    const reduce_request *request = j->request;
    const reduce_results *results = j->results;
    reference r = {.what = {request, results, false}};
    int status = begin(&r);
    progress_start("verifying",
                   request->input_count * input_span(&request->in[0], request->in[0].count));
    for (uint64_t s = 0; s < results->layout.segments && status == STATUS_DONE; s++)
        status = compare_segment(&r, s);
    progress_end();
    free(r.offsets);
    free(r.data[0]);
    free(r.data[1]);
    free(r.tile[0]);
    free(r.tile[1]);
    j->task.differs = r.what.differs;
    return status;
}
