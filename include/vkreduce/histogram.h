/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/histogram.h: how many elements lie between edges, and the values below which given
 * shares of them lie.
 *
 * Bins. Histogram bin k of n holds the elements x with edge k <= x < edge k + 1; where edges are
 * equal, the last such bin. A range that is closed counts x = edge n in bin n - 1.
 *  - EVEN: edge k is lo + k (hi - lo) / n in exact arithmetic; for float elements, the float
 *    nearest to it, ties to even. So an integer x lies in bin floor((x - lo) n / (hi - lo)).
 *  - LOG2: edge 0 is lo, edge n is hi, and the logarithms of edges are even, by the rule below.
 *  - EDGES: n + 1 numbers in a buffer, of which none is less than the one before, and none is NaN.
 *    (If some are, counts are unspecified, but nothing outside the histogram is written.)
 *  - INTEGERS: edge k is lo + k, for integer elements.
 * Edges are f32; f64 for f64 elements; EDGES of integers are integers of the elements' type.
 *
 * Elements are compared as exact numbers: -0 is 0, subnormals count, and so do infinities, which
 * are below or above all bins unless an edge is infinite. So counts are the same on every device.
 * Elements that are no number count as NaN, apart.
 *
 * The rule of LOG2. For a positive x = 2^e m, with 1 <= m < 2, log2 x has the integer part e and 48
 * bits of a fraction, from the first to the last one: m becomes m^2, rounded down to a multiple of
 * 2^-62; the bit is 1 where that is at least 2, and m is halved then, rounded down again. So L
 * is made of lo and H of hi, in units of 2^-48. Edge k, with 0 < k < n, is 2^q with q = L + floor(k
 * (H - L) / n), in the same units, which is 2^floor(q) times all those floor(2^62 2^(2^-i)) / 2^62
 * whose bit i of q's fraction is set, counted from 1: from the first to the last one, each product
 * rounded down to a multiple of 2^-62. It is rounded to nearest, ties to even, as a float; of
 * integers all edges are rounded up. An edge is off its place by less than 2^-40 of itself, and
 * where lo, hi and n are powers of two apart that is nothing.
 *
 * Counts are numbers of u32, which wrap modulo 2^32, or of u64. With weights, which are integers
 * then, they are sums of them, modulo 2^32 or 2^64; those of i8, i16 and i32 can be negative, in
 * two's complement. A weight w that is a float is the integer nearest to w 2^b, ties to even, where
 * b is VkrHistogramInfo::weightFraction; at least -2^31 and at most 2^31 - 128; NaN is 0, and so is
 * a subnormal of f32 or bf16. So sums are the same on every device too.
 */
#ifndef VKREDUCE_HISTOGRAM_H
#define VKREDUCE_HISTOGRAM_H

#include "core.h"
#include "image.h"
#include "map.h"

