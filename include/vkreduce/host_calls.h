/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/host_calls.h: calls of libvkreduce-host for one array, which host.h includes.
 *
 * Each call takes the info of an operation, and beside it pointers to the arrays of the host that
 * the operation reads and writes. It returns when the results are there. It makes a recording, so
 * it drops the last one of vkrHostBegin, and is an error while that is not submitted or at work.
 *
 *  - Views of the info have a type, components, a stride and an offset, which is that of element 0
 *    from the pointer; they have no buffer, size, texels or image. Where the info says that a view
 *    can be left undefined, it can here, too. An output is requested by its pointer.
 *  - Counts are numbers, since an array has no size of its own: not VKR_COUNT_ALL, and nothing that
 *    lies in GPU memory. Members with buffers, images and functions of the application are not set.
 *  - Arrays overlap only where they are only read, or where a call says that it works in place.
 *  - Elements that the operation does not write, because it stores fewer than fit, are undefined
 *    afterwards; bytes between elements keep what they have.
 *  - Where the arrays fit the device, the call is one submission. Arrays that do not (none may
 *    exceed VkrHostDevice::maxBufferSize, nor all together half of its memory), or which exceed
 *    `chunkSize` bytes, go through the device in chunks, if the operation can: while one chunk is
 *    at work, the next one is loaded. Results are those of the whole, except that float sums of
 *    scans below VKR_DETERMINISM_DEVICE, and results of vkrHostApply, may differ in their last
 *    bits.
 *
 *     operation   chunks                                       what must fit the device as a whole
 *     reduction   without segments, ROWS, WINDOWS              everything for other segments
 *     scan        without segments, ROWS                       everything for other segments
 *     compaction  all                                          -
 *     bounds      of the values                                the sorted elements
 *     histogram   all                                          counts and edges
 *     apply       ROWS                                         everything for other segments
 *     sort        none                                         everything
 *     merge       none                                         everything
 *     top-k       none                                         everything
 *     selection   none                                         everything
 *     expansion   none                                         everything
 *
 * A chunk is as large as `chunkSize` allows, but has at least one row or window or, without
 * segments, one block: VKR_TREE_BLOCK elements of a reduction, 256 of a scan, 32 elsewhere. Float
 * sums and products of scans with VKR_DETERMINISM_DEVICE have chunks of whole blocks of
 * VKR_SCAN_BLOCK elements, rows too, and none where a reversed scan's last row is shorter.
 * chunkSize 0 lets the call choose. vkrGetHostTime tells the time of one of the chunks.
 */
#ifndef VKREDUCE_HOST_CALLS_H
#define VKREDUCE_HOST_CALLS_H

#include "host.h"

