/* SPDX-License-Identifier: MIT */
/* VkrTopKInfo. */
#include "refusals.h"

#include "input.h"

static VkrTopKInfo info;
static VkrPayload payload;
#define SCOPE                                                                                      \
    VkrTopKInfo *const i = &info;                                                                  \
    (void)i

/* The 10 greatest of 1,000 elements, their indices, and a payload of 4 bytes. */
static void set_plain(void)
{
    payload =
        (VkrPayload){.size = 4, .source = {BUFFER('P'), 0, 4000}, .target = {BUFFER('Q'), 0, 40}};
    info = (VkrTopKInfo){
        .input = {.buffer = BUFFER('A'), .offset = 256, .size = 4000, .type = VKR_TYPE_F32},
        .count = VKR_COUNT_ALL,
        .k = 10,
        .values = {.buffer = BUFFER('V'), .size = 40},
        .indices = {.buffer = BUFFER('I'), .size = 40},
        .payloadCount = 1,
        .payloads = &payload,
        .found = {BUFFER('F'), 0, 4}};
}

/* Rows of so many elements. */
static void set_rows(uint64_t length, VkDeviceSize entries, VkDeviceSize rows)
{
    info.segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = length};
    info.values.size = info.indices.size = payload.target.size = 4 * entries;
    info.found.size = 4 * rows;
}

/* More elements than one workgroup handles. */
static void set_long(uint64_t count, uint32_t k)
{
    info.input.size = payload.source.size = 4 * count;
    info.k = k;
    info.values.size = info.indices.size = payload.target.size = 4 * (VkDeviceSize)k;
}

/* Ten segments, which want numbers of their own. */
static void set_offsets(void)
{
    info.segments = (VkrSegments){.kind = VKR_SEGMENTS_OFFSETS, .offsets = {BUFFER('S'), 0, 44}};
    info.values.size = info.indices.size = payload.target.size = 400;
    info.found.size = 40;
    info.wanted = (VkrBufferRange){BUFFER('W'), 0, 40};
}

static void set_values_only(void)
{
    info.indices = (VkrView){0};
    info.payloadCount = 0;
    info.found = (VkrBufferRange){0};
}

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
INPUT_ROWS(X)                                                                                      \
X(two_components, PLAIN, INVALID, "input.components is 2, but must be 1, since elements are "      \
  "compared as a whole.", i->input.components = 2)                                                 \
X(count, PLAIN, INVALID, "count is 1001, but must be VKR_COUNT_ALL or at most 1000, the number "   \
  "of elements that input holds.", i->count = 1001)                                                \
X(count_large, PLAIN, UNSUPPORTED, "count is 4294967296, but must be below 2^32.",                 \
  i->input.size = (VkDeviceSize)1 << 34)                                                           \
X(gpu_count_type, PLAIN, INVALID, "gpuCount.type is 5, but must be VKR_TYPE_UNDEFINED (for u32), " \
  "VKR_TYPE_U32 or VKR_TYPE_U64.", i->gpuCount = ((VkrGpuCount){BUFFER('N'), 0, VKR_TYPE_I32}))    \
X(gpu_count_offset, PLAIN, INVALID, "gpuCount.offset is 2, but must be a multiple of 4.",          \
  i->gpuCount = ((VkrGpuCount){BUFFER('N'), 2, VKR_TYPE_U32}))                                     \
X(no_k, PLAIN, INVALID, "k is 0, but must be from 1 to 65536.", i->k = 0)                          \
X(large_k, PLAIN, INVALID, "k is 65537, but must be from 1 to 65536.", i->k = 65537)               \
X(flags, PLAIN, INVALID, "flags is VKR_TOP_K_UNSORTED_BIT | 0x10, but must "                       \
  "have only bits of VkrTopKFlagBits.", i->flags = 20)                                             \
X(workgroup, PLAIN, INVALID, "workgroupSize is 3, but must be 0 or a power of two.",               \
  i->workgroupSize = 3)                                                                            \
