/* SPDX-License-Identifier: MIT */
/* The chunks of a sort, and the rounds of merges. */
#include <inttypes.h>
#include <string.h>
#include "commands/sort/chunks.h"
#include "progress.h"
#include "status.h"

enum { DATA, ENTRIES, OUT }; /* buffers: the input; entries of all columns as they are; and moved */
enum { MAX_KEY = 8 };        /* bytes */

/* ---- What both have ---- */

static void *column_map(const chunks *c, const pipe_slot *slot, uint32_t buffer, uint32_t k)
{
    return (unsigned char *)pipe_map(slot, buffer) + column_offset(c, k);
}

static VkrBufferRange column_range(const chunks *c, const pipe_slot *slot, uint32_t buffer,
                                   uint32_t k, uint64_t first, uint64_t count)
{
    const uint64_t size = c->columns[k].size;
    if (count == 0)
        return (VkrBufferRange){0};
    return (VkrBufferRange){slot->buffers[buffer].device.buffer, column_offset(c, k) + first * size,
                            count * size};
}

/* A view of keys or indices. */
static VkrView column_view(const chunks *c, const pipe_slot *slot, uint32_t buffer, uint32_t k,
                           uint64_t first, uint64_t count)
{
    const VkrBufferRange range = column_range(c, slot, buffer, k, first, count);
    return (VkrView){.buffer = range.buffer,
                     .offset = range.offset,
                     .size = range.size,
                     .type = sort_entry_type(c->request, k == KEYS ? SORT_VALUES : SORT_INDICES)};
}

static void set_used(const chunks *c, pipe_slot *slot, bool has_entries)
{
    slot->buffers[ENTRIES].used = has_entries ? column_offset(c, c->column_count) : 0;
    slot->buffers[OUT].used = column_offset(c, c->column_count);
}

/* ---- Chunks ---- */

static int load_chunk(void *context, pipe_slot *slot)
{
    const chunks *c = context;
    const input *in = &c->request->in;
    set_used(c, slot, c->pipe.sizes[ENTRIES] > 0);
    slot->buffers[DATA].used = input_span(in, slot->count);
    int status = input_load(in, slot->first, slot->count, pipe_map(slot, DATA));
    for (uint32_t k = 0; k < c->column_count && status == STATUS_DONE; k++)
        if (c->columns[k].moved != NULL)
            status = input_load(&c->columns[k].moved->in, slot->first, slot->count,
                                column_map(c, slot, ENTRIES, k));
    return status;
}

static VkrResult collect_chunk(void *context, pipe_slot *slot)
{
    const chunks *c = context;
    VkrPayload moved[MAX_COLUMNS];
    VkrSortInfo info = c->request->info;
    info.keys = pipe_view(slot, DATA, &c->request->in, slot->count);
    info.count = slot->count;
    info.sorted = column_view(c, slot, OUT, KEYS, 0, slot->count);
    for (uint32_t k = KEYS + 1; k < c->column_count; k++) {
        if (is_index(c, k))
            info.indices = column_view(c, slot, OUT, k, 0, slot->count);
        else
            moved[info.payloadCount++] =
                (VkrPayload){.size = (uint32_t)c->columns[k].size,
                             .source = column_range(c, slot, ENTRIES, k, 0, slot->count),
                             .target = column_range(c, slot, OUT, k, 0, slot->count)};
    }
    info.payloads = info.payloadCount > 0 ? moved : NULL;
    return vkrCmdSort(slot->recorder, &info);
}

/* Indices of a chunk count from its start, those of a run from the start of the input. */
static int store_indices(const chunks *c, const pipe_slot *slot, uint32_t k)
{
    enum { PORTION = 4096 };
    const uint32_t *own = column_map(c, slot, OUT, k);
    uint32_t all[PORTION];
    int status = STATUS_DONE;
    for (uint64_t done = 0; done < slot->count && status == STATUS_DONE; done += PORTION) {
        const uint64_t count = least(slot->count - done, PORTION);
        for (uint64_t i = 0; i < count; i++)
            all[i] = own[done + i] + (uint32_t)slot->first;
        status = column_write(c, k, slot->first + done, count, all);
    }
    return status;
}

