/* SPDX-License-Identifier: MIT */
/* Every field of VkrQuantileInfo wrong in turn: the right code and sentence, nothing recorded,
 * nothing leaked, and the recorder works afterwards. And what is right at the edge of it. */
#include <math.h>

#include "arguments_input.h"
#include "arguments_trace.h"

#define CALL "vkrCmdQuantile: "
#define SMALL_RANGE 65536u

static const trace_device plain = {0};
static const trace_device narrow = {.limits = {.maxStorageBufferRange = SMALL_RANGE}};

static VkrQuantileInfo info;
static double shares[VKR_MAX_SHARES + 1];

/* Three shares, the mean between two, and sums, of 100 counts in C. */
static void set_plain(void)
{
    shares[0] = 0;
    shares[1] = 0.5;
    shares[2] = 1;
    info = (VkrQuantileInfo){.binCount = 100,
                             .counts = {BUFFER('C'), 4, 400},
                             .edges = {BUFFER('E'), 0, 404},
                             .shareCount = 3,
                             .shares = shares,
                             .quantiles = {BUFFER('Q'), 0, 12},
                             .trim = {0.1, 0.95},
                             .trimmedMean = {BUFFER('M'), 8, 4},
                             .cumulative = {BUFFER('S'), 0, 800}};
}

static VkrResult call_quantile(const void *bad)
{
    return vkrCmdQuantile(fixture.recorder, bad);
}

/* name, sentence behind "vkrCmdQuantile: ", how a plain request becomes wrong */
/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
X(no_bins, "binCount is 0, but must be from 1 to 65536.", i->binCount = 0)                         \
X(many_bins, "binCount is 65537, but must be from 1 to 65536.", i->binCount = 65537)               \
X(components, "components is 5, but must be from 1 to 4, or 0 for 1.", i->components = 5)          \
X(count_type, "countType is 10, but must be VKR_TYPE_UNDEFINED (for u32), VKR_TYPE_U32 or "        \
  "VKR_TYPE_U64.", i->countType = VKR_TYPE_F32)                                                    \
X(edge_type, "edgeType is u32, but must be f32 or f64.", i->edgeType = VKR_TYPE_U32)               \
X(many_shares, "shareCount is 65, but must be at most 64.", i->shareCount = 65)                    \
X(no_shares, "shares is NULL, but must point to the 3 of shareCount.", i->shares = NULL)           \
X(share_below, "shares[1] is -0.5, but must be from 0 to 1.", shares[1] = -0.5)                    \
X(share_above, "shares[2] is 1.5, but must be from 0 to 1.", shares[2] = 1.5)                      \
X(share_nan, "shares[0] is nan, but must be from 0 to 1.", shares[0] = (double)NAN)                \
X(trim_below, "trim[0] is -1, but must be from 0 to 1.", i->trim[0] = -1)                          \
X(trim_above, "trim[1] is 2, but must be from 0 to 1.", i->trim[1] = 2)                            \
X(trim_order, "trim[0] is 0.95, but must be less than trim[1], 0.95, by at least 2^-32.",          \
  i->trim[0] = 0.95)                                                                               \
X(counts_small, "counts.size is 399, but must be at least 400.", i->counts.size = 399)             \
X(counts_wide, "counts.size is 400, but must be at least 800.", i->countType = VKR_TYPE_U64)       \
X(counts_offset, "counts.offset is 2, but must be a multiple of 4.", i->counts.offset = 2)         \
X(edges_small, "edges.size is 404, but must be at least 808.", i->edgeType = VKR_TYPE_F64)         \
X(edges_more, "edges.size is 404, but must be at least 808.", i->components = 2;                   \
  i->counts.size = 800)                                                                            \
X(quantiles_small, "quantiles.size is 8, but must be at least 12.", i->quantiles.size = 8)         \
X(mean_small, "trimmedMean.size is 3, but must be at least 4.", i->trimmedMean.size = 3)           \
X(sums_small, "cumulative.size is 796, but must be at least 800.", i->cumulative.size = 796)       \
X(nothing, "shareCount is 0, but must be at least 1 where neither trimmedMean nor cumulative is "  \
  "given.", i->shareCount = 0; i->trimmedMean = i->cumulative = (VkrBufferRange){0})               \
X(outputs, "quantiles overlaps trimmedMean, but must be apart from it.",                           \
  i->quantiles = ((VkrBufferRange){BUFFER('M'), 0, 12}))                                           \
X(in_place, "cumulative overlaps counts, but must be apart from it.",                              \
  i->cumulative = ((VkrBufferRange){BUFFER('C'), 0, 800}))
/* clang-format on */

#define WRONG(name, sentence, ...)                                                                 \
    static void wrong_##name(VkrQuantileInfo *i)                                                   \
    {                                                                                              \
        (void)i;                                                                                   \
        __VA_ARGS__;                                                                               \
    }
WRONG_ROWS(WRONG)
#define WRONG_ROW(name, sentence, ...) {CALL sentence, wrong_##name},
static const struct {
    const char *sentence;
    void (*wrong)(VkrQuantileInfo *i);
} wrong_rows[] = {WRONG_ROWS(WRONG_ROW)};

static void test_wrong(void **state)
{
    (void)state;
    trace_open(&plain);
    for (size_t k = 0; k < ARRAY_SIZE(wrong_rows); k++) {
        set_plain();
        wrong_rows[k].wrong(&info);
        assert_refused(call_quantile, &info, VKR_ERROR_INVALID_ARGUMENT, wrong_rows[k].sentence);
    }
    assert_refused(call_quantile, NULL, VKR_ERROR_INVALID_ARGUMENT,
                   CALL "info is NULL, but must point to a VkrQuantileInfo.");
    trace_close();
    trace_open(&narrow);
    set_plain();
    info.binCount = 20000;
    info.counts.size = 80000;
    info.edges.size = 80004;
    assert_refused(call_quantile, &info, VKR_ERROR_UNSUPPORTED,
                   CALL "counts takes 80000 bytes, but must fit maxStorageBufferRange (65536 "
                        "bytes).");
    trace_close();
}

static void right(uint32_t dispatches)
{
    trace_clear();
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    if (vkrCmdQuantile(fixture.recorder, &info) != VKR_SUCCESS)
        fail_msg("%s", fixture.sentence);
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    assert_int_equal(fixture.dispatch_count, dispatches);
    assert_int_equal(vkrReset(fixture.recorder), VKR_SUCCESS);
}

static void test_right(void **state)
{
    (void)state;
    trace_open(&plain);
    set_plain();
    right(1);
    info.trimmedMean = info.cumulative = (VkrBufferRange){0};
    info.trim[0] = info.trim[1] = (double)NAN;
    right(1);
    set_plain();
    info.shareCount = 0; /* and so the buffer of quantiles is not looked at */
    info.quantiles.size = 0;
    right(1);
    set_plain();
    info.shareCount = VKR_MAX_SHARES;
    info.quantiles.size = 4 * VKR_MAX_SHARES;
    for (uint32_t s = 0; s < VKR_MAX_SHARES; s++)
        shares[s] = (double)s / VKR_MAX_SHARES;
    right(4);
    info.shareCount = 17;
    right(2);
    trace_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_wrong), cmocka_unit_test(test_right)};
    return cmocka_run_group_tests_name("arguments_quantile", tests, NULL, NULL);
}
