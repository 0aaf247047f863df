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
    if (status == STATUS_DONE)
        status = input_open(&r->in, j->given->words[0], &opts->data.input);
    if (status == STATUS_DONE)
        status = functions_open(&r->functions, ROLE_MAP, opts->texels.map_file, &r->in);
    if (status == STATUS_DONE && opts->edges != NULL)
        status = input_open(&r->edge_file, opts->edges, &(input_options){.role = INPUT_OF_OPTION});
    return status == STATUS_DONE ? histogram_open_weights(r) : status;
}

static int prepare(job *j)
{
    histogram_request *r = j->request;
    histogram_results *results = j->results;
    const histogram_options *opts = r->opts;
    int status = functions_create(&r->functions, &j->task.gpu);
    if (status == STATUS_DONE)
        status = functions_describe(&r->functions, &j->task.gpu, &r->in, &r->source);
    if (status == STATUS_DONE)
        status = texels_replace(&j->task, &opts->texels, &opts->data.input, &r->in, &r->source);
    if (status == STATUS_DONE)
        status = histogram_bins(r);
    if (status == STATUS_DONE)
        status = npy_create(&results->counts_file, opts->output);
    if (status == STATUS_DONE && opts->plot != NULL)
        status = gnuplot_check(opts->plot);
    return status == STATUS_DONE ? output_open(&results->plot_file, opts->plot) : status;
}

/* Writes the counts, in their type. */
static int write_counts(const histogram_request *r, const histogram_results *results)
{
    const uint64_t count = (uint64_t)r->in.components * r->bins;
    int status = STATUS_DONE;
    if (histogram_count_type(r) != VKR_TYPE_F64)
        return output_write(&results->counts_file, 0, results->counts, count * sizeof(uint64_t));
    for (uint64_t i = 0; i < count && status == STATUS_DONE; i++) {
        const double number = histogram_number(r, results->counts[i]);
        status = output_write(&results->counts_file, i * sizeof number, &number, sizeof number);
    }
    return status;
}

static int finish(job *j)
{
    const histogram_request *r = j->request;
    histogram_results *results = j->results;
    const uint64_t channels = r->in.components, shape[] = {channels, r->bins};
    const uint32_t dimensions = channels > 1 ? 2 : 1;
    int status = results->counts_file.name != NULL ? write_counts(r, results) : STATUS_DONE;
    if (status == STATUS_DONE && results->plot_file.name != NULL)
        status = histogram_plot(r, results);
    if (status == STATUS_DONE)
        status = npy_finish_shape(&results->counts_file, histogram_count_type(r), dimensions,
                                  shape + 2 - dimensions);
    return status == STATUS_DONE ? output_finish(&results->plot_file) : status;
}

static int verify(job *j)
{
    histogram_request *r = j->request;
    const int status = functions_evaluate(&j->task, &r->source, &r->in);
    return status == STATUS_DONE ? histogram_verify(j) : status;
}

static void close_all(job *j)
{
    histogram_request *r = j->request;
    histogram_results *results = j->results;
    texels_close(&j->task.gpu, &r->source);
    functions_close(&r->functions);
    output_close(&results->counts_file);
    output_close(&results->plot_file);
    input_close(&r->in);
    input_close(&r->weights);
    input_close(&r->mask);
    input_close(&r->edge_file);
    free(r->given);
    free(r->edges);
    free(results->edges);
    free(results->counts);
}

/* Ranks share elements that are those of files. */
static bool shares(const job *j)
{
    return !texels_are_asked(&((const histogram_request *)j->request)->opts->texels);
}

int histogram_run(const operands *given, const void *options)
{
    static const job_stages stages = {
        open_request,         prepare,  histogram_execute, verify, finish, histogram_print_json,
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
             .beside = {&r.weights, &r.mask, &r.edge_file},
             .shares = shares,
             .outputs = {{"output", opts->output}, {"plot", opts->plot}}};
    return job_run(&j, &stages);
}
