/* SPDX-License-Identifier: MIT */
/* The operations for which rows and policies are measured. Their results must not depend on these,
 * so where an operation stores more than fits, its output is reduced to a few words that do. */
#include "commands/tune/tune.h"

#define ROW_LENGTH 256u
#define BINS 256u
#define KEPT_OF 32u       /* of a selection */
#define CHECK_SPACING 64u /* bytes between results of several reductions */

/* ---- Rows ---- */

static VkrResult collect_reduction(VkrRecorder recorder, const workload *w)
{
    return vkrCmdReduce(recorder, &(VkrReduceInfo){.ops = VKR_OP_MIN | VKR_OP_MAX,
                                                   .input = w->from,
                                                   .count = w->count,
                                                   .output = w->results});
}

/* Prefix maxima are exact for floats too. */
static VkrResult collect_scan(VkrRecorder recorder, const workload *w)
{
    return vkrCmdScan(recorder, &(VkrScanInfo){.op = VKR_OP_MAX,
                                               .input = w->from,
                                               .count = w->count,
                                               .output = w->target,
                                               .total = w->results});
}

/* About half of random elements are kept. */
static VkrResult collect_compaction(VkrRecorder recorder, const workload *w)
{
    const VkrType type = w->from.type;
    const bool is_float = type >= VKR_TYPE_F16;
    const bool is_unsigned =
        type == VKR_TYPE_U8 || type == VKR_TYPE_U16 || type == VKR_TYPE_U32 || type == VKR_TYPE_U64;
    const VkrCountOutput kept = {.buffer = w->results.buffer, .offset = w->results.offset};
    VkrCompactInfo info = {
        .input = w->from,
        .count = w->count,
        .predicate = {.kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_LESS},
        .kept = w->target,
        .countOutputCount = 1,
        .countOutputs = &kept};
    if (is_float)
        info.predicate.a.f = 0.5;
    else if (is_unsigned)
        info.predicate.a.u = UINT64_C(1) << (8 * vkrTypeSize(type) - 1);
    return vkrCmdCompact(recorder, &info);
}

/* ---- Policies ---- */

/* A reduction, and then the sum and the parity of the words of its results, between which there are
 * no gaps. */
static VkrResult collect_words(VkrRecorder recorder, const workload *w, VkrReduceInfo *info,
                               VkDeviceSize offset)
{
    VkrReduceLayout layout;
    info->output = (VkrBufferRange){w->target.buffer, 0, w->target.size};
    VkrResult result = vkrGetReduceLayout(w->context, info, &layout);
    const VkrReduceInfo all = {
        .ops = VKR_OP_XOR | VKR_OP_SUM,
        .input = {.buffer = w->target.buffer, .size = layout.size, .type = VKR_TYPE_U32},
        .count = VKR_COUNT_ALL,
        .output = {w->results.buffer, w->results.offset + offset, w->results.size - offset}};
    if (result == VKR_SUCCESS)
        result = vkrCmdReduce(recorder, info);
    return result == VKR_SUCCESS ? vkrCmdReduce(recorder, &all) : result;
}

/* Reductions with states of several sizes. The numbers of words in the policy of reductions bound
 * the units of a row in flight, blocks with many operators, columns, windows, and teams that merge
 * rows, in this order; the last two of these take longer for an element. Sums of floats are those
 * of the whole, whose bits level DEVICE defines. The last row is for the workgroups of a whole. */
static VkrResult collect_states(VkrRecorder recorder, const workload *w)
{
    enum {
        EXTREMES = VKR_OP_MIN | VKR_OP_MAX,
        MANY = EXTREMES | VKR_OP_ARGMIN | VKR_OP_ARGMAX | VKR_OP_SUM | VKR_OP_SUMSQ
    };
    static const struct {
        VkrSegmentKind kind;
        uint64_t length;
        VkrType type;
        uint32_t components;
        uint64_t part; /* of the values */
        VkrOpFlags ops;
    } rows[] = {{VKR_SEGMENTS_NONE, 0, VKR_TYPE_F32, 1, 1, EXTREMES | VKR_OP_SUM},
                {VKR_SEGMENTS_NONE, 0, VKR_TYPE_F32, 1, 1, MANY | VKR_OP_L1},
                {VKR_SEGMENTS_COLUMNS, 64, VKR_TYPE_U32, 1, 1, MANY | VKR_OP_AND | VKR_OP_OR},
                {VKR_SEGMENTS_WINDOWS, 32, VKR_TYPE_F32, 4, 8, EXTREMES},
                {VKR_SEGMENTS_ROWS, 32, VKR_TYPE_U32, 4, 4, MANY | VKR_OP_AND | VKR_OP_OR},
                {VKR_SEGMENTS_NONE, 0, VKR_TYPE_U32, 1, 1, EXTREMES}};
    VkrResult result = VKR_SUCCESS;
    for (uint32_t i = 0; i < sizeof rows / sizeof rows[0] && result == VKR_SUCCESS; i++) {
        const bool whole = rows[i].kind == VKR_SEGMENTS_NONE;
        VkrReduceInfo info = {.ops = rows[i].ops,
                              .input = w->from,
                              .count = w->count / rows[i].part / rows[i].components,
                              .determinism = whole ? VKR_DETERMINISM_DEVICE : VKR_DETERMINISM_RUN,
                              .segments = {.kind = rows[i].kind, .length = rows[i].length}};
        info.input.type = rows[i].type;
        info.input.components = rows[i].components;
        result = collect_words(recorder, w, &info, i * CHECK_SPACING);
    }
    return result;
}

