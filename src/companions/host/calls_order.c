/* SPDX-License-Identifier: MIT */
/* Sorts and searches of arrays. Only the values of a search go through the device in
 * chunks; what orders elements needs all of them at once. */
#include "calls.h"

#define WHOLE "there are no chunks, so that fewer elements must be given"

/* ---- Sorts ---- */

typedef struct sort {
    host_call call;
    const VkrHostSortInfo *given;
    bool in_place;
    call_array keys, then[VKR_MAX_SORT_THEN], sorted, indices, payload, moved, offsets, flags;
} sort;

static VkrResult check_sort(const sort *x)
{
    const VkrSortInfo *info = &x->given->sort;
    HOST_TRY(call_count(&x->call, "sort.count", info->count, &info->gpuCount));
    HOST_MUST(&x->call.voice, info->thenCount <= VKR_MAX_SORT_THEN,
              "sort.thenCount is %u, but must be at most %u.", info->thenCount, VKR_MAX_SORT_THEN);
    HOST_MUST(&x->call.voice, info->thenCount == 0 || info->then != NULL,
              "sort.then is NULL, but must point to the %u of sort.thenCount.", info->thenCount);
    return CALL_ABSENT(&x->call, {info->payloadCount != 0, "sort.payloadCount"});
}

/* The keys that decide among equal ones. */
static VkrResult describe_then(sort *x)
{
    static const char *const fields[VKR_MAX_SORT_THEN][2] = {
        {"then[0]", "sort.then[0].keys"},
        {"then[1]", "sort.then[1].keys"},
        {"then[2]", "sort.then[2].keys"},
    };
    const VkrSortInfo *info = &x->given->sort;
    for (uint32_t i = 0; i < info->thenCount; i++) {
        const call_view keys = {fields[i][0],
                                x->given->then[i],
                                fields[i][1],
                                &info->then[i].keys,
                                info->count,
                                VKR_HOST_READ,
                                0,
                                1,
                                false,
                                false};
        HOST_TRY(call_describe(&x->call, &keys, &x->then[i]));
    }
    return VKR_SUCCESS;
}

static VkrResult describe_sort(sort *x)
{
    const VkrHostSortInfo *g = x->given;
    const VkrSortInfo *info = &g->sort;
    const host_call *c = &x->call;
    const call_view keys = {"keys",        g->keys, "sort.keys", &info->keys, info->count,
                            VKR_HOST_READ, 0,       1,           false,       false};
    /* Of rows that lie apart, what lies between them stays. */
    const bool apart = call_lie_apart(&info->segments);
    const VkrHostAccess access = apart ? VKR_HOST_READ_WRITE : VKR_HOST_WRITE;
    call_view sorted = {"sorted", g->sorted, "sort.sorted", &info->sorted, info->count, access,
                        0,        1,         false,         true};
    const call_view indices = {"indices",   g->indices, "sort.indices", &info->indices,
                               info->count, access,     VKR_TYPE_U32,   1,
                               false,       true};
    HOST_TRY(call_describe(c, &keys, &x->keys));
    HOST_TRY(describe_then(x));
    sorted.type = x->keys.type;
    HOST_TRY(call_describe(c, &sorted, &x->sorted));
    HOST_TRY(call_describe(c, &indices, &x->indices));
    HOST_TRY(call_payload(c,
                          &(call_load){"payload", g->payload, info->count, "payloadSorted",
                                       g->payloadSorted, info->count, g->payloadSize},
                          &x->payload, &x->moved));
    if (apart)
        x->moved.access = VKR_HOST_READ_WRITE;
    HOST_TRY(call_segments(c, &info->segments, &g->segments, "sort", info->count, &x->offsets,
                           &x->flags));
    x->in_place = x->sorted.data == x->keys.data && x->sorted.stride == x->keys.stride;
    if (x->in_place)
        x->keys.access = VKR_HOST_READ_WRITE;
    const call_array *all[] = {&x->keys,    x->in_place ? NULL : &x->sorted,
                               &x->indices, &x->payload,
                               &x->moved,   &x->offsets,
                               &x->then[0], &x->then[1],
                               &x->then[2]};
    return call_separate(c, all, sizeof all / sizeof all[0]);
}

static VkrResult record_sort(void *data, VkrHost host, uint64_t first, uint64_t count)
{
    const sort *x = data;
    VkrSortInfo info = x->given->sort;
    VkrPayload payload = {.size = x->given->payloadSize};
    VkrSortKey then[VKR_MAX_SORT_THEN];
    for (uint32_t i = 0; i < info.thenCount; i++) {
        then[i] = info.then[i];
        HOST_TRY(call_attach(host, &x->then[i], first, count, &then[i].keys));
    }
    if (info.thenCount != 0)
        info.then = then;
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
    const call_array *arrays[] = {&x.keys,    x.in_place ? NULL : &x.sorted,
                                  &x.indices, &x.payload,
                                  &x.moved,   &x.offsets,
                                  &x.then[0], &x.then[1],
                                  &x.then[2]};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        if (arrays[i] != NULL)
            call_plan_all(&plan, arrays[i]);
    HOST_TRY(call_cut(&x.call, &plan, &chunk));
    return call_run(
        &x.call,
        &(call_work){.items = plan.items, .chunk = chunk, .data = &x, .record = record_sort});
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
