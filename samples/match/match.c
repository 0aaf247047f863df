/* SPDX-License-Identifier: MIT */
/*
 * match: which descriptors of one picture are those of another? A descriptor is 512 bits that
 * describe a point. A query matches its nearest train descriptor, by Hamming distance, if that is
 * nearer than the second nearest by more than a threshold. A descriptor that is hardly nearer than
 * another one is no match, and neither is one without a second to compare with.
 *
 * Three kernels do the same (match.comp): with 8 lanes for 8 queries and the multi-reduction of
 * shaders/vkreduce/multireduce.glsl, the same with a butterfly for each sum, and with a lane for
 * each query. In the same command buffer the library then lists the queries whose margins are large
 * enough, and their nearest train descriptors.
 *
 * The uses of the buffers between kernels and library need one barrier each way. Exits with 0, with
 * 1 where Vulkan or the output failed, with 2 for a bad usage or input, and with 3 if plain C finds
 * something else.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "match.h"
#include "input/number.h"
#include "interrupt.h"
#include "output/json.h"
#include "output/npy.h"

const char program_name[] = "match";

#define COUNT_OF(array) (sizeof(array) / sizeof(array)[0])
#define VERIFIED_ANYWAY (UINT64_C(1) << 24) /* comparisons */

/* ---- Options ---- */

typedef enum option_kind { OPTION_FLAG, OPTION_TEXT, OPTION_PATH, OPTION_NUMBER } option_kind;

static const struct {
    const char *name;
    const char *argument;
    const char *help;
    option_kind kind;
    size_t field; /* of match_options */
    uint64_t least;
    uint64_t most;
} option_table[] = {
    {"threshold", "BITS", "second nearest minus nearest distance must exceed it (default 20)",
     OPTION_NUMBER, offsetof(match_options, threshold), 0, 8 * DESCRIPTOR - 1},
    {"known", "FILE.npy", "pairs (query, train) that are right, (n, 2) u32: counts those found",
     OPTION_PATH, offsetof(match_options, known), 0, 0},
    {"output", "FILE.npy", "or -o: the matches, in the same form", OPTION_PATH,
     offsetof(match_options, output), 0, 0},
    {"verify", NULL, "compare every result with plain C, as small problems always do", OPTION_FLAG,
     offsetof(match_options, verify), 0, 0},
    {"json", NULL, "print one JSON object", OPTION_FLAG, offsetof(match_options, json), 0, 0},
    {"repeat", "N", "the median of N executions after an untimed one (default 5)", OPTION_NUMBER,
     offsetof(match_options, repeat), 1, 100000},
    {"window", "N", "train descriptors in one dispatch (default 16384)", OPTION_NUMBER,
     offsetof(match_options, window), 1, 32768},
    {"workgroup", "N", "lanes in one, a power of two; at least as many as in a subgroup",
     OPTION_NUMBER, offsetof(match_options, workgroup), 8, 128},
    {"groups", "N", "workgroups in a row of a dispatch, before a second row starts", OPTION_NUMBER,
     offsetof(match_options, groups), 1, UINT32_MAX},
    {"shared", NULL, "add up in shared memory even if there are shuffles", OPTION_FLAG,
     offsetof(match_options, shared), 0, 0},
    {"device", "DEVICE", "an index or a part of a name", OPTION_TEXT,
     offsetof(match_options, device), 0, 0},
};

static int print_help(void)
{
    printf(
        "usage: match QUERIES.npy TRAIN.npy [OPTIONS]        arrays of (n, 64) u8\n"
        "       match random:QUERIES:TRAIN[:SEED] [OPTIONS]  random ones with known matches\n\n");
    for (size_t i = 0; i < COUNT_OF(option_table); i++) {
        const char *argument = option_table[i].argument != NULL ? option_table[i].argument : "";
        const int width = 20 - (int)strlen(option_table[i].name);
        printf("  --%s %-*s %s\n", option_table[i].name, width, argument, option_table[i].help);
    }
    return STATUS_DONE;
}

/* Parses the option at argv[0] and its value. */
static int parse_option(match_options *opts, char **argv, int *used)
{
    const char *name = strcmp(argv[0], "-o") == 0 ? "output" : argv[0] + 2;
    size_t i = 0;
    while (i < COUNT_OF(option_table) && strcmp(name, option_table[i].name) != 0)
        i++;
    if (i == COUNT_OF(option_table) || (argv[0][1] != '-' && strcmp(argv[0], "-o") != 0))
        return fail(STATUS_USAGE, "there is no option '%s'; see match --help", argv[0]);
    void *field = (char *)opts + option_table[i].field;
    *used = option_table[i].kind == OPTION_FLAG ? 1 : 2;
    if (option_table[i].kind == OPTION_FLAG)
        *(bool *)field = true;
    else if (argv[1] == NULL)
        return fail(STATUS_USAGE, "--%s needs a value: %s", name, option_table[i].argument);
    else if (option_table[i].kind == OPTION_PATH && argv[1][0] == '\0')
        return fail(STATUS_USAGE, "--%s is ''; it must be a name: %s", name,
                    option_table[i].argument);
    else if (option_table[i].kind != OPTION_NUMBER)
        *(const char **)field = argv[1];
    else if (!parse_count(argv[1], option_table[i].least, option_table[i].most, field))
        return fail(STATUS_USAGE, "--%s is '%s'; it must be a whole number from %llu to %llu", name,
                    argv[1], (unsigned long long)option_table[i].least,
                    (unsigned long long)option_table[i].most);
    return STATUS_DONE;
}

