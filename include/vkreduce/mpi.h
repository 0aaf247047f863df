/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/mpi.h: operations on data that is spread over the ranks of an MPI communicator, each of
 * which has a device of its own.
 *
 * This is the header of a library of its own, libvkreduce-mpi (vkreduce-mpi for pkg-config). The
 * library vkreduce needs no MPI; parts.h has what other ways of communication need. This
 * header includes that of MPI; in C++ with OpenMPI 4, define OMPI_SKIP_MPICXX, or link to its
 * library for C++ too. Its calls are for data that a device has; ranks.h has their parts, for data
 * that is streamed.
 *
 *     vkrCreateMpi(&(VkrMpiInfo){.communicator = MPI_COMM_WORLD, .context = context, ..}, &mpi);
 *     const VkrReduceInfo mine = {.ops = VKR_OP_SUM, .input = view, .count = count,
 *                                 .determinism = VKR_DETERMINISM_DEVICE};
 *     vkrMpiReduce(mpi, &(VkrMpiReduceInfo){.reduce = &mine, .result = &sum,
 *                                           .resultSize = sizeof sum});
 *
 * The whole is the elements of all ranks in the order of the ranks. Each rank may have any number
 * of elements, also none. Results are those of one device that has the whole: exact ones always,
 * and float sums with the same bits for any number of ranks at level VKR_DETERMINISM_DEVICE.
 *
 * Calls
 *  - All functions are collective, except where they say otherwise: every rank of the communicator
 *    calls them, in the same order, and each call returns when its result is there.
 *  - Infos are equal on all ranks, except for buffers, offsets, strides, sizes, counts and labels.
 *    Ranks that differ in the operation's other members all get VKR_ERROR_INVALID_ARGUMENT.
 *  - A call that fails on one rank fails on all of them, with that rank's result: ranks agree
 *    before each exchange of data. Each rank's message says what is wrong, or which rank failed.
 *    A rank that fails outside of these functions makes its failure known by vkrMpiAgree. What MPI
 *    itself does about errors and about ranks that die is up to the communicator's error handler;
 *    where MPI calls return errors, these functions return VKR_ERROR_INVALID_STATE.
 *  - MPI is initialised with MPI_THREAD_FUNNELED or more, unless the process has only one thread.
 *    One thread at a time uses a VkrMpi: the one that called MPI_Init_thread, below
 *    MPI_THREAD_SERIALIZED.
 *
 * Vulkan
 *  - Functions record a command buffer of their own, submit it to the queue and wait. The queue is
 *    externally synchronised: nobody else uses it during a call. Outputs are then visible to
 *    later submissions to the device, and the host. Inputs must have been written by work that has
 *    completed.
 *  - Data go through the host. Where parts do not start and end at blocks, elements of up to one
 *    block of each rank are copied: inputs of vkrMpiReduce need the usage TRANSFER_SRC too.
 *  - A VkrMpi keeps host-visible memory of the device: VkrReduceLayout::partialsSize bytes for the
 *    whole, or 256 bytes for each of a part's VKR_SCAN_BLOCK elements.
 */
#ifndef VKREDUCE_MPI_H
#define VKREDUCE_MPI_H

#include <mpi.h>

#include "histogram.h"
#include "parts.h"
#include "ranks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Ranks ---- */

/* Called again and again while this rank waits for others. `tests` counts these calls from 0 in
 * each wait. It may sleep, or end the program, and may use MPI except for messages of the tag 0. */
typedef void (*PFN_vkrMpiWait)(void *data, uint64_t tests);

typedef struct VkrMpiTransport {
    MPI_Comm communicator; /* not duplicated; messages have the tag 0 */
    PFN_vkrMpiWait wait;   /* optional: without it MPI waits, which may keep a processor busy */
    void *waitData;
    const char *failed; /* output: the function of MPI that returned an error, */
    int error;          /* and the error */
} VkrMpiTransport;

/* Fills the ranks of a communicator for the functions of ranks.h. *transport must outlive them. Not
 * collective. Here and in what *ranks then does, VKR_ERROR_INVALID_STATE is an error of MPI. */
VKR_API VkrResult vkrMpiRanks(VkrMpiTransport *transport, VkrRanks *ranks);

/* ---- Calls on data of devices ---- */

typedef struct VkrMpi_T *VkrMpi;

