/* SPDX-License-Identifier: MIT */
/* The command sort. */
#include <inttypes.h>
#include <stdio.h>
#include "commands/sort/sort.h"
#include "input/flags.h"
#include "output/npy.h"
#include "status.h"

/* ---- The request ---- */

static int open_request(job *j)
{
    sort_request *r = j->request;
    const sort_options *opts = r->opts;
    if (opts->output == NULL && opts->indices == NULL && opts->payloads.count == 0)
        return fail(STATUS_USAGE, "sort needs a file to write to: -o OUT.npy, --indices OUT.npy or "
                                  "--payload FILE:OUT.npy");
    int status = numbers_open(&r->in, j->given->words[0], &opts->data.input, "sort");
    if (status == STATUS_DONE && opts->bits != NULL)
        status = sort_parse_bits(opts->bits, &r->in, &r->info);
    if (status == STATUS_DONE)
        status = then_open(r);
    if (status == STATUS_DONE)
        status = payloads_open(&((sort_results *)j->results)->payloads, r->in.count);
    return status == STATUS_DONE ? axes_open(&r->segments, SEGMENTS_OF_SORT, opts->segments,
                                             opts->axis, &r->in, &opts->data.input)
                                 : status;
}

static int prepare(job *j)
{
    sort_request *r = j->request;
    sort_results *results = j->results;
    const sort_options *opts = r->opts;
    r->info.label = "vkreduce sort";
    r->info.flags = (opts->descending ? VKR_SORT_DESCENDING_BIT : 0u) |
                    (opts->nan_first ? VKR_SORT_NAN_FIRST_BIT : 0u) |
                    (opts->by_value ? VKR_SORT_BY_VALUE_BIT : 0u);
    r->info.algorithm = (VkrSortAlgorithm)opts->data.algorithm;
    int status = npy_create(&results->outs[SORT_VALUES], opts->output);
    if (status == STATUS_DONE)
        status = npy_create(&results->outs[SORT_INDICES], opts->indices);
    for (int k = 0; k < SORT_OUTPUTS; k++)
        npy_reserve(&results->outs[k], 0, r->segments.dimensions);
    return status == STATUS_DONE ? payloads_create(&results->payloads, r->segments.dimensions)
                                 : status;
}

/* ---- The results ---- */

static int finish(job *j)
{
    const sort_request *r = j->request;
    sort_results *results = j->results;
    uint64_t shape[MAX_DIMENSIONS];
    const uint32_t dimensions = segments_elements(&r->segments, r->in.count, shape);
    int status = STATUS_DONE;
    for (int k = 0; k < SORT_OUTPUTS && status == STATUS_DONE; k++)
        status = npy_finish_shape(&results->outs[k], sort_entry_type(r, (sort_output)k), dimensions,
                                  shape);
    return status == STATUS_DONE ? payloads_finish(&results->payloads, dimensions, shape) : status;
}

static void print_json(const job *j)
{
    printf("{\"count\":%" PRIu64 "}", j->inputs[0].count);
}

static void print_text(const job *j)
{
    const sort_request *r = j->request;
    const sort_results *results = j->results;
    for (int k = 0; k < SORT_OUTPUTS; k++)
        if (results->outs[k].name != NULL)
            printf("%-8s %s: %" PRIu64 " x 1 %s\n", k == SORT_VALUES ? "output" : "indices",
                   results->outs[k].name, r->in.count,
                   vkrTypeName(sort_entry_type(r, (sort_output)k)));
    payloads_print(&results->payloads, r->in.count);
}

static void close_all(job *j)
{
    sort_request *r = j->request;
    sort_results *results = j->results;
    for (int k = 0; k < SORT_OUTPUTS; k++)
        output_close(&results->outs[k]);
    payloads_close(&results->payloads);
    segments_close(&r->segments);
    then_close(r);
    input_close(&r->in);
}

int sort_run(const operands *given, const void *options)
{
    static const job_stages stages = {open_request, prepare,    sort_execute, sort_verify,
                                      finish,       print_json, print_text,   close_all};
    const sort_options *opts = options;
    sort_request r = {.opts = opts};
    sort_results results = {0};
    job j = {.command = &sort_command,
             .given = given,
             .opts = &opts->data,
             .request = &r,
             .results = &results,
             .inputs = &r.in,
             .input_count = 1,
             .outputs = {{"output", opts->output}, {"indices", opts->indices}}};
    const int status = payloads_parse(&results.payloads, &opts->payloads, j.outputs, SORT_OUTPUTS);
    if (status == STATUS_DONE)
        return job_run(&j, &stages);
    payloads_close(&results.payloads);
    return status;
}
