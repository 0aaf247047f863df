/* SPDX-License-Identifier: MIT */
/* Notes of fields that say something although a kind, a count or a buffer beside them says that
 * they are not used. */
#include <string.h>

#include "trace.h"

#define UNUSED_ROWS(X)                                                                             \
    X(sort_payloads, Sort,                                                                         \
      "payloads is set, but not used, since payloadCount is 0; that must be the number of its "    \
      "entries.",                                                                                  \
      i.payloads = payload)                                                                        \
    X(bin_payloads, Bin,                                                                           \
      "payloads is set, but not used, since payloadCount is 0; that must be the number of its "    \
      "entries.",                                                                                  \
      i.payloads = payload)                                                                        \
    X(top_payloads, TopK,                                                                          \
      "payloads is set, but not used, since payloadCount is 0; that must be the number of its "    \
      "entries.",                                                                                  \
      i.payloads = payload)                                                                        \
    X(payloads, Compact,                                                                           \
      "payloads is set, but not used, since payloadCount is 0; that must be the number of its "    \
      "entries.",                                                                                  \
      i.payloads = payload)                                                                        \
    X(count_outputs, Compact,                                                                      \
      "countOutputs is set, but not used, since countOutputCount is 0; that must be the number "   \
      "of its entries.",                                                                           \
      i.countOutputs = &output)                                                                    \
    X(run_outputs, Reduce,                                                                         \
      "segments.runs.countOutputs is set, but not used, since segments.runs.countOutputCount is "  \
      "0; that must be the number of its entries.",                                                \
      i.segments = (VkrSegments){.kind = VKR_SEGMENTS_KEYS, .keys = i.input};                      \
      i.segments.runs.countOutputs = &output)                                                      \
    X(shares, Quantile,                                                                            \
      "shares is set, but not used, since shareCount is 0; that must be the number of its "        \
      "entries.",                                                                                  \
      i.shares = &share)                                                                           \
    X(compare, Compact,                                                                            \
      "predicate.compare is 3, but not used, since predicate.kind is nonzero; that must be "       \
      "compare or bits.",                                                                          \
      i.predicate.compare = VKR_COMPARE_LESS)                                                      \
    X(found_compare, Find,                                                                         \
      "predicate.compare2 is 3, but not used, since predicate.kind is nonzero; that must be "      \
      "compare.",                                                                                  \
      i.predicate.compare2 = VKR_COMPARE_LESS)                                                     \
    X(constant, Compact,                                                                           \
      "predicate.a is set, but not used, since predicate.kind is nonzero; that must be compare.",  \
      i.predicate.a.f = 2)                                                                         \
    X(second, Compact,                                                                             \
      "predicate.b is set, but not used, since predicate.compare2 is none; that must be a "        \
      "comparison.",                                                                               \
      i.predicate = (VkrPredicate){.kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_LESS};    \
      i.predicate.b.f = 2)                                                                         \
    X(mask, Compact,                                                                               \
      "predicate.mask is 5, but not used, since predicate.kind is nonzero; that must be bits.",    \
      i.predicate.mask = 5)                                                                        \
    X(flags, Compact,                                                                              \
      "predicate.flags is set, but not used, since predicate.kind is nonzero; that must be "       \
      "flags.",                                                                                    \
      i.predicate.flags.range.buffer = BUFFER('F'))                                                \
    X(integer, Compact,                                                                            \
      "predicate.a.i is 7, but not used, since the elements are of type f32; their constants "     \
      "must be in .f, which is 3.45846e-323.",                                                     \
      i.predicate = (VkrPredicate){.kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_LESS};    \
      i.predicate.a.i = 0; i.predicate.a.i = 7)                                                    \
    X(negative, Compact,                                                                           \
      "predicate.a.i is -7, but not used, since the elements are of type f32; their constants "    \
      "must be in .f, which is NaN.",                                                              \
      i.predicate = (VkrPredicate){.kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_LESS};    \
      i.predicate.a.i = -7)                                                                        \
    X(length, Reduce,                                                                              \
      "segments.length is 10, but not used, since segments.kind is none; that must be rows, "      \
      "columns, windows or tiles.",                                                                \
      i.segments.length = 10)                                                                      \
    X(scan_offsets, Scan,                                                                          \
      "segments.offsets is set, but not used, since segments.kind is none; that must be "          \
      "offsets.",                                                                                  \
      i.segments.offsets = ((VkrBufferRange){BUFFER('F'), 0, 8}))                                  \
    X(sort_width, Sort,                                                                            \
      "segments.tileWidth is 4, but not used, since segments.kind is none; that must be tiles.",   \
      i.segments.tileWidth = 4)                                                                    \
    X(top_keys, TopK,                                                                              \
      "segments.keys is set, but not used, since segments.kind is none; that must be keys.",       \
      i.segments.keys.buffer = BUFFER('F'))                                                        \
    X(select_keys, Select,                                                                         \
      "segments.keys is set, but not used, since segments.kind is none; that must be keys.",       \
      i.segments.keys.buffer = BUFFER('F'))                                                        \
    X(unique_value, Compact,                                                                       \
      "predicate.byValue is 1, but not used, since predicate.kind is nonzero; that must be "       \
      "unique.",                                                                                   \
      i.predicate.byValue = VK_TRUE)                                                               \
    X(key_value, Reduce,                                                                           \
      "segments.byValue is 1, but not used, since segments.kind is none; that must be keys.",      \
      i.segments.byValue = VK_TRUE)                                                                \
    X(gpu_count, Scan,                                                                             \
      "gpuCount.offset is 8, but not used, since its buffer is VK_NULL_HANDLE; that must be a "    \
      "buffer.",                                                                                   \
      i.gpuCount.offset = 8)                                                                       \
    X(total, Scan,                                                                                 \
      "total.size is 4, but not used, since its buffer is VK_NULL_HANDLE; that must be a buffer.", \
      i.total.size = 4)                                                                            \
    X(outside, Histogram,                                                                          \
      "outside.size is 12, but not used, since its buffer is VK_NULL_HANDLE; that must be a "      \
      "buffer.",                                                                                   \
      i.outside.size = 12)                                                                         \
    X(weights, Histogram,                                                                          \
      "weights.size is 4000, but not used, since its buffer is VK_NULL_HANDLE; that must be a "    \
      "buffer.",                                                                                   \
      i.weights.size = 4000)                                                                       \
    X(texels, Scan,                                                                                \
      "input.texels.size is 4000, but not used, since texels.view is VK_NULL_HANDLE; that must "   \
      "be a buffer view.",                                                                         \
      i.input.texels.size = 4000)                                                                  \
    X(bin_edges, Histogram,                                                                        \
      "bins.edges is set, but not used, since bins.kind is even; that must be edges.",             \
      i.bins.edges.size = 12)                                                                      \
    X(gpu_range, Histogram,                                                                        \
      "bins.gpuRange.high is 4, but not used, since bins.gpuRange.buffer is VK_NULL_HANDLE; that " \
      "must be a buffer.",                                                                         \
      i.bins.gpuRange.high = 4)                                                                    \
    X(values, Bounds,                                                                              \
      "valueCount is 0, so no value is searched for, although values holds 1000; VKR_COUNT_ALL "   \
      "stands for all of them.",                                                                   \
      i.valueCount = 0)

