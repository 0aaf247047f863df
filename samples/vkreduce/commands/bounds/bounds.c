/* SPDX-License-Identifier: MIT */
/* The command bounds. */
#include <inttypes.h>
#include <stdio.h>
#include "commands/bounds/bounds.h"
#include "input/flags.h"
#include "output/npy.h"
#include "status.h"

static int open_request(job *j)
{
    bounds_request *r = j->request;
    const bounds_options *opts = r->opts;
    char **words = j->given->words;
    int status = bounds_parse_side(words[0], &r->upper);
    if (status == STATUS_DONE && opts->output == NULL)
        status = fail(STATUS_USAGE, "bounds needs a file to write to: -o OUT.npy");
    for (uint32_t i = 0; i < BOUNDS_INPUTS && status == STATUS_DONE; i++)
        status = numbers_open(&r->in[i], words[1 + i], &opts->data.input, "bounds");
    if (status == STATUS_DONE && r->in[BOUNDS_SORTED].type != r->in[BOUNDS_VALUES].type)
        status = fail(STATUS_USAGE, "%s has %s and %s has %s; bounds needs one type of both",
                      r->in[BOUNDS_SORTED].name, vkrTypeName(r->in[BOUNDS_SORTED].type),
                      r->in[BOUNDS_VALUES].name, vkrTypeName(r->in[BOUNDS_VALUES].type));
    r->position = r->in[BOUNDS_SORTED].count >= UINT64_C(1) << 32 ? VKR_TYPE_U64 : VKR_TYPE_U32;
    return status;
}

static int prepare(job *j)
{
    bounds_request *r = j->request;
    r->info.label = "vkreduce bounds";
    r->info.flags = (r->opts->descending ? VKR_BOUNDS_DESCENDING_BIT : 0u) |
                    (r->opts->nan_first ? VKR_BOUNDS_NAN_FIRST_BIT : 0u);
    return npy_create(&((bounds_results *)j->results)->out, r->opts->output);
}

static int finish(job *j)
{
    const bounds_request *r = j->request;
    return npy_finish(&((bounds_results *)j->results)->out, r->position, 1,
                      r->in[BOUNDS_VALUES].count);
}

static void print_json(const job *j)
{
    printf("{\"count\":%" PRIu64 "}", j->inputs[BOUNDS_VALUES].count);
}

static void print_text(const job *j)
{
    const bounds_request *r = j->request;
    printf("%-8s %s: %" PRIu64 " x 1 %s\n", "output", r->opts->output, r->in[BOUNDS_VALUES].count,
           vkrTypeName(r->position));
}

static void close_all(job *j)
{
    bounds_request *r = j->request;
    output_close(&((bounds_results *)j->results)->out);
    for (uint32_t i = 0; i < BOUNDS_INPUTS; i++)
        input_close(&r->in[i]);
}

int bounds_run(const operands *given, const void *options)
{
    static const job_stages stages = {open_request, prepare,    bounds_execute, bounds_verify,
                                      finish,       print_json, print_text,     close_all};
    const bounds_options *opts = options;
    bounds_request r = {.opts = opts};
    bounds_results results = {0};
    job j = {.command = &bounds_command,
             .given = given,
             .opts = &opts->data,
             .request = &r,
             .results = &results,
             .inputs = r.in,
             .input_count = BOUNDS_INPUTS,
             .outputs = {{"output", opts->output}}};
    return job_run(&j, &stages);
}
