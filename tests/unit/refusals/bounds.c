/* SPDX-License-Identifier: MIT */
/* VkrBoundsInfo. */
#include "refusals.h"

static VkrBoundsInfo info;
static VkrMap map;
#define SCOPE                                                                                      \
    VkrBoundsInfo *const i = &info;                                                                \
    (void)i

static VkrView numbers(char letter, VkrType type)
{
    return (VkrView){.buffer = BUFFER(letter), .offset = 8, .size = 800, .type = type};
}

/* 100 values among 1,000 sorted floats. */
static void set_plain(void)
{
    map = (VkrMap){.weights = {1, 2}};
    info = (VkrBoundsInfo){
        .sorted = {.buffer = BUFFER('S'), .offset = 16, .size = 4000, .type = VKR_TYPE_F32},
        .count = 1000,
        .values = {.buffer = BUFFER('V'), .offset = 4, .size = 400, .type = VKR_TYPE_F32},
        .valueCount = VKR_COUNT_ALL,
        .lower = numbers('L', VKR_TYPE_UNDEFINED),
        .upper = numbers('U', VKR_TYPE_U64)};
}

/* Elements of 4 bytes each, this far apart. */
static void set_stride(VkDeviceSize stride, uint64_t count)
{
    info.sorted.stride = stride;
    info.sorted.size = count * stride;
    info.count = count;
}

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
X(flags, PLAIN, INVALID, "flags is VKR_BOUNDS_DESCENDING_BIT | 0x8, but must "                     \
  "have only bits of VkrBoundsFlagBits.", i->flags = 9)                                            \
X(sorted_type, PLAIN, INVALID, "sorted.type is 0, but must be one of VKR_TYPE_I8 (1) to "          \
  "VKR_TYPE_BF16 (12).", i->sorted.type = VKR_TYPE_UNDEFINED)                                      \
X(sorted_offset, PLAIN, INVALID, "sorted.offset is 2, but must be a multiple of 4, the size of "   \
  "f32.", i->sorted.offset = 2)                                                                    \
X(sorted_size, PLAIN, INVALID, "sorted.size is 0, but must be a number of bytes unless "           \
  "sorted.bufferSize is given, since the size of a buffer cannot be queried.", i->sorted.size = 0) \
X(sorted_buffer, PLAIN, INVALID, "sorted.buffer is VK_NULL_HANDLE, but must be a buffer where "    \
  "size is not 0.", i->sorted.buffer = VK_NULL_HANDLE)                                             \
X(sorted_components, PLAIN, INVALID, "sorted.components is 2, but must be 0 or 1.",                \
  i->sorted.components = 2)                                                                        \
X(count, PLAIN, INVALID, "count is 1001, but must be VKR_COUNT_ALL or at most 1000, the number "   \
  "of elements that sorted holds.", i->count = 1001)                                               \
X(values_type, PLAIN, INVALID, "values.type is u32, but must be f32 like sorted.type.",            \
  i->values.type = VKR_TYPE_U32)                                                                   \
X(values_stride, PLAIN, INVALID, "values.stride is 2, but must be a multiple of 4, the size of "   \
  "f32.", i->values.stride = 2)                                                                    \
X(values_buffer, PLAIN, INVALID, "values.buffer is VK_NULL_HANDLE, but must be a buffer where "    \
  "size is not 0.", i->values.buffer = VK_NULL_HANDLE)                                             \
X(values_components, PLAIN, INVALID, "values.components is 3, but must be 0 or 1.",                \
  i->values.components = 3)                                                                        \
X(values_count, PLAIN, INVALID, "valueCount is 101, but must be VKR_COUNT_ALL or at most 100, "    \
  "the number of elements that values holds.", i->valueCount = 101)                                \
X(mapped, PLAIN, INVALID, "sorted.map.weights[1] is 2, but must be 0, since elements have 1 "      \
  "components.", i->sorted.map = &map)                                                             \
X(gpu_offset, PLAIN, INVALID, "gpuCount.offset is 6, but must be a multiple of 4.",                \
  i->gpuCount = ((VkrGpuCount){BUFFER('N'), 6, VKR_TYPE_U32}))                                     \
X(gpu_values, PLAIN, INVALID, "gpuValueCount.type is 5, but must be VKR_TYPE_UNDEFINED (for "      \
  "u32), VKR_TYPE_U32 or VKR_TYPE_U64.",                                                           \
  i->gpuValueCount = ((VkrGpuCount){BUFFER('N'), 4, VKR_TYPE_I32}))                                \