#ifdef __cplusplus
extern "C" {
#endif

#define VKR_MAX_BINS 65536u

typedef enum VkrBinKind {
    VKR_BINS_EVEN = 0,
    VKR_BINS_LOG2 = 1,
    VKR_BINS_EDGES = 2,
    VKR_BINS_INTEGERS = 3,
    VKR_BIN_KIND_COUNT = 4,
    VKR_BIN_KIND_MAX_ENUM = 0x7fffffff
} VkrBinKind;

/* A bound is value + integer, exactly, so that 2^64 and 2^64 - 1 are bounds for u64. For float
 * elements `integer` is 0. For integers the sum is an integer from -2^63 to 2^64; the value can be
 * 0. */
typedef struct VkrBound {
    double value;
    int64_t integer;
} VkrBound;

/*
 * Bounds that the GPU has: values of the elements' type (f32 of elements that are mapped), as a
 * reduction with VKR_OP_MIN and VKR_OP_MAX leaves them, those of component c c values behind those
 * of component 0. Each component has edges of its own then. The range is taken as the data's own:
 * it is closed, and where lo = hi it becomes lo - 1/2 to hi + 1/2 (of floats, each rounded to the
 * type of the edges; of LOG2, lo / 2 to 2 lo). Where one of the bounds that this leaves is NaN or
 * infinite, where lo > hi, or of LOG2 where lo is not positive, there are no bins: all numbers
 * count as above, and all edges are NaN.
 */
typedef struct VkrGpuRange {
    VkBuffer buffer;        /* VK_NULL_HANDLE: the bounds are the host's */
    VkDeviceSize low, high; /* offsets; multiples of the value's size */
} VkrGpuRange;

/* Which elements count in which bin, for all components. */
typedef struct VkrBins {
    VkrBinKind kind;
    uint32_t count; /* n: 1 to VKR_MAX_BINS */
    /* EVEN: finite, low < high; of integers, at most 2^64 apart, and such that some number of the
     * elements' type lies between them. LOG2: low > 0 too. INTEGERS: low. */
    VkrBound low, high;
    VkrGpuRange gpuRange; /* optional, of EVEN and LOG2: in place of low and high */
    VkrBufferRange edges; /* EDGES: packed; the offset is a multiple of an edge's size */
} VkrBins;

/* How elements are counted. All algorithms give the same counts. */
typedef enum VkrHistogramAlgorithm {
    VKR_HISTOGRAM_AUTO = 0,
    /* Each workgroup counts in shared memory, in as many copies as fit; where each invocation has
     * one of its own, without atomics. */
    VKR_HISTOGRAM_SHARED = 1,
    /* Atomics on the counts in memory. */
    VKR_HISTOGRAM_GLOBAL = 2,
    /* Each workgroup counts in shared memory, in one copy, by atomics (Ramalho 2014). */
    VKR_HISTOGRAM_LOCAL_ATOMICS = 3,
    VKR_HISTOGRAM_ALGORITHM_COUNT = 4,
    VKR_HISTOGRAM_ALGORITHM_MAX_ENUM = 0x7fffffff
} VkrHistogramAlgorithm;

typedef enum VkrHistogramFlagBits {
    /* Adds to what the counts are, which otherwise is lost. */
    VKR_HISTOGRAM_ACCUMULATE_BIT = 1 << 0,
    /* The last bin holds its upper edge too. */
    VKR_HISTOGRAM_CLOSED_BIT = 1 << 1,
    VKR_HISTOGRAM_FLAG_BITS_MAX_ENUM = 0x7fffffff
} VkrHistogramFlagBits;

typedef struct VkrHistogramInfo {
    const char *label; /* optional: names the work in a capture and in messages */
    VkrView input;     /* one histogram for each component */
    /* The number of elements; VKR_COUNT_ALL is the whole view, and 0 none. */
    uint64_t count;
    VkrGpuCount gpuCount;
    VkrMask mask; /* optional: leaves elements out */
    VkrBins bins;
    /* Optional: a weight for each element, which counts in all its components. One component, of a
     * type of at most 32 bits, which a map makes f32. Without buffer and image, each counts 1. */
    VkrView weights;
    uint32_t weightFraction; /* bits, at most 31; only for weights that are floats */
    VkrType countType;       /* U32 (which UNDEFINED is too) or U64 */
    /* Where counts go: packed, those of component c behind those of component c - 1. Offsets are
     * multiples of 4. None of the outputs may overlap another one, or what is read. */
    VkrBufferRange counts;
    /* Optional: of each component three counts: of elements below all bins, of those above, and
     * of NaN. */
    VkrBufferRange outside;
    /* Optional: of each component n + 1 edges, packed: f32, or f64 for elements of 64 bits; those
     * of integers rounded to nearest, ties to even. The offset is a multiple of 4. */
    VkrBufferRange edges;
    VkrHistogramAlgorithm algorithm;
    uint32_t workgroupSize; /* 0: tuned; else a power of two */
    uint32_t flags;         /* VkrHistogramFlagBits */
} VkrHistogramInfo;

/* Collects a histogram. An error is sticky: later calls up to vkrEnd return it and vkrEnd records
 * nothing. `info` is not kept; what it names is used when the command buffer executes. Counts and
 * outside, each as a whole, fit maxStorageBufferRange. */
VKR_API VkrResult vkrCmdHistogram(VkrRecorder recorder, const VkrHistogramInfo *info);

#define VKR_MAX_SHARES 64u

/*
 * What a histogram says of its elements' distribution. Let N be the sum of a component's counts,
 * which is below 2^64 and of which none is negative, C(k) the sum of counts 0 to k, and q a share,
 * from 0 to 1, rounded to a multiple of 2^-32, ties to even. With
 *  - k, the first bin with C(k) >= q N,
 *  - r = (q N - C(k - 1)) / count k, rounded down to a multiple of 2^-32; 0 where count k is 0,
 * the quantile is edge k + r (edge k + 1 - edge k), rounded once to the type of the edges, to
 * nearest, ties to even. Where one of both edges is infinite it is the other one, where both
 * are it is edge k + 1. Quantiles of nothing are NaN.
 *
 * The trimmed mean is the mean of what lies between two shares, where elements are spread evenly
 * over their bin: of the middles between the values at the ends of each bin's part, weighted by
 * these parts. Before it is rounded, it is off by less than 2^-20 of the greatest magnitude of an
 * edge; edges must be finite. Its bits are the same on every device.
 */
typedef struct VkrQuantileInfo {
    const char *label;
    uint32_t binCount;   /* 1 to VKR_MAX_BINS */
    uint32_t components; /* 1 to VKR_MAX_COMPONENTS; 0 is 1 */
    VkrType countType;   /* as in VkrHistogramInfo, as are counts and edges */
    VkrBufferRange counts;
    VkrType edgeType; /* F32 (which UNDEFINED is too) or F64 */
    VkrBufferRange edges;
    uint32_t shareCount;  /* 0 to VKR_MAX_SHARES */
    const double *shares; /* each from 0 to 1 */
    /* At least one of the outputs is given. They are packed, component by component; offsets are
     * multiples of 4. None may overlap another one, or what is read. */
    VkrBufferRange quantiles;   /* shareCount values of edgeType; ignored where that is 0 */
    double trim[2];             /* shares, the first one at least 2^-32 less than the second one */
    VkrBufferRange trimmedMean; /* a value of edgeType */
    VkrBufferRange cumulative;  /* binCount numbers of u64: C(0) to C(n - 1) */
} VkrQuantileInfo;

VKR_API VkrResult vkrCmdQuantile(VkrRecorder recorder, const VkrQuantileInfo *info);

VKR_API const char *vkrBinKindName(VkrBinKind kind);
VKR_API const char *vkrHistogramAlgorithmName(VkrHistogramAlgorithm algorithm);

#ifdef __cplusplus
}
#endif

#endif
