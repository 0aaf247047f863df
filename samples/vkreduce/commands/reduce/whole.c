/* SPDX-License-Identifier: MIT */
/* Reduces all data at once. */
#include <string.h>
#include "commands/reduce/device.h"
#include "device/submit.h"
#include "progress.h"
#include "status.h"

/* The objects that only a reduction of all data at once needs. */
typedef struct whole {
    reduction *reduction;
    gpu_buffer data[INPUTS], offsets, counts;
    VkrImage seen[INPUTS]; /* --as-image */
    gpu_image images[INPUTS];
    VkrRecorder recorder;
} whole;

static int create_buffers(whole *w)
{
    const reduction *j = w->reduction;
    gpu_memory kind = j->task->opts->staging ? MEMORY_UNMAPPED : MEMORY_DEVICE;
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < j->request->input_count && status == STATUS_DONE; i++)
        if (!j->request->opts->texels.as_image)
            status = gpu_buffer_create(&j->task->gpu, &w->data[i],
                                       reduce_stored(j->request, i)->size, kind);
    if (status == STATUS_DONE && j->request->segments.kind == VKR_SEGMENTS_OFFSETS)
        status =
            gpu_buffer_create(&j->task->gpu, &w->offsets, j->request->segments.file.size, kind);
    if (status == STATUS_DONE && j->task->opts->count_on_gpu)
        status = gpu_buffer_create(&j->task->gpu, &w->counts, 2 * sizeof(uint64_t), MEMORY_UPLOAD);
    return status;
}

static int upload(whole *w)
{
    reduction *j = w->reduction;
    const uint64_t counts[] = {j->request->in[0].count, j->results->layout.segments};
    int status = STATUS_DONE;
    progress_start("uploading", reduce_stored(j->request, 0)->size +
                                    reduce_stored(j->request, 1)->size +
                                    j->request->segments.file.size);
    for (uint32_t i = 0; i < j->request->input_count && status == STATUS_DONE; i++)
        if (!j->request->opts->texels.as_image)
            status = gpu_upload(&j->task->gpu, &w->data[i], reduce_stored(j->request, i));
    if (status == STATUS_DONE && w->offsets.buffer != VK_NULL_HANDLE)
        status = gpu_upload(&j->task->gpu, &w->offsets, &j->request->segments.file);
    progress_end();
    if (j->task->opts->count_on_gpu)
        memcpy(w->counts.map, counts, sizeof counts);
    return status;
}

/* `data` may be empty if only sizes matter. */
static VkrView make_view(const reduce_request *r, uint32_t i, const gpu_buffer *data,
                         const VkrImage *image)
{
    const input *in = reduce_stored(r, i);
    VkrView view = {.type = in->type, .components = in->components};
    if (r->opts->texels.as_image) {
        view.type = VKR_TYPE_UNDEFINED;
        view.image = image;
    } else {
        view.buffer = data->buffer;
        view.offset = in->offset;
        view.size = in->size - in->offset;
        view.stride = in->stride;
        view.texels = data->texels;
    }
    view.map = r->opts->texels.map != MAP_NONE ? &r->map : NULL;
    return view;
}

static void describe(whole *w)
{
    reduction *j = w->reduction;
    j->info.input = make_view(j->request, 0, &w->data[0], &w->seen[0]);
    j->info.count = j->request->in[0].count;
    if (j->request->input_count == 2)
        j->info.input2 = make_view(j->request, 1, &w->data[1], &w->seen[1]);
    if (j->task->opts->count_on_gpu) {
        if (j->request->in[0].count > 0)
            j->info.count = VKR_COUNT_ALL;
        j->info.gpuCount = (VkrGpuCount){.buffer = w->counts.buffer, .type = VKR_TYPE_U64};
    }
    if (j->request->segments.kind != VKR_SEGMENTS_OFFSETS)
        return;
    j->info.segments.offsets.buffer = w->offsets.buffer;
    if (j->task->opts->count_on_gpu)
        j->info.segments.gpuCount = (VkrGpuCount){
            .buffer = w->counts.buffer, .offset = sizeof(uint64_t), .type = VKR_TYPE_U64};
}

