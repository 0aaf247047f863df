/* SPDX-License-Identifier: MIT */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "commands/reduce/reduce.h"
#include "commands/report.h"
#include "device/submit.h"
#include "input/value.h"
#include "interrupt.h"
#include "output/json.h"
#include "output/text.h"
#include "progress.h"
#include "status.h"

#define ARG_OPS (VKR_OP_ARGMIN | VKR_OP_ARGMAX)
#define MOST_SHOWN 20u /* segments in a table for people */

/* What a reduction of all data at once needs beside the job. */
typedef struct whole {
    job *job;
    gpu_buffer data[INPUTS], offsets, counts;
    gpu_image images[INPUTS];
    VkrRecorder recorder;
} whole;

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
    return fail(STATUS_USAGE, "'%.*s' is no OP; vkreduce reduce --help lists them", (int)length,
                name);
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

static int open_inputs(job *j, const operands *given)
{
    bool dot = (j->ops & VKR_OP_DOT) != 0;
    j->input_count = given->count - 1;
    if (dot != (j->input_count == 2))
        return fail(STATUS_USAGE, dot ? "dot needs INPUT2; name two inputs"
                                      : "only dot takes INPUT2; name one input");
    for (uint32_t i = 0; i < j->input_count; i++) {
        int status = input_open(&j->in[i], given->words[1 + i], &j->opts->input);
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

/* What is uploaded: the input as it is stored. */
static const input *stored(const job *j, uint32_t i)
{
    return j->stored[i].name != NULL ? &j->stored[i] : &j->in[i];
}

/* Replaces the inputs by what operators see of them. */
static int see_inputs(job *j)
{
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < j->input_count && status == STATUS_DONE; i++)
        status = texels_replace(&j->task, &j->opts->texels, &j->opts->input, &j->in[i],
                                &j->stored[i], &j->images[i], &j->map);
    return status;
}

/* Integer sums are 64 bits wide, unless --accumulator says otherwise. */
static int choose_accumulator(job *j)
{
    static const VkrOpFlags sums =
        VKR_OP_SUM | VKR_OP_PRODUCT | VKR_OP_SUMSQ | VKR_OP_L1 | VKR_OP_DOT;
    const VkrType type = j->in[0].type;
    const VkrType wide = type % 2 == 0 ? VKR_TYPE_U64 : VKR_TYPE_I64;
    j->info.accumulator = (VkrType)j->opts->accumulator;
    if (j->info.accumulator != VKR_TYPE_UNDEFINED || (j->ops & sums) == 0 || type >= VKR_TYPE_F16 ||
        vkrTypeSize(type) == 8)
        return STATUS_DONE;
    j->info.accumulator = wide;
    /* The library says what the elements themselves need. */
    if (vkrIsTypeSupported(j->task.gpu.context, wide) ||
        !vkrIsTypeSupported(j->task.gpu.context, type))
        return STATUS_DONE;
    return fail(STATUS_USAGE,
                "integer sums are 64 bits wide, and '%s' has no %s; --accumulator %s gives sums "
                "modulo 2^32",
                j->task.gpu.chosen->properties.deviceName, vkrTypeName(wide),
                vkrTypeName(wide == VKR_TYPE_U64 ? VKR_TYPE_U32 : VKR_TYPE_I32));
}

/* ---- The work ---- */

static int create_buffers(whole *w)
{
    const job *j = w->job;
    gpu_memory kind = j->task.opts->staging ? MEMORY_UNMAPPED : MEMORY_DEVICE;
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < j->input_count && status == STATUS_DONE; i++)
        if (!j->opts->texels.as_image)
            status = gpu_buffer_create(&j->task.gpu, &w->data[i], stored(j, i)->size, kind);
    if (status == STATUS_DONE && j->segments.kind == VKR_SEGMENTS_OFFSETS)
        status = gpu_buffer_create(&j->task.gpu, &w->offsets, j->segments.file.size, kind);
    if (status == STATUS_DONE && j->task.opts->count_on_gpu)
        status = gpu_buffer_create(&j->task.gpu, &w->counts, 2 * sizeof(uint64_t), MEMORY_UPLOAD);
    return status;
}