/* Fields of the same kinds, of which only the start of the note is compared. */
#define FIELD_ROWS(X)                                                                              \
    X(field_bin_texels, Bin, "keys.texels.size is 8", i.keys.texels.size = 8)                      \
    X(field_bin_count, Bin, "gpuCount.offset is 8", i.gpuCount.offset = 8)                         \
    X(field_bin_counts, Bin, "counts.size is 40",                                                  \
      i.offsets = (VkrBufferRange){BUFFER('O'), 0, 44};                                            \
      i.counts.buffer = NULL)                                                                      \
    X(field_bin_offsets, Bin, "offsets.size is 44", i.offsets.size = 44)                           \
    X(field_sorted_texels, Bounds, "sorted.texels.size is 8", i.sorted.texels.size = 8)            \
    X(field_value_texels, Bounds, "values.texels.size is 8", i.values.texels.size = 8)             \
    X(field_sorted_count, Bounds, "gpuCount.offset is 8", i.gpuCount.offset = 8)                   \
    X(field_value_count, Bounds, "gpuValueCount.offset is 8", i.gpuValueCount.offset = 8)          \
    X(field_kept_texels, Compact, "input.texels.size is 8", i.input.texels.size = 8)               \
    X(field_kept_count, Compact, "gpuCount.offset is 8", i.gpuCount.offset = 8)                    \
    X(field_append, Compact, "append.offset is 8", i.append.offset = 8)                            \
    X(field_found_texels, Find, "input.texels.size is 8", i.input.texels.size = 8)                 \
    X(field_found_count, Find, "gpuCount.offset is 8", i.gpuCount.offset = 8)                      \
    X(field_bin_input, Histogram, "input.texels.size is 8", i.input.texels.size = 8)               \
    X(field_counted, Histogram, "gpuCount.offset is 8", i.gpuCount.offset = 8)                     \
    X(field_count_mask, Histogram, "mask.flags.range.size is 4", i.mask.flags.range.size = 4)      \
    X(field_count_edges, Histogram, "edges.size is 20", i.edges.size = 20)                         \
    X(field_trimmed, Quantile, "trimmedMean.size is 8", i.trimmedMean.size = 8)                    \
    X(field_cumulative, Quantile, "cumulative.size is 80", i.cumulative.buffer = NULL;             \
      i.shares = &share; i.shareCount = 1; i.quantiles = (VkrBufferRange){BUFFER('Q'), 0, 4})      \
    X(field_input, Reduce, "input.texels.size is 8", i.input.texels.size = 8)                      \
    X(field_input2, Reduce, "input2.size is 8", i.input2.size = 8)                                 \
    X(field_count, Reduce, "gpuCount.offset is 8", i.gpuCount.offset = 8)                          \
    X(field_count_type, Reduce, "gpuCount.type is 8", i.gpuCount.type = VKR_TYPE_U64)              \
    X(field_reduce_mask, Reduce, "mask.flags.range.size is 4", i.mask.flags.range.size = 4)        \
    X(field_initial, Scan, "gpuInitial.size is 4", i.gpuInitial.size = 4)                          \
    X(field_scan_mask, Scan, "mask.flags.range.size is 4", i.mask.flags.range.size = 4)            \
    X(field_sort_texels, Sort, "keys.texels.size is 8", i.keys.texels.size = 8)                    \
    X(field_sort_count, Sort, "gpuCount.offset is 8", i.gpuCount.offset = 8)                       \
    X(field_top_texels, TopK, "input.texels.size is 8", i.input.texels.size = 8)                   \
    X(field_top_count, TopK, "gpuCount.offset is 8", i.gpuCount.offset = 8)                        \
    X(field_expand_texels, Expand, "counts.texels.size is 8", i.counts.texels.size = 8)            \
    X(field_expand_count, Expand, "gpuCount.offset is 8", i.gpuCount.offset = 8)                   \
    X(field_merge_texels, Merge, "b.keys.texels.size is 8", i.b.keys.texels.size = 8)              \
    X(field_merge_count, Merge, "a.gpuCount.offset is 8", i.a.gpuCount.offset = 8)                 \
    X(field_apply_texels, Apply, "input.texels.size is 8", i.input.texels.size = 8)                \
    X(field_apply_count, Apply, "gpuCount.offset is 8", i.gpuCount.offset = 8)                     \
    X(field_select_texels, Select, "input.texels.size is 8", i.input.texels.size = 8)              \
    X(field_select_count, Select, "gpuCount.offset is 8", i.gpuCount.offset = 8)                   \
    X(field_found, TopK, "found.size is 4", i.found.size = 4)                                      \
    X(field_wanted, TopK, "wanted.size is 4", i.wanted.size = 4)                                   \
    X(field_ranks, Select, "gpuRanks.size is 4", i.gpuRanks.size = 4)                              \
    X(field_total_offset, Scan, "total.offset is 4", i.total.offset = 4)                           \
    X(field_weights_offset, Histogram, "weights.offset is 4", i.weights.offset = 4)                \
    X(field_texels_offset, Scan, "input.texels.offset is 8", i.input.texels.offset = 8)            \
    X(field_heads, Scan, "segments.flags is set", i.segments.flags.range.buffer = BUFFER('F'))     \
    X(field_tile_height, Reduce, "segments.tileHeight is 4", i.segments.tileHeight = 4)            \
    X(field_offset_type, Reduce, "segments.offsetType is 8", i.segments.offsetType = VKR_TYPE_U64) \
    X(field_segment_count, Reduce, "segments.gpuCount is set",                                     \
      i.segments.gpuCount.buffer = BUFFER('F'))                                                    \
    X(field_runs, Reduce, "segments.runs is set", i.segments.runs.lengths.buffer = BUFFER('F'))    \
    X(field_run_capacity, Reduce, "segments.runs.capacity is 4", i.segments.runs.capacity = 4)     \
    X(field_second_kind, Compact, "predicate.b is set", i.predicate.b.f = 2)                       \
    X(field_gpu_constants, Compact, "predicate.gpuConstants.size is 4",                            \
      i.predicate.gpuConstants.size = 4)                                                           \
    X(field_value, Compact, "predicate.value is 4", i.predicate.value = 4)                         \
    X(field_low, Histogram, "bins.low is set",                                                     \
      i.bins = (VkrBins){                                                                          \
          .kind = VKR_BINS_EDGES, .count = 4, .low.value = 1, .edges = {BUFFER('E'), 0, 20}})      \
    X(field_high, Histogram, "bins.high is set", i.bins.kind = VKR_BINS_INTEGERS;                  \
      i.input.type = VKR_TYPE_U32)                                                                 \
    X(field_gpu_low, Histogram, "bins.gpuRange.low is 4", i.bins.gpuRange.low = 4)                 \
    X(field_second_integer, Compact, "predicate.b.i is 7",                                         \
      i.predicate = (VkrPredicate){.kind = VKR_PREDICATE_COMPARE,                                  \
                                   .compare = VKR_COMPARE_LESS,                                    \
                                   .compare2 = VKR_COMPARE_GREATER};                               \
      i.predicate.b.i = 7)

