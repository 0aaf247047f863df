/* SPDX-License-Identifier: MIT */
/*
 * Data that does not fit the device goes through it in chunks of whole blocks: the total of each
 * chunk, which stays on the device, is the initial value of the next one.
 */
#include <string.h>
#include "commands/scan/device.h"
#include "device/pipe.h"
#include "input/flags.h"
#include "progress.h"
#include "status.h"

enum { DATA, HEADS, OUT };     /* buffers of a chunk */
enum { TOTAL_DISTANCE = 256 }; /* bytes between the two totals, which are used in turns */

typedef struct scan_device {
    task *task;
    const scan_request *request;
    scan_results *results;
    uint64_t chunk; /* elements */
    gpu_buffer totals, count;
    pipe pipe;
    /* Of the chunk that was loaded last: its first element, the number of its elements, and how
     * many of them continue the segment of the chunk before. */
    uint64_t first, loaded, continued;
    bool starts; /* element 0 of the chunk starts a segment */
    bool stored; /* the output is written */
} scan_device;

static int cut(scan_device *d)
{
    const uint64_t count = d->request->in.count, pitch = input_pitch(&d->request->in);
    const uint64_t sizes[] = {input_span(&d->request->in, count),
                              count * scan_result_size(d->request)};
    d->task->chunks = 1;
    d->chunk = count;
    if (!task_is_streamed(d->task, 2, sizes))
        return STATUS_DONE;
    return task_cut(d->task, count, pitch, pitch + scan_result_size(d->request), VKR_SCAN_BLOCK,
                    &d->chunk);
}

/* Whether segments are passed as bits. Rows are not if there is a single chunk, since the library
 * can compute their starts. */
static bool has_heads(const scan_device *d)
{
    return d->request->segments.kind != VKR_SEGMENTS_NONE &&
           (d->request->segments.kind != VKR_SEGMENTS_ROWS || d->task->chunks > 1);
}

/* The number of elements, counted from the end where the scan enters the chunk, that belong to the
 * segment of the element scanned before them. */
static uint64_t count_continued(const scan_device *d, const uint32_t *bits, bool starts_next)
{
    uint64_t n = d->loaded, i = 0;
    if ((d->request->info.flags & VKR_SCAN_REVERSE_BIT) == 0) {
        while (i < n && !flag_at(bits, i))
            i++;
        return i;
    }
    if (starts_next)
        return 0;
    for (i = n; i > 0 && !flag_at(bits, i - 1);)
        i--;
    return i > 0 ? n - i + 1 : n;
}

static int load(void *context, pipe_slot *slot)
{
    scan_device *d = context;
    const bool starts_next = slot->chunk == 0 || d->starts;
    d->loaded = scan_cut(d->request, slot->chunk, d->chunk, &d->first);
    slot->buffers[DATA].used = input_span(&d->request->in, d->loaded);
    slot->buffers[OUT].used = d->loaded * scan_result_size(d->request);
    d->continued = slot->chunk > 0 ? d->loaded : 0;
    int status = input_load(&d->request->in, d->first, d->loaded, pipe_map(slot, DATA));
    if (!has_heads(d) || status != STATUS_DONE)
        return status;
    uint32_t *bits = pipe_map(slot, HEADS);
    slot->buffers[HEADS].used = flag_bytes(d->loaded);
    status = segments_load(&d->request->segments, d->first, d->loaded, bits);
    if (status == STATUS_DONE && slot->chunk > 0)
        d->continued = count_continued(d, bits, starts_next);
    d->starts = d->loaded > 0 && flag_at(bits, 0);
    return status;
}

static VkrBufferRange total_range(const scan_device *d, uint64_t chunk)
{
    return (VkrBufferRange){.buffer = d->totals.buffer,
                            .offset = chunk % 2 * TOTAL_DISTANCE,
                            .size = scan_result_size(d->request)};
}

/* Describes the scan of a whole chunk as if it were the first one. */
static VkrScanInfo describe(const scan_device *d, const pipe_slot *slot)
{
    const pipe_buffer *heads = &slot->buffers[HEADS];
    VkrScanInfo info = d->request->info;
    info.input = pipe_view(slot, DATA, &d->request->in, d->loaded);
    info.output = (VkrView){.buffer = slot->buffers[OUT].device.buffer,
                            .size = d->loaded * scan_result_size(d->request),
                            .type = d->request->result,
                            .components = d->request->in.components};
    info.count = d->loaded;
    if (d->task->opts->count_on_gpu) {
        if (info.input.size > 0)
            info.count = VKR_COUNT_ALL;
        info.gpuCount = (VkrGpuCount){.buffer = d->count.buffer, .type = VKR_TYPE_U64};
    }
    info.segments.kind = d->request->segments.kind;
    info.segments.length = d->request->segments.length;
    if (has_heads(d)) {
        info.segments.kind = VKR_SEGMENTS_FLAGS;
        info.segments.flags = (VkrFlagView){
            .format = VKR_FLAGS_BITS, .range = {heads->device.buffer, 0, flag_bytes(d->loaded)}};
    }
    return info;
}

