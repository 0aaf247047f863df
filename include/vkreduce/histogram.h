/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/histogram.h: counts of elements between edges, and quantiles: the values below which
 * given shares of the elements lie.
 *
 * Bins. Histogram bin k of n holds the elements x with edge k <= x < edge k + 1. If equal edges
 * leave several such bins, x is in the last of them. A closed range counts x = edge n in bin n - 1.
 *  - EVEN: edge k is lo + k (hi - lo) / n in exact arithmetic; for float elements, the float
 *    nearest to it, ties to even. So an integer x lies in bin floor((x - lo) n / (hi - lo)).
 *  - LOG2: edge 0 is lo, edge n is hi, and the logarithms of edges are even, by the rule below.
 *  - EDGES: n + 1 numbers in a buffer, in ascending order (equal ones are allowed) and without NaN.
 *    (Otherwise counts are unspecified, but nothing outside the histogram is written.)
 *  - INTEGERS: edge k is lo + k, for integer elements.
 * Edges are f32; f64 for f64 elements; EDGES of integers are integers of the elements' type.
 *
 * Elements are compared as exact numbers: -0 is 0, subnormals count, and so do infinities, which
 * are below or above all bins unless an edge is infinite. So counts are the same on every device.
 * NaN elements are counted separately.
 *
 * The rule of LOG2. For a positive x = 2^e m, with 1 <= m < 2, log2 x has the integer part e and 48
 * fraction bits, which are computed from the first to the last: m becomes m^2, rounded down to a
 * multiple of 2^-62; if that is at least 2, the bit is 1 and m is halved, rounded down again; else
 * the bit is 0. L is this logarithm of lo and H that of hi, in units of 2^-48. Edge k, with 0 < k <
 * n, is 2^q with q = L + floor(k (H - L) / n), in the same units. 2^q is 2^floor(q) times
 * floor(2^62 2^(2^-i)) / 2^62 for each set bit i of q's fraction, counted from 1, from the first to
 * the last, where each product is rounded down to a multiple of 2^-62. Float edges are rounded to
 * nearest, ties to even; edges for integers are rounded up. The relative error of an edge is below
 * 2^-40; it is 0 if lo and hi are powers of two and n divides log2(hi / lo).
 *
 * Counts are u32, which wrap modulo 2^32, or u64. With weights a count is the sum of integer
 * weights, modulo 2^32 or 2^64; weights of i8, i16 and i32 can be negative, in two's complement. A
 * float weight w becomes the integer nearest to w 2^b, ties to even, clamped to the range from
 * -2^31 to 2^31 - 128, where b is VkrHistogramInfo::weightFraction; NaN, and a subnormal f32 or
 * bf16, becomes 0. So sums are the same on every device too.
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
 * Bounds that lie in GPU memory: values of the elements' type (f32 if elements are mapped), as a
 * reduction with VKR_OP_MIN and VKR_OP_MAX writes them; those of component c lie c values after
 * those of component 0. Each component then has edges of its own. The library treats the range as
 * that of the data: it is closed, and if lo = hi it becomes lo - 1/2 to hi + 1/2 (for floats, each
 * rounded to the type of the edges; for LOG2, lo / 2 to 2 lo). If one of the resulting bounds is
 * NaN or infinite, if lo > hi, or if lo of LOG2 is not positive, there are no bins: all numbers
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
    /* EVEN: finite, low < high; for integers, at most 2^64 apart, and with at least one number of
     * the elements' type between them. LOG2: the same, and low > 0. INTEGERS: only low. */
    VkrBound low, high;
    VkrGpuRange gpuRange; /* optional, for EVEN and LOG2: in place of low and high */
    VkrBufferRange edges; /* EDGES: packed; the offset is a multiple of an edge's size */
} VkrBins;

