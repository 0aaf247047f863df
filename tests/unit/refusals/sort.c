/* SPDX-License-Identifier: MIT */
/* VkrSortInfo. */
#include "refusals.h"

static VkrSortInfo info;
static VkrPayload payloads[VKR_MAX_SORT_PAYLOADS + 1];
static VkrSortKey then[2];
#define SCOPE                                                                                      \
    VkrSortInfo *const i = &info;                                                                  \
    VkrPayload *const p = payloads;                                                                \
    (void)i;                                                                                       \
    (void)p

/* Keys, indices and a payload of 8 bytes, of 20000 elements in K. */
static void set_plain(void)
{
    payloads[0] = (VkrPayload){
        .size = 8, .source = {BUFFER('P'), 0, 160000}, .target = {BUFFER('T'), 0, 160000}};
    info = (VkrSortInfo){
        .keys = {.buffer = BUFFER('K'), .offset = 4, .size = 80000, .type = VKR_TYPE_I32},
        .count = 20000,
        .sorted = {.buffer = BUFFER('S'), .size = 80000},
        .indices = {.buffer = BUFFER('I'), .size = 80000},
        .payloadCount = 1,
        .payloads = payloads};
}

static void set_long(void)
{
    info.payloadCount = 0;
    info.indices = (VkrView){0};
    info.keys.type = VKR_TYPE_U8;
    info.count = (uint64_t)1 << 30;
    info.keys.size = info.sorted.size = info.count;
}

/* Two more keys, in U and V. */
static void set_then(void)
{
    for (uint32_t i = 0; i < 2; i++)
        then[i] = (VkrSortKey){.keys = {.buffer = (VkBuffer)(uintptr_t)(i == 0 ? 'U' : 'V'),
                                        .size = 80000,
                                        .type = VKR_TYPE_F32}};
    info.then = then;
    info.thenCount = 2;
}

static void set_payload_of_words(void)
{
    payloads[0] = (VkrPayload){
        .size = 4, .source = {BUFFER('P'), 0, 80000}, .target = {BUFFER('T'), 0, 80000}};
}

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
X(flags, PLAIN, INVALID, "flags is VKR_SORT_DESCENDING_BIT | VKR_SORT_NAN_FIRST_BIT | "            \
  "VKR_SORT_BY_VALUE_BIT | 0xfffffff8, but must have only bits of VkrSortFlagBits.",               \
  i->flags = UINT32_MAX)                                                                           \
X(algorithm, PLAIN, INVALID, "algorithm is 5, but must be 0 to 4.",                                \
  i->algorithm = VKR_SORT_ALGORITHM_COUNT)                                                         \
X(no_type, PLAIN, INVALID, "keys.type is 0, but must be one of VKR_TYPE_I8 (1) to VKR_TYPE_BF16 "  \
  "(12).", i->keys.type = VKR_TYPE_UNDEFINED)                                                      \
X(components, PLAIN, INVALID, "keys.components is 2, but must be 1, also after a map.",            \
  i->keys.components = 2)                                                                          \
X(count, PLAIN, INVALID, "count is 20001, but must be VKR_COUNT_ALL or at most 20000, the number " \
  "of elements that keys holds.", i->count = 20001)                                                \
X(count_large, PLAIN, INVALID, "count is 4294967296, but must be below 2^32.",                     \
  i->keys.size = (VkDeviceSize)1 << 36; i->count = (uint64_t)1 << 32)                              \
X(gpu_count, PLAIN, INVALID, "gpuCount.offset is 2, but must be a multiple of 4.",                 \
  i->gpuCount = ((VkrGpuCount){BUFFER('N'), 2, VKR_TYPE_U32}))                                     \
X(bits_of_float, PLAIN, INVALID, "beginBit is 0 and endBit 8, but both must be 0 for keys "        \
  "of type "                                                                                       \
  "f32.", i->keys.type = VKR_TYPE_F32; i->endBit = 8)                                              \
X(bits_none, PLAIN, INVALID, "beginBit is 8 and endBit 8, but beginBit must be less than endBit, " \
  "and endBit at most 32.", i->beginBit = i->endBit = 8)                                           \
X(bits_many, PLAIN, INVALID, "beginBit is 0 and endBit 33, but beginBit must be less than "        \
  "endBit, "                                                                                       \
  "and endBit at most 32.", i->endBit = 33)                                                        \
X(windows_of, PLAIN, INVALID, "segments.kind is windows, but must be none, rows, columns or "      \
  "offsets.", i->segments.kind = VKR_SEGMENTS_WINDOWS)                                             \