/* The device of this rank, whose queue and context outlive the VkrMpi. */
typedef struct VkrMpiInfo {
    MPI_Comm communicator; /* duplicated */
    VkrContext context;
    VkInstance instance;
    VkPhysicalDevice physicalDevice;
    VkDevice device;
    uint32_t queueFamily;
    VkQueue queue; /* of that family, which has compute */
    PFN_vkGetInstanceProcAddr getInstanceProcAddr;
    PFN_vkrMessage message; /* optional: errors of this library; the context has one of its own */
    void *messageData;
    const VkAllocationCallbacks *allocator; /* optional; copied; for host and Vulkan objects */
    PFN_vkrMpiWait wait;                    /* optional: as in VkrMpiTransport */
    void *waitData;
    /* A host (host.h) in place of the members from `context` to `getInstanceProcAddr`, which are
     * then ignored. Submissions take turns with those of other hosts that share its device, so
     * these may use the queue during a call. */
    struct VkrHost_T *host;
} VkrMpiInfo;

/* On failure no rank gets a VkrMpi. With MPI_COMM_NULL as communicator only this rank fails. */
VKR_API VkrResult vkrCreateMpi(const VkrMpiInfo *info, VkrMpi *mpi);

/* Collective, since it frees the duplicate of the communicator. Ignores NULL. */
VKR_API void vkrDestroyMpi(VkrMpi mpi);

/* Returns VKR_SUCCESS if all ranks say so. Otherwise each rank gets an error: its own if it has
 * one. */
VKR_API VkrResult vkrMpiAgree(VkrMpi mpi, VkrResult result);

typedef struct VkrMpiReduceInfo {
    /* input, input2 and count are this rank's elements. Not supported: images, gpuCount, pieces,
     * outputImage, segments, mask, monoid, functions as maps, VKR_REDUCE_CONSUME_INPUT_BIT; and
     * algorithms other than AUTO and SUBGROUP. output is ignored. */
    const VkrReduceInfo *reduce;
    void *result;      /* host memory; receives the results on every rank */
    size_t resultSize; /* at least VkrReduceLayout::size */
    /* Optional: receives the layout of the result: that of the whole, whose indices are u64 where
     * it has 2^32 elements. */
    VkrReduceLayout *layout;
} VkrMpiReduceInfo;

VKR_API VkrResult vkrMpiReduce(VkrMpi mpi, const VkrMpiReduceInfo *info);

typedef struct VkrMpiScanInfo {
    /* input, output and count are this rank's elements, and initial, which must be equal on all
     * ranks, belongs to the whole. Not supported: images, gpuCount, gpuInitial, total, segments,
     * mask, monoid, functions as maps. Float sums and products at level DEVICE need parts of a
     * multiple of VKR_SCAN_BLOCK elements, except for the last part in the order of the scan that
     * has any: the first one where the scan is reversed. */
    const VkrScanInfo *scan;
    void *total;      /* optional: host memory; receives the total of the whole */
    size_t totalSize; /* at least the size of `components` values of vkrGetScanType */
} VkrMpiScanInfo;

VKR_API VkrResult vkrMpiScan(VkrMpi mpi, const VkrMpiScanInfo *info);

typedef struct VkrMpiHistogramInfo {
    /* input, mask, weights and count are this rank's elements. counts, outside and edges are
     * ignored. Not supported: ACCUMULATE, bins.gpuRange, of which each rank might have another; the
     * range can be found by vkrMpiReduce first. */
    const VkrHistogramInfo *histogram;
    /* Host memory; on every rank it receives what VkrHistogramInfo describes, summed over the
     * ranks. The sizes are exact; outside is optional. */
    void *counts;
    size_t countsSize;
    void *outside;
    size_t outsideSize;
} VkrMpiHistogramInfo;

VKR_API VkrResult vkrMpiHistogram(VkrMpi mpi, const VkrMpiHistogramInfo *info);

/* For compactions, whose outputs follow each other in the order of the ranks: from the number of
 * elements that this rank keeps, *offset becomes the number that the ranks before keep, and *total
 * that of all. */
VKR_API VkrResult vkrMpiCompactOffsets(VkrMpi mpi, uint64_t kept, uint64_t *offset,
                                       uint64_t *total);

#ifdef __cplusplus
}
#endif

#endif
