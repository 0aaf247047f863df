/* SPDX-License-Identifier: MIT */
#include "mode.h"
#include <stdlib.h>
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
    VkrResult result = vkrCreateRecorder(b->gpu.vulkan.context,
                                         &(VkrRecorderInfo){.label = a->name}, &a->recorder);
    if (result == VKR_SUCCESS)
        result = vkrBegin(a->recorder);
    if (result == VKR_SUCCESS)
        result = m->collect(b, a, n);
    if (result == VKR_SUCCESS && !m->shares_scratch)
        result = vkrPrepare(a->recorder);
    if (result == VKR_ERROR_UNSUPPORTED)
        (void)vkrEnd(a->recorder, NULL);
    return result;
}

/* Hands the operation of an arm to its recorder, unless the row is left out. */
static int collect_arm(const bench *b, const mode *m, arm *a, row *r)
{
    if (m->is_beyond != NULL && m->is_beyond(b, a, r->n))
        r->verdict = VERDICT_BEYOND;
    if (!row_measured(r) || !is_operation(a))
        return STATUS_DONE;
    expect_failure();
    VkrResult result = collect(b, m, a, r->n);
    forget_failure();
    if (result == VKR_ERROR_UNSUPPORTED) {
        r->verdict = VERDICT_UNSUPPORTED;
    } else if (result != VKR_SUCCESS) {
        vkrDestroyRecorder(a->recorder);
        result = collect(b, m, a, r->n); /* once more, to print why it fails */
    }
    return r->verdict == VERDICT_UNSUPPORTED ? STATUS_DONE : gpu_status(result);
}

/* Creates the scratch memory that all arms share, and leaves out the arms that need more than a
 * buffer can have. */
static int create_scratch(bench *b)
{
    VkDeviceSize most = 1;
    for (uint32_t i = 0; i < b->arm_count; i++) {
        VkDeviceSize size = 0;
        if (!row_measured(&b->rows[i]) || !is_operation(&b->arms[i]))
            continue;
        const int status = gpu_status(vkrGetScratchSize(b->arms[i].recorder, &size));
        if (status != STATUS_DONE)
            return status;
        if (size > b->gpu.chosen.maxBufferSize)
            b->rows[i].verdict = VERDICT_BEYOND;
        else
            most = size > most ? size : most;
    }
    return gpu_status(vkrHostAlloc(b->gpu.host, most, VKR_HOST_MEMORY_UNMAPPED, &b->scratch));
}

static int record_body(const bench *b, const mode *m, const arm *a, uint64_t n)
{
    const VkrEndInfo end = {.commandBuffer = a->commands,
                            .consumerStages = VK_PIPELINE_STAGE_TRANSFER_BIT,
                            .consumerAccess = VK_ACCESS_TRANSFER_READ_BIT,
                            .scratch = {b->scratch.buffer, 0, b->scratch.size}};
    if (is_operation(a))
        return gpu_status(vkrEnd(a->recorder, &end));
    m->record(b, a, n);
    return STATUS_DONE;
}

static int record_arm(const bench *b, const mode *m, arm *a, const row *r)
{
    int status = gpu_share(b->gpu.host, false, &a->host);
    if (status != STATUS_DONE || (status = gpu_status(vkrHostBegin(a->host))) != STATUS_DONE)
        return status;
    a->commands = vkrHostCommands(a->host);
    if (m->precede != NULL)
        m->precede(b, a, r->n);
    status = gpu_status(vkrHostStamp(a->host, VK_FALSE));
    if (status == STATUS_DONE)
        status = record_body(b, m, a, r->n);
    return status == STATUS_DONE ? gpu_status(vkrHostStamp(a->host, VK_TRUE)) : status;
}

static int record_all(bench *b, const mode *m)
{
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < b->arm_count && status == STATUS_DONE; i++)
        status = collect_arm(b, m, &b->arms[i], &b->rows[i]);
    if (status == STATUS_DONE && m->shares_scratch)
        status = create_scratch(b);
    for (uint32_t i = 0; i < b->arm_count && status == STATUS_DONE; i++)
        if (row_measured(&b->rows[i]))
            status = record_arm(b, m, &b->arms[i], &b->rows[i]);
    return status;
}

int mode_measure(bench *b, const mode *m, FILE *json)
{
    b->settings.size_count = 1; /* there is one row per arm */
    int status = record_all(b, m);
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
