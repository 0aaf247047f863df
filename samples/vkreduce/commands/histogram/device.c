/* SPDX-License-Identifier: MIT */
/* Runs a histogram on the device. One recording finds the range, the counts and the quantiles, and
 * the host reads nothing in between. Data in chunks needs one pass for the range and one that
 * accumulates the counts. */
#include <stdlib.h>
#include <string.h>
#include "commands/histogram/device.h"
#include "progress.h"
#include "status.h"

enum { DATA = 0 };

#define PLACE_ALIGNMENT ((uint64_t)256) /* the maximum alignment of descriptor offsets */

static uint64_t aligned(uint64_t size)
{
    return (size + PLACE_ALIGNMENT - 1) / PLACE_ALIGNMENT * PLACE_ALIGNMENT;
}

/* ---- Sizes ---- */

static int cut(histogram_device *d)
{
    const input *in = histogram_stored(d->request);
    const uint64_t pitch = input_pitch(in), size = input_span(in, in->count);
    d->task->chunks = 1;
    d->chunk = in->count;
    if (!task_is_streamed(d->task, 1, &size))
        return STATUS_DONE;
    if (d->request->stored.name != NULL)
        return fail(STATUS_USAGE,
                    "%s: it is too large; --as-image and --map take data that fits the device",
                    in->name);
    return task_cut(d->task, in->count, pitch, pitch, VKR_TREE_BLOCK, &d->chunk);
}

static uint64_t place_size(const histogram_device *d, histogram_place place)
{
    const uint64_t channels = d->request->in.components, count = vkrTypeSize(d->count_type);
    const uint64_t edge = vkrTypeSize(d->request->edge_type);
    switch (place) {
    case PLACE_RANGE:
        return 2 * channels * vkrTypeSize(d->request->in.type);
    case PLACE_COUNTS:
        return channels * d->bins.count * count;
    case PLACE_OUTSIDE:
        return channels * OUTSIDE_COUNT * count;
    case PLACE_EDGES:
        return channels * (d->bins.count + 1) * edge;
    default:
        return channels * d->request->share_count * edge;
    }
}

static VkrBufferRange place_of(const histogram_device *d, histogram_place place)
{
    return (VkrBufferRange){d->results.buffer, d->places[place], place_size(d, place)};
}

/* ---- Buffers ---- */

static int create_results(histogram_device *d)
{
    const gpu *g = &d->task->gpu;
    d->count_type = d->request->in.count <= UINT32_MAX ? VKR_TYPE_U32 : VKR_TYPE_U64;
    for (uint32_t i = 0; i < PLACES; i++)
        d->places[i + 1] = d->places[i] + aligned(place_size(d, (histogram_place)i));
    int status = gpu_buffer_create(g, &d->results, d->places[PLACES],
                                   d->task->opts->staging ? MEMORY_UNMAPPED : MEMORY_RESULT);
    if (status == STATUS_DONE && d->results.map == NULL)
        status = gpu_buffer_create(g, &d->readback, d->places[PLACES], MEMORY_READBACK);
    return status;
}

/* Uploads --edges twice: in the type that elements are compared in, and as floats for the
 * quantiles. */
static int create_edges(histogram_device *d)
{
    const gpu *g = &d->task->gpu;
    if (d->bins.kind != VKR_BINS_EDGES)
        return STATUS_DONE;
    int status = gpu_buffer_create(g, &d->host_edges, d->request->given_size, MEMORY_UPLOAD);
    if (status == STATUS_DONE)
        status = gpu_buffer_create(g, &d->shown_edges, place_size(d, PLACE_EDGES), MEMORY_UPLOAD);
    if (status != STATUS_DONE)
        return status;
    memcpy(d->host_edges.map, d->request->given, (size_t)d->request->given_size);
    d->bins.edges = (VkrBufferRange){d->host_edges.buffer, 0, d->request->given_size};
    char *shown = d->shown_edges.map;
    for (uint32_t c = 0; c < d->request->in.components; c++)
        for (uint32_t k = 0; k <= d->bins.count; k++) {
            const double edge = d->request->edges[(size_t)c * (d->request->bins + 1) + k];
            const float single = (float)edge;
            memcpy(shown, d->request->edge_type == VKR_TYPE_F64 ? (const void *)&edge : &single,
                   vkrTypeSize(d->request->edge_type));
            shown += vkrTypeSize(d->request->edge_type);
        }
    return STATUS_DONE;
}

