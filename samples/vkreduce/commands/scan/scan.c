/* SPDX-License-Identifier: MIT */
/*
 * The command scan. Data that does not fit the device goes through it in chunks of whole blocks:
 * the total of each chunk, which stays on the device, is the initial value of the next one.
 */
#include <stdio.h>
#include <string.h>
#include "commands/report.h"
#include "commands/scan/scan.h"
#include "input/constant.h"
#include "input/flags.h"
#include "interrupt.h"
#include "output/json.h"
#include "output/npy.h"
#include "output/text.h"
#include "progress.h"
#include "status.h"

enum { DATA, HEADS, OUT };     /* buffers of a chunk */
enum { TOTAL_DISTANCE = 256 }; /* bytes between the two totals, which are used in turns */

/* ---- What was asked for ---- */

static int parse_op(const char *text, VkrOp *op)
{
    static const VkrOp ops[] = {VKR_OP_SUM, VKR_OP_PRODUCT, VKR_OP_MIN, VKR_OP_MAX,
                                VKR_OP_AND, VKR_OP_OR,      VKR_OP_XOR};
    for (size_t i = 0; i < sizeof ops / sizeof ops[0]; i++)
        if (strcmp(text, vkrOpName(ops[i])) == 0) {
            *op = ops[i];
            return STATUS_DONE;
        }
    return fail(STATUS_USAGE,
                "'%s' is no OP of a scan; it must be sum, product, min, max, and, or or xor", text);
}

/* Parses the initial value, which is the same for every component. */
static int parse_initial(scan_job *j)
{
    size_t size = vkrTypeSize(j->result);
    VkrConstant value;
    if (j->opts->initial == NULL)
        return STATUS_DONE;
    int status = parse_constant("--initial", j->opts->initial, j->result, &value);
    if (status != STATUS_DONE)
        return status;
    for (uint32_t c = 0; c < j->in.components; c++)
        constant_bits(j->result, value, j->initial + c * size);
    j->info.initial = j->initial;
    return STATUS_DONE;
}

static int prepare_info(scan_job *j)
{
    const scan_options *opts = j->opts;
    j->info.label = "vkreduce scan";
    j->info.flags = (opts->exclusive ? VKR_SCAN_EXCLUSIVE_BIT : 0u) |
                    (opts->reverse ? VKR_SCAN_REVERSE_BIT : 0u);
    j->info.accumulator = (VkrType)opts->accumulator;
    j->info.nan = (VkrNan)opts->nan;
    j->info.determinism = (VkrDeterminism)opts->determinism;
    j->info.algorithm = (VkrScanAlgorithm)opts->algorithm;
    j->info.input = (VkrView){.type = j->in.type, .components = j->in.components};
    int status = gpu_status(vkrGetScanType(j->task.gpu.context, &j->info, &j->result));
    return status == STATUS_DONE ? parse_initial(j) : status;
}

/* ---- Chunks ---- */

static uint64_t result_size(const scan_job *j)
{
    return (uint64_t)vkrTypeSize(j->result) * j->in.components;
}

static int cut(scan_job *j)
{
    const uint64_t count = j->in.count, pitch = input_pitch(&j->in);
    const uint64_t sizes[] = {input_span(&j->in, count), count * result_size(j)};
    j->task.chunks = 1;
    j->chunk = count;
    if (!task_is_streamed(&j->task, 2, sizes))
        return STATUS_DONE;
    return task_cut(&j->task, count, pitch, pitch + result_size(j), VKR_SCAN_BLOCK, &j->chunk);
}

/* Whether segments are passed as bits: all are, except rows of a single chunk, which the library
 * knows itself. */
static bool has_heads(const scan_job *j)
{
    return j->segments.kind != VKR_SEGMENTS_NONE &&
           (j->segments.kind != VKR_SEGMENTS_ROWS || j->task.chunks > 1);
}

/* The number of elements, counted from where the scan enters the chunk, that belong to the segment
 * of the element before. */
static uint64_t count_continued(const scan_job *j, const uint32_t *bits, bool starts_behind)
{
    uint64_t n = j->loaded, i = 0;
    if ((j->info.flags & VKR_SCAN_REVERSE_BIT) == 0) {
        while (i < n && !flag_at(bits, i))
            i++;
        return i;
    }
    if (starts_behind)
        return 0;
    for (i = n; i > 0 && !flag_at(bits, i - 1);)
        i--;
    return i > 0 ? n - i + 1 : n;
}

