/* SPDX-License-Identifier: MIT */
/* VkrExpandInfo. */
#include "refusals.h"

static VkrExpandInfo info;
static VkrPayload payload;
static VkrCountOutput counted;
#define SCOPE                                                                                      \
    VkrExpandInfo *const i = &info;                                                                \
    VkrPayload *const p = &payload;                                                                \
    VkrCountOutput *const c = &counted;                                                            \
    (void)i;                                                                                       \
    (void)p;                                                                                       \
    (void)c

/* 1,000 sources, and room for 500 outputs. */
static void set_plain(void)
{
    payload = (VkrPayload){
        .size = 12, .source = {BUFFER('P'), 0, 12000}, .target = {BUFFER('T'), 0, 6000}};
    counted = (VkrCountOutput){VKR_COUNT_KEPT, BUFFER('K'), 0, 0};
    info = (VkrExpandInfo){
        .counts = {.buffer = BUFFER('C'), .offset = 16, .size = 4000, .type = VKR_TYPE_U32},
        .count = 1000,
        .sources = {.buffer = BUFFER('S'), .size = 2000},
        .ranks = {.buffer = BUFFER('R'), .size = 2000, .type = VKR_TYPE_U32},
        .payloadCount = 1,
        .payloads = &payload,
        .countOutputCount = 1,
        .countOutputs = &counted};
}

/* clang-format off */
#define WRONG_ROWS(X)                                                                              \
X(counts_type, PLAIN, INVALID, "counts.type is f32, but must be u32.",                             \
  i->counts.type = VKR_TYPE_F32)                                                                   \
X(counts_components, PLAIN, INVALID, "counts.components is 2, but must be 0 or 1.",                \
  i->counts.components = 2; i->count = 500)                                                        \
X(counts_offset, PLAIN, INVALID, "counts.offset is 2, but must be a multiple of 4, the size of "   \
  "u32.", i->counts.offset = 2)                                                                    \
X(counts_buffer, PLAIN, INVALID, "counts.buffer is VK_NULL_HANDLE, but must be a buffer where "    \
  "size is not 0.", i->counts.buffer = VK_NULL_HANDLE)                                             \
X(count, PLAIN, INVALID, "count is 1001, but must be VKR_COUNT_ALL or at most 1000, the number "   \
  "of elements that counts holds.", i->count = 1001)                                               \
X(count_large, PLAIN, INVALID, "count is 2147483648, but must be below 2^31.",                     \
  i->counts.size = UINT64_C(1) << 33; i->count = UINT64_C(1) << 31)                                \
X(gpu_offset, PLAIN, INVALID, "gpuCount.offset is 6, but must be a multiple of 4.",                \
  i->gpuCount = ((VkrGpuCount){BUFFER('N'), 6, VKR_TYPE_U32}))                                     \
X(sources_type, PLAIN, INVALID, "sources.type is u64 (8), but must be undefined or u32.",          \
  i->sources.type = VKR_TYPE_U64)                                                                  \
X(sources_components, PLAIN, INVALID, "sources.components is 2, but must be 0 or 1.",              \
  i->sources.components = 2)                                                                       \
X(ranks_stride, PLAIN, INVALID, "ranks.stride is 6, but must be a multiple of 4, the size of "     \
  "u32.", i->ranks.stride = 6)                                                                     \
X(ranks_buffer, PLAIN, INVALID, "ranks.buffer is VK_NULL_HANDLE, but must be a buffer where size " \
  "is not 0.", i->ranks.buffer = VK_NULL_HANDLE)                                                   \
X(payloads, PLAIN, INVALID, "payloads is NULL, but must point to the 1 of payloadCount.",          \
  i->payloads = NULL)                                                                              \
X(payload_rejected, PLAIN, INVALID, "payloads[0].rejected is set, but must be 0: an expansion "    \
  "rejects nothing.", p->rejected = VK_TRUE)                                                       \
X(payload_source, PLAIN, INVALID, "payloads[0].source.size is 11999, but must be at least 12000.", \
  p->source.size = 11999)                                                                          \
X(counted, PLAIN, INVALID, "countOutputs is NULL, but must point to the 1 of countOutputCount.",   \
  i->countOutputs = NULL)                                                                          \
X(counted_offset, PLAIN, INVALID, "countOutputs[0].offset is 2, but must be a multiple of 4.",     \
  c->offset = 2)                                                                                   \
X(over_counts, PLAIN, INVALID, "sources overlaps counts, but must be apart from it.",              \
  i->sources.buffer = BUFFER('C'))                                                                 \
X(over_sources, PLAIN, INVALID, "ranks overlaps sources, but must be apart from it.",              \
  i->ranks.buffer = BUFFER('S'))                                                                   \
X(over_payload, PLAIN, INVALID, "payloads[0].target overlaps ranks, but must be apart from it.",   \
  p->target.buffer = BUFFER('R'))                                                                  \
X(over_gpu_count, PLAIN, INVALID, "countOutputs[0] overlaps gpuCount, but must be apart from it.", \
  i->gpuCount = ((VkrGpuCount){BUFFER('K'), 0, VKR_TYPE_U32}))                                     \
X(far_apart, NARROW, UNSUPPORTED, "the counts of 2048 sources must fit maxStorageBufferRange "     \
  "(65536 bytes, less up to 64 for alignment).",                                                   \
  i->counts.stride = 65536; i->counts.size = 65536 * 1000)

#define RIGHT_ROWS(X)                                                                              \
X(plain, PLAIN, 1, (void)i)                                                                        \
X(counts_alone, PLAIN, 1, i->sources = i->ranks = (VkrView){0}; i->payloadCount = 0;               \
  i->payloads = NULL)                                                                              \
X(nothing, PLAIN, 0, i->sources = i->ranks = (VkrView){0}; i->payloadCount = 0;                    \
  i->payloads = NULL; i->countOutputCount = 0; i->countOutputs = NULL)                             \
X(no_sources, PLAIN, 1, i->count = 0)
/* clang-format on */

OPERATION(expand, vkrCmdExpand, VkrExpandInfo, info, COUNTED, NULL)
