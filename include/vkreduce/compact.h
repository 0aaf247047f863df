/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/compact.h: compaction, partition, unique and run-length encoding.
 *
 * vkrCmdCompact tests every element and moves, in their order, those that are kept to the front of
 * the kept outputs and all others to the front of the rejected outputs. Any set of outputs is
 * allowed, even none: then only the counts are written.
 *
 *     compaction            kept, keptIndices
 *     partition             these, and rejected, rejectedIndices
 *     unique                VKR_PREDICATE_UNIQUE: kept has the first element of each run
 *     run-length encoding   unique, and runLengths
 *
 * Sources: D. Roger, U. Assarsson, N. Holzschuch, "Efficient Stream Reduction on the GPU" (2007)
 * for stream reduction by prefix sums, and for VKR_COMPACT_HORN and all algorithms after it;
 * look-back as in scan.h.
 */
#ifndef VKREDUCE_COMPACT_H
#define VKREDUCE_COMPACT_H

#include "core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum VkrPredicateKind {
    VKR_PREDICATE_NONZERO = 0, /* x != 0; NaN is kept, -0 is not */
    VKR_PREDICATE_COMPARE = 1, /* `x compare a`, and, unless compare2 is NONE, `x compare2 b` */
    VKR_PREDICATE_FINITE = 2,  /* neither infinite nor NaN, as every integer is */
    VKR_PREDICATE_NAN = 3,
    VKR_PREDICATE_BITS = 4,  /* `(bits of x & mask) compare value`; EQUAL or NOT_EQUAL */
    VKR_PREDICATE_FLAGS = 5, /* the element's flag is set */
    /* The bits of some component differ from those of the element before; with byValue, the numbers
     * do: -0 equals +0, and all NaN are equal. */
    VKR_PREDICATE_UNIQUE = 6,
    VKR_PREDICATE_KIND_COUNT = 7,
    VKR_PREDICATE_KIND_MAX_ENUM = 0x7fffffff
} VkrPredicateKind;

/* Comparisons of numbers are those of C: -0 equals +0, and with NaN only NOT_EQUAL holds. Subnormal
 * numbers are not flushed. */
typedef enum VkrCompare {
    VKR_COMPARE_NONE = 0,
    VKR_COMPARE_EQUAL = 1,
    VKR_COMPARE_NOT_EQUAL = 2,
    VKR_COMPARE_LESS = 3,
    VKR_COMPARE_LESS_EQUAL = 4,
    VKR_COMPARE_GREATER = 5,
    VKR_COMPARE_GREATER_EQUAL = 6,
    VKR_COMPARE_COUNT = 7,
    VKR_COMPARE_MAX_ENUM = 0x7fffffff
} VkrCompare;

/* A constant: `i` for signed integers, `u` for unsigned ones, which must be in the range of the
 * type; `f` for floats, which is rounded to the type, to nearest even. */
typedef union VkrConstant {
    int64_t i;
    uint64_t u;
    double f;
} VkrConstant;

typedef struct VkrPredicate {
    VkrPredicateKind kind;
    VkBool32 negate;    /* keep the elements that fail the test */
    VkBool32 byValue;   /* for UNIQUE of floats */
    uint32_t component; /* the component that is tested; below input.components */
    VkrCompare compare;
    VkrCompare compare2;
    VkrConstant a;
    VkrConstant b;
    /* Optional, instead of a and b: one or two values of the input's type, in a buffer that the GPU
     * reads when the work executes. */
    VkrBufferRange gpuConstants;
    uint64_t mask; /* for BITS, in the type's low bits: 0x80000000 is the sign of an f32 */
    uint64_t value;
    VkrFlagView flags; /* for FLAGS */
} VkrPredicate;

