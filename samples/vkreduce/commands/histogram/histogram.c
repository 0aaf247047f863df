/* SPDX-License-Identifier: MIT */
/* The command histogram: how many elements lie in each bin, and the values at shares of them. */
#include <stdlib.h>
#include "commands/histogram/histogram.h"
#include "interrupt.h"
#include "output/gnuplot.h"
#include "output/npy.h"
#include "status.h"

static int create_outputs(histogram_job *j)
{
    const histogram_options *opts = j->opts;
    int status = npy_create(&j->out, opts->output);
    if (status == STATUS_DONE && opts->plot != NULL)
        status = gnuplot_check(opts->plot);
    return status == STATUS_DONE ? output_open(&j->plot, opts->plot) : status;
}

static int finish_outputs(histogram_job *j)
{
    const uint64_t channels = j->in.components, shape[] = {channels, j->bins};
    const uint32_t dimensions = channels > 1 ? 2 : 1;
    int status = STATUS_DONE;
    if (j->out.name != NULL)
        status = output_write(&j->out, 0, j->counts, channels * j->bins * sizeof *j->counts);
    if (status == STATUS_DONE && j->plot.name != NULL)
        status = histogram_plot(j);
    if (status == STATUS_DONE)
        status = npy_finish_shape(&j->out, VKR_TYPE_U64, dimensions, shape + 2 - dimensions);
    return status == STATUS_DONE ? output_finish(&j->plot) : status;
}

static int run(histogram_job *j, const operands *given)
{
    const histogram_options *opts = j->opts;
    int status = histogram_check_options(opts);
    if (status != STATUS_DONE ||
        (status = input_open(&j->in, given->words[0], &opts->input)) != STATUS_DONE ||
        (status = task_open(&j->task)) != STATUS_DONE ||
        (status = texels_replace(&j->task, &opts->texels, &opts->input, &j->in, &j->stored,
                                 &j->image, &j->map)) != STATUS_DONE ||
        (status = histogram_bins(j)) != STATUS_DONE ||
        (status = create_outputs(j)) != STATUS_DONE ||
        (status = histogram_execute(j)) != STATUS_DONE ||
        (opts->task.verify && (status = verify_histogram(j)) != STATUS_DONE) ||
        (status = check_interrupt()) != STATUS_DONE || (status = finish_outputs(j)) != STATUS_DONE)
        return status;
    (opts->json ? histogram_print_json : histogram_print_text)(j);
    return j->task.differs ? STATUS_DIFFERENCE : STATUS_DONE;
}

int histogram_run(const operands *given, const void *options)
{
    const histogram_options *opts = options;
    histogram_job j = {.opts = opts,
                       .task = {.opts = &opts->task},
                       .in = {.file = -1},
                       .stored = {.file = -1},
                       .out = {.file = -1},
                       .plot = {.file = -1}};
    catch_interrupts();
    int status = run(&j, given);
    histogram_close(&j);
    output_close(&j.out);
    output_close(&j.plot);
    input_close(&j.in);
    input_close(&j.stored);
    task_close(&j.task);
    return status;
}
