/* SPDX-License-Identifier: MIT */
/*
 * A reduction on the device, in one of three ways:
 *
 * - all data at once;
 * - in pieces: their partial results stay on the device, and the last piece combines them;
 * - in chunks of whole rows or windows, each of which has results of its own.
 *
 * Ranks that share the data go the second or third way. They hand their partial results or results
 * to rank 0, which combines the former.
 */
#include <stdlib.h>
#include <string.h>
#include "commands/reduce/device.h"
#include "ranks.h"
#include "status.h"

enum { OUT = INPUTS }; /* buffer of a chunk, after its inputs */

int reduce_find_layout(reduction *d)
{
    return gpu_status(
        vkrGetReduceLayout(d->task->gpu.vulkan.context, &d->info, &d->results->layout));
}

int reduce_create_output(reduction *d)
{
    int status = reduce_find_layout(d);
    if (status == STATUS_DONE)
        status = gpu_status(vkrHostAlloc(d->task->gpu.host, d->results->layout.size,
                                         VKR_HOST_MEMORY_READBACK, &d->results->output));
    d->results->values = d->results->output.data;
    d->info.output =
        (VkrBufferRange){.buffer = d->results->output.buffer, .size = d->results->layout.size};
    return status;
}

/* ---- In chunks: items are elements or segments ---- */

/* The element with which an item starts, and the number of those that adjacent items span. */
static uint64_t first_element(const reduction *d, uint64_t item)
{
    const segments *s = &d->request->segments;
    return s->kind == VKR_SEGMENTS_ROWS ? segments_row(s, item) : item;
}

static uint64_t count_elements(const reduction *d, uint64_t first, uint64_t items)
{
    const segments *s = &d->request->segments;
    if (items == 0 || s->kind == VKR_SEGMENTS_NONE)
        return items;
    return s->kind == VKR_SEGMENTS_ROWS ? segments_span(s, first, items, d->request->in[0].count)
                                        : items + s->length - 1;
}

static int load(void *context, pipe_slot *slot)
{
    const reduction *d = context;
    const reduce_request *r = d->request;
    const uint64_t first = first_element(d, slot->first);
    const uint64_t count = count_elements(d, slot->first, slot->count);
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < r->input_count && count > 0 && status == STATUS_DONE; i++) {
        slot->buffers[i].used = input_span(&r->in[i], count);
        status = input_load(&r->in[i], first, count, pipe_map(slot, i));
    }
    slot->buffers[OUT].used = slot->count * d->results->layout.stride;
    return status;
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    const reduction *d = context;
    const reduce_request *r = d->request;
    VkrReduceInfo info = d->info;
    info.count = count_elements(d, slot->first, slot->count);
    info.input = pipe_view(slot, 0, &r->in[0], info.count);
    if (r->input_count == 2)
        info.input2 = pipe_view(slot, 1, &r->in[1], info.count);
    if (r->segments.kind == VKR_SEGMENTS_NONE)
        info.pieces.first = slot->first;
    else
        info.output = (VkrBufferRange){.buffer = slot->buffers[OUT].device.buffer,
                                       .size = slot->buffers[OUT].used};
    return vkrCmdReduce(slot->recorder, &info);
}

static int run_chunks(reduction *d)
{
    const reduce_request *r = d->request;
    pipe *p = &d->pipe;
    const uint64_t span = input_span(&r->in[0], count_elements(d, 0, p->chunk));
    const uint64_t bytes = r->segments.kind == VKR_SEGMENTS_NONE || d->task->shared
                               ? input_span(&r->in[0], r->in[0].count)
                               : d->task->chunks * span;
    for (uint32_t i = 0; i < r->input_count; i++)
        p->sizes[i] = span + 1;
    p->load = load;
    p->collect = collect;
    return pipe_run(p, "reducing", r->input_count * bytes);
}

/* ---- Pieces ---- */

/* Cuts the data into chunks of whole blocks of the canonical tree, which pieces must consist of. */
static int cut_pieces(reduction *d)
{
    const reduce_request *r = d->request;
    const VkrReduceAlgorithm algorithm = r->info.algorithm;
    const uint64_t pitch = input_pitch(&r->in[0]);
    if (algorithm != VKR_REDUCE_AUTO && algorithm != VKR_REDUCE_SUBGROUP)
        return fail(STATUS_USAGE,
                    "--algorithm is %s; %s chunks, which only auto and subgroup can reduce",
                    vkrReduceAlgorithmName(algorithm),
                    d->task->opts->chunk != 0 ? "--chunk asks for" : "data of this size needs");
    pipe_share(&d->pipe, r->in[0].count, VKR_TREE_BLOCK);
    return task_cut(d->task, d->pipe.count, pitch, pitch * r->input_count, VKR_TREE_BLOCK,
                    &d->pipe.chunk);
}

