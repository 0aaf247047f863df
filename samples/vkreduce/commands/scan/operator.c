/* SPDX-License-Identifier: MIT */
/* --operator of scan: results are the values of states, or what finish returns. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/scan/scan.h"
#include "device/pipe.h"
#include "functions/states.h"
#include "output/npy.h"
#include "status.h"

#define PORTION ((uint64_t)1 << 16) /* results that are compared at a time */

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

/* The scan in two parts, of which the second one continues the first, as its indices do. */
typedef struct halves {
    job *job;
    const scan_request *request;
    pipe pipe;
    VkrHook hooks[FUNCTION_PARTS];
    VkrMonoid monoids[FUNCTION_PARTS];
} halves;

enum { OUT, TOTAL };

static int load(void *context, pipe_slot *slot)
{
    const halves *h = context;
    slot->buffers[OUT].used = slot->count * scan_result_size(h->request);
    slot->buffers[TOTAL].used = 2 * MAX_TOTAL;
    return STATUS_DONE;
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    halves *h = context;
    const scan_request *r = h->request;
    const uint64_t size = scan_result_size(r), most = h->pipe.count - h->pipe.count / 2;
    const VkBuffer out = slot->buffers[OUT].device.buffer,
                   total = slot->buffers[TOTAL].device.buffer;
    VkrResult result = VKR_SUCCESS;
    for (uint32_t part = 0; part < FUNCTION_PARTS && result == VKR_SUCCESS; part++) {
        const uint64_t done = part == 0 ? 0 : most;
        const uint64_t count = part == 0 ? most : h->pipe.count - most;
        const uint64_t first = scan_first(r, done, count);
        VkrScanInfo info = r->info;
        operator_describe(&r->functions, part, (uint32_t)first, &h->hooks[part], &h->monoids[part]);
        info.monoid = &h->monoids[part];
        info.count = count;
        info.output = (VkrView){.buffer = out, .offset = first * size, .size = count * size};
        if (part == 0)
            info.total = (VkrBufferRange){.buffer = total, .size = MAX_TOTAL};
        else
            info.gpuInitial = (VkrBufferRange){.buffer = total, .size = MAX_TOTAL};
        result = vkrCmdScan(slot->recorder, &info);
    }
    return result;
}

static int compare(job *j, const char *others)
{
    const scan_request *r = j->request;
    const scan_results *results = j->results;
    const uint64_t size = scan_result_size(r);
    state_difference d;
    void *states = malloc((size_t)(PORTION * size));
    int status = states != NULL ? STATUS_DONE : fail(STATUS_VULKAN, "--verify: out of memory");
    for (uint64_t first = 0; first < r->in.count && status == STATUS_DONE && !j->task.differs;
         first += PORTION) {
        const uint64_t count = least(r->in.count - first, PORTION);
        status = output_read(&results->out, first * size, states, count * size);
        if (status != STATUS_DONE ||
            !states_differ(&r->functions.results, states, others + first * size, count, &d))
            continue;
        (void)fail(STATUS_DIFFERENCE,
                   "--verify: value %u of element %" PRIu64
                   " is %s, but %s when the scan is cut into two parts",
                   d.value, first + d.state, d.found, d.other);
        j->task.differs = true;
    }
    free(states);
    return status;
}

static int store(void *context, pipe_slot *slot)
{
    const halves *h = context;
    return compare(h->job, pipe_map(slot, OUT));
}

int scan_verify_operator(job *j)
{
    const scan_request *r = j->request;
    task t = j->task;
    task_options opts = *t.opts;
    halves h = {.job = j, .request = r};
    opts.repeat = 0;
    opts.count_on_gpu = false;
    t.opts = &opts;
    t.chunks = 1;
    note("--verify: only %s defines what is right; a scan in two parts is compared",
         r->functions.file);
    if (r->in.count < 2)
        return STATUS_DONE;
    h.pipe = (pipe){.task = &t,
                    .context = &h,
                    .load = load,
                    .collect = collect,
                    .store = store,
                    .count = r->in.count,
                    .chunk = r->in.count,
                    .sizes = {[OUT] = r->in.count * scan_result_size(r), [TOTAL] = 2 * MAX_TOTAL},
                    .downloads = {[OUT] = true, [TOTAL] = true}};
    const int status = pipe_run(&h.pipe, "verifying", 0);
    pipe_close(&h.pipe);
    return status;
}