X(no_columns, PLAIN, INVALID, "segments.length is 0, but must be at least 1.",                     \
  i->segments.kind = VKR_SEGMENTS_COLUMNS)                                                         \
X(columns, PLAIN, INVALID, "segments.length is 7, but must divide count, 20000, for columns.",     \
  i->segments.kind = VKR_SEGMENTS_COLUMNS; i->segments.length = 7)                                 \
X(segments, PLAIN, INVALID, "segments.kind is 8, but must be 0 to 7.",                             \
  i->segments.kind = VKR_SEGMENT_KIND_COUNT)                                                       \
X(pitch, PLAIN, INVALID, ROWS_OVERLAP_SAID, i->segments = ROWS_OVERLAP)                            \
X(no_length, PLAIN, INVALID, "segments.length is 0, but must be at least 1.",                      \
  i->segments.kind = VKR_SEGMENTS_ROWS)                                                            \
X(offset_type, PLAIN, INVALID, "segments.offsetType is 10, but must be VKR_TYPE_UNDEFINED (for "   \
  "u32), VKR_TYPE_U32 or VKR_TYPE_U64.", i->segments.kind = VKR_SEGMENTS_OFFSETS;                  \
  i->segments.offsetType = VKR_TYPE_F32)                                                           \
X(offsets_small, PLAIN, INVALID, "segments.offsets.size is 4, but must be at least 8.",            \
  i->segments.kind = VKR_SEGMENTS_OFFSETS; i->segments.offsetType = VKR_TYPE_U64;                  \
  i->segments.offsets = ((VkrBufferRange){BUFFER('O'), 0, 4}))                                     \
X(sorted_type, PLAIN, INVALID, "sorted.type is u32 (6), but must be undefined or i32.",            \
  i->sorted.type = VKR_TYPE_U32)                                                                   \
X(sorted_components, PLAIN, INVALID, "sorted.components is 2, but must be 0 or 1.",                \
  i->sorted.components = 2)                                                                        \
X(sorted_small, PLAIN, INVALID, "sorted.size is 79996, which is 19999 elements, but must "         \
  "hold the "                                                                                      \
  "20000 of count.", i->sorted.size = 79996)                                                       \
X(indices_type, PLAIN, INVALID, "indices.type is u64 (8), but must be undefined or u32.",          \
  i->indices.type = VKR_TYPE_U64)                                                                  \
X(payloads_many, PLAIN, INVALID, "payloadCount is 9, but must be at most 8.",                      \
  i->payloadCount = 9)                                                                             \
X(payloads_null, PLAIN, INVALID, "payloads is NULL, but must point to the 1 of payloadCount.",     \
  i->payloads = NULL)                                                                              \
X(payload_size, PLAIN, INVALID, "payloads[0].size is 65, but must be 1 to 64.", p->size = 65)      \
X(payload_rejected, PLAIN, INVALID, "payloads[0].rejected is set, but must be 0: a sort rejects "  \
  "nothing.", p->rejected = VK_TRUE)                                                               \
X(payload_small, PLAIN, INVALID, "payloads[0].target.size is 159992, which is 19999 "              \
  "elements, but "                                                                                 \
  "must hold the 20000 of count.", p->target.size = 159992)                                        \
X(nothing, PLAIN, INVALID, "sorted, indices and payloads are empty, but at least one of "          \
  "them must "                                                                                     \
  "be given.", i->sorted = i->indices = (VkrView){0}; i->payloadCount = 0)                         \
X(then_many, PLAIN, INVALID, "thenCount is 4, but must be at most 3.", set_then();                 \
  i->thenCount = 4)                                                                                \
X(then_none, PLAIN, INVALID, "then is NULL, but must point to the 1 of thenCount.",                \
  i->thenCount = 1)                                                                                \
X(then_flags, PLAIN, INVALID, "then[1].flags is 0x8, but must have only bits of "                  \
  "VkrSortFlagBits.", set_then(); then[1].flags = 8)                                               \
X(then_short, PLAIN, INVALID, "then[0].keys.size is 79996, which is 19999 elements, but must "     \
  "hold the 20000 of count.", set_then(); then[0].keys.size = 79996)                               \
X(then_components, PLAIN, INVALID, "then[0].keys.components is 2, but must be 1, also after a "    \
  "map.", set_then(); then[0].keys.components = 2; then[0].keys.size = 160000)                     \
