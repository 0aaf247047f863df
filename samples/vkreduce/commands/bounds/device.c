/* SPDX-License-Identifier: MIT */
/* A search on the device, which holds all sorted data; values go through it in chunks if there are
 * many. */
#include <string.h>
#include "commands/bounds/bounds.h"
#include "device/pipe.h"
#include "status.h"

enum { DATA, OUT };   /* buffers of a chunk */
enum { UNIT = 1024 }; /* values; chunk sizes are multiples of it */

typedef struct bounds_device {
    task *task;
    const bounds_request *request;
    bounds_results *results;
    VkrHostMemory sorted, sorted_count; /* the second only with --count-on-gpu */
    bool uploaded;
    pipe pipe;
} bounds_device;

static const input *sorted_input(const bounds_device *d)
{
    return &d->request->in[BOUNDS_SORTED];
}

static const input *values_input(const bounds_device *d)
{
    return &d->request->in[BOUNDS_VALUES];
}

static uint64_t position_size(const bounds_device *d)
{
    return vkrTypeSize(d->request->position);
}

/* The sorted data may use half of the memory that data may use at all. */
static int check_sorted(const bounds_device *d)
{
    const VkrHostDevice *device = &d->task->gpu.chosen;
    const uint64_t most = least(device->memorySize / 4, device->maxBufferSize);
    return sorted_input(d)->size <= most
               ? STATUS_DONE
               : fail(STATUS_USAGE,
                      "%s: it is too large; SORTED has %llu bytes, but may have at most %llu on "
                      "'%s'",
                      sorted_input(d)->name, (unsigned long long)sorted_input(d)->size,
                      (unsigned long long)most, device->name);
}

static int cut(bounds_device *d)
{
    const input *in = values_input(d);
    const uint64_t pitch = input_pitch(in);
    const uint64_t sizes[] = {sorted_input(d)->size, input_span(in, in->count),
                              in->count * position_size(d)};
    if (pipe_fits(&d->pipe, in->count, 3, sizes))
        return STATUS_DONE;
    return task_cut(d->task, in->count, pitch, pitch + position_size(d), UNIT, &d->pipe.chunk);
}

static int load(void *context, pipe_slot *slot)
{
    const bounds_device *d = context;
    slot->buffers[DATA].used = input_span(values_input(d), slot->count);
    slot->buffers[OUT].used = slot->count * position_size(d);
    return input_load(values_input(d), slot->first, slot->count, pipe_map(slot, DATA));
}

static int upload(void *context)
{
    bounds_device *d = context;
    const bool first = !d->uploaded;
    d->uploaded = true;
    return first ? gpu_upload(d->task->gpu.host, &d->sorted, sorted_input(d)) : STATUS_DONE;
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    const bounds_device *d = context;
    const input *in = sorted_input(d);
    const VkrView positions = {.buffer = slot->buffers[OUT].device.buffer,
                               .size = slot->buffers[OUT].used,
                               .type = d->request->position,
                               .components = 1};
    VkrBoundsInfo info = d->request->info;
    if (slot->count == 0)
        return VKR_SUCCESS;
    info.sorted = (VkrView){.buffer = d->sorted.buffer,
                            .offset = in->offset,
                            .size = in->size - in->offset,
                            .type = in->type,
                            .components = 1,
                            .stride = in->stride,
                            .texels = d->sorted.texels};
    info.count = in->count;
    if (d->sorted_count.buffer != VK_NULL_HANDLE)
        info.gpuCount = (VkrGpuCount){.buffer = d->sorted_count.buffer, .type = VKR_TYPE_U64};
    info.values = pipe_view(slot, DATA, values_input(d), slot->count);
    info.valueCount = slot->count;
    info.gpuValueCount = pipe_count(&d->pipe, &info.valueCount);
    *(d->request->upper ? &info.upper : &info.lower) = positions;
    return vkrCmdBounds(slot->recorder, &info);
}

static int store(void *context, pipe_slot *slot)
{
    const bounds_device *d = context;
    return output_write(&d->results->out, slot->first * position_size(d), pipe_map(slot, OUT),
                        slot->buffers[OUT].used);
}

static int create_sorted(bounds_device *d)
{
    const gpu *g = &d->task->gpu;
    const uint64_t count = sorted_input(d)->count;
    int status = gpu_status(
        vkrHostAlloc(g->host, sorted_input(d)->size + 1, VKR_HOST_MEMORY_DEVICE, &d->sorted));
    if (status != STATUS_DONE || !d->task->opts->count_on_gpu)
        return status;
    status =
        gpu_status(vkrHostAlloc(g->host, sizeof count, VKR_HOST_MEMORY_UPLOAD, &d->sorted_count));
    if (status == STATUS_DONE)
        memcpy(d->sorted_count.data, &count, sizeof count);
    return status;
}

static int run(bounds_device *d)
{
    const input *in = values_input(d);
    pipe *p = &d->pipe;
    int status = check_sorted(d);
    if (status == STATUS_DONE)
        status = cut(d);
    if (status == STATUS_DONE)
        status = create_sorted(d);
    if (status != STATUS_DONE)
        return status;
    p->sizes[DATA] = input_span(in, p->chunk) + 1;
    p->sizes[OUT] = p->chunk * position_size(d) + 1;
    p->downloads[OUT] = true;
    return pipe_run(p, "searching", sorted_input(d)->size + input_span(in, in->count));
}

int bounds_execute(job *j)
{
    bounds_device d = {.task = &j->task,
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
    vkrHostFree(j->task.gpu.host, &d.sorted);
    vkrHostFree(j->task.gpu.host, &d.sorted_count);
    return status;
}
