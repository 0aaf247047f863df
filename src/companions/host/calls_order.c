/* SPDX-License-Identifier: MIT */
/* Sorts, selections and searches of arrays. Only the values of a search go through the device in
 * chunks; what orders elements needs all of them at once. */
#include "calls.h"

#define WHOLE "there are no chunks, so that fewer elements must be given"

/* ---- Sorts ---- */

typedef struct sort {
    host_call call;
    const VkrHostSortInfo *given;
    bool in_place;
    call_array keys, sorted, indices, payload, moved, offsets, flags;
} sort;

static VkrResult check_sort(const sort *x)
{
    const VkrSortInfo *info = &x->given->sort;
    HOST_TRY(call_count(&x->call, "sort.count", info->count, &info->gpuCount));
    return CALL_ABSENT(&x->call, {info->payloadCount != 0, "sort.payloadCount"});
}

static VkrResult describe_payload(sort *x)
{
    const VkrHostSortInfo *g = x->given;
    const host_call *c = &x->call;
    const bool given = g->payload != NULL || g->payloadSorted != NULL;
    const uint64_t count = given ? g->sort.count : 0;
    const uint32_t size = g->payloadSize;
    const uint32_t unit = size % 4 == 0 ? 4 : size % 2 == 0 ? 2 : 1;
    HOST_MUST(&c->voice, !given || (size >= 1 && size <= 64),
              "payloadSize is %u, but must be 1 to 64.", size);
    HOST_TRY(call_pack(c, "payload", g->payload, count, size, unit, VKR_HOST_READ, &x->payload));
    return call_pack(c, "payloadSorted", g->payloadSorted, count, size, unit, VKR_HOST_WRITE,
                     &x->moved);
}

static VkrResult describe_sort(sort *x)
{
    const VkrHostSortInfo *g = x->given;
    const VkrSortInfo *info = &g->sort;
    const host_call *c = &x->call;
    const call_view keys = {"keys",        g->keys, "sort.keys", &info->keys, info->count,
                            VKR_HOST_READ, 0,       1,           false,       false};
    call_view sorted = {
        "sorted", g->sorted, "sort.sorted", &info->sorted, info->count, VKR_HOST_WRITE,
        0,        1,         false,         true};
    const call_view indices = {"indices",      g->indices,
                               "sort.indices", &info->indices,
                               info->count,    VKR_HOST_WRITE,
                               VKR_TYPE_U32,   1,
                               false,          true};
    HOST_TRY(call_describe(c, &keys, &x->keys));
    sorted.type = x->keys.type;
    HOST_TRY(call_describe(c, &sorted, &x->sorted));
    HOST_TRY(call_describe(c, &indices, &x->indices));
    HOST_TRY(describe_payload(x));
    HOST_TRY(call_segments(c, &info->segments, &g->segments, "sort", info->count, &x->offsets,
                           &x->flags));
    x->in_place = x->sorted.data == x->keys.data && x->sorted.stride == x->keys.stride;
    if (x->in_place)
        x->keys.access = VKR_HOST_READ_WRITE;
    const call_array *all[] = {&x->keys,    x->in_place ? NULL : &x->sorted,
                               &x->indices, &x->payload,
                               &x->moved,   &x->offsets};
    return call_separate(c, all, sizeof all / sizeof all[0]);
}

static VkrResult record_sort(void *data, VkrHost host, uint64_t first, uint64_t count)
{
    const sort *x = data;
    VkrSortInfo info = x->given->sort;
    VkrPayload payload = {.size = x->given->payloadSize};
    HOST_TRY(call_attach(host, &x->keys, first, count, &info.keys));
    if (x->in_place)
        info.sorted = info.keys;
    else
        HOST_TRY(call_attach(host, &x->sorted, first, count, &info.sorted));
    HOST_TRY(call_attach(host, &x->indices, first, count, &info.indices));
    HOST_TRY(call_attach_range(host, &x->payload, first, count, &payload.source));
    HOST_TRY(call_attach_range(host, &x->moved, first, count, &payload.target));
    HOST_TRY(call_attach_range(host, &x->offsets, 0, x->offsets.count, &info.segments.offsets));
    info.payloadCount = x->payload.data != NULL ? 1 : 0;
    info.payloads = info.payloadCount != 0 ? &payload : NULL;
    return vkrCmdSort(vkrHostRecorder(host), &info);
}

