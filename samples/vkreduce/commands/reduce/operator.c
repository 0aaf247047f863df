/* SPDX-License-Identifier: MIT */
/* --operator of reduce: results are the values of states, or what finish returns. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/reduce/reduce.h"
#include "functions/sampling.h"
#include "functions/states.h"
#include "status.h"

int reduce_check_operator(const reduce_options *opts)
{
    const texel_options *texels = &opts->texels;
    const excluded_option rows[] = {{texels->map != MAP_NONE || texels->map_file != NULL, "map"},
                                    {texels->as_image, "as-image"},
                                    {texels->linear, "linear"},
                                    {texels->bias != NULL, "bias"},
                                    {opts->tiles != NULL, "tiles"},
                                    {opts->nan != 0, "nan"},
                                    {opts->sample, "sample"},
                                    {opts->accumulator != 0, "accumulator"},
                                    {opts->data.algorithm != 0, "algorithm"},
                                    {opts->data.task.chunk != 0, "chunk"}};
    return states_exclude(rows, sizeof rows / sizeof rows[0]);
}

static const char *state_at(const reduce_results *results, uint64_t segment)
{
    return results->values + segment * results->layout.stride;
}

/* ---- Output ---- */

void reduce_print_operator_json(const job *j)
{
    const reduce_request *r = j->request;
    const reduce_results *results = j->results;
    const bool nested = r->segments.kind != VKR_SEGMENTS_NONE;
    putchar('{');
    if (reduce_has_runs(r)) {
        runs_print_keys(r, results);
        putchar(',');
    }
    fputs(nested ? "\"state\":[" : "\"state\":", stdout);
    for (uint64_t s = 0; s < results->layout.segments; s++) {
        fputs(s > 0 ? "," : "", stdout);
        state_json(&r->functions, &r->functions.results, state_at(results, s));
    }
    fputs(nested ? "]}" : "}", stdout);
}

void reduce_print_operator_text(const job *j)
{
    const reduce_request *r = j->request;
    const reduce_results *results = j->results;
    const bool nested = r->segments.kind != VKR_SEGMENTS_NONE;
    const uint64_t count = results->layout.segments;
    if (nested)
        reduce_print_heading(r, results);
    for (uint64_t s = 0; s < count; s++) {
        if (s == MAX_SHOWN / 2 && count > MAX_SHOWN) {
            puts("..");
            s = count - MAX_SHOWN / 2;
        }
        if (nested)
            reduce_print_segment(r, results, s);
        else
            printf("%-8s", "state");
        state_text(&r->functions.results, state_at(results, s));
    }
}

int reduce_write_operator(job *j)
{
    const reduce_request *r = j->request;
    reduce_results *results = j->results;
    const uint64_t count = results->layout.segments;
    const function_values *values = &r->functions.results;
    uint64_t shape[MAX_DIMENSIONS + 1];
    const uint32_t dimensions = segments_results(&r->segments, count, shape);
    if (results->file.name == NULL)
        return STATUS_DONE;
    states_reserve(values, &results->file, dimensions);
    const int status =
        output_write(&results->file, 0, results->values, count * results->layout.stride);
    return status == STATUS_DONE ? states_finish(values, &results->file, dimensions, shape)
                                 : status;
}

/* ---- --verify ---- */

/* The results of another way to compute them, to compare with. */
static int compute(job *j, const reduce_request *request, reduce_results *results)
{
    job other = *j;
    task_options opts = *j->task.opts;
    reduce_request r = *request;
    opts.repeat = 0;
    opts.plan = false;
    opts.timing = false;
    opts.count_on_gpu = false;
    other.request = &r;
    other.results = results;
    other.task.opts = &opts;
    return reduce_execute(&other);
}

static void compare(job *j, const char *found, states others, const sampling *s, const char *way)
{
    const reduce_request *r = j->request;
    const states sizes = {s->results, s->result_count};
    state_difference d;
    j->task.unverified = false;
    if (j->task.differs || !states_differ(&r->functions.results, found, others, sizes, &d))
        return;
    if (found != ((const reduce_results *)j->results)->values) /* of a sample */
        d.state = s->places[d.state];
    (void)fail(STATUS_DIFFERENCE,
               "--verify: value %u of result %" PRIu64 " is %s, but %s when it is computed %s",
               d.value, d.state, d.found, d.other, way);
    j->task.differs = true;
}

/* Computes all results in another way, and compares them. */
static int compare_all(job *j, const reduce_request *request, const sampling *s, const char *way)
{
    reduce_results results = {0};
    const int status = compute(j, request, &results);
    if (status == STATUS_DONE)
        compare(j, ((const reduce_results *)j->results)->values,
                (states){results.values, results.layout.segments}, s, way);
    vkrHostFree(j->task.gpu.host, &results.output);
    runs_close(&results, &j->task.gpu);
    free(results.gathered);
    return status;
}

