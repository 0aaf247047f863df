/* SPDX-License-Identifier: MIT */
/* A counting sort on the device, of all data at once: a list of indices is not known before all
 * keys are. */
#include <string.h>
#include "commands/bin/bin.h"
#include "device/pipe.h"
#include "status.h"

enum { DATA = BIN_OUTPUTS }; /* the buffer after the outputs */

typedef struct bin_device {
    task *task;
    const bin_request *request;
    bin_results *results;
    pipe pipe;
} bin_device;

/* The size in bytes of an output; 0 if it is not wanted. */
static uint64_t output_size(const bin_device *d, bin_output k)
{
    return d->results->values[k] != NULL ? bin_entries(d->request, k) * sizeof(uint32_t) : 0;
}

/* Checks that all data fits the device. */
static int check_size(bin_device *d)
{
    const input *in = &d->request->in;
    const uint64_t sizes[] = {input_span(in, in->count), output_size(d, BIN_INDICES)};
    if (pipe_fits(&d->pipe, in->count, 2, sizes))
        return STATUS_DONE;
    return fail(STATUS_USAGE,
                "%s: it is too large; bin needs all data at once, here %llu bytes and %llu for "
                "indices, but '%s' has %llu",
                in->name, (unsigned long long)sizes[0], (unsigned long long)sizes[1],
                d->task->gpu.chosen.name, (unsigned long long)(d->task->gpu.chosen.memorySize / 2));
}

static int load(void *context, pipe_slot *slot)
{
    const bin_device *d = context;
    slot->buffers[DATA].used = input_span(&d->request->in, slot->count);
    for (int k = 0; k < BIN_OUTPUTS; k++)
        slot->buffers[k].used = output_size(d, (bin_output)k);
    return input_load(&d->request->in, 0, slot->count, pipe_map(slot, DATA));
}

static VkrBufferRange range_of(const pipe_slot *slot, bin_output k)
{
    return (VkrBufferRange){slot->buffers[k].device.buffer, 0, slot->buffers[k].used};
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    const bin_device *d = context;
    VkrBinInfo info = {.label = "vkreduce bin",
                       .keys = pipe_view(slot, DATA, &d->request->in, slot->count),
                       .count = slot->count,
                       .binCount = d->request->bins,
                       .counts = range_of(slot, BIN_COUNTS),
                       .offsets = range_of(slot, BIN_OFFSETS)};
    info.gpuCount = pipe_count(&d->pipe, &info.count);
    if (output_size(d, BIN_INDICES) > 0)
        info.indices = (VkrView){.buffer = slot->buffers[BIN_INDICES].device.buffer,
                                 .size = slot->buffers[BIN_INDICES].used,
                                 .type = VKR_TYPE_U32,
                                 .components = 1};
    return vkrCmdBin(slot->recorder, &info);
}

static int store(void *context, pipe_slot *slot)
{
    const bin_device *d = context;
    for (int k = 0; k < BIN_OUTPUTS; k++)
        if (slot->buffers[k].used > 0)
            memcpy(d->results->values[k], pipe_map(slot, (uint32_t)k),
                   (size_t)slot->buffers[k].used);
    const uint64_t total = bin_total(d->request, d->results);
    return total <= slot->count
               ? STATUS_DONE
               : fail(STATUS_VULKAN, "the device reports %llu elements in bins, of %llu",
                      (unsigned long long)total, (unsigned long long)slot->count);
}

static int run(bin_device *d)
{
    const input *in = &d->request->in;
    pipe *p = &d->pipe;
    const int status = check_size(d);
    if (status != STATUS_DONE)
        return status;
    p->sizes[DATA] = input_span(in, in->count) + 1;
    for (int k = 0; k < BIN_OUTPUTS; k++) {
        p->sizes[k] = output_size(d, (bin_output)k);
        p->downloads[k] = true;
    }
    return pipe_run(p, "binning", input_span(in, in->count));
}

int bin_execute(job *j)
{
    bin_device d = {
        .task = &j->task,
        .request = j->request,
        .results = j->results,
        .pipe = {
            .task = &j->task, .context = &d, .load = load, .collect = collect, .store = store}};
    const int status = run(&d);
    pipe_close(&d.pipe);
    return status;
}
