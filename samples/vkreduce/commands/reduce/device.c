/* SPDX-License-Identifier: MIT */
#include <stdlib.h>
#include "commands/reduce/device.h"
#include "status.h"

int reduce_prepare_output(reduction *j)
{
    int status =
        gpu_status(vkrGetReduceLayout(j->task->gpu.context, &j->info, &j->results->layout));
    if (status == STATUS_DONE)
        status = gpu_buffer_create(&j->task->gpu, &j->results->output, j->results->layout.size,
                                   MEMORY_READBACK);
    j->results->values = j->results->output.map;
    j->info.output =
        (VkrBufferRange){.buffer = j->results->output.buffer, .size = j->results->layout.size};
    return status;
}

/* Whether the data is reduced in chunks: because it does not fit the device, or because the user
 * wants that. */
static bool is_streamed(const reduction *j)
{
    const reduce_request *r = j->request;
    const uint64_t results = r->segments.kind != VKR_SEGMENTS_NONE ? j->results->layout.size : 0;
    const uint64_t sizes[] = {r->in[0].size, r->in[1].size, results};
    return task_is_streamed(j->task, 3, sizes);
}

int reduce_execute(task *t, const reduce_request *r, reduce_results *results)
{
    reduction j = {.task = t, .request = r, .results = results, .info = r->info};
    const bool cut = r->segments.kind != VKR_SEGMENTS_NONE;
    int status = cut ? reduce_lay_out_segments(&j) : STATUS_DONE;
    if (status != STATUS_DONE)
        return status;
    if (!is_streamed(&j))
        return reduce_whole(&j);
    if (r->stored[0].name != NULL)
        return fail(STATUS_USAGE,
                    "%s: it is too large; --as-image and --map take data that fits the device",
                    r->in[0].name);
    return (cut ? reduce_segments_streamed : reduce_streamed)(&j);
}

void reduce_results_close(const gpu *g, reduce_results *results)
{
    gpu_buffer_destroy(g, &results->output);
    free(results->gathered);
}
