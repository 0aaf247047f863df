/* SPDX-License-Identifier: MIT */
/* VkrHistogramInfo. */
#include "refusals.h"

#include "../requests.h"

#include <float.h>
#include <math.h>

#include "input.h"

#define NUMBER_TYPE "VKR_TYPE_UNDEFINED (for u32), VKR_TYPE_U32 or VKR_TYPE_U64."

static VkrHistogramInfo info;
static VkrMap map;
static VkrImage mask;
#define SCOPE                                                                                      \
    VkrHistogramInfo *const i = &info;                                                             \
    (void)i

static void set_plain(void)
{
    info = plain_histogram();
    map = (VkrMap){.function = VKR_MAP_SQRT};
    mask = mask_image();
}

static void set_integers(VkrHistogramInfo *i, VkrBound low, VkrBound high)
{
    i->input.type = VKR_TYPE_I32;
    i->bins.low = low;
    i->bins.high = high;
}

static void set_edges(VkrHistogramInfo *i)
{
    i->bins.kind = VKR_BINS_EDGES;
    i->bins.edges = (VkrBufferRange){BUFFER('D'), 0, 404};
}

static void set_range(VkrHistogramInfo *i, VkDeviceSize low, VkDeviceSize high)
{
    i->bins.gpuRange = (VkrGpuRange){BUFFER('G'), low, high};
}

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
COMPUTED_ROWS(X)                                                                                   \
INPUT_ROWS(X)                                                                                      \
X(count, PLAIN, INVALID, "count is 1001, but must be VKR_COUNT_ALL or at most 1000, the number "   \
  "of elements that input holds.", i->count = 1001)                                                \
X(gpu_count_type, PLAIN, INVALID, "gpuCount.type is 5, but must be " NUMBER_TYPE,                  \
  i->gpuCount = ((VkrGpuCount){BUFFER('N'), 0, VKR_TYPE_I32}))                                     \
X(gpu_count_offset, PLAIN, INVALID, "gpuCount.offset is 2, but must be a multiple of 4.",          \
  i->gpuCount = ((VkrGpuCount){BUFFER('N'), 2, VKR_TYPE_U32}))                                     \
X(map_wide, PLAIN, INVALID, "input.map is given, but elements of input are u64, and only those "   \
  "of up to 32 bits can be mapped.", i->input.type = VKR_TYPE_U64; i->input.map = &map)            \
X(mask_size, PLAIN, INVALID, "mask.flags.range.size is 124, but must be at least 128.",            \
  i->mask.flags = ((VkrFlagView){.format = VKR_FLAGS_BITS, .range = {BUFFER('F'), 0, 124}}))       \
X(mask_image, PLAIN, INVALID, "mask.image has 950 texels, but must have at least the 1000 of "     \
  "count.", i->mask.image = &mask; mask.extent.height = 19)                                        \
X(kind, PLAIN, INVALID, "bins.kind is 4, but must be 0 to 3.", i->bins.kind = VKR_BIN_KIND_COUNT)  \
X(no_bins, PLAIN, INVALID, "bins.count is 0, but must be from 1 to 65536.", i->bins.count = 0)     \
X(many_bins, PLAIN, INVALID, "bins.count is 65537, but must be from 1 to 65536.",                  \
  i->bins.count = 65537)                                                                           \
X(integers_of_floats, PLAIN, INVALID, "bins.kind is integers, but elements are f32, and must "     \
  "then be integers.", i->bins.kind = VKR_BINS_INTEGERS)                                           \
X(integers_of_mapped, PLAIN, INVALID, "bins.kind is integers, but elements are f32, and must "     \
  "then be integers.", i->input.type = VKR_TYPE_I32; i->input.map = &map;                          \
  i->bins.kind = VKR_BINS_INTEGERS)                                                                \
X(low_integer, PLAIN, INVALID, "bins.low.integer is -1, but must be 0 for elements of f32.",       \
  i->bins.low.integer = -1)                                                                        \
X(high_integer, PLAIN, INVALID, "bins.high.integer is 5, but must be 0 for elements of f32.",      \
  i->bins.high.integer = 5)                                                                        \
X(low_nan, PLAIN, INVALID, "bins.low.value is nan, but must be a finite f32.",                     \
  i->bins.low.value = (double)NAN)                                                                 \
X(high_infinite, PLAIN, INVALID, "bins.high.value is inf, but must be a finite f32.",              \
  i->bins.high.value = (double)INFINITY)                                                           \
X(high_infinite_f64, PLAIN, INVALID, "bins.high.value is inf, but must be a finite f64.",          \
  i->bins.high.value = (double)INFINITY; i->input.type = VKR_TYPE_F64; i->input.size = 8000)       \
X(not_less, PLAIN, INVALID, "bins.low.value is 10, but must be less than bins.high, 10.",          \
  i->bins.low.value = 10)                                                                          \
