/* SPDX-License-Identifier: MIT */
/* A sort on the device, of all data at once, or else of chunks (chunks.h). */
#include "commands/sort/sort.h"
#include "device/pipe.h"
#include "status.h"

enum { DATA = SORT_OUTPUTS, OFFSETS }; /* buffers, after the outputs */

typedef struct sort_device {
    task *task;
    const sort_request *request;
    sort_results *results;
    pipe pipe;
    payload_memory payloads;
    VkrHostMemory then[VKR_MAX_SORT_THEN];
} sort_device;

/* The size in bytes of an output; 0 if it is not requested. */
static uint64_t output_size(const sort_device *d, sort_output k)
{
    return d->results->outs[k].name != NULL ? d->request->in.count * sort_entry_size(d->request, k)
                                            : 0;
}

static uint64_t offsets_size(const sort_device *d)
{
    return d->request->segments.file.count * vkrTypeSize(d->request->segments.file.type);
}

/* The size in bytes of a payload, as it is and as it is moved. */
static uint64_t payload_bytes(const sort_device *d, uint32_t i)
{
    return d->request->in.count * payload_size(&d->results->payloads.list[i]);
}

/* Why chunks cannot take the place of a sort of all data at once; NULL: they can. */
static const char *whole_of(const sort_device *d)
{
    return d->request->segments.kind != VKR_SEGMENTS_NONE ? "in segments"
           : d->request->then_count != 0                  ? "with --then"
                                                          : NULL;
}

/* Checks that the device can move each payload at once. Otherwise chunks do, if they can. */
static int check_payloads(const sort_device *d, bool *is_whole)
{
    const VkrHostDevice *device = &d->task->gpu.chosen;
    const uint64_t range = d->task->gpu.limits.maxStorageBufferRange;
    for (uint32_t i = 0; i < d->results->payloads.count; i++) {
        const bool fits = payload_bytes(d, i) <= range;
        *is_whole &= fits;
        if (!fits && whole_of(d) != NULL)
            return fail(STATUS_USAGE,
                        "%s: it is too large; it has %llu bytes, and '%s' moves payloads of at "
                        "most %llu; --indices tells where each entry goes",
                        d->results->payloads.list[i].name, (unsigned long long)payload_bytes(d, i),
                        device->name, (unsigned long long)range);
    }
    return STATUS_DONE;
}

/* Finds whether all data fits the device, as segments and keys after the first ones must. */
static int check_size(sort_device *d, bool *is_whole)
{
    const input *in = &d->request->in;
    uint64_t moved = 0;
    for (uint32_t i = 0; i < d->results->payloads.count; i++)
        moved += payload_bytes(d, i);
    const uint64_t sizes[] = {input_span(in, in->count),
                              output_size(d, SORT_VALUES),
                              output_size(d, SORT_INDICES),
                              offsets_size(d),
                              moved,
                              moved,
                              then_bytes(d->request)};
    *is_whole = pipe_fits(&d->pipe, in->count, 7, sizes) || in->count == 0;
    if (*is_whole)
        return check_payloads(d, is_whole);
    const char *whole = whole_of(d);
    if (whole == NULL)
        return STATUS_DONE;
    if (d->task->opts->chunk != 0)
        return fail(STATUS_USAGE, "--chunk: a sort %s needs all data at once; leave out --chunk",
                    whole);
    const VkrHostDevice *device = &d->task->gpu.chosen;
    return fail(STATUS_USAGE,
                "%s: it is too large; a sort %s needs all data at once, here %llu bytes and %llu "
                "for results, but '%s' has %llu, and %llu for one of them",
                in->name, whole, (unsigned long long)(sizes[0] + then_bytes(d->request)),
                (unsigned long long)(sizes[1] + sizes[2] + 2 * moved), device->name,
                (unsigned long long)(device->memorySize / 2),
                (unsigned long long)device->maxBufferSize);
}

static int load(void *context, pipe_slot *slot)
{
    const sort_device *d = context;
    const sort_request *r = d->request;
    slot->buffers[DATA].used = input_span(&r->in, slot->count);
    slot->buffers[OFFSETS].used = offsets_size(d);
    for (int k = 0; k < SORT_OUTPUTS; k++)
        slot->buffers[k].used = output_size(d, (sort_output)k);
    int status = input_load(&r->in, 0, slot->count, pipe_map(slot, DATA));
    if (status == STATUS_DONE && r->segments.kind == VKR_SEGMENTS_OFFSETS)
        status = input_load(&r->segments.file, 0, r->segments.file.count, pipe_map(slot, OFFSETS));
    return status;
}

