/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "reduce.h"

#define ARG_OPS (VKR_OP_ARGMIN | VKR_OP_ARGMAX)

/* What a reduction of all data at once needs beside the job. */
typedef struct whole {
    job *job;
    gpu_buffer data[INPUTS], count;
    VkrRecorder recorder;
} whole;

void list_algorithms(void)
{
    static const char *const meanings[VKR_REDUCE_ALGORITHM_COUNT] = {
        [VKR_REDUCE_AUTO] = "the best for the device; serves every valid request",
        [VKR_REDUCE_SINGLE] = "one dispatch; the workgroup that finishes last combines",
        [VKR_REDUCE_SUBGROUP] = "two dispatches, combining in subgroups",
        [VKR_REDUCE_TREE] = "shared-memory trees, level by level (Ramalho 2014)",
        [VKR_REDUCE_RECURSIVE] = "in place with growing strides (OPENRNDR)",
    };
    for (int i = 0; i < VKR_REDUCE_ALGORITHM_COUNT; i++)
        printf("%-10s %s\n", vkrReduceAlgorithmName((VkrReduceAlgorithm)i), meanings[i]);
}

/* ---- What was asked for ---- */

static int add_op(job *j, const char *name, size_t length)
{
    for (uint32_t bit = 0; bit < VKR_OP_BITS; bit++) {
        const char *op = vkrOpName((VkrOp)(1u << bit));
        if (strlen(op) != length || strncmp(op, name, length) != 0)
            continue;
        if ((j->ops & (1u << bit)) != 0)
            return fail(STATUS_USAGE, "OP %s is named twice; name it once", op);
        j->ops |= 1u << bit;
        j->order[j->op_count++] = bit;
        return STATUS_DONE;
    }
    return fail(STATUS_USAGE, "'%.*s' is no OP; vkreduce --help lists them", (int)length, name);
}

static int parse_ops(job *j, const char *text)
{
    for (;;) {
        size_t length = strcspn(text, ",");
        int status = add_op(j, text, length);
        if (status != STATUS_DONE || text[length] == '\0')
            return status;
        text += length + 1;
    }
}

static int open_inputs(job *j)
{
    bool dot = (j->ops & VKR_OP_DOT) != 0;
    j->input_count = j->opts->operand_count - 1;
    if (dot != (j->input_count == 2))
        return fail(STATUS_USAGE, dot ? "dot needs INPUT2; name two inputs"
                                      : "only dot takes INPUT2; name one input");
    for (uint32_t i = 0; i < j->input_count; i++) {
        int status = input_open(&j->in[i], j->opts->operands[1 + i], j->opts);
        if (status != STATUS_DONE)
            return status;
    }
    const input *a = &j->in[0], *b = &j->in[1];
    if (dot && (a->type != b->type || a->components != b->components || a->count != b->count))
        return fail(STATUS_USAGE,
                    "%s has %" PRIu64 " elements of %u x %s and %s %" PRIu64
                    " of %u x %s; dot needs the same of both",
                    a->name, a->count, a->components, vkrTypeName(a->type), b->name, b->count,
                    b->components, vkrTypeName(b->type));
    return STATUS_DONE;
}

/* ---- The work ---- */

static int create_buffers(whole *w)
{
    const job *j = w->job;
    gpu_memory kind = j->opts->staging ? MEMORY_UNMAPPED : MEMORY_DEVICE;
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < j->input_count && status == STATUS_DONE; i++)
        status = gpu_buffer_create(&j->gpu, &w->data[i], j->in[i].size, kind);
    if (status == STATUS_DONE && j->opts->count_on_gpu)
        status = gpu_buffer_create(&j->gpu, &w->count, sizeof j->in[0].count, MEMORY_UPLOAD);
    return status;
}

static int upload(whole *w)
{
    const job *j = w->job;
    int status = STATUS_DONE;
    progress_start("uploading", j->in[0].size + j->in[1].size);
    for (uint32_t i = 0; i < j->input_count && status == STATUS_DONE; i++)
        status = gpu_upload(&j->gpu, &w->data[i], &j->in[i]);
    progress_end();
    if (j->opts->count_on_gpu)
        memcpy(w->count.map, &j->in[0].count, sizeof j->in[0].count);
    return status;
}

static VkrView make_view(const input *in, const gpu_buffer *data)
{
    return (VkrView){.buffer = data->buffer,
                     .offset = in->offset,
                     .size = in->size - in->offset,
                     .type = in->type,
                     .components = in->components,
                     .stride = in->stride,
                     .texels = data->texels};
}

