/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/ranks.h: collective functions on the parts of parts.h, over any means of communication.
 *
 * Each of several ranks, such as processes or threads, has a part of a whole; the parts follow each
 * other in the order of the ranks. VkrRanks says which rank this is, and has the functions by which
 * ranks exchange bytes. The application writes these, or takes those of MPI from vkrMpiRanks
 * (mpi.h). The data of a part may come from one call on a device or from many, so that data can be
 * streamed. The functions below belong to libvkreduce-mpi, whose calls in mpi.h are made of them,
 * but they call no MPI themselves.
 *
 *     operation   what its ranks exchange
 *     reduction   vkrRanksGather of the partials (vkrGetPartialsRange), which rank 0 combines
 *     scan        vkrRanksPrefix of the totals that vkrCmdTotals finds; the prefix is
 *                 VkrScanInfo::initial of the part
 *     histogram   VkrRanks::sum of the counts
 *     compaction  vkrRanksPrefix of the numbers of kept elements: where the part's output starts
 *
 * All functions vkrRanks.. are collective: every rank calls them in the same order, with equal
 * arguments unless a comment says otherwise. They run on the host, wait only in the functions of
 * VkrRanks, and allocate nothing. One thread at a time uses a VkrRanks.
 *
 * Errors: where an exchange fails, a function returns that result at once, and other ranks may go
 * on waiting: only the application can end these. VKR_ERROR_INVALID_ARGUMENT says that an argument
 * is wrong which all ranks share, so that all of them get it, and nothing was exchanged. What fails
 * on one rank outside of these functions becomes known by vkrRanksAgree, before the next of them.
 */
#ifndef VKREDUCE_RANKS_H
#define VKREDUCE_RANKS_H

#include <stddef.h>

#include "core.h"
#include "recorder.h"
#include "scan.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The ranks, as one of them sees them. Each function returns VKR_SUCCESS once its data have
 * arrived and the memory that it was given can be used again, or another result if the exchange
 * failed. All except `transfer` are collective, also where a count or a size is 0. Ranks have the
 * same endianness.
 */
typedef struct VkrRanks {
    uint32_t rank, count; /* this rank, and their number: 1 .. 2^24 - 1 */
    void *context;        /* passed to the functions */
    /* Replaces each value by its maximum over all ranks. */
    VkrResult (*max)(void *context, uint32_t *values, size_t count);
    /* Replaces each value, of type U32 or U64, by its sum over all ranks, modulo 2^32 or 2^64. */
    VkrResult (*sum)(void *context, void *values, uint64_t count, VkrType type);
    /* Copies data from one rank to all others. */
    VkrResult (*broadcast)(void *context, uint32_t root, void *data, uint64_t size);
    /* Puts `size` bytes of each rank one after the other, on all ranks. */
    VkrResult (*allGather)(void *context, const void *data, size_t size, void *all);
    /* Sends data to a rank and receives data from another one, which calls this too. A size of 0
     * stands for no message. Each way, messages between two ranks arrive in the order in which they
     * were sent. Neither message waits for the other one. */
    VkrResult (*transfer)(void *context, uint32_t to, const void *sent, uint64_t sentSize,
                          uint32_t from, void *received, uint64_t receivedSize);
} VkrRanks;

/*
 * Tells all ranks whether one has failed. *failure, which differs between ranks, is 0 or a number
 * up to 255 that says what failed on this rank, such as an exit status or the negative of a
 * VkrResult. It becomes the number of the first rank that failed, and *rank becomes that rank; if
 * none failed, both become 0. `rank` is optional.
 */
VKR_API VkrResult vkrRanksAgree(const VkrRanks *ranks, uint32_t *failure, uint32_t *rank);

/*
 * Puts the data of all ranks one after the other, on rank 0. `data` and `size` differ between
 * ranks. `sizes` has room for a number for each rank, and receives the sizes on every rank. `all`
 * is used on rank 0 only. It has room for all data, and may be equal to the `data` of rank 0.
 */
VKR_API VkrResult vkrRanksGather(const VkrRanks *ranks, const void *data, uint64_t size,
                                 uint64_t *sizes, void *all);

/* ---- Prefixes ---- */

#define VKR_TOTAL_DISTANCE 256u /* bytes from one total to the next, in memory of a device */

/*
 * Returns how many elements have a total of their own. That is VKR_SCAN_BLOCK for sums and products
 * of floats at level VKR_DETERMINISM_DEVICE, whose bits depend on it; otherwise 0: one total stands
 * for any number of elements. `type` is that of the scan's results (vkrGetScanType). Any thread may
 * call this.
 */
VKR_API uint64_t vkrGetTotalBlock(const VkrScanInfo *scan, VkrType type);

/*
 * Collects what finds the totals of scan->input, between vkrBegin and vkrEnd. They are written to
 * the buffer `totals` in the order of the scan, the first one at `offset`, a multiple of 256. The
 * elements, of which there is at least one, are those of a part or of a chunk of a part; in the
 * order of the scan, a multiple of vkrGetTotalBlock elements of the part comes before the chunk.
 * Where vkrGetTotalBlock is not 0, the elements of scan->output are overwritten, and their type
 * must be given. initial and total are ignored; what vkrMpiScan (mpi.h) does not support must be
 * absent. Returns what vkrCmdReduce and vkrCmdScan do.
 */
VKR_API VkrResult vkrCmdTotals(VkrRecorder recorder, const VkrScanInfo *scan, VkrType type,
                               VkBuffer totals, VkDeviceSize offset);

/* A sum in the sense of vkrAddTotals, such as that of the parts before one. */
typedef struct VkrPrefix {
    uint64_t exists; /* 0: it is the sum of nothing, since a scan without initial value has none */
    unsigned char values[VKR_MAX_COMPONENTS * 8]; /* the components, without gaps */
} VkrPrefix;

typedef struct VkrPrefixInfo {
    VkrOp op; /* these four as in vkrAddTotals */
    VkrType type;
    uint32_t components;
    VkrNan nan;
    VkBool32 reverse;    /* the parts follow each other from the last rank to the first */
    const void *initial; /* optional: the initial value of the whole */
    const void *totals;  /* those of this rank's part, in the order of the scan, without gaps */
    uint64_t count;      /* of the totals: it differs between ranks; a part may have none */
} VkrPrefixInfo;

/*
 * Adds the totals of all parts, in order: the bits do not depend on how these are cut into parts.
 * *before, which may be NULL on ranks that do not need it, becomes the prefix before this rank's
 * part. *total, which is NULL on all ranks or on none, becomes that of the whole. The prefix goes
 * from rank to rank.
 */
VKR_API VkrResult vkrRanksPrefix(const VkrRanks *ranks, const VkrPrefixInfo *info,
                                 VkrPrefix *before, VkrPrefix *total);

#ifdef __cplusplus
}
#endif

#endif
