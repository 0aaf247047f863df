/* SPDX-License-Identifier: MIT */
/* The command select. */
#include "commands/select/select.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "input/flags.h"
#include "output/json.h"
#include "output/npy.h"
#include "output/text.h"
#include "status.h"

#define MAX_SHOWN 20u    /* segments, or ranks of all data, as text */
#define MAX_COLUMNS 5u   /* elements of a segment, as text */
#define MAX_PRINTED 256u /* elements in the JSON object */

/* ---- The request ---- */

static bool has_rows(const select_request *r)
{
    return r->segments.kind != VKR_SEGMENTS_NONE;
}

/* Sets the segments. */
static int cut(select_request *r)
{
    const uint64_t most = r->in.count > 0 ? r->in.count : UINT64_MAX;
    r->row = r->pitch = r->in.count;
    r->rows = 1;
    if (r->segments.kind == VKR_SEGMENTS_OFFSETS) {
        r->rows = r->segments.file.count - 1;
        return segments_starts(&r->segments, &r->starts, &r->row);
    }
    if (has_rows(r)) {
        r->row = least(r->segments.length, most);
        r->pitch = least(segments_row(&r->segments, 1), most);
        r->rows = r->in.count / r->pitch + (r->in.count % r->pitch != 0);
    }
    return STATUS_DONE;
}

/* Checks that each segment has each rank. */
static int check_ranks(const select_request *r)
{
    char of[48] = "";
    uint64_t shortest = 0;
    if (r->rows == 0)
        return STATUS_DONE;
    for (uint64_t i = 0; i < r->rows; i++)
        if (select_length(r, i) < select_length(r, shortest))
            shortest = i;
    const uint64_t length = select_length(r, shortest);
    if (has_rows(r))
        (void)snprintf(of, sizeof of, "segment %" PRIu64 " of ", shortest);
    if (length == 0)
        return fail(STATUS_USAGE, "%s%s has no elements, so that no rank has one", of, r->in.name);
    for (uint32_t i = 0; !r->ranks.are_shares && i < r->ranks.count; i++)
        if (r->ranks.ranks[i] >= length)
            return fail(STATUS_USAGE,
                        "--ranks has %u; it must be below %" PRIu64
                        ", the number of elements of %s%s",
                        r->ranks.ranks[i], length, of, r->in.name);
    return STATUS_DONE;
}

static int open_request(job *j)
{
    select_request *r = j->request;
    const select_options *opts = r->opts;
    int status = select_parse(opts->ranks, opts->quantiles, &r->ranks);
    if (status == STATUS_DONE)
        status = numbers_open(&r->in, j->given->words[0], &opts->data.input, "select");
    if (status == STATUS_DONE)
        status = axes_open(&r->segments, SEGMENTS_OF_SELECT, opts->segments, opts->axis, &r->in,
                           &opts->data.input);
    if (status == STATUS_DONE)
        status = cut(r);
    return status == STATUS_DONE ? check_ranks(r) : status;
}

static int prepare(job *j)
{
    const select_request *r = j->request;
    select_results *results = j->results;
    const uint64_t entries = select_entries(r);
    const char *const names[] = {r->opts->output, r->opts->indices};
    results->values = malloc((size_t)entries * vkrTypeSize(r->in.type) + 1);
    results->indices = malloc((size_t)entries * sizeof *results->indices + 1);
    if (results->values == NULL || results->indices == NULL)
        return fail(STATUS_VULKAN, "out of memory for %" PRIu64 " results", entries);
    int status = STATUS_DONE;
    for (uint32_t k = 0; k < 2 && status == STATUS_DONE; k++) {
        status = npy_create(&results->outs[k], names[k]);
        npy_reserve(&results->outs[k], 0, r->segments.dimensions);
    }
    return status;
}

/* ---- The results ---- */

/* The shape of the results; along an axis they take its place. */
static uint32_t find_shape(const select_request *r, uint64_t *shape)
{
    if (r->segments.by_axis) {
        const uint32_t dimensions = segments_elements(&r->segments, r->in.count, shape);
        shape[r->segments.axis] = r->ranks.count;
        return dimensions;
    }
    shape[0] = r->rows;
    shape[has_rows(r)] = r->ranks.count;
    return has_rows(r) ? 2 : 1;
}

