/* SPDX-License-Identifier: MIT */
/* vkrMpiHistogram and vkrMpiCompactOffsets: numbers that add. */
#include "inside.h"

typedef struct work {
    VkrHistogramInfo request;
    uint32_t size; /* of a number */
    uint64_t numbers, outside;
} work;

static VkrResult plan(VkrMpi m, work *w, const VkrMpiHistogramInfo *info)
{
    MUST(m, info != NULL && info->histogram != NULL, "histogram is NULL, but must be given.");
    w->request = *info->histogram;
    VkrHistogramInfo *h = &w->request;
    TRY(REFUSE(m, {(h->flags & VKR_HISTOGRAM_ACCUMULATE_BIT) != 0, "ACCUMULATE_BIT in flags"},
               {h->bins.gpuRange.buffer != VK_NULL_HANDLE, "bins.gpuRange"},
               {h->input.image != NULL && h->input.components == 0, "0 as input.components"}));
    const uint64_t components = h->input.components > 1 ? h->input.components : 1;
    w->size = h->countType == VKR_TYPE_U64 ? 8 : 4;
    w->numbers = components * h->bins.count;
    w->outside = info->outside != NULL ? 3 * components : 0;
    MUST(m, info->counts != NULL && info->countsSize == w->numbers * w->size,
         "countsSize is %zu, but must be %llu, and counts be given.", info->countsSize,
         (unsigned long long)(w->numbers * w->size));
    MUST(m, info->outside == NULL || info->outsideSize == w->outside * w->size,
         "outsideSize is %zu, but must be %llu.", info->outsideSize,
         (unsigned long long)(w->outside * w->size));
    return VKR_SUCCESS;
}

static VkrResult count(VkrMpi m, const work *w, const VkrMpiHistogramInfo *info)
{
    VkrHistogramInfo h = w->request;
    const VkDeviceSize place = mpi_round_up(w->numbers * w->size);
    TRY(mpi_grow(m, &m->staging, place + MPI_GRANULE));
    h.counts = (VkrBufferRange){m->staging.buffer, 0, w->numbers * w->size};
    h.outside = (VkrBufferRange){0};
    if (w->outside != 0)
        h.outside = (VkrBufferRange){m->staging.buffer, place, w->outside * w->size};
    h.edges = (VkrBufferRange){0};
    TRY(vkrHostBegin(m->host));
    vkrCmdHistogram(vkrHostRecorder(m->host), &h);
    TRY(vkrHostRun(m->host));
    memcpy(info->counts, mpi_map(m), w->numbers * w->size);
    if (w->outside != 0)
        memcpy(info->outside, mpi_map(m) + place, w->outside * w->size);
    return VKR_SUCCESS;
}

static uint64_t fingerprint_of(const work *w)
{
    const VkrHistogramInfo *h = &w->request;
    const uint64_t values[] = {w->size,
                               w->numbers,
                               w->outside,
                               (uint64_t)h->input.type,
                               (uint64_t)h->bins.kind,
                               (uint64_t)h->bins.low.integer,
                               (uint64_t)h->bins.high.integer,
                               h->flags,
                               h->weightFraction};
    const double bounds[] = {h->bins.low.value, h->bins.high.value};
    return mpi_fingerprint(mpi_fingerprint(3, values, sizeof(values)), bounds, sizeof(bounds));
}

VkrResult vkrMpiHistogram(VkrMpi mpi, const VkrMpiHistogramInfo *info)
{
    work w = {.size = 4};
    mpi->call = "vkrMpiHistogram";
    VkrResult result = plan(mpi, &w, info);
    if (result == VKR_SUCCESS)
        result = count(mpi, &w, info);
    TRY(mpi_agree_on(mpi, result, fingerprint_of(&w)));
    const VkrType type = w.size == 8 ? VKR_TYPE_U64 : VKR_TYPE_U32;
    EXCHANGE(mpi, sum, info->counts, w.numbers, type);
    EXCHANGE(mpi, sum, info->outside, w.outside, type);
    return VKR_SUCCESS;
}

VkrResult vkrMpiCompactOffsets(VkrMpi mpi, uint64_t kept, uint64_t *offset, uint64_t *total)
{
    const uint64_t none = 0;
    const VkrPrefixInfo info = {.op = VKR_OP_SUM,
                                .type = VKR_TYPE_U64,
                                .components = 1,
                                .initial = &none,
                                .totals = &kept,
                                .count = 1};
    VkrPrefix before, all;
    mpi->call = "vkrMpiCompactOffsets";
    const VkrResult result = offset != NULL && total != NULL
                                 ? VKR_SUCCESS
                                 : mpi_fail(mpi, VKR_ERROR_INVALID_ARGUMENT,
                                            "offset or total is NULL, but both must be given.");
    TRY(mpi_agree(mpi, result));
    TRY(mpi_check(mpi, vkrRanksPrefix(&mpi->ranks, &info, &before, &all)));
    memcpy(offset, before.values, sizeof(*offset));
    memcpy(total, all.values, sizeof(*total));
    return VKR_SUCCESS;
}