static const VkrPayload payload[1] = {
    {.size = 4, .source = {BUFFER('P'), 0, 4000}, .target = {BUFFER('T'), 0, 4000}}};
static const VkrCountOutput output = {.buffer = BUFFER('C')};
static const double share = 0.5;

static VkrReduceInfo plain_Reduce(void)
{
    VkrReduceInfo info = plain_reduce();
    info.output.size = 8000;
    return info;
}

static VkrScanInfo plain_Scan(void)
{
    return plain_scan();
}

static VkrCompactInfo plain_Compact(void)
{
    return plain_compact();
}

static VkrSortInfo plain_Sort(void)
{
    return (VkrSortInfo){.keys = plain_reduce().input,
                         .count = VKR_COUNT_ALL,
                         .sorted = {.buffer = BUFFER('S'), .size = 4000}};
}

static VkrBinInfo plain_Bin(void)
{
    return (VkrBinInfo){.keys = {.buffer = BUFFER('A'), .size = 4000, .type = VKR_TYPE_U32},
                        .count = VKR_COUNT_ALL,
                        .binCount = 10,
                        .counts = {BUFFER('S'), 0, 40}};
}

static VkrTopKInfo plain_TopK(void)
{
    return (VkrTopKInfo){.input = plain_reduce().input,
                         .count = VKR_COUNT_ALL,
                         .k = 10,
                         .values = {.buffer = BUFFER('S'), .size = 40}};
}

