/* SPDX-License-Identifier: MIT */
/*
 * vkreduce/reduce.h: reductions, of all elements or of each segment.
 *
 * Determinism of float sums (sum, product, sumsq, l1, dot, mean, l2, variance, stddev,
 * logsumexp); all other results are always exact
 *  - VKR_DETERMINISM_RUN, the default: the same device, driver, info and data give the same bits in
 *    every run.
 *  - VKR_DETERMINISM_NONE: no promise.
 *  - VKR_DETERMINISM_DEVICE: the same bits on every device, whatever the algorithm, subgroup size,
 *    offset, stride, window and source of the count. The value is defined by this tree, in IEEE 754
 *    arithmetic of the accumulator's type with rounding to nearest even:
 *      1. Element i of the input is replaced by +0 if it is subnormal in the element type, and
 *         widened to the accumulator. The leaf is the element, its absolute value (l1), its square
 *         (sumsq, l2) or its product with the second input's element (dot). An l2 that is ranged
 *         (see below) has three trees.
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
 *    With VKR_NAN_SKIP a leaf that is NaN is +0 (1 for product). The leaves of variances and of
 *    logsumexp are other states; see below.
 *    All sliding windows (VKR_SEGMENTS_WINDOWS) share one binary tree instead of steps 2 to 4. Its
 *    node i of level 0 is the leaf of element i, counted from the start of the input, added to +0
 *    (for product, multiplied by 1); node i of level h + 1 is node 2 i plus node 2 i + 1 of level
 *    h. For each window the leaves outside of it are +0 (1 for product), and its value is that of a
 *    node above all of its elements: of any, since +0 changes no value here.
 *
 * Accuracy of float sums (sum, sumsq, l1, dot), where u is 2^-24 in an f32 accumulator and 2^-53 in
 * an f64 one, and S is the sum of the magnitudes of the n elements, squares or products:
 *  - Below level DEVICE the error of the result is at most (2 log2 n + 34) u S, and that of the sum
 *    of n equal elements at most 1e-6 of the sum for every n up to 2^31 (2e-15 in f64). At most 32
 *    elements are added one after the other; such strands are then added up with compensation for
 *    rounding errors (I. Babuska 1969, A. Neumaier 1974). Vulkan does not define in which order a
 *    device adds the lanes of a subgroup: where it adds them one after the other instead of in a
 *    tree, as CPUs do, the factor can grow by up to twice the subgroup size.
 *  - At level DEVICE the error is at most 70 k u S, where k is the number of levels of the tree: 1
 *    for up to 8192 elements, 2 for up to 2^26, 3 for up to 2^39. For the sum of equal elements it
 *    is at most k 1e-6 of the sum. Sliding windows of n elements have at most (log2 n + 4) u S, and
 *    at most 3e-7 of the sum for equal elements (6e-16 in f64).
 *  - The mean is rounded once more when the sum is divided, and so is the L2 norm, whose relative
 *    error is half that of its sum. A product of n elements has a relative error of up to n u.
 *  - An L2 norm is right wherever its type can hold it, although squares leave the range of the
 *    accumulator: it is infinite only if it overflows itself, and +0 only if it is below the
 *    smallest normal number. In the same read the squares of x 2^95 and of x 2^-64 are summed too
 *    (in f64, of x 2^900 and of x 2^-512), in trees of their own, and the root is that of the sum
 *    of x 2^-64 where the plain one is infinite, or of x 2^95 where that is less than 2^-64 (in
 *    f64, 2^-800), multiplied by the inverse of that factor. Such norms are called ranged: those of
 *    f64, and of f32 and bf16 in an f32 accumulator. The others need no such sums.
 *  - Devices may treat subnormal numbers as 0: then each of them adds its own magnitude to these
 *    bounds. Sums that overflow are infinite, or NaN where both infinities meet.
 *
 * Variance and standard deviation of floats
 *  - Their relative error is at most 4 x 2^-23 (4 x 2^-52 in an f64 accumulator), however large the
 *    mean is compared to the deviations, and whatever the magnitude of the elements. A variance
 *    that overflows is infinite; a result below the smallest normal number is +0. The standard
 *    deviation overflows only where its own type cannot hold it. Equal elements give 0.
 *  - An element that is infinite or NaN makes them NaN; finite elements do not. Devices may treat
 *    subnormal elements as 0, which changes a standard deviation by up to three times the smallest
 *    normal number.
 *  - At level DEVICE lanes, blocks and nodes hold a spread: n, a centre c, and the sums R of x - c
 *    and Q of its squares. These are pairs, a high and a low float. With the additions and
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
 *    Spreads of f64, and of f32 and bf16 in an f32 accumulator, are those of elements times a
 *    scale, a power of two: the first one of 2^102, 2^38, 2^-26 and 2^-90 (in f64 of 2^600, 1 and
 *    2^-600) at which all their elements have a magnitude below 2^40 (in f64, 2^480). The scale of
 *    others is 1. A spread that adds an element with a smaller scale first moves to that scale, and
 *    two spreads that are added move to the smaller one of theirs: c and R are multiplied by the
 *    ratio of the scales, also where that is 1, and Q twice. A ratio that is not greater than the
 *    smallest normal number counts as 0. x below stands for an element times its spread's scale.
 *    A lane adds x to its spread, and a leaf of windows to an empty one. The first x becomes c.
 *    Then (d, e) = two_sum(x, -c) and (p, q) = two_product(d, d); the high part of R becomes that
 *    of two_sum(R, d), whose low part plus e is added to the low part of R; and that of Q becomes
 *    that of two_sum(Q, p), whose low part plus (q + (d + d) e) is added to the low part of Q.
 *    A spread at another centre C has R' = R + pair(n) M and Q' = Q + M (R + R'), where M =
 *    two_sum(c, -C). Two spreads, unless one has no elements, are moved to the centre c1 + ((c2 -
 *    c1) (n2 / n) + (r1 + r2) / n), where n = n1 + n2 and r are the high parts of R, and added.
 *    The result comes from the spread at the centre c + r / n: with m = r / n of its own r, the
 *    high part of Q - R (m, h / n), where h is that of R - pair(n) (m, 0), or 0 if it is negative,
 *    is divided by n or n - 1, and by the square of the scale, in one rounding. The standard
 *    deviation is the correctly rounded root of that quotient, which is rounded first as if its
 *    exponent had no limit.
 *
 * Logarithm of the sum of exp(x) (logsumexp), of n elements of f32, f16 or bf16
 *  - With L for log(sum of exp(x - max)), which is from 0 to log(n), its error is at most
 *    (8 log2 n + 160 + 12 L + |result|) u, at level DEVICE (160 k + 160 + 12 L + |result|) u, where
 *    k counts the levels of the tree. A zero is +0; so may be results below the smallest normal
 *    number. It is -inf of no element, and of -inf alone; with +inf it is +inf; a NaN makes it NaN.
 *  - At level DEVICE lanes, blocks and nodes hold a reference r and a sum s: -inf and +0 of no
 *    element, x and 1 of the element x, and -inf and NaN of a NaN. With exp and log2 of apply.h and
 *    map.h, and the additions and multiplications of step 4: a lane that adds the leaf x, with the
 *    sum t, has d = x - r; where d > 16 it becomes x and s exp(-d) + t, and otherwise r and s +
 *    t exp(d). Two states become the greater r and its s + the other s times exp(the other r - r).
 *    exp of the difference of two equal infinities is +0. The result is r + 0.693147182 log2(s).
 *    The reference lags so that slowly rising elements cause no scaling, and its rounding error, at
 *    each of them.
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
    /* Supports every valid request that needs at most 16,384 windows of maxStorageBufferRange and,
     * with segments, 16,384 dispatches of each kernel (segments by columns, of which there are at
     * most 2^31, also have less than 2^32 rows); with VKR_DETERMINISM_DEVICE, every one where a
     * block of the tree fits in maxStorageBufferRange too (strides below 16 KiB on every
     * device). */
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
    /* Reductions of segments use AUTO or one of the next four; no other reduction uses these
     * four. */
    VKR_REDUCE_LANES = 5,  /* one invocation per segment; windows of more than a few elements
                            * combine partials of aligned blocks, of blocks of such blocks, and so
                            * on */
    VKR_REDUCE_MERGE = 6,  /* n invocations of a subgroup together reduce n segments, for a small n:
                            * multi-reduction (Parker, MacKinnon 2017) */
    VKR_REDUCE_GROUPS = 7, /* one workgroup per segment; like SPLIT, not for float sums of windows
                            * with VKR_DETERMINISM_DEVICE, whose tree windows share */
    VKR_REDUCE_SPLIT = 8,  /* several workgroups per segment */
    /* Reductions of an image, without segments, by a dispatch for each level of a pyramid of
     * partial results, which alternate between two buffers. Each layer or slice becomes one value,
     * and these values form a row that is reduced in the same way. Not for float sums with
     * VKR_DETERMINISM_DEVICE, whose order is fixed. */
    VKR_REDUCE_PINGPONG = 9,      /* an invocation reduces 2 x 2 values to one (Goeddeke 2005) */
    VKR_REDUCE_RECURSIVE_2D = 10, /* a workgroup reduces one value per invocation to one value: 
                                   * W x W, or 2 W x W of them; 16 x 16 unless workgroupSize, which
                                   * must be at least 4, says otherwise (OPENRNDR) */
    VKR_REDUCE_ALGORITHM_COUNT = 11,
    VKR_REDUCE_ALGORITHM_MAX_ENUM = 0x7fffffff
} VkrReduceAlgorithm;

