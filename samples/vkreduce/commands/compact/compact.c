/* SPDX-License-Identifier: MIT */
/* The command compact. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include "commands/compact/compact.h"
#include "input/flags.h"
#include "output/npy.h"
#include "status.h"

/* ---- The request ---- */

/* Options of the algorithms of 2007, and the algorithms that have them. */
static int check_stream(const compact_options *opts)
{
    enum {
        HORN = 1u << VKR_COMPACT_HORN,
        GATHER = 1u << VKR_COMPACT_BLELLOCH_GATHER,
        ROGER = 1u << VKR_COMPACT_ROGER,
        SEQUENTIAL = 1u << VKR_COMPACT_ROGER_SEQUENTIAL
    };
    const struct {
        const char *option, *names;
        bool given;
        unsigned algorithms;
    } rows[] = {
        {"block", "roger or roger-sequential", opts->block != 0, ROGER | SEQUENTIAL},
        {"block-scan", "roger", opts->block_scan != 0, ROGER},
        {"search", "horn, blelloch-gather or roger", opts->search != 0, HORN | GATHER | ROGER},
        {"concat", "roger or roger-sequential", opts->concatenation != 0, ROGER | SEQUENTIAL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].given && (rows[i].algorithms >> opts->data.algorithm & 1u) == 0)
            return fail(STATUS_USAGE, "--%s needs --algorithm %s; --algorithm is %s",
                        rows[i].option, rows[i].names,
                        vkrCompactAlgorithmName((VkrCompactAlgorithm)opts->data.algorithm));
    if ((opts->block & (opts->block - 1)) != 0)
        return fail(STATUS_USAGE, "--block is %u; it must be a power of two from 8 to 1024",
                    (unsigned)opts->block);
    return STATUS_DONE;
}

static int open_request(job *j)
{
    compact_request *r = j->request;
    const compact_options *opts = r->opts;
    const char *flags = NULL;
    char **words = j->given->words;
    int status = check_stream(opts);
    const bool is_function = opts->predicate != NULL;
    if (status == STATUS_DONE)
        status = input_open(&r->in, words[is_function ? 0 : 1], &opts->data.input);
    if (status == STATUS_DONE)
        status = functions_open(&r->functions, ROLE_PREDICATE, opts->predicate, &r->in);
    if (is_function)
        r->info.predicate.kind = VKR_PREDICATE_FLAGS;
    else if (status == STATUS_DONE)
        status = predicate_parse(words[0], &r->in, &r->info.predicate, &flags);
    if (status == STATUS_DONE && opts->by_value)
        status = predicate_by_value(&r->info.predicate);
    if (status == STATUS_DONE && flags != NULL)
        status = flags_open(&r->flags, flags, "PREDICATE", r->in.count);
    r->info.label = "vkreduce compact";
    r->info.algorithm = (VkrCompactAlgorithm)opts->data.algorithm;
    r->info.stream =
        (VkrStreamOptions){(uint32_t)opts->block, (VkrBlockScan)opts->block_scan,
                           (VkrStreamSearch)opts->search, (VkrConcatenation)opts->concatenation};
    r->index = r->in.count > UINT64_C(1) << 32 ? VKR_TYPE_U64 : VKR_TYPE_U32;
    return status;
}

static int prepare(job *j)
{
    compact_request *r = j->request;
    const compact_options *opts = r->opts;
    compact_results *results = j->results;
    const char *names[COMPACT_OUTPUTS] = {[OUT_KEPT] = opts->output,
                                          [OUT_INDICES] = opts->indices,
                                          [OUT_LENGTHS] = opts->run_lengths,
                                          [OUT_REJECTED] = opts->rejected,
                                          [OUT_REJECTED_INDICES] = opts->rejected_indices};
    int status = functions_create(&r->functions, &j->task.gpu);
    for (int k = 0; k < COMPACT_OUTPUTS && status == STATUS_DONE; k++)
        status = npy_create_shared(&results->outs[k], names[k]);
    return status;
}

/* ---- The results ---- */

static int finish(job *j)
{
    const compact_request *r = j->request;
    compact_results *results = j->results;
    int status = STATUS_DONE;
    for (int i = 0; i < COMPACT_OUTPUTS && status == STATUS_DONE; i++) {
        const compact_output k = (compact_output)i;
        status = npy_finish(&results->outs[k], entry_type(r, k), entry_components(r, k),
                            compact_room(r, k, 0, entry_count(&results->counts, k)));
    }
    return status;
}

/* What a function returned takes the place of flags from a file. */
static int verify(job *j)
{
    compact_request *r = j->request;
    compact_results *results = j->results;
    if (r->functions.file != NULL) {
        r->flags = (input){.name = r->functions.file,
                           .file = -1,
                           .type = VKR_TYPE_U8,
                           .components = 1,
                           .stride = 1,
                           .count = r->in.count};
        input_use_memory(&r->flags, results->flags, r->in.count);
        results->flags = NULL;
    }
    return compact_verify(j);
}

static void print_json(const job *j)
{
    const compact_counts *counts = &((const compact_results *)j->results)->counts;
    printf("{\"kept\":%" PRIu64 ",\"rejected\":%" PRIu64 "}", counts->kept, counts->rejected);
}

static void print_text(const job *j)
{
    const compact_counts *counts = &((const compact_results *)j->results)->counts;
    printf("%-8s %" PRIu64 "\n%-8s %" PRIu64 "\n", "kept", counts->kept, "rejected",
           counts->rejected);
}

static void close_all(job *j)
{
    compact_request *r = j->request;
    compact_results *results = j->results;
    for (int k = 0; k < COMPACT_OUTPUTS; k++)
        output_close(&results->outs[k]);
    functions_close(&r->functions);
    free(results->flags);
    input_close(&r->flags);
    input_close(&r->in);
}

/* Ranks share everything but functions, which get the index of an element in all data. */
static bool shares(const job *j)
{
    return ((const compact_request *)j->request)->functions.file == NULL;
}

int compact_run(const operands *given, const void *options)
{
    static const job_stages stages = {open_request, prepare,    compact_execute, verify,
                                      finish,       print_json, print_text,      close_all};
    const compact_options *opts = options;
    compact_request r = {.opts = opts};
    compact_results results = {0};
    job j = {.command = &compact_command,
             .given = given,
             .opts = &opts->data,
             .request = &r,
             .results = &results,
             .inputs = &r.in,
             .input_count = 1,
             .beside = {&r.flags},
             .shares = shares,
             .outputs = {{"output", opts->output},
                         {"indices", opts->indices},
                         {"rejected", opts->rejected},
                         {"rejected-indices", opts->rejected_indices},
                         {"run-lengths", opts->run_lengths}}};
    return job_run(&j, &stages);
}
