/* SPDX-License-Identifier: MIT */
/* VkrFindInfo, whose input and predicate have the checks of VkrCompactInfo. */
#include "refusals.h"

#include "input.h"

static VkrFindInfo info;
static VkrMap map;
#define SCOPE                                                                                      \
    VkrFindInfo *const i = &info;                                                                  \
    (void)i

static void set_plain(void)
{
    map = (VkrMap){.function = VKR_MAP_SQRT};
    info = (VkrFindInfo){
        .input = {.buffer = BUFFER('A'), .offset = 256, .size = 4000, .type = VKR_TYPE_F32},
        .count = 1000,
        .predicate = {.kind = VKR_PREDICATE_COMPARE, .compare = VKR_COMPARE_LESS, .a = {.f = 2}},
        .index = {BUFFER('X'), 12, 4}};
}

static void set_flags(VkrFlagFormat format)
{
    info.predicate = (VkrPredicate){.kind = VKR_PREDICATE_FLAGS,
                                    .flags = {.format = format, .range = {BUFFER('F'), 0, 4000}}};
}

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
COMPUTED_ROWS(X)                                                                                   \
INPUT_ROWS(X)                                                                                      \
X(count, PLAIN, INVALID, "count is 1001, but must be VKR_COUNT_ALL or at most 1000, the number "   \
  "of elements that input holds.", i->count = 1001)                                                \
X(count_of_flags, PLAIN, INVALID, "count is VKR_COUNT_ALL, but must be a number where input is "   \
  "empty.", set_flags(VKR_FLAGS_U32); i->input = (VkrView){0}; i->count = VKR_COUNT_ALL)           \
X(gpu_offset, PLAIN, INVALID, "gpuCount.offset is 6, but must be a multiple of 4.",                \
  i->gpuCount = ((VkrGpuCount){BUFFER('N'), 6, VKR_TYPE_U32}))                                     \
X(kind, PLAIN, INVALID, "predicate.kind is 7, but must be 0 to 6.",                                \
  i->predicate.kind = VKR_PREDICATE_KIND_COUNT)                                                    \
X(component, PLAIN, INVALID, "predicate.component is 1, but must be below 1, the components of "   \
  "input.", i->predicate.component = 1)                                                            \
X(constants, PLAIN, INVALID, "predicate.gpuConstants.size is 3, but must be at least 4.",          \
  i->predicate.gpuConstants = ((VkrBufferRange){BUFFER('G'), 0, 3}))                               \
X(flag_size, PLAIN, INVALID, "predicate.flags.range.size is 4000, but must be at least 4004.",     \
  set_flags(VKR_FLAGS_U32); i->input.size = 4004; i->count = 1001)                                 \
X(index_buffer, PLAIN, INVALID, "index.buffer is VK_NULL_HANDLE, but must be a buffer.",           \
  i->index.buffer = VK_NULL_HANDLE)                                                                \
X(index_offset, PLAIN, INVALID, "index.offset is 2, but must be a multiple of 4.",                 \
  i->index.offset = 2)                                                                             \
X(index_size, PLAIN, INVALID, "index.size is 3, but must be at least 4.", i->index.size = 3)       \
X(index_wide, PLAIN, INVALID, "index.size is 4, but must be at least 8.",                          \
  i->input.size = i->count = UINT64_C(1) << 32; i->input.type = VKR_TYPE_U8;                       \
  i->predicate.kind = VKR_PREDICATE_NONZERO)                                                       \
X(over_input, PLAIN, INVALID, "index overlaps input, but must be apart from it.",                  \
  i->index = ((VkrBufferRange){BUFFER('A'), 4252, 4}))                                             \
X(over_mapped, PLAIN, INVALID, "index overlaps input, but must be apart from it.",                 \
  i->input.map = &map; i->index = ((VkrBufferRange){BUFFER('A'), 4252, 4}))                        \
X(over_flags, PLAIN, INVALID, "index overlaps predicate.flags, but must be apart from it.",        \
  set_flags(VKR_FLAGS_U32); i->index.buffer = BUFFER('F'))                                         \
X(over_constants, PLAIN, INVALID, "index overlaps predicate.gpuConstants, but must be apart from " \
  "it.", i->predicate.gpuConstants = ((VkrBufferRange){BUFFER('X'), 12, 4}))                       \
X(over_count, PLAIN, INVALID, "index overlaps gpuCount, but must be apart from it.",               \
  i->gpuCount = ((VkrGpuCount){BUFFER('X'), 8, VKR_TYPE_U64}))

#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, 2, (void)i)                                                                        \
X(after_input, PLAIN, 2, i->index = ((VkrBufferRange){BUFFER('A'), 4256, 4}))                      \
X(nothing, PLAIN, 1, i->count = 0)                                                                 \
X(mapped, PLAIN, 3, i->input.map = &map)                                                           \
X(constants, PLAIN, 3, i->predicate.gpuConstants = ((VkrBufferRange){BUFFER('G'), 0, 4}))          \
X(flags_alone, PLAIN, 2, set_flags(VKR_FLAGS_BITS); i->input = (VkrView){0})                       \
X(windows, NARROW, 4, i->input.size = 196608; i->count = VKR_COUNT_ALL)
/* clang-format on */

OPERATION(find, vkrCmdFind, VkrFindInfo, info, COUNTED, NULL)
