/* SPDX-License-Identifier: MIT */
/* Functions of elements and of results of their segments. Rows depend on nothing but themselves, so
 * a chunk has some of them. */
#include "calls.h"

typedef struct application {
    host_call call;
    const VkrHostApplyInfo *given;
    bool in_place;
    call_array input, output, offsets, flags;
    uint64_t items, chunk; /* rows, or one item that has all elements */
    uint64_t step;         /* elements from the start of one item to that of the next */
    uint64_t length;       /* and of an item */
} application;

static VkrResult check_application(const application *x)
{
    const VkrApplyInfo *info = &x->given->apply;
    const VkrSegmentKind kind = info->segments.kind;
    HOST_TRY(call_count(&x->call, "apply.count", info->count, &info->gpuCount));
    HOST_MUST(&x->call.voice,
              kind == VKR_SEGMENTS_NONE || kind == VKR_SEGMENTS_ROWS ||
                  kind == VKR_SEGMENTS_OFFSETS,
              "apply.segments.kind is %d, but must be VKR_SEGMENTS_NONE, VKR_SEGMENTS_ROWS or "
              "VKR_SEGMENTS_OFFSETS.",
              (int)kind);
    HOST_MUST(&x->call.voice, kind != VKR_SEGMENTS_ROWS || info->segments.length > 0,
              "apply.segments.length is 0, but must be at least 1.");
    HOST_MUST(&x->call.voice,
              kind != VKR_SEGMENTS_ROWS || info->segments.pitch == 0 ||
                  info->segments.pitch >= info->segments.length,
              "apply.segments.pitch is %llu, but must be 0 or at least apply.segments.length.",
              (unsigned long long)info->segments.pitch);
    HOST_MUST(&x->call.voice, kind != VKR_SEGMENTS_OFFSETS || x->given->segments.offsetCount != 0,
              "segments.offsetCount is 0, but must be one more than there are segments.");
    return VKR_SUCCESS;
}

static VkrResult describe_application(application *x)
{
    const VkrHostApplyInfo *g = x->given;
    const VkrApplyInfo *info = &g->apply;
    const VkrSegments *segments = &info->segments;
    const host_call *c = &x->call;
    const call_view input = {
        "input", g->input, "apply.input", &info->input, info->count, VKR_HOST_READ,
        0,       1,        true,          false};
    HOST_TRY(call_describe(c, &input, &x->input));
    /* Elements between rows, and those in no segment, keep what they have in the output. */
    const bool all = segments->kind == VKR_SEGMENTS_NONE ||
                     (segments->kind == VKR_SEGMENTS_ROWS && segments->pitch <= segments->length);
    const call_view output = {"output",
                              g->output,
                              "apply.output",
                              &info->output,
                              info->count,
                              all ? VKR_HOST_WRITE : VKR_HOST_READ_WRITE,
                              info->input.map != NULL ? VKR_TYPE_F32 : x->input.type,
                              1,
                              false,
                              false};
    HOST_TRY(call_describe(c, &output, &x->output));
    x->in_place = x->output.data == x->input.data && x->output.stride == x->input.stride &&
                  x->output.type == x->input.type && info->input.map == NULL;
    if (x->in_place)
        x->input.access = VKR_HOST_READ_WRITE;
    HOST_TRY(
        call_segments(c, segments, &g->segments, "apply", info->count, &x->offsets, &x->flags));
    const call_array *arrays[] = {x->in_place ? NULL : &x->output, &x->input, &x->offsets};
    return call_separate(c, arrays, sizeof arrays / sizeof arrays[0]);
}

static VkrResult cut_application(application *x)
{
    const VkrApplyInfo *info = &x->given->apply;
    const VkrSegments *segments = &info->segments;
    const bool rows = segments->kind == VKR_SEGMENTS_ROWS;
    x->length = rows ? segments->length : info->count;
    x->step = rows && segments->pitch != 0 ? segments->pitch : x->length;
    x->items = rows ? info->count / x->step + (info->count % x->step != 0) : 1;
    call_plan plan = {.items = x->items,
                      .unit = 1,
                      .size = x->given->chunkSize,
                      .whole = rows ? NULL
                                    : "apply.segments.kind is not VKR_SEGMENTS_ROWS, so that there "
                                      "are no chunks"};
    call_plan_items(&plan, &x->input, x->step);
    if (!x->in_place)
        call_plan_items(&plan, &x->output, x->step);
    call_plan_all(&plan, &x->offsets);
    return call_cut(&x->call, &plan, &x->chunk);
}

static VkrResult record_application(void *data, VkrHost host, uint64_t first, uint64_t count)
{
    const application *x = data;
    VkrApplyInfo info = x->given->apply;
    if (x->chunk != x->items) {
        /* The last row of a chunk ends before what lies between it and the next one; the last row
         * of all may be shorter. */
        const uint64_t left = info.count - first * x->step;
        info.count = host_min((count - 1) * x->step + x->length, left);
    }
    HOST_TRY(call_attach(host, &x->input, first * x->step, info.count, &info.input));
    if (x->in_place)
        info.output = info.input;
    else
        HOST_TRY(call_attach(host, &x->output, first * x->step, info.count, &info.output));
    HOST_TRY(call_attach_range(host, &x->offsets, 0, x->offsets.count, &info.segments.offsets));
    return vkrCmdApply(vkrHostRecorder(host), &info);
}

VkrResult vkrHostApply(VkrHost host, const VkrHostApplyInfo *info)
{
    application x = {.given = info};
    HOST_TRY(call_enter(&x.call, host, "vkrHostApply", info));
    HOST_TRY(check_application(&x));
    HOST_TRY(describe_application(&x));
    HOST_TRY(cut_application(&x));
    return call_run(
        &x.call,
        &(call_work){.items = x.items, .chunk = x.chunk, .data = &x, .record = record_application});
}
