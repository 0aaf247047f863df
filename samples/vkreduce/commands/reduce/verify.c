/* SPDX-License-Identifier: MIT */
/* --verify: the scalar reference for each segment, fed portion by portion, so that no input is too
 * large for it. Without segments, all data forms a single one. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/reduce/reduce.h"
#include "input/value.h"
#include "progress.h"
#include "status.h"
#include "oracle.h"

#define PORTION ((uint64_t)8 << 20) /* bytes */

/* The elements of a segment: rows whose elements are `step` apart. */
typedef struct part {
    uint64_t first, count, step; /* of a row */
    uint64_t rows, pitch;        /* more than one row only in tiles */
} part;

typedef struct reference {
    const reduce_request *request;
    const reduce_results *results;
    bool differs;
    found_groups groups;   /* or only the offsets of segments */
    uint64_t portion;      /* elements that are loaded at a time */
    uint64_t first, count; /* elements that are loaded */
    unsigned char *data[INPUTS];
    oracle_fold *folds[VKR_OP_BITS * VKR_MAX_COMPONENTS];
} reference;

static part find_tile(const reference *r, uint64_t tile)
{
    const segments *s = &r->request->segments;
    const uint64_t columns = (s->length + s->tile_width - 1) / s->tile_width;
    const uint64_t x = tile % columns * s->tile_width, y = tile / columns * s->tile_height;
    const uint64_t height = r->request->in[0].count / s->length;
    return (part){y * s->length + x, least(s->tile_width, s->length - x), 1,
                  least(s->tile_height, height - y), s->length};
}

static part find_part(const reference *r, uint64_t segment)
{
    const segments *s = &r->request->segments;
    const uint64_t length = s->length, count = r->request->in[0].count;
    const uint64_t *offsets = r->groups.offsets;
    switch (s->kind) {
    case VKR_SEGMENTS_ROWS:
        return (part){segments_row(s, segment), segments_span(s, segment, 1, count), 1, 1, 0};
    case VKR_SEGMENTS_COLUMNS:
        return (part){segment, count / length, length, 1, 0};
    case VKR_SEGMENTS_WINDOWS:
        return (part){segment, length, 1, 1, 0};
    case VKR_SEGMENTS_TILES:
        return find_tile(r, segment);
    case VKR_SEGMENTS_OFFSETS:
    case VKR_SEGMENTS_KEYS:
        return (part){offsets[segment], offsets[segment + 1] - offsets[segment], 1, 1, 0};
    default:
        return (part){0, count, 1, 1, 0};
    }
}

/* Finds the runs of keys, and compares those of the device with them. */
static int find_runs(reference *r)
{
    const reduce_request *request = r->request;
    int status = runs_find(request, &r->groups);
    if (status == STATUS_DONE)
        status = runs_verify(request, r->results, &r->groups, &r->differs);
    if (!request->segments.groups)
        return status;
    /* The elements of groups are loaded once, in their order. */
    for (uint32_t i = 0; i < request->input_count && status == STATUS_DONE; i++)
        status = groups_load(&r->groups, &request->in[i], r->data[i]);
    r->count = request->in[0].count;
    return status;
}

static int begin(reference *r)
{
    const reduce_request *request = r->request;
    const input *in = request->in;
    r->portion = least(PORTION / input_pitch(in), in->count);
    /* A column spans nearly all data, and so may a group. */
    if (request->segments.kind == VKR_SEGMENTS_COLUMNS || request->segments.groups)
        r->portion = in->count;
    for (uint32_t i = 0; i < request->input_count; i++) {
        r->data[i] = malloc((size_t)input_span(&in[i], r->portion) + 1);
        if (r->data[i] == NULL)
            return fail(STATUS_VULKAN, "--verify: out of memory");
    }
    if (reduce_has_runs(request))
        return find_runs(r);
    if (request->segments.kind != VKR_SEGMENTS_OFFSETS)
        return STATUS_DONE;
    uint64_t *offsets = calloc((size_t)request->segments.file.count, sizeof *offsets);
    r->groups.offsets = offsets;
    if (offsets == NULL)
        return fail(STATUS_VULKAN, "--verify: out of memory");
    return segments_offsets(&request->segments, 0, request->segments.file.count, offsets);
}

/* Loads a portion that starts at an element, unless the `span` elements there are loaded. */
static int load(reference *r, uint64_t first, uint64_t span)
{
    const reduce_request *request = r->request;
    int status = STATUS_DONE;
    if (first >= r->first && first + span <= r->first + r->count)
        return STATUS_DONE;
    r->first = first;
    r->count = least(r->portion, request->in[0].count - first);
    for (uint32_t i = 0; i < request->input_count && status == STATUS_DONE; i++)
        status = input_load(&request->in[i], first, r->count, r->data[i]);
    return status;
}

static uint32_t fold_count(const reference *r)
{
    return r->request->op_count * r->request->in[0].components;
}