X(log2_of_0, PLAIN, INVALID, "bins.low.value is 0, but must be greater than 0 where bins.kind is " \
  "log2.", i->bins.kind = VKR_BINS_LOG2)                                                           \
X(low_fraction, PLAIN, INVALID, "bins.low is 0.5 + 3, but must be an integer from -2^63 to 2^64.", \
  set_integers(i, (VkrBound){0.5, 3}, (VkrBound){10, 0}))                                          \
X(low_below, PLAIN, INVALID, "bins.low is -1 + -9223372036854775808, but must be an integer from " \
  "-2^63 to 2^64.", set_integers(i, (VkrBound){-1, INT64_MIN}, (VkrBound){10, 0}))                 \
X(high_above, PLAIN, INVALID, "bins.high is 1.84467e+19 + 1, but must be an integer from -2^63 "   \
  "to 2^64.", set_integers(i, (VkrBound){0, 0}, (VkrBound){0x1p64, 1}))                            \
X(high_nan, PLAIN, INVALID, "bins.high is nan + 1, but must be an integer from -2^63 to 2^64.",    \
  set_integers(i, (VkrBound){0, 0}, (VkrBound){(double)NAN, 1}))                                   \
X(integers_not_less, PLAIN, INVALID, "bins.low is 3 + 4, but must be less than bins.high, 0 + 7.", \
  set_integers(i, (VkrBound){3, 4}, (VkrBound){0, 7}))                                             \
X(integers_apart, PLAIN, INVALID, "bins.low is 0 + -1, but must be at most 2^64 below bins.high, " \
  "1.84467e+19 + 0.", set_integers(i, (VkrBound){0, -1}, (VkrBound){0x1p64, 0}))                   \
X(integers_log2, PLAIN, INVALID, "bins.low is 0 + 0, but must be greater than 0 where bins.kind "  \
  "is log2.", set_integers(i, (VkrBound){0, 0}, (VkrBound){10, 0}); i->bins.kind = VKR_BINS_LOG2)  \
X(range_kind, PLAIN, INVALID, "bins.gpuRange is given, but bins.kind is edges, and must then be "  \
  "even or log2.", set_edges(i); set_range(i, 0, 4))                                               \
X(range_low, PLAIN, INVALID, "bins.gpuRange.low is 2, but must be a multiple of 4.", set_range(i,  \
  2, 4))                                                                                           \
X(range_high, PLAIN, INVALID, "bins.gpuRange.high is 6, but must be a multiple of 4.",             \
  set_range(i, 0, 6))                                                                              \
X(range_apart, NARROW, UNSUPPORTED, "bins.gpuRange.low and high are 65536 bytes apart, but must "  \
  "fit maxStorageBufferRange (65536 bytes, less up to 64 for "                                     \
  "alignment).", set_range(i, 65536, 0))                                                           \
X(edges_given, PLAIN, INVALID, "bins.edges is given, but bins.kind is even, and must then be "     \
  "edges.", set_edges(i); i->bins.kind = VKR_BINS_EVEN)                                            \
X(edges_null, PLAIN, INVALID, "bins.edges.buffer is VK_NULL_HANDLE, but must be a buffer.",        \
  set_edges(i); i->bins.edges.buffer = VK_NULL_HANDLE)                                             \
X(edges_offset, PLAIN, INVALID, "bins.edges.offset is 6, but must be a multiple of 4.",            \
  set_edges(i); i->bins.edges.offset = 6)                                                          \
X(edges_size, PLAIN, INVALID, "bins.edges.size is 403, but must be at least 404.", set_edges(i);   \
  i->bins.edges.size = 403)                                                                        \
X(weights_size, PLAIN, INVALID, "weights.size is 3999, which is 999 elements, but must hold the "  \
  "1000 of count.", i->weights.size = 3999)                                                        \
X(weights_components, PLAIN, INVALID, "weights.components is 2, but must be 1: a weight for each " \
  "element.", i->weights.components = 2; i->weights.size = 8000)                                   \
X(weights_type, PLAIN, INVALID, "weights.type is f64, but must be a type of at most 32 bits.",     \
  i->weights.type = VKR_TYPE_F64; i->weights.size = 8000)                                          \
X(weights_u8, BARE, UNSUPPORTED, "weights.type is u8, but must be a type that the context "        \
  "supports: this one needs storageBuffer8BitAccess.", i->weights.type = VKR_TYPE_U8;              \
  i->weightFraction = 0)                                                                           \
X(weights_buffer, PLAIN, INVALID, "weightFraction is 8, but must be 0 where there are no "         \
  "weights.", i->weights = (VkrView){0})                                                           \
X(fraction, PLAIN, INVALID, "weightFraction is 32, but must be at most 31.",                       \
  i->weightFraction = 32)                                                                          \