typedef enum VkrReduceFlagBits {
    /* The caller gives the input up: VKR_REDUCE_RECURSIVE works in place on it and leaves the
     * result in element 0 as well as in the output. It needs one operator whose partial results
     * have the element type (min, max, and, or, xor; sum and product where the accumulator is the
     * element type; and the mean of f32 and f64, but not of integers, whose exact sums have more
     * bits) and a view that fits one window, and allows any number of components. Every element at
     * an index below the host's count may be overwritten. */
    VKR_REDUCE_CONSUME_INPUT_BIT = 1 << 0,
    /* Variances and standard deviations are those of a sample: squared deviations are divided by
     * one less than the number of elements. Other operators ignore it. */
    VKR_REDUCE_SAMPLE_BIT = 1 << 1,
    VKR_REDUCE_FLAG_BITS_MAX_ENUM = 0x7fffffff
} VkrReduceFlagBits;

/*
 * A reduction of data of which only a part is on the device at a time. The whole of `count`
 * elements is cut into pieces; vkrCmdReduce is called once for each, in any number of recordings
 * that execute in order, with everything the same except input, count and `first`. Each call stores
 * its piece's partials in `partials`; the call whose piece ends the whole combines all of them and
 * writes the output. Indices count from the start of the whole, and with VKR_DETERMINISM_DEVICE the
 * bits are those of the whole. gpuCount and VKR_REDUCE_CONSUME_INPUT_BIT are not allowed, and the
 * algorithm must be AUTO or SUBGROUP. VkrReduceLayout::partialsSize says how much room `partials`
 * needs; nothing else may be written there in between.
 *
 * A call with `first` = `count` and no element only combines: all partials are there already. They
 * may have been copied from other devices, which reduced pieces of the same whole without its end
 * or with it (parts.h).
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
     * structure has, means no element. */
    uint64_t count;
    VkrGpuCount gpuCount;
    VkrBufferRange output; /* receives the results at the offsets of vkrGetReduceLayout; may overlap
                            * the input unless there are segments */
    /* Optional: receives the results of tiles in place of `output`, which must then be 0. Tile (x,
     * y) of a layer becomes texel (x, y) of that layer. See below. */
    const struct VkrImage *outputImage;
    VkrType accumulator; /* UNDEFINED: the default; I64, U64: integers of that sign; F64: floats */
    VkrNan nan;
    VkrDeterminism determinism;
    VkrReduceAlgorithm algorithm;
    uint32_t workgroupSize; /* 0: tuned; else a power of two; with VKR_DETERMINISM_DEVICE 0 or
                             * VKR_TREE_WIDTH */
    uint32_t flags;         /* VkrReduceFlagBits */
    VkrPieces pieces;       /* optional */
    /* Optional: one call reduces each segment; all kinds except FLAGS. Pieces and
     * VKR_REDUCE_CONSUME_INPUT_BIT are not allowed then. Indices count from a segment's first
     * element, VKR_DETERMINISM_DEVICE applies to the tree of each segment (windows share one), and
     * an empty segment gives the results of no element. The output must not overlap anything that
     * is read. Each of these must fit in maxStorageBufferRange: the input of OFFSETS and KEYS, and
     * for KEYS an offset for each run that can be stored; a window of WINDOWS, and the partials of
     * its blocks; with VKR_DETERMINISM_DEVICE, 8192 rows of COLUMNS. */
    VkrSegments segments;
    /* Optional: leaves elements out. Not allowed with VKR_REDUCE_CONSUME_INPUT_BIT, nor with both
     * VKR_OP_DOT and segments by OFFSETS or KEYS. The output must not overlap the mask. */
    VkrMask mask;
    /* Optional: a type of states and functions on them, in place of ops and input (module.h). */
    const struct VkrMonoid *monoid;
} VkrReduceInfo;