static VkrExpandInfo plain_Expand(void)
{
    return (VkrExpandInfo){.counts = {.buffer = BUFFER('C'), .size = 4000, .type = VKR_TYPE_U32},
                           .count = VKR_COUNT_ALL,
                           .sources = {.buffer = BUFFER('S'), .size = 4000}};
}

static VkrMergeInfo plain_Merge(void)
{
    const VkrMergeInput keys = {.keys = plain_reduce().input, .count = VKR_COUNT_ALL};
    return (VkrMergeInfo){.a = keys, .b = keys, .merged = {.buffer = BUFFER('S'), .size = 8000}};
}

static VkrApplyInfo plain_Apply(void)
{
    VkrView input = plain_reduce().input;
    input.type = VKR_TYPE_F32;
    return (VkrApplyInfo){
        .input = input, .count = VKR_COUNT_ALL, .output = {.buffer = BUFFER('S'), .size = 4000}};
}

static VkrSelectInfo plain_Select(void)
{
    static const uint32_t rank = 500;
    return (VkrSelectInfo){.input = plain_reduce().input,
                           .count = VKR_COUNT_ALL,
                           .rankCount = 1,
                           .ranks = &rank,
                           .values = {.buffer = BUFFER('S'), .size = 4}};
}

static VkrHistogramInfo plain_Histogram(void)
{
    return (VkrHistogramInfo){.input = plain_reduce().input,
                              .count = VKR_COUNT_ALL,
                              .bins = {.count = 4, .high.value = 1},
                              .counts = {BUFFER('O'), 0, 64}};
}

