/* SPDX-License-Identifier: MIT */
/* The command merge. */
#include "commands/merge/merge.h"
#include <inttypes.h>
#include <stdio.h>
#include "input/flags.h"
#include "output/npy.h"
#include "status.h"

static const char *const names[MERGE_OUTPUTS] = {"output", "indices"};

VkrType merge_entry_type(const merge_request *r, merge_output k)
{
    return k == MERGE_KEYS ? r->in[MERGE_A].type : VKR_TYPE_U32;
}

/* ---- The request ---- */

static int open_inputs(merge_request *r, char **words)
{
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < MERGE_INPUTS && status == STATUS_DONE; i++)
        status = numbers_open(&r->in[i], words[i], &r->opts->data.input, "merge");
    const input *a = &r->in[MERGE_A], *b = &r->in[MERGE_B];
    if (status == STATUS_DONE && a->type != b->type)
        status = fail(STATUS_USAGE, "%s has %s and %s has %s; merge needs one type of both",
                      a->name, vkrTypeName(a->type), b->name, vkrTypeName(b->type));
    r->count = a->count + b->count;
    if (status == STATUS_DONE && r->count >> 32 != 0)
        status =
            fail(STATUS_USAGE, "%s and %s have %" PRIu64 " elements; merge takes fewer than 2^32",
                 a->name, b->name, r->count);
    return status;
}

static int open_request(job *j)
{
    merge_request *r = j->request;
    const merge_options *opts = r->opts;
    if (opts->output == NULL && opts->indices == NULL && opts->payloads.count == 0)
        return fail(STATUS_USAGE, "merge needs a file to write to: -o OUT.npy, --indices OUT.npy "
                                  "or --payload FILE:OUT.npy");
    int status = open_inputs(r, j->given->words);
    if (status == STATUS_DONE)
        status = payloads_open(&((merge_results *)j->results)->payloads, r->count);
    return status == STATUS_DONE ? merge_check_order(r) : status;
}

static int prepare(job *j)
{
    const merge_request *r = j->request;
    merge_results *results = j->results;
    int status = npy_create(&results->outs[MERGE_KEYS], r->opts->output);
    if (status == STATUS_DONE)
        status = npy_create(&results->outs[MERGE_INDICES], r->opts->indices);
    return status == STATUS_DONE ? payloads_create(&results->payloads, 1) : status;
}

/* ---- The results ---- */

static int finish(job *j)
{
    const merge_request *r = j->request;
    merge_results *results = j->results;
    int status = STATUS_DONE;
    for (int k = 0; k < MERGE_OUTPUTS && status == STATUS_DONE; k++)
        status = npy_finish(&results->outs[k], merge_entry_type(r, (merge_output)k), 1, r->count);
    return status == STATUS_DONE ? payloads_finish(&results->payloads, 1, &r->count) : status;
}

static void print_json(const job *j)
{
    printf("{\"count\":%" PRIu64 "}", ((const merge_request *)j->request)->count);
}

static void print_text(const job *j)
{
    const merge_request *r = j->request;
    const merge_results *results = j->results;
    for (int k = 0; k < MERGE_OUTPUTS; k++)
        if (results->outs[k].name != NULL)
            printf("%-8s %s: %" PRIu64 " x 1 %s\n", names[k], results->outs[k].name, r->count,
                   vkrTypeName(merge_entry_type(r, (merge_output)k)));
    payloads_print(&results->payloads, r->count);
}

static void close_all(job *j)
{
    merge_request *r = j->request;
    merge_results *results = j->results;
    for (int k = 0; k < MERGE_OUTPUTS; k++)
        output_close(&results->outs[k]);
    payloads_close(&results->payloads);
    for (uint32_t i = 0; i < MERGE_INPUTS; i++)
        input_close(&r->in[i]);
}

int merge_run(const operands *given, const void *options)
{
    static const job_stages stages = {open_request, prepare,    merge_execute, merge_verify,
                                      finish,       print_json, print_text,    close_all};
    const merge_options *opts = options;
    merge_request r = {.opts = opts};
    merge_results results = {0};
    job j = {.command = &merge_command,
             .given = given,
             .opts = &opts->data,
             .request = &r,
             .results = &results,
             .inputs = r.in,
             .input_count = MERGE_INPUTS,
             .outputs = {{names[0], opts->output}, {names[1], opts->indices}}};
    const int status = payloads_parse(&results.payloads, &opts->payloads, j.outputs, MERGE_OUTPUTS);
    if (status == STATUS_DONE)
        return job_run(&j, &stages);
    payloads_close(&results.payloads);
    return status;
}
