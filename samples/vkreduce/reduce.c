/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "runner.h"
#include "oracle.h"

#define INPUTS 2
#define ARG_OPS (VKR_OP_ARGMIN | VKR_OP_ARGMAX)

/* One run of the command. */
typedef struct job {
    const options *opts;
    VkrOpFlags ops;
    uint32_t order[VKR_OP_BITS]; /* bits of the operators as the user named them */
    uint32_t op_count;
    uint32_t input_count;
    input in[INPUTS];
    gpu gpu;
    gpu_buffer data[INPUTS], count, output;
    VkrRecorder recorder;
    VkrReduceInfo info;
    VkrReduceLayout layout;
    bool timed;
    double gpu_ms;
    bool differs;
} job;

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

static int create_buffers(job *j)
{
    gpu_memory kind = j->opts->staging ? MEMORY_UNMAPPED : MEMORY_DEVICE;
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < j->input_count && status == STATUS_DONE; i++)
        status = gpu_buffer_create(&j->gpu, &j->data[i], j->in[i].size, kind);
    if (status == STATUS_DONE && j->opts->count_on_gpu)
        status = gpu_buffer_create(&j->gpu, &j->count, sizeof j->in[0].count, MEMORY_UPLOAD);
    return status;
}

static int upload(job *j)
{
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < j->input_count && status == STATUS_DONE; i++)
        status = gpu_upload(&j->gpu, &j->data[i], &j->in[i]);
    if (j->opts->count_on_gpu)
        memcpy(j->count.map, &j->in[0].count, sizeof j->in[0].count);
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

/* Fills the info, and makes the output buffer that it asks for. */
static int describe(job *j)
{
    const options *opts = j->opts;
    j->info = (VkrReduceInfo){.label = "vkreduce reduce",
                              .ops = j->ops,
                              .input = make_view(&j->in[0], &j->data[0]),
                              .count = j->in[0].count,
                              .accumulator = (VkrType)opts->accumulator,
                              .nan = (VkrNan)opts->nan,
                              .determinism = (VkrDeterminism)opts->determinism,
                              .algorithm = (VkrReduceAlgorithm)opts->algorithm};
    if (j->input_count == 2)
        j->info.input2 = make_view(&j->in[1], &j->data[1]);
    if (opts->count_on_gpu) {
        j->info.count = VKR_COUNT_ALL;
        j->info.gpuCount = (VkrGpuCount){.buffer = j->count.buffer, .type = VKR_TYPE_U64};
    }
    int status = gpu_status(vkrGetReduceLayout(j->gpu.context, &j->info, &j->layout));
    if (status == STATUS_DONE)
        status = gpu_buffer_create(&j->gpu, &j->output, j->layout.size, MEMORY_READBACK);
    j->info.output = (VkrBufferRange){.buffer = j->output.buffer, .size = j->layout.size};
    return status;
}

static int collect(job *j)
{
    VkrResult result = vkrCreateRecorder(j->gpu.context, &(VkrRecorderInfo){0}, &j->recorder);
    if (result == VKR_SUCCESS)
        result = vkrBegin(j->recorder);
    if (result == VKR_SUCCESS)
        result = vkrCmdReduce(j->recorder, &j->info);
    return gpu_status(result);
}

static int record(job *j)
{
    VkrEndInfo end = {.commandBuffer = j->gpu.commands,
                      .consumerStages = VK_PIPELINE_STAGE_HOST_BIT,
                      .consumerAccess = VK_ACCESS_HOST_READ_BIT};
    int status = gpu_begin(&j->gpu);
    if (status != STATUS_DONE)
        return status;
    gpu_start_clock(&j->gpu);
    VkrResult result = vkrEnd(j->recorder, &end);
    if (result != VKR_SUCCESS)
        return gpu_status(result);
    gpu_stop_clock(&j->gpu);
    return gpu_end(&j->gpu);
}