X(workgroup, PLAIN, INVALID, "workgroupSize is 96, but must be 0 or a power of two.",              \
  i->workgroupSize = 96)                                                                           \
X(workgroup_large, SMALL, UNSUPPORTED, "workgroupSize is 512, but must be at most 256 on this "    \
  "device.", i->workgroupSize = 512)                                                               \
X(nothing, PLAIN, INVALID, "lower and upper are empty, but at least one must be given.",           \
  i->lower = i->upper = (VkrView){0})                                                              \
X(lower_type, PLAIN, INVALID, "lower.type is f32 (10), but must be undefined, u32 or u64.",        \
  i->lower.type = VKR_TYPE_F32)                                                                    \
X(lower_components, PLAIN, INVALID, "lower.components is 2, but must be 0 or 1.",                  \
  i->lower.components = 2)                                                                         \
X(lower_map, PLAIN, INVALID, "lower.map is given, but must be NULL: only what is read can be "     \
  "mapped.", i->lower.map = &map)                                                                  \
X(upper_offset, PLAIN, INVALID, "upper.offset is 4 and upper.stride 0, but both must be "          \
  "multiples "                                                                                     \
  "of 8, the size of u64.", i->upper.offset = 4)                                                   \
X(upper_size, PLAIN, INVALID, "upper.size is 799, which is 99 numbers, but must hold the 100 of "  \
  "valueCount.", i->upper.size = 799)                                                              \
X(upper_buffer, PLAIN, INVALID, "upper.buffer is VK_NULL_HANDLE, but must be a buffer where size " \
  "is not 0.", i->upper.buffer = VK_NULL_HANDLE)                                                   \
X(many, PLAIN, INVALID, "lower.type is u32, but must be u64, since bounds can reach 2^32.",        \
  i->sorted.size = (UINT64_C(1) << 34); i->count = UINT64_C(1) << 32;                              \
  i->lower.type = VKR_TYPE_U32)                                                                    \
X(outputs, PLAIN, INVALID, "lower overlaps upper, but must be apart from it.",                     \
  i->upper.buffer = BUFFER('L'))                                                                   \
X(over_sorted, PLAIN, INVALID, "lower overlaps sorted, but must be apart from it.",                \
  i->lower.buffer = BUFFER('S'))                                                                   \
X(over_mapped, PLAIN, INVALID, "upper overlaps values, but must be apart from it.",                \
  i->values.map = &map; i->values.components = 2; i->values.size = 800; i->valueCount = 100;       \
  i->upper.buffer = i->values.buffer; i->upper.offset = 400)                                       \
X(over_values, PLAIN, INVALID, "upper overlaps values, but must be apart from it.",                \
  i->upper.buffer = BUFFER('V'))                                                                   \
X(over_count, PLAIN, INVALID, "upper overlaps gpuValueCount, but must be apart from it.",          \
  i->gpuValueCount = ((VkrGpuCount){BUFFER('U'), 804, VKR_TYPE_U32}))                              \
X(far_apart, NARROW, UNSUPPORTED, "2 adjacent items of sorted, 65540 bytes, must fit "             \
  "maxStorageBufferRange (65536 bytes, less up to 64 for alignment).", set_stride(65536, 2))       \
X(windows, NARROW, UNSUPPORTED, "sorted has 140000 items, but must need at most 131072 "           \
  "dispatches of maxStorageBufferRange (65536 bytes).", set_stride(40000, 140000))

#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, 1, (void)i)                                                                        \
X(lower_alone, PLAIN, 1, i->upper = (VkrView){0})                                                  \
X(no_values, PLAIN, 0, i->valueCount = 0)                                                          \
X(no_elements, PLAIN, 1, i->count = 0)                                                             \
X(empty, PLAIN, 1, i->count = 0; i->sorted = ((VkrView){.type = VKR_TYPE_F32}))                    \
X(windows, NARROW, 3, set_stride(1600, 100))                                                       \
X(many, PLAIN, 1, i->sorted.size = (UINT64_C(1) << 34); i->count = UINT64_C(1) << 32;              \
  i->lower = (VkrView){0})                                                                         \
X(same_memory, PLAIN, 1, i->values.buffer = BUFFER('S'))
/* clang-format on */

OPERATION(bounds, vkrCmdBounds, VkrBoundsInfo, info, COUNTED, NULL)
