/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include "device/pipe.h"
#include "device/submit.h"
#include "progress.h"
#include "ranks.h"
#include "status.h"
#include "vkreduce/testing.h"

bool pipe_fits(pipe *p, uint64_t count, uint32_t size_count, const uint64_t *sizes)
{
    p->task->chunks = 1;
    p->count = count;
    p->chunk = count;
    return !task_is_streamed(p->task, size_count, sizes);
}

void pipe_share(pipe *p, uint64_t items, uint64_t unit)
{
    const rank_share s = p->task->shared ? ranks_share(items, unit) : (rank_share){0, items};
    p->origin = s.first;
    p->count = s.count;
}

int pipe_buffer_open(const task *t, pipe_buffer *b, VkDeviceSize size, bool downloads)
{
    const gpu *g = &t->gpu;
    const gpu_memory kind = t->opts->staging ? MEMORY_UNMAPPED
                            : downloads      ? MEMORY_RESULT
                                             : MEMORY_DEVICE;
    int status = gpu_buffer_create(g, &b->device, size, kind);
    if (status == STATUS_DONE && b->device.map == NULL)
        status = gpu_buffer_create(g, &b->host, size, downloads ? MEMORY_READBACK : MEMORY_UPLOAD);
    return status;
}

void pipe_buffer_close(const task *t, pipe_buffer *b)
{
    gpu_buffer_destroy(&t->gpu, &b->device);
    gpu_buffer_destroy(&t->gpu, &b->host);
}

static int open_slot(const pipe *p, pipe_slot *s)
{
    const gpu *g = &p->task->gpu;
    int status = gpu_lane_open(&s->lane, g);
    for (uint32_t i = 0; i < PIPE_BUFFERS && status == STATUS_DONE; i++)
        if (p->sizes[i] > 0)
            status = pipe_buffer_open(p->task, &s->buffers[i], p->sizes[i], p->downloads[i]);
    if (status == STATUS_DONE)
        status = gpu_status(
            vkrCreateRecorder(g->context, &(VkrRecorderInfo){.label = "chunk"}, &s->recorder));
    return status;
}

static int open_count(pipe *p)
{
    const uint64_t count = p->elements > 0 ? p->elements : p->count;
    if (!p->task->opts->count_on_gpu)
        return STATUS_DONE;
    int status = gpu_buffer_create(&p->task->gpu, &p->counted, sizeof count, MEMORY_UPLOAD);
    if (status == STATUS_DONE)
        memcpy(p->counted.map, &count, sizeof count);
    return status;
}

static int open_slots(pipe *p)
{
    int status = open_count(p);
    for (uint32_t i = 0; i < PIPE_SLOTS && i < p->task->chunks && status == STATUS_DONE; i++)
        status = open_slot(p, &p->slots[i]);
    return status;
}

void pipe_close(pipe *p)
{
    for (uint32_t k = 0; k < PIPE_SLOTS && p->task != NULL; k++) {
        pipe_slot *s = &p->slots[k];
        vkrDestroyRecorder(s->recorder);
        for (uint32_t i = 0; i < PIPE_BUFFERS; i++)
            pipe_buffer_close(p->task, &s->buffers[i]);
        gpu_lane_close(&s->lane);
    }
    if (p->task != NULL)
        gpu_buffer_destroy(&p->task->gpu, &p->counted);
}

void *pipe_map(const pipe_slot *slot, uint32_t buffer)
{
    const pipe_buffer *b = &slot->buffers[buffer];
    return b->device.map != NULL ? b->device.map : b->host.map;
}

VkrView pipe_view(const pipe_slot *slot, uint32_t buffer, const input *in, uint64_t count)
{
    const gpu_buffer *b = &slot->buffers[buffer].device;
    return (VkrView){.buffer = b->buffer,
                     .size = input_span(in, count),
                     .type = in->type,
                     .components = in->components,
                     .stride = input_pitch(in),
                     .texels = b->texels};
}

VkrGpuCount pipe_count(const pipe *p, uint64_t *count)
{
    if (!p->task->opts->count_on_gpu)
        return (VkrGpuCount){0};
    if (*count > 0 && !p->has_number)
        *count = VKR_COUNT_ALL;
    return (VkrGpuCount){.buffer = p->counted.buffer, .type = VKR_TYPE_U64};
}

/* Records copies to or from memory that the host cannot access. */
static void copy(const pipe *p, const pipe_slot *s, bool downloads)
{
    for (uint32_t i = 0; i < PIPE_BUFFERS; i++) {
        const pipe_buffer *b = &s->buffers[i];
        if (b->host.buffer == VK_NULL_HANDLE || b->used == 0 || p->downloads[i] != downloads)
            continue;
        if (downloads)
            gpu_copy_back(&s->lane, &b->device, &b->host, b->used);
        else
            gpu_copy(&s->lane, &b->host, &b->device, 0, b->used);
    }
}