/* Scans the whole chunk as usual, and then again the elements that continue the chunk before, with
 * its total as the initial value. (They are not scanned separately at first, since at level DEVICE
 * the bits depend on the positions of runs.) */
static VkrResult collect(void *context, pipe_slot *slot)
{
    const scan_device *d = context;
    VkrScanInfo info = describe(d, slot);
    VkrResult result = VKR_SUCCESS;
    if (d->continued < d->loaded || d->loaded == 0) {
        info.total = total_range(d, slot->chunk);
        result = vkrCmdScan(slot->recorder, &info);
    }
    if (d->continued == 0 || result != VKR_SUCCESS)
        return result;
    uint64_t skipped =
        (d->request->info.flags & VKR_SCAN_REVERSE_BIT) != 0 ? d->loaded - d->continued : 0;
    info.input.offset = skipped * info.input.stride;
    info.input.size = input_span(&d->request->in, d->continued);
    info.output.offset = skipped * scan_result_size(d->request);
    info.output.size = d->continued * scan_result_size(d->request);
    info.count = d->continued;
    info.segments = (VkrSegments){0};
    info.initial = NULL;
    info.gpuInitial = total_range(d, slot->chunk - 1);
    info.total = d->continued == d->loaded ? total_range(d, slot->chunk) : (VkrBufferRange){0};
    return vkrCmdScan(slot->recorder, &info);
}

static int store(void *context, pipe_slot *slot)
{
    scan_device *d = context;
    uint64_t first, count = scan_cut(d->request, slot->chunk, d->chunk, &first);
    if (d->stored)
        return STATUS_DONE;
    d->stored = slot->chunk + 1 == d->task->chunks;
    return output_write(&d->results->out, first * scan_result_size(d->request), pipe_map(slot, OUT),
                        count * scan_result_size(d->request));
}

/* ---- The work ---- */

static int prepare_buffers(scan_device *d)
{
    const gpu *g = &d->task->gpu;
    int status = gpu_buffer_create(g, &d->totals, 2 * TOTAL_DISTANCE, MEMORY_READBACK);
    if (status == STATUS_DONE && d->task->opts->count_on_gpu)
        status = gpu_buffer_create(g, &d->count, sizeof d->request->in.count, MEMORY_UPLOAD);
    if (status != STATUS_DONE)
        return status;
    if (d->task->opts->count_on_gpu)
        memcpy(d->count.map, &d->request->in.count, sizeof d->request->in.count);
    d->pipe = (pipe){.task = d->task,
                     .context = d,
                     .sizes = {[DATA] = input_span(&d->request->in, d->chunk) + 1,
                               [HEADS] = has_heads(d) ? flag_bytes(d->chunk) + 1 : 0,
                               [OUT] = d->chunk * scan_result_size(d->request) + 1},
                     .downloads = {[OUT] = true},
                     .load = load,
                     .collect = collect,
                     .store = store};
    return pipe_open(&d->pipe);
}

static int run(scan_device *d)
{
    const scan_request *r = d->request;
    int status = cut(d);
    if (status != STATUS_DONE || (status = prepare_buffers(d)) != STATUS_DONE)
        return status;
    progress_start("scanning", pipe_loads(&d->pipe) * input_span(&r->in, r->in.count));
    status = task_execute(d->task, pipe_pass, &d->pipe);
    progress_end();
    memcpy(d->results->total,
           (const char *)d->totals.map + (d->task->chunks - 1) % 2 * TOTAL_DISTANCE,
           (size_t)scan_result_size(r));
    return status;
}

int scan_execute(task *t, const scan_request *r, scan_results *results)
{
    scan_device d = {.task = t, .request = r, .results = results};
    int status = run(&d);
    pipe_close(&d.pipe);
    gpu_buffer_destroy(&t->gpu, &d.totals);
    gpu_buffer_destroy(&t->gpu, &d.count);
    return status;
}
