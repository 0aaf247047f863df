/* SPDX-License-Identifier: MIT */
/* An expansion on the device, of all data at once. */
#include <string.h>
#include "commands/expand/expand.h"
#include "device/pipe.h"
#include "status.h"

enum { DATA = EXPAND_OUTPUTS, TOTAL }; /* buffers after the outputs */

typedef struct expand_device {
    task *task;
    const expand_request *request;
    expand_results *results;
    pipe pipe;
    payload_memory payloads;
} expand_device;

static uint64_t output_size(const expand_device *d, expand_output k)
{
    return d->results->outs[k].name != NULL ? d->request->stored * sizeof(uint32_t) : 0;
}

/* The bytes of `count` entries of a payload. */
static uint64_t payload_bytes(const expand_device *d, uint32_t i, uint64_t count)
{
    return count * payload_size(&d->results->payloads.list[i]);
}

static int check_size(expand_device *d)
{
    const expand_request *r = d->request;
    const VkrHostDevice *device = &d->task->gpu.chosen;
    uint64_t before = 0, after = 0;
    for (uint32_t i = 0; i < d->results->payloads.count; i++) {
        before += payload_bytes(d, i, r->in.count);
        after += payload_bytes(d, i, r->stored);
    }
    const uint64_t sizes[] = {r->in.count * sizeof(uint32_t), output_size(d, EXPAND_SOURCES),
                              output_size(d, EXPAND_RANKS), before, after};
    if (pipe_fits(&d->pipe, r->in.count, 5, sizes))
        return STATUS_DONE;
    return fail(STATUS_USAGE,
                "%s: it is too large; expand needs all data at once, here %llu bytes and %llu for "
                "results, but '%s' has %llu, and %llu for one of them",
                r->in.name, (unsigned long long)(sizes[0] + before),
                (unsigned long long)(sizes[1] + sizes[2] + after), device->name,
                (unsigned long long)(device->memorySize / 2),
                (unsigned long long)device->maxBufferSize);
}

static int load(void *context, pipe_slot *slot)
{
    const expand_device *d = context;
    slot->buffers[DATA].used = slot->count * sizeof(uint32_t);
    slot->buffers[TOTAL].used = sizeof(uint64_t);
    for (int k = 0; k < EXPAND_OUTPUTS; k++)
        slot->buffers[k].used = output_size(d, (expand_output)k);
    memcpy(pipe_map(slot, DATA), d->request->counts, (size_t)slot->buffers[DATA].used);
    return STATUS_DONE;
}

static VkrView words_of(const pipe_slot *slot, uint32_t buffer)
{
    return (VkrView){.buffer = slot->buffers[buffer].device.buffer,
                     .size = slot->buffers[buffer].used,
                     .type = VKR_TYPE_U32,
                     .components = 1};
}

/* An output that is not requested has no view. */
static VkrView view_of(const pipe_slot *slot, uint32_t buffer)
{
    return slot->buffers[buffer].used != 0 ? words_of(slot, buffer) : (VkrView){0};
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    const expand_device *d = context;
    const VkrCountOutput total = {VKR_COUNT_KEPT64, slot->buffers[TOTAL].device.buffer, 0, 0};
    VkrExpandInfo info = {.label = "vkreduce expand",
                          .counts = words_of(slot, DATA),
                          .count = slot->count,
                          .countOutputCount = 1,
                          .countOutputs = &total};
    info.gpuCount = pipe_count(&d->pipe, &info.count);
    if (d->request->stored != 0) {
        info.sources = view_of(slot, EXPAND_SOURCES);
        info.ranks = view_of(slot, EXPAND_RANKS);
        info.payloadCount = d->results->payloads.count;
    }
    info.payloads = info.payloadCount > 0 ? d->payloads.moved : NULL;
    return vkrCmdExpand(slot->recorder, &info);
}

static int store(void *context, pipe_slot *slot)
{
    const expand_device *d = context;
    uint64_t total;
    int status = STATUS_DONE;
    memcpy(&total, pipe_map(slot, TOTAL), sizeof total);
    if (total != d->request->total)
        return fail(STATUS_VULKAN, "the device reports %llu outputs, of %llu",
                    (unsigned long long)total, (unsigned long long)d->request->total);
    for (int k = 0; k < EXPAND_OUTPUTS && status == STATUS_DONE; k++)
        if (slot->buffers[k].used > 0)
            status = output_write(&d->results->outs[k], 0, pipe_map(slot, (uint32_t)k),
                                  slot->buffers[k].used);
    return status == STATUS_DONE ? payloads_store(&d->results->payloads, &d->payloads) : status;
}

static int upload(void *context)
{
    const expand_device *d = context;
    return payloads_upload(&d->results->payloads, d->task->gpu.host, &d->payloads);
}

static int run(expand_device *d)
{
    const expand_request *r = d->request;
    pipe *p = &d->pipe;
    int status = check_size(d);
    if (status == STATUS_DONE)
        status = payloads_alloc(&d->results->payloads, d->task->gpu.host, r->in.count, r->stored,
                                &d->payloads);
    if (status != STATUS_DONE)
        return status;
    p->sizes[DATA] = r->in.count * sizeof(uint32_t) + 1;
    p->sizes[TOTAL] = sizeof(uint64_t);
    p->downloads[TOTAL] = true;
    for (int k = 0; k < EXPAND_OUTPUTS; k++) {
        p->sizes[k] = output_size(d, (expand_output)k);
        p->downloads[k] = true;
    }
    return pipe_run(p, "expanding", r->in.count * sizeof(uint32_t));
}

int expand_execute(job *j)
{
    expand_device d = {.task = &j->task,
                       .request = j->request,
                       .results = j->results,
                       .pipe = {.task = &j->task,
                                .context = &d,
                                .load = load,
                                .collect = collect,
                                .store = store,
                                .upload = upload}};
    const int status = run(&d);
    pipe_close(&d.pipe);
    payloads_free(j->task.gpu.host, &d.payloads);
    return status;
}