/* An array that moves with the elements: entry i of the source goes where element i goes. Sizes are
 * 1 to 64 bytes. Offsets and strides must be multiples of the entry's unit: 4 bytes where size is a
 * multiple of 4; else 2 (needs VKR_FEATURE_STORAGE_16BIT) or 1 (VKR_FEATURE_STORAGE_8BIT). */
typedef struct VkrPayload {
    uint32_t size;             /* bytes of an entry */
    VkBool32 rejected;         /* the array moves with the rejected elements instead */
    VkrBufferRange source;     /* holds every entry below the count */
    VkDeviceSize sourceStride; /* 0: size */
    /* Its size limits how many entries are stored: an empty range holds none. */
    VkrBufferRange target;
    VkDeviceSize targetStride;
    /* Optional: for the source what VkrView::texels is for a view. Entries are loaded through it if
     * their size is a multiple of 16 bytes and they lie at multiples of 16 bytes in source and
     * target. */
    VkrTexels texels;
} VkrPayload;

/* Which count is written. `kept` is the append position plus the number of kept elements; `stored`
 * is how many of these the kept outputs hold, at most the capacity. */
typedef enum VkrCountKind {
    VKR_COUNT_KEPT = 0,   /* a u32: kept * scale */
    VKR_COUNT_STORED = 1, /* a u32: stored * scale, such as VkDrawIndirectCommand::instanceCount */
    VKR_COUNT_REJECTED = 2, /* a u32: the number of rejected elements * scale */
    VKR_COUNT_KEPT64 = 3,   /* u64 */
    VKR_COUNT_STORED64 = 4,
    VKR_COUNT_REJECTED64 = 5,
    /* A VkDispatchIndirectCommand for the stored elements, with one workgroup for each `scale` of
     * them: (g, 1, 1) for g workgroups, or (min(g, L), ceil(g / L), 1) where g exceeds L =
     * maxComputeWorkGroupCount[0]. */
    VKR_COUNT_DISPATCH = 6,
    /* A VkDrawMeshTasksIndirectCommandEXT, written in the same way with L =
     * VkrLimits::maxTaskWorkGroupCount[0], or with maxTaskWorkGroupTotalCount if that is less. The
     * limits of the context must allow the command for all elements that can be stored: as many as
     * the capacity, or the count if that is less and there is no append position. */
    VKR_COUNT_MESH_TASKS = 7,
    VKR_COUNT_KIND_COUNT = 8,
    VKR_COUNT_KIND_MAX_ENUM = 0x7fffffff
} VkrCountKind;

/* Up to four outputs within 64 bytes of one buffer are written by the dispatch that counts the kept
 * elements, and vkrGetUses then names all bytes from the first to the last one. A separate dispatch
 * at the end writes all other count outputs, those that replace gpuCount, those that a single
 * dispatch would write together with the indices of rejected elements, and beside run lengths in a
 * single pass all but one that is KEPT or KEPT64 with a scale of 1. */
typedef struct VkrCountOutput {
    VkrCountKind kind;
    VkBuffer buffer;
    VkDeviceSize offset; /* a multiple of 4 */
    uint32_t scale;      /* 0: 1 */
} VkrCountOutput;

