/* SPDX-License-Identifier: MIT */
/* The command topk. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/topk/topk.h"
#include "input/flags.h"
#include "output/json.h"
#include "output/npy.h"
#include "output/text.h"
#include "status.h"

#define MAX_SHOWN 20u  /* lines of a table */
#define MAX_COLUMNS 5u /* elements of a segment in a table */

/* ---- The request ---- */

static bool has_rows(const topk_request *r)
{
    return r->segments.kind != VKR_SEGMENTS_NONE;
}

static int open_request(job *j)
{
    topk_request *r = j->request;
    const topk_options *opts = r->opts;
    int status = topk_parse_k(j->given->words[0], &r->info.k);
    if (status == STATUS_DONE)
        status = numbers_open(&r->in, j->given->words[1], &opts->data.input, "topk");
    if (status == STATUS_DONE)
        status = payloads_open(&((topk_results *)j->results)->payloads, r->in.count);
    if (status == STATUS_DONE)
        status = axes_open(&r->segments, SEGMENTS_OF_TOPK, opts->segments, opts->axis, &r->in,
                           &opts->data.input);
    if (status != STATUS_DONE)
        return status;
    r->row = r->pitch = r->in.count;
    r->rows = 1;
    if (r->segments.kind == VKR_SEGMENTS_OFFSETS) {
        r->rows = r->segments.file.count - 1;
        status = segments_starts(&r->segments, &r->starts, &r->row);
    } else if (topk_has_columns(r)) {
        r->rows = r->segments.length;
        r->row = r->in.count / r->rows;
    } else if (has_rows(r)) {
        const uint64_t most = r->in.count > 0 ? r->in.count : UINT64_MAX;
        r->row = least(r->segments.length, most);
        r->pitch = least(segments_row(&r->segments, 1), most);
        r->rows = r->in.count / r->pitch + (r->in.count % r->pitch != 0);
    }
    r->found = (uint32_t)least(r->info.k, r->row);
    r->index = r->row > UINT64_C(1) << 32 ? VKR_TYPE_U64 : VKR_TYPE_U32;
    return status;
}

static int prepare(job *j)
{
    topk_request *r = j->request;
    topk_results *results = j->results;
    topk_list *list = &results->list;
    const uint64_t entries = r->rows * r->found;
    r->info.label = "vkreduce topk";
    r->info.flags = (r->opts->smallest ? VKR_TOP_K_LEAST_BIT : 0u) |
                    (r->opts->by_value ? VKR_TOP_K_BY_VALUE_BIT : 0u);
    list->values = malloc((size_t)entries * vkrTypeSize(r->in.type) + 1);
    list->indices = malloc((size_t)entries * sizeof *list->indices + 1);
    if (list->values == NULL || list->indices == NULL)
        return fail(STATUS_VULKAN, "out of memory for %" PRIu64 " results", entries);
    int status = npy_create(&results->values, r->opts->output);
    if (status == STATUS_DONE)
        status = npy_create(&results->indices, r->opts->indices);
    npy_reserve(&results->values, 0, r->segments.dimensions);
    npy_reserve(&results->indices, 0, r->segments.dimensions);
    return status == STATUS_DONE ? payloads_create(&results->payloads, r->segments.dimensions)
                                 : status;
}

/* ---- The results ---- */

/* Writes indices in their type, in portions. */
static int write_indices(const topk_request *r, topk_results *results)
{
    const uint64_t count = r->rows * r->found, size = vkrTypeSize(r->index);
    uint32_t narrow[4096];
    int status = STATUS_DONE;
    if (size == sizeof *results->list.indices)
        return output_write(&results->indices, 0, results->list.indices, count * size);
    for (uint64_t first = 0; first < count && status == STATUS_DONE;) {
        const uint64_t portion = least(count - first, sizeof narrow / sizeof narrow[0]);
        for (uint64_t i = 0; i < portion; i++)
            narrow[i] = (uint32_t)results->list.indices[first + i];
        status = output_write(&results->indices, first * size, narrow, portion * size);
        first += portion;
    }
    return status;
}

