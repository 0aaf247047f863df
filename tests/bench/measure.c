/* SPDX-License-Identifier: MIT */
/* Measures one size: every arm is recorded once, run without timing, and then timed in turns with
 * all others, so that other work on the machine affects all of them alike. */
#include "measure.h"
#include <stdlib.h>
#include <time.h>
#include "buffers.h"
#include "busy.h"
#include "commands.h"
#include "moves.h"
#include "read.h"
#include "segments.h"
#include "status.h"
#include "streams.h"

static double read_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

double now_ns(void)
{
    return read_ns(CLOCK_MONOTONIC);
}

/* This process's time on all cores. */
static double cpu_now_ns(void)
{
    return read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

static int prepare_buffers(const bench *b, uint64_t n)
{
    const VkCommandBuffer commands = vkrHostCommands(b->gpu.host);
    int status = gpu_status(vkrHostBegin(b->gpu.host));
    if (status != STATUS_DONE)
        return status;
    vkCmdFillBuffer(commands, b->output.buffer, 0, VK_WHOLE_SIZE, STALE);
    vkCmdUpdateBuffer(commands, b->count.buffer, 0, sizeof n, &n);
    return gpu_status(vkrHostRun(b->gpu.host));
}

/* ---- Recording ---- */

/* Collects the operators of `ops` as one reduction, whose results start `position` bytes into the
 * arm's slot, and advances the position. */
static VkrResult collect_one(const bench *b, arm *a, uint64_t n, VkrOpFlags ops,
                             VkDeviceSize *position)
{
    VkrReduceLayout layout;
    VkrReduceInfo info = a->info;
    info.label = a->name;
    info.ops = ops;
    info.input = buffer_view(a, &b->data, n);
    info.count = VKR_COUNT_ALL;
    if (a->gpu_count)
        info.gpuCount = (VkrGpuCount){.buffer = b->count.buffer, .type = VKR_TYPE_U64};
    VkrResult result = vkrGetReduceLayout(b->gpu.vulkan.context, &info, &layout);
    if (result != VKR_SUCCESS)
        return result;
    info.output = (VkrBufferRange){b->output.buffer, a->slot + *position, layout.size};
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++)
        if (layout.results[bit].type != VKR_TYPE_UNDEFINED) {
            a->results[bit] = layout.results[bit];
            a->results[bit].offset += *position;
        }
    *position += layout.spacing;
    return vkrCmdReduce(a->recorder, &info);
}

static VkrResult collect_reduction(const bench *b, arm *a, uint64_t n)
{
    VkDeviceSize position = 0;
    VkrResult result = VKR_SUCCESS;
    for (VkrOpFlags left = a->info.ops; left != 0 && result == VKR_SUCCESS;) {
        VkrOpFlags ops = a->separate ? left & -left : left;
        result = collect_one(b, a, n, ops, &position);
        left &= ~ops;
    }
    return result;
}

static VkrResult collect(const bench *b, arm *a, uint64_t n)
{
    VkrResult result = vkrReset(a->recorder);
    if (result == VKR_SUCCESS)
        result = vkrBegin(a->recorder);
    if (result == VKR_SUCCESS)
        result = a->kind == ARM_REDUCE     ? collect_reduction(b, a, n)
                 : a->kind == ARM_SCAN     ? moves_scan(b, a, n)
                 : a->kind == ARM_SEGMENTS ? segment_sums_collect(b, a, n)
                                           : moves_compact(b, a, n);
    /* The arms of --streams share scratch memory, since there are many and each needs much. */
    if (result == VKR_SUCCESS && !b->settings.streams)
        result = vkrPrepare(a->recorder);
    return result;
}

static int record_operation(const bench *b, arm *a)
{
    VkrEndInfo end = {.commandBuffer = a->commands,
                      .consumerStages = VK_PIPELINE_STAGE_TRANSFER_BIT,
                      .consumerAccess = VK_ACCESS_TRANSFER_READ_BIT};
    if (b->settings.streams)
        end.scratch = streams_scratch(b, a->recorder);
    if (a->step == STEP_ALL)
        return gpu_status(vkrEnd(a->recorder, &end));
    stream_steps_begin(b, a);
    const int status = gpu_status(vkrEnd(a->recorder, &end)), ended = stream_steps_end(a);
    return status == STATUS_DONE ? ended : status;
}

static int record_body(const bench *b, arm *a, uint64_t n)
{
    if (a->kind == ARM_READ || a->kind == ARM_COPY)
        reader_record(b, a, n);
    if (a->geometry)
        geometry_record(b, a, n);
    return is_operation(a) ? record_operation(b, a) : STATUS_DONE;
}

