/* SPDX-License-Identifier: MIT */
/* The command pyramid. */
#include "commands/pyramid/device.h"
#include "interrupt.h"
#include "status.h"

/* One run of the command. */
typedef struct run {
    task task;
    pyramid_request request;
    pyramid_device device;
    pyramid_results results;
} run;

static int run_all(run *p, const operands *given)
{
    pyramid_request *r = &p->request;
    int status = pyramid_parse_ops(given->words[0], &r->ops);
    if (status == STATUS_DONE && r->opts->output == NULL)
        status = fail(STATUS_USAGE, "pyramid needs a directory to write to: -o DIRECTORY");
    if (status != STATUS_DONE || (status = task_open(&p->task)) != STATUS_DONE ||
        (status = pyramid_open_picture(r, given->words[1], &p->task.gpu)) != STATUS_DONE ||
        (status = pyramid_execute(&p->device, &p->task, r, &p->results)) != STATUS_DONE)
        return status;
    if (r->opts->task.verify)
        status = pyramid_verify(r, &p->results, &p->task.differs);
    if (status != STATUS_DONE || (status = check_interrupt()) != STATUS_DONE ||
        (status = pyramid_write(r, &p->results)) != STATUS_DONE)
        return status;
    if (r->opts->json)
        pyramid_print_json(&p->task, r, &p->results);
    else
        pyramid_print_text(&p->task, r);
    return p->task.differs ? STATUS_DIFFERENCE : STATUS_DONE;
}

int pyramid_run(const operands *given, const void *options)
{
    const pyramid_options *opts = options;
    run p = {.task = {.opts = &opts->task}, .request = {.opts = opts, .in = {.file = -1}}};
    catch_interrupts();
    int status = run_all(&p, given);
    pyramid_close(&p.device);
    input_close(&p.request.in);
    task_close(&p.task);
    return status;
}
