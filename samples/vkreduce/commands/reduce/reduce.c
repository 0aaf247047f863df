/* SPDX-License-Identifier: MIT */
/* The command reduce. */
#include "commands/reduce/device.h"
#include "interrupt.h"
#include "status.h"

static int run(task *t, reduce_request *r, reduce_results *results, const operands *given,
               const reduce_options *opts)
{
    int status = reduce_request_open(r, given, opts);
    if (status != STATUS_DONE || (status = task_open(t)) != STATUS_DONE ||
        (status = reduce_request_complete(r, t)) != STATUS_DONE ||
        (status = reduce_execute(t, r, results)) != STATUS_DONE)
        return status;
    const bool cut = r->segments.kind != VKR_SEGMENTS_NONE;
    if (opts->task.verify)
        status = (cut ? reduce_verify_segments : reduce_verify)(r, results, &t->differs);
    if (status != STATUS_DONE || (status = check_interrupt()) != STATUS_DONE)
        return status;
    (opts->json ? reduce_print_json : reduce_print_text)(t, r, results);
    return t->differs ? STATUS_DIFFERENCE : STATUS_DONE;
}

int reduce_run(const operands *given, const void *options)
{
    const reduce_options *opts = options;
    task t = {.opts = &opts->task};
    reduce_request r;
    reduce_results results = {0};
    catch_interrupts();
    int status = run(&t, &r, &results, given, opts);
    reduce_results_close(&t.gpu, &results);
    reduce_request_close(&r);
    task_close(&t);
    return status;
}