static int record_arm(const bench *b, arm *a, row *r)
{
    VkrResult result = is_operation(a) ? collect(b, a, r->n) : VKR_SUCCESS;
    if (result == VKR_ERROR_UNSUPPORTED || result == VKR_ERROR_OUT_OF_DEVICE_MEMORY) {
        (void)vkrEnd(a->recorder, NULL); /* records nothing; the recorder is idle afterwards */
        r->verdict = result == VKR_ERROR_UNSUPPORTED ? VERDICT_UNSUPPORTED : VERDICT_BEYOND;
        forget_failure();
        return STATUS_DONE;
    }
    int status = gpu_status(result);
    if (status != STATUS_DONE || (status = gpu_status(vkrHostBegin(a->host))) != STATUS_DONE)
        return status;
    status = gpu_status(vkrHostStamp(a->host, VK_FALSE));
    if (status == STATUS_DONE)
        status = record_body(b, a, r->n);
    if (status == STATUS_DONE)
        status = gpu_status(vkrHostStamp(a->host, VK_TRUE));
    /* The barrier is not timed, since the results of bare kernels would need it too. */
    memory_barrier(a->commands, VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_WRITE_BIT,
                   VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT);
    return status;
}

/* Whether the arm would exceed its budget if its time per element were that of the last size. Bare
 * reads and copies, which all others are compared with, have no budget. */
static bool is_too_slow(const bench *b, const arm *a, uint64_t n)
{
    double runs = (double)(b->settings.runs + 1);
    return a->kind >= ARM_REDUCE &&
           a->spent + a->per_ns * (double)n * runs > (double)b->settings.budget * 1e9;
}

/* Whether a size exceeds the memory for outputs, a capture, or the texel buffer. */
static bool is_beyond(const bench *b, const arm *a, uint64_t n)
{
    return (is_move(a) && moves_beyond(b, a, n)) || (a->geometry && geometry_beyond(b, n)) ||
           ((a->kind == ARM_READ || a->kind == ARM_COPY) && a->shape.form == LOAD_TEXEL &&
            4 * n > b->data.texels.size);
}

static int record_all(bench *b, row *rows)
{
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < b->arm_count && status == STATUS_DONE; i++) {
        if (b->arms[i].kind == ARM_SEGMENTS && segment_sums_misfit(&b->arms[i], rows[i].n))
            rows[i].verdict = VERDICT_MISFIT;
        else if (b->arms[i].sweep && rows[i].n != streams_sweep(&b->settings))
            rows[i].verdict = VERDICT_ELSEWHERE;
        else if (streams_lack(b, &b->arms[i]))
            rows[i].verdict = VERDICT_UNSUPPORTED;
        else if (is_beyond(b, &b->arms[i], rows[i].n))
            rows[i].verdict = VERDICT_BEYOND;
        else if (is_too_slow(b, &b->arms[i], rows[i].n))
            rows[i].verdict = VERDICT_BUDGET;
        else
            status = record_arm(b, &b->arms[i], &rows[i]);
    }
    return status;
}

/* ---- Timing ---- */

static int run_once(const bench *b, arm *a, row *r, uint32_t run)
{
    int status = busy_run(b);
    if (status != STATUS_DONE)
        return status;
    double milliseconds = 0.0, start = now_ns(), cpu_start = cpu_now_ns();
    status = gpu_submit(a->host);
    r->submit[run] = now_ns() - start;
    r->cpu[run] = cpu_now_ns() - cpu_start;
    if (status == STATUS_DONE && b->gpu.vulkan.timestampBits != 0)
        status = a->step == STEP_ALL ? gpu_read_clock(a->host, &milliseconds)
                                     : stream_steps_read(b, a, &milliseconds);
    r->device[run] = milliseconds * 1e6;
    return status == STATUS_DONE ? busy_read_empty(b, &r->empty[run]) : status;
}

/* Makes a new order for every run (Fisher-Yates), since the previous arm decides what the caches
 * hold. */
static void shuffle(uint32_t *order, uint32_t count, uint64_t *state)
{
    for (uint32_t i = count; i > 1; i--) {
        *state = *state * 6364136223846793005u + 1442695040888963407u;
        uint32_t k = (uint32_t)((*state >> 33) % i), last = order[i - 1];
        order[i - 1] = order[k];
        order[k] = last;
    }
}

/* Runs all arms: first untimed, since drivers may compile in first runs, then timed. */
static int run_all(bench *b, row *rows)
{
    uint64_t state = rows[0].n;
    int status = STATUS_DONE;
    for (uint64_t k = 0; k < b->settings.warm_ups * b->arm_count && status == STATUS_DONE; k++) {
        uint32_t i = (uint32_t)(k % b->arm_count);
        if (row_measured(&rows[i]))
            status = run_once(b, &b->arms[i], &rows[i], 0);
    }
    for (uint32_t i = 0; i < b->arm_count; i++)
        b->order[i] = i;
    for (uint32_t run = 0; run < b->settings.runs; run++) {
        shuffle(b->order, b->arm_count, &state);
        for (uint32_t k = 0; k < b->arm_count && status == STATUS_DONE; k++) {
            uint32_t i = b->order[k];
            if (row_measured(&rows[i]))
                status = run_once(b, &b->arms[i], &rows[i], run);
        }
    }
    return status;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *values, uint64_t count)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return (values[(count - 1) / 2] + values[count / 2]) / 2.0;
}

