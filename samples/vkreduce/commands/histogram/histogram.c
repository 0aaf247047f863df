/* SPDX-License-Identifier: MIT */
/* The command histogram: the number of elements in each bin, and quantiles. */
#include <stdlib.h>
#include "commands/histogram/device.h"
#include "interrupt.h"
#include "output/gnuplot.h"
#include "output/npy.h"
#include "status.h"

/* One run of the command. */
typedef struct run {
    task task;
    histogram_request request;
    histogram_device device;
    histogram_results results;
    output counts, plot;
} run;

static int open_request(run *h, const char *name)
{
    histogram_request *r = &h->request;
    int status = histogram_check_options(r->opts);
    if (status != STATUS_DONE ||
        (status = input_open(&r->in, name, &r->opts->input)) != STATUS_DONE ||
        (status = task_open(&h->task)) != STATUS_DONE ||
        (status = texels_replace(&h->task, &r->opts->texels, &r->opts->input, &r->in, &r->stored,
                                 &r->image, &r->map)) != STATUS_DONE)
        return status;
    return histogram_bins(r);
}

static int create_outputs(run *h)
{
    const histogram_options *opts = h->request.opts;
    int status = npy_create(&h->counts, opts->output);
    if (status == STATUS_DONE && opts->plot != NULL)
        status = gnuplot_check(opts->plot);
    return status == STATUS_DONE ? output_open(&h->plot, opts->plot) : status;
}

static int finish_outputs(run *h)
{
    const uint64_t channels = h->request.in.components, shape[] = {channels, h->request.bins};
    const uint32_t dimensions = channels > 1 ? 2 : 1;
    const uint64_t size = channels * h->request.bins * sizeof *h->results.counts;
    int status = STATUS_DONE;
    if (h->counts.name != NULL)
        status = output_write(&h->counts, 0, h->results.counts, size);
    if (status == STATUS_DONE && h->plot.name != NULL)
        status = histogram_plot(&h->plot, &h->request, &h->results);
    if (status == STATUS_DONE)
        status = npy_finish_shape(&h->counts, VKR_TYPE_U64, dimensions, shape + 2 - dimensions);
    return status == STATUS_DONE ? output_finish(&h->plot) : status;
}

static int run_all(run *h, const char *name)
{
    const histogram_options *opts = h->request.opts;
    int status = open_request(h, name);
    if (status != STATUS_DONE || (status = create_outputs(h)) != STATUS_DONE ||
        (status = histogram_execute(&h->device, &h->task, &h->request)) != STATUS_DONE ||
        (status = histogram_take(&h->device, &h->results)) != STATUS_DONE)
        return status;
    if (opts->task.verify)
        status = histogram_verify(&h->request, &h->results, &h->task.differs);
    if (status != STATUS_DONE || (status = check_interrupt()) != STATUS_DONE ||
        (status = finish_outputs(h)) != STATUS_DONE)
        return status;
    (opts->json ? histogram_print_json : histogram_print_text)(&h->task, &h->request, &h->results);
    return h->task.differs ? STATUS_DIFFERENCE : STATUS_DONE;
}

int histogram_run(const operands *given, const void *options)
{
    const histogram_options *opts = options;
    run h = {.task = {.opts = &opts->task},
             .request = {.opts = opts, .in = {.file = -1}, .stored = {.file = -1}},
             .counts = {.file = -1},
             .plot = {.file = -1}};
    catch_interrupts();
    int status = run_all(&h, given->words[0]);
    histogram_close(&h.device);
    output_close(&h.counts);
    output_close(&h.plot);
    input_close(&h.request.in);
    input_close(&h.request.stored);
    task_close(&h.task);
    free(h.request.given);
    free(h.request.edges);
    free(h.results.edges);
    free(h.results.counts);
    return status;
}