X(then_bits, PLAIN, INVALID, "then[1].beginBit is 0 and endBit 4, but both must be 0 for keys of " \
  "type f32.", set_then(); then[1].endBit = 4)                                                     \
X(then_overlaps, PLAIN, INVALID, "then[0].keys overlaps sorted, but must be apart from it.",       \
  set_then(); then[0].keys.buffer = BUFFER('S'))                                                   \
X(sorted_overlaps, PLAIN, INVALID, "sorted overlaps keys, but must be apart from it or equal to "  \
  "it.", i->sorted.buffer = BUFFER('K'))                                                           \
X(indices_overlap, PLAIN, INVALID, "indices overlaps sorted, but must be apart from it.",          \
  i->indices.buffer = BUFFER('S'))                                                                 \
X(payload_in_place, PLAIN, INVALID, "payloads[0].target overlaps payloads[0].source, but must be " \
  "apart from it.", p->target = p->source)                                                         \
X(count_overwritten, PLAIN, INVALID, "gpuCount overlaps sorted, but must be apart from it.",       \
  i->gpuCount = ((VkrGpuCount){BUFFER('S'), 8, VKR_TYPE_U32}))                                     \
X(workgroup, PLAIN, INVALID, "workgroupSize is 48, but must be 0 or a power of two.",              \
  i->workgroupSize = 48)                                                                           \
X(workgroup_large, SMALL, UNSUPPORTED, "workgroupSize is 512, but must be at most 256 on this "    \
  "device.", i->workgroupSize = 512)                                                               \
X(one_small, PLAIN, UNSUPPORTED, "algorithm is one-workgroup, but a workgroup of 64 must then "    \
  "have room for 20000 elements, and it has room for 768.", i->workgroupSize = 64;                 \
  i->algorithm = VKR_SORT_ONE_WORKGROUP)                                                           \
X(one_long, SMALL, UNSUPPORTED, "algorithm is one-workgroup, but a workgroup of 256 must then "    \
  "have room for 20000 elements, and it has room for 5120.", i->indices = (VkrView){0};           \
  i->payloadCount = 0; i->algorithm = VKR_SORT_ONE_WORKGROUP)                                      \
X(range_offsets, NARROW, UNSUPPORTED, "count is 20000, but must be at most 16384, since "          \
  "the numbers "                                                                                   \
  "of segments must fit maxStorageBufferRange (65536 bytes, less "                                 \
  "up to 64 for alignment).",                                                                      \
  i->indices = (VkrView){0}; i->segments.kind = VKR_SEGMENTS_OFFSETS;                              \
  i->segments.offsets = ((VkrBufferRange){BUFFER('O'), 0, 40}))                                    \
X(range_workgroup, CRAMPED, UNSUPPORTED, "count is 20000, but a workgroup's share of 3072 "        \
  "elements must "                                                                                 \
  "fit maxStorageBufferRange (16384 bytes, less up to 64 for "                                     \
  "alignment).",                                                                                   \
  i->payloadCount = 0; i->workgroupSize = 256; i->keys.stride = 8; i->keys.size = 160000)          \
X(shares, CPU, UNSUPPORTED, "workgroupSize is 8, but must be greater: a row of 2304000001 "        \
  "elements has 48008 shares, and an invocation adds up at most 48000.",                           \
  set_long(); i->count = i->keys.size = i->sorted.size = 2304000001; i->workgroupSize = 8)         \
X(counts_of_digits, NARROW, UNSUPPORTED, "count is 5000000, but the counts of digits, "            \
  "81536 bytes with "                                                                              \
  "workgroups of 256, must fit maxStorageBufferRange (65536 "                                      \
  "bytes, less up to 64 for alignment).",                                                          \
  set_long(); i->keys.offset = 0; i->count = 5000000)                                              \
X(dispatches, PLAIN, UNSUPPORTED, "count is 4294967295, but must need at most 131072 dispatches, " \
  "and 8 passes over 257 windows need 575680.",                                                    \
  set_long(); i->keys.offset = 0; i->keys.type = VKR_TYPE_U64; i->count = UINT32_MAX;              \
  i->keys.size = i->sorted.size = 8 * i->count)                                                    \
X(batches, PLAIN, UNSUPPORTED, "count is 1073741824, which is 1073741824 rows, but must need at "  \
  "most 16384 batches, the largest of which has 2048.",                                            \
  set_long(); i->segments.kind = VKR_SEGMENTS_ROWS; i->segments.length = 1;                        \
  i->algorithm = VKR_SORT_THREE_PASS)                                                              \
