/* SPDX-License-Identifier: MIT */
/* A search on the device. Data that does not fit it goes through in chunks, of which the first one
 * that has an element that passes decides. */
#include <string.h>
#include "commands/find/find.h"
#include "device/pipe.h"
#include "input/flags.h"
#include "status.h"

enum { DATA, FLAGS, INDEX }; /* buffers of a chunk */
enum { UNIT = 1024 };        /* elements; chunk sizes are multiples of it */

typedef struct find_device {
    task *task;
    const find_request *request;
    find_results *results;
    pipe pipe;
} find_device;

static bool has_flags(const find_device *d)
{
    return d->request->flags.name != NULL;
}

static int cut(find_device *d)
{
    const input *in = &d->request->in;
    const uint64_t sizes[] = {input_span(in, in->count)}, pitch = input_pitch(in);
    if (pipe_fits(&d->pipe, in->count, 1, sizes))
        return STATUS_DONE;
    return task_cut(d->task, in->count, pitch, pitch, UNIT, &d->pipe.chunk);
}

/* The number of elements of a chunk, with the one that it shares with the chunk before. */
static uint64_t element_count(const find_device *d, const pipe_slot *slot)
{
    return slot->count + find_overlaps(d->request, slot->first);
}

static int load(void *context, pipe_slot *slot)
{
    const find_device *d = context;
    const find_request *r = d->request;
    const uint64_t count = element_count(d, slot), first = slot->first + slot->count - count;
    slot->buffers[DATA].used = input_span(&r->in, count);
    slot->buffers[FLAGS].used = has_flags(d) ? flag_bytes(count) : 0;
    slot->buffers[INDEX].used = sizeof(uint64_t);
    int status = input_load(&r->in, first, count, pipe_map(slot, DATA));
    if (status == STATUS_DONE && has_flags(d))
        status = flags_load(&r->flags, first, count, pipe_map(slot, FLAGS));
    return status;
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    const find_device *d = context;
    const pipe_buffer *flags = &slot->buffers[FLAGS];
    VkrFindInfo info = {.label = "vkreduce find",
                        .predicate = d->request->predicate,
                        .index = {slot->buffers[INDEX].device.buffer, 0, sizeof(uint64_t)}};
    info.count = element_count(d, slot);
    info.input = pipe_view(slot, DATA, &d->request->in, info.count);
    info.gpuCount = pipe_count(&d->pipe, &info.count);
    if (has_flags(d))
        info.predicate.flags = (VkrFlagView){.format = VKR_FLAGS_BITS,
                                             .range = {flags->device.buffer, 0, flags->used}};
    return vkrCmdFind(slot->recorder, &info);
}

static int store(void *context, pipe_slot *slot)
{
    find_device *d = context;
    const uint64_t count = element_count(d, slot);
    const bool is_wide = count >= UINT64_C(1) << 32;
    uint64_t index = 0;
    memcpy(&index, pipe_map(slot, INDEX), is_wide ? sizeof(uint64_t) : sizeof(uint32_t));
    if (index == (is_wide ? UINT64_MAX : UINT32_MAX) || d->results->index != NOT_FOUND)
        return STATUS_DONE;
    if (index >= count)
        return fail(STATUS_VULKAN, "the device reports element %llu of %llu",
                    (unsigned long long)index, (unsigned long long)count);
    d->results->index = slot->first + slot->count - count + index;
    return STATUS_DONE;
}

static int run(find_device *d)
{
    const input *in = &d->request->in;
    pipe *p = &d->pipe;
    const int status = cut(d);
    if (status != STATUS_DONE)
        return status;
    p->sizes[DATA] = input_span(in, p->chunk + 1) + 1;
    p->sizes[FLAGS] = has_flags(d) ? flag_bytes(p->chunk) + 1 : 0;
    p->sizes[INDEX] = sizeof(uint64_t);
    p->downloads[INDEX] = true;
    return pipe_run(p, "searching", input_span(in, in->count) + d->request->flags.size);
}

int find_execute(job *j)
{
    find_device d = {
        .task = &j->task,
        .request = j->request,
        .results = j->results,
        .pipe = {
            .task = &j->task, .context = &d, .load = load, .collect = collect, .store = store}};
    const int status = run(&d);
    pipe_close(&d.pipe);
    return status;
}
