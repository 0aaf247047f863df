/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include "device/pipe.h"
#include "device/task.h"
#include "interrupt.h"
#include "status.h"

#define CHUNK_SIZE ((VkDeviceSize)32 << 20) /* of each input, unless --chunk says otherwise */

int task_open(task *t)
{
    return gpu_open(&t->gpu, &t->opts->device, t->opts->staging);
}

void task_close(task *t)
{
    timing_close(&t->timing);
    gpu_close(&t->gpu);
}

/* ---- Executions ---- */

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double task_median(double *times, size_t count)
{
    qsort(times, count, sizeof *times, compare_times);
    return (times[(count - 1) / 2] + times[count / 2]) / 2.0;
}

/* Drivers may compile at the first dispatch, so --repeat adds an untimed execution before the
 * others. */
uint64_t count_executions(const task_options *opts)
{
    return opts->repeat != 0 ? opts->repeat + 1 : 1;
}

uint64_t count_untimed(const task_options *opts)
{
    return opts->repeat != 0;
}

/* The pipes of a task follow each other; all have the same executions. */
static void start_times(task *t, uint64_t executions)
{
    const bool first = t->timing.executions == 0;
    t->timed = t->gpu.vulkan.timestampBits != 0;
    t->timing.wanted = t->opts->timing && t->timed;
    t->timing.executions = executions;
    if (t->opts->timing && !t->timed && first)
        note("--timing: %s has no timestamps, which the times of operations need",
             t->gpu.chosen.name);
}

int task_execute(task *t, int (*once)(void *context, double *milliseconds), void *context)
{
    uint64_t executions = count_executions(t->opts);
    uint64_t untimed = count_untimed(t->opts);
    double *times = calloc((size_t)executions, sizeof *times);
    int status = times != NULL ? STATUS_DONE : fail(STATUS_VULKAN, "out of memory");
    start_times(t, executions);
    for (uint64_t i = 0; i < executions && status == STATUS_DONE; i++) {
        t->timing.execution = i;
        if ((status = once(context, &times[i])) == STATUS_DONE)
            status = check_interrupt();
    }
    for (uint64_t i = 0; i < executions && times != NULL; i++)
        t->seconds += times[i] * 1e-3;
    if (status == STATUS_DONE)
        t->gpu_ms += task_median(times + untimed, (size_t)(executions - untimed));
    free(times);
    return status;
}

/* ---- Sizes ---- */

bool task_is_streamed(const task *t, uint32_t count, const uint64_t *sizes)
{
    VkDeviceSize room = t->gpu.chosen.memorySize / 2;
    for (uint32_t i = 0; i < count; i++) {
        if (sizes[i] > t->gpu.chosen.maxBufferSize || sizes[i] > room)
            return true;
        room -= sizes[i];
    }
    return t->opts->chunk != 0;
}

int task_cut(task *t, uint64_t count, uint64_t element, uint64_t all, uint64_t unit,
             uint64_t *chunk)
{
    const uint64_t asked = t->opts->chunk;
    if (t->opts->count_on_gpu)
        return fail(STATUS_USAGE,
                    "--count-on-gpu: %s chunks, whose counts the host knows; leave it out",
                    asked != 0 ? "--chunk asks for" : "data of this size needs");
    uint64_t most = t->gpu.chosen.memorySize / (4 * PIPE_SLOTS) / all;
    if (asked != 0)
        most = asked / element;
    else if (most > CHUNK_SIZE / element)
        most = CHUNK_SIZE / element;
    *chunk = (most >= unit ? most / unit : 1) * unit;
    t->streamed = true;
    t->chunks = count > *chunk ? (count - 1) / *chunk + 1 : 1;
    if (*chunk > count)
        *chunk = count;
    return STATUS_DONE;
}