X(fraction_of_integers, PLAIN, INVALID, "weightFraction is 8, but must be 0 for weights that are " \
  "integers.", i->weights.type = VKR_TYPE_I32)                                                     \
X(fraction_of_bytes, PLAIN, INVALID, "weightFraction is 8, but must be 0 for weights that are "    \
  "integers.", i->weights.type = VKR_TYPE_U8)                                                      \
X(count_type, PLAIN, INVALID, "countType is 7, but must be " NUMBER_TYPE,                          \
  i->countType = VKR_TYPE_I64)                                                                     \
X(counts_null, PLAIN, INVALID, "counts.buffer is VK_NULL_HANDLE, but must be a buffer.",           \
  i->counts.buffer = VK_NULL_HANDLE)                                                               \
X(counts_offset, PLAIN, INVALID, "counts.offset is 2, but must be a multiple of 4.",               \
  i->counts.offset = 2)                                                                            \
X(counts_size, PLAIN, INVALID, "counts.size is 400, but must be at least 800.",                    \
  i->countType = VKR_TYPE_U64)                                                                     \
X(counts_of_components, PLAIN, INVALID, "counts.size is 400, but must be at least 1600.",          \
  i->input.components = 4; i->count = 0)                                                           \
X(counts_whole, PLAIN, INVALID, "counts.size is VK_WHOLE_SIZE, but must be a number of bytes.",    \
  i->counts.size = VK_WHOLE_SIZE)                                                                  \
X(counts_range, NARROW, UNSUPPORTED, "bins.count is 20000, but counts of 1 components must fit "   \
  "maxStorageBufferRange (65536 bytes, less up to 64 for "                                         \
  "alignment).", i->bins.count = 20000; i->counts.size = 80000;                                    \
  i->edges = (VkrBufferRange){0})                                                                  \
X(outside_offset, PLAIN, INVALID, "outside.offset is 3, but must be a multiple of 4.",             \
  i->outside.offset = 3)                                                                           \
X(outside_size, PLAIN, INVALID, "outside.size is 11, but must be at least 12.",                    \
  i->outside.size = 11)                                                                            \
X(edges_out_offset, PLAIN, INVALID, "edges.offset is 6, but must be a multiple of 4.",             \
  i->edges.offset = 6)                                                                             \
X(edges_out_size, PLAIN, INVALID, "edges.size is 400, but must be at least 404.",                  \
  i->edges.size = 400)                                                                             \
X(edges_out_wide, PLAIN, INVALID, "edges.size is 404, but must be at least 808.",                  \
  i->input.type = VKR_TYPE_I64; i->count = 0)                                                      \
X(overlap_outside, PLAIN, INVALID, "counts overlaps outside, but must be apart from it.",          \
  i->outside = ((VkrBufferRange){BUFFER('C'), 396, 12}))                                           \
X(overlap_edges, PLAIN, INVALID, "outside overlaps edges, but must be apart from it.",             \
  i->outside = ((VkrBufferRange){BUFFER('E'), 0, 12}))                                             \
X(overlap_input, PLAIN, INVALID, "edges overlaps input, but must be apart from it.",               \
  i->edges.buffer = i->input.buffer; i->edges.offset = 4252)                                       \
X(overlap_weights, PLAIN, INVALID, "counts overlaps weights, but must be apart from it.",          \
  i->counts.buffer = BUFFER('W'))                                                                  \
X(overlap_mask, PLAIN, INVALID, "counts overlaps mask.flags.range, but must be apart from it.",    \
  i->mask.flags = ((VkrFlagView){.format = VKR_FLAGS_BITS, .range = {BUFFER('C'), 396, 128}}))     \
X(overlap_count, PLAIN, INVALID, "outside overlaps gpuCount, but must be apart from it.",          \
  i->gpuCount = ((VkrGpuCount){BUFFER('S'), 12, VKR_TYPE_U64}))                                    \
X(overlap_range, PLAIN, INVALID, "edges overlaps bins.gpuRange.high, but must be apart from it.",  \
  set_range(i, 0, 408); i->bins.gpuRange.buffer = BUFFER('E'))                                     \
X(overlap_bins, PLAIN, INVALID, "edges overlaps bins.edges, but must be apart from it.",           \
  set_edges(i); i->bins.edges.buffer = BUFFER('E'))                                                \
X(algorithm, PLAIN, INVALID, "algorithm is 4, but must be 0 to 3.",                                \
  i->algorithm = VKR_HISTOGRAM_ALGORITHM_COUNT)                                                    \
