/* SPDX-License-Identifier: MIT */
/* The command expand. */
#include "commands/expand/expand.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "input/flags.h"
#include "input/value.h"
#include "output/npy.h"
#include "output/text.h"
#include "progress.h"
#include "status.h"

#define PORTION ((uint64_t)1 << 20) /* bytes that are read at a time */
#define MOST ((uint64_t)1 << 31)    /* outputs, and sources */

static const char *const names[EXPAND_OUTPUTS] = {"output", "ranks"};

/* ---- The request ---- */

/* Makes words of so many counts. */
static int take_counts(expand_request *r, uint64_t first, uint64_t count, const void *data)
{
    const input *in = &r->in;
    const unsigned char *at = data;
    for (uint64_t i = first; i < first + count; i++, at += input_pitch(in)) {
        const uint64_t value = value_as_unsigned(in->type, at);
        char text[32];
        if (value > UINT32_MAX || (is_signed(in->type) && value_as_signed(in->type, at) < 0)) {
            text_value(text, sizeof text, in->type, at);
            return fail(STATUS_USAGE,
                        "%s: element %" PRIu64 " is %s; expand needs counts from 0 to %u", in->name,
                        i, text, UINT32_MAX);
        }
        r->counts[i] = (uint32_t)value;
        r->total += value;
    }
    return STATUS_DONE;
}

static int read_counts(expand_request *r)
{
    const input *in = &r->in;
    const uint64_t most = PORTION / input_pitch(in) + 1;
    void *data = malloc((size_t)input_span(in, least(most, in->count)) + 1);
    r->counts = malloc((size_t)in->count * sizeof *r->counts + 1);
    int status =
        data != NULL && r->counts != NULL ? STATUS_DONE : fail(STATUS_VULKAN, "out of memory");
    progress_start("reading counts", input_span(in, in->count));
    for (uint64_t first = 0; first < in->count && status == STATUS_DONE; first += most) {
        const uint64_t count = least(in->count - first, most);
        status = input_load(in, first, count, data);
        if (status == STATUS_DONE)
            status = take_counts(r, first, count, data);
    }
    progress_end();
    free(data);
    return status;
}

static int open_request(job *j)
{
    expand_request *r = j->request;
    const expand_options *opts = r->opts;
    if (opts->output == NULL && opts->ranks == NULL && opts->payloads.count == 0)
        return fail(STATUS_USAGE, "expand needs a file to write to: -o OUT.npy, --ranks OUT.npy or "
                                  "--payload FILE:OUT.npy");
    int status = numbers_open(&r->in, j->given->words[0], &opts->data.input, "expand");
    if (status == STATUS_DONE && is_float(r->in.type))
        status = fail(STATUS_USAGE, "%s: it holds %s; expand needs integers", r->in.name,
                      vkrTypeName(r->in.type));
    if (status == STATUS_DONE && r->in.count >= MOST)
        status = fail(STATUS_USAGE, "%s: it has %" PRIu64 " elements; expand takes fewer than %llu",
                      r->in.name, r->in.count, (unsigned long long)MOST);
    if (status == STATUS_DONE)
        status = payloads_open(&((expand_results *)j->results)->payloads, r->in.count);
    if (status == STATUS_DONE)
        status = read_counts(r);
    r->stored = opts->capacity != 0 ? least(opts->capacity, r->total) : r->total;
    if (status == STATUS_DONE && r->stored > MOST)
        status = fail(STATUS_USAGE,
                      "%s: its counts add up to %" PRIu64 "; expand writes at most %llu outputs, "
                      "which --capacity can say",
                      r->in.name, r->total, (unsigned long long)MOST);
    return status;
}

static int prepare(job *j)
{
    const expand_request *r = j->request;
    expand_results *results = j->results;
    int status = npy_create(&results->outs[EXPAND_SOURCES], r->opts->output);
    if (status == STATUS_DONE)
        status = npy_create(&results->outs[EXPAND_RANKS], r->opts->ranks);
    return status == STATUS_DONE ? payloads_create(&results->payloads, 1) : status;
}

/* ---- The results ---- */

uint32_t expand_number(bool ranks, uint32_t source, uint32_t rank)
{
    return ranks ? rank : source;
}

static int finish(job *j)
{
    const expand_request *r = j->request;
    expand_results *results = j->results;
    int status = STATUS_DONE;
    for (int k = 0; k < EXPAND_OUTPUTS && status == STATUS_DONE; k++)
        status = npy_finish(&results->outs[k], VKR_TYPE_U32, 1, r->stored);
    return status == STATUS_DONE ? payloads_finish(&results->payloads, 1, &r->stored) : status;
}

static void print_json(const job *j)
{
    const expand_request *r = j->request;
    printf("{\"outputs\":%" PRIu64 ",\"stored\":%" PRIu64 "}", r->total, r->stored);
}

static void print_text(const job *j)
{
    const expand_request *r = j->request;
    const expand_results *results = j->results;
    printf("%-8s %" PRIu64 "\n", "outputs", r->total);
    for (int k = 0; k < EXPAND_OUTPUTS; k++)
        if (results->outs[k].name != NULL)
            printf("%-8s %s: %" PRIu64 " x 1 u32\n", names[k], results->outs[k].name, r->stored);
    payloads_print(&results->payloads, r->stored);
}

static void close_all(job *j)
{
    expand_request *r = j->request;
    expand_results *results = j->results;
    for (int k = 0; k < EXPAND_OUTPUTS; k++)
        output_close(&results->outs[k]);
    payloads_close(&results->payloads);
    free(r->counts);
    input_close(&r->in);
}

int expand_run(const operands *given, const void *options)
{
    static const job_stages stages = {open_request, prepare,    expand_execute, expand_verify,
                                      finish,       print_json, print_text,     close_all};
    const expand_options *opts = options;
    expand_request r = {.opts = opts};
    expand_results results = {0};
    job j = {.command = &expand_command,
             .given = given,
             .opts = &opts->data,
             .request = &r,
             .results = &results,
             .inputs = &r.in,
             .input_count = 1,
             .outputs = {{names[0], opts->output}, {names[1], opts->ranks}}};
    const int status =
        payloads_parse(&results.payloads, &opts->payloads, j.outputs, EXPAND_OUTPUTS);
    if (status == STATUS_DONE)
        return job_run(&j, &stages);
    payloads_close(&results.payloads);
    return status;
}
