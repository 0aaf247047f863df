/* SPDX-License-Identifier: MIT */
/* --operator of scan: results are the values of states, or what finish returns. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "commands/scan/scan.h"
#include "device/pipe.h"
#include "functions/states.h"
#include "output/npy.h"
#include "status.h"

int scan_check_operator(const scan_options *opts)
{
    const struct {
        bool given;
        const char *name;
    } rows[] = {{opts->segments != NULL, "segments"},
                {opts->initial != NULL, "initial"},
                {opts->nan != 0, "nan"},
                {opts->accumulator != 0, "accumulator"},
                {opts->data.algorithm != 0, "algorithm"},
                {opts->data.task.chunk != 0, "chunk"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (rows[i].given)
            return fail(STATUS_USAGE, "--operator and --%s are both given; leave --%s out",
                        rows[i].name, rows[i].name);
    return STATUS_DONE;
}

void scan_print_operator_json(const scan_request *r, const scan_results *results)
{
    fputs("{\"type\":", stdout);
    printf("\"%s\",\"total\":", vkrTypeName(r->result));
    state_json(&r->functions, &r->functions.state, results->total);
    putchar('}');
}

int scan_finish_operator(const scan_request *r, scan_results *results)
{
    const uint64_t shape[] = {r->in.count, r->functions.results.count};
    return npy_finish_shape(&results->out, r->result, shape[1] > 1 ? 2 : 1, shape);
}

/* ---- --verify ---- */

#define SAMPLES 16u
#define SAMPLE_DISTANCE 256u /* bytes: the maximum alignment of buffers' parts */

/* Reductions of the elements that some results come from. */
typedef struct sampling {
    job *job;
    pipe pipe;
    uint32_t count;
    uint64_t places[SAMPLES]; /* of these results, in the order of the scan */
} sampling;

enum { DATA, BOUNDS, OUT };

static uint64_t first_of(const scan_request *r, uint64_t done)
{
    return scan_first(r, done, 1);
}

static int load(void *context, pipe_slot *slot)
{
    const sampling *s = context;
    const scan_request *r = s->job->request;
    const bool reverse = r->opts->reverse;
    char *bounds = pipe_map(slot, BOUNDS);
    slot->buffers[DATA].used = input_span(&r->in, r->in.count);
    slot->buffers[BOUNDS].used = slot->buffers[OUT].used = SAMPLES * SAMPLE_DISTANCE;
    for (uint32_t i = 0; i < s->count; i++) {
        const uint64_t scanned = s->places[i] + !r->opts->exclusive;
        const uint32_t at[] = {reverse ? (uint32_t)(r->in.count - scanned) : 0,
                               reverse ? (uint32_t)r->in.count : (uint32_t)scanned};
        memcpy(bounds + i * SAMPLE_DISTANCE, at, sizeof at);
    }
    return input_load(&r->in, 0, r->in.count, pipe_map(slot, DATA));
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    const sampling *s = context;
    const scan_request *r = s->job->request;
    const VkBuffer bounds = slot->buffers[BOUNDS].device.buffer;
    VkrResult result = VKR_SUCCESS;
    for (uint32_t i = 0; i < s->count && result == VKR_SUCCESS; i++) {
        const VkDeviceSize at = i * SAMPLE_DISTANCE;
        const VkrReduceInfo info = {
            .label = "results of the scan",
            .input = pipe_view(slot, DATA, &r->in, r->in.count),
            .count = r->in.count,
            .segments = {.kind = VKR_SEGMENTS_OFFSETS,
                         .offsets = {bounds, at, 2 * sizeof(uint32_t)},
                         .offsetType = VKR_TYPE_U32},
            .output = {slot->buffers[OUT].device.buffer, at, scan_result_size(r)},
            .monoid = r->info.monoid};
        result = vkrCmdReduce(slot->recorder, &info);
    }
    return result;
}

static int store(void *context, pipe_slot *slot)
{
    const sampling *s = context;
    job *j = s->job;
    const scan_request *r = j->request;
    const scan_results *results = j->results;
    const uint64_t size = scan_result_size(r);
    char found[SAMPLES * MAX_TOTAL], others[SAMPLES * MAX_TOTAL];
    state_difference d;
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < s->count && status == STATUS_DONE; i++) {
        memcpy(others + i * size, (const char *)pipe_map(slot, OUT) + i * SAMPLE_DISTANCE,
               (size_t)size);
        status =
            output_read(&results->out, first_of(r, s->places[i]) * size, found + i * size, size);
    }
    if (status != STATUS_DONE || !states_differ(&r->functions.results, found, others, s->count, &d))
        return status;
    (void)fail(STATUS_DIFFERENCE,
               "--verify: value %u of element %" PRIu64 " is %s, but %s as a reduction", d.value,
               first_of(r, s->places[d.state]), d.found, d.other);
    j->task.differs = true;
    return status;
}

int scan_verify_operator(job *j)
{
    const scan_request *r = j->request;
    const uint64_t count = r->in.count;
    task t = j->task;
    task_options opts = *t.opts;
    sampling s = {.job = j, .count = (uint32_t)least(count, SAMPLES)};
    opts.repeat = 0;
    opts.count_on_gpu = false;
    t.opts = &opts;
    note("--verify: only %s defines what is right; %u of the results are compared with reductions",
         r->functions.file, s.count);
    if (count == 0)
        return STATUS_DONE;
    for (uint32_t i = 0; i < s.count; i++)
        s.places[i] = count * (i + 1) / s.count - 1;
    const uint64_t sizes[] = {[DATA] = input_span(&r->in, count) + 1,
                              [BOUNDS] = SAMPLES * SAMPLE_DISTANCE,
                              [OUT] = SAMPLES * SAMPLE_DISTANCE};
    s.pipe = (pipe){.task = &t, .context = &s, .load = load, .collect = collect, .store = store};
    if (!pipe_fits(&s.pipe, count, 3, sizes))
        return STATUS_DONE;
    memcpy(s.pipe.sizes, sizes, sizeof sizes);
    s.pipe.downloads[OUT] = true;
    const int status = pipe_run(&s.pipe, "verifying", input_span(&r->in, count));
    pipe_close(&s.pipe);
    return status;
}