typedef enum VkrCompactAlgorithm {
    /* Supports every valid request but two, which are VKR_ERROR_UNSUPPORTED: gigabytes of elements
     * in workgroups so small that one workgroup cannot combine the partial results of all of them;
     * and more than 131,072 pairs of a window of what is read and one of what is stored, which are
     * 362 windows of each. On devices for which it prefers a single pass, that pass also moves
     * values which FLAGS selects, if there is no GPU count and whole words hold the flags: those of
     * bytes start at a multiple of 4, and there are a multiple of 4 of them. Run lengths are a
     * single pass, too, for elements of one component of 32 bits, in a buffer, with lengths that
     * are u32, if nothing has a stride, kept and counts are the only other outputs, and there are
     * no append position, negate, CONTINUED_BIT and workgroupSize. */
    VKR_COMPACT_AUTO = 0,
    /* Counts the kept elements of runs, scans the counts, and reads the elements again to move
     * them. Writes every output; views may exceed maxStorageBufferRange: W such windows of input
     * and output need about W * W / 2 dispatches, and most of these have no work. */
    VKR_COMPACT_SCAN_SCATTER = 1,
    /* Reads the elements once, as VKR_SCAN_SINGLE_PASS does; cannot be used with
     * VKR_FORWARD_PROGRESS_NONE. Writes all outputs except payloads (which include values that
     * FLAGS selects) and runLengths, and has no sink, for fewer than 2^30 elements within
     * maxStorageBufferRange. */
    VKR_COMPACT_SINGLE_PASS = 2,
    /* Stream reduction as of 2007, for comparison (VkrContextProperties::documents must be true).
     * An element's displacement is the number of rejected elements up to it. These algorithms write
     * kept outputs (values, indices, payloads, run lengths) and counts, for fewer than 2^30
     * elements within maxStorageBufferRange. HORN and BLELLOCH_GATHER compute the displacements of
     * all elements by the dispatches of VKR_SCAN_HILLIS_STEELE and VKR_SCAN_BLELLOCH, and then
     * search the stream for the element of each position: O(n log n). */
    VKR_COMPACT_HORN = 3,
    VKR_COMPACT_BLELLOCH_GATHER = 4,
    /* These do the same in blocks of fixed size, scan the numbers of elements that the blocks
     * reject, and copy the kept elements of each block to their place. ROGER computes displacements
     * in shared memory and searches each block; with ROGER_SEQUENTIAL one invocation compacts a
     * block in a loop. */
    VKR_COMPACT_ROGER = 5,
    VKR_COMPACT_ROGER_SEQUENTIAL = 6,
    VKR_COMPACT_ALGORITHM_COUNT = 7,
    VKR_COMPACT_ALGORITHM_MAX_ENUM = 0x7fffffff
} VkrCompactAlgorithm;

/* How VKR_COMPACT_ROGER computes the displacements inside a block of s elements; the formulas are
 * the numbers of additions. The totals of the blocks are scanned by Blelloch's algorithm if this is
 * BLELLOCH, and by that of Hillis and Steele otherwise. */
typedef enum VkrBlockScan {
    VKR_BLOCK_SCAN_HILLIS_STEELE = 0, /* s log2 s - s + 1 */
    VKR_BLOCK_SCAN_BLELLOCH = 1,      /* 2 (s - 1) */
    /* Blelloch's sweeps above and below the 16 nodes that Hillis and Steele's algorithm scans;
     * S. Sengupta, A. Lefohn, J. Owens, "A Work-Efficient Step-Efficient Prefix Sum Algorithm"
     * (2006): 2 (s - 16) + 49 for s of at least 16. */
    VKR_BLOCK_SCAN_HYBRID = 2,
    VKR_BLOCK_SCAN_COUNT = 3,
    VKR_BLOCK_SCAN_MAX_ENUM = 0x7fffffff
} VkrBlockScan;

/* How an algorithm searches for the element of a position. */
typedef enum VkrStreamSearch {
    VKR_STREAM_SEARCH_DEFAULT = 0, /* WHILE for ROGER, FOR for HORN and BLELLOCH_GATHER */
    VKR_STREAM_SEARCH_FOR = 1,     /* halves the range a fixed number of times, log2 of its size */
    /* Ends when the element is found, and narrows the range by how far the displacement is off. */
    VKR_STREAM_SEARCH_WHILE = 2,
    VKR_STREAM_SEARCH_COUNT = 3,
    VKR_STREAM_SEARCH_MAX_ENUM = 0x7fffffff
} VkrStreamSearch;

