/* SPDX-License-Identifier: MIT */
/*
 * vkrMpiScan. Each rank computes the total of its part or, for float sums at level DEVICE, those of
 * the blocks of its part, gets the prefix of the parts before, and scans starting at that.
 */
#include "inside.h"

/* Blocks whose totals one recording computes: it writes their prefixes to scratch. */
#define BATCH 16u

typedef struct work {
    VkrScanInfo request;
    VkrType type;                  /* of the results */
    VkDeviceSize size;             /* of a total */
    bool canonical;                /* the order of float sums matters */
    uint64_t count, blocks, whole; /* whole: elements of all ranks */
    uint64_t *counts;              /* of each rank */
    VkDeviceSize total; /* place of the total in the staging memory, after those of the blocks */
} work;

static VkrResult check(VkrMpi m, const VkrMpiScanInfo *info)
{
    MUST(m, info != NULL && info->scan != NULL, "scan is NULL, but must be given.");
    const VkrScanInfo *s = info->scan;
    return REFUSE(m, {s->input.image != NULL, "input.image"},
                  {s->input.map != NULL && s->input.map->hook != NULL, "input.map.hook"},
                  {s->gpuCount.buffer != VK_NULL_HANDLE, "gpuCount"},
                  {s->gpuInitial.buffer != VK_NULL_HANDLE, "gpuInitial"},
                  {s->total.buffer != VK_NULL_HANDLE, "scan.total"},
                  {s->segments.kind != VKR_SEGMENTS_NONE, "segments"},
                  {s->monoid != NULL, "monoid"});
}

static bool is_reversed(const work *w)
{
    return (w->request.flags & VKR_SCAN_REVERSE_BIT) != 0;
}

static uint64_t fingerprint_of(const work *w)
{
    const VkrScanInfo *s = &w->request;
    const uint64_t values[] = {
        (uint64_t)s->op,   s->flags,         (uint64_t)s->input.type,  w->size,
        (uint64_t)w->type, (uint64_t)s->nan, (uint64_t)s->determinism, s->initial != NULL};
    return mpi_fingerprint(mpi_fingerprint(2, values, sizeof(values)), s->initial,
                           s->initial != NULL ? w->size : 0);
}

static VkrResult plan(VkrMpi m, work *w, const VkrMpiScanInfo *info)
{
    TRY(check(m, info));
    w->request = *info->scan;
    VkrScanInfo *s = &w->request;
    TRY(vkrGetScanType(m->info.context, s, &w->type));
    TRY(mpi_count(m, "input", &s->input, s->count, &w->count));
    s->count = w->count;
    w->size = (s->input.components > 1 ? s->input.components : 1) * vkrTypeSize(w->type);
    MUST(m, info->total == NULL || info->totalSize >= w->size,
         "totalSize is %zu, but must be at least %llu.", info->totalSize,
         (unsigned long long)w->size);
    w->canonical = s->determinism == VKR_DETERMINISM_DEVICE &&
                   (w->type == VKR_TYPE_F32 || w->type == VKR_TYPE_F64) &&
                   (s->op == VKR_OP_SUM || s->op == VKR_OP_PRODUCT);
    w->blocks = w->canonical ? mpi_divide_up(w->count, VKR_SCAN_BLOCK) : w->count != 0;
    w->total = w->blocks * mpi_round_up(w->size);
    TRY(mpi_grow(m, &m->staging, w->total + mpi_round_up(w->size)));
    w->counts = mpi_allocate(m, (uint64_t)m->ranks.count * sizeof(*w->counts));
    return w->counts != NULL
               ? VKR_SUCCESS
               : mpi_fail(m, VKR_ERROR_OUT_OF_HOST_MEMORY, "there is no host memory.");
}

/* ---- Totals ---- */

/* Exact results, and float sums below level DEVICE: a reduction gives the total. */
static VkrResult find_total(VkrMpi m, const work *w)
{
    const VkrScanInfo *s = &w->request;
    VkrReduceInfo reduce = {.label = s->label,
                            .ops = (VkrOpFlags)s->op,
                            .input = s->input,
                            .count = w->count,
                            .output = {m->staging.buffer, 0, mpi_round_up(w->size)},
                            .accumulator = s->accumulator,
                            .nan = s->nan};
    TRY(mpi_begin(m));
    vkrCmdReduce(m->recorder, &reduce);
    return mpi_submit(m);
}

