/* SPDX-License-Identifier: MIT */
/*
 * Data that does not fit the device goes through it in chunks of whole blocks: the total of each
 * chunk, which stays on the device, is the initial value of the next one; of columns, those of
 * each. Groups of --by are a single chunk: a sort brings their elements together, and another one
 * takes the results back to the order of the input.
 */
#include <string.h>
#include "commands/scan/scan.h"
#include "device/pipe.h"
#include "input/flags.h"
#include "ranks.h"
#include "status.h"

enum { DATA, HEADS, OUT, MASK }; /* buffers of a chunk; that of the heads may hold keys */
enum { ANY_ALIGNMENT = 256 };    /* of a range in a buffer, in bytes */

typedef struct scan_device {
    task *task;
    const scan_request *request;
    scan_results *results;
    VkrHostMemory totals; /* of two chunks, which are used in turns */
    grouping groups;
    VkrHostMemory scanned; /* the results in the order of the groups */
    pipe pipe;
    /* In the chunk loaded last: the number of elements that continue the segment of the previous
     * chunk, and whether the first element in memory starts a segment. */
    uint64_t continued;
    bool starts;
} scan_device;

/* The size of the keys in bytes; 0 if there are none. */
static uint64_t keys_size(const scan_device *d)
{
    const segments *s = &d->request->segments;
    return s->kind == VKR_SEGMENTS_KEYS ? s->file.size : 0;
}

/* The bytes of an element's flag: a word, so that a scan can start at any of them. */
static uint64_t mask_size(const scan_device *d)
{
    return d->request->opts->mask != NULL ? sizeof(uint32_t) : 0;
}

static bool has_columns(const scan_device *d)
{
    return d->request->segments.kind == VKR_SEGMENTS_COLUMNS;
}

static uint64_t count_totals(const scan_device *d)
{
    return has_columns(d) ? d->request->segments.length : 1;
}

/* Elements of which chunks are multiples: at level DEVICE the bits depend on where blocks start. */
static uint64_t unit_of_chunks(const scan_device *d)
{
    if (has_columns(d) && d->request->info.determinism != VKR_DETERMINISM_DEVICE)
        return d->request->segments.length;
    return count_totals(d) * VKR_SCAN_BLOCK;
}

static int cut(scan_device *d)
{
    const uint64_t pitch = input_pitch(&d->request->in);
    const uint64_t count = d->task->shared ? d->pipe.count : d->request->in.count;
    const segments *s = &d->request->segments;
    if (s->groups)
        grouping_add(&d->groups, &d->request->in);
    const uint64_t results = count * scan_result_size(d->request);
    const uint64_t sizes[] = {input_span(&d->request->in, count),
                              results,
                              keys_size(d),
                              s->groups ? results : 0,
                              grouping_bytes(&d->groups, s),
                              count * mask_size(d)};
    if (pipe_fits(&d->pipe, count, 6, sizes) && !d->task->shared)
        return grouping_check(&d->groups, d->task, d->request->opts->by);
    if (s->groups)
        return fail(STATUS_USAGE,
                    "--by is '%s'; %s chunks, but groups need all data at once; --runs takes runs "
                    "of equal keys in chunks",
                    d->request->opts->by,
                    d->task->opts->chunk != 0 ? "--chunk asks for" : "data of this size needs");
    if (segments_lie_apart(s))
        return fail(STATUS_USAGE,
                    "--segments is '%s'; %s chunks, but rows that lie apart need all data at once",
                    s->text,
                    d->task->opts->chunk != 0 ? "--chunk asks for" : "data of this size needs");
    if (scan_has_operator(d->request))
        return fail(STATUS_USAGE, "%s: it is too large; --operator needs data that fits the device",
                    d->request->in.name);
    return task_cut(d->task, count, pitch, pitch + scan_result_size(d->request) + mask_size(d),
                    unit_of_chunks(d), &d->pipe.chunk);
}

/* Whether segments are passed as bits. Rows and keys in a single chunk are not, since the library
 * can compute their starts. */
static bool has_heads(const scan_device *d)
{
    const VkrSegmentKind kind = d->request->segments.kind;
    return kind != VKR_SEGMENTS_NONE && kind != VKR_SEGMENTS_COLUMNS &&
           ((kind != VKR_SEGMENTS_ROWS && kind != VKR_SEGMENTS_KEYS) || d->task->chunks > 1);
}

static bool has_keys(const scan_device *d)
{
    return d->request->segments.kind == VKR_SEGMENTS_KEYS && d->task->chunks == 1;
}

/* The number of elements of a chunk, counted from the end where the scan enters it, that belong to
 * the segment of the element scanned before them. */
