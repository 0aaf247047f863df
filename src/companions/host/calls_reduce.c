/* SPDX-License-Identifier: MIT */
/* Reductions of arrays. In chunks, a reduction without segments is one of pieces, and one of rows
 * or windows has so many of them at a time. */
#include "calls.h"

typedef struct reduction {
    host_call call;
    const VkrHostReduceInfo *given;
    VkrReduceInfo info;
    call_array input, input2, mask, offsets, flags, results;
    VkrReduceLayout layout;
    uint64_t items, chunk; /* elements, rows or windows */
    VkrHostMemory partials;
} reduction;

static VkrResult check(const reduction *r)
{
    const VkrReduceInfo *info = &r->given->reduce;
    HOST_TRY(call_count(&r->call, "reduce.count", info->count, &info->gpuCount));
    return CALL_ABSENT(&r->call, {info->output.buffer != VK_NULL_HANDLE, "reduce.output"},
                       {info->outputImage != NULL, "reduce.outputImage"},
                       {(info->flags & VKR_REDUCE_CONSUME_INPUT_BIT) != 0,
                        "VKR_REDUCE_CONSUME_INPUT_BIT of reduce.flags"},
                       {info->pieces.partials.buffer != VK_NULL_HANDLE || info->pieces.count != 0,
                        "reduce.pieces"},
                       {info->mask.flags.range.buffer != VK_NULL_HANDLE, "reduce.mask.flags.range"},
                       {info->mask.flags.hook != NULL, "reduce.mask.flags.hook"},
                       {info->mask.image != NULL, "reduce.mask.image"},
                       {info->monoid != NULL, "reduce.monoid"});
}

static VkrResult describe(reduction *r)
{
    const VkrHostReduceInfo *g = r->given;
    const VkrReduceInfo *info = &g->reduce;
    const host_call *c = &r->call;
    const bool dot = (info->ops & VKR_OP_DOT) != 0;
    const call_view input = {
        "input", g->input, "reduce.input", &info->input, info->count, VKR_HOST_READ,
        0,       1,        true,           false};
    call_view input2 = {
        "input2", g->input2, "reduce.input2", &info->input2, info->count, VKR_HOST_READ, 0, 1,
        true,     !dot};
    HOST_TRY(call_describe(c, &input, &r->input));
    input2.type = r->input.type;
    input2.components = r->input.components;
    input2.data = dot ? g->input2 : NULL;
    HOST_TRY(call_describe(c, &input2, &r->input2));
    r->mask = (call_array){.bits = 1};
    if (g->mask != NULL)
        HOST_TRY(call_flags(c, "mask", g->mask, info->mask.flags.format, info->count, &r->mask));
    return call_segments(c, &info->segments, &g->segments, "reduce", info->count, &r->offsets,
                         &r->flags);
}

/* Finds where results lie, as vkrCmdReduce will see the request; it refuses most wrong ones. */
static VkrResult lay_out(reduction *r)
{
    const VkrHostReduceInfo *g = r->given;
    const host_call *c = &r->call;
    r->info = g->reduce;
    r->info.input.offset = 0;
    r->info.input.size = r->input.size;
    r->info.segments.offsets = (VkrBufferRange){.size = r->offsets.size};
    /* The layout only depends on whether there is a mask, which any handle says. */
    if (g->mask != NULL)
        r->info.mask.flags.range.buffer = (VkBuffer)(uintptr_t)g->mask;
    HOST_TRY(vkrGetReduceLayout(vkrHostContext(c->host), &r->info, &r->layout));
    if (g->layout != NULL)
        *g->layout = r->layout;
    HOST_MUST(&c->voice, g->resultsSize >= r->layout.size,
              "resultsSize is %llu, but must be at least %llu, the size of the results.",
              (unsigned long long)g->resultsSize, (unsigned long long)r->layout.size);
    HOST_MUST(&c->voice, g->results != NULL || r->layout.size == 0,
              "results is NULL, but must be given.");
    /* An item of `results` is a segment's, whose last one may end earlier than the next one would
     * start. */
    r->results =
        (call_array){.field = "results",
                     .data = g->results,
                     .count = r->layout.segments,
                     .size = r->layout.size,
                     .element = r->layout.segments == 0
                                    ? 0
                                    : r->layout.size - (r->layout.segments - 1) * r->layout.stride,
                     .stride = r->layout.stride,
                     .unit = (uint32_t)r->layout.alignment,
                     .bits = 1,
                     .access = VKR_HOST_WRITE};
    const call_array *all[] = {&r->results, &r->input, &r->input2, &r->mask, &r->offsets};
    return call_separate(c, all, sizeof all / sizeof all[0]);
}

/* ---- Chunks ---- */

/* The elements from the start of one item to that of the next. */
static uint64_t step_of(const reduction *r)
{
    const VkrSegments *s = &r->info.segments;
    return s->kind != VKR_SEGMENTS_ROWS ? 1 : s->pitch != 0 ? s->pitch : s->length;
}

