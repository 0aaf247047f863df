/* SPDX-License-Identifier: MIT */
/* VkrBinInfo. */
#include "refusals.h"

static VkrBinInfo info;
static VkrPayload payloads[VKR_MAX_SORT_PAYLOADS + 1];
static VkrMap map;
#define SCOPE                                                                                      \
    VkrBinInfo *const i = &info;                                                                   \
    VkrPayload *const p = payloads;                                                                \
    (void)i;                                                                                       \
    (void)p

/* All outputs, and a payload of 8 bytes, of 20000 elements in 100 bins. */
static void set_plain(void)
{
    map = (VkrMap){.bias = 0};
    payloads[0] = (VkrPayload){
        .size = 8, .source = {BUFFER('P'), 0, 160000}, .target = {BUFFER('T'), 0, 160000}};
    info = (VkrBinInfo){
        .keys = {.buffer = BUFFER('K'), .offset = 4, .size = 80000, .type = VKR_TYPE_U32},
        .count = 20000,
        .binCount = 100,
        .counts = {BUFFER('C'), 4, 400},
        .offsets = {BUFFER('O'), 8, 404},
        .indices = {.buffer = BUFFER('I'), .size = 80000},
        .payloadCount = 1,
        .payloads = payloads};
}

static void set_numbers_alone(void)
{
    info.indices = (VkrView){0};
    info.payloadCount = 0;
}

static void set_carried(void)
{
    info.indices = (VkrView){0};
    payloads[0] = (VkrPayload){
        .size = 4, .source = {BUFFER('P'), 0, 80000}, .target = {BUFFER('T'), 0, 80000}};
}

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
X(type_signed, PLAIN, INVALID, "keys.type is i32, but must be u8, u16 or u32, also after a map.",  \
  i->keys.type = VKR_TYPE_I32)                                                                     \
X(type_mapped, PLAIN, INVALID, "keys.type is f32, but must be u8, u16 or u32, also after a map.",  \
  i->keys.map = &map)                                                                              \
X(type_wide, PLAIN, INVALID, "keys.type is u64, but must be u8, u16 or u32, also after a map.",    \
  i->keys.type = VKR_TYPE_U64; i->keys.offset = 0; i->count = 0)                                   \
X(components, PLAIN, INVALID, "keys.components is 2, but must be 1, also after a map.",            \
  i->keys.components = 2)                                                                          \
X(count, PLAIN, INVALID, "count is 20001, but must be VKR_COUNT_ALL or at most 20000, the number " \
  "of elements that keys holds.", i->count = 20001)                                                \
X(count_large, PLAIN, INVALID, "count is 4294967296, but must be below 2^32.",                     \
  i->keys.size = (VkDeviceSize)1 << 36; i->count = (uint64_t)1 << 32)                              \
X(gpu_count, PLAIN, INVALID, "gpuCount.offset is 2, but must be a multiple of 4.",                 \
  i->gpuCount = ((VkrGpuCount){BUFFER('N'), 2, VKR_TYPE_U32}))                                     \
X(bins_none, PLAIN, INVALID, "binCount is 0, but must be from 1 to 4096.", i->binCount = 0)        \
X(bins_many, PLAIN, INVALID, "binCount is 4097, but must be from 1 to 4096.", i->binCount = 4097)  \
X(counts_small, PLAIN, INVALID, "counts.size is 396, but must be at least 400.",                   \
  i->counts.size = 396)                                                                            \
X(offsets_small, PLAIN, INVALID, "offsets.size is 400, but must be at least 404.",                 \
  i->offsets.size = 400)                                                                           \
X(offsets_odd, PLAIN, INVALID, "offsets.offset is 2, but must be a multiple of 4.",                \
  i->offsets.offset = 2)                                                                           \
X(indices_type, PLAIN, INVALID, "indices.type is u64 (8), but must be undefined or u32.",          \
  i->indices.type = VKR_TYPE_U64)                                                                  \
X(indices_small, PLAIN, INVALID, "indices.size is 79996, which is 19999 elements, but must hold "  \
  "the 20000 of count.", i->indices.size = 79996)                                                  \
X(payloads_many, PLAIN, INVALID, "payloadCount is 9, but must be at most 8.",                      \
  i->payloadCount = 9)                                                                             \
X(payload_rejected, PLAIN, INVALID, "payloads[0].rejected is set, but must be 0: a sort rejects "  \
  "nothing.", p->rejected = VK_TRUE)                                                               \
X(nothing, PLAIN, INVALID, "counts, offsets, indices and payloads are empty, but at least one of " \
  "them must be given.", set_numbers_alone(); i->counts = i->offsets = (VkrBufferRange){0})        \
X(counts_overlap, PLAIN, INVALID, "counts overlaps offsets, but must be apart from it.",           \
  i->counts.buffer = BUFFER('O'))                                                                  \
X(indices_overlap, PLAIN, INVALID, "indices overlaps keys, but must be apart from it.",            \
  i->indices.buffer = BUFFER('K'))                                                                 \
X(in_place, PLAIN, INVALID, "payloads[0].target overlaps payloads[0].source, but must be apart "   \
  "from it.", set_carried(); p->target = p->source)                                                \
X(count_overwritten, PLAIN, INVALID, "offsets overlaps gpuCount, but must be apart from it.",      \
  i->gpuCount = ((VkrGpuCount){BUFFER('O'), 408, VKR_TYPE_U32}))                                   \
X(workgroup, PLAIN, INVALID, "workgroupSize is 48, but must be 0 or a power of two.",              \
  i->workgroupSize = 48)                                                                           \
X(workgroup_of_counts, PLAIN, INVALID, "workgroupSize is 48, but must be 0 or a power of two.",    \
  set_numbers_alone(); i->workgroupSize = 48)

/* Counts, offsets, lists and payloads; what is not needed is left out. */
#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, 6, (void)i)                                                                        \
X(many_bins, PLAIN, 10, i->binCount = 256; i->counts.size = 1024; i->offsets.size = 1028)          \
X(most_bins, PLAIN, 10, i->binCount = VKR_MAX_BIN_COUNT; i->counts.size = 16384;                   \
  i->offsets.size = 16388)                                                                         \
X(numbers, PLAIN, 4, set_numbers_alone())                                                          \
X(counts, PLAIN, 2, set_numbers_alone(); i->offsets = (VkrBufferRange){0})                         \
X(indices, PLAIN, 3, i->counts = i->offsets = (VkrBufferRange){0}; i->payloadCount = 0)            \
X(carried, PLAIN, 3, set_carried(); i->counts = i->offsets = (VkrBufferRange){0})                  \
X(payload, PLAIN, 5, i->counts = i->offsets = (VkrBufferRange){0}; i->indices = (VkrView){0})      \
X(nothing, PLAIN, 2, i->count = 0)                                                                 \
X(long_keys, NARROW, 2, set_numbers_alone(); i->offsets = (VkrBufferRange){0})                     \
X(tiny, TINY, 6, (void)i)
/* clang-format on */

OPERATION(bin, vkrCmdBin, VkrBinInfo, info, COUNTED, NULL)
