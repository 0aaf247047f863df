/* SPDX-License-Identifier: MIT */
/* The command bounds. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "commands/bounds/bounds.h"
#include "input/flags.h"
#include "input/value.h"
#include "output/npy.h"
#include "output/text.h"
#include "progress.h"
#include "status.h"

#define PORTION ((uint64_t)1 << 20) /* bytes of SORTED that are checked at a time */

/* ---- The order of SORTED ---- */

/* A number that grows in the order of the options. A search takes all NaN for equal. */
static uint64_t place(const bounds_request *r, const void *element)
{
    const VkrType type = r->in[BOUNDS_SORTED].type;
    const uint64_t order = value_order(type, element, r->opts->descending, r->opts->by_value);
    double value;
    if (!value_as_float(type, element, &value))
        return order;
    /* Numbers lie between the places of NaN. */
    return value == value ? order + 1 : r->opts->nan_first ? 0 : UINT64_MAX;
}

static int refuse_order(const bounds_request *r, uint64_t i, const void *element,
                        const void *before)
{
    const input *in = &r->in[BOUNDS_SORTED];
    char texts[2][32];
    text_value(texts[0], sizeof texts[0], in->type, element);
    text_value(texts[1], sizeof texts[1], in->type, before);
    return fail(STATUS_USAGE,
                "%s: SORTED is not in %s order%s: element %" PRIu64
                " is %s, after %s; vkreduce sort puts it in order",
                in->name, r->opts->descending ? "descending" : "ascending",
                r->opts->nan_first ? " with NaN first" : "", i, texts[0], texts[1]);
}

/* Positions in data that is out of order mean nothing, so all of it is read once before. */
static int check_order(const bounds_request *r)
{
    const input *in = &r->in[BOUNDS_SORTED];
    const uint64_t pitch = input_pitch(in), most = PORTION / pitch + 2;
    unsigned char *data = malloc((size_t)input_span(in, most) + 1);
    int status = data != NULL ? STATUS_DONE : fail(STATUS_VULKAN, "out of memory");
    progress_start("checking the order", input_span(in, in->count));
    /* The last element of a portion is the first one of the next. */
    for (uint64_t first = 0; first + 1 < in->count && status == STATUS_DONE; first += most - 1) {
        const uint64_t count = least(in->count - first, most);
        const unsigned char *at = data;
        status = input_load(in, first, count, data);
        for (uint64_t i = 1; i < count && status == STATUS_DONE; i++, at += pitch)
            if (place(r, at + pitch) < place(r, at))
                status = refuse_order(r, first + i, at + pitch, at);
    }
    progress_end();
    free(data);
    return status;
}

/* ---- The request ---- */

static int open_request(job *j)
{
    bounds_request *r = j->request;
    const bounds_options *opts = r->opts;
    char **words = j->given->words;
    int status = bounds_parse_side(words[0], &r->upper);
    if (status == STATUS_DONE && opts->output == NULL)
        status = fail(STATUS_USAGE, "bounds needs a file to write to: -o OUT.npy");
    for (uint32_t i = 0; i < BOUNDS_INPUTS && status == STATUS_DONE; i++)
        status = numbers_open(&r->in[i], words[1 + i], &opts->data.input, "bounds");
    if (status == STATUS_DONE && r->in[BOUNDS_SORTED].type != r->in[BOUNDS_VALUES].type)
        status = fail(STATUS_USAGE, "%s has %s and %s has %s; bounds needs one type of both",
                      r->in[BOUNDS_SORTED].name, vkrTypeName(r->in[BOUNDS_SORTED].type),
                      r->in[BOUNDS_VALUES].name, vkrTypeName(r->in[BOUNDS_VALUES].type));
    r->position = r->in[BOUNDS_SORTED].count >= UINT64_C(1) << 32 ? VKR_TYPE_U64 : VKR_TYPE_U32;
    return status == STATUS_DONE ? check_order(r) : status;
}

static int prepare(job *j)
{
    bounds_request *r = j->request;
    r->info.label = "vkreduce bounds";
    r->info.flags = (r->opts->descending ? VKR_BOUNDS_DESCENDING_BIT : 0u) |
                    (r->opts->nan_first ? VKR_BOUNDS_NAN_FIRST_BIT : 0u) |
                    (r->opts->by_value ? VKR_BOUNDS_BY_VALUE_BIT : 0u);
    return npy_create(&((bounds_results *)j->results)->out, r->opts->output);
}

/* ---- The results ---- */

static int finish(job *j)
{
    const bounds_request *r = j->request;
    return npy_finish(&((bounds_results *)j->results)->out, r->position, 1,
                      r->in[BOUNDS_VALUES].count);
}

static void print_json(const job *j)
{
    printf("{\"count\":%" PRIu64 "}", j->inputs[BOUNDS_VALUES].count);
}

static void print_text(const job *j)
{
    const bounds_request *r = j->request;
    printf("%-8s %s: %" PRIu64 " x 1 %s\n", "output", r->opts->output, r->in[BOUNDS_VALUES].count,
           vkrTypeName(r->position));
}

static void close_all(job *j)
{
    bounds_request *r = j->request;
    output_close(&((bounds_results *)j->results)->out);
    for (uint32_t i = 0; i < BOUNDS_INPUTS; i++)
        input_close(&r->in[i]);
}

int bounds_run(const operands *given, const void *options)
{
    static const job_stages stages = {open_request, prepare,    bounds_execute, bounds_verify,
                                      finish,       print_json, print_text,     close_all};
    const bounds_options *opts = options;
    bounds_request r = {.opts = opts};
    bounds_results results = {0};
    job j = {.command = &bounds_command,
             .given = given,
             .opts = &opts->data,
             .request = &r,
             .results = &results,
             .inputs = r.in,
             .input_count = BOUNDS_INPUTS,
             .outputs = {{"output", opts->output}}};
    return job_run(&j, &stages);
}
