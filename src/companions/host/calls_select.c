/* SPDX-License-Identifier: MIT */
/* Selections of arrays: of the first elements in an order, and of those of given ranks. */
#include "calls.h"

#define WHOLE "there are no chunks, so that fewer elements must be given"

typedef struct selection {
    host_call call;
    const VkrHostTopKInfo *given;
    call_array input, values, indices, found, wanted, offsets, flags;
} selection;

static VkrResult check_rows(const host_call *c, const char *field, const VkrSegments *s)
{
    const bool has_length = s->kind == VKR_SEGMENTS_ROWS || s->kind == VKR_SEGMENTS_COLUMNS;
    HOST_MUST(&c->voice, !has_length || s->length > 0,
              "%s.segments.length is 0, but must be at least 1.", field);
    HOST_MUST(&c->voice, s->kind != VKR_SEGMENTS_ROWS || s->pitch == 0 || s->pitch >= s->length,
              "%s.segments.pitch is %llu, but must be 0 or at least %s.segments.length.", field,
              (unsigned long long)s->pitch, field);
    return VKR_SUCCESS;
}

/* The segments of a selection, and the elements of the shortest, which is 0 by offsets. */
typedef struct rows {
    uint64_t count, shortest;
} rows;

static rows rows_of(const VkrSegments *s, uint64_t count, uint64_t offsets)
{
    const uint64_t pitch = s->pitch != 0 ? s->pitch : s->length;
    if (s->kind == VKR_SEGMENTS_OFFSETS)
        return (rows){offsets - 1, 0};
    if (s->kind == VKR_SEGMENTS_COLUMNS)
        return (rows){s->length, count / s->length};
    if (s->kind != VKR_SEGMENTS_ROWS)
        return (rows){1, count};
    const uint64_t left = count % pitch;
    const bool shorter = left != 0 && left < s->length;
    return (rows){count / pitch + (left != 0), shorter ? left : s->length};
}

static VkrResult check_selection(const selection *x)
{
    const VkrTopKInfo *info = &x->given->topK;
    const VkrSegmentKind kind = info->segments.kind;
    HOST_TRY(call_count(&x->call, "topK.count", info->count, &info->gpuCount));
    HOST_MUST(&x->call.voice,
              kind == VKR_SEGMENTS_NONE || kind == VKR_SEGMENTS_ROWS ||
                  kind == VKR_SEGMENTS_COLUMNS || kind == VKR_SEGMENTS_OFFSETS,
              "topK.segments.kind is %d, but must be VKR_SEGMENTS_NONE, VKR_SEGMENTS_ROWS, "
              "VKR_SEGMENTS_COLUMNS or VKR_SEGMENTS_OFFSETS.",
              (int)kind);
    HOST_TRY(check_rows(&x->call, "topK", &info->segments));
    HOST_MUST(&x->call.voice, x->given->wanted == NULL || kind == VKR_SEGMENTS_OFFSETS,
              "wanted is given, but must be NULL: topK.segments.kind is not VKR_SEGMENTS_OFFSETS.");
    HOST_MUST(&x->call.voice, kind != VKR_SEGMENTS_OFFSETS || x->given->segments.offsetCount != 0,
              "segments.offsetCount is 0, but must be one more than there are segments.");
    return CALL_ABSENT(&x->call, {info->payloadCount != 0, "topK.payloadCount"},
                       {info->found.buffer != VK_NULL_HANDLE, "topK.found"},
                       {info->wanted.buffer != VK_NULL_HANDLE, "topK.wanted"});
}

