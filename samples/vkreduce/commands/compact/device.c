/* SPDX-License-Identifier: MIT */
/*
 * Data that does not fit the device goes through it in chunks, each of which
 * leaves what it keeps at the start of buffers that hold no more than a chunk.
 *
 * VkrCompactInfo::append, which would chain the counts on the device, cannot be used here: it moves
 * positions inside an output, and the outputs of a chunk must not be as large as those of the
 * whole. The host must know where a chunk's entries go in a file; it reads the counts of a chunk
 * together with these entries, so that nothing has to wait longer for them.
 *
 * Where the entries of a rank's share go, only the counts of the ranks before tell. A share of one
 * chunk waits for these before its entries are stored, one of several is counted first.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "commands/compact/compact.h"
#include "device/pipe.h"
#include "input/flags.h"
#include "ranks.h"
#include "status.h"

enum { DATA = COMPACT_OUTPUTS, FLAGS, COUNTS }; /* buffers of a chunk, after the outputs */
enum { UNIT = 1024 };                           /* elements; chunk sizes are multiples of it */

typedef struct compact_device {
    task *task;
    const compact_request *request;
    compact_results *results;
    pipe pipe;
    uint64_t last_length;  /* of the last element kept so far */
    uint64_t lead;         /* elements of this rank before the first one that it keeps */
    bool counting;         /* only counts are wanted */
    compact_counts before; /* of the ranks before this one */
} compact_device;

/* Whether a single chunk has all data. */
static bool is_whole(const compact_device *d)
{
    return d->task->chunks == 1 && !d->task->shared;
}

/* Whether flags come from a file, and whether those of a function are kept for --verify. */
static bool has_flags(const compact_device *d)
{
    return d->request->flags.name != NULL;
}

static bool keeps_flags(const compact_device *d)
{
    return d->request->functions.file != NULL && d->task->opts->verify;
}

/* The maximum number of elements of a chunk. For algorithms that cannot process their input in
 * several windows, a chunk is half of a descriptor's range, which leaves room for trees and
 * alignment. */
static uint64_t max_elements(const compact_device *d)
{
    const uint64_t range = d->task->gpu.limits.maxStorageBufferRange;
    const uint64_t pitch = input_pitch(&d->request->in) > 4 ? input_pitch(&d->request->in) : 4;
    const bool has_windows = d->request->info.algorithm == VKR_COMPACT_AUTO ||
                             d->request->info.algorithm == VKR_COMPACT_SCAN_SCATTER;
    return has_windows || range / 2 / pitch < UNIT ? UINT64_MAX : range / 2 / pitch / UNIT * UNIT;
}

static int cut(compact_device *d)
{
    const uint64_t count = d->pipe.count, pitch = input_pitch(&d->request->in);
    uint64_t sizes[1 + COMPACT_OUTPUTS] = {input_span(&d->request->in, count)}, all = pitch;
    uint32_t size_count = 1;
    for (int k = 0; k < COMPACT_OUTPUTS; k++) {
        uint64_t size =
            d->results->outs[k].name != NULL ? entry_size(d->request, (compact_output)k) : 0;
        all += size;
        sizes[size_count++] = size * count;
    }
    const uint64_t most = max_elements(d);
    if (pipe_fits(&d->pipe, count, size_count, sizes) && count <= most)
        return STATUS_DONE;
    if (d->request->functions.file != NULL)
        return fail(STATUS_USAGE,
                    "--predicate is '%s', a function, which gets the index of an element in all "
                    "data, but %s chunks",
                    d->request->functions.file,
                    d->task->opts->chunk != 0 ? "--chunk asks for" : "data of this size needs");
    int status = task_cut(d->task, count, pitch, all, UNIT, &d->pipe.chunk);
    if (status == STATUS_DONE && d->task->opts->chunk == 0 && d->pipe.chunk > most) {
        d->pipe.chunk = most;
        d->task->chunks = (count - 1) / most + 1;
    }
    return status;
}

/* The maximum number of entries that a chunk can leave in an output. */
static uint64_t max_entries(const compact_device *d, compact_output k)
{
    return is_whole(d) ? compact_room(d->request, k, 0, d->pipe.chunk) : d->pipe.chunk;
}

static int load(void *context, pipe_slot *slot)
{
    const compact_device *d = context;
    const compact_request *r = d->request;
    const uint64_t first = slot->first, count = slot->count, overlap = goes_on(r, first) ? 1 : 0;
    slot->buffers[DATA].used = input_span(&r->in, count + overlap);
    slot->buffers[COUNTS].used = sizeof(compact_counts);
    for (int k = 0; k < COMPACT_OUTPUTS; k++)
        slot->buffers[k].used =
            max_entries(d, (compact_output)k) * entry_size(r, (compact_output)k);
    if (has_flags(d) || keeps_flags(d))
        slot->buffers[FLAGS].used = flag_bytes(count);
    int status = input_load(&r->in, first - overlap, count + overlap, pipe_map(slot, DATA));
    if (status == STATUS_DONE && has_flags(d))
        status = flags_load(&r->flags, first, count, pipe_map(slot, FLAGS));
    return status;
}

