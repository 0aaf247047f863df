/* SPDX-License-Identifier: MIT */
/* The device's part of a histogram: in one recording the range, the counts and the quantiles, with
 * nothing read in between; of data in chunks a pass for the range, and one that accumulates. */
#include <stdlib.h>
#include <string.h>
#include "commands/histogram/histogram.h"
#include "progress.h"
#include "status.h"

enum { DATA = 0 };

#define PLACE_ALIGNMENT ((uint64_t)256) /* as far apart as descriptors can ask for */

static const input *stored(const histogram_job *j)
{
    return j->stored.name != NULL ? &j->stored : &j->in;
}

static uint64_t aligned(uint64_t size)
{
    return (size + PLACE_ALIGNMENT - 1) / PLACE_ALIGNMENT * PLACE_ALIGNMENT;
}

/* ---- Sizes ---- */

static int cut(histogram_job *j)
{
    const input *in = stored(j);
    const uint64_t pitch = input_pitch(in), size = input_span(in, in->count);
    j->task.chunks = 1;
    j->chunk = in->count;
    if (!task_is_streamed(&j->task, 1, &size))
        return STATUS_DONE;
    if (j->stored.name != NULL)
        return fail(STATUS_USAGE,
                    "%s: it is too large; --as-image and --map take data that fits the device",
                    in->name);
    return task_cut(&j->task, in->count, pitch, pitch, VKR_TREE_BLOCK, &j->chunk);
}

static uint64_t place_size(const histogram_job *j, histogram_place place)
{
    const uint64_t channels = j->in.components, count = vkrTypeSize(j->count_type);
    const uint64_t edge = vkrTypeSize(j->edge_type);
    switch (place) {
    case PLACE_RANGE:
        return 2 * channels * vkrTypeSize(j->in.type);
    case PLACE_COUNTS:
        return channels * j->used.count * count;
    case PLACE_OUTSIDE:
        return channels * OUTSIDE_COUNT * count;
    case PLACE_EDGES:
        return channels * (j->used.count + 1) * edge;
    default:
        return channels * j->share_count * edge;
    }
}

static VkrBufferRange place_of(const histogram_job *j, histogram_place place)
{
    return (VkrBufferRange){j->results.buffer, j->places[place], place_size(j, place)};
}

/* ---- Buffers ---- */

static int create_results(histogram_job *j)
{
    const gpu *g = &j->task.gpu;
    j->count_type = j->in.count <= UINT32_MAX ? VKR_TYPE_U32 : VKR_TYPE_U64;
    for (uint32_t i = 0; i < PLACES; i++)
        j->places[i + 1] = j->places[i] + aligned(place_size(j, (histogram_place)i));
    int status = gpu_buffer_create(g, &j->results, j->places[PLACES],
                                   j->task.opts->staging ? MEMORY_UNMAPPED : MEMORY_RESULT);
    if (status == STATUS_DONE && j->results.map == NULL)
        status = gpu_buffer_create(g, &j->readback, j->places[PLACES], MEMORY_READBACK);
    return status;
}

/* --edges: as elements are compared with them, and as quantiles lie between them. */
static int create_edges(histogram_job *j)
{
    const gpu *g = &j->task.gpu;
    if (j->used.kind != VKR_BINS_EDGES)
        return STATUS_DONE;
    int status = gpu_buffer_create(g, &j->host_edges, j->given_size, MEMORY_UPLOAD);
    if (status == STATUS_DONE)
        status = gpu_buffer_create(g, &j->shown_edges, place_size(j, PLACE_EDGES), MEMORY_UPLOAD);
    if (status != STATUS_DONE)
        return status;
    memcpy(j->host_edges.map, j->given, (size_t)j->given_size);
    j->used.edges = (VkrBufferRange){j->host_edges.buffer, 0, j->given_size};
    char *shown = j->shown_edges.map;
    for (uint32_t c = 0; c < j->in.components; c++)
        for (uint32_t k = 0; k <= j->used.count; k++) {
            const double edge = histogram_edges(j, c)[k];
            const float single = (float)edge;
            memcpy(shown, j->edge_type == VKR_TYPE_F64 ? (const void *)&edge : &single,
                   vkrTypeSize(j->edge_type));
            shown += vkrTypeSize(j->edge_type);
        }
    return STATUS_DONE;
}

