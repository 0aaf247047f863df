/* SPDX-License-Identifier: MIT */
/* Compactions and histograms of arrays. Chunks of a compaction append to what the earlier ones have
 * stored; those of a histogram add to counts that stay on the device. */
#include "calls.h"

#define BITS 32u /* chunks start where a word of flags does */

/* ---- Compactions ---- */

/* An output: of values or indices, of kept or rejected elements. */
enum { KEPT, KEPT_INDICES, REJECTED, REJECTED_INDICES, OUTPUTS };

typedef struct compaction {
    host_call call;
    const VkrHostCompactInfo *given;
    VkrCompactInfo info;
    call_array input, flags, outputs[OUTPUTS];
    uint64_t chunk;
    uint64_t start;     /* elements of the earlier chunks, */
    uint64_t found[2];  /* and how many of them are kept and rejected */
    uint64_t counts[2]; /* those of the chunk */
} compaction;

static VkrResult check_compaction(const compaction *x)
{
    const VkrCompactInfo *info = &x->given->compact;
    HOST_TRY(call_count(&x->call, "compact.count", info->count, &info->gpuCount));
    return CALL_ABSENT(
        &x->call,
        {(info->flags & VKR_COMPACT_CONTINUED_BIT) != 0,
         "VKR_COMPACT_CONTINUED_BIT of compact.flags"},
        {info->predicate.gpuConstants.buffer != VK_NULL_HANDLE, "compact.predicate.gpuConstants"},
        {info->predicate.flags.range.buffer != VK_NULL_HANDLE, "compact.predicate.flags.range"},
        {info->predicate.flags.hook != NULL, "compact.predicate.flags.hook"},
        {info->runLengths.buffer != VK_NULL_HANDLE, "compact.runLengths"},
        {info->append.buffer != VK_NULL_HANDLE, "compact.append"},
        {info->payloadCount != 0, "compact.payloadCount"}, {info->sink != NULL, "compact.sink"},
        {info->countOutputCount != 0, "compact.countOutputCount"});
}

static VkrResult describe_outputs(compaction *x)
{
    const VkrHostCompactInfo *g = x->given;
    const VkrCompactInfo *info = &g->compact;
    const uint64_t all = info->count;
    const uint64_t room = info->capacity != 0 ? host_min(info->capacity, all) : all;
    const VkrType index = (info->firstIndex + all) >> 32 != 0 ? VKR_TYPE_U64 : VKR_TYPE_U32;
    const call_array *arrays[OUTPUTS + 2] = {&x->input, &x->flags};
    const call_view views[OUTPUTS] = {
        [KEPT] = {"kept", g->kept, "compact.kept", &info->kept, room, VKR_HOST_WRITE, x->input.type,
                  x->input.components, false, true},
        [KEPT_INDICES] = {"keptIndices", g->keptIndices, "compact.keptIndices", &info->keptIndices,
                          room, VKR_HOST_WRITE, index, 1, false, true},
        [REJECTED] = {"rejected", g->rejected, "compact.rejected", &info->rejected, all,
                      VKR_HOST_WRITE, x->input.type, x->input.components, false, true},
        [REJECTED_INDICES] = {"rejectedIndices", g->rejectedIndices, "compact.rejectedIndices",
                              &info->rejectedIndices, all, VKR_HOST_WRITE, index, 1, false, true},
    };
    for (uint32_t i = 0; i < OUTPUTS; i++) {
        HOST_TRY(call_describe(&x->call, &views[i], &x->outputs[i]));
        arrays[2 + i] = &x->outputs[i];
    }
    return call_separate(&x->call, arrays, sizeof arrays / sizeof arrays[0]);
}

static VkrResult describe_compaction(compaction *x)
{
    const VkrHostCompactInfo *g = x->given;
    const VkrCompactInfo *info = &g->compact;
    const bool by_flags = info->predicate.kind == VKR_PREDICATE_FLAGS;
    const bool needed = !by_flags || g->kept != NULL || g->rejected != NULL;
    const call_view input = {
        "input", g->input, "compact.input", &info->input, info->count, VKR_HOST_READ,
        0,       1,        false,           !needed};
    HOST_TRY(call_describe(&x->call, &input, &x->input));
    x->flags = (call_array){.bits = 1};
    if (by_flags)
        HOST_TRY(call_flags(&x->call, "flags", g->flags, info->predicate.flags.format, info->count,
                            &x->flags));
    x->info = *info;
    x->info.capacity = 0;
    return describe_outputs(x);
}

/* Attaches what an output has left of its room, at most as much as a chunk can store. */
static VkrResult attach_output(const compaction *x, VkrHost host, uint32_t output, uint64_t count,
                               VkrView *view)
{
    const call_array *a = &x->outputs[output];
    const uint64_t stored = host_min(x->found[output / REJECTED], a->count);
    const uint64_t room = host_min(a->count - stored, count);
    *view = (VkrView){0};
    return room == 0 ? VKR_SUCCESS : call_attach(host, a, stored, room, view);
}

