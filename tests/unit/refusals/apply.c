/* SPDX-License-Identifier: MIT */
/* VkrApplyInfo. */
#include "refusals.h"

#include "input.h"

static VkrApplyInfo info;
#define SCOPE                                                                                      \
    VkrApplyInfo *const i = &info;                                                                 \
    (void)i

/* 1,000 elements. */
static void set_plain(void)
{
    info = (VkrApplyInfo){
        .input = {.buffer = BUFFER('A'), .offset = 256, .size = 4000, .type = VKR_TYPE_F32},
        .count = VKR_COUNT_ALL,
        .output = {.buffer = BUFFER('O'), .size = 4000}};
}

static void set_rows(uint64_t length, uint64_t pitch)
{
    info.segments = (VkrSegments){.kind = VKR_SEGMENTS_ROWS, .length = length, .pitch = pitch};
}

static void set_offsets(uint64_t segments)
{
    info.segments = (VkrSegments){.kind = VKR_SEGMENTS_OFFSETS,
                                  .offsets = {BUFFER('F'), 0, 4 * (segments + 1)}};
}

/* More elements than one workgroup handles. */
static void set_long(uint64_t count)
{
    info.input.size = info.output.size = 4 * count;
}

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
COMPUTED_ROWS(X)                                                                                   \
INPUT_ROWS(X)                                                                                      \
X(function, PLAIN, INVALID, "function is 5, but must be 0 to 4.", i->function = 5)                 \
X(function_negative, PLAIN, INVALID, "function is -1, but must be 0 to 4.",                        \
  i->function = (VkrApplyFunction)-1)                                                              \
X(type, PLAIN, UNSUPPORTED, "input.type is i32, but must be f32, f16 or bf16, or be mapped "       \
  "(input.map).", i->input.type = VKR_TYPE_I32)                                                    \
X(two_components, PLAIN, INVALID, "input.components is 2, but must be 0 or 1.",                    \
  i->input.components = 2)                                                                         \
X(count, PLAIN, INVALID, "count is 1001, but must be VKR_COUNT_ALL or at most 1000, the number "   \
  "of elements that input holds.", i->count = 1001)                                                \
X(count_large, PLAIN, UNSUPPORTED, "count is 4294967296, but must be below 2^32.",                 \
  i->input.size = (VkDeviceSize)1 << 34)                                                           \
X(gpu_count_type, PLAIN, INVALID, "gpuCount.type is 5, but must be VKR_TYPE_UNDEFINED (for u32), " \
  "VKR_TYPE_U32 or VKR_TYPE_U64.", i->gpuCount = ((VkrGpuCount){BUFFER('N'), 0, VKR_TYPE_I32}))    \
X(workgroup, PLAIN, INVALID, "workgroupSize is 3, but must be 0 or a power of two.",               \
  i->workgroupSize = 3)                                                                            \
X(workgroup_large, SMALL, UNSUPPORTED, "workgroupSize is 512, but must be at most 256 on this "    \
  "device.", i->workgroupSize = 512)                                                               \
X(kind, PLAIN, INVALID, "segments.kind is 8, but must be 0 to 7.",                                 \
  i->segments.kind = VKR_SEGMENT_KIND_COUNT)                                                       \
X(columns, PLAIN, INVALID, "segments.kind is columns, but must be none, rows or offsets.",         \
  i->segments.kind = VKR_SEGMENTS_COLUMNS)                                                         \
X(length, PLAIN, INVALID, "segments.length is 0, but must be at least 1.", set_rows(0, 0))         \
X(pitch, PLAIN, INVALID, "segments.pitch is 9, but must be 0 or at least segments.length, which "  \
  "is 10.", set_rows(10, 9))                                                                       \
X(offsets_none, PLAIN, INVALID, "segments.offsets.size is 0, but must hold at least one offset of "\
  "4 bytes.", set_offsets(0); i->segments.offsets.size = 0)                                        \
X(output_type, PLAIN, UNSUPPORTED, "output.type is u32, but must be undefined, f32, f16 or bf16.", \
  i->output.type = VKR_TYPE_U32)                                                                   \
X(output_components, PLAIN, INVALID, "output.components is 2, but must be 0 or 1.",                \
  i->output.components = 2; i->output.size = 8000)                                                 \
X(output_size, PLAIN, INVALID, "output.size is 3996, which is 999 elements, but must hold the "    \
  "1000 of count.", i->output.size = 3996)                                                         \
X(output_buffer, PLAIN, INVALID, "output.buffer is VK_NULL_HANDLE, but must be a buffer where "    \
  "size is not 0.", i->output.buffer = VK_NULL_HANDLE)                                             \
X(shifted, PLAIN, INVALID, "output overlaps input, but must be apart from it or equal to it.",     \
  i->output.buffer = BUFFER('A'))                                                                  \
X(narrower, PLAIN, INVALID, "output overlaps input, but must be apart from it or equal to it.",    \
  i->output = i->input; i->output.type = VKR_TYPE_BF16)                                            \
X(over_offsets, PLAIN, INVALID, "output overlaps segments.offsets, but must be apart from it.",    \
  set_offsets(9); i->output.buffer = BUFFER('F'))                                                  \
X(over_count, PLAIN, INVALID, "output overlaps gpuCount, but must be apart from it.",              \
  i->gpuCount = ((VkrGpuCount){BUFFER('O'), 0, VKR_TYPE_U32}))                                     \
X(many_by_offsets, PLAIN, UNSUPPORTED, "count is 268435456, but must be at most 245520000 with "   \
  "segments by offsets.", set_long((uint64_t)1 << 28); set_offsets(2))                             \
X(offsets_narrow, NARROW, UNSUPPORTED, "100000 adjacent items of input, 400000 bytes, must fit "   \
  "maxStorageBufferRange (65536 bytes, less up to 64 for alignment).", set_long(100000);           \
  set_offsets(2))

#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, 1, (void)i)                                                                        \
X(none, PLAIN, 0, i->count = 0)                                                                    \
X(in_place, PLAIN, 1, i->output = i->input)                                                        \
X(each_row, PLAIN, 1, set_rows(7, 0))                                                              \
X(rows_apart, PLAIN, 1, set_rows(7, 9))                                                            \
X(long_row, PLAIN, 3, set_long((uint64_t)1 << 20))                                                 \
X(long_rows, PLAIN, 3, set_long((uint64_t)1 << 20); set_rows(100000, 0))                           \
X(windows, NARROW, 8, set_long(100000))                                                            \
X(segments, PLAIN, 3, set_offsets(100))                                                            \
X(no_segments, PLAIN, 0, set_offsets(0))                                                           \
X(few_segments, PLAIN, 6, set_long((uint64_t)1 << 20); set_offsets(100))
/* clang-format on */

OPERATION(apply, vkrCmdApply, VkrApplyInfo, info, COUNTED, NULL)
