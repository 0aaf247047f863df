/* SPDX-License-Identifier: MIT */
/* The command find. */
#include <inttypes.h>
#include <stdio.h>
#include "commands/compact/compact.h"
#include "commands/find/find.h"
#include "input/flags.h"
#include "status.h"

static int open_request(job *j)
{
    find_request *r = j->request;
    char **words = j->given->words;
    const char *flags = NULL;
    int status = input_open(&r->in, words[1], &r->opts->data.input);
    if (status == STATUS_DONE)
        status = predicate_parse(words[0], &r->in, &r->predicate, &flags);
    if (status == STATUS_DONE && r->opts->by_value)
        status = predicate_by_value(&r->predicate);
    return status == STATUS_DONE && flags != NULL
               ? flags_open(&r->flags, flags, "PREDICATE", r->in.count)
               : status;
}

static int prepare(job *j)
{
    ((find_results *)j->results)->index = NOT_FOUND;
    return STATUS_DONE;
}

static void print_json(const job *j)
{
    const find_results *results = j->results;
    if (results->index == NOT_FOUND)
        fputs("{\"index\":null}", stdout);
    else
        printf("{\"index\":%" PRIu64 "}", results->index);
}

static void print_text(const job *j)
{
    const find_results *results = j->results;
    if (results->index == NOT_FOUND)
        printf("%-8s none\n", "index");
    else
        printf("%-8s %" PRIu64 "\n", "index", results->index);
}

static void close_all(job *j)
{
    find_request *r = j->request;
    input_close(&r->flags);
    input_close(&r->in);
}

int find_run(const operands *given, const void *options)
{
    static const job_stages stages = {open_request, prepare,    find_execute, find_verify,
                                      NULL,         print_json, print_text,   close_all};
    const find_options *opts = options;
    find_request r = {.opts = opts};
    find_results results = {0};
    job j = {.command = &find_command,
             .given = given,
             .opts = &opts->data,
             .request = &r,
             .results = &results,
             .inputs = &r.in,
             .input_count = 1};
    return job_run(&j, &stages);
}