static VkrResult describe_selection(selection *x)
{
    const VkrHostTopKInfo *g = x->given;
    const VkrTopKInfo *info = &g->topK;
    const host_call *c = &x->call;
    const rows r = rows_of(&info->segments, info->count, g->segments.offsetCount);
    /* Where a segment has fewer than k elements, the operation does not write all entries. */
    const VkrHostAccess access = r.shortest >= info->k ? VKR_HOST_WRITE : VKR_HOST_READ_WRITE;
    HOST_MUST(&c->voice, info->k == 0 || r.count <= UINT64_MAX / info->k,
              "topK.k is %u, but must be so small that entries of %llu rows fit the host's memory.",
              info->k, (unsigned long long)r.count);
    const call_view input = {
        "input", g->input, "topK.input", &info->input, info->count, VKR_HOST_READ,
        0,       1,        false,        false};
    HOST_TRY(call_describe(c, &input, &x->input));
    const call_view values = {
        "values",      g->values, "topK.values", &info->values, r.count * info->k, access,
        x->input.type, 1,         false,         true};
    const call_view indices = {"indices",
                               g->indices,
                               "topK.indices",
                               &info->indices,
                               r.count * info->k,
                               access,
                               VKR_TYPE_U32,
                               1,
                               false,
                               true};
    HOST_TRY(call_describe(c, &values, &x->values));
    HOST_TRY(call_describe(c, &indices, &x->indices));
    HOST_TRY(call_pack(c, "found", g->found, g->found != NULL ? r.count : 0, 4, 4, VKR_HOST_WRITE,
                       &x->found));
    HOST_TRY(call_pack(c, "wanted", g->wanted, g->wanted != NULL ? r.count : 0, 4, 4, VKR_HOST_READ,
                       &x->wanted));
    HOST_TRY(call_segments(c, &info->segments, &g->segments, "topK", info->count, &x->offsets,
                           &x->flags));
    const call_array *all[] = {&x->input, &x->values, &x->indices,
                               &x->found, &x->wanted, &x->offsets};
    return call_separate(c, all, sizeof all / sizeof all[0]);
}

static VkrResult record_selection(void *data, VkrHost host, uint64_t first, uint64_t count)
{
    const selection *x = data;
    VkrTopKInfo info = x->given->topK;
    HOST_TRY(call_attach(host, &x->input, first, count, &info.input));
    HOST_TRY(call_attach(host, &x->values, 0, x->values.count, &info.values));
    HOST_TRY(call_attach(host, &x->indices, 0, x->indices.count, &info.indices));
    HOST_TRY(call_attach_range(host, &x->found, 0, x->found.count, &info.found));
    HOST_TRY(call_attach_range(host, &x->wanted, 0, x->wanted.count, &info.wanted));
    HOST_TRY(call_attach_range(host, &x->offsets, 0, x->offsets.count, &info.segments.offsets));
    return vkrCmdTopK(vkrHostRecorder(host), &info);
}

VkrResult vkrHostTopK(VkrHost host, const VkrHostTopKInfo *info)
{
    selection x = {.given = info};
    uint64_t chunk;
    HOST_TRY(call_enter(&x.call, host, "vkrHostTopK", info));
    HOST_TRY(check_selection(&x));
    HOST_TRY(describe_selection(&x));
    call_plan plan = {.items = info->topK.count, .unit = 1, .whole = WHOLE};
    call_plan_all(&plan, &x.input);
    call_plan_all(&plan, &x.values);
    call_plan_all(&plan, &x.indices);
    call_plan_all(&plan, &x.found);
    call_plan_all(&plan, &x.wanted);
    call_plan_all(&plan, &x.offsets);
    HOST_TRY(call_cut(&x.call, &plan, &chunk));
    return call_run(
        &x.call,
        &(call_work){.items = plan.items, .chunk = chunk, .data = &x, .record = record_selection});
}

/* Elements of given ranks. */
typedef struct ranked {
    host_call call;
    const VkrHostSelectInfo *given;
    call_array input, values, indices, offsets, flags;
} ranked;

