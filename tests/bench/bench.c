/* SPDX-License-Identifier: MIT */
#include "bench.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "buffers.h"
#include "busy.h"
#include "histograms.h"
#include "images.h"
#include "measure.h"
#include "moves.h"
#include "ordered.h"
#include "read.h"
#include "recordings.h"
#include "report.h"
#include "segments.h"
#include "status.h"
#include "streams.h"
#include "windows.h"

static int create_buffers(bench *b)
{
    const gpu *g = &b->gpu;
    VkDeviceSize slots = (VkDeviceSize)b->arm_count * SLOT_SIZE;
    int status = gpu_status(vkrHostAlloc(g->host, b->in.size, VKR_HOST_MEMORY_DEVICE, &b->data));
    if (status == STATUS_DONE)
        status = gpu_status(vkrHostAlloc(g->host, slots, VKR_HOST_MEMORY_DEVICE, &b->output));
    if (status == STATUS_DONE)
        status = gpu_status(vkrHostAlloc(g->host, slots, VKR_HOST_MEMORY_READBACK, &b->readback));
    if (status == STATUS_DONE)
        status =
            gpu_status(vkrHostAlloc(g->host, sizeof(uint64_t), VKR_HOST_MEMORY_DEVICE, &b->count));
    VkDeviceSize most = moves_room(b) / 4, copied = 0;
    most = most < g->chosen.maxBufferSize ? most : g->chosen.maxBufferSize;
    for (uint32_t i = 0; i < b->arm_count; i++) {
        VkDeviceSize wanted = moves_size(&b->arms[i], b->in.size / 4);
        copied = wanted > copied ? wanted : copied;
    }
    copied = copied < most ? copied : most;
    return status == STATUS_DONE ? outputs_create(b, copied) : status;
}