static void take_medians(const bench *b, row *rows)
{
    const bool on_cpu = b->gpu.chosen.type == VK_PHYSICAL_DEVICE_TYPE_CPU;
    for (uint32_t i = 0; i < b->arm_count; i++) {
        row *r = &rows[i];
        arm *a = &b->arms[i];
        if (!row_measured(r))
            continue;
        for (uint32_t run = 0; run < b->settings.runs; run++)
            a->spent += r->submit[run];
        r->device_ns = median(r->device, b->settings.runs);
        r->submit_ns = median(r->submit, b->settings.runs);
        r->least_ns = r->device_ns > 0.0 ? r->device[0] : r->submit[0]; /* they are sorted */
        if (on_cpu && a->step == STEP_ALL)
            r->cpu_ns = median(r->cpu, b->settings.runs);
        a->per_ns = r->submit_ns / (double)r->n;
        r->empty_ns = median(r->empty, b->settings.runs);
        busy_note_empty(b, r->empty_ns);
    }
}

/* Refuses rows whose clock was low. Their times go, so that nothing is compared with them. */
static void refuse_low_clocks(const bench *b, row *rows)
{
    for (uint32_t i = 0; busy_judges(b) && i < b->arm_count; i++) {
        row *r = &rows[i];
        if (!row_measured(r) || !busy_clock_low(b, r->empty_ns))
            continue;
        r->verdict = VERDICT_CLOCK;
        r->device_ns = r->submit_ns = r->least_ns = r->cpu_ns = 0.0;
    }
}

int measure_turns(bench *b, row *rows)
{
    int status = run_all(b, rows);
    if (status == STATUS_DONE) {
        take_medians(b, rows);
        refuse_low_clocks(b, rows);
    }
    return status;
}

/* Arms share `copy`, so each runs once more, over stale values, before it is verified. */
int measure_again(const bench *b, const arm *a, VkDeviceSize size)
{
    if (a->geometry)
        return geometry_again(b, a, size);
    int status = gpu_status(vkrHostBegin(b->gpu.host));
    if (status != STATUS_DONE)
        return status;
    vkCmdFillBuffer(vkrHostCommands(b->gpu.host), b->copy.buffer, 0, size, STALE);
    if ((status = gpu_status(vkrHostRun(b->gpu.host))) != STATUS_DONE ||
        (status = gpu_submit(a->host)) != STATUS_DONE)
        return status;
    return buffer_fetch(b->gpu.host, &b->copy, &b->copied, size);
}

static int verify_moves(const bench *b, row *rows)
{
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < b->arm_count && status == STATUS_DONE; i++) {
        if (!is_move(&b->arms[i]) || !row_measured(&rows[i]))
            continue;
        status = measure_again(b, &b->arms[i], moves_size(&b->arms[i], rows[i].n));
        if (status == STATUS_DONE)
            verify_moved(b, &rows[i]);
    }
    return status;
}

/* The bytes that an arm reads and writes, as far as they are known before it has run. */
static double bytes_of(const arm *a, uint64_t n)
{
    if (a->kind == ARM_EMPTY)
        return 0.0;
    return 4.0 * (double)n + (is_move(a) ? (double)moves_size(a, n) : 0.0);
}

int measure_size(bench *b, uint32_t size)
{
    row *rows = &b->rows[(size_t)size * b->arm_count];
    int status;
    for (uint32_t i = 0; i < b->arm_count; i++)
        rows[i] = (row){.arm = &b->arms[i],
                        .n = b->settings.sizes[size],
                        .bytes = bytes_of(&b->arms[i], b->settings.sizes[size])};
    if ((status = prepare_buffers(b, b->settings.sizes[size])) != STATUS_DONE ||
        (status = segment_sums_prepare(b, b->settings.sizes[size])) != STATUS_DONE ||
        (status = record_all(b, rows)) != STATUS_DONE ||
        (status = measure_turns(b, rows)) != STATUS_DONE ||
        (status = verify_moves(b, rows)) != STATUS_DONE ||
        (status = buffer_fetch(b->gpu.host, &b->output, &b->readback, b->output.size)) !=
            STATUS_DONE)
        return status;
    compare_rows(b, rows);
    verify_rows(b, rows);
    return STATUS_DONE;
}