static void describe(whole *w)
{
    job *j = w->job;
    j->info.input = make_view(&j->in[0], &w->data[0]);
    j->info.count = j->in[0].count;
    if (j->input_count == 2)
        j->info.input2 = make_view(&j->in[1], &w->data[1]);
    if (j->opts->count_on_gpu) {
        j->info.count = VKR_COUNT_ALL;
        j->info.gpuCount = (VkrGpuCount){.buffer = w->count.buffer, .type = VKR_TYPE_U64};
    }
}

int prepare_output(job *j)
{
    int status = gpu_status(vkrGetReduceLayout(j->gpu.context, &j->info, &j->layout));
    if (status == STATUS_DONE)
        status = gpu_buffer_create(&j->gpu, &j->output, j->layout.size, MEMORY_READBACK);
    j->info.output = (VkrBufferRange){.buffer = j->output.buffer, .size = j->layout.size};
    return status;
}

static int collect(whole *w)
{
    VkrResult result = vkrCreateRecorder(w->job->gpu.context, &(VkrRecorderInfo){0}, &w->recorder);
    if (result == VKR_SUCCESS)
        result = vkrBegin(w->recorder);
    if (result == VKR_SUCCESS)
        result = vkrCmdReduce(w->recorder, &w->job->info);
    return gpu_status(result);
}

