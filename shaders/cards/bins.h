/* SPDX-License-Identifier: MIT */
/*
 * Tables of bins, which edges.comp computes and histogram.comp reads.
 *
 * Elements are compared by their keys: unsigned numbers in the order of the values, as vkr_order in
 * type.glsl computes them; the key of an f16 is that of the f32 with the same value. An edge of 0
 * has the key of -0.
 *
 * A table says which keys belong to which bin, either for each component or once for all of them.
 * It has a header and then, for each bin k, the greatest difference between the base and a key that
 * belongs to bin k or to a bin before it; in one word, or in two if keys have 64 bits. The last
 * entry is the span, and no entry is greater. A key is in range if key - base, which wraps, is at
 * most the span.
 */
#ifndef VKR_CARDS_BINS_H
#define VKR_CARDS_BINS_H

#define VKR_BINS_BASE 0    /* two words, low and high: the first key that is in range */
#define VKR_BINS_SPAN 2    /* two words: the last key in range, minus the base */
#define VKR_BINS_FIRST 4   /* the bin of the base */
#define VKR_BINS_STEPS 5   /* 0: estimates are good; else steps of a search in all bins; or */
#define VKR_BINS_NONE 255u /* there are no bins */
#define VKR_BINS_ORIGIN 6  /* floats: lo, as the bits of an f32; LOG2: its logarithm */
#define VKR_BINS_SCALE 7   /* n / (hi - lo), as the bits of an f32; LOG2: of the logarithms */
#define VKR_BINS_OFFSET 8  /* added to an estimate, as the bits of an f32 */
#define VKR_BINS_HEADER 12
/* An estimate is int(t * scale + offset), rounded toward 0, where t is x - lo for floats, both as
 * f32, and key - base for integers. The offset is 1/4 less than exact, so an estimate that is not
 * below the first bin is the bin or the one before it. For floats that holds if the width of a bin
 * exceeds 1e-30 and is at least VKR_BINS_WIDE times the greater magnitude of lo and hi, which must
 * be below 1e30. */
#define VKR_BINS_WIDE 3.814697265625e-6 /* 2^-18 */
/* For LOG2 bins of floats of 16 and 32 bits t is log2(x) - log2(lo), with an error below 2^-16: the
 * roundings of both logarithms and of their difference, and an approximation. That is less than 1/8
 * of a bin if an octave has at most VKR_BINS_OF_OCTAVE bins and lo is a normal f32. Only the host
 * tests this. */
#define VKR_BINS_OF_OCTAVE 8192.0

#define VKR_OUTSIDE_COUNTS 3u /* outside of all bins: below, above, NaN */
#define VKR_MAX_TABLES 4

#endif
