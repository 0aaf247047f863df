/* SPDX-License-Identifier: MIT */
/* Changed words of requests for sorts, selections and searches, as in api_requests.c. */
#include "api.h"

VkrResult __real_vkrCmdSort(VkrRecorder, const VkrSortInfo *);
VkrResult __wrap_vkrCmdSort(VkrRecorder, const VkrSortInfo *);
VkrResult __real_vkrCmdBin(VkrRecorder, const VkrBinInfo *);
VkrResult __wrap_vkrCmdBin(VkrRecorder, const VkrBinInfo *);
VkrResult __real_vkrCmdTopK(VkrRecorder, const VkrTopKInfo *);
VkrResult __wrap_vkrCmdTopK(VkrRecorder, const VkrTopKInfo *);
VkrResult __real_vkrCmdSelect(VkrRecorder, const VkrSelectInfo *);
VkrResult __wrap_vkrCmdSelect(VkrRecorder, const VkrSelectInfo *);
VkrResult __real_vkrCmdMerge(VkrRecorder, const VkrMergeInfo *);
VkrResult __wrap_vkrCmdMerge(VkrRecorder, const VkrMergeInfo *);
VkrResult __real_vkrCmdApply(VkrRecorder, const VkrApplyInfo *);
VkrResult __wrap_vkrCmdApply(VkrRecorder, const VkrApplyInfo *);
VkrResult __real_vkrCmdBounds(VkrRecorder, const VkrBoundsInfo *);
VkrResult __wrap_vkrCmdBounds(VkrRecorder, const VkrBoundsInfo *);
VkrResult __real_vkrCmdFind(VkrRecorder, const VkrFindInfo *);
VkrResult __wrap_vkrCmdFind(VkrRecorder, const VkrFindInfo *);

VkrResult __wrap_vkrCmdSort(VkrRecorder recorder, const VkrSortInfo *given)
{
    VkrPayload payloads[MAX_ENTRIES];
    VkrSortKey then[MAX_ENTRIES];
    VkrSortInfo info = *given;
    disturb(&info, sizeof info);
    info.label = given->label;
    keep_pointers(&info.keys, &given->keys);
    keep_pointers(&info.sorted, &given->sorted);
    keep_pointers(&info.indices, &given->indices);
    keep_segment_pointers(&info.segments, &given->segments);
    info.segments.runs.countOutputs = NULL;
    start_request(requested);
    allow_view(&info.keys, 0, false);
    allow_count(&info.gpuCount);
    allow_segments(&info.segments);
    allow_view(&info.sorted, 0, true);
    allow_view(&info.indices, 0, true);
    info.payloads =
        copy_payloads(info.payloadCount, given->payloads, given->payloadCount, payloads);
    info.then = copy_sort_keys(info.thenCount, given->then, given->thenCount, then);
    return __real_vkrCmdSort(recorder, &info);
}

VkrResult __wrap_vkrCmdBin(VkrRecorder recorder, const VkrBinInfo *given)
{
    VkrPayload payloads[MAX_ENTRIES];
    VkrBinInfo info = *given;
    disturb(&info, sizeof info);
    info.label = given->label;
    keep_pointers(&info.keys, &given->keys);
    keep_pointers(&info.indices, &given->indices);
    start_request(requested);
    allow_view(&info.keys, 0, false);
    allow_count(&info.gpuCount);
    allow_range(&info.counts, true);
    allow_range(&info.offsets, true);
    allow_view(&info.indices, 0, true);
    info.payloads =
        copy_payloads(info.payloadCount, given->payloads, given->payloadCount, payloads);
    return __real_vkrCmdBin(recorder, &info);
}

VkrResult __wrap_vkrCmdTopK(VkrRecorder recorder, const VkrTopKInfo *given)
{
    VkrPayload payloads[MAX_ENTRIES];
    VkrTopKInfo info = *given;
    disturb(&info, sizeof info);
    info.label = given->label;
    keep_pointers(&info.input, &given->input);
    keep_pointers(&info.values, &given->values);
    keep_pointers(&info.indices, &given->indices);
    keep_segment_pointers(&info.segments, &given->segments);
    info.segments.runs.countOutputs = NULL;
    start_request(requested);
    allow_view(&info.input, 0, false);
    allow_count(&info.gpuCount);
    allow_segments(&info.segments);
    allow_view(&info.values, 0, true);
    allow_view(&info.indices, 0, true);
    allow_range(&info.found, true);
    allow_range(&info.wanted, false);
    info.payloads =
        copy_payloads(info.payloadCount, given->payloads, given->payloadCount, payloads);
    return __real_vkrCmdTopK(recorder, &info);
}