int reduce_lay_out_segments(reduction *j)
{
    const uint32_t size = vkrTypeSize(j->request->segments.file.type);
    const bool by_image =
        j->request->opts->texels.as_image && j->request->segments.kind == VKR_SEGMENTS_TILES;
    j->info.input = make_view(j->request, 0, &(gpu_buffer){0}, &j->request->images[0]);
    j->info.count = j->request->in[0].count;
    j->info.segments = (VkrSegments){.kind = j->request->segments.kind,
                                     .length = by_image ? 0 : j->request->segments.length,
                                     .tileWidth = j->request->segments.tile_width,
                                     .tileHeight = j->request->segments.tile_height,
                                     .offsets = {.size = j->request->segments.file.count * size},
                                     .offsetType = size == 8 ? VKR_TYPE_U64 : VKR_TYPE_U32};
    return gpu_status(vkrGetReduceLayout(j->task->gpu.context, &j->info, &j->results->layout));
}

static int collect(whole *w)
{
    VkrResult result =
        vkrCreateRecorder(w->reduction->task->gpu.context, &(VkrRecorderInfo){0}, &w->recorder);
    if (result == VKR_SUCCESS)
        result = vkrBegin(w->recorder);
    if (result == VKR_SUCCESS)
        result = vkrCmdReduce(w->recorder, &w->reduction->info);
    return gpu_status(result);
}

static int record(whole *w)
{
    const gpu *g = &w->reduction->task->gpu;
    VkrEndInfo end = {.commandBuffer = g->commands,
                      .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                      .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    int status = gpu_begin(g);
    if (status != STATUS_DONE)
        return status;
    gpu_start_clock(g);
    VkrResult result = vkrEnd(w->recorder, &end);
    if (result != VKR_SUCCESS)
        return gpu_status(result);
    gpu_stop_clock(g);
    return gpu_end(g);
}

static int submit(void *context, double *milliseconds)
{
    const reduction *j = ((whole *)context)->reduction;
    int status = gpu_submit(&j->task->gpu);
    return status == STATUS_DONE && j->task->timed ? gpu_read_clock(&j->task->gpu, milliseconds)
                                                   : status;
}

static int run_whole(whole *w)
{
    reduction *j = w->reduction;
    int status = create_buffers(w);
    if (status != STATUS_DONE)
        return status;
    for (uint32_t i = 0;
         i < j->request->input_count && j->request->opts->texels.as_image && status == STATUS_DONE;
         i++)
        status = texels_upload(&j->task->gpu, &j->request->stored[i], &w->images[i], &w->seen[i]);
    if (status != STATUS_DONE)
        return status;
    describe(w);
    if ((status = reduce_prepare_output(j)) != STATUS_DONE ||
        (status = collect(w)) != STATUS_DONE || (status = upload(w)) != STATUS_DONE ||
        (status = record(w)) != STATUS_DONE)
        return status;
    return task_execute(w->reduction->task, submit, w);
}

int reduce_whole(reduction *j)
{
    whole w = {.reduction = j, .seen = {j->request->images[0], j->request->images[1]}};
    int status = run_whole(&w);
    vkrDestroyRecorder(w.recorder);
    gpu_buffer_destroy(&j->task->gpu, &w.offsets);
    gpu_buffer_destroy(&j->task->gpu, &w.counts);
    for (uint32_t i = 0; i < INPUTS; i++) {
        gpu_buffer_destroy(&j->task->gpu, &w.data[i]);
        vkDestroyImageView(j->task->gpu.device, w.seen[i].view, NULL);
        gpu_image_destroy(&j->task->gpu, &w.images[i]);
    }
    return status;
}