/* How elements are counted. All algorithms give the same counts. */
typedef enum VkrHistogramAlgorithm {
    VKR_HISTOGRAM_AUTO = 0,
    /* Each workgroup counts in shared memory, in several copies if they fit; without atomics if
     * each invocation has its own copy. */
    VKR_HISTOGRAM_SHARED = 1,
    /* Atomics on the counts in memory. */
    VKR_HISTOGRAM_GLOBAL = 2,
    /* Each workgroup counts in shared memory, in one copy, by atomics (Ramalho 2014). */
    VKR_HISTOGRAM_LOCAL_ATOMICS = 3,
    VKR_HISTOGRAM_ALGORITHM_COUNT = 4,
    VKR_HISTOGRAM_ALGORITHM_MAX_ENUM = 0x7fffffff
} VkrHistogramAlgorithm;

typedef enum VkrHistogramFlagBits {
    /* Adds to the previous contents of the counts, which are otherwise lost. */
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
    /* Optional: a weight for each element, which counts in all its components. The view has one
     * component, of a type of at most 32 bits; with a map the weights are f32, or what its
     * function returns. Without a buffer, an image and a function each element counts 1. */
    VkrView weights;
    uint32_t weightFraction; /* bits, at most 31; only for weights that are floats */
    VkrType countType;       /* UNDEFINED (for U32), U32 or U64 */
    /* Receives the counts: packed, those of component c after those of component c - 1. Offsets are
     * multiples of 4. No output may overlap another output or an input. */
    VkrBufferRange counts;
    /* Optional: three counts for each component: elements below all bins, elements above all bins,
     * and NaN. */
    VkrBufferRange outside;
    /* Optional: n + 1 edges for each component, packed: f32, or f64 for elements of 64 bits; those
     * for integers are rounded to nearest, ties to even. The offset is a multiple of 4. */
    VkrBufferRange edges;
    VkrHistogramAlgorithm algorithm;
    uint32_t workgroupSize; /* 0: tuned; else a power of two */
    uint32_t flags;         /* VkrHistogramFlagBits */
} VkrHistogramInfo;

/* Collects a histogram. An error is sticky: later calls up to vkrEnd return it and vkrEnd records
 * nothing. `info` is not kept; what it names is used when the command buffer executes. Counts must
 * fit in maxStorageBufferRange, and so must outside. */
VKR_API VkrResult vkrCmdHistogram(VkrRecorder recorder, const VkrHistogramInfo *info);

#define VKR_MAX_SHARES 64u

/*
 * Quantiles and the trimmed mean of a histogram. Let N be the sum of a component's counts (it must
 * be below 2^64, and no count may be negative); C(k) the sum of counts 0 to k; and q a share, from
 * 0 to 1, rounded to a multiple of 2^-32, ties to even. With
 *  - k, the first bin with C(k) >= q N,
 *  - r = (q N - C(k - 1)) / count k, rounded down to a multiple of 2^-32; 0 where count k is 0,
 * the quantile is edge k + r (edge k + 1 - edge k), rounded once to the type of the edges, to
 * nearest, ties to even. If one of the two edges is infinite, the quantile is the other edge; if
 * both are, it is edge k + 1. If N is 0, all quantiles are NaN.
 *
 * The trimmed mean is the mean of the elements between two shares, if elements are spread evenly
 * over their bin: each bin's part between the shares has its midpoint as value and its number of
 * elements as weight. Before it is rounded, its error is below 2^-20 of the greatest magnitude of
 * an edge; edges must be finite. Its bits are the same on every device.
 */
typedef struct VkrQuantileInfo {
    const char *label;
    uint32_t binCount;   /* 1 to VKR_MAX_BINS */
    uint32_t components; /* 1 to VKR_MAX_COMPONENTS; 0 is 1 */
    VkrType countType;   /* as in VkrHistogramInfo, as are counts and edges */
    VkrBufferRange counts;
    VkrType edgeType; /* UNDEFINED (for F32), F32 or F64 */
    VkrBufferRange edges;
    uint32_t shareCount;  /* 0 to VKR_MAX_SHARES */
    const double *shares; /* each from 0 to 1 */
    /* At least one of the outputs is given. They are packed, component by component; offsets are
     * multiples of 4. None may overlap another one, or what is read. */
    VkrBufferRange quantiles;   /* shareCount values of edgeType; ignored where shareCount is 0 */
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