/* Gathers the partials of all ranks, and lets rank 0 combine them: by a piece without elements. */
static int combine(int status, reduction *d)
{
    const uint64_t whole = d->request->in[0].count;
    char *partials = d->partials.data;
    VkDeviceSize offset = 0, size = 0;
    if (status == STATUS_DONE)
        status = gpu_status(vkrGetPartialsRange(&d->results->layout, whole, d->pipe.origin,
                                                d->pipe.count, &offset, &size));
    status = ranks_gather(status, partials + offset, size, partials);
    if (status != STATUS_DONE || !ranks_is_first())
        return status;
    pipe_close(&d->pipe);
    d->pipe = (pipe){.task = d->task,
                     .context = d,
                     .load = load,
                     .collect = collect,
                     .origin = whole,
                     .sizes = {d->pipe.sizes[0], d->pipe.sizes[1]}};
    const uint64_t chunks = d->task->chunks;
    d->task->chunks = 1;
    status = pipe_run(&d->pipe, "combining", 0);
    d->task->chunks = chunks;
    return status;
}

static int run_pieces(reduction *d)
{
    const reduce_request *r = d->request;
    int status = cut_pieces(d);
    if (status != STATUS_DONE)
        return status;
    d->info.count = d->pipe.chunk;
    d->info.input = (VkrView){.size = input_span(&r->in[0], d->pipe.chunk),
                              .type = r->in[0].type,
                              .components = r->in[0].components,
                              .stride = input_pitch(&r->in[0])};
    if (r->input_count == 2)
        d->info.input2 = d->info.input;
    d->info.pieces.count = r->in[0].count;
    if ((status = reduce_create_output(d)) != STATUS_DONE ||
        (status = gpu_status(vkrHostAlloc(
             d->task->gpu.host, d->results->layout.partialsSize,
             d->task->shared ? VKR_HOST_MEMORY_READBACK : VKR_HOST_MEMORY_DEVICE, &d->partials))) !=
            STATUS_DONE)
        return status;
    d->info.pieces.partials =
        (VkrBufferRange){.buffer = d->partials.buffer, .size = d->partials.size};
    /* A piece without elements would combine partials that are not there yet. */
    if (d->pipe.count > 0 || !d->task->shared)
        status = run_chunks(d);
    return d->task->shared ? combine(status, d) : status;
}

/* ---- Segments ---- */

/* Computes the number of segments and the layout of their results. */
static int lay_out_segments(reduction *d)
{
    const reduce_request *r = d->request;
    const segments *s = &r->segments;
    const uint32_t size = vkrTypeSize(s->file.type);
    const bool by_image = r->sources[0].is_image && s->kind == VKR_SEGMENTS_TILES;
    d->info.input = reduce_whole_view(d, 0);
    d->info.count = r->in[0].count;
    d->info.segments = (VkrSegments){.kind = s->kind,
                                     .length = by_image ? 0 : s->length,
                                     .pitch = s->pitch,
                                     .tileWidth = s->tile_width,
                                     .tileHeight = s->tile_height};
    if (s->kind == VKR_SEGMENTS_OFFSETS) {
        d->info.segments.offsets.size = s->file.count * size;
        d->info.segments.offsetType = size == 8 ? VKR_TYPE_U64 : VKR_TYPE_U32;
    }
    if (reduce_has_runs(r))
        d->info.segments = (VkrSegments){
            .kind = s->kind,
            .keys = {.size = s->file.size, .type = s->file.type, .components = s->file.components},
            .byValue = s->by_value};
    return reduce_find_layout(d);
}