static VkrView view_of(const sort_device *d, const pipe_slot *slot, sort_output k)
{
    if (d->results->outs[k].name == NULL)
        return (VkrView){0};
    return (VkrView){.buffer = slot->buffers[k].device.buffer,
                     .size = slot->buffers[k].used,
                     .type = sort_entry_type(d->request, k),
                     .components = 1};
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    const sort_device *d = context;
    const segments *s = &d->request->segments;
    VkrSortInfo info = d->request->info;
    VkrSortKey then[VKR_MAX_SORT_THEN];
    info.keys = pipe_view(slot, DATA, &d->request->in, slot->count);
    info.count = slot->count;
    info.gpuCount = pipe_count(&d->pipe, &info.count);
    /* Without an offset there is one segment. */
    if (s->kind != VKR_SEGMENTS_OFFSETS || s->file.count > 0)
        info.segments.kind = s->kind;
    info.segments.length = s->length;
    if (segments_lie_apart(s))
        info.segments.pitch = s->pitch;
    if (info.segments.kind == VKR_SEGMENTS_OFFSETS) {
        info.segments.offsets = (VkrBufferRange){.buffer = slot->buffers[OFFSETS].device.buffer,
                                                 .size = slot->buffers[OFFSETS].used};
        info.segments.offsetType = vkrTypeSize(s->file.type) == 8 ? VKR_TYPE_U64 : VKR_TYPE_U32;
    }
    then_describe(d->request, d->then, &info, then);
    info.sorted = view_of(d, slot, SORT_VALUES);
    info.indices = view_of(d, slot, SORT_INDICES);
    info.payloadCount = slot->count > 0 ? d->results->payloads.count : 0;
    if (info.payloadCount > 0)
        info.payloads = d->payloads.moved;
    if (slot->count == 0)
        return VKR_SUCCESS;
    return vkrCmdSort(slot->recorder, &info);
}

static int store(void *context, pipe_slot *slot)
{
    const sort_device *d = context;
    int status = STATUS_DONE;
    for (int k = 0; k < SORT_OUTPUTS && status == STATUS_DONE; k++)
        if (d->results->outs[k].name != NULL) {
            segments_clear(&d->request->segments, slot->count,
                           sort_entry_size(d->request, (sort_output)k),
                           pipe_map(slot, (uint32_t)k));
            status = output_write(&d->results->outs[k], 0, pipe_map(slot, (uint32_t)k),
                                  slot->buffers[k].used);
        }
    for (uint32_t i = 0; i < d->results->payloads.count; i++)
        segments_clear(&d->request->segments, slot->count, d->payloads.moved[i].size,
                       d->payloads.targets[i].data);
    return status == STATUS_DONE ? payloads_store(&d->results->payloads, &d->payloads) : status;
}

static int upload(void *context)
{
    sort_device *d = context;
    const int status = then_upload(d->request, d->task->gpu.host, d->then);
    return status == STATUS_DONE
               ? payloads_upload(&d->results->payloads, d->task->gpu.host, &d->payloads)
               : status;
}

static int run(sort_device *d)
{
    const input *in = &d->request->in;
    pipe *p = &d->pipe;
    int status = payloads_alloc(&d->results->payloads, d->task->gpu.host, d->request->in.count,
                                d->request->in.count, &d->payloads);
    if (status == STATUS_DONE)
        status = then_alloc(d->request, d->task->gpu.host, d->then);
    if (status != STATUS_DONE)
        return status;
    p->sizes[DATA] = input_span(in, in->count) + 1;
    p->sizes[OFFSETS] = d->request->segments.kind == VKR_SEGMENTS_OFFSETS ? offsets_size(d) + 1 : 0;
    for (int k = 0; k < SORT_OUTPUTS; k++)
        if (d->results->outs[k].name != NULL) {
            p->sizes[k] = output_size(d, (sort_output)k) + 1;
            p->downloads[k] = true;
        }
    return pipe_run(p, "sorting", input_span(in, in->count));
}

int sort_execute(job *j)
{
    sort_device d = {.task = &j->task,
                     .request = j->request,
                     .results = j->results,
                     .pipe = {.task = &j->task,
                              .context = &d,
                              .load = load,
                              .collect = collect,
                              .store = store,
                              .upload = upload}};
    bool is_whole = false;
    int status = check_size(&d, &is_whole);
    if (status == STATUS_DONE && !is_whole)
        return sort_in_chunks(j);
    if (status == STATUS_DONE)
        status = run(&d);
    pipe_close(&d.pipe);
    payloads_free(j->task.gpu.host, &d.payloads);
    then_free(j->task.gpu.host, d.then);
    return status;
}
