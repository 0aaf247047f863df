/* SPDX-License-Identifier: MIT */
/* A reduction of all data at once. */
#include <string.h>
#include "commands/reduce/device.h"
#include "progress.h"
#include "status.h"

/* Groups have what the function of --map has returned already. */
static bool is_evaluated(const reduction *d, uint32_t i)
{
    return d->request->segments.groups && d->request->sources[i].function != NULL;
}

const input *reduce_stored_input(const reduction *d, uint32_t i)
{
    const input *in = &d->request->in[i];
    return is_evaluated(d, i) ? in : texels_stored(&d->request->sources[i], in);
}

VkrView reduce_whole_view(const reduction *d, uint32_t i)
{
    const input *in = reduce_stored_input(d, i);
    const bool groups = d->request->segments.groups;
    const VkrHostMemory *data = groups ? &d->groups.moved[i] : &d->data[i];
    const VkrView stored = {.buffer = data->buffer,
                            .offset = in->offset,
                            .size = in->size - in->offset,
                            .type = in->type,
                            .components = in->components,
                            .stride = in->stride,
                            .texels = data->texels};
    return is_evaluated(d, i) ? stored : texels_view(&d->request->sources[i], stored);
}

static int create_data(reduction *d)
{
    const gpu *g = &d->task->gpu;
    const segments *s = &d->request->segments;
    const uint64_t segment_count = d->results->layout.segments;
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < d->request->input_count && status == STATUS_DONE; i++)
        if (!d->request->sources[i].is_image)
            status = gpu_status(vkrHostAlloc(g->host, reduce_stored_input(d, i)->size,
                                             VKR_HOST_MEMORY_DEVICE, &d->data[i]));
    if (status == STATUS_DONE && (s->kind == VKR_SEGMENTS_OFFSETS || s->kind == VKR_SEGMENTS_KEYS))
        status =
            gpu_status(vkrHostAlloc(g->host, s->file.size, VKR_HOST_MEMORY_DEVICE, &d->offsets));
    if (status == STATUS_DONE && s->groups)
        status = grouping_create(&d->groups, d->task, s);
    if (status == STATUS_DONE && d->task->opts->count_on_gpu)
        status = gpu_status(
            vkrHostAlloc(g->host, sizeof segment_count, VKR_HOST_MEMORY_UPLOAD, &d->segment_count));
    if (status == STATUS_DONE && d->task->opts->count_on_gpu)
        memcpy(d->segment_count.data, &segment_count, sizeof segment_count);
    for (uint32_t i = 0; i < d->request->input_count && status == STATUS_DONE; i++)
        if (d->request->sources[i].is_image)
            status = texels_upload(g, &d->request->sources[i]);
    return status;
}

static int upload(void *context)
{
    const reduction *d = context;
    const gpu *g = &d->task->gpu;
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < d->request->input_count && status == STATUS_DONE; i++)
        if (!d->request->sources[i].is_image)
            status = gpu_upload(g->host, &d->data[i], reduce_stored_input(d, i));
    if (status == STATUS_DONE && d->offsets.buffer != VK_NULL_HANDLE)
        status = gpu_upload(g->host, &d->offsets, &d->request->segments.file);
    progress_end();
    return status;
}

static VkrResult collect_groups(const reduction *d, pipe_slot *slot)
{
    const segments *s = &d->request->segments;
    const VkBuffer sources[] = {d->data[0].buffer, d->data[1].buffer};
    const VkrView keys = {
        .buffer = d->offsets.buffer, .size = s->file.size, .type = s->file.type, .components = 1};
    uint64_t count = d->info.count;
    const VkrGpuCount gpu_count = pipe_count(&d->pipe, &count);
    return grouping_sort(&d->groups, slot->recorder, keys, sources, gpu_count);
}

static VkrResult collect_whole(void *context, pipe_slot *slot)
{
    const reduction *d = context;
    VkrReduceInfo info = d->info;
    const VkrResult result = d->request->segments.groups ? collect_groups(d, slot) : VKR_SUCCESS;
    if (result != VKR_SUCCESS)
        return result;
    info.gpuCount = pipe_count(&d->pipe, &info.count);
    if (d->request->segments.kind == VKR_SEGMENTS_OFFSETS && d->task->opts->count_on_gpu)
        info.segments.gpuCount =
            (VkrGpuCount){.buffer = d->segment_count.buffer, .type = VKR_TYPE_U64};
    return vkrCmdReduce(slot->recorder, &info);
}

int reduce_run_whole(reduction *d)
{
    const reduce_request *r = d->request;
    int status = create_data(d);
    if (status != STATUS_DONE)
        return status;
    d->info.input = reduce_whole_view(d, 0);
    if (r->input_count == 2)
        d->info.input2 = reduce_whole_view(d, 1);
    d->info.count = r->in[0].count;
    *(reduce_has_runs(r) ? &d->info.segments.keys.buffer : &d->info.segments.offsets.buffer) =
        r->segments.groups ? d->groups.keys.buffer : d->offsets.buffer;
    status = reduce_create_output(d);
    if (status == STATUS_DONE && reduce_has_runs(r))
        status = runs_allocate(r, d->results, &d->task->gpu, &d->run_count, &d->info);
    if (status != STATUS_DONE)
        return status;
    d->pipe.collect = collect_whole;
    d->pipe.upload = upload;
    status = pipe_run(&d->pipe, "uploading",
                      reduce_stored_input(d, 0)->size + reduce_stored_input(d, 1)->size +
                          r->segments.file.size);
    if (status == STATUS_DONE && reduce_has_runs(r))
        status = runs_count(r, d->results);
    if (status == STATUS_DONE && r->segments.groups)
        runs_place(r, d->results, d->groups.indices.data);
    return status;
}