static int create_count(histogram_device *d)
{
    if (!d->task->opts->count_on_gpu)
        return STATUS_DONE;
    int status =
        gpu_buffer_create(&d->task->gpu, &d->count, sizeof d->request->in.count, MEMORY_UPLOAD);
    if (status == STATUS_DONE)
        memcpy(d->count.map, &d->request->in.count, sizeof d->request->in.count);
    return status;
}

/* ---- Chunks ---- */

static uint64_t first_of(const histogram_device *d, const pipe_slot *slot)
{
    return slot->chunk * d->chunk;
}

static uint64_t count_of(const histogram_device *d, const pipe_slot *slot)
{
    const uint64_t left = d->request->in.count - first_of(d, slot);
    return left < d->chunk ? left : d->chunk;
}

static bool is_last(const histogram_device *d, const pipe_slot *slot)
{
    return slot->chunk + 1 == d->task->chunks;
}

static int load(void *context, pipe_slot *slot)
{
    const histogram_device *d = context;
    const uint64_t count = count_of(d, slot);
    if (d->request->opts->texels.as_image)
        return STATUS_DONE;
    slot->buffers[DATA].used = input_span(histogram_stored(d->request), count);
    return input_load(histogram_stored(d->request), first_of(d, slot), count, pipe_map(slot, DATA));
}

/* The elements of a chunk, as the operations read them. */
typedef struct portion {
    VkrView view;
    uint64_t count;
    VkrGpuCount gpu_count;
} portion;

static portion portion_of(const histogram_device *d, const pipe_slot *slot)
{
    portion p = {.count = count_of(d, slot)};
    if (d->request->opts->texels.as_image)
        p.view =
            (VkrView){.image = &d->image, .components = histogram_stored(d->request)->components};
    else
        p.view = pipe_view(slot, DATA, histogram_stored(d->request), p.count);
    p.view.map = d->request->opts->texels.map != MAP_NONE ? &d->request->map : NULL;
    if (d->task->opts->count_on_gpu) {
        if (p.count > 0)
            p.count = VKR_COUNT_ALL;
        p.gpu_count = (VkrGpuCount){.buffer = d->count.buffer, .type = VKR_TYPE_U64};
    }
    return p;
}

static VkrResult collect_range(histogram_device *d, pipe_slot *slot, const portion *p)
{
    VkrReduceInfo info = d->range;
    info.input = p->view;
    info.count = p->count;
    info.gpuCount = p->gpu_count;
    info.output = place_of(d, PLACE_RANGE);
    info.pieces.first = first_of(d, slot);
    return vkrCmdReduce(slot->recorder, &info);
}

static VkrResult collect_counts(histogram_device *d, pipe_slot *slot, const portion *p)
{
    const VkrHistogramInfo info = {.label = "vkreduce histogram",
                                   .input = p->view,
                                   .count = p->count,
                                   .gpuCount = p->gpu_count,
                                   .bins = d->bins,
                                   .countType = d->count_type,
                                   .counts = place_of(d, PLACE_COUNTS),
                                   .outside = place_of(d, PLACE_OUTSIDE),
                                   .edges = place_of(d, PLACE_EDGES),
                                   .algorithm = (VkrHistogramAlgorithm)d->request->opts->algorithm,
                                   .flags = (d->request->closed ? VKR_HISTOGRAM_CLOSED_BIT : 0u) |
                                            (slot->chunk > 0 ? VKR_HISTOGRAM_ACCUMULATE_BIT : 0u)};
    return vkrCmdHistogram(slot->recorder, &info);
}

static VkrResult collect_quantiles(histogram_device *d, pipe_slot *slot)
{
    const VkrBufferRange shown = {d->shown_edges.buffer, 0, place_size(d, PLACE_EDGES)};
    const VkrQuantileInfo info = {
        .label = "vkreduce histogram",
        .binCount = d->bins.count,
        .components = d->request->in.components,
        .countType = d->count_type,
        .counts = place_of(d, PLACE_COUNTS),
        .edgeType = d->request->edge_type,
        .edges = d->bins.kind == VKR_BINS_EDGES ? shown : place_of(d, PLACE_EDGES),
        .shareCount = d->request->share_count,
        .shares = d->request->shares,
        .quantiles = place_of(d, PLACE_QUANTILES)};
    return vkrCmdQuantile(slot->recorder, &info);
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    histogram_device *d = context;
    const portion p = portion_of(d, slot);
    VkrResult result = VKR_SUCCESS;
    if (d->ranging || (d->request->own_range && d->task->chunks == 1))
        result = collect_range(d, slot, &p);
    if (result == VKR_SUCCESS && !d->ranging)
        result = collect_counts(d, slot, &p);
    if (result == VKR_SUCCESS && !d->ranging && d->request->share_count > 0 && is_last(d, slot))
        result = collect_quantiles(d, slot);
    return result;
}