VkrResult vkrHostSort(VkrHost host, const VkrHostSortInfo *info)
{
    sort x = {.given = info};
    uint64_t chunk;
    HOST_TRY(call_enter(&x.call, host, "vkrHostSort", info));
    HOST_TRY(check_sort(&x));
    HOST_TRY(describe_sort(&x));
    call_plan plan = {.items = info->sort.count, .unit = 1, .whole = WHOLE};
    const call_array *arrays[] = {
        &x.keys, x.in_place ? NULL : &x.sorted, &x.indices, &x.payload, &x.moved, &x.offsets};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        if (arrays[i] != NULL)
            call_plan_all(&plan, arrays[i]);
    HOST_TRY(call_cut(&x.call, &plan, &chunk));
    return call_run(
        &x.call,
        &(call_work){.items = plan.items, .chunk = chunk, .data = &x, .record = record_sort});
}

/* ---- Selections ---- */

typedef struct selection {
    host_call call;
    const VkrHostTopKInfo *given;
    call_array input, values, indices, found;
} selection;

static VkrResult check_selection(const selection *x)
{
    const VkrTopKInfo *info = &x->given->topK;
    HOST_TRY(call_count(&x->call, "topK.count", info->count, &info->gpuCount));
    HOST_MUST(&x->call.voice,
              info->segments.kind == VKR_SEGMENTS_NONE || info->segments.kind == VKR_SEGMENTS_ROWS,
              "topK.segments.kind is %d, but must be VKR_SEGMENTS_NONE or VKR_SEGMENTS_ROWS.",
              (int)info->segments.kind);
    HOST_MUST(&x->call.voice, info->segments.kind == VKR_SEGMENTS_NONE || info->segments.length > 0,
              "topK.segments.length is 0, but must be at least 1.");
    HOST_MUST(&x->call.voice,
              info->segments.kind == VKR_SEGMENTS_NONE || info->segments.pitch == 0 ||
                  info->segments.pitch >= info->segments.length,
              "topK.segments.pitch is %llu, but must be 0 or at least topK.segments.length.",
              (unsigned long long)info->segments.pitch);
    return CALL_ABSENT(&x->call, {info->payloadCount != 0, "topK.payloadCount"},
                       {info->found.buffer != VK_NULL_HANDLE, "topK.found"},
                       {info->wanted.buffer != VK_NULL_HANDLE, "topK.wanted"});
}

static VkrResult describe_selection(selection *x)
{
    const VkrHostTopKInfo *g = x->given;
    const VkrTopKInfo *info = &g->topK;
    const host_call *c = &x->call;
    const bool has_rows = info->segments.kind == VKR_SEGMENTS_ROWS;
    const uint64_t length = has_rows ? info->segments.length : info->count;
    const uint64_t pitch = has_rows && info->segments.pitch != 0 ? info->segments.pitch : length;
    const uint64_t left = pitch != 0 ? info->count % pitch : 0;
    const uint64_t shorter = left < length ? left : 0;
    const uint64_t rows = has_rows ? info->count / pitch + (left != 0) : 1;
    /* Where a row has fewer than k elements, the operation does not write all entries. */
    const bool full = length >= info->k && (shorter == 0 || shorter >= info->k);
    const VkrHostAccess access = full ? VKR_HOST_WRITE : VKR_HOST_READ_WRITE;
    HOST_MUST(&c->voice, info->k == 0 || rows <= UINT64_MAX / info->k,
              "topK.k is %u, but must be so small that entries of %llu rows fit the host's memory.",
              info->k, (unsigned long long)rows);
    const call_view input = {
        "input", g->input, "topK.input", &info->input, info->count, VKR_HOST_READ,
        0,       1,        false,        false};
    HOST_TRY(call_describe(c, &input, &x->input));
    const call_view values = {"values",       g->values, "topK.values", &info->values,
                              rows * info->k, access,    x->input.type, 1,
                              false,          true};
    const call_view indices = {"indices",      g->indices, "topK.indices", &info->indices,
                               rows * info->k, access,     VKR_TYPE_U32,   1,
                               false,          true};
    HOST_TRY(call_describe(c, &values, &x->values));
    HOST_TRY(call_describe(c, &indices, &x->indices));
    HOST_TRY(call_pack(c, "found", g->found, g->found != NULL ? rows : 0, 4, 4, VKR_HOST_WRITE,
                       &x->found));
    const call_array *all[] = {&x->input, &x->values, &x->indices, &x->found};
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
    HOST_TRY(call_cut(&x.call, &plan, &chunk));
    return call_run(
        &x.call,
        &(call_work){.items = plan.items, .chunk = chunk, .data = &x, .record = record_selection});
}

