/* SPDX-License-Identifier: MIT */
/* --operator of reduce: results are the values of states, or what finish returns. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/reduce/reduce.h"
#include "functions/states.h"
#include "output/npy.h"
#include "status.h"

int reduce_check_operator(const reduce_options *opts)
{
    const texel_options *texels = &opts->texels;
    const struct {
        bool given;
        const char *name;
    } rows[] = {{texels->map != MAP_NONE || texels->map_file != NULL, "map"},
                {texels->as_image, "as-image"},
                {texels->linear, "linear"},
                {texels->bias != NULL, "bias"},
                {opts->tiles != NULL, "tiles"},
                {opts->nan != 0, "nan"},
                {opts->sample, "sample"},
                {opts->accumulator != 0, "accumulator"},
                {opts->data.algorithm != 0, "algorithm"},
                {opts->data.task.chunk != 0, "chunk"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].given)
            return fail(STATUS_USAGE, "--operator and --%s are both given; leave --%s out",
                        rows[i].name, rows[i].name);
    return STATUS_DONE;
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
    fputs(nested ? "{\"state\":[" : "{\"state\":", stdout);
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
        printf("%-8s %" PRIu64 " by %s\n", "segments", count, r->opts->segments);
    for (uint64_t s = 0; s < count; s++) {
        if (s == MAX_SHOWN / 2 && count > MAX_SHOWN) {
            puts("..");
            s = count - MAX_SHOWN / 2;
        }
        if (nested)
            printf("%-8" PRIu64, s);
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
    const uint32_t members = r->functions.results.count;
    uint64_t shape[2];
    uint32_t dimensions = 0;
    if (results->file.name == NULL)
        return STATUS_DONE;
    if (r->segments.kind != VKR_SEGMENTS_NONE)
        shape[dimensions++] = count;
    if (members > 1)
        shape[dimensions++] = members;
    const int status =
        output_write(&results->file, 0, results->values, count * results->layout.stride);
    return status == STATUS_DONE
               ? npy_finish_shape(&results->file, r->functions.results.types[0], dimensions, shape)
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
    opts.count_on_gpu = false;
    other.request = &r;
    other.results = results;
    other.task.opts = &opts;
    return reduce_execute(&other);
}

static void compare(job *j, const reduce_results *other, const char *way)
{
    const reduce_request *r = j->request;
    const reduce_results *results = j->results;
    state_difference d;
    if (j->task.differs || !states_differ(&r->functions.results, results->values, other->values,
                                          results->layout.segments, &d))
        return;
    (void)fail(STATUS_DIFFERENCE,
               "--verify: value %u of result %" PRIu64 " is %s, but %s when it is computed %s",
               d.value, d.state, d.found, d.other, way);
    j->task.differs = true;
}

int reduce_verify_operator(job *j)
{
    const reduce_request *r = j->request;
    reduce_request other = *r;
    reduce_results results = {0};
    const uint64_t most = j->task.gpu.chosen->properties.limits.maxStorageBufferRange;
    const bool windows = r->segments.kind == VKR_SEGMENTS_NONE && r->in[0].count > 0 &&
                         r->in[0].size <= most; /* as windows need it */
    int status = STATUS_DONE;
    note("--verify: only %s defines what is right; other ways to compute it are compared",
         r->functions.file);
    if (windows) { /* a window of all elements, whose algorithm is another one */
        other.segments.kind = VKR_SEGMENTS_WINDOWS;
        other.segments.length = r->in[0].count;
        status = compute(j, &other, &results);
        if (status == STATUS_DONE)
            compare(j, &results, "as a window");
        gpu_buffer_destroy(&j->task.gpu, &results.output);
    }
    if (status != STATUS_DONE || !r->functions.is_commutative)
        return status;
    VkrMonoid ordered = *r->info.monoid;
    ordered.commutative = VK_FALSE;
    other = *r;
    other.info.monoid = &ordered;
    results = (reduce_results){0};
    status = compute(j, &other, &results);
    if (status == STATUS_DONE)
        compare(j, &results, "in the order of the elements");
    gpu_buffer_destroy(&j->task.gpu, &results.output);
    return status;
}