X(workgroup_large, SMALL, UNSUPPORTED, "workgroupSize is 512, but must be at most 256 on this "    \
  "device.", i->workgroupSize = 512)                                                               \
X(kind, PLAIN, INVALID, "segments.kind is 8, but must be 0 to 7.",                                 \
  i->segments.kind = VKR_SEGMENT_KIND_COUNT)                                                       \
X(windows_of, PLAIN, INVALID, "segments.kind is windows, but must be none, rows, columns or "      \
  "offsets.", i->segments.kind = VKR_SEGMENTS_WINDOWS)                                             \
X(no_columns, PLAIN, INVALID, "segments.length is 0, but must be at least 1.",                     \
  i->segments.kind = VKR_SEGMENTS_COLUMNS)                                                         \
X(columns, PLAIN, INVALID, "segments.length is 7, but must divide count, 1000, for columns.",      \
  i->segments.kind = VKR_SEGMENTS_COLUMNS; i->segments.length = 7)                                 \
X(columns_found, PLAIN, UNSUPPORTED, "gpuCount and found are given, but one of them must be "      \
  "empty for columns.", i->segments.kind = VKR_SEGMENTS_COLUMNS; i->segments.length = 1;           \
  i->gpuCount = ((VkrGpuCount){BUFFER('N'), 0, VKR_TYPE_U32}))                                     \
X(wanted_by_rows, PLAIN, INVALID, "segments.kind is rows, but must be offsets where wanted is "    \
  "given.", set_rows(100, 100, 10); i->wanted.buffer = BUFFER('W'))                                \
X(wanted_size, PLAIN, INVALID, "wanted.size is 36, but must be at least 40.",                      \
  set_offsets(); i->wanted.size = 36)                                                              \
X(wanted_offset, PLAIN, INVALID, "wanted.offset is 6, but must be a multiple of 4.",               \
  set_offsets(); i->wanted.offset = 6)                                                             \
X(wanted_found, PLAIN, INVALID, "found overlaps wanted, but must be apart from it.",               \
  set_offsets(); i->wanted.buffer = BUFFER('F'))                                                   \
X(offsets_empty, PLAIN, INVALID, "segments.offsets.size is 0, but must hold at least one offset "  \
  "of 4 bytes.", set_offsets(); i->segments.offsets.size = 0)                                      \
X(offsets_type, PLAIN, INVALID, "segments.offsetType is 5, but must be VKR_TYPE_UNDEFINED (for "   \
  "u32), VKR_TYPE_U32 or VKR_TYPE_U64.", set_offsets(); i->segments.offsetType = VKR_TYPE_I32)     \
X(offsets_buffer, PLAIN, INVALID, "segments.offsets.buffer is VK_NULL_HANDLE, but must be a "      \
  "buffer.", set_offsets(); i->segments.offsets.buffer = VK_NULL_HANDLE)                           \
X(offsets_offset, PLAIN, INVALID, "segments.offsets.offset is 2, but must be a multiple of 4.",    \
  set_offsets(); i->segments.offsets.offset = 2)                                                   \
X(offsets_count, PLAIN, INVALID, "segments.gpuCount.offset is 2, but must be a multiple of 4.",    \
  set_offsets(); i->segments.gpuCount = ((VkrGpuCount){BUFFER('N'), 2, VKR_TYPE_U32}))             \
X(offsets_values, PLAIN, INVALID, "values overlaps segments.offsets, but must be apart from it.",  \
  set_offsets(); i->segments.offsets.buffer = BUFFER('V'))                                         \
X(offsets_room, PLAIN, INVALID, "values.size is 396, which is 99 elements, but must hold the 100 " \
  "of k and the number of segments.", set_offsets(); i->values.size = 396)                         \
X(offsets_many, PLAIN, UNSUPPORTED, "segments.offsets has 4294967296 segments, but k, which is "   \
  "10, and their number must make fewer than 2^32 entries.", set_offsets();                        \
  i->segments.offsets.size = ((VkDeviceSize)4 << 32) + 4)                                          \
