/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/reduce.h: reductions, of all elements or of each segment.
 *
 * Determinism of float sums (sum, product, sumsq, l1, dot, mean, l2, variance, stddev); all else is
 * always exact
 *  - VKR_DETERMINISM_RUN, the default: the same device, driver, info and data give the same bits in
 *    every run.
 *  - VKR_DETERMINISM_NONE: no promise.
 *  - VKR_DETERMINISM_DEVICE: the same bits on every device, whatever the algorithm, subgroup size,
 *    offset, stride, window and source of the count. The value is defined by this tree, in IEEE 754
 *    arithmetic of the accumulator's type with rounding to nearest even:
 *      1. Element i of the input is replaced by +0 if it is subnormal in the element type, and
 *         widened to the accumulator. The leaf is the element, its absolute value (l1), its square
 *         (sumsq, l2) or its product with the second input's element (dot).
 *      2. Elements form blocks of VKR_TREE_BLOCK (8192) by index. In a block, virtual lane v of
 *         VKR_TREE_WIDTH (128) starts at +0 (1 for product) and adds the leaves v, v + 128,
 *         v + 256, .. of the block in this order.
 *      3. For h = 64, 32, .. 1, lane v < h becomes lane v + lane (v + h). Lane 0 is the block's
 *         value.
 *      4. The block values are the leaves of the next level, until one value is left.
 *    After every addition a subnormal result is replaced by +0; after every multiplication (leaves
 *    too) one of magnitude at or below the smallest normal number is, since drivers that flush
 *    disagree on that one. Such reductions need workgroups of VKR_TREE_WIDTH, which Vulkan
 *    promises; a device without them gives VKR_ERROR_UNSUPPORTED.
 *    With VKR_NAN_SKIP a leaf that is NaN is +0 (1 for product). The leaves of variances are
 *    spreads; see below.
 *
 * Accuracy of float sums (sum, sumsq, l1, dot), where u is 2^-24 in an f32 accumulator and 2^-53 in
 * an f64 one, and S is the sum of the magnitudes of the n elements, squares or products:
 *  - Below level DEVICE the result is off by at most (2 log2 n + 34) u S, and the sum of n equal
 *    elements by at most 1e-6 of itself for every n up to 2^31 (2e-15 in f64). No more than 32
 *    elements are added one after the other, and the sum that such strands join keeps what its
 *    additions lose (I. Babuska 1969, A. Neumaier 1974). Vulkan leaves open in which order a device
 *    adds the lanes of a subgroup: where that is one after the other and not by a tree, as on CPUs,
 *    the factor can grow by up to twice the subgroup size.
 *  - At level DEVICE it is off by at most 70 k u S, where k is the number of levels of the tree: 1
 *    for up to 8192 elements, 2 for up to 2^26, 3 for up to 2^39; and the sum of equal elements by
 *    up to k 1e-6 of itself.
 *  - The mean is rounded once more when the sum is divided, and so is the L2 norm, whose relative
 *    error is half that of its sum. A product of n elements has a relative error of up to n u.
 *  - Devices may take subnormal numbers for 0: then each of them adds its own magnitude to these
 *    bounds. Sums that overflow are infinite, or NaN where both infinities meet.
 *
 * Variance and standard deviation of floats
 *  - They lie within 4 x 2^-23 of the exact numbers (4 x 2^-52 in an f64 accumulator), relatively,
 *    however large the mean is beside the deviations; and 16 smallest normal numbers more, since
 *    squares of deviations below 1e-19 (1e-154 in an f64 accumulator) vanish. The standard
 *    deviation is the correctly rounded square root of the variance. Equal elements give 0.
 *  - An element that is infinite or NaN makes them NaN. Squares of deviations, or their sum, that
 *    overflow give infinity, and deviations whose sum overflows NaN: from 1e19 on in an f32
 *    accumulator, which an f64 one avoids.
 *  - At level DEVICE lanes and blocks hold a spread: n, a centre c, and the sums R of x - c and Q
 *    of its squares. These are pairs, a high and a low float. With the additions and
 *    multiplications of step 4, in the accumulator's type:
 *      two_sum(a, b) = (s, (a - (s - t)) + (b - t)), where s = a + b and t = s - a.
 *      two_product(a, b) = (p, (((A B - p) + A b') + a' B) + a' b'), where p = a b; A is a with the
 *        low 12 bits of the mantissa (27 in f64) cleared, and a' = a - A; B and b' likewise.
 *      settled(h, l) = (s, l - (s - h)), where s = h + l; (h, 0) where h is not finite.
 *      (a, b) + (c, d) = settled(s, t + (b + d)), where (s, t) = two_sum(a, c).
 *      (a, b) (c, d) = settled(p, q + (a d + b c)), where (p, q) = two_product(a, c).
 *      pair(n) = settled(65536 floor(n / 65536), n mod 65536).
 *      1 / n: from the number whose bits are 0x7ef311c7 less those of n (in f64, whose high word is
 *        0x7fde6238 less that of n, and whose low word is 0), x becomes x (2 - n x) four times
 *        (five in f64). Here and in products with it n is the high part of pair(n).
 *    A lane takes in x. Its first one becomes c. Then (d, e) = two_sum(x, -c) and (p, q) =
 *    two_product(d, d); the high part of R becomes that of two_sum(R, d), whose low part plus e is
 *    added to the low part of R; and that of Q becomes that of two_sum(Q, p), whose low part plus
 *    (q + (d + d) e) is added to the low part of Q.
 *    A spread at another centre C has R' = R + pair(n) M and Q' = Q + M (R + R'), where M =
 *    two_sum(c, -C). Two spreads, unless one has no elements, are taken to the centre c1 + ((c2 -
 *    c1) (n2 / n) + (r1 + r2) / n), where n = n1 + n2 and r are the high parts of R, and added.
 *    The result is taken from the spread at the centre c + r / n: with m = r / n of its own r, the
 *    high part of Q - R (m, h / n), where h is that of R - pair(n) (m, 0), or 0 if it is negative,
 *    is divided by n or n - 1.
 */
#ifndef VKREDUCE_REDUCE_H
#define VKREDUCE_REDUCE_H

#include "core.h"
#include "map.h"
#include "segments.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The canonical tree of VKR_DETERMINISM_DEVICE. */
#define VKR_TREE_WIDTH 128u
#define VKR_TREE_BLOCK 8192u

/* How the work is cut into dispatches. All algorithms give the same exact results; float sums may
 * differ below VKR_DETERMINISM_DEVICE. */
typedef enum VkrReduceAlgorithm {
    /* Serves every valid request; with VKR_DETERMINISM_DEVICE, every one where a block of the tree
     * fits maxStorageBufferRange (strides below 16 KiB on every device). */
    VKR_REDUCE_AUTO = 0,
    /* One dispatch; the workgroup that finishes last combines the partial results. */
    VKR_REDUCE_SINGLE = 1,
    /* Two steps: subgroup operations give one partial result per workgroup, then one workgroup
     * combines them. */
    VKR_REDUCE_SUBGROUP = 2,
    /* Shared-memory tree, one element per invocation, again over the partials (Ramalho 2014). */
    VKR_REDUCE_TREE = 3,
    /* In place: workgroup k of W reads (id + k W) W^step and writes k W^(step + 1) (OPENRNDR). */
    VKR_REDUCE_RECURSIVE = 4,
    /* Reductions of segments take AUTO or one of these, and no other reduction takes them: */
    VKR_REDUCE_LANES = 5,  /* one invocation per segment; windows of more than a few elements by way
                            * of partials of aligned blocks, of blocks of these, and so on */
    VKR_REDUCE_MERGE = 6,  /* a few invocations of a subgroup together take as many segments as they
                            * are: multi-reduction (Parker, MacKinnon 2017) */
    VKR_REDUCE_GROUPS = 7, /* one workgroup per segment */
    VKR_REDUCE_SPLIT = 8,  /* several workgroups per segment */
    /* Reductions of an image, without segments, by a dispatch for each level of a pyramid of
     * partial results, which lie in two places by turns. Layers or slices become one value each,
     * and these a row that goes on in the same way. Not for float sums of
     * VKR_DETERMINISM_DEVICE, which have an order of their own. */
    VKR_REDUCE_PINGPONG = 9,      /* an invocation makes one value of 2 x 2 (Goeddeke 2005) */
    VKR_REDUCE_RECURSIVE_2D = 10, /* a workgroup leaves one value of as many as it has invocations:
                                   * W x W, or 2 W x W; 16 x 16 unless workgroupSize, at least 4,
                                   * says otherwise (OPENRNDR) */
    VKR_REDUCE_ALGORITHM_COUNT = 11,
    VKR_REDUCE_ALGORITHM_MAX_ENUM = 0x7fffffff
} VkrReduceAlgorithm;

typedef enum VkrReduceFlagBits {
    /* The caller gives the input up: VKR_REDUCE_RECURSIVE works in place on it and leaves the
     * result in element 0 as well as in the output. It needs one operator whose partial results
     * have the element type (min, max, and, or, xor; sum and product where the accumulator is the
     * element type; and mean of f32 and f64, since the exact sums of integers have more bits) and a
     * view that fits one window, and allows any number of components. Every element at an index
     * below the host's count may be overwritten. */
    VKR_REDUCE_CONSUME_INPUT_BIT = 1 << 0,
    /* Variances and standard deviations are those of a sample: squared deviations are divided by
     * one less than the number of elements. Other operators ignore it. */
    VKR_REDUCE_SAMPLE_BIT = 1 << 1,
    VKR_REDUCE_FLAG_BITS_MAX_ENUM = 0x7fffffff
} VkrReduceFlagBits;

/*
 * A reduction of data that is not all on the device at once. The whole of `count` elements is cut
 * into pieces; vkrCmdReduce is called once for each, in any number of recordings that execute in
 * order, with everything the same except input, count and `first`. Each call leaves its piece's
 * partials in `partials`; the call whose piece ends the whole combines all of them and writes the
 * output. Indices count from the start of the whole, and with VKR_DETERMINISM_DEVICE the bits are
 * those of the whole. gpuCount and VKR_REDUCE_CONSUME_INPUT_BIT are not allowed, and the algorithm
 * must be AUTO or SUBGROUP. VkrReduceLayout::partialsSize says how much room `partials` needs;
 * nothing else may be written there in between.
 */
typedef struct VkrPieces {
    VkrBufferRange partials; /* null buffer: the input is the whole */
    uint64_t first;          /* index of the piece's element 0; a multiple of VKR_TREE_BLOCK, as is
                              * the count of every piece except the last */
    uint64_t count;          /* elements of the whole */
} VkrPieces;

typedef struct VkrReduceInfo {
    const char *label; /* optional: names the work in a capture and in messages */
    VkrOpFlags ops;    /* one or more VkrOp */
    VkrView input;
    VkrView input2; /* for VKR_OP_DOT: the same type and components, its own stride; else ignored */
    /* The number of elements; VKR_COUNT_ALL is the whole view. 0, which a zero-initialised
     * structure has, means that there are none, and gives the results of no element. */
    uint64_t count;
    VkrGpuCount gpuCount;
    VkrBufferRange output; /* where vkrGetReduceLayout's results go; may overlap the input, but not
                            * where there are segments */
    /* Optional: where the results of tiles go in place of `output`, which is left 0 then. Each tile
     * becomes a texel: tile (x, y) of a layer texel (x, y) of that layer. See below. */
    const struct VkrImage *outputImage;
    VkrType accumulator; /* UNDEFINED: the default; I64, U64: integers of that sign; F64: floats */
    VkrNan nan;
    VkrDeterminism determinism;
    VkrReduceAlgorithm algorithm;
    uint32_t workgroupSize; /* 0: tuned; else a power of two; with VKR_DETERMINISM_DEVICE 0 or
                             * VKR_TREE_WIDTH */
    uint32_t flags;         /* VkrReduceFlagBits */
    VkrPieces pieces;       /* optional */
    /* Optional: one call reduces each segment; ROWS, COLUMNS, WINDOWS or OFFSETS. Pieces and
     * VKR_REDUCE_CONSUME_INPUT_BIT are not allowed then. Indices count from a segment's first
     * element, VKR_DETERMINISM_DEVICE means the tree of each segment, and an empty segment gives
     * the results of no element. The output must not overlap anything that is read. These must fit
     * maxStorageBufferRange: the input, offsets and results of OFFSETS; a window of WINDOWS, and
     * the partials of its blocks; with VKR_DETERMINISM_DEVICE, 8192 rows of COLUMNS. */
    VkrSegments segments;
    /* Optional: leaves elements out. Not with VKR_REDUCE_CONSUME_INPUT_BIT, nor with both
     * VKR_OP_DOT and segments by OFFSETS. The output must not overlap the mask. */
    VkrMask mask;
} VkrReduceInfo;

/*
 * VkrReduceInfo::outputImage: segments are TILES, and the image is a level of ceil(width /
 * tileWidth) x ceil(height / tileHeight) texels, written as a whole: of type 2D, or 2D_ARRAY with
 * as many layers as the input has layers or slices. It has STORAGE usage, is in layout GENERAL and,
 * on entry, as outputs are (recorder.h); what it held is lost.
 *
 * The channels are the results, as many as the format has: operator by operator in the order of the
 * bits, and component by component, so that of min and max of one component red is the minimum and
 * green the maximum. All results are floats, or all signed or all unsigned integers, of at most 32
 * bits: neither counts nor others of u64, i64 or f64. Formats, rounding and the features that
 * writes need are those of pyramids' levels (pyramid.h): a format of floats takes results that are
 * floats; UNORM and SNORM take them where the input is an image of normalised numbers, without a
 * map; a format of integers takes integers of its sign. Float formats keep infinities, such as the
 * minimum of no element; elsewhere results become the nearest number there is, and NaN becomes 0.
 */
typedef struct VkrReduceResult {
    VkrType type;        /* UNDEFINED where the operator is not in the set */
    VkDeviceSize offset; /* of component 0, relative to output.offset; components are consecutive */
} VkrReduceResult;

/*
 * Where each result lies in the output: in the order of the operators' bits, each aligned to its
 * own element size (scalar block layout). Two operations of one recording whose outputs lie at
 * least `spacing` apart never share a descriptor granule; packed outputs give the same results, but
 * synchronisation validation, which sees whole granules, may report them.
 */
typedef struct VkrReduceLayout {
    uint32_t components;
    VkDeviceSize alignment; /* of VkrReduceInfo::output.offset */
    VkDeviceSize size;
    VkDeviceSize spacing;
    VkDeviceSize partialsSize; /* of VkrPieces::partials for pieces.count elements */
    uint64_t segments;         /* 1 where there are no segments */
    VkDeviceSize stride;       /* bytes from a segment's results to those of the next */
    /* The result of operator 1 << i is results[i]: a VkrOp, which is that bit itself, is not an
     * index of this array. vkrGetReduceResult takes a VkrOp. */
    VkrReduceResult results[VKR_OP_BITS];
} VkrReduceLayout;

/* Reads ops, input's type, components, count, sizes and map, accumulator, pieces.count if it is not
 * 0, kind, length, offsetType and the size of offsets of segments, and whether there is a mask;
 * other buffers may be null and output empty. The layout is that of `output`, whether or not there
 * is an image in its place. */
VKR_API VkrResult vkrGetReduceLayout(VkrContext context, const VkrReduceInfo *info,
                                     VkrReduceLayout *layout);

/* Returns the result of an operator in `layout`, which must outlive its use. NULL where the
 * operator is not one of those that the layout was made for, or `op` is not exactly one
 * operator. */
VKR_API const VkrReduceResult *vkrGetReduceResult(const VkrReduceLayout *layout, VkrOp op);

/*
 * Collects a reduction. An error is sticky: later calls up to vkrEnd return it and vkrEnd records
 * nothing. `info` is not kept; the buffers it names are used when the command buffer executes.
 */
VKR_API VkrResult vkrCmdReduce(VkrRecorder recorder, const VkrReduceInfo *info);

VKR_API const char *vkrReduceAlgorithmName(VkrReduceAlgorithm algorithm);

#ifdef __cplusplus
}
#endif

#endif