/* Ranks are as many as a call may read. */
VkrResult __wrap_vkrCmdSelect(VkrRecorder recorder, const VkrSelectInfo *given)
{
    static const double shares[VKR_MAX_SELECT_RANKS] = {0.0, 0.5, 1.0};
    uint32_t ranks[VKR_MAX_SELECT_RANKS] = {0};
    for (uint32_t i = 0; i < given->rankCount; i++)
        ranks[i] = given->ranks[i];
    VkrSelectInfo info = *given;
    disturb(&info, sizeof info);
    info.label = given->label;
    info.shares = info.shares == NULL ? NULL : shares;
    const bool on_gpu = info.gpuRanks.buffer != VK_NULL_HANDLE;
    info.ranks = info.shares == NULL && !on_gpu ? ranks : NULL;
    keep_pointers(&info.input, &given->input);
    keep_pointers(&info.values, &given->values);
    keep_pointers(&info.indices, &given->indices);
    keep_segment_pointers(&info.segments, &given->segments);
    info.segments.runs.countOutputs = NULL;
    start_request(requested);
    allow_view(&info.input, 0, false);
    allow_count(&info.gpuCount);
    allow_segments(&info.segments);
    allow_range(&info.gpuRanks, false);
    allow_view(&info.values, 0, true);
    allow_view(&info.indices, 0, true);
    return __real_vkrCmdSelect(recorder, &info);
}

VkrResult __wrap_vkrCmdMerge(VkrRecorder recorder, const VkrMergeInfo *given)
{
    VkrMergePayload payloads[MAX_ENTRIES];
    VkrMergeInfo info = *given;
    VkrView *const views[] = {&info.a.keys, &info.b.keys, &info.merged, &info.indices};
    const VkrView *const before[] = {&given->a.keys, &given->b.keys, &given->merged,
                                     &given->indices};
    disturb(&info, sizeof info);
    info.label = given->label;
    start_request(requested);
    for (size_t i = 0; i < ARRAY_SIZE(views); i++) {
        keep_pointers(views[i], before[i]);
        allow_view(views[i], 0, i >= 2);
    }
    allow_count(&info.a.gpuCount);
    allow_count(&info.b.gpuCount);
    info.payloads =
        copy_merge_payloads(info.payloadCount, given->payloads, given->payloadCount, payloads);
    return __real_vkrCmdMerge(recorder, &info);
}

VkrResult __wrap_vkrCmdBounds(VkrRecorder recorder, const VkrBoundsInfo *given)
{
    VkrBoundsInfo info = *given;
    VkrView *const views[] = {&info.sorted, &info.values, &info.lower, &info.upper};
    const VkrView *const before[] = {&given->sorted, &given->values, &given->lower, &given->upper};
    disturb(&info, sizeof info);
    info.label = given->label;
    start_request(requested);
    for (size_t i = 0; i < ARRAY_SIZE(views); i++) {
        keep_pointers(views[i], before[i]);
        allow_view(views[i], 0, i >= 2);
    }
    allow_count(&info.gpuCount);
    allow_count(&info.gpuValueCount);
    return __real_vkrCmdBounds(recorder, &info);
}

VkrResult __wrap_vkrCmdFind(VkrRecorder recorder, const VkrFindInfo *given)
{
    VkrFindInfo info = *given;
    disturb(&info, sizeof info);
    info.label = given->label;
    keep_predicate_pointers(&info.predicate, &given->predicate);
    keep_pointers(&info.input, &given->input);
    start_request(requested);
    allow_view(&info.input, 0, false);
    allow_count(&info.gpuCount);
    allow_predicate(&info.predicate);
    allow_range(&info.index, true);
    return __real_vkrCmdFind(recorder, &info);
}

VkrResult __wrap_vkrCmdApply(VkrRecorder recorder, const VkrApplyInfo *given)
{
    VkrApplyInfo info = *given;
    disturb(&info, sizeof info);
    info.label = given->label;
    keep_pointers(&info.input, &given->input);
    keep_pointers(&info.output, &given->output);
    keep_segment_pointers(&info.segments, &given->segments);
    info.segments.runs.countOutputs = NULL;
    start_request(requested);
    allow_view(&info.input, 0, false);
    allow_count(&info.gpuCount);
    allow_segments(&info.segments);
    allow_view(&info.output, 0, true);
    return __real_vkrCmdApply(recorder, &info);
}
