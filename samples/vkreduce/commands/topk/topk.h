/* SPDX-License-Identifier: MIT */
/* The command topk: options.c has its options, topk.c its request, outputs and text; device.c
 * selects, merge.c joins what chunks leave, verify.c verifies. */
#ifndef RUNNER_TOPK_H
#define RUNNER_TOPK_H

#include "commands/job.h"
#include "commands/payload.h"
#include "input/segments.h"
#include "output/output.h"

typedef struct topk_options {
    data_options data;
    const char *output;
    const char *indices;
    const char *segments;
    const char *axis;
    text_list payloads;
    bool smallest;
    bool by_value;
} topk_options;

extern const command topk_command;

#define MAX_PRINTED 64u /* elements of a segment in the JSON object */

typedef struct topk_request {
    const topk_options *opts;
    input in;
    segments segments;
    uint64_t rows;    /* segments, which can be columns; 1 if none are asked for */
    uint64_t row;     /* elements of each, apart from the last one, which may have fewer; by offsets
                      * those of the longest one */
    uint64_t pitch;   /* elements from the start of one row to that of the next */
    uint64_t *starts; /* by offsets: where segments start, and where the last one ends */
    uint32_t found;   /* entries for each: K, or all elements of a segment if that is less */
    VkrType index;
    VkrTopKInfo info; /* without data, count and outputs */
} topk_request;

/* The element with which a row starts, and the number of elements that so many rows span, starting
 * with one. */
static inline uint64_t topk_first(const topk_request *r, uint64_t row)
{
    return r->starts != NULL ? r->starts[row] : row * r->pitch;
}

static inline uint64_t topk_span(const topk_request *r, uint64_t row, uint64_t rows)
{
    const uint64_t first = topk_first(r, row);
    return r->starts != NULL ? r->starts[row + rows] - first
           : rows == 0       ? 0
                             : least((rows - 1) * r->pitch + r->row, r->in.count - first);
}

static inline bool topk_has_columns(const topk_request *r)
{
    return r->segments.kind == VKR_SEGMENTS_COLUMNS;
}

/* Whether all elements must be on the device at once, though there are segments. */
static inline bool topk_is_whole(const topk_request *r)
{
    return r->starts != NULL || topk_has_columns(r);
}

/* An element of a row, and an entry of it in the outputs. */
static inline uint64_t topk_element(const topk_request *r, uint64_t row, uint64_t i)
{
    return topk_has_columns(r) ? i * r->rows + row : topk_first(r, row) + i;
}

static inline uint64_t topk_entry(const topk_request *r, uint64_t row, uint64_t i)
{
    return topk_has_columns(r) ? i * r->rows + row : row * r->found + i;
}

/* The elements of a row, and how many of them are found. */
static inline uint64_t topk_length(const topk_request *r, uint64_t row)
{
    return topk_has_columns(r) ? r->row : topk_span(r, row, 1);
}

static inline uint32_t topk_found(const topk_request *r, uint64_t row)
{
    return (uint32_t)least(r->found, topk_length(r, row));
}

/* What was found in all data, or in the chunks so far: `count` entries. Those that a row
 * lacks have the index UINT64_MAX. */
typedef struct topk_list {
    uint64_t count;
    unsigned char *values;
    uint64_t *indices;
} topk_list;

typedef struct topk_results {
    topk_list list; /* of all rows, one after the other; columns lie beside each other */
    output values, indices;
    payloads payloads;
} topk_results;

/* Runs the command; `options` points to a topk_options. */
int topk_run(const operands *given, const void *options);

/* Parses K. */
int topk_parse_k(const char *text, uint32_t *k);

/* Finds the elements; the list must have room for all. */
int topk_execute(job *j);

/* Adds the entries that a chunk has found to a list, whose indices are all less. */
int topk_merge(const topk_request *r, topk_list *list, uint64_t count, const void *values,
               const uint32_t *indices, uint64_t first_index);

/* Compares the results with what the scalar reference makes of the input, which is read again. */
int topk_verify(job *j);

#endif
