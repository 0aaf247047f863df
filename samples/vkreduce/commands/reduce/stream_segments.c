/* SPDX-License-Identifier: MIT */
/* Reduces segments of data that does not fit the device at once, in chunks of whole rows or
 * windows. */
#include <stdlib.h>
#include <string.h>
#include "commands/reduce/device.h"
#include "device/pipe.h"
#include "progress.h"
#include "status.h"

enum { OUT = INPUTS }; /* buffer of a chunk, after its inputs */

typedef struct segment_stream {
    reduction *reduction;
    uint64_t chunk; /* segments */
    uint64_t first; /* the segments of the chunk that was loaded last */
    uint64_t count;
    pipe pipe;
} segment_stream;

/* The number of elements that `count` adjacent segments span. */
static uint64_t count_elements(const reduction *j, uint64_t count)
{
    if (count == 0)
        return 0;
    return j->request->segments.kind == VKR_SEGMENTS_ROWS ? count * j->request->segments.length
                                                          : count + j->request->segments.length - 1;
}

static void find_chunk(segment_stream *s, uint64_t chunk)
{
    const uint64_t left = s->reduction->results->layout.segments - chunk * s->chunk;
    s->first = chunk * s->chunk;
    s->count = left < s->chunk ? left : s->chunk;
}

static int cut(segment_stream *s)
{
    const reduction *j = s->reduction;
    const gpu_device *device = j->task->gpu.chosen;
    const bool tiles = j->request->opts->tiles != NULL;
    const char *text = tiles ? j->request->opts->tiles : j->request->opts->segments;
    if (j->request->segments.kind != VKR_SEGMENTS_ROWS &&
        j->request->segments.kind != VKR_SEGMENTS_WINDOWS)
        return fail(STATUS_USAGE,
                    "--%s is '%s'; %s chunks, which only rows and windows can be cut into",
                    tiles ? "tiles" : "segments", text,
                    j->task->opts->chunk != 0 ? "--chunk asks for" : "data of this size needs");
    const uint64_t pitch = input_pitch(&j->request->in[0]);
    const uint64_t one = count_elements(j, j->results->layout.segments != 0) * pitch;
    const uint64_t step = j->request->segments.kind == VKR_SEGMENTS_ROWS && one != 0 ? one : pitch;
    uint64_t most = gpu_device_memory(device) / (4 * PIPE_SLOTS);
    if (most > device->max_allocation)
        most = device->max_allocation;
    if (one > most / j->request->input_count)
        return fail(STATUS_USAGE,
                    "--segments is '%s'; one takes %llu bytes, but must take at most %llu to be "
                    "streamed",
                    text, (unsigned long long)one,
                    (unsigned long long)(most / j->request->input_count));
    return task_cut(s->reduction->task, j->results->layout.segments, step,
                    step * j->request->input_count + j->results->layout.stride, 1, &s->chunk);
}

static int load(void *context, pipe_slot *slot)
{
    segment_stream *s = context;
    const reduction *j = s->reduction;
    int status = STATUS_DONE;
    find_chunk(s, slot->chunk);
    const uint64_t first = j->request->segments.kind == VKR_SEGMENTS_ROWS
                               ? s->first * j->request->segments.length
                               : s->first;
    const uint64_t count = count_elements(j, s->count);
    for (uint32_t i = 0; i < j->request->input_count && status == STATUS_DONE; i++) {
        slot->buffers[i].used = input_span(&j->request->in[i], count);
        status = input_load(&j->request->in[i], first, count, pipe_map(slot, i));
    }
    slot->buffers[OUT].used = s->count * j->results->layout.stride;
    return status;
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    const segment_stream *s = context;
    const reduction *j = s->reduction;
    VkrReduceInfo info = j->info;
    info.count = count_elements(j, s->count);
    info.input = pipe_view(slot, 0, &j->request->in[0], info.count);
    if (j->request->input_count == 2)
        info.input2 = pipe_view(slot, 1, &j->request->in[1], info.count);
    info.output = (VkrBufferRange){.buffer = slot->buffers[OUT].device.buffer,
                                   .size = slot->buffers[OUT].used};
    return vkrCmdReduce(slot->recorder, &info);
}

static int store(void *context, pipe_slot *slot)
{
    const segment_stream *s = context;
    const reduction *j = s->reduction;
    memcpy((char *)j->results->gathered + slot->chunk * s->chunk * j->results->layout.stride,
           pipe_map(slot, OUT), (size_t)slot->buffers[OUT].used);
    return STATUS_DONE;
}

static int run(segment_stream *s)
{
    reduction *j = s->reduction;
    int status = cut(s);
    if (status != STATUS_DONE)
        return status;
    s->pipe = (pipe){.task = j->task,
                     .context = s,
                     .sizes = {[OUT] = s->chunk * j->results->layout.stride + 1},
                     .downloads = {[OUT] = true},
                     .load = load,
                     .collect = collect,
                     .store = store};
    const uint64_t span = input_span(&j->request->in[0], count_elements(j, s->chunk));
    for (uint32_t i = 0; i < j->request->input_count; i++)
        s->pipe.sizes[i] = span + 1;
    j->results->gathered =
        malloc((size_t)(j->results->layout.segments * j->results->layout.stride) + 1);
    j->results->values = j->results->gathered;
    if (j->results->gathered == NULL)
        return fail(STATUS_VULKAN, "out of memory for %llu results",
                    (unsigned long long)j->results->layout.segments);
    if ((status = pipe_open(&s->pipe)) != STATUS_DONE)
        return status;
    progress_start("reducing",
                   pipe_loads(&s->pipe) * j->task->chunks * j->request->input_count * span);
    status = task_execute(j->task, pipe_pass, &s->pipe);
    progress_end();
    return status;
}

int reduce_segments_streamed(reduction *j)
{
    segment_stream s = {.reduction = j};
    int status = run(&s);
    pipe_close(&s.pipe);
    return status;
}