/* The elements that adjacent items span, the first of which starts with element `start`. */
static uint64_t elements_of(const reduction *r, uint64_t start, uint64_t items)
{
    const VkrSegments *s = &r->info.segments;
    if (items == r->items)
        return r->info.count;
    if (s->kind == VKR_SEGMENTS_ROWS)
        return items == 0 ? 0
                          : host_min((items - 1) * step_of(r) + s->length, r->info.count - start);
    return s->kind == VKR_SEGMENTS_WINDOWS && items != 0 ? items + s->length - 1 : items;
}

/* Chunks of windows start where a tree of VKR_DETERMINISM_DEVICE has the same nodes above each
 * window: at multiples of a power of two that is no less than a window. */
static uint64_t unit_of(const reduction *r)
{
    const VkrSegments *s = &r->info.segments;
    uint64_t unit = 32; /* for the bits of a mask */
    if (s->kind == VKR_SEGMENTS_NONE)
        return VKR_TREE_BLOCK;
    if (s->kind == VKR_SEGMENTS_WINDOWS && r->info.determinism == VKR_DETERMINISM_DEVICE)
        while (unit < s->length && unit <= UINT64_MAX / 2)
            unit *= 2;
    return s->kind == VKR_SEGMENTS_WINDOWS || r->mask.bits > 1 ? unit : 1;
}

static VkrResult cut(reduction *r)
{
    const VkrSegments *s = &r->info.segments;
    const call_array *inputs[] = {&r->input, &r->input2, &r->mask};
    const bool windows = s->kind == VKR_SEGMENTS_WINDOWS;
    const bool cuts = s->kind == VKR_SEGMENTS_NONE || s->kind == VKR_SEGMENTS_ROWS || windows;
    call_plan plan = {.unit = unit_of(r),
                      .size = r->given->chunkSize,
                      .whole = cuts ? NULL
                                    : "reduce.segments.kind is neither none, rows nor windows, so "
                                      "that there are no chunks"};
    r->items = cuts && s->kind != VKR_SEGMENTS_NONE ? r->layout.segments : r->info.count;
    if (s->kind == VKR_SEGMENTS_NONE && r->info.algorithm != VKR_REDUCE_AUTO &&
        r->info.algorithm != VKR_REDUCE_SUBGROUP)
        plan.whole = "reduce.algorithm is neither auto nor subgroup, so that there are no chunks";
    plan.items = r->items;
    for (size_t i = 0; i < sizeof inputs / sizeof inputs[0]; i++) {
        const size_t at = plan.share_count;
        call_plan_items(&plan, inputs[i], step_of(r));
        if (windows && plan.share_count > at && r->items != 0)
            plan.shares[at].more = (s->length - 1) * plan.shares[at].each;
    }
    call_plan_all(&plan, &r->offsets);
    if (s->kind == VKR_SEGMENTS_ROWS || windows)
        call_plan_items(&plan, &r->results, 1);
    else
        call_plan_all(&plan, &r->results);
    return call_cut(&r->call, &plan, &r->chunk);
}

static VkrResult record(void *data, VkrHost host, uint64_t first, uint64_t count)
{
    reduction *r = data;
    VkrReduceInfo info = r->info;
    const bool pieces = r->partials.buffer != VK_NULL_HANDLE;
    const bool whole = r->chunk == r->items || pieces;
    const uint64_t start = first * step_of(r);
    info.count = elements_of(r, start, count);
    HOST_TRY(call_attach(host, &r->input, start, info.count, &info.input));
    HOST_TRY(call_attach(host, &r->input2, start, info.count, &info.input2));
    HOST_TRY(call_attach_range(host, &r->mask, start, info.count, &info.mask.flags.range));
    HOST_TRY(call_attach_range(host, &r->offsets, 0, r->offsets.count, &info.segments.offsets));
    HOST_TRY(call_attach_range(host, &r->flags, start, info.count, &info.segments.flags.range));
    HOST_TRY(call_attach_range(host, &r->results, whole ? 0 : first,
                               whole ? r->results.count : count, &info.output));
    if (pieces)
        info.pieces = (VkrPieces){
            {r->partials.buffer, r->partials.offset, r->partials.size}, first, r->info.count};
    return vkrCmdReduce(vkrHostRecorder(host), &info);
}

/* Pieces leave partials on the device, and the last one writes the results. */
static VkrResult run(reduction *r)
{
    const host_call *c = &r->call;
    const call_work work = {.items = r->items, .chunk = r->chunk, .data = r, .record = record};
    VkrResult result = VKR_SUCCESS;
    if (r->chunk < r->items && r->info.segments.kind == VKR_SEGMENTS_NONE) {
        HOST_TRY(host_alloc(c->host, r->layout.partialsSize, VKR_HOST_MEMORY_DEVICE, &r->partials));
        result = call_hold(c, &r->results);
    }
    if (result == VKR_SUCCESS)
        result = call_run(c, &work);
    result = call_let_go(c, &r->results, result);
    vkrHostFree(c->host, &r->partials);
    return result;
}

VkrResult vkrHostReduce(VkrHost host, const VkrHostReduceInfo *info)
{
    reduction r = {.given = info};
    HOST_TRY(call_enter(&r.call, host, "vkrHostReduce", info));
    HOST_TRY(check(&r));
    HOST_TRY(describe(&r));
    HOST_TRY(lay_out(&r));
    HOST_TRY(cut(&r));
    return run(&r);
}
