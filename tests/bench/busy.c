/* SPDX-License-Identifier: MIT */
#include "busy.h"
#include <stdlib.h>
#include "measure.h"
#include "status.h"

#define MAX_GROUPS 65535u /* every device has as many */
#define TRIPS 16384u      /* some drivers for CPUs end loops after 65,535 */
#define FIRST_RUNS 9u     /* of nothing, before any row */

/* On an NVIDIA H100 nothing takes 0.67 us at its full clock, and 1.31 where rows took twice as long
 * as at others. Times are multiples of 0.03 us and vary by one or two of them, so this factor, near
 * the geometric mean of 1 and 2, tells both apart. */
#define LOW_CLOCK 1.5

static const uint32_t busy_code[] =
#include "busy.inc"
    ;

static bool is_cpu(const bench *b)
{
    return b->gpu.chosen.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
}

static int create_kernel(const bench *b)
{
    struct busy *busy = b->busy;
    busy->layout = (kernel_layout){
        .types = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER}, .bindings = 1, .push_size = sizeof(uint32_t)};
    int status = gpu_status(
        vkrHostAlloc(b->gpu.host, sizeof(uint32_t), VKR_HOST_MEMORY_DEVICE, &busy->result));
    if (status == STATUS_DONE)
        status = kernel_layout_open(&busy->layout, &b->gpu, 1);
    const kernel_descriptor descriptor = {.buffer = {busy->result.buffer, 0, VK_WHOLE_SIZE}};
    if (status == STATUS_DONE)
        status = kernel_set(&busy->layout, &b->gpu, &descriptor, &busy->set);
    const kernel_code code = {busy_code, sizeof busy_code};
    return status == STATUS_DONE
               ? kernel_pipeline(&busy->layout, &b->gpu, code, NULL, 0, &busy->pipeline)
               : status;
}

static int record_work(const bench *b, uint32_t groups)
{
    const uint32_t trips = TRIPS;
    const VkrHost host = b->busy->work;
    const int status = gpu_status(vkrHostBegin(host));
    if (status == STATUS_DONE)
        kernel_dispatch(&b->busy->layout, vkrHostCommands(host), b->busy->pipeline, b->busy->set,
                        &trips, groups);
    return status;
}

/* Doubles the number of workgroups until two runs in a row take long enough: the clock may rise
 * meanwhile. */
static int choose_groups(const bench *b)
{
    uint32_t groups = 1, long_runs = 0;
    int status = record_work(b, groups);
    while (status == STATUS_DONE && long_runs < 2) {
        const double start = now_ns();
        status = busy_run(b);
        const bool is_long = now_ns() - start >= (double)b->settings.busy * 1e6;
        long_runs = is_long || groups == MAX_GROUPS ? long_runs + 1 : 0;
        if (status == STATUS_DONE && long_runs == 0) {
            groups = groups < MAX_GROUPS / 2 ? 2 * groups : MAX_GROUPS;
            status = record_work(b, groups);
        }
    }
    return status;
}

static int record_nothing(const bench *b)
{
    VkrResult result = vkrHostBegin(b->busy->nothing);
    if (result == VKR_SUCCESS)
        result = vkrHostStamp(b->busy->nothing, VK_TRUE);
    return gpu_status(result);
}

/* Measures nothing while the clock is high, since the first rows are compared with it. */
static int measure_first(const bench *b)
{
    double times[FIRST_RUNS];
    for (uint32_t i = 0; i < FIRST_RUNS; i++) {
        int status = busy_run(b);
        if (status == STATUS_DONE)
            status = busy_read_empty(b, &times[i]);
        if (status != STATUS_DONE)
            return status;
    }
    b->busy->least_ns = median(times, FIRST_RUNS);
    return STATUS_DONE;
}

int busy_open(bench *b)
{
    if (!b->settings.busy_given)
        b->settings.busy = is_cpu(b) ? 0 : DEFAULT_BUSY;
    if (b->settings.busy == 0 && is_cpu(b))
        return STATUS_DONE;
    b->busy = calloc(1, sizeof *b->busy);
    if (b->busy == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    int status = create_kernel(b);
    if (status == STATUS_DONE)
        status = gpu_share(b->gpu.host, false, &b->busy->work);
    if (status == STATUS_DONE)
        status = gpu_share(b->gpu.host, false, &b->busy->nothing);
    if (status == STATUS_DONE)
        status = record_nothing(b);
    if (status == STATUS_DONE)
        status = choose_groups(b);
    return status == STATUS_DONE ? measure_first(b) : status;
}

void busy_close(bench *b)
{
    struct busy *busy = b->busy;
    if (busy == NULL)
        return;
    vkrDestroyHost(busy->work);
    vkrDestroyHost(busy->nothing);
    vkDestroyPipeline(b->gpu.vulkan.device, busy->pipeline, NULL);
    kernel_layout_close(&busy->layout, &b->gpu);
    vkrHostFree(b->gpu.host, &busy->result);
    free(busy);
}

int busy_run(const bench *b)
{
    if (b->settings.busy == 0)
        return STATUS_DONE;
    return gpu_submit(b->busy->work);
}

int busy_read_empty(const bench *b, double *ns)
{
    double milliseconds = 0.0;
    *ns = 0.0;
    if (b->busy == NULL || b->gpu.vulkan.timestampBits == 0)
        return STATUS_DONE;
    int status = gpu_submit(b->busy->nothing);
    if (status == STATUS_DONE)
        status = gpu_read_clock(b->busy->nothing, &milliseconds);
    *ns = milliseconds * 1e6;
    return status;
}

bool busy_judges(const bench *b)
{
    return b->settings.busy > 0 && !is_cpu(b);
}

void busy_note_empty(const bench *b, double ns)
{
    if (b->busy != NULL && ns > 0.0 && ns < b->busy->least_ns)
        b->busy->least_ns = ns;
}

bool busy_clock_low(const bench *b, double ns)
{
    return b->busy != NULL && ns > LOW_CLOCK * b->busy->least_ns;
}
