/* SPDX-License-Identifier: MIT */
/* The operations for which rows and policies are measured. Their results must not depend on these,
 * so where an operation stores more than fits, its output is reduced to a few words that do. */
#include "commands/tune/tune.h"

#define ROW_LENGTH 256u
#define BINS 256u
#define KEPT_OF 32u /* of a selection */

static VkrResult collect_reduction(VkrRecorder recorder, const VkrView *from, uint64_t count,
                                   const VkrView *target, const VkrBufferRange *results)
{
    (void)target;
    return vkrCmdReduce(recorder, &(VkrReduceInfo){.ops = VKR_OP_MIN | VKR_OP_MAX,
                                                   .input = *from,
                                                   .count = count,
                                                   .output = *results});
}

/* Prefix maxima are exact for floats too. */
static VkrResult collect_scan(VkrRecorder recorder, const VkrView *from, uint64_t count,
                              const VkrView *target, const VkrBufferRange *results)
{
    return vkrCmdScan(recorder, &(VkrScanInfo){.op = VKR_OP_MAX,
                                               .input = *from,
                                               .count = count,
                                               .output = *target,
                                               .total = *results});
}

/* About half of random elements are kept. */
static VkrResult collect_compaction(VkrRecorder recorder, const VkrView *from, uint64_t count,
                                    const VkrView *target, const VkrBufferRange *results)
{
    const VkrType type = from->type;
    const bool is_float = type >= VKR_TYPE_F16;
    const bool is_unsigned =
        type == VKR_TYPE_U8 || type == VKR_TYPE_U16 || type == VKR_TYPE_U32 || type == VKR_TYPE_U64;
    const VkrCountOutput kept = {.buffer = results->buffer, .offset = results->offset};
    VkrCompactInfo info = {
        .input = *from,
        .count = count,
        .predicate = {.kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_LESS},
        .kept = *target,
        .countOutputCount = 1,
        .countOutputs = &kept};
    if (is_float)
        info.predicate.a.f = 0.5;
    else if (is_unsigned)
        info.predicate.a.u = UINT64_C(1) << (8 * vkrTypeSize(type) - 1);
    return vkrCmdCompact(recorder, &info);
}

static VkrBufferRange range_of(const VkrView *view)
{
    return (VkrBufferRange){view->buffer, view->offset, view->size};
}

/* Rows, and then the sum and the parity of the words of their results. */
static VkrResult collect_rows(VkrRecorder recorder, const VkrView *from, uint64_t count,
                              const VkrView *target, const VkrBufferRange *results)
{
    const VkrReduceInfo rows = {.ops = VKR_OP_MIN | VKR_OP_MAX,
                                .input = *from,
                                .count = count,
                                .segments = {.kind = VKR_SEGMENTS_ROWS, .length = ROW_LENGTH},
                                .output = range_of(target)};
    const VkrReduceInfo all = {
        .ops = VKR_OP_XOR | VKR_OP_SUM,
        .input = {.buffer = target->buffer, .size = target->size, .type = VKR_TYPE_U32},
        .count = 2 * count / ROW_LENGTH,
        .output = *results};
    const VkrResult result = vkrCmdReduce(recorder, &rows);
    return result == VKR_SUCCESS ? vkrCmdReduce(recorder, &all) : result;
}

/* Keys in order, and then the sum of each times the key at its place before, which depends on the
 * order. */
static VkrResult collect_sort(VkrRecorder recorder, const VkrView *from, uint64_t count,
                              const VkrView *target, const VkrBufferRange *results)
{
    const VkrSortInfo sort = {.keys = *from, .count = count, .sorted = *target};
    const VkrReduceInfo all = {
        .ops = VKR_OP_DOT, .input = *target, .input2 = *from, .count = count, .output = *results};
    const VkrResult result = vkrCmdSort(recorder, &sort);
    return result == VKR_SUCCESS ? vkrCmdReduce(recorder, &all) : result;
}

static VkrResult collect_selection(VkrRecorder recorder, const VkrView *from, uint64_t count,
                                   const VkrView *target, const VkrBufferRange *results)
{
    (void)target;
    return vkrCmdTopK(recorder, &(VkrTopKInfo){.input = *from,
                                               .count = count,
                                               .k = KEPT_OF,
                                               .values = {.buffer = results->buffer,
                                                          .offset = results->offset,
                                                          .size = results->size}});
}

static VkrResult collect_histogram(VkrRecorder recorder, const VkrView *from, uint64_t count,
                                   const VkrView *target, const VkrBufferRange *results)
{
    (void)target;
    return vkrCmdHistogram(recorder, &(VkrHistogramInfo){.input = *from,
                                                         .count = count,
                                                         .bins = {.count = BINS, .high.value = 1},
                                                         .counts = *results});
}

const subject tune_subjects[SUBJECTS] = {
    {.name = "min+max", .operation = VKR_OPERATION_REDUCE, .collect = collect_reduction},
    {.name = "scan", .operation = VKR_OPERATION_SCAN, .collect = collect_scan},
    {.name = "compact", .operation = VKR_OPERATION_COMPACT, .collect = collect_compaction},
    {"rows of 256", true, VKR_OPERATION_REDUCE, VKR_POLICY_SEGMENTS, VKR_TYPE_F32, collect_rows},
    {"sort", true, VKR_OPERATION_REDUCE, VKR_POLICY_SORT, VKR_TYPE_U32, collect_sort},
    {"topk 32", true, VKR_OPERATION_REDUCE, VKR_POLICY_TOP_K, VKR_TYPE_U32, collect_selection},
    {"histogram of 256 bins", true, VKR_OPERATION_REDUCE, VKR_POLICY_HISTOGRAM, VKR_TYPE_F32,
     collect_histogram},
};