static int create_count(histogram_job *j)
{
    if (!j->task.opts->count_on_gpu)
        return STATUS_DONE;
    int status = gpu_buffer_create(&j->task.gpu, &j->count, sizeof j->in.count, MEMORY_UPLOAD);
    if (status == STATUS_DONE)
        memcpy(j->count.map, &j->in.count, sizeof j->in.count);
    return status;
}

/* ---- Chunks ---- */

static uint64_t first_of(const histogram_job *j, const pipe_slot *slot)
{
    return slot->chunk * j->chunk;
}

static uint64_t count_of(const histogram_job *j, const pipe_slot *slot)
{
    const uint64_t left = j->in.count - first_of(j, slot);
    return left < j->chunk ? left : j->chunk;
}

static bool is_last(const histogram_job *j, const pipe_slot *slot)
{
    return slot->chunk + 1 == j->task.chunks;
}

static int load(void *context, pipe_slot *slot)
{
    const histogram_job *j = context;
    const uint64_t count = count_of(j, slot);
    if (j->opts->texels.as_image)
        return STATUS_DONE;
    slot->buffers[DATA].used = input_span(stored(j), count);
    return input_load(stored(j), first_of(j, slot), count, pipe_map(slot, DATA));
}

/* What operations read in this chunk. */
typedef struct portion {
    VkrView view;
    uint64_t count;
    VkrGpuCount gpu_count;
} portion;

static portion portion_of(const histogram_job *j, const pipe_slot *slot)
{
    portion p = {.count = count_of(j, slot)};
    if (j->opts->texels.as_image)
        p.view = (VkrView){.image = &j->image, .components = stored(j)->components};
    else
        p.view = pipe_view(slot, DATA, stored(j), p.count);
    p.view.map = j->opts->texels.map != MAP_NONE ? &j->map : NULL;
    if (j->task.opts->count_on_gpu) {
        if (p.count > 0)
            p.count = VKR_COUNT_ALL;
        p.gpu_count = (VkrGpuCount){.buffer = j->count.buffer, .type = VKR_TYPE_U64};
    }
    return p;
}

static VkrResult collect_range(histogram_job *j, pipe_slot *slot, const portion *p)
{
    VkrReduceInfo info = j->range;
    info.input = p->view;
    info.count = p->count;
    info.gpuCount = p->gpu_count;
    info.output = place_of(j, PLACE_RANGE);
    info.pieces.first = first_of(j, slot);
    return vkrCmdReduce(slot->recorder, &info);
}

static VkrResult collect_counts(histogram_job *j, pipe_slot *slot, const portion *p)
{
    const VkrHistogramInfo info = {.label = "vkreduce histogram",
                                   .input = p->view,
                                   .count = p->count,
                                   .gpuCount = p->gpu_count,
                                   .bins = j->used,
                                   .countType = j->count_type,
                                   .counts = place_of(j, PLACE_COUNTS),
                                   .outside = place_of(j, PLACE_OUTSIDE),
                                   .edges = place_of(j, PLACE_EDGES),
                                   .algorithm = (VkrHistogramAlgorithm)j->opts->algorithm,
                                   .flags = (j->closed ? VKR_HISTOGRAM_CLOSED_BIT : 0u) |
                                            (slot->chunk > 0 ? VKR_HISTOGRAM_ACCUMULATE_BIT : 0u)};
    return vkrCmdHistogram(slot->recorder, &info);
}

static VkrResult collect_quantiles(histogram_job *j, pipe_slot *slot)
{
    const VkrBufferRange shown = {j->shown_edges.buffer, 0, place_size(j, PLACE_EDGES)};
    const VkrQuantileInfo info = {
        .label = "vkreduce histogram",
        .binCount = j->used.count,
        .components = j->in.components,
        .countType = j->count_type,
        .counts = place_of(j, PLACE_COUNTS),
        .edgeType = j->edge_type,
        .edges = j->used.kind == VKR_BINS_EDGES ? shown : place_of(j, PLACE_EDGES),
        .shareCount = j->share_count,
        .shares = j->shares,
        .quantiles = place_of(j, PLACE_QUANTILES)};
    return vkrCmdQuantile(slot->recorder, &info);
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    histogram_job *j = context;
    const portion p = portion_of(j, slot);
    VkrResult result = VKR_SUCCESS;
    if (j->ranging || (j->own_range && j->task.chunks == 1))
        result = collect_range(j, slot, &p);
    if (result == VKR_SUCCESS && !j->ranging)
        result = collect_counts(j, slot, &p);
    if (result == VKR_SUCCESS && !j->ranging && j->share_count > 0 && is_last(j, slot))
        result = collect_quantiles(j, slot);
    return result;
}