/* Parses the options, and moves the operands to the front of argv. */
static int parse(match_options *opts, char **argv)
{
    *opts = (match_options){.operands = argv, .threshold = 20, .repeat = 5, .window = 16384};
    for (int used; *argv != NULL; argv += used) {
        used = 1;
        int status = STATUS_DONE;
        if (argv[0][0] != '-')
            opts->operands[opts->operand_count++] = *argv;
        else
            status = parse_option(opts, argv, &used);
        if (status != STATUS_DONE)
            return status;
    }
    if ((opts->workgroup & (opts->workgroup - 1)) != 0)
        return fail(STATUS_USAGE, "--workgroup is %llu; it must be a power of two",
                    (unsigned long long)opts->workgroup);
    return STATUS_DONE;
}

/* ---- Verification ---- */

static int differ(const char *kernel, const char *what, uint32_t at, uint32_t got, uint32_t right)
{
    return fail(STATUS_DIFFERENCE, "%s: %s %u is %u; plain C says %u", kernel, what, at, got,
                right);
}

/* Computes the expected results of all queries, in the layout of the device's results. */
static int find_on_cpu(const match_data *d, uint32_t *right[RESULTS])
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < d->counts[QUERY]; i++) {
        int status = check_interrupt();
        if (status != STATUS_DONE)
            return status;
        const neighbours n = match_on_cpu(d, i);
        right[NEAREST][i] = n.nearest;
        right[BEST][i] = n.best;
        right[SECOND][i] = n.second;
        right[MARGIN][i] = n.second == NONE ? 0 : n.second - n.best;
        if (right[MARGIN][i] > d->threshold) {
            right[QUERIES][count] = i;
            right[TRAINS][count++] = n.nearest;
        }
    }
    right[COUNT][0] = count;
    return STATUS_DONE;
}

static int verify(const match_gpu *m, const char *kernel, uint32_t *right[RESULTS])
{
    static const char *const names[RESULTS] = {
        "the nearest one of query", "its distance from query", "the second distance from query",
        "the margin of query",      "the query of match",      "the train descriptor of match",
        "the number of matches"};
    static const uint32_t order[RESULTS] = {NEAREST, BEST, SECOND, MARGIN, COUNT, QUERIES, TRAINS};
    for (uint32_t i = 0; i < RESULTS; i++) {
        const uint32_t which = order[i], *got = match_gpu_result(m, which);
        const uint32_t count = which == COUNT   ? 1
                               : which > MARGIN ? right[COUNT][0]
                                                : m->data->counts[QUERY];
        for (uint32_t k = 0; k < count; k++)
            if (got[k] != right[which][k])
                return differ(kernel, names[which], k, got[k], right[which][k]);
    }
    return STATUS_DONE;
}

/* ---- The report ---- */

typedef struct report {
    bool verified;
    double milliseconds[KERNELS];
    uint32_t matches;
    uint32_t found; /* known matches that were found */
    uint32_t known; /* queries that have a known match */
} report;

static void count_matches(const match_gpu *m, report *r)
{
    const match_data *d = m->data;
    const uint32_t *queries = match_gpu_result(m, QUERIES), *trains = match_gpu_result(m, TRAINS);
    r->matches = match_gpu_result(m, COUNT)[0];
    for (uint32_t i = 0; i < r->matches; i++)
        r->found += match_is_known(d, (match_pair){queries[i], trains[i]});
    for (uint32_t i = 0; i < d->known_count; i++)
        r->known += i == 0 || d->known[i].query != d->known[i - 1].query;
}

static double rate(const match_gpu *m, double milliseconds)
{
    return (double)m->data->counts[QUERY] * m->data->counts[TRAIN] / milliseconds * 1e3;
}

