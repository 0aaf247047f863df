/* SPDX-License-Identifier: MIT */
/*
 * The command compact. Data that does not fit the device goes through it in chunks, each of which
 * leaves what it keeps at the start of buffers that hold no more than a chunk.
 *
 * VkrCompactInfo::append, which would chain the counts on the device, cannot be used here: it moves
 * positions inside an output, and the outputs of a chunk must not be as large as those of the
 * whole. The host must know where a chunk's entries go in a file; it reads the counts of a chunk
 * together with these entries, so that nothing has to wait longer for them.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include "commands/compact/compact.h"
#include "commands/report.h"
#include "input/flags.h"
#include "interrupt.h"
#include "output/npy.h"
#include "progress.h"
#include "status.h"

enum { DATA = COMPACT_OUTPUTS, FLAGS, COUNTS }; /* buffers of a chunk, behind the outputs */
enum { UNIT = 1024 };                           /* chunks are multiples of, elements */

/* ---- What was asked for ---- */

static int prepare_info(compact_job *j, const char *predicate)
{
    const compact_options *opts = j->opts;
    const char *flags;
    int status = predicate_parse(predicate, &j->in, &j->info.predicate, &flags);
    if (status == STATUS_DONE && flags != NULL)
        status = flags_open(&j->flags, flags, "PREDICATE", j->in.count);
    j->info.label = "vkreduce compact";
    j->info.algorithm = (VkrCompactAlgorithm)opts->algorithm;
    j->info.stream =
        (VkrStreamOptions){(uint32_t)opts->block, (VkrBlockScan)opts->block_scan,
                           (VkrStreamSearch)opts->search, (VkrConcatenation)opts->concatenation};
    j->index = j->in.count > UINT64_C(1) << 32 ? VKR_TYPE_U64 : VKR_TYPE_U32;
    return status;
}

static int create_outputs(compact_job *j)
{
    const compact_options *opts = j->opts;
    const char *names[COMPACT_OUTPUTS] = {[OUT_KEPT] = opts->output,
                                          [OUT_INDICES] = opts->indices,
                                          [OUT_LENGTHS] = opts->run_lengths,
                                          [OUT_REJECTED] = opts->rejected,
                                          [OUT_REJECTED_INDICES] = opts->rejected_indices};
    for (int k = 0; k < COMPACT_OUTPUTS; k++)
        for (int i = 0; i < k; i++)
            if (names[k] != NULL && names[i] != NULL && strcmp(names[k], names[i]) == 0)
                return fail(STATUS_USAGE, "%s: two outputs have this name; each needs its own",
                            names[k]);
    int status = STATUS_DONE;
    for (int k = 0; k < COMPACT_OUTPUTS && status == STATUS_DONE; k++)
        status = npy_create(&j->outs[k], names[k]);
    return status;
}

/* ---- Chunks ---- */

static bool has_flags(const compact_job *j)
{
    return j->info.predicate.kind == VKR_PREDICATE_FLAGS;
}

/* The maximum number of elements of a chunk. Algorithms that cannot go on in a further window get
 * half of what a descriptor reaches, which leaves room for trees and alignment. */
static uint64_t most_elements(const compact_job *j)
{
    const uint64_t range = j->task.gpu.chosen->properties.limits.maxStorageBufferRange;
    const uint64_t pitch = input_pitch(&j->in) > 4 ? input_pitch(&j->in) : 4;
    const bool has_windows =
        j->info.algorithm == VKR_COMPACT_AUTO || j->info.algorithm == VKR_COMPACT_SCAN_SCATTER;
    return has_windows || range / 2 / pitch < UNIT ? UINT64_MAX : range / 2 / pitch / UNIT * UNIT;
}

