/* SPDX-License-Identifier: MIT */
/* Runs a histogram on the device. One recording finds the range, the counts and the quantiles, and
 * the host reads nothing in between. Data in chunks needs one pass for the range and one that
 * accumulates the counts. */
#include <stdlib.h>
#include <string.h>
#include "commands/histogram/device.h"
#include "input/flags.h"
#include "status.h"

#define PLACE_ALIGNMENT ((uint64_t)256) /* the maximum alignment of descriptor offsets */

static uint64_t aligned(uint64_t size)
{
    return (size + PLACE_ALIGNMENT - 1) / PLACE_ALIGNMENT * PLACE_ALIGNMENT;
}

/* ---- Sizes ---- */

static int cut(histogram_device *d)
{
    const input *in = stored_input(d);
    const histogram_request *r = d->request;
    const uint64_t pitch = input_pitch(in);
    const uint64_t beside = (r->opts->weights != NULL ? input_pitch(&r->weights) : 0) +
                            (r->opts->mask != NULL); /* bytes of weight and flag, rounded up */
    const uint64_t sizes[] = {input_span(in, d->pipe.count), beside * d->pipe.count};
    if (pipe_fits(&d->pipe, d->pipe.count, 2, sizes))
        return STATUS_DONE;
    if (d->request->source.stored.name != NULL)
        return fail(STATUS_USAGE,
                    "%s: it is too large; --as-image and --map need data that fits the device",
                    in->name);
    return task_cut(d->task, d->pipe.count, pitch, pitch + beside, VKR_TREE_BLOCK, &d->pipe.chunk);
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
    return (VkrBufferRange){d->results.device.buffer, d->places[place], place_size(d, place)};
}

/* ---- Buffers ---- */

static int create_results(histogram_device *d)
{
    const bool narrow = d->request->in.count <= UINT32_MAX && d->request->opts->weights == NULL;
    d->count_type = narrow ? VKR_TYPE_U32 : VKR_TYPE_U64;
    for (uint32_t i = 0; i < PLACES; i++)
        d->places[i + 1] = d->places[i] + aligned(place_size(d, (histogram_place)i));
    return pipe_buffer_open(d->task, &d->results, d->places[PLACES], true);
}

/* Uploads --edges twice: in the type that elements are compared in, and as floats for the
 * quantiles. */