/* ---- The work ---- */

/* Prepares the reduction to minima and maxima; chunks are reduced as pieces. */
static int prepare_range(histogram_device *d)
{
    VkrReduceLayout layout;
    if (!d->request->own_range)
        return STATUS_DONE;
    const uint64_t low = d->places[PLACE_RANGE];
    d->bins.gpuRange = (VkrGpuRange){d->results.buffer, low, low + place_size(d, PLACE_RANGE) / 2};
    d->range = (VkrReduceInfo){.label = "range",
                               .ops = VKR_OP_MIN | VKR_OP_MAX,
                               .input = {.size = input_span(histogram_stored(d->request), d->chunk),
                                         .type = d->request->in.type,
                                         .components = d->request->in.components,
                                         .stride = input_pitch(histogram_stored(d->request))},
                               .count = d->chunk};
    if (d->task->chunks == 1)
        return STATUS_DONE;
    d->range.pieces.count = d->request->in.count;
    int status = gpu_status(vkrGetReduceLayout(d->task->gpu.context, &d->range, &layout));
    if (status == STATUS_DONE)
        status = gpu_buffer_create(&d->task->gpu, &d->partials, layout.partialsSize, MEMORY_DEVICE);
    d->range.pieces.partials = (VkrBufferRange){d->partials.buffer, 0, d->partials.size};
    return status;
}

static int prepare(histogram_device *d)
{
    int status = cut(d);
    if (status != STATUS_DONE || (status = create_results(d)) != STATUS_DONE ||
        (status = create_edges(d)) != STATUS_DONE || (status = create_count(d)) != STATUS_DONE ||
        (status = prepare_range(d)) != STATUS_DONE)
        return status;
    if (d->request->opts->texels.as_image)
        status = texels_upload(&d->task->gpu, &d->request->stored, &d->texels, &d->image);
    d->pipe =
        (pipe){.task = d->task,
               .context = d,
               .sizes = {[DATA] = d->request->opts->texels.as_image
                                      ? 0
                                      : input_span(histogram_stored(d->request), d->chunk) + 1},
               .load = load,
               .collect = collect};
    return status == STATUS_DONE ? pipe_open(&d->pipe) : status;
}

static bool has_two_passes(const histogram_device *d)
{
    return d->request->own_range && d->task->chunks > 1;
}

static int once(void *context, double *milliseconds)
{
    histogram_device *d = context;
    double first = 0.0;
    int status = STATUS_DONE;
    d->ranging = has_two_passes(d);
    if (d->ranging)
        status = pipe_pass(&d->pipe, &first);
    d->ranging = false;
    if (status == STATUS_DONE)
        status = pipe_pass(&d->pipe, milliseconds);
    *milliseconds += first;
    return status;
}

int histogram_execute(histogram_device *d, task *t, const histogram_request *r)
{
    *d = (histogram_device){.task = t, .request = r, .bins = r->used, .image = r->image};
    int status = prepare(d);
    if (status != STATUS_DONE)
        return status;
    progress_start("counting", pipe_loads(&d->pipe) * (has_two_passes(d) ? 2 : 1) *
                                   input_span(histogram_stored(r), r->in.count));
    status = task_execute(t, once, d);
    progress_end();
    return status;
}

void histogram_close(histogram_device *d)
{
    gpu_buffer *const buffers[] = {&d->results,  &d->readback,   &d->count,
                                   &d->partials, &d->host_edges, &d->shown_edges};
    if (d->task == NULL)
        return;
    const gpu *g = &d->task->gpu;
    pipe_close(&d->pipe);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        gpu_buffer_destroy(g, buffers[i]);
    if (g->device != VK_NULL_HANDLE)
        vkDestroyImageView(g->device, d->image.view, NULL);
    gpu_image_destroy(g, &d->texels);
}