static int compare_times(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Submits `count` times and takes the median time. */
static int execute_timed(job *j, uint64_t count)
{
    double *times = calloc((size_t)count, sizeof *times);
    int status = times != NULL ? STATUS_DONE : fail(STATUS_VULKAN, "out of memory");
    j->timed = j->gpu.timestamp_bits != 0;
    for (uint64_t i = 0; i < count && status == STATUS_DONE; i++) {
        status = gpu_submit(&j->gpu);
        if (status == STATUS_DONE && j->timed)
            status = gpu_read_clock(&j->gpu, &times[i]);
    }
    if (status == STATUS_DONE) {
        qsort(times, (size_t)count, sizeof *times, compare_times);
        j->gpu_ms = (times[(count - 1) / 2] + times[count / 2]) / 2.0;
    }
    free(times);
    return status;
}

static int execute(job *j)
{
    int status = STATUS_DONE;
    if (j->opts->repeat != 0)
        status = gpu_submit(&j->gpu); /* drivers may compile at the first dispatch */
    return status == STATUS_DONE ? execute_timed(j, j->opts->repeat != 0 ? j->opts->repeat : 1)
                                 : status;
}

/* ---- Results ---- */

static const VkrReduceResult *result_of(const job *j, uint32_t bit)
{
    return &j->layout.results[bit];
}

static const void *value_of(const job *j, uint32_t bit, uint32_t component)
{
    const VkrReduceResult *result = result_of(j, bit);
    return (const char *)j->output.map + result->offset + component * vkrTypeSize(result->type);
}

static bool is_missing(const job *j, uint32_t bit, uint32_t component)
{
    return ((1u << bit) & ARG_OPS) != 0 &&
           is_no_index(result_of(j, bit)->type, value_of(j, bit, component));
}

static void verify_value(job *j, const oracle_reduce_info *info, uint32_t bit, uint32_t component)
{
    VkrType type = result_of(j, bit)->type;
    VkrOp op = (VkrOp)(1u << bit);
    char expected[40], actual[40];
    oracle_value value;
    oracle_reduce(info, op, component, type, &value);
    if (oracle_accepts(&value, type, value_of(j, bit, component)))
        return;
    oracle_format(expected, sizeof expected, type, value.bytes);
    oracle_format(actual, sizeof actual, type, value_of(j, bit, component));
    if (!j->differs)
        (void)fail(STATUS_DIFFERENCE,
                   "--verify: %s of channel %u is %s; the scalar reference gives %s within %g",
                   vkrOpName(op), component, actual, expected, value.tolerance);
    j->differs = true;
}

/* Reads the inputs once more: what the GPU was given is not trusted. */
static int verify(job *j)
{
    unsigned char *copies[INPUTS] = {NULL, NULL};
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < j->input_count && status == STATUS_DONE; i++) {
        copies[i] = malloc(j->in[i].size > 0 ? (size_t)j->in[i].size : 1);
        status = copies[i] != NULL
                     ? input_read(&j->in[i], 0, (size_t)j->in[i].size, copies[i])
                     : fail(STATUS_VULKAN, "--verify: out of memory for %s", j->in[i].name);
    }
    if (status == STATUS_DONE) {
        oracle_reduce_info info = {
            .data = copies[0] + j->in[0].offset,
            .stride = (size_t)j->in[0].stride,
            .data2 = copies[1] != NULL ? copies[1] + j->in[1].offset : NULL,
            .stride2 = (size_t)j->in[1].stride,
            .count = j->in[0].count,
            .type = j->in[0].type,
            .components = j->in[0].components,
            .accumulator = j->info.accumulator,
            .nan = j->info.nan,
            .determinism = j->info.determinism,
        };
        for (uint32_t i = 0; i < j->op_count; i++)
            for (uint32_t c = 0; c < info.components; c++)
                verify_value(j, &info, j->order[i], c);
    }
    free(copies[0]);
    free(copies[1]);
    return status;
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
    printf(",\"verified\":%s}\n", !j->opts->verify ? "null" : j->differs ? "false" : "true");
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
        (status = create_buffers(j)) != STATUS_DONE || (status = describe(j)) != STATUS_DONE ||
        (status = collect(j)) != STATUS_DONE || (status = upload(j)) != STATUS_DONE ||
        (status = record(j)) != STATUS_DONE || (status = execute(j)) != STATUS_DONE)
        return status;
    if (j->opts->verify && (status = verify(j)) != STATUS_DONE)
        return status;
    (j->opts->json ? print_json : print_text)(j);
    return j->differs ? STATUS_DIFFERENCE : STATUS_DONE;
}

int reduce_command(const options *opts)
{
    job j = {.opts = opts, .in = {{.file = -1}, {.file = -1}}};
    int status = run(&j);
    vkrDestroyRecorder(j.recorder);
    gpu_buffer_destroy(&j.gpu, &j.output);
    gpu_buffer_destroy(&j.gpu, &j.count);
    for (uint32_t i = 0; i < INPUTS; i++) {
        gpu_buffer_destroy(&j.gpu, &j.data[i]);
        input_close(&j.in[i]);
    }
    gpu_close(&j.gpu);
    return status;
}
