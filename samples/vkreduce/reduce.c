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

void list_reduce_algorithms(void)
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
    j->input_count = j->task.opts->operand_count - 1;
    if (dot != (j->input_count == 2))
        return fail(STATUS_USAGE, dot ? "dot needs INPUT2; name two inputs"
                                      : "only dot takes INPUT2; name one input");
    for (uint32_t i = 0; i < j->input_count; i++) {
        int status = input_open(&j->in[i], j->task.opts->operands[1 + i], j->task.opts);
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
    gpu_memory kind = j->task.opts->staging ? MEMORY_UNMAPPED : MEMORY_DEVICE;
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < j->input_count && status == STATUS_DONE; i++)
        status = gpu_buffer_create(&j->task.gpu, &w->data[i], j->in[i].size, kind);
    if (status == STATUS_DONE && j->task.opts->count_on_gpu)
        status = gpu_buffer_create(&j->task.gpu, &w->count, sizeof j->in[0].count, MEMORY_UPLOAD);
    return status;
}

static int upload(whole *w)
{
    const job *j = w->job;
    int status = STATUS_DONE;
    progress_start("uploading", j->in[0].size + j->in[1].size);
    for (uint32_t i = 0; i < j->input_count && status == STATUS_DONE; i++)
        status = gpu_upload(&j->task.gpu, &w->data[i], &j->in[i]);
    progress_end();
    if (j->task.opts->count_on_gpu)
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
    if (j->task.opts->count_on_gpu) {
        j->info.count = VKR_COUNT_ALL;
        j->info.gpuCount = (VkrGpuCount){.buffer = w->count.buffer, .type = VKR_TYPE_U64};
    }
}

int prepare_output(job *j)
{
    int status = gpu_status(vkrGetReduceLayout(j->task.gpu.context, &j->info, &j->layout));
    if (status == STATUS_DONE)
        status = gpu_buffer_create(&j->task.gpu, &j->output, j->layout.size, MEMORY_READBACK);
    j->info.output = (VkrBufferRange){.buffer = j->output.buffer, .size = j->layout.size};
    return status;
}

static int collect(whole *w)
{
    VkrResult result =
        vkrCreateRecorder(w->job->task.gpu.context, &(VkrRecorderInfo){0}, &w->recorder);
    if (result == VKR_SUCCESS)
        result = vkrBegin(w->recorder);
    if (result == VKR_SUCCESS)
        result = vkrCmdReduce(w->recorder, &w->job->info);
    return gpu_status(result);
}

static int record(whole *w)
{
    const gpu *g = &w->job->task.gpu;
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
    int status = gpu_submit(&j->task.gpu);
    return status == STATUS_DONE && j->task.timed ? gpu_read_clock(&j->task.gpu, milliseconds)
                                                  : status;
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
    return task_execute(&w->job->task, submit, w);
}

static int reduce_whole(job *j)
{
    whole w = {.job = j};
    int status = run_whole(&w);
    vkrDestroyRecorder(w.recorder);
    gpu_buffer_destroy(&j->task.gpu, &w.count);
    for (uint32_t i = 0; i < INPUTS; i++)
        gpu_buffer_destroy(&j->task.gpu, &w.data[i]);
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
    task_print_json(&j->task, "reduce", &j->in[0], vkrReduceAlgorithmName(j->info.algorithm));
    print_json_results(j);
    task_end_json(&j->task);
}

static void print_text(const job *j)
{
    task_print_text(&j->task);
    for (uint32_t i = 0; i < j->input_count; i++)
        task_print_input(&j->in[i]);
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
    task_end_text(&j->task, vkrReduceAlgorithmName(j->info.algorithm));
}

static int run(job *j)
{
    int status = parse_ops(j, j->task.opts->operands[0]);
    if (status != STATUS_DONE || (status = open_inputs(j)) != STATUS_DONE ||
        (status = task_open(&j->task)) != STATUS_DONE)
        return status;
    j->info = (VkrReduceInfo){.label = "vkreduce reduce",
                              .ops = j->ops,
                              .accumulator = (VkrType)j->task.opts->accumulator,
                              .nan = (VkrNan)j->task.opts->nan,
                              .determinism = (VkrDeterminism)j->task.opts->determinism,
                              .algorithm = (VkrReduceAlgorithm)j->task.opts->algorithm};
    if ((status = (is_streamed(j) ? reduce_streamed : reduce_whole)(j)) != STATUS_DONE ||
        (j->task.opts->verify && (status = verify(j)) != STATUS_DONE) ||
        (status = check_interrupt()) != STATUS_DONE)
        return status;
    (j->task.opts->json ? print_json : print_text)(j);
    return j->task.differs ? STATUS_DIFFERENCE : STATUS_DONE;
}

int reduce_command(const options *opts)
{
    job j = {.task = {.opts = opts}, .in = {{.file = -1}, {.file = -1}}};
    catch_interrupts();
    int status = run(&j);
    gpu_buffer_destroy(&j.task.gpu, &j.output);
    for (uint32_t i = 0; i < INPUTS; i++)
        input_close(&j.in[i]);
    task_close(&j.task);
    return status;
}