static VkrResult record_compaction(void *data, VkrHost host, uint64_t first, uint64_t count)
{
    compaction *x = data;
    VkrCompactInfo info = x->info;
    VkrView *const views[OUTPUTS] = {&info.kept, &info.keptIndices, &info.rejected,
                                     &info.rejectedIndices};
    const VkrHostArray counts = {x->counts, sizeof x->counts, VKR_HOST_WRITE};
    VkrHostMemory memory;
    /* Of a unique, the element before the chunk decides about its first one. */
    const uint64_t before = first != 0 && info.predicate.kind == VKR_PREDICATE_UNIQUE ? 1 : 0;
    info.count = count;
    info.firstIndex += first;
    HOST_TRY(call_attach(host, &x->input, first - before, count + before, &info.input));
    if (before != 0) {
        info.flags |= VKR_COMPACT_CONTINUED_BIT;
        info.input.offset += x->input.stride;
        info.input.size -= x->input.stride;
    }
    HOST_TRY(call_attach_range(host, &x->flags, first, count, &info.predicate.flags.range));
    for (uint32_t i = 0; i < OUTPUTS; i++)
        HOST_TRY(attach_output(x, host, i, count, views[i]));
    HOST_TRY(vkrHostAttach(host, &counts, &memory));
    const VkrCountOutput outputs[] = {
        {VKR_COUNT_KEPT64, memory.buffer, memory.offset, 0},
        {VKR_COUNT_REJECTED64, memory.buffer, memory.offset + sizeof x->counts[0], 0}};
    info.countOutputCount = 2;
    info.countOutputs = outputs;
    return vkrCmdCompact(vkrHostRecorder(host), &info);
}

static VkrResult add_counts(void *data, uint64_t count)
{
    compaction *x = data;
    (void)count;
    for (uint32_t i = 0; i < 2; i++)
        x->found[i] += x->counts[i];
    return VKR_SUCCESS;
}

VkrResult vkrHostCompact(VkrHost host, const VkrHostCompactInfo *info)
{
    compaction x = {.given = info};
    HOST_TRY(call_enter(&x.call, host, "vkrHostCompact", info));
    HOST_TRY(check_compaction(&x));
    HOST_TRY(describe_compaction(&x));
    call_plan plan = {.items = x.info.count, .unit = BITS, .size = info->chunkSize};
    call_plan_items(&plan, &x.input, 1);
    call_plan_items(&plan, &x.flags, 1);
    for (uint32_t i = 0; i < OUTPUTS; i++)
        call_plan_items(&plan, &x.outputs[i], 1);
    HOST_TRY(call_cut(&x.call, &plan, &x.chunk));
    HOST_TRY(call_run(&x.call, &(call_work){.items = x.info.count,
                                            .chunk = x.chunk,
                                            .serial = true,
                                            .data = &x,
                                            .record = record_compaction,
                                            .done = add_counts}));
    if (info->keptCount != NULL)
        *info->keptCount = x.found[0];
    if (info->rejectedCount != NULL)
        *info->rejectedCount = x.found[1];
    return VKR_SUCCESS;
}

/* ---- Histograms ---- */

typedef struct histogram {
    host_call call;
    const VkrHostHistogramInfo *given;
    call_array input, mask, weights, edges, counts, outside, edges_output;
    uint64_t chunk;
} histogram;

static VkrResult check_histogram(const histogram *x)
{
    const VkrHistogramInfo *info = &x->given->histogram;
    HOST_TRY(call_count(&x->call, "histogram.count", info->count, &info->gpuCount));
    return CALL_ABSENT(
        &x->call, {info->mask.flags.range.buffer != VK_NULL_HANDLE, "histogram.mask.flags.range"},
        {info->mask.flags.hook != NULL, "histogram.mask.flags.hook"},
        {info->mask.image != NULL, "histogram.mask.image"},
        {info->bins.gpuRange.buffer != VK_NULL_HANDLE, "histogram.bins.gpuRange"},
        {info->bins.edges.buffer != VK_NULL_HANDLE, "histogram.bins.edges"},
        {info->counts.buffer != VK_NULL_HANDLE, "histogram.counts"},
        {info->outside.buffer != VK_NULL_HANDLE, "histogram.outside"},
        {info->edges.buffer != VK_NULL_HANDLE, "histogram.edges"});
}

static VkrResult describe_inputs(histogram *x)
{
    const VkrHostHistogramInfo *g = x->given;
    const VkrHistogramInfo *info = &g->histogram;
    const call_view input = {
        "input", g->input, "histogram.input", &info->input, info->count, VKR_HOST_READ, 0, 1,
        true,    false};
    const call_view weights = {"weights",
                               g->weights,
                               "histogram.weights",
                               &info->weights,
                               info->count,
                               VKR_HOST_READ,
                               0,
                               1,
                               true,
                               true};
    HOST_TRY(call_describe(&x->call, &input, &x->input));
    HOST_TRY(call_describe(&x->call, &weights, &x->weights));
    x->mask = (call_array){.bits = 1};
    if (g->mask == NULL)
        return VKR_SUCCESS;
    return call_flags(&x->call, "mask", g->mask, info->mask.flags.format, info->count, &x->mask);
}