static int upload(whole *w)
{
    job *j = w->job;
    const uint64_t counts[] = {j->in[0].count, j->layout.segments};
    int status = STATUS_DONE;
    progress_start("uploading", stored(j, 0)->size + stored(j, 1)->size + j->segments.file.size);
    for (uint32_t i = 0; i < j->input_count && status == STATUS_DONE; i++)
        if (!j->opts->texels.as_image)
            status = gpu_upload(&j->task.gpu, &w->data[i], stored(j, i));
    if (status == STATUS_DONE && w->offsets.buffer != VK_NULL_HANDLE)
        status = gpu_upload(&j->task.gpu, &w->offsets, &j->segments.file);
    progress_end();
    if (j->task.opts->count_on_gpu)
        memcpy(w->counts.map, counts, sizeof counts);
    return status;
}

/* `data` may be empty, where sizes are all that matters. */
static VkrView make_view(const job *j, uint32_t i, const gpu_buffer *data)
{
    const input *in = stored(j, i);
    VkrView view = {.type = in->type, .components = in->components};
    if (j->opts->texels.as_image) {
        view.type = VKR_TYPE_UNDEFINED;
        view.image = &j->images[i];
    } else {
        view.buffer = data->buffer;
        view.offset = in->offset;
        view.size = in->size - in->offset;
        view.stride = in->stride;
        view.texels = data->texels;
    }
    view.map = j->opts->texels.map != MAP_NONE ? &j->map : NULL;
    return view;
}

static void describe(whole *w)
{
    job *j = w->job;
    j->info.input = make_view(j, 0, &w->data[0]);
    j->info.count = j->in[0].count;
    if (j->input_count == 2)
        j->info.input2 = make_view(j, 1, &w->data[1]);
    if (j->task.opts->count_on_gpu) {
        if (j->in[0].count > 0)
            j->info.count = VKR_COUNT_ALL;
        j->info.gpuCount = (VkrGpuCount){.buffer = w->counts.buffer, .type = VKR_TYPE_U64};
    }
    if (j->segments.kind != VKR_SEGMENTS_OFFSETS)
        return;
    j->info.segments.offsets.buffer = w->offsets.buffer;
    if (j->task.opts->count_on_gpu)
        j->info.segments.gpuCount = (VkrGpuCount){
            .buffer = w->counts.buffer, .offset = sizeof(uint64_t), .type = VKR_TYPE_U64};
}

/* Finds the number of segments, and where their results lie. */
static int lay_segments_out(job *j)
{
    const uint32_t size = vkrTypeSize(j->segments.file.type);
    const bool by_image = j->opts->texels.as_image && j->segments.kind == VKR_SEGMENTS_TILES;
    j->info.input = make_view(j, 0, &(gpu_buffer){0});
    j->info.count = j->in[0].count;
    j->info.segments = (VkrSegments){.kind = j->segments.kind,
                                     .length = by_image ? 0 : j->segments.length,
                                     .tileWidth = j->segments.tile_width,
                                     .tileHeight = j->segments.tile_height,
                                     .offsets = {.size = j->segments.file.count * size},
                                     .offsetType = size == 8 ? VKR_TYPE_U64 : VKR_TYPE_U32};
    return gpu_status(vkrGetReduceLayout(j->task.gpu.context, &j->info, &j->layout));
}

int prepare_output(job *j)
{
    int status = gpu_status(vkrGetReduceLayout(j->task.gpu.context, &j->info, &j->layout));
    if (status == STATUS_DONE)
        status = gpu_buffer_create(&j->task.gpu, &j->output, j->layout.size, MEMORY_READBACK);
    j->results = j->output.map;
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
    job *j = w->job;
    int status = create_buffers(w);
    if (status != STATUS_DONE)
        return status;
    for (uint32_t i = 0; i < j->input_count && j->opts->texels.as_image && status == STATUS_DONE;
         i++)
        status = texels_upload(&j->task.gpu, &j->stored[i], &w->images[i], &j->images[i]);
    if (status != STATUS_DONE)
        return status;
    describe(w);
    if ((status = prepare_output(j)) != STATUS_DONE || (status = collect(w)) != STATUS_DONE ||
        (status = upload(w)) != STATUS_DONE || (status = record(w)) != STATUS_DONE)
        return status;
    return task_execute(&w->job->task, submit, w);
}