/* ---- Searches ---- */

typedef struct search {
    host_call call;
    const VkrHostBoundsInfo *given;
    call_array sorted, values, lower, upper;
    uint64_t chunk;
} search;

static VkrResult describe_search(search *x)
{
    const VkrHostBoundsInfo *g = x->given;
    const VkrBoundsInfo *info = &g->bounds;
    const host_call *c = &x->call;
    const VkrType type = info->count >> 32 != 0 ? VKR_TYPE_U64 : VKR_TYPE_U32;
    HOST_TRY(call_count(c, "bounds.count", info->count, &info->gpuCount));
    HOST_TRY(call_count(c, "bounds.valueCount", info->valueCount, &info->gpuValueCount));
    const call_view sorted = {
        "sorted", g->sorted, "bounds.sorted", &info->sorted, info->count, VKR_HOST_READ,
        0,        1,         false,           false};
    HOST_TRY(call_describe(c, &sorted, &x->sorted));
    const call_view values = {
        "values",       g->values, "bounds.values", &info->values, info->valueCount, VKR_HOST_READ,
        x->sorted.type, 1,         false,           false};
    const call_view lower = {
        "lower", g->lower, "bounds.lower", &info->lower, info->valueCount, VKR_HOST_WRITE,
        type,    1,        false,          true};
    const call_view upper = {
        "upper", g->upper, "bounds.upper", &info->upper, info->valueCount, VKR_HOST_WRITE,
        type,    1,        false,          true};
    HOST_TRY(call_describe(c, &values, &x->values));
    HOST_TRY(call_describe(c, &lower, &x->lower));
    HOST_TRY(call_describe(c, &upper, &x->upper));
    const call_array *all[] = {&x->sorted, &x->values, &x->lower, &x->upper};
    return call_separate(c, all, sizeof all / sizeof all[0]);
}

static VkrResult record_search(void *data, VkrHost host, uint64_t first, uint64_t count)
{
    const search *x = data;
    VkrBoundsInfo info = x->given->bounds;
    info.valueCount = count;
    HOST_TRY(call_attach(host, &x->sorted, 0, x->sorted.count, &info.sorted));
    HOST_TRY(call_attach(host, &x->values, first, count, &info.values));
    HOST_TRY(call_attach(host, &x->lower, first, count, &info.lower));
    HOST_TRY(call_attach(host, &x->upper, first, count, &info.upper));
    return vkrCmdBounds(vkrHostRecorder(host), &info);
}

VkrResult vkrHostBounds(VkrHost host, const VkrHostBoundsInfo *info)
{
    search x = {.given = info};
    const host_call *c = &x.call;
    HOST_TRY(call_enter(&x.call, host, "vkrHostBounds", info));
    HOST_TRY(describe_search(&x));
    call_plan plan = {.items = info->bounds.valueCount, .unit = 32, .size = info->chunkSize};
    call_plan_all(&plan, &x.sorted);
    call_plan_items(&plan, &x.values, 1);
    call_plan_items(&plan, &x.lower, 1);
    call_plan_items(&plan, &x.upper, 1);
    HOST_TRY(call_cut(c, &plan, &x.chunk));
    VkrResult result =
        x.chunk < plan.items && x.sorted.count != 0 ? call_hold(c, &x.sorted) : VKR_SUCCESS;
    if (result == VKR_SUCCESS)
        result = call_run(
            c, &(call_work){
                   .items = plan.items, .chunk = x.chunk, .data = &x, .record = record_search});
    return call_let_go(c, &x.sorted, result);
}
