/* SPDX-License-Identifier: MIT */
/* A merge on the device, of all data at once. */
#include <string.h>
#include "commands/merge/merge.h"
#include "device/pipe.h"
#include "status.h"

enum { DATA = MERGE_OUTPUTS }; /* buffers of the two inputs, after the outputs */

typedef struct merge_device {
    task *task;
    const merge_request *request;
    merge_results *results;
    VkrHostMemory counts; /* of both inputs; only with --count-on-gpu */
    pipe pipe;
    payload_memory payloads;
    VkrMergePayload moved[MAX_TEXTS];
} merge_device;

static uint64_t span_of(const merge_device *d, uint32_t side)
{
    return input_span(&d->request->in[side], d->request->in[side].count);
}

/* The size in bytes of an output; 0 if it is not requested. */
static uint64_t output_size(const merge_device *d, merge_output k)
{
    return d->results->outs[k].name != NULL
               ? d->request->count * vkrTypeSize(merge_entry_type(d->request, k))
               : 0;
}

static int check_size(merge_device *d)
{
    const merge_request *r = d->request;
    const VkrHostDevice *device = &d->task->gpu.chosen;
    uint64_t moved = 0;
    for (uint32_t i = 0; i < d->results->payloads.count; i++)
        moved += r->count * payload_size(&d->results->payloads.list[i]);
    const uint64_t sizes[] = {span_of(d, MERGE_A),
                              span_of(d, MERGE_B),
                              output_size(d, MERGE_KEYS),
                              output_size(d, MERGE_INDICES),
                              moved,
                              moved};
    if (pipe_fits(&d->pipe, r->count, 6, sizes))
        return STATUS_DONE;
    return fail(
        STATUS_USAGE,
        "%s and %s: they are too large; a merge needs all data at once, here %llu bytes and "
        "%llu for results, but '%s' has %llu, and %llu for one of them",
        r->in[MERGE_A].name, r->in[MERGE_B].name, (unsigned long long)(sizes[0] + sizes[1] + moved),
        (unsigned long long)(sizes[2] + sizes[3] + moved), device->name,
        (unsigned long long)(device->memorySize / 2), (unsigned long long)device->maxBufferSize);
}

static int load(void *context, pipe_slot *slot)
{
    const merge_device *d = context;
    int status = STATUS_DONE;
    for (int k = 0; k < MERGE_OUTPUTS; k++)
        slot->buffers[k].used = output_size(d, (merge_output)k);
    for (uint32_t i = 0; i < MERGE_INPUTS && status == STATUS_DONE; i++) {
        const input *in = &d->request->in[i];
        slot->buffers[DATA + i].used = span_of(d, i);
        status = input_load(in, 0, in->count, pipe_map(slot, DATA + i));
    }
    return status;
}

static VkrView view_of(const merge_device *d, const pipe_slot *slot, merge_output k)
{
    if (d->results->outs[k].name == NULL || d->request->count == 0)
        return (VkrView){0};
    return (VkrView){.buffer = slot->buffers[k].device.buffer,
                     .size = slot->buffers[k].used,
                     .type = merge_entry_type(d->request, k),
                     .components = 1};
}

static VkrMergeInput side_of(const merge_device *d, const pipe_slot *slot, uint32_t side)
{
    const input *in = &d->request->in[side];
    VkrMergeInput given = {.keys = pipe_view(slot, DATA + side, in, in->count), .count = in->count};
    if (d->counts.buffer != VK_NULL_HANDLE)
        given.gpuCount = (VkrGpuCount){d->counts.buffer, side * sizeof(uint64_t), VKR_TYPE_U64};
    return given;
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    const merge_device *d = context;
    const merge_options *opts = d->request->opts;
    const VkrMergeInfo info = {.label = "vkreduce merge",
                               .flags = (opts->descending ? VKR_MERGE_DESCENDING_BIT : 0u) |
                                        (opts->nan_first ? VKR_MERGE_NAN_FIRST_BIT : 0u) |
                                        (opts->by_value ? VKR_MERGE_BY_VALUE_BIT : 0u),
                               .a = side_of(d, slot, MERGE_A),
                               .b = side_of(d, slot, MERGE_B),
                               .merged = view_of(d, slot, MERGE_KEYS),
                               .indices = view_of(d, slot, MERGE_INDICES),
                               .payloadCount = d->results->payloads.count,
                               .payloads = d->results->payloads.count > 0 ? d->moved : NULL};
    return d->request->count != 0 ? vkrCmdMerge(slot->recorder, &info) : VKR_SUCCESS;
}

static int store(void *context, pipe_slot *slot)
{
    const merge_device *d = context;
    int status = STATUS_DONE;
    for (int k = 0; k < MERGE_OUTPUTS && status == STATUS_DONE; k++)
        if (slot->buffers[k].used > 0)
            status = output_write(&d->results->outs[k], 0, pipe_map(slot, (uint32_t)k),
                                  slot->buffers[k].used);
    return status == STATUS_DONE ? payloads_store(&d->results->payloads, &d->payloads) : status;
}

static int upload(void *context)
{
    const merge_device *d = context;
    return payloads_upload(&d->results->payloads, d->task->gpu.host, &d->payloads);
}

/* ---- Memory ---- */

/* Entries of B follow those of A. */
static int alloc_payloads(merge_device *d)
{
    const merge_request *r = d->request;
    const int status =
        payloads_alloc(&d->results->payloads, d->task->gpu.host, r->count, r->count, &d->payloads);
    for (uint32_t i = 0; i < d->results->payloads.count && status == STATUS_DONE; i++) {
        const VkrPayload *p = &d->payloads.moved[i];
        const uint64_t of_a = r->in[MERGE_A].count * p->size;
        d->moved[i] =
            (VkrMergePayload){.size = p->size,
                              .a = {p->source.buffer, 0, of_a},
                              .b = {p->source.buffer, of_a, r->in[MERGE_B].count * p->size},
                              .target = p->target};
    }
    return status;
}

static int alloc_counts(merge_device *d)
{
    const uint64_t counts[MERGE_INPUTS] = {d->request->in[MERGE_A].count,
                                           d->request->in[MERGE_B].count};
    if (!d->task->opts->count_on_gpu)
        return STATUS_DONE;
    const int status = gpu_status(
        vkrHostAlloc(d->task->gpu.host, sizeof counts, VKR_HOST_MEMORY_UPLOAD, &d->counts));
    if (status == STATUS_DONE)
        memcpy(d->counts.data, counts, sizeof counts);
    return status;
}

static int run(merge_device *d)
{
    pipe *p = &d->pipe;
    int status = check_size(d);
    if (status == STATUS_DONE)
        status = alloc_payloads(d);
    if (status == STATUS_DONE)
        status = alloc_counts(d);
    if (status != STATUS_DONE)
        return status;
    for (uint32_t i = 0; i < MERGE_INPUTS; i++)
        p->sizes[DATA + i] = span_of(d, i) + 1;
    for (int k = 0; k < MERGE_OUTPUTS; k++)
        if (d->results->outs[k].name != NULL) {
            p->sizes[k] = output_size(d, (merge_output)k) + 1;
            p->downloads[k] = true;
        }
    return pipe_run(p, "merging", span_of(d, MERGE_A) + span_of(d, MERGE_B));
}

int merge_execute(job *j)
{
    merge_device d = {.task = &j->task,
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
    vkrHostFree(j->task.gpu.host, &d.counts);
    return status;
}