static VkrQuantileInfo plain_Quantile(void)
{
    return (VkrQuantileInfo){.binCount = 10,
                             .counts = {BUFFER('A'), 0, 40},
                             .edges = {BUFFER('E'), 0, 44},
                             .cumulative = {BUFFER('S'), 0, 80}};
}

static VkrFindInfo plain_Find(void)
{
    return (VkrFindInfo){
        .input = plain_reduce().input, .count = VKR_COUNT_ALL, .index = {BUFFER('I'), 0, 8}};
}

static VkrBoundsInfo plain_Bounds(void)
{
    return (VkrBoundsInfo){.sorted = plain_reduce().input,
                           .count = VKR_COUNT_ALL,
                           .values = {.buffer = BUFFER('V'), .size = 4000, .type = VKR_TYPE_F32},
                           .valueCount = VKR_COUNT_ALL,
                           .lower = {.buffer = BUFFER('L'), .size = 8000}};
}

#define UNUSED_FUNCTION(name, Operation, note, ...)                                                \
    static VkrResult unused_##name(bool plain)                                                     \
    {                                                                                              \
        Vkr##Operation##Info i = plain_##Operation();                                              \
        if (!plain) {                                                                              \
            __VA_ARGS__;                                                                           \
        }                                                                                          \
        return vkrCmd##Operation(fixture.recorder, &i);                                            \
    }
#define UNUSED_ROW(name, Operation, note, ...) {unused_##name, "vkrCmd" #Operation ": " note},
UNUSED_ROWS(UNUSED_FUNCTION)
FIELD_ROWS(UNUSED_FUNCTION)

typedef struct unused_row {
    VkrResult (*call)(bool plain);
    const char *note;
} unused_row;

/* A request without such a field gives no note; one with it gives one for each context. Returns
 * the note. */
static const char *noted_once(const unused_row *row)
{
    trace_open(&(trace_device){0});
    for (uint32_t turn = 0; turn < 3; turn++) {
        assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
        if (row->call(turn == 0) != VKR_SUCCESS)
            fail_msg("%s", fixture.sentence);
        assert_int_equal(fixture.notes, turn == 1);
        assert_int_equal(fixture.sentences, 0);
        fixture.notes = 0;
    }
    trace_close();
    return fixture.note;
}

EXTERN_TEST(test_unused);
void test_unused(void **state __attribute__((unused)))
{
    static const unused_row rows[] = {UNUSED_ROWS(UNUSED_ROW)}, fields[] = {FIELD_ROWS(UNUSED_ROW)};
    for (size_t k = 0; k < ARRAY_SIZE(rows); k++)
        assert_string_equal(noted_once(&rows[k]), rows[k].note);
    for (size_t k = 0; k < ARRAY_SIZE(fields); k++) {
        const char *note = noted_once(&fields[k]);
        const size_t length = strlen(fields[k].note);
        if (strncmp(note, fields[k].note, length) != 0 ||
            strncmp(note + length, ", but not used, since ", 22) != 0)
            fail_msg("%s", note);
    }
}
