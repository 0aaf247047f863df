/* SPDX-License-Identifier: MIT */
/* A selection by ranks on the device, of all data at once: each digit of the keys needs all of
 * them. */
#include <string.h>
#include "commands/select/select.h"
#include "device/pipe.h"
#include "status.h"

enum { DATA, VALUES, INDICES, OFFSETS }; /* buffers */

typedef struct select_device {
    task *task;
    const select_request *request;
    select_results *results;
    pipe pipe;
} select_device;

/* Checks that all data fits the device. */
static int check_size(select_device *d)
{
    const select_request *r = d->request;
    const VkrHostDevice *device = &d->task->gpu.chosen;
    const uint64_t entries = select_entries(r);
    const uint64_t sizes[] = {input_span(&r->in, r->in.count), entries * vkrTypeSize(r->in.type),
                              entries * sizeof(uint32_t),
                              r->starts != NULL ? (r->rows + 1) * sizeof *r->starts : 0};
    if (r->in.count > UINT32_MAX)
        return fail(STATUS_USAGE, "%s has %llu elements, but may have at most %u", r->in.name,
                    (unsigned long long)r->in.count, UINT32_MAX);
    if (pipe_fits(&d->pipe, r->in.count, 4, sizes))
        return STATUS_DONE;
    return fail(STATUS_USAGE,
                "%s: it is too large; a selection by ranks needs all data at once, here %llu bytes "
                "and %llu for results, but '%s' has %llu, and %llu for one of them",
                r->in.name, (unsigned long long)sizes[0], (unsigned long long)(sizes[1] + sizes[2]),
                device->name, (unsigned long long)(device->memorySize / 2),
                (unsigned long long)device->maxBufferSize);
}

static int load(void *context, pipe_slot *slot)
{
    const select_device *d = context;
    const select_request *r = d->request;
    slot->buffers[DATA].used = input_span(&r->in, slot->count);
    slot->buffers[VALUES].used = select_entries(r) * vkrTypeSize(r->in.type);
    slot->buffers[INDICES].used = select_entries(r) * sizeof(uint32_t);
    if (r->starts != NULL) {
        slot->buffers[OFFSETS].used = (r->rows + 1) * sizeof *r->starts;
        memcpy(pipe_map(slot, OFFSETS), r->starts, (size_t)slot->buffers[OFFSETS].used);
    }
    return input_load(&r->in, 0, slot->count, pipe_map(slot, DATA));
}

static VkrView view_of(const pipe_slot *slot, uint32_t buffer, VkrType type)
{
    return (VkrView){.buffer = slot->buffers[buffer].device.buffer,
                     .size = slot->buffers[buffer].used,
                     .type = type,
                     .components = 1};
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    const select_device *d = context;
    const select_request *r = d->request;
    VkrSelectInfo info = {.label = "vkreduce select",
                          .flags =
                              (r->opts->descending ? (uint32_t)VKR_SELECT_DESCENDING_BIT : 0u) |
                              (r->opts->nan_first ? (uint32_t)VKR_SELECT_NAN_FIRST_BIT : 0u),
                          .input = pipe_view(slot, DATA, &r->in, slot->count),
                          .count = slot->count,
                          .rankCount = r->ranks.count,
                          .ranks = r->ranks.are_shares ? NULL : r->ranks.ranks,
                          .shares = r->ranks.are_shares ? r->ranks.shares : NULL,
                          .values = view_of(slot, VALUES, r->in.type),
                          .indices = view_of(slot, INDICES, VKR_TYPE_U32)};
    info.gpuCount = pipe_count(&d->pipe, &info.count);
    if (r->segments.kind == VKR_SEGMENTS_ROWS)
        info.segments =
            (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = r->row, .pitch = r->pitch};
    if (r->starts != NULL)
        info.segments = (VkrSegments){.kind = VKR_SEGMENTS_OFFSETS,
                                      .offsetType = VKR_TYPE_U64,
                                      .offsets = {.buffer = slot->buffers[OFFSETS].device.buffer,
                                                  .size = slot->buffers[OFFSETS].used}};
    return vkrCmdSelect(slot->recorder, &info);
}

static int store(void *context, pipe_slot *slot)
{
    const select_device *d = context;
    memcpy(d->results->values, pipe_map(slot, VALUES), (size_t)slot->buffers[VALUES].used);
    memcpy(d->results->indices, pipe_map(slot, INDICES), (size_t)slot->buffers[INDICES].used);
    return STATUS_DONE;
}

int select_execute(job *j)
{
    const select_request *r = j->request;
    select_device d = {
        .task = &j->task,
        .request = r,
        .results = j->results,
        .pipe = {
            .task = &j->task, .context = &d, .load = load, .collect = collect, .store = store}};
    pipe *p = &d.pipe;
    int status = check_size(&d);
    if (status == STATUS_DONE) {
        p->sizes[DATA] = input_span(&r->in, r->in.count) + 1;
        p->sizes[VALUES] = select_entries(r) * vkrTypeSize(r->in.type) + 1;
        p->sizes[INDICES] = select_entries(r) * sizeof(uint32_t) + 1;
        if (r->starts != NULL)
            p->sizes[OFFSETS] = (r->rows + 1) * sizeof *r->starts;
        p->downloads[VALUES] = p->downloads[INDICES] = true;
        status = pipe_run(p, "selecting", input_span(&r->in, r->in.count));
    }
    pipe_close(p);
    return status;
}