X(offsets_reach, CRAMPED, UNSUPPORTED, "10000 adjacent items of input, 40000 bytes, must fit "     \
  "maxStorageBufferRange (16384 bytes, less up to 64 for alignment).", set_long(10000, 10);        \
  set_offsets())                                                                                   \
X(offsets_list, CRAMPED, UNSUPPORTED, "5000 adjacent items of the list of k entries of each "      \
  "segment, 20000 bytes, must fit maxStorageBufferRange (16384 bytes, less up to 64 for "          \
  "alignment).", set_offsets(); i->k = 500; i->values.size = i->indices.size =                     \
  payload.target.size = 20000)                                                                     \
X(pitch, PLAIN, INVALID, ROWS_OVERLAP_SAID, i->segments = ROWS_OVERLAP)                            \
X(rows_apart_size, PLAIN, INVALID, "values.size is 40, which is 10 elements, but must hold the "   \
  "840 of k and the number of segments.", i->segments = ROWS_APART)                                \
X(length, PLAIN, INVALID, "segments.length is 0, but must be at least 1.",                         \
  i->segments.kind = VKR_SEGMENTS_ROWS)                                                            \
X(values_type, PLAIN, INVALID, "values.type is u32, but must be undefined or f32.",                \
  i->values.type = VKR_TYPE_U32)                                                                   \
X(values_components, PLAIN, INVALID, "values.components is 2, but must be 0 or 1.",                \
  i->values.components = 2)                                                                        \
X(values_size, PLAIN, INVALID, "values.size is 36, which is 9 elements, but must hold the 10 of "  \
  "k and the number of segments.", i->values.size = 36)                                            \
X(values_stride, PLAIN, INVALID, "values.size is 40, which is 5 elements, but must hold the 10 "   \
  "of k and the number of segments.", i->values.stride = 8)                                        \
X(rows_size, PLAIN, INVALID, "values.size is 40, which is 10 elements, but must hold the 100 of "  \
  "k and the number of segments.",                                                                 \
  i->segments = ((VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = 100}))                         \
X(indices_type, PLAIN, INVALID, "indices.type is u64, but must be undefined or u32.",              \
  i->indices.type = VKR_TYPE_U64)                                                                  \
X(indices_size, PLAIN, INVALID, "indices.size is 8, which is 2 elements, but must hold the 10 of " \
  "k and the number of segments.", i->indices.size = 8)                                            \
X(indices_buffer, PLAIN, INVALID, "indices.buffer is VK_NULL_HANDLE, but must be a buffer where "  \
  "size is not 0.", i->indices.buffer = VK_NULL_HANDLE)                                            \
X(payload_count, PLAIN, INVALID, "payloadCount is 9, but must be at most 8.", i->payloadCount = 9) \
X(payloads, PLAIN, INVALID, "payloads is NULL, but must point to the 1 of payloadCount.",          \
  i->payloads = NULL)                                                                              \
X(payload_size, PLAIN, INVALID, "payloads[0].size is 65, but must be 1 to 64.", payload.size = 65) \
X(payload_rejected, PLAIN, INVALID, "payloads[0].rejected is true, but must be false: a "          \
  "selection rejects nothing.", payload.rejected = VK_TRUE)                                        \
X(payload_source, PLAIN, INVALID, "payloads[0].source.size is 3999, but must be at least 4000.",   \
  payload.source.size = 3999)                                                                      \
X(payload_target, PLAIN, INVALID, "payloads[0].target.size is 39, which is 9 entries, but must "   \
  "hold the 10 of k and the number of segments.", payload.target.size = 39)                        \
X(found_size, PLAIN, INVALID, "found.size is 3, but must be at least 4.", i->found.size = 3)       \
X(found_offset, PLAIN, INVALID, "found.offset is 2, but must be a multiple of 4.",                 \
  i->found.offset = 2)                                                                             \
X(nothing, PLAIN, INVALID, "values, indices, payloads and found are empty, but at least one must " \
  "be given.", set_values_only(); i->values = (VkrView){0})                                        \
