/* SPDX-License-Identifier: MIT */
/* The command apply. */
#include "commands/apply/apply.h"
#include <inttypes.h>
#include <stdio.h>
#include "input/flags.h"
#include "output/npy.h"
#include "status.h"

/* ---- The request ---- */

static int check_type(const apply_request *r)
{
    const VkrType type = r->in.type;
    if (type == VKR_TYPE_F32 || type == VKR_TYPE_F16 || type == VKR_TYPE_BF16)
        return STATUS_DONE;
    return fail(STATUS_USAGE, "%s: it has values of %s; apply needs f32, f16 or bf16", r->in.name,
                vkrTypeName(type));
}

/* Elements between no two offsets would have no result. */
static int check_offsets(const apply_request *r)
{
    const segments *s = &r->segments;
    uint64_t first = 0, last = r->in.count;
    if (s->kind != VKR_SEGMENTS_OFFSETS)
        return STATUS_DONE;
    int status = segments_offsets(s, 0, 1, &first);
    if (status == STATUS_DONE)
        status = segments_offsets(s, s->file.count - 1, 1, &last);
    if (status != STATUS_DONE || (first == 0 && last == r->in.count))
        return status;
    return fail(STATUS_USAGE,
                "%s: its offsets are from %" PRIu64 " to %" PRIu64 "; apply needs those from 0 to "
                "%" PRIu64 ", the number of elements",
                s->file.name, first, last, r->in.count);
}

static int open_request(job *j)
{
    apply_request *r = j->request;
    const apply_options *opts = r->opts;
    char **words = j->given->words;
    int status = apply_parse_function(words[0], &r->function);
    if (status == STATUS_DONE && opts->output == NULL)
        status = fail(STATUS_USAGE, "apply needs a file to write to: -o OUT.npy");
    if (status == STATUS_DONE)
        status = numbers_open(&r->in, words[1], &opts->data.input, "apply");
    if (status == STATUS_DONE)
        status = check_type(r);
    if (status == STATUS_DONE)
        status = axes_open(&r->segments, SEGMENTS_OF_APPLY, opts->segments, opts->axis, &r->in,
                           &opts->data.input);
    return status == STATUS_DONE ? check_offsets(r) : status;
}

static int prepare(job *j)
{
    const apply_request *r = j->request;
    apply_results *results = j->results;
    const int status = npy_create(&results->out, r->opts->output);
    npy_reserve(&results->out, 0, r->segments.dimensions);
    return status;
}

/* ---- The results ---- */

static int finish(job *j)
{
    const apply_request *r = j->request;
    uint64_t shape[MAX_DIMENSIONS];
    const uint32_t dimensions = segments_elements(&r->segments, r->in.count, shape);
    return npy_finish_shape(&((apply_results *)j->results)->out, r->in.type, dimensions, shape);
}

static void print_json(const job *j)
{
    printf("{\"count\":%" PRIu64 "}", j->inputs[0].count);
}

static void print_text(const job *j)
{
    const apply_request *r = j->request;
    printf("output   %s: %" PRIu64 " x 1 %s\n", r->opts->output, r->in.count,
           vkrTypeName(r->in.type));
}

static void close_all(job *j)
{
    apply_request *r = j->request;
    output_close(&((apply_results *)j->results)->out);
    segments_close(&r->segments);
    input_close(&r->in);
}

int apply_run(const operands *given, const void *options)
{
    static const job_stages stages = {open_request, prepare,    apply_execute, apply_verify,
                                      finish,       print_json, print_text,    close_all};
    const apply_options *opts = options;
    apply_request r = {.opts = opts};
    apply_results results = {0};
    job j = {.command = &apply_command,
             .given = given,
             .opts = &opts->data,
             .request = &r,
             .results = &results,
             .inputs = &r.in,
             .input_count = 1,
             .outputs = {{"output", opts->output}}};
    return job_run(&j, &stages);
}