static int cut_segments(reduction *d)
{
    const reduce_request *r = d->request;
    const VkrReduceLayout *layout = &d->results->layout;
    const VkrHostDevice *device = &d->task->gpu.chosen;
    const segments *from = &r->segments;
    const bool rows = from->kind == VKR_SEGMENTS_ROWS;
    if (!rows && from->kind != VKR_SEGMENTS_WINDOWS)
        return fail(STATUS_USAGE,
                    "--%s is '%s'; %s chunks, which only rows and windows can be cut into",
                    from->option, from->text,
                    d->task->opts->chunk != 0 ? "--chunk asks for" : "data of this size needs");
    const uint64_t pitch = input_pitch(&r->in[0]);
    const uint64_t one = count_elements(d, 0, layout->segments != 0) * pitch;
    const uint64_t step = rows && one != 0 ? first_element(d, 1) * pitch : pitch;
    uint64_t most = device->memorySize / (4 * PIPE_SLOTS);
    if (most > device->maxBufferSize)
        most = device->maxBufferSize;
    if (one > most / r->input_count)
        return fail(STATUS_USAGE,
                    "--%s is '%s'; one segment needs %llu bytes, but may need at most %llu to be "
                    "streamed",
                    from->option, from->text, (unsigned long long)one,
                    (unsigned long long)(most / r->input_count));
    pipe_share(&d->pipe, layout->segments, 1);
    return task_cut(d->task, d->pipe.count, step, step * r->input_count + layout->stride, 1,
                    &d->pipe.chunk);
}

static int store(void *context, pipe_slot *slot)
{
    const reduction *d = context;
    memcpy((char *)d->results->gathered + slot->first * d->results->layout.stride,
           pipe_map(slot, OUT), (size_t)slot->buffers[OUT].used);
    return STATUS_DONE;
}

static int run_segments(reduction *d)
{
    const VkrReduceLayout *layout = &d->results->layout;
    int status = cut_segments(d);
    if (status != STATUS_DONE)
        return status;
    d->results->gathered = malloc((size_t)(layout->segments * layout->stride) + 1);
    d->results->values = d->results->gathered;
    if (d->results->gathered == NULL)
        return fail(STATUS_VULKAN, "out of memory for %llu results",
                    (unsigned long long)layout->segments);
    d->pipe.sizes[OUT] = d->pipe.chunk * layout->stride + 1;
    d->pipe.downloads[OUT] = true;
    d->pipe.store = store;
    status = run_chunks(d);
    if (!d->task->shared)
        return status;
    char *results = d->results->gathered;
    return ranks_gather(status, results + d->pipe.origin * layout->stride,
                        d->pipe.count * layout->stride, results);
}

/* ---- The choice ---- */

static int run(reduction *d)
{
    const reduce_request *r = d->request;
    const bool cut = r->segments.kind != VKR_SEGMENTS_NONE;
    int status = cut ? lay_out_segments(d) : STATUS_DONE;
    if (status != STATUS_DONE)
        return status;
    for (uint32_t i = 0; i < r->input_count && r->segments.groups; i++)
        grouping_add(&d->groups, reduce_stored_input(d, i));
    const uint64_t sizes[] = {reduce_stored_input(d, 0)->size, reduce_stored_input(d, 1)->size,
                              cut ? d->results->layout.size : 0, runs_size(r),
                              grouping_bytes(&d->groups, &r->segments)};
    if (pipe_fits(&d->pipe, r->in[0].count, 5, sizes) && !d->task->shared) {
        status = grouping_check(&d->groups, d->task, r->opts->by);
        return status == STATUS_DONE ? reduce_run_whole(d) : status;
    }
    if (reduce_has_operator(r))
        return fail(STATUS_USAGE, "%s: it is too large; --operator needs data that fits the device",
                    r->in[0].name);
    if (r->sources[0].stored.name != NULL)
        return fail(STATUS_USAGE,
                    "%s: it is too large; --as-image and --map need data that fits the device",
                    r->in[0].name);
    return (cut ? run_segments : run_pieces)(d);
}

int reduce_execute(job *j)
{
    const reduce_request *r = j->request;
    const bool has_map = r->opts->texels.map_file != NULL;
    reduction d = {.task = &j->task,
                   .request = j->request,
                   .results = j->results,
                   .info = r->info,
                   .pipe = {.task = &j->task, .context = &d, .has_number = has_map}};
    VkrHostMemory *const buffers[] = {&d.data[0], &d.data[1], &d.offsets, &d.segment_count,
                                      &d.partials};
    int status = run(&d);
    pipe_close(&d.pipe);
    grouping_close(&d.groups, &j->task);
    for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++)
        vkrHostFree(j->task.gpu.host, buffers[i]);
    return status;
}
