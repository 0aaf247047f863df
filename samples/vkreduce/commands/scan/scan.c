/* SPDX-License-Identifier: MIT */
/* The command scan. */
#include "commands/scan/device.h"
#include "interrupt.h"
#include "output/npy.h"
#include "status.h"

static int run(task *t, scan_request *r, scan_results *results, const operands *given,
               const scan_options *opts)
{
    int status = scan_request_open(r, given, opts);
    if (status != STATUS_DONE || (status = task_open(t)) != STATUS_DONE ||
        (status = scan_request_complete(r, &t->gpu)) != STATUS_DONE ||
        (status = npy_create(&results->out, opts->output)) != STATUS_DONE ||
        (status = scan_execute(t, r, results)) != STATUS_DONE)
        return status;
    if (opts->task.verify)
        status = scan_verify(r, results, &t->differs);
    if (status != STATUS_DONE || (status = check_interrupt()) != STATUS_DONE ||
        (status = npy_finish(&results->out, r->result, r->in.components, r->in.count)) !=
            STATUS_DONE)
        return status;
    (opts->json ? scan_print_json : scan_print_text)(t, r, results);
    return t->differs ? STATUS_DIFFERENCE : STATUS_DONE;
}

int scan_run(const operands *given, const void *options)
{
    const scan_options *opts = options;
    task t = {.opts = &opts->task};
    scan_request r;
    scan_results results = {.out = {.file = -1}};
    catch_interrupts();
    int status = run(&t, &r, &results, given, opts);
    output_close(&results.out);
    scan_request_close(&r);
    task_close(&t);
    return status;
}
