/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/segments.h: independent parts of the data, for reductions and for scans.
 *
 * A scan starts anew in each segment, with the initial value; element 0 always starts one. A
 * reversed scan runs from a segment's last element to its first. Every element is in exactly one
 * segment.
 *
 * A reduction gives a result for each segment. Segments may be empty, and those of WINDOWS overlap.
 * A GPU-resident count truncates segments: each keeps its elements below the count, perhaps none.
 *
 *     kind      in a scan                              in a reduction
 *     FLAGS     one starts at every set flag           not allowed
 *     ROWS      runs of `length` elements, `pitch`     the same
 *               apart; the last one may be shorter
 *     OFFSETS   one starts at each offset;             one less than the number of offsets: segment
 *               an offset at or past the count         i runs from offset i to offset i + 1, which
 *               starts none; no offset: one segment    must not be less
 *     COLUMNS   `length`, as in a reduction            `length`: segment i has the i-th element of
 *                                                      every row of `length` elements; length must
 *                                                      divide count
 *     WINDOWS   not allowed                            count - length + 1: every run of `length`
 *                                                      consecutive elements; none where count is
 *                                                      less than length
 *     TILES     not allowed                            rectangles of tileWidth x tileHeight
 *                                                      elements of an image, or of a buffer that is
 *                                                      seen as rows of `length` elements: length
 *                                                      must divide count. Tiles are ordered row
 *                                                      by row, then layer by layer; those at the
 *                                                      right and at the bottom edge are cut off
 *                                                      there. The elements of a tile are indexed
 *                                                      row by row. Results can be texels
 *                                                      (VkrReduceInfo::outputImage).
 *     KEYS      one starts at every element whose      one for each run of consecutive elements
 *               key differs from that of the element   whose keys have equal bits, in the order of
 *               before it                              the runs (VkrRuns)
 *
 * Keys are compared by the bits of all their components: +0 and -0 differ, and a NaN equals a NaN
 * of the same bits. With byValue, -0 equals +0, and all NaN are equal, as in sort.h with
 * VKR_SORT_BY_VALUE_BIT; a run then has the key of its first element. To group elements that are
 * not beside each other, sort them by key first (sort.h). Float sums by key keep what OFFSETS (in a
 * scan FLAGS) with the same segments promises, at level DEVICE with the same bits.
 */
#ifndef VKREDUCE_SEGMENTS_H
#define VKREDUCE_SEGMENTS_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum VkrSegmentKind {
    VKR_SEGMENTS_NONE = 0,
    VKR_SEGMENTS_FLAGS = 1,
    VKR_SEGMENTS_ROWS = 2,
    VKR_SEGMENTS_OFFSETS = 3,
    VKR_SEGMENTS_COLUMNS = 4,
    VKR_SEGMENTS_WINDOWS = 5,
    VKR_SEGMENTS_TILES = 6,
    VKR_SEGMENTS_KEYS = 7,
    VKR_SEGMENT_KIND_COUNT = 8,
    VKR_SEGMENT_KIND_MAX_ENUM = 0x7fffffff
} VkrSegmentKind;

struct VkrCountOutput; /* compact.h */

/*
 * What a reduction by KEYS writes besides its results; all of it is optional. Only the GPU knows
 * the number of runs, so each output has room for as many runs as there are elements, or for
 * `capacity` runs: then later runs are counted, but not stored. The same holds for
 * VkrReduceInfo::output; vkrGetReduceLayout computes its size for that many segments. Bytes for
 * runs that do not exist are not written. These outputs overlap nothing that the reduction reads or
 * writes.
 */
typedef struct VkrRuns {
    VkrView uniqueKeys; /* the key of each run; typed as VkrSegments::keys, or UNDEFINED and 0 */
    VkrView lengths;    /* elements of each run: U32 or U64; UNDEFINED: U32, U64 where the count can
                         * reach 2^32. A GPU-resident count truncates the last run */
    uint64_t capacity;  /* the maximum number of runs that are stored; 0: the count */
    /* The number of runs for later work on the GPU: what is kept is the first element of each run,
     * and everything else is rejected. */
    uint32_t countOutputCount;
    const struct VkrCountOutput *countOutputs;
} VkrRuns;

typedef struct VkrSegments {
    VkrSegmentKind kind;
    VkrFlagView flags; /* for FLAGS */
    uint64_t length;   /* for ROWS, COLUMNS and WINDOWS, in elements; for TILES of a buffer */
    /* For ROWS: elements from the start of one row to that of the next, at least `length`; 0:
     * `length`. What lies between rows has no effect and is never written, but it counts: element i
     * of row r is element r * pitch + i of the input, of its mask, of its second input, of payloads
     * and of outputs with an element for each of the input; there are as many rows as start below
     * the count, and both counts can end a row early. Scans (scan.h) and sorts (sort.h) copy rows
     * that lie apart; other operations read them where they are. */
    uint64_t pitch;
    uint32_t tileWidth; /* for TILES */
    uint32_t tileHeight;
    /* For OFFSETS: element indices in ascending order, at a multiple of 4 bytes. Empty segments
     * repeat an index. */
    VkrBufferRange offsets;
    VkrType offsetType; /* UNDEFINED (for U32), U32 or U64 */
    /* For OFFSETS in a reduction: the number of segments, if it lies in GPU memory; clamped to what
     * `offsets` holds. Results of later segments are not written. */
    VkrGpuCount gpuCount;
    /* For KEYS: a key for each element, of any type. It may be the input. A scan may overwrite the
     * keys: it reads all of them first. */
    VkrView keys;
    VkBool32 byValue; /* for KEYS of floats */
    VkrRuns runs;     /* for KEYS in a reduction */
} VkrSegments;

#ifdef __cplusplus
}
#endif

#endif
