/* SPDX-License-Identifier: MIT */
/* The prefix of a rank's share. Each rank first finds totals of chunks or blocks. The prefix goes
 * from rank to rank, each of which adds its totals. */
#include <stdlib.h>
#include <string.h>
#include "commands/scan/scan.h"
#include "device/pipe.h"
#include "ranks.h"
#include "status.h"

enum { DATA, OUT };

typedef struct totals {
    task *task;
    const scan_request *request;
    VkrHostMemory buffer;
    uint64_t step; /* elements of a total */
    pipe pipe;
} totals;

static int load(void *context, pipe_slot *slot)
{
    const totals *t = context;
    const input *in = &t->request->in;
    slot->buffers[DATA].used = input_span(in, slot->count);
    return input_load(in, scan_first(t->request, slot->first, slot->count), slot->count,
                      pipe_map(slot, DATA));
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    const totals *t = context;
    const scan_request *r = t->request;
    const uint64_t number = (slot->first - t->pipe.origin) / t->step;
    VkrScanInfo info = r->info;
    info.input = pipe_view(slot, DATA, &r->in, slot->count);
    info.count = slot->count;
    info.output = (VkrView){.buffer = slot->buffers[OUT].device.buffer,
                            .type = r->result,
                            .components = r->in.components};
    return vkrCmdTotals(slot->recorder, &info, r->result, t->buffer.buffer,
                        number * VKR_TOTAL_DISTANCE);
}

/* *values becomes the totals, one after the other. */
static int compute(totals *t, unsigned char **values, uint64_t *count)
{
    const scan_request *r = t->request;
    const uint64_t pitch = input_pitch(&r->in), size = scan_result_size(r);
    pipe_share(&t->pipe, r->in.count, VKR_SCAN_BLOCK);
    int status =
        task_cut(t->task, t->pipe.count, pitch, pitch + size, VKR_SCAN_BLOCK, &t->pipe.chunk);
    if (status != STATUS_DONE)
        return status;
    const uint64_t block = vkrGetTotalBlock(&r->info, r->result);
    t->step = block != 0 || t->pipe.chunk == 0 ? VKR_SCAN_BLOCK : t->pipe.chunk;
    if (ranks_index() + 1 < ranks_count()) /* nobody comes after the last rank */
        *count = t->pipe.count / t->step + (t->pipe.count % t->step != 0);
    *values = malloc((size_t)(*count * size) + 1);
    if (*values == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    if (*count == 0)
        return STATUS_DONE;
    t->pipe.sizes[DATA] = input_span(&r->in, t->pipe.chunk) + 1;
    t->pipe.sizes[OUT] = block != 0 ? t->pipe.chunk * size + 1 : 0;
    t->pipe.downloads[OUT] = true;
    status = gpu_status(vkrHostAlloc(t->task->gpu.host, *count * VKR_TOTAL_DISTANCE,
                                     VKR_HOST_MEMORY_READBACK, &t->buffer));
    if (status == STATUS_DONE)
        status = pipe_run(&t->pipe, "adding up", input_span(&r->in, r->in.count));
    for (uint64_t i = 0; i < *count && status == STATUS_DONE; i++)
        memcpy(*values + i * size, (const char *)t->buffer.data + i * VKR_TOTAL_DISTANCE,
               (size_t)size);
    return status;
}

int scan_find_prefix(job *j)
{
    scan_request *r = j->request;
    totals t = {.task = &j->task,
                .request = r,
                .pipe = {.task = &j->task, .context = &t, .load = load, .collect = collect}};
    unsigned char *own = NULL;
    uint64_t count = 0;
    int status = compute(&t, &own, &count);
    pipe_close(&t.pipe);
    vkrHostFree(j->task.gpu.host, &t.buffer);
    const VkrPrefixInfo info = {.op = r->info.op,
                                .type = r->result,
                                .components = r->in.components,
                                .nan = r->info.nan,
                                .initial = r->info.initial,
                                .totals = own,
                                .count = count};
    VkrPrefix before;
    status = ranks_prefix(status, &info, &before);
    if (status == STATUS_DONE && before.exists != 0) {
        memcpy(r->initial, before.values, (size_t)scan_result_size(r));
        r->info.initial = r->initial;
    }
    free(own);
    return status;
}
