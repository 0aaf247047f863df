/* SPDX-License-Identifier: MIT */
/* Histograms of random and of constant elements, bytes and texels, beside a bare kernel. */
#include <stdlib.h>
#include <string.h>
#include "histograms.h"

/* ---- Arms ---- */

static void add(bench *b, uint32_t size, histogram_shape shape)
{
    const histogram_case *of = &histogram_cases[shape.of];
    arm a = {.kind = shape.plain ? ARM_READ : ARM_HISTOGRAMS,
             .type = of->data == HISTOGRAM_RANDOM || of->data == HISTOGRAM_CONSTANT ? VKR_TYPE_F32
                                                                                    : VKR_TYPE_U8,
             .histogram = shape};
    a.histogram.size = size;
    snprintf(a.op, sizeof a.op, "histogram %s", of->name);
    snprintf(a.name, sizeof a.name, "%s %s %s", a.op, vkrTypeName(a.type),
             shape.plain ? "plain" : vkrHistogramAlgorithmName(shape.algorithm));
    if (!arm_wanted(&b->settings, &a))
        return;
    b->rows[b->arm_count].n = b->settings.sizes[size];
    b->arms[b->arm_count++] = a;
}

/* Whether the bare kernel counts the same. */
static bool is_plain(const histogram_case *of)
{
    return of->kind == VKR_BINS_EVEN && of->bins == PLAIN_BINS && !of->weighted;
}

static int create_arms(bench *b)
{
    const size_t most =
        (size_t)b->settings.size_count * HISTOGRAM_CASES * (VKR_HISTOGRAM_ALGORITHM_COUNT + 1);
    b->arms = calloc(most, sizeof *b->arms);
    b->rows = calloc(most, sizeof *b->rows);
    b->order = calloc(most, sizeof *b->order);
    if (b->arms == NULL || b->rows == NULL || b->order == NULL)
        return fail(STATUS_VULKAN, "out of memory");
    for (uint32_t s = 0; s < b->settings.size_count; s++)
        for (uint32_t i = 0; i < HISTOGRAM_CASES; i++) {
            if (is_plain(&histogram_cases[i]))
                add(b, s, (histogram_shape){.of = i, .plain = true});
            for (uint32_t k = 0; k < VKR_HISTOGRAM_ALGORITHM_COUNT; k++)
                if ((histogram_cases[i].algorithms >> k & 1u) != 0)
                    add(b, s, (histogram_shape){.of = i, .algorithm = (VkrHistogramAlgorithm)k});
        }
    for (uint32_t i = 0; i < b->arm_count; i++)
        b->rows[i].arm = &b->arms[i];
    return arms_check_filters(&b->settings, b->arms, b->arm_count);
}

/* The bytes of the counts, which are all that an arm leaves. */
static VkDeviceSize size_of(const arm *a)
{
    return (VkDeviceSize)case_of(a)->bins * channels_of(case_of(a)) * sizeof(uint32_t);
}

/* ---- Recording ---- */

static VkrView view_of(const bench *b, const arm *a, uint64_t n)
{
    const struct histograms *h = b->histograms;
    const gpu_buffer *data = case_of(a)->data == HISTOGRAM_RANDOM     ? &b->data
                             : case_of(a)->data == HISTOGRAM_CONSTANT ? &h->constant
                                                                      : &h->bytes;
    if (case_of(a)->data == HISTOGRAM_IMAGE)
        return (VkrView){.image = &h->texels[a->histogram.size]};
    return (VkrView){.buffer = data->buffer,
                     .size = n * vkrTypeSize(a->type),
                     .type = a->type,
                     .texels =
                         n * vkrTypeSize(a->type) == data->size ? data->texels : (VkrTexels){0}};
}

static VkrResult collect(const bench *b, const arm *a, uint64_t n)
{
    const struct histograms *h = b->histograms;
    VkrHistogramInfo info = {.label = a->name,
                             .input = view_of(b, a, n),
                             .count = VKR_COUNT_ALL,
                             .bins = bins_of(case_of(a)),
                             .counts = {b->copy.buffer, 0, size_of(a)},
                             .algorithm = a->histogram.algorithm};
    if (case_of(a)->kind == VKR_BINS_EDGES)
        info.bins.edges =
            (VkrBufferRange){h->edges.buffer, 0, (case_of(a)->bins + 1) * sizeof(float)};
    if (case_of(a)->weighted)
        info.weights = (VkrView){.buffer = h->bytes.buffer, .size = 4 * n, .type = VKR_TYPE_U32};
    VkrResult result = vkrBegin(a->recorder);
    if (result == VKR_SUCCESS)
        result = vkrCmdHistogram(a->recorder, &info);
    if (result == VKR_SUCCESS)
        result = vkrPrepare(a->recorder);
    return result;
}

