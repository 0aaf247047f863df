/* SPDX-License-Identifier: MIT */
#include "mode.h"
#include <stdlib.h>
#include "commands.h"
#include "device/submit.h"
#include "measure.h"
#include "report.h"
#include "status.h"

int mode_allocate(bench *b, uint32_t most)
{
    b->arms = calloc(most, sizeof *b->arms);
    b->rows = calloc(most, sizeof *b->rows);
    b->order = calloc(most, sizeof *b->order);
    return b->arms != NULL && b->rows != NULL && b->order != NULL
               ? STATUS_DONE
               : fail(STATUS_VULKAN, "out of memory");
}

bool mode_add(bench *b, const arm *a, uint64_t n)
{
    if (!arm_wanted(&b->settings, a))
        return false;
    b->arms[b->arm_count] = *a;
    b->rows[b->arm_count] = (row){.arm = &b->arms[b->arm_count], .n = n};
    b->arm_count++;
    return true;
}

int mode_check(bench *b)
{
    return arms_check_filters(&b->settings, b->arms, b->arm_count);
}

static VkrResult collect(const bench *b, const mode *m, arm *a, uint64_t n)
{
    VkrResult result =
        vkrCreateRecorder(b->gpu.context, &(VkrRecorderInfo){.label = a->name}, &a->recorder);
    if (result == VKR_SUCCESS)
        result = vkrBegin(a->recorder);
    if (result == VKR_SUCCESS)
        result = m->collect(b, a, n);
    if (result == VKR_SUCCESS)
        result = vkrPrepare(a->recorder);
    if (result == VKR_ERROR_UNSUPPORTED)
        (void)vkrEnd(a->recorder, NULL);
    return result;
}

static int record_body(const bench *b, const mode *m, const arm *a, uint64_t n)
{
    const VkrEndInfo end = {.commandBuffer = a->commands,
                            .consumerStages = VK_PIPELINE_STAGE_TRANSFER_BIT,
                            .consumerAccess = VK_ACCESS_TRANSFER_READ_BIT};
    if (is_operation(a))
        return gpu_status(vkrEnd(a->recorder, &end));
    m->record(b, a, n);
    return STATUS_DONE;
}

static int record_arm(const bench *b, const mode *m, arm *a, row *r)
{
    gpu g = b->gpu;
    if (m->is_beyond != NULL && m->is_beyond(b, a, r->n)) {
        r->verdict = VERDICT_BEYOND;
        return STATUS_DONE;
    }
    int status = commands_allocate(&b->gpu, &a->commands);
    if (status != STATUS_DONE)
        return status;
    const VkrResult result = is_operation(a) ? collect(b, m, a, r->n) : VKR_SUCCESS;
    if (result == VKR_ERROR_UNSUPPORTED) {
        r->verdict = VERDICT_UNSUPPORTED;
        forget_failure();
        return STATUS_DONE;
    }
    status = gpu_status(result);
    g.commands = a->commands;
    if (status != STATUS_DONE || (status = gpu_begin(&g)) != STATUS_DONE)
        return status;
    gpu_start_clock(&g);
    status = record_body(b, m, a, r->n);
    gpu_stop_clock(&g);
    return status == STATUS_DONE ? gpu_end(&g) : status;
}

int mode_measure(bench *b, const mode *m, FILE *json)
{
    int status = STATUS_DONE;
    b->settings.size_count = 1; /* there is one row per arm */
    for (uint32_t i = 0; i < b->arm_count && status == STATUS_DONE; i++)
        status = record_arm(b, m, &b->arms[i], &b->rows[i]);
    for (uint32_t i = 0; i < b->arm_count && status == STATUS_DONE; i++)
        if (m->rehearse != NULL && row_measured(&b->rows[i]))
            status = m->rehearse(b, &b->arms[i], &b->rows[i]);
    if (status == STATUS_DONE)
        status = measure_turns(b, b->rows);
    for (uint32_t i = 0; i < b->arm_count && status == STATUS_DONE; i++)
        if (row_measured(&b->rows[i]))
            status = m->finish(b, &b->rows[i]);
    if (status != STATUS_DONE)
        return status;
    m->report(b);
    if (json != NULL)
        report_json(json, b, b->rows);
    return STATUS_DONE;
}
