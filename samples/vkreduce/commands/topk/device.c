/* SPDX-License-Identifier: MIT */
/*
 * A selection on the device. Data that does not fit it goes through in chunks: of elements, each of
 * which leaves at most K candidates, which the host merges; or of whole rows, which have results of
 * their own.
 */
#include <string.h>
#include "commands/topk/topk.h"
#include "device/pipe.h"
#include "input/value.h"
#include "status.h"

enum { DATA, VALUES, INDICES, FOUND, OFFSETS }; /* buffers of a chunk */
enum { UNIT = 1024 };                           /* elements; chunk sizes are multiples of it */

typedef struct topk_device {
    task *task;
    const topk_request *request;
    topk_results *results;
    bool rows; /* items of the pipe are rows, not elements */
    pipe pipe;
} topk_device;

/* The elements in some items from the first one on, and the rows that these are. */
static uint64_t element_count(const topk_device *d, uint64_t first, uint64_t items)
{
    const topk_request *r = d->request;
    return d->rows ? topk_span(r, first, items) : items;
}

/* The elements of a chunk: all of columns, and by offsets, since the first segment may start after
 * the first one. */
static uint64_t slot_elements(const topk_device *d, const pipe_slot *slot)
{
    const topk_request *r = d->request;
    return topk_is_whole(r) ? r->in.count : element_count(d, slot->first, slot->count);
}

static uint64_t row_count(const topk_device *d, uint64_t items)
{
    return d->rows ? items : 1;
}

/* The bytes of an entry, in the values and in the indices. */
static uint64_t entry_size(const topk_device *d)
{
    return vkrTypeSize(d->request->in.type) + sizeof(uint32_t);
}

static int cut_rows(topk_device *d)
{
    const topk_request *r = d->request;
    const VkrHostDevice *device = &d->task->gpu.chosen;
    const uint64_t pitch = input_pitch(&r->in);
    uint64_t most = device->memorySize / (4 * PIPE_SLOTS);
    if (most > device->maxBufferSize)
        most = device->maxBufferSize;
    if (r->row > most / pitch)
        return fail(STATUS_USAGE,
                    "--%s is '%s'; one segment needs %llu x %llu bytes, but may need at most "
                    "%llu to be streamed",
                    r->segments.option, r->segments.text, (unsigned long long)r->row,
                    (unsigned long long)pitch, (unsigned long long)most);
    const uint64_t step = least(r->pitch, most / pitch) * pitch; /* a lone row has no gap */
    return task_cut(d->task, r->rows, step, step + r->found * entry_size(d), 1, &d->pipe.chunk);
}

static int cut(topk_device *d)
{
    const topk_request *r = d->request;
    const uint64_t pitch = input_pitch(&r->in), results = r->rows * r->found * entry_size(d);
    const uint64_t sizes[] = {input_span(&r->in, r->in.count), results};
    if (pipe_fits(&d->pipe, d->rows ? r->rows : r->in.count, 2, sizes) &&
        (d->rows || r->in.count <= UINT32_MAX))
        return STATUS_DONE;
    if (topk_is_whole(r))
        return fail(STATUS_USAGE, "%s: it is too large; --%s %s needs data that fits the device",
                    r->in.name, r->segments.option, r->segments.text);
    if (d->rows)
        return cut_rows(d);
    return task_cut(d->task, r->in.count, pitch, pitch, UNIT, &d->pipe.chunk);
}

static int load(void *context, pipe_slot *slot)
{
    const topk_device *d = context;
    const topk_request *r = d->request;
    const uint64_t entries = row_count(d, slot->count) * r->found;
    const uint64_t count = slot_elements(d, slot);
    const uint64_t first = d->rows ? topk_first(r, slot->first) : slot->first;
    slot->buffers[DATA].used = input_span(&r->in, count);
    slot->buffers[VALUES].used = entries * vkrTypeSize(r->in.type);
    slot->buffers[INDICES].used = entries * sizeof(uint32_t);
    slot->buffers[FOUND].used = row_count(d, slot->count) * sizeof(uint32_t);
    if (r->starts != NULL) {
        slot->buffers[OFFSETS].used = (r->rows + 1) * sizeof *r->starts;
        memcpy(pipe_map(slot, OFFSETS), r->starts, (size_t)slot->buffers[OFFSETS].used);
    }
    return input_load(&r->in, topk_is_whole(r) ? 0 : first, count, pipe_map(slot, DATA));
}