/* The blocks first .. end, counted from the end of the part where the scan is reversed. */
static VkrResult find_totals(VkrMpi m, const work *w, uint64_t first, uint64_t end)
{
    const VkDeviceSize each = mpi_round_up(VKR_SCAN_BLOCK * w->size);
    TRY(mpi_begin(m));
    for (uint64_t block = first; block < end; block++) {
        const uint64_t before = block * VKR_SCAN_BLOCK, left = w->count - before;
        VkrScanInfo scan = w->request;
        scan.initial = NULL;
        scan.count = left < VKR_SCAN_BLOCK ? left : VKR_SCAN_BLOCK;
        scan.input =
            mpi_part_of(&w->request.input, is_reversed(w) ? left - scan.count : before, scan.count);
        scan.output =
            (VkrView){.buffer = m->scratch.buffer, .offset = (block - first) * each, .size = each};
        scan.total = (VkrBufferRange){m->staging.buffer, block * mpi_round_up(w->size), w->size};
        vkrCmdScan(m->recorder, &scan);
    }
    return mpi_submit(m);
}

static VkrResult find_own(VkrMpi m, const work *w)
{
    const uint64_t batch = w->blocks < BATCH ? w->blocks : BATCH;
    if (w->count == 0)
        return VKR_SUCCESS;
    if (!w->canonical)
        return find_total(m, w);
    TRY(mpi_grow(m, &m->scratch, batch * mpi_round_up(VKR_SCAN_BLOCK * w->size)));
    for (uint64_t block = 0; block < w->blocks; block += batch)
        TRY(find_totals(m, w, block, w->blocks - block < batch ? w->blocks : block + batch));
    return VKR_SUCCESS;
}

/* Finds the elements of all ranks, and checks where these are cut. */
static VkrResult check_cuts(VkrMpi m, work *w)
{
    uint32_t ragged = UINT32_MAX;
    EXCHANGE(m, allGather, &w->count, sizeof(w->count), w->counts);
    for (uint32_t i = 0; i < m->ranks.count; i++) {
        const uint32_t rank = is_reversed(w) ? m->ranks.count - 1 - i : i;
        w->whole += w->counts[rank];
        MUST(m, !w->canonical || w->counts[rank] == 0 || ragged == UINT32_MAX,
             "count on rank %u is not a multiple of VKR_SCAN_BLOCK, but must be on all ranks "
             "before the last one of the scan for the %s of floats at level "
             "VKR_DETERMINISM_DEVICE.",
             (unsigned)ragged, vkrOpName(w->request.op));
        if (w->counts[rank] % VKR_SCAN_BLOCK != 0)
            ragged = rank;
    }
    return VKR_SUCCESS;
}

/* ---- Prefixes ---- */

static VkrResult add_up(VkrMpi m, const work *w, VkrPrefix *before, VkrPrefix *total)
{
    const VkrScanInfo *s = &w->request;
    for (uint64_t i = 1; i < w->blocks; i++) /* leaves no gaps */
        memmove(m->staging.map + i * w->size, m->staging.map + i * mpi_round_up(w->size), w->size);
    const VkrPrefixInfo info = {.op = s->op,
                                .type = w->type,
                                .components = (uint32_t)(w->size / vkrTypeSize(w->type)),
                                .nan = s->nan,
                                .reverse = is_reversed(w),
                                .initial = s->initial,
                                .totals = m->staging.map,
                                .count = w->blocks};
    return mpi_check_exchange(m, vkrRanksPrefix(&m->ranks, &info, before, total));
}

/* Without elements of any rank, all scan nothing, since this gives the total. */
static VkrResult scan_part(VkrMpi m, const work *w, const VkrPrefix *before)
{
    VkrScanInfo scan = w->request;
    if (w->count == 0 && w->whole != 0)
        return VKR_SUCCESS;
    scan.initial = before->exists != 0 ? before->values : NULL;
    if (w->count == 0)
        scan.input.buffer = scan.output.buffer = m->staging.buffer;
    scan.total = (VkrBufferRange){m->staging.buffer, w->total, w->size};
    TRY(mpi_begin(m));
    vkrCmdScan(m->recorder, &scan);
    return mpi_submit(m);
}

static VkrResult scan(VkrMpi m, const VkrMpiScanInfo *info, work *w)
{
    VkrPrefix before, total;
    TRY(mpi_agree(m, check_cuts(m, w)));
    TRY(mpi_agree(m, find_own(m, w)));
    TRY(add_up(m, w, &before, &total));
    TRY(mpi_agree(m, scan_part(m, w, &before)));
    if (info->total != NULL)
        memcpy(info->total, w->whole != 0 ? total.values : m->staging.map + w->total, w->size);
    return VKR_SUCCESS;
}

VkrResult vkrMpiScan(VkrMpi mpi, const VkrMpiScanInfo *info)
{
    work w = {0};
    mpi->call = "vkrMpiScan";
    VkrResult result = plan(mpi, &w, info);
    result = mpi_agree_on(mpi, result, result == VKR_SUCCESS ? fingerprint_of(&w) : 0);
    if (result == VKR_SUCCESS)
        result = scan(mpi, info, &w);
    mpi_free(mpi, w.counts);
    return result;
}
