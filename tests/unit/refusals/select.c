/* SPDX-License-Identifier: MIT */
/* VkrSelectInfo. */
#include "refusals.h"

#include "input.h"

static const VkrMap map = {.weights = {1}};
static VkrSelectInfo info;
static const uint32_t ranks[VKR_MAX_SELECT_RANKS] = {0, 500, 999};
static const double shares[3] = {0.0, 0.5, 1.0}, wrong_shares[3] = {0.0, 1.5, 1.0};
#define SCOPE                                                                                      \
    VkrSelectInfo *const i = &info;                                                                \
    (void)i

/* The least, the greatest and a median of 1,000 elements, and their indices. */
static void set_plain(void)
{
    info = (VkrSelectInfo){
        .input = {.buffer = BUFFER('A'), .offset = 256, .size = 4000, .type = VKR_TYPE_F32},
        .count = VKR_COUNT_ALL,
        .rankCount = 3,
        .ranks = ranks,
        .values = {.buffer = BUFFER('V'), .size = 12},
        .indices = {.buffer = BUFFER('I'), .size = 12}};
}

/* Rows of so many elements. */
static void set_rows(uint64_t length, uint64_t rows)
{
    info.segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = length};
    info.values.size = info.indices.size = 12 * rows;
}

static void set_shares(const double *given)
{
    info.ranks = NULL;
    info.shares = given;
}

static void set_gpu_ranks(void)
{
    info.ranks = NULL;
    info.gpuRanks = (VkrBufferRange){BUFFER('R'), 0, 12};
}

/* So many segments by offsets. */
static void set_offsets(uint64_t rows)
{
    info.segments =
        (VkrSegments){.kind = VKR_SEGMENTS_OFFSETS, .offsets = {BUFFER('S'), 0, 4 * (rows + 1)}};
    info.values.size = info.indices.size = 12 * rows;
}

/* More elements than one workgroup handles. */
static void set_long(uint64_t count)
{
    info.input.size = 4 * count;
}

static void set_many(uint32_t count)
{
    info.rankCount = count;
    info.values.size = info.indices.size = 4 * (VkDeviceSize)count;
}

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
INPUT_ROWS(X)                                                                                      \
X(mapped_i64, NO_I64, UNSUPPORTED, "input.type is i64, but must be a type that the context "       \
  "supports: this one needs shaderInt64.", i->input.type = VKR_TYPE_I64; i->input.map = &map)      \
X(type_f64, NO_I64, UNSUPPORTED, "input.type is f64, but must be a type that the context "         \
  "supports: this one needs shaderInt64.", i->input.type = VKR_TYPE_F64)                           \
X(two_components, PLAIN, INVALID, "input.components is 2, but must be 1, since elements are "      \
  "compared as a whole.", i->input.components = 2)                                                 \
X(count, PLAIN, INVALID, "count is 1001, but must be VKR_COUNT_ALL or at most 1000, the number "   \
  "of elements that input holds.", i->count = 1001)                                                \
X(count_large, PLAIN, UNSUPPORTED, "count is 4294967296, but must be below 2^32.",                 \
  i->input.size = (VkDeviceSize)1 << 34)                                                           \
X(gpu_count_type, PLAIN, INVALID, "gpuCount.type is 5, but must be VKR_TYPE_UNDEFINED (for u32), " \
  "VKR_TYPE_U32 or VKR_TYPE_U64.", i->gpuCount = ((VkrGpuCount){BUFFER('N'), 0, VKR_TYPE_I32}))    \
X(flags, PLAIN, INVALID, "flags is VKR_SELECT_NAN_FIRST_BIT | 0x4, but must have only bits of "    \
  "VkrSelectFlagBits.", i->flags = 6)                                                              \
X(no_ranks, PLAIN, INVALID, "rankCount is 0, but must be from 1 to 256.", i->rankCount = 0)        \
X(many_ranks, PLAIN, INVALID, "rankCount is 257, but must be from 1 to 256.", i->rankCount = 257)  \
X(ranks, PLAIN, INVALID, "ranks and shares are NULL and gpuRanks is empty, but one of them must "  \
  "have the 3 of rankCount.", i->ranks = NULL)                                                     \
X(both, PLAIN, INVALID, "ranks and shares are both given, but one of them must be empty.",         \
  i->shares = shares)                                                                              \
X(ranks_twice, PLAIN, INVALID, "ranks and gpuRanks are both given, but one of them must be "       \
  "empty.", i->gpuRanks = ((VkrBufferRange){BUFFER('R'), 0, 12}))                                  \
X(shares_twice, PLAIN, INVALID, "shares and gpuRanks are both given, but one of them must be "     \
  "empty.", set_shares(shares); i->gpuRanks = ((VkrBufferRange){BUFFER('R'), 0, 12}))              \
X(gpu_ranks_size, PLAIN, INVALID, "gpuRanks.size is 8, but must be at least 12.",                  \
  set_gpu_ranks(); i->gpuRanks.size = 8)                                                           \
X(gpu_ranks_offset, PLAIN, INVALID, "gpuRanks.offset is 6, but must be a multiple of 4.",          \
  set_gpu_ranks(); i->gpuRanks.offset = 6)                                                         \
X(gpu_ranks_overlap, PLAIN, INVALID, "values overlaps gpuRanks, but must be apart from it.",       \
  set_gpu_ranks(); i->gpuRanks.buffer = BUFFER('V'))                                               \
X(share, PLAIN, INVALID, "shares[1] is 1.5, but must be from 0 to 1.", set_shares(wrong_shares))   \
X(workgroup, PLAIN, INVALID, "workgroupSize is 3, but must be 0 or a power of two.",               \
  i->workgroupSize = 3)                                                                            \