/* How the kept elements of a block are moved to their place. */
typedef enum VkrConcatenation {
    VKR_CONCATENATION_SEGMENTS = 0, /* a row of invocations copies the segment of a block */
    VKR_CONCATENATION_ELEMENTS = 1, /* each element's invocation finds the place */
    VKR_CONCATENATION_COUNT = 2,
    VKR_CONCATENATION_MAX_ENUM = 0x7fffffff
} VkrConcatenation;

/* For VKR_COMPACT_HORN and all algorithms after it; an option that an algorithm lacks must be 0. */
typedef struct VkrStreamOptions {
    uint32_t block;                 /* elements of ROGER*: a power of two from 8 to 1,024; 0: 64 */
    VkrBlockScan blockScan;         /* ROGER */
    VkrStreamSearch search;         /* all but ROGER_SEQUENTIAL */
    VkrConcatenation concatenation; /* ROGER* */
} VkrStreamOptions;

typedef enum VkrCompactFlagBits {
    /* The input continues another one: there is an element right before it (at input.offset -
     * stride), with which UNIQUE compares element 0. The input is a buffer, and has no map. */
    VKR_COMPACT_CONTINUED_BIT = 1 << 0,
    VKR_COMPACT_FLAG_BITS_MAX_ENUM = 0x7fffffff
} VkrCompactFlagBits;

/*
 * Outputs are written only where elements are stored. They must not overlap an input (the input,
 * flags, constants, payload sources) or another output. The views of outputs have the type and
 * components of what they hold, or UNDEFINED and 0 for these, and strides of their own. A view with
 * a null buffer and no sizes means that this output is not requested.
 */
typedef struct VkrCompactInfo {
    const char *label; /* optional */
    uint32_t flags;    /* VkrCompactFlagBits */
    VkrView input;     /* for FLAGS without kept and rejected it may be empty: then count is the
                        * number of flags */
    /* The number of elements; VKR_COUNT_ALL is all of the input. 0, which a zero-initialised
     * structure has, means no element: only the counts are written. */
    uint64_t count;
    VkrGpuCount gpuCount;
    VkrPredicate predicate;
    VkrCompactAlgorithm algorithm;
    uint32_t workgroupSize; /* 0: tuned; else a power of two */
    VkrStreamOptions stream;
    /* Kept outputs. The first kept element goes to position `append`, a u32 or u64 that the GPU
     * reads when the work executes, or to position 0 without it; a count output may write it. */
    VkrView kept;
    VkrView keptIndices; /* U32 or U64; UNDEFINED: U32, U64 where the indices can reach 2^32 */
    VkrView runLengths;  /* typed as keptIndices: distances from each kept element to the next */
    VkrGpuCount append;
    uint64_t capacity; /* how many elements the kept outputs may hold; 0: as many as the smallest of
                        * them can */
    VkrView rejected;  /* the other elements, starting at position 0, up to its size */
    VkrView rejectedIndices;
    uint64_t firstIndex; /* added to indices */
    uint32_t payloadCount;
    const VkrPayload *payloads;
    /* Optional: a function of the application, void name(uint i, uint position), that is called
     * once for each kept element that is stored (module.h). There may be no other output. The count
     * must be below 2^32, and the algorithm must not be SINGLE_PASS. */
    const struct VkrHook *sink;
    uint32_t countOutputCount;
    const VkrCountOutput *countOutputs;
} VkrCompactInfo;

/* Collects a compaction; errors and `info` are treated as by vkrCmdReduce. */
VKR_API VkrResult vkrCmdCompact(VkrRecorder recorder, const VkrCompactInfo *info);

VKR_API const char *vkrCompactAlgorithmName(VkrCompactAlgorithm algorithm);
VKR_API const char *vkrPredicateName(VkrPredicateKind kind);
VKR_API const char *vkrBlockScanName(VkrBlockScan scan);
VKR_API const char *vkrStreamSearchName(VkrStreamSearch search);
VKR_API const char *vkrConcatenationName(VkrConcatenation concatenation);

#ifdef __cplusplus
}
#endif

#endif
