/* SPDX-License-Identifier: MIT */
/* Measures a tuning row in alternation with the row in use. */
#include <math.h>
#include <string.h>
#include "commands/tune/tune.h"
#include "interrupt.h"
#include "status.h"
#include "system/system.h"

#define MAX_PAIRS 301

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
    const VkrHost host = run->hosts[index];
    const VkrEndInfo end = {.commandBuffer = vkrHostCommands(host),
                            .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                            .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    VkrResult result = vkrBegin(run->recorder);
    if (result == VKR_SUCCESS)
        result = f->subject->collect(run->recorder, &work);
    if (result == VKR_SUCCESS)
        result = vkrHostBegin(host);
    if (result == VKR_SUCCESS)
        result = vkrHostStamp(host, VK_FALSE);
    if (result == VKR_SUCCESS)
        result = vkrEnd(run->recorder, &end);
    if (result == VKR_SUCCESS)
        result = vkrHostStamp(host, VK_TRUE);
    return gpu_status(result);
}

void trial_close(const tuner *t, trial *run)
{
    for (uint32_t i = 0; i < MAX_COUNTS; i++)
        vkrDestroyHost(run->hosts[i]);
    vkrDestroyRecorder(run->recorder);
    vkrHostFree(t->gpu.host, &run->output);
    vkrDestroyContext(run->context);
    *run = (trial){0};
}

int trial_open(const tuner *t, const setting *row, trial *run)
{
    char text[MAX_TEXT_SIZE];
    size_t size;
    *run = (trial){0};
    int status = tune_write_setting(t, row, text, &size);
    const VkrContextInfo settings = {.profile = text, .profileSize = size};
    if (status == STATUS_DONE)
        status = gpu_status(vkrCreateHostContext(t->gpu.host, &settings, &run->context));
    if (status == STATUS_DONE)
        status = gpu_status(
            vkrCreateRecorder(run->context, &(VkrRecorderInfo){.label = "tune"}, &run->recorder));
    if (status == STATUS_DONE)
        status = gpu_status(vkrHostAlloc(t->gpu.host, MAX_COUNTS * SPACING,
                                         VKR_HOST_MEMORY_READBACK, &run->output));
    if (status == STATUS_DONE) /* results need not fill their places */
        memset(run->output.data, 0, MAX_COUNTS * SPACING);
    for (uint32_t i = 0; i < t->now->count_count && status == STATUS_DONE; i++) {
        status = gpu_share(t->gpu.host, false, &run->hosts[i]);
        if (status == STATUS_DONE)
            status = record(t, run, i);
        if (status == STATUS_DONE)
            status = gpu_submit(run->hosts[i]);
    }
    return status;
}

/* ---- Times ---- */

int trial_run(const tuner *t, const trial *run, uint32_t index, double *ms)
{
    double start = clock_seconds();
    int status = gpu_submit(run->hosts[index]);
    *ms = 1e3 * (clock_seconds() - start);
    if (status == STATUS_DONE && t->gpu.vulkan.timestampBits != 0)
        status = gpu_read_clock(run->hosts[index], ms);
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
        if (memcmp((const char *)run->output.data + i * SPACING,
                   (const char *)t->first.output.data + i * SPACING, SPACING) != 0) {
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