/* Finds where runs start, and compares the keys and lengths that the device has found. */
static int find_runs(job *j, found_groups *found)
{
    const reduce_request *r = j->request;
    if (!reduce_has_runs(r))
        return STATUS_DONE;
    const int status = runs_find(r, found);
    return status == STATUS_DONE ? runs_verify(r, j->results, found, &j->task.differs) : status;
}

/* The elements of a segment; `runs` has where they start by key, and else is NULL. */
static int find_part(const reduce_request *r, const uint64_t *runs, uint64_t segment,
                     uint32_t part[2])
{
    const segments *s = &r->segments;
    uint64_t at[2] = {0, r->in[0].count};
    int status = STATUS_DONE;
    if (runs != NULL)
        memcpy(at, runs + segment, sizeof at);
    else if (s->kind == VKR_SEGMENTS_OFFSETS)
        status = segments_offsets(s, segment, 2, at);
    else if (s->kind == VKR_SEGMENTS_COLUMNS)
        at[0] = segment; /* every s->length-th element from there on */
    else if (s->kind != VKR_SEGMENTS_NONE) {
        at[0] = s->kind == VKR_SEGMENTS_ROWS ? segments_row(s, segment) : segment;
        at[1] = least(at[1], at[0] + s->length);
    }
    part[0] = (uint32_t)at[0];
    part[1] = (uint32_t)at[1];
    return status;
}

/* The elements of a column have other elements between them, which a reduction of this column alone
 * does not count. So the state of an element must not depend on its index there. */
static bool can_sample(const reduce_request *r, const sampling *s, const task *t)
{
    return sampling_fits(s, t) &&
           (r->segments.kind != VKR_SEGMENTS_COLUMNS || !r->functions.reads_index);
}

/* Reduces the elements of some segments on their own. */
static int run_samples(job *j, const uint64_t *runs, sampling *s)
{
    const reduce_request *r = j->request;
    const uint64_t all = ((const reduce_results *)j->results)->layout.segments;
    int status = STATUS_DONE;
    if (!can_sample(r, s, &j->task))
        return status;
    if (r->segments.kind == VKR_SEGMENTS_COLUMNS)
        s->step = r->segments.length;
    s->count = (uint32_t)least(all, SAMPLES);
    for (uint32_t i = 0; i < s->count && status == STATUS_DONE; i++) {
        s->places[i] = all * (i + 1) / s->count - 1;
        status = find_part(r, runs, s->places[i], s->parts[i]);
    }
    return status == STATUS_DONE ? sampling_run(s, &j->task) : status;
}

static void compare_samples(job *j, const sampling *s)
{
    char found[SAMPLES * MAX_RESULT];
    for (uint32_t i = 0; i < s->count; i++)
        memcpy(found + i * s->size, state_at(j->results, s->places[i]), (size_t)s->size);
    if (s->count > 0)
        compare(j, found, (states){s->results, s->count}, s, "on its own");
}

static int compare_ways(job *j, const sampling *s, bool windows)
{
    const reduce_request *r = j->request;
    reduce_request other = *r;
    VkrMonoid ordered = *r->info.monoid;
    int status = STATUS_DONE;
    if (windows) { /* a window of all elements, whose algorithm is another one */
        other.segments.kind = VKR_SEGMENTS_WINDOWS;
        other.segments.length = r->in[0].count;
        status = compare_all(j, &other, s, "as a window");
    }
    if (status == STATUS_DONE && r->functions.is_commutative) {
        ordered.commutative = VK_FALSE;
        other = *r;
        other.info.monoid = &ordered;
        status = compare_all(j, &other, s, "in the order of the elements");
    }
    compare_samples(j, s);
    return status;
}

int reduce_verify_operator(job *j)
{
    const reduce_request *r = j->request;
    const uint64_t most = j->task.gpu.limits.maxStorageBufferRange;
    const bool windows = r->segments.kind == VKR_SEGMENTS_NONE && r->in[0].count > 0 &&
                         r->in[0].size <= most; /* as windows need it */
    sampling s = {.in = &r->in[0],
                  .monoid = r->info.monoid,
                  .size = r->functions.results.count * sizeof(uint32_t)};
    const bool compares = windows || r->functions.is_commutative || r->in[0].count == 0 ||
                          can_sample(r, &s, &j->task);
    j->task.unverified = !compares;
    note("--verify: only %s defines what is right; %s", r->functions.file,
         compares                       ? "other ways to compute it are compared"
         : !sampling_fits(&s, &j->task) ? "nothing is compared, since the data is too large to "
                                          "reduce it at once"
                                        : "nothing is compared, since lift reads the index of an "
                                          "element, which a column on its own does not have");
    found_groups found = {0};
    input moved = {0};
    int status = find_runs(j, &found);
    if (status == STATUS_DONE && r->segments.groups) {
        status = groups_move(&found, &r->in[0], &moved);
        s.in = &moved;
    }
    if (status == STATUS_DONE && !j->task.differs)
        status = run_samples(j, found.offsets, &s);
    found_groups_free(&found);
    input_close(&moved);
    return status == STATUS_DONE && !j->task.differs ? compare_ways(j, &s, windows) : status;
}