static VkrView view_of(const compact_device *d, const pipe_slot *slot, compact_output k)
{
    if (d->results->outs[k].name == NULL || d->counting)
        return (VkrView){0};
    return (VkrView){.buffer = slot->buffers[k].device.buffer,
                     .size = slot->buffers[k].used,
                     .type = entry_type(d->request, k),
                     .components = entry_components(d->request, k)};
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    const compact_device *d = context;
    const VkBuffer counts = slot->buffers[COUNTS].device.buffer;
    const pipe_buffer *flags = &slot->buffers[FLAGS];
    const VkrCountOutput outputs[] = {
        {VKR_COUNT_KEPT64, counts, offsetof(compact_counts, kept), 0},
        {VKR_COUNT_REJECTED64, counts, offsetof(compact_counts, rejected), 0}};
    VkrCompactInfo info = d->request->info;
    info.input = pipe_view(slot, DATA, &d->request->in, slot->count);
    if (goes_on(d->request, slot->first)) {
        info.flags = VKR_COMPACT_CONTINUED_BIT;
        info.input.offset = info.input.stride;
    }
    info.count = slot->count;
    info.gpuCount = pipe_count(&d->pipe, &info.count);
    if (has_flags(d) || keeps_flags(d))
        info.predicate.flags = (VkrFlagView){.format = VKR_FLAGS_BITS,
                                             .range = {flags->device.buffer, 0, flags->used}};
    if (d->request->functions.file != NULL)
        info.predicate.flags.hook = &d->request->functions.hook;
    info.kept = view_of(d, slot, OUT_KEPT);
    info.keptIndices = view_of(d, slot, OUT_INDICES);
    info.runLengths = view_of(d, slot, OUT_LENGTHS);
    info.rejected = view_of(d, slot, OUT_REJECTED);
    info.rejectedIndices = view_of(d, slot, OUT_REJECTED_INDICES);
    info.capacity = is_whole(d) ? d->request->opts->capacity : 0;
    info.firstIndex = slot->first;
    info.countOutputCount = 2;
    info.countOutputs = outputs;
    return vkrCmdCompact(slot->recorder, &info);
}

static uint64_t length_at(const compact_device *d, const void *lengths, uint64_t i)
{
    uint64_t length = 0;
    memcpy(&length, (const char *)lengths + i * entry_size(d->request, OUT_LENGTHS),
           (size_t)entry_size(d->request, OUT_LENGTHS)); /* little-endian, like the device */
    return length;
}

/* The run of the last element kept by earlier chunks continues in this chunk up to the first
 * element kept here, so its length is written again. */
static int store_lengths(compact_device *d, const pipe_slot *slot, const compact_counts *counts)
{
    const void *lengths = pipe_map(slot, OUT_LENGTHS);
    const uint64_t size = entry_size(d->request, OUT_LENGTHS);
    uint64_t before = counts->kept + counts->rejected;
    int status = STATUS_DONE;
    if (is_whole(d))
        return STATUS_DONE;
    for (uint64_t i = 0; i < counts->kept; i++)
        before -= length_at(d, lengths, i);
    if (d->results->counts.kept == d->before.kept)
        d->lead += before;
    d->last_length += before;
    if (d->results->counts.kept > d->before.kept &&
        compact_room(d->request, OUT_LENGTHS, d->results->counts.kept - 1, 1) == 1)
        status = output_write(&d->results->outs[OUT_LENGTHS], (d->results->counts.kept - 1) * size,
                              &d->last_length, size);
    if (counts->kept > 0)
        d->last_length = length_at(d, lengths, counts->kept - 1);
    return status;
}

/* Keeps the flags of a function, for all elements, which are one chunk. */
static int store_flags(compact_device *d, pipe_slot *slot)
{
    const uint32_t *bits = pipe_map(slot, FLAGS);
    d->results->flags = malloc((size_t)slot->count + 1);
    if (d->results->flags == NULL)
        return fail(STATUS_VULKAN, "--verify: out of memory");
    for (uint64_t i = 0; i < slot->count; i++)
        d->results->flags[i] = flag_at(bits, i);
    return STATUS_DONE;
}

static void add_counts(compact_counts *sum, const compact_counts *counts)
{
    sum->kept += counts->kept;
    sum->rejected += counts->rejected;
}

/* Finds where the entries of this rank start, from its own counts. */
static int find_before(compact_device *d, const compact_counts *own)
{
    const compact_counts none = {0};
    const VkrPrefixInfo info = {.op = VKR_OP_SUM,
                                .type = VKR_TYPE_U64,
                                .components = 2,
                                .initial = &none,
                                .totals = own,
                                .count = 1};
    VkrPrefix before = {0};
    const int status = ranks_prefix(STATUS_DONE, &info, &before);
    memcpy(&d->before, before.values, sizeof d->before);
    d->results->counts = d->before;
    return status;
}

