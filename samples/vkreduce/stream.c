/* SPDX-License-Identifier: MIT */
/*
 * Data that is not all on the device at once: pieces of a whole, in two slots that take turns.
 *
 *     host     read 0 | read 1   | read 2   | ..
 *     device          | reduce 0 | reduce 1 | ..
 *
 * The partial results stay on the device; the last piece combines them.
 */
#include "reduce.h"

#define SLOTS 2
#define CHUNK_SIZE ((VkDeviceSize)32 << 20) /* of each input, unless --chunk says otherwise */

typedef struct slot {
    gpu lane;
    bool busy;
    gpu_buffer data[INPUTS];
    gpu_buffer staging[INPUTS]; /* where the host cannot write to data */
    VkrRecorder recorder;
} slot;

typedef struct stream {
    job *job;
    uint64_t chunk; /* elements */
    gpu_buffer partials;
    slot slots[SLOTS];
} stream;

bool is_streamed(const job *j)
{
    VkDeviceSize room = gpu_device_memory(j->gpu.chosen) / 2;
    VkDeviceSize most = j->gpu.chosen->max_allocation;
    for (uint32_t i = 0; i < j->input_count; i++) {
        if (j->in[i].size > most || j->in[i].size > room)
            return true;
        room -= j->in[i].size;
    }
    return j->opts->chunk != 0;
}

static int check_options(const job *j)
{
    const char *why = j->opts->chunk != 0 ? "--chunk asks for" : "data of this size needs";
    if (j->opts->count_on_gpu)
        return fail(STATUS_USAGE,
                    "--count-on-gpu: %s chunks, whose counts the host knows; leave it out", why);
    if (j->opts->algorithm != VKR_REDUCE_AUTO && j->opts->algorithm != VKR_REDUCE_SUBGROUP)
        return fail(STATUS_USAGE,
                    "--algorithm is %s; %s chunks, which auto and subgroup can reduce",
                    vkrReduceAlgorithmName((VkrReduceAlgorithm)j->opts->algorithm), why);
    return STATUS_DONE;
}

/* Whole blocks of the canonical tree, as pieces must be. */
static void cut(stream *s)
{
    job *j = s->job;
    uint64_t count = j->in[0].count;
    VkDeviceSize size = gpu_device_memory(j->gpu.chosen) / (4 * SLOTS * j->input_count);
    size = j->opts->chunk != 0 ? j->opts->chunk : size < CHUNK_SIZE ? size : CHUNK_SIZE;
    uint64_t blocks = size / input_pitch(&j->in[0]) / VKR_TREE_BLOCK;
    s->chunk = (blocks > 0 ? blocks : 1) * VKR_TREE_BLOCK;
    j->chunks = count > s->chunk ? (count - 1) / s->chunk + 1 : 1;
    if (s->chunk > count)
        s->chunk = count;
}

static int open_slot(const stream *s, slot *t)
{
    job *j = s->job;
    gpu_memory kind = j->opts->staging ? MEMORY_UNMAPPED : MEMORY_DEVICE;
    int status = gpu_lane_open(&t->lane, &j->gpu);
    for (uint32_t i = 0; i < j->input_count && status == STATUS_DONE; i++) {
        VkDeviceSize size = input_span(&j->in[i], s->chunk);
        status = gpu_buffer_create(&j->gpu, &t->data[i], size, kind);
        if (status == STATUS_DONE && t->data[i].map == NULL)
            status = gpu_buffer_create(&j->gpu, &t->staging[i], size, MEMORY_UPLOAD);
    }
    if (status == STATUS_DONE)
        status = gpu_status(
            vkrCreateRecorder(j->gpu.context, &(VkrRecorderInfo){.label = "chunk"}, &t->recorder));
    return status;
}

static void close_slot(const stream *s, slot *t)
{
    vkrDestroyRecorder(t->recorder);
    for (uint32_t i = 0; i < INPUTS; i++) {
        gpu_buffer_destroy(&s->job->gpu, &t->data[i]);
        gpu_buffer_destroy(&s->job->gpu, &t->staging[i]);
    }
    gpu_lane_close(&t->lane);
}

static VkrView make_view(const input *in, const gpu_buffer *data, uint64_t count)
{
    return (VkrView){.buffer = data->buffer,
                     .size = input_span(in, count),
                     .type = in->type,
                     .components = in->components,
                     .stride = input_pitch(in),
                     .texels = data->texels};
}