static int create_edges(histogram_device *d)
{
    const gpu *g = &d->task->gpu;
    if (d->bins.kind != VKR_BINS_EDGES)
        return STATUS_DONE;
    int status = gpu_status(
        vkrHostAlloc(g->host, d->request->given_size, VKR_HOST_MEMORY_UPLOAD, &d->host_edges));
    if (status == STATUS_DONE)
        status = gpu_status(vkrHostAlloc(g->host, place_size(d, PLACE_EDGES),
                                         VKR_HOST_MEMORY_UPLOAD, &d->shown_edges));
    if (status != STATUS_DONE)
        return status;
    memcpy(d->host_edges.data, d->request->given, (size_t)d->request->given_size);
    d->bins.edges = (VkrBufferRange){d->host_edges.buffer, 0, d->request->given_size};
    char *shown = d->shown_edges.data;
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

/* ---- Chunks ---- */

/* Whether an operation belongs to the current pass. In one pipe that does everything for several
 * chunks, a pass that finds the range comes before the one that counts. */
static bool does(const histogram_device *d, histogram_stage stage)
{
    const bool ranges = d->pipe.passes - d->pipe.pass > 1;
    if (d->stage != STAGE_ALL || d->task->chunks == 1)
        return d->stage == STAGE_ALL || d->stage == stage;
    return ranges == (stage == STAGE_RANGE);
}

static int load(void *context, pipe_slot *slot)
{
    const histogram_device *d = context;
    const input *in = stored_input(d);
    const int status = histogram_load_weights(d->request, slot);
    if (status != STATUS_DONE || d->request->source.is_image)
        return status;
    slot->buffers[DATA].used = input_span(in, slot->count);
    return input_load(in, slot->first, slot->count, pipe_map(slot, DATA));
}

/* The elements of a chunk, as the operations read them. */
typedef struct portion {
    VkrView view;
    uint64_t count;
    VkrGpuCount gpu_count;
} portion;

static portion portion_of(const histogram_device *d, const pipe_slot *slot)
{
    portion p = {.count = slot->count};
    p.view = texels_view(&d->request->source, pipe_view(slot, DATA, stored_input(d), p.count));
    p.gpu_count = pipe_count(&d->pipe, &p.count);
    return p;
}

static VkrResult collect_range(histogram_device *d, pipe_slot *slot, const portion *p)
{
    VkrReduceInfo info = d->range;
    info.input = p->view;
    info.count = p->count;
    info.gpuCount = p->gpu_count;
    info.mask = histogram_mask(d->request, slot);
    info.output = place_of(d, PLACE_RANGE);
    info.pieces.first = slot->first - d->pipe.origin;
    return vkrCmdReduce(slot->recorder, &info);
}

static VkrResult collect_counts(histogram_device *d, pipe_slot *slot, const portion *p)
{
    const VkrHistogramInfo info = {.label = "vkreduce histogram",
                                   .input = p->view,
                                   .count = p->count,
                                   .gpuCount = p->gpu_count,
                                   .mask = histogram_mask(d->request, slot),
                                   .bins = d->bins,
                                   .weights = histogram_weights(d->request, slot),
                                   .weightFraction = d->request->weight_bits,
                                   .countType = d->count_type,
                                   .counts = place_of(d, PLACE_COUNTS),
                                   .outside = place_of(d, PLACE_OUTSIDE),
                                   .edges = place_of(d, PLACE_EDGES),
                                   .algorithm =
                                       (VkrHistogramAlgorithm)d->request->opts->data.algorithm,
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
        .counts = d->stage == STAGE_ALL
                      ? place_of(d, PLACE_COUNTS)
                      : (VkrBufferRange){d->counts_of_all.buffer, 0, place_size(d, PLACE_COUNTS)},
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
    const bool is_last = slot->chunk + 1 == d->task->chunks;
    VkrResult result = VKR_SUCCESS;
    if (d->request->own_range && does(d, STAGE_RANGE))
        result = collect_range(d, slot, &p);
    if (result == VKR_SUCCESS && does(d, STAGE_COUNTS))
        result = collect_counts(d, slot, &p);
    if (result == VKR_SUCCESS && does(d, STAGE_QUANTILES) && d->request->share_count > 0 && is_last)
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
    d->bins.gpuRange =
        (VkrGpuRange){d->results.device.buffer, low, low + place_size(d, PLACE_RANGE) / 2};
    d->range = (VkrReduceInfo){.label = "range",
                               .ops = VKR_OP_MIN | VKR_OP_MAX,
                               .input = {.size = input_span(stored_input(d), d->pipe.chunk),
                                         .type = d->request->in.type,
                                         .components = d->request->in.components,
                                         .stride = input_pitch(stored_input(d))},
                               .count = d->pipe.chunk};
    if (d->task->chunks == 1)
        return STATUS_DONE;
    d->range.pieces.count = d->pipe.count;
    if (d->request->opts->mask != NULL) /* the layout depends only on whether there is one */
        d->range.mask.flags =
            (VkrFlagView){.format = VKR_FLAGS_BITS,
                          .range = {d->results.device.buffer, 0, flag_bytes(d->pipe.chunk)}};
    int status = gpu_status(vkrGetReduceLayout(d->task->gpu.vulkan.context, &d->range, &layout));
    if (status == STATUS_DONE)
        status = gpu_status(vkrHostAlloc(d->task->gpu.host, layout.partialsSize,
                                         VKR_HOST_MEMORY_DEVICE, &d->partials));
    d->range.pieces.partials = (VkrBufferRange){d->partials.buffer, 0, d->partials.size};
    return status;
}

static int prepare(histogram_device *d)
{
    int status = cut(d);
    if (status == STATUS_DONE)
        status = create_results(d);
    if (status == STATUS_DONE)
        status = create_edges(d);
    if (status == STATUS_DONE)
        status = prepare_range(d);
    if (status == STATUS_DONE && d->request->source.is_image)
        status = texels_upload(&d->task->gpu, &d->request->source);
    return status;
}

int histogram_stage_run(histogram_device *d, histogram_stage stage)
{
    const histogram_request *r = d->request;
    const input *in = stored_input(d);
    const bool two = stage == STAGE_ALL && r->own_range && d->task->chunks > 1;
    const pipe unused = d->pipe;
    d->stage = stage;
    d->pipe.sizes[DATA] = r->source.is_image ? 0 : input_span(in, d->pipe.chunk) + 1;
    d->pipe.sizes[WEIGHTS] =
        r->opts->weights != NULL ? input_span(&r->weights, d->pipe.chunk) + 1 : 0;
    d->pipe.sizes[FLAGS] = r->opts->mask != NULL ? flag_bytes(d->pipe.chunk) + 1 : 0;
    d->pipe.passes = two ? 2 : 1;
    const int status = pipe_run(&d->pipe, "counting", input_span(in, r->in.count));
    pipe_close(&d->pipe);
    d->pipe = unused;
    return status;
}

int histogram_execute(job *j)
{
    task *t = &j->task;
    histogram_request *r = j->request;
    histogram_device d = {.task = t,
                          .request = r,
                          .bins = r->used,
                          .pipe = {.task = t,
                                   .context = &d,
                                   .has_number = r->functions.file != NULL,
                                   .load = load,
                                   .collect = collect}};
    VkrHostMemory *const buffers[] = {&d.partials, &d.host_edges, &d.shown_edges, &d.range_of_all,
                                      &d.counts_of_all};
    pipe_share(&d.pipe, stored_input(&d)->count, VKR_TREE_BLOCK);
    int status = prepare(&d);
    if (t->shared) {
        status = histogram_run_shared(status, &d, j->results);
    } else {
        if (status == STATUS_DONE)
            status = histogram_stage_run(&d, STAGE_ALL);
        if (status == STATUS_DONE)
            status = histogram_take_results(&d, j->results);
    }
    if (status == STATUS_DONE)
        status = histogram_check_weights(r, j->results);
    pipe_buffer_close(t, &d.results);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        vkrHostFree(t->gpu.host, buffers[i]);
    return status;
}