X(in_place, PLAIN, INVALID, "values overlaps input, but must be apart from it.",                   \
  i->values.buffer = BUFFER('A'); i->values.offset = 256)                                          \
X(outputs, PLAIN, INVALID, "values overlaps indices, but must be apart from it.",                  \
  i->values.buffer = BUFFER('I'))                                                                  \
X(found_input, PLAIN, INVALID, "found overlaps input, but must be apart from it.",                 \
  i->found = ((VkrBufferRange){BUFFER('A'), 300, 4}))                                              \
X(payload_in_place, PLAIN, INVALID, "payloads[0].target overlaps payloads[0].source, but must be " \
  "apart from it.", payload.target.buffer = BUFFER('P'))                                           \
X(shared, TIGHT, UNSUPPORTED, "workgroupSize is 1024, but must be less to fit the device's 1024 "  \
  "bytes of shared memory.", i->workgroupSize = 1024)                                              \
X(workgroup_small, PLAIN, UNSUPPORTED, "workgroupSize is 1, but must be greater where a "          \
  "segment has 1073741824 elements.", set_long((uint64_t)1 << 30, 10); i->workgroupSize = 1)       \
X(range, CRAMPED, UNSUPPORTED, "5000 adjacent items of the list of k entries, 20000 bytes, must "  \
  "fit maxStorageBufferRange (16384 bytes, less up to 64 for alignment).", set_long(10000, 5000))  \
X(dispatches, PLAIN, UNSUPPORTED, "count is 4294967295, but must need at most 16384 dispatches "   \
  "of maxStorageBufferRange (134217728 bytes).", set_long(UINT32_MAX, VKR_MAX_TOP_K);              \
  set_rows(1, (VkDeviceSize)1 << 48, 0); set_values_only())                                        \
X(copies, PLAIN, UNSUPPORTED, "input has 4294967295 items, but must need at most 131072 "          \
  "dispatches of maxStorageBufferRange (134217728 bytes).",                                        \
  set_long(UINT32_MAX, 2000);                                                                      \
  set_rows(2000, (VkDeviceSize)1 << 48, 0); set_values_only(); i->values.stride = 1 << 12;         \
  i->values.size = (VkDeviceSize)1 << 60)

#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, 3, (void)i)                                                                        \
X(none, PLAIN, 1, i->count = 0)                                                                    \
X(values_only, PLAIN, 1, set_values_only())                                                        \
X(all, PLAIN, 1, set_long(1000, 65536))                                                            \
X(whole_rows, PLAIN, 1, set_rows(300, 40, 4))                                                      \
X(short_rows, PLAIN, 2, set_rows(7, 1430, 143))                                                    \
X(rows_apart, PLAIN, 2, set_rows(10, 840, 84); i->segments.pitch = 12)                             \
X(last_apart, PLAIN, 1, set_rows(500, 10, 1); i->segments.pitch = UINT64_MAX)                      \
X(columns_of, PLAIN, 5, set_rows(10, 100, 10); i->segments.kind = VKR_SEGMENTS_COLUMNS)            \
X(by_offsets, PLAIN, 6, set_offsets())                                                             \
X(offsets_none, PLAIN, 0, set_offsets(); i->segments.offsets.size = 4)                             \
X(offsets_no_elements, PLAIN, 1, set_offsets(); i->count = 0)                                      \
X(no_rows, PLAIN, 0, set_rows(7, 0, 0); i->count = 0)                                              \
X(long_rows, PLAIN, 7, set_long((uint64_t)1 << 20, 100))                                           \
X(large_k, PLAIN, 7, set_long((uint64_t)1 << 20, 65536))                                           \
X(unsorted, PLAIN, 2, i->flags = VKR_TOP_K_UNSORTED_BIT | VKR_TOP_K_ANY_TIES_BIT)                  \
X(windows, NARROW, 9, set_long((uint64_t)1 << 20, 100))
/* clang-format on */

OPERATION(topk, vkrCmdTopK, VkrTopKInfo, info, COUNTED, NULL)
