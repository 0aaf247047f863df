/* SPDX-License-Identifier: MIT */
/* The command bin. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "commands/bin/bin.h"
#include "input/flags.h"
#include "output/json.h"
#include "output/npy.h"
#include "status.h"

#define MAX_SHOWN 20u /* bins in the table */

/* ---- The request ---- */

static int open_request(job *j)
{
    bin_request *r = j->request;
    if (r->opts->bins == 0)
        return fail(STATUS_USAGE, "bin needs the number of bins: --bins N, from 1 to %u",
                    VKR_MAX_BIN_COUNT);
    r->bins = (uint32_t)r->opts->bins;
    const int status = numbers_open(&r->in, j->given->words[0], &r->opts->data.input, "bin");
    const VkrType type = r->in.type;
    if (status != STATUS_DONE)
        return status;
    if (type != VKR_TYPE_U8 && type != VKR_TYPE_U16 && type != VKR_TYPE_U32)
        return fail(STATUS_USAGE,
                    "%s: it holds %s; bin takes the numbers of bins as u8, u16 or u32", r->in.name,
                    vkrTypeName(type));
    if (r->in.count > UINT32_MAX)
        return fail(STATUS_USAGE, "%s: it has %" PRIu64 " elements; bin takes at most %u",
                    r->in.name, r->in.count, UINT32_MAX);
    return status;
}

static int prepare(job *j)
{
    const bin_request *r = j->request;
    bin_results *results = j->results;
    const char *names[BIN_OUTPUTS] = {r->opts->counts, r->opts->offsets, r->opts->indices};
    int status = STATUS_DONE;
    for (int k = 0; k < BIN_OUTPUTS && status == STATUS_DONE; k++) {
        if (k == BIN_INDICES && names[k] == NULL)
            continue;
        const uint64_t entries = bin_entries(r, (bin_output)k);
        results->values[k] = calloc((size_t)entries + 1, sizeof *results->values[k]);
        status = results->values[k] != NULL
                     ? npy_create(&results->outs[k], names[k])
                     : fail(STATUS_VULKAN, "out of memory for %" PRIu64 " results", entries);
    }
    return status;
}

/* ---- The results ---- */

static int finish(job *j)
{
    const bin_request *r = j->request;
    bin_results *results = j->results;
    int status = STATUS_DONE;
    for (int k = 0; k < BIN_OUTPUTS && status == STATUS_DONE; k++) {
        const uint64_t entries =
            k == BIN_INDICES ? bin_total(r, results) : bin_entries(r, (bin_output)k);
        if (results->outs[k].name != NULL)
            status = output_write(&results->outs[k], 0, results->values[k],
                                  entries * sizeof *results->values[k]);
        if (status == STATUS_DONE)
            status = npy_finish(&results->outs[k], VKR_TYPE_U32, 1, entries);
    }
    return status;
}

static void print_json(const job *j)
{
    const bin_request *r = j->request;
    const bin_results *results = j->results;
    fputs("{\"counts\":[", stdout);
    for (uint32_t i = 0; i < r->bins; i++)
        printf("%s%" PRIu32, i > 0 ? "," : "", results->values[BIN_COUNTS][i]);
    printf("],\"outside\":%" PRIu64 "}", r->in.count - bin_total(r, results));
}

static void print_text(const job *j)
{
    const bin_request *r = j->request;
    const bin_results *results = j->results;
    const uint32_t *counts = results->values[BIN_COUNTS];
    printf("%-8s %" PRIu32 "\n%-8s %" PRIu64 "\n%-8s %10s\n", "in bins", bin_total(r, results),
           "outside", r->in.count - bin_total(r, results), "bin", "count");
    for (uint32_t i = 0; i < r->bins; i++) {
        if (i == MAX_SHOWN / 2 && r->bins > MAX_SHOWN) {
            puts("..");
            i = r->bins - MAX_SHOWN / 2;
        }
        printf("%-8" PRIu32 " %10" PRIu32 "\n", i, counts[i]);
    }
}

static void close_all(job *j)
{
    bin_request *r = j->request;
    bin_results *results = j->results;
    for (int k = 0; k < BIN_OUTPUTS; k++) {
        output_close(&results->outs[k]);
        free(results->values[k]);
    }
    input_close(&r->in);
}

int bin_run(const operands *given, const void *options)
{
    static const job_stages stages = {open_request, prepare,    bin_execute, bin_verify,
                                      finish,       print_json, print_text,  close_all};
    const bin_options *opts = options;
    bin_request r = {.opts = opts};
    bin_results results = {0};
    job j = {.command = &bin_command,
             .given = given,
             .opts = &opts->data,
             .request = &r,
             .results = &results,
             .inputs = &r.in,
             .input_count = 1,
             .outputs = {
                 {"counts", opts->counts}, {"offsets", opts->offsets}, {"indices", opts->indices}}};
    return job_run(&j, &stages);
}