static VkrResult collect_rows(VkrRecorder recorder, const workload *w)
{
    VkrReduceInfo rows = {.ops = VKR_OP_MIN | VKR_OP_MAX,
                          .input = w->from,
                          .count = w->count,
                          .segments = {.kind = VKR_SEGMENTS_ROWS, .length = ROW_LENGTH}};
    return collect_words(recorder, w, &rows, 0);
}

/* Keys in order, and then the sum of each times the key at its place before, which depends on the
 * order. */
static VkrResult collect_sort(VkrRecorder recorder, const workload *w)
{
    const VkrSortInfo sort = {.keys = w->from, .count = w->count, .sorted = w->target};
    const VkrReduceInfo all = {.ops = VKR_OP_DOT,
                               .input = w->target,
                               .input2 = w->from,
                               .count = w->count,
                               .output = w->results};
    const VkrResult result = vkrCmdSort(recorder, &sort);
    return result == VKR_SUCCESS ? vkrCmdReduce(recorder, &all) : result;
}

static VkrResult collect_selection(VkrRecorder recorder, const workload *w)
{
    return vkrCmdTopK(recorder, &(VkrTopKInfo){.input = w->from,
                                               .count = w->count,
                                               .k = KEPT_OF,
                                               .values = {.buffer = w->results.buffer,
                                                          .offset = w->results.offset,
                                                          .size = w->results.size}});
}

static VkrResult collect_histogram(VkrRecorder recorder, const workload *w)
{
    return vkrCmdHistogram(recorder, &(VkrHistogramInfo){.input = w->from,
                                                         .count = w->count,
                                                         .bins = {.count = BINS, .high.value = 1},
                                                         .counts = w->results});
}

#define OPERATION(number, words, function)                                                         \
    [number] = {.name = words, .operation = (number), .collect = function}

#define POLICY(number, words, values, function)                                                    \
    [VKR_OPERATION_COUNT + (number)] = {.name = words,                                             \
                                        .is_policy = true,                                         \
                                        .has_images = (number) == VKR_POLICY_PYRAMID,              \
                                        .policy = (number),                                        \
                                        .type = (values),                                          \
                                        .collect = function}

const subject tune_subjects[] = {
    OPERATION(VKR_OPERATION_REDUCE, "min+max", collect_reduction),
    OPERATION(VKR_OPERATION_SCAN, "scan", collect_scan),
    OPERATION(VKR_OPERATION_COMPACT, "compact", collect_compaction),
    POLICY(VKR_POLICY_REDUCE, "large states", VKR_TYPE_F32, collect_states),
    POLICY(VKR_POLICY_SEGMENTS, "rows of 256", VKR_TYPE_F32, collect_rows),
    POLICY(VKR_POLICY_SORT, "sort", VKR_TYPE_U32, collect_sort),
    POLICY(VKR_POLICY_TOP_K, "topk 32", VKR_TYPE_U32, collect_selection),
    POLICY(VKR_POLICY_HISTOGRAM, "histogram of 256 bins", VKR_TYPE_F32, collect_histogram),
    POLICY(VKR_POLICY_PYRAMID, "pyramids", VKR_TYPE_F32, levels_collect),
    POLICY(VKR_POLICY_COMPACT, "stores of compact", VKR_TYPE_F32, collect_compaction),
};
_Static_assert(sizeof tune_subjects / sizeof tune_subjects[0] == SUBJECTS,
               "the last operation and the last policy have a subject, as do all before them");