static int load(void *context, pipe_slot *slot)
{
    scan_job *j = context;
    const bool starts_behind = slot->chunk == 0 || j->starts;
    j->loaded = scan_cut(j, slot->chunk, j->chunk, &j->first);
    slot->buffers[DATA].used = input_span(&j->in, j->loaded);
    slot->buffers[OUT].used = j->loaded * result_size(j);
    j->continued = slot->chunk > 0 ? j->loaded : 0;
    int status = input_load(&j->in, j->first, j->loaded, pipe_map(slot, DATA));
    if (!has_heads(j) || status != STATUS_DONE)
        return status;
    uint32_t *bits = pipe_map(slot, HEADS);
    slot->buffers[HEADS].used = flag_bytes(j->loaded);
    status = segments_load(&j->segments, j->first, j->loaded, bits);
    if (status == STATUS_DONE && slot->chunk > 0)
        j->continued = count_continued(j, bits, starts_behind);
    j->starts = j->loaded > 0 && flag_at(bits, 0);
    return status;
}

static VkrBufferRange total_range(const scan_job *j, uint64_t chunk)
{
    return (VkrBufferRange){
        .buffer = j->totals.buffer, .offset = chunk % 2 * TOTAL_DISTANCE, .size = result_size(j)};
}

/* Describes the scan of a whole chunk as if it were the first one. */
static VkrScanInfo describe(const scan_job *j, const pipe_slot *slot)
{
    const pipe_buffer *heads = &slot->buffers[HEADS];
    VkrScanInfo info = j->info;
    info.input = pipe_view(slot, DATA, &j->in, j->loaded);
    info.output = (VkrView){.buffer = slot->buffers[OUT].device.buffer,
                            .size = j->loaded * result_size(j),
                            .type = j->result,
                            .components = j->in.components};
    info.count = j->loaded;
    if (j->task.opts->count_on_gpu) {
        if (info.input.size > 0)
            info.count = VKR_COUNT_ALL;
        info.gpuCount = (VkrGpuCount){.buffer = j->count.buffer, .type = VKR_TYPE_U64};
    }
    info.segments.kind = j->segments.kind;
    info.segments.length = j->segments.length;
    if (has_heads(j)) {
        info.segments.kind = VKR_SEGMENTS_FLAGS;
        info.segments.flags = (VkrFlagView){
            .format = VKR_FLAGS_BITS, .range = {heads->device.buffer, 0, flag_bytes(j->loaded)}};
    }
    return info;
}

/* The elements of a chunk that continue the chunk before start with its total, and all others as
 * usual: so the former are scanned once more. (They are not scanned separately from the start,
 * since at level DEVICE the bits depend on where runs lie.) */
static VkrResult collect(void *context, pipe_slot *slot)
{
    const scan_job *j = context;
    VkrScanInfo info = describe(j, slot);
    VkrResult result = VKR_SUCCESS;
    if (j->continued < j->loaded || j->loaded == 0) {
        info.total = total_range(j, slot->chunk);
        result = vkrCmdScan(slot->recorder, &info);
    }
    if (j->continued == 0 || result != VKR_SUCCESS)
        return result;
    uint64_t skipped = (j->info.flags & VKR_SCAN_REVERSE_BIT) != 0 ? j->loaded - j->continued : 0;
    info.input.offset = skipped * info.input.stride;
    info.input.size = input_span(&j->in, j->continued);
    info.output.offset = skipped * result_size(j);
    info.output.size = j->continued * result_size(j);
    info.count = j->continued;
    info.segments = (VkrSegments){0};
    info.initial = NULL;
    info.gpuInitial = total_range(j, slot->chunk - 1);
    info.total = j->continued == j->loaded ? total_range(j, slot->chunk) : (VkrBufferRange){0};
    return vkrCmdScan(slot->recorder, &info);
}

static int store(void *context, pipe_slot *slot)
{
    scan_job *j = context;
    uint64_t first, count = scan_cut(j, slot->chunk, j->chunk, &first);
    if (j->stored)
        return STATUS_DONE;
    j->stored = slot->chunk + 1 == j->task.chunks;
    return output_write(&j->out, first * result_size(j), pipe_map(slot, OUT),
                        count * result_size(j));
}

const void *scan_total(const scan_job *j)
{
    return (const char *)j->totals.map + (j->task.chunks - 1) % 2 * TOTAL_DISTANCE;
}

/* ---- The work ---- */