static int reduce_whole(job *j)
{
    whole w = {.job = j};
    int status = run_whole(&w);
    vkrDestroyRecorder(w.recorder);
    gpu_buffer_destroy(&j->task.gpu, &w.offsets);
    gpu_buffer_destroy(&j->task.gpu, &w.counts);
    for (uint32_t i = 0; i < INPUTS; i++) {
        gpu_buffer_destroy(&j->task.gpu, &w.data[i]);
        vkDestroyImageView(j->task.gpu.device, j->images[i].view, NULL);
        gpu_image_destroy(&j->task.gpu, &w.images[i]);
    }
    return status;
}

/* ---- Results ---- */

static bool is_missing(const job *j, uint64_t segment, uint32_t bit, uint32_t component)
{
    return ((1u << bit) & ARG_OPS) != 0 &&
           is_no_index(j->layout.results[bit].type, value_of(j, segment, bit, component));
}

/* Prints a value, or the values of all channels. */
static void print_json_values(const job *j, uint64_t segment, uint32_t bit)
{
    const uint32_t channels = j->in[0].components;
    if (channels > 1)
        putchar('[');
    for (uint32_t c = 0; c < channels; c++) {
        if (c > 0)
            putchar(',');
        if (is_missing(j, segment, bit, c))
            fputs("null", stdout);
        else
            json_value(stdout, j->layout.results[bit].type, value_of(j, segment, bit, c));
    }
    if (channels > 1)
        putchar(']');
}

static void print_json_results(const job *j)
{
    for (uint32_t i = 0; i < j->op_count; i++) {
        const uint32_t bit = j->order[i];
        printf("%s\"%s\":", i == 0 ? "" : ",", vkrOpName((VkrOp)(1u << bit)));
        if (j->segments.kind == VKR_SEGMENTS_NONE) {
            print_json_values(j, 0, bit);
            continue;
        }
        putchar('[');
        for (uint64_t s = 0; s < j->layout.segments; s++) {
            if (s > 0)
                putchar(',');
            print_json_values(j, s, bit);
        }
        putchar(']');
    }
}

static void print_json(const job *j)
{
    report_start_json(&j->task, "reduce", &j->in[0], vkrReduceAlgorithmName(j->info.algorithm));
    putchar('{');
    print_json_results(j);
    putchar('}');
    report_end_json(&j->task, j->in, j->input_count, NULL, 0);
}

static void format_result(const job *j, uint64_t segment, uint32_t bit, uint32_t component,
                          char text[32])
{
    if (is_missing(j, segment, bit, component))
        strcpy(text, "none");
    else
        text_value(text, 32, j->layout.results[bit].type, value_of(j, segment, bit, component));
}

static void print_results(const job *j)
{
    for (uint32_t i = 0; i < j->op_count; i++) {
        uint32_t bit = j->order[i];
        printf("%-8s", vkrOpName((VkrOp)(1u << bit)));
        for (uint32_t c = 0; c < j->in[0].components; c++) {
            char text[32];
            format_result(j, 0, bit, c, text);
            printf(" %*s", j->in[0].components > 1 ? 14 : 0, text);
        }
        putchar('\n');
    }
}

/* The number of segments to show: where there are very many, the first and the last ones. */
static uint64_t shown_segments(const job *j)
{
    return j->layout.segments < MOST_SHOWN ? j->layout.segments : MOST_SHOWN;
}

static uint64_t shown_segment(const job *j, uint64_t line)
{
    return line < MOST_SHOWN / 2 ? line : j->layout.segments - (shown_segments(j) - line);
}

/* Prints a line's values for an operator; line MOST_SHOWN is the heading. */
static void print_cells(const job *j, uint64_t line, uint32_t bit)
{
    for (uint32_t c = 0; c < j->in[0].components; c++) {
        char text[32], heading[32];
        const char *op = vkrOpName((VkrOp)(1u << bit));
        snprintf(heading, sizeof heading, j->in[0].components > 1 ? "%s[%u]" : "%s", op, c);
        size_t width = strlen(heading);
        for (uint64_t k = 0; k < shown_segments(j); k++) {
            format_result(j, shown_segment(j, k), bit, c, text);
            width = strlen(text) > width ? strlen(text) : width;
        }
        if (line < MOST_SHOWN)
            format_result(j, shown_segment(j, line), bit, c, text);
        printf("  %*s", (int)width, line < MOST_SHOWN ? text : heading);
    }
}

