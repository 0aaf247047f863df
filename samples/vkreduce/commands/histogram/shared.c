/* SPDX-License-Identifier: MIT */
/* The histogram of data that ranks share: each finds the range of its share, then counts it in the
 * bins of the range of all. Counts are added on the host, and rank 0 computes the quantiles. */
#include <stdlib.h>
#include <string.h>
#include "commands/histogram/device.h"
#include "ranks.h"
#include "status.h"

/* Combines the ranges of all ranks. Each is that of a share, or, without elements, the identity. */
static int combine_ranges(const histogram_device *d, const char *ranges, char *range)
{
    const VkrType type = d->request->in.type;
    const uint32_t channels = d->request->in.components, half = channels * vkrTypeSize(type);
    VkrResult result = VKR_SUCCESS;
    memcpy(range, ranges, 2 * (size_t)half);
    for (uint32_t i = 1; i < ranks_count() && result == VKR_SUCCESS; i++) {
        const char *other = ranges + 2 * (size_t)half * i;
        result = vkrAddTotals(VKR_OP_MIN, type, channels, d->range.nan, 1, other, range);
        if (result == VKR_SUCCESS)
            result = vkrAddTotals(VKR_OP_MAX, type, channels, d->range.nan, 1, other + half,
                                  range + half);
    }
    return gpu_status(result);
}

static int find_range(int status, histogram_device *d)
{
    const size_t size = 2 * (size_t)d->request->in.components * vkrTypeSize(d->request->in.type);
    const char *own = NULL;
    char *all = malloc(ranks_count() * size);
    if (all == NULL && status == STATUS_DONE)
        status = fail(STATUS_VULKAN, "out of memory");
    if (status == STATUS_DONE)
        status = histogram_stage_run(d, STAGE_RANGE);
    if (status == STATUS_DONE)
        status = histogram_read_range(d, &own);
    status = ranks_gather_each(status, own, size, all);
    if (status == STATUS_DONE)
        status = gpu_status(
            vkrHostAlloc(d->task->gpu.host, size, VKR_HOST_MEMORY_UPLOAD, &d->range_of_all));
    if (status == STATUS_DONE)
        status = combine_ranges(d, all, d->range_of_all.data);
    d->bins.gpuRange = (VkrGpuRange){d->range_of_all.buffer, 0, size / 2};
    free(all);
    return status;
}

/* Computes quantiles from the counts of all ranks. */
static int find_quantiles(histogram_device *d, histogram_results *results)
{
    const size_t used = d->bins.count, size = vkrTypeSize(d->count_type);
    const uint32_t channels = d->request->in.components;
    int status = gpu_status(vkrHostAlloc(d->task->gpu.host, channels * used * size,
                                         VKR_HOST_MEMORY_UPLOAD, &d->counts_of_all));
    if (status != STATUS_DONE)
        return status;
    char *to = d->counts_of_all.data;
    for (uint32_t c = 0; c < channels; c++)
        for (size_t k = 0; k < used; k++, to += size)
            memcpy(to, &histogram_counts(results, c)[k], size); /* little-endian, like the device */
    d->pipe.count = d->pipe.chunk = 0;
    d->task->chunks = 1;
    status = histogram_stage_run(d, STAGE_QUANTILES);
    return status == STATUS_DONE ? histogram_take_quantiles(d, results) : status;
}

int histogram_run_shared(int status, histogram_device *d, histogram_results *results)
{
    const histogram_request *r = d->request;
    const uint64_t chunks = d->task->chunks;
    if (r->own_range)
        status = find_range(status, d);
    if (status == STATUS_DONE)
        status = histogram_stage_run(d, STAGE_COUNTS);
    if (status == STATUS_DONE)
        status = histogram_take_results(d, results);
    status = ranks_sum(status, results->counts, (size_t)r->in.components * r->bins);
    status = ranks_sum(status, results->outside[0], (size_t)VKR_MAX_COMPONENTS * OUTSIDE_COUNT);
    if (status == STATUS_DONE && r->share_count > 0 && ranks_is_first())
        status = find_quantiles(d, results);
    d->task->chunks = chunks;
    return status;
}
