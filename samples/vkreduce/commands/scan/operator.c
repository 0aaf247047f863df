/* SPDX-License-Identifier: MIT */
/* --operator of scan: results are the values of states, or what finish returns. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/scan/scan.h"
#include "functions/sampling.h"
#include "functions/states.h"
#include "input/flags.h"
#include "status.h"

int scan_check_operator(const scan_options *opts)
{
    const excluded_option rows[] = {{opts->initial != NULL, "initial"},
                                    {opts->nan != 0, "nan"},
                                    {opts->mask != NULL, "mask"},
                                    {opts->accumulator != 0, "accumulator"},
                                    {opts->data.algorithm != 0, "algorithm"},
                                    {opts->data.task.chunk != 0, "chunk"}};
    return states_exclude(rows, sizeof rows / sizeof rows[0]);
}

/* Prints the type of the results, or the types of their values if there are several. */
static void print_types(const function_values *values)
{
    const uint32_t count = functions_have_types(values) ? values->count : 1;
    for (uint32_t i = 0; i < count; i++)
        printf("%s\"%s\"", i > 0 ? "," : count > 1 ? "[" : "", vkrTypeName(values->types[i]));
    fputs(count > 1 ? "]" : "", stdout);
}

void scan_print_operator_json(const scan_request *r, const scan_results *results)
{
    fputs("{\"type\":", stdout);
    print_types(&r->functions.results);
    fputs(",\"total\":", stdout);
    state_json(&r->functions, &r->functions.state, results->total);
    putchar('}');
}

void scan_print_operator_text(const scan_request *r, const scan_results *results)
{
    const function_values *values = &r->functions.results;
    printf("%-8s %s: %" PRIu64 " x %u %s", "output", results->out.name, r->in.count, values->count,
           vkrTypeName(values->types[0]));
    for (uint32_t i = 1; i < values->count && functions_have_types(values); i++)
        printf(" %s", vkrTypeName(values->types[i]));
    printf("\n%-8s", "total");
    state_text(&r->functions.state, results->total);
}

int scan_finish_operator(const scan_request *r, scan_results *results)
{
    uint64_t shape[MAX_DIMENSIONS + 1];
    const uint32_t dimensions = segments_elements(&r->segments, r->in.count, shape);
    return states_finish(&r->functions.results, &results->out, dimensions, shape);
}

/* ---- --verify ---- */

static uint64_t first_of(const scan_request *r, uint64_t done)
{
    return scan_first(r, done, 1);
}

/* The element of a sample; `groups` has the order in which a scan by key reaches elements. */
static uint64_t element_of(const scan_request *r, const sampling *s, uint64_t i,
                           const found_groups *groups)
{
    const uint64_t at = first_of(r, s->places[i]);
    return groups->order != NULL ? groups->order[at] : at;
}

static int compare(job *j, const sampling *s, const found_groups *groups)
{
    const scan_request *r = j->request;
    const scan_results *results = j->results;
    char found[SAMPLES * MAX_RESULT];
    state_difference d;
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < s->count && status == STATUS_DONE; i++)
        status = output_read(&results->out, element_of(r, s, i, groups) * s->size,
                             found + i * s->size, s->size);
    const states others = {s->results, s->count}, sizes = {s->results, s->result_count};
    if (status != STATUS_DONE || !states_differ(&r->functions.results, found, others, sizes, &d))
        return status;
    (void)fail(STATUS_DIFFERENCE,
               "--verify: value %u of element %" PRIu64 " is %s, but %s as a reduction", d.value,
               element_of(r, s, d.state, groups), d.found, d.other);
    j->task.differs = true;
    return status;
}

/* The elements whose states a result combines: those of its segment up to it, or from it on. */
static void find_part(const scan_request *r, const uint32_t *heads, uint64_t place,
                      uint32_t part[2])
{
    const uint64_t at = first_of(r, place);
    uint64_t first = at, end = at + 1;
    while (first > 0 && !flag_at(heads, first))
        first--;
    while (end < r->in.count && !flag_at(heads, end))
        end++;
    part[0] = (uint32_t)(r->opts->reverse ? at + r->opts->exclusive : first);
    part[1] = (uint32_t)(r->opts->reverse ? end : at + !r->opts->exclusive);
}

/* Marks where groups start among the elements that the reference has brought together. */
static int mark_groups(const scan_request *r, found_groups *groups, uint32_t *heads)
{
    const int status = groups_find(&r->segments, r->in.count, groups);
    memset(heads, 0, (size_t)flag_bytes(r->in.count));
    for (uint64_t i = 0; i < groups->count && status == STATUS_DONE; i++)
        set_flag(heads, groups->offsets[i]);
    return status;
}

static int find_parts(const scan_request *r, sampling *s, found_groups *groups)
{
    uint32_t *heads = malloc((size_t)flag_bytes(r->in.count) + 1);
    int status = STATUS_DONE;
    if (heads == NULL)
        status = fail(STATUS_VULKAN, "--verify: out of memory");
    else if (r->segments.groups)
        status = mark_groups(r, groups, heads);
    else
        status = segments_load(&r->segments, 0, r->in.count, heads);
    for (uint32_t i = 0; i < s->count && status == STATUS_DONE; i++) {
        s->places[i] = r->in.count * (i + 1) / s->count - 1;
        find_part(r, heads, s->places[i], s->parts[i]);
    }
    free(heads);
    return status;
}

int scan_verify_operator(job *j)
{
    const scan_request *r = j->request;
    const uint64_t count = r->in.count;
    sampling s = {.in = &r->in,
                  .monoid = r->info.monoid,
                  .size = scan_result_size(r),
                  .count = (uint32_t)least(count, SAMPLES)};
    j->task.unverified = count > 0 && !sampling_fits(&s, &j->task);
    if (j->task.unverified)
        note("--verify: only %s defines what is right; nothing is compared, since the data is too "
             "large to reduce it at once",
             r->functions.file);
    else
        note("--verify: only %s defines what is right; %u of the results are compared with "
             "reductions",
             r->functions.file, s.count);
    if (count == 0 || j->task.unverified)
        return STATUS_DONE;
    found_groups groups = {0};
    input moved = {0};
    int status = find_parts(r, &s, &groups);
    if (status == STATUS_DONE && r->segments.groups) {
        status = groups_move(&groups, &r->in, &moved);
        s.in = &moved;
    }
    if (status == STATUS_DONE)
        status = sampling_run(&s, &j->task);
    if (status == STATUS_DONE)
        status = compare(j, &s, &groups);
    found_groups_free(&groups);
    input_close(&moved);
    return status;
}