static int store_chunk(void *context, pipe_slot *slot)
{
    const chunks *c = context;
    int status = STATUS_DONE;
    for (uint32_t k = 0; k < c->column_count && status == STATUS_DONE; k++)
        status = is_index(c, k)
                     ? store_indices(c, slot, k)
                     : column_write(c, k, slot->first, slot->count, column_map(c, slot, OUT, k));
    return status;
}

/* ---- Merges ---- */

/* Two runs that follow each other; the second one can be empty. */
typedef struct runs {
    uint64_t first, count_a, count_b;
} runs;

/* The runs whose merge has an output at a position. */
static runs runs_at(const chunks *c, uint64_t position)
{
    const uint64_t run = c->length << (c->round - 1);
    runs r = {.first = position / (2 * run) * (2 * run)};
    r.count_a = least(c->request->in.count - r.first, run);
    r.count_b = least(c->request->in.count - r.first - r.count_a, run);
    return r;
}

/* Of the first `before` outputs of a merge, finds how many are those of the first run, by a
 * bisection along the path of the merge: of equal keys, those of the first run come first. */
static int cross(const chunks *c, runs r, uint64_t before, uint64_t *of_a)
{
    const oracle_sort_info order = sort_order(c->request);
    uint64_t low = before - least(before, r.count_b), high = least(before, r.count_a);
    int status = STATUS_DONE;
    while (low < high && status == STATUS_DONE) {
        const uint64_t middle = low + (high - low) / 2;
        unsigned char a[MAX_KEY], b[MAX_KEY];
        status = column_read(c, KEYS, r.first + middle, 1, a);
        if (status == STATUS_DONE)
            status = column_read(c, KEYS, r.first + r.count_a + before - middle - 1, 1, b);
        if (status == STATUS_DONE && oracle_compare_values(&order, a, b) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    *of_a = low;
    return status;
}

/* Outputs of a chunk belong to one pair of runs, since these begin at multiples of chunks. */
static int load_merge(void *context, pipe_slot *slot)
{
    chunks *c = context;
    const runs r = runs_at(c, slot->first);
    const uint64_t before = slot->first - r.first;
    uint64_t a = 0, end = 0;
    int status = cross(c, r, before, &a);
    if (status == STATUS_DONE)
        status = cross(c, r, before + slot->count, &end);
    c->count_a = end - a;
    c->count_b = slot->count - c->count_a;
    set_used(c, slot, true);
    for (uint32_t k = 0; k < c->column_count && status == STATUS_DONE; k++) {
        unsigned char *to = column_map(c, slot, ENTRIES, k);
        const uint64_t b = r.first + r.count_a + before - a;
        status = column_read(c, k, r.first + a, c->count_a, to);
        if (status == STATUS_DONE)
            status = column_read(c, k, b, c->count_b, to + c->count_a * c->columns[k].size);
        if (status == STATUS_DONE)
            status = progress_add(slot->count * c->columns[k].size);
    }
    return status;
}

/* Indices move as payloads do. Flags of sorts have the bits of those of merges. */
static VkrResult collect_merge(void *context, pipe_slot *slot)
{
    const chunks *c = context;
    const uint64_t a = c->count_a, b = c->count_b;
    VkrMergePayload moved[VKR_MAX_MERGE_PAYLOADS];
    VkrMergeInfo info = {.label = c->request->info.label,
                         .flags = c->request->info.flags,
                         .a = {.keys = column_view(c, slot, ENTRIES, KEYS, 0, a), .count = a},
                         .b = {.keys = column_view(c, slot, ENTRIES, KEYS, a, b), .count = b},
                         .merged = column_view(c, slot, OUT, KEYS, 0, slot->count)};
    for (uint32_t k = KEYS + 1; k < c->column_count; k++)
        moved[info.payloadCount++] =
            (VkrMergePayload){.size = (uint32_t)c->columns[k].size,
                              .a = column_range(c, slot, ENTRIES, k, 0, a),
                              .b = column_range(c, slot, ENTRIES, k, a, b),
                              .target = column_range(c, slot, OUT, k, 0, slot->count)};
    info.payloads = info.payloadCount > 0 ? moved : NULL;
    return vkrCmdMerge(slot->recorder, &info);
}

static int store_merge(void *context, pipe_slot *slot)
{
    const chunks *c = context;
    int status = STATUS_DONE;
    for (uint32_t k = 0; k < c->column_count && status == STATUS_DONE; k++)
        status = column_write(c, k, slot->first, slot->count, column_map(c, slot, OUT, k));
    return status;
}

/* ---- All of it ---- */

static int refuse(const chunks *c, const char *option, const char *text, const char *why)
{
    return fail(STATUS_USAGE, "%s is '%s'; %s chunks, %s", option, text,
                c->task->opts->chunk != 0 ? "--chunk asks for" : "data of this size needs", why);
}

/* What needs all data at once. */
static int check(const chunks *c)
{
    const sort_request *r = c->request;
    if (r->opts->bits != NULL)
        return refuse(c, "--bits", r->opts->bits, "but a merge of chunks compares whole elements");
    if (r->opts->indices != NULL && r->in.count >> 32 != 0)
        return fail(STATUS_USAGE,
                    "--indices: %s has %" PRIu64 " elements, but indices of sort have 32 bits, for "
                    "fewer than 4294967296 elements",
                    r->in.name, r->in.count);
    if (c->task->opts->verify && r->in.count >> 32 != 0)
        return fail(STATUS_USAGE,
                    "--verify: %s has %" PRIu64 " elements, but the scalar reference sorts fewer "
                    "than 4294967296",
                    r->in.name, r->in.count);
    return STATUS_DONE;
}

/* Chunks whose payloads the device can move. */
static int cut(chunks *c)
{
    const uint64_t count = c->request->in.count, pitch = input_pitch(&c->request->in);
    const uint64_t range = c->task->gpu.limits.maxStorageBufferRange;
    uint64_t all = pitch, widest = 1;
    for (uint32_t k = 0; k < c->column_count; k++) {
        all += 2 * c->columns[k].size;
        widest = c->columns[k].moved != NULL && c->columns[k].size > widest ? c->columns[k].size
                                                                            : widest;
    }
    const int status = task_cut(c->task, count, pitch, all, 1, &c->length);
    if (status == STATUS_DONE && c->length > range / widest) {
        c->length = range / widest;
        c->task->chunks = (count - 1) / c->length + 1;
    }
    while (status == STATUS_DONE && (c->task->chunks - 1) >> c->rounds != 0)
        c->rounds++;
    return status;
}

static int run_pipe(chunks *c, const pipe *stages, const char *what, uint64_t bytes)
{
    c->pipe = *stages;
    c->pipe.task = c->task;
    c->pipe.context = c;
    c->pipe.count = c->request->in.count;
    c->pipe.chunk = c->length;
    c->pipe.downloads[OUT] = true;
    const int status = pipe_run(&c->pipe, what, bytes);
    pipe_close(&c->pipe);
    return status;
}

static int run(chunks *c)
{
    const input *in = &c->request->in;
    const uint64_t all = column_offset(c, c->column_count) + 1;
    const bool moves = c->results->payloads.count > 0;
    int status = run_pipe(
        c,
        &(pipe){
            .load = load_chunk,
            .collect = collect_chunk,
            .store = store_chunk,
            .sizes =
                {[DATA] = input_span(in, c->length) + 1, [ENTRIES] = moves ? all : 0, [OUT] = all}},
        "sorting", input_span(in, in->count));
    const uint64_t read = c->task->bytes; /* of the input, which merges do not read */
    uint64_t entry = 0;
    for (uint32_t k = 0; k < c->column_count; k++)
        entry += c->columns[k].size;
    while (status == STATUS_DONE && c->round < c->rounds) {
        c->round++;
        status = run_pipe(c,
                          &(pipe){.load = load_merge,
                                  .collect = collect_merge,
                                  .store = store_merge,
                                  .sizes = {[ENTRIES] = all, [OUT] = all}},
                          "merging", entry * in->count);
    }
    c->task->bytes = read;
    return status;
}

int sort_in_chunks(job *j)
{
    chunks c = {.task = &j->task, .request = j->request, .results = j->results};
    int status = columns_list(&c);
    if (status == STATUS_DONE)
        status = check(&c);
    if (status == STATUS_DONE)
        status = cut(&c);
    if (status == STATUS_DONE)
        status = columns_open(&c);
    if (status == STATUS_DONE)
        status = run(&c);
    columns_close(&c);
    return status;
}
