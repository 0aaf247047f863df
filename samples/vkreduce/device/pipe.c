/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <string.h>
#include "device/pipe.h"
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
    const VkrHost host = t->gpu.host;
    const VkrHostMemoryKind kind = downloads ? VKR_HOST_MEMORY_RESULT : VKR_HOST_MEMORY_DEVICE;
    const VkrHostMemoryKind copied = downloads ? VKR_HOST_MEMORY_READBACK : VKR_HOST_MEMORY_UPLOAD;
    VkrResult result = vkrHostAlloc(host, size, kind, &b->device);
    if (result == VKR_SUCCESS && b->device.data == NULL)
        result = vkrHostAlloc(host, size, copied, &b->host);
    return gpu_status(result);
}

void pipe_buffer_close(const task *t, pipe_buffer *b)
{
    vkrHostFree(t->gpu.host, &b->device);
    vkrHostFree(t->gpu.host, &b->host);
}

static int open_slot(const pipe *p, pipe_slot *s)
{
    int status = gpu_share(p->task->gpu.host, p->task->opts->timing, &s->host);
    for (uint32_t i = 0; i < PIPE_BUFFERS && status == STATUS_DONE; i++)
        if (p->sizes[i] > 0)
            status = pipe_buffer_open(p->task, &s->buffers[i], p->sizes[i], p->downloads[i]);
    if (status == STATUS_DONE)
        s->recorder = vkrHostRecorder(s->host);
    return status;
}

static int open_count(pipe *p)
{
    const uint64_t count = p->elements > 0 ? p->elements : p->count;
    if (!p->task->opts->count_on_gpu)
        return STATUS_DONE;
    int status = gpu_status(
        vkrHostAlloc(p->task->gpu.host, sizeof count, VKR_HOST_MEMORY_UPLOAD, &p->counted));
    if (status == STATUS_DONE)
        memcpy(p->counted.data, &count, sizeof count);
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
        for (uint32_t i = 0; i < PIPE_BUFFERS; i++)
            pipe_buffer_close(p->task, &s->buffers[i]);
        vkrDestroyHost(s->host);
    }
    if (p->task != NULL)
        vkrHostFree(p->task->gpu.host, &p->counted);
}

void *pipe_map(const pipe_slot *slot, uint32_t buffer)
{
    const pipe_buffer *b = &slot->buffers[buffer];
    return b->device.data != NULL ? b->device.data : b->host.data;
}

VkrView pipe_view(const pipe_slot *slot, uint32_t buffer, const input *in, uint64_t count)
{
    const VkrHostMemory *b = &slot->buffers[buffer].device;
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
static VkrResult copy(const pipe *p, const pipe_slot *s, bool downloads)
{
    VkrResult result = VKR_SUCCESS;
    for (uint32_t i = 0; i < PIPE_BUFFERS && result == VKR_SUCCESS; i++) {
        const pipe_buffer *b = &s->buffers[i];
        if (b->host.buffer == VK_NULL_HANDLE || p->downloads[i] != downloads)
            continue;
        result = downloads ? vkrHostCopyOut(s->host, &b->device, &b->host, b->used)
                           : vkrHostCopyIn(s->host, &b->host, &b->device, b->used);
    }
    return result;
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
    VkrResult result = vkrHostBegin(s->host);
    if (result == VKR_SUCCESS)
        result = copy(p, s, false);
    if (result == VKR_SUCCESS)
        result = p->collect(p->context, s);
    if (result == VKR_SUCCESS)
        result = print_plan(p, s);
    if (result == VKR_SUCCESS)
        result = vkrHostEnd(s->host);
    if (result == VKR_SUCCESS)
        result = copy(p, s, true);
    return gpu_status(result);
}

/* Waits until the slot's commands are done, and frees it for the next chunk. */
static int finish(const pipe *p, pipe_slot *s, bool wanted, double *milliseconds)
{
    double time = 0.0;
    if (!s->busy)
        return STATUS_DONE;
    s->busy = false;
    int status = gpu_status(vkrHostWait(s->host));
    if (status == STATUS_DONE && p->task->timed)
        status = gpu_read_clock(s->host, &time);
    if (status == STATUS_DONE && p->task->timing.wanted)
        status = timing_add(&p->task->timing, s->host);
    *milliseconds += time;
    return status == STATUS_DONE && wanted && p->store != NULL && !p->stored
               ? p->store(p->context, s)
               : status;
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
        status = gpu_status(vkrHostSubmit(s->host));
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
    p->task->bytes += p->passes * bytes;
    progress_start(what, loads * p->passes * bytes);
    status = task_execute(p->task, execute, p);
    progress_end();
    return status;
}