static uint64_t count_continued(const scan_device *d, const uint32_t *bits, uint64_t n,
                                bool starts_next)
{
    uint64_t i = 0;
    if ((d->request->info.flags & VKR_SCAN_REVERSE_BIT) == 0) {
        while (i < n && !flag_at(bits, i))
            i++;
        return i;
    }
    if (starts_next)
        return 0;
    for (i = n; i > 0 && !flag_at(bits, i - 1);)
        i--;
    return i > 0 ? n - i + 1 : n;
}

static int load(void *context, pipe_slot *slot)
{
    scan_device *d = context;
    const uint64_t count = slot->count, first = scan_first(d->request, slot->first, count);
    const bool starts_next = slot->chunk == 0 || d->starts;
    slot->buffers[OUT].used = count * scan_result_size(d->request);
    d->continued = slot->chunk > 0 && !has_columns(d) ? count : 0;
    slot->buffers[DATA].used = input_span(&d->request->in, count);
    slot->buffers[MASK].used = count * mask_size(d);
    int status = input_load(&d->request->in, first, count, pipe_map(slot, DATA));
    if (status == STATUS_DONE && mask_size(d) != 0)
        status = scan_load_mask(d->request, first, count, pipe_map(slot, MASK));
    if (status == STATUS_DONE && has_keys(d)) {
        slot->buffers[HEADS].used = keys_size(d);
        return input_load(&d->request->segments.file, 0, count, pipe_map(slot, HEADS));
    }
    if (!has_heads(d) || status != STATUS_DONE)
        return status;
    uint32_t *bits = pipe_map(slot, HEADS);
    slot->buffers[HEADS].used = flag_bytes(count);
    status = segments_load(&d->request->segments, first, count, bits);
    if (status == STATUS_DONE && slot->chunk > 0)
        d->continued = count_continued(d, bits, count, starts_next);
    d->starts = count > 0 && flag_at(bits, 0);
    return status;
}

static uint64_t total_bytes(const scan_device *d)
{
    return count_totals(d) * scan_total_size(d->request);
}

static uint64_t total_offset(const scan_device *d, uint64_t chunk)
{
    return chunk % 2 * ((total_bytes(d) + ANY_ALIGNMENT - 1) / ANY_ALIGNMENT * ANY_ALIGNMENT);
}

static VkrBufferRange total_range(const scan_device *d, uint64_t chunk)
{
    return (VkrBufferRange){
        .buffer = d->totals.buffer, .offset = total_offset(d, chunk), .size = total_bytes(d)};
}

/* Describes the scan of a whole chunk as if it were the first one. */
static VkrScanInfo describe(const scan_device *d, const pipe_slot *slot)
{
    VkrScanInfo info = d->request->info;
    info.output =
        (VkrView){.buffer = slot->buffers[OUT].device.buffer, .size = slot->buffers[OUT].used};
    info.input = pipe_view(slot, DATA, &d->request->in, slot->count);
    if (!scan_has_operator(d->request)) {
        info.output.type = d->request->result;
        info.output.components = d->request->in.components;
    }
    info.count = slot->count;
    info.gpuCount = pipe_count(&d->pipe, &info.count);
    if (mask_size(d) != 0)
        info.mask.flags.range =
            (VkrBufferRange){slot->buffers[MASK].device.buffer, 0, slot->buffers[MASK].used};
    info.segments.kind = d->request->segments.kind;
    if (!has_heads(d))
        info.segments.length = d->request->segments.length;
    if (segments_lie_apart(&d->request->segments))
        info.segments.pitch = d->request->segments.pitch;
    if (has_keys(d)) {
        info.segments.keys = pipe_view(slot, HEADS, &d->request->segments.file, slot->count);
        info.segments.byValue = d->request->segments.by_value;
    }
    if (has_heads(d)) {
        const pipe_buffer *heads = &slot->buffers[HEADS];
        info.segments.kind = VKR_SEGMENTS_FLAGS;
        info.segments.flags = (VkrFlagView){.format = VKR_FLAGS_BITS,
                                            .range = {heads->device.buffer, 0, heads->used}};
    }
    return info;
}

/* Sorts, scans and goes back. */
static VkrResult collect_groups(const scan_device *d, pipe_slot *slot)
{
    const grouping *g = &d->groups;
    const VkBuffer source = slot->buffers[DATA].device.buffer;
    VkrScanInfo info = describe(d, slot);
    VkrResult result = grouping_sort(g, slot->recorder, info.segments.keys, &source, info.gpuCount);
    info.segments.keys.buffer = g->keys.buffer;
    info.segments.keys.texels = g->keys.texels;
    info.input.buffer = g->moved[0].buffer;
    info.input.texels = g->moved[0].texels;
    info.output.buffer = d->scanned.buffer;
    info.total = total_range(d, 0);
    if (result == VKR_SUCCESS)
        result = vkrCmdScan(slot->recorder, &info);
    return result == VKR_SUCCESS
               ? grouping_return(g, slot->recorder, d->scanned.buffer,
                                 slot->buffers[OUT].device.buffer,
                                 (uint32_t)scan_result_size(d->request), info.gpuCount)
               : result;
}