/*
 * VkrReduceInfo::outputImage: segments are TILES, and the image is a level of ceil(width /
 * tileWidth) x ceil(height / tileHeight) texels, written as a whole: of type 2D, or 2D_ARRAY with
 * as many layers as the input has layers or slices. It has STORAGE usage, is in layout GENERAL and,
 * on entry, is synchronised as outputs are (recorder.h); its previous contents are lost.
 *
 * The format has one channel for each result: operator by operator in the order of the bits, and
 * component by component, so that for min and max of one component red is the minimum and green the
 * maximum. Results are all floats, all signed or all unsigned integers, of at most 32 bits: neither
 * counts nor other results of type u64, i64 or f64. Formats, rounding and the features that writes
 * need are those of pyramids' levels (pyramid.h): float formats hold float results; UNORM and SNORM
 * formats hold them if the input is an image of normalised numbers, without a map; integer formats
 * hold integers of their sign. Float formats keep infinities, such as the minimum of no element; in
 * other formats results become the nearest number of the format, and NaN becomes 0.
 */
typedef struct VkrReduceResult {
    VkrType type;        /* UNDEFINED where the operator is not in the set */
    VkDeviceSize offset; /* of component 0, relative to output.offset; components are consecutive */
} VkrReduceResult;

/*
 * Where each result lies in the output. Results are in the order of the operators' bits, each
 * aligned to its own element size (scalar block layout). Two operations of one recording whose
 * outputs lie at least `spacing` apart never share a descriptor granule; packed outputs give the
 * same results, but synchronisation validation, which sees whole granules, may report them.
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
 * 0, kind, length, offsetType, the size of offsets and runs.capacity of segments, and whether there
 * is a mask; with a monoid, all of it except its hook's set and uses, the input that it takes,
 * count and segments. Other buffers may be null and output empty. The layout is that of `output`,
 * even if outputImage replaces it. */
VKR_API VkrResult vkrGetReduceLayout(VkrContext context, const VkrReduceInfo *info,
                                     VkrReduceLayout *layout);

/* Returns the result of an operator in `layout`, which must outlive its use. Returns NULL if the
 * layout was made without that operator, or if `op` is not exactly one operator. */
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