static void print_line(void *data, const char *line)
{
    (void)data;
    fprintf(stderr, "%s\n", line);
}

/* --plan: prints the recording of the first chunk, before the first execution. Rank 0 speaks for
 * all. */
static VkrResult print_plan(const pipe *p, const pipe_slot *s)
{
    if (!p->task->opts->plan || s->chunk > 0 || p->stored || !ranks_is_first())
        return VKR_SUCCESS;
    progress_clear();
    fputs(p->task->chunks > 1 ? "plan of the first chunk:\n" : "plan:\n", stderr);
    const VkrResult result = vkrDescribe(s->recorder, print_line, NULL);
    fflush(stderr);
    return result;
}

static int record(const pipe *p, pipe_slot *s)
{
    /* The next chunk may read and overwrite the results of this one on the device. */
    VkrEndInfo end = {.commandBuffer = s->lane.commands,
                      .consumerStages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT |
                                        VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                      .consumerAccess = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT |
                                        VK_ACCESS_TRANSFER_READ_BIT | VK_ACCESS_HOST_READ_BIT};
    int status = gpu_begin(&s->lane);
    if (status != STATUS_DONE)
        return status;
    copy(p, s, false);
    gpu_start_clock(&s->lane);
    VkrResult result = vkrBegin(s->recorder);
    if (result == VKR_SUCCESS)
        result = p->collect(p->context, s);
    if (result == VKR_SUCCESS)
        result = print_plan(p, s);
    if (result == VKR_SUCCESS)
        result = vkrEnd(s->recorder, &end);
    if (result != VKR_SUCCESS)
        return gpu_status(result);
    gpu_stop_clock(&s->lane);
    copy(p, s, true);
    return gpu_end(&s->lane);
}

/* Waits until the slot's commands are done, and frees it for the next chunk. */
static int finish(const pipe *p, pipe_slot *s, bool wanted, double *milliseconds)
{
    double time = 0.0;
    if (!s->busy)
        return STATUS_DONE;
    s->busy = false;
    int status = gpu_wait(&s->lane);
    if (status == STATUS_DONE && p->task->timed)
        status = gpu_read_clock(&s->lane, &time);
    *milliseconds += time;
    if (status == STATUS_DONE && wanted && p->store != NULL && !p->stored)
        status = p->store(p->context, s);
    if (status == STATUS_DONE && p->task->chunks > 1)
        status = gpu_status(vkrReset(s->recorder));
    return status;
}

static int start(const pipe *p, pipe_slot *s, uint64_t chunk)
{
    int status = STATUS_DONE;
    s->chunk = chunk;
    s->first = p->origin + chunk * p->chunk;
    s->count = least(p->count - chunk * p->chunk, p->chunk);
    if (!p->loaded && p->load != NULL)
        status = p->load(p->context, s);
    if (status == STATUS_DONE && !p->loaded)
        status = record(p, s);
    if (status == STATUS_DONE && !p->loaded && p->upload != NULL)
        status = p->upload(p->context);
    if (status == STATUS_DONE)
        status = gpu_launch(&s->lane);
    s->busy = status == STATUS_DONE;
    return status;
}

/* Sends all chunks through the device once. Nothing is in flight when it returns. */
static int pass(pipe *p, double *milliseconds)
{
    int status = STATUS_DONE;
    uint64_t k = 0;
    for (; k < p->task->chunks && status == STATUS_DONE; k++) {
        pipe_slot *s = &p->slots[k % PIPE_SLOTS];
        status = finish(p, s, true, milliseconds);
        if (status == STATUS_DONE)
            status = start(p, s, k);
    }
    for (uint32_t i = 0; i < PIPE_SLOTS; i++) {
        pipe_slot *s = &p->slots[(k + i) % PIPE_SLOTS];
        int finished = finish(p, s, status == STATUS_DONE, milliseconds);
        status = status == STATUS_DONE ? finished : status;
    }
    p->loaded = p->task->chunks == 1;
    return status;
}

static int execute(void *context, double *milliseconds)
{
    pipe *p = context;
    int status = STATUS_DONE;
    *milliseconds = 0.0;
    for (p->pass = 0; p->pass < p->passes && status == STATUS_DONE; p->pass++)
        status = pass(p, milliseconds);
    p->stored = true;
    return status;
}

int pipe_run(pipe *p, const char *what, uint64_t bytes)
{
    const uint64_t loads = p->task->chunks == 1 ? 1 : count_executions(p->task->opts);
    int status = open_slots(p);
    if (status != STATUS_DONE)
        return status;
    p->passes = p->passes > 0 ? p->passes : 1;
    progress_start(what, loads * p->passes * bytes);
    status = task_execute(p->task, execute, p);
    progress_end();
    return status;
}