static VkrView view_of(const pipe_slot *slot, uint32_t buffer, VkrType type)
{
    return (VkrView){.buffer = slot->buffers[buffer].device.buffer,
                     .size = slot->buffers[buffer].used,
                     .type = type,
                     .components = 1};
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    const topk_device *d = context;
    const topk_request *r = d->request;
    VkrTopKInfo info = r->info;
    if (r->found == 0) /* there are no elements, so outputs have no entries */
        return VKR_SUCCESS;
    info.k = r->found;
    info.count = slot_elements(d, slot);
    info.input = pipe_view(slot, DATA, &r->in, info.count);
    info.gpuCount = pipe_count(&d->pipe, &info.count);
    if (r->starts != NULL) {
        info.segments.kind = VKR_SEGMENTS_OFFSETS;
        info.segments.offsetType = VKR_TYPE_U64;
        info.segments.offsets = (VkrBufferRange){.buffer = slot->buffers[OFFSETS].device.buffer,
                                                 .size = slot->buffers[OFFSETS].used};
    } else if (topk_has_columns(r)) {
        info.segments.kind = VKR_SEGMENTS_COLUMNS;
        info.segments.length = r->rows;
    } else if (d->rows) {
        info.segments.kind = VKR_SEGMENTS_ROWS;
        info.segments.length = r->row;
        info.segments.pitch = r->pitch;
    }
    info.values = view_of(slot, VALUES, r->in.type);
    info.indices = view_of(slot, INDICES, VKR_TYPE_U32);
    info.found = (VkrBufferRange){.buffer = slot->buffers[FOUND].device.buffer,
                                  .size = slot->buffers[FOUND].used};
    return vkrCmdTopK(slot->recorder, &info);
}

/* Checks how many entries the device reports for each row. */
static int check_found(const topk_device *d, const pipe_slot *slot)
{
    const uint32_t *found = pipe_map(slot, FOUND);
    const topk_request *r = d->request;
    for (uint64_t row = 0; row < row_count(d, slot->count) && r->found > 0; row++) {
        const uint32_t expected =
            d->rows ? topk_found(r, slot->first + row) : (uint32_t)least(r->found, slot->count);
        if (found[row] != expected)
            return fail(STATUS_VULKAN, "the device reports %u elements found, instead of %u",
                        found[row], expected);
    }
    return STATUS_DONE;
}

/* Fills the entries for which rows have no elements. */
static void fill_missing(const topk_request *r, topk_list *list)
{
    const size_t size = vkrTypeSize(r->in.type);
    const uint64_t value = value_extreme(r->in.type, r->opts->smallest);
    for (uint64_t row = 0; row < r->rows; row++)
        for (uint64_t i = topk_found(r, row); i < r->found; i++) {
            memcpy(list->values + (row * r->found + i) * size, &value, size);
            list->indices[row * r->found + i] = UINT64_MAX;
        }
}

static int store(void *context, pipe_slot *slot)
{
    topk_device *d = context;
    const topk_request *r = d->request;
    topk_list *list = &d->results->list;
    const uint32_t *indices = pipe_map(slot, INDICES);
    const uint64_t first = slot->first * r->found, entries = slot->count * r->found;
    int status = check_found(d, slot);
    if (status != STATUS_DONE)
        return status;
    if (!d->rows)
        return topk_merge(r, list, least(r->found, slot->count), pipe_map(slot, VALUES), indices,
                          slot->first);
    memcpy(list->values + first * vkrTypeSize(r->in.type), pipe_map(slot, VALUES),
           (size_t)slot->buffers[VALUES].used);
    for (uint64_t i = 0; i < entries; i++)
        list->indices[first + i] = indices[i];
    list->count += entries;
    if (list->count > 0 && list->count == r->rows * r->found)
        fill_missing(r, list);
    return STATUS_DONE;
}

static int run(topk_device *d)
{
    const topk_request *r = d->request;
    pipe *p = &d->pipe;
    int status = cut(d);
    if (status != STATUS_DONE)
        return status;
    const uint64_t rows = row_count(d, p->chunk);
    const uint64_t elements = topk_is_whole(r) ? r->in.count : element_count(d, 0, p->chunk);
    p->sizes[DATA] = input_span(&r->in, elements) + 1;
    if (r->starts != NULL)
        p->sizes[OFFSETS] = (r->rows + 1) * sizeof *r->starts;
    p->sizes[VALUES] = rows * r->found * vkrTypeSize(r->in.type) + 1;
    p->sizes[INDICES] = rows * r->found * sizeof(uint32_t) + 1;
    p->sizes[FOUND] = rows * sizeof(uint32_t) + 1;
    p->downloads[VALUES] = p->downloads[INDICES] = p->downloads[FOUND] = true;
    return pipe_run(p, "selecting", input_span(&r->in, r->in.count));
}

int topk_execute(job *j)
{
    const topk_request *r = j->request;
    topk_device d = {
        .task = &j->task,
        .request = r,
        .results = j->results,
        .rows = r->segments.kind != VKR_SEGMENTS_NONE,
        .pipe = {
            .task = &j->task, .context = &d, .load = load, .collect = collect, .store = store}};
    d.pipe.elements = r->in.count;
    const int status = run(&d);
    pipe_close(&d.pipe);
    return status;
}