X(workgroup_large, SMALL, UNSUPPORTED, "workgroupSize is 512, but must be at most 256 on this "    \
  "device.", i->workgroupSize = 512)                                                               \
X(kind, PLAIN, INVALID, "segments.kind is 8, but must be 0 to 7.",                                 \
  i->segments.kind = VKR_SEGMENT_KIND_COUNT)                                                       \
X(columns, PLAIN, INVALID, "segments.kind is columns, but must be none, rows or offsets.",         \
  i->segments.kind = VKR_SEGMENTS_COLUMNS)                                                         \
X(offsets_whole, PLAIN, INVALID, "segments.offsets.size is VK_WHOLE_SIZE, but must be a number "   \
  "of bytes, since each offset but the last starts a segment.",                                    \
  set_offsets(3); i->segments.offsets.size = VK_WHOLE_SIZE)                                        \
X(offsets_size, PLAIN, INVALID, "values.size is 36, which is 9 elements, but must hold the 12 of " \
  "rankCount and the number of segments.", set_offsets(3); i->segments.offsets.size = 20)          \
X(offsets_overlap, PLAIN, INVALID, "values overlaps segments.offsets, but must be apart from it.", \
  set_offsets(3); i->segments.offsets.buffer = BUFFER('V'))                                        \
X(offsets_reach, CRAMPED, UNSUPPORTED, "10000 adjacent items of input, 40000 bytes, must fit "     \
  "maxStorageBufferRange (16384 bytes, less up to 64 for alignment).", set_offsets(10);            \
  set_long(10000))                                                                                 \
X(pitch, PLAIN, INVALID, ROWS_OVERLAP_SAID, i->segments = ROWS_OVERLAP)                            \
X(rows_apart_size, PLAIN, INVALID, "values.size is 12, which is 3 elements, but must hold the "    \
  "252 of rankCount and the number of segments.", i->segments = ROWS_APART)                        \
X(length, PLAIN, INVALID, "segments.length is 0, but must be at least 1.",                         \
  i->segments.kind = VKR_SEGMENTS_ROWS)                                                            \
X(values_type, PLAIN, INVALID, "values.type is u32, but must be undefined or f32.",                \
  i->values.type = VKR_TYPE_U32)                                                                   \
X(values_components, PLAIN, INVALID, "values.components is 2, but must be 0 or 1.",                \
  i->values.components = 2)                                                                        \
X(values_size, PLAIN, INVALID, "values.size is 8, which is 2 elements, but must hold the 3 of "    \
  "rankCount and the number of segments.", i->values.size = 8)                                     \
X(rows_size, PLAIN, INVALID, "values.size is 12, which is 3 elements, but must hold the 30 of "    \
  "rankCount and the number of segments.",                                                         \
  i->segments = ((VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = 100}))                         \
X(indices_type, PLAIN, INVALID, "indices.type is u64, but must be undefined or u32.",              \
  i->indices.type = VKR_TYPE_U64)                                                                  \
X(indices_buffer, PLAIN, INVALID, "indices.buffer is VK_NULL_HANDLE, but must be a buffer where "  \
  "size is not 0.", i->indices.buffer = VK_NULL_HANDLE)                                            \
X(nothing, PLAIN, INVALID, "values and indices are empty, but at least one must be given.",        \
  i->values = i->indices = (VkrView){0})                                                           \
X(in_place, PLAIN, INVALID, "values overlaps input, but must be apart from it.",                   \
  i->values.buffer = BUFFER('A'); i->values.offset = 256)                                          \
X(outputs, PLAIN, INVALID, "values overlaps indices, but must be apart from it.",                  \
  i->values.buffer = BUFFER('I'))                                                                  \
X(shared, TIGHT, UNSUPPORTED, "workgroupSize is 1024, but must be less to fit the device's 1024 "  \
  "bytes of shared memory.", i->workgroupSize = 1024)                                              \
X(workgroup_small, PLAIN, UNSUPPORTED, "workgroupSize is 1, but must be greater where a "          \
  "segment has 1073741824 elements.", set_long((uint64_t)1 << 30); i->workgroupSize = 1)

#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, 1, (void)i)                                                                        \
X(none, PLAIN, 0, i->count = 0)                                                                    \
X(words, NO_I64, 1, i->input.type = VKR_TYPE_I64; i->values.size = 24)                             \
X(by_shares, PLAIN, 1, set_shares(shares))                                                         \
X(more_ranks, PLAIN, 2, set_many(17))                                                              \
X(whole_rows, PLAIN, 1, set_rows(300, 4))                                                          \
X(short_rows, PLAIN, 1, set_rows(7, 143))                                                          \
X(no_rows, PLAIN, 0, set_rows(7, 0); i->count = 0)                                                 \
X(rows_apart, PLAIN, 1, set_rows(10, 84); i->segments.pitch = 12)                                  \
X(last_apart, PLAIN, 1, set_rows(500, 1); i->segments.pitch = UINT64_MAX)                          \
X(long_rows, PLAIN, 6, set_long((uint64_t)1 << 20))                                                \
X(long_values, PLAIN, 5, set_long((uint64_t)1 << 20); i->indices = (VkrView){0})                   \
X(by_offsets, PLAIN, 3, set_offsets(3))                                                            \
X(by_many_offsets, PLAIN, 3, set_offsets(100))                                                     \
X(no_segments, PLAIN, 0, set_offsets(0))                                                           \
X(by_gpu_ranks, PLAIN, 1, set_gpu_ranks())                                                         \
X(one_rank, PLAIN, 5, set_long((uint64_t)1 << 20); i->rankCount = 1)
/* clang-format on */

OPERATION(select, vkrCmdSelect, VkrSelectInfo, info, COUNTED, NULL)
