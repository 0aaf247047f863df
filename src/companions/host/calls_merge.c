/* SPDX-License-Identifier: MIT */
/* Merges of two arrays, which need all elements of both at once. */
#include "calls.h"

typedef struct merge {
    host_call call;
    const VkrHostMergeInfo *given;
    uint64_t all; /* elements of both */
    call_array a, b, merged, indices, payload_a, payload_b, moved;
} merge;

static VkrResult check_merge(merge *x)
{
    const VkrMergeInfo *info = &x->given->merge;
    HOST_TRY(call_count(&x->call, "merge.a.count", info->a.count, &info->a.gpuCount));
    HOST_TRY(call_count(&x->call, "merge.b.count", info->b.count, &info->b.gpuCount));
    HOST_MUST(&x->call.voice, info->a.count <= UINT32_MAX && info->b.count <= UINT32_MAX,
              "merge.a.count is %llu and merge.b.count %llu, but their sum must be below 2^32.",
              (unsigned long long)info->a.count, (unsigned long long)info->b.count);
    x->all = info->a.count + info->b.count;
    return CALL_ABSENT(&x->call, {info->payloadCount != 0, "merge.payloadCount"});
}

static VkrResult describe_merge(merge *x)
{
    const VkrHostMergeInfo *g = x->given;
    const VkrMergeInfo *info = &g->merge;
    const host_call *c = &x->call;
    const call_view a = {"a", g->a, "merge.a.keys", &info->a.keys, info->a.count, VKR_HOST_READ,
                         0,   1,    false,          false};
    const call_view b = {"b", g->b, "merge.b.keys", &info->b.keys, info->b.count, VKR_HOST_READ,
                         0,   1,    false,          false};
    call_view merged = {"merged", g->merged, "merge.merged", &info->merged, x->all, VKR_HOST_WRITE,
                        0,        1,         false,          true};
    const call_view indices = {"indices",       g->indices,
                               "merge.indices", &info->indices,
                               x->all,          VKR_HOST_WRITE,
                               VKR_TYPE_U32,    1,
                               false,           true};
    HOST_TRY(call_describe(c, &a, &x->a));
    HOST_TRY(call_describe(c, &b, &x->b));
    merged.type = x->a.type;
    HOST_TRY(call_describe(c, &merged, &x->merged));
    HOST_TRY(call_describe(c, &indices, &x->indices));
    call_load load = {"payloadA",       g->payloadA, info->a.count, "payloadMerged",
                      g->payloadMerged, x->all,      g->payloadSize};
    HOST_TRY(call_payload(c, &load, &x->payload_a, &x->moved));
    load.source_field = "payloadB";
    load.source = g->payloadB;
    load.source_count = info->b.count;
    HOST_TRY(call_payload(c, &load, &x->payload_b, &x->moved));
    const call_array *all[] = {&x->a,         &x->b,         &x->merged, &x->indices,
                               &x->payload_a, &x->payload_b, &x->moved};
    return call_separate(c, all, sizeof all / sizeof all[0]);
}

static VkrResult record_merge(void *data, VkrHost host, uint64_t first, uint64_t count)
{
    const merge *x = data;
    VkrMergeInfo info = x->given->merge;
    VkrMergePayload payload = {.size = x->given->payloadSize};
    HOST_TRY(call_attach(host, &x->a, 0, x->a.count, &info.a.keys));
    HOST_TRY(call_attach(host, &x->b, 0, x->b.count, &info.b.keys));
    HOST_TRY(call_attach(host, &x->merged, first, count, &info.merged));
    HOST_TRY(call_attach(host, &x->indices, first, count, &info.indices));
    HOST_TRY(call_attach_range(host, &x->payload_a, 0, x->payload_a.count, &payload.a));
    HOST_TRY(call_attach_range(host, &x->payload_b, 0, x->payload_b.count, &payload.b));
    HOST_TRY(call_attach_range(host, &x->moved, first, x->moved.count, &payload.target));
    info.payloadCount = x->moved.data != NULL ? 1 : 0;
    info.payloads = info.payloadCount != 0 ? &payload : NULL;
    return vkrCmdMerge(vkrHostRecorder(host), &info);
}

VkrResult vkrHostMerge(VkrHost host, const VkrHostMergeInfo *info)
{
    merge x = {.given = info};
    uint64_t chunk;
    HOST_TRY(call_enter(&x.call, host, "vkrHostMerge", info));
    HOST_TRY(check_merge(&x));
    HOST_TRY(describe_merge(&x));
    call_plan plan = {.items = x.all,
                      .unit = 1,
                      .whole = "there are no chunks, so that fewer elements must be given"};
    const call_array *arrays[] = {&x.a,         &x.b,         &x.merged, &x.indices,
                                  &x.payload_a, &x.payload_b, &x.moved};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        call_plan_all(&plan, arrays[i]);
    HOST_TRY(call_cut(&x.call, &plan, &chunk));
    return call_run(
        &x.call,
        &(call_work){.items = plan.items, .chunk = chunk, .data = &x, .record = record_merge});
}