static int prepare_buffers(scan_job *j)
{
    const gpu *g = &j->task.gpu;
    int status = gpu_buffer_create(g, &j->totals, 2 * TOTAL_DISTANCE, MEMORY_READBACK);
    if (status == STATUS_DONE && j->task.opts->count_on_gpu)
        status = gpu_buffer_create(g, &j->count, sizeof j->in.count, MEMORY_UPLOAD);
    if (status != STATUS_DONE)
        return status;
    if (j->task.opts->count_on_gpu)
        memcpy(j->count.map, &j->in.count, sizeof j->in.count);
    j->pipe = (pipe){.task = &j->task,
                     .context = j,
                     .sizes = {[DATA] = input_span(&j->in, j->chunk) + 1,
                               [HEADS] = has_heads(j) ? flag_bytes(j->chunk) + 1 : 0,
                               [OUT] = j->chunk * result_size(j) + 1},
                     .downloads = {[OUT] = true},
                     .load = load,
                     .collect = collect,
                     .store = store};
    return pipe_open(&j->pipe);
}

static int scan_all(scan_job *j)
{
    int status = prepare_buffers(j);
    if (status != STATUS_DONE)
        return status;
    progress_start("scanning", pipe_loads(&j->pipe) * input_span(&j->in, j->in.count));
    status = task_execute(&j->task, pipe_pass, &j->pipe);
    progress_end();
    return status;
}

/* ---- Results ---- */

static void print_json(const scan_job *j)
{
    const size_t size = vkrTypeSize(j->result);
    const char *total = scan_total(j);
    report_start_json(&j->task, "scan", &j->in, vkrScanAlgorithmName(j->info.algorithm));
    putchar('{');
    printf("\"type\":\"%s\",\"total\":%s", vkrTypeName(j->result), j->in.components > 1 ? "[" : "");
    for (uint32_t c = 0; c < j->in.components; c++) {
        if (c > 0)
            putchar(',');
        json_value(stdout, j->result, total + c * size);
    }
    if (j->in.components > 1)
        putchar(']');
    putchar('}');
    report_end_json(&j->task, &j->in, 1, &(named_output){"output", j->opts->output}, 1);
}

static void print_text(const scan_job *j)
{
    const size_t size = vkrTypeSize(j->result);
    const char *total = scan_total(j);
    report_device(&j->task);
    report_input(&j->in);
    printf("%-8s %s: %llu x %u %s\n", "output", j->out.name, (unsigned long long)j->in.count,
           j->in.components, vkrTypeName(j->result));
    printf("%-8s", "total");
    for (uint32_t c = 0; c < j->in.components; c++) {
        char text[32];
        text_value(text, sizeof text, j->result, total + c * size);
        printf(" %*s", j->in.components > 1 ? 14 : 0, text);
    }
    putchar('\n');
    report_end(&j->task, vkrScanAlgorithmName(j->info.algorithm));
}

static int run(scan_job *j, const operands *given)
{
    const scan_options *opts = j->opts;
    int status = parse_op(given->words[0], &j->info.op);
    if (status == STATUS_DONE && opts->output == NULL)
        status = fail(STATUS_USAGE, "scan needs a file to write to: -o OUT.npy");
    if (status != STATUS_DONE ||
        (status = input_open(&j->in, given->words[1], &opts->input)) != STATUS_DONE ||
        (status = segments_open(&j->segments, SEGMENTS_OF_SCAN, opts->segments, j->in.count)) !=
            STATUS_DONE ||
        (status = task_open(&j->task)) != STATUS_DONE ||
        (status = prepare_info(j)) != STATUS_DONE || (status = cut(j)) != STATUS_DONE ||
        (status = npy_create(&j->out, opts->output)) != STATUS_DONE ||
        (status = scan_all(j)) != STATUS_DONE ||
        (opts->task.verify && (status = verify_scan(j)) != STATUS_DONE) ||
        (status = check_interrupt()) != STATUS_DONE ||
        (status = npy_finish(&j->out, j->result, j->in.components, j->in.count)) != STATUS_DONE)
        return status;
    (opts->json ? print_json : print_text)(j);
    return j->task.differs ? STATUS_DIFFERENCE : STATUS_DONE;
}

int scan_run(const operands *given, const void *options)
{
    const scan_options *opts = options;
    scan_job j = {
        .opts = opts, .task = {.opts = &opts->task}, .in = {.file = -1}, .out = {.file = -1}};
    catch_interrupts();
    int status = run(&j, given);
    pipe_close(&j.pipe);
    gpu_buffer_destroy(&j.task.gpu, &j.totals);
    gpu_buffer_destroy(&j.task.gpu, &j.count);
    output_close(&j.out);
    segments_close(&j.segments);
    input_close(&j.in);
    task_close(&j.task);
    return status;
}