static int record(whole *w)
{
    const gpu *g = &w->job->gpu;
    VkrEndInfo end = {.commandBuffer = g->commands,
                      .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                      .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    int status = gpu_begin(g);
    if (status != STATUS_DONE)
        return status;
    gpu_start_clock(g);
    VkrResult result = vkrEnd(w->recorder, &end);
    if (result != VKR_SUCCESS)
        return gpu_status(result);
    gpu_stop_clock(g);
    return gpu_end(g);
}

static int submit(void *context, double *milliseconds)
{
    const job *j = ((whole *)context)->job;
    int status = gpu_submit(&j->gpu);
    return status == STATUS_DONE && j->timed ? gpu_read_clock(&j->gpu, milliseconds) : status;
}

static int run_whole(whole *w)
{
    int status = create_buffers(w);
    if (status != STATUS_DONE)
        return status;
    describe(w);
    if ((status = prepare_output(w->job)) != STATUS_DONE || (status = collect(w)) != STATUS_DONE ||
        (status = upload(w)) != STATUS_DONE || (status = record(w)) != STATUS_DONE)
        return status;
    return execute(w->job, submit, w);
}

static int reduce_whole(job *j)
{
    whole w = {.job = j};
    int status = run_whole(&w);
    vkrDestroyRecorder(w.recorder);
    gpu_buffer_destroy(&j->gpu, &w.count);
    for (uint32_t i = 0; i < INPUTS; i++)
        gpu_buffer_destroy(&j->gpu, &w.data[i]);
    return status;
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Drivers may compile at the first dispatch, which is therefore not timed. */
uint64_t count_executions(const options *opts)
{
    return opts->repeat != 0 ? opts->repeat + 1 : 1;
}

int execute(job *j, int (*once)(void *context, double *milliseconds), void *context)
{
    uint64_t executions = count_executions(j->opts);
    uint64_t untimed = executions > 1;
    uint64_t count = executions - untimed;
    double *times = calloc((size_t)executions, sizeof *times);
    int status = times != NULL ? STATUS_DONE : fail(STATUS_VULKAN, "out of memory");
    j->timed = j->gpu.timestamp_bits != 0;
    for (uint64_t i = 0; i < executions && status == STATUS_DONE; i++)
        if ((status = once(context, &times[i])) == STATUS_DONE)
            status = check_interrupt();
    if (status == STATUS_DONE) {
        qsort(times + untimed, (size_t)count, sizeof *times, compare_times);
        j->gpu_ms = (times[untimed + (count - 1) / 2] + times[untimed + count / 2]) / 2.0;
    }
    free(times);
    return status;
}

/* ---- Results ---- */

static const VkrReduceResult *result_of(const job *j, uint32_t bit)
{
    return &j->layout.results[bit];
}

static bool is_missing(const job *j, uint32_t bit, uint32_t component)
{
    return ((1u << bit) & ARG_OPS) != 0 &&
           is_no_index(result_of(j, bit)->type, value_of(j, bit, component));
}

static void print_json_results(const job *j)
{
    uint32_t channels = j->in[0].components;
    for (uint32_t i = 0; i < j->op_count; i++) {
        uint32_t bit = j->order[i];
        printf("%s\"%s\":%s", i == 0 ? "" : ",", vkrOpName((VkrOp)(1u << bit)),
               channels > 1 ? "[" : "");
        for (uint32_t c = 0; c < channels; c++) {
            if (c > 0)
                putchar(',');
            if (is_missing(j, bit, c))
                fputs("null", stdout);
            else
                json_value(stdout, result_of(j, bit)->type, value_of(j, bit, c));
        }
        if (channels > 1)
            putchar(']');
    }
}

static void print_json(const job *j)
{
    fputs("{\"command\":\"reduce\",\"device\":", stdout);
    json_string(stdout, j->gpu.chosen->properties.deviceName);
    fputs(",\"driver\":", stdout);
    json_string(stdout, j->gpu.chosen->driver);
    printf(",\"type\":\"%s\",\"count\":%" PRIu64
           ",\"channels\":%u,\"algorithm\":\"%s\",\"result\":{",
           vkrTypeName(j->in[0].type), j->in[0].count, j->in[0].components,
           vkrReduceAlgorithmName(j->info.algorithm));
    print_json_results(j);
    fputs("},\"gpu_ms\":", stdout);
    if (j->timed)
        printf("%.6f", j->gpu_ms);
    else
        fputs("null", stdout);
    printf(",\"verified\":%s", !j->opts->verify ? "null" : j->differs ? "false" : "true");
    if (j->chunks != 0)
        printf(",\"chunks\":%" PRIu64, j->chunks);
    puts("}");
}

static void print_text(const job *j)
{
    printf("%-8s %s, %s\n", "device", j->gpu.chosen->properties.deviceName, j->gpu.chosen->driver);
    for (uint32_t i = 0; i < j->input_count; i++)
        printf("%-8s %s: %" PRIu64 " x %u %s\n", "input", j->in[i].name, j->in[i].count,
               j->in[i].components, vkrTypeName(j->in[i].type));
    for (uint32_t i = 0; i < j->op_count; i++) {
        uint32_t bit = j->order[i];
        printf("%-8s", vkrOpName((VkrOp)(1u << bit)));
        for (uint32_t c = 0; c < j->in[0].components; c++) {
            char text[32] = "none";
            if (!is_missing(j, bit, c))
                text_value(text, sizeof text, result_of(j, bit)->type, value_of(j, bit, c));
            printf(" %*s", j->in[0].components > 1 ? 14 : 0, text);
        }
        putchar('\n');
    }
    if (j->chunks != 0)
        printf("%-8s %" PRIu64 "\n", "chunks", j->chunks);
    if (j->timed)
        printf("%-8s %.3f ms on the device, %s, algorithm %s\n", "time", j->gpu_ms,
               j->opts->repeat != 0 ? "median" : "first execution",
               vkrReduceAlgorithmName(j->info.algorithm));
    if (j->opts->verify)
        printf("%-8s %s\n", "verified", j->differs ? "no: it differs" : "yes");
}

static int run(job *j)
{
    int status = parse_ops(j, j->opts->operands[0]);
    if (status != STATUS_DONE || (status = open_inputs(j)) != STATUS_DONE ||
        (status = gpu_open(&j->gpu, j->opts->device)) != STATUS_DONE ||
        (status = profile_use(&j->gpu, j->opts->profile)) != STATUS_DONE)
        return status;
    j->info = (VkrReduceInfo){.label = "vkreduce reduce",
                              .ops = j->ops,
                              .accumulator = (VkrType)j->opts->accumulator,
                              .nan = (VkrNan)j->opts->nan,
                              .determinism = (VkrDeterminism)j->opts->determinism,
                              .algorithm = (VkrReduceAlgorithm)j->opts->algorithm};
    if ((status = (is_streamed(j) ? reduce_streamed : reduce_whole)(j)) != STATUS_DONE ||
        (j->opts->verify && (status = verify(j)) != STATUS_DONE) ||
        (status = check_interrupt()) != STATUS_DONE)
        return status;
    (j->opts->json ? print_json : print_text)(j);
    return j->differs ? STATUS_DIFFERENCE : STATUS_DONE;
}

int reduce_command(const options *opts)
{
    job j = {.opts = opts, .in = {{.file = -1}, {.file = -1}}};
    catch_interrupts();
    int status = run(&j);
    gpu_buffer_destroy(&j.gpu, &j.output);
    for (uint32_t i = 0; i < INPUTS; i++)
        input_close(&j.in[i]);
    gpu_close(&j.gpu);
    return status;
}