/* The piece from element `first` on. */
static void describe(stream *s, const slot *t, uint64_t first)
{
    job *j = s->job;
    uint64_t left = j->in[0].count - first;
    uint64_t count = left < s->chunk ? left : s->chunk;
    j->info.input = make_view(&j->in[0], &t->data[0], count);
    if (j->input_count == 2)
        j->info.input2 = make_view(&j->in[1], &t->data[1], count);
    j->info.count = count;
    j->info.pieces.first = first;
}

static int load(stream *s, slot *t)
{
    job *j = s->job;
    int status = STATUS_DONE;
    for (uint32_t i = 0; i < j->input_count && status == STATUS_DONE; i++)
        status = input_load(&j->in[i], j->info.pieces.first, j->info.count,
                            t->data[i].map != NULL ? t->data[i].map : t->staging[i].map);
    return status;
}

static int record(stream *s, slot *t)
{
    job *j = s->job;
    /* The combining piece reads what all others left. */
    VkrEndInfo end = {.commandBuffer = t->lane.commands,
                      .consumerStages =
                          VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_HOST_BIT,
                      .consumerAccess = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_HOST_READ_BIT};
    int status = gpu_begin(&t->lane);
    if (status != STATUS_DONE)
        return status;
    for (uint32_t i = 0; i < j->input_count; i++)
        if (t->staging[i].buffer != VK_NULL_HANDLE && j->info.count != 0)
            gpu_copy(&t->lane, &t->staging[i], &t->data[i], 0,
                     input_span(&j->in[i], j->info.count));
    gpu_start_clock(&t->lane);
    VkrResult result = vkrBegin(t->recorder);
    if (result == VKR_SUCCESS)
        result = vkrCmdReduce(t->recorder, &j->info);
    if (result == VKR_SUCCESS)
        result = vkrEnd(t->recorder, &end);
    if (result != VKR_SUCCESS)
        return gpu_status(result);
    gpu_stop_clock(&t->lane);
    return gpu_end(&t->lane);
}

/* Waits for what the slot executes, and frees it for the next chunk. */
static int finish(const stream *s, slot *t, double *milliseconds)
{
    double time = 0.0;
    if (!t->busy)
        return STATUS_DONE;
    t->busy = false;
    int status = gpu_wait(&t->lane);
    if (status == STATUS_DONE && s->job->timed)
        status = gpu_read_clock(&t->lane, &time);
    *milliseconds += time;
    return status == STATUS_DONE ? gpu_status(vkrReset(t->recorder)) : status;
}

static int start(stream *s, slot *t, uint64_t first)
{
    describe(s, t, first);
    int status = load(s, t);
    if (status == STATUS_DONE)
        status = record(s, t);
    if (status == STATUS_DONE)
        status = gpu_launch(&t->lane);
    t->busy = status == STATUS_DONE;
    return status;
}

/* One execution over all chunks. Nothing is in flight when it returns, whatever happened. */
static int pass(void *context, double *milliseconds)
{
    stream *s = context;
    int status = STATUS_DONE;
    *milliseconds = 0.0;
    for (uint64_t k = 0; k < s->job->chunks && status == STATUS_DONE; k++) {
        slot *t = &s->slots[k % SLOTS];
        status = finish(s, t, milliseconds);
        if (status == STATUS_DONE)
            status = start(s, t, k * s->chunk);
    }
    for (uint32_t i = 0; i < SLOTS; i++) {
        int finished = finish(s, &s->slots[i], milliseconds);
        status = status == STATUS_DONE ? finished : status;
    }
    return status;
}

static int run(stream *s)
{
    job *j = s->job;
    int status = check_options(j);
    if (status != STATUS_DONE)
        return status;
    cut(s);
    for (uint32_t i = 0; i < SLOTS && i < j->chunks && status == STATUS_DONE; i++)
        status = open_slot(s, &s->slots[i]);
    if (status != STATUS_DONE)
        return status;
    describe(s, &s->slots[0], 0);
    j->info.pieces.count = j->in[0].count;
    if ((status = prepare_output(j)) != STATUS_DONE ||
        (status = gpu_buffer_create(&j->gpu, &s->partials, j->layout.partialsSize,
                                    MEMORY_DEVICE)) != STATUS_DONE)
        return status;
    j->info.pieces.partials =
        (VkrBufferRange){.buffer = s->partials.buffer, .size = s->partials.size};
    progress_start("reducing", count_executions(j->opts) * j->input_count *
                                   input_span(&j->in[0], j->in[0].count));
    status = execute(j, pass, s);
    progress_end();
    return status;
}

int reduce_streamed(job *j)
{
    stream s = {.job = j};
    int status = run(&s);
    for (uint32_t i = 0; i < SLOTS; i++)
        close_slot(&s, &s.slots[i]);
    gpu_buffer_destroy(&j->gpu, &s.partials);
    return status;
}