static int cut(compact_job *j)
{
    const uint64_t count = j->in.count, pitch = input_pitch(&j->in);
    uint64_t sizes[1 + COMPACT_OUTPUTS] = {input_span(&j->in, count)}, all = pitch;
    uint32_t size_count = 1;
    for (int k = 0; k < COMPACT_OUTPUTS; k++) {
        uint64_t size = j->outs[k].name != NULL ? entry_size(j, (compact_output)k) : 0;
        all += size;
        sizes[size_count++] = size * count;
    }
    j->task.chunks = 1;
    j->chunk = count;
    const uint64_t most = most_elements(j);
    if (!task_is_streamed(&j->task, size_count, sizes) && count <= most)
        return STATUS_DONE;
    int status = task_cut(&j->task, count, pitch, all, UNIT, &j->chunk);
    if (status == STATUS_DONE && j->task.opts->chunk == 0 && j->chunk > most) {
        j->chunk = most;
        j->task.chunks = (count - 1) / most + 1;
    }
    return status;
}

/* The maximum number of entries that a chunk can leave in an output. */
static uint64_t most_entries(const compact_job *j, compact_output k)
{
    return j->task.chunks == 1 ? compact_room(j, k, 0, j->chunk) : j->chunk;
}

static uint64_t cut_chunk(const compact_job *j, uint64_t chunk)
{
    uint64_t left = j->in.count - chunk * j->chunk;
    return left < j->chunk ? left : j->chunk;
}

static int load(void *context, pipe_slot *slot)
{
    compact_job *j = context;
    j->first = slot->chunk * j->chunk;
    j->loaded = cut_chunk(j, slot->chunk);
    const uint64_t overlap = goes_on(j, j->first) ? 1 : 0;
    slot->buffers[DATA].used = input_span(&j->in, j->loaded + overlap);
    slot->buffers[COUNTS].used = sizeof(compact_counts);
    for (int k = 0; k < COMPACT_OUTPUTS; k++)
        slot->buffers[k].used =
            most_entries(j, (compact_output)k) * entry_size(j, (compact_output)k);
    int status = input_load(&j->in, j->first - overlap, j->loaded + overlap, pipe_map(slot, DATA));
    if (status == STATUS_DONE && has_flags(j)) {
        slot->buffers[FLAGS].used = flag_bytes(j->loaded);
        status = flags_load(&j->flags, j->first, j->loaded, pipe_map(slot, FLAGS));
    }
    return status;
}

static VkrView view_of(const compact_job *j, const pipe_slot *slot, compact_output k)
{
    if (j->outs[k].name == NULL)
        return (VkrView){0};
    return (VkrView){.buffer = slot->buffers[k].device.buffer,
                     .size = slot->buffers[k].used,
                     .type = entry_type(j, k),
                     .components = is_values(k) ? j->in.components : 1};
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    const compact_job *j = context;
    const VkBuffer counts = slot->buffers[COUNTS].device.buffer;
    const VkrCountOutput outputs[] = {
        {VKR_COUNT_KEPT64, counts, offsetof(compact_counts, kept), 0},
        {VKR_COUNT_REJECTED64, counts, offsetof(compact_counts, rejected), 0}};
    VkrCompactInfo info = j->info;
    info.input = pipe_view(slot, DATA, &j->in, j->loaded);
    if (goes_on(j, j->first)) {
        info.flags = VKR_COMPACT_CONTINUED_BIT;
        info.input.offset = info.input.stride;
    }
    info.count = j->loaded;
    if (j->task.opts->count_on_gpu) {
        if (info.input.size > 0)
            info.count = VKR_COUNT_ALL;
        info.gpuCount = (VkrGpuCount){.buffer = j->count.buffer, .type = VKR_TYPE_U64};
    }
    if (has_flags(j))
        info.predicate.flags =
            (VkrFlagView){.format = VKR_FLAGS_BITS,
                          .range = {slot->buffers[FLAGS].device.buffer, 0, flag_bytes(j->loaded)}};
    info.kept = view_of(j, slot, OUT_KEPT);
    info.keptIndices = view_of(j, slot, OUT_INDICES);
    info.runLengths = view_of(j, slot, OUT_LENGTHS);
    info.rejected = view_of(j, slot, OUT_REJECTED);
    info.rejectedIndices = view_of(j, slot, OUT_REJECTED_INDICES);
    info.capacity = j->task.chunks == 1 ? j->opts->capacity : 0;
    info.firstIndex = j->first;
    info.countOutputCount = 2;
    info.countOutputs = outputs;
    return vkrCmdCompact(slot->recorder, &info);
}

