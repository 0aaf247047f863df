/* SPDX-License-Identifier: MIT */
/* The work on the device, of all data at once: each result depends on all of its segment. */
#include "commands/apply/apply.h"
#include "device/pipe.h"
#include "status.h"

enum { DATA, OFFSETS, OUT }; /* buffers */

typedef struct apply_device {
    task *task;
    const apply_request *request;
    apply_results *results;
    pipe pipe;
} apply_device;

static uint64_t out_size(const apply_device *d)
{
    return d->request->in.count * vkrTypeSize(d->request->in.type);
}

static uint64_t offsets_size(const apply_device *d)
{
    const segments *s = &d->request->segments;
    return s->kind == VKR_SEGMENTS_OFFSETS ? s->file.count * vkrTypeSize(s->file.type) : 0;
}

static int check_size(apply_device *d)
{
    const input *in = &d->request->in;
    const VkrHostDevice *device = &d->task->gpu.chosen;
    const uint64_t sizes[] = {input_span(in, in->count), out_size(d), offsets_size(d)};
    if (in->count > UINT32_MAX)
        return fail(STATUS_USAGE, "%s has %llu elements, but may have at most %u", in->name,
                    (unsigned long long)in->count, UINT32_MAX);
    if (in->count == 0 || pipe_fits(&d->pipe, in->count, 3, sizes))
        return STATUS_DONE;
    return fail(STATUS_USAGE,
                "%s: it is too large; apply needs all data at once, here %llu bytes and %llu for "
                "results, but '%s' has %llu, and %llu for one of them",
                in->name, (unsigned long long)sizes[0], (unsigned long long)sizes[1], device->name,
                (unsigned long long)(device->memorySize / 2),
                (unsigned long long)device->maxBufferSize);
}

static int load(void *context, pipe_slot *slot)
{
    const apply_device *d = context;
    const apply_request *r = d->request;
    slot->buffers[DATA].used = input_span(&r->in, slot->count);
    slot->buffers[OFFSETS].used = offsets_size(d);
    slot->buffers[OUT].used = out_size(d);
    int status = input_load(&r->in, 0, slot->count, pipe_map(slot, DATA));
    if (status == STATUS_DONE && offsets_size(d) != 0)
        status = input_load(&r->segments.file, 0, r->segments.file.count, pipe_map(slot, OFFSETS));
    return status;
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    const apply_device *d = context;
    const apply_request *r = d->request;
    const segments *s = &r->segments;
    VkrApplyInfo info = {.label = "vkreduce apply",
                         .function = r->function,
                         .input = pipe_view(slot, DATA, &r->in, slot->count),
                         .count = slot->count,
                         .segments = {.kind = s->kind},
                         .output = {.buffer = slot->buffers[OUT].device.buffer,
                                    .size = slot->buffers[OUT].used,
                                    .type = r->in.type,
                                    .components = 1}};
    info.gpuCount = pipe_count(&d->pipe, &info.count);
    if (s->kind == VKR_SEGMENTS_ROWS)
        info.segments.length = s->length;
    if (s->kind == VKR_SEGMENTS_OFFSETS) {
        info.segments.offsets = (VkrBufferRange){.buffer = slot->buffers[OFFSETS].device.buffer,
                                                 .size = slot->buffers[OFFSETS].used};
        info.segments.offsetType = vkrTypeSize(s->file.type) == 8 ? VKR_TYPE_U64 : VKR_TYPE_U32;
    }
    return slot->count != 0 ? vkrCmdApply(slot->recorder, &info) : VKR_SUCCESS;
}

static int store(void *context, pipe_slot *slot)
{
    const apply_device *d = context;
    return output_write(&d->results->out, 0, pipe_map(slot, OUT), slot->buffers[OUT].used);
}

int apply_execute(job *j)
{
    const apply_request *r = j->request;
    apply_device d = {
        .task = &j->task,
        .request = r,
        .results = j->results,
        .pipe = {
            .task = &j->task, .context = &d, .load = load, .collect = collect, .store = store}};
    pipe *p = &d.pipe;
    int status = check_size(&d);
    if (status == STATUS_DONE) {
        p->sizes[DATA] = input_span(&r->in, r->in.count) + 1;
        p->sizes[OFFSETS] = offsets_size(&d) + 1;
        p->sizes[OUT] = out_size(&d) + 1;
        p->downloads[OUT] = true;
        status = pipe_run(p, "computing", input_span(&r->in, r->in.count));
    }
    pipe_close(p);
    return status;
}
