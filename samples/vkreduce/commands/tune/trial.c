/* SPDX-License-Identifier: MIT */
/* Measures a tuning row in alternation with the row in use. */
#include <math.h>
#include <string.h>
#include "commands/tune/tune.h"
#include "device/submit.h"
#include "interrupt.h"
#include "status.h"
#include "system/system.h"

#define MAX_PAIRS 301

/* Returns the device with another command buffer, for the functions that submit and measure. */
static gpu lane_of(const tuner *t, const trial *run, uint32_t index)
{
    gpu lane = t->gpu;
    lane.commands = run->commands[index];
    return lane;
}

static int record(const tuner *t, trial *run, uint32_t index)
{
    const finding *f = t->now;
    const VkDeviceSize size = f->counts[index] * vkrTypeSize(f->type);
    const workload work = {.context = run->context,
                           .from = {.buffer = t->data.buffer,
                                    .size = size,
                                    .type = f->type,
                                    .texels = f->texels ? t->data.texels : (VkrTexels){0}},
                           .count = f->counts[index],
                           .target = {.buffer = t->target.buffer, .size = size, .type = f->type},
                           .chains = t->chains[index],
                           .results = {run->output.buffer, (VkDeviceSize)index * SPACING, SPACING}};
    VkrEndInfo end = {.commandBuffer = run->commands[index],
                      .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                      .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    gpu lane = lane_of(t, run, index);
    VkrResult result = vkrBegin(run->recorder);
    if (result == VKR_SUCCESS)
        result = f->subject->collect(run->recorder, &work);
    if (result != VKR_SUCCESS)
        return gpu_status(result);
    int status = gpu_begin(&lane);
    if (status != STATUS_DONE)
        return status;
    gpu_start_clock(&lane);
    if ((result = vkrEnd(run->recorder, &end)) != VKR_SUCCESS)
        return gpu_status(result);
    gpu_stop_clock(&lane);
    return gpu_end(&lane);
}

void trial_close(const tuner *t, trial *run)
{
    vkrDestroyRecorder(run->recorder);
    if (run->commands[0] != VK_NULL_HANDLE)
        vkFreeCommandBuffers(t->gpu.device, t->gpu.pool, MAX_COUNTS, run->commands);
    gpu_buffer_destroy(&t->gpu, &run->output);
    vkrDestroyContext(run->context);
    *run = (trial){0};
}

int trial_open(const tuner *t, const setting *row, trial *run)
{
    char text[MAX_TEXT_SIZE];
    size_t size;
    VkCommandBufferAllocateInfo commands = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                            .commandPool = t->gpu.pool,
                                            .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                            .commandBufferCount = MAX_COUNTS};
    *run = (trial){0};
    int status = tune_write_setting(t, row, text, &size);
    if (status == STATUS_DONE)
        status = gpu_create_context(&t->gpu, text, size, &run->context);
    if (status == STATUS_DONE)
        status = gpu_status(
            vkrCreateRecorder(run->context, &(VkrRecorderInfo){.label = "tune"}, &run->recorder));
    if (status == STATUS_DONE)
        status = gpu_buffer_create(&t->gpu, &run->output, MAX_COUNTS * SPACING, MEMORY_READBACK);
    if (status != STATUS_DONE)
        return status;
    memset(run->output.map, 0, MAX_COUNTS * SPACING); /* results need not fill their places */
    VkResult result = vkAllocateCommandBuffers(t->gpu.device, &commands, run->commands);
    if (result != VK_SUCCESS) {
        run->commands[0] = VK_NULL_HANDLE;
        return gpu_fail(result, "vkAllocateCommandBuffers");
    }
    for (uint32_t i = 0; i < t->now->count_count && status == STATUS_DONE; i++) {
        status = record(t, run, i);
        gpu lane = lane_of(t, run, i);
        if (status == STATUS_DONE)
            status = gpu_submit(&lane);
    }
    return status;
}

/* ---- Times ---- */

int trial_run(const tuner *t, const trial *run, uint32_t index, double *ms)
{
    gpu lane = lane_of(t, run, index);
    double start = clock_seconds();
    int status = gpu_submit(&lane);
    *ms = 1e3 * (clock_seconds() - start);
    if (status == STATUS_DONE && t->gpu.timestamp_bits != 0)
        status = gpu_read_clock(&lane, ms);
    *ms = *ms > 1e-6 ? *ms : 1e-6; /* not 0, which a coarse clock may give */
    return status;
}

/* Measures both rows alternately at one count, for about `budget` milliseconds. */
static int race(const tuner *t, const trial *run, uint32_t index, double budget, double ms[2])
{
    static double times[2][MAX_PAIRS];
    const trial *runs[2] = {&t->first, run};
    double spent = 0.0;
    size_t least = t->opts->quick ? 3 : 5, pairs = 0;
    while (pairs < least || (pairs < MAX_PAIRS && spent < budget)) {
        for (size_t k = 0; k < 2; k++) {
            int status = trial_run(t, runs[k], index, &times[k][pairs]);
            if (status == STATUS_DONE)
                status = check_interrupt();
            if (status != STATUS_DONE)
                return status;
            spent += times[k][pairs];
        }
        pairs++;
    }
    ms[0] = task_median(times[0], pairs);
    ms[1] = task_median(times[1], pairs);
    return STATUS_DONE;
}

/* Checks that the results do not depend on the row. */
static int check_results(const tuner *t, const trial *run, const setting *row)
{
    char text[MAX_TEXT_SIZE];
    size_t size;
    for (uint32_t i = 0; i < t->now->count_count; i++)
        if (memcmp((const char *)run->output.map + i * SPACING,
                   (const char *)t->first.output.map + i * SPACING, SPACING) != 0) {
            const int status = tune_write_setting(t, row, text, &size);
            const char *line = tune_row_line(text);
            return status == STATUS_DONE
                       ? fail(STATUS_DIFFERENCE,
                              "the row '%.*s' gives a different result from the row in use for "
                              "%llu values",
                              (int)strcspn(line, "\n"), line, (unsigned long long)t->now->counts[i])
                       : status;
        }
    return STATUS_DONE;
}

int trial_measure(const tuner *t, const trial *run, double budget, measured *m)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < t->now->count_count; i++) {
        double ms[2];
        int status = race(t, run, i, budget, ms);
        if (status != STATUS_DONE)
            return status;
        sum += log(ms[1] / ms[0]);
        m->rate[i] = 1e-6 * (double)(t->now->counts[i] * vkrTypeSize(t->now->type)) / ms[1];
    }
    m->score = exp(sum / t->now->count_count);
    return check_results(t, run, &m->row);
}