static void print_json(const match_gpu *m, const report *r)
{
    printf("{\"device\": ");
    json_string(stdout, m->g.chosen.name);
    printf(", \"driver\": ");
    json_string(stdout, m->g.chosen.driver);
    printf(", \"queries\": %u, \"train\": %u, \"threshold\": %u, \"exchange\": \"%s\", "
           "\"verified\": %s, \"matches\": %u",
           m->data->counts[QUERY], m->data->counts[TRAIN], m->data->threshold,
           m->shared ? "shared memory" : "shuffles", r->verified ? "true" : "null", r->matches);
    if (m->data->has_known)
        printf(", \"known\": %u, \"found\": %u", r->known, r->found);
    printf(", \"kernels\": [");
    for (uint32_t i = 0; i < KERNELS; i++) {
        printf("%s{\"name\": \"%s\"", i == 0 ? "" : ", ", match_kernels[i]);
        if (r->milliseconds[i] > 0)
            printf(", \"ms\": %.6g, \"comparisons_per_second\": %.6g", r->milliseconds[i],
                   rate(m, r->milliseconds[i]));
        printf("}");
    }
    printf("]}\n");
}

static void print_text(const match_gpu *m, const report *r)
{
    printf("%u queries, %u train descriptors of 512 bits, threshold %u; %s, %s\n",
           m->data->counts[QUERY], m->data->counts[TRAIN], m->data->threshold, m->g.chosen.name,
           m->shared ? "shared memory" : "shuffles");
    for (uint32_t i = 0; i < KERNELS; i++)
        if (r->milliseconds[i] > 0)
            printf("  %-20s %10.3f ms %10.2f M comparisons/s\n", match_kernels[i],
                   r->milliseconds[i], rate(m, r->milliseconds[i]) * 1e-6);
        else
            printf("  %-20s not timed\n", match_kernels[i]);
    printf("%u matches", r->matches);
    if (m->data->has_known)
        printf(", %u of them known; %u queries have a known match", r->found, r->known);
    printf("%s\n", r->verified ? "; plain C finds the same with each kernel" : "; not verified");
}

/* ---- All of it ---- */

static int save(const match_gpu *m, output *o)
{
    const uint32_t *queries = match_gpu_result(m, QUERIES), *trains = match_gpu_result(m, TRAINS);
    const uint32_t count = match_gpu_result(m, COUNT)[0];
    int status = STATUS_DONE;
    if (o->name == NULL)
        return status;
    for (uint32_t i = 0; i < count && status == STATUS_DONE; i++)
        status = output_write(o, i * sizeof(match_pair), &(match_pair){queries[i], trains[i]},
                              sizeof(match_pair));
    return status == STATUS_DONE ? npy_finish(o, VKR_TYPE_U32, 2, count) : status;
}

static int run_kernels(match_gpu *m, const match_options *opts, report *r)
{
    const match_data *d = m->data;
    const uint64_t queries = d->counts[QUERY];
    uint32_t *right[RESULTS] = {0};
    int status = STATUS_DONE;
    r->verified = opts->verify || queries * d->counts[TRAIN] <= VERIFIED_ANYWAY;
    uint32_t *values = r->verified ? malloc((COUNT * queries + 1) * sizeof *values) : NULL;
    if (r->verified && values == NULL)
        return fail(STATUS_VULKAN, "there is no memory to verify %llu queries",
                    (unsigned long long)queries);
    for (uint32_t i = 0; r->verified && i < RESULTS; i++)
        right[i] = values + i * queries;
    if (r->verified)
        status = find_on_cpu(d, right);
    for (uint32_t i = 0; i < KERNELS && status == STATUS_DONE; i++) {
        status = match_gpu_run(m, i, opts->repeat, &r->milliseconds[i]);
        if (status == STATUS_DONE && r->verified)
            status = verify(m, match_kernels[i], right);
    }
    free(values);
    return status;
}

static int run(const match_options *opts)
{
    match_data d;
    match_gpu m = {0};
    output o = {0};
    report r = {0};
    int status = match_data_open(&d, opts);
    if (status == STATUS_DONE)
        status = npy_create(&o, opts->output);
    if (status == STATUS_DONE)
        status = match_gpu_open(&m, &d, opts);
    if (status == STATUS_DONE)
        status = match_data_load(&d, opts);
    if (status == STATUS_DONE)
        status = match_gpu_prepare(&m);
    if (status == STATUS_DONE)
        status = run_kernels(&m, opts, &r);
    if (status == STATUS_DONE)
        status = save(&m, &o);
    if (status == STATUS_DONE) {
        count_matches(&m, &r);
        (opts->json ? print_json : print_text)(&m, &r);
    }
    output_close(&o);
    match_gpu_close(&m);
    match_data_close(&d);
    return status;
}

int main(int argc, char **argv)
{
    match_options opts;
    for (int i = 1; i < argc; i++)
        if (strcmp(argv[i], "--help") == 0)
            return print_help();
    catch_interrupts();
    int status = parse(&opts, argc > 0 ? argv + 1 : argv);
    if (status == STATUS_DONE)
        status = run(&opts);
    if ((fflush(stdout) != 0 || ferror(stdout)) && status == STATUS_DONE)
        return fail(STATUS_VULKAN, "the results could not be written to the standard output");
    return status;
}
