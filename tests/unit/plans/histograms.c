/* SPDX-License-Identifier: MIT */
/* How many pipelines histograms need. */
#include "plans.h"

#include <string.h>

/* Records a histogram of `bins` bins, for which its workgroups must have enough counters. Returns
 * the number of its dispatches. */
static uint32_t trace_bins(VkrBinKind kind, uint32_t bins)
{
    VkrHistogramInfo info = plain_histogram();
    info.weights = (VkrView){0};
    info.weightFraction = 0;
    info.edges = (VkrBufferRange){0};
    if (kind == VKR_BINS_EDGES)
        info.bins.edges.buffer = BUFFER('D');
    info.bins.kind = kind;
    info.bins.low.value = kind == VKR_BINS_LOG2 ? 1 : 0;
    info.bins.count = bins;
    info.bins.edges.size = kind == VKR_BINS_EDGES ? 4 * (VkDeviceSize)bins + 4 : 0;
    info.counts.size = 4 * (VkDeviceSize)bins;
    trace_clear();
    assert_int_equal(vkrBegin(fixture.recorder), VKR_SUCCESS);
    assert_int_equal(vkrCmdHistogram(fixture.recorder, &info), VKR_SUCCESS);
    assert_int_equal(vkrEnd(fixture.recorder, &plain_end), VKR_SUCCESS);
    for (uint32_t i = 0; i < fixture.dispatch_count; i++) {
        const trace_dispatch *d = &fixture.dispatches[i];
        if (strcmp(d->kernel, "histogram_f32") == 0)
            assert_true(d->constants[VKR_HISTOGRAM_CONST_ROOM] >= bins + VKR_OUTSIDE_COUNTS);
    }
    return fixture.dispatch_count;
}

/* Checks whether two numbers of bins share their pipelines. Numbers that are close to each other
 * do; others do not. */
static void expect_pipelines(VkrBinKind kind, uint32_t bins, uint32_t others, bool same)
{
    static trace_dispatch first[8];
    bool all = true;
    const uint32_t count = trace_bins(kind, bins);
    assert_in_range(count, 1, ARRAY_SIZE(first));
    memcpy(first, fixture.dispatches, count * sizeof first[0]);
    assert_int_equal(trace_bins(kind, others), count);
    for (uint32_t i = 0; i < count; i++) {
        const trace_dispatch *d = &fixture.dispatches[i];
        assert_string_equal(d->kernel, first[i].kernel);
        assert_int_equal(d->constant_count, first[i].constant_count);
        all = all && memcmp(d->constants, first[i].constants, sizeof d->constants) == 0;
    }
    assert_int_equal(all, same);
}

EXTERN_TEST(test_histogram_pipelines)
{
    for (int cpu = 0; cpu < 2; cpu++) {
        trace_open(&(trace_device){.cpu = cpu != 0});
        for (int kind = VKR_BINS_EVEN; kind <= VKR_BINS_EDGES; kind++) {
            expect_pipelines((VkrBinKind)kind, 230, 253, true);
            expect_pipelines((VkrBinKind)kind, 1300, 1500, true);
            expect_pipelines((VkrBinKind)kind, 100, 253, false);
        }
        trace_close();
    }
}