/* Writes the entries of the elements found, which are few beside all entries. */
static int write_payload(const topk_request *r, const topk_results *results, const payload *p)
{
    const uint64_t count = r->rows * r->found, size = payload_size(p);
    unsigned char *entries = calloc((size_t)(count * size) + 1, 1);
    int status = entries != NULL ? STATUS_DONE : fail(STATUS_VULKAN, "out of memory");
    for (uint64_t i = 0; i < count && status == STATUS_DONE; i++) {
        const uint64_t row = topk_has_columns(r) ? i % r->rows : i / r->found;
        if (results->list.indices[i] != UINT64_MAX)
            status = input_load(&p->in, topk_element(r, row, results->list.indices[i]), 1,
                                entries + i * size);
    }
    if (status == STATUS_DONE)
        status = output_write(&p->out, 0, entries, count * size);
    free(entries);
    return status;
}

/* The shape of the results; along an axis they take its place. */
static uint32_t find_shape(const topk_request *r, uint64_t *shape)
{
    if (r->segments.by_axis) {
        const uint32_t dimensions = segments_elements(&r->segments, r->in.count, shape);
        shape[r->segments.axis] = least(r->found, shape[r->segments.axis]);
        return dimensions;
    }
    shape[0] = topk_has_columns(r) ? r->found : r->rows;
    shape[has_rows(r)] = topk_has_columns(r) ? r->rows : r->found;
    return has_rows(r) ? 2 : 1;
}

static int finish(job *j)
{
    const topk_request *r = j->request;
    topk_results *results = j->results;
    uint64_t shape[MAX_DIMENSIONS];
    const uint32_t dimensions = find_shape(r, shape);
    int status = STATUS_DONE;
    if (results->values.name != NULL)
        status = output_write(&results->values, 0, results->list.values,
                              r->rows * r->found * vkrTypeSize(r->in.type));
    if (status == STATUS_DONE && results->indices.name != NULL)
        status = write_indices(r, results);
    for (uint32_t i = 0; i < results->payloads.count && status == STATUS_DONE; i++)
        status = write_payload(r, results, &results->payloads.list[i]);
    if (status == STATUS_DONE)
        status = payloads_finish(&results->payloads, dimensions, shape);
    if (status == STATUS_DONE)
        status = npy_finish_shape(&results->values, r->in.type, dimensions, shape);
    return status == STATUS_DONE ? npy_finish_shape(&results->indices, r->index, dimensions, shape)
                                 : status;
}

/* Prints the values of a row as an array, which json_values does not do for one. */
static void print_row(const topk_request *r, const topk_results *results, uint64_t row)
{
    const uint32_t size = vkrTypeSize(r->in.type);
    putchar('[');
    for (uint32_t i = 0; i < topk_found(r, row); i++) {
        if (i > 0)
            putchar(',');
        json_value(stdout, r->in.type, results->list.values + topk_entry(r, row, i) * size);
    }
    putchar(']');
}

static void print_json(const job *j)
{
    const topk_request *r = j->request;
    printf("{\"found\":%u", r->found);
    if (r->info.k <= MAX_PRINTED) {
        fputs(",\"values\":", stdout);
        for (uint64_t row = 0; row < r->rows; row++) {
            if (has_rows(r))
                putchar(row == 0 ? '[' : ',');
            print_row(r, j->results, row);
        }
        if (has_rows(r))
            fputs(r->rows == 0 ? "[]" : "]", stdout);
    }
    putchar('}');
}

/* Prints an element and its index into a text. */
static void format_entry(const topk_request *r, const topk_results *results, uint64_t entry,
                         char text[64])
{
    char value[32];
    text_value(value, sizeof value, r->in.type,
               results->list.values + entry * vkrTypeSize(r->in.type));
    snprintf(text, 64, "%s at %" PRIu64, value, results->list.indices[entry]);
}

