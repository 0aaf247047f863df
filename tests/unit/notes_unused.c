/* SPDX-License-Identifier: MIT */
/* Notes of fields that say something although a kind, a count or a buffer beside them says that
 * they are not used. */
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

/* A request without such a field gives no note; one with it gives one for each context. */
EXTERN_TEST(test_unused);
void test_unused(void **state __attribute__((unused)))
{
    static const struct {
        VkrResult (*call)(bool plain);
        const char *note;
    } rows[] = {UNUSED_ROWS(UNUSED_ROW)};
    for (size_t k = 0; k < ARRAY_SIZE(rows); k++) {
        trace_open(&(trace_device){0});
        for (uint32_t turn = 0; turn < 3; turn++) {
            assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
            if (rows[k].call(turn == 0) != VKR_SUCCESS)
                fail_msg("%s", fixture.sentence);
            if (turn == 1)
                assert_noted(rows[k].note);
            assert_int_equal(fixture.notes, 0);
        }
        trace_close();
    }
}