static int fill_data(bench *b)
{
    b->host = malloc((size_t)b->in.size);
    if (b->host == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    int status = input_read(&b->in, 0, (size_t)b->in.size, b->host);
    return status == STATUS_DONE ? gpu_upload(b->gpu.host, &b->data, &b->in) : status;
}

static int prepare_arm(const bench *b, arm *a)
{
    if (streams_lack(b, a))
        return STATUS_DONE;
    const int status = gpu_share(a->geometry ? geometry_host(b) : b->gpu.host, false, &a->host);
    if (status != STATUS_DONE)
        return status;
    a->commands = vkrHostCommands(a->host);
    if (a->kind == ARM_READ || a->kind == ARM_COPY)
        return reader_pipeline(b, &a->shape, &a->pipeline);
    if (!is_operation(a))
        return STATUS_DONE;
    return gpu_status(
        vkrCreateRecorder(a->step == STEP_ALL ? b->gpu.vulkan.context : stream_steps_context(b),
                          &(VkrRecorderInfo){.label = a->name}, &a->recorder));
}

static int prepare(bench *b)
{
    if (b->settings.streams)
        streams_add_sizes(&b->settings, &b->gpu);
    int status = sizes_fit(b, 4, 4);
    if (status != STATUS_DONE)
        return status;
    b->arms = arms_create(&b->settings, &b->gpu, &b->arm_count);
    if (b->arms != NULL)
        b->rows = calloc((size_t)b->arm_count * b->settings.size_count, sizeof *b->rows);
    if (b->rows != NULL)
        b->order = calloc(b->arm_count, sizeof *b->order);
    if (b->order == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    if ((status = arms_check_filters(&b->settings, b->arms, b->arm_count)) != STATUS_DONE)
        return status;
    if ((status = create_buffers(b)) != STATUS_DONE || (status = fill_data(b)) != STATUS_DONE)
        return status;
    if ((status = moves_open(b)) != STATUS_DONE || (status = segment_sums_open(b)) != STATUS_DONE)
        return status;
    if (b->settings.streams && (status = streams_open(b)) != STATUS_DONE)
        return status;
    status = reader_open(b);
    for (uint32_t i = 0; i < b->arm_count && status == STATUS_DONE; i++)
        status = prepare_arm(b, &b->arms[i]);
    return status;
}

static bool all_verified(const bench *b)
{
    for (size_t i = 0; i < (size_t)b->arm_count * b->settings.size_count; i++)
        if (b->rows[i].verdict == VERDICT_NO)
            return false;
    return true;
}

static int measure(bench *b, FILE *json)
{
    report_head(b,
                b->gpu.vulkan.timestampBits != 0
                    ? "random f32 in [0, 1)"
                    : "random f32 in [0, 1); no timestamps: GB/s and ratios are of whole submits");
    for (uint32_t s = 0; s < b->settings.size_count; s++) {
        const row *rows = &b->rows[(size_t)s * b->arm_count];
        int status = measure_size(b, s);
        if (status != STATUS_DONE)
            return status;
        report_size(b, rows);
        if (json != NULL)
            report_json(json, b, rows);
    }
    report_ratios(b);
    return STATUS_DONE;
}

static void close_all(bench *b)
{
    for (uint32_t i = 0; b->arms != NULL && i < b->arm_count; i++) {
        vkrDestroyHost(b->arms[i].host);
        vkrDestroyRecorder(b->arms[i].recorder);
        vkDestroyPipeline(b->gpu.vulkan.device, b->arms[i].pipeline, NULL);
    }
    reader_close(b);
    moves_close(b);
    segment_sums_close(b);
    windows_close(b);
    images_close(b);
    histograms_close(b);
    ordered_close(b);
    streams_close(b);
    busy_close(b);
    vkrHostFree(b->gpu.host, &b->copied);
    vkrHostFree(b->gpu.host, &b->copy);
    vkrHostFree(b->gpu.host, &b->count);
    vkrHostFree(b->gpu.host, &b->readback);
    vkrHostFree(b->gpu.host, &b->output);
    vkrHostFree(b->gpu.host, &b->data);
    gpu_close(&b->gpu);
    free(b->order);
    free(b->rows);
    free(b->arms);
    free(b->host);
}

static int run(bench *b)
{
    FILE *json = NULL;
    if (b->settings.json != NULL && (json = fopen(b->settings.json, "w")) == NULL)
        return fail(STATUS_VULKAN, "%s cannot be written: %s", b->settings.json, strerror(errno));
    int status = gpu_open(&b->gpu, &(device_options){.device = b->settings.device}, false);
    if (status == STATUS_DONE && !b->settings.recordings)
        status = busy_open(b);
    if (status == STATUS_DONE && b->settings.recordings)
        status = recordings_measure(b, json);
    else if (status == STATUS_DONE && b->settings.windows)
        status = windows_measure(b, json);
    else if (status == STATUS_DONE && b->settings.images)
        status = images_measure(b, json);
    else if (status == STATUS_DONE && b->settings.histograms)
        status = histograms_measure(b, json);
    else if (status == STATUS_DONE && b->settings.ordered)
        status = ordered_measure(b, json);
    else if (status == STATUS_DONE && (status = prepare(b)) == STATUS_DONE)
        status = measure(b, json);
    if (status == STATUS_DONE && !all_verified(b))
        status = STATUS_DIFFERENCE;
    bool written = json == NULL || !ferror(json);
    if (json != NULL)
        written &= fclose(json) == 0;
    return written || status != STATUS_DONE
               ? status
               : fail(STATUS_VULKAN, "%s could not be written", b->settings.json);
}

int bench_main(int argc, char **argv)
{
    bench b = {.in = {.name = "random",
                      .source = SOURCE_RANDOM,
                      .file = -1,
                      .seed = 1,
                      .type = VKR_TYPE_F32,
                      .components = 1}};
    int status = settings_parse(&b.settings, argc, argv);
    if (status != STATUS_DONE || b.settings.help)
        return status;
    status = run(&b);
    close_all(&b);
    return status;
}