static uint64_t length_at(const compact_job *j, const void *lengths, uint64_t i)
{
    uint64_t length = 0;
    memcpy(&length, (const char *)lengths + i * entry_size(j, OUT_LENGTHS),
           (size_t)entry_size(j, OUT_LENGTHS)); /* little-endian, as the device is */
    return length;
}

/* The run of the last element that earlier chunks kept goes on in this chunk, up to the first
 * element that it keeps: so its length is written again. */
static int store_lengths(compact_job *j, const pipe_slot *slot, const compact_counts *counts)
{
    const void *lengths = pipe_map(slot, OUT_LENGTHS);
    const uint64_t size = entry_size(j, OUT_LENGTHS);
    uint64_t before = counts->kept + counts->rejected;
    int status = STATUS_DONE;
    if (j->task.chunks == 1)
        return STATUS_DONE;
    for (uint64_t i = 0; i < counts->kept; i++)
        before -= length_at(j, lengths, i);
    j->last_length += before;
    if (j->counts.kept > 0 && compact_room(j, OUT_LENGTHS, j->counts.kept - 1, 1) == 1)
        status =
            output_write(&j->outs[OUT_LENGTHS], (j->counts.kept - 1) * size, &j->last_length, size);
    if (counts->kept > 0)
        j->last_length = length_at(j, lengths, counts->kept - 1);
    return status;
}

static int store(void *context, pipe_slot *slot)
{
    compact_job *j = context;
    const uint64_t count = cut_chunk(j, slot->chunk);
    compact_counts counts;
    if (j->stored)
        return STATUS_DONE;
    memcpy(&counts, pipe_map(slot, COUNTS), sizeof counts);
    if (counts.kept > count || counts.rejected != count - counts.kept)
        return fail(STATUS_VULKAN,
                    "the device says that %" PRIu64 " elements are kept and %" PRIu64
                    " rejected of %" PRIu64,
                    counts.kept, counts.rejected, count);
    int status = STATUS_DONE;
    if (j->outs[OUT_LENGTHS].name != NULL)
        status = store_lengths(j, slot, &counts);
    for (int i = 0; i < COMPACT_OUTPUTS && status == STATUS_DONE; i++) {
        const compact_output k = (compact_output)i;
        const uint64_t size = entry_size(j, k);
        uint64_t at = is_rejected(k) ? j->counts.rejected : j->counts.kept;
        uint64_t entries = is_rejected(k) ? counts.rejected : counts.kept;
        entries = compact_room(j, k, at, entries);
        if (j->outs[k].name != NULL)
            status =
                output_write(&j->outs[k], at * size, pipe_map(slot, (uint32_t)k), entries * size);
    }
    j->counts.kept += counts.kept;
    j->counts.rejected += counts.rejected;
    j->stored = slot->chunk + 1 == j->task.chunks;
    return status;
}

/* ---- The work ---- */

static int prepare_buffers(compact_job *j)
{
    int status = STATUS_DONE;
    if (j->task.opts->count_on_gpu) {
        status = gpu_buffer_create(&j->task.gpu, &j->count, sizeof j->in.count, MEMORY_UPLOAD);
        if (status == STATUS_DONE)
            memcpy(j->count.map, &j->in.count, sizeof j->in.count);
    }
    if (status != STATUS_DONE)
        return status;
    j->pipe = (pipe){.task = &j->task,
                     .context = j,
                     .sizes = {[DATA] = input_span(&j->in, j->chunk + 1) + 1,
                               [FLAGS] = has_flags(j) ? flag_bytes(j->chunk) + 1 : 0,
                               [COUNTS] = sizeof(compact_counts)},
                     .downloads = {[COUNTS] = true},
                     .load = load,
                     .collect = collect,
                     .store = store};
    for (int k = 0; k < COMPACT_OUTPUTS; k++)
        if (j->outs[k].name != NULL) {
            j->pipe.sizes[k] =
                most_entries(j, (compact_output)k) * entry_size(j, (compact_output)k) + 1;
            j->pipe.downloads[k] = true;
        }
    return pipe_open(&j->pipe);
}