/* Scans the whole chunk as usual, columns from the totals of the chunk before, and then again the
 * elements that continue that chunk, with its total as the initial value. (They are not scanned
 * separately at first, since at level DEVICE the bits depend on the positions of runs.) */
static VkrResult collect(void *context, pipe_slot *slot)
{
    const scan_device *d = context;
    if (d->request->segments.groups)
        return collect_groups(d, slot);
    VkrScanInfo info = describe(d, slot);
    VkrResult result = VKR_SUCCESS;
    if (has_columns(d) && slot->chunk > 0) {
        info.initial = NULL;
        info.gpuInitial = total_range(d, slot->chunk - 1);
    }
    if (d->continued < slot->count || slot->count == 0) {
        info.total = total_range(d, slot->chunk);
        result = vkrCmdScan(slot->recorder, &info);
    }
    if (d->continued == 0 || result != VKR_SUCCESS)
        return result;
    uint64_t skipped =
        (d->request->info.flags & VKR_SCAN_REVERSE_BIT) != 0 ? slot->count - d->continued : 0;
    info.input.offset = skipped * info.input.stride;
    info.input.size = input_span(&d->request->in, d->continued);
    info.output.offset = skipped * scan_result_size(d->request);
    info.output.size = d->continued * scan_result_size(d->request);
    info.count = d->continued;
    info.mask.flags.range.offset = skipped * mask_size(d);
    info.mask.flags.range.size = d->continued * mask_size(d);
    info.segments = (VkrSegments){0};
    info.initial = NULL;
    info.gpuInitial = total_range(d, slot->chunk - 1);
    info.total = d->continued == slot->count ? total_range(d, slot->chunk) : (VkrBufferRange){0};
    return vkrCmdScan(slot->recorder, &info);
}

static int store(void *context, pipe_slot *slot)
{
    scan_device *d = context;
    const uint64_t size = scan_result_size(d->request);
    segments_clear(&d->request->segments, slot->count, size, pipe_map(slot, OUT));
    return output_write(&d->results->out, scan_first(d->request, slot->first, slot->count) * size,
                        pipe_map(slot, OUT), slot->count * size);
}

/* ---- The work ---- */

static int run(scan_device *d)
{
    const scan_request *r = d->request;
    pipe *p = &d->pipe;
    int status = cut(d);
    if (status == STATUS_DONE)
        status = gpu_status(vkrHostAlloc(d->task->gpu.host, total_offset(d, 1) + total_bytes(d),
                                         VKR_HOST_MEMORY_READBACK, &d->totals));
    if (status == STATUS_DONE && r->segments.groups)
        status = grouping_create(&d->groups, d->task, &r->segments);
    if (status == STATUS_DONE && r->segments.groups)
        status = gpu_status(vkrHostAlloc(d->task->gpu.host, r->in.count * scan_result_size(r),
                                         VKR_HOST_MEMORY_UNMAPPED, &d->scanned));
    if (status != STATUS_DONE)
        return status;
    p->sizes[DATA] = input_span(&r->in, p->chunk) + 1;
    p->sizes[HEADS] = has_heads(d) ? flag_bytes(p->chunk) + 1 : has_keys(d) ? keys_size(d) + 1 : 0;
    p->sizes[OUT] = p->chunk * scan_result_size(r) + 1;
    p->sizes[MASK] = mask_size(d) != 0 ? p->chunk * mask_size(d) + 1 : 0;
    p->downloads[OUT] = true;
    status = pipe_run(p, "scanning", input_span(&r->in, r->in.count));
    /* Of columns it is that of the last one in the order of the scan. */
    const bool reverse = (r->info.flags & VKR_SCAN_REVERSE_BIT) != 0;
    const uint64_t place = reverse ? 0 : count_totals(d) - 1;
    memcpy(d->results->total,
           (const char *)d->totals.data + total_offset(d, d->task->chunks - 1) +
               place * scan_total_size(r),
           (size_t)scan_total_size(r));
    return status;
}

int scan_execute(job *j)
{
    scan_device d = {
        .task = &j->task,
        .request = j->request,
        .results = j->results,
        .pipe = {
            .task = &j->task, .context = &d, .load = load, .collect = collect, .store = store}};
    int status = STATUS_DONE;
    if (j->task.shared) {
        pipe_share(&d.pipe, d.request->in.count, VKR_SCAN_BLOCK);
        status = scan_find_prefix(j);
    }
    if (status == STATUS_DONE)
        status = run(&d);
    /* The last rank knows the total of all. */
    status = ranks_copy(status, ranks_count() - 1, d.results->total, sizeof d.results->total);
    status = output_settle(status, &d.results->out);
    pipe_close(&d.pipe);
    vkrHostFree(j->task.gpu.host, &d.totals);
    vkrHostFree(j->task.gpu.host, &d.scanned);
    grouping_close(&d.groups, &j->task);
    return status;
}
