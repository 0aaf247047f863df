/* SPDX-License-Identifier: MIT */
/* Histograms of random and constant floats, bytes and texels, compared with a bare kernel. */
#include "buffers.h"
#include "commands.h"
#include "histograms.h"
#include "measure.h"
#include "mode.h"
#include "report.h"
#include "status.h"

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
    (void)mode_add(b, &a, b->settings.sizes[size]);
}

/* Whether the bare kernel can count the same bins. */
static bool is_plain(const histogram_case *of)
{
    return of->kind == VKR_BINS_EVEN && of->bins == PLAIN_BINS && !of->weighted;
}

static int create_arms(bench *b)
{
    const uint32_t most =
        b->settings.size_count * HISTOGRAM_CASES * (VKR_HISTOGRAM_ALGORITHM_COUNT + 1);
    const int status = mode_allocate(b, most);
    for (uint32_t s = 0; s < b->settings.size_count && status == STATUS_DONE; s++)
        for (uint32_t i = 0; i < HISTOGRAM_CASES; i++) {
            if (is_plain(&histogram_cases[i]))
                add(b, s, (histogram_shape){.of = i, .plain = true});
            for (uint32_t k = 0; k < VKR_HISTOGRAM_ALGORITHM_COUNT; k++)
                if ((histogram_cases[i].algorithms >> k & 1u) != 0)
                    add(b, s, (histogram_shape){.of = i, .algorithm = (VkrHistogramAlgorithm)k});
        }
    return status == STATUS_DONE ? mode_check(b) : status;
}

/* The size of the counts in bytes; an arm writes nothing else. */
static VkDeviceSize size_of(const arm *a)
{
    return (VkDeviceSize)case_of(a)->bins * channels_of(case_of(a)) * sizeof(uint32_t);
}

/* ---- Recording ---- */

static VkrView view_of(const bench *b, const arm *a, uint64_t n)
{
    const struct histograms *h = b->histograms;
    const VkrHostMemory *data = case_of(a)->data == HISTOGRAM_RANDOM     ? &b->data
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
    return vkrCmdHistogram(a->recorder, &info);
}

static void record_plain(const bench *b, const arm *a, uint64_t n)
{
    const struct histograms *h = b->histograms;
    const uint32_t count = (uint32_t)n;
    vkCmdFillBuffer(a->commands, b->copy.buffer, 0, size_of(a), 0);
    memory_barrier(a->commands, VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_WRITE_BIT,
                   VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                   VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT);
    kernel_dispatch(&h->layout, a->commands, h->plain,
                    h->sets[case_of(a)->data == HISTOGRAM_CONSTANT], &count, h->groups);
}

/* Whether n elements are too many for an arm. */
static bool is_beyond(const bench *b, const arm *a, uint64_t n)
{
    if (a->histogram.plain)
        return 4 * n > b->gpu.limits.maxStorageBufferRange;
    return case_of(a)->data == HISTOGRAM_IMAGE &&
           b->histograms->texels[a->histogram.size].view == VK_NULL_HANDLE;
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
    static const mode steps = {.is_beyond = is_beyond,
                               .collect = collect,
                               .record = record_plain,
                               .finish = finish,
                               .report = report_histograms};
    int status = create_arms(b);
    VkDeviceSize most = 0;
    for (uint32_t i = 0; i < b->arm_count; i++)
        most = size_of(&b->arms[i]) > most ? size_of(&b->arms[i]) : most;
    if (status == STATUS_DONE)
        status = histograms_create(b);
    if (status == STATUS_DONE)
        status = outputs_create(b, most);
    if (status == STATUS_DONE)
        status = histograms_describe(b);
    return status == STATUS_DONE ? mode_measure(b, &steps, json) : status;
}