/* The bit of a fold's operator; folds of its components follow each other. */
static uint32_t bit_of(const reference *r, uint32_t fold)
{
    return r->request->order[fold / r->request->in[0].components];
}

static int begin_folds(reference *r, const part *p)
{
    const reduce_request *request = r->request;
    const input *in = request->in;
    const size_t stride = (size_t)(input_pitch(in) * p->step);
    const oracle_reduce_info info = {.stride = stride,
                                     .stride2 = stride,
                                     .type = in->type,
                                     .components = in->components,
                                     .accumulator = request->info.accumulator,
                                     .nan = request->info.nan,
                                     .determinism = request->info.determinism,
                                     .sample = request->opts->sample,
                                     .window = request->segments.kind == VKR_SEGMENTS_WINDOWS,
                                     .first = p->first};
    for (uint32_t i = 0; i < fold_count(r); i++) {
        const uint32_t bit = bit_of(r, i);
        r->folds[i] = oracle_begin(&info, (VkrOp)(1u << bit), i % in->components,
                                   r->results->layout.results[bit].type);
        if (r->folds[i] == NULL)
            return fail(STATUS_VULKAN, "--verify: out of memory");
    }
    return STATUS_DONE;
}

/* Adds a row of a segment to all folds. */
static int feed(reference *r, const part *p, uint64_t row)
{
    const uint64_t most = (r->portion - 1) / p->step + 1, pitch = input_pitch(r->request->in);
    for (uint64_t done = 0, count; done < p->count; done += count) {
        const uint64_t first = p->first + row * p->pitch + done * p->step;
        count = least(p->count - done, most);
        int status = load(r, first, (count - 1) * p->step + 1);
        if (status != STATUS_DONE)
            return status;
        const uint64_t at = (first - r->first) * pitch;
        const unsigned char *second = r->data[1] != NULL ? r->data[1] + at : NULL;
        for (uint32_t i = 0; i < fold_count(r); i++)
            oracle_add(r->folds[i], r->data[0] + at, second, count);
    }
    return STATUS_DONE;
}

/* Compares a result with the reference, and reports the first difference. */
static void compare(reference *r, const oracle_value *value, uint64_t segment, uint32_t bit,
                    uint32_t component)
{
    const VkrType type = r->results->layout.results[bit].type;
    const void *result = reduce_value(r->results, segment, bit, component);
    char expected[40], actual[40], where[40] = "";
    if (r->differs || oracle_accepts(value, type, result))
        return;
    oracle_format(expected, sizeof expected, type, value->bytes);
    oracle_format(actual, sizeof actual, type, result);
    if (r->request->segments.kind != VKR_SEGMENTS_NONE)
        snprintf(where, sizeof where, " of %s %" PRIu64,
                 reduce_has_runs(r->request) ? runs_word(r->request) : "segment", segment);
    (void)fail(STATUS_DIFFERENCE,
               "--verify: %s of channel %u%s is %s; the scalar reference gives %s within %g",
               vkrOpName((VkrOp)(1u << bit)), component, where, actual, expected, value->tolerance);
    r->differs = true;
}

/* The reference counts inside a group; results have the index in the input. */
static void place(const reference *r, const part *p, uint32_t bit, oracle_value *value)
{
    const VkrType type = r->results->layout.results[bit].type;
    if (r->groups.order == NULL || (1u << bit & (VKR_OP_ARGMIN | VKR_OP_ARGMAX)) == 0 ||
        is_no_index(type, value->bytes))
        return;
    const uint64_t index = r->groups.order[p->first + value_as_unsigned(type, value->bytes)];
    memcpy(value->bytes, &index, vkrTypeSize(type)); /* little-endian, like the device */
}

static int verify_segment(reference *r, uint64_t segment)
{
    const part p = find_part(r, segment);
    int status = begin_folds(r, &p);
    for (uint64_t row = 0; row < p.rows && status == STATUS_DONE; row++)
        status = feed(r, &p, row);
    for (uint32_t i = 0; i < fold_count(r); i++) {
        oracle_value value;
        oracle_end(r->folds[i], status == STATUS_DONE ? &value : NULL);
        r->folds[i] = NULL;
        if (status == STATUS_DONE)
            place(r, &p, bit_of(r, i), &value);
        if (status == STATUS_DONE)
            compare(r, &value, segment, bit_of(r, i), i % r->request->in[0].components);
    }
    return status == STATUS_DONE ? progress_add(0) : status;
}

int reduce_verify(job *j)
{
    const reduce_request *request = j->request;
    reference r = {.request = request, .results = j->results};
    int status = begin(&r);
    progress_start("verifying",
                   request->input_count * input_span(&request->in[0], request->in[0].count));
    for (uint64_t s = 0; s < r.results->layout.segments && status == STATUS_DONE && !r.differs; s++)
        status = verify_segment(&r, s);
    progress_end();
    found_groups_free(&r.groups);
    free(r.data[0]);
    free(r.data[1]);
    j->task.differs = r.differs;
    return status;
}