static int compact_all(compact_job *j)
{
    int status = prepare_buffers(j);
    if (status != STATUS_DONE)
        return status;
    progress_start("compacting",
                   pipe_loads(&j->pipe) * (input_span(&j->in, j->in.count) + j->flags.size));
    status = task_execute(&j->task, pipe_pass, &j->pipe);
    progress_end();
    return status;
}

static int finish_outputs(compact_job *j)
{
    int status = STATUS_DONE;
    for (int i = 0; i < COMPACT_OUTPUTS && status == STATUS_DONE; i++) {
        const compact_output k = (compact_output)i;
        uint64_t entries = is_rejected(k) ? j->counts.rejected : j->counts.kept;
        status = npy_finish(&j->outs[k], entry_type(j, k), is_values(k) ? j->in.components : 1,
                            compact_room(j, k, 0, entries));
    }
    return status;
}

/* ---- Results ---- */

static void print_json(const compact_job *j)
{
    report_start_json(&j->task, "compact", &j->in, vkrCompactAlgorithmName(j->info.algorithm));
    putchar('{');
    printf("\"kept\":%" PRIu64 ",\"rejected\":%" PRIu64, j->counts.kept, j->counts.rejected);
    putchar('}');
    const compact_options *opts = j->opts;
    const named_output outputs[] = {{"output", opts->output},
                                    {"indices", opts->indices},
                                    {"rejected", opts->rejected},
                                    {"rejected-indices", opts->rejected_indices},
                                    {"run-lengths", opts->run_lengths}};
    report_end_json(&j->task, &j->in, 1, outputs, sizeof outputs / sizeof outputs[0]);
}

static void print_text(const compact_job *j)
{
    report_device(&j->task);
    report_input(&j->in);
    printf("%-8s %" PRIu64 "\n%-8s %" PRIu64 "\n", "kept", j->counts.kept, "rejected",
           j->counts.rejected);
    report_end(&j->task, vkrCompactAlgorithmName(j->info.algorithm));
}

static int run(compact_job *j, const operands *given)
{
    const compact_options *opts = j->opts;
    int status = input_open(&j->in, given->words[1], &opts->input);
    if (status != STATUS_DONE || (status = prepare_info(j, given->words[0])) != STATUS_DONE ||
        (status = task_open(&j->task)) != STATUS_DONE ||
        (status = create_outputs(j)) != STATUS_DONE || (status = cut(j)) != STATUS_DONE ||
        (status = compact_all(j)) != STATUS_DONE ||
        (opts->task.verify && (status = verify_compact(j)) != STATUS_DONE) ||
        (status = check_interrupt()) != STATUS_DONE || (status = finish_outputs(j)) != STATUS_DONE)
        return status;
    (opts->json ? print_json : print_text)(j);
    return j->task.differs ? STATUS_DIFFERENCE : STATUS_DONE;
}

int compact_run(const operands *given, const void *options)
{
    const compact_options *opts = options;
    compact_job j = {.opts = opts, .task = {.opts = &opts->task}, .in = {.file = -1}};
    catch_interrupts();
    int status = run(&j, given);
    pipe_close(&j.pipe);
    gpu_buffer_destroy(&j.task.gpu, &j.count);
    for (int k = 0; k < COMPACT_OUTPUTS; k++)
        output_close(&j.outs[k]);
    input_close(&j.flags);
    input_close(&j.in);
    task_close(&j.task);
    return status;
}