/* ---- The work ---- */

/* Minima and maxima; where there are chunks, of pieces. */
static int prepare_range(histogram_job *j)
{
    VkrReduceLayout layout;
    if (!j->own_range)
        return STATUS_DONE;
    const uint64_t low = j->places[PLACE_RANGE];
    j->used.gpuRange = (VkrGpuRange){j->results.buffer, low, low + place_size(j, PLACE_RANGE) / 2};
    j->range = (VkrReduceInfo){.label = "range",
                               .ops = VKR_OP_MIN | VKR_OP_MAX,
                               .input = {.size = input_span(stored(j), j->chunk),
                                         .type = j->in.type,
                                         .components = j->in.components,
                                         .stride = input_pitch(stored(j))},
                               .count = j->chunk};
    if (j->task.chunks == 1)
        return STATUS_DONE;
    j->range.pieces.count = j->in.count;
    int status = gpu_status(vkrGetReduceLayout(j->task.gpu.context, &j->range, &layout));
    if (status == STATUS_DONE)
        status = gpu_buffer_create(&j->task.gpu, &j->partials, layout.partialsSize, MEMORY_DEVICE);
    j->range.pieces.partials = (VkrBufferRange){j->partials.buffer, 0, j->partials.size};
    return status;
}

static int prepare(histogram_job *j)
{
    int status = cut(j);
    if (status != STATUS_DONE || (status = create_results(j)) != STATUS_DONE ||
        (status = create_edges(j)) != STATUS_DONE || (status = create_count(j)) != STATUS_DONE ||
        (status = prepare_range(j)) != STATUS_DONE)
        return status;
    if (j->opts->texels.as_image)
        status = texels_upload(&j->task.gpu, &j->stored, &j->texels, &j->image);
    j->pipe = (pipe){
        .task = &j->task,
        .context = j,
        .sizes = {[DATA] = j->opts->texels.as_image ? 0 : input_span(stored(j), j->chunk) + 1},
        .load = load,
        .collect = collect};
    return status == STATUS_DONE ? pipe_open(&j->pipe) : status;
}

static bool has_two_passes(const histogram_job *j)
{
    return j->own_range && j->task.chunks > 1;
}

static int once(void *context, double *milliseconds)
{
    histogram_job *j = context;
    double first = 0.0;
    int status = STATUS_DONE;
    j->ranging = has_two_passes(j);
    if (j->ranging)
        status = pipe_pass(&j->pipe, &first);
    j->ranging = false;
    if (status == STATUS_DONE)
        status = pipe_pass(&j->pipe, milliseconds);
    *milliseconds += first;
    return status;
}

int histogram_execute(histogram_job *j)
{
    int status = prepare(j);
    if (status != STATUS_DONE)
        return status;
    progress_start("counting", pipe_loads(&j->pipe) * (has_two_passes(j) ? 2 : 1) *
                                   input_span(stored(j), j->in.count));
    status = task_execute(&j->task, once, j);
    progress_end();
    return status == STATUS_DONE ? histogram_take(j) : status;
}

void histogram_close(histogram_job *j)
{
    const gpu *g = &j->task.gpu;
    gpu_buffer *const buffers[] = {&j->results,  &j->readback,   &j->count,
                                   &j->partials, &j->host_edges, &j->shown_edges};
    pipe_close(&j->pipe);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        gpu_buffer_destroy(g, buffers[i]);
    if (g->device != VK_NULL_HANDLE)
        vkDestroyImageView(g->device, j->image.view, NULL);
    gpu_image_destroy(g, &j->texels);
    free(j->given);
    free(j->edges);
    free(j->counts);
}