static VkrResult describe_histogram(histogram *x)
{
    const VkrHostHistogramInfo *g = x->given;
    const VkrHistogramInfo *info = &g->histogram;
    const VkrBins *bins = &info->bins;
    const host_call *c = &x->call;
    HOST_TRY(describe_inputs(x));
    HOST_MUST(&c->voice, bins->count <= VKR_MAX_BINS,
              "histogram.bins.count is %u, but must be at most %u.", bins->count, VKR_MAX_BINS);
    const bool accumulates = (info->flags & VKR_HISTOGRAM_ACCUMULATE_BIT) != 0;
    const VkrHostAccess access = accumulates ? VKR_HOST_READ_WRITE : VKR_HOST_WRITE;
    const VkrType type = info->input.map != NULL ? VKR_TYPE_F32 : x->input.type;
    const uint64_t components = info->input.map != NULL ? 1 : x->input.components;
    const bool is_float = type >= VKR_TYPE_F16, wide = vkrTypeSize(type) == 8;
    const uint32_t size = info->countType == VKR_TYPE_U64 ? 8 : 4, edge = wide ? 8 : 4;
    /* Edges that are read have the type of integers, but not that of short floats. */
    const uint32_t given = is_float ? edge : vkrTypeSize(type);
    const uint64_t edges = (uint64_t)bins->count + 1;
    HOST_TRY(call_pack(c, "counts", g->counts, bins->count * components, size, size, access,
                       &x->counts));
    HOST_TRY(call_pack(c, "outside", g->outside, g->outside != NULL ? 3 * components : 0, size,
                       size, access, &x->outside));
    HOST_TRY(call_pack(c, "edges", g->edges, bins->kind == VKR_BINS_EDGES ? edges : 0, given, given,
                       VKR_HOST_READ, &x->edges));
    HOST_TRY(call_pack(c, "edgesOutput", g->edgesOutput,
                       g->edgesOutput != NULL ? edges * components : 0, edge, edge, VKR_HOST_WRITE,
                       &x->edges_output));
    const call_array *all[] = {&x->counts, &x->outside, &x->edges_output, &x->input,
                               &x->mask,   &x->weights, &x->edges};
    return call_separate(c, all, sizeof all / sizeof all[0]);
}

static VkrResult record_histogram(void *data, VkrHost host, uint64_t first, uint64_t count)
{
    const histogram *x = data;
    VkrHistogramInfo info = x->given->histogram;
    info.count = count;
    if (first != 0)
        info.flags |= VKR_HISTOGRAM_ACCUMULATE_BIT;
    HOST_TRY(call_attach(host, &x->input, first, count, &info.input));
    HOST_TRY(call_attach(host, &x->weights, first, count, &info.weights));
    HOST_TRY(call_attach_range(host, &x->mask, first, count, &info.mask.flags.range));
    HOST_TRY(call_attach_range(host, &x->edges, 0, x->edges.count, &info.bins.edges));
    HOST_TRY(call_attach_range(host, &x->counts, 0, x->counts.count, &info.counts));
    HOST_TRY(call_attach_range(host, &x->outside, 0, x->outside.count, &info.outside));
    HOST_TRY(call_attach_range(host, &x->edges_output, 0, x->edges_output.count, &info.edges));
    return vkrCmdHistogram(vkrHostRecorder(host), &info);
}

VkrResult vkrHostHistogram(VkrHost host, const VkrHostHistogramInfo *info)
{
    histogram x = {.given = info};
    const host_call *c = &x.call;
    call_array *const held[] = {&x.counts, &x.outside, &x.edges, &x.edges_output};
    VkrResult result = VKR_SUCCESS;
    HOST_TRY(call_enter(&x.call, host, "vkrHostHistogram", info));
    HOST_TRY(check_histogram(&x));
    HOST_TRY(describe_histogram(&x));
    call_plan plan = {.items = info->histogram.count, .unit = BITS, .size = info->chunkSize};
    call_plan_items(&plan, &x.input, 1);
    call_plan_items(&plan, &x.weights, 1);
    call_plan_items(&plan, &x.mask, 1);
    for (size_t i = 0; i < sizeof held / sizeof held[0]; i++)
        call_plan_all(&plan, held[i]);
    HOST_TRY(call_cut(c, &plan, &x.chunk));
    for (size_t i = 0; i < sizeof held / sizeof held[0] && x.chunk < plan.items; i++)
        if (result == VKR_SUCCESS && held[i]->count != 0)
            result = call_hold(c, held[i]);
    if (result == VKR_SUCCESS)
        result = call_run(
            c, &(call_work){
                   .items = plan.items, .chunk = x.chunk, .data = &x, .record = record_histogram});
    for (size_t i = 0; i < sizeof held / sizeof held[0]; i++)
        result = call_let_go(c, held[i], result);
    return result;
}
