/* SPDX-License-Identifier: MIT */
/* The command histogram: the number of elements in each bin, and quantiles. */
#include <stdlib.h>
#include "commands/histogram/histogram.h"
#include "output/gnuplot.h"
#include "output/npy.h"
#include "status.h"

static int open_request(job *j)
{
    histogram_request *r = j->request;
    const histogram_options *opts = r->opts;
    int status = histogram_check_options(opts);
    return status == STATUS_DONE ? input_open(&r->in, j->given->words[0], &opts->data.input)
                                 : status;
}

static int prepare(job *j)
{
    histogram_request *r = j->request;
    histogram_results *results = j->results;
    const histogram_options *opts = r->opts;
    int status = texels_replace(&j->task, &opts->texels, &opts->data.input, &r->in, &r->source);
    if (status == STATUS_DONE)
        status = histogram_bins(r);
    if (status == STATUS_DONE)
        status = npy_create(&results->counts_file, opts->output);
    if (status == STATUS_DONE && opts->plot != NULL)
        status = gnuplot_check(opts->plot);
    return status == STATUS_DONE ? output_open(&results->plot_file, opts->plot) : status;
}

static int finish(job *j)
{
    const histogram_request *r = j->request;
    histogram_results *results = j->results;
    const uint64_t channels = r->in.components, shape[] = {channels, r->bins};
    const uint32_t dimensions = channels > 1 ? 2 : 1;
    const uint64_t size = channels * r->bins * sizeof *results->counts;
    int status = STATUS_DONE;
    if (results->counts_file.name != NULL)
        status = output_write(&results->counts_file, 0, results->counts, size);
    if (status == STATUS_DONE && results->plot_file.name != NULL)
        status = histogram_plot(r, results);
    if (status == STATUS_DONE)
        status = npy_finish_shape(&results->counts_file, VKR_TYPE_U64, dimensions,
                                  shape + 2 - dimensions);
    return status == STATUS_DONE ? output_finish(&results->plot_file) : status;
}

static void close_all(job *j)
{
    histogram_request *r = j->request;
    histogram_results *results = j->results;
    texels_close(&j->task.gpu, &r->source);
    output_close(&results->counts_file);
    output_close(&results->plot_file);
    input_close(&r->in);
    free(r->given);
    free(r->edges);
    free(results->edges);
    free(results->counts);
}

int histogram_run(const operands *given, const void *options)
{
    static const job_stages stages = {open_request,         prepare,  histogram_execute,
                                      histogram_verify,     finish,   histogram_print_json,
                                      histogram_print_text, close_all};
    const histogram_options *opts = options;
    histogram_request r = {.opts = opts};
    histogram_results results = {0};
    job j = {.command = &histogram_command,
             .given = given,
             .opts = &opts->data,
             .request = &r,
             .results = &results,
             .inputs = &r.in,
             .input_count = 1,
             .outputs = {{"output", opts->output}, {"plot", opts->plot}}};
    return job_run(&j, &stages);
}