X(bitonic_range, NARROW, UNSUPPORTED, "algorithm is bitonic, but count is 20000, and must "        \
  "be at most "                                                                                    \
  "16368, since keys and outputs must fit maxStorageBufferRange "                                  \
  "(65536 bytes, less up to 64 for alignment).",                                                   \
  i->algorithm = VKR_SORT_BITONIC)                                                                 \
X(bitonic_workgroup, TIGHT, UNSUPPORTED, "workgroupSize is 256, but must be less to fit the "      \
  "device's 1024 bytes of shared memory.", i->algorithm = VKR_SORT_BITONIC;                        \
  i->workgroupSize = 256)                                                                          \
X(sweep_progress, NO_PROGRESS, UNSUPPORTED, "algorithm is onesweep, but the context's "            \
  "forwardProgress is VKR_FORWARD_PROGRESS_NONE and must be another.",                             \
  i->algorithm = VKR_SORT_ONESWEEP)                                                                \
X(sweep_range, NARROW, UNSUPPORTED, "algorithm is onesweep, but count is 20000, and keys or "      \
  "outputs must fit maxStorageBufferRange (65536 bytes, less up "                                  \
  "to 64 for alignment).", i->algorithm = VKR_SORT_ONESWEEP)                                       \
X(sweep_tiles, NARROW, UNSUPPORTED, "algorithm is onesweep, but count is 10000, and the "          \
  "counts of "                                                                                     \
  "tiles must fit maxStorageBufferRange (65536 bytes, less up to "                                 \
  "64 for alignment).", i->algorithm = VKR_SORT_ONESWEEP;                                          \
  i->count = 10000; i->workgroupSize = 8; i->payloadCount = 0)                                     \
X(sweep_long, PLAIN, UNSUPPORTED, "algorithm is onesweep, but 1073741824 elements are "            \
  "sorted, but "                                                                                   \
  "must be fewer than 2^30.", i->algorithm = VKR_SORT_ONESWEEP; set_long())

#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, 13, (void)i)                                                                       \
X(in_place, PLAIN, 16, i->sorted = i->keys)                                                        \
X(nothing, PLAIN, 0, i->count = 0)                                                                 \
X(bits, PLAIN, 4, i->beginBit = 9; i->endBit = 17)                                                 \
X(carried, PLAIN, 12, set_payload_of_words(); i->indices = (VkrView){0})                           \
X(carried_in_place, PLAIN, 15, set_payload_of_words(); i->indices = (VkrView){0};                  \
  p->target = p->source)                                                                           \
X(payload_in_place, PLAIN, 14, set_payload_of_words(); p->target = p->source)                      \
X(one, PLAIN, 2, i->count = 100)                                                                   \
X(in_rows, PLAIN, 2, i->segments.kind = VKR_SEGMENTS_ROWS; i->segments.length = 10)                \
X(offsets, PLAIN, 18, i->segments.kind = VKR_SEGMENTS_OFFSETS;                                     \
  i->segments.offsets = ((VkrBufferRange){BUFFER('O'), 0, 40}))                                    \
X(in_columns, PLAIN, 5, i->segments.kind = VKR_SEGMENTS_COLUMNS; i->segments.length = 10)          \
X(one_column, PLAIN, 13, i->segments.kind = VKR_SEGMENTS_COLUMNS; i->segments.length = 1)          \
X(no_offsets, PLAIN, 13, i->segments.kind = VKR_SEGMENTS_OFFSETS)                                  \
X(no_subgroups, SHARED, 13, (void)i)                                                               \
X(tiny, TINY, 13, (void)i)                                                                         \
X(windows, NARROW, 24, i->payloadCount = 0)                                                        \
X(windows_of_rows, NARROW, 2, i->payloadCount = 0; i->segments.kind = VKR_SEGMENTS_ROWS;           \
  i->segments.length = 10)                                                                         \
X(bitonic, PLAIN, 22, i->algorithm = VKR_SORT_BITONIC)                                             \
X(sweep, PLAIN, 7, i->algorithm = VKR_SORT_ONESWEEP)                                               \
X(sweep_cpu, CPU, 7, i->algorithm = VKR_SORT_ONESWEEP)                                             \
X(sweep_in_place, PLAIN, 8, i->algorithm = VKR_SORT_ONESWEEP; i->sorted = i->keys)                 \
X(three_keys, PLAIN, 1, set_then())
/* clang-format on */

OPERATION(sort, vkrCmdSort, VkrSortInfo, info, COUNTED, NULL)
