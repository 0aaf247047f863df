/* SPDX-License-Identifier: MIT */
/*
 * vkrMpiScan. Each rank computes the total of its part or, for float sums at level DEVICE, those of
 * the blocks of its part, gets the prefix of the parts before, and scans starting at that.
 */
#include "inside.h"

/* Elements of blocks whose totals one recording computes: it writes their prefixes to scratch. */
#define BATCH (16 * VKR_SCAN_BLOCK)

typedef struct work {
    VkrScanInfo request;
    VkrType type;                  /* of the results */
    VkDeviceSize size;             /* of a total */
    bool canonical;                /* the order of float sums matters */
    uint64_t count, blocks, whole; /* whole: elements of all ranks */
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
                  {s->mask.flags.range.buffer != VK_NULL_HANDLE, "mask.flags.range"},
                  {s->mask.flags.hook != NULL, "mask.flags.hook"},
                  {s->mask.image != NULL, "mask.image"}, {s->monoid != NULL, "monoid"});
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
    w->canonical = vkrGetTotalBlock(s, w->type) != 0;
    w->blocks = w->canonical ? mpi_divide_up(w->count, VKR_SCAN_BLOCK) : w->count != 0;
    w->total = w->blocks * VKR_TOTAL_DISTANCE;
    return mpi_grow(m, &m->staging, w->total + mpi_round_up(w->size));
}

/* ---- Totals ---- */

/* Blocks come in the order of the scan, from the end of the part where it is reversed. */
static VkrResult find_totals(VkrMpi m, const work *w, uint64_t done, uint64_t count)
{
    const uint64_t left = w->count - done, number = w->canonical ? done / VKR_SCAN_BLOCK : 0;
    VkrScanInfo scan = w->request;
    if (count < w->count)
        scan.input = mpi_part_of(&scan.input, is_reversed(w) ? left - count : done, count);
    scan.count = count;
    scan.output = (VkrView){.buffer = m->scratch.buffer,
                            .size = m->scratch.size,
                            .type = w->type,
                            .components = scan.input.components};
    TRY(vkrHostBegin(m->host));
    vkrCmdTotals(vkrHostRecorder(m->host), &scan, w->type, m->staging.buffer,
                 number * VKR_TOTAL_DISTANCE);
    return vkrHostRun(m->host);
}

static VkrResult find_own(VkrMpi m, const work *w)
{
    const uint64_t batch = !w->canonical || w->count < BATCH ? w->count : BATCH;
    if (w->canonical)
        TRY(mpi_grow(m, &m->scratch, batch * w->size));
    for (uint64_t done = 0, count; done < w->count; done += count) {
        count = w->count - done < batch ? w->count - done : batch;
        TRY(find_totals(m, w, done, count));
    }
    return VKR_SUCCESS;
}

/* Finds the elements of all ranks, and checks where these are cut. */
static VkrResult check_cuts(VkrMpi m, work *w)
{
    uint32_t ragged = UINT32_MAX;
    EXCHANGE(m, allGather, &w->count, sizeof(w->count), m->numbers);
    for (uint32_t i = 0; i < m->ranks.count; i++) {
        const uint32_t rank = is_reversed(w) ? m->ranks.count - 1 - i : i;
        w->whole += m->numbers[rank];
        MUST(m, !w->canonical || m->numbers[rank] == 0 || ragged == UINT32_MAX,
             "count on rank %u is not a multiple of VKR_SCAN_BLOCK, but must be on all ranks "
             "before the last one of the scan for the %s of floats at level "
             "VKR_DETERMINISM_DEVICE.",
             (unsigned)ragged, vkrOpName(w->request.op));
        if (m->numbers[rank] % VKR_SCAN_BLOCK != 0)
            ragged = rank;
    }
    return VKR_SUCCESS;
}

/* ---- Prefixes ---- */

static VkrResult add_up(VkrMpi m, const work *w, VkrPrefix *before, VkrPrefix *total)
{
    const VkrScanInfo *s = &w->request;
    for (uint64_t i = 1; i < w->blocks; i++) /* leaves no gaps */
        memmove(mpi_map(m) + i * w->size, mpi_map(m) + i * VKR_TOTAL_DISTANCE, w->size);
    const VkrPrefixInfo info = {.op = s->op,
                                .type = w->type,
                                .components = (uint32_t)(w->size / vkrTypeSize(w->type)),
                                .nan = s->nan,
                                .reverse = is_reversed(w),
                                .initial = s->initial,
                                .totals = mpi_map(m),
                                .count = w->blocks};
    return mpi_check(m, vkrRanksPrefix(&m->ranks, &info, before, total));
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
    TRY(vkrHostBegin(m->host));
    vkrCmdScan(vkrHostRecorder(m->host), &scan);
    return vkrHostRun(m->host);
}

static VkrResult scan(VkrMpi m, const VkrMpiScanInfo *info, work *w)
{
    VkrPrefix before, total;
    TRY(mpi_agree(m, check_cuts(m, w)));
    TRY(mpi_agree(m, find_own(m, w)));
    TRY(add_up(m, w, &before, &total));
    TRY(mpi_agree(m, scan_part(m, w, &before)));
    if (info->total != NULL)
        memcpy(info->total, w->whole != 0 ? total.values : mpi_map(m) + w->total, w->size);
    return VKR_SUCCESS;
}

VkrResult vkrMpiScan(VkrMpi mpi, const VkrMpiScanInfo *info)
{
    work w = {0};
    mpi->call = "vkrMpiScan";
    const VkrResult result = plan(mpi, &w, info);
    TRY(mpi_agree_on(mpi, result, result == VKR_SUCCESS ? fingerprint_of(&w) : 0));
    return scan(mpi, info, &w);
}