static int finish(job *j)
{
    const select_request *r = j->request;
    select_results *results = j->results;
    const void *const data[] = {results->values, results->indices};
    const VkrType types[] = {r->in.type, VKR_TYPE_U32};
    uint64_t shape[MAX_DIMENSIONS];
    const uint32_t dimensions = find_shape(r, shape);
    int status = STATUS_DONE;
    for (uint32_t k = 0; k < 2 && status == STATUS_DONE; k++) {
        output *out = &results->outs[k];
        if (out->name != NULL)
            status = output_write(out, 0, data[k], select_entries(r) * vkrTypeSize(types[k]));
        if (status == STATUS_DONE)
            status = npy_finish_shape(out, types[k], dimensions, shape);
    }
    return status;
}

/* Prints what all rows have, as arrays of arrays if there are segments. */
static void print_arrays(const select_request *r, const char *name, VkrType type,
                         const void *entries)
{
    const uint32_t size = vkrTypeSize(type);
    printf("%s\"%s\":%s", name[0] == 'v' ? "" : ",", name, has_rows(r) ? "[" : "");
    for (uint64_t row = 0; row < r->rows; row++) {
        fputs(row == 0 ? "[" : ",[", stdout);
        for (uint32_t i = 0; i < r->ranks.count; i++) {
            if (i > 0)
                putchar(',');
            json_value(stdout, type,
                       (const unsigned char *)entries + (row * r->ranks.count + i) * size);
        }
        putchar(']');
    }
    fputs(has_rows(r) ? "]" : "", stdout);
}

static void print_json(const job *j)
{
    const select_request *r = j->request;
    const select_results *results = j->results;
    putchar('{');
    if (select_entries(r) <= MAX_PRINTED) {
        print_arrays(r, "values", r->in.type, results->values);
        print_arrays(r, "indices", VKR_TYPE_U32, results->indices);
    }
    putchar('}');
}

/* Prints an element and its index. */
static void print_entry(const select_request *r, const select_results *results, uint64_t entry)
{
    char value[32];
    text_value(value, sizeof value, r->in.type, results->values + entry * vkrTypeSize(r->in.type));
    printf("%s at %u", value, results->indices[entry]);
}

static void print_list(const select_request *r, const select_results *results)
{
    const uint32_t shown = (uint32_t)least(r->ranks.count, MAX_SHOWN);
    for (uint32_t i = 0; i < shown; i++) {
        printf("%s %-10" PRIu64 " ", "rank", select_rank(&r->ranks, i, r->in.count));
        print_entry(r, results, i);
        putchar('\n');
    }
    if (shown < r->ranks.count)
        puts("..");
}

static void print_text(const job *j)
{
    const select_request *r = j->request;
    const select_results *results = j->results;
    if (!has_rows(r)) {
        print_list(r, results);
        return;
    }
    for (uint64_t row = 0; row < least(r->rows, MAX_SHOWN); row++) {
        printf("segment %-7" PRIu64, row);
        for (uint32_t i = 0; i < least(r->ranks.count, MAX_COLUMNS); i++) {
            fputs(i == 0 ? " " : ", ", stdout);
            print_entry(r, results, row * r->ranks.count + i);
        }
        puts(r->ranks.count > MAX_COLUMNS ? ", .." : "");
    }
    if (r->rows > MAX_SHOWN)
        puts("..");
}

static void close_all(job *j)
{
    select_request *r = j->request;
    select_results *results = j->results;
    output_close(&results->outs[0]);
    output_close(&results->outs[1]);
    free(results->values);
    free(results->indices);
    free(r->starts);
    segments_close(&r->segments);
    input_close(&r->in);
}

int select_run(const operands *given, const void *options)
{
    static const job_stages stages = {open_request, prepare,    select_execute, select_verify,
                                      finish,       print_json, print_text,     close_all};
    const select_options *opts = options;
    select_request r = {.opts = opts};
    select_results results = {0};
    job j = {.command = &select_command,
             .given = given,
             .opts = &opts->data,
             .request = &r,
             .results = &results,
             .inputs = &r.in,
             .input_count = 1,
             .outputs = {{"output", opts->output}, {"indices", opts->indices}}};
    return job_run(&j, &stages);
}