static VkrResult check_ranked(const ranked *x)
{
    const VkrSelectInfo *info = &x->given->select;
    const VkrSegmentKind kind = info->segments.kind;
    HOST_TRY(call_count(&x->call, "select.count", info->count, &info->gpuCount));
    HOST_MUST(&x->call.voice,
              kind == VKR_SEGMENTS_NONE || kind == VKR_SEGMENTS_ROWS ||
                  kind == VKR_SEGMENTS_OFFSETS,
              "select.segments.kind is %d, but must be VKR_SEGMENTS_NONE, VKR_SEGMENTS_ROWS or "
              "VKR_SEGMENTS_OFFSETS.",
              (int)kind);
    HOST_MUST(&x->call.voice, kind != VKR_SEGMENTS_OFFSETS || x->given->segments.offsetCount != 0,
              "segments.offsetCount is 0, but must be one more than there are segments.");
    HOST_MUST(&x->call.voice, info->rankCount <= VKR_MAX_SELECT_RANKS,
              "select.rankCount is %u, but must be 1 to %u.", info->rankCount,
              VKR_MAX_SELECT_RANKS);
    HOST_TRY(check_rows(&x->call, "select", &info->segments));
    return CALL_ABSENT(&x->call, {info->gpuRanks.buffer != VK_NULL_HANDLE, "select.gpuRanks"});
}

static VkrResult describe_ranked(ranked *x)
{
    const VkrHostSelectInfo *g = x->given;
    const VkrSelectInfo *info = &g->select;
    const host_call *c = &x->call;
    const rows r = rows_of(&info->segments, info->count, g->segments.offsetCount);
    /* Where the shortest row does not have a rank, the operation does not write all entries. */
    bool full = r.shortest > 0;
    for (uint32_t i = 0; i < info->rankCount && info->ranks != NULL; i++)
        full = full && info->ranks[i] < r.shortest;
    const VkrHostAccess access = full ? VKR_HOST_WRITE : VKR_HOST_READ_WRITE;
    const call_view input = {
        "input", g->input, "select.input", &info->input, info->count, VKR_HOST_READ,
        0,       1,        false,          false};
    HOST_TRY(call_describe(c, &input, &x->input));
    const call_view values = {
        "values",      g->values, "select.values", &info->values, r.count * info->rankCount, access,
        x->input.type, 1,         false,           true};
    const call_view indices = {"indices",
                               g->indices,
                               "select.indices",
                               &info->indices,
                               r.count * info->rankCount,
                               access,
                               VKR_TYPE_U32,
                               1,
                               false,
                               true};
    HOST_TRY(call_describe(c, &values, &x->values));
    HOST_TRY(call_describe(c, &indices, &x->indices));
    HOST_TRY(call_segments(c, &info->segments, &g->segments, "select", info->count, &x->offsets,
                           &x->flags));
    const call_array *all[] = {&x->input, &x->values, &x->indices, &x->offsets};
    return call_separate(c, all, sizeof all / sizeof all[0]);
}

static VkrResult record_ranked(void *data, VkrHost host, uint64_t first, uint64_t count)
{
    const ranked *x = data;
    VkrSelectInfo info = x->given->select;
    HOST_TRY(call_attach(host, &x->input, first, count, &info.input));
    HOST_TRY(call_attach(host, &x->values, 0, x->values.count, &info.values));
    HOST_TRY(call_attach(host, &x->indices, 0, x->indices.count, &info.indices));
    HOST_TRY(call_attach_range(host, &x->offsets, 0, x->offsets.count, &info.segments.offsets));
    return vkrCmdSelect(vkrHostRecorder(host), &info);
}

VkrResult vkrHostSelect(VkrHost host, const VkrHostSelectInfo *info)
{
    ranked x = {.given = info};
    uint64_t chunk;
    HOST_TRY(call_enter(&x.call, host, "vkrHostSelect", info));
    HOST_TRY(check_ranked(&x));
    HOST_TRY(describe_ranked(&x));
    call_plan plan = {.items = info->select.count, .unit = 1, .whole = WHOLE};
    call_plan_all(&plan, &x.input);
    call_plan_all(&plan, &x.values);
    call_plan_all(&plan, &x.indices);
    call_plan_all(&plan, &x.offsets);
    HOST_TRY(call_cut(&x.call, &plan, &chunk));
    return call_run(
        &x.call,
        &(call_work){.items = plan.items, .chunk = chunk, .data = &x, .record = record_ranked});
}