#ifdef __cplusplus
extern "C" {
#endif

/* For segments by OFFSETS and by FLAGS; ignored for others. */
typedef struct VkrHostSegments {
    const void *offsets;  /* of segments.offsetType */
    uint64_t offsetCount; /* in a reduction one more than there are segments */
    const void *flags;    /* of segments.flags.format */
} VkrHostSegments;

typedef struct VkrHostReduceInfo {
    VkrReduceInfo reduce; /* all kinds of segments but KEYS */
    const void *input;
    const void *input2; /* for VKR_OP_DOT */
    const void *mask;   /* optional: flags of reduce.mask.flags.format */
    VkrHostSegments segments;
    void *results; /* as in VkrReduceInfo::output */
    size_t resultsSize;
    VkrReduceLayout *layout; /* optional: receives where each result lies */
    VkDeviceSize chunkSize;
} VkrHostReduceInfo;

VKR_API VkrResult vkrHostReduce(VkrHost host, const VkrHostReduceInfo *info);

typedef struct VkrHostScanInfo {
    VkrScanInfo scan; /* all kinds of segments but KEYS; `initial` is optional, as ever */
    const void *input;
    void *output;     /* may be `input`: then offset, stride and type are those of the input, too */
    void *total;      /* optional: VkrScanInfo::total */
    const void *mask; /* optional: flags of scan.mask.flags.format */
    VkrHostSegments segments;
    VkDeviceSize chunkSize;
} VkrHostScanInfo;

VKR_API VkrResult vkrHostScan(VkrHost host, const VkrHostScanInfo *info);

typedef struct VkrHostCompactInfo {
    VkrCompactInfo compact; /* without runLengths, payloads and count outputs */
    const void *input;
    const void *flags; /* for VKR_PREDICATE_FLAGS */
    /* All outputs are optional. kept and keptIndices have room for compact.capacity elements, where
     * 0 is the count; the others have room for all. */
    void *kept;
    void *keptIndices;
    void *rejected;
    void *rejectedIndices;
    uint64_t *keptCount; /* how many elements are kept, those that are not stored included */
    uint64_t *rejectedCount;
    VkDeviceSize chunkSize;
} VkrHostCompactInfo;

VKR_API VkrResult vkrHostCompact(VkrHost host, const VkrHostCompactInfo *info);

typedef struct VkrHostSortInfo {
    VkrSortInfo sort; /* all segments of sorts; no payloads */
    const void *keys;
    /* One for each of sort.then; it may be `keys` with another offset, unless the sort is in
     * place. */
    const void *then[VKR_MAX_SORT_THEN];
    VkrHostSegments segments;
    void *sorted;  /* optional; may be `keys`: then offset and stride are those of the keys, too */
    void *indices; /* optional */
    /* Optional: entries of payloadSize bytes, of which one belongs to each key. They are packed. */
    const void *payload;
    void *payloadSorted;
    uint32_t payloadSize;
} VkrHostSortInfo;

VKR_API VkrResult vkrHostSort(VkrHost host, const VkrHostSortInfo *info);

/* Of equal keys those of `a` come first; both are sorted. */
typedef struct VkrHostMergeInfo {
    VkrMergeInfo merge; /* no payloads */
    const void *a;
    const void *b;
    void *merged;  /* optional, as are the others, but one of them is given */
    void *indices; /* u32 */
    /* Entries of payloadSize bytes, of which one belongs to each key. They are packed. */
    const void *payloadA;
    const void *payloadB;
    void *payloadMerged;
    uint32_t payloadSize;
} VkrHostMergeInfo;

VKR_API VkrResult vkrHostMerge(VkrHost host, const VkrHostMergeInfo *info);

/* Entries that a segment does not have, since it has fewer elements, or wants fewer, keep what they
 * have. */
typedef struct VkrHostTopKInfo {
    VkrTopKInfo topK; /* all segments of selections; no payloads */
    const void *input;
    VkrHostSegments segments; /* offsetCount is one more than there are segments */
    const uint32_t *wanted;   /* optional, for OFFSETS: one for each segment */
    void *values;             /* optional, as are the others, but one of these two is given */
    void *indices;            /* u32 */
    uint32_t *found;          /* one for each segment */
} VkrHostTopKInfo;

VKR_API VkrResult vkrHostTopK(VkrHost host, const VkrHostTopKInfo *info);

/* Entries of ranks that a segment does not have keep what they have. */
typedef struct VkrHostSelectInfo {
    VkrSelectInfo select; /* ranks or shares */
    const void *input;
    VkrHostSegments segments; /* for OFFSETS; offsetCount is one more than there are segments */
    void *values;  /* optional, but one of the two is given: select.rankCount for each segment */
    void *indices; /* u32 */
} VkrHostSelectInfo;

VKR_API VkrResult vkrHostSelect(VkrHost host, const VkrHostSelectInfo *info);

typedef struct VkrHostExpandInfo {
    VkrExpandInfo expand; /* without payloads and count outputs */
    const void *counts;
    /* All are optional. They have room for expand.capacity outputs, of which those after 2^31 are
     * not used; where none of the first three is given, the outputs are only counted. */
    void *sources;
    void *ranks;
    void *payloadExpanded;
    const void *payload; /* entries of payloadSize bytes, of which one belongs to each source */
    uint32_t payloadSize;
    uint64_t *outputCount; /* how many outputs there are, those that are not stored included */
} VkrHostExpandInfo;

VKR_API VkrResult vkrHostExpand(VkrHost host, const VkrHostExpandInfo *info);

typedef struct VkrHostBoundsInfo {
    VkrBoundsInfo bounds;
    const void *sorted;
    const void *values;
    void
        *lower; /* optional, but one of the two is given: u32, or u64 if the count can reach 2^32 */
    void *upper;
    VkDeviceSize chunkSize;
} VkrHostBoundsInfo;

VKR_API VkrResult vkrHostBounds(VkrHost host, const VkrHostBoundsInfo *info);

typedef struct VkrHostHistogramInfo {
    VkrHistogramInfo histogram;
    const void *input;
    const void *mask;    /* optional: flags of histogram.mask.flags.format */
    const void *weights; /* optional */
    const void *edges;   /* for VKR_BINS_EDGES */
    /* Of histogram.countType: bins.count for each component; with VKR_HISTOGRAM_ACCUMULATE_BIT they
     * are read, too. */
    void *counts;
    void *outside;     /* optional: VkrHistogramInfo::outside */
    void *edgesOutput; /* optional: VkrHistogramInfo::edges */
    VkDeviceSize chunkSize;
} VkrHostHistogramInfo;

VKR_API VkrResult vkrHostHistogram(VkrHost host, const VkrHostHistogramInfo *info);

/* Elements that have no output, between rows or in no segment, keep what they have. */
typedef struct VkrHostApplyInfo {
    VkrApplyInfo apply; /* all segments of apply.h */
    const void *input;
    VkrHostSegments segments; /* offsetCount is one more than there are segments */
    /* Of apply.output.type; undefined stands for the type of the input, with a map for f32. It may
     * be `input`: then offset, stride and type are those of the input, too. */
    void *output;
    VkDeviceSize chunkSize;
} VkrHostApplyInfo;

VKR_API VkrResult vkrHostApply(VkrHost host, const VkrHostApplyInfo *info);

#ifdef __cplusplus
}
#endif

#endif
