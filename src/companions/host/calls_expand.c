/* SPDX-License-Identifier: MIT */
/* Expansions of arrays, which need all counts at once. */
#include "calls.h"

#define MOST (UINT64_C(1) << 31) /* outputs that an expansion stores */

typedef struct expansion {
    host_call call;
    const VkrHostExpandInfo *given;
    uint64_t total;
    call_array counts, sources, ranks, payload, expanded;
} expansion;

static VkrResult check_expansion(const expansion *x)
{
    const VkrHostExpandInfo *g = x->given;
    const VkrExpandInfo *info = &g->expand;
    const struct {
        const void *data;
        const char *field;
    } outputs[] = {
        {g->sources, "sources"}, {g->ranks, "ranks"}, {g->payloadExpanded, "payloadExpanded"}};
    HOST_TRY(call_count(&x->call, "expand.count", info->count, &info->gpuCount));
    for (size_t i = 0; i < sizeof outputs / sizeof outputs[0]; i++)
        HOST_MUST(&x->call.voice, outputs[i].data == NULL || info->capacity != 0,
                  "expand.capacity is 0, but must be the number of outputs for which %s has room.",
                  outputs[i].field);
    return CALL_ABSENT(&x->call, {info->payloadCount != 0, "expand.payloadCount"},
                       {info->countOutputCount != 0, "expand.countOutputCount"});
}

static VkrResult describe_expansion(expansion *x)
{
    const VkrHostExpandInfo *g = x->given;
    const VkrExpandInfo *info = &g->expand;
    const host_call *c = &x->call;
    const uint64_t room = host_min(info->capacity, MOST);
    const call_view counts = {"counts",    g->counts,     "expand.counts", &info->counts,
                              info->count, VKR_HOST_READ, VKR_TYPE_U32,    1,
                              false,       false};
    const call_view sources = {"sources",
                               g->sources,
                               "expand.sources",
                               &info->sources,
                               room,
                               VKR_HOST_WRITE,
                               VKR_TYPE_U32,
                               1,
                               false,
                               true};
    const call_view ranks = {
        "ranks",      g->ranks, "expand.ranks", &info->ranks, room, VKR_HOST_WRITE,
        VKR_TYPE_U32, 1,        false,          true};
    HOST_TRY(call_describe(c, &counts, &x->counts));
    HOST_TRY(call_describe(c, &sources, &x->sources));
    HOST_TRY(call_describe(c, &ranks, &x->ranks));
    HOST_TRY(call_payload(c,
                          &(call_load){"payload", g->payload, info->count, "payloadExpanded",
                                       g->payloadExpanded, room, g->payloadSize},
                          &x->payload, &x->expanded));
    const call_array *all[] = {&x->counts, &x->sources, &x->ranks, &x->payload, &x->expanded};
    return call_separate(c, all, sizeof all / sizeof all[0]);
}

static VkrResult record_expansion(void *data, VkrHost host, uint64_t first, uint64_t count)
{
    expansion *x = data;
    VkrExpandInfo info = x->given->expand;
    VkrPayload payload = {.size = x->given->payloadSize};
    const VkrHostArray total = {&x->total, sizeof x->total, VKR_HOST_WRITE};
    VkrHostMemory memory;
    HOST_TRY(call_attach(host, &x->counts, first, count, &info.counts));
    HOST_TRY(call_attach(host, &x->sources, 0, x->sources.count, &info.sources));
    HOST_TRY(call_attach(host, &x->ranks, 0, x->ranks.count, &info.ranks));
    HOST_TRY(call_attach_range(host, &x->payload, first, count, &payload.source));
    HOST_TRY(call_attach_range(host, &x->expanded, 0, x->expanded.count, &payload.target));
    HOST_TRY(vkrHostAttach(host, &total, &memory));
    const VkrCountOutput output = {VKR_COUNT_KEPT64, memory.buffer, memory.offset, 0};
    info.payloadCount = x->expanded.data != NULL ? 1 : 0;
    info.payloads = info.payloadCount != 0 ? &payload : NULL;
    info.countOutputCount = 1;
    info.countOutputs = &output;
    return vkrCmdExpand(vkrHostRecorder(host), &info);
}

VkrResult vkrHostExpand(VkrHost host, const VkrHostExpandInfo *info)
{
    expansion x = {.given = info};
    uint64_t chunk;
    HOST_TRY(call_enter(&x.call, host, "vkrHostExpand", info));
    HOST_TRY(check_expansion(&x));
    HOST_TRY(describe_expansion(&x));
    call_plan plan = {.items = info->expand.count,
                      .unit = 1,
                      .whole = "there are no chunks, so that fewer counts or less room must be "
                               "given"};
    const call_array *arrays[] = {&x.counts, &x.sources, &x.ranks, &x.payload, &x.expanded};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        call_plan_all(&plan, arrays[i]);
    HOST_TRY(call_cut(&x.call, &plan, &chunk));
    HOST_TRY(call_run(
        &x.call,
        &(call_work){.items = plan.items, .chunk = chunk, .data = &x, .record = record_expansion}));
    if (info->outputCount != NULL)
        *info->outputCount = x.total;
    return VKR_SUCCESS;
}
