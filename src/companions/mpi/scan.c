/* SPDX-License-Identifier: MIT */
/*
 * vkrMpiScan. Each rank computes the total of its part or, for float sums at level DEVICE, those of
 * the blocks of its part; all ranks get all totals, and scan starting at the sum of those before.
 */
#include "inside.h"

/* Blocks whose totals one recording computes: it writes their prefixes to scratch. */
#define BATCH 16u

typedef struct work {
    VkrScanInfo request;
    VkrType type;      /* of the results */
    VkDeviceSize size; /* of a total */
    bool canonical;    /* the order of float sums matters */
    uint64_t count, blocks;
    VkDeviceSize total; /* place of the total in the staging memory, after those of the blocks */
    int *numbers;       /* of each rank's totals, the places of these, and what ranks tell */
    unsigned char *totals;
    uint64_t all; /* totals */
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

/* The rank at a position of the scan. */
static int rank_at(VkrMpi m, const work *w, int position)
{
    return is_reversed(w) ? m->ranks - 1 - position : position;
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
    MUST(m, w->blocks < INT32_MAX, "count is %llu, but must be less than 2^47.",
         (unsigned long long)w->count);
    w->total = w->blocks * mpi_round_up(w->size);
    TRY(mpi_grow(m, &m->staging, w->total + mpi_round_up(w->size)));
    w->numbers = mpi_allocate(m, (uint64_t)m->ranks * 4 * sizeof(*w->numbers));
    return w->numbers != NULL
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

/* Tells all ranks how many totals each of them has, and whether cuts are at blocks. */
static VkrResult count_totals(VkrMpi m, work *w)
{
    const int own[2] = {(int)w->blocks, w->count % VKR_SCAN_BLOCK != 0};
    int *pairs = w->numbers + 2 * m->ranks, last = -1, ragged = -1;
    CHECK_MPI(m, MPI_Allgather(own, 2, MPI_INT, pairs, 2, MPI_INT, m->info.communicator));
    for (int i = 0; i < m->ranks; i++) {
        const int rank = rank_at(m, w, i);
        w->numbers[rank] = pairs[2 * rank];
        w->numbers[m->ranks + rank] = (int)w->all;
        w->all += (uint64_t)pairs[2 * rank];
        last = ragged >= 0 && pairs[2 * rank] != 0 ? ragged : last;
        ragged = ragged < 0 && pairs[2 * rank + 1] != 0 ? rank : ragged;
    }
    MUST(m, w->all < INT32_MAX, "the ranks have too many blocks, but must have less than 2^31.");
    MUST(
        m, !w->canonical || last < 0,
        "count on rank %d is not a multiple of VKR_SCAN_BLOCK, but must be on all ranks before the "
        "last one of the scan for the %s of floats at level VKR_DETERMINISM_DEVICE.",
        last, vkrOpName(w->request.op));
    w->totals = mpi_allocate(m, (w->all + 1) * w->size);
    return w->totals != NULL
               ? VKR_SUCCESS
               : mpi_fail(m, VKR_ERROR_OUT_OF_HOST_MEMORY, "there is no host memory.");
}

static VkrResult gather(VkrMpi m, const work *w)
{
    unsigned char *own = w->totals + (size_t)w->numbers[m->ranks + m->rank] * w->size;
    for (uint64_t i = 0; i < w->blocks; i++)
        memcpy(own + i * w->size, m->staging.map + i * mpi_round_up(w->size), w->size);
    MPI_Datatype total;
    CHECK_MPI(m, MPI_Type_contiguous((int)w->size, MPI_BYTE, &total));
    CHECK_MPI(m, MPI_Type_commit(&total));
    const int error = MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, w->totals, w->numbers,
                                     w->numbers + m->ranks, total, m->info.communicator);
    MPI_Type_free(&total);
    return mpi_check(m, error, "MPI_Allgatherv");
}

/* ---- Prefixes ---- */

/* The prefix after the first `count` totals. Returns false if there is none. */
static bool add(const work *w, uint64_t count, unsigned char *prefix)
{
    const VkrScanInfo *s = &w->request;
    const uint64_t first = s->initial == NULL;
    if (count < first)
        return false;
    memcpy(prefix, first != 0 ? w->totals : s->initial, w->size);
    vkrAddTotals(s->op, w->type, (uint32_t)(w->size / vkrTypeSize(w->type)), s->nan, count - first,
                 w->totals + first * w->size, prefix);
    return true;
}

static VkrResult scan_part(VkrMpi m, const work *w)
{
    unsigned char prefix[VKR_MAX_COMPONENTS * 8];
    VkrScanInfo scan = w->request;
    if (w->count == 0 && w->all != 0)
        return VKR_SUCCESS;
    if (w->all != 0)
        scan.initial = add(w, (uint64_t)w->numbers[m->ranks + m->rank], prefix) ? prefix : NULL;
    if (w->count == 0) /* the whole is empty: the scan gives the total */
        scan.input.buffer = scan.output.buffer = m->staging.buffer;
    scan.total = (VkrBufferRange){m->staging.buffer, w->total, w->size};
    TRY(mpi_begin(m));
    vkrCmdScan(m->recorder, &scan);
    return mpi_submit(m);
}

static VkrResult scan(VkrMpi m, const VkrMpiScanInfo *info, work *w)
{
    unsigned char total[VKR_MAX_COMPONENTS * 8];
    TRY(mpi_agree(m, count_totals(m, w), 0));
    VkrResult result = find_own(m, w);
    TRY(gather(m, w)); /* also after a failure, so that nobody waits in vain */
    result = result == VKR_SUCCESS ? scan_part(m, w) : result;
    TRY(mpi_agree(m, result, 0));
    if (w->all == 0)
        memcpy(total, m->staging.map + w->total, w->size);
    else
        add(w, w->all, total);
    if (info->total != NULL)
        memcpy(info->total, total, w->size);
    return VKR_SUCCESS;
}

VkrResult vkrMpiScan(VkrMpi mpi, const VkrMpiScanInfo *info)
{
    work w = {0};
    mpi->call = "vkrMpiScan";
    VkrResult result = plan(mpi, &w, info);
    result = mpi_agree(mpi, result, result == VKR_SUCCESS ? fingerprint_of(&w) : 0);
    if (result == VKR_SUCCESS)
        result = scan(mpi, info, &w);
    mpi_free(mpi, w.totals);
    mpi_free(mpi, w.numbers);
    return result;
}