static void print_list(const topk_request *r, const topk_results *results)
{
    const uint32_t shown = (uint32_t)least(r->found, MAX_SHOWN);
    for (uint32_t i = 0; i < shown; i++) {
        char text[64];
        format_entry(r, results, i, text);
        printf("%-8u %s\n", i, text);
    }
    if (shown < r->found)
        puts("..");
}

/* Prints a row of the table, of which the first elements are shown. */
static void print_cells(const topk_request *r, const topk_results *results, uint64_t row,
                        const int *widths)
{
    printf("%-8" PRIu64, row);
    for (uint32_t i = 0; i < least(topk_found(r, row), MAX_COLUMNS); i++) {
        char text[64];
        format_entry(r, results, topk_entry(r, row, i), text);
        printf("  %*s", widths[i], text);
    }
    puts(topk_found(r, row) > MAX_COLUMNS ? "  .." : "");
}

/* The row in a line of the table: the first and the last ones, if there are many. */
static uint64_t shown_row(const topk_request *r, uint64_t line)
{
    const uint64_t shown = least(r->rows, MAX_SHOWN);
    return line < MAX_SHOWN / 2 ? line : r->rows - (shown - line);
}

static void print_table(const topk_request *r, const topk_results *results)
{
    const uint64_t shown = least(r->rows, MAX_SHOWN);
    int widths[MAX_COLUMNS] = {0};
    printf("%-8s %" PRIu64 " by %s%s\n", "segments", r->rows,
           strcmp(r->segments.option, "axis") == 0 ? "axis " : "", r->segments.text);
    for (uint64_t line = 0; line < shown; line++)
        for (uint32_t i = 0; i < least(topk_found(r, shown_row(r, line)), MAX_COLUMNS); i++) {
            char text[64];
            format_entry(r, results, topk_entry(r, shown_row(r, line), i), text);
            widths[i] = (int)strlen(text) > widths[i] ? (int)strlen(text) : widths[i];
        }
    printf("%-8s", "segment");
    for (uint32_t i = 0; i < least(r->found, MAX_COLUMNS); i++)
        printf("  %*u", widths[i], i);
    putchar('\n');
    for (uint64_t line = 0; line < shown; line++) {
        if (line == MAX_SHOWN / 2 && shown_row(r, line) != line)
            puts("..");
        print_cells(r, results, shown_row(r, line), widths);
    }
}

static void print_text(const job *j)
{
    const topk_request *r = j->request;
    const topk_results *results = j->results;
    printf("%-8s %u%s\n", "found", r->found, has_rows(r) ? " in each segment" : "");
    (has_rows(r) ? print_table : print_list)(r, results);
    payloads_print(&results->payloads, r->rows * r->found);
}

static void close_all(job *j)
{
    topk_request *r = j->request;
    topk_results *results = j->results;
    output_close(&results->values);
    output_close(&results->indices);
    payloads_close(&results->payloads);
    free(results->list.values);
    free(results->list.indices);
    free(r->starts);
    segments_close(&r->segments);
    input_close(&r->in);
}

int topk_run(const operands *given, const void *options)
{
    static const job_stages stages = {open_request, prepare,    topk_execute, topk_verify,
                                      finish,       print_json, print_text,   close_all};
    const topk_options *opts = options;
    topk_request r = {.opts = opts};
    topk_results results = {0};
    job j = {.command = &topk_command,
             .given = given,
             .opts = &opts->data,
             .request = &r,
             .results = &results,
             .inputs = &r.in,
             .input_count = 1,
             .outputs = {{"output", opts->output}, {"indices", opts->indices}}};
    const int status = payloads_parse(&results.payloads, &opts->payloads, j.outputs, 2);
    if (status == STATUS_DONE)
        return job_run(&j, &stages);
    payloads_close(&results.payloads);
    return status;
}