X(algorithm_room, PLAIN, UNSUPPORTED, "algorithm is local-atomics, but must be auto or global, "   \
  "since bins.count is 20000, and counts of 1 components do not fit the device's 32768 bytes of "  \
  "shared memory.", i->bins.count = 20000; i->counts.size = 80000; i->edges = (VkrBufferRange){0}; \
  i->algorithm = VKR_HISTOGRAM_LOCAL_ATOMICS)                                                      \
X(workgroup, PLAIN, INVALID, "workgroupSize is 96, but must be 0 or a power of two.",              \
  i->workgroupSize = 96)                                                                           \
X(workgroup_large, SMALL, UNSUPPORTED, "workgroupSize is 512, but must be at most 256 on this "    \
  "device.", i->workgroupSize = 512)                                                               \
X(flags, PLAIN, INVALID, "flags is VKR_HISTOGRAM_CLOSED_BIT | 0x4, but must "                      \
  "have only bits of VkrHistogramFlagBits.", i->flags = 6)

#define RIGHT_ROWS(X)                                                                              \
X(as_it_is, PLAIN, (void)i)                                                                        \
X(nothing, PLAIN, i->count = 0; i->input = (VkrView){.type = VKR_TYPE_F32};                        \
  i->weights = (VkrView){0}; i->weightFraction = 0)                                                \
X(counts_alone, PLAIN, i->outside = i->edges = (VkrBufferRange){0})                                \
X(one_bin, PLAIN, i->bins.count = 1)                                                               \
X(all_bins, PLAIN, i->bins.count = 65536; i->counts.size = 4 << 16; i->edges.size = (4 << 16) + 4) \
X(bounds_of_f32, PLAIN, i->bins.low.value = -(double)FLT_MAX;                                      \
  i->bins.high.value = (double)FLT_MAX)                                                            \
X(bounds_of_f64, PLAIN, i->bins.low.value = -DBL_MAX; i->bins.high.value = DBL_MAX;                \
  i->input.type = VKR_TYPE_F64; i->count = 100; i->edges.size = 808)                               \
X(bounds_of_integers, PLAIN, set_integers(i, (VkrBound){0x1p63, INT64_MIN}, (VkrBound){0x1p64,     \
  0}))                                                                                             \
X(signed_bounds, PLAIN, set_integers(i, (VkrBound){-0x1p63, 0}, (VkrBound){0, INT64_MAX}))         \
X(apart_by_all, PLAIN, set_integers(i, (VkrBound){-0x1p63, 0}, (VkrBound){0x1p63, 0}))             \
X(bounds_unused, PLAIN, set_edges(i); i->bins.low.value = (double)NAN)                             \
X(range_turned, PLAIN, set_range(i, 64, 0); i->bins.low.value = (double)NAN)                       \
X(range_of_u8, PLAIN, set_range(i, 3, 7); i->input.type = VKR_TYPE_U8; i->count = 1000)            \
X(range_of_f16, PLAIN, set_range(i, 6, 2); i->input.type = VKR_TYPE_F16; i->count = 1000)          \
X(last_fraction, PLAIN, i->weightFraction = 31)                                                    \
X(weights_of_bytes, PLAIN, i->weights.type = VKR_TYPE_I8; i->weightFraction = 0)                   \
X(weights_mapped, PLAIN, i->weights.type = VKR_TYPE_I32; i->weights.map = &map)                    \
X(weights_of_image, PLAIN, i->weights = (VkrView){.components = 1, .image = &mask})                \
X(image, PLAIN, i->input = (VkrView){.image = &mask})                                              \
X(touching, PLAIN, i->outside = ((VkrBufferRange){BUFFER('C'), 400, 12}))                          \
X(masked, PLAIN, i->mask.flags = ((VkrFlagView){.format = VKR_FLAGS_U8,                            \
  .range = {BUFFER('F'), 1, 1000}}))                                                               \
X(counted, PLAIN, i->gpuCount = ((VkrGpuCount){BUFFER('N'), 4, VKR_TYPE_U64}))                     \
X(flags_all, PLAIN, i->flags = 3)                                                                  \
X(count_u64, PLAIN, i->countType = VKR_TYPE_U64; i->counts.size = 800; i->outside.size = 24)       \
X(count_u64_bare, BARE, i->countType = VKR_TYPE_U64; i->counts.size = 800; i->outside.size = 24)   \
X(shared, PLAIN, i->algorithm = VKR_HISTOGRAM_SHARED)                                              \
X(global, PLAIN, i->algorithm = VKR_HISTOGRAM_GLOBAL; i->bins.count = 65536; i->counts.size = 4 << \
  16; i->edges.size = (4 << 16) + 4)                                                               \
X(windows, NARROW, i->input.stride = 4096; i->input.size = 4096000)                                \
X(one_invocation, PLAIN, i->workgroupSize = 1)
/* clang-format on */

OPERATION(histogram, vkrCmdHistogram, VkrHistogramInfo, info, SOME, NULL)
