/* SPDX-License-Identifier: MIT */
/* Reduces data that does not fit the device at once, in pieces. The partial results stay on the
 * device, and the last piece combines them. */
#include "commands/reduce/device.h"
#include "device/pipe.h"
#include "progress.h"
#include "status.h"

typedef struct stream {
    reduction *reduction;
    uint64_t chunk; /* elements */
    gpu_buffer partials;
    pipe pipe;
} stream;

/* Cuts the data into chunks of whole blocks of the canonical tree, which pieces must consist of. */
static int cut(stream *s)
{
    reduction *j = s->reduction;
    const reduce_options *opts = j->request->opts;
    const uint64_t pitch = input_pitch(&j->request->in[0]);
    if (opts->algorithm != VKR_REDUCE_AUTO && opts->algorithm != VKR_REDUCE_SUBGROUP)
        return fail(STATUS_USAGE,
                    "--algorithm is %s; %s chunks, which auto and subgroup can reduce",
                    vkrReduceAlgorithmName((VkrReduceAlgorithm)opts->algorithm),
                    opts->task.chunk != 0 ? "--chunk asks for" : "data of this size needs");
    return task_cut(j->task, j->request->in[0].count, pitch, pitch * j->request->input_count,
                    VKR_TREE_BLOCK, &s->chunk);
}

/* Describes the piece that starts at element `first`. */
static void describe(stream *s, const pipe_slot *slot, uint64_t first)
{
    reduction *j = s->reduction;
    uint64_t left = j->request->in[0].count - first;
    uint64_t count = left < s->chunk ? left : s->chunk;
    j->info.input = pipe_view(slot, 0, &j->request->in[0], count);
    if (j->request->input_count == 2)
        j->info.input2 = pipe_view(slot, 1, &j->request->in[1], count);
    j->info.count = count;
    j->info.pieces.first = first;
}

static int load(void *context, pipe_slot *slot)
{
    stream *s = context;
    reduction *j = s->reduction;
    int status = STATUS_DONE;
    describe(s, slot, slot->chunk * s->chunk);
    for (uint32_t i = 0; i < j->request->input_count && status == STATUS_DONE; i++) {
        slot->buffers[i].used = input_span(&j->request->in[i], j->info.count);
        status =
            input_load(&j->request->in[i], j->info.pieces.first, j->info.count, pipe_map(slot, i));
    }
    return status;
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    stream *s = context;
    return vkrCmdReduce(slot->recorder, &s->reduction->info);
}

static int run(stream *s)
{
    reduction *j = s->reduction;
    int status = cut(s);
    if (status != STATUS_DONE)
        return status;
    s->pipe = (pipe){.task = j->task, .context = s, .load = load, .collect = collect};
    for (uint32_t i = 0; i < j->request->input_count; i++)
        s->pipe.sizes[i] = s->chunk > 0 ? input_span(&j->request->in[i], s->chunk) : 1;
    if ((status = pipe_open(&s->pipe)) != STATUS_DONE)
        return status;
    describe(s, &s->pipe.slots[0], 0);
    j->info.pieces.count = j->request->in[0].count;
    if ((status = reduce_prepare_output(j)) != STATUS_DONE ||
        (status = gpu_buffer_create(&j->task->gpu, &s->partials, j->results->layout.partialsSize,
                                    MEMORY_DEVICE)) != STATUS_DONE)
        return status;
    j->info.pieces.partials =
        (VkrBufferRange){.buffer = s->partials.buffer, .size = s->partials.size};
    progress_start("reducing", pipe_loads(&s->pipe) * j->request->input_count *
                                   input_span(&j->request->in[0], j->request->in[0].count));
    status = task_execute(j->task, pipe_pass, &s->pipe);
    progress_end();
    return status;
}

int reduce_streamed(reduction *j)
{
    stream s = {.reduction = j};
    int status = run(&s);
    pipe_close(&s.pipe);
    gpu_buffer_destroy(&j->task->gpu, &s.partials);
    return status;
}
