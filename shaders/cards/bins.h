/* SPDX-License-Identifier: MIT */
/*
 * Tables of bins, which edges.comp makes and histogram.comp reads.
 *
 * Elements are compared by their keys: unsigned numbers in the order of the values, as vkr_order in
 * type.glsl makes them; of f16 those of the f32 of the same value. An edge of 0 has the key of -0.
 *
 * A table says which keys belong to which bin, for each component, or once for all of them. It has
 * a header and then, for each bin k, the greatest difference of a key and the base that belongs to
 * bin k or to a bin before it; in one word, or in two where keys have 64 bits. No entry is greater
 * than the span, which the last one is. A key is in range where key - base, which wraps, is at most
 * the span.
 */
#ifndef VKR_CARDS_BINS_H
#define VKR_CARDS_BINS_H

#define VKR_BINS_BASE 0    /* two words, low and high: the first key that is in range */
#define VKR_BINS_SPAN 2    /* two words: the last key that is, less the base */
#define VKR_BINS_FIRST 4   /* the bin of the base */
#define VKR_BINS_STEPS 5   /* 0: estimates are good; else steps of a search of all bins; or */
#define VKR_BINS_NONE 255u /* there are no bins */
#define VKR_BINS_ORIGIN 6  /* floats: lo, as the bits of an f32 */
#define VKR_BINS_SCALE 7   /* n / (hi - lo), as those of an f32 */
#define VKR_BINS_OFFSET 8  /* what an estimate starts from, as those of an f32 */
#define VKR_BINS_HEADER 12
/* An estimate is int(t * scale + offset), rounded to 0, where t is x - lo of floats, both as f32,
 * and key - base of integers. The offset has 1/4 less than the place of a bin, so that an estimate
 * that is not below the first bin is the bin or the one before it: of floats where bins are at
 * least VKR_BINS_WIDE of the greater magnitude of lo and hi, which is below 1e30, and 1e-30. */
#define VKR_BINS_WIDE 3.814697265625e-6 /* 2^-18 */

#define VKR_OUTSIDE_COUNTS 3u /* outside of all bins: below, above, NaN */
#define VKR_MAX_TABLES 4

#endif