static int store(void *context, pipe_slot *slot)
{
    compact_device *d = context;
    const uint64_t count = slot->count;
    compact_counts counts;
    memcpy(&counts, pipe_map(slot, COUNTS), sizeof counts);
    if (counts.kept > count || counts.rejected != count - counts.kept)
        return fail(STATUS_VULKAN,
                    "the device reports %" PRIu64 " kept and %" PRIu64
                    " rejected elements of %" PRIu64,
                    counts.kept, counts.rejected, count);
    int status = keeps_flags(d) ? store_flags(d, slot) : STATUS_DONE;
    if (d->counting) {
        add_counts(&d->results->counts, &counts);
        return status;
    }
    if (d->task->shared && d->task->chunks == 1)
        status = find_before(d, &counts);
    if (status == STATUS_DONE && d->results->outs[OUT_LENGTHS].name != NULL)
        status = store_lengths(d, slot, &counts);
    for (int i = 0; i < COMPACT_OUTPUTS && status == STATUS_DONE; i++) {
        const compact_output k = (compact_output)i;
        const uint64_t size = entry_size(d->request, k);
        const uint64_t at = entry_count(&d->results->counts, k);
        const uint64_t entries = compact_room(d->request, k, at, entry_count(&counts, k));
        if (d->results->outs[k].name != NULL)
            status = output_write(&d->results->outs[k], at * size, pipe_map(slot, (uint32_t)k),
                                  entries * size);
    }
    add_counts(&d->results->counts, &counts);
    return status;
}

/* ---- The work ---- */

static int run_pipe(compact_device *d)
{
    const compact_request *r = d->request;
    pipe *p = &d->pipe;
    p->sizes[DATA] = input_span(&r->in, p->chunk + 1) + 1;
    p->sizes[FLAGS] = has_flags(d) || keeps_flags(d) ? flag_bytes(p->chunk) + 1 : 0;
    p->downloads[FLAGS] = keeps_flags(d);
    p->sizes[COUNTS] = sizeof(compact_counts);
    p->downloads[COUNTS] = true;
    for (int k = 0; k < COMPACT_OUTPUTS; k++)
        if (d->results->outs[k].name != NULL && !d->counting) {
            p->sizes[k] = max_entries(d, (compact_output)k) * entry_size(r, (compact_output)k) + 1;
            p->downloads[k] = true;
        }
    return pipe_run(p, d->counting ? "counting" : "compacting",
                    input_span(&r->in, r->in.count) + r->flags.size);
}

/* Counts what several chunks keep, and where the rank's entries start. */
static int count_first(compact_device *d)
{
    const pipe unused = d->pipe;
    d->counting = true;
    const int status = run_pipe(d);
    pipe_close(&d->pipe);
    d->pipe = unused;
    d->counting = false;
    return status == STATUS_DONE ? find_before(d, &d->results->counts) : status;
}

static int run(compact_device *d)
{
    pipe_share(&d->pipe, d->request->in.count, UNIT);
    int status = cut(d);
    if (status == STATUS_DONE && d->task->shared && d->task->chunks > 1)
        status = count_first(d);
    return status == STATUS_DONE ? run_pipe(d) : status;
}

/* The run of the last element that a rank keeps goes on in the shares of those after it, up to
 * what they keep. */
static int finish_lengths(int status, compact_device *d)
{
    const output *out = &d->results->outs[OUT_LENGTHS];
    const uint64_t kept = d->results->counts.kept - d->before.kept;
    const uint64_t own[] = {kept, d->lead}, size = entry_size(d->request, OUT_LENGTHS);
    uint64_t *all = malloc(ranks_count() * sizeof own);
    if (all == NULL && status == STATUS_DONE)
        status = fail(STATUS_VULKAN, "out of memory");
    status = ranks_gather_each(status, own, sizeof own, all);
    if (status == STATUS_DONE && kept > 0) {
        const uint64_t last = d->results->counts.kept - 1;
        bool goes = true;
        for (uint32_t i = ranks_index() + 1; i < ranks_count() && goes; i++) {
            d->last_length += all[2 * i + 1];
            goes = all[2 * i] == 0;
        }
        if (compact_room(d->request, OUT_LENGTHS, last, 1) == 1)
            status = output_write(out, last * size, &d->last_length, size);
    }
    free(all);
    return status;
}

static int finish_shared(int status, compact_device *d)
{
    if (d->results->outs[OUT_LENGTHS].name != NULL)
        status = finish_lengths(status, d);
    status = ranks_copy(status, ranks_count() - 1, &d->results->counts, sizeof d->results->counts);
    for (int k = 0; k < COMPACT_OUTPUTS; k++)
        status = output_settle(status, &d->results->outs[k]);
    return status;
}

int compact_execute(job *j)
{
    const compact_request *r = j->request;
    compact_device d = {.task = &j->task,
                        .request = r,
                        .results = j->results,
                        .pipe = {.task = &j->task,
                                 .context = &d,
                                 .has_number = r->functions.file != NULL,
                                 .load = load,
                                 .collect = collect,
                                 .store = store}};
    int status = run(&d);
    if (j->task.shared)
        status = finish_shared(status, &d);
    pipe_close(&d.pipe);
    return status;
}