static void record_plain(const bench *b, const arm *a, uint64_t n)
{
    const struct histograms *h = b->histograms;
    const uint32_t count = (uint32_t)n;
    const VkMemoryBarrier cleared = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                     .srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT,
                                     .dstAccessMask =
                                         VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT};
    vkCmdFillBuffer(a->commands, b->copy.buffer, 0, size_of(a), 0);
    vkCmdPipelineBarrier(a->commands, VK_PIPELINE_STAGE_TRANSFER_BIT,
                         VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, 1, &cleared, 0, NULL, 0, NULL);
    vkCmdBindPipeline(a->commands, VK_PIPELINE_BIND_POINT_COMPUTE, h->plain);
    vkCmdBindDescriptorSets(a->commands, VK_PIPELINE_BIND_POINT_COMPUTE, h->layout, 0, 1,
                            &h->sets[case_of(a)->data == HISTOGRAM_CONSTANT], 0, NULL);
    vkCmdPushConstants(a->commands, h->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof count,
                       &count);
    vkCmdDispatch(a->commands, h->groups, 1, 1);
}

static VkrResult prepare_arm(const bench *b, arm *a, uint64_t n)
{
    VkrResult result =
        vkrCreateRecorder(b->gpu.context, &(VkrRecorderInfo){.label = a->name}, &a->recorder);
    if (result == VKR_SUCCESS)
        result = collect(b, a, n);
    if (result == VKR_ERROR_UNSUPPORTED)
        (void)vkrEnd(a->recorder, NULL);
    return result;
}

/* Whether an arm cannot have so many elements. */
static bool is_beyond(const bench *b, const arm *a, uint64_t n)
{
    if (a->histogram.plain)
        return 4 * n > b->gpu.chosen->properties.limits.maxStorageBufferRange;
    return case_of(a)->data == HISTOGRAM_IMAGE &&
           b->histograms->texels[a->histogram.size].view == VK_NULL_HANDLE;
}

static int record_arm(bench *b, arm *a, row *r)
{
    gpu g = b->gpu;
    const VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = b->gpu.pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1};
    const VkrEndInfo end = {.consumerStages = VK_PIPELINE_STAGE_TRANSFER_BIT,
                            .consumerAccess = VK_ACCESS_TRANSFER_READ_BIT};
    if (is_beyond(b, a, r->n)) {
        r->verdict = VERDICT_BEYOND;
        return STATUS_DONE;
    }
    const VkResult allocated = vkAllocateCommandBuffers(b->gpu.device, &commands, &a->commands);
    if (allocated != VK_SUCCESS)
        return gpu_fail(allocated, "vkAllocateCommandBuffers");
    const VkrResult result = a->histogram.plain ? VKR_SUCCESS : prepare_arm(b, a, r->n);
    if (result == VKR_ERROR_UNSUPPORTED) {
        r->verdict = VERDICT_UNSUPPORTED;
        return STATUS_DONE;
    }
    int status = gpu_status(result);
    VkrEndInfo own = end;
    g.commands = own.commandBuffer = a->commands;
    if (status != STATUS_DONE || (status = gpu_begin(&g)) != STATUS_DONE)
        return status;
    gpu_start_clock(&g);
    if (a->histogram.plain)
        record_plain(b, a, r->n);
    else
        status = gpu_status(vkrEnd(a->recorder, &own));
    gpu_stop_clock(&g);
    return status == STATUS_DONE ? gpu_end(&g) : status;
}

/* ---- Measuring ---- */

/* The time of the bare kernel on the same elements; 0: there is none. */
static double plain_ns(const bench *b, const row *r)
{
    for (uint32_t i = 0; i < b->arm_count; i++)
        if (b->arms[i].histogram.plain && b->rows[i].n == r->n &&
            b->arms[i].histogram.of == r->arm->histogram.of && row_measured(&b->rows[i]))
            return row_ns(&b->rows[i]);
    return 0.0;
}

static int finish(bench *b, row *r)
{
    if (!row_measured(r))
        return STATUS_DONE;
    const uint64_t element = vkrTypeSize(r->arm->type) * channels_of(case_of(r->arm));
    r->bytes = (double)(r->n * (element + (case_of(r->arm)->weighted ? 4 : 0)));
    r->ratios[RATIO_PLAIN] = plain_ns(b, r) / row_ns(r);
    const int status = measure_again(b, r->arm, size_of(r->arm));
    if (status == STATUS_DONE)
        histograms_verify(b, r);
    return status;
}

int histograms_measure(bench *b, FILE *json)
{
    int status = create_arms(b);
    VkDeviceSize most = 0;
    for (uint32_t i = 0; i < b->arm_count; i++)
        most = size_of(&b->arms[i]) > most ? size_of(&b->arms[i]) : most;
    if (status == STATUS_DONE)
        status = histograms_create(b);
    b->settings.size_count = 1; /* all rows are of arms */
    if (status == STATUS_DONE)
        status = gpu_buffer_create(&b->gpu, &b->copy, most, MEMORY_UNMAPPED);
    if (status == STATUS_DONE)
        status = gpu_buffer_create(&b->gpu, &b->copied, most, MEMORY_READBACK);
    if (status == STATUS_DONE)
        status = histograms_describe(b);
    for (uint32_t i = 0; i < b->arm_count && status == STATUS_DONE; i++)
        status = record_arm(b, &b->arms[i], &b->rows[i]);
    if (status == STATUS_DONE)
        status = measure_turns(b, b->rows);
    for (uint32_t i = 0; i < b->arm_count && status == STATUS_DONE; i++)
        status = finish(b, &b->rows[i]);
    if (status != STATUS_DONE)
        return status;
    report_histograms(b);
    if (json != NULL)
        report_json(json, b, b->rows);
    return STATUS_DONE;
}
