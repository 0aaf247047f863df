/* SPDX-License-Identifier: MIT */
/* The command reduce: options.c has its options, reduce.c the request; device.c and whole.c
 * compute, runs.c is for --by and --runs, and other files print and verify. */
#ifndef RUNNER_REDUCE_H
#define RUNNER_REDUCE_H

#include "commands/grouping.h"
#include "commands/job.h"
#include "device/texels.h"
#include "functions/functions.h"
#include "input/segments.h"
#include "output/output.h"

typedef struct reduce_options {
    data_options data;
    texel_options texels;
    const char *output;
    const char *operator_file;
    const char *segments;
    const char *axis;
    const char *tiles;
    const char *by;
    bool by_value;
    const char *runs;
    const char *keys;
    const char *counts;
    uint32_t determinism;
    uint32_t nan;
    uint32_t accumulator;
    bool sample;
} reduce_options;

extern const command reduce_command;

#define INPUTS 2
#define MAX_SHOWN 20u /* segments shown in a table */

typedef struct reduce_request {
    const reduce_options *opts;
    VkrOpFlags ops;
    uint32_t order[VKR_OP_BITS]; /* bits of the operators, in the order given by the user */
    uint32_t op_count;
    uint32_t input_count;
    input in[INPUTS];             /* as the operators read them .. */
    texel_source sources[INPUTS]; /* .. and as they are stored */
    functions functions;          /* of --map FILE or --operator */
    VkrMonoid monoid;             /* of --operator */
    segments segments;
    VkrReduceInfo info; /* without data, count and results */
} reduce_request;

/* What --by and --runs find besides the results: for each group or run its key and its length. */
typedef struct reduce_runs {
    VkrHostMemory keys, lengths, number;
    struct output keys_file, counts_file;
} reduce_runs;

typedef struct reduce_results {
    VkrReduceLayout layout;
    VkrHostMemory output;
    void *gathered;     /* owned; results collected from chunks */
    const char *values; /* points into output or gathered */
    struct output file;
    reduce_runs runs;
} reduce_results;

static inline const void *reduce_value(const reduce_results *r, uint64_t segment, uint32_t bit,
                                       uint32_t component)
{
    const VkrReduceResult *result = &r->layout.results[bit];
    return r->values + segment * r->layout.stride + result->offset +
           component * vkrTypeSize(result->type);
}

/* Runs the command; `options` points to a reduce_options. */
int reduce_run(const operands *given, const void *options);

/* ---- device.c, print.c, verify.c, file.c ---- */

/* Writes the results of all operators to the file of -o, if there is one. */
int reduce_write(job *j);

int reduce_execute(job *j);
void reduce_print_json(const job *j);
void reduce_print_text(const job *j);

/* Print what cuts the data into segments, and how many there are; and a segment's number, or its
 * key, before its results. */
void reduce_print_heading(const reduce_request *r, const reduce_results *results);
void reduce_print_segment(const reduce_request *r, const reduce_results *results, uint64_t segment);

/* Reads the inputs again, since the copy on the device is not trusted, and compares the results. */
int reduce_verify(job *j);

/* ---- runs.c: --by and --runs. Segments are runs of equal keys, which --by sorts. ---- */

/* Checks that --keys and --counts come with one of them. */
int runs_check(const reduce_options *opts);

static inline bool reduce_has_runs(const reduce_request *r)
{
    return r->segments.kind == VKR_SEGMENTS_KEYS;
}

/* Create the files; the buffers, which `info` then names; and the files' contents, which is done
 * last. */
int runs_create(const reduce_request *r, reduce_results *results);
int runs_allocate(const reduce_request *r, reduce_results *results, const gpu *g,
                  VkrCountOutput *number, VkrReduceInfo *info);
int runs_write(const reduce_request *r, reduce_results *results);
void runs_close(reduce_results *results, const gpu *g);

/* The number of bytes of keys and lengths. */
uint64_t runs_size(const reduce_request *r);

/* Reads how many runs the device has found, and decodes their keys. */
int runs_count(const reduce_request *r, reduce_results *results);

/* With --by: indices in groups, which are results of argmin and argmax, become indices in the
 * input. `order` has the index of each element that was moved. */
void runs_place(const reduce_request *r, reduce_results *results, const uint32_t *order);

/* The word for a segment by key, and the file of the keys. */
static inline const char *runs_word(const reduce_request *r)
{
    return r->segments.groups ? "group" : "run";
}

static inline const char *runs_text(const reduce_request *r)
{
    return r->segments.groups ? r->opts->by : r->opts->runs;
}

/* Prints the key of a run: as text into `text`, or as JSON. */
void runs_format_key(const reduce_request *r, const reduce_results *results, uint64_t run,
                     char text[160]);
void runs_print_keys(const reduce_request *r, const reduce_results *results);

/* Finds the runs in the file of keys. Compares the runs of the device with them. */
int runs_find(const reduce_request *r, found_groups *found);
int runs_verify(const reduce_request *r, const reduce_results *results, const found_groups *found,
                bool *differs);

/* ---- operator.c: the same for --operator ---- */

static inline bool reduce_has_operator(const reduce_request *r)
{
    return r->opts->operator_file != NULL;
}

/* Checks that options are left out that an operator does not have. */
int reduce_check_operator(const reduce_options *opts);
void reduce_print_operator_json(const job *j);
void reduce_print_operator_text(const job *j);
int reduce_write_operator(job *j);

/* Computes the results in other ways, and compares them. */
int reduce_verify_operator(job *j);

#endif