static void print_table(const job *j)
{
    const bool tiles = j->opts->tiles != NULL;
    printf("%-8s %" PRIu64 " by %s\n%-8s", tiles ? "tiles" : "segments", j->layout.segments,
           tiles ? j->opts->tiles : j->opts->segments, tiles ? "tile" : "segment");
    for (uint32_t i = 0; i < j->op_count; i++)
        print_cells(j, MOST_SHOWN, j->order[i]);
    putchar('\n');
    for (uint64_t line = 0; line < shown_segments(j); line++) {
        const uint64_t segment = shown_segment(j, line);
        if (line == MOST_SHOWN / 2 && segment != line)
            puts("..");
        printf("%-8" PRIu64, segment);
        for (uint32_t i = 0; i < j->op_count; i++)
            print_cells(j, line, j->order[i]);
        putchar('\n');
    }
}

static void print_text(const job *j)
{
    report_device(&j->task);
    for (uint32_t i = 0; i < j->input_count; i++)
        report_input(&j->in[i]);
    (j->segments.kind != VKR_SEGMENTS_NONE ? print_table : print_results)(j);
    report_end(&j->task, vkrReduceAlgorithmName(j->info.algorithm));
}

static int execute(job *j)
{
    const bool cut = j->segments.kind != VKR_SEGMENTS_NONE;
    int status = cut ? lay_segments_out(j) : STATUS_DONE;
    if (status != STATUS_DONE)
        return status;
    if (!is_streamed(j))
        status = reduce_whole(j);
    else if (j->stored[0].name != NULL)
        status = fail(STATUS_USAGE,
                      "%s: it is too large; --as-image and --map take data that fits "
                      "the device",
                      j->in[0].name);
    else
        status = (cut ? reduce_segments_streamed : reduce_streamed)(j);
    if (status == STATUS_DONE && j->task.opts->verify)
        status = (cut ? verify_segments : verify)(j);
    return status;
}

static int open_segments(job *j)
{
    const reduce_options *opts = j->opts;
    if (opts->tiles == NULL)
        return segments_open(&j->segments, SEGMENTS_OF_REDUCE, opts->segments, j->in[0].count);
    if (opts->segments != NULL)
        return fail(STATUS_USAGE, "--tiles and --segments are both given; name one");
    return tiles_open(&j->segments, opts->tiles, &j->in[0]);
}

static int run(job *j, const operands *given)
{
    const reduce_options *opts = j->opts;
    int status = parse_ops(j, given->words[0]);
    if (status != STATUS_DONE || (status = open_inputs(j, given)) != STATUS_DONE ||
        (status = open_segments(j)) != STATUS_DONE ||
        (status = task_open(&j->task)) != STATUS_DONE || (status = see_inputs(j)) != STATUS_DONE)
        return status;
    j->info = (VkrReduceInfo){.label = "vkreduce reduce",
                              .ops = j->ops,
                              .nan = (VkrNan)opts->nan,
                              .flags = opts->sample ? VKR_REDUCE_SAMPLE_BIT : 0,
                              .determinism = (VkrDeterminism)opts->determinism,
                              .algorithm = (VkrReduceAlgorithm)opts->algorithm};
    if ((status = choose_accumulator(j)) != STATUS_DONE || (status = execute(j)) != STATUS_DONE ||
        (status = check_interrupt()) != STATUS_DONE)
        return status;
    (opts->json ? print_json : print_text)(j);
    return j->task.differs ? STATUS_DIFFERENCE : STATUS_DONE;
}

int reduce_run(const operands *given, const void *options)
{
    const reduce_options *opts = options;
    job j = {.opts = opts,
             .task = {.opts = &opts->task},
             .in = {{.file = -1}, {.file = -1}},
             .stored = {{.file = -1}, {.file = -1}},
             .segments = {.file = {.file = -1}}};
    catch_interrupts();
    int status = run(&j, given);
    gpu_buffer_destroy(&j.task.gpu, &j.output);
    free(j.gathered);
    segments_close(&j.segments);
    for (uint32_t i = 0; i < INPUTS; i++) {
        input_close(&j.in[i]);
        input_close(&j.stored[i]);
    }
    task_close(&j.task);
    return status;
}
