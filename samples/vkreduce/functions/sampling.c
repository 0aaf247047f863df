/* SPDX-License-Identifier: MIT */
#include "functions/sampling.h"
#include <string.h>
#include "device/pipe.h"
#include "status.h"

#define DISTANCE 256u /* bytes: the maximum alignment of buffers' parts */

enum { DATA, BOUNDS, OUT, BUFFERS };

/* Whether the elements of a part are not neighbours; and how many it then has. */
static bool is_stepped(const sampling *s, uint32_t part)
{
    return part < s->count && s->step > 1;
}

static uint32_t stepped_count(const sampling *s, uint32_t part)
{
    const uint64_t span = s->parts[part][1] - s->parts[part][0];
    return s->step > 1 ? (uint32_t)((span + s->step - 1) / s->step) : 0;
}

/* The elements from which a part takes some that follow each other. */
static VkrView view_of(const sampling *s, const pipe_slot *slot, uint32_t part)
{
    VkrView view = pipe_view(slot, DATA, s->in, s->in->count);
    if (!is_stepped(s, part))
        return view;
    view.offset = s->parts[part][0] * view.stride;
    view.size -= view.offset;
    view.stride *= s->step;
    return view;
}

static int load(void *context, pipe_slot *slot)
{
    const sampling *s = context;
    char *bounds = pipe_map(slot, BOUNDS);
    slot->buffers[DATA].used = input_span(s->in, s->in->count);
    slot->buffers[BOUNDS].used = slot->buffers[OUT].used = MAX_PARTS * DISTANCE;
    for (uint32_t i = 0; i < s->result_count; i++) {
        const uint32_t rows[] = {0, stepped_count(s, i)};
        memcpy(bounds + i * DISTANCE, is_stepped(s, i) ? rows : s->parts[i], sizeof rows);
    }
    return input_load(s->in, 0, s->in->count, pipe_map(slot, DATA));
}

static VkrResult collect(void *context, pipe_slot *slot)
{
    const sampling *s = context;
    const VkBuffer bounds = slot->buffers[BOUNDS].device.buffer;
    VkrResult result = VKR_SUCCESS;
    for (uint32_t i = 0; i < s->result_count && result == VKR_SUCCESS; i++) {
        const VkDeviceSize at = i * DISTANCE;
        const VkrReduceInfo info = {.label = "a part of the input",
                                    .input = view_of(s, slot, i),
                                    .count = is_stepped(s, i) ? stepped_count(s, i) : s->in->count,
                                    .segments = {.kind = VKR_SEGMENTS_OFFSETS,
                                                 .offsets = {bounds, at, sizeof s->parts[i]},
                                                 .offsetType = VKR_TYPE_U32},
                                    .output = {slot->buffers[OUT].device.buffer, at, s->size},
                                    .monoid = s->monoid};
        result = vkrCmdReduce(slot->recorder, &info);
    }
    return result;
}

static int store(void *context, pipe_slot *slot)
{
    sampling *s = context;
    const char *out = pipe_map(slot, OUT);
    for (uint32_t i = 0; i < s->result_count; i++)
        memcpy(s->results + i * s->size, out + i * DISTANCE, (size_t)s->size);
    return STATUS_DONE;
}

static void add_parts(sampling *s)
{
    const uint64_t count = s->in->count;
    s->result_count = s->count;
    for (uint32_t i = 0; i < SAMPLES / 2; i++) {
        uint32_t *element = s->parts[s->result_count++], *start = s->parts[s->result_count++];
        element[0] = (uint32_t)(count * i / (SAMPLES / 2));
        element[1] = element[0] + 1;
        start[0] = 0;
        start[1] = (uint32_t)(count * (i + 1) / (SAMPLES / 2 + 1));
    }
}

static void find_sizes(const sampling *s, uint64_t sizes[BUFFERS])
{
    sizes[DATA] = input_span(s->in, s->in->count) + 1;
    sizes[BOUNDS] = sizes[OUT] = MAX_PARTS * DISTANCE;
}

bool sampling_fits(const sampling *s, const task *t)
{
    uint64_t sizes[BUFFERS];
    find_sizes(s, sizes);
    return s->in->count > 0 && s->in->count <= UINT32_MAX && !task_is_streamed(t, BUFFERS, sizes);
}

int sampling_run(sampling *s, const task *t)
{
    task copy = *t;
    task_options opts = *t->opts;
    uint64_t sizes[BUFFERS];
    opts.repeat = 0;
    opts.count_on_gpu = false;
    opts.plan = false;
    opts.timing = false;
    copy.opts = &opts;
    pipe p = {.task = &copy, .context = s, .load = load, .collect = collect, .store = store};
    find_sizes(s, sizes);
    if (!pipe_fits(&p, s->in->count, BUFFERS, sizes))
        return STATUS_DONE;
    add_parts(s);
    memcpy(p.sizes, sizes, sizeof sizes);
    p.downloads[OUT] = true;
    const int status = pipe_run(&p, "verifying", sizes[DATA]);
    pipe_close(&p);
    return status;
}
